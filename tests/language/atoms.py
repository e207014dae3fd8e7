"""Atoms: names, literals, displays, comprehensions, generator expressions."""

from __future__ import annotations

from .row import BESIDE, COMPILED, PLAIN, Row, beside, of_arrays, of_items

TITLE = "Atoms"

LITERALS = (
    of_items("integer: `1000`", "x[i] * 1000"),
    of_items(
        "integer in another way: `1_000`, `0xff`, `0b101`, `0o17`", "x[i] * (1_000 + 0xFF + 0b101 + 0o17)"
    ),
    beside(
        "integer beyond 64 bits: `2**70`",
        "other = n + 1180591620717411303424",
        "it is plain Python: n + 1180591620717411303424",
    ),
    of_items("floating point number: `1.5`, `2e-3`", "x[i] * 1.5 + 2e-3"),
    of_arrays("imaginary number: `2j`", "z * 2j + 1.0"),
    of_items("truth value: `True`, `False`", "x[i] if True else 0.0"),
    Row(
        "None: `None`",
        """
def f(x, n, start=None):
    total = 0.0 if start is None else start
    for i in range(n):
        total += x[i] * 2.0
    return total
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "ellipsis: `...`",
        """
def f(m, n):
    total = 0.0
    for i in range(40):
        total += m[..., i].sum() + m[i, ...].max()
    return total
""",
        "m, n",
        COMPILED,
    ),
    Row(
        "string: `'text'`",
        """
def f(x, n, mode="fast"):
    total = 0.0
    for i in range(n):
        total += x[i] * 2.0 if mode == "fast" else x[i]
    return total
""",
        "x, n",
        COMPILED,
    ),
    beside("bytes: `b'text'`", 'other = b"total"', becomes=COMPILED),
    Row(
        "f-string: `f'{name}'`",
        """
def f(x, n, name="x"):
    label = f"sum of {name}"
    total = 0.0
    for i in range(n):
        total += x[i] * 2.0
    return label, total
""",
        "x, n",
        COMPILED,
    ),
    beside(
        "f-string of a computed number: `f'{total:.3f}'`",
        'other = f"sum {total:.3f}"',
        'it is plain Python: f"sum {total:.3f}"',
    ),
    beside(
        "f-string with a conversion and its own text: `f'{total!r} {n=}'`",
        'other = f"{total!r} {n=}"',
        'it is plain Python: f"{total!r} {n=}"',
    ),
    Row(
        "f-string in an f-string: `f'{f'{n}'}'`",
        """
def f(x, n, name="x"):
    label = f"sum of {"the " + f"{name}"}"
    total = 0.0
    for i in range(n):
        total += x[i] * 2.0
    return label, total
""",
        "x, n",
        COMPILED,
        since=(3, 12),
    ),
)

NAMES = (
    Row(
        "global name that is read: `RATE`",
        """
RATE = 0.25


def f(x, n):
    total = 0.0
    for i in range(n):
        total += x[i] * RATE
    return total
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "name of an enclosing function: `scale`",
        """
def make(scale):
    def f(x, n):
        total = 0.0
        for i in range(n):
            total += x[i] * scale
        return total

    return f


f = make(0.5)
""",
        "x, n",
        COMPILED,
    ),
    of_items("built-in name: `abs`, `min`, `max`", "max(min(abs(x[i]), 1.0), 0.5)"),
    of_items("parenthesised form: `(a)`", "(x[i])"),
    Row(
        "unbound name: `UnboundLocalError`",
        """
def f(x, n):
    for i in range(n - 1000):
        last = x[i]
    total = 0.0
    for i in range(n):
        total += x[i]
    return total + last
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "unknown name: `NameError`",
        """
def f(x, n):
    total = 0.0
    for i in range(n):
        total += x[i]
    return total + unknown
""",
        "x, n",
        PLAIN,
        "tracing it raised NameError: name 'unknown' is not defined",
    ),
)

DISPLAYS = (
    Row(
        "tuple: `(a, b)`",
        """
def f(x, n):
    pair = (0.0, 1.0)
    for i in range(n):
        pair = (pair[0] + x[i], pair[1] * 0.5)
    return pair
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "starred item of a tuple: `(*pair, c)`",
        """
def f(x, n):
    pair = (1.0, 2.0)
    weights = (*pair, 3.0)
    total = 0.0
    for i in range(n):
        total += x[i] * weights[2]
    return total, weights
""",
        "x, n",
        COMPILED,
    ),
    beside("list: `[a, b]`", "other = [total, 1.0]", becomes=COMPILED),
    beside(
        "list whose items are written in a loop: `sums[i] += a`",
        "other = [0.0, 0.0]\nfor i in range(n):\n    other[i % 2] += x[i]",
        becomes=COMPILED,
    ),
    Row(
        "list of arrays that grows: `rows.append(x * 2)`",
        """
def f(x, n):
    rows = []
    for i in range(n):
        x = x * 0.5 + i
        rows.append(x)
    return np.array(rows)
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "list that changes in its middle: `values.insert(0, a)`, `del values[1]`",
        """
def f(x, n):
    values = []
    for i in range(n):
        values.insert(i // 2, float(x[i]))
        if len(values) > 5:
            del values[1]
    return values
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "text that a condition chooses: `'up' if x[i] > 1 else 'down'`",
        """
def f(x, n):
    state, total = "down", 0.0
    for i in range(n):
        if state == "up":
            total += x[i]
        state = "up" if x[i] > 1 else "down"
    return state, total
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "comparison of tuples: `(i, j) != (n, 0)`",
        """
def f(x, n):
    i = j = 0
    while (i, j) != (n, 0):
        i, j = (i + 1, 0) if x[j] > x[i] or j == 2 else (i, j + 1)
    return i, j
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "variable that is None or a tuple: `best = (i, x[i])`",
        """
def f(x, n):
    best = None
    for i in range(n):
        if best is None or x[i] > best[1]:
            best = (i, x[i])
    return best
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "function as a key: `max(range(n), key=lambda i: x[i])`",
        """
def f(x, n):
    return max(range(n), key=lambda i: x[i] * x[i])
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "list of the caller's that grows: `history.append(a)`",
        """
def f(x, n, history):
    total = 0.0
    for i in range(n):
        total += x[i]
        history.append(total)
    return total
""",
        "x, n, []",
        COMPILED,
    ),
    Row(
        "list of the caller's that shrinks: `stack.pop()`",
        """
def f(n, stack):
    total = 0
    while stack:
        k = stack.pop()
        total += k
        if k > 1:
            stack.append(k // 2)
    return total
""",
        "n, [40, 30]",
        COMPILED,
    ),
    Row(
        "list that grows: `[]`, `append`",
        """
def f(x, n):
    found = []
    for i in range(n):
        if x[i] > 1.0:
            found.append(x[i] * 2.0)
    return found
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "starred item of a list: `[*pair, c]`",
        """
def f(x, n):
    pair = [1.0, 2.0]
    weights = [*pair, 3.0]
    total = 0.0
    for i in range(n):
        total += x[i] * weights[i % 3]
    return total
""",
        "x, n",
        COMPILED,
    ),
    beside("list of lists: `[[a, b], [c, d]]`", "other = [[total, 0.5], [0.25, 2.0]]", becomes=COMPILED),
    beside("set: `{a, b}`", "other = {n, n + 1}", "it is plain Python: {n, n + 1}"),
    Row(
        "dictionary: `{'a': x}`",
        """
def f(x, n):
    params = {"rate": 0.5, "bias": 1.0}
    total = 0.0
    for i in range(n):
        total += x[i] * params["rate"] + params["bias"]
    return total
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "dictionary that is returned: `return {'a': x}`",
        """
def f(x, n):
    total = 0.0
    for i in range(n):
        total += x[i] * 2.0
    return {"total": total, "twice": x * 2.0 + 1.0}
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "dictionary of ints that grows: `counts[i] = counts.get(i, 0) + 1`",
        """
def f(k, n):
    counts = {}
    for i in range(n):
        counts[int(k[i])] = counts.get(int(k[i]), 0) + 1
    return counts, max(counts, key=counts.get)
""",
        "k, n",
        COMPILED,
    ),
    Row(
        "dictionary with a default: `defaultdict(int)`, `Counter(items)`",
        """
from collections import Counter, defaultdict


def f(k, n):
    sums = defaultdict(float)
    for i in range(n):
        sums[int(k[i])] += 0.5 * i
    return sums, Counter(k.tolist())
""",
        "k, n",
        COMPILED,
    ),
    Row(
        "set of ints that grows: `seen.add(i)`, `i in seen`",
        """
def f(k, n):
    seen = set()
    total = 0
    for i in range(n):
        if int(k[i]) * i not in seen:
            seen.add(int(k[i]) * i)
            total += i
    return total, len(seen), seen
""",
        "k, n",
        COMPILED,
    ),
    Row(
        "dictionary or set of tuples of ints: `far[i, j] = 0`, `(i, j) in seen`",
        """
def f(k, n):
    far, seen = {(0, 0): 0}, set()
    for i in range(n):
        cell = int(k[i]), i % 3
        if cell not in seen:
            seen.add(cell)
            far[cell] = far.get((i, 0), 0) + i
    return far, len(seen), (1, 1) in seen
""",
        "k, n",
        COMPILED,
    ),
    Row(
        "dictionary that loses keys: `d.pop(i, 0)`, `del d[i]`",
        """
def f(k, n):
    last, total = {}, 0
    for i in range(n):
        total += last.pop(int(k[i]), -1)
        last[int(k[i])] = i
        if i in last:
            del last[i]
    return total, len(last)
""",
        "k, n",
        COMPILED,
    ),
    Row(
        "unpacking in a dictionary: `{**a, 'b': 1}`",
        """
def f(x, n):
    base = {"rate": 0.5}
    params = {**base, "bias": 1.0}
    total = 0.0
    for i in range(n):
        total += x[i] * params["rate"] + params["bias"]
    return total, params
""",
        "x, n",
        COMPILED,
    ),
)

COMPREHENSIONS = (
    beside("list comprehension: `[g(v) for v in x]`", "other = [v * 2.0 + 1.0 for v in x]", becomes=COMPILED),
    beside(
        "list comprehension with a condition: `[v for v in x if v > 1]`",
        "other = [v * 2.0 for v in x if v > 1.0]",
        becomes=COMPILED,
    ),
    beside(
        "list comprehension of two loops: `[... for i in a for j in b]`",
        "other = [v * i for v in x for i in range(2)]",
        becomes=COMPILED,
    ),
    beside(
        "nested list comprehension: `[[... for j in b] for i in a]`",
        "other = [[v * i for i in range(2)] for v in x]",
        "its lists are Python's: this use of a list of rows can't be compiled",
    ),
    beside("set comprehension: `{v for v in k}`", "other = {int(v) for v in k}", becomes=COMPILED),
    beside(
        "dictionary comprehension: `{i: v for i in ...}`",
        "other = {i: i * i for i in range(5)}",
        "its lists are Python's: a list that Python's own code gets can't be compiled",
    ),
    Row(
        "asynchronous comprehension: `[v async for v in ...]`",
        """
import asyncio


def f(x, n):
    async def items():
        for i in range(3):
            yield i

    async def gather():
        return [v async for v in items()]

    total = 0.0
    for i in range(n):
        total += x[i] * 2.0
    return total, asyncio.run(gather())
""",
        "x, n",
        BESIDE,
        "it is or contains a coroutine",
    ),
    Row(
        "generator expression in sum: `sum(v for v in x)`",
        """
def f(x, n):
    return sum(x[i] * 2.0 for i in range(n))
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "generator expression in any and all: `any(v > 1 for v in x)`",
        """
def f(x, n):
    return any(x[i] > 1.9 for i in range(n)), all(x[i] > 0.0 for i in range(n))
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "generator expression by itself: `squares = (v * v for v in x)`",
        """
def f(x, n):
    squares = (x[i] * x[i] for i in range(n))
    total = 0.0
    for value in squares:
        total += value
    return total
""",
        "x, n",
        COMPILED,
    ),
)

ROWS = LITERALS + NAMES + DISPLAYS + COMPREHENSIONS
