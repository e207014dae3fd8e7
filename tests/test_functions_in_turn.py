"""Functions that are values: another one, in the place of the one that was traced, is called.

What NumPy offers is known to the compiler; which function it was has to be looked at again in each call. And
a function of the user's isn't NumPy's, whatever it says of its name and module.
"""

from __future__ import annotations

import functools
import operator
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import decorate

X = np.arange(1.0, 7.0)


def times(k: float) -> Callable[[Any], Any]:
    def scaled(x: Any) -> Any:
        return x * k

    return scaled


def sin(x):
    return x + 100.0


def sign(x):
    return 5.0


class Holder:
    def __init__(self, k: float) -> None:
        self.k = k

    def scaled(self, x: Any) -> Any:
        return x * self.k

    def moved(self, x: Any) -> Any:
        return x + self.k


class Pretender:
    """Says that it is NumPy's."""

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def __call__(self, x: Any) -> Any:
        return x * 1000.0


Pretender.__module__ = "numpy"

GROUPS: dict[str, list[Callable[..., Any]]] = {
    "of linalg": [np.linalg.norm, np.sum, np.max],
    "of fft": [np.fft.fft, np.fft.ifft, np.fft.rfft],
    "of emath": [np.emath.sqrt, np.emath.log],
    "of ma": [np.ma.sum, np.ma.max],
    "ufuncs": [np.sin, np.cos, np.negative],
    "methods of ufuncs": [np.add.reduce, np.multiply.reduce, np.add.accumulate, np.maximum.reduce],
    "bound": [Holder(2.0).scaled, Holder(3.0).scaled, Holder(2.0).moved],
    "partials": [functools.partial(np.add, 1.0), functools.partial(np.multiply, 2.0)],
    "partials of methods": [functools.partial(np.add.reduce), functools.partial(np.multiply.reduce)],
    "getters": [operator.itemgetter(0), operator.itemgetter(1), operator.attrgetter("size")],
    "vectorized": [np.vectorize(sin), np.vectorize(sign), np.sin, np.vectorize(times(3.0))],
    "from Python": [np.frompyfunc(times(2.0), 1, 1), np.frompyfunc(sin, 1, 1), np.cos],
    "pretenders": [Pretender("sin"), Pretender("cos"), np.exp],
    "mixed": [np.linalg.norm, times(2.0), np.median, abs, np.sort, np.add.reduce, len],
}


NOTED: Callable[..., Any] = len


class Owner:
    def __init__(self, g: Any) -> None:
        self.g = g


def as_argument(g, x):
    s = 0.0
    for v in x:
        s += v * v
    return g(x), s


def as_item(gs, x):
    s = 0.0
    for v in x:
        s += v * v
    return gs[0](x), s


def as_value(gs, x):
    s = 0.0
    for v in x:
        s += v * v
    return gs["g"](x), s


def as_attribute(o, x):
    s = 0.0
    for v in x:
        s += v * v
    return o.g(x), s


def as_global(g, x):
    s = 0.0
    for v in x:
        s += v * v
    return NOTED(x), s


def in_a_helper(g, x):
    s = 0.0
    for v in x:
        s += v * v
    return as_argument(g, x)[0], s


PLACES: dict[Callable[..., Any], Callable[[Any], Any]] = {
    as_argument: lambda g: g,
    as_item: lambda g: [g],
    as_value: lambda g: {"g": g},
    as_attribute: Owner,
    as_global: lambda g: g,
    in_a_helper: lambda g: lambda x: g(x),
}


def answer(f: Callable[..., Any], place: Callable[..., Any], g: Callable[..., Any]) -> tuple[Any, Any]:
    """What `f` gives where `g` stands; or what it raises."""
    as_global.__globals__["NOTED"] = g
    try:
        found, s = f(PLACES[place](g), X)
    except TypeError as error:
        return TypeError, str(error)
    assert s == (X * X).sum()
    return type(found), found


def check(f: Callable[..., Any], place: Callable[..., Any], g: Callable[..., Any]) -> None:
    kind, wanted = answer(place, place, g)
    found_kind, found = answer(f, place, g)
    assert found_kind is kind
    if isinstance(wanted, np.ndarray) and wanted.dtype != object:
        np.testing.assert_allclose(found, wanted, rtol=1e-14)
    else:
        np.testing.assert_equal(found, wanted)


