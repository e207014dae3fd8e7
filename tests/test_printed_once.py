"""Functions that print: their loops are compiled, and where a call starts again it prints once."""

from __future__ import annotations

import collections
import contextlib
import copy
import io
import random
import sys
import threading
import time
import warnings

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import IDENTITY, compare, decorate


def sieve(n):
    print("primes up to", n)
    is_prime = [True] * (n + 1)
    for i in range(2, int(n**0.5) + 1):
        if is_prime[i]:
            for j in range(i * i, n + 1, i):
                is_prime[j] = False
    found = [i for i in range(2, n + 1) if is_prime[i]]
    print(len(found), "primes", end="!\n")
    print()
    return found


def bubble(values):
    for end in range(len(values) - 1, 0, -1):
        for k in range(end):
            if values[k] > values[k + 1]:
                values[k], values[k + 1] = values[k + 1], values[k]
        print("pass", end, values[end], sep=": ", flush=True)
    print(values)


def beyond_64_bits(n):
    print("powers", n)
    total, terms = 1, []
    for k in range(n):
        total *= 3
        terms.append(total % 1000)
    print(f"{total:,}")
    return terms


def beyond_in_the_middle(n):
    total = 1
    for row in range(4):
        print("row", row, total)
        for _ in range(n):
            total *= 3
    print("done", total)
    return total


def out_of_range(values, n):
    print("begin")
    total = 0.0
    for k in range(n):
        total += values[k]
        values[k] = total
    print("end", total)
    return total


def nothing_but_an_end(values, n):
    print(end="")
    print("a", end="")
    print(1, 2, sep="")
    return out_of_range(values, n)


def lists_shown(n):
    squares, names = [], []
    for k in range(n):
        squares.append(k * 0.5)
    pairs = [(k, k * 2) for k in range(n)]
    print(squares, pairs[:3])
    print(squares[1:3], max(squares), sum(squares), sorted(squares, key=lambda s: -s)[:2])
    for k, (a, b) in enumerate(pairs):
        print(f"{k}: {a} {b} {squares[k]:.2f}")
        names.append(str(a))
    print(", ".join(names))
    return squares, names


def timed(values):
    start = time.perf_counter()
    total = 0.0
    for v in values:
        for w in values:
            total += abs(v - w)
    print("took" if time.perf_counter() >= start else "never")
    return total


def warned_at_the_end(values):
    total = 0.0
    for v in values:
        total += v
    if total > 10:
        warnings.warn("large", stacklevel=1)
    return total


def kept_at_the_end(values, seen):
    total = 0
    for v in values:
        total += v * v
    seen[len(values)] = total
    return total


def own_containers(values):
    counts, found, names = {}, set(), []
    for v in values:
        if v > 2:
            found.add(v)
    counts["all"] = len(values)
    names.append("x")
    best = 0
    for v in values:
        for w in values:
            best = max(best, v * w)
    return counts, sorted(found), names, best


class Account:
    def __init__(self, balance):
        self.balance = balance
        self.count = 0


def months(account, n, rate):
    for month in range(n):
        account.balance += account.balance * rate
        account.count += 1
        print(f"month {month}: {account.balance:.2f}")
    return account.balance, account.count


PROGRAMS = [
    (sieve, (200,)),
    (bubble, ([5.0, 3.0, 9.0, 1.0, 4.0],)),
    (bubble, ([5, 3, 9, 1, 4],)),
    (beyond_64_bits, (10,)),
    (beyond_64_bits, (200,)),
    (beyond_in_the_middle, (3,)),
    (beyond_in_the_middle, (20,)),
    (out_of_range, ([1.0, 2.0, 3.0] * 20, 60)),
    (out_of_range, ([1.0, 2.0, 3.0] * 20, 61)),
    (nothing_but_an_end, ([1.0, 2.0, 3.0] * 20, 61)),
    (lists_shown, (6,)),
    (timed, ([1.5, 2.5, -3.0],)),
    (warned_at_the_end, ([1.0, 2.0],)),
    (warned_at_the_end, ([10.0, 2.0],)),
    (kept_at_the_end, ([1, 2, 3], {})),
    (kept_at_the_end, ([1, 2, 3 * 10**9, 10**10], {})),
    (own_containers, ([1, 2, 3, 4],)),
    (own_containers, ([1, 2, 3 * 10**9, 10**10],)),
    (months, (Account(100.0), 5, 0.01)),
]


def _seen(function, args):
    """What a call gives or raises, prints and does to its arguments."""
    args, out = copy.deepcopy(args), io.StringIO()
    with contextlib.redirect_stdout(out), warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            result = repr(function(*args))
        except Exception as error:
            result = repr(error)
    state = [vars(arg) if isinstance(arg, Account) else arg for arg in args]
    return result, out.getvalue(), repr(state), [str(one.message) for one in told]


