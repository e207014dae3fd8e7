"""Dictionaries, tuples, sets, text and iterators."""

import numpy as np

from .corpus import Theme, floats, numbers

theme = Theme(__name__)


def dict_read_and_write(d, k):
    d[k] = d.get(k, 0) + 1
    d["sum"] = sum(d.values())
    return d["sum"], k in d, len(d)


theme.add(dict_read_and_write, ({"a": 1}, "a"), ({"a": 1}, "b"))


def dict_of_arrays(p):
    p["w"] = p["w"] - 0.1 * p["g"]
    p["g"][:] = 0
    return p


theme.add(dict_of_arrays, ({"w": numbers(3), "g": numbers(3, seed=2)},))


def dict_missing_key(d):
    return d["missing"]


theme.add(dict_missing_key, ({"a": 1},))


def dict_counts(a):
    counts = {}
    for x in a:
        k = int(x)
        counts[k] = counts.get(k, 0) + 1
    return counts


theme.add(dict_counts, (floats(1, 2, 1, 1.5),))


def tuple_operations(t, i):
    return t + (1,), t * 2, t[i], t[1:], len(t), t == (1, 2), max(t), t.index(2)


theme.add(tuple_operations, ((1, 2), 0), ((1, 2, 3), -1), ((2,), 5))


def tuple_grows(n):
    t = ()
    for i in range(n):
        t = t + (i,)
    return t


theme.add(tuple_grows, (3,), (0,))


def set_operations(a, b):
    return a | b, a & b, len(a - b), 1 in a


theme.add(set_operations, ({1, 2}, {2, 3}))


def string_building(n):
    s = ""
    for i in range(n):
        s += str(i) + ","
    return s, f"{n:03d} {n!r}", "%d" % n, "x".join(["a", "b"]), s.upper()


theme.add(string_building, (3,))


def sort_with_key(items):
    return sorted(items, key=lambda p: -p[1]), sorted(items, reverse=True), min(items, key=lambda p: p[1])


theme.add(sort_with_key, ([(1, 2), (3, 0), (0, 9)],))


def map_and_filter(items):
    return list(map(lambda x: x * 2, items)), list(filter(None, items)), sum(map(abs, items))


theme.add(map_and_filter, ([1, 0, -3],))


def while_list_as_stack(n):
    stack = [n]
    seen = 0
    while stack:
        k = stack.pop()
        seen += k
        if k > 1:
            stack.append(k // 2)
            stack.append(k - 2)
    return seen


theme.add(while_list_as_stack, (6,))


def list_of_lists_grid(n):
    grid = [[0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            grid[i][j] = i * j
    return grid


theme.add(list_of_lists_grid, (3,))


def unpacked_call(args, options):
    def g(a, b, c=0, d=1):
        return a + 10 * b + 100 * c + 1000 * d

    return g(*args, **options), g(1, *args[:1], c=3)


theme.add(unpacked_call, ((1, 2), {"d": 4}))


def array_from_lists(rows):
    return np.array(rows), np.array(rows, dtype=np.float32), np.asarray(rows).sum(axis=0)


theme.add(array_from_lists, ([[1, 2], [3, 4]],), ([[1.5], [2]],))


def slice_objects(a, i, j):
    s = slice(i, j)
    return a[s], a[slice(None, None, 2)], s.start


theme.add(slice_objects, (numbers(6), 1, 4), ([1, 2, 3], 0, 2))


def iterator_by_hand(items):
    it = iter(items)
    first = next(it)
    rest = [x for x in it]
    return first, rest, next(it, "end")


theme.add(iterator_by_hand, ([1, 2, 3],))
