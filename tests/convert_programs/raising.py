"""`assert`, `raise`, and exceptions of Python itself."""

# Reading names that nothing has bound is what some of them are about.
# ruff: noqa: F821, F823

from .cases import case, t


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