@needs_compiler
@pytest.mark.parametrize("place", PLACES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("group", GROUPS)
def test_each_of_them_is_called(group: str, place: Callable[..., Any]) -> None:
    """In turn by one decorated function; then by functions decorated anew, which find modules on disk."""
    together = decorate(place)
    for g in GROUPS[group] * 2:
        check(together, place, g)
        alone = decorate(place)
        check(alone, place, g)
    assert has_compiled_part(together)


def sums(x):
    s = 0.0
    for v in x:
        s += NOTED(v * x)
    return s


def test_a_name_that_is_bound_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a notebook: ``from numpy.linalg import norm``, and later ``def norm(x): ...``."""
    decorated = decorate(sums)
    for g in (np.linalg.norm, np.max, lambda x: float(x[0]), np.add.reduce, np.linalg.norm):
        monkeypatch.setitem(sums.__globals__, "NOTED", g)
        assert decorated(X) == pytest.approx(sums(X), rel=1e-13)


TEXTS = (
    "sin",
    "negative(canary(a)) + np.negative",
    "sin(canary(a)) #",
    "sin(canary(a)) or np.",
    "{0}",
    "x\n    canary(a)\n",
)


@pytest.mark.parametrize("make", [np.vectorize, lambda g: np.frompyfunc(g, 1, 1)], ids=["vectorize", "ufunc"])
@pytest.mark.parametrize("text", TEXTS)
def test_what_a_function_is_called_is_no_code(
    text: str, make: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[Any] = []
    monkeypatch.setattr("builtins.canary", lambda x: ran.append(x) or x, raising=False)
    g = times(2.0)
    g.__name__ = text
    decorated = decorate(as_argument)
    for _ in range(2):
        check(decorated, as_argument, make(g))
    assert not ran


def test_a_vectorized_function_runs_as_often_as_in_plain_python() -> None:
    calls = []

    def step(x: Any) -> float:
        calls.append(x)
        return 1.0 if x > 2 else 0.0

    vectorized = np.vectorize(step)
    as_argument(vectorized, X)
    once = len(calls)
    decorated = decorate(as_argument)
    for turn in range(3):
        decorated(vectorized, X)
        assert len(calls) == once * (turn + 2)


class Scaled:
    """Its subclasses and objects of which attributes stand before those of the class."""

    unit = 5.0

    def __init__(self, k: float) -> None:
        self.k = k

    def times(self, x: Any) -> Any:
        return x * self.k

    @property
    def double(self) -> float:
        return self.k * 2


class Moved(Scaled):
    unit = 7.0

    def times(self, x: Any) -> Any:
        return x - self.k


class Tripled(Scaled):
    @property
    def double(self) -> float:
        return self.k * 3


class Elsewhere(Scaled):
    def __getattribute__(self, name: str) -> Any:
        return 100.0 if name == "k" else object.__getattribute__(self, name)


def with_own(**attributes: Any) -> Scaled:
    made = Scaled(2.0)
    vars(made).update(attributes)
    return made


OBJECTS: list[Callable[[], Any]] = [
    lambda: Scaled(2.0),
    lambda: with_own(times=Scaled(3.0).times),
    lambda: with_own(times=lambda x: x * 50),
    lambda: with_own(times=np.negative),
    lambda: with_own(times=functools.partial(Scaled.times, Scaled(4.0))),
    lambda: with_own(unit=9.0),
    lambda: Moved(2.0),
    lambda: Tripled(2.0),
    lambda: Elsewhere(2.0),
]


def of_an_argument(o, x):
    s = 0.0
    for v in x:
        s += v
    return o.times(s), o.k, o.double, o.unit


def of_an_attribute(o, x):
    s = 0.0
    for v in x:
        s += v
    return o.g.times(s), o.g.k, o.g.double, o.g.unit


def of_an_item(objects, x):
    s = 0.0
    for v in x:
        s += v
    return objects[0].times(s), objects[0].k, objects[0].double, objects[0].unit


HOLDERS: dict[Callable[..., Any], Callable[[Any], Any]] = {
    of_an_argument: lambda o: o,
    of_an_attribute: Owner,
    of_an_item: lambda o: (o,),
}


@pytest.mark.parametrize("first", range(len(OBJECTS)))
@pytest.mark.parametrize("function", HOLDERS, ids=lambda f: f.__name__)
def test_methods_and_attributes_of_other_objects(function: Callable[..., Any], first: int) -> None:
    decorated, held = decorate(function), HOLDERS[function]
    for make in (OBJECTS[first], *OBJECTS):
        assert decorated(held(make()), X) == function(held(make()), X)


class Plain:
    def __init__(self) -> None:
        self.x, self.n, self.log = np.zeros(6), 0, []


class Computed:
    def __init__(self) -> None:
        self._x, self.n, self.log = np.zeros(6), 0, []

    @property
    def x(self) -> Any:
        self.log.append("get")
        return self._x

    @x.setter
    def x(self, value: Any) -> None:
        self.log.append("set")
        self._x = value


class Watched(Plain):
    def __setattr__(self, name: str, value: Any) -> None:
        if name == "x" and "log" in vars(self):
            self.log.append("set")
        object.__setattr__(self, name, value)


def added_in_place(o, x):
    s = 0.0
    for v in x:
        s += v
    o.g.x += x
    return s, o.g.x.sum()


def assigned(o, x):
    s = 0.0
    for v in x:
        s += v
    o.g.x = x * 2
    o.g.n += 1
    return s, o.g.x.sum(), o.g.n


CLASSES = (Plain, Computed, Watched)


@pytest.mark.parametrize("first", CLASSES)
@pytest.mark.parametrize("function", [added_in_place, assigned])
def test_objects_of_other_classes_in_attributes(function: Callable[..., Any], first: type) -> None:
    """Their code runs as often as in plain Python, also where modules on disk read another class's."""
    decorated = decorate(function)
    for kind in (first, *CLASSES):
        one, other = Owner(kind()), Owner(kind())
        assert decorated(one, X) == function(other, X)
        assert (one.g.log, one.g.n) == (other.g.log, other.g.n)


class Hundreds(defaultdict[Any, Any]):
    def __missing__(self, key: Any) -> int:
        self[key] = 100
        return 100


class Less(Counter[Any]):
    def __missing__(self, key: Any) -> int:
        return -5


def filled(kind, keys):
    d = kind(int)
    for k in keys:
        d[int(k)] += 1
    return d


def counted(kind, keys):
    found = kind(keys.tolist())
    return found, found[3]


@pytest.mark.parametrize(
    ("function", "kinds"), [(filled, (defaultdict, Hundreds)), (counted, (Counter, Less))]
)
def test_classes_of_dicts(function: Callable[..., Any], kinds: tuple[type, ...]) -> None:
    keys = np.array([1, 2, 2, 1])
    for order in (kinds, kinds[::-1]):
        decorated = decorate(function)
        for kind in order * 2:
            found, wanted = decorated(kind, keys), function(kind, keys)
            assert found == wanted
            assert repr(found) == repr(wanted)
