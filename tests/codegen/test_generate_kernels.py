"""What kernels look like: shared loops, scalars for temporaries, the user's names."""

from __future__ import annotations

import re

import numpy as np
import pytest
from modules import agree, modules, run
from numba import njit

from jitscope.codegen.strips import strips

RNG = np.random.default_rng(7)


def relax(u, f, tol, max_iter):
    for it in range(max_iter):
        new = u.copy()
        new[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - f[1:-1, 1:-1])
        err = np.abs(new - u).max()
        u = new
        if err < tol:
            break
    return u, it


def softmax(x):
    m = x.max(axis=1, keepdims=True)
    e = np.exp(x - m)
    return e / e.sum(axis=1, keepdims=True)


def escape(width, height, max_iter):
    out = np.zeros((8, 9), np.int64)
    for i in range(8):
        for j in range(9):
            zr, zi, k = 0.0, 0.0, 0
            while k < max_iter:
                if zr * zr + zi * zi > 4.0:
                    break
                zr, zi = zr * zr - zi * zi - 2.0 + 3.0 * j / width, 2.0 * zr * zi - 1.25 + 2.5 * i / height
                k += 1
            out[i, j] = k
    return out


def differences(u, k):
    gx = u[1:, :] - u[:-1, :]
    return gx * np.exp(-((gx / k) ** 2))


def accumulate(u, f):
    u[1:] += f[:-1]
    u[:-1] -= 0.5 * f[1:]
    u[0] = 7
    return u[1]


def swap(a, b, n):
    for _ in range(n):
        a, b = b, a
    return a, b


def first_above(x, limit):
    for i in range(len(x)):
        if x[i] > limit:
            return i
    return -1


def shifted(a):
    a[1:] = a[:-1]
    a[:-1] = a[1:] * 2
    a[::2] = a[::-1][::2]
    return a


def positions(a):
    return a.argmax(), a.argmin(axis=0), a.argmax(axis=1), (a > 0).any(axis=0), np.count_nonzero(a)


def totals(a):
    return a.sum(), a.sum(axis=0), a.sum(axis=1), a[1:].sum(), (a * a).sum(axis=0), a[:, 1:].sum(), a.mean()


def grid(*shape):
    return RNG.normal(size=shape)


CASES = [
    (relax, (grid(9, 8), grid(9, 8), 1e-3, 5)),
    (relax, (grid(1, 2), grid(1, 2), 1e-3, 5)),
    (softmax, (grid(5, 300),)),
    (escape, (9, 8, 20)),
    (differences, (grid(6, 5), 0.3)),
    (accumulate, (grid(5, 4), grid(5, 4))),
    (swap, (grid(3), grid(3), 3)),
    (first_above, (grid(9), 0.5)),
    (first_above, (grid(9), 99.0)),
    (shifted, (grid(7),)),
    (positions, (grid(5, 4),)),
    (positions, (np.array([[1.0, np.nan], [np.nan, 3.0]]),)),
    (totals, (grid(20, 150),)),
    (totals, (grid(20, 150).astype(np.float32),)),
    (totals, (np.asfortranarray(grid(4, 5)),)),
    (totals, (RNG.integers(-5, 5, (4, 6)).astype(np.int8),)),
]


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize(("function", "args"), CASES)
def test_generated_modules_do_what_the_function_does(function, args, clustered):
    mine = tuple(np.array(a, copy=True, order="K") if isinstance(a, np.ndarray) else a for a in args)
    others = tuple(np.array(a, copy=True, order="K") if isinstance(a, np.ndarray) else a for a in args)
    plain, compiled = function(*mine), run(function, *others, clustered=clustered)
    assert agree(plain, compiled)
    assert agree(mine, others)


def kernel(function, *args):
    module, _ = modules(function, *args)
    assert module.clusters == ("cluster_0",)
    return module.text[module.text.index("@njit") : module.text.rindex("def ")]


def test_a_row_of_softmax_is_done_before_the_next():
    text = kernel(softmax, grid(4, 5))
    assert len(re.findall(r"^    for ", text, re.M)) == 1
    assert "np.empty" not in text


def test_temporaries_that_are_read_twice_become_scalars():
    text = kernel(differences, grid(4, 5), 0.1)
    assert "gx = u[i + 1, j] - u[i, j]" in text
    assert text.count("for ") == 2


