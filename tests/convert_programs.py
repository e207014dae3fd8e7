"""Small programs with all that the converters know, each with the arguments to try."""

# Reading names that nothing has bound is what some of them are about.
# ruff: noqa: F821, F823

from contextlib import contextmanager, suppress

PROGRAMS = []
LOG = []
FACTOR = 3


def case(*argument_lists):
    """Add a function to PROGRAMS."""

    def add(fn):
        PROGRAMS.append((fn, argument_lists))
        return fn

    return add


def t(value):
    """Log that `value` was evaluated now."""
    LOG.append(value)
    return value


class Box:
    def __init__(self, **fields):
        self.__dict__.update(fields)

    def __repr__(self):
        return f"Box({self.__dict__})"


class Probe(list):
    """A list that logs what is done to it."""

    def __getitem__(self, i):
        LOG.append(("get", i))
        return super().__getitem__(i)

    def __setitem__(self, i, v):
        LOG.append(("set", i, v))
        super().__setitem__(i, v)

    def __delitem__(self, i):
        LOG.append(("del", i))
        super().__delitem__(i)


class Truth:
    """Something whose truth is asked for."""

    def __init__(self, name, value):
        self.name, self.value = name, value

    def __bool__(self):
        LOG.append(("bool", self.name))
        return self.value

    def __repr__(self):
        return self.name


@contextmanager
def entered(name):
    LOG.append(("enter", name))
    try:
        yield name
    finally:
        LOG.append(("exit", name))


# ---- branches


@case((1,), (-1,), (0,))
def branch_both(x):
    if x > 0:
        y = 1
    else:
        y = 2
    return y


@case((1,), (-1,))
def branch_one_unbound(x):
    if x > 0:
        y = 1
    return y


@case((1,), (-1,), (0,))
def branch_elif(x):
    if x > 0:
        r = "pos"
    elif x < 0:
        r = "neg"
    else:
        r = "zero"
    return r


@case((1,), (-1,), (5,), (50,))
def branch_returns(x):
    if x > 10:
        return "big"
    if x < 0:
        return "neg"
    elif x == 1:
        return
    return x


@case((1, 2), (2, 1), (-1, 4))
def branch_nested(a, b):
    if a > 0:
        if b > a:
            c = a
            d = 1
        else:
            c = b
        c += 1
    else:
        c = 0
        if b:
            return c, "early"
    return c


@case((True,), (False,))
def branch_unbound_then_used_in_branch(c):
    if c:
        x = 1
    if c:
        return x
    if not c:
        return x


@case((3,), (-3,))
def branch_dead_after(x):
    if x > 0:
        x = x + 1
        print_it = x * 2
        t(print_it)
    else:
        x = x - 1
        t(x)
    return "done"


@case((True,), (False,))
def branch_dead_copy_unbound(c):
    if c:
        x += 1
    return 1


@case((Truth("a", True),), (Truth("b", False),))
def branch_truth_once(c):
    if c:
        return t(1)
    else:
        return t(2)


@case((0,), (1,))
def branch_pass(x):
    if x:
        pass
    else:
        pass
    return x


@case((0,), (1,))
def branch_string_body(x):
    if x:
        "a string"
    return x


@case((0,), (1,), (2,))
def branch_test_sees_old_value(x):
    y = x
    if y == 0:
        y = 5
    elif y == 1:
        y = 6
    if y == 6:
        y = 7
    return y


# ---- while


@case((0,), (5,))
def while_sum(n):
    s = 0
    while n > 0:
        s += n
        n -= 1
    return s, n


@case((0,), (5,))
def while_unbound_after(n):
    while n > 0:
        last = n
        n -= 1
    return last


@case((5,), (3,), (0,))
def while_true_break(n):
    while True:
        n += 1
        if n % 4 == 0:
            found = n
            break
    return found


@case((5, 3), (5, 9))
def while_else(n, stop):
    i = 0
    while i < n:
        if i == stop:
            break
        i += 1
    else:
        return "no break", i
    return "break", i


@case((10,))
def while_continue(n):
    s = 0
    while n:
        n -= 1
        if n % 2:
            continue
        s += n
    return s


@case(([3, 2, 1, 0, 9],), ([0],))
def while_walrus(a):
    i = 0
    s = 0
    while (x := a[i]) > 0:
        s += x
        i += 1
    return s, x, i


@case(([3, 2, 1, 0, 9],))
def while_walrus_in_and(a):
    i = 0
    while (x := a[i]) and x > 1:
        i += 1
    return x


@case(([3, 2, 1, 0, 9],))
def while_walrus_body_reads(a):
    s = []
    while x := t(a.pop(0)):
        s.append(x)
    return s


@case((3,))
def while_walrus_previous(n):
    x = 0
    out = []
    while (x := x + 1) < n:
        out.append(x)
    return out