@pytest.mark.parametrize(("function", "args"), PROGRAMS)
def test_it_prints_once(function, args):
    decorated = decorate(function)
    for _ in range(3):
        assert _seen(decorated, args) == _seen(function, args)


@needs_compiler
@pytest.mark.parametrize(
    ("function", "args"),
    [
        (sieve, (200,)),
        (bubble, ([5.0, 3.0, 9.0, 1.0, 4.0] * 8,)),
        (out_of_range, ([1.0, 2.0, 3.0] * 20, 60)),
        (timed, ([1.5, 2.5, -3.0] * 20,)),
        (own_containers, (list(range(40)),)),
    ],
)
def test_its_loops_are_compiled(function, args):
    decorated = decorate(function)
    with contextlib.redirect_stdout(io.StringIO()):
        decorated(*copy.deepcopy(args))
    assert has_compiled_part(decorated)


def test_other_threads_print_meanwhile():
    """Where a call starts again only what it has printed itself is left out."""
    decorated, out, stop = decorate(beyond_in_the_middle), io.StringIO(), threading.Event()
    lines = []

    def chatter():
        while not stop.is_set():
            print("chatter")
            lines.append(1)
            time.sleep(1e-4)

    with contextlib.redirect_stdout(out):
        thread = threading.Thread(target=chatter)
        thread.start()
        for _ in range(20):
            decorated(20)
        stop.set()
        thread.join()
    text = out.getvalue()
    assert text.count("chatter") == len(lines)
    assert text.count("row 3") == text.count("done") == 20


def test_a_stream_of_the_users():
    class Loud:
        def __init__(self):
            self.texts = []

        def write(self, text):
            self.texts.append(text)

        def flush(self):
            pass

    plain, decorated = Loud(), Loud()
    for stream, function in ((plain, beyond_in_the_middle), (decorated, decorate(beyond_in_the_middle))):
        with contextlib.redirect_stdout(stream):
            function(20)
            assert sys.stdout is stream
    assert plain.texts == decorated.texts


def test_arrays_that_are_written():
    def f(x, n):
        print("begin", x[0])
        p = 1
        for k in range(n):
            x[k % 3] += 1.0
            p *= 3
        print("end", p)
        return p

    for n in (5, 60):
        assert _seen(decorate(f), (np.arange(3.0), n)) == _seen(f, (np.arange(3.0), n))
    compare(f, decorate(f), (np.arange(3.0), 60), calls=3)


def now_and_then(n):
    total, kept = 0.0, []
    for i in range(n):
        total += i * 0.5
        kept.append(total)
        if i % 20 == 0:
            print(f"step {i:4d}: {total:.3e}", end=";\n")
            if total > 50:
                print("high", flush=True)
    return total, len(kept)


def of_every_kind(n):
    a = np.zeros(n + 1, dtype=np.float32)
    c = np.arange(n + 1) * 2
    for i in range(n):
        a[i] = i * 0.1
        if i % 30 == 1:
            print(a[i], i, a[i] > 3, f"{a[i]}", f"{a[i]!r}", c[i], i / 3, -i, (i, i**2), [i], not i, sep="|")
    return a


def until_it_converges(n):
    x, count = float(n + 2), 0
    while abs(x * x - 2) > 1e-12:
        x = (x + 2 / x) / 2
        count += 1
        if count % 2 == 0:
            print(f"{count}: {x!r}")
        if count > 100:
            print("no convergence")
            break
    return x


def fails_in_the_middle(n):
    total = 0.0
    for i in range(n):
        if i % 7 == 0:
            print("at", i, total, sep="=")
        total += 1 / (50 - i)
    return total


def leaves_64_bits(n):
    total = 1
    for i in range(n):
        total = total * 3 + i
        if i % 10 == 0:
            print(i, total)
    return total


