"""Attributes that only some objects have, what `isinstance` asks, fields of named tuples: as they are now."""

from __future__ import annotations

import collections.abc
import functools
import numbers
import re
import subprocess
import sys
import types
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import compare, decorate

import jitscope as js

X = np.linspace(0.1, 1.0, 40)


class Cached:
    def __init__(self, x: Any, have: bool) -> None:
        self.x = x
        if have:
            self.__dict__["k"] = 1.0

    @functools.cached_property
    def k(self) -> float:
        return float(self.x[0])


class Asking:
    def __init__(self, x: Any, have: bool) -> None:
        self.x, self.asked = x, 0
        if have:
            self.k = 1.0

    def __getattr__(self, name: str) -> Any:
        self.__dict__["asked"] += 1
        return float(self.x[0])


class Described:
    class Reader:
        def __get__(self, owner: Any, kind: Any) -> Any:
            return float(owner.x[0])

    k = Reader()

    def __init__(self, x: Any, have: bool) -> None:
        self.x = x
        if have:
            self.__dict__["k"] = 1.0


class Slots:
    __slots__ = ("x", "k")

    def __init__(self, x: Any, have: bool) -> None:
        self.x = x
        if have:
            self.k = 1.0

    def __getattr__(self, name: str) -> Any:
        return float(self.x[0])


class Plain:
    def __init__(self, x: Any, have: bool) -> None:
        self.x, self.k = x, 1.0 if have else 3.0


def scaled(x: Any, q: Any) -> Any:
    x[0] = 5.0
    s = 0.0
    for i in range(len(x)):
        s += x[i] * q.k
    return s


@pytest.mark.parametrize("kind", [Cached, Asking, Described, Slots, Plain])
def test_attributes_that_only_some_objects_have(kind: Any) -> None:
    decorated: Any = decorate(scaled, cache=False)
    for have in (True, False, True, False):
        outcomes = []
        for function in (scaled, decorated):
            x = X.copy()
            q = kind(x, have)
            found = function(x, q)
            own = {} if kind is Slots else vars(q)
            outcomes.append((found, own.get("asked"), own.get("k")))
        assert outcomes[0] == outcomes[1]


def test_an_object_that_gets_getattr_later() -> None:
    class Later:
        def __init__(self, have: bool) -> None:
            if have:
                self.k = 1.0

    decorated: Any = decorate(scaled, cache=False)
    compare(scaled, decorated, (X, Later(True)), calls=2)
    calls: list[str] = []
    Later.__getattr__ = lambda self, name: calls.append(name) or 2.0  # type: ignore[attr-defined]
    for function in (scaled, decorated):
        calls.clear()
        function(X.copy(), Later(False))
        assert calls == ["k"] * len(X)


class A:
    pass


class B:
    pass


def asks(x: Any, q: Any) -> Any:
    s = 0.0
    for i in range(len(x)):
        if isinstance(q, A):
            s += x[i]
    return s


class OfA(A):
    def __init__(self, value: Any = 0.0) -> None:
        self.value = value


def asks_of_made(x: Any) -> Any:
    s = 0.0
    for i in range(len(x)):
        if isinstance(OfA(x[i]), A):
            s += x[i]
    return s


def known_while_tracing(x: Any, q: Any) -> Any:
    s = 0.0
    for i in range(len(x)):
        v = x[i]
        if isinstance(v, float) and isinstance(q, tuple) and isinstance(q[0], (int, float)):
            s += v * q[0]
        if isinstance(x, np.ndarray) and not isinstance(i, float) and isinstance(i, numbers.Integral):
            s += 1.0
    return s


@needs_compiler
def test_what_is_known_costs_nothing() -> None:
    decorated: Any = decorate(known_while_tracing, cache=False)
    compare(known_while_tracing, decorated, (X, (2, 1.0)), calls=2)
    assert has_compiled_part(decorated)
    assert not re.search(r"^[^#]*isinstance", js.to_code(known_while_tracing, X, (2, 1.0)), re.MULTILINE)


