"""`shuffle` and `permutation` of NumPy's generators as loops of swaps, which kernels can hold.

Each swap draws one int, as NumPy's own loops do (`_shuffle_raw` in `_generator.pyx` and `mtrand.pyx`; Fisher
and Yates, as in Knuth, The Art of Computer Programming 2, 3.4.2, algorithm P): numbers and state are NumPy's.
A Generator draws it as `RandomState.randint` does, not as its own `integers`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NoReturn

import numpy as np

from ...graph.symbolic.arrays import SymbolicArray
from ...graph.symbolic.numpy_elementwise import copy
from ...graph.symbolic.operators import binary
from ...graph.symbolic.symbols import SymbolicScalar, as_dim
from ...graph.trace.build import current
from ...graph.trace.template import Template
from ..attempt import attempt
from ..streams import MethodCall
from ..tracer import place, tracer
from ..wanted import is_wanted
from .drawn_calls import drawn
from .exits import STATELESS
from .iterables import SymbolicRange
from .loops import go_through

_INTS = {
    np.random.Generator: "np.random.RandomState({0}.bit_generator).randint",
    np.random.RandomState: "{0}.randint",
}
"""What draws an int as the shuffles of a class do."""


def shuffled(call: MethodCall) -> tuple[object, ...]:
    """What `shuffle` or `permutation` gives, by swaps; nothing where NumPy itself has to be called."""
    if call.kind not in _INTS or len(call.args) != 1 or call.kwargs or not tracer().open_loops():
        return ()
    if call.name not in ("shuffle", "permutation") or not is_wanted() or call.stream() is None:
        return ()
    (x,) = call.args
    with attempt() as trial:
        target = x if call.name == "shuffle" else _to_be_shuffled(x)
        if not isinstance(target, SymbolicArray) or target.ndim != 1 or not target.type.writeable:
            trial.give_up()
        tracer().programs[place()] = False
        _swap(call, target, trial.give_up)
        return (None,) if target is x else (target,)
    return ()


def _to_be_shuffled(x: object) -> object:
    """The array that `permutation` makes of a number or a row of them."""
    if isinstance(x, SymbolicArray):
        return copy(x)
    count = as_dim(x) if isinstance(x, SymbolicScalar) or type(x) is int else None
    if count is None or not current().is_natural(count):
        return None
    return tracer().operators.call(np.arange, x)


def _swap(call: MethodCall, array: SymbolicArray, give_up: Callable[[], NoReturn]) -> None:
    """Swap each item, from the last one on, with one that is not behind it."""

    def swap(i: object) -> None:
        def write(under: Template) -> str:
            owner = call.stream()
            assert owner is not None
            return under.call(_INTS[call.kind].format(under.slot(owner)), (below,), {})

        below = binary("add", i, 1)
        j = drawn(replace(call, kind=np.random.RandomState, name="randint", args=(below,), write=write))
        if not isinstance(j, SymbolicScalar):
            give_up()
        there, here = array[j], array[i]
        array[i], array[j] = there, here

    last = binary("sub", array.length(), 1)
    go_through(SymbolicRange(last, 0, -1), swap, *STATELESS)
