"""Lists of tuples of numbers: taken over into arrays, read as Python reads them."""

from __future__ import annotations

import math
from collections import namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part
from same import compare, decorate

Points = list[Any]


def floats(count: int, width: int = 2, seed: int = 0) -> Points:
    return [tuple(map(float, row)) for row in np.random.default_rng(seed).normal(size=(count, width))]


def ints(count: int, width: int = 2, seed: int = 0) -> Points:
    return [tuple(map(int, row)) for row in np.random.default_rng(seed).integers(-99, 99, (count, width))]


def shoelace(xy: Points) -> float:
    area = 0.0
    n = len(xy)
    for i in range(n):
        j = (i + 1) % n
        area += xy[i][0] * xy[j][1]
        area -= xy[j][0] * xy[i][1]
    return abs(area) / 2.0


def track_length(track: Points) -> tuple[float, float]:
    total = longest = 0.0
    for (a, b), (c, d) in zip(track, track[1:], strict=False):
        step = math.hypot(a - c, b - d)
        total += step
        longest = max(longest, step)
    return total, longest


def lowest(points: Points) -> Any:
    found, place = points[0], 0
    for k, p in enumerate(points):
        if p[1] < found[1]:
            found, place = p, k
    return found, place, points[-1], points[place]


def is_inside(poly: Points, x: float, y: float) -> bool:
    inside = False
    j = len(poly) - 1
    for i in range(len(poly)):
        xi, yi = poly[i]
        xj, yj = poly[j]
        if (yi > y) != (yj > y) and x < (xj - xi) * (y - yi) / (yj - yi) + xi:
            inside = not inside
        j = i
    return inside


def as_arrays(points: Points) -> Any:
    a = np.array(points)
    out = np.zeros(len(points))
    for i in range(len(points)):
        out[i] = a[i].sum() + points[i][0]
    return out, a[:, 0].max()


def slices(points: Points) -> Any:
    total = 0.0
    for p in points[1:-1]:
        total += p[0]
    return total, points[2:4], points[::2], points


def beyond(points: Points, k: int) -> Any:
    total = 0.0
    for i in range(len(points)):
        total += points[i][0]
    return total + points[k][1]


def sums(points: Points) -> Any:
    return sum(p[0] for p in points), max(p[1] for p in points), [p[0] + p[1] for p in points]


def written(points: Points) -> Any:
    for i in range(len(points)):
        points[i] = (points[i][1], points[i][0])
    return points


def longer(points: Points) -> Any:
    last = points[0]
    points.append((last[0] * 2, last[1]))
    return len(points), points[-1]


def same_object(points: Points) -> Any:
    first, count = points[0], 0
    for p in points:
        if p is first:
            count += 1
    return count


def in_order(points: Points) -> Any:
    return (
        sorted(points),
        min(points),
        max(points, key=lambda p: p[1]),
        (1.0, 2.0) in points,
        points == points[:],
    )


def kept(points: Points, n: int) -> Any:
    current = points
    total = 0.0
    for k in range(n):
        if k == 1:
            current = current[1:]
        for p in current:
            total += p[0]
    return total, len(current)


READING = [shoelace, track_length, lowest, as_arrays, slices, sums, kept]
OTHER = [written, longer, same_object, in_order]


def arguments(function: Callable[..., Any], points: Points) -> tuple[Any, ...]:
    return (points, 3) if function is kept else (points,)


@pytest.mark.parametrize("function", READING + OTHER)
@pytest.mark.parametrize("make", [floats, ints])
def test_what_is_done_with_a_list_of_tuples(
    function: Callable[..., Any], make: Callable[[int], Points]
) -> None:
    decorated = decorate(function)
    for count in (40, 9, 300, 2, 1, 40):
        compare(function, decorated, arguments(function, make(count)))


@pytest.mark.parametrize("function", READING[:-1])
def test_loops_over_tuples_are_compiled(function: Callable[..., Any]) -> None:
    decorated = decorate(function)
    decorated(floats(500))
    assert has_compiled_part(decorated)