def test_bases_that_change() -> None:
    of_argument: Any = decorate(asks, cache=False)
    of_made: Any = decorate(asks_of_made, cache=False)
    for bases in ((A,), (B,), (A,)):
        OfA.__bases__ = bases
        for _ in range(2):
            assert of_argument(X, OfA()) == asks(X, OfA())
            assert of_made(X) == asks_of_made(X)


class T1:
    pass


class T2:
    pass


def is_first(x: Any, q: Any) -> Any:
    s = 0.0
    for i in range(len(x)):
        if isinstance(q, T1):
            s += x[i]
    return s


class Proxy:
    def __init__(self, kind: type) -> None:
        self.kind = kind

    @property
    def __class__(self) -> Any:
        return self.kind


def test_objects_that_say_that_they_are_of_another_class() -> None:
    decorated: Any = decorate(is_first, cache=False)
    ones = [T1(), T2()]
    for q in (*map(weakref.proxy, ones), Proxy(T1), Proxy(T2), *ones):
        assert decorated(X, q) == is_first(X, q)


class Claims:
    __class__ = property(lambda self: T1)  # type: ignore[assignment]

    def __init__(self, value: Any) -> None:
        self.value = value


def claims(x: Any) -> Any:
    s = 0.0
    for i in range(len(x)):
        if isinstance(Claims(x[i]), T1):
            s += x[i]
    return s


class Method:
    def m(self) -> float:
        return 1.0


def kinds_of_methods(x: Any, q: Any) -> Any:
    s = 0.0
    for v in x:
        s += v
    return (
        s,
        isinstance(q.m, types.MethodType),
        isinstance(q.m, collections.abc.Callable),
        isinstance(x.sum, types.FunctionType),
        isinstance(x.sum, types.BuiltinFunctionType),
        isinstance(q, collections.abc.Callable),
        isinstance([1.0, s], collections.abc.Sequence),
        isinstance({"a": s}, dict),
        isinstance(range(len(x)), collections.abc.Sequence),
        isinstance(kinds_of_methods, types.FunctionType),
    )


def test_objects_made_inside_and_methods() -> None:
    compare(claims, decorate(claims, cache=False), (X,), calls=2)
    compare(kinds_of_methods, decorate(kinds_of_methods, cache=False), (X, Method()), calls=2)


class Fields(NamedTuple):
    k: float
    z: float


def of_fields(x: Any, q: Any) -> Any:
    s = 0.0
    for i in range(len(x)):
        s += x[i] * q.k
    a, b = q
    return s + a - b


def _second(self: Any) -> Any:
    return self[1]


CHANGES: list[tuple[str, Any]] = [
    ("k", property(_second)),
    ("k", Fields.z),
    ("__getitem__", lambda self, k: 7.0),
    ("__iter__", lambda self: iter((4.0, 5.0))),
    ("__getattribute__", lambda self, name: 9.0),
]


@pytest.mark.parametrize(("name", "value"), CHANGES, ids=[f"{n} {type(v).__name__}" for n, v in CHANGES])
def test_named_tuples_that_change(name: str, value: Callable[..., Any]) -> None:
    decorated: Any = decorate(of_fields, cache=False)
    given = Fields(2.0, 3.0)
    assert decorated(X, given) == of_fields(X, given)
    before = Fields.__dict__.get(name)
    setattr(Fields, name, value)
    try:
        for _ in range(2):
            assert decorated(X, given) == of_fields(X, given)
    finally:
        if before is None:
            delattr(Fields, name)
        else:
            setattr(Fields, name, before)


def tuples_as_arrays(g: Any) -> Any:
    t = 0
    for a in g:
        t += a[0] * 1
    return np.array(g), np.sum(g), np.array(g)[:, 0] * 3, t


@pytest.mark.parametrize("last", [bool, float, int])
def test_tuples_of_several_types_as_arrays(last: Any) -> None:
    given = [(k % 7, last(k % 2)) for k in range(30)]
    compare(tuples_as_arrays, decorate(tuples_as_arrays, cache=False), (given,), calls=2)


