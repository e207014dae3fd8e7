"""Objects of the user's classes that are made inside: their attributes are variables of compiled code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import Tolerance, compare, decorate, same


class LowPass:
    gain = 2.0

    def __init__(self, alpha):
        self.alpha = alpha
        self.state = None

    def __call__(self, sample):
        if self.state is None:
            self.state = sample
        else:
            self.state = self.alpha * sample + (1 - self.alpha) * self.state
        return self.state * self.gain

    @property
    def twice(self):
        return self.state * 2


class PID:
    def __init__(self, kp, ki=0.5):
        self.kp, self.ki = kp, ki
        self.total = 0.0
        self.log = []

    def step(self, e, dt):
        self.total += e * dt
        return self.kp * e + self.ki * self.total


class Vec:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, o):
        return Vec(self.x + o.x, self.y + o.y)

    def __mul__(self, k):
        return Vec(self.x * k, self.y * k)

    def norm(self):
        return (self.x**2 + self.y**2) ** 0.5


class Acc(PID):
    def __init__(self, kp):
        super().__init__(kp)
        self.n = 0

    def step(self, e, dt):
        self.n += 1
        return PID.step(self, e, dt) + self.n


def in_a_comprehension(samples, alpha):
    f = LowPass(alpha)
    return np.array([f(s) for s in samples])


def in_a_loop(samples, alpha):
    f = LowPass(alpha)
    out = np.zeros(len(samples))
    for i in range(len(samples)):
        out[i] = f(samples[i])
    return out, f.twice, f.alpha


def method_of_one(x, n):
    c = PID(2.0)
    y = 0.0
    for i in range(len(x)):
        u = c.step(x[i] - y, 0.1)
        y += u * 0.1
    return y, c.total


def operators_of_a_class(x, n):
    s = 0.0
    for i in range(len(x) - 1):
        v = Vec(x[i], x[i + 1]) + Vec(1.0, 2.0) * 3
        s += v.norm()
    return s


def of_a_derived_class(x, n):
    c = Acc(1.5)
    s = 0.0
    for v in x:
        s += c.step(v, 0.1)
    return s, c.n


def asked_for_its_class(x, n):
    c = PID(2.0)
    for v in x:
        c.step(v, 0.1)
    return c.total, type(c).__name__, isinstance(c, PID)


def asked_for_its_dict(x, n):
    c = PID(2.0)
    for v in x:
        c.step(v, 0.1)
    c.name = "x"
    return c.__dict__


class Particle:
    def __init__(self, x, v):
        self.x, self.v = x, v
        self.hits = 0

    def step(self, dt):
        self.x += self.v * dt
        if self.x > 1.0:
            self.v = -self.v
            self.hits += 1
        return self.x


def some_in_a_list(x, n):
    ps = [Particle(0.1 * k, x[k]) for k in range(3)] if len(x) > 3 else []
    t = 0.0
    for i in range(40):
        for p in ps:
            t += p.step(0.1)
    return t, sum(p.hits for p in ps)


def attribute_that_comes_late(x, n):
    p = Particle(0.0, 1.0)
    for v in x:
        p.last = v
        p.step(v)
    return p.x, p.hits


def one_of_two(x, n):
    p = Particle(0.0, 1.0) if len(x) > 1 else Particle(1.0, 2.0)
    for v in x:
        p.step(v)
    return p.x


def under_two_names(x, n):
    p = Particle(0.0, 1.0)
    q = p
    for v in x:
        q.step(v)
        p.v *= 0.9
    return p.x, q.v, p is q, p == q


def made_in_each_iteration(x, n):
    s = 0.0
    for v in x:
        p = Particle(v, -v)
        for k in range(3):
            p.step(0.5)
        s += p.x
    return s


class Net:
    def __init__(self, n, seed):
        r = np.random.default_rng(seed)
        self.w = r.standard_normal((n, n))
        self.b = np.zeros(n)

    def forward(self, x):
        return np.tanh(self.w @ x + self.b)

    def learn(self, x, rate):
        y = self.forward(x)
        self.w = self.w - rate * np.outer(y, x)
        self.b -= rate * y
        return (y**2).sum()


def with_arrays(x, n):
    net = Net(len(x), 3)
    s = 0.0
    for k in range(5):
        s += net.learn(x, 0.1)
    return s, net.w, net.b


class Stack:
    def __init__(self):
        self.items = []
        self.n = 0

    def push(self, v):
        self.items.append(v)
        self.n += 1

    def pop(self):
        self.n -= 1
        return self.items.pop()


def with_a_list(x, n):
    st = Stack()
    for v in x:
        st.push(float(v))
    t = 0.0
    while st.n > 2:
        t = t * 0.5 + st.pop() * st.pop()
    return t, st.items, st.n


def attribute_that_is_missing(x, n):
    p = Particle(0.0, 1.0)
    for v in x:
        p.step(v)
    return p.missing


def given_to_a_helper(x, n):
    return helper(Particle(0.0, 1.0), x)


def helper(p, x):
    for v in x:
        if p.step(v) > 5:
            return -1.0
    return p.x


COMPILED = (
    in_a_comprehension,
    in_a_loop,
    method_of_one,
    operators_of_a_class,
    under_two_names,
    made_in_each_iteration,
)
OTHERS = (
    *(of_a_derived_class, asked_for_its_class, asked_for_its_dict, some_in_a_list, attribute_that_comes_late),
    *(one_of_two, with_arrays, with_a_list, attribute_that_is_missing, given_to_a_helper),
)
X = np.sin(np.arange(50.0))


@pytest.mark.parametrize("program", [*COMPILED, *OTHERS])
def test_they_are_python_s(program: Callable[..., Any]) -> None:
    decorated = decorate(program)
    for x, n in ((X, 0.3), (X[:1], 0.3), (X[:0], 0.2), (X * 3, 0.9)):
        compare(program, decorated, (x.copy(), n), tol=Tolerance(ulp=64, atol=1e-13))


@needs_compiler
@pytest.mark.parametrize("program", COMPILED)
def test_they_are_compiled(program: Callable[..., Any]) -> None:
    decorated = decorate(program)
    decorated(X.copy(), 0.3)
    assert has_compiled_part(decorated)
    assert decorated.coverage(X.copy(), 0.3).share > 0.9


def made_class():
    class Base:
        k = 1.0

        def m(self):
            return self.x * 2

    class Made(Base):
        def __init__(self, x):
            self.x = x
            self.k = 3.0

        def step(self, d):
            self.x += d

        @property
        def q(self):
            return self.x + 1

    return Made


def with_the_class(a):
    s = 0.0
    for x in a:
        p = CLASS(x)
        p.step(2.0)
        s += p.x + p.q + p.m() + p.k
    return s


CLASS = made_class()
CHANGES: dict[str, Callable[[type], None]] = {
    "property": lambda kind: setattr(kind, "x", property(lambda self: 5.0, lambda self, v: None)),
    "setter": lambda kind: setattr(
        kind, "__setattr__", lambda self, name, value: object.__setattr__(self, name, value * 2)
    ),
    "maker": lambda kind: setattr(kind, "__new__", staticmethod(lambda cls, x: object.__new__(cls))),
    "end": lambda kind: setattr(kind, "__del__", lambda self: ENDS.append(1)),
    "property of the base": lambda kind: setattr(
        kind.__mro__[1], "k", property(lambda self: 5.0, lambda self, v: None)
    ),
    "property in the base": lambda kind: setattr(
        kind.__mro__[1], "x", property(lambda self: 7.0, lambda self, v: None)
    ),
    "method": lambda kind: setattr(kind, "m", lambda self: 100.0),
}
ENDS: list[int] = []


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_class_that_changes_is_another(
    change: Callable[[type], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = made_class()
    monkeypatch.setitem(with_the_class.__globals__, "CLASS", kind)
    decorated, a = decorate(with_the_class), np.array([1.0, 2.0, 3.0])
    compare(with_the_class, decorated, (a,))
    change(kind)
    ENDS.clear()
    compare(with_the_class, decorated, (a,))
    assert len(ENDS) in (0, 9)


class ReturnsSomething:
    def __init__(self, x):
        self.x = x
        return 5


def wrong_init(a):
    s = 0.0
    for x in a:
        s += ReturnsSomething(x).x
    return s


def test_an_init_that_returns_something_raises() -> None:
    same(wrong_init, np.ones(3))
