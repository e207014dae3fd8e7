"""Operators: arithmetic, shifts, bits, comparisons, logic, assignment expressions, conditionals, lambdas."""

from __future__ import annotations

from .row import COMPILED, PLAIN, Row, beside, of_arrays, of_items

TITLE = "Operators"

ARITHMETIC = (
    of_items("power: `x ** 2`", "x[i] ** 2"),
    of_items("power of a float: `x ** y`", "x[i] ** y[i]", tol=64),
    of_arrays("power of arrays: `x ** 2`", "x**2 + 1.0"),
    of_items("unary operators: `-x`, `+x`, `~k`", "-x[i] + +y[i] + ~k[i]"),
    of_items(
        "binary operators: `x + y`, `-`, `*`, `/`, `//`, `%`",
        "x[i] + y[i] - x[i] * y[i] + x[i] / y[i] + x[i] // 0.3 + y[i] % 0.7",
    ),
    of_items(
        "binary operators of integers: `i // 3`, `i % 3`", "x[i // 3] + x[i % 3] + (k[i] + 1) * 2 - k[i]"
    ),
    Row(
        "division by zero: `1 / 0`",
        """
def f(x, n):
    total = 0.0
    for i in range(n):
        total += 1.0 / (i - 900)
    return total
""",
        "x, n",
        COMPILED,
    ),
    of_arrays("arithmetic of arrays: `x * y - x / y`", "x * y - x / y"),
    of_arrays("matrix product: `m @ m`", "m @ m + 1.0", tol=64),
    beside("concatenation of lists: `a + b`", "other = [total] + [1.0]", becomes=COMPILED),
    beside("repetition of a list: `[0.0] * n`", "other = [0.0] * 7", becomes=COMPILED),
    beside("union of dictionaries: `a | b`", "other = {'a': total} | {'b': 1.0}", becomes=COMPILED),
    beside("string formatting: `'%d' % n`", 'other = "sum of %d" % n', 'it is plain Python: "sum of %d" % n'),
    of_items("shifts: `k << 2`, `k >> 1`", "(k[i] << 2) + (k[i] >> 1)"),
    of_items("bitwise operators: `k & 3`, `k | 8`, `k ^ 5`", "(k[i] & 3) + (k[i] | 8) + (k[i] ^ 5)"),
    of_arrays("bitwise operators of masks: `~a & b | c`", "(~(x > 1.0) & (y > 2.0)) | (x == y)"),
)

COMPARISONS = (
    of_items(
        "comparisons: `a < b`, `<=`, `>`, `>=`, `==`, `!=`",
        "(x[i] < y[i]) + (x[i] <= 1.0) + (x[i] > 1.0) + (y[i] >= 2.0) + (k[i] == 3) + (k[i] != 4)",
    ),
    of_items("chained comparison: `a < b <= c`", "0.5 < x[i] <= 1.5"),
    of_arrays("comparison of arrays: `x < y`", "(x < y) * x"),
    of_items("in a tuple: `k in (1, 3)`, `k not in (1, 3)`", "(k[i] in (1, 3, 5)) + (k[i] not in (2, 3))"),
    beside("in a list: `k in values`", "other = n in [1, 1000]", becomes=COMPILED),
    beside("in a range: `i in range(3, 90)`", "other = n in range(3, 900, 2)", becomes=COMPILED),
    beside("in an array: `3 in k`", "other = 3 in k", becomes=COMPILED),
    Row(
        "in a dictionary: `'bias' in params`",
        """
def f(x, n, params):
    total = 0.0
    for i in range(n):
        if "bias" in params:
            total += params["bias"]
        total += x[i]
    return total
""",
        "x, n, {'bias': 0.5}",
        COMPILED,
    ),
    Row(
        "is None: `start is None`, `start is not None`",
        """
def f(x, n, start):
    total = 1.0 if start is not None else 0.0
    for i in range(n):
        if start is None:
            total += x[i]
    return total
""",
        "x, n, None",
        COMPILED,
    ),
    beside(
        "identity of arrays: `a is b`",
        "other = x is y",
        "'is' between values that are known only at run time",
        becomes=PLAIN,
    ),
)

LOGIC = (
    of_items("and, or: `a and b`, `a or b`", "(x[i] > 0.5 and y[i] > 1.5) or x[i] > y[i]"),
    of_items(
        "and, or of numbers, which give one of them: `a and b`, `a or b`", "(x[i] and y[i]) + (x[i] or 1.0)"
    ),
    of_items("not: `not a`", "not x[i] > 1.0"),
    of_items("and that keeps an index in bounds: `i > 0 and x[i - 1] > 1`", "i < n - 1 and x[i + 1] > 1.0"),
    Row(
        "assignment expression: `(v := x[i])`",
        """
def f(x, n):
    total = 0.0
    for i in range(n):
        if (v := x[i] * 2.0) > 1.0:
            total += v
    return total
""",
        "x, n",
        COMPILED,
    ),
    of_items("conditional expression: `a if c else b`", "x[i] if x[i] > y[i] else y[i]"),
    Row(
        "lambda: `lambda v: v * v`",
        """
def f(x, n):
    square = lambda v: v * v
    total = 0.0
    for i in range(n):
        total += square(x[i])
    return total
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "lambda that reads a local: `lambda v: v * scale`",
        """
def f(x, n):
    scale = x[0] * 2.0
    scaled = lambda v, by=0.5: v * scale + by
    total = 0.0
    for i in range(n):
        total += scaled(x[i])
    return total
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "lambda as an argument: `integrate(lambda v: v * v)`",
        """
def integrate(g, x, n):
    total = 0.0
    for i in range(n):
        total += g(x[i])
    return total


def f(x, n):
    return integrate(lambda v: v * v + 1.0, x, n)
""",
        "x, n",
        COMPILED,
    ),
    beside(
        "lambda as a key: `sorted(v, key=lambda ...)`",
        "other = sorted([3, 1, 2], key=lambda v: -v)",
        "too little work for a call of compiled code",
    ),
    Row(
        "expression list: `a, b`",
        """
def f(x, n):
    low, high = x[0], x[0]
    for i in range(n):
        low, high = min(low, x[i]), max(high, x[i])
    return low, high
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "starred expression in a list of expressions: `return *pair, c`",
        """
def f(x, n):
    pair = (1, 2)
    total = 0.0
    for i in range(n):
        total += x[i] * 2.0
    return *pair, total
""",
        "x, n",
        COMPILED,
    ),
)

ROWS = ARITHMETIC + COMPARISONS + LOGIC
