"""Compound statements: if, while, for, try, with, match."""

from __future__ import annotations

from .row import BESIDE, COMPILED, PLAIN, Row, beside

TITLE = "Compound statements"


def looped(construct: str, head: str, body: str = "total += v", args: str = "x, n", tail: str = "") -> Row:
    """A row of a loop that is compiled: its head, and its body."""
    names = ", ".join(part.split("(")[0] for part in args.split(", "))
    lines = body.strip("\n").replace("\n", "\n        ")
    program = f"""
def f({names}):
    total = 0.0
    {head}:
        {lines}
    {tail}return total
"""
    return Row(construct, program, args, COMPILED)


def tried(
    construct: str,
    statement: str,
    why: str = "it has a `try` statement",
    since: tuple[int, int] = (3, 10),
    becomes: str = BESIDE,
) -> Row:
    """A row of a statement behind a loop, which reads what the loop made."""
    body = statement.strip("\n").replace("\n", "\n    ")
    program = f"""
def f(x, n):
    total = 0.0
    for i in range(n):
        total += x[i] * 2.0
    {body}
    return total
"""
    return Row(construct, program, "x, n", becomes, why if becomes == BESIDE else "", since=since)


CONDITIONS = (
    looped("if: `if a: ...`", "for i in range(n)", "if x[i] > 1.0:\n    total += x[i]"),
    looped(
        "elif: `if a: ... elif b: ... else: ...`",
        "for i in range(n)",
        "if x[i] > 1.5:\n    total += 1.0\nelif x[i] > 1.0:\n    total += x[i]\nelse:\n    total -= 1.0",
    ),
    Row(
        "if of an argument: `if mode == 'fast': ...`",
        """
def f(x, mode):
    if mode == "fast":
        return x * 2.0 + 1.0
    return np.sin(x)
""",
        "x, 'fast'",
        COMPILED,
    ),
    Row(
        "if of a computed number: `if x.max() > 1: ...`",
        """
def f(x):
    y = x * 2.0
    if y.max() > 1.0:
        y = y / y.max()
    return y + 1.0
""",
        "x",
        COMPILED,
    ),
    beside(
        "if of an array: `ValueError`",
        "other = x * 2.0\nif other > 1.0:\n    other = x",
        "bool(_) has no compiled form here",
    ),
    Row(
        "if that makes values of two types: `a = 1` or `a = 1.5`",
        """
def f(x, n):
    total = 0.0
    for i in range(n):
        if x[i] > 1.0:
            v = 1
        else:
            v = 1.5
        total += v
    return total
""",
        "x, n",
        COMPILED,
    ),
)

WHILES = (
    looped("while: `while a: ...`", "i = 0\n    while i < n", "total += x[i]\ni += 1"),
    looped(
        "while and else: `while a: ... else: ...`",
        "i = 0\n    while i < n",
        "total += x[i]\ni += 1\nif total > 1e9:\n    break",
        tail="else:\n        total += 1.0\n    ",
    ),
    looped(
        "endless while: `while True: ... break`",
        "i = 0\n    while True",
        "total += x[i]\ni += 1\nif i == n:\n    break",
    ),
)

