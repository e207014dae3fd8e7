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
from jitscope.runtime.process_turns import turn

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
    assert not mine.wait()
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


def test_who_comes_second_waits_for_the_first(hold: Any, cache: Path) -> None:
    holder = hold(cache / "place")
    with turn(cache / "place") as mine:
        later(lambda: end(holder))
        begin = time.monotonic()
        assert mine.wait()  # there may be something now
        assert 0.1 < time.monotonic() - begin < 5
        assert not mine.in_vain
        assert not mine.wait()  # there was not: it is our turn


def test_what_could_not_be_made_is_not_waited_for_one_after_the_other(hold: Any, cache: Path) -> None:
    holder = hold(cache / "place", "in vain")
    with turn(cache / "place") as mine:
        later(lambda: end(holder))
        assert mine.wait()
        assert mine.in_vain


def test_the_turn_of_a_killed_process_is_free(hold: Any, cache: Path) -> None:
    holder = hold(cache / "place")
    with turn(cache / "place") as mine:
        later(lambda: holder.send_signal(signal.SIGKILL))
        assert mine.wait()
        assert not mine.in_vain
        assert not mine.wait()
    with turn(cache / "place") as mine:
        assert not mine.wait()


def test_a_stopped_process_costs_a_bounded_wait(
    hold: Any, cache: Path, handmade: Handmade, monkeypatch: pytest.MonkeyPatch
) -> None:
    def total(a, b, c, d):
        return a + b + c + d

    handmade.plan("total", FOUR, clusters=("cluster_0",))
    given = turns._opened
    monkeypatch.setattr(turns, "LONGEST", 0.5)
    f = js.function(total)
    a = np.arange(5.0)

    def stopped(place: Path) -> int | None:
        holder = hold(place)
        holder.send_signal(signal.SIGSTOP)
        return given(place)

    monkeypatch.setattr(turns, "_opened", stopped)
    np.testing.assert_array_equal(f(a, a, a, a), 4 * a)
    assert f.specializations[0].clusters
    g = js.function(total)
    begin = time.monotonic()
    g(a, a, a, a)
    assert g.specializations[0].from_disk
    assert time.monotonic() - begin < 0.4


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
    with turn(place) as mine:
        assert not mine.wait()


def test_who_has_a_turn_waits_for_no_other(hold: Any, cache: Path) -> None:
    hold(cache / "other")
    with turn(cache / "place") as mine:
        assert not mine.wait()
        with turn(cache / "other") as second:
            assert not second.wait()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks of POSIX")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_child_keeps_no_turn_of_its_parents(cache: Path) -> None:
    with turn(cache / "place") as mine:
        assert not mine.wait()
        child = os.fork()
        if not child:
            time.sleep(1)
            os._exit(0)
    begin = time.monotonic()
    with turn(cache / "place") as mine:
        assert not mine.wait()
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
