"""Callables of every kind, in every place: as arguments, globals, attributes, cells, items, defaults."""

from __future__ import annotations

import functools
import math
import operator
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from same import same

import jitscope as js

RUNS: list[str] = []
NOTED: Any = None
"""Reads of attributes that objects of the user's answered themselves."""


class Silent:
    """Raises whatever it is asked, and can be called."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(f"asked for {name}")

    def __call__(self, x: Any) -> Any:
        return x


class Watching(Silent):
    """Tells what it is asked for."""

    def __getattr__(self, name: str) -> Any:
        RUNS.append(name)
        raise AttributeError(name)


class Unhashable:
    __hash__ = None  # type: ignore[assignment]

    def __call__(self, x: Any) -> Any:
        return x


class Unequal:
    def __eq__(self, other: object) -> bool:
        raise RuntimeError("compared")

    def __hash__(self) -> int:
        raise RuntimeError("hashed")

    def __call__(self, x: Any) -> Any:
        return x


class Lying:
    @property
    def __class__(self) -> Any:  # type: ignore[override]
        raise RuntimeError("asked for its class")

    def __call__(self, x: Any) -> Any:
        return x


class Meta(type):
    def __getattr__(cls, name: str) -> Any:
        raise RuntimeError(f"the class was asked for {name}")


class Made(metaclass=Meta):
    def __init__(self, x: Any) -> None:
        self.x = 1.0

    def __eq__(self, other: object) -> bool:
        return type(other) is Made


class OddMeta(type):
    """Its classes are no keys of dicts, and equal to whatever they are compared with."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(cls, other: object) -> bool:
        return True


class Odd(metaclass=OddMeta):
    k = 3.0

    def __init__(self, *_: Any) -> None:
        pass

    def __repr__(self) -> str:
        return "odd"

    def __call__(self, x: Any) -> Any:
        return x


class LyingMeta(OddMeta):
    def __hash__(cls) -> int:
        return 1


class LyingTwo(metaclass=LyingMeta):
    k = 2.0


class LyingFive(metaclass=LyingMeta):
    k = 5.0


class Holder:
    k = 2.0

    def method(self, x: Any) -> Any:
        return x

    @classmethod
    def of_class(cls, x: Any) -> Any:
        return x

    @staticmethod
    def static(x: Any) -> Any:
        return x


def identity(x: Any) -> Any:
    return x


def generator(x: Any) -> Any:
    yield x


KINDS: dict[str, Any] = {
    "method descriptor": str.upper,
    "wrapper descriptor": str.__len__,
    "slot of object": object.__str__,
    "method wrapper": "abc".__len__,
    "builtin method": [1, 2].count,
    "class method descriptor": dict.__dict__["fromkeys"],
    "builtin": len,
    "builtin class": str,
    "C function": math.sqrt,
    "itemgetter": operator.itemgetter(0),
    "methodcaller": operator.methodcaller("upper"),
    "ufunc": np.negative,
    "ufunc method": np.add.reduce,
    "NumPy function": np.sum,
    "vectorized": np.vectorize(identity),
    "random method": np.random.RandomState(0).get_state,
    "function": identity,
    "lambda": lambda x: x,
    "generator": generator,
    "partial": functools.partial(identity),
    "partial of a C function": functools.partial(max, "b"),
    "nested partial": functools.partial(functools.partial(identity)),
    "lru_cache": functools.lru_cache(identity),
    "bound method": Holder().method,
    "class method": Holder.of_class,
    "static method": Holder.static,
    "decorated": js.function(identity),
    "silent": Silent(),
    "watching": Watching(),
    "unhashable": Unhashable(),
    "unequal": Unequal(),
    "lying": Lying(),
    "class with a metaclass": Made,
    "class": Holder,
    "class that has no hash": Odd,
    "object of a class that has no hash": Odd(),
}


def as_argument(g, x):
    return g(x)


def as_item(gs, x):
    return gs[0](x)


def as_value(gs, x):
    return gs["g"](x)


def as_attribute(o, x):
    return o.g(x)


def as_default(g, x):
    def inner(y, h=g):
        return h(y)

    return inner(x)


def as_global(g, x):
    return NOTED(x)


def as_partial(g, x):
    return g()


def not_called(g, x):
    return x, g is None


class Owner:
    def __init__(self, g: Any) -> None:
        self.g = g


PLACES: dict[str, tuple[Callable[..., Any], Callable[[Any], Any]]] = {
    "argument": (as_argument, lambda g: g),
    "item of a list": (as_item, lambda g: [g]),
    "value of a dict": (as_value, lambda g: {"g": g}),
    "attribute": (as_attribute, Owner),
    "default": (as_default, lambda g: g),
    "global": (as_global, lambda g: g),
    "partial": (as_partial, lambda g: functools.partial(g, "ab")),
    "not called": (not_called, lambda g: g),
}


def outcome(f: Callable[..., Any], *args: Any) -> Any:
    """What a call shows; two generators are alike."""
    try:
        found = f(*args)
    except Exception as error:
        return type(error), str(error)
    return list(found) if hasattr(found, "__next__") else re.sub(r" at 0x\w+", "", repr(found))


