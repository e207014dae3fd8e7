"""`with`, and exits through it."""

# Reading names that nothing has bound is what some of them are about.
# ruff: noqa: F821, F823

from contextlib import suppress

from .cases import case, entered, t


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