FORS = (
    looped("for over a range: `for i in range(n)`", "for i in range(n)", "total += x[i]"),
    looped("for over an array: `for v in x`", "for v in x", args="x"),
    looped(
        "for over the rows of a matrix: `for row in m`", "for row in m", "total += row.max() - row[0]", "m"
    ),
    Row(
        "for over a list: `for v in values`",
        """
def f(values):
    total = 0.0
    for v in values:
        total += v * 2.0
    return total
""",
        "[0.5] * 1000",
        COMPILED,
    ),
    Row(
        "for over a list of arrays: `for a in arrays`",
        """
def f(arrays):
    total = 0.0
    for a in arrays:
        total += (a * 2.0 + 1.0).sum()
    return total
""",
        "[x, y]",
        COMPILED,
    ),
    looped(
        "for over a tuple: `for w in (1, 2, 3)`",
        "for w in (0.5, 1.0, 2.0)",
        "for i in range(n):\n    total += x[i] * w",
    ),
    looped(
        "for with enumerate: `for i, v in enumerate(x)`", "for i, v in enumerate(x)", "total += v * i", "x"
    ),
    looped("for with zip: `for a, b in zip(x, y)`", "for a, b in zip(x, y)", "total += a * b", "x, y"),
    looped("for with reversed: `for v in reversed(x)`", "for i in reversed(range(n))", "total += x[i]"),
    Row(
        "for over a product: `itertools.product(a, b)`",
        """
import itertools


def f(x, n):
    total = 0.0
    for i, j in itertools.product(range(n), range(3)):
        total += i * x[j]
    return total
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "for over a dictionary's items: `for key, v in params.items()`",
        """
def f(x, n, params):
    total = 0.0
    for key, w in params.items():
        for i in range(n):
            total += x[i] * w
    return total
""",
        "x, n, {'rate': 0.5, 'bias': 1.0}",
        COMPILED,
    ),
    Row(
        "for over a string: `for c in 'abc'`",
        """
def f(x, n, mode):
    total = 0.0
    for c in mode:
        if c == "a":
            for i in range(n):
                total += x[i]
    return total
""",
        "x, n, 'abca'",
        COMPILED,
    ),
    beside(
        "for over a set: `for v in {1, 2}`",
        "other = 0\nfor v in {1, 2, 3}:\n    other += v",
        "it is plain Python: {1, 2, 3}",
    ),
    beside(
        "for over a generator function: `for v in halves(x)`",
        "other = 0.0\nfor v in halves(x):\n    other += v",
        "'halves' runs in Python: it is a generator or a coroutine",
        before="""
def halves(x):
    for v in x:
        yield v * 0.5


""",
    ),
    beside(
        "for over an object of yours: `__iter__`",
        "other = 0\nfor v in Countdown(3):\n    other += v",
        "'Countdown' has no compiled form",
        before="""
class Countdown:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return iter(range(self.n))


""",
    ),
    looped(
        "for and else: `for ...: ... else: ...`",
        "for i in range(n)",
        "total += x[i]\nif total > 1e9:\n    break",
        tail="else:\n        total += 1.0\n    ",
    ),
    Row(
        "loop variable after the loop: `for i in ...: ...; return i`",
        """
def f(x, n):
    total = 0.0
    for i in range(n):
        total += x[i]
    return total, i
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "for into a nested tuple: `for i, (a, b) in ...`",
        """
def f(x, y):
    total = 0.0
    for i, (a, b) in enumerate(zip(x, y)):
        total += a * b * i
    return total
""",
        "x, y",
        COMPILED,
    ),
)

