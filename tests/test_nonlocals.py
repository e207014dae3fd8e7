"""Variables that functions inside assign with `nonlocal`."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import compare, decorate


def int_float(a: Any) -> Any:
    total = 0

    def add(v: Any) -> Any:
        nonlocal total
        total += v

    for v in a:
        add(v)
    return total


def none_best(a: Any) -> Any:
    best = None

    def see(i: Any, v: Any) -> Any:
        nonlocal best
        if best is None or v < best:
            best = v

    for i in range(len(a)):
        see(i, a[i])
    return best


def arrays(n: Any) -> Any:
    cur = np.zeros(5)

    def step(k: Any) -> Any:
        nonlocal cur
        cur = cur * 0.5 + k

    for k in range(n):
        step(k)
    return cur


def tuples(a: Any) -> Any:
    best = (0.0, -1)

    def see(i: Any) -> Any:
        nonlocal best
        if a[i] > best[0]:
            best = (a[i], i)

    for i in range(len(a)):
        see(i)
    return best


def params(n: Any, seed: Any) -> Any:
    def rand() -> Any:
        nonlocal seed
        seed = (1103515245 * seed + 12345) % 2147483648
        return seed / 2147483648

    s = 0.0
    for _ in range(n):
        s += rand()
    return s, seed


def nested2(n: Any) -> Any:
    c = 0

    def outer(k: Any) -> Any:
        def inner() -> Any:
            nonlocal c
            c += k

        inner()
        inner()

    for k in range(n):
        outer(k)
    return c


def own_of_helper(n: Any) -> Any:
    def helper(m: Any) -> Any:
        t = 0

        def up(v: Any) -> Any:
            nonlocal t
            t = t + v

        for i in range(m):
            up(i * i)
        return t

    s = 0
    for i in range(n):
        s += helper(i % 13)
    return s


def solve(n: Any) -> Any:
    solutions = []
    best = 10**9
    nodes = 0
    board = [-1] * n

    def ok(r: Any, c: Any) -> Any:
        for i in range(r):
            if board[i] == c or abs(board[i] - c) == r - i:
                return False
        return True

    def go(r: Any, cost: Any) -> Any:
        nonlocal best, nodes
        nodes += 1
        if cost >= best:
            return
        if r == n:
            best = cost
            return
        for c in range(n):
            if ok(r, c):
                board[r] = c
                go(r + 1, cost + abs(c - r))
                board[r] = -1

    go(0, 0)
    return best, nodes


def fails(n: Any) -> Any:
    c = 0

    def f(i: Any) -> Any:
        nonlocal c
        c += 1
        if i == 50:
            raise ValueError(c)

    try:
        for i in range(n):
            f(i)
    except ValueError as e:
        return c, e.args
    return c


def late(n: Any) -> Any:
    def f() -> Any:
        nonlocal x
        x += 1

    if n > 5:
        f()
    x = 0
    f()
    return x


def loopdef(n: Any) -> Any:
    s = 0
    for i in range(n):
        t = 0

        def f(v: Any) -> Any:
            nonlocal t, s
            t += v
            s += t

        f(1)
        f(i)
    return s, t


def whiles(n: Any) -> Any:
    pos = 0
    text = [k % 10 for k in range(n)]

    def peek() -> Any:
        return text[pos] if pos < len(text) else -1

    def take() -> Any:
        nonlocal pos
        v = text[pos]
        pos += 1
        return v

    s = 0
    while peek() >= 0:
        s += take()
    return s


def hanoi(n: Any) -> Any:
    moves = 0

    def move(n: Any, a: Any, b: Any, c: Any) -> Any:
        nonlocal moves
        if n == 0:
            return
        move(n - 1, a, c, b)
        moves += 1
        move(n - 1, c, b, a)

    move(n, 0, 2, 1)
    return moves


def shadow(n: Any) -> Any:
    x = 1
    k = 2

    def f(v: Any) -> Any:
        nonlocal x
        x += v + sum(x for x in range(3)) + sum([x for x in range(2)])
        h = lambda x: x + k
        x = h(x)

        def inner(x: Any) -> Any:
            return x * 2

        def other() -> Any:
            x = 5

            def deeper() -> Any:
                nonlocal x
                x += 1
                return x

            return deeper() + deeper()

        x += inner(3) + other()
        return [x + q for q in range(x % 3 + 1)]

    out = []
    for i in range(n):
        out.append(len(f(i)))
    return x, sum(out)


def order(n: Any) -> Any:
    x = 0

    def f() -> Any:
        nonlocal x
        x += 1
        return x

    for i in range(n):
        x = x + f() * 2 + x
        x %= 1009
        x += f()
        y, x = x, f() + i
        x, y = y, x
    return x, y


def deflt(n: Any) -> Any:
    x = 3

    def f(a: Any, b: Any = x, *, c: Any = x * 2) -> Any:
        nonlocal x
        x = (x + a + b + c) % 101

    for i in range(n):
        f(i)
    return x


def typed(n: Any) -> Any:
    x: int = 0

    def f(v: Any) -> Any:
        nonlocal x
        x += v

    for i in range(n):
        f(i)
    return x


def twice(n: Any) -> Any:
    a = b = c = 0

    def f(i: Any) -> Any:
        nonlocal a, b
        nonlocal c
        a += i
        b = max(b, a % 7)
        c = a + b

    for i in range(n):
        f(i)
    return a, b, c


def maker(n: Any) -> Any:
    def counter(start: Any) -> Any:
        c = start

        def step() -> Any:
            nonlocal c
            c += 1
            return c

        return step

    p, q = counter(0), counter(10)
    s = 0
    for i in range(n):
        s += p() * q()
    return s, p(), q()


def shared(n: Any) -> Any:
    total = 0

    def make(k: Any) -> Any:
        def add(v: Any) -> Any:
            nonlocal total
            total += v * k

        return add

    one, two = make(1), make(2)
    for i in range(n):
        one(i)
        two(i)
    return total


def strs(n: Any) -> Any:
    s = ""

    def put(c: Any) -> Any:
        nonlocal s
        s += c

    for i in range(n):
        put("ab"[i % 2])
    return s


def lst(n: Any) -> Any:
    path = []

    def go(k: Any) -> Any:
        nonlocal path
        path = path + [k]

    for i in range(n):
        go(i)
    return path


def arr(a: Any) -> Any:
    b = a

    def f(i: Any) -> Any:
        nonlocal b
        b += i

    for i in range(5):
        f(i)
    return b is a, b


def arr2(a: Any) -> Any:
    b = a

    def f(i: Any) -> Any:
        nonlocal b
        b = b + i

    for i in range(50):
        f(i)
    return b


def raises(a: Any, n: Any) -> Any:
    c = 0

    def f(i: Any) -> Any:
        nonlocal c
        c += 1
        return a[i]

    s = 0.0
    for i in range(n):
        s += f(i)
    return s, c


def cond(n: Any) -> Any:
    if n > 3:
        x = 1
    else:
        x = 2.5

    def f() -> Any:
        nonlocal x
        x += 1

    for i in range(n):
        f()
    return x


def big(n: Any) -> Any:
    x = 1

    def f(i: Any) -> Any:
        nonlocal x
        x = x * i

    for i in range(1, n):
        f(i)
    return x


def mem(n: Any) -> Any:
    calls = 0

    @functools.lru_cache(None)
    def f(k: Any) -> Any:
        nonlocal calls
        calls += 1
        return k if k < 2 else f(k - 1) + f(k - 2)

    return f(n), calls


X = np.random.default_rng(1).random(200)
COMPILED: tuple[tuple[Any, tuple[Any, ...]], ...] = (
    (int_float, (X,)),
    (none_best, (X,)),
    (arrays, (40,)),
    (tuples, (X,)),
    (params, (100, 7)),
    (nested2, (30,)),
    (own_of_helper, (30,)),
    (solve, (5,)),
    (whiles, (50,)),
    (hanoi, (7,)),
    (shadow, (30,)),
    (order, (50,)),
    (deflt, (50,)),
    (typed, (50,)),
    (twice, (50,)),
    (maker, (50,)),
    (shared, (50,)),
    (arr2, (X,)),
    (raises, (X, 20)),
    (cond, (10,)),
    (big, (15,)),
)
OTHERS: tuple[tuple[Any, tuple[Any, ...]], ...] = (
    (int_float, (X[:0],)),
    (int_float, (X > 0.5,)),
    (none_best, (X[:0],)),
    (raises, (X, 300)),
    (cond, (3,)),
    (big, (40,)),
    (arr, (X,)),
    (fails, (100,)),
    (late, (3,)),
    (late, (9,)),
    (loopdef, (50,)),
    (strs, (30,)),
    (lst, (30,)),
    (mem, (20,)),
)


@pytest.mark.parametrize(("program", "args"), [*COMPILED, *OTHERS])
def test_they_are_as_in_python(program: Any, args: tuple[Any, ...]) -> None:
    compare(program, decorate(program, cache=False), args, calls=3)


@needs_compiler
@pytest.mark.parametrize(("program", "args"), COMPILED)
def test_loops_that_call_such_functions_are_compiled(program: Any, args: tuple[Any, ...]) -> None:
    decorated: Any = decorate(program, cache=False)
    decorated(*args)
    assert has_compiled_part(decorated)


def by_default(x: Any, n: Any) -> Any:
    v = 0

    def g(h: Any = lambda: v) -> Any:
        return h()

    def f(k: Any) -> Any:
        nonlocal v
        v += k

    s = 0
    for i in range(n):
        f(i)
        s = s * 0.5 + x[i] + g()
    return s, v


def by_generator(x: Any, n: Any) -> Any:
    v = 1
    later = (v + i for i in range(3))

    def f(k: Any) -> Any:
        nonlocal v
        v += k

    s = 0.0
    for i in range(n):
        f(i)
        s += x[i]
    return s, list(later)


def in_a_default(x: Any, n: Any) -> Any:
    v = 1

    def outer(k: Any, read: Any = (lambda: v,)) -> Any:
        return read[0]() + k

    def f(k: Any) -> Any:
        nonlocal v
        v += k

    s = 0.0
    for i in range(n):
        f(i)
        s += x[i] * outer(i)
    return s


@pytest.mark.parametrize("program", [by_default, by_generator, in_a_default])
def test_what_sees_the_variable_later_sees_what_it_is_then(program: Any) -> None:
    decorated: Any = decorate(program, cache=False)
    for n in (3, 0, 8):
        compare(program, decorated, (X, n), calls=3)


def enclosed() -> tuple[Any, Any]:
    rate = 0.5

    def along(x: Any) -> Any:
        nonlocal rate
        s = 0.0
        for v in x:
            s = s * rate + v
        return s

    def set_rate(value: Any) -> None:
        nonlocal rate
        rate = value

    return along, set_rate


def test_one_that_is_only_read_is_read_anew() -> None:
    along, set_rate = enclosed()
    decorated = decorate(along, cache=False)
    for rate in (0.25, 2, 0.5):
        set_rate(rate)
        compare(along, decorated, (X,), calls=2)


x = 100


def enclosing(x: Any) -> Any:
    def f(a: Any) -> Any:
        def g() -> Any:
            global x
            return x

        s = 0.0
        for v in a:
            s = s * 0.5 + v * g()
        return s + x

    return f


def test_a_global_is_no_variable_of_the_functions_around() -> None:
    plain = enclosing(7)
    compare(plain, decorate(plain, cache=False), (X,), calls=3)