@case((3,))
def while_two_walrus(n):
    x = 0
    while (x := x + 1) + (y := x * 2) < 10:
        t((x, y))
    return x, y


@case((4,), (0,))
def while_return_inside(n):
    while n:
        n -= 1
        if n == 2:
            return "two"
    return n


@case((3,))
def while_false(n):
    while False:
        x = n
    else:
        y = n
    return y


@case((3,))
def while_nested_else(n):
    out = []
    i = 0
    while i < n:
        j = 0
        while j < n:
            if j == i:
                break
            j += 1
        else:
            out.append("never")
        if j == 2:
            break
        out.append((i, j))
        i += 1
    else:
        out.append("end")
    return out


# ---- for


@case(([1, 2, 3],), ([],))
def for_last(a):
    for x in a:
        pass
    return x


@case(([1, 2, 3],), ([],))
def for_sum(a):
    s = 0
    for x in a:
        s += x
    return s


@case(([1, 2, 3], 2), ([1, 2, 3], 7), ([], 1))
def for_else(a, key):
    for x in a:
        if x == key:
            r = "found"
            break
    else:
        r = "missing"
    return r


@case(([(1, 2), (3, 4)],), ([(1, 2, 3)],), ([5],))
def for_unpack(pairs):
    s = 0
    for a, b in pairs:
        s += a * b
    return s


@case(([(1, (2, 3)), (3, (4, 5, 6))],))
def for_unpack_nested(pairs):
    out = []
    for a, (b, *c) in pairs:
        out.append((c, b, a))
    return out, a, b, c


@case(([1, 2, 3],))
def for_target_subscript(a):
    out = [0, 0]
    for out[0] in a:
        out[1] += out[0]
    return out


@case(([1, 2, 3],))
def for_target_attribute(a):
    box = Box(k=0)
    for box.k in a:
        t(box.k)
    return box


@case((4,))
def for_break_continue(n):
    out = []
    for i in range(n):
        for j in range(n):
            if j == i:
                continue
            if j > 2:
                break
            out.append((i, j))
        else:
            out.append("else")
    return out, i, j


@case((4,), (0,))
def for_return_in_nested(n):
    for i in range(n):
        for j in range(n):
            if i * j == 2:
                return i, j
    return "none"


@case((4,))
def for_target_rebound(n):
    out = []
    for i in range(n):
        i = i * 2
        out.append(i)
    return out, i


@case((4,))
def for_same_target_twice(n):
    for i in range(n):
        for i in range(2):
            t(i)
        t(i)
    return i


@case((4,))
def for_iterable_evaluated_once(n):
    x = [1, 2]
    for i in t(x):
        if len(x) < n:
            x.append(i)
        x = list(x)
    return x


@case((3,))
def for_temporary_in_branches(n):
    out = []
    for i in range(n):
        if i:
            v = i
        else:
            v = "zero"
        out.append(v)
    return out


@case((3,), (1,), (0,))
def for_unbound_in_body(n):
    out = []
    for i in range(n):
        if i:
            v = i
        out.append(v)
    return out


@case((3,), (0,))
def for_unbound_first_round(n):
    out = []
    for i in range(n):
        if i > 0:
            out.append(prev)
        prev = i
    return out


@case((3,))
def for_fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


@case((5,))
def for_else_rebinds(n):
    s = 0
    for i in range(n):
        s += i
    else:
        i = "else"
        s = s * 2
    return i, s


@case((5,), (1,))
def for_else_with_break_unbound(n):
    for i in range(n):
        if i == 2:
            break
    else:
        z = 1
    return z


@case((3,))
def for_continue_in_else_of_inner(n):
    out = []
    for i in range(n):
        for j in range(i):
            if j == 1:
                break
        else:
            continue
        out.append(i)
    return out


@case((3,))
def for_break_in_else_of_inner(n):
    out = []
    for i in range(n):
        for j in range(i):
            pass
        else:
            out.append(i)
            break
    return out


@case((3,))
def for_dead_code(n):
    for i in range(n):
        t(i)
        continue
        t("never")
        x = 1
    return i
    x = 2


@case((3,))
def dead_code_makes_local(n):
    if n:
        return FACTOR
    return n
    FACTOR = 1


@case((3,), (0,))
def dead_assignment_makes_unbound(n):
    for i in range(n):
        t(never)
        break
        never = 1
    return i


# ---- with


@case((1,), (0,))
def with_plain(x):
    with entered("a") as name:
        y = x
        if x:
            y = 2
    return name, y


@case((1,), (0,))
def with_return(x):
    with entered("a"):
        if x:
            return "inside"
        t("after")
    return "outside"


@case((1,), (0,))
def with_top_return(x):
    with entered("a"):
        return t(x)


