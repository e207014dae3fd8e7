"""Python's own `random`: kernels draw the same numbers, and leave the same state behind."""

from __future__ import annotations

import contextlib
import io
import math
import random
import threading
from random import randint

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import decorate

SIZES = (40, 3, 0, 700)


def pi(n):
    inside = 0
    for _ in range(n):
        x, y = random.random(), random.random()
        if x * x + y * y < 1:
            inside += 1
    return 4 * inside / (n + 1)


def walk(n):
    place = [0]
    for _ in range(n):
        place.append(place[-1] + random.choice([-1, 1]))
    return place


def walk_in_the_plane(n):
    x = y = 0
    for _ in range(n):
        dx, dy = random.choice([(0, 1), (1, 0), (0, -1), (-1, 0)])
        x += dx
        y += dy
    return x, y


def coins(n):
    heads = run = longest = 0
    for _ in range(n):
        side = random.choice(["heads", "tails"])
        if side == "heads":
            heads += 1
            run += 1
            longest = max(longest, run)
        else:
            run = 0
    return heads, longest


def dice(n):
    counts = [0] * 13
    for _ in range(n):
        counts[randint(1, 6) + random.randint(1, 6)] += 1
    return counts


def bounds(n):
    found = []
    for k in range(1, n + 1):
        found.append(random.randrange(k))
        found.append(random.randrange(-k, k * k + 1))
        found.append(random.randint(-(2**40), 2**45 + k))
    return found


def normal(n):
    values = [random.gauss(1.5, 2.0) for _ in range(n)]
    return sum(values), values


def odd_number_of_normals(n):
    total = 0.0
    for k in range(n):
        total += random.gauss(0, 1)
        if k % 3 == 0:
            total += random.random()
    return total


def others(n):
    total = 0.0
    for _ in range(n):
        total += random.uniform(-1, 2.5) + random.uniform(3, 7)
        total += random.expovariate(0.5) * random.normalvariate(0.0, 2.0)
    return total


def metropolis(n):
    x, taken = 0.0, []
    for _ in range(n):
        y = x + random.uniform(-1, 1)
        if random.random() < math.exp(-(y * y - x * x) / 2):
            x = y
        taken.append(x)
    return sum(taken), len(taken)


def seeded(n):
    random.gauss(0.0, 1.0)
    random.seed(n)
    first = random.gauss(0.0, 1.0)
    total = 0.0
    for _ in range(n):
        total += random.random()
    random.seed(7)
    return first, total, random.gauss(0.0, 1.0)


def shuffled(n):
    cards = list(range(n))
    random.shuffle(cards)
    floats = [k * 0.5 for k in range(n)]
    random.shuffle(floats)
    return cards, floats


def shuffled_array(n):
    x = np.arange(float(n))
    random.shuffle(x)
    for k in range(n):
        x[k] += random.random()
    return x


def from_ranges(n):
    found = []
    for _ in range(n):
        found.append(random.choice(range(3, 50, 7)) + random.choice(range(10)))
    return found


def from_a_list(n):
    pool = [k * k for k in range(n + 1)]
    return sum([random.choice(pool) for _ in range(n)]), random.choice((1.5, 2.5))


def many_constants(n):
    total = 0
    for _ in range(n):
        total += random.choice([1, 2, 3, 5, 8, 13, 21, 34, 55, 89])
    return total


def own_generator(n):
    rng = random.Random(n)
    total = rng.gauss(0.0, 1.0)
    for _ in range(n):
        total += rng.random() * rng.randint(1, 3)
    return total


def unlike(n):
    total = 0.0
    for k in range(n):
        if random.random() < 0.3:
            continue
        if random.random() > 0.999:
            break
        total += k
    return total, random.sample(range(100), 3), random.getrandbits(5)


def printed(n):
    print("begin", n)
    total = 1
    for k in range(n):
        total *= random.randint(2, 9)
        if k % 100 == 0:
            print(k, total)
    return total


def table(n):
    cells = [0] * 16
    for _ in range(n):
        cells[random.randrange(4) * 4 + random.randrange(4)] += 1
    return cells


