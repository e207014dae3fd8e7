"""Long series about kernels: 10^5 calls that raise, and Ctrl-C in kernels of minutes, again and again."""

from __future__ import annotations

import os
import signal
import threading
import time

import numpy as np
import pytest
from compiled import has_compiled_part
from long_programs import LONG
from memory import growth, needs_statm, resident
from raising_programs import BEYOND_64_BITS, GOOD, RAISING

import jitscope as js

RAISES = 100_000
INTERRUPTS = 30
MEGABYTES = 50
SECONDS = 0.1


@needs_statm
def test_memory_stays_flat_over_many_calls_that_raise() -> None:
    cases = (*RAISING, BEYOND_64_BITS)
    array = np.linspace(0.5, 1.0, 20_000)  # 16 GB, if each call left one behind
    before = 0.0
    for case in cases:
        compiled = js.function(case.program)
        compiled(array.copy(), GOOD)

        def fail(compiled=compiled, bad=case.bad) -> None:
            with pytest.raises((ArithmeticError, LookupError, ValueError, NameError)):
                compiled(array, bad)

        for _ in range(10):
            fail()
        before = before or resident()
        start = time.perf_counter()
        grown, times = growth(fail, RAISES // len(cases)), RAISES // len(cases)
        each = (time.perf_counter() - start) / times * 1e6
        print(f"{case.program.__name__:28s} {times} raises, {each:5.0f} us each, {grown:+6.2f} MB")
        assert has_compiled_part(compiled)
    total = resident() - before
    print(f"{RAISES} raises of {len(cases)} kinds: {total:+.1f} MB, compilers and their code included")
    assert total < MEGABYTES


@pytest.mark.parametrize("case", LONG, ids=lambda case: case.program.__name__)
def test_control_c_ends_long_kernels_at_once(case) -> None:
    compiled = js.function(case.program)
    first = compiled(*case.short())
    waited = []
    for _ in range(INTERRUPTS):
        arguments = case.long()
        delay = float(np.random.default_rng().uniform(0.02, 0.2))
        threading.Timer(delay, os.kill, (os.getpid(), signal.SIGINT)).start()
        comes = time.perf_counter() + delay
        with pytest.raises(KeyboardInterrupt):
            compiled(*arguments)
        waited.append(time.perf_counter() - comes)
        np.testing.assert_equal(compiled(*case.short()), first)
    worst, median = max(waited) * 1e3, float(np.median(waited)) * 1e3
    print(f"{case.program.__name__:18s} {INTERRUPTS} interrupts: {median:5.1f} ms, at most {worst:5.1f} ms")
    assert max(waited) < SECONDS
