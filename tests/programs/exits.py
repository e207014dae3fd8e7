"""`break`, `continue` and early `return`, alone and nested."""

import numpy as np

from .corpus import Theme, floats, ints, numbers

theme = Theme(__name__)


def break_for(a, limit):
    for i in range(len(a)):
        if a[i] > limit:
            break
    return i


theme.add(break_for, (floats(1, 2, 3), 1.5), (floats(1, 2, 3), 9), compiled=True)


def break_first(n):
    s = 0
    for i in range(n):
        break
        s += 1
    return s


theme.add(break_first, (3,), (0,))


def break_last_statement(n):
    s = 0
    for i in range(n):
        s += i
        if s > 3:
            break
    return s, i


theme.add(break_last_statement, (10,), (2,))


def break_leaves_only_inner(n):
    c = 0
    for i in range(n):
        for j in range(n):
            if j > i:
                break
            c += 1
        c += 100
    return c


theme.add(break_leaves_only_inner, (4,), compiled=True)


def break_two_places(a):
    k = 0
    for x in a:
        if x < 0:
            break
        k += 1
        if x > 5:
            break
        k += 10
    return k


theme.add(break_two_places, (floats(1, 2, -1, 3),), (floats(1, 6, 2),), (floats(1, 2),))


def break_in_else_branch(n):
    t = 0
    for i in range(n):
        if i < 3:
            t += i
        else:
            t = -t
            break
    return t


theme.add(break_in_else_branch, (2,), (7,))


def break_deep_in_ifs(n):
    t = 0
    for i in range(n):
        if i % 2:
            if i > 4:
                if t > 3:
                    break
                t += 1
            t += 2
        t += 3
    return t, i


theme.add(break_deep_in_ifs, (4,), (20,))


def continue_for(a):
    s = 0.0
    for x in a:
        if x < 0:
            continue
        s += x
    return s


theme.add(continue_for, (numbers(10),), compiled=True)


def continue_while(n):
    i = 0
    s = 0
    while i < n:
        i += 1
        if i % 3 == 0:
            continue
        s += i
    return s


theme.add(continue_while, (10,))


def continue_and_break(n):
    s = 0
    for i in range(n):
        if i % 2:
            continue
        if i > 6:
            break
        s += i
    return s, i


theme.add(continue_and_break, (20,), (3,))


def continue_nested(n):
    s = 0
    for i in range(n):
        for j in range(n):
            if j == i:
                continue
            if j == 3:
                break
            s += 1
        else:
            s += 10
            continue
        s += 100
    return s


theme.add(continue_nested, (3,), (5,))


def continue_last(n):
    k = 0
    for i in range(n):
        k += i
        continue
    return k


theme.add(continue_last, (4,))


def return_early(x):
    if x < 0:
        return -1
    y = x * 2
    return y


theme.add(return_early, (-3,), (3,))


def return_types_differ(x):
    if x < 0:
        return "negative"
    if x == 0:
        return None
    return x * 2.0


theme.add(return_types_differ, (-1,), (0,), (1,))


def return_from_loop(a, x):
    for i in range(len(a)):
        if a[i] == x:
            return i
    return -1


theme.add(return_from_loop, (floats(1, 2, 3), 3), (floats(1, 2), 9), compiled=True)


def return_from_nested_loops(m, x):
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            if m[i, j] > x:
                return i, j
    return None


theme.add(return_from_nested_loops, (numbers(3, 3), 1.0), (numbers(3, 3), 5.0))


def return_from_while(n):
    while True:
        if n % 7 == 0:
            return n
        n += 1


theme.add(return_from_while, (15,))


def return_missing_at_end(n):
    for i in range(n):
        if i == 3:
            return i


theme.add(return_missing_at_end, (5,), (2,))


def return_array_or_scalar(a, k):
    for i in range(k):
        if i == 2:
            return a
        a = a + 1
    return 0


theme.add(return_array_or_scalar, (floats(1), 5), (floats(1), 1))


def return_after_write(a):
    for i in range(len(a)):
        a[i] = -1
        if i == 1:
            return a[i]
    a[0] = 100


theme.add(return_after_write, (floats(5, 5, 5, 5),), (floats(5),))


def return_in_else_of_loop(n):
    for i in range(n):
        if i > 5:
            break
    else:
        return "all"
    return i


theme.add(return_in_else_of_loop, (3,), (10,))


def return_in_both_branches(x):
    if x > 0:
        return x
    else:
        return x * 1.5


theme.add(return_in_both_branches, (1,), (-1,))


def return_tuple_or_none(a):
    if a.size == 0:
        return None
    return a.min(), a.max()


theme.add(return_tuple_or_none, (floats(),), (floats(1, 2),))


def loop_else_with_continue(n):
    for i in range(n):
        if i == 1:
            continue
    else:
        i = "done"
    return i


theme.add(loop_else_with_continue, (3,))


def nested_loop_else(n):
    found = []
    for i in range(2, n):
        for j in range(2, i):
            if i % j == 0:
                break
        else:
            found.append(i)
    return found


theme.add(nested_loop_else, (20,))


def while_break_value(a):
    i = 0
    while i < len(a):
        v = a[i]
        if v > 2:
            break
        i += 1
    else:
        v = -1
    return v


theme.add(while_break_value, (floats(1, 3),), (floats(1, 2),), (ints(5),))


def break_with_state_of_branch(n):
    r = 0
    for i in range(n):
        if i == 3:
            r = i * 2.5
            break
        r = i
    return r


theme.add(break_with_state_of_branch, (2,), (9,), (0,))


def exits_with_arrays(u, tol):
    for k in range(100):
        new = u * 0.5
        if np.abs(new - u).max() < tol:
            return new, k
        if k > 50:
            break
        u = new
    return u, -1


theme.add(exits_with_arrays, (floats(1, 2), 0.1), (floats(1, 2), -1.0), compiled=True)
