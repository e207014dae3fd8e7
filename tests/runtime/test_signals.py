"""Signals that come while a kernel is at work."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from long_programs import LONG, Long

import jitscope as js

SOON, LATE = 0.05, 0.1
TRIES = 3  # the machine may be busy

pytestmark = [needs_compiler, pytest.mark.skipif(os.name != "posix", reason="sends signals")]


@contextmanager
def handling(number: int, handler: Callable[..., Any]) -> Iterator[None]:
    """`handler` gets the signals of this number."""
    before = signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, before)


def send(number: int) -> float:
    """Send this process a signal, soon; the time when it will come."""
    threading.Timer(SOON, os.kill, (os.getpid(), number)).start()
    return time.perf_counter() + SOON


def waited(compiled: Callable[..., Any], case: Long) -> float:
    """How long Ctrl-C takes."""
    comes = send(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        compiled(*case.long())
    return time.perf_counter() - comes


@pytest.mark.parametrize("case", LONG, ids=lambda case: case.program.__name__)
def test_control_c_ends_a_kernel_of_minutes(case: Long) -> None:
    compiled = js.function(case.program)
    first = compiled(*case.short())
    assert any(waited(compiled, case) < LATE for _ in range(TRIES))
    np.testing.assert_equal(compiled(*case.short()), first)
    assert has_compiled_part(compiled)


def counted_in_an_array(a, n):
    for i in range(n):
        a[0] += 1.0
        b = a * 1.0
        a[1:] = b[0]
    return a


def test_what_is_written_at_an_interrupt_is_a_state_of_the_plain_program() -> None:
    compiled, a = js.function(counted_in_an_array), np.zeros(5)
    compiled(a.copy(), 3)
    for _ in range(3):
        send(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            compiled(a, 10**12)
        assert a[0] > 0
        assert len(set(a)) == 1


def filled(y, n):
    for i in range(n - 1, -1, -1):
        y[i] = np.exp(np.sin(y[i] + 0.5))


def test_what_a_loop_along_an_array_has_written_at_an_interrupt_is_what_the_plain_one_has() -> None:
    compiled, y = js.function(filled), np.zeros(10**8)
    compiled(np.zeros(5), 5)
    send(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        compiled(y, len(y))
    written = np.count_nonzero(y)
    assert 0 < written < len(y)
    assert y[len(y) - written :].all()


def test_a_loop_along_an_array_is_cut_into_strips_only_where_it_may_last() -> None:
    def in_a_loop(y, n):
        for _ in range(n):
            for i in range(len(y)):
                y[i] *= 0.5

    def short(y):
        for i in range(100):
            y[i] *= 0.5

    assert "in strips(range(" in js.to_code(filled, np.ones(5), 5, stage="module")
    assert "strips" not in js.to_code(in_a_loop, np.ones(5), 3, stage="module")
    assert "strips" not in js.to_code(short, np.ones(200), stage="module")


def summed_in_place(a, b):
    a += np.sin(b[:, None] * b).max(1)


def summed(a, b):
    return a + np.sin(b[:, None] * b).max(1)


def test_what_is_written_in_place_is_written_in_one_go() -> None:
    a, b = np.ones(3), np.ones(3)
    in_place = js.to_code(summed_in_place, a, b, stage="module")
    assert "@njit" in in_place
    assert "look_for_signals(" not in in_place
    assert "look_for_signals(" in js.to_code(summed, a, b, stage="module")


def counted(n):
    s = 0.0
    x = 0.3
    for i in range(n):
        x = 3.7 * x * (1.0 - x)
        s += x
    return s


def test_a_loop_goes_on_after_a_handler_that_returns() -> None:
    compiled, seen = js.function(counted), []
    whole = compiled(20_000_000)
    with handling(signal.SIGUSR1, lambda number, frame: seen.append(number)):
        send(signal.SIGUSR1)
        assert compiled(20_000_000) == whole
        deadline = time.perf_counter() + 5
        while not seen and time.perf_counter() < deadline:
            assert compiled(20_000_000) == whole
    assert seen == [signal.SIGUSR1]


def test_an_exception_of_a_handler_ends_the_call_and_is_not_taken_for_a_fault() -> None:
    def alarmed(number, frame):
        raise TimeoutError("time is up")

    compiled = js.function(counted)
    compiled(10)
    with handling(signal.SIGALRM, alarmed):
        for _ in range(5):
            signal.setitimer(signal.ITIMER_REAL, SOON)
            with pytest.raises(TimeoutError, match="time is up"):
                compiled(10**12)
    assert has_compiled_part(compiled)


def long_sines(x, n):
    for i in range(n):
        x = np.sin(x) / np.linalg.norm(x, 3)
    return x


@pytest.mark.parametrize("program", [counted, long_sines])
def test_a_handler_that_puts_the_one_before_back_ends_the_call(program: Callable[..., Any]) -> None:
    def once(number, _):
        signal.signal(number, signal.SIG_DFL)
        raise ValueError("time is up")

    compiled, first = js.function(program), (np.ones(8),) if program is long_sines else ()
    compiled(*first, 10)
    for _ in range(3):  # two faults that plain Python doesn't raise would retire the compiled code
        with handling(signal.SIGALRM, once):
            signal.setitimer(signal.ITIMER_REAL, SOON)
            with pytest.raises(ValueError, match="time is up"):
                compiled(*first, 10**12)
    assert has_compiled_part(compiled)


class Stop(Exception):
    """What a program has for being stopped."""


@pytest.mark.parametrize("stop", [Stop, TimeoutError])
def test_an_exception_that_another_thread_throws_in_ends_the_call(stop: type[Exception]) -> None:
    compiled, ended = js.function(long_sines), []
    compiled(np.ones(8), 10)

    def work() -> None:
        try:
            compiled(np.ones(8), 10**12)
        except stop as error:
            ended.append(error)

    worker = threading.Thread(target=work, daemon=True)
    worker.start()
    time.sleep(SOON)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(worker.ident or 0), ctypes.py_object(stop))
    worker.join(20)
    assert ended
    assert has_compiled_part(compiled)


def waves(x, n):
    s = 0.0
    for i in range(n):
        s += np.sin(x) * np.cos(x)
    return s


@pytest.mark.parametrize("kind", [Stop, ValueError])
def test_an_exception_of_a_handler_is_not_lost_between_call_and_kernel(kind: type[Exception]) -> None:
    seen = []

    def handler(number, frame):
        seen.append(number)
        raise kind("stop")

    compiled, raised = js.function(waves), 0
    compiled(0.5, 4)
    with handling(signal.SIGALRM, handler):
        for count in range(1, 401):
            try:
                signal.setitimer(signal.ITIMER_REAL, 0.0005)
                while len(seen) < count:
                    compiled(0.5, 4)
            except kind:
                raised += 1
    assert raised == len(seen)


class Settings:
    """Its attribute is gone at times, in its own words."""

    gain = 2.0

    def __getattr__(self, name: str) -> Any:
        raise Stop(name)


SETTINGS = Settings()


def tuned(x, wanted):
    return np.sqrt(x) * SETTINGS.gain + x if wanted else np.sqrt(x) + x


def test_what_an_attribute_raises_is_not_taken_for_a_signal(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled, x = js.function(tuned), np.ones(4)
    np.testing.assert_equal(compiled(x, True), tuned(x, True))
    np.testing.assert_equal(compiled(x, False), tuned(x, False))
    monkeypatch.delattr(Settings, "gain")
    np.testing.assert_equal(compiled(x, False), tuned(x, False))
    with pytest.raises(Stop):
        compiled(x, True)


def test_a_handler_may_call_compiled_code() -> None:
    compiled, seen = js.function(counted), []
    small = compiled(1000)

    def handler(number, frame):
        seen.append(compiled(1000))
        raise InterruptedError

    with handling(signal.SIGALRM, handler):
        signal.setitimer(signal.ITIMER_REAL, SOON)
        with pytest.raises(InterruptedError):
            compiled(10**12)
    assert seen == [small]


def test_only_the_main_thread_runs_handlers() -> None:
    compiled, results, ran_in = js.function(counted), [], []
    whole = compiled(50_000_000)
    worker = threading.Thread(target=lambda: results.append(compiled(50_000_000)))
    with handling(signal.SIGUSR1, lambda number, frame: ran_in.append(threading.current_thread())):
        worker.start()
        os.kill(os.getpid(), signal.SIGUSR1)
        worker.join()
    assert results == [whole]
    assert ran_in == [threading.main_thread()]


PROGRAM = """
import os, signal, sys, threading
import jitscope as js

@js.function
def counted(n):
    x = 0.3
    for i in range(n):
        x = 3.7 * x * (1.0 - x)
    return x

counted(10)
assert js.config.counters.loads == int(sys.argv[1])
threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    counted(10**12)
except KeyboardInterrupt:
    print("interrupted")
"""


def test_machine_code_from_the_cache_looks_for_signals(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    environment = {**os.environ, "JITSCOPE_CACHE_DIR": str(tmp_path / "cache")}
    for loads in ("0", "1"):
        done = subprocess.run(
            [sys.executable, str(program), loads],
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.stdout == "interrupted\n", done.stderr
