"""Arrays of sizes that only the run knows, in loops: as NumPy, whoever looks at them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from enough_work import work
from same import compare, decorate


def text_of_sizes(x: Any, ends: Any) -> Any:
    text = ""
    for k in range(4):
        product = x[: ends[k]] * x[20 - ends[3] :]
        text = text + "%d," % len(product)
    return text, work(x)


def looked_at_elsewhere(x: Any, ends: Any) -> Any:
    text, total = "", 0.0
    for k in range(4):
        u, v = x[: ends[k]], x[20 - ends[3] :]
        text = text + "%d," % len(u * v)
        total += ((u + v) * 2).sum()
    return text, total, work(x)


def gone_through(x: Any, ends: Any) -> Any:
    text, total = "", 0.0
    for k in range(4):
        u, v = x[: ends[k]], x[20 - ends[3] :]
        n = len(u * v)
        text = text + "%d," % n
        for j in range(n):
            total = total * 0.5 + v[j] + u[j]
    return text, total, work(x)


def in_a_kernel(x: Any, ends: Any) -> Any:
    total = 0.0
    for k in range(4):
        total += (x[: ends[k]] * x[20 - ends[3] :]).sum()
    return total, work(x)


def inside_of_prints(x: Any, ends: Any) -> Any:
    texts = []
    for k in range(4):
        total = 0.0
        for q in range(3):
            total += (x[: ends[k]] * x[20 - ends[3] :]).sum() + q
        print(k, total)
        texts.append(str(total))
    return texts


def writes_the_callers(x: Any, ends: Any) -> Any:
    for k in range(4):
        x[k] = (x[: ends[k]] * x[20 - ends[3] :]).sum()
    return x


def draws(x: Any, ends: Any) -> Any:
    rng = np.random.default_rng(7)
    total = 0.0
    for k in range(4):
        total += (x[: ends[k]] * x[20 - ends[3] :]).sum() + rng.random()
    return total, rng.random()


def kept(x: Any, ends: Any) -> Any:
    found = x[:2]
    for k in range(4):
        found = x[: ends[k]] + x[20 - ends[3] :]
    return found, len(found), work(x)


PROGRAMS = (
    text_of_sizes, looked_at_elsewhere, gone_through, in_a_kernel, inside_of_prints, writes_the_callers,
    draws, kept,
)  # fmt: skip
ENDS = (
    [16] * 4, [16, 1, 16, 16], [16, 16, 16, 1], [25, 30, 20, 22], [-3] * 4, [1, 1, 1, 18], [1, 1, 1, 0],
    [18, 16, 16, 18], [0] * 4, [1] * 4, [5] * 4,
)  # fmt: skip


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("program", PROGRAMS)
def test_sizes_of_the_run_are_numpys(program: Any, backwards: bool) -> None:
    decorated: Any = decorate(program, cache=False)
    for ends in ENDS[::-1] if backwards else ENDS:
        compare(program, decorated, (np.arange(20.0), np.array(ends)), calls=1)


def pitches(x: Any, window: Any, longest: Any, hop: Any) -> Any:
    found = []
    for start in range(0, len(x) - window - longest, hop):
        segment, d = x[start : start + window], np.zeros(longest + 1)
        for lag in range(1, longest + 1):
            difference = segment - x[start + lag : start + lag + window]
            d[lag] = (difference * difference).sum()
        found.append(d.argmin())
    return found


def product_modulo(a: Any, b: Any, modulus: Any) -> Any:
    out = np.zeros((a.shape[0], b.shape[1]), dtype=np.int64)
    for k in range(a.shape[1]):
        out += a[:, k : k + 1] * b[k : k + 1, :] % modulus
        out %= modulus
    return out


WHOLE = [
    (pitches, (np.sin(np.arange(300.0)), 32, 20, 16)),
    (product_modulo, (np.arange(64).reshape(8, 8), np.arange(64).reshape(8, 8).T.copy(), 7)),
]


@needs_compiler
@pytest.mark.parametrize(("program", "args"), WHOLE)
def test_such_loops_are_compiled_as_a_whole(program: Any, args: Any) -> None:
    decorated: Any = decorate(program, cache=False)
    compare(program, decorated, args, calls=3)
    assert has_compiled_part(decorated)
    assert "runs as" not in decorated.explain(*args)


@needs_compiler
def test_where_sizes_differ_time_and_again_nothing_is_asked() -> None:
    decorated: Any = decorate(in_a_kernel, cache=False)
    args = np.arange(20.0), np.array([16, 1, 16, 16])
    for _ in range(5):
        compare(in_a_kernel, decorated, args, calls=1)
    assert has_compiled_part(decorated)
    assert "sizes are different" not in decorated.explain(*args)
