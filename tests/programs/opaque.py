"""Calls of functions that nobody knows, between lines that can be compiled."""

import bisect
import heapq
import json
import random
import time

import numpy as np

from .corpus import Theme, floats, numbers

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