@case((3,))
def with_break(n):
    for i in range(n):
        with entered(i):
            if i == 1:
                break
            t(i)
    return i


@case((1,), (0,))
def with_suppress(x):
    with suppress(ZeroDivisionError):
        y = 1
        y = 10 / x
        z = y
    return y


@case((1,), (0,))
def with_suppress_unbound(x):
    with suppress(ZeroDivisionError):
        y = 10 / x
    return y


@case((1,), (0,))
def with_suppress_return(x):
    with suppress(ZeroDivisionError):
        return 10 / x
    return "swallowed"


@case((1,), (0,))
def with_suppress_branch(x):
    y = 0
    with suppress(ZeroDivisionError):
        if True:
            y = 1
            z = 1 / x
        y = 2
    return y


@case((1,), (0,))
def with_suppress_unbound_in_branch(x):
    with suppress(ZeroDivisionError):
        y = 10 / x
    if x == 0:
        return y
    return x and y


@case(())
def with_two():
    with entered("a") as a, entered("b") as b:
        t((a, b))
    return a + b


@case(())
def with_unpacking():
    with entered((1, 2)) as (a, b):
        return a, b


@case(())
def with_subscript_target():
    x = [0]
    with entered(5) as x[0]:
        t(x)
    return x


# ---- names


@case((1,), (0,))
def delete_name(x):
    y = x
    if x:
        del y
    return y


@case(())
def delete_twice():
    x = 1
    del x
    del x


@case((1,))
def delete_parameter(x):
    del x
    return x


@case(([1, 2, 3],))
def delete_item(a):
    del a[0], a[1]
    return a


@case((3,))
def delete_in_loop(n):
    x = 0
    for i in range(n):
        if i == 1:
            del x
        t(x)
    return x


@case((1,))
def delete_tuple(x):
    a = b = x
    del (a, b)
    return b


@case(())
def never_bound():
    x: int
    return x


@case(())
def unbound_read():
    y = x
    x = 1
    return y


@case(())
def undefined_global():
    return not_defined_anywhere + 1


@case((2,))
def global_read(x):
    return x * FACTOR


@case((2,))
def helper_names_taken(ag):
    if_body = ag
    get_state = 0
    for item in range(3):
        if item:
            get_state += item
            if_body += 1
    slice_1 = [1, 2, 3][ag - 1 :]
    return ag, if_body, get_state, item, slice_1


@case(([1, 2, 3, 4], 1))
def own_slice(a, i):
    slice = 5
    return a[i:], slice


# ---- assignment


@case((1,))
def assign_chained(x):
    a = b = c = x + 1
    return a, b, c


@case(())
def assign_chained_order():
    p = Probe([0, 0, 0])
    p[t(0)] = q = p[t(1)] = t(7)
    return p, q


@case(())
def assign_chained_same_object():
    a = b = []
    a.append(1)
    return a, b, a is b


@case(((1, 2),), ([1],), ("abc",), (5,))
def assign_unpack(v):
    a, b = v
    return b, a


@case(((1, 2, 3, 4),), ([1, 2],), ([1],))
def assign_star(v):
    a, *b, c = v
    return a, b, c


@case((iter([1, 2, 3]),))
def assign_star_only(v):
    (*a,) = v
    return a


@case(((1, (2, [3, 4])),))
def assign_nested(v):
    a, (b, [c, d]) = v
    return a, b, c, d


@case(())
def assign_swap():
    a, b, c = 1, 2, 3
    a, b, c = c, a, b
    return a, b, c


@case(())
def assign_subscript_swap():
    p = Probe([1, 2])
    p[t(0)], p[t(1)] = p[1], p[0]
    return p


@case(())
def assign_index_then_item():
    a = [0, 0, 0]
    i = 0
    i, a[i] = 1, 5
    a[i], i = 7, 2
    return a, i


@case(())
def assign_order():
    t(Probe([0, 0]))[t(1)] = t("value")
    return LOG[-3:]


@case(())
def assign_attribute_order():
    t(Box())
    t(Box(a=1)).k = t(2)


@case(())
def assign_empty():
    () = []
    [] = ()
    return 1


@case((5,))
def assign_annotated(x):
    y: int = x
    z: undefined_annotation = y + 1
    b = Box()
    b.k: int = 3
    return y, z, b


@case(())
def assign_mismatch():
    a, b = [1, 2, 3]


@case(([1, 2],))
def assign_list_target(v):
    [a, b] = v
    return a, b


@case(())
def assign_from_list_display():
    a, b = [1, 2]
    [c, d] = [b, a]
    return a, b, c, d


@case(())
def assign_starred_value():
    x = [2, 3]
    a, b, c = 1, *x
    return a, b, c


