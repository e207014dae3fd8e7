"""`heapq` on lists of numbers and of tuples of numbers."""

from __future__ import annotations

import heapq
import math
from heapq import heappop, heappush
from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import compare, decorate


def shortest_paths(x: Any, n: Any) -> Any:
    size = n + 2
    weight = np.abs(np.sin(np.outer(np.arange(1.0, size + 1), np.arange(2.0, size + 2)))) + 0.1
    dist = [math.inf] * size
    dist[0] = 0.0
    queue = [(0.0, 0)]
    pops = 0
    while queue:
        d, u = heapq.heappop(queue)
        pops += 1
        if d > dist[u]:
            continue
        for v in range(size):
            if v != u and weight[u, v] < 0.7:
                new = d + float(weight[u, v])
                if new < dist[v]:
                    dist[v] = new
                    heapq.heappush(queue, (new, v))
    return dist, pops


def events(x: Any, n: Any) -> Any:
    queue: Any = []
    heappush(queue, (0.5, 0, 1))
    now, served, waiting = 0.0, 0, 0
    log = []
    while queue and served < n:
        now, kind, number = heappop(queue)
        if kind == 0:
            waiting += 1
            heappush(queue, (now + 0.7, 1, number))
            heappush(queue, (now + 0.3, 0, number + 1))
        else:
            waiting -= 1
            served += 1
        log.append(now)
    return now, served, waiting, log, len(queue)


def in_order(x: Any, n: Any) -> Any:
    heap: Any = []
    for i in range(n):
        heappush(heap, i * 7 % 11)
    layout = list(heap)
    out = []
    while heap:
        out.append(heappop(heap))
    return layout, out


def made_a_heap(x: Any, n: Any) -> Any:
    heap = [(k * 37 % 17, -k) for k in range(n)]
    heapq.heapify(heap)
    first = [heapq.heappop(heap) for _ in range(n // 2)]
    heapq.heappush(heap, (-1, 5))
    return first, heap


def numbers_of_arrays(x: Any, n: Any) -> Any:
    heap: Any = []
    for v in x:
        heappush(heap, v)
    total = 0.0
    for _ in range(min(n, len(x))):
        total = total * 0.5 + heappop(heap)
    return total, heap


def equal_ones(x: Any, n: Any) -> Any:
    heap: Any = []
    for i in range(n * 3):
        heappush(heap, (i % 3, i % 2, 0.0 if i % 2 else -0.0))
    return heap, [heappop(heap) for _ in range(n)], heap


def empty(x: Any, n: Any) -> Any:
    heap: Any = []
    heappush(heap, 3)
    for k in range(n):
        x[k % 5] += heappop(heap)
    return heap


def without_order(x: Any, n: Any) -> Any:
    heap: Any = []
    for k in range(n):
        heappush(heap, (math.nan if k == 2 else k * 0.5, k))
    return [heappop(heap)[1] for _ in range(n)]


def without_order_alone(x: Any, n: Any) -> Any:
    heap: Any = []
    for k in range(n):
        heappush(heap, math.nan if k == 2 else k * 7 % 5 * 0.5)
    return heap, [heappop(heap) for _ in range(n // 2)]


def appended_without_order(x: Any, n: Any) -> Any:
    nan = math.nan
    heap: Any = []
    for k in range(n):
        heap.append((nan, n - k))
    out = []
    while heap:
        out.append(heappop(heap)[1])
    return out


def from_each(x: Any, n: Any) -> Any:
    total = 0
    for s in range(n):
        heap: Any = [(s, 0)]
        while heap:
            k, d = heappop(heap)
            total += k * d
            if d < 3:
                heappush(heap, (k * 3 % 7, d + 1))
                heappush(heap, (k + 1, d + 2))
    return total


def with_texts(x: Any, n: Any) -> Any:
    heap: Any = []
    for k in range(n):
        heappush(heap, (k * 7 % 5, "ab"[k % 2]))
    return [heappop(heap) for _ in range(n)]


COMPILED = shortest_paths, events, in_order, empty, without_order_alone
OTHERS = (
    made_a_heap,
    numbers_of_arrays,
    equal_ones,
    without_order,
    with_texts,
    appended_without_order,
    from_each,
)


@pytest.mark.parametrize("program", [*COMPILED, *OTHERS])
def test_they_do_what_python_does(program: Any) -> None:
    decorated: Any = decorate(program, cache=False)
    for n in (5, 3, 1, 0, 9, 24):
        compare(program, decorated, (np.sin(np.arange(12.0) * n), n), calls=2)


@needs_compiler
@pytest.mark.parametrize("program", COMPILED)
def test_they_are_compiled(program: Any) -> None:
    decorated: Any = decorate(program, cache=False)
    decorated(np.sin(np.arange(12.0)), 1)
    assert has_compiled_part(decorated)


class Holder:
    def __init__(self, h: Any) -> None:
        self.h = h


def push(h: Any, v: Any) -> None:
    heappush(h, v)


def pushed_and_popped(h: Any, x: Any, n: Any) -> Any:
    heappush(h, n)
    return heappop(h)


def only_pushed(h: Any, x: Any, n: Any) -> Any:
    for i in range(n):
        heappush(h, -i)


def appended_and_made_a_heap(h: Any, x: Any, n: Any) -> Any:
    h.append(n)
    heapq.heapify(h)
    return h


def appended_and_popped(h: Any, x: Any, n: Any) -> Any:
    h.append(n)
    return heappop(h)


def by_a_helper(h: Any, x: Any, n: Any) -> Any:
    for i in range(n):
        push(h, -i)
    return n


def of_an_object(h: Any, x: Any, n: Any) -> Any:
    s = Holder(h)
    for i in range(n):
        heappush(s.h, (i * 7) % 5 - 2)
    return s.h


def beside_a_try(h: Any, x: Any, n: Any) -> Any:
    own = [1, 5, 3]
    try:
        for i in range(n):
            heappush(own, (i * 7) % 5 - 2)
    finally:
        x[0] = 1.0
    return own


def pushed_and_taken_in_a_branch(h: Any, x: Any, n: Any) -> Any:
    heappush(h, n)
    for i in range(len(x)):
        x[i] = x[i] * 2.0 + i
    if n > 0:
        return h.pop()
    return 0


def taken_in_a_loop(h: Any, x: Any, n: Any) -> Any:
    for i in range(n):
        heappush(h, i)
        x[i] = x[i] * 2.0
        if h:
            h.pop()
    return n


CALLERS = (
    *(pushed_and_popped, only_pushed, appended_and_made_a_heap, appended_and_popped, by_a_helper),
    *(of_an_object, beside_a_try, pushed_and_taken_in_a_branch, taken_in_a_loop),
)


@pytest.mark.parametrize("program", CALLERS)
@pytest.mark.parametrize("first", [[], [1, 5, 3], [-2, 4]], ids=str)
def test_a_list_of_the_caller_s_is_a_heap(program: Any, first: Any) -> None:
    decorated: Any = decorate(program, cache=False)
    for h in (first, [4, 5, 3], [], [1, 7, 2, 9, 8]):
        for n in (5, 1, 0):
            compare(program, decorated, (list(h), np.arange(6.0), n), calls=2)
