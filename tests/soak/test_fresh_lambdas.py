"""10,000 calls with a function made anew for each of them: one specialisation, no growth, no cost."""

from __future__ import annotations

import pytest
from fresh_functions import FRESH, figures


@pytest.mark.parametrize("kind", FRESH)
def test_ten_thousand_fresh_functions_are_one(kind: str) -> None:
    found = figures(FRESH[kind], 10_000)
    print(f"\n{kind}: " + ", ".join(f"{name} {value:.4g}" for name, value in found.items()))
    assert found["specialisations"] == 1
    assert found["grown MB"] < 5
    assert found["grown objects"] < 200
    assert found["us"] < 2 * found["us named"]