TRIES = (
    tried(
        "try and except: `try: ... except ValueError: ...`",
        "try:\n    total = total / (n - 1000)\nexcept ZeroDivisionError:\n    total = -1.0",
        becomes=COMPILED,
    ),
    tried(
        "except as: `except ValueError as error: ...`",
        "try:\n    total = total / (n - 1000)\nexcept ArithmeticError as error:\n    total = str(error)",
    ),
    tried(
        "except of everything: `except: ...`",
        "try:\n    total = total / (n - 1000)\nexcept:\n    total = -1.0",
    ),
    tried(
        "try and else: `try: ... except A: ... else: ...`",
        "try:\n    total = total * 2.0\nexcept ValueError:\n    total = -1.0\nelse:\n    total += 1.0",
        becomes=COMPILED,
    ),
    tried("finally: `try: ... finally: ...`", "try:\n    total = total * 2.0\nfinally:\n    total += 1.0"),
    tried(
        "exception groups: `try: ... except* ValueError: ...`",
        "try:\n    raise ExceptionGroup('all', [ValueError('one')])\nexcept* ValueError:\n    total += 1.0",
        since=(3, 11),
    ),
    Row(
        "loop in a try: `try: for ...: ... except IndexError: ...`",
        """
def f(x, n):
    total = 0.0
    try:
        for i in range(n):
            total += x[i] * 2.0
    except IndexError:
        total = -1.0
    return total
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "try in a loop: `for ...: try: ...`",
        """
def f(x, n):
    total = 0.0
    for i in range(n):
        try:
            total += x[i] / (i - 3)
        except ZeroDivisionError:
            total -= 1.0
    for i in range(n):
        total += x[i]
    return total
""",
        "x, n",
        COMPILED,
    ),
    Row(
        "try in a function that is called: `g(x)`",
        """
def parsed(text):
    try:
        return float(text)
    except ValueError:
        return 0.0


def f(x, n, text):
    rate = parsed(text)
    total = 0.0
    for i in range(n):
        total += x[i] * 2.0
    return total, rate
""",
        "x, n, '0.5'",
        BESIDE,
        "it has a `try` statement",
    ),
)

WITHS = (
    Row(
        "with: `with np.errstate(...): ...`",
        """
def f(x):
    with np.errstate(divide="ignore"):
        y = x / 2.0 + 1.0
    return y * y
""",
        "x",
        COMPILED,
    ),
    Row(
        "with as: `with a as b: ...`",
        """
import io


def f(x, n):
    total = 0.0
    for i in range(n):
        total += x[i] * 2.0
    with io.StringIO("abc") as file:
        text = file.read()
    return total, text
""",
        "x, n",
        BESIDE,
        "a with statement over an object of the user's",
    ),
    Row(
        "with several: `with a as b, c as d: ...`",
        """
import io


def f(x, n):
    total = 0.0
    for i in range(n):
        total += x[i] * 2.0
    with io.StringIO("abc") as one, io.StringIO("de") as two:
        text = one.read() + two.read()
    return total, text
""",
        "x, n",
        BESIDE,
        "a with statement over an object of the user's",
    ),
    Row(
        "with in parentheses: `with (a as b, c as d): ...`",
        """
import io


def f(x, n):
    total = 0.0
    for i in range(n):
        total += x[i] * 2.0
    with (
        io.StringIO("abc") as one,
        io.StringIO("de") as two,
    ):
        text = one.read() + two.read()
    return total, text
""",
        "x, n",
        BESIDE,
        "a with statement over an object of the user's",
    ),
    Row(
        "with of an object of yours around a loop: `with timer: for ...: ...`",
        """
class Timer:
    def __enter__(self):
        return self

    def __exit__(self, *raised):
        return False


def f(x, n, timer):
    total = 0.0
    with timer:
        for i in range(n):
            total += x[i] * 2.0
    return total
""",
        "x, n, Timer()",
        PLAIN,
        "a with statement over an object of the user's",
    ),
    Row(
        "with of a lock around a loop: `with lock: for ...: ...`",
        """
import threading

LOCK = threading.Lock()


def f(x, n):
    total = 0.0
    with LOCK:
        for i in range(n):
            total += x[i] * 2.0
    return total
""",
        "x, n",
        BESIDE,
        "a with statement over an object of the user's",
    ),
    Row(
        "with a scope: `with js.jit_scope(): ...`",
        """
import jitscope as js


def f(x, y, n):
    total = 0.0
    for i in range(n):
        total += x[i] * 2.0
    if n < 0:
        with js.jit_scope():
            y = y + 1.0
    return total, y
""",
        "x, y, n",
        COMPILED,
    ),
)


def matched(construct: str, pattern: str, subject: str = "n", value: str = "", before: str = "") -> Row:
    """A row of a `match` behind a loop."""
    names = "x, n" + (", subject" if value else "")
    program = f"""{before}
def f({names}):
    total = 0.0
    for i in range(n):
        total += x[i] * 2.0
    match {"subject" if value else subject}:
        case {pattern}:
            total += 1.0
        case _:
            total -= 1.0
    return total
"""
    return Row(
        construct, program, "x, n" + (f", {value}" if value else ""), BESIDE, "it has a `match` statement"
    )


POINT = """
class Point:
    __match_args__ = ("a", "b")

    def __init__(self, a, b):
        self.a, self.b = a, b


"""

MATCHES = (
    matched("match of a literal: `case 1000:`", "1000"),
    matched("match of a string: `case 'fast':`", "'fast'", value="'fast'"),
    matched("match of several: `case 1 | 2:`", "1 | 1000"),
    matched("match with a capture: `case v:`", "v if v > 3"),
    matched("match with a wildcard: `case _:`", "999"),
    matched("match with a guard: `case v if v > 3:`", "v if v > 3"),
    matched("match as: `case 1 | 2 as v:`", "1 | 1000 as v"),
    matched("match of a value: `case np.newaxis:`", "np.newaxis", value="None"),
    matched("match of a sequence: `case [a, b]:`", "[a, b]", value="(1.0, 2.0)"),
    matched("match of a sequence with a rest: `case [a, *rest]:`", "[a, *rest]", value="(1.0, 2.0, 3.0)"),
    matched("match of a mapping: `case {'rate': r}:`", "{'rate': r}", value="{'rate': 0.5}"),
    matched(
        "match of a mapping with a rest: `case {'rate': r, **rest}:`",
        "{'rate': r, **rest}",
        value="{'rate': 0.5, 'bias': 1.0}",
    ),
    matched("match of a class: `case Point(a=1):`", "Point(a=1)", value="Point(1, 2)", before=POINT),
    matched(
        "match of a class by position: `case Point(a, b):`", "Point(a, b)", value="Point(1, 2)", before=POINT
    ),
    matched("match of a built-in class: `case int(v):`", "int(v)"),
    matched("match in parentheses: `case (1):`", "(1000)"),
    Row(
        "match in a loop: `for ...: match ...: ...`",
        """
def f(x, k, n):
    total = 0.0
    for i in range(n):
        match k[i]:
            case 1 | 3:
                total += x[i]
            case _:
                total -= 1.0
    for i in range(n):
        total += x[i] * 2.0
    return total
""",
        "x, k, n",
        BESIDE,
        "it has a `match` statement",
    ),
)

ROWS = CONDITIONS + WHILES + FORS + TRIES + WITHS + MATCHES