def test_points_in_a_polygon() -> None:
    decorated = decorate(is_inside)
    poly = [(math.cos(t), math.sin(t)) for t in np.linspace(0, 6.28, 50).tolist()]
    for x, y in ((0.1, 0.2), (2.0, 0.0), (0.0, 1.0)):
        compare(is_inside, decorated, (poly, x, y))


@pytest.mark.parametrize("k", [-1, -40, 39, 40, -41])
def test_an_index_that_is_beyond(k: int) -> None:
    compare(beyond, decorate(beyond), (floats(40), k))


Pair = namedtuple("Pair", "a b")

ODD: dict[str, Points] = {
    "two lengths": [*floats(20), (1.0, 2.0, 3.0)],
    "two kinds": [*floats(20), (1, 2.0)],
    "a bool among ints": [*ints(20), (True, 2)],
    "named": [Pair(*p) for p in floats(20)],
    "nan": [*floats(20), (math.nan, 1.0)],
    "large": [*ints(20), (2**70, 1)],
    "nearly large": [*ints(20), (2**62, -(2**61))],
    "NumPy's": [tuple(row) for row in np.ones((20, 2))],
    "lists": [list(p) for p in floats(20)],
    "empty ones": [()] * 20,
    "of one": floats(20, 1),
    "of nine": floats(20, 9),
    "the same": [(1.0, 2.0)] * 300,
    "infinite": [(math.inf, -math.inf), *floats(300)],
    "zeros": [(0.0, -0.0)] * 30,
    "complex": [(1j, 2.0 + 1j)] * 30,
    "booleans": [(True, False)] * 30,
}


@pytest.mark.parametrize("name", ODD)
def test_lists_that_hold_something_else(name: str) -> None:
    for function in (shoelace, sums, lowest, beyond, same_object, in_order):
        decorated = decorate(function)
        for points in (floats(30), ODD[name], ints(30), ODD[name], floats(300)):
            compare(function, decorated, (points, 1) if function is beyond else (points,))


# Lists of NumPy's numbers -----------------------------------------------------------------------------------


def lagrange(xs: list[Any], ys: list[Any], points: list[Any]) -> list[Any]:
    out = []
    for p in points:
        total = 0
        for i in range(len(xs)):
            term = ys[i]
            for j in range(len(xs)):
                if i != j:
                    term *= (p - xs[j]) / (xs[i] - xs[j])
            total += term
        out.append(total)
    return out


def what_is_asked_of(values: list[Any]) -> Any:
    total = 0.0
    for k, v in enumerate(values):
        total += v * k
    return total, values[0], values[-1], values[1:3], values, len(values), sum(values), max(values)


def changed(values: list[Any]) -> Any:
    for i in range(len(values)):
        values[i] = values[i] + 1
    values.append(values[0])
    return values


def put_together(values: list[Any]) -> Any:
    return sorted(values), values + values, values * 2, values[0] in values, [v + 1 for v in values]


def as_array(values: list[Any]) -> Any:
    return np.array(values) + 1, np.asarray(values).sum()


@pytest.mark.parametrize("dtype", ["float64", "int64", "float32", "bool", "uint8"])
@pytest.mark.parametrize("function", [what_is_asked_of, changed, put_together, as_array])
def test_lists_of_numpys_numbers(function: Callable[..., Any], dtype: str) -> None:
    decorated = decorate(function)
    for count in (30, 400, 4, 1, 30):
        compare(function, decorated, (list(np.arange(count).astype(dtype)),))
        compare(function, decorated, ([float(k) for k in range(count)],))
    compare(function, decorated, ([*np.arange(20.0), np.nan],))
    compare(function, decorated, ([*np.arange(20.0), 1.0],))


def test_interpolation_with_numpys_numbers() -> None:
    x = np.linspace(0, 1, 12)
    decorated = decorate(lagrange)
    for points in (np.linspace(0, 1, 40), np.linspace(0, 1, 3), np.linspace(0, 1, 40)):
        compare(lagrange, decorated, (list(x), list(np.sin(x)), list(points)))
    assert has_compiled_part(decorated)
