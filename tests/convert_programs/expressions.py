"""Logic, comparisons, subscripts, f-strings, displays, calls and comprehensions."""

# Reading names that nothing has bound is what some of them are about.
# ruff: noqa: F821, F823

from .cases import Truth, case, t


@case((0, 1), (2, 3), ("", []))
def logic_values(a, b):
    return a and b, a or b, not a, not (a and not b)


@case((Truth("a", True), Truth("b", False), Truth("c", True)))
def logic_order(a, b, c):
    x = a and b and c
    y = a or b or c
    z = not a
    return x, y, z


@case((0,), (1,))
def logic_short_circuit(a):
    r = a and t("and")
    s = a or t("or")
    return r, s


@case((0,), (1,))
def conditional(a):
    return t("yes") if a else t("no")


@case((0,), (1,), (2,))
def conditional_nested(a):
    return "zero" if a == 0 else "one" if a == 1 else "more"


@case((1,), (3,), (9,))
def chain(a):
    return 0 < a < 5, 0 <= t(a) <= t(3) < t(4), a == a != 3, 1 < a > 0


@case((None,), ([],), (3,))
def identity(a):
    return a is None, a is not None, a in (1, 2, 3), a not in [3], not a is None


@case((1,), (5,))
def chain_mixed(a):
    b = [1, 2]
    return a in b != [], a is a in b, (1 < a) < 2


@case(([5, 6, 7, 8], 1))
def subscripts(a, i):
    return a[0], a[-1], a[i], a[i:], a[:i], a[i::2], a[::-1], a[1:3], a[i + 1]


@case(({(0, 1): "x", (slice(1, 2).start, ...): "y"}, 0))
def subscripts_tuple(d, i):
    return d[0, 1], d[i, 1], d[1, ...]


@case(([1, 2, 3, 4], 1))
def slice_store(a, i):
    a[i : i + 2] = [9]
    a[:1] = []
    a[i:] += [5]
    del a[i:][0]
    del a[: i - 1]
    return a


@case((1.5, 7))
def fstrings(x, n):
    w = 8
    return f"{x:.2f}|{n!r:>5}|{x:{w}.{n - 5}f}|{{}}|{n=}|{'ab'}|", "plain {}", "", f"{x}tail"


@case(([1, 2],))
def fstring_order(a):
    return f"{a} {a.pop()} {a} {t(len(a))}"


@case(())
def fstring_bad_format():
    x = 3
    return f"{x:zz}"


@case((3,))
def displays(n):
    a = [n, *[1, 2]]
    d = {"a": n, **{"b": 1}}
    s = {n, n + 1}
    return a, d, s, (n, *a), [], {}, [[n], [n]]


@case((lambda *a, **k: (a, sorted(k.items())),))
def call_forms(f):
    a, k = (1, 2), {"z": 3}
    return f(), f(1, *a, 5, x=1, **k), f(*a, *a), f(**k, y=2), f(fn=1, self=2)


@case(())
def call_order():
    return t(max)(t(1), *t([2, 3]), default=t(4)) if False else t(max)(t(1), t(2), key=t(None))


@case(([3, 1, 2],))
def call_methods(a):
    a.sort()
    return a.copy(), "a-b".split("-"), ", ".join(str(x) for x in a), len(a)


@case((5,))
def comprehension(n):
    return (
        [x * n for x in range(n)],
        [x for x in range(n) if x % 2 if x > 1],
        {x % 3 for x in range(n)},
        {x: x * x for x in range(n) if x},
        sum(x for x in range(n)),
        [a + b for a, b in zip(range(n), range(n))],
        [(a, b, c) for a, (b, *c) in [(1, (2, 3, 4))]],
    )


@case((3,))
def comprehension_nested(n):
    m = [[i * j for j in range(n)] for i in range(n)]
    return m, [[row[k] for row in m] for k in range(n)], [sum(x * y for x in range(3)) for y in range(n)]


@case((0,), (3,))
def comprehension_several(n):
    pairs = [(i, j) for i in range(n) if i for j in range(i) if j != 1]
    return (
        pairs,
        {i + j for i in range(n) for j in range(n) if i != j},
        {i: (j, k) for i in range(n) for j in range(i) for k in (1, 2) if k > j},
        sum(i * j for i, j in pairs for _ in range(i)),
    )


@case((3,))
def comprehension_scope(n):
    x = "outer"
    a = [x for x in range(n)]
    return x, a, [n for n in range(n)]


@case((3,))
def comprehension_same_name_twice(n):
    return [_ for _, _ in [(1, 2), (3, 4)]]


@case((3,))
def comprehension_order(n):
    return {t(("k", x)): t(("v", x)) for x in t([1, 2]) if t(("if", x))}


@case((3,), (0,))
def comprehension_unbound(n):
    for i in range(n):
        y = i
    return [y + x for x in range(2)]


@case((3,))
def generator_is_lazy(n):
    g = (t(x) * n for x in range(3))
    n = 100
    t("made")
    return list(g)


@case((3,), (0,))
def generator_reads_unbound(n):
    g = (y for _ in range(1))
    if n:
        y = n
    return list(g)
