"""Assignments: chained, unpacked, augmented, annotated, and as expressions."""

# Reading names that nothing has bound is what some of them are about.
# ruff: noqa: F821, F823

from .cases import LOG, Box, Probe, case, t


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
