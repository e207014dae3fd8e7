"""Primaries: attribute references, subscriptions, slicings, calls, await."""

from __future__ import annotations

from .row import BESIDE, COMPILED, PLAIN, Row, beside, of_arrays, of_items

TITLE = "Primaries"

ATTRIBUTES = (
    of_items("attribute of a module: `np.pi`", "x[i] * np.pi"),
    Row(
        "attributes of an array: `x.size`, `x.shape`, `x.ndim`",
        """
def f(m):
    total = 0.0
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            total += m[i, j] * m.ndim / m.size
    return total
""",
        "m",
        COMPILED,
    ),
    Row(
        "attribute of an object: `p.rate`",
        """
class Params:
    def __init__(self, rate):
        self.rate = rate


def f(x, n, p):
    total = 0.0
    for i in range(n):
        total += x[i] * p.rate
    return total
""",
        "x, n, Params(0.5)",
        COMPILED,
    ),
    Row(
        "attribute that is a property: `p.rate`",
        """
class Params:
    def __init__(self, half):
        self.half = half

    @property
    def rate(self):
        return self.half * 2.0


def f(x, n, p):
    total = 0.0
    for i in range(n):
        total += x[i] * p.rate
    return total
""",
        "x, n, Params(0.5)",
        PLAIN,
        "'p' is a Params",
    ),
    Row(
        "attribute of a class: `Params.rate`",
        """
class Params:
    rate = 0.5


def f(x, n):
    total = 0.0
    for i in range(n):
        total += x[i] * Params.rate
    return total
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "attribute of a named tuple: `p.rate`",
        """
from collections import namedtuple

Params = namedtuple("Params", "rate bias")


def f(x, n, p):
    total = 0.0
    for i in range(n):
        total += x[i] * p.rate + p.bias
    return total
""",
        "x, n, Params(0.5, 1.0)",
        COMPILED,
    ),
    beside(
        "attribute by name: `getattr(p, 'rate')`",
        "other = total * getattr(p, 'rate')",
        "'getattr' has no compiled form",
        "p=SimpleNamespace(rate=0.5)",
        "from types import SimpleNamespace\n\n",
    ),
)

SUBSCRIPTIONS = (
    of_items("item of an array: `x[i]`", "x[i]"),
    of_items("item of a matrix: `m[i, j]`", "m[i // 40 % 40, i % 40]"),
    Row(
        "starred item of an index: `m[*pair]`",
        """
def f(m, n):
    pair = (1, 2)
    total = 0.0
    for i in range(n):
        total += m[*pair] * i
    return total
""",
        "m, n",
        COMPILED,
        since=(3, 11),
    ),
    Row(
        "item out of range: `IndexError`",
        """
def f(x, n):
    total = 0.0
    for i in range(n + 1):
        total += x[i]
    return total
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "item of a list: `values[i]`",
        """
def f(values, n):
    total = 0.0
    for i in range(n):
        total += values[i] * 2.0
    return total
""",
        "[0.5] * 1000, n",
        COMPILED,
    ),
    Row(
        "item of a tuple: `pair[0]`",
        """
def f(x, n, pair):
    total = 0.0
    for i in range(n):
        total += x[i] * pair[0] + pair[-1]
    return total
""",
        "x, n, (0.5, 1.0)",
        COMPILED,
    ),
    Row(
        "item of a dictionary: `params['rate']`",
        """
def f(x, n, params):
    total = 0.0
    for i in range(n):
        total += x[i] * params["rate"]
    return total
""",
        "x, n, {'rate': 0.5}",
        COMPILED,
    ),
    Row(
        "missing key: `KeyError`",
        """
def f(x, n, params):
    total = 0.0
    for i in range(n):
        total += x[i] * 2.0
    return total * params["rate"]
""",
        "x, n, {'bias': 0.5}",
        PLAIN,
        "tracing it raised KeyError: 'rate'",
    ),
    Row(
        "character of a string: `mode[0]`",
        """
def f(x, n, mode):
    total = 0.0
    for i in range(n):
        total += x[i] if mode[0] == "f" else 1.0
    return total
""",
        "x, n, 'fast'",
        COMPILED,
    ),
    of_arrays("item by a mask: `x[x > 1]`", "x[x > 1.0] * 2.0"),
    beside("items by an array: `x[k]`", "other = x[k]", becomes=COMPILED),
    of_arrays("new axis: `x[:, None]`", "np.exp(x[:40, None] * y[None, :40]) + 1.0", tol=4),
    Row(
        "item of an object: `p[i]`, `__getitem__`",
        """
class Params:
    def __getitem__(self, i):
        return i * 0.5


def f(x, n, p):
    total = 0.0
    for i in range(n):
        total += x[i] * 2.0
    return total + p[3]
""",
        "x, n, Params()",
        BESIDE,
        "'p' is a Params",
    ),
)

