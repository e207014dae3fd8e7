"""Python containers: loops over them, comprehensions, methods."""

import numpy as np

from .corpus import Theme, floats, ints, numbers

theme = Theme(__name__)


def over_list(items):
    s = 0
    for x in items:
        s += x
    return s


theme.add(over_list, ([1, 2, 3],), ([1, 2.5],), ([],), ([floats(1, 2), 3],))


def over_tuple(items):
    s = 1
    for x in items:
        s = s * x
    return s


theme.add(over_tuple, ((1, 2, 3),), ((1.5, np.float32(2)),), ((),))


def over_literal(x):
    s = 0
    for k in (1, 10, 100):
        s += k * x
    for name in ["a", "bb"]:
        s += len(name)
    return s


theme.add(over_literal, (2,), (floats(1, 2),))


def over_dict(d):
    keys = ""
    for k in d:
        keys += k
    total = 0
    for k, v in d.items():
        total += v
    for v in d.values():
        total += v
    return keys, total


theme.add(over_dict, ({"a": 1, "b": 2.5},), ({},))


def over_string(text):
    n = 0
    for c in text:
        if c == "a":
            n += 1
    return n


theme.add(over_string, ("banana",))


def over_set_sorted(s):
    out = 0
    for x in sorted(s):
        out = out * 10 + x
    return out


theme.add(over_set_sorted, ({3, 1, 2},))


def over_enumerate(a):
    s = 0.0
    for i, x in enumerate(a):
        s += i * x
    return s


theme.add(over_enumerate, (numbers(4),), ([1, 2, 3],), (numbers(0),))


def over_enumerate_start(a):
    s = 0.0
    for i, x in enumerate(a, 5):
        s += i * x
    for i, x in enumerate(a, start=-1):
        s -= i * x
    return s


theme.add(over_enumerate_start, (numbers(4),))


def over_zip(a, b):
    s = 0.0
    for x, y in zip(a, b):
        s += x * y
    return s


theme.add(over_zip, (numbers(4), numbers(4, seed=1)), (numbers(4), [1, 2]), ([1], (2, 3)))


def over_zip_strict(a, b):
    s = 0
    for x, y in zip(a, b, strict=True):
        s += x * y
    return s


theme.add(over_zip_strict, ([1, 2], [3, 4]), ([1, 2], [3]))


def over_zip_enumerate(a, b):
    out = np.zeros(len(a))
    for i, (x, y) in enumerate(zip(a, b)):
        out[i] = x - y
    return out


theme.add(over_zip_enumerate, (numbers(4), numbers(4, seed=1)))


def over_reversed(a):
    out = []
    for x in reversed(a):
        out.append(x)
    for i in reversed(range(3)):
        out.append(i)
    return out


theme.add(over_reversed, ([1, 2],), (numbers(3),))


def over_nested_lists(rows):
    s = 0
    for row in rows:
        for x in row:
            s += x
    return s


theme.add(over_nested_lists, ([[1, 2], [3]],), ([],))


def over_list_of_arrays(parts):
    total = 0.0
    for part in parts:
        total += (part * 2).sum()
    return total


theme.add(over_list_of_arrays, ([numbers(3), numbers(4), numbers(2, 2)],), ((numbers(3),),))


def over_list_writes_arrays(parts):
    for k, part in enumerate(parts):
        part[0] = k
        part += 1


theme.add(over_list_writes_arrays, ([numbers(3), numbers(4)],))


def list_comprehension(n):
    return [i * i for i in range(n)], [i for i in range(n) if i % 2]


theme.add(list_comprehension, (5,), (0,))


def list_comprehension_nested(n):
    return [[i * j for j in range(i)] for i in range(n)], [i + j for i in range(n) for j in range(2)]


theme.add(list_comprehension_nested, (3,))


def list_comprehension_of_array(a):
    return [x * 2 for x in a], np.array([x + 1 for x in a])


theme.add(list_comprehension_of_array, (numbers(3),))


def dict_comprehension(names, values):
    return {n: v * 2 for n, v in zip(names, values)}, {len(n) for n in names}


theme.add(dict_comprehension, (["a", "bb"], [1, 2.5]), (["a"], floats(1, 2)))


def comprehension_keeps_outer_name(n):
    i = 7
    squares = [i * i for i in range(n)]
    return i, squares


theme.add(comprehension_keeps_outer_name, (3,))


def list_append_in_loop(a):
    out = []
    for i in range(len(a)):
        if a[i] > 0:
            out.append(a[i])
    return out, len(out)


theme.add(list_append_in_loop, (numbers(6),))


def list_methods(items):
    items.append(4)
    items.extend([5, 6])
    items.insert(0, 9)
    last = items.pop()
    items.reverse()
    items.remove(9)
    items.sort()
    return last, items.index(4), items.count(5), items


theme.add(list_methods, ([3, 1, 2],))


def list_indexing(items, i):
    items[i] = 100
    items[1:3] = [7]
    del items[0]
    return items[-1], items[:2], items[::-1]


theme.add(list_indexing, ([1, 2, 3, 4, 5], 2), ([1, 2, 3], -1), ([1], 4))


def list_arithmetic(a, b):
    c = a + b
    c += [1]
    return c, a * 2, a == b, a < b, 1 in a


theme.add(list_arithmetic, ([1, 2], [3]))


def list_alias(items):
    other = items
    other.append(1)
    return other


theme.add(list_alias, ([5],))


def list_of_arrays_indexed_by_loop(parts):
    s = 0.0
    for i in range(len(parts)):
        s += parts[i].sum() * i
    return s


theme.add(list_of_arrays_indexed_by_loop, ([numbers(3), numbers(2, 2), ints(1, 2)],))


def layers(x, weights, biases):
    for w, b in zip(weights, biases):
        x = np.maximum(x @ w + b, 0.0)
    return x


theme.add(
    layers, (numbers(2, 3), [numbers(3, 4), numbers(4, 2)], [numbers(4), numbers(2)]), ulp=16, atol=1e-14
)