@pytest.mark.usefixtures("driver_runs")
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_callable_does_what_it_does_in_plain_python(
    kind: str, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    f, put = PLACES[place]
    g = KINDS[kind]
    monkeypatch.setitem(as_global.__globals__, "NOTED", g)
    decorated = js.function(f)
    for x in ("ab", np.arange(3.0)) if place == "argument" else ("ab",):
        RUNS.clear()
        wanted, runs = outcome(f, put(g), x), list(RUNS)
        for _ in range(2):
            RUNS.clear()
            assert outcome(decorated, put(g), x) == wanted
            assert runs == RUNS


@pytest.mark.usefixtures("driver_runs")
@pytest.mark.parametrize("kind", KINDS)
def test_what_an_earlier_trace_read_is_not_asked_of_another_callable(kind: str, cache: Path) -> None:
    for f, put in (PLACES["attribute"], PLACES["partial"]):
        before = js.function(f)
        for _ in range(2):
            outcome(before, put(KINDS[kind]), "ab")
        wanted = outcome(f, put(KINDS["watching"]), "ab")
        RUNS.clear()
        assert outcome(js.function(f), put(KINDS["watching"]), "ab") == wanted
        assert RUNS == []


def test_an_unbound_method_of_a_builtin_class_is_an_argument() -> None:
    same(as_argument, str.upper, "a")


def times_its_k(x, u):
    return x * u.k + np.sin(x)


def times_all_ks(x, us):
    s = 0.0
    for u in us:
        s += u.k * x.sum()
    return s


def test_objects_whose_classes_hash_and_compare_as_they_like() -> None:
    x = np.arange(3.0)
    one, many = js.function(times_its_k), js.function(times_all_ks)
    for u in (Odd(), LyingTwo(), LyingFive()) * 3:
        assert np.array_equal(one(x, u), times_its_k(x, u))
        assert many(x, [u, u]) == times_all_ks(x, [u, u])
        assert many(x, (u,)) == times_all_ks(x, (u,))
    assert len(one.specializations) == 3


class Scale:
    def __init__(self, k: float) -> None:
        self.k = k

    @js.function
    def scaled(self, x, y=1.0):
        return (np.sin(x) * self.k).sum() * y

    @classmethod
    @js.function
    def twice(cls, x):
        return (np.sin(x) * 2.0).sum()

    @js.function
    def __call__(self, x):
        return (np.cos(x) * self.k).sum()


class PlainScale:
    __init__ = Scale.__init__
    scaled, __call__ = Scale.scaled.python_function, Scale.__call__.python_function
    twice = classmethod(Scale.twice.__func__.python_function)


BOUND: dict[str, Callable[[Any], Any]] = {
    "method": lambda owner: owner.scaled,
    "class method": lambda owner: type(owner).twice,
    "object with a call": lambda owner: owner,
    "partial": lambda owner: functools.partial(owner.scaled, y=3.0),
    "partial with an argument": lambda owner: functools.partial(functools.partial(owner.scaled), X, 3.0),
    "gradient": lambda owner: js.grad(owner.scaled),
}
X = np.arange(3.0)


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("kind", BOUND)
def test_a_method_of_a_decorated_function_keeps_its_owner(kind: str, strict: bool) -> None:
    bound, plain = BOUND[kind](Scale(2.0)), BOUND[kind](PlainScale(2.0))
    args = () if kind == "partial with an argument" else (X,)
    decorated = js.function(bound, strict=strict)
    for _ in range(2):
        np.testing.assert_allclose(decorated(*args), plain(*args), rtol=1e-14)
    if kind.startswith("partial"):
        assert decorated.python_function(*args) == plain(*args)
        assert "cluster_0" in decorated.explain(*args)
        assert decorated.get_concrete_function(*args).clusters
    if kind == "method":
        with pytest.raises(TypeError):
            js.function(Scale(2.0).scaled)(Scale(5.0), X)  # the owner, then `x`, is an object


def test_no_attribute_of_an_object_is_asked_for_by_the_decorator() -> None:
    RUNS.clear()
    assert js.function(Watching())("a") == js.function(Silent())("a") == "a"
    assert RUNS == []


@functools.lru_cache
def remembered(x):
    return x + 1


class Text(str):
    upper_plain, upper = str.upper, js.function(str.upper)
    size = js.function(len)
    made = js.function(dict.__dict__["fromkeys"])
    next_of = js.function(functools.lru_cache(lambda self, x: (self, x)))


@js.function
class Point:
    def __init__(self, x: float) -> None:
        self.x = x

    @classmethod
    def origin(cls) -> Any:
        return cls(0.0)


def test_what_has_no_source_binds_as_it_would_undecorated() -> None:
    text = Text("ab")
    assert text.upper() == text.upper_plain() == Text.upper(text) == "AB"
    assert text.size("abc") == 3
    assert text.next_of(1) == (text, 1)
    with pytest.raises(TypeError):
        _ = text.made  # it is for dicts
    assert "no Python source" in Text.__dict__["upper"].explain()


@pytest.mark.parametrize("times", [1, 2])
def test_what_has_no_source_hands_its_attributes_on(times: int) -> None:
    def decorated(f: Any) -> Any:
        for _ in range(times):
            f = js.function(f)
        return f

    assert decorated(np.add).reduce(X) == 3.0
    assert decorated(remembered).cache_info() == remembered.cache_info()
    assert decorated(functools.lru_cache(js.function(identity)))(2.0) == 2.0
    assert decorated(str.upper).__get__("a")() == "A"
    with pytest.raises(AttributeError):
        _ = decorated(np.add).nothing
    tagged: Any = functools.partial(identity)
    tagged.tag = 3
    assert decorated(tagged).tag == 3


def test_a_decorated_class_is_a_class_still() -> None:
    class Sub(Point):  # type: ignore[misc, valid-type]
        pass

    assert isinstance(Point(1.0), Point)
    assert isinstance(Point.origin(), Point)
    assert issubclass(Sub, Point)
    assert type(Sub.origin()) is Sub
    assert Point(2.0).x == Sub(2.0).x