def in_loops_in_loops(n):
    count = 0
    for i in range(n // 10):
        for j in range(i):
            if (i * j) % 17 == 5:
                print("hit", (i, j))
            count += i * j
    return count


NOW_AND_THEN = [
    now_and_then,
    of_every_kind,
    until_it_converges,
    fails_in_the_middle,
    leaves_64_bits,
    in_loops_in_loops,
]


@pytest.mark.parametrize("function", NOW_AND_THEN)
def test_kernels_print_now_and_then(function):
    decorated = decorate(function)
    for n in (5, 40, 100, 300, 5):
        assert _seen(decorated, (n,)) == _seen(function, (n,))
    assert IDENTITY or has_compiled_part(decorated)


def test_a_stream_that_raises():
    class Full:
        def __init__(self):
            self.texts = []

        def write(self, text):
            if len(self.texts) > 20:
                raise OSError("no space left")
            self.texts.append(text)

        def flush(self):
            pass

    plain, decorated = Full(), Full()
    for stream, function in ((plain, now_and_then), (decorated, decorate(now_and_then))):
        with contextlib.redirect_stdout(stream), pytest.raises(OSError, match="no space left"):
            function(300)
    assert plain.texts == decorated.texts


def tells_the_time_twice(n, k):
    now = time.time_ns()
    print("now", now)
    total = 0
    for i in range(n):
        total += i**k
    print("now", now)
    return total


def draws_from_the_system(n, k):
    count = np.random.default_rng().integers(1, 6)
    for line in range(count):
        print("now", count)
    total = 0
    for i in range(n):
        total += i**k
    print("now", count)
    return total


@pytest.mark.parametrize("function", [tells_the_time_twice, draws_from_the_system])
def test_what_was_printed_is_what_is_used(function):
    """What is another value when it is asked again is not asked again behind a print."""
    decorated = decorate(function)
    for args in ((1500, 2), (1500, 8), (1500, 2)):
        _, text, *_ = _seen(decorated, args)
        assert len(set(text.splitlines())) == 1


def own_containers_in_loops(n, k):
    found, lines, texts = {}, [], {"begin"}
    print(found, texts)
    for row in range(3):
        total = 0
        for i in range(n):
            total += i**k
        found[row] = total
        lines.append(str(total))
    print(found)
    return found, lines


def test_own_containers_are_made_again():
    decorated = decorate(own_containers_in_loops)
    for args in ((1500, 2), (1500, 8), (1500, 2)):
        assert _seen(decorated, args) == _seen(own_containers_in_loops, args)


def uses_up_an_iterator(items, n):
    own, seen = ["x"], set()
    own.extend(items)
    seen.update(own)
    total = 1
    for i in range(n):
        total *= 3
    return own, len(seen), total


def changes_what_a_display_holds(given, n):
    [given, ["a"]][n % 2].append("b")
    total = 1
    for i in range(n):
        total *= 3
    return given, total


@pytest.mark.parametrize("n", [4, 50])
def test_the_callers_objects_are_changed_once(n):
    for _ in range(3):
        with contextlib.suppress(OverflowError):  # ints beyond 64 bits after the iterator has been used
            assert decorate(uses_up_an_iterator)(iter(["y", "z"]), n) == uses_up_an_iterator(
                iter(["y", "z"]), n
            )
        given = ["c"]
        with contextlib.suppress(OverflowError):
            decorate(changes_what_a_display_holds)(given, n)
        assert given == ["c", "b"]


def nested_restarts(n, x):
    r = starts_again_inside(2**40, x)
    print("outer")
    s = 1
    for _ in range(n):
        s = s * 3
    print(s, r)
    return r


def _inside(a, x):
    print("start")
    t = 0.0
    for i in range(len(x)):
        t += x[i] * (a * a * a % 7)
    print("t", t)
    return t


starts_again_inside = decorate(_inside)


def test_a_call_that_starts_again_in_another():
    decorated = decorate(nested_restarts)
    for n in (4, 45, 45):
        assert _seen(decorated, (n, np.arange(4.0))) == _seen(nested_restarts, (n, np.arange(4.0)))


def key_that_draws(n):
    a = sorted([n, 3, 8], key=random.getrandbits)
    s = 1
    for _ in range(n):
        s *= 3
    return s, a


def weights_of_an_iterator(n, w):
    r = random.choices([1, 2, 3], weights=w, k=2)
    s = 1
    for _ in range(n):
        s *= 3
    return s, r


def test_what_draws_or_uses_up_is_done_once():
    for n in (3, 45):
        for function, make in ((key_that_draws, tuple), (weights_of_an_iterator, lambda: (iter([1, 2, 3]),))):
            random.seed(n)
            expected = function(n, *make()), random.getstate()
            random.seed(n)
            with contextlib.suppress(OverflowError):  # ints beyond 64 bits after something unknown was called
                assert (decorate(function)(n, *make()), random.getstate()) == expected
            assert random.getstate() == expected[1]


def texts_without_codes(n):
    print("ok", "é", "fine")
    s = 1
    for _ in range(n):
        s *= 3
    return s


def test_texts_that_the_stream_has_no_codes_for():
    found = []
    for function in (texts_without_codes, decorate(texts_without_codes)):
        held = io.BytesIO()
        stream = io.TextIOWrapper(held, encoding="ascii", write_through=True)
        with contextlib.redirect_stdout(stream), pytest.raises(UnicodeEncodeError):
            function(45)
        found.append(held.getvalue())
    assert found[0] == found[1]


class Shown:
    def __init__(self):
        self.times = 0

    def __repr__(self):
        self.times += 1
        return "shown"


def shows(q, n):
    print(q)
    s = 1
    for _ in range(n):
        s *= 3
    return s


@pytest.mark.parametrize("made", [lambda one: collections.deque([one]), ValueError, lambda one: [one]])
def test_the_users_objects_are_shown_once(made):
    decorated = decorate(shows)
    for n in (3, 45):
        one = Shown()
        with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(OverflowError):
            decorated(made(one), n)
        assert one.times == 1