PROGRAMS = (
    pi, walk, walk_in_the_plane, coins, dice, bounds, normal, odd_number_of_normals, others, metropolis,
    seeded, shuffled, shuffled_array, from_ranges, from_a_list, many_constants, own_generator,
    unlike, printed, table,
)  # fmt: skip


def _seen(function, *args):
    """What a call gives, and where it leaves the generator; what it gives next tells if it's usable."""
    random.seed(args[-1])
    if args[-1] % 2:
        random.gauss(0.0, 1.0)
    with contextlib.redirect_stdout(io.StringIO()) as out:
        try:
            found = repr(function(*args))
        except Exception as error:
            found = repr(error)
    return found, out.getvalue(), random.getstate(), random.random()


@pytest.mark.parametrize("function", PROGRAMS)
def test_the_numbers_and_the_state_are_the_same(function):
    decorated = decorate(function)
    for n in (*SIZES, *SIZES):
        assert _seen(decorated, n) == _seen(function, n)


@needs_compiler
@pytest.mark.parametrize("function", [p for p in PROGRAMS if p not in (unlike, printed)])
def test_they_are_drawn_in_kernels(function):
    decorated = decorate(function)
    _seen(decorated, 700)
    assert has_compiled_part(decorated)


def draws_from(rng, n):
    total = 0.0
    for _ in range(n):
        total += rng.random() + rng.gauss(0.0, 1.0) + rng.choice((1, 2, 3))
    return total, rng.uniform(0.0, 1.0)


class Own(random.Random):
    def random(self):
        return 0.25


@pytest.mark.parametrize("kind", [random.Random, Own, random.SystemRandom])
def test_a_generator_as_an_argument(kind):
    decorated = decorate(draws_from)
    for n in (5, 6, 400):
        one, other = kind(3), kind(3)
        if kind is random.SystemRandom:
            assert isinstance(decorated(one, n)[0], float)
            continue
        assert decorated(one, n) == draws_from(other, n)
        assert one.getstate() == other.getstate()


def test_the_same_generator_twice():
    def f(a, b, n):
        total = 0.0
        for _ in range(n):
            total += a.random() - b.gauss(0.0, 1.0) * a.gauss(0.0, 1.0)
        return total

    decorated = decorate(f)
    for n in (5, 60):
        one, other = random.Random(3), random.Random(3)
        assert decorated(one, one, n) == f(other, other, n)
        assert one.getstate() == other.getstate()


def test_bounds_that_are_empty():
    def f(n, m):
        total = random.random()
        for k in range(n):
            total += random.randrange(m - k)
        return total

    decorated = decorate(f)
    for n, m in ((3, 10), (10, 3), (3, 10)):
        assert _seen(decorated, n, m) == _seen(f, n, m)


def test_a_function_that_is_replaced(monkeypatch):
    decorated = decorate(pi)
    assert _seen(decorated, 300) == _seen(pi, 300)
    monkeypatch.setattr(random, "random", lambda: 0.5)
    assert decorated(300) == pi(300)


def test_threads_draw_other_numbers():
    """Two kernels never draw from one state at the same time."""

    def f(n):
        total = 0.0
        for _ in range(n):
            total += random.random()
        return total

    decorated, found = decorate(f), []
    decorated(10)
    threads = [threading.Thread(target=lambda: found.append(decorated(20_000))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 6


def uniform_of(r, n):
    total = 0.0
    for _ in range(n):
        total += r.uniform(0, 1)
    return total


def test_a_generator_whose_draws_are_replaced():
    decorated = decorate(uniform_of)
    assert decorated(random.Random(3), 20) == uniform_of(random.Random(3), 20)
    changed = random.Random(3)
    changed.random = lambda: 0.25
    assert decorated(changed, 20) == uniform_of(changed, 20) == 5.0


def test_the_class_of_generators_is_changed(monkeypatch):
    decorated = decorate(dice)
    assert _seen(decorated, 50) == _seen(dice, 50)
    monkeypatch.setattr(random.Random, "_randbelow", lambda self, n: 0)
    assert _seen(decorated, 50) == _seen(dice, 50)
