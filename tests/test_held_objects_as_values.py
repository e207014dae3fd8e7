"""Lists, dicts, sets and deques that the trace holds, where Python's own are shown, hashed or refused."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from heapq import heapify, heappop, heappush
from typing import Any

import pytest
from same import compare, decorate


class Point:
    def __init__(self, x):
        self.x = x

    def __repr__(self):
        return f"Point({self.x})"


def grown(n):
    numbers, queue, table, seen = [5], deque([1]), {}, set()
    for k in range(n):
        heappush(numbers, k)
        queue.append(k)
        table[k * 3] = k
        seen.add(k % 3)
    return numbers, queue, table, seen


def shown(n):
    numbers, queue, table, seen = grown(n)
    return f"{numbers!r} {queue!r} {table!r} {seen!r}"


def shown_by_name(n):
    numbers, queue, table, seen = grown(n)
    return f"{numbers=} {queue=} {table=} {seen=}"


def shown_in_ascii(n):
    numbers, queue, table, seen = grown(n)
    return f"{numbers!a} {queue!a} {table!a} {seen!a}"


def shown_by_a_template(n):
    numbers, queue, table, seen = grown(n)
    return "{!r} {!r} {!r} {!r}".format(numbers, queue, table, seen)


def shown_by_percent(n):
    numbers, queue, table, seen = grown(n)
    return "%r" % queue, "%r, %a" % (table, seen), "%r" % (numbers,)


def shown_range_and_object(n):
    p = Point(n)
    return f"{range(n)!r} {p!r} {[p, n]!r}"


def printed(n):
    _, queue, table, _ = grown(n)
    print(f"{queue!r}", f"{table!r:>30}")


def deque_in_a_dict(n):
    _, queue, _, _ = grown(n)
    return queue in {1: 2}


def deque_not_in_a_dict(n):
    _, queue, _, _ = grown(n)
    return queue not in {1: 2}


def deque_in_a_tuple_as_key(n):
    _, queue, _, _ = grown(n)
    return (queue, 1) in {1: 2}


def deque_got(n):
    _, queue, _, _ = grown(n)
    return {1: 2}.get(queue)


def set_got(n):
    _, _, _, seen = grown(n)
    return {1: 2}.get(seen, 5)


def dict_as_a_default_s_key(n):
    _, _, table, _ = grown(n)
    return {1: 2}.setdefault(table, 3)


def set_in_a_dict(n):
    _, _, _, seen = grown(n)
    return seen in {1: 2}


def list_got(n):
    numbers, _, _, _ = grown(n)
    return {1: 2}.get((numbers, 1))


def popped_by_name(n):
    numbers, _, _, _ = grown(n)
    return heappop(heap=numbers)


def pushed_by_name(n):
    numbers, _, _, _ = grown(n)
    heappush(numbers, item=3)
    return numbers


def made_a_heap_by_name(n):
    numbers, _, _, _ = grown(n)
    heapify(heap=numbers)
    return numbers


def length_by_name(n):
    numbers, _, _, _ = grown(n)
    return len(value=numbers)


def names_that_python_takes(n):
    numbers, _, _, _ = grown(n)
    total = 0
    for k, v in enumerate(numbers, start=2):
        total += k * v
    return total, sum(numbers, start=1), max(numbers, key=lambda v: -v), sorted(numbers, reverse=True)


PROGRAMS = (
    *(shown, shown_by_name, shown_in_ascii, shown_by_a_template, shown_by_percent, printed),
    *(shown_range_and_object, deque_in_a_dict, deque_not_in_a_dict, deque_in_a_tuple_as_key, deque_got),
    *(set_got, dict_as_a_default_s_key, set_in_a_dict, list_got, popped_by_name, pushed_by_name),
    *(made_a_heap_by_name, length_by_name, names_that_python_takes),
)


@pytest.mark.parametrize("program", PROGRAMS)
def test_they_are_python_s(program: Callable[..., Any]) -> None:
    decorated = decorate(program)
    for n in (0, 3, 1, 2):
        compare(program, decorated, (n,))
