"""`js.trace`: where the file is written, and what happens where it can't be."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from traces import check_document, names

import jitscope as js
from jitscope.runtime import timeline

X, W = np.ones((4, 3)), np.full((3, 5), 0.1)


@js.function(jit_level="off")
def by_hand(x, w, iterations):
    h = np.tanh(x @ w)
    for _ in range(iterations):
        h = np.sqrt(h)
    return h


STEP, TRIP = ["matmul", "tanh"], ["sqrt"]


def test_the_file_is_written_even_where_the_block_raises(tmp_path: Path) -> None:
    path = tmp_path / "new" / "timeline.ctf.json"

    def broken() -> None:
        by_hand(X, W, 1)
        raise KeyError

    with pytest.raises(KeyError), js.trace(path):
        broken()
    document = json.loads(path.read_text())
    check_document(document)
    assert names(document) == STEP + TRIP
    assert [entry.name for entry in path.parent.iterdir()] == ["timeline.ctf.json"]


def test_a_place_where_no_file_can_be_is_said_at_the_beginning(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path, tmp_path / "file" / "timeline.json", Path("/proc/none/timeline.json")):
        ran = False
        with pytest.raises(OSError, match="file|folder|[Nn]o such"), js.trace(path):
            ran = True
        assert not ran
    for wrong in ("", b"timeline.json"):
        with pytest.raises(ValueError, match=r"'timeline\.ctf\.json', not"):
            js.trace(wrong)
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


def test_what_the_block_raises_comes_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "folder" / "timeline.json"

    def block() -> None:
        path.mkdir()
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"), js.trace(path):
        block()
    assert "could not be written" in capsys.readouterr().err
    with pytest.raises(IsADirectoryError), js.trace(path.with_suffix("")):
        path.with_suffix("").mkdir()
    assert not timeline.active()
    assert not [entry for entry in path.parent.iterdir() if entry.is_file()]


def test_a_relative_path_means_the_folder_in_which_the_trace_began(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path)
    with js.trace("räume und 漢/a b.json"):
        by_hand(X, W, 0)
        monkeypatch.chdir(tmp_path / "other")
    check_document(json.loads((tmp_path / "räume und 漢" / "a b.json").read_text()))


def test_a_trace_may_be_used_again_but_not_inside_of_itself() -> None:
    trace = js.trace(None)
    for iterations in (0, 1):
        with trace:
            by_hand(X, W, iterations)
        assert names(trace.document) == STEP + TRIP * iterations
    with trace:
        with pytest.raises(RuntimeError, match="recorded already"):
            trace.__enter__()
        by_hand(X, W, 0)
    assert names(trace.document) == STEP


def test_the_file_says_what_the_document_says(tmp_path: Path) -> None:
    def work() -> None:
        by_hand(X, W, 2)

    with js.trace(tmp_path / "a.json") as trace:
        js.function(lambda x: np.exp(x) * 2.0, cache=False)(X)
        worker = threading.Thread(target=work, name='"<ü>\\')
        worker.start()
        worker.join()
    text = (tmp_path / "a.json").read_text()
    written = json.loads(text, parse_constant=lambda constant: pytest.fail(constant))
    check_document(written)

    def sorted_events(document: dict[str, Any]) -> list[str]:
        return sorted(json.dumps(event, sort_keys=True) for event in document["traceEvents"])

    assert sorted_events(written) == sorted_events(trace.document)
    assert {**written, "traceEvents": []} == {**trace.document, "traceEvents": []}
    with js.trace(tmp_path / "empty.json") as nothing:
        pass
    assert json.loads((tmp_path / "empty.json").read_text()) == nothing.document
    assert nothing.document["traceEvents"] == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_links_lead_to_the_file_and_pipes_stay_pipes(tmp_path: Path) -> None:
    target, link, pipe = tmp_path / "target.json", tmp_path / "link.json", tmp_path / "pipe.json"
    link.symlink_to(target)
    os.mkfifo(pipe)
    found: list[str] = []
    reader = threading.Thread(target=lambda: found.append(pipe.read_text()))
    reader.start()
    for path in (link, pipe):
        with js.trace(path):
            by_hand(X, W, 0)
    reader.join()
    assert link.is_symlink()
    assert pipe.is_fifo()
    for text in (target.read_text(), found[0]):
        check_document(json.loads(text))
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["link.json", "pipe.json", "target.json"]


def test_inside_of_a_decorated_function_it_means_what_it_means_outside(tmp_path: Path) -> None:
    path, picture = tmp_path / "a.json", tmp_path / "a.dot"

    @js.function
    def inner(x):
        return np.exp(x) * 2.0

    @js.function
    def traced(x):
        with js.trace(path):
            y = inner(x)
        js.draw(inner, picture, x)
        return y, js.counters().loads, len(js.to_code(inner, x))

    inner(X)
    for _ in range(2):
        result, loads, length = traced(X)
        np.testing.assert_allclose(result, np.exp(X) * 2.0)
        assert (loads, length) == (js.counters().loads, len(js.to_code(inner, X)))
        assert names(json.loads(path.read_text())) == ["_JitLaunch"]
        assert picture.read_text().startswith("digraph")
        path.unlink()
        picture.unlink()
    assert "js.trace looks at the program while it runs" in traced.explain(X)
