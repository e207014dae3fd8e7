"""Numbers of Python's own `random`: what its methods make of the two draws that kernels have.

Each method is as in CPython's `random.py`, for the arguments that it takes most: the same draws in the same
order. What isn't covered is called by the driver.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...graph.ir.types import BOOL, FLOAT, INT
from ...graph.symbolic import numpy_functions
from ...graph.symbolic.arrays import SymbolicArray
from ...graph.symbolic.operators import binary
from ...graph.symbolic.scalar_methods import convert
from ...graph.symbolic.symbols import unwrap_union
from ...graph.trace.build import TraceError
from ..attempt import attempt
from ..growing_lists import GrowingList
from ..number_lists import NumberList, kind_of_number
from ..tracer import Reference, TracedList, tracer
from .cells import is_cell
from .control import if_exp, is_
from .exits import STATELESS
from .items import setattr_
from .iterables import SymbolicRange
from .loops import go_through, while_stmt

Draw = Callable[..., object]
"""Takes the name of a draw and its arguments."""
_FEW = 8
"""Of so many items the one that is drawn is found by comparisons."""


def method(
    name: str, draw: Draw, owner: Reference | None, args: tuple[object, ...], kwargs: dict[str, object]
) -> tuple[object, ...]:
    """What a method of `random.Random` gives, in a tuple; nothing if the driver has to call it."""
    if name not in _METHODS and name not in _KEEPING:
        return ()
    with attempt() as trial:
        try:
            if name in _KEEPING:
                return (_KEEPING[name](draw, owner, *args, **kwargs),)
            return (_METHODS[name](draw, *args, **kwargs),)
        except (TraceError, TypeError):
            trial.give_up()
    return ()


def _uniform(draw: Draw, a: object, b: object) -> object:
    _are_numbers(a, b)
    width = binary("sub", b, a)
    return binary("add", a, binary("mul", width, draw("random")))


def _randint(draw: Draw, a: object, b: object) -> object:
    _are_ints(a, b)
    return _randrange(draw, a, binary("add", b, 1))


def _randrange(draw: Draw, start: object, stop: object = None) -> object:
    if stop is None:
        _are_ints(start)
        return draw("_randbelow", start)
    _are_ints(start, stop)
    return binary("add", start, draw("_randbelow", binary("sub", stop, start)))


def _choice(draw: Draw, seq: object) -> object:
    seq = unwrap_union(seq)
    if isinstance(seq, (TracedList, tuple, str)) and seq:
        return _one_of(list(seq), draw("_randbelow", len(seq)))
    if isinstance(seq, range) and seq:
        place = draw("_randbelow", len(seq))
        return binary("add", seq.start, binary("mul", place, seq.step))
    if isinstance(seq, SymbolicRange):
        place = draw("_randbelow", seq.length())
        return binary("add", seq.start, binary("mul", place, seq.step))
    if isinstance(seq, NumberList):
        return seq.item(draw("_randbelow", seq.length()))
    if isinstance(seq, SymbolicArray) and seq.ndim == 1:
        return seq[draw("_randbelow", seq.length())]
    raise TraceError("a choice from something else than numbers in a row")


def _one_of(items: list[object], place: object) -> object:
    """``items[place]``."""
    if len(items) <= _FEW:
        return _compared(items, place, 0)
    kinds = {type(item) for item in items}
    if kinds not in ({int}, {float}):
        raise TraceError("a choice from many items that are no numbers of one type")
    row: Any = numpy_functions.call(np.array, (tuple(items),), {})
    return convert(row[place], INT if kinds == {int} else FLOAT)


def _compared(items: list[object], place: object, first: int) -> object:
    if len(items) == 1:
        return items[0]
    here, *others = items
    return if_exp(binary("eq", place, first), lambda: here, lambda: _compared(others, place, first + 1))


def _gauss(draw: Draw, owner: Reference | None, mu: object = 0.0, sigma: object = 1.0) -> object:
    """Numbers come in pairs; the second one is kept in an attribute of the generator."""
    _are_numbers(mu, sigma)
    if owner is None or not tracer().may_take_over():
        raise TraceError("a generator that keeps a number")
    kept = tracer().operators.read_attribute(owner, "gauss_next")
    setattr_(owner, "gauss_next", None)

    def new() -> object:
        angle = binary("mul", draw("random"), 2 * math.pi)
        factor = _call(math.sqrt, binary("mul", -2.0, _call(math.log, binary("sub", 1.0, draw("random")))))
        first = binary("mul", _call(math.cos, angle), factor)
        setattr_(owner, "gauss_next", binary("mul", _call(math.sin, angle), factor))
        return first

    z = if_exp(is_(kept, None), new, lambda: kept)
    return binary("add", mu, binary("mul", z, sigma))


def forget_kept(owner: Reference | None) -> None:
    """What `seed` does to the number that is kept."""
    if owner is not None and is_cell(owner, "gauss_next"):
        setattr_(owner, "gauss_next", None)


def _expovariate(draw: Draw, lambd: object = 1.0) -> object:
    _are_numbers(lambd)
    drawn = _call(math.log, binary("sub", 1.0, draw("random")))
    return binary("truediv", binary("mul", drawn, -1.0), lambd)


def _normalvariate(draw: Draw, mu: object = 0.0, sigma: object = 1.0) -> object:
    """Kinderman and Monahan, ACM Transactions on Mathematical Software 3 (1977), pages 257 to 260."""
    _are_numbers(mu, sigma)
    box: list[Any] = [0.0, True]

    def once() -> None:
        first = draw("random")
        second = binary("sub", 1.0, draw("random"))
        z = binary("truediv", binary("mul", _MAGIC, binary("sub", first, 0.5)), second)
        limit = binary("mul", _call(math.log, second), -1.0)
        box[:] = z, binary("gt", binary("truediv", binary("mul", z, z), 4.0), limit)

    def put(values: tuple[object, ...]) -> None:
        box[:] = values

    while_stmt(lambda: box[1], once, lambda: tuple(box), put, ("z", "again"))
    return binary("add", mu, binary("mul", box[0], sigma))


_MAGIC = 4 * math.exp(-0.5) / math.sqrt(2.0)


def _shuffle(draw: Draw, x: object) -> None:
    array = x.array if isinstance(x, NumberList) and type(x) in (NumberList, GrowingList) else x
    if not isinstance(array, SymbolicArray) or array.ndim != 1 or not array.type.writeable:
        raise TraceError("something else than numbers in a row is shuffled")

    def swap(i: object) -> None:
        j = draw("_randbelow", binary("add", i, 1))
        there, here = array[j], array[i]
        array[i], array[j] = there, here

    last = binary("sub", array.length(), 1)
    go_through(SymbolicRange(last, 0, -1), swap, *STATELESS)


def _call(function: Callable[..., object], *args: object) -> object:
    return tracer().operators.call(function, *args)


def _are_ints(*values: object) -> None:
    if any(kind_of_number(value) != INT for value in values):
        raise TraceError("a bound that is no int")


def _are_numbers(*values: object) -> None:
    if any(kind_of_number(value) not in (INT, FLOAT, BOOL) for value in values):
        raise TraceError("a parameter that is no number of Python's")


_METHODS: dict[str, Callable[..., object]] = {
    "random": lambda draw: draw("random"),
    "uniform": _uniform,
    "randint": _randint,
    "randrange": _randrange,
    "choice": _choice,
    "expovariate": _expovariate,
    "normalvariate": _normalvariate,
    "shuffle": _shuffle,
}
_KEEPING = {"gauss": _gauss}
"""By name: what is drawn, and what is made of it."""
