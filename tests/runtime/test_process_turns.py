"""Several processes that want one entry of the cache: one makes it, and nobody waits for long."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from handmade import FOUR, Handmade
from processes import run, write

import jitscope as js
from jitscope.runtime import process_turns as turns
from jitscope.runtime import turns as thread_turns
from jitscope.runtime.process_turns import patiently, turn

pytestmark = pytest.mark.skipif(turns.fcntl is None, reason="locks of POSIX")


def test_three_cold_processes_compile_each_function_once(tmp_path: Path) -> None:
    outcome = run(write(tmp_path, 2), tmp_path / "cache", 3)
    assert sorted(outcome.made) == ["work_0", "work_1"]
    assert max(outcome.made.values()) <= 2
    assert outcome.answers[1:] == outcome.answers[:-1]
    assert not list((tmp_path / "cache").rglob(".turn"))


HOLDER = """
import sys, time
from pathlib import Path
from jitscope.runtime.process_turns import turn

with turn(Path(sys.argv[1])) as mine:
    print("mine", flush=True)
    sys.stdin.readline()
    mine.fruitful = sys.argv[2] == "fruitful"
"""


@pytest.fixture
def hold(cache: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Start a process that has the turn at a place, until it is told to end."""
    started: list[subprocess.Popen[str]] = []

    def start(place: Path, how: str = "fruitful") -> subprocess.Popen[str]:
        command = [sys.executable, "-c", HOLDER, str(place), how]
        holder = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        started.append(holder)
        assert holder.stdout is not None
        assert holder.stdout.readline() == "mine\n"
        return holder

    yield start
    for holder in started:
        holder.kill()
        holder.communicate()


def later(action: Callable[[], Any], seconds: float = 0.2) -> None:
    threading.Timer(seconds, action).start()


def end(holder: subprocess.Popen[str]) -> None:
    assert holder.stdin is not None
    holder.stdin.write("\n")
    holder.stdin.flush()


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "patience", turns.Patience())


@pytest.fixture
def total(handmade: Handmade) -> Callable[[], Any]:
    """Makes a function anew, as another process would."""

    def total(a, b, c, d):
        return a + b + c + d

    handmade.plan("total", FOUR, clusters=("cluster_0",))
    return lambda: js.function(total)


def call(f: Any) -> Any:
    a = np.arange(5.0)
    np.testing.assert_array_equal(f(a, a, a, a), 4 * a)
    return f.specializations[0]


def tries(place: Path) -> list[bool]:
    """What a preparation is told on each of its tries, of which the last one is allowed to go on."""
    said = []

    def work(may_wait: bool) -> None:
        said.append(may_wait)
        with turn(place, may_wait):
            pass

    patiently(work)
    return said


def test_who_comes_second_waits_for_the_first(hold: Any, cache: Path) -> None:
    holder = hold(cache / "place")
    later(lambda: end(holder))
    begin = time.monotonic()
    assert tries(cache / "place") == [True, True]  # there may be something now; if not, it is our turn
    assert 0.1 < time.monotonic() - begin < 5


def test_what_could_not_be_made_is_not_waited_for_one_after_the_other(hold: Any, cache: Path) -> None:
    holder = hold(cache / "place", "in vain")
    later(lambda: end(holder))
    assert tries(cache / "place") == [True, False]


def test_the_turn_of_a_killed_process_is_free(hold: Any, cache: Path) -> None:
    holder = hold(cache / "place")
    later(lambda: holder.send_signal(signal.SIGKILL))
    assert tries(cache / "place") == [True, True]
    assert tries(cache / "place") == [True]
    assert not list(cache.rglob(".turn"))


def stop_the_holders(hold: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is wanted from now on is being made by a process that has been stopped."""
    given = turns._opened

    def opened(place: Path) -> int | None:
        if not (place / ".turn").exists():
            hold(place).send_signal(signal.SIGSTOP)
        return given(place)

    monkeypatch.setattr(turns, "_opened", opened)


def test_stopped_processes_cost_one_bounded_wait(
    hold: Any, total: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "LONGEST", 0.5)
    stop_the_holders(hold, monkeypatch)
    assert call(total()).clusters
    begin = time.monotonic()
    assert call(total()).from_disk
    assert time.monotonic() - begin < 0.4
    monkeypatch.setattr(turns, "LONGEST", 60)
    g = total()
    begin = time.monotonic()
    g(*(np.arange(5.0, dtype="f4") for _ in "abcd"))  # another stopped one
    assert time.monotonic() - begin < 30


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks of POSIX")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_who_waits_keeps_neither_threads_nor_forks_nor_handlers_waiting(
    hold: Any, total: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    stop_the_holders(hold, monkeypatch)
    waits = threading.Event()
    wait = turns.EntryTurn.wait

    def watched(other: turns.EntryTurn) -> bool:
        waits.set()
        return wait(other)

    monkeypatch.setattr(turns.EntryTurn, "wait", watched)
    thread = threading.Thread(target=call, args=(total(),))
    thread.start()
    assert waits.wait(30)
    begin = time.monotonic()
    assert thread_turns.prepare(lambda: 3) == 3
    child = os.fork()
    if not child:
        os._exit(0 if thread_turns.prepare(lambda: 3) == 3 else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert time.monotonic() - begin < 5
    assert thread.is_alive()
    turns.patience.over = True
    thread.join(30)
    assert not thread.is_alive()


def test_control_c_ends_the_wait_for_another_process(hold: Any, cache: Path) -> None:
    hold(cache / "place")
    later(lambda: os.kill(os.getpid(), signal.SIGINT))
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        tries(cache / "place")
    assert time.monotonic() - begin < 5
    assert not turns._open


@pytest.mark.parametrize("fault", ["no module", "no locks", "no folder"])
def test_without_locks_nobody_waits(fault: str, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = cache / "place"
    if fault == "no module":
        monkeypatch.setattr(turns, "fcntl", None)
    elif fault == "no locks":

        def refuse(*_: Any) -> None:
            raise OSError(95, "Operation not supported")

        monkeypatch.setattr(turns.fcntl, "flock", refuse)
    else:
        cache.write_text("a file")
    with turn(place):
        assert tries(place) == [True]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks of POSIX")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_child_keeps_no_turn_of_its_parents(cache: Path) -> None:
    with turn(cache / "place"):
        child = os.fork()
        if not child:
            time.sleep(1)
            os._exit(0)
    begin = time.monotonic()
    assert tries(cache / "place") == [True]
    assert time.monotonic() - begin < 0.5
    os.waitpid(child, 0)


def test_nothing_is_left_of_functions_that_stay_plain(handmade: Handmade, cache: Path) -> None:
    from jitscope.autograph.traced import Unstageable

    def total(a, b, c, d):
        return a + b + c + d

    handmade.plan("total", FOUR, refuse=Unstageable("for a test"))
    a = np.arange(5.0)
    np.testing.assert_array_equal(js.function(total)(a, a, a, a), 4 * a)
    assert not list(cache.iterdir())
