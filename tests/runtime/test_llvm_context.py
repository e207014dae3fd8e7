"""Contexts of LLVM that go with the modules in them."""

from __future__ import annotations

import gc
import linecache
from typing import Any
from weakref import finalize

import numpy as np
import pytest
from compiled import needs_compiler

import jitscope as js

pytestmark = needs_compiler
numba = pytest.importorskip("numba")

SOURCE = """
def f(a, n):
    s = {k}.0
    for i in range(n):
        s += a[i] * {k}.25
    return s
"""


def test_a_context_goes_after_all_that_holds_it() -> None:
    from llvmlite import binding as llvm

    from jitscope.runtime.llvm_context import ModuleContext

    made, order = ModuleContext(), []
    finalize(made._last, order.append, "context")
    module = llvm.parse_assembly("", made)
    dispose = type(module)._dispose

    class Told(llvm.ModuleRef):
        def _dispose(self) -> None:
            order.append("module")
            dispose(self)

    module.__class__ = Told
    ring: list[Any] = [made, module]
    ring.append(ring)
    del made, module
    gc.collect()
    assert order == []
    del ring
    gc.collect()
    assert order == ["module", "context"]


def test_the_collector_does_not_see_what_a_context_goes_with() -> None:
    from jitscope.runtime.llvm_context import ModuleContext

    assert not gc.is_tracked(ModuleContext()._last)


def test_contexts_of_dropped_functions_go() -> None:
    from jitscope.runtime.llvm_context import ModuleContext
    from jitscope.runtime.load import RECENT

    def alive() -> int:
        gc.collect()
        return sum(type(one) is ModuleContext for one in gc.get_objects())

    def one(k: int) -> None:
        text = SOURCE.format(k=k)
        place = f"<context {k}>"
        linecache.cache[place] = (len(text), None, text.splitlines(keepends=True), place)
        names: dict[str, Any] = {}
        exec(compile(text, place, "exec"), names)
        assert js.function(names["f"])(np.ones(3), 3) == k + 3 * (k + 0.25)
        del linecache.cache[place]

    before = alive()
    for k in range(RECENT + 4):
        one(k)
    assert alive() - before <= RECENT + 1


@pytest.mark.parametrize("ours_first", [True, False])
def test_functions_of_both_contexts_call_each_other(ours_first: bool) -> None:
    from jitscope.runtime.machine_code import own_engine

    @numba.njit
    def inner(a):
        return np.sqrt(a).sum() + a[0]

    @numba.njit
    def outer(a):
        return inner(a) * 2.0

    a = np.arange(1.0, 5.0)
    if ours_first:
        with own_engine():
            inner(a)
        got = outer(a)
    else:
        inner(a)
        with own_engine():
            got = outer(a)
    assert got == inner.py_func(a) * 2.0
