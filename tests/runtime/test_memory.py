"""Functions that are made, called and dropped leave nothing behind."""

from __future__ import annotations

import gc
import sys
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from compiled import needs_compiler
from memory_programs import growth

import jitscope as js
from jitscope.graph.trace.by_code import ByCode

linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


class Held:
    """What a closure holds."""

    factor = 2.0


def _compiled(held: Held) -> Callable[..., Any]:
    @js.function
    def f(a):
        return (a * held.factor).sum()

    return f


def _plain(held: Held) -> Callable[..., Any]:
    @js.function
    def f(a):
        def inner() -> Iterator[float]:
            yield held.factor

        return a * next(inner())

    return f


def _generator(held: Held) -> Callable[..., Any]:
    @js.function
    def f(a):
        yield a * held.factor

    return f


@needs_compiler
@pytest.mark.parametrize("make", [_compiled, _plain, _generator])
def test_nothing_holds_the_closure_of_a_dropped_function(make: Callable[[Held], Callable[..., Any]]) -> None:
    held = Held()
    gone = weakref.ref(held)
    f = make(held)
    f(np.ones(3))
    f(np.ones(3))
    del f, held
    gc.collect()
    assert gone() is None


@needs_compiler
@linux
def test_equal_functions_share_their_module(tmp_path: Path) -> None:
    more = growth(tmp_path, "closures", 150, warm=20)
    assert more["MB"] < 10
    assert (more["modules"], more["texts"]) == (0, 0)
    assert more["maps"] <= 2  # of LLVM's own


@needs_compiler
@linux
def test_machine_code_of_dropped_functions_goes(tmp_path: Path) -> None:
    more = growth(tmp_path, "modules", 24, warm=18)
    assert more["maps"] < 24
    assert more["engines"] < 30


@needs_compiler
def test_helper_compiled_for_one_module_raises_in_another() -> None:
    def make(shift: float) -> Callable[..., Any]:
        if shift == 1.0:

            @js.function
            def f(a, n):
                s = 1.0
                for i in range(n):
                    s += a[i]
                return s
        else:

            @js.function
            def f(a, n):
                s = 2.0
                for i in range(n):
                    s -= a[i] * 2
                return s

        return f

    for shift in (1.0, 2.0):
        f = make(shift)
        assert f(np.ones(3), 3) == f.python_function(np.ones(3), 3)
        with pytest.raises(IndexError, match="index 3 is out of bounds for axis 0 with size 3"):
            f(np.ones(3), 5)
        del f
        gc.collect()


def test_facts_about_code_go_with_it() -> None:
    facts = ByCode()
    code, equal = (compile("1", "a", "eval") for _ in range(2))
    facts.of(code)["known"] = 1
    assert facts.of(code) == {"known": 1}
    assert facts.of(equal) == {}
    del code
    assert len(facts) == 1