def test_writes_of_a_view_to_itself_leave_no_trace():
    assert not re.search(r"^\s+(\S+\[.*\]) = \1$", kernel(accumulate, grid(5, 4), grid(5, 4)), re.M)


def test_buffers_are_allocated_by_the_driver():
    module, _ = modules(escape, 9, 8, 20)
    assert "np.zeros((8, 9), INT64)" in module.text
    assert "np.zeros" not in kernel(escape, 9, 8, 20)


def test_swapped_state_is_swapped_at_once():
    module, _ = modules(swap, grid(3), grid(3), 3)
    assert "a, b = b, a" in module.text


def test_loops_keep_the_users_names_and_form():
    text = kernel(escape, 9, 8, 20)
    assert "while k < max_iter:" in text
    assert "        for j in range(9):" in text
    assert "                k += 1\n" in text


def test_early_returns_are_functions_of_their_own():
    module, _ = modules(first_above, grid(9), 0.5)
    assert module.text.count("@njit") == 2
    assert "            return i" in module.text


def test_comments_quote_the_user():
    assert "# new[1:-1, 1:-1] = 0.25 * (" in kernel(relax, grid(9, 8), grid(9, 8), 1e-3, 5)


def test_short_constant_loops_read_their_length_from_an_array():
    """LLVM leaves loops scalar of which it knows that they have fewer than 16 iterations."""

    def classes(x):
        return np.exp(x[:, None] * np.zeros(10))

    def quads(x):
        return np.exp(x[:, None] * np.zeros(8))

    assert re.search(r"for j in range\(t\w*\.shape\[1\]\):", kernel(classes, np.ones(3)))
    assert "for j in range(8):" in kernel(quads, np.ones(3))


RANGES = [
    *(range(a, b, c) for a in (0, 1, -3) for b in (0, 1, 7, 8, 9, 24) for c in (1, 2, 3)),
    *(range(a, b, c) for a in (-1, 0, 7, 8, 23) for b in (-1, -4, 2) for c in (-1, -2, -5)),
    range(2**63 - 5, 2**63 - 1),
    range(2**63 - 5, 2**63 - 1, 3),
    range(-(2**63) + 9, -(2**63), -4),
]


def test_strips_of_a_range_are_the_range():
    @njit
    def compiled(start, stop, step, length):
        found, lengths = [0], [0]
        for strip in strips(range(start, stop, step), length):
            lengths.append(len(strip))
            for number in strip:
                found.append(number)
        return found[1:], lengths[1:]

    for whole in RANGES:
        for length in (1, 2, 4, 16):
            found, lengths = compiled(whole.start, whole.stop, whole.step, length)
            assert found == list(whole)
            assert lengths == [len(strip) for strip in strips(whole, length)]
            assert [i for strip in strips(whole, length) for i in strip] == list(whole)


@pytest.mark.parametrize("bounds", ["n", "1, n", "2, n", "n - 1, -1, -1", "n - 2, 0, -1", "n - 3, 1, -1"])
def test_llvm_sees_that_no_index_of_a_strip_is_negative(bounds):
    """What is vectorised in one loop is vectorised in strips: products of four, not of one."""
    source = f"""
def compiled(a, y):
    n = len(a)
    for strip in strips(range({bounds}), 16384):
        for i in strip:
            y[i] = 2.5 * a[i]
"""
    space = {"strips": strips}
    exec(source, space)
    compiled = njit("(float64[::1], float64[::1])", error_model="numpy")(space["compiled"])
    (text,) = compiled.inspect_llvm().values()
    assert re.search(r"fmul <\d+ x double>", text)


def angles(lat, lon):
    return np.cos(lat)[:, None] * np.cos(lat)[None, :] + np.exp(lon) * (lat[:, None] - lon)


def heights(x, y):
    return np.exp(-x) + np.sin(y)[:, None, None] + np.log(y)[None, :, None]


@pytest.mark.parametrize(("function", "left"), [(angles, ["cos"]), (heights, ["sin"])])
def test_what_takes_long_is_computed_once_for_rows_that_share_it(function, left) -> None:
    """`left` does not depend on the innermost loop: LLVM takes it out."""
    values = RNG.random(5), RNG.random(5)
    assert agree(function(*values), run(function, *values))
    source = kernel(function, *values)
    inner = "".join(line for line in source.splitlines() if line.startswith(" " * 12))
    assert re.findall(r"\b(?:cos|sin|exp|log)(?=\()", inner) == left
