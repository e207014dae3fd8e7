"""What the issue demands to be shown: compiled once for all shapes, writes in place, nothing corrupted."""

from __future__ import annotations

import bisect

import numpy as np
import pytest
from compiled import counted, explanation, has_compiled_part, needs_compiler
from same import decorate, same


@needs_compiler
def test_twenty_shapes_of_one_rank_compile_once() -> None:
    def f(a, b):
        c = a * 2 + b
        for i in range(len(c)):
            c[i] += i
        return c, c.sum()

    g = decorate(f)
    args = [(np.arange(n, dtype=float), np.ones(n)) for n in range(2, 22)]
    first = counted(lambda: g(*args[0]))
    assert first["traces"] == 1
    rest = counted(lambda: [g(*pair) for pair in args[1:]])
    assert rest == {"conversions": 0, "traces": 0, "compilations": 0}
    for pair in args:
        np.testing.assert_array_equal(g(*pair)[0], f(*pair)[0])
    assert len(g.specializations) == 1


@needs_compiler
def test_twenty_shapes_of_matrices_compile_once() -> None:
    def f(m, v):
        return (m * v).sum(axis=1), m @ v, m.reshape(-1)[::2], np.zeros(m.shape[0]) + v.max()

    g = decorate(f)
    args = [(np.ones((n, 25 - n)), np.arange(25.0 - n)) for n in range(2, 22)]
    g(*args[0])
    assert counted(lambda: [g(*pair) for pair in args])["compilations"] == 0
    assert len(g.specializations) == 1
    for pair in args:
        for got, want in zip(g(*pair), f(*pair), strict=True):
            np.testing.assert_allclose(got, want, rtol=1e-14)


@needs_compiler
def test_numbers_of_one_type_compile_once() -> None:
    def f(n, x):
        s = x
        for i in range(n):
            s = s * x + i
        return s

    g = decorate(f)
    g(3, 0.5)
    assert counted(lambda: [g(n, 0.1 * n) for n in range(20)])["traces"] == 0
    assert len(g.specializations) == 1


@needs_compiler
def test_an_equal_function_is_not_compiled_again() -> None:
    def f(a):
        return np.sqrt(a * a + 1).sum()

    decorate(f)(np.ones(3))
    again = counted(lambda: decorate(f)(np.ones(5)))
    assert again["traces"] == 0
    assert again["compilations"] == 0


@needs_compiler
def test_unknown_call_in_the_middle_of_a_loop() -> None:
    def f(a, edges, n):
        total = 0.0
        for i in range(n):
            b = np.sqrt(a * a + i)
            k = bisect.bisect(edges, b[0])
            total += (b * k).sum()
        return total

    same(f, np.arange(4.0), [0.5, 1.0, 1.5], 5)
    g = decorate(f)
    g(np.arange(4.0), [0.5, 1.0, 1.5], 5)
    assert has_compiled_part(g)
    text = explanation(g, np.arange(4.0), [0.5, 1.0, 1.5], 5)
    assert "bisect" in text
    assert "b = np.sqrt(a * a + i)" in text or "sqrt" in text


@needs_compiler
def test_function_that_cannot_be_converted_says_why() -> None:
    def f(n):
        def g():
            yield n

        exec("x = 1")
        return list(g())

    same(f, 3)
    g = decorate(f)
    g(3)
    assert explanation(g, 3).strip()


def test_element_written_into_an_argument() -> None:
    @decorate
    def f(a, i, x):
        a[i] = x

    a = np.zeros(4)
    assert f(a, 2, 5.5) is None
    np.testing.assert_array_equal(a, [0, 0, 5.5, 0])


def test_write_through_view_changes_its_base() -> None:
    @decorate
    def f(a):
        b = a[1:]
        b[0] = 5

    a = np.zeros(3)
    f(a)
    np.testing.assert_array_equal(a, [0, 5, 0])


