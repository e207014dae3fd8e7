"""docs/gradients.md says what the registry says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from gradients_table import table

DOCUMENT = Path(__file__).parents[2] / "docs" / "gradients.md"


@pytest.mark.skipif(not hasattr(np, "astype"), reason="an older NumPy has fewer functions")
def test_the_table_of_gradients_is_current(update_golden: bool):
    if update_golden:
        DOCUMENT.write_text(table())
    assert DOCUMENT.read_text() == table(), "pytest tests/gradients/test_docs.py --update-golden"
