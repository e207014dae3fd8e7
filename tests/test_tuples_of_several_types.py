"""Lists of tuples of numbers of several types, from the caller: edges with weights, points with labels."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import Tolerance, compare, decorate

pytestmark = pytest.mark.usefixtures("driver_runs")
EDGES = [(k % 7, (k * 5) % 11, 0.5 + k % 3) for k in range(40)]
LABELS = [(0.25 * k, k % 2 == 0, -k) for k in range(30)]
GRAPH = [[(v, 0.5 * v) for v in range(u % 4)] for u in range(20)]
TABLE = [[(v, 0.5 * u, u > v) for v in range(3)] for u in range(20)]


def shortest(edges, n):
    d = np.full(n, np.inf)
    d[0] = 0.0
    for k in range(n):
        changed = False
        for u, v, w in edges:
            if d[u] + w < d[v]:
                d[v] = d[u] + w
                changed = True
        if not changed:
            break
    return d, k


def spanning(edges, n):
    parent, total, count = list(range(n)), 0.0, 0
    for k in range(len(edges)):
        u, v, w = edges[k]
        while parent[u] != u:
            u = parent[u]
        while parent[v] != v:
            v = parent[v]
        if u != v:
            parent[u] = v
            total += w
            count += 1
    return total, count, edges[0], edges[-1][2]


def labelled(points, n):
    s, m, t = 0.0, n, 0
    for x, flag, k in points:
        if flag:
            s += x
            t += flag
        m = max(m, -k // 2)
    return s, m, t, points[3][1], points[3]


def neighbours(graph, n):
    t, m = 0.0, 0
    for row in graph:
        for v, w in row:
            t += v * w + n
            m += v % n
    return t, m, len(graph[-1])


def table_of_three(table, n):
    t, m = 0.0, 0
    for i in range(len(table)):
        for j in range(len(table[i])):
            v, w, flag = table[i][j]
            t += w * n
            m += v if flag else -v
    return t, m


COMPILED = {shortest: EDGES, spanning: EDGES, labelled: LABELS, neighbours: GRAPH, table_of_three: TABLE}


def as_an_array(edges, n):
    return np.array(edges), np.array(edges[0]), np.asarray(edges[1:3]).sum()


def asked(edges, n):
    return (
        sorted(edges)[:2],
        min(edges),
        max(edges),
        edges[n] in edges,
        edges.index(edges[n]),
        edges == edges[:],
    )


def other_lists(edges, n):
    chosen = []
    for edge in edges:
        if edge[0] > n:
            chosen.append(edge)
    part, both = edges[1:5], edges + [(1, 2, 3.0)]
    part.append(edges[0])
    return chosen, part, both[-2:], list(edges)[:2], [*edges][-1]


def exchanged(edges, n):
    now, last = edges, edges[2:]
    for k in range(n):
        if k % 2:
            now, last = last, now
    return now[0], len(last)


def changed(edges, n):
    s = 0
    for k, edge in enumerate(edges):
        edges[k] = (edge[0] + 1, *edge[1:])
        s += edges[k][0]
    edges.append((0, 0, 0))
    return s


OTHERS = (as_an_array, asked, other_lists, exchanged, changed)
LISTS: dict[str, Any] = {
    "edges": EDGES,
    "labels": LABELS,
    "graph": GRAPH,
    "table": TABLE,
    "beyond 53 bits": [*EDGES, (2**53 + 1, 1, 1.0)],
    "beyond 64 bits": [*EDGES, (2**70, 1, 1.0)],
    "nan": [*EDGES, (1, 2, math.nan)],
    "-0.0": [*EDGES, (0, 0, -0.0)],
    "one of another type": [*EDGES, (1, 2, 3)],
    "all of one type": [(1, 2, 3)] * 20,
    "one that is shorter": [*EDGES, (1, 2)],
    "lists": [[*edge] for edge in EDGES],
    "complex": [(1, 2, 1j)] * 20,
    "texts": [("a", 2, 1.0)] * 20,
    "NumPy's": [(np.int64(1), 2, 1.0)] * 20,
    "few": EDGES[:2],
    "none": [],
}


@pytest.mark.parametrize("program", [*COMPILED, *OTHERS])
def test_they_are_python_s(program: Callable[..., Any]) -> None:
    decorated = decorate(program)
    for values in (*LISTS.values(), LISTS["edges"]):
        compare(program, decorated, (copy.deepcopy(values), 11), tol=Tolerance(ulp=64))


@needs_compiler
@pytest.mark.parametrize("program", COMPILED)
def test_they_are_compiled(program: Callable[..., Any]) -> None:
    decorated = decorate(program, cache=False)
    given: Any = COMPILED[program]
    decorated(given, 11)
    assert has_compiled_part(decorated)
    compare(program, decorated, (given + given[3:9], 11), tol=Tolerance(ulp=64))
    assert len(decorated.specializations) == 1
