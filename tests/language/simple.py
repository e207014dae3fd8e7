"""Simple statements: assignments of every kind, assert, del, return, raise, break, import, global."""

from __future__ import annotations

from .row import BESIDE, COMPILED, PLAIN, Row, beside

TITLE = "Simple statements"

PARAMS = """
class Params:
    def __init__(self):
        self.total = 0.0


"""

WATCHED = """
class Watched:
    total = 0.0

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)


"""


def assigned(construct: str, statements: str, result: str = "total", args: str = "x, n", tol: int = 0) -> Row:
    """A row of statements in a loop that is compiled with them."""
    body = statements.strip("\n").replace("\n", "\n        ")
    program = f"""
def f({args}):
    total = 0.0
    for i in range(n):
        {body}
    return {result}
"""
    return Row(construct, program, args, COMPILED, tol=tol)


EXPRESSIONS = (
    beside("expression statement: `values.sort()`", "other = x.copy()\nother.sort()", becomes=COMPILED),
    Row(
        "docstring: `'Adds.'`",
        '''
def f(x, n):
    """Adds the items."""
    total = 0.0
    for i in range(n):
        total += x[i]
    return total
''',
        "x, n",
        COMPILED,
    ),
    Row(
        "assertion: `assert a > 0, 'text'`",
        """
def f(x, n):
    assert n > 0, "nothing to add"
    total = 0.0
    for i in range(n):
        assert x[i] > 0.0
        total += x[i]
    return total
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "assertion that fails: `AssertionError`",
        """
def f(x, n):
    total = 0.0
    for i in range(n):
        assert x[i] < 1.5, "too large"
        total += x[i]
    return total
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "pass: `pass`",
        """
def f(x, n):
    total = 0.0
    for i in range(n):
        if x[i] > 1.0:
            pass
        else:
            total += x[i]
    return total
""",
        "x, n",
        COMPILED,
    ),
)

