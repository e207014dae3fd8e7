"""Lists of lists of several lengths, from the caller: neighbours of nodes, points of lines."""

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
GRAPH = [[(k * j + 1) % 20 for j in range(k % 5)] for k in range(20)]
LINES = [[0.25 * k - j for j in range(1 + k % 4)] for k in range(15)]
EDGES = [[(j, k) for j in range(k % 3)] for k in range(16)]


def breadth_first(graph, start):
    dist = [-1] * len(graph)
    dist[start] = 0
    queue, head = [start], 0
    while head < len(queue):
        u = queue[head]
        head += 1
        for v in graph[u]:
            if dist[v] < 0:
                dist[v] = dist[u] + 1
                queue.append(v)
    return dist


def ranks(graph, k):
    n = len(graph)
    r = np.full(n, 1 / n)
    for _ in range(k):
        new = np.full(n, 0.15 / n)
        for u in range(n):
            if len(graph[u]) == 0:
                continue
            share = 0.85 * r[u] / len(graph[u])
            for v in graph[u]:
                new[v] += share
        r = new
    return r


def lengths(lines, k):
    t = 0.0
    for i, line in enumerate(lines):
        for a, b in zip(line, line[1:]):
            t += abs(a - b) * (i - k)
        t += line[-1] + line[len(line) // 2] + sum(line) - max(line)
    return t


def components(graph, start):
    seen, count = np.zeros(len(graph), dtype=bool), 0
    for s in range(len(graph)):
        if seen[s]:
            continue
        count += 1
        stack = [s]
        while stack:
            u = stack.pop()
            if seen[u]:
                continue
            seen[u] = True
            stack.extend(graph[u])
    return count, seen


def counted(graph, k):
    n = 0
    for row in graph:
        if k in row:
            n += 1
        n += len(row) * len(graph[-k])
    return n


def of_pairs(edges, k):
    s = 0
    for row in edges:
        for a, b in row:
            s += a * b - k
    return s


COMPILED = {breadth_first: GRAPH, ranks: GRAPH, lengths: LINES, counted: GRAPH, of_pairs: EDGES}


def changed(graph, k):
    for row in graph:
        row.append(k)
        row[0] = 7
    graph[k] = [1, 2]
    return graph[0][0]


def one_row(graph, k):
    row = graph[k]
    row[0] += 5
    return row, graph[-k], graph[k : k + 2]


def handed_out(graph, k):
    s = 0
    for row in graph:
        s += len(row)
    return s, graph, graph[k], [*graph], list(graph[k]), graph[k] + [1], graph + [[1]]


def asked(graph, k):
    return graph == graph[:], graph[k] is graph[k], [1] in graph, sorted(graph), sum(graph, []), max(graph)


def as_arrays(graph, k):
    s = 0.0
    for row in graph:
        if row:
            s += np.array(row).sum() * np.mean(row)
    return s


def kept(graph, k):
    best, rows = [], []
    for row in graph:
        if len(row) > len(best):
            best = row
        rows.append(row)
    return best is graph[k], best, rows


OTHERS = (components, changed, one_row, handed_out, asked, as_arrays, kept)
TABLES: dict[str, Any] = {
    "graph": GRAPH,
    "lines": LINES,
    "edges": EDGES,
    "equal lengths": [[k, k + 1] for k in range(20)],
    "one row": [[1, 2, 3]],
    "few": [[1], [], [0, 2]],
    "empty rows": [[] for _ in range(20)],
    "a row twice": [GRAPH[3], *GRAPH, GRAPH[3]],
    "another type": [*GRAPH, [1.5]],
    "bools": [[True] * (k % 3) for k in range(20)],
    "too large": [*GRAPH, [2**70]],
    "nan": [*LINES, [math.nan]],
    "tuples for rows": [tuple(row) for row in GRAPH],
    "texts": [["a"] * (k % 3) for k in range(20)],
    "none": [],
    "NumPy's": [[np.int64(1)] * (k % 3) for k in range(20)],
    "deeper": [[[1, 2]] * (k % 3) for k in range(20)],
}


@pytest.mark.parametrize("program", [*COMPILED, *OTHERS])
def test_they_are_python_s(program: Callable[..., Any]) -> None:
    decorated = decorate(program)
    for values in (*TABLES.values(), TABLES["graph"]):
        compare(program, decorated, (copy.deepcopy(values), 2), tol=Tolerance(ulp=64))


@needs_compiler
@pytest.mark.parametrize("program", COMPILED)
def test_they_are_compiled(program: Callable[..., Any]) -> None:
    decorated = decorate(program, cache=False)
    decorated(COMPILED[program], 1)
    assert has_compiled_part(decorated)
    assert len(decorated.specializations) == 1
    longer = [*COMPILED[program], *COMPILED[program][2:9]]
    compare(program, decorated, (longer, 1), tol=Tolerance(ulp=64))
    assert len(decorated.specializations) == 1


def test_rows_that_are_other_lists_of_the_call() -> None:
    def program(graph, row, x):
        row.append(1)
        s = 0
        for other in graph:
            for v in other:
                s += v * 3
                x[v % len(x)] = s
        return s

    decorated = decorate(program)
    for _ in range(2):
        graph = copy.deepcopy(GRAPH)
        compare(program, decorated, (graph, graph[4], [0, 0, 0]))
        compare(program, decorated, (graph, graph[4], graph[3]))
        compare(program, decorated, (graph, [5], [1, 2, 3]))


def test_what_is_changed_between_calls() -> None:
    decorated, graph = decorate(ranks), copy.deepcopy(GRAPH)
    changes: list[Callable[[], object]] = [
        lambda: graph[3].append(2),
        lambda: graph.append([1, 2]),
        lambda: graph.__setitem__(4, [0] * 9),
        lambda: graph[2].clear(),
        lambda: graph.pop(),
    ]
    for change in changes:
        np.testing.assert_allclose(decorated(graph, 3), ranks(graph, 3), rtol=1e-14)
        change()
    np.testing.assert_allclose(decorated(graph, 3), ranks(graph, 3), rtol=1e-14)
