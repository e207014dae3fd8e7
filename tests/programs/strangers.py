"""The standard library and parts of NumPy that nobody compiles."""

import collections
import copy
import datetime
import io
import itertools
import operator
import os
import re
import statistics
import struct

import numpy as np

from .corpus import Theme, floats, ints, numbers

theme = Theme(__name__)


def itertools_loops(a):
    total = 0
    for i, j in itertools.product(range(2), range(3)):
        total += i * j
    for x, y in itertools.combinations(a, 2):
        total += x * y
    return total, list(itertools.accumulate([1, 2, 3])), list(itertools.islice(itertools.count(), 3))


theme.add(itertools_loops, (floats(1, 2, 3),))


def collections_used(items):
    counts = collections.Counter(items)
    groups = collections.defaultdict(list)
    queue = collections.deque(maxlen=2)
    for i, x in enumerate(items):
        groups[x].append(i)
        queue.append(x)
    return counts.most_common(1), dict(groups), list(queue)


theme.add(collections_used, (["a", "b", "a"],))


def text_functions(text):
    words = re.findall(r"\w+", text)
    total = 0
    for w in words:
        total += len(w) ** 2
    return total, " ".join(sorted(words)), text.split()[0].upper()


theme.add(text_functions, ("the quick brown fox",))


def files_in_memory(a):
    out = io.StringIO()
    for x in a:
        out.write(f"{x:.2f}\n")
    return out.getvalue(), os.path.join("a", "b")


theme.add(files_in_memory, (floats(1, 2),))


def packed_bytes(x):
    raw = struct.pack("<d", x)
    return raw, struct.unpack("<d", raw)[0] * 2, np.frombuffer(raw, np.uint8).sum()


theme.add(packed_bytes, (1.5,))


def standard_library_numbers(items):
    return statistics.mean(items), statistics.median(items), operator.add(1, 2), operator.itemgetter(0)(items)


theme.add(standard_library_numbers, ([1, 2, 6],))


def dates(n):
    day = datetime.date(2024, 1, 30)
    for _ in range(n):
        day = day + datetime.timedelta(days=1)
    return day.isoformat(), day.month


theme.add(dates, (3,), (0,))


def copies_of_objects(a):
    b = copy.copy(a)
    c = copy.deepcopy([a, 1])
    b[0] = 9
    return b, c


theme.add(copies_of_objects, (floats(1, 2),), ([1, 2],))


def unknown_numpy(a):
    b = a * 2 + 1
    c = np.convolve(b, [1, 2, 1])
    d = np.interp(0.5, a, b)
    e = np.histogram(a, bins=3)
    f = np.polyfit(np.arange(len(a)), a, 1).shape
    return c * 2, d, e, f, np.array_equal(a, b), np.allclose(a, a)


theme.add(unknown_numpy, (floats(1, 2, 3, 5),), ulp=8)


def text_of_arrays(a):
    return str(a), repr(a * 2), np.array2string(a), f"{a[0]:.1f}", "%s" % a.shape[0]


theme.add(text_of_arrays, (floats(1, 2.5),), (ints(1, 2),))


def object_arrays(items):
    a = np.array(items, dtype=object)
    return a + a, a[0], a.sum()


theme.add(object_arrays, ([1, 2.5, 10**30],))


def structured_arrays(n):
    a = np.zeros(n, dtype=[("x", np.float64), ("k", np.int32)])
    a["x"] = 1.5
    a[0]["k"] = 7
    return a["x"].sum(), a["k"], a.dtype.names


theme.add(structured_arrays, (3,))


def text_arrays(items):
    a = np.array(items)
    return a, a == "b", np.sort(a), a[0]


theme.add(text_arrays, (["b", "a"],))


def dates_of_numpy(n):
    days = np.datetime64("2024-01-30") + np.arange(n)
    return days, days[-1] - days[0]


theme.add(dates_of_numpy, (3,))


def masked_and_matrix(a):
    m = np.ma.masked_less(a, 0)
    return float(m.sum()), int(m.count())


theme.add(masked_and_matrix, (numbers(6),))


def fft(a):
    return np.fft.fft(a), np.abs(np.fft.rfft(a * 2)), np.fft.fftfreq(4)


theme.add(fft, (numbers(8),), ulp=16)


def eval_and_exec(x):
    scope = {"x": x}
    exec("y = x * 3", scope)
    return eval("x + 1"), scope["y"], sorted(locals())


theme.add(eval_and_exec, (2,))


def short_circuit_of_opaque(items, x):
    return x in items and items.index(x) > 0 or items.count(x) == 0


theme.add(short_circuit_of_opaque, ([1, 2], 1), ([1, 2], 2), ([1, 2], 3))


def opaque_twice_in_statement(it):
    a, b = next(it), next(it)
    return a - b, next(it) * 10 + next(it)


class Sequence:
    """An iterator that a deep copy can follow."""

    def __init__(self):
        self.k = 0

    def __next__(self):
        self.k += 1
        return self.k * self.k


theme.add(opaque_twice_in_statement, (Sequence(),))
