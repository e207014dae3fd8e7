"""`while`, with `break`, `continue` and `else`."""

# Reading names that nothing has bound is what some of them are about.
# ruff: noqa: F821, F823

from .cases import case, t


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
