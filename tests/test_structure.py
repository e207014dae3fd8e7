"""What makes the source hard to change is counted, and may only become less."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from structure import Source

LIMITS: dict[str, int] = json.loads((Path(__file__).parent / "structure.json").read_text())
CIRCLES = {"circle_files", "largest_circle"}


@pytest.fixture(scope="module")
def source() -> Source:
    return Source()


def check(what: str, count: int, listed: str = "") -> None:
    assert count <= LIMITS[what], f"{count} {what} instead of {LIMITS[what]}\n{listed}"
    assert count == LIMITS[what], f"{what} fell to {count}: write that to structure.json"


@pytest.mark.parametrize("what", sorted(set(LIMITS) - CIRCLES - {"lines"}))
def test_it_does_not_become_more(what: str, source: Source) -> None:
    found = getattr(source, what)()
    check(what, len(found), "\n".join(found))


def test_circles_do_not_grow(source: Source) -> None:
    circles = source.circles()
    listed = "\n".join(" ".join(circle) for circle in circles)
    check("circle_files", sum(map(len, circles)), listed)
    check("largest_circle", max(map(len, circles), default=0), listed)


def test_the_source_does_not_grow(source: Source) -> None:
    count = len(source.lines())
    assert count <= LIMITS["lines"], (
        f"{count} lines: shorten, or raise `lines` in structure.json, and say why"
    )


FILES = {
    "__init__.py": "from .graph.ir import Node\n",
    "graph/__init__.py": "",
    "graph/ir.py": """from typing import Any

class Node: ...

def f(x: Any, y: list[Any]) -> "Any | None":
    from . import flow
""",
    "graph/flow.py": """from .ir import Node
LOOPS = ("for", "while")

def is_loop(node):
    return node.op in LOOPS
""",
    "runtime/node.py": """from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from ..graph import flow

class Node: ...
""",
}


@pytest.fixture
def small(tmp_path: Path) -> Source:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return Source(tmp_path)


@pytest.mark.parametrize(
    ("what", "found"),
    [
        ("local_imports", ["graph/ir.py:6"]),
        ("circles", [["graph.flow", "graph.ir"]]),
        ("op_comparisons", ["graph/flow.py:5 node.op in LOOPS"]),
        ("op_lists", ["graph/flow.py:2"]),
        ("namesakes", ["Node: graph/ir.py, runtime/node.py"]),
        ("any_in_signatures", ["graph/ir.py:5 f", "graph/ir.py:5 f"]),
        ("long_functions", []),
    ],
)
def test_the_counts_themselves(what: str, found: list[str | list[str]], small: Source) -> None:
    assert getattr(small, what)() == found
