"""Classes that get code between calls, while plain objects of theirs were traced: properties, descriptors."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import Tolerance, compare, decorate

X = np.linspace(0.1, 1.0, 60)
SEEN: list[str] = []


def _made() -> tuple[type, type]:
    class Base:
        gain = 3.0

        def twice(self):
            return self.k * 2

    class Plain(Base):
        def __init__(self):
            self.k = 2.0

    return Base, Plain


class Holder:
    def __init__(self, inner):
        self.inner = inner


def over(x, k):
    s = 0.0
    for i in range(len(x)):
        s += x[i] * k
    return s


def attribute(x, q):
    x[0] = 5.0
    return over(x, q.k)


def nested(x, q):
    x[0] = 5.0
    return over(x, Holder(q).inner.k) + over(x, q.k)


def of_class(x, q):
    x[0] = 5.0
    return over(x, q.gain)


def method(x, q):
    x[0] = 5.0
    return over(x, q.twice())


def often(x, q):
    s = 0.0
    for i in range(len(x)):
        s += x[i] * q.k
    return s + q.k


def _getter(of: Any = float) -> property:
    def get(self):
        SEEN.append("get")
        return of(len(SEEN))

    return property(get)


class Descriptor:
    def __get__(self, owner, kind):
        SEEN.append("descriptor")
        return float(len(SEEN))

    def __set__(self, owner, value):
        SEEN.append("set")


def _own_lookup(self: object, name: str) -> Any:
    if name != "__class__":  # which `isinstance` asks for
        SEEN.append(name)
    return object.__getattribute__(self, name)


def _lambda(self: object) -> Callable[[], float]:
    SEEN.append("method")
    return lambda: float(len(SEEN))


CHANGES: dict[str, Callable[[type, type], None]] = {
    "property": lambda base, kind: setattr(kind, "k", _getter()),
    "property of a base": lambda base, kind: setattr(base, "k", _getter()),
    "property of another type": lambda base, kind: setattr(kind, "k", _getter(int)),
    "property for a number": lambda base, kind: setattr(base, "gain", _getter()),
    "descriptor": lambda base, kind: setattr(kind, "k", Descriptor()),
    "lookup": lambda base, kind: setattr(kind, "__getattribute__", _own_lookup),
    "property for a method": lambda base, kind: setattr(kind, "twice", property(_lambda)),
    "number for a method": lambda base, kind: setattr(kind, "twice", None),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("program", [attribute, nested, of_class, method, often])
def test_a_class_gets_code_between_calls(program: Callable[..., Any], change: str) -> None:
    base, kind = _made()
    decorated = decorate(program)
    for _ in range(2):
        decorated(X.copy(), kind())
    q = kind()
    CHANGES[change](base, kind)
    found = []
    for call in (program, decorated, decorated, decorated):
        x = X.copy()
        SEEN.clear()
        try:
            result = call(x, q)
        except Exception as error:
            result = type(error), str(error)
        found.append((result, type(result), [*SEEN], x.tolist()))
    for other in found[1:]:
        assert other[1:] == found[0][1:]
        assert other[0] == (pytest.approx(found[0][0], rel=1e-12) if other[1] is not tuple else found[0][0])


class Slotted:
    __slots__ = ("k",)

    def __init__(self):
        self.k = 2.0


def test_a_slot_becomes_a_property() -> None:
    decorated, q = decorate(often), Slotted()
    assert decorated(X, q) == pytest.approx(often(X, q), rel=1e-12)
    before = Slotted.k  # type: ignore[has-type]
    try:
        Slotted.k = property(lambda self: SEEN.append("slot") or float(len(SEEN)))  # type: ignore
        found = []
        for call in (often, decorated):
            SEEN.clear()
            found.append((call(X, q), len(SEEN)))
        assert found[1] == pytest.approx(found[0], rel=1e-12)
    finally:
        Slotted.k = before


def test_a_mock_counts_its_calls() -> None:
    _, kind = _made()
    decorated, q = decorate(often), kind()
    decorated(X, q)
    with mock.patch.object(kind, "k", new_callable=mock.PropertyMock, create=True) as seen:
        seen.return_value = 4.0
        assert decorated(X, q) == pytest.approx(often(X, q))
        assert seen.call_count == 2 * (len(X) + 1)
    assert decorated(X, q) == pytest.approx(often(X, q))


@needs_compiler
@pytest.mark.parametrize("program", [attribute, of_class, method, often])
def test_a_class_that_gets_something_else_is_compiled_still(program: Callable[..., Any]) -> None:
    base, kind = _made()
    decorated, q = decorate(program, cache=False), kind()
    decorated(X.copy(), q)
    entries = len(decorated.__jitscope__.specialisations)
    base.other = _getter()  # type: ignore[attr-defined]
    kind.name = "k"  # type: ignore[attr-defined]
    compare(program, decorated, (X, q), tol=Tolerance(ulp=64))
    assert has_compiled_part(decorated)
    assert len(decorated.__jitscope__.specialisations) == entries


_FROM_DISK = """
import sys
import numpy as np
import jitscope as js

class C:
    def __init__(self):
        self.k = 2.0

@js.function
def f(x, q):
    x[0] = 5.0
    s = 0.0
    for i in range(len(x)):
        s += x[i] * q.k
    return s + q.k

q, seen = C(), []
if sys.argv[1] == "changed":
    C.k = property(lambda self: seen.append(1) or len(seen))
for call in (f, f.python_function, f):
    seen.clear()
    print(call(np.ones(40), q), len(seen))
"""


@needs_compiler
def test_an_entry_from_disk_asks_the_class_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JITSCOPE_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "program.py").write_text(_FROM_DISK)
    for what in ("plain", "changed"):
        told = subprocess.run(
            [sys.executable, "program.py", what], cwd=tmp_path, capture_output=True, text=True, check=True
        ).stdout.splitlines()
        assert len(told) == 3
        assert len(set(told)) == 1
