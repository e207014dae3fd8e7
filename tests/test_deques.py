"""Deques of numbers and of tuples of numbers, as queues and stacks."""

from __future__ import annotations

import collections
from collections import deque
from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import compare, decorate


def through_a_maze(x: Any, n: Any) -> Any:
    size = n + 3
    wall = (np.abs(np.sin(np.arange(float(size * size)) * 1.7)) > 0.75).reshape(size, size)
    wall[0, 0] = False
    dist = np.full((size, size), -1)
    dist[0, 0] = 0
    queue = deque([(0, 0)])
    while queue:
        r, c = queue.popleft()
        for dr, dc in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            i, j = r + dr, c + dc
            if 0 <= i < size and 0 <= j < size and not wall[i, j] and dist[i, j] < 0:
                dist[i, j] = dist[r, c] + 1
                queue.append((i, j))
    return dist, len(queue)


def josephus(x: Any, n: Any) -> Any:
    ring = deque(range(1))
    ring.clear()
    for i in range(n):
        ring.append(i)
    order = []
    while len(ring) > 1:
        for _ in range(2):
            ring.append(ring.popleft())
        order.append(ring.popleft())
    return order, ring[0] if ring else None


def ring_of_numbers(x: Any, n: Any) -> Any:
    ring: Any = collections.deque()
    for i in range(n):
        ring.append(i)
    order = []
    while len(ring) > 1:
        for _ in range(200):
            ring.append(ring.popleft())
        order.append(ring.popleft())
    return order, len(ring)


def moving_sum(x: Any, n: Any) -> Any:
    window: Any = deque()
    total = 0.0
    out = []
    for v in x:
        window.append(v)
        total += v
        if len(window) > n:
            total -= window.popleft()
        out.append(total)
    return out, total


def largest_in_windows(x: Any, n: Any) -> Any:
    best: Any = deque()
    out = np.zeros(len(x))
    for i in range(len(x)):
        while best and best[0] <= i - n:
            best.popleft()
        while best and x[best[-1]] <= x[i]:
            best.pop()
        best.append(i)
        out[i] = x[best[0]]
    return out, len(best)


def both_ends(x: Any, n: Any) -> Any:
    items: Any = deque([5, 7])
    items.extend([1, 2, n])
    items.extend(range(n))
    s = 0
    for k in range(n):
        s = s * 3 + (items.pop() if k % 2 else items.popleft())
        items.append(k)
        s += items[0] - items[-1] + items[len(items) // 2]
    return s, len(items), bool(items)


def empty_then(x: Any, n: Any) -> Any:
    items: Any = deque()
    for k in range(3):
        items.append(k)
    for k in range(n):
        x[k % 5] += items.popleft()
    return len(items)


def from_each(x: Any, n: Any) -> Any:
    far = 0
    for s in range(n):
        dist = [-1] * n
        dist[s] = 0
        queue = deque([s])
        while queue:
            u = queue.popleft()
            for v in (u * 2 % n, (u + 3) % n):
                if dist[v] < 0:
                    dist[v] = dist[u] + 1
                    queue.append(v)
        far = max(far, max(dist))
    return far


def outside(x: Any, n: Any) -> Any:
    items: Any = deque([3])
    for k in range(4):
        items.append(k)
        x[k] += k
    return items[n - 3]


def by_levels(x: Any, n: Any) -> Any:
    left = [2 * k + 1 if 2 * k + 1 < n else -1 for k in range(n)]
    right = [2 * k + 2 if 2 * k + 2 < n else -1 for k in range(n)]
    queue: Any = deque()
    if n:
        queue.append((0, 0.5))
    sums: Any = {}
    while queue:
        k, depth = queue.popleft()
        sums[k % 4] = sums.get(k % 4, 0.0) + depth
        for child in (left[k], right[k]):
            if child >= 0:
                queue.append((child, depth + 1))
    return sums


def in_helpers(x: Any, n: Any) -> Any:
    queue: Any = deque()
    taken = 0

    def push(v: Any) -> Any:
        if v < 0:
            return False
        queue.append(v)
        return True

    def take() -> Any:
        nonlocal taken
        if not queue:
            return -1
        taken += 1
        return queue.popleft()

    push(n)
    s = 0
    while True:
        v = take()
        if v < 0:
            break
        s += v
        push(v - 2)
        push(v - 5)
    return s, taken


def handed_out(x: Any, n: Any) -> Any:
    items: Any = deque()
    for k in range(n):
        items.append(k)
        if k % 3 == 2:
            items.popleft()
    return items, list(items), sum(items)


def turned(x: Any, n: Any) -> Any:
    items: Any = deque([1, 2, 3])
    for k in range(n):
        items.append(k)
        items.rotate(1)
        items.appendleft(-k)
    return items


def bounded(x: Any, n: Any) -> Any:
    items: Any = deque(maxlen=3)
    for k in range(n):
        items.append(k)
    return items, len(items)


def of_two_kinds(x: Any, n: Any) -> Any:
    items: Any = deque()
    for k in range(n):
        items.append(k)
        items.append(k * 0.5)
    s = 0
    while items:
        s += items.popleft()
    return s


def walked(x: Any, n: Any) -> Any:
    items: Any = deque()
    for k in range(n):
        items.append(k * 2)
    return [v + 1 for v in items], n in items


COMPILED = (
    through_a_maze,
    ring_of_numbers,
    moving_sum,
    largest_in_windows,
    both_ends,
    empty_then,
    outside,
    by_levels,
    in_helpers,
    from_each,
)
OTHERS = (josephus, handed_out, turned, bounded, of_two_kinds, walked)


@pytest.mark.parametrize("program", [*COMPILED, *OTHERS])
def test_they_do_what_python_does(program: Any) -> None:
    decorated: Any = decorate(program, cache=False)
    for n in (3, 5, 1, 0, 9, 20):
        compare(program, decorated, (np.sin(np.arange(12.0) * n), n), calls=2)


@needs_compiler
@pytest.mark.parametrize("program", COMPILED)
def test_they_are_compiled(program: Any) -> None:
    decorated: Any = decorate(program, cache=False)
    decorated(np.sin(np.arange(12.0)), 3)
    assert has_compiled_part(decorated)
