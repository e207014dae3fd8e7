"""Bounds of sizes: never above what a size can be."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from jitscope.graph.ir import dims

N, M = dims.symbol("n"), dims.symbol("m")
NUMBERS = st.integers(0, 40)


def combine(parts: st.SearchStrategy[dims.Size]) -> st.SearchStrategy[dims.Size]:
    pairs = st.tuples(parts, parts)
    return st.one_of(
        pairs.map(lambda p: dims.add(*p)),
        pairs.map(lambda p: dims.sub(*p)),
        pairs.map(lambda p: dims.maximum(*p)),
        pairs.map(lambda p: dims.minimum(*p)),
        st.tuples(parts, st.integers(1, 5)).map(lambda p: dims.floordiv(*p)),
        st.tuples(parts, st.integers(-3, 3)).map(lambda p: dims.scale(*p)),
    )


SIZES = st.recursive(st.one_of(st.just(N), st.just(M), st.integers(-9, 9)), combine, max_leaves=8)
DIFFERENCES = st.tuples(SIZES, SIZES).map(lambda pair: dims.sub(*pair))


@settings(max_examples=1500, deadline=None, derandomize=True)
@given(st.one_of(SIZES, DIFFERENCES), NUMBERS, NUMBERS)
def test_no_size_is_below_its_bound(size: dims.Size, n: int, m: int) -> None:
    bound = dims.lower(size)
    value = dims.evaluate(size, {"n": n, "m": m})
    assert value is not None
    assert bound is None or bound <= value


def test_parts_by_extremes_are_in_range() -> None:
    shorter, longer = dims.minimum(N, M), dims.maximum(N, M)
    assert dims.minimum(shorter, N) == dims.maximum(shorter, 0) == shorter
    assert dims.maximum(longer, M) == longer
    assert dims.maximum(dims.sub(longer, N), 0) == dims.sub(longer, N)
    assert dims.lower(dims.sub(longer, dims.scale(N, 2))) is None


def test_parts_by_quotients_are_in_range() -> None:
    half = dims.floordiv(N, 2)
    assert dims.minimum(half, N) == half
    assert dims.minimum(dims.scale(half, 2), N) == dims.scale(half, 2)
    assert dims.maximum(dims.sub(N, half), 0) == dims.sub(N, half)
    assert dims.lower(dims.sub(dims.add(N, 1), dims.scale(dims.floordiv(dims.add(N, 3), 2), 2))) == -2
    assert dims.lower(dims.sub(M, half)) is None


@given(SIZES, NUMBERS, NUMBERS)
def test_texts_mean_the_size(size: dims.Size, n: int, m: int) -> None:
    assert eval(dims.text(size), {"n": n, "m": m}) == dims.evaluate(size, {"n": n, "m": m})
