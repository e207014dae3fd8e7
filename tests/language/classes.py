"""Classes: in the decorated function, and around it."""

from __future__ import annotations

from .row import BESIDE, COMPILED, PLAIN, Row, beside

TITLE = "Classes"

ROWS = (
    Row(
        "class inside: `class Point: ...`",
        """
def f(x, n):
    class Point:
        a = 0.5

    total = 0.0
    for i in range(n):
        total += x[i] * 2.0
    return total * Point.a
""",
        "x, n",
        BESIDE,
        "it defines a class",
    ),
    Row(
        "method that is decorated: `@js.function` in a class",
        """
class Model:
    def __init__(self, rate):
        self.rate = rate

    def step(self, x, n):
        total = 0.0
        for i in range(n):
            total += x[i] * self.rate
        return total


f = Model.step
""",
        "Model(0.5), x, n",
        COMPILED,
    ),
    Row(
        "bound method that is decorated: `js.function(model.step)`",
        """
class Model:
    def __init__(self, rate):
        self.rate = rate

    def step(self, x, n):
        total = 0.0
        for i in range(n):
            total += x[i] * self.rate
        return total


f = Model(0.5).step
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "object that is made inside: `Point(a, b)`",
        """
class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)

    def length(self):
        return (self.x * self.x + self.y * self.y) ** 0.5


def f(x, n):
    at = Point(0.0, 1.0)
    total = 0.0
    for i in range(n):
        at.x += (Point(x[i], 0.5) + Point(1.0, x[i])).length()
        total += at.length()
    return total
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "method that writes an attribute: `self.total = a`",
        """
class Model:
    def __init__(self):
        self.total = 0.0

    def step(self, x, n):
        total = 0.0
        for i in range(n):
            total += x[i] * 2.0
        self.total = total


f = Model.step
""",
        "Model(), x, n",
        COMPILED,
    ),
    Row(
        "method that writes an item of an attribute: `self.w[i] = a`",
        """
class Model:
    def __init__(self):
        self.w = np.ones(1000)

    def step(self, x, n):
        for i in range(n):
            self.w[i] = x[i] * 2.0


f = Model.step
""",
        "Model(), x, n",
        COMPILED,
    ),
    Row(
        "inherited method and super: `super().scaled(v)`",
        """
class Base:
    def scaled(self, v):
        return v * 2.0


class Model(Base):
    def scaled(self, v):
        return super().scaled(v) + 1.0

    def step(self, x, n):
        total = 0.0
        for i in range(n):
            total += self.scaled(x[i])
        return total


f = Model.step
""",
        "Model(), x, n",
        PLAIN,
        "it uses `super`, which looks at the frame it runs in",
    ),
    Row(
        "property of a class: `@property`",
        """
class Model:
    def __init__(self, half):
        self.half = half

    @property
    def rate(self):
        return self.half * 2.0

    def step(self, x, n):
        total = 0.0
        for i in range(n):
            total += x[i] * self.rate
        return total


f = Model.step
""",
        "Model(0.5), x, n",
        PLAIN,
        "'self' is a Model",
    ),
    Row(
        "data class: `@dataclass`",
        """
from dataclasses import dataclass


@dataclass
class Params:
    rate: float
    bias: float = 1.0


def f(x, n, p):
    total = 0.0
    for i in range(n):
        total += x[i] * p.rate + p.bias
    return total
""",
        "x, n, Params(0.5)",
        COMPILED,
    ),
    Row(
        "data class that is made: `return Params(a)`",
        """
from dataclasses import dataclass


@dataclass
class Params:
    rate: float


def f(x, n):
    total = 0.0
    for i in range(n):
        total += x[i] * 2.0
    return Params(total)
""",
        "x, n",
        BESIDE,
        "'Params' has no compiled form",
    ),
    Row(
        "operator of a class: `__add__`",
        """
class Money:
    def __init__(self, amount):
        self.amount = amount

    def __add__(self, other):
        return Money(self.amount + other.amount)


def f(x, n, a, b):
    total = 0.0
    for i in range(n):
        total += x[i] * 2.0
    return total + (a + b).amount
""",
        "x, n, Money(1.0), Money(2.0)",
        BESIDE,
        "'a' is a Money",
    ),
    beside(
        "enumeration: `mode is Mode.FAST`",
        "other = mode is Mode.FAST",
        "'mode' is a Mode",
        "mode=Mode.FAST",
        """
import enum


class Mode(enum.Enum):
    FAST = 1
    EXACT = 2


""",
    ),
    Row(
        "type parameters of a class: `class Box[T]: ...`",
        """
class Box[T]:
    def __init__(self, value: T) -> None:
        self.value = value


def f(x, n, box):
    total = 0.0
    for i in range(n):
        total += x[i] * box.value
    return total
""",
        "x, n, Box(0.5)",
        PLAIN,
        "a Box made while tracing has no source text",
        since=(3, 12),
    ),
)
