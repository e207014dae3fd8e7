"""What Python asks the class of an object made inside: names of fields, special methods, bases."""

from __future__ import annotations

import abc
import functools
import linecache
import numbers
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import Tolerance, compare, decorate

from jitscope.autograph.own_names import own_names

pytestmark = pytest.mark.usefixtures("driver_runs")
X = np.array([0.1, 0.7, 0.2, 0.9, 0.3] * 4)


class Item:
    def __init__(self, kind, fields, x):
        self.kind, self.fields = kind, fields
        self.is_value = x > 0.5
        self.x = x


def the_best(a):
    n, t, best = 0, 0.0, None
    for i in range(len(a)):
        o = Item(i, 0, a[i])
        if best is None or o.x > best.x:
            best = o
        if best.kind == 3:
            n += 1
        if best.kind:
            n += 100
        if best.fields or best.is_value:
            n += 10_000
        t += best.x
    return n, t


def the_last(a):
    for i in range(len(a)):
        last = Item(i, 0, a[i])
        if a[i] > 0.8:
            break
    return last.kind, last.fields, last.is_value, last.x


def by_getattr(a):
    n, best = 0, None
    for i in range(len(a)):
        o = Item(i, 1, a[i])
        if best is None or o.x > best.x:
            best = o
        n += getattr(best, "kind") + getattr(best, "fields", 7)  # noqa: B009
    return n


def changed(a):
    n, best = 0, None
    for i in range(len(a)):
        o = Item(i, 1, a[i])
        if best is None or o.x > best.x:
            best = o
        best.kind += 2
        n += best.kind
    return n


class Dispatched:
    def __init__(self, x):
        self.x = x

    @functools.singledispatchmethod
    def __eq__(self, o):
        return self.x == o.x


class Partial:
    def __init__(self, x):
        self.x = x

    def _equal(self, o, sign):
        return (self.x == o.x) == sign

    def _add(self, o, k=1):
        return Partial(self.x + k * o)

    __eq__ = functools.partialmethod(_equal, sign=True)
    __ne__ = functools.partialmethod(_equal, sign=True)
    __add__ = _add
    __iadd__ = functools.partialmethod(_add, k=10)


class NotEqual:
    __eq__ = None

    def __init__(self, x):
        self.x = x


class Always:
    __bool__ = None

    def __init__(self, x):
        self.x = x


def dispatched(a):
    n = 0
    for i in range(len(a)):
        if Dispatched(a[i]) == Dispatched(0.3):
            n += 1
    return n


def partial_methods(a):
    n, t = 0, 0.0
    for i in range(len(a)):
        p = Partial(a[i])
        if p == Partial(0.3):
            n += 1
        if p != Partial(0.3):
            n += 100
        p += 2.0
        t += p.x
    return n, t


def none_for_a_method(a):
    n = 0
    for i in range(len(a)):
        if NotEqual(a[i]) == NotEqual(0.3):
            n += 1
    return n


def none_for_a_truth(a):
    n = 0
    for i in range(len(a)):
        if Always(a[i]):
            n += 1
    return n


def called(a):
    t = 0.0
    for i in range(len(a)):
        t += Item(i, 1, a[i])(2)
    return t


class Asks(type):
    def __instancecheck__(cls, o):
        return (o if isinstance(o, float) else o.x) > 0.5


class Big(metaclass=Asks):
    pass


def a_metaclass_says(a):
    n = 0
    for i in range(len(a)):
        if isinstance(Item(i, 0, a[i]), Big):
            n += 1
        if isinstance(a[i], (int, Big)):
            n += 100
    return n


def bases_say(a, x):
    n = 0.0
    if isinstance(x, numbers.Real) and isinstance(x, (int, (float, str))) and isinstance(x, int | float):
        n += 1
    for i in range(len(a)):
        if isinstance(a[i], float | int):
            n += a[i]
        if isinstance(Item(i, 0, a[i]), Item) and not isinstance(Item(i, 0, a[i]), int | Partial):
            n += 1
        if isinstance(range(i), (range, list)) and isinstance(a, np.ndarray):
            n += 1
    return n