_FROM_DISK = """
import sys
from typing import NamedTuple

import numpy as np
import jitscope as js

class A: pass
class B: pass
class F(NamedTuple):
    k: float
    z: float
def made():
    class C: pass
    return C
C, D = made(), made()

if sys.argv[1] == "first":
    class Q(A):
        def __init__(self, value): self.value = value
    class N(NamedTuple):
        z: float
        k: float
    class H(F): pass
    class M(type): pass
    class Reader:
        def __get__(self, owner, kind): return 3.0
    W = C
else:
    class Q(B):
        def __init__(self, value): self.value = value
    class N(NamedTuple):
        k: float
        z: float
    class H(F): k = F.z
    class M(type):
        def __instancecheck__(self, value): return True
        k = property(lambda self: 9.0)
    class Reader:
        def __get__(self, owner, kind): return 3.0
        def __set__(self, owner, value): pass
    W = D
class I(metaclass=M): k = 2.0
class R:
    k = Reader()
    def __init__(self): self.__dict__["k"] = 1.0

def of_argument(x, q):
    s = 0.0
    for i in range(len(x)):
        if isinstance(q, A): s += x[i]
    return s

def of_made(x, q):
    s = 0.0
    for i in range(len(x)):
        if isinstance(Q(x[i]), A): s += x[i]
    return s

def of_field(x, q):
    s = 0.0
    for i in range(len(x)): s += x[i] * q.k
    return s

def of_metaclass(x, q):
    s = 0.0
    for i in range(len(x)):
        if isinstance(q, I): s += x[i]
    return s

def of_chosen(x, q):
    s = 0.0
    for i in range(len(x)):
        if isinstance(q, W): s += x[i]
    return s

def of_class(x, q):
    s = 0.0
    for i in range(len(x)): s += x[i] * I.k
    return s

x = np.linspace(0.1, 1.0, 40)
for program, q in (
    (of_argument, Q(1.0)), (of_made, None), (of_field, N(2.0, 3.0)), (of_field, H(2.0, 3.0)),
    (of_field, R()), (of_field, I), (of_metaclass, Q(1.0)), (of_chosen, C()), (of_class, None),
):
    decorated = js.function(program)
    print(decorated(x, q) == program(x, q), decorated(x, q) == program(x, q))
"""


@needs_compiler
def test_entries_from_disk_know_bases_and_fields(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JITSCOPE_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "program.py").write_text(_FROM_DISK)
    for what in ("first", "second"):
        told = subprocess.run(
            [sys.executable, "program.py", what], cwd=tmp_path, capture_output=True, text=True, check=True
        ).stdout.splitlines()
        assert told == ["True True"] * 9


class Constants:
    k = 2.0


def of_class(x: Any) -> Any:
    s = 0.0
    for i in range(len(x)):
        s += x[i] * Constants.k
    return s


def test_a_number_of_a_class_becomes_a_descriptor() -> None:
    decorated: Any = decorate(of_class, cache=False)
    assert decorated(X) == of_class(X)
    calls: list[object] = []

    class Reader:
        def __get__(self, owner: Any, kind: Any) -> float:
            calls.append(kind)
            return 3.0

    before, Constants.k = Constants.k, Reader()  # type: ignore[assignment]
    try:
        for function in (of_class, decorated):
            calls.clear()
            assert function(X[:3]) == of_class(X[:3])
            assert len(calls) == 6
            calls.clear()
            function(X[:0])
            assert not calls
    finally:
        Constants.k = before
    assert decorated(X) == of_class(X)


class Settings:
    k = 2.0


class Heir(Settings):
    pass


class Checked:
    """Its own dict has `k`, and the class code that goes first."""

    def __init__(self) -> None:
        self.__dict__["k"] = 0.5

    @property
    def k(self) -> float:
        return float(self.__dict__["k"] * 10)


class Told(type):
    @property
    def k(cls) -> float:
        return 9.0


