"""Pictures of explicit graphs and of what sessions make of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pictures import needs_renderer, read

import jitscope as js

pytestmark = needs_renderer


def graph_of_two_scopes() -> tuple[js.Graph, dict[str, js.Symbol]]:
    graph = js.Graph()
    with graph.as_default():
        x = js.placeholder(js.float64, [None, 4], name="x")
        with js.jit_scope():
            y = js.exp(x, name="y") * 2.0
        with js.jit_scope(compile_ops=False):
            z = js.tanh(y, name="z")
        other = js.sqrt(x, name="other")
    return graph, {"x": x, "y": y, "z": z, "other": other}


def test_a_session_is_drawn_for_its_fetches(tmp_path: Path) -> None:
    graph, symbols = graph_of_two_scopes()
    with js.Session(graph=graph) as session:
        path = js.draw(session, tmp_path / "a.dot", symbols["z"], {symbols["x"]: np.ones((3, 4))})
        (picture,) = read(path.read_text())
    assert picture.title == "z:0"
    (frame,) = picture.frames
    assert frame == "cluster_0, jit_scope_0"
    assert dict(picture.operations(picture.frames[frame])) == {"exp": 1, "multiply(_, 2.0)": 1}
    assert picture.operations()["tanh"] == 1
    assert picture.operations()["sqrt"] == 0
    assert any("<br/>" in label and ">z<" in label for label in picture.boxes.values())


def test_what_is_not_fed_has_its_declared_shape(tmp_path: Path) -> None:
    graph, symbols = graph_of_two_scopes()
    with js.Session(graph=graph) as session:
        text = js.draw(session, tmp_path / "a.dot", [symbols["z"]], after="trace").read_text()
    (picture,) = read(text)
    assert not picture.frames
    assert picture.title == "z:0 after trace"
    assert "x: f64[n" in text
    assert ",4]" in text


def test_a_graph_is_drawn_with_all_that_it_computes(tmp_path: Path) -> None:
    graph, _ = graph_of_two_scopes()
    (picture,) = read(js.draw(graph, tmp_path / "a.dot").read_text())
    assert picture.title == "graph"
    shown = picture.operations()
    assert (shown["exp"], shown["tanh"], shown["sqrt"], shown["return"]) == (1, 1, 1, 1)


def test_training_steps_can_be_drawn(tmp_path: Path) -> None:
    graph = js.Graph()
    with graph.as_default():
        w = js.Variable(np.ones(3), name="w")
        loss = js.reduce_sum(w * w)
        step = js.train.GradientDescentOptimizer(0.1).minimize(loss)
    with js.Session(graph=graph) as session:
        (picture,) = read(js.draw(session, tmp_path / "a.dot", step).read_text())
        with pytest.raises(ValueError, match="another graph|not an element"):
            js.draw(session, tmp_path / "a.dot", graph_of_two_scopes()[1]["z"])
    assert picture.operations()["subtract"] == 1
