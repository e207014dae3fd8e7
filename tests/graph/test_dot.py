"""Pictures of graphs: every node once, clusters and control flow as frames, edges that tell what flows."""

from __future__ import annotations

import copy
import inspect
from html import escape

import numpy as np
import pytest
from pictures import Picture, expected_boxes, needs_renderer, read
from programs import PROGRAMS, Program

import jitscope as js
from jitscope.autograph.trace import trace
from jitscope.graph.dot import dot_text
from jitscope.graph.ir.nodes import Graph, walk
from jitscope.graph.passes import Options, run_passes

pytestmark = needs_renderer


def graphs_of(program: Program) -> list[Graph]:
    """The graph of the program's first call, before and after the passes."""
    call = copy.deepcopy(program.calls[0])
    try:
        bound = inspect.signature(program.function).bind(*call.args, **call.kwargs)
        bound.apply_defaults()
        graph = trace(program.function, bound.arguments).graph
    except Exception:  # the function itself fails, or has to run plain: no graph
        return []
    return [graph, run_passes(graph)]


def drawn(f: object, *args: object, level: str = "on") -> tuple[Graph, Picture]:
    """The clustered graph of `f`, and its picture."""
    names = inspect.signature(f).parameters
    graph = trace(f, dict(zip(names, args)), jit_level=level).graph
    graph = run_passes(graph, Options(level))
    return graph, read(dot_text(graph))[0]


def test_every_node_of_every_program_is_drawn_once() -> None:
    graphs = [graph for program in PROGRAMS for graph in graphs_of(program)]
    assert len(graphs) > len(PROGRAMS)
    texts = [dot_text(graph) for graph in graphs]
    for graph, text, picture in zip(graphs, texts, read(*texts)):
        assert len(picture.boxes) == expected_boxes(graph), text
        assert dot_text(graph) == text
        inside = set().union(*picture.frames.values()) if picture.frames else set()
        assert inside <= set(picture.boxes)


def two_scopes(x):
    with js.jit_scope():
        y = np.exp(x) * 2.0
    with js.jit_scope(compile_ops=False):
        z = np.tanh(y)
    with js.jit_scope():
        return np.sin(z) + np.cos(z)


def test_clusters_are_frames_with_name_and_scope() -> None:
    _, picture = drawn(two_scopes, np.ones(3), level="off")
    frames = {label: dict(picture.operations(boxes)) for label, boxes in picture.frames.items()}
    assert frames == {
        "cluster_0, jit_scope_0": {"exp": 1, "multiply(_, 2.0)": 1},
        "cluster_1, jit_scope_2": {"sin": 1, "cos": 1, "add": 1},
    }
    text = dot_text(drawn(two_scopes, np.ones(3), level="off")[0])
    fills = [line.split('"')[1] for line in text.splitlines() if line.strip().startswith("fillcolor=")]
    assert len(set(fills)) == 2
    assert text.count("dashed") == 1


def test_a_cluster_on_another_device_has_another_frame() -> None:
    def placed(x):
        with js.device("/gpu:0"), js.jit_scope():
            return np.exp(x) * 2.0

    there = [f"/job:localhost/replica:0/task:0/device:{name}:0" for name in ("CPU", "GPU")]
    graph = run_passes(trace(placed, {"x": np.ones(3)}).graph, Options("off", lambda: there))
    (picture,) = read(dot_text(graph))
    assert list(picture.frames) == ["cluster_0, jit_scope_0, GPU:0"]
    assert 'penwidth="2.5"' in dot_text(graph)


def test_values_flow_along_edges_across_frames() -> None:
    _, picture = drawn(two_scopes, np.ones(3), level="off")
    box = {label.split("</b>")[0]: name for name, label in picture.boxes.items()}
    flows = {(start, end) for start, end, _ in picture.edges}
    chain = ["<b>exp", "<b>multiply(_, 2.0)", "<b>tanh", "<b>sin", "<b>add", "<b>return"]
    for start, end in zip(chain, chain[1:]):
        assert (box[start], box[end]) in flows


def test_loops_and_branches_are_frames_with_the_users_line() -> None:
    def search(x, limit):
        for k in range(10):
            x = np.sqrt(x)
            if x[0] < limit:
                break
        else:
            x = -x
        return x

    graph, picture = drawn(search, np.full(3, 9.0), 1.5)
    assert {"for", "body", "else", "if", "then"} <= set(picture.frames)
    shown = picture.operations()
    assert shown["for k in range(10):"] == 1
    assert shown["if x[0] &lt; limit:"] == 1
    assert shown["break"] == 1
    assert sum("constraint" in edge for *_, edge in picture.edges) == 1  # the way to the next iteration
    assert sum(node.op == "for" for node in walk(graph.body)) == 1


def test_who_reads_what_was_written_is_dotted() -> None:
    def written(x):
        y = np.zeros(4)
        y[1:3] = x
        return y.sum()

    _, picture = drawn(written, np.ones(2))
    dotted = [(start, end) for start, end, edge in picture.edges if edge.get("style") == "dotted"]
    assert [picture.boxes[end].partition("</b>")[0] for _, end in dotted] == ["<b>sum"]


def test_texts_with_quotes_and_signs_are_kept() -> None:
    def odd(x, d):
        return [d['"a\\b"'], "<é>" if x.sum() > 0 else "{1}"]

    graph, picture = drawn(odd, np.ones(2), {'"a\\b"': 1})
    assert len(picture.boxes) == expected_boxes(graph)


def test_names_and_texts_are_shown_as_they_are_written() -> None:
    def symbols(α, größe, 数):
        σ = np.exp(-α) * größe + 数
        print(f'<b>&amp; {σ!r} \x1b[0m "q" {{}}')
        return {"ключ": σ}

    graph, picture = drawn(symbols, np.ones(2), 2.0, 3)
    assert len(picture.boxes) == expected_boxes(graph)
    labels = "\n".join(picture.boxes.values())
    for name in ("α: f64", "größe: float", "数: int", "σ: f64"):
        assert name in labels
    assert escape("'<b>&amp; {0!r} \\x1b[0m \"q\" {{}}'.format(_)", quote=False) in labels


@pytest.mark.parametrize("title", ["", 'f "x" <y> \\n & ü 数 {0} |'])
def test_the_title_stands_above(title: str) -> None:
    def plain(x):
        return x

    graph = trace(plain, {"x": 1}).graph
    (picture,) = read(dot_text(graph, title))
    assert picture.title.replace("\\\\", "\\") == (title or "plain")
    assert read(dot_text(graph, "name, " * 100))[0].title == "name, " * 19 + "nam..."
    assert read(dot_text(graph, "two\nlines\x00"))[0].title == r"two\nlines\\x00"
