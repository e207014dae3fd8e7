"""Random numbers drawn in compiled loops: NumPy's own to the last bit, as is the state of the generator."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import explanation, has_compiled_part, needs_compiler
from numpy.random import rand, randn
from same import IDENTITY, decorate

BITS = [np.random.PCG64, np.random.PCG64DXSM, np.random.MT19937, np.random.Philox, np.random.SFC64]
MANY = 10_000


def state_of(generator: Any) -> str:
    """All that a generator knows, as a text."""
    known = (
        generator.bit_generator.state if hasattr(generator, "bit_generator") else generator.get_state(False)
    )
    with np.printoptions(threshold=10**6):
        return str(known)


def legacy(seed: int = 5) -> Any:
    return np.random.RandomState(seed)


def new(seed: int = 5, bits: Any = np.random.PCG64) -> Any:
    return np.random.Generator(bits(seed))


def outcome(function: Callable[..., Any], make: Callable[[], tuple[Any, ...]]) -> tuple[Any, ...]:
    """What a call gives or raises, its arguments, and the states that it leaves."""
    args = make()
    try:
        with np.errstate(all="ignore"):
            value = function(*args)
        shown = (type(value), repr(value) if not isinstance(value, np.ndarray) else value.tobytes())
    except Exception as error:
        shown = (type(error), str(error))
    arrays = [a.tobytes() for a in args if isinstance(a, np.ndarray)]
    generators = [state_of(a) for a in args if isinstance(a, (np.random.Generator, np.random.RandomState))]
    return shown, arrays, generators, state_of(np.random.mtrand._rand)


def agree(function: Callable[..., Any], *makes: Callable[[], tuple[Any, ...]], compiled: bool = True) -> Any:
    """Plain and decorated function do the same for each of the arguments, at first and later."""
    decorated = decorate(function)
    for make in (*makes, *makes, makes[0]):
        np.random.seed(11)
        wanted = outcome(function, make)
        np.random.seed(11)
        assert outcome(decorated, make) == wanted, (function.__name__, make())
    if compiled and not IDENTITY:
        assert has_compiled_part(decorated), explanation(decorated, *makes[0]())
    return decorated


# Methods --------------------------------------------------------------------------------------------------


def of_random(n, rng):
    out = np.empty(n)
    for i in range(n):
        out[i] = rng.random()
    return out


def of_standard_normal(n, rng):
    out = np.empty(n)
    for i in range(n):
        out[i] = rng.standard_normal()
    return out


def of_standard_exponential(n, rng):
    out = np.empty(n)
    for i in range(n):
        out[i] = rng.standard_exponential()
    return out


def of_normal(n, rng):
    out = np.empty(n)
    for i in range(n):
        out[i] = rng.normal(0.3, scale=0.1 + i % 7)
    return out


def of_exponential(n, rng):
    out = np.empty(n)
    for i in range(n):
        out[i] = rng.exponential(0.1 + i % 3)
    return out


def of_uniform(n, rng):
    out = np.empty(n)
    for i in range(n):
        out[i] = rng.uniform(-1.7, 0.1 + i % 5)
    return out


def of_integers(n, rng):
    out = np.empty(n, np.int64)
    for i in range(n):
        out[i] = rng.integers(6) + rng.integers(-3, 10 + i)
    return out


def of_wide_integers(n, rng):
    out = np.empty((n, 8), np.int64)
    for i in range(n):
        out[i, 0] = rng.integers(0, 2**32)
        out[i, 1] = rng.integers(0, 2**32 - 1)
        out[i, 2] = rng.integers(-5, 2**40)
        out[i, 3] = rng.integers(0, 2**61, endpoint=True)
        out[i, 4] = rng.integers(1, 1, endpoint=True)
        out[i, 5] = rng.integers(7, high=8)
        out[i, 6] = rng.integers(2**33 + i)
        out[i, 7] = rng.integers(2, endpoint=True)
    return out


def of_choice(n, rng):
    out = np.empty(n, np.int64)
    for i in range(n):
        out[i] = rng.choice(5) * 100 + rng.choice(1 + i)
    return out


def mixed(n, rng):
    out = np.empty(n)
    for i in range(n):
        if rng.integers(3) == 1:  # 32 bits, half of what is drawn: the other half waits
            out[i] = rng.random() - rng.random()
        else:
            out[i] = rng.normal() * rng.integers(10) + rng.standard_exponential()
    return out


def of_others(n, rng):
    out = np.empty((n, 12))
    for i in range(n):
        out[i, 0] = rng.laplace(1.0, 0.5 + i % 3)
        out[i, 1] = rng.gumbel(1.0, 0.5 + i % 3)
        out[i, 2] = rng.logistic(scale=2.0)
        out[i, 3] = rng.lognormal(0.1, 0.5)
        out[i, 4] = rng.rayleigh(2.0)
        out[i, 5] = rng.standard_cauchy()
        out[i, 6] = rng.standard_gamma(0.3 + i % 4)
        out[i, 7] = rng.gamma(0.3 + i % 4, 2.0)
        out[i, 8] = rng.beta(0.4 + i % 2, 0.6)
        out[i, 9] = rng.chisquare(3)
        out[i, 10] = rng.standard_t(2.5)
        out[i, 11] = rng.pareto(2.0) + rng.power(0.5) + rng.weibull(1.5) + rng.wald(1.0, 2.0)
    return out


def of_counts(n, rng):
    out = np.empty((n, 4), np.int64)
    for i in range(n):
        out[i, 0] = rng.poisson(0.5 + i % 40)
        out[i, 1] = rng.geometric(0.05 + (i % 9) / 10)
        out[i, 2] = rng.binomial(i % 100, 0.3)
        out[i, 3] = rng.binomial(1000, (i % 11) / 10)
    return out


NEW = [
    *(of_others, of_counts),
    *(of_random, of_standard_normal, of_standard_exponential, of_normal, of_exponential, of_uniform),
    *(of_integers, of_wide_integers, of_choice, mixed),
]


@pytest.mark.parametrize("program", NEW, ids=lambda program: program.__name__)
def test_each_method_with_each_bit_generator(program):
    decorated = decorate(program)
    for bits in BITS:
        for n in (MANY, 0, 1, 3):
            make = lambda n=n, bits=bits: (n, new(17, bits))  # noqa: E731
            assert outcome(decorated, make) == outcome(program, make), (bits, n)
    if not IDENTITY:
        assert has_compiled_part(decorated)
        assert "runs as" not in explanation(decorated, 9, new())


def state_random(n, rng):
    out = np.empty((n, 3))
    for i in range(n):
        out[i, 0] = rng.random_sample()
        out[i, 1] = rng.rand()
        out[i, 2] = rng.random()
    return out


def state_uniform(n, rng):
    out = np.empty((n, 2))
    for i in range(n):
        out[i, 0] = rng.uniform(-1, 1 + i)
        out[i, 1] = rng.uniform(1.5, -2)
    return out


def state_normal(n, rng):
    out = np.zeros((n, 7))
    for i in range(n):
        out[i, 0] = rng.randn()
        out[i, 1] = rng.normal(0.5, i % 4)
        if i % 3 == 0:
            out[i, 2] = rng.standard_normal()
        out[i, 3] = rng.standard_exponential()
        out[i, 4] = rng.exponential(0.7)
        out[i, 5] = rng.normal()
        out[i, 6] = rng.random_sample()
    return out


def state_randint(n, rng):
    out = np.empty((n, 6), np.int64)
    for i in range(n):
        out[i, 0] = rng.randint(6)
        out[i, 1] = rng.randint(-4, i + 1)
        out[i, 2] = rng.randint(2**32)
        out[i, 3] = rng.randint(2**32 - 1, 2**45)
        out[i, 4] = rng.randint(3, high=4)
        out[i, 5] = rng.choice(9)
    return out


def module_level(n):
    out = np.empty((n, 4))
    for i in range(n):
        out[i, 0] = np.random.rand()
        out[i, 1] = np.random.random()
        out[i, 2] = np.random.uniform(0, 10)
        out[i, 3] = np.random.randint(0, 10)
    return out


@pytest.mark.parametrize("program", [state_random, state_uniform, state_normal, state_randint])
def test_random_state(program):
    for bits in (np.random.MT19937, np.random.PCG64):
        makes = [lambda n=n: (n, np.random.RandomState(bits(3))) for n in (MANY, 0, 1, 2)]
        agree(program, *makes)


def test_functions_of_the_module():
    decorated = agree(module_level, lambda: (MANY,), lambda: (0,), lambda: (3,))
    if not IDENTITY:
        assert "runs as" not in explanation(decorated, 9)


def test_types_are_those_of_numpy():
    def typed(n, rng, old):
        a, b, c, d, e = 0, 0, 0, 0.0, 0
        for _ in range(n):
            a, b, c, d, e = rng.integers(9), rng.choice(9), old.randint(9), rng.random(), old.choice(4)
        return a, b, c, d, e

    agree(typed, lambda: (5, new(), legacy()))


# What happens when ----------------------------------------------------------------------------------------


def branches(n, rng):
    s = 0.0
    for _ in range(n):
        if rng.random() < 0.3:
            s += rng.normal()
        elif rng.random() < 0.5 and rng.random() < 0.5:
            s -= rng.exponential()
    return s


def orders(n, rng, other):
    s = 0.0
    for i in range(n):
        a = rng.random() - other.random() * rng.normal() / (1 + rng.integers(5))
        b = rng.random() if other.random() < a else -rng.random()
        s = s * 0.9 + a * max(b, rng.random()) + i
    return s


def left(n, rng, limit):
    x = 0.0
    k = 0
    while True:
        x += rng.normal()
        k += 1
        if abs(x) > limit:
            break
        if k >= n:
            return -1.0, k
    return x, k


def unused(n, rng):
    x = 1.0
    for i in range(n):
        rng.random()
        y = rng.normal()  # noqa: F841
        x += i
    return x


def walks(n, rng):
    x = np.zeros((n + 1, 2))
    for i in range(n):
        step = rng.integers(4)
        x[i + 1] = x[i]
        if step == 0:
            x[i + 1, 0] += 1
        elif step == 1:
            x[i + 1, 0] -= 1
        elif step == 2:
            x[i + 1, 1] += 1
        else:
            x[i + 1, 1] -= 1
    return x


def made_inside(n, seed):
    rng = np.random.default_rng(seed)
    s = 0.0
    for _ in range(n):
        s += rng.random()
    return s, rng.random()


def helped(n, rng):
    def step(x):
        if rng.random() < 0.1:
            return 0.0
        return x + rng.normal()

    x = 0.0
    for _ in range(n):
        x = step(x)
    return x


def test_draws_are_made_where_they_stand():
    agree(branches, lambda: (2000, new()), lambda: (0, new()), lambda: (1, new(9, np.random.MT19937)))
    agree(unused, lambda: (30, new()), lambda: (0, new()))
    agree(left, lambda: (50, new(), 4.0), lambda: (500, new(), 1.0), lambda: (1, new(), 9.0))
    agree(walks, lambda: (500, new()), lambda: (0, new()))
    agree(made_inside, lambda: (500, 3), lambda: (0, 3))
    agree(helped, lambda: (500, new()), lambda: (0, new()))


def test_two_generators_and_one_under_two_names():
    def one(n):
        rng = new(2)
        return n, rng, rng

    agree(orders, lambda: (500, new(1), new(2)), lambda: one(500), lambda: (9, legacyless(3), new(4)))
    shared = np.random.SFC64(8)
    agree(orders, lambda: (60, np.random.Generator(shared.__class__(8)), new(4)))

    def same_bits(n):
        bits = np.random.PCG64(8)
        return n, np.random.Generator(bits), np.random.Generator(bits)

    agree(orders, lambda: same_bits(99))


def legacyless(seed: int) -> Any:
    return new(seed, np.random.Philox)


# Arrays in loops ------------------------------------------------------------------------------------------


def small_arrays(n, rng):
    x = np.zeros(3)
    s = 0.0
    for i in range(n):
        x = x + rng.normal(size=3) * rng.random() + rng.uniform(-1, 1, (2, 3))[1]
        s += rng.integers(0, 7, size=4).sum() + rng.choice(9, 2)[0] + rng.poisson(3.0, 2).sum()
        x = x + rng.standard_normal((3, 1))[:, 0] + rng.random((2, 2, 3)).sum(axis=0)[1]
    return x, s


def sized_arrays(n, m, rng):
    out = np.zeros((n, 3))
    for i in range(n):
        u = rng.random(m)
        v = rng.integers(0, m, size=m)
        w = rng.exponential(2.0, size=(m, i))
        out[i, 0] = (u * v).sum()
        out[i, 1] = w.sum()
        out[i, 2] = rng.standard_exponential(i).sum()
    return out


def arrays_of_state(n, rng):
    s = 0.0
    for i in range(n):
        a = rng.rand(2, 3)
        s += (a[0] * rng.randn(3)).sum() + rng.randint(0, 5, 4).sum() + rng.normal(0, 1, 3)[1]
        s += rng.uniform(size=2)[0] + rng.choice(3, size=2).sum() + rng.random_sample(2)[1] + rng.randn()
    return s


def refused_arrays(n, m, rng, scale):
    s = 0.0
    for i in range(n):
        s += rng.normal(0.0, scale - i, m).sum() + rng.random()
    return s


def refused_sizes(n, m, rng):
    s = 0.0
    for i in range(n):
        s += rng.random(m - i).sum()
    return s


def steps_of_a_row(n, rng):
    x = 0
    y = 0.0
    for _ in range(n):
        x += rng.choice([-1, 1])
        y = y * 0.5 + rng.choice((0.5, 2, True))
    return x, y


def row_given(n, rng, row):
    s = 0.0
    for _ in range(n):
        s = s * 0.5 + rng.choice(row)
    return s


def row_of_the_module(n):
    x = 0
    for _ in range(n):
        x += np.random.choice([-1, 0, 1])
    return x


def row_that_changes(n, rng):
    row = [1, 2, 3]
    s = 0.0
    for i in range(n):
        row[i % 3] = i
        s += rng.choice(row)
    return s


def test_choices_from_a_row():
    agree(steps_of_a_row, lambda: (200, new()), lambda: (0, new()), lambda: (200, legacy()))
    agree(row_of_the_module, lambda: (200,))
    agree(row_given, lambda: (99, new(), np.arange(4.0)), lambda: (9, new(), np.array([3], np.int32)))
    empty, flags = np.zeros(0), np.array([True, False])
    agree(row_given, lambda: (9, new(), [1.5, 2.5]), lambda: (9, new(), empty), lambda: (9, new(), flags))
    agree(row_given, lambda: (9, new(), np.ones((3, 2))), lambda: (9, new(), 7), compiled=False)
    agree(row_that_changes, lambda: (30, new()), compiled=False)


def test_arrays_that_are_drawn_in_loops():
    compiled = [
        agree(small_arrays, lambda: (40, new()), lambda: (0, new()), lambda: (7, new(3, np.random.MT19937))),
        agree(sized_arrays, lambda: (9, 5, new()), lambda: (3, 1, new()), lambda: (4, 0, new())),
        agree(arrays_of_state, lambda: (40, legacy()), lambda: (1, legacy())),
    ]
    for decorated, args in zip(compiled, ((9, new()), (9, 5, new()), (9, legacy())), strict=True):
        assert IDENTITY or "runs as Python" not in explanation(decorated, *args)


def test_arrays_that_numpy_refuses():
    scales = ((3, 2, 9.0), (3, 2, 1.5), (2, 0, 0.5))
    agree(refused_arrays, *(lambda n=n, m=m, k=k: (n, m, new(), k) for n, m, k in scales), compiled=False)
    sizes = ((3, 5), (5, 2), (1, -1))
    agree(refused_sizes, *(lambda n=n, m=m: (n, m, new()) for n, m in sizes), compiled=False)


# Errors ---------------------------------------------------------------------------------------------------


def wrong_scale(n, rng, out, scale):
    for i in range(n):
        out[i] = rng.normal(0.0, scale - i)
    return out


def wrong_width(n, rng, out, width):
    for i in range(n):
        out[i] = rng.uniform(i * width, 3.0)
    return out


def wrong_exponential(n, rng, out, scale):
    for i in range(n):
        out[i] = rng.exponential(scale / (5 - i) if i != 5 else -0.0)
    return out


def wrong_shapes(n, rng, out, number):
    for i in range(n):
        out[i] = rng.beta(number - i, 1.0) + rng.gamma(2.0, number - i) + rng.wald(number, number - i / 2)
    return out


def wrong_chances(n, rng, out, number):
    for i in range(n):
        out[i] = rng.binomial(9 - i, number / (6 - i)) + rng.geometric(number / (5 - i))
    return out


def wrong_rates(n, rng, out, number):
    for i in range(n):
        out[i] = rng.poisson(number - i) + rng.poisson(number * 10.0 ** (4 * i))
    return out


def wrong_bounds(n, rng, out, low):
    for i in range(n):
        out[i] = rng.integers(low, 4 - i) + rng.random()
    return out


def wrong_end(n, rng, out, low):
    for i in range(n):
        out[i] = rng.integers(low, 4 - i, endpoint=True)
    return out


def wrong_choice(n, rng, out, low):
    for i in range(n):
        out[i] = rng.choice(low + 4 - i)
    return out


def wrong_randint(n, rng, out, low):
    for i in range(n):
        out[i] = rng.randint(low, 4 - i) + rng.random_sample()
    return out


def beyond(n, rng, out, _):
    for i in range(n):
        out[i] = rng.random()
    return out


def divided(n, rng, out, zero):
    for i in range(n):
        out[i] = 1.0 / (rng.integers(3) * (i + zero))
    return out


REFUSED = [wrong_scale, wrong_width, wrong_exponential, wrong_shapes, wrong_chances, wrong_rates]


@pytest.mark.parametrize("program", REFUSED)
def test_parameters_that_numpy_refuses(program):
    for number in (3.0, 1.0, 0.0, -1.0, np.nan, np.inf, -np.inf):
        agree(program, lambda number=number: (8, new(), np.zeros(8), number))


@pytest.mark.parametrize("program", [wrong_bounds, wrong_end, wrong_choice])
def test_bounds_that_numpy_refuses(program):
    agree(program, *(lambda low=low: (8, new(), np.zeros(8), low) for low in (0, 1, -2, 9)))


def test_errors_of_random_state():
    agree(wrong_randint, *(lambda low=low: (8, legacy(), np.zeros(8), low) for low in (0, 1, -2, 9)))
    agree(wrong_choice, lambda: (8, legacy(), np.zeros(8), 0))
    agree(wrong_scale, *(lambda k=k: (8, legacy(), np.zeros(8), k) for k in (2.0, 2.5, -1.0, np.nan)))
    agree(wrong_exponential, *(lambda k=k: (8, legacy(), np.zeros(8), k) for k in (2.0, -1.0, np.nan)))
    agree(wrong_width, lambda: (8, legacy(), np.zeros(8), 1.0), lambda: (8, legacy(), np.zeros(8), np.inf))


def test_errors_of_other_kinds_leave_the_state_that_python_leaves():
    agree(beyond, lambda: (8, new(), np.zeros(5), 0), lambda: (8, new(), np.zeros(8), 0))
    agree(divided, lambda: (8, new(), np.zeros(8), 0), lambda: (8, new(), np.zeros(8), 1))


def seeds_again(n):
    np.random.seed(3)
    s = 0.0
    for _ in range(n):
        s += np.random.randn()
    np.random.seed(n)
    order = np.random.permutation(n)
    for i in range(n):
        s += np.random.rand() * order[i]
    return s


def shuffles(n, rng, x):
    s = 0.0
    for _ in range(n):
        rng.shuffle(x)
        for i in range(len(x)):
            s = s * 0.9 + x[i] * rng.random()
    return s


def under_other_names(n, rng):
    thrown = rng.random
    s = 0.0
    for _ in range(n):
        s += thrown() - rand() * randn()
    return s


def of_a_list(n, generators):
    s = 0.0
    for rng in generators:
        for _ in range(n):
            s += rng.random()
    return s


def converted(n, rng, x, small, flag):
    s = 0.0
    for _ in range(n):
        s += rng.normal(x, small) + rng.integers(small) + rng.uniform(flag, 3)
    return s


def test_other_calls_keep_their_place():
    agree(seeds_again, lambda: (9,), lambda: (0,))
    agree(shuffles, lambda: (9, new(), np.arange(5.0)))
    agree(under_other_names, lambda: (9, new()))
    agree(of_a_list, lambda: (9, [new(1), new(2)]))
    agree(converted, lambda: (9, new(), np.float32(0.3), np.uint8(7), True))


# Where generators come from -------------------------------------------------------------------------------

RNG = np.random.default_rng(4)


def of_a_global(n):
    s = 0.0
    for _ in range(n):
        s += RNG.random()
    return s


class Walker:
    def __init__(self, rng: Any) -> None:
        self.rng = rng
        self.at = 0.0

    def walk(self, n):
        for _ in range(n):
            self.at += self.rng.normal()
        return self.at


def drawn_by(n, rng):
    s = 0.0
    for _ in range(n):
        s += rng.random()
    return s


class Own(np.random.Generator):
    def random(self, *args, **kwargs):
        return 0.25


def test_globals_closures_and_attributes():
    def closed(n):
        s = 0.0
        for _ in range(n):
            s += rng.random()
        return s

    for function in (of_a_global, closed):
        decorated = decorate(function)
        for n in (5, 0, 70):
            results = []
            for call in (function, decorated):
                global RNG
                rng = RNG = new(6)
                results.append((call(n), state_of(RNG)))
            assert results[0] == results[1]
    walker, other = Walker(new(3)), Walker(new(3))
    walk = decorate(Walker.walk)
    for n in (4, 40, 0, 7):
        assert walk(walker, n) == other.walk(n)
        assert state_of(walker.rng) == state_of(other.rng)
        assert walker.at == other.at


def test_other_classes_stay_what_they_are():
    decorated = decorate(drawn_by)
    for make in (new, legacy, lambda seed: Own(np.random.PCG64(seed)), new, legacy):
        one, two = make(3), make(3)
        assert decorated(50, one) == drawn_by(50, two)
        assert state_of(one) == state_of(two)


def test_a_replaced_function_of_the_module(monkeypatch):
    def thrown(n):
        s = 0.0
        for _ in range(n):
            s += np.random.rand()
        return s

    decorated = decorate(thrown)
    np.random.seed(1)
    first = decorated(9)
    np.random.seed(1)
    assert first == thrown(9)
    monkeypatch.setattr(np.random, "rand", lambda: 0.5)
    assert decorated(9) == 4.5
    monkeypatch.undo()
    np.random.seed(1)
    assert decorated(9) == first
    other = np.random.RandomState(1)
    monkeypatch.setattr(np.random, "rand", other.rand)
    assert decorated(9) == first


def test_the_generator_under_the_module_may_be_swapped():
    decorated = decorate(module_level)
    decorated(3)
    before = np.random.get_bit_generator()
    try:
        results = []
        for function in (module_level, decorated):
            np.random.set_bit_generator(np.random.PCG64(4))
            results.append((function(40).tobytes(), state_of(np.random.mtrand._rand)))
        assert results[0] == results[1]
    finally:
        np.random.set_bit_generator(before)


def test_a_generator_given_as_a_seed():
    def reused(n, seed):
        rng = np.random.default_rng(seed)
        s = 0.0
        for _ in range(n):
            s += rng.random()
        return s

    decorated = decorate(reused)
    for make in (
        lambda: 3,
        lambda: new(4),
        lambda: Own(np.random.PCG64(2)),
        lambda: np.random.SeedSequence(3),
    ):
        one, two = make(), make()
        assert decorated(20, one) == reused(20, two)


# Threads --------------------------------------------------------------------------------------------------


@needs_compiler
def test_threads_share_a_generator_without_losing_numbers():
    rng, decorated = new(9), decorate(of_random)
    decorated(1, new())
    found: list[Any] = []

    def work(call: Callable[..., Any]) -> None:
        found.extend(np.concatenate([call(2000, rng) for _ in range(20)]))

    threads = [threading.Thread(target=work, args=(call,)) for call in (decorated, of_random, decorated)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == sorted(new(9).random(len(found)))


@needs_compiler
def test_two_generators_are_locked_in_one_order():
    one, two, decorated = new(1), new(2), decorate(orders)
    decorated(1, one, two)
    threads = [
        threading.Thread(target=lambda a=a, b=b: [decorated(300, a, b) for _ in range(200)])
        for a, b in ((one, two), (two, one))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()


def long_sum(n, rng):
    s = 0.0
    for _ in range(n):
        s += rng.random()
    return s


@needs_compiler
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no such signals here")
def test_the_handler_of_a_signal_may_draw_from_the_same_generator():
    rng, decorated, drawn = new(4), decorate(long_sum), []
    decorated(1, new())
    before = signal.signal(signal.SIGALRM, lambda *_: drawn.append(rng.random()))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
        total, wanted = 0.0, 0
        while len(drawn) < 3:
            total += decorated(2_000_000, rng)
            wanted += 2_000_000
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    other = new(4)
    plain = other.random(wanted + len(drawn))
    assert set(drawn) <= set(plain)
    assert total == pytest.approx(plain.sum() - sum(drawn), rel=1e-9)
    assert state_of(other) == state_of(rng)


@needs_compiler
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_child_goes_on_with_a_generator_of_its_own():
    rng, decorated = new(4), decorate(long_sum)
    decorated(3, rng)
    child = os.fork()
    if not child:
        other = new(4)
        other.random(3)
        os._exit(0 if decorated(5, rng) == long_sum(5, other) and state_of(rng) == state_of(other) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    other = new(4)
    other.random(3)
    assert decorated(5, rng) == long_sum(5, other)


# Ints beyond 64 bits --------------------------------------------------------------------------------------


def hashed(n, rng, out):
    h = 1
    for i in range(n):
        h = h * 31 + rng.choice(10)
        out[i] = rng.standard_normal()
    return h, out


def hashed_by_the_module(n):
    h = 1
    for _ in range(n):
        h = h * 31 + np.random.randint(10)
        if np.random.randn() > 0.5:
            h += 1
    return h


def hashed_inside(n, seed):
    rng = np.random.default_rng(seed)
    h = 1
    for _ in range(n):
        h = h * 31 + rng.choice(10)
    return h, rng.random()


def test_the_generator_is_put_back_where_plain_python_starts_again():
    for make in (new, legacy, lambda seed=4: new(seed, np.random.MT19937)):
        agree(hashed, *(lambda n=n, make=make: (n, make(), np.zeros(60)) for n in (3, 60, 11)))
    agree(hashed_by_the_module, *(lambda n=n: (n,) for n in (3, 60, 61, 11)))
    agree(hashed_inside, *(lambda n=n: (n, 4) for n in (3, 60, 11)))


# What people write ----------------------------------------------------------------------------------------


def pi_by_darts(n, rng):
    inside = 0
    for _ in range(n):
        x, y = rng.random(), rng.random()
        if x * x + y * y <= 1.0:
            inside += 1
    return 4 * inside / n


def metropolis(n, rng, width):
    x = 0.0
    total = 0.0
    taken = 0
    for _ in range(n):
        y = x + rng.normal(0.0, width)
        if rng.random() < np.exp(0.5 * (x * x - y * y)):
            x = y
            taken += 1
        total += x * x
    return total / n, taken


def random_walk(n, rng):
    where = np.zeros(n + 1)
    for i in range(n):
        where[i + 1] = where[i] + (1 if rng.random() < 0.5 else -1)
    return where


def sir(days, s, i, r, rng):
    history = np.zeros((days, 3), np.int64)
    for day in range(days):
        n = s + i + r
        infected = 0
        healed = 0
        for _ in range(s):
            if rng.random() < 0.3 * i / n:
                infected += 1
        for _ in range(i):
            if rng.random() < 0.1:
                healed += 1
        s -= infected
        i += infected - healed
        r += healed
        history[day, 0] = s
        history[day, 1] = i
        history[day, 2] = r
    return history


def ising(spins, beta, sweeps, rng):
    n = spins.shape[0]
    for _ in range(sweeps * n * n):
        i = rng.integers(n)
        j = rng.integers(0, n)
        around = spins[(i + 1) % n, j] + spins[i - 1, j] + spins[i, (j + 1) % n] + spins[i, j - 1]
        cost = 2 * spins[i, j] * around
        if cost <= 0 or rng.random() < np.exp(-beta * cost):
            spins[i, j] = -spins[i, j]
    return spins.sum()


def percolation(n, p, rng):
    grid = np.zeros((n, n), np.bool_)
    for i in range(n):
        for j in range(n):
            grid[i, j] = rng.random() < p
    full = np.zeros((n, n), np.bool_)
    full[0] = grid[0]
    for i in range(1, n):
        for j in range(n):
            if grid[i, j] and full[i - 1, j]:
                full[i, j] = True
    return full[-1].any()


def integral(n):
    s = 0.0
    for _ in range(n):
        x = np.random.uniform(0, 2)
        s += x * x
    return 2 * s / n


EXAMPLES = [
    (pi_by_darts, lambda: (3000, new())),
    (metropolis, lambda: (3000, new(), 0.7)),
    (random_walk, lambda: (3000, new())),
    (sir, lambda: (30, 95, 5, 0, new())),
    (ising, lambda: (np.ones((8, 8), np.int64), 0.4, 3, new())),
    (percolation, lambda: (30, 0.7, new())),
    (integral, lambda: (3000,)),
]


@pytest.mark.parametrize(("program", "make"), EXAMPLES, ids=[program.__name__ for program, _ in EXAMPLES])
def test_examples_are_compiled_completely(program, make):
    decorated = agree(program, make)
    if not IDENTITY:
        assert "runs as Python" not in explanation(decorated, *make()), explanation(decorated, *make())
