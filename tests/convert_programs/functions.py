"""Functions and lambdas inside of a function, and what they share with it."""

# Reading names that nothing has bound is what some of them are about.
# ruff: noqa: F821, F823

from .cases import case


@case((3,))
def closure_late(n):
    fs = []
    for i in range(n):
        fs.append(lambda: i)
    return [f() for f in fs]


@case((3,))
def closure_default(n):
    fs = []
    for i in range(n):
        fs.append(lambda x, i=i: (x, i))
    return [f(0) for f in fs]


@case((3,))
def closure_late_state(n):
    def read():
        return total

    total = 0
    out = []
    for i in range(n):
        total += i
        out.append(read())
    if n:
        total = "end"
    return out, read()


@case((3,), (0,))
def closure_branch_local(n):
    if n:
        y = 1
        f = lambda: y
        y = 2
        return f()
    return None


@case((5,))
def inner_recursive(n):
    def fact(k):
        if k < 2:
            return 1
        return k * fact(k - 1)

    return fact(n)


@case((5,))
def inner_mutual(n):
    def even(k):
        return True if k == 0 else odd(k - 1)

    def odd(k):
        return False if k == 0 else even(k - 1)

    return even(n)


@case((5,))
def inner_early_return(n):
    def find(limit):
        for i in range(limit):
            if i * i > limit:
                return i
        return None

    return [find(k) for k in range(n)], find


@case((5,))
def inner_signature(n):
    def f(a, b=n, /, *c, d, e=n + 1, **g):
        "doc"
        if a:
            b = c
        return a, b, c, d, e, sorted(g.items())

    n = 0
    return f(1, d=2), f(0, 3, 4, 5, d=6, e=7, h=8), f.__doc__


@case((5,))
def inner_decorated(n):
    def double(f):
        return lambda *a: f(*a) * 2

    @double
    def g(x):
        if x > 2:
            return x
        return n

    return g(1), g(3)


@case((2,))
def inner_in_loop(n):
    out = []
    for i in range(n):

        def f(x, k=i):
            while x < 10:
                x += k + 1
                if x == 7:
                    return "seven"
            return x, i

        out.append(f)
    return [g(4) for g in out], [g(0) for g in out]


@case((2,), (0,))
def inner_in_branch(n):
    if n:

        def f():
            return n
    else:
        f = lambda: "lambda"
    return f()


@case((2,))
def inner_names_shadow(x):
    def f(x):
        if x:
            x = x + 1
        return x

    for i in range(2):
        x = f(x)
    return x


@case((True,), (False,))
def inner_reads_maybe_unbound(c):
    def f():
        return y

    if c:
        y = 1
    try_it = f
    return try_it()


@case((3,))
def lambda_immediate(n):
    return (lambda a, *b, c=n: (a, b, c))(1, 2, 3), sorted([3, 1, 2], key=lambda v: -v)


@case((3,))
def lambda_with_logic(n):
    f = lambda x: x if x and x > 1 else "small"
    return [f(k) for k in range(n)]
