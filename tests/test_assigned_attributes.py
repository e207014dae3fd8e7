"""Attributes of the user's objects that compiled code assigns: numbers are cells, arrays change in place."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from same import IDENTITY, same

import jitscope as js


class Gas:
    """Particles between two walls."""

    def __init__(self, n: int) -> None:
        self.x = np.linspace(0.1, 0.9, n)
        self.v = np.linspace(-1.0, 2.0, n)
        self.hits = 0
        self.time = 0.0
        self.energy = 0.0
        self.last = None
        self.done = False

    def step(self, dt: float) -> None:
        self.x += self.v * dt
        low, high = self.x < 0.0, self.x > 1.0
        self.v[low | high] *= -1
        self.hits += int(low.sum() + high.sum())
        self.time += dt
        self.energy = 0.5 * (self.v**2).sum()
        self.last = self.time if self.hits > 3 else None
        if self.hits > 20:
            self.done = True

    @property
    def mean(self) -> float:
        return self.time / self.hits

    def __str__(self) -> str:
        return f"{self.hits} hits"


class Controller:
    def __init__(self, kp: float, ki: float, kd: float) -> None:
        self.kp, self.ki, self.kd = kp, ki, kd
        self.integral = 0.0
        self.last = None

    def update(self, error, dt):
        self.integral += error * dt
        slope = 0.0 if self.last is None else (error - self.last) / dt
        self.last = error
        return self.kp * error + self.ki * self.integral + self.kd * slope


class Slotted:
    __slots__ = ("count", "total")

    def __init__(self) -> None:
        self.count, self.total = 0, 0.0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Slotted) and repr(self) == repr(other)

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"Slotted({self.count!r}, {self.total!r})"


@dataclass
class Counter:
    count: int = 0
    total: float = 0.0

    def add(self, v):
        self.count += 1
        self.total += v


class Checked:
    def __init__(self) -> None:
        self.seen = []
        self.count = 0

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)
        if name == "count":
            self.seen.append(value)


class Inherited(Counter):
    pass


def stepped(gas, steps, dt):
    seen = []
    for _ in range(steps):
        before = gas.hits
        gas.step(dt)
        seen.append(gas.hits - before)
        if gas.last is not None and gas.last > 5.0:
            break
    return seen


def controlled(pid, n):
    y = v = 0.0
    out = np.zeros(n)
    for i in range(n):
        u = max(-10.0, min(10.0, pid.update(1.0 - y, 0.01)))
        v += (u - 0.5 * v - y) * 0.01
        y += v * 0.01
        out[i] = y
    return out


def summed(c, x):
    for v in x:
        c.count += 1
        c.total += v
    return c.count, c.total


def added(c, x):
    for v in x:
        c.add(float(v))
    return c


def counted_down(c, n):
    while c.count < n:
        c.count += 2
        if c.count % 5 == 0:
            c.total = c.total + 0.5
        elif c.count > 30:
            return c.count
    return -1


def both(a, b, x):
    for v in x:
        a.count += 1
        b.count += a.count
        b.total += float(v) * a.total
        a.total -= 0.5
    return a.total, b.total


def of_several(all_of_them, x):
    for v in x:
        for c in all_of_them:
            c.count += 1
            c.total += float(v) * c.count
    return sum(c.total for c in all_of_them)


def becomes_numpys(c, x):
    for k in range(len(x)):
        c.total += x[k]
        c.count = c.count + k
    return c.total


def beyond_64_bits(c, x, n):
    for k in range(n):
        x[k % 3] += 1.0
        c.count = c.count * 3 + 1
    return c.count


def raises_in_the_middle(c, x):
    for k in range(len(x)):
        c.count += 1
        x[k] = -x[k]
        c.total += 1.0 / (3 - k)
    return c.total


def seen_from_outside(gas, steps):
    out = []
    for _ in range(steps):
        gas.step(0.5)
        out.append(str(gas))
        out.append(gas.mean if gas.hits else 0.0)
        out.append(getattr(gas, "ti" + "me"))
        out.append(dict(vars(gas))["hits"])
    return out


def with_a_text(c, x):
    for v in x:
        c.count = str(v)
    return c.count


def arrays_exchanged(gas, n):
    for _ in range(n):
        gas.x, gas.v = gas.v, gas.x
        gas.x = gas.x + 1.0
        gas.hits += 1
    return gas.x


def recursed(c, n):
    c.count += 1
    if n > 0:
        recursed(c, n - 1)
        recursed(c, n - 2)
    c.total += float(n)
    return c.count


X = np.linspace(-1.0, 2.0, 7)
CASES: list[tuple[Callable[..., Any], Callable[[], tuple[Any, ...]], bool]] = [
    (stepped, lambda: (Gas(10), 100, 0.1), True),
    (stepped, lambda: (Gas(3), 2, 0.1), True),
    (controlled, lambda: (Controller(2.0, 0.5, 0.1), 200), True),
    (summed, lambda: (Slotted(), [1.0, 2.5, 3.0] * 4), True),
    (summed, lambda: (Counter(2), [1.0, 2.5, 3.0] * 4), True),
    (summed, lambda: (Checked(), [1.0]), False),
    (added, lambda: (Counter(2, -1.0), X), True),
    (added, lambda: (Inherited(), X), True),
    (counted_down, lambda: (Counter(1), 100), True),
    (counted_down, lambda: (Counter(4), 10), True),
    (both, lambda: (Counter(1), Counter(2, 3.0), X), True),
    (both, lambda: (Counter(1), Slotted(), X), True),
    (both, lambda: (one := Counter(1), one, X), False),
    (of_several, lambda: ([Counter(k) for k in range(4)], X), True),
    (of_several, lambda: ([one := Counter(3), Counter(), one], X), False),
    (becomes_numpys, lambda: (Counter(), X), True),
    (becomes_numpys, lambda: (Counter(2, np.float64(1.5)), X), True),
    (becomes_numpys, lambda: (Counter(2, 3), X), False),
    (beyond_64_bits, lambda: (Counter(1), np.zeros(3), 20), True),
    (beyond_64_bits, lambda: (Counter(1), np.zeros(3), 60), True),
    (raises_in_the_middle, lambda: (Counter(), X[:3].copy()), True),
    (raises_in_the_middle, lambda: (Counter(), X.copy()), True),
    (seen_from_outside, lambda: (Gas(5), 6), False),
    (with_a_text, lambda: (Counter(), X), False),
    (arrays_exchanged, lambda: (Gas(5), 3), False),
    (recursed, lambda: (Counter(), 5), True),
]
IDS = [f"{f.__name__}{k}" for k, (f, _, _) in enumerate(CASES)]


@pytest.mark.parametrize(("f", "make", "is_compiled"), CASES, ids=IDS)
def test_objects_end_as_plain_python_leaves_them(
    f: Callable[..., Any], make: Callable[[], tuple[Any, ...]], is_compiled: bool
) -> None:
    same(f, *make(), calls=3)
    if IDENTITY or not is_compiled:
        return
    module = js.to_code(js.function(f), *make(), stage="module")
    assert "def cluster_0" in module
    assert not re.search(r"^ *[abc]\.(count|total) = ", module, re.MULTILINE)


def test_the_same_object_twice_in_a_later_call() -> None:
    decorated = js.function(both)
    for first, second in ((Counter(1), Counter(2)), (shared := Counter(1), shared), (Counter(), Counter(5))):
        plain = (
            (Counter(first.count), Counter(second.count)) if first is not second else (one := Counter(1), one)
        )
        assert decorated(first, second, X) == both(*plain, X)
        assert (first, second) == plain


def test_an_attribute_of_another_kind_in_a_later_call() -> None:
    decorated = js.function(summed)
    for total in (0.0, 1, np.float32(2), None, "a", True, 2.5):
        a, b = Counter(1, total), Counter(1, total)
        outcomes = []
        for f, c in ((summed, a), (decorated, b)):
            try:
                outcomes.append(f(c, [1.0, 2.0]))
            except TypeError as error:
                outcomes.append(str(error))
        assert repr(outcomes[0]) == repr(outcomes[1])
        assert repr(vars(a)) == repr(vars(b))


def test_an_attribute_that_is_deleted_between_calls() -> None:
    decorated = js.function(summed)
    c = Counter(1)
    assert decorated(c, [1.0]) == (2, 1.0)
    del c.count
    assert decorated(c, [1.0]) == (1, 2.0)
    assert vars(c) == {"count": 1, "total": 2.0}


class Changing:
    """Whose class gets code of its own for assignments."""

    def __init__(self) -> None:
        self.x = 1.0


def added(c, n):
    for _ in range(n):
        c.x += 0.25
    return c.x


def _doubling(self: Changing, name: str, value: Any) -> None:
    object.__setattr__(self, name, value * 2)


NUMBER = property(lambda self: vars(self)["x"], lambda self, value: vars(self).__setitem__("x", value + 1))


@pytest.mark.parametrize(("name", "code"), [("__setattr__", _doubling), ("x", NUMBER)])
def test_a_class_that_gets_code_for_assignments_between_calls(
    name: str, code: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    decorated = js.function(added)
    one, other = Changing(), Changing()
    for is_changed in (False, False, True, True, False):
        with monkeypatch.context() as patch:
            if is_changed:
                patch.setattr(Changing, name, code, raising=False)
            assert decorated(one, 5) == added(other, 5)
        assert vars(one) == vars(other)


class Visits:
    """What functions that call themselves assign."""

    def __init__(self) -> None:
        self.count = 0
        self.last = None

    def fib(self, n):
        self.count += 1
        before = self.count
        below = self.fib(n - 1) if n > 0 else 0
        return self.count * 1000 + before + below % 7

    def twice(self, n):
        before = self.count
        if n <= 0:
            self.count += 2
            return before
        self.twice(n - 1)
        self.twice(n - 2)
        return self.count - before


def counted_to_the_bottom(visits, n):
    visits.count += 1
    before = visits.count
    if n <= 0:
        return before
    below = counted_to_the_bottom(visits, n - 1)
    return visits.count * 10 + before + below % 7


def counted_in_loops(visits, n):
    s = 0
    for i in range(3):
        s += visits.count
        if n > 0:
            s += counted_in_loops(visits, n - 1)
        s += visits.count * 3
        visits.count += i
    return s % 100007


def of_two_kinds(visits, n):
    found = 0 if visits.last is None else 1
    if n > 0:
        found += of_two_kinds(visits, n - 1)
        found += 10 if visits.last is None else 100
    visits.last = None if n % 2 else n
    return found


def around_methods(visits, n):
    before = visits.count
    found = visits.fib(n) + visits.twice(n)
    return found, visits.count - before


@pytest.mark.parametrize("f", [counted_to_the_bottom, counted_in_loops, of_two_kinds, around_methods])
@pytest.mark.parametrize("n", [0, 1, 3, 5])
def test_what_a_call_of_itself_assigns_is_read_anew(f: Callable[..., Any], n: int) -> None:
    decorated = js.function(f)
    for _ in range(3):
        one, other = Visits(), Visits()
        for _ in range(2):
            assert repr(decorated(one, n)) == repr(f(other, n))
            assert vars(one) == vars(other)
    assert decorated.specializations[0].plain_reason == ""