ASSIGNMENTS = (
    assigned("assignment to a name: `a = b`", "v = x[i] * 2.0\ntotal = total + v"),
    assigned("chained assignment: `a = b = c`", "v = w = x[i] * 2.0\ntotal = total + v + w"),
    assigned(
        "assignment to a tuple: `a, b = b, a`", "v, w = x[i], x[n - 1 - i]\nv, w = w, v\ntotal += v / w"
    ),
    assigned(
        "assignment to nested targets: `a, (b, c) = ...`, `[a, b] = ...`",
        "v, (w, u) = x[i], (1.0, 2.0)\n[v, w] = w, v\ntotal += v * w + u",
    ),
    assigned("starred target: `a, *rest = ...`", "v, *rest = (x[i], 2.0, 3.0)\ntotal += v * rest[1]"),
    assigned("assignment to an item: `x[i] = a`", "x[i] = x[i - 1] * 0.5", "x"),
    assigned("assignment to a slice: `x[1:-1] = v`", "if i < 20:\n    x[1:-1] = x[:-2] * 0.5 + x[2:]", "x"),
    Row(
        "assignment by a mask: `x[x > 1] = 0`",
        """
def f(x, n):
    y = x * 2.0
    y[y > 1.0] = 0.0
    return y + 1.0
""",
        "x, n",
        COMPILED,
    ),
    beside(
        "assignment to an item of a list: `values[i] = a`",
        "other[0] = total",
        given="other=[1.0, 2.0]",
        becomes=COMPILED,
    ),
    beside(
        "assignment to an item of a dictionary: `params['a'] = b`",
        "other['total'] = total",
        given="other={'total': 1.0}",
        becomes=COMPILED,
    ),
    beside(
        "assignment to an attribute: `p.total = a`",
        "other.total = total",
        given="other=Params()",
        before=PARAMS,
        becomes=COMPILED,
    ),
    beside(
        "assignment to an attribute that the class sets by code of its own: `p.total = a`",
        "other.total = total",
        "'other' is a Watched",
        "other=Watched()",
        WATCHED,
    ),
    Row(
        "assignment to an attribute of an array: `x.shape = (...)`",
        """
def f(x, n):
    total = 0.0
    for i in range(n):
        total += x[i] * 2.0
    x.shape = (10, 100)
    return total, x
""",
        "x, n",
        BESIDE,
        "an assignment to the attribute 'shape' of a SymbolicArray",
    ),
    Row(
        "annotated assignment: `a: float = b`",
        """
def f(x: np.ndarray, n: int) -> float:
    total: float = 0.0
    for i in range(n):
        v: float = x[i]
        total += v
    return total
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "annotation without a value: `a: float`",
        """
def f(x, n):
    v: float
    total = 0.0
    for i in range(n):
        v = x[i]
        total += v
    return total
""",
        "x, n",
        COMPILED,
    ),
)

AUGMENTED = (
    assigned(
        "augmented assignment to a name: `a += b`, `-=`, `*=`, `/=`, `//=`, `%=`, `**=`",
        "v = x[i]\nv += 2.0\nv -= y[i]\nv *= 3.0\nv /= y[i]\nv //= 0.1\nv %= 5.0\nv **= 2\ntotal += v",
        args="x, y, n",
    ),
    assigned(
        "augmented shifts and bitwise operators: `a <<= b`, `>>=`, `&=`, `|=`, `^=`",
        "v = k[i]\nv <<= 3\nv >>= 1\nv &= 29\nv |= 2\nv ^= i\ntotal += v",
        args="k, n",
    ),
    assigned(
        "augmented assignment to an item: `x[i] += a`", "x[i] += 1.0\nx[i] *= x[i - 1]\nx[i] /= 2.0", "x"
    ),
    assigned(
        "augmented assignment to a slice: `x[1:-1] += a`",
        "if i < 20:\n    x[1:-1] += y[2:]\n    x[::2] *= 0.5",
        "x",
        "x, y, n",
    ),
    Row(
        "augmented matrix product: `a @= b`",
        """
def f(m):
    a = m * 0.5
    a @= m
    return a + 1.0
""",
        "m",
        COMPILED,
        tol=256,
    ),
    Row(
        "augmented assignment to an argument: `x += y`",
        """
def f(x, y, n):
    for i in range(10):
        x += y * 0.5
    return x
""",
        "x, y, n",
        COMPILED,
    ),
    beside(
        "augmented assignment to an attribute: `p.total += a`",
        "other.total += total",
        given="other=Params()",
        before=PARAMS,
        becomes=COMPILED,
    ),
    beside(
        "augmented assignment to an item of a dictionary: `d['a'] += b`",
        "other['total'] += total",
        given="other={'total': 1.0}",
        becomes=COMPILED,
    ),
    Row(
        "augmented assignment to a list: `values += [a]`",
        """
def f(x, n):
    total = 0.0
    for i in range(n):
        total += x[i] * 2.0
    values = [1.0]
    values += [total]
    return values
""",
        "x, n",
        COMPILED,
    ),
)

DELETIONS = (
    assigned("deletion of a name: `del v`", "v = x[i] * 2.0\ntotal += v\ndel v"),
    beside(
        "deletion of an item of a list: `del values[0]`",
        "del other[0]",
        given="other=[1.0, 2.0]",
        becomes=COMPILED,
    ),
    beside(
        "deletion of a slice of a list: `del values[1:]`",
        "del other[1:]",
        given="other=[1.0, 2.0]",
        becomes=COMPILED,
    ),
    beside(
        "deletion of a key: `del params['a']`",
        "del other['total']",
        "'other' is a dict",
        "other={'total': 1.0}",
    ),
    beside(
        "deletion of an attribute: `del p.rate`",
        "del other.total",
        "it deletes an attribute",
        "other=Params()",
        PARAMS,
    ),
)

JUMPS = (
    Row(
        "return: `return a`",
        """
def f(x, n):
    return x * 2.0 + 1.0
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "return without a value: `return`",
        """
def f(x, n):
    for i in range(n):
        x[i] = x[i] * 2.0
    return
""",
        "x, n",
        COMPILED,
    ),
    assigned("return out of a loop: `for ...: return a`", "if x[i] > 1.5:\n    return i", "-1"),
    beside(
        "returns of two types out of a loop: `return i`, `return None`",
        "other = None\nfor i in range(n):\n    if x[i] > 1.5:\n        return i",
        becomes=COMPILED,
    ),
    beside(
        "array or None out of a loop: `return x`, `return None`",
        "other = None\nfor i in range(n):\n    if x[i] > 1.5:\n        return x",
        becomes=COMPILED,
    ),
    Row(
        "no return at all: `def f(x): ...`",
        """
def f(x, n):
    for i in range(n):
        x[i] = x[i] * 2.0
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "yield: `yield a`, in the decorated function",
        """
def f(x, n):
    total = 0.0
    for i in range(n):
        total += x[i] * 2.0
    yield total
    yield total + 1.0
""",
        "x, n",
        PLAIN,
        "it is a generator or a coroutine",
        through="list",
    ),
    Row(
        "yield from: `yield from a`, in the decorated function",
        """
def f(x, n):
    total = 0.0
    for i in range(n):
        total += x[i] * 2.0
    yield from (total, 1.0)
""",
        "x, n",
        PLAIN,
        "it is a generator or a coroutine",
        through="list",
    ),
    Row(
        "raise: `raise ValueError('text')`",
        """
def f(x, n):
    if n < 0:
        raise ValueError("n is negative")
    total = 0.0
    for i in range(n):
        total += x[i]
    return total
""",
        "x, n",
        COMPILED,
    ),
    assigned(
        "raise in a loop: `for ...: raise ValueError(...)`",
        'total += x[i]\nif total > 300.0:\n    raise ValueError("too much")',
    ),
    assigned(
        "raise with a computed text: `raise ValueError(f'{i}')`",
        "total += x[i]\nif total > 300.0:\n    raise ValueError(f'{i} is too much')",
    ),
    Row(
        "raise from: `raise A from B`",
        """
def f(x, n):
    total = 0.0
    for i in range(n):
        total += x[i] * 2.0
    if total > 300.0:
        raise ValueError("too much") from None
    return total
""",
        "x, n",
        BESIDE,
        "the exception's message is known only at run time",
    ),
    Row(
        "raise again: `except ...: raise`",
        """
def f(x, n):
    total = 0.0
    for i in range(n):
        total += x[i] * 2.0
    try:
        return total / (n - 1000)
    except ZeroDivisionError:
        raise
""",
        "x, n",
        BESIDE,
        "it has a `try` statement",
    ),
    beside(
        "raise of an exception of yours: `class TooMuch(Exception)`",
        "other = n + 1\nif other > n:\n    raise TooMuch('too much')",
        "'TooMuch' has no compiled form",
        before="""
class TooMuch(Exception):
    pass


""",
    ),
    assigned("break: `break`", "if x[i] > 1.5:\n    break\ntotal += x[i]", "total, i"),
    assigned("continue: `continue`", "if x[i] > 1.5:\n    continue\ntotal += x[i]"),
)

SCOPES = (
    beside("import: `import math`", "import math\nother = math.pi", becomes=COMPILED),
    beside("import as: `import math as m`", "import math as maths\nother = maths.pi", becomes=COMPILED),
    beside(
        "import from: `from math import pi`, `from math import pi as p`",
        "from math import pi, e as base\nother = pi, base",
        becomes=COMPILED,
    ),
    Row(
        "global that is read: `global rate`",
        """
rate = 0.5


def f(x, n):
    global rate
    total = 0.0
    for i in range(n):
        total += x[i] * rate
    return total
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "global that is written: `global last; last = a`",
        """
last = 0.0


def f(x, n):
    global last
    total = 0.0
    for i in range(n):
        total += x[i] * 2.0
    last = total
    return total
""",
        "x, n",
        BESIDE,
        "it assigns to globals with `global`",
    ),
    Row(
        "nonlocal that is read: `nonlocal rate`",
        """
def make():
    rate = 0.5

    def f(x, n):
        nonlocal rate
        total = 0.0
        for i in range(n):
            total += x[i] * rate
        return total

    return f


f = make()
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "nonlocal that is written: `nonlocal last; last = a`",
        """
def make():
    last = 0.0

    def f(x, n):
        nonlocal last
        total = 0.0
        for i in range(n):
            total += x[i] * 2.0
        last = total
        return total

    return f


f = make()
""",
        "x, n",
        BESIDE,
        "it assigns to the variables of an enclosing function with `nonlocal`",
    ),
    beside(
        "nonlocal in a function inside: `nonlocal total; total += a`",
        "other = 0.0\n\ndef add(v):\n    nonlocal other\n    other += v\n\nadd(total)",
        becomes=COMPILED,
    ),
)

ROWS = EXPRESSIONS + ASSIGNMENTS + AUGMENTED + DELETIONS + JUMPS + SCOPES
