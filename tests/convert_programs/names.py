"""Names that are deleted, never bound, global, or those of operators."""

# Reading names that nothing has bound is what some of them are about.
# ruff: noqa: F821, F823

from .cases import FACTOR, case, t


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
