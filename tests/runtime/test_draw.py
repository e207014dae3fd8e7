"""`js.draw`, `JITSCOPE_FLAGS` and the pictures that it asks for."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from pictures import needs_renderer, read

import jitscope as js
from jitscope.graph.passes import PIPELINE
from jitscope.runtime import render
from jitscope.runtime.config import Config
from jitscope.runtime.flags import Flags, UnknownFlag, parsed


def softmax(x):
    with js.jit_scope():
        likelihood = np.exp(x - x.max(axis=1, keepdims=True))
        return likelihood / likelihood.sum(axis=1, keepdims=True)


def refused(n):
    try:
        return n
    finally:
        pass


X = np.ones((2, 3))


@pytest.fixture
def flags(tmp_path: Path) -> Iterator[Path]:
    """A folder into which the graphs of `softmax` are written."""
    folder = tmp_path / "graphs"
    folder.mkdir()
    js.config.flags = f"--dump_graph=soft.*x --dump_dir={folder}"
    yield folder
    js.config.flags = ""
    js.config.log = ""


@needs_renderer
@pytest.mark.parametrize("f", [softmax, js.function(softmax)])
def test_draw_writes_what_the_suffix_says(f: object, tmp_path: Path) -> None:
    text = js.draw(f, tmp_path / "a.dot", X).read_text()
    assert text.startswith("digraph")
    assert read(text)[0].title == "softmax"
    assert "cluster_0, jit_scope_0" in read(text)[0].frames
    assert "<svg" in js.draw(f, tmp_path / "a.svg", js.ArraySpec((None, None))).read_text()
    assert js.draw(f, str(tmp_path / "a.png"), X).read_bytes().startswith(b"\x89PNG")


@needs_renderer
def test_draw_after_other_passes(tmp_path: Path) -> None:
    (picture,) = read(js.draw(softmax, tmp_path / "a.dot", X, after="trace", title="first").read_text())
    assert picture.title == "first"
    assert not picture.frames
    with pytest.raises(ValueError, match=f"passes are trace, {PIPELINE[0].__name__}"):
        js.draw(softmax, tmp_path / "a.dot", X, after="nothing")


def test_draw_takes_methods_and_specialisations(tmp_path: Path) -> None:
    class Scaled:
        factor = 3.0

        @js.function
        def decorated(self, x):
            return np.exp(x) * self.factor

        plain = decorated.python_function

    scaled = Scaled()
    texts = [
        js.draw(scaled.decorated, tmp_path / "a.dot", X),
        js.draw(scaled.plain, tmp_path / "b.dot", x=X),
        js.draw(Scaled.decorated, tmp_path / "c.dot", scaled, X),
    ]
    assert len({path.read_text() for path in texts}) == 1
    assert js.to_code(scaled.decorated, X, stage="graph") == js.to_code(
        Scaled.decorated, scaled, X, stage="graph"
    )
    f = js.function(softmax)
    drawn = [js.draw(f.get_concrete_function(value), tmp_path / "d.dot").read_text() for value in (X, X * 1j)]
    assert drawn[0].count("cluster_0, jit_scope_0") == 1
    assert ": c128" in drawn[1]
    with pytest.raises(js.JitscopeError, match="no graph"):
        js.draw(js.function(refused).get_concrete_function(1), tmp_path / "e.dot")
    with pytest.raises(TypeError, match="as it is"):
        js.draw(f.get_concrete_function(X), tmp_path / "f.dot", after="trace")


@needs_renderer
def test_draw_writes_wherever_it_can(tmp_path: Path) -> None:
    for suffix in ("dot", "svg", "png"):
        path = tmp_path / f"räume und 漢 {suffix}" / f"a b ü.{suffix}"
        assert js.draw(softmax, path, X) == path
        assert path.stat().st_size > 1000
        assert [entry.name for entry in path.parent.iterdir()] == [path.name]
        (tmp_path / f"folder.{suffix}").mkdir()
        with pytest.raises(IsADirectoryError):
            js.draw(softmax, tmp_path / f"folder.{suffix}", X)
        with pytest.raises(OSError, match=r"none|Permission|[Rr]ead-only"):
            js.draw(softmax, f"/proc/none/a.{suffix}", X)


@needs_renderer
def test_large_graphs_are_drawn_in_bearable_time(tmp_path: Path) -> None:
    """Without limits on the search for the best layout, 1,000 operations take minutes."""
    rng = np.random.default_rng(0)
    with js.Graph().as_default() as graph:
        made = [js.placeholder(np.float64, [None, 3])]
        for k in range(500):
            other = made[-1 - int(rng.integers(0, min(len(made), 6)))]
            made += [js.sin(other), js.add(other, made[-1])]
    start = time.perf_counter()
    picture = js.draw(graph, tmp_path / "a.svg").read_text()
    assert time.perf_counter() - start < 90  # 4 on an idle machine
    assert picture.count('class="node"') >= 1000


def test_draw_says_what_it_needs(tmp_path: Path) -> None:
    for wrong in (None, 3, np.sin):
        with pytest.raises(TypeError, match="a Python function, a session or a graph is needed, not"):
            js.draw(wrong, tmp_path / "a.dot")
    with pytest.raises(TypeError, match=r"js\.draw\(session, path, fetches\)"):
        js.draw(js.Session(graph=js.Graph()), tmp_path / "a.dot")
    with pytest.raises(ValueError, match=r"\.dot, \.svg or \.png"):
        js.draw(softmax, tmp_path / "a.jpg", X)
    with pytest.raises(ValueError, match="depends on types"):
        js.draw(softmax, tmp_path / "a.dot")
    with pytest.raises(js.JitscopeError, match="refused can't be compiled"):
        js.draw(refused, tmp_path / "a.dot", 1)


def test_draw_without_a_program_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render, "renderer", lambda: None)
    with pytest.raises(js.JitscopeError, match=r"pip install 'jitscope\[viz\]'"):
        js.draw(softmax, tmp_path / "a.svg", X)
    js.draw(softmax, tmp_path / "a.dot", X)
    assert [path.name for path in tmp_path.iterdir()] == ["a.dot"]


@needs_renderer
def test_draw_where_there_is_no_way_for_a_curve(tmp_path: Path) -> None:
    def anys_and_alls(items):
        return any(items), all(items), any(k > 1 for k in items), all(k > 0 for k in items)

    text = js.draw(anys_and_alls, tmp_path / "a.dot", (0, 1, 2)).read_text()
    picture = js.draw(anys_and_alls, tmp_path / "a.svg", (0, 1, 2)).read_text()
    assert picture.count('class="edge"') == text.count(" -> ") - text.count("style=invis")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.dot", "a.svg"]


def test_draw_with_a_program_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "broken"
    program.write_text("#!/bin/sh\necho no layout today >&2\nexit 3\n")
    program.chmod(0o700)
    monkeypatch.setattr(render, "renderer", lambda: str(program))
    with pytest.raises(js.JitscopeError, match="broken failed: no layout today"):
        js.draw(softmax, tmp_path / "a.svg", X)
    program.write_text("#!/bin/sh\nkill -SEGV $$\n")
    with pytest.raises(js.JitscopeError, match="broken failed: it ended with status -11"):
        js.draw(softmax, tmp_path / "a.svg", X)
    assert [path.name for path in tmp_path.iterdir()] == ["broken"]
    program.write_text('#!/bin/sh\ntest "$(ulimit -s)" = "$(ulimit -H -s)" && echo done > "$3"\n')
    assert js.draw(softmax, tmp_path / "a.svg", X).read_text() == "done\n"


@needs_renderer
def test_each_pass_is_written_and_fusion_can_be_seen(
    flags: Path, cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    js.function(softmax, jit_level="off")(X)
    files = sorted(path.name for path in flags.iterdir())
    steps = ["trace", *(step.__name__ for step in PIPELINE)]
    stem = files[0].partition("_00_")[0]
    assert re.fullmatch(r"softmax_\d+", stem)
    wanted = [f"{stem}_{number:02}_{step}.dot" for number, step in enumerate(steps)]
    assert files == [*wanted, f"{stem}_{len(steps):02}_module.py"]
    assert "@njit(" in (flags / files[-1]).read_text()
    number = steps.index("cluster")
    before, after = read(*((flags / name).read_text() for name in files[number - 1 : number + 1]))
    assert before.operations() == after.operations()
    assert not before.frames
    (label,) = after.frames
    assert label == "cluster_0, jit_scope_0"
    assert set(after.operations(after.frames[label])) == {"max", "subtract", "exp", "sum", "divide"}
    told = capsys.readouterr().err.splitlines()
    assert f"computation softmax(x: f64[:,:]) [CPU: after {steps[1]}]: {flags / files[1]}" in told[1]
    last = rf"computation cluster_0\[scope=jit_scope_0,nodes=\d+\] \[CPU: softmax after cluster\]: {flags}"
    assert re.search(last, told[number])


def test_graphs_are_written_from_a_warm_cache_too(flags: Path, cache: Path) -> None:
    js.function(softmax)(X)
    count = len(list(flags.iterdir()))
    js.function(softmax)(X)
    assert len(list(flags.iterdir())) == 2 * count > 0


def test_other_functions_are_left_alone(flags: Path, cache: Path) -> None:
    def hardmax(x):
        return x == x.max()

    js.function(hardmax)(X)
    assert not list(flags.iterdir())


def test_pictures_that_cannot_be_written_keep_nobody_from_compiling(
    flags: Path, cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (flags / "file").write_text("")
    js.config.flags = f"--dump_graph=. --dump_dir={flags / 'file'}"
    np.testing.assert_array_equal(js.function(softmax)(X), np.full((2, 3), 1 / 3))
    assert "could not be written" in capsys.readouterr().err


def test_flags_are_read_from_the_environment() -> None:
    found = Config({"JITSCOPE_FLAGS": "--dump_graph='a b|c' --dump-dir=/x --dump_format=svg"})
    assert found.flags == Flags("a b|c", "/x", "svg")
    assert "dump" in found.log
    assert Config({}).flags == Flags()
    assert parsed("--dump_dir='graphs of mine'").dump_dir == os.path.abspath("graphs of mine")
    assert found.flags.dumps("a c")
    assert not found.flags.dumps("b")
    assert not Flags().dumps("b")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("--dump_grap=.*", r"unknown flag --dump_grap; did you mean --dump_graph"),
        ("--xla_generate_hlo_graph=.*", r"did you mean --dump_graph\?"),
        ("--zzz=1", r"unknown flag --zzz; flags are --dump_graph, --dump_dir"),
        ("dump_graph=.*", r"'dump_graph=\.\*' is no flag"),
        ("--dump_graph", "has no value"),
        ("--dump_graph=(", "no regular expression"),
        ("--dump_format=bmp", "formats are dot, svg, png"),
        ("--dump_graph='a", "no closing quotation"),
    ],
)
def test_flags_that_make_no_sense(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parsed(text)
    with pytest.raises(ValueError, match="JITSCOPE_FLAGS"):
        js.config.flags = text


def test_an_unknown_flag_in_the_environment_is_an_exception_not_an_abort() -> None:
    code = "try:\n import jitscope\nexcept ValueError as error:\n print(type(error).__name__, error)"
    environment = {**os.environ, "JITSCOPE_FLAGS": "--dump_gaph=x"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert done.returncode == 0
    assert done.stdout.startswith(UnknownFlag.__name__)
