"""Signals that come while a kernel is at work."""

from __future__ import annotations

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
