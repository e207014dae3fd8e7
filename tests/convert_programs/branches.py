"""`if` and its branches, names bound in some of them included."""

# Reading names that nothing has bound is what some of them are about.
# ruff: noqa: F821, F823

from .cases import Truth, case, t


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
