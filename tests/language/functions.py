"""Functions: defined in the decorated function, called by it, and the decorated one itself; coroutines."""

from __future__ import annotations

import dataclasses

from .row import BESIDE, COMPILED, PLAIN, Row, beside

TITLE = "Functions and coroutines"


def inside(
    construct: str, definition: str, call: str, why: str = "", becomes: str = COMPILED, before: str = ""
) -> Row:
    """A row of a function that is defined in the decorated one, and called in its loop."""
    body = definition.strip("\n").replace("\n", "\n    ")
    program = f"""{before}
def f(x, n):
    {body}

    total = 0.0
    for i in range(n):
        total += {call}
    return total
"""
    return Row(construct, program, "x, n", becomes, why)


FUNCTIONS = (
    inside(
        "function inside: `def g(v: float) -> float: ...`",
        "def g(v: float) -> float:\n    if v > 1.0:\n        return 1.0\n    return v * 2.0",
        "g(x[i])",
    ),
    inside(
        "function inside that reads a local: `def g(v): return v * scale`",
        "scale = x[0]\n\ndef g(v):\n    return v * scale",
        "g(x[i])",
    ),
    inside(
        "default: `def g(v, rate=2): ...`",
        "def g(v, rate=2.0):\n    return v * rate",
        "g(x[i]) + g(x[i], 0.5)",
    ),
    inside(
        "keyword-only parameter: `def g(v, *, rate): ...`",
        "def g(v, *, rate=1.0):\n    return v * rate",
        "g(x[i], rate=0.5)",
    ),
    inside(
        "positional-only parameter: `def g(v, /): ...`",
        "def g(v, /, rate=1.0):\n    return v * rate",
        "g(x[i], 0.5)",
    ),
    inside(
        "variable arguments: `def g(*args): ...`",
        "def g(*args):\n    return args[0] * args[1]",
        "g(x[i], 0.5)",
    ),
    inside(
        "variable keywords: `def g(**options): ...`",
        "def g(v, **options):\n    return v * options['rate']",
        "g(x[i], rate=0.5)",
    ),
    inside(
        "recursion of a function inside: `def g(v): ... g(v - 1)`",
        "def g(v):\n    return v if v < 1 else g(v - 1) + 1",
        "x[i] * g(3)",
    ),
    inside(
        "recursion that depends on data: `def g(v): ... g(v / 2)`",
        "def g(v):\n    return v if v < 1.0 else g(v / 2.0)",
        "g(x[i])",
    ),
    beside(
        "recursion that returns a list: `return g(v - 1) + [v]`",
        "other = g(n % 7)",
        before="""
def g(v):
    return [v] if v < 1 else g(v - 1) + [v]


""",
        becomes=COMPILED,
    ),
    inside(
        "recursion on parts of an array: `def g(v): ... g(v[1:])`",
        "def g(v):\n    return 0.0 if len(v) == 0 else v[0] + g(v[1:])",
        "g(x[: i % 5])",
    ),
    beside(
        "recursion that returns an array: `return np.concatenate([g(v[::2]), ...])`",
        "other = g(x)",
        before="""
def g(v):
    if len(v) < 2:
        return v * 2.0
    return np.concatenate([g(v[1::2]), v[::2]])


""",
        becomes=COMPILED,
    ),
    inside(
        "decorator of a function inside: `@twice`",
        "@twice\ndef g(v):\n    return v * 2.0",
        "g(x[i])",
        before="""
def twice(g):
    return lambda v: g(g(v))


""",
    ),
    beside(
        "generator function inside: `def g(): yield a`",
        "def g():\n    yield 1.0\n    yield 2.0\n\nother = sum(g())",
        "it is or contains a generator",
    ),
    Row(
        "function inside that is returned: `return g`",
        """
def f(x, n):
    total = 0.0
    for i in range(n):
        total += x[i] * 2.0

    def g(v):
        return v * total

    return g
""",
        "x, n",
        PLAIN,
        "a function made while tracing has no source text",
        through="lambda g: g(2.0)",
    ),
    Row(
        "recursion of the decorated function: `f(n - 1)`",
        """
def f(x, n):
    total = 0.0
    for i in range(n):
        total += x[i] * 2.0
    return total + f(x, n - 400) if n > 400 else total
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "recursion of a function that is called: `fib(n)`",
        """
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def f(x, n):
    total = 0.0
    for i in range(n):
        total += x[i] * 2.0
    return total, fib(8)
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "default of the decorated function: `def f(x, rate=2): ...`",
        """
def f(x, n, rate=2.0):
    total = 0.0
    for i in range(n):
        total += x[i] * rate
    return total
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "keyword-only parameter of the decorated function: `def f(x, *, rate=2): ...`",
        """
def f(x, n, *, rate=2.0):
    total = 0.0
    for i in range(n):
        total += x[i] * rate
    return total
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "variable arguments of the decorated function: `def f(*arrays): ...`",
        """
def f(*arrays):
    total = 0.0
    for a in arrays:
        total += (a * 2.0 + 1.0).sum()
    return total
""",
        "x, y",
        COMPILED,
    ),
    Row(
        "variable keywords of the decorated function: `def f(x, **options): ...`",
        """
def f(x, n, **options):
    total = 0.0
    for i in range(n):
        total += x[i] * options.get("rate", 2.0)
    return total
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "decorator of the decorated function: `@logged`",
        """
import functools


def logged(g):
    @functools.wraps(g)
    def wrapper(*args):
        return g(*args)

    return wrapper


@logged
def f(x, n):
    total = 0.0
    for i in range(n):
        total += x[i] * 2.0
    return total
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "lambda that is decorated: `js.function(lambda x: ...)`",
        """
f = lambda x: x * 2.0 + 1.0
""",
        "x",
        COMPILED,
    ),
    dataclasses.replace(
        beside(
            "type parameters: `def g[T](v: T) -> T: ...`",
            "def g[T](v: T) -> T:\n    return v * 2.0\n\nother = g(total)",
            "it has type parameters",
        ),
        since=(3, 12),
    ),
    Row(
        "type parameters of the decorated function: `def f[T](x: T): ...`",
        """
def f[T](x: T, n: int) -> T:
    total = 0.0
    for i in range(n):
        total += x[i] * 2.0
    return total
""",
        "x, n",
        BESIDE,
        "it has type parameters",
        since=(3, 12),
    ),
    Row(
        "type alias: `type Vector = np.ndarray`",
        """
def f(x, n):
    type Vector = np.ndarray
    y: Vector = x
    total = 0.0
    for i in range(n):
        total += y[i] * 2.0
    return total
""",
        "x, n",
        BESIDE,
        "it has a `type` statement",
        since=(3, 12),
    ),
)

