"""Each row of the table in `docs/jit_scope.md`: the marks of an operation, and what shares its cluster."""

from __future__ import annotations

import importlib.util
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from jitscope.autograph.trace import trace
from jitscope.graph.analysis.verifier import verify
from jitscope.graph.ir.nodes import Graph, Node, walk
from jitscope.graph.passes import Options, clusters_of, run_passes

PAGE = Path(__file__).parents[2] / "docs" / "jit_scope.md"
QUESTION = ("level", "scope", "nested", "callable", "separate", "pass")
MARKS = ("_JitCompile", "_JitScope", "_JitSeparateCompiledGradients")
PROGRAM = """
def {name}(x):
    before = np.tan(x)
{scopes}
    {indent}y = np.sin(before)
    after = np.exp(y)
    (first,) = js.gradients([y], [before], name="g1")
    update = np.log1p(first)
    (second,) = js.gradients([y], [before], name="g2")
    return after, update, second
"""


def table() -> list[dict[str, str]]:
    """The rows of the truth table, by the names of their columns."""
    text = PAGE.read_text(encoding="utf-8").split("## The truth table")[1].split("\n## ")[0]
    lines = [line.strip("| ") for line in text.splitlines() if line.startswith("|")]
    header, _, *rows = [[cell.strip().strip("`") for cell in line.split("|")] for line in lines]
    return [dict(zip(header, row, strict=True)) for row in rows]


ROWS = table()


def called(row: dict[str, str]) -> str:
    """The name of the program of a row; rows that differ in level and pass only share it."""
    return "_".join(["row", *(row[column] for column in QUESTION[1:-1])]).replace("-", "none")


def source(row: dict[str, str]) -> str:
    """The program of a row: its scopes around one operation."""
    given = [row[column] for column in ("scope", "nested") if row[column] != "-"]
    lines = []
    for depth, wanted in enumerate(given):
        innermost = depth == len(given) - 1
        shown = f"lambda node_def: {wanted}" if innermost and row["callable"] == "yes" else wanted
        apart = row["separate"] == ("inner" if innermost else "outer")
        lines.append(
            f"{'    ' * (depth + 1)}with js.jit_scope({shown}, separate_compiled_gradients={apart}):"
        )
    return PROGRAM.format(name=called(row), scopes="\n".join(lines), indent="    " * len(given))


@pytest.fixture(scope="module")
def graphs(tmp_path_factory):
    """The graph of each program, by its name."""
    path = tmp_path_factory.mktemp("table") / "truth_table_programs.py"
    texts = {called(row): source(row) for row in ROWS}
    path.write_text("import numpy as np\n\nimport jitscope as js\n\n" + "\n".join(texts.values()))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    @cache
    def graph(name: str) -> Graph:
        return trace(getattr(module, name), {"x": np.ones(3)}).graph

    return graph


def parts(graph: Graph) -> dict[str, Node]:
    """The operations that rows speak of, by what they are."""
    sines = [node for node in walk(graph.body) if node.op == "sin"]
    backward = [node for node in walk(graph.body) if node.op == "multiply"]
    ones = {node.op: node for node in walk(graph.body) if node.op in ("tan", "exp", "log1p")}
    assert len(sines) == 1
    assert len(backward) == 2
    return {
        "forward": sines[0],
        "backward": backward[0],
        "other": backward[1],
        "before": ones["tan"],
        "after": ones["exp"],
        "update": ones["log1p"],
    }


def shown(value: object) -> str:
    return "-" if value is None else str(value)


def answer(graph: Graph, level: str, direction: str) -> dict[str, str]:
    """What the table says of an operation: its marks, and with whom it shares a cluster."""
    subject = parts(graph)[direction]
    found = {key: shown(subject.attrs.get(key)) for key in MARKS}
    done = verify(run_passes(graph, Options(level)))
    now = parts(done)
    home = {inner: node for node in clusters_of(done) for inner in walk(node.regions[0])}
    own = home.get(now[direction])
    found["compiled"] = "no" if own is None else "yes"

    def together(*others: str) -> str:
        return "-" if own is None else "yes" if any(home.get(now[name]) is own for name in others) else "no"

    found["with unscoped"] = together("before", "after") if direction == "forward" else together("update")
    found["with forward"] = together("forward") if direction == "backward" else "-"
    found["with other gradients"] = together("other") if direction == "backward" else "-"
    return found


@pytest.mark.parametrize("row", ROWS, ids=lambda row: "-".join(row[column] for column in QUESTION))
def test_row(row, graphs):
    found = answer(graphs(called(row)), row["level"], row["pass"])
    assert found == {column: row[column] for column in found}
    assert set(row) == {*QUESTION, *found}


def test_the_table_is_complete():
    scopes = [("-", "-", "-", ("-",))]
    for scope, inner, asked in product(("True", "False"), ("-", "True", "False"), ("no", "yes")):
        separate = ("no", "inner") if inner == "-" else ("no", "inner", "outer")
        scopes.append((scope, inner, asked, separate))
    wanted = [
        (level, *rest, apart, direction)
        for level in ("off", "on")
        for *rest, separate in scopes
        for apart in separate
        for direction in ("forward", "backward")
    ]
    assert [tuple(row[column] for column in QUESTION) for row in ROWS] == wanted