SLICINGS = (
    of_arrays("slice: `x[1:-1]`", "x[1:-1] * 2.0 + x[2:]"),
    of_arrays("slice with a step: `x[::2]`", "(x[::2] + x[1::2]) * 0.5 - x[::2]"),
    of_arrays("slices of a matrix: `m[1:, :-1]`", "(m[1:, :-1] + m[:-1, 1:]) * 0.5 - m[1:, 1:]"),
    Row(
        "slice that depends on the loop: `x[i:i + 3]`",
        """
def f(x, n):
    total = 0.0
    for i in range(n - 3):
        total += x[i : i + 3].sum()
    return total
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "slice object: `x[slice(1, 3)]`",
        """
def f(x, n):
    inner = slice(1, -1)
    return x[inner] * 2.0 + 1.0
""",
        "x, n",
        COMPILED,
    ),
    beside("slice of a list: `values[1:]`", "other = [total, 1.0, 2.0][1:]", becomes=COMPILED),
)

CALLS = (
    of_items(
        "call of a built-in function or type: `abs(x)`, `int(x)`", "abs(x[i] - 1.0) + int(x[i]) + float(k[i])"
    ),
    of_items("call of a NumPy function: `np.sqrt(x)`", "np.sqrt(x[i]) + np.maximum(x[i], 1.0)"),
    Row(
        "call of a function of the math module: `math.floor(x)`",
        """
import math


def f(x, n):
    total = 0.0
    for i in range(n):
        total += math.floor(x[i] * 3.0) + math.hypot(x[i], 0.0)
    return total
""",
        "x, n",
        COMPILED,
        tol=64,
    ),
    Row(
        "call of a function of yours: `g(x)`",
        """
def clipped(v, low, high):
    if v < low:
        return low
    return min(v, high)


def f(x, n):
    total = 0.0
    for i in range(n):
        total += clipped(x[i], 0.5, 1.0)
    return total
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "keyword argument: `g(v, rate=2)`",
        """
def scaled(v, rate, bias=1.0):
    return v * rate + bias


def f(x, n):
    total = 0.0
    for i in range(n):
        total += scaled(x[i], bias=0.5, rate=2.0)
    return total
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "starred argument: `g(*pair)`",
        """
def scaled(v, rate, bias):
    return v * rate + bias


def f(x, n):
    pair = (2.0, 0.5)
    total = 0.0
    for i in range(n):
        total += scaled(x[i], *pair)
    return total
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "double starred argument: `g(**params)`",
        """
def scaled(v, rate, bias):
    return v * rate + bias


def f(x, n):
    params = {"rate": 2.0, "bias": 0.5}
    total = 0.0
    for i in range(n):
        total += scaled(x[i], **params)
    return total
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "call with a wrong number of arguments: `TypeError`",
        """
def scaled(v, rate):
    return v * rate


def f(x, n):
    total = 0.0
    for i in range(n):
        total += x[i] * 2.0
    return scaled(total)
""",
        "x, n",
        PLAIN,
        "tracing it raised TypeError: missing a required argument: 'rate'",
    ),
    Row(
        "call of a decorated function: `@js.function`",
        """
import jitscope as js


@js.function
def scaled(v, rate):
    return v * rate + 1.0


def f(x, n):
    y = x
    for i in range(5):
        y = scaled(y, 0.5)
    return y
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "call of a method: `p.scaled(v)`",
        """
class Params:
    def __init__(self, rate):
        self.rate = rate

    def scaled(self, v):
        return v * self.rate


def f(x, n, p):
    total = 0.0
    for i in range(n):
        total += p.scaled(x[i])
    return total
""",
        "x, n, Params(0.5)",
        COMPILED,
    ),
    beside(
        "call of a static method: `Params.scaled(v)`",
        "other = Params.scaled(total)",
        "'scaled' has no compiled form",
        before="""
class Params:
    @staticmethod
    def scaled(v):
        return v * 0.5


""",
    ),
    Row(
        "call of an object: `p(v)`, `__call__`",
        """
class Scaled:
    def __init__(self, rate):
        self.rate = rate

    def __call__(self, v):
        return v * self.rate


def f(x, n, p):
    total = 0.0
    for i in range(n):
        total += p(x[i])
    return total
""",
        "x, n, Scaled(0.5)",
        COMPILED,
    ),
    Row(
        "call of a partial: `functools.partial(g, 2)`",
        """
import functools


def scaled(rate, v):
    return v * rate


half = functools.partial(scaled, 0.5)


def f(x, n):
    total = 0.0
    for i in range(n):
        total += half(x[i])
    return total
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "call of an argument: `g(x)`",
        """
def square(v):
    return v * v


def f(x, n, g):
    total = 0.0
    for i in range(n):
        total += g(x[i])
    return total
""",
        "x, n, square",
        COMPILED,
    ),
    beside(
        "call that makes an object: `Params(0.5)`",
        "other = Params(0.5).rate * total",
        before="""
class Params:
    def __init__(self, rate):
        self.rate = rate


""",
        becomes=COMPILED,
    ),
    beside("call that prints: `print(n)`", "other = print('adding', n)", "'print' has no compiled form"),
    Row(
        "call of another library: `json.dumps(n)`",
        """
import json


def f(x, n):
    total = 0.0
    for i in range(n):
        total += x[i] * 2.0
    return total, json.dumps({"n": n})
""",
        "x, n",
        BESIDE,
        "'dumps' runs in Python: it belongs to the standard library",
    ),
    Row(
        "call of a string's method: `mode.upper()`",
        """
def f(x, n, mode):
    total = 0.0
    for i in range(n):
        total += x[i] if mode.upper() == "FAST" else 1.0
    return total
""",
        "x, n, 'fast'",
        COMPILED,
    ),
    beside(
        "call of eval: `eval('n + 1')`",
        "other = eval('n + 1')",
        "it uses `eval`, which looks at the frame it runs in",
        becomes=PLAIN,
    ),
    beside(
        "call of locals: `locals()`",
        "other = sorted(locals())",
        "it uses `locals`, which looks at the frame it runs in",
        becomes=PLAIN,
    ),
    Row(
        "await in a coroutine inside: `await g()`",
        """
import asyncio


def f(x, n):
    async def value():
        return 0.5

    async def twice():
        return await value() * 2.0

    total = 0.0
    for i in range(n):
        total += x[i] * 2.0
    return total * asyncio.run(twice())
""",
        "x, n",
        BESIDE,
        "it is or contains a coroutine",
    ),
)

ROWS = ATTRIBUTES + SUBSCRIPTIONS + SLICINGS + CALLS