COROUTINES = (
    Row(
        "coroutine that is decorated: `async def f(x): ...`",
        """
import asyncio


async def f(x, n):
    total = 0.0
    for i in range(n):
        total += x[i] * 2.0
    await asyncio.sleep(0)
    return total
""",
        "x, n",
        PLAIN,
        "it is a generator or a coroutine",
        through="asyncio.run",
    ),
    Row(
        "async for: `async for v in items(): ...`",
        """
import asyncio


async def items():
    for v in range(3):
        yield v


async def f(x, n):
    total = 0.0
    for i in range(n):
        total += x[i] * 2.0
    async for v in items():
        total += v
    return total
""",
        "x, n",
        PLAIN,
        "it is a generator or a coroutine",
        through="asyncio.run",
    ),
    Row(
        "async with: `async with lock: ...`",
        """
import asyncio


async def f(x, n):
    total = 0.0
    for i in range(n):
        total += x[i] * 2.0
    async with asyncio.Lock():
        total += 1.0
    return total
""",
        "x, n",
        PLAIN,
        "it is a generator or a coroutine",
        through="asyncio.run",
    ),
    Row(
        "asynchronous generator that is decorated: `async def f(x): yield a`",
        """
import asyncio


async def f(x, n):
    total = 0.0
    for i in range(n):
        total += x[i] * 2.0
    yield total


def gathered(items):
    async def gather():
        return [v async for v in items]

    return asyncio.run(gather())
""",
        "x, n",
        PLAIN,
        "it is a generator or a coroutine",
        through="gathered",
    ),
    Row(
        "coroutine inside: `async def g(): ...`",
        """
import asyncio


def f(x, n):
    async def g():
        return 0.5

    total = 0.0
    for i in range(n):
        total += x[i] * 2.0
    return total * asyncio.run(g())
""",
        "x, n",
        BESIDE,
        "it is or contains a coroutine",
    ),
)

ROWS = FUNCTIONS + COROUTINES
