"""Methods, `self`, data classes, named tuples, enumerations."""

import enum
from collections import namedtuple
from dataclasses import dataclass

import numpy as np

from .corpus import Theme, floats, numbers

theme = Theme(__name__)


class Oscillator:
    """A user's class with numbers and arrays as attributes."""

    gravity = 9.81

    def __init__(self, x, v, k=2.0):
        self.x = x
        self.v = v
        self.k = k
        self.steps = 0

    def energy(self):
        return 0.5 * self.k * (self.x * self.x).sum() + 0.5 * (self.v * self.v).sum()

    def step(self, dt):
        self.v -= self.k * self.x * dt
        self.x = self.x + self.v * dt
        self.steps += 1
        return self.x

    @property
    def speed(self):
        return np.abs(self.v).max()

    @staticmethod
    def half(x):
        return x / 2

    @classmethod
    def weight(cls, m):
        return cls.gravity * m


@dataclass
class Particle:
    """A data class of numbers and an array."""

    mass: float
    position: np.ndarray
    name: str = "p"


Pair = namedtuple("Pair", "left right")


class Mode(enum.Enum):
    """An enumeration to choose by."""

    ADD = 1
    SUBTRACT = 2


class Vector:
    """A class with operators of its own."""

    def __init__(self, a, b):
        self.a, self.b = a, b

    def __add__(self, other):
        return Vector(self.a + other.a, self.b + other.b)

    def __len__(self):
        return 2

    def __getitem__(self, i):
        return (self.a, self.b)[i]

    def __call__(self, x):
        return self.a * x + self.b


def _oscillator():
    return Oscillator(numbers(4), numbers(4, seed=1))


theme.add(Oscillator.energy, (_oscillator(),), compiled=True)
theme.add(Oscillator.step, (_oscillator(), 0.1), name="step_method")


def reads_attributes(o):
    return o.x * o.k + o.v, o.steps


theme.add(reads_attributes, (_oscillator(),))


def writes_attributes(o):
    o.x[0] = 100
    o.k = 5
    o.steps += 3
    o.extra = "new"
    return o.k


theme.add(writes_attributes, (_oscillator(),))


def calls_methods(o, n):
    for _ in range(n):
        o.step(0.01)
    return o.energy(), o.speed, o.half(3), Oscillator.weight(2)


theme.add(calls_methods, (_oscillator(), 3), (_oscillator(), 0))


def swaps_attributes(o):
    o.x, o.v = o.v, o.x
    return o


theme.add(swaps_attributes, (_oscillator(),))


def attribute_in_loop(o, n):
    for i in range(n):
        o.k = o.k * 0.5 + i
    return o.k


theme.add(attribute_in_loop, (_oscillator(), 3), (_oscillator(), 0))


def missing_attribute(o):
    return o.missing


theme.add(missing_attribute, (_oscillator(),))


def dataclass_fields(p):
    p.position += p.mass
    return p.mass * p.position.sum(), p.name


theme.add(dataclass_fields, (Particle(2.0, numbers(3)),))


def dataclass_made(m):
    p = Particle(m, np.zeros(2))
    p.position[0] = m
    return p.position, p.mass


theme.add(dataclass_made, (1.5,))


def list_of_objects(particles):
    total = 0.0
    for p in particles:
        total += p.mass
        p.mass = 0.0
    return total


theme.add(list_of_objects, ([Particle(1.0, numbers(2)), Particle(2.5, numbers(2))],))


def named_tuple(p):
    left, right = p
    return p.left + right, p._replace(left=0), p[1]


theme.add(named_tuple, (Pair(1, 2.5),), (Pair(floats(1, 2), 3),))


def named_tuple_made(a):
    return Pair(a, a * 2)


theme.add(named_tuple_made, (floats(1, 2),))


def enumeration(mode, a, b):
    if mode is Mode.ADD:
        return a + b
    return a - b


theme.add(enumeration, (Mode.ADD, 1, 2), (Mode.SUBTRACT, floats(1, 2), 3))


def operators_of_a_class(u, v):
    w = u + v
    return w.a, w.b, len(w), w[1], w(10)


theme.add(operators_of_a_class, (Vector(1, 2.5), Vector(3, 4)), (Vector(floats(1, 2), 0), Vector(1, 1)))


def aliased_attributes(o):
    o.v[0] = 55
    return o.x[0]


def _aliased():
    o = _oscillator()
    o.v = o.x[1:]
    o.x = o.x[:-1]
    return o


theme.add(aliased_attributes, (_oscillator(),), (_aliased(),))


class Layer:
    """An object that is called as a function."""

    def __init__(self, weight, bias):
        self.weight = weight
        self.bias = bias

    def __call__(self, x, scale=1.0):
        return np.tanh(x * self.weight + self.bias) * scale


class Louder(Layer):
    """One that counts its calls, and goes on to the class above."""

    calls = 0

    def __call__(self, x, scale=2.0):
        self.calls += 1
        y = Layer.__call__(self, x)
        return y * scale - y


def called_objects(layers, x):
    for layer in layers:
        x = layer(x)
    return layers[0](x, scale=0.5)


theme.add(
    called_objects,
    ([Layer(numbers(4), 1.0), Louder(0.5, numbers(4))], numbers(4, seed=1)),
    ([Layer(2.0, 1.0), Layer(0.5, 0.0)], numbers(4, seed=1)),
    ulp=2,
)


_scaled_by = Layer(numbers(3), 0.5)


def called_global(x):
    return _scaled_by(x) + np.exp(_scaled_by(x + 1.0, 3.0))


theme.add(called_global, (numbers(3),), ulp=2, compiled=True)


def set_by_name(o, name):
    setattr(o, name, 3)
    return getattr(o, name), hasattr(o, "nope"), getattr(o, "nope", 7)


theme.add(set_by_name, (_oscillator(), "k"))


def nested_structure(p):
    total = 0.0
    for name in p["layers"]:
        w, b = p["weights"][name]
        total += w.sum() * b
        w *= 0.5
    return total


theme.add(
    nested_structure, ({"layers": ["a", "b"], "weights": {"a": (numbers(2), 1), "b": (numbers(3), 2.5)}},)
)
