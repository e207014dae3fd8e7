"""`for`, with `break`, `continue` and `else`."""

# Reading names that nothing has bound is what some of them are about.
# ruff: noqa: F821, F823

from .cases import FACTOR, Box, case, t


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
