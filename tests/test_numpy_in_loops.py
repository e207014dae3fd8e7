"""NumPy's functions in loops: plain against decorated, in first and later calls of any size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import explanation, has_compiled_part, needs_compiler
from same import Tolerance, compare, decorate

import jitscope as js

Program = Callable[..., Any]
RNG = np.random.default_rng(0)
X = RNG.normal(size=20) * 3
V = RNG.random(4)
TABLE = RNG.normal(size=(7, 3))
EMPTY = np.array([])
NONE = np.array([], int)
PLACES = np.array([1, -3, 3, 9])
BEYOND = np.array([1, 2, 20, 3])


def check(program: Program, *calls: tuple[Any, ...], tol: Tolerance | None = None) -> None:
    """All calls of one decorated function do what the plain one does, and nothing is left to NumPy."""
    decorated = decorate(program)
    for args in calls:
        compare(program, decorated, args, tol=tol)
    if hasattr(decorated, "specializations"):
        assert has_compiled_part(decorated)
        assert "has no compiled form here" not in explanation(decorated, *calls[0])


# Indices ----------------------------------------------------------------------------------------------


def gathered(x, index, n):
    total = np.zeros(len(index))
    for k in range(n):
        total += x[index] * k
    return total


def scattered(y, index, v, n):
    for k in range(n):
        y[index] = v
        y[index] += k
    return y


def gathered_and_scattered(x, index, other, n):
    for _ in range(n):
        x[index] = x[other]
        x[1:] = x[index][1:]
    return x


def rows(a, index, n):
    for k in range(n):
        a[index] = a[index[::-1]] + k
        b = a[index, :]
    return a, b


def pairs(a, r, c, v, n):
    for k in range(n):
        a[r, c] = v
        a[r, c] += 1
        a[r, c] *= a[c, r]
        a[r, c] = k
        a[r, c] -= v
    return a


def tables(x, a, index, n):
    for _ in range(n):
        one, other = x[index], a[index]
    return one, other


@pytest.mark.parametrize("dtype", [np.int64, np.int32, np.uint8, np.int8])
def test_elements_are_gathered(dtype: type) -> None:
    index = np.array([1, 3, 3, 9], dtype)
    check(
        gathered,
        (X, index, 3),
        (V, np.array([0, 1, 2], dtype), 3),
        (X, index * 5, 3),
        (X, index[:0], 2),
        (X[::2], index[:1], 2),
        (X, index[::2], 2),
    )


def test_negative_indices_and_those_beyond() -> None:
    check(gathered, (X, PLACES, 3), (X, -PLACES * 5, 3), (EMPTY, NONE, 2), (EMPTY, PLACES, 1))


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.complex128])
def test_elements_are_written(dtype: type) -> None:
    x = X.astype(dtype)
    check(
        scattered,
        (x, PLACES, V.astype(dtype), 3),
        (x, BEYOND, V.astype(dtype), 3),
        (x[::2], PLACES, V.astype(dtype), 2),
    )


def test_what_is_written_is_as_long_as_the_indices_or_numpy_says_so() -> None:
    decorated = decorate(scattered)
    for v in (V, V[:3], V[:1], np.arange(4)):
        compare(scattered, decorated, (X, PLACES, v, 3))
    compare(scattered, decorated, (np.arange(10), PLACES, V, 3))
    compare(scattered, decorated, (np.arange(10, dtype=np.uint8), PLACES, V, 1))


def test_elements_move_within_one_array() -> None:
    order = np.arange(20)
    check(gathered_and_scattered, (X, order[::-1].copy(), order // 2, 3), (X, order, order + 1, 3))


def to_their_own_places(y, n):
    for _ in range(n):
        y[y] = y
        y[::-1][y] = y
    return y


def from_their_own_view(y, index, n):
    for k in range(n):
        y[index] = k
        y[index] = y[::-1][: len(index)]
    return y


def test_what_is_written_overlaps_what_is_read() -> None:
    check(to_their_own_places, (np.array([3, 1, 2, 0]), 3), (np.array([3, 1, 2, 4]), 3))
    check(from_their_own_view, (X, PLACES, 3))
    overlapping = np.arange(12)
    compare(scattered, decorate(scattered), (overlapping, overlapping[2:6], overlapping[1:5], 3))


def test_rows_are_gathered_and_written() -> None:
    index = np.array([1, 2, 5])
    check(
        rows, (TABLE, index, 3), (TABLE[:4], index, 3), (TABLE[:, :0], index, 2), (TABLE[:, :0], index * 2, 2)
    )
    compare(rows, decorate(rows), (np.asfortranarray(TABLE), index, 3))


def test_all_rows_are_looked_at_before_any_column() -> None:
    r, c, v = np.array([0, 2, 0]), np.array([1, -1, 1]), V[:3]
    wrong = np.array([0, 9]), np.array([9, 1])
    check(
        pairs,
        (TABLE, r, c, v, 2),
        (TABLE, r, c * 9, v, 2),
        (TABLE, r * 9, c * 9, v, 2),
        (TABLE, *wrong, v[:2], 1),
    )
    compare(pairs, decorate(pairs), (TABLE, r, c, v[:2], 1))
    check(pairs, (TABLE, r, c, 2.0, 2))


def test_matrices_of_indices() -> None:
    index = RNG.integers(-5, 5, (3, 4))
    check(tables, (X, TABLE, index, 2), (X, TABLE, index * 4, 2), (X, TABLE, index[:0], 2))


def columns(a, index, rows, n):
    total = 0.0
    for k in range(n):
        b = a[:, index]
        total += b[0].sum()
        c = a[np.ix_(rows, index)]
    return total, c


def test_columns_and_grids() -> None:
    index, rows = np.array([1, -2, 0]), np.array([5, 0])
    check(
        columns,
        (TABLE, index, rows, 2),
        (TABLE, index * 5, rows, 2),
        (TABLE, index, rows * 3, 2),
        (TABLE, index * 5, rows * 3, 1),
    )
    for wrong in (
        (TABLE[:0], index, rows[:0], 1),
        (TABLE, index[:0], rows * 4, 1),
        (TABLE, index * 5, rows[:0], 1),
    ):
        compare(columns, decorate(columns), wrong)


def taken(x, a, index, n):
    for _ in range(n):
        b, c, d = np.take(x, index), x.take(index), np.take(a, index, axis=0)
    return b, c, d


def test_take_has_words_of_its_own() -> None:
    index = np.array([1, 2, -3])
    check(
        taken,
        (X, TABLE, index, 2),
        (X, TABLE, index * 10, 2),
        (EMPTY, TABLE, index, 1),
        (EMPTY, TABLE, NONE, 1),
    )


# Run-time slices --------------------------------------------------------------------------------------


def sparse_product(starts, columns, values, x):
    y = np.empty(len(starts) - 1)
    for i in range(len(starts) - 1):
        inside = columns[starts[i] : starts[i + 1]]
        y[i] = values[starts[i] : starts[i + 1]] @ x[inside]
    return y


def sums_of_parts(starts, values):
    y = np.empty(len(starts) - 1)
    for i in range(len(starts) - 1):
        y[i] = (values[starts[i] : starts[i + 1]] * values[starts[i] : starts[i + 1]]).max(initial=0.0)
    return y


def moving_ends(starts, one, other):
    """What is between the two reads changes the end."""
    total = 0.0
    for i in range(len(starts) - 1):
        a = one[starts[i] : starts[i + 1]]
        starts[i + 1] -= 1
        b = other[starts[i] : starts[i + 1]]
        total += len(a) * 100 + len(b)
    return total


def ends_before_a_loop(starts, n):
    first, found = starts[0], 0
    for _ in range(n):
        found += starts[0] * first
        starts[0] = found
    return found


def sparse(n: int, per_row: int) -> tuple[np.ndarray, ...]:
    counts = RNG.integers(0, 2 * per_row, n)
    starts = np.concatenate(([0], np.cumsum(counts)))
    return starts, RNG.integers(0, n, starts[-1]), RNG.random(starts[-1]), RNG.random(n)


@needs_compiler
def test_a_sparse_product_is_one_kernel() -> None:
    near = Tolerance(atol=1e-12)
    decorated = js.function(sparse_product)
    for n in (30, 7, 1, 0):
        compare(sparse_product, decorated, sparse(n, 4), tol=near)
    starts, columns, values, x = sparse(20, 4)
    compare(sparse_product, decorated, (starts, columns, values, x[:3]), tol=near)  # an index beyond
    compare(sparse_product, decorated, (starts[::-1].copy(), columns, values, x), tol=near)
    compare(sparse_product, decorated, (starts - 9, columns, values, x), tol=near)
    compare(sparse_product, decorated, (starts, columns, values[:-3], x), tol=near)
    account = explanation(decorated, starts, columns, values, x)
    assert "runs as" not in account and "cluster_1" not in account


def test_ends_that_change_are_read_again() -> None:
    starts = np.array([0, 3, 5, 9])
    for program, args in (
        (sums_of_parts, (starts, X)),
        (moving_ends, (starts, X, X[::-1].copy())),
        (moving_ends, (starts, X, X[:4])),
        (ends_before_a_loop, (np.array([2, 1]), 3)),
    ):
        compare(program, decorate(program), args)


# Masks ------------------------------------------------------------------------------------------------


def chosen_in_a_loop(x, n):
    found = 0.0
    for k in range(n):
        y = x[x > k]
        found += len(y)
        x = x + 0.5
    return y, found


def written_through(x, v, n):
    for k in range(n):
        mask = x > k
        x[mask] = v[mask]
        x[mask] += v[mask] * 2
        x[~mask] *= 2
        mask[0] = not mask[0]
        y = x[mask]
    return x, y


def chosen_alone(x):
    return x[x > 0.5] * 2


def rows_by_mask(a, n):
    for k in range(n):
        mask = a[:, 0] > k
        b = a[mask]
        a[mask] += b * 2
        a[mask] = k
    return a, b


def chosen_of_matrix(a, n):
    for k in range(n):
        b, c = a[a > k], np.compress(a[0] > 0, a[0])
    return b, c


def of_another_length(x, v, n):
    for k in range(n):
        x[x > k] = v
    return x


def chosen_and_sorted(x):
    y = x[x > 0]
    z = np.sort(y)
    return np.exp(z) * y + 1, len(y), np.zeros_like(y)


def chosen_until_few(x, n):
    y = x[x > 0]
    while len(y) > n:
        y = y[y > y.mean()]
    return y, y.reshape(-1, 1), y[::2]


def test_what_was_chosen_has_a_length() -> None:
    for program, calls in (
        (chosen_and_sorted, ((X,), (X[:1],), (EMPTY,))),
        (chosen_until_few, ((X, 2), (-X, 1), (EMPTY, 1))),
    ):
        decorated = decorate(program)
        for args in calls:
            compare(program, decorated, args)


def test_masks_choose_elements() -> None:
    check(chosen_in_a_loop, (X, 3), (X[:3], 4), (X[::2], 2), (EMPTY, 1))
    check(chosen_alone, (X,), (X[::-1],), (EMPTY,), (X * 0,))
    check(chosen_of_matrix, (TABLE, 3), (TABLE[:1], 2), (TABLE[:2], 1))
    compare(chosen_of_matrix, decorate(chosen_of_matrix), (np.asfortranarray(TABLE), 2))


def test_masks_say_what_is_written() -> None:
    check(written_through, (X, RNG.random(20), 3), (X, V, 2), (X[::2], RNG.random(10), 2))
    check(rows_by_mask, (TABLE, 3), (TABLE[:1], 2), (TABLE[:0], 2))
    for v in (V, V[:1], V[:0], X):
        compare(of_another_length, decorate(of_another_length), (X, v, 1))


# Places -----------------------------------------------------------------------------------------------


def places(x, n):
    found = 0
    for k in range(n):
        i, (j,), (m,), o = np.flatnonzero(x > k), np.nonzero(x), np.where(x > 0.1), x.nonzero()[0]
        found += len(i) + len(o)
    return i, j, m, o, found


def places_in_matrix(a, n):
    found = 0
    for k in range(n):
        r, c = np.nonzero(a > k)
        found += (r * c).sum() + np.argwhere(a > k).sum()
    return found


def searched(a, v, n):
    for _ in range(n):
        b, c, d = np.searchsorted(a, v), np.searchsorted(a, v, side="right"), a.searchsorted(v)
    return b, c, d


def searched_one_by_one(a, v):
    found = 0
    for one in v:
        found += np.searchsorted(a, one) + np.searchsorted(a, one, "right")
    return found


def put_into_bins(x, bins, n):
    for _ in range(n):
        a, b = np.digitize(x, bins), np.digitize(x, bins, right=True)
    return a, b


def interpolated(x, xp, fp, n):
    for _ in range(n):
        y = np.interp(x, xp, fp)
    return y


def interpolated_one_by_one(x, xp, fp, n):
    y = np.empty(len(x))
    for k in range(len(x)):
        y[k] = np.interp(x[k], xp, fp)
    return y


def test_places_where_something_holds() -> None:
    check(places, (X, 3), (X[::2], 2), (EMPTY, 2), (X * 0, 1))
    check(places, (np.arange(5), 2))
    check(places_in_matrix, (TABLE, 2), (TABLE[:0], 1), (TABLE * 0, 1))


def test_searches_in_arrays_in_any_order() -> None:
    ordered, values, wild = np.sort(RNG.random(50)), RNG.random(30), RNG.random(30)
    with_nan = values.copy()
    with_nan[3] = np.nan
    several = (ordered, values, 2), (ordered[:0], values, 1), (ordered, values[:0], 1), (wild, with_nan, 1)
    check(searched, *several, (np.r_[ordered, np.nan, np.nan], with_nan, 1))
    check(searched, (np.arange(9), np.arange(20)[::-1], 1))
    check(searched_one_by_one, (ordered, values), (wild, with_nan))


def test_bins_that_rise_or_fall() -> None:
    x = np.array([0, 1.0, 2, 5, np.nan])
    decorated = decorate(put_into_bins)
    for bins in ([1, 2, 3], [1, 3, 2], [1, 1, 1], [3, 2, 1], [2], [], [1, np.nan, 2], [np.nan, 1], [2, 2, 1]):
        compare(put_into_bins, decorated, (x, np.array(bins, float), 2))
    check(put_into_bins, (x, np.arange(4.0), 2))
    check(put_into_bins, (np.arange(9), np.array([2, 5]), 2))


@pytest.mark.parametrize("program", [interpolated, interpolated_one_by_one])
def test_interpolation_has_numpys_bits(program: Program) -> None:
    decorated = decorate(program)
    for trial in range(600):
        size = RNG.integers(1, 25)
        xp, fp = RNG.normal(size=size), RNG.normal(size=size)
        xp = xp.round(1) if trial % 4 < 2 else xp
        xp = np.sort(xp) if trial % 4 != 1 else xp
        if trial % 3 == 0:
            fp[RNG.random(size) < 0.2] = RNG.choice([np.nan, np.inf, -np.inf])
        if trial % 5 == 0:
            xp[RNG.integers(0, size)] = RNG.choice([np.nan, np.inf, -np.inf])
        x = np.r_[RNG.normal(size=20).round(1), xp[:3], np.nan, np.inf, -np.inf]
        with np.errstate(all="ignore"):
            found, wanted = decorated(x, xp, fp, 1), program(x, xp, fp, 1)
        np.testing.assert_array_equal(found, wanted)
        numbers = ~np.isnan(wanted)
        np.testing.assert_array_equal(np.signbit(found[numbers]), np.signbit(wanted[numbers]))
    for args in ((X, xp, fp, 1), (X, xp[:0], fp[:0], 1), (X, xp, fp[:-1], 1), (EMPTY, xp, fp, 1)):
        compare(program, decorated, args)


# Sums -------------------------------------------------------------------------------------------------


def running(x):
    return np.cumsum(x), np.cumprod(x), np.add.accumulate(x), x.cumsum()


def extremes_so_far(x):
    return np.maximum.accumulate(x), np.minimum.accumulate(x)


def along_axes(a):
    return np.cumsum(a, axis=0), np.cumsum(a, axis=1), a.cumsum(0), a.cumprod(-1), a.cumsum()


def running_in_a_loop(a, n):
    for _ in range(n):
        a = np.cumsum(a, axis=0) * 0.5
    return a


def added_at(y, index, v, n):
    for _ in range(n):
        np.add.at(y, index, v)
        np.subtract.at(y, index, 1)
        np.maximum.at(y, index, v)
    return y


def numbers_added_at(y, index, v, n):
    for k in range(n):
        np.add.at(y, index, v)
        np.subtract.at(y, index, k)
        np.multiply.at(y, index, 2)
    return y


def counted(x, w, n):
    for k in range(n):
        a, b, c, d = np.bincount(x), np.bincount(x, minlength=5), np.bincount(x, w), np.bincount(x, weights=w)
    return a, b, c, d


@pytest.mark.parametrize("dtype", [float, np.float32, np.int64, np.int32, np.uint8, bool])
def test_running_sums(dtype: type) -> None:
    x = np.abs(X).astype(dtype)
    check(running, (x,), (x[::2],), (x[:0],))
    a = np.abs(TABLE).astype(dtype)
    check(along_axes, (a,), (a[:0],), (a[:, :0],))
    if dtype is not bool:
        check(extremes_so_far, (x,), (x[:0],))


def test_running_sums_of_special_numbers() -> None:
    special = np.array([0.0, -0.0, np.nan, np.inf, -np.inf, 1.0])
    check(running, (special,), (-special[:2],), (special[1:2],))
    check(extremes_so_far, (special,), (special[:2],), (special[1::-1],))
    check(running_in_a_loop, (TABLE, 3), (TABLE[:1], 2))
    compare(along_axes, decorate(along_axes), (np.asfortranarray(TABLE),))


def test_additions_at_places() -> None:
    index = np.array([1, 1, -2, 5])
    check(added_at, (X, index, V, 2), (X, index * 5, V, 2), (X, index[:0], V[:0], 1))
    check(added_at, (np.arange(9), index, np.arange(4), 2))
    y = np.arange(9)[::-1].copy()
    compare(added_at, decorate(added_at), (y, y, y, 2))
    compare(added_at, decorate(added_at), (X, index, V[:3], 2))
    check(numbers_added_at, (X, index, 0.3, 2), (X, index * 9, 0.3, 2))
    compare(numbers_added_at, decorate(numbers_added_at), (X.astype(np.float32), index, 0.3, 2))


def test_counts() -> None:
    x = np.array([1, 2, 2, 5])
    check(counted, (x, V, 2), (-x, V, 2), (NONE, EMPTY, 1), (x[:2], V, 1))
    check(counted, (x.astype(np.uint8), V, 2))


# Arrays made of others --------------------------------------------------------------------------------


def repeated(x, count, n):
    for _ in range(n):
        a, b, c, d = np.repeat(x, count), np.tile(x, count), np.repeat(x, 2), x.repeat(3)
    return a, b, c, d


def rolled(x, shift, n):
    for k in range(n):
        a, b, c = np.roll(x, shift), np.roll(x, -2), np.roll(x, k)
    return a, b, c


def triangles(a, k, n):
    for _ in range(n):
        b, c, d = np.tril(a), np.triu(a, k), np.tril(a, -1)
    return b, c, d


def composed(x, a, n):
    for _ in range(n):
        b, c, d, e = np.diag(x), np.kron(x, x), np.kron(a, a[:2]), np.ediff1d(x)
    return b, c, d, e


def areas(x, y):
    return np.trapezoid(y), np.trapezoid(y, x), np.trapezoid(y, dx=0.3)


def padded(x, a):
    return np.pad(x, 2), np.pad(x, (1, 2)), np.pad(a, ((1, 0), (2, 3))), np.pad(a, 1, constant_values=3)


def test_repeated_and_rolled() -> None:
    check(repeated, (X, 2, 2), (X, 0, 2), (EMPTY, 3, 1), (X[::2], 1, 1))
    compare(repeated, decorate(repeated), (X, -1, 1))
    check(rolled, (X, 2, 5), (X, -25, 2), (EMPTY, 3, 1), (X[::2], 0, 1), (X[:1], 5, 2), (X[:2], 5, 2))


def test_matrices_made_of_others() -> None:
    check(triangles, (TABLE, 2, 2), (TABLE.T, 1, 2), (TABLE[:0], 3, 1))
    check(composed, (X, TABLE, 2), (EMPTY, TABLE, 1))
    check(composed, (np.arange(5), np.arange(12).reshape(4, 3), 2))


def test_areas_and_padding() -> None:
    x = np.arange(1000.0)
    check(areas, (X, X * X), (X[:1], X[:1]), (EMPTY, EMPTY), (x, np.sin(x)))
    check(padded, (X, TABLE), (EMPTY, TABLE[:0]))


def made_ints(x, n):
    for k in range(n):
        a, b, c = (x * k).astype(np.int64), x.astype(int), x.astype("int32")
    return a, b, c


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_floats_without_room_become_the_ints_that_numpy_makes(dtype: type) -> None:
    ends = [float(sign * 2**bits) for sign in (1, -1) for bits in (31, 62, 63)]
    around = [end + off for end in ends for off in (-1025.0, -1.0, -0.5, 0.5, 1.0)]
    special = [0.5, -0.5, -0.0, 1.9, -1.9, np.nan, np.inf, -np.inf, 1e30, -1e30]
    numbers = np.array([*ends, *around, *special]).astype(dtype)
    check(made_ints, (numbers, 1), (np.tile(numbers, 9), 3), (numbers[:0], 1))


# Where programs don't stand for NumPy -----------------------------------------------------------------


@needs_compiler
def test_one_gather_without_a_loop_stays_numpys() -> None:
    def one(x, index):
        return x[index]

    assert "runs as NumPy" in explanation(js.function(one), X, PLACES)


@needs_compiler
def test_no_program_where_nothing_is_compiled() -> None:
    def scoped(x, index, n):
        for _ in range(n):
            x = x[index] + 1
        return x

    def in_scope(x, index, n):
        with js.jit_scope(False):
            return scoped(x, index, n)

    def switched_off(x, index, n):
        for _ in range(n):
            x = x[index] + 1
        return x

    index = np.array([2, 0, 1])
    for program, options in ((in_scope, {}), (switched_off, {"jit_level": "off"})):
        decorated = js.function(program, **options)
        compare(switched_off, decorated, (X[:3], index, 3))
        assert not has_compiled_part(decorated)


@needs_compiler
def test_a_loop_that_stays_pythons_calls_numpy() -> None:
    def logged(x, index, n):
        seen = []
        for _ in range(n):
            x = x[index] * 2
            seen.append(str(x.sum()))
        return x, seen

    decorated = js.function(logged)
    compare(logged, decorated, (X[:3], np.array([2, 0, 1]), 3))
    assert "x[index] has no compiled form" in explanation(decorated, X[:3], np.array([2, 0, 1]), 3)


@needs_compiler
def test_derivatives_have_rules_of_their_own() -> None:
    def energy(x, index, n):
        total = 0.0
        for _ in range(n):
            total += (x[index] ** 2).sum() + np.cumsum(x)[-1] + x[x > 0].sum()
        return total

    def inside(x, index):
        y = np.cumsum(x)
        total = (y * y).sum() + x[x > 0].sum()
        return js.gradients(total, [x])[0]

    index = np.array([1, 1, 2])
    slope = js.grad(energy)(X, index, 2)
    expected = np.zeros(20)
    np.add.at(expected, index, 4 * X[index])
    np.testing.assert_allclose(slope, expected + 2 + 2 * (X > 0))
    reverse = np.cumsum((2 * np.cumsum(X))[::-1])[::-1]
    np.testing.assert_allclose(js.function(inside)(X, index), reverse + (X > 0))


@needs_compiler
def test_errors_and_reports_name_the_users_lines() -> None:
    decorated = js.function(gathered)
    with pytest.raises(IndexError, match="index 20 is out of bounds for axis 0 with size 20"):
        decorated(X, BEYOND, 2)
    account = explanation(decorated, X, PLACES, 2)
    assert "total += x[index] * k" in account
    assert "programs" not in account