def no_class(a):
    s = a.sum()
    return isinstance(s, 3)


COMPILED = (the_best, the_last)
OTHERS = (changed, dispatched, partial_methods, none_for_a_method, none_for_a_truth, called, a_metaclass_says)
OTHERS += (by_getattr, no_class)


@pytest.mark.parametrize("program", [*COMPILED, *OTHERS])
def test_classes_are_python_s(program: Callable[..., Any]) -> None:
    decorated = decorate(program)
    for a in (X, np.array([0.5]), X[::-1].copy()):
        compare(program, decorated, (a,), tol=Tolerance(ulp=4))


@pytest.mark.parametrize("x", [3, 2.5, True, 1j, "x", np.float32(1.0), None])
def test_bases_alone(x: object) -> None:
    compare(bases_say, decorate(bases_say), (X, x), tol=Tolerance(ulp=4))


@needs_compiler
@pytest.mark.parametrize("program", COMPILED)
def test_they_are_compiled(program: Callable[..., Any]) -> None:
    decorated = decorate(program)
    decorated(X)
    assert has_compiled_part(decorated)


_EVERY = sorted(name for name in own_names() if name.isidentifier())


def _reading(start: str) -> Callable[..., Any]:
    """A program that reads a field under each name which what stands for objects has for itself."""
    sets = "\n".join(f"        self.{name} = x * {k + 1}" for k, name in enumerate(_EVERY))
    reads = "\n".join(f"    s += best.{name} * {k % 7 - 3}" for k, name in enumerate(_EVERY))
    source = f"""
class Every:
    def __init__(self, x):
{sets}

def program(a):
    s = 0.0
    {start}
    for i in range(len(a)):
        if a[i] > 0.6:
            best = Every(a[i])
{reads}
    return s
"""
    found: dict[str, Any] = {"__name__": "fields"}
    file = f"<fields {start}>"
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
    exec(compile(source, file, "exec"), found)
    program: Callable[..., Any] = found["program"]
    return program


@needs_compiler
@pytest.mark.parametrize("start", ["best = Every(a[0])", "best = None", "pass"])
def test_fields_under_every_name_that_is_ours(start: str) -> None:
    program = _reading(start)
    decorated = decorate(program)
    compare(program, decorated, (X,), tol=Tolerance(ulp=64))
    assert has_compiled_part(decorated)


def _changes(change: str) -> tuple[Callable[..., Any], Callable[[], object]]:
    class Base:
        w = None

    class Made(Base):
        def __init__(self, x):
            self.w = x

        def get(self):
            return self.w

    class Other:
        def __eq__(self, o):
            return self.w == o.w

    class Abstract(abc.ABC):
        pass

    def program(a):
        t, n = 0.0, 0
        for i in range(len(a)):
            t += Made(a[i]).w
            if change == "static":
                t += Made(a[i]).get()
            if change == "bases" and Made(a[i]) == Made(0.3):
                n += 1
            if change == "registered" and isinstance(Made(a[i]), Abstract):
                n += 1
        return t, n

    def now() -> None:
        if change == "property":
            Base.w = property(lambda s: 99.0, lambda s, v: None)  # type: ignore[assignment]
        elif change == "static":
            Made.get = staticmethod(Made.get)  # type: ignore[method-assign]
        elif change == "bases":
            Made.__bases__ = (Base, Other)
        else:
            Abstract.register(Made)

    return program, now


@pytest.mark.parametrize("change", ["property", "static", "bases", "registered"])
def test_a_class_that_changes_between_calls(change: str) -> None:
    program, now = _changes(change)
    decorated = decorate(program)
    compare(program, decorated, (X,), tol=Tolerance(ulp=4))
    now()
    compare(program, decorated, (X,), tol=Tolerance(ulp=4))
