"""Each test starts with a graph of its own as the default."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import jitscope as js


@pytest.fixture(autouse=True)
def graph() -> Iterator[js.Graph]:
    with js.Graph().as_default() as found:
        yield found
    js.reset_default_graph()