@case(([1, 2],))
def augmented_names(a):
    b = a
    b += [3]
    n = 2
    n **= 3
    n //= 3
    n %= 5
    n <<= 3
    n |= 1
    n ^= 3
    n &= 255
    n >>= 1
    return a, b, n


@case(())
def augmented_unbound():
    x += 1


@case((True,), (False,))
def augmented_maybe_unbound(c):
    if c:
        x = 1
    x += 1
    return x


@case(())
def augmented_items():
    p = Probe([1, 2])
    t(p)[t(1)] += t(5)
    d = {}
    d["k"] = 1
    d["k"] -= 2
    b = Box(n=1)
    b.n *= 10
    return p, d, b


@case(())
def augmented_item_reads_before_value():
    a = [1]

    def change():
        a[0] = 100
        return 1

    a[0] += change()
    return a


@case((5,))
def walrus_if(n):
    if (m := n * 2) > 5:
        return m
    return -m


@case((5,), (1,))
def walrus_elif(n):
    if n > 3:
        return n
    elif (m := n * 2) > 1:
        return m, "m"
    return m


@case(())
def walrus_order():
    r = [t(1), (x := t(2)), t(3), x]
    return r, x


@case(())
def walrus_rebinds():
    x = 1
    return x, (x := 2), x, (x := x + 5) + x


@case(())
def walrus_call():
    return max(t(3), (y := t(9)), key=lambda v: -v), y


@case((2,))
def walrus_compare(n):
    return (a := n + 1) < (b := n + 2), a, b


@case((2,))
def walrus_ifexp(n):
    return a if (a := n - 2) else "zero"


@case(())
def walrus_subscript():
    a = [1, 2, 3]
    return a[(i := 1)], a[i:], {(k := "x"): k}


@case((3,))
def walrus_for_iter(n):
    for x in (a := list(range(n))):
        a.append(x) if len(a) < 5 else None
    return a


# ---- expressions


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


# ---- functions inside


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


# ---- assert and raise


@case((1,), (0,))
def assertion(x):
    assert x
    assert x, t("never")
    return x


@case((0,))
def assertion_message(x):
    assert x, f"x is {t(x)}"


@case((1,), (2,), (3,), (0,))
def raising(x):
    if x == 1:
        raise ValueError("one", x)
    elif x == 2:
        raise KeyError
    elif x == 3:
        raise TypeError("three") from ValueError("cause")
    return x


@case((3,))
def raise_in_loop(n):
    for i in range(n):
        if i == 2:
            raise IndexError(i)
    return i


@case(())
def raise_not_an_exception():
    raise 5


@case(())
def not_callable():
    x = 3
    return x(1)


@case((3,))
def docstring(n):
    """A docstring

    of several lines."""
    for i in range(n):
        pass
    return i


@case((3,))
def everything(n):
    table = {}
    for i, row in enumerate([[1, 2], [3], []]):
        total = 0
        for v in row:
            if v == 3 and i:
                table[i] = "three"
                break
            total += v * n if v < 2 else -v
        else:
            table[i] = table.get(i, 0) + total
            if not row:
                return table, total, f"{i}: {total:>4}"
    return None


@case((10,), (1,), (7,))
def collatz(n):
    steps = 0
    while n != 1:
        n, steps = (n // 2 if n % 2 == 0 else 3 * n + 1), steps + 1
        if steps > 100:
            return None
    return steps


@case((30,))
def primes(n):
    sieve = [True] * n
    found = []
    for p in range(2, n):
        if not sieve[p]:
            continue
        found.append(p)
        for q in range(p * p, n, p):
            sieve[q] = False
    return found


@case(([5, 2, 9, 1],))
def insertion_sort(a):
    for i in range(1, len(a)):
        key = a[i]
        j = i - 1
        while j >= 0 and a[j] > key:
            a[j + 1] = a[j]
            j -= 1
        a[j + 1] = key
    return a


@case(([1, 3, 5, 7], 5), ([1, 3, 5, 7], 4))
def binary_search(a, x):
    low, high = 0, len(a)
    while low < high:
        mid = (low + high) // 2
        if a[mid] == x:
            return mid
        if a[mid] < x:
            low = mid + 1
        else:
            high = mid
    return -1


@case(("a(b[c])",), ("(]",), ("((",))
def brackets(text):
    stack = []
    for c in text:
        if c in "([":
            stack.append(c)
        elif c in ")]":
            if not stack or stack.pop() + c not in ("()", "[]"):
                return False
    return not stack


@case((3, 4))
def matrix(n, m):
    a = [[0] * m for _ in range(n)]
    for i in range(n):
        for j in range(m):
            a[i][j] = i * m + j
            if i and j:
                a[i][j] += a[i - 1][j - 1]
    return a, i, j


@case((48, 18))
def gcd(a, b):
    while b:
        a, b = b, a % b
    return a
