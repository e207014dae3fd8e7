"""The disk cache: found again, verified before use, never the cause of a failure."""

from __future__ import annotations

import os
import sys
import tempfile
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from handmade import FOUR, Handmade, Plan

import jitscope as js
from jitscope.runtime.digest import code_digest, describe

SOURCE = """
import tools
K = 2
def total(a, b, c, d):
    return tools.h(a + b) + c + d
"""
TOOLS = """
RATE = 1
def h(x):
    return x
"""


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A program of two modules; `start(main, tools)` runs their sources as a new process would."""

    def start(source: str = SOURCE, tools: str = TOOLS) -> Any:
        for name, text in (("tools", tools), ("main", source)):
            module = types.ModuleType(name)
            monkeypatch.setitem(sys.modules, name, module)
            exec(text, module.__dict__)
        for name in [name for name in sys.modules if name.startswith("jitscope_module_")]:
            del sys.modules[name]
        return js.function(sys.modules["main"].total)

    return start


@pytest.fixture
def plan(handmade: Handmade) -> Plan:
    tools = (("name", "tools"),)
    helper = (*tools, ("attr", "h"))
    plan = handmade.plan("total", FOUR, clusters=("cluster_0",), helpers=(helper,))
    plan.statics = ((tools, "is"), ((*helper, ("name", "RATE")), "equal"))
    return plan


def call(f: Any) -> None:
    a = np.arange(5.0)
    np.testing.assert_array_equal(f(a, a, a, a), 4 * a)


def work(action: Any) -> tuple[int, int, int]:
    """Traces, compilations and loads of an action."""
    counters = js.config.counters
    before = counters.compilations, counters.loads
    action()
    return counters.compilations - before[0], counters.loads - before[1]


def test_second_process_loads(program: Any, plan: Plan) -> None:
    assert work(lambda: call(program())) == (1, 0)
    assert work(lambda: call(program())) == (0, 1)
    assert plan.traces == 1
    f = program()
    call(f)
    made = f.specializations[0]
    assert made.clusters == ("cluster_0",)
    assert made.text == FOUR
    assert Path(made.module_path).read_text() == FOUR
    assert made.from_disk


def test_moved_and_commented_function_is_found(program: Any, plan: Plan) -> None:
    call(program())
    assert work(lambda: call(program("# a comment\n\n" + SOURCE, "\n\n" + TOOLS))) == (0, 1)


@pytest.mark.parametrize(
    ("source", "tools"),
    [
        (SOURCE.replace("+ d", "- d"), TOOLS),
        (SOURCE, TOOLS.replace("return x", "return -x")),
        (SOURCE, TOOLS.replace("RATE = 1", "RATE = 2")),
        (SOURCE, TOOLS.replace("RATE = 1", "RATE = 1.0")),
        (SOURCE, TOOLS.replace("h(x)", "h(x, y=1)")),
    ],
)
def test_what_was_edited_is_made_again(source: str, tools: str, program: Any, plan: Plan) -> None:
    call(program())
    call(program(source, tools))
    assert plan.traces == 2
    assert work(lambda: call(program())) == (0, 1)
    assert work(lambda: call(program(source, tools))) == (0, 1)


def test_environment_is_part_of_the_key(program: Any, plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    from jitscope.runtime import compile as pipeline

    call(program())
    known = pipeline.environment()
    for number, name in enumerate(known):
        monkeypatch.setattr(pipeline, "environment", lambda name=name: {**known, name: "other things"})
        call(program())
        assert plan.traces == number + 2, name


def entry_files(cache: Path) -> list[Path]:
    return sorted(path for path in cache.rglob("*") if path.is_file() and path.name[0] != ".")


def test_every_damaged_file_is_noticed(program: Any, plan: Plan, cache: Path) -> None:
    call(program())
    names = [path.relative_to(cache) for path in entry_files(cache)]
    assert {path.suffix for path in names} >= {".py", ".json", ".nbi", ".nbc"}
    traces = 1
    for name in names:
        for damage in (
            lambda data: b"",
            lambda data: data[:-1],
            lambda data: data[:99] + bytes([data[99] ^ 1]) + data[100:],
        ):
            path = cache / name
            path.write_bytes(damage(path.read_bytes()))
            call(program())
            traces += 1
            assert plan.traces == traces, name
            assert work(lambda: call(program())) == (0, 1), name


@pytest.mark.parametrize("kind", ["missing", "folder", "link"])
def test_odd_files_are_noticed(kind: str, program: Any, plan: Plan, cache: Path, tmp_path: Path) -> None:
    call(program())
    path = next(path for path in entry_files(cache) if path.suffix == ".nbc")
    kept = tmp_path / "kept"
    path.rename(kept)
    if kind == "folder":
        path.mkdir()
    if kind == "link":
        path.symlink_to(kept)
    call(program())
    assert plan.traces == 2
    assert work(lambda: call(program())) == (0, 1)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="owners and modes of POSIX")
def test_what_others_may_write_is_not_used(program: Any, plan: Plan, cache: Path) -> None:
    call(program())
    for path in (p for p in sorted(cache.rglob("*"))):
        path.chmod(path.stat().st_mode | 0o022)
    call(program())
    assert plan.traces == 2


KINDS = (
    "manifest.json",
    "*.py",
    "__pycache__/*.nbi",
    "__pycache__/*.nbc",
    *(("*.o",) if sys.platform == "linux" else ()),
)
STRANGER = 12345


def give_away(path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let a file or folder be somebody else's, for root, too; returns which calls have been told so."""
    given, told = path.stat().st_ino, []

    def telling(name: str) -> Callable[..., os.stat_result]:
        ask = getattr(os, name)

        def status(*args: Any, **kwargs: Any) -> os.stat_result:
            found: os.stat_result = ask(*args, **kwargs)
            if found.st_ino != given:
                return found
            told.append(name)
            return os.stat_result((*found[:4], STRANGER, *found[5:]))

        return status

    for name in ("stat", "lstat", "fstat"):
        monkeypatch.setattr(os, name, telling(name))
    return told


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="owners and modes of POSIX")
@pytest.mark.parametrize("what", [".", "total-*", "total-*/*", *(f"total-*/*/{end}" for end in KINDS)])
def test_what_belongs_to_others_is_not_used(
    what: str,
    program: Any,
    plan: Plan,
    cache: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    call(program())
    assert work(lambda: call(program())) == (0, 1)
    monkeypatch.setattr(js.config, "log", "cache")
    told = give_away(next(cache.glob(what)) if what != "." else cache, monkeypatch)
    assert work(lambda: call(program())) == (1, 0)
    assert plan.traces == 2
    assert told
    assert "belongs to somebody else" in capsys.readouterr().err


def test_cache_that_is_no_folder(program: Any, plan: Plan, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "inside", ""):
        js.config.cache_dir = folder
        call(program())
    assert plan.traces == 3


@pytest.mark.parametrize(
    ("owner", "step"),
    [
        (tempfile, "mkdtemp"),
        (Path, "mkdir"),
        (Path, "write_text"),
        (os, "fchmod" if hasattr(os, "fchmod") else "chmod"),
        (Path, "read_bytes"),
        (os, "rename"),
    ],
)
def test_failing_writes_stay_in_memory(
    owner: Any, step: str, program: Any, plan: Plan, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reached = []

    def fail(*args: Any, **__: Any) -> Any:
        reached.append(args)
        raise OSError(28, "No space left on device")

    f = program()
    with monkeypatch.context() as full:
        full.setattr(owner, step, fail)
        assert work(lambda: call(f)) == (1, 0)
    assert reached
    assert f.specializations[0].clusters == ("cluster_0",)
    assert work(lambda: call(f)) == (0, 0)
    assert not cache.exists() or not list(cache.iterdir())
    assert work(lambda: call(program())) == (1, 0)
    assert work(lambda: call(program())) == (0, 1)


def test_cache_false_writes_nothing(handmade: Handmade, cache: Path) -> None:
    def total(a, b, c, d):
        return a + b + c + d

    handmade.plan("total", FOUR, clusters=("cluster_0",))
    call(js.function(total, cache=False))
    assert not cache.exists()


def test_nothing_is_left_of_drafts(program: Any, plan: Plan, cache: Path) -> None:
    call(program())
    assert [path.name for path in cache.rglob(".*") if not path.name.startswith(".written")] == []


def test_code_digest_sees_constants_and_not_places() -> None:
    def of(text: str) -> str:
        return code_digest(compile(text, "file.py", "exec"))

    assert of("def f(): return {1, 'a', (2, 3)}") == of("\n\ndef f():\n    return {1, 'a', (2, 3)}")
    assert of("def f(): return 0.0") != of("def f(): return -0.0")
    assert of("def f(): return 1") != of("def f(): return True")
    assert of("def f(): return x.a") != of("def f(): return x.b")


@pytest.mark.parametrize(
    "value", [1, 1.5, "a", None, (1, [2, "x"]), np.float32(1), np.sin, np.linalg, len, np.dtype("f4"), int]
)
def test_describes_values(value: Any) -> None:
    assert describe(value) == describe(value) is not None


def test_objects_without_a_description_stay_in_this_process() -> None:
    assert describe(object()) is None
    assert describe([1, object()]) is None