def test_returned_slice_shares_memory() -> None:
    @decorate
    def f(a):
        return a[1:]

    a = np.zeros(3)
    b = f(a)
    assert np.shares_memory(a, b)
    b[0] = 7
    assert a[1] == 7


def _guarded(shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """An array in the middle of a larger memory that holds only 77."""
    size = int(np.prod(shape))
    memory = np.full(size + 128, 77.0)
    inner = memory[64 : 64 + size].reshape(shape)
    inner[...] = 0
    return memory, inner


@pytest.mark.parametrize("at", [3, -4, 60, -60, 2**40, -(2**40)])
def test_index_out_of_range_corrupts_nothing(at: int) -> None:
    @decorate
    def write(a, i):
        a[i] = 5.0

    @decorate
    def write_later(a, i):
        for k in range(abs(i) + 1 if abs(i) < 100 else 100):
            a[k if i >= 0 else -k] = k

    for f in (write, write_later):
        memory, inner = _guarded((3,))
        with pytest.raises(IndexError, match="is out of bounds for axis 0 with size 3"):
            f(inner, at)
        assert (memory[:64] == 77).all()
        assert (memory[-64:] == 77).all()


@pytest.mark.parametrize(("i", "j"), [(2, 0), (0, 3), (-3, 0), (0, -4), (1, 3)])
def test_matrix_index_out_of_range_corrupts_nothing(i: int, j: int) -> None:
    @decorate
    def f(m, i, j):
        m[0, 0] = 1
        m[i, j] += 5

    memory, inner = _guarded((2, 3))
    with pytest.raises(IndexError):
        f(inner, i, j)
    assert inner[0, 0] == 1
    assert inner.sum() == 1
    assert (memory[:64] == 77).all()
    assert (memory[-64:] == 77).all()


def test_reads_out_of_range_are_refused_in_every_expression() -> None:
    @decorate
    def f(a, b, n):
        s = 0.0
        for i in range(n):
            s += a[i] * b[n - i] + a[i - n]
        return s

    with pytest.raises(IndexError, match="index 4 is out of bounds for axis 0 with size 4"):
        f(np.ones(4), np.ones(4), 4)
    assert f(np.ones(4), np.ones(5), 4) == 8.0


def test_scatter_out_of_range_writes_what_python_had_written() -> None:
    def f(a, k):
        for i in range(len(k)):
            a[k[i]] += i + 1

    plain, got = np.zeros(4), np.zeros(4)
    k = np.array([0, 3, -1, 4, 1])
    with pytest.raises(IndexError) as wanted:
        f(plain, k)
    with pytest.raises(IndexError) as caught:
        decorate(f)(got, k)
    assert str(caught.value) == str(wanted.value)
    np.testing.assert_array_equal(got, plain)


@needs_compiler
def test_overlap_of_arguments_is_seen_at_each_call() -> None:
    def f(a, b):
        for i in range(len(b)):
            b[i] = a[i] * 2 + a[i + 1]

    g = decorate(f)
    g(np.ones(5), np.ones(4))
    for gap in (0, 1, 2, 4):
        base, copy = np.arange(9.0), np.arange(9.0)
        g(base[:5], base[gap : gap + 4])
        f(copy[:5], copy[gap : gap + 4])
        np.testing.assert_array_equal(base, copy)


def test_broadcasting_is_decided_at_each_call() -> None:
    def f(a, b):
        return a + b

    g = decorate(f)
    for shapes in (((3,), (3,)), ((1,), (3,)), ((3,), (1,)), ((1,), (1,)), ((0,), (1,)), ((2,), (2,))):
        a, b = (np.full(s, 2.0) for s in shapes)
        np.testing.assert_array_equal(g(a, b), f(a, b))
    with pytest.raises(ValueError, match=r"could not be broadcast together with shapes \(2,\) \(3,\)"):
        g(np.ones(2), np.ones(3))
