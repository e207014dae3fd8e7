"""Calls of functions that nobody knows, between lines that can be compiled."""

import bisect
import collections
import copy
import datetime
import heapq
import io
import itertools
import json
import operator
import os
import random
import re
import statistics
import struct
import time

import numpy as np

from .corpus import Theme, floats, ints, numbers

theme = Theme(__name__)


def bisect_in_loop(a, edges):
    counts = np.zeros(len(edges) + 1)
    for x in a:
        counts[bisect.bisect(edges, x)] += 1
    return counts


theme.add(bisect_in_loop, (numbers(20), [-1.0, 0.0, 1.0]), (numbers(0), [0.0]))


def bisect_between(a, edges):
    b = np.sqrt(np.abs(a)) * 2
    k = bisect.bisect(edges, float(b.max()))
    return b[: k + 1] * k + b.sum()


theme.add(bisect_between, (numbers(6), [0.5, 1.0, 2.0, 4.0]), compiled=True)


def clock_between(a):
    start = time.perf_counter()
    b = (a * a).sum()
    elapsed = time.perf_counter() - start
    return b, elapsed >= 0, type(elapsed)


theme.add(clock_between, (numbers(5),), compiled=True)


def clock_in_loop(a, n):
    last = time.perf_counter()
    ordered = True
    for i in range(n):
        a = a * 0.5 + 1
        now = time.perf_counter()
        ordered = ordered and now >= last
        last = now
    return a, ordered


theme.add(clock_in_loop, (numbers(5), 4), (numbers(5), 0))


def generator_argument(rng, n):
    x = np.zeros(n)
    for i in range(n):
        x[i] = rng.normal() + i
    return x, rng.integers(0, 100)


theme.add(generator_argument, (np.random.default_rng(3), 5), (np.random.default_rng(3), 0))


def generator_arrays(rng, n):
    a = rng.normal(size=(n, 3))
    b = rng.random(n)
    return (a * b[:, None]).sum(axis=0), rng.permutation(n), rng.choice(n)


theme.add(generator_arrays, (np.random.default_rng(3), 5), compiled=None)


def legacy_random(n):
    np.random.seed(4)
    a = np.random.rand(n)
    return a + np.random.normal(size=n), np.random.randint(10)


theme.add(legacy_random, (5,))


def python_random(n):
    random.seed(4)
    s = 0.0
    for _ in range(n):
        s += random.random()
    return s, random.choice([1, 2, 3]), random.randint(0, 9)


theme.add(python_random, (5,), (0,))


def json_dump(a, name):
    b = a * 2 + 1
    text = json.dumps({"name": name, "values": b.tolist(), "sum": float(b.sum())})
    return text, json.loads(text)["sum"]


theme.add(json_dump, (floats(1, 2), "x"))


def json_fails(a):
    a[0] = 5
    text = json.dumps(a)
    a[1] = 6
    return text


theme.add(json_fails, (floats(1, 2),))


def list_append_between(a, n):
    log = []
    for i in range(n):
        a = np.sqrt(a * a + 1)
        log.append(float(a.max()))
    return a, log


theme.add(list_append_between, (floats(1, 2), 3), (floats(1, 2), 0), compiled=True)


def dict_update_between(a, history):
    for i in range(3):
        a += i
        history[f"step{i}"] = a.sum()
        history.update(last=i)
    return len(history)


theme.add(dict_update_between, (floats(1, 2), {}), (floats(1, 2), {"step0": 5}))


def print_between(a, n):
    for i in range(n):
        a = a * 2
        print(i, a.sum())
        a[0] = 1
        print(a)
    print("done")
    return a


theme.add(print_between, (floats(1, 2), 3), (floats(1, 2), 0))


def print_and_fail(a):
    print("before")
    a[0] = 1
    print("written", a[0])
    b = a[10]
    print("never", b)


theme.add(print_and_fail, (floats(5, 6),))


def opaque_decides(a, edges):
    total = 0.0
    for i in range(len(a)):
        k = bisect.bisect(edges, a[i])
        if k == 0:
            continue
        if k > 2:
            break
        total += a[i] * k
    return total, i


theme.add(opaque_decides, (floats(-1, 0.5, 1.5, 3, 9), [0, 1, 2]), (floats(-1), [0]))


def opaque_in_while(queue):
    total = 0
    while queue:
        item = heapq.heappop(queue)
        total = total * 10 + item
        if item == 3:
            heapq.heappush(queue, 7)
    return total


theme.add(opaque_in_while, ([1, 3, 5],), ([],))


def opaque_index(a, names, name):
    return a[names.index(name)] * 2 + a.sum()


theme.add(opaque_index, (floats(1, 2, 3), ["x", "y", "z"], "y"), (floats(1, 2, 3), ["x"], "nope"))


def opaque_shape(a, text):
    n = int(text)
    b = np.zeros(n)
    b[: len(a)] = a[:n]
    return b + 1


theme.add(opaque_shape, (floats(1, 2), "4"), (floats(1, 2), "x"), (floats(1, 2), "1"))


class Meter:
    """Counts what it is told; a stranger to any compiler."""

    def __init__(self):
        self.seen = []

    def __call__(self, value):
        self.seen.append(value)
        return value * 2

    def __enter__(self):
        self.seen.append("enter")
        return self

    def __exit__(self, *error):
        self.seen.append("exit")


def callback(a, tell, n):
    for i in range(n):
        a = a + 1
        r = tell(a.sum())
        a[0] = r
    return a


theme.add(callback, (floats(1, 2), Meter(), 3), (floats(1, 2), Meter(), 0))


def context_manager(a, meter):
    with meter as m:
        b = a * 2
        m("inside")
    with meter:
        b[5] = 1
    return b


theme.add(context_manager, (floats(1, 2), Meter()), (np.zeros(6), Meter()))


def callback_sees_array(a, seen):
    for i in range(3):
        a[i] = i * 10
        seen.append(a.copy())
        seen.append(a[i])
    seen.append(a)
    return a


theme.add(callback_sees_array, (np.zeros(3), []), (np.zeros(2), []))


def callback_writes_array(a, n):
    def opaque(x):
        exec("x[0] = x[0] + 100", {"x": x})

    s = 0.0
    for i in range(n):
        opaque(a)
        s += a[0]
    return s


theme.add(callback_writes_array, (np.zeros(3), 3))


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