class Looking(type):
    def __getattribute__(cls, name: str) -> Any:
        return 8.0 if name == "k" else super().__getattribute__(name)


class ByProperty(metaclass=Told):
    k = 2.0  # type: ignore[assignment]


class ByLooking(metaclass=Looking):
    k = 2.0


class Holder:
    def __init__(self, held: Any) -> None:
        self.held = held


def of_held(x: Any, holder: Any) -> Any:
    s = 0.0
    for i in range(len(x)):
        s += x[i] * holder.held.k
    return s


@pytest.mark.parametrize("first", [Settings, Heir])
def test_what_stands_where_a_class_stood(first: Any) -> None:
    decorated: Any = decorate(of_held, cache=False)
    others = ByProperty, ByLooking, Checked(), types.SimpleNamespace(k=4.0), Settings, Heir
    for held in (first, first, *others, first):
        assert decorated(X, Holder(held)) == of_held(X, Holder(held))


def test_a_number_that_a_class_inherits_becomes_a_descriptor() -> None:
    calls: list[object] = []

    class Reader:
        def __get__(self, owner: Any, kind: Any) -> float:
            calls.append(kind)
            return 3.0

    decorated: Any = decorate(of_held, cache=False)
    assert decorated(X, Holder(Heir)) == of_held(X, Holder(Heir))
    before, Settings.k = Settings.k, Reader()  # type: ignore[assignment]
    try:
        for function in (of_held, decorated):
            calls.clear()
            function(X[:3], Holder(Heir))
            assert len(calls) == 3
    finally:
        Settings.k = before


@pytest.mark.parametrize("method", ["__set__", "__delete__"])
def test_a_descriptor_that_comes_to_go_first(method: str) -> None:
    class Reader:
        def __get__(self, owner: Any, kind: Any) -> float:
            return 3.0

    class Owner:
        k = Reader()

        def __init__(self) -> None:
            self.__dict__["k"] = 1.0

    decorated: Any = decorate(of_held, cache=False)
    assert decorated(X, Holder(Owner())) == of_held(X, Holder(Owner()))
    setattr(Reader, method, lambda *_: None)
    assert decorated(X, Holder(Owner())) == of_held(X, Holder(Owner()))
    assert decorate(of_held, cache=False)(X, Holder(Owner())) == of_held(X, Holder(Owner()))


class Greedy(type):
    def __subclasscheck__(cls, other: Any) -> bool:
        return True


class Quiet(type):
    pass


class OfGreedy(metaclass=Greedy):
    pass


class OfQuiet(metaclass=Quiet):
    pass


def of_elements(x: Any, q: Any) -> Any:
    s = 0.0
    for i in range(len(x)):
        if isinstance(x[i], OfGreedy):
            s += x[i]
    return s


def of_a_list(x: Any, q: Any) -> Any:
    s = 0.0
    for i in range(len(x)):
        if isinstance([1.0, s], (OfGreedy, OfQuiet)):
            s += x[i]
    return s


def of_an_argument(x: Any, q: Any) -> Any:
    s = 0.0
    for i in range(len(x)):
        if isinstance(q, OfQuiet):
            s += x[i]
    return s


def of_an_object_made_here(x: Any, q: Any) -> Any:
    s = 0.0
    for i in range(len(x)):
        if isinstance(Settings(), OfQuiet):
            s += x[i]
    return s


@pytest.mark.parametrize("of_these", [of_elements, of_a_list, of_an_argument, of_an_object_made_here])
def test_metaclasses_that_answer_for_subclasses_or_later(of_these: Any) -> None:
    decorated: Any = decorate(of_these, cache=False)
    for q in (Settings(), OfQuiet(), OfGreedy()):
        assert decorated(X, q) == of_these(X, q)
    Quiet.__instancecheck__ = lambda cls, value: True  # type: ignore[method-assign]
    try:
        for q in (Settings(), OfQuiet(), OfGreedy()):
            assert decorated(X, q) == of_these(X, q)
    finally:
        del Quiet.__instancecheck__
