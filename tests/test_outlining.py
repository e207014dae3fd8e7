"""Functions that stay plain for a statement in them: their loops are compiled as functions of their own."""

from __future__ import annotations

import contextlib
import threading
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import IDENTITY, decorate, same

from jitscope.autograph.outlining.rewrite import outlined

CALLS = 6
A = np.linspace(-1.0, 2.0, 40)


def loops_of(f: Callable[..., Any]) -> list[tuple[int, int]]:
    """The lines of the loops that can leave the function, from the `def` on."""
    found = outlined(f, lambda loop, place: loop)
    first = f.__code__.co_firstlineno
    parts = found.parts if found else ()
    return [(each.loop.lineno - first, each.loop.end_lineno - first) for each in parts]


def compiled_loops(decorated: Any) -> list[str]:
    """The names of the loops that run compiled now."""
    outlining = decorated.__jitscope__.outlining
    parts = outlining.made.parts if outlining is not None and outlining.made is not None else ()
    return [each.decorated.__name__ for each in parts if has_compiled_part(each.decorated)]


def caught_unread(a):
    s = 0.0
    try:
        for i in range(len(a)):
            s += a[i] * 2
    except:  # noqa: E722 (of everything, so that it is no statement that the trace can follow)
        s = -1.0
    return s


def caught_and_read(a, n):
    s = 0.0
    try:
        for i in range(n):
            s += a[i]
    except IndexError:
        pass
    return s


def caught_and_reset(a, n):
    s = 0.0
    try:
        for i in range(n):
            s += a[i]
    except IndexError as error:
        s = str(error)
    return s


def caught_around_a_nest(a, n):
    total = 0.0
    for k in range(3):
        try:
            part = 0.0
            for i in range(n):
                part += a[i] * k
                a[i] = part
        except IndexError:
            part = -1.0
        total += part
    return total, a.sum()


def handler_reads_an_array_that_was_written(a, n):
    try:
        for i in range(n):
            a[i] = a[i] * 2
    except IndexError:
        return a.copy()
    return a


def finally_reads(a, n):
    s = 0.0
    log = []
    try:
        for i in range(n):
            s += a[i]
    finally:
        log.append(s)
        print(s)
    return s, log


def finally_does_not_read(a, n):
    s = 0.0
    try:
        for i in range(n):
            s += a[i]
    finally:
        print("done")
    return s


def else_reads(a, n):
    s = 0.0
    try:
        for i in range(n):
            s += a[i]
    except IndexError:
        s = 0.5
    else:
        s = s * 10
    return s


def retried(a):
    n = len(a) + 3
    while True:
        try:
            s = 0.0
            for i in range(n):
                s += a[i]
            break
        except IndexError:
            n -= 1
    return s, n


def retried_with_state(a):
    n = len(a) + 3
    s = 0.0
    while True:
        try:
            for i in range(n):
                s += a[i]
            break
        except IndexError:
            n -= 1
    return s, n


def raises_its_own(a, limit):
    try:
        for i in range(len(a)):
            if a[i] > limit:
                raise ValueError("too large")
            a[i] = 0.0
    except ValueError as error:
        return str(error), a
    return a


def divides(a, d):
    try:
        s = 0.0
        for i in range(3):
            s += 1 / d
    except ZeroDivisionError:
        s = "none"
    return s


def unbound_after_an_empty_loop(a, n):
    try:
        for i in range(n):
            last = a[i]
    except IndexError:
        return "out"
    return last, i


def unbound_before(a, n):
    try:
        if n > 2:
            s = 0.0
        for i in range(n):
            s += a[i]
    except UnboundLocalError as error:
        return str(error)
    return s


def keeps_names_local(a, n):
    try:
        for i in range(n):
            A = a[i]
            a[i] = A + 1
    except IndexError:
        return "out"
    if n < 0:
        return A
    return a


def reads_before_binding(a, n):
    try:
        if n == 3:
            print(t)  # noqa: F821
        for t in range(n):
            a[t] += 1.0
    except UnboundLocalError as error:
        return str(error)
    return a


def loop_variable_read_after(a, n):
    i = -1
    try:
        for i in range(n):
            if a[i] > 0.5:
                break
        else:
            print("no break")
    except IndexError:
        i = -2
    return i


def returns_from_the_loop(a):
    try:
        for k in range(3):
            s = 0.0
            for i in range(len(a)):
                s += a[i] * k
            if s > 10.0:
                return s, k
    except ValueError:
        pass
    return None


def continues_outside(a):
    total = 0.0
    for k in range(4):
        try:
            s = 0.0
            for i in range(len(a)):
                if a[i] < 0:
                    continue
                s += a[i]
            if k == 2:
                continue
        finally:
            total = total + 1
        total = total + s
    return total


class Swallows:
    """A context manager that swallows what it is told to."""

    def __init__(self, kind):
        self.kind = kind

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        print("exit", kind)
        return kind is not None and issubclass(kind, self.kind)


def swallowed_or_not(a, n, managers):
    done = []
    for number, manager in enumerate(managers):
        s = 0.0
        with manager() as entered, manager():
            for i in range(n):
                s += a[i] * (number + 1)
        del entered
        done.append(s)
    return done


def lets_all_through(a, n):
    s = 0.0
    try:
        with threading.Lock(), contextlib.nullcontext(2.0) as k:
            for i in range(n):
                s += a[i] * k
    except IndexError:
        return -1.0
    return s


def swallowed(a, n):
    s = 0.0
    with Swallows(IndexError):
        for i in range(n):
            s += a[i]
    return s


def swallowed_and_not_read(a, n):
    with Swallows(IndexError):
        s = 0.0
        for i in range(n):
            s += a[i]
            a[i] = s
    return a


def errors_of_numpy(a):
    global SEEN
    s = 0.0
    with np.errstate(divide="raise"):
        for i in range(len(a)):
            a[i] = np.float64(1.0) / a[i]
    SEEN = 1
    return a


SEEN = 0


def ignores_errors_of_numpy(a):
    with np.errstate(divide="ignore", invalid="ignore"):
        for i in range(len(a)):
            a[i] = np.float64(1.0) / a[i]
    return a


def counts_globally(a):
    global SEEN
    SEEN = 1
    s = 0.0
    for i in range(len(a)):
        s += a[i] * SEEN
    SEEN = s
    return SEEN


def matches(a, kind):
    s = 0.0
    match kind:
        case "sum":
            for i in range(len(a)):
                s += a[i]
        case ["power", p]:
            for i in range(len(a)):
                s += a[i] ** p
        case _:
            s = -1.0
    return s


def imports(a):
    import math

    s = 0.0
    for i in range(len(a)):
        s += math.sin(a[i])
    return s


def has_a_class(a):
    class Point:
        x = 3.0

    s = 0.0
    for i in range(len(a)):
        s += a[i]
    return s * Point.x


def captured(a):
    s = 0.0
    k = 2.0

    def now():
        return s + k

    try:
        for i in range(len(a)):
            s += a[i]
            a[i] = now()
    except ValueError:
        pass
    return a, s


def rebound_by_a_function(a):
    k = 1.0

    def more():
        nonlocal k
        k = k + 1.0

    s = 0.0
    try:
        for i in range(len(a)):
            s += a[i] * k
            more()
    except ValueError:
        return 0
    return s


def generators_kept(a):
    out = []
    k = 1.0
    try:
        for i in range(3):
            out.append(x * k for x in a[:3])
    except ValueError:
        pass
    k = 5.0
    return [list(each) for each in out]


def comprehensions(a, n):
    try:
        out = []
        for i in range(n):
            out.append(sum([a[j] * i for j in range(i)]))
    except IndexError:
        out = None
    return out


def deletes(a):
    s = 1.0
    try:
        for i in range(len(a)):
            s += a[i]
        del s
        for i in range(len(a)):
            a[i] += 1.0
        return s  # noqa: F821
    except UnboundLocalError as error:
        return str(error), a


def handler_name(a, n):
    e = 0.0
    try:
        for i in range(n):
            a[i] = a[i] + 1.0
    except IndexError as e:
        print(e)
    try:
        for i in range(3):
            a[i] = a[i] + e
    except UnboundLocalError as error:
        return str(error)
    return a


def loops_in_handlers(a, n):
    try:
        print(a[n])
    except IndexError:
        s = 0.0
        for i in range(len(a)):
            s += a[i]
    else:
        s = 1.0
        for i in range(len(a)):
            s *= a[i]
    finally:
        for i in range(len(a)):
            a[i] = 0.0
    return s


def several(a, *rest, scale=2.0, **more):
    try:
        s = 0.0
        for i in range(len(a)):
            s += a[i] * scale
    except ValueError:
        pass
    else:
        for x in rest:
            s += x
    return s, more


def endless(a):
    k = 0
    s = 0.0
    try:
        while True:
            s += a[k]
            k += 1
            if k >= len(a):
                break
    except ZeroDivisionError:
        return 0
    return s, k


def prints(a, n):
    try:
        for i in range(n):
            print(i, a[i])
            a[i] = 0.0
    except IndexError as error:
        print(error)
    return a


FACTOR = 3.0


def changes_a_global_in_the_loop(a):
    global FACTOR
    FACTOR = 3.0
    s = 0.0
    for i in range(3):
        s += a[i] * FACTOR
        grow()
    return s


def grow():
    global FACTOR
    FACTOR += 1.0


MANAGERS = (contextlib.nullcontext, lambda: Swallows(IndexError), threading.Lock)
CASES: list[tuple[Callable[..., Any], list[tuple[Any, ...]], int]] = [
    (caught_unread, [(A,), (A.astype(np.float32),), ([1, 2, 3],)], 1),
    (caught_and_read, [(A, 40), (A, 41), (A, 0)], 0),
    (caught_and_reset, [(A, 40), (A, 41), (A, 0)], 1),
    (caught_around_a_nest, [(A, 40), (A, 41), (A, 0)], 1),
    (handler_reads_an_array_that_was_written, [(A, 40), (A, 41)], 1),
    (finally_reads, [(A, 40), (A, 41)], 0),
    (finally_does_not_read, [(A, 40), (A, 41)], 1),
    (else_reads, [(A, 40), (A, 41)], 1),
    (retried, [(A,), (np.ones(3),)], 1),
    (retried_with_state, [(A,), (np.ones(3),)], 0),
    (raises_its_own, [(A, 5.0), (A, 0.5)], 1),
    (divides, [(A, 2), (A, 0), (A, 2.0), (A, 0.0)], 1),
    (unbound_after_an_empty_loop, [(A, 3), (A, 0), (A, 41)], 0),
    (unbound_before, [(A, 3), (A, 0), (A, 1)], 0),
    (keeps_names_local, [(A, 3), (A, -1), (A, 41)], 0),
    (reads_before_binding, [(A, 4), (A, 3)], 1),
    (loop_variable_read_after, [(A, 40), (A, 3), (A, 0), (-A, 41)], 1),
    (returns_from_the_loop, [(A,), (A * 10,)], 1),
    (continues_outside, [(A,)], 1),
    (swallowed, [(A, 40), (A, 41)], 1),
    (swallowed_or_not, [(A, 40, MANAGERS), (A, 41, MANAGERS), (A, 41, MANAGERS[1:])], 1),
    (lets_all_through, [(A, 40), (A, 41)], 1),
    (swallowed_and_not_read, [(A, 40), (A, 41)], 1),
    (errors_of_numpy, [(A + 5.0,), (np.zeros(4),)], 0),
    (ignores_errors_of_numpy, [(A + 5.0,), (np.zeros(4),)], 1),
    (counts_globally, [(A,), (np.arange(5),)], 1),
    (matches, [(A, "sum"), (A, ["power", 2]), (A, 0)], 2),
    (imports, [(A,)], 1),
    (has_a_class, [(A,)], 1),
    (captured, [(A,)], 0),
    (rebound_by_a_function, [(A,)], 0),
    (generators_kept, [(A,)], 0),
    (comprehensions, [(A, 10), (A, 50)], 1),
    (deletes, [(A,)], 2),
    (handler_name, [(A, 3), (A, 41)], 1),
    (loops_in_handlers, [(A, 40), (A, 3)], 3),
    (several, [(A,), (A, 1.0, 2.0)], 1),
    (endless, [(A,)], 1),
    (prints, [(A, 3), (A, 41)], 1),
    (changes_a_global_in_the_loop, [(A,)], 1),
]


@pytest.mark.parametrize(("f", "calls", "loops"), CASES, ids=[f.__name__ for f, _, _ in CASES])
def test_it_does_as_the_plain_function(f, calls, loops):
    assert len(loops_of(f)) == loops, loops_of(f)
    for arguments in calls:
        same(f, *arguments, calls=CALLS)


def test_loops_are_compiled_where_only_the_statement_is_plain():
    f = decorate(caught_unread)
    for _ in range(CALLS):
        assert f(np.ones(2000)) == 4000.0
    if not IDENTITY:
        assert compiled_loops(f) == ["caught_unread_loop"]


@needs_compiler
def test_a_loop_that_does_not_pay_is_put_back():
    f = decorate(caught_unread)
    for _ in range(20):
        assert f(np.ones(0)) == 0.0
    assert compiled_loops(f) == []
    assert f.__jitscope__.outlining.made is None
    for _ in range(CALLS):
        assert f([1, 2]) == 6.0


def enters_objects(a, n):
    total = 0.0
    try:
        total = 1.0
    except ValueError:
        pass
    for _ in range(n):
        with Swallows(ZeroDivisionError):
            pass
        s = 0.0
        for i in range(len(a)):
            s += a[i] * 2
        total += s
    return total


def test_inside_of_a_loop_with_nothing_compiled_others_are_tried():
    f = decorate(enters_objects)
    for _ in range(CALLS):
        assert f(np.ones(3000), 2) == 12001.0
    if not IDENTITY:
        assert compiled_loops(f) == ["enters_objects_loop"]


def test_code_that_is_exchanged_takes_its_loops_with_it():
    def before(a):
        s = 0.0
        try:
            for i in range(len(a)):
                s += a[i]
        except ValueError:
            return 0
        return s

    def after(a):
        s = 1.0
        try:
            for i in range(len(a)):
                s *= a[i] + 1
        except ValueError:
            return 0
        return s

    f = decorate(before)
    a = np.linspace(0.0, 0.1, 500)
    for _ in range(CALLS):
        assert f(a) == before(a)
    before.__code__ = after.__code__
    for _ in range(CALLS):
        assert f(a) == after(a)


def test_cells_that_others_rebind_are_read_again():
    k = 1.0

    def set_k(value):
        nonlocal k
        k = value

    @decorate
    def f(a, change):
        s = 0.0
        try:
            for i in range(len(a)):
                s += a[i] * k
            set_k(change)
            t = 0.0
            for i in range(len(a)):
                t += a[i] * k
        except ValueError:
            return 0
        return s, t

    a = np.ones(1000)
    for turn in range(CALLS):
        before = k
        assert f(a, turn + 2.0) == (1000.0 * before, 1000.0 * (turn + 2.0))


def test_methods_have_their_loops_compiled():
    class Sum:
        def __init__(self):
            self.calls = 0
            self.scale = 2.0

        @decorate
        def total(self, a):
            try:
                self.calls += 1
                s = 0.0
                for i in range(len(a)):
                    s += a[i] * self.scale
            except IndexError:
                return None
            return s

    one = Sum()
    for turn in range(CALLS):
        one.scale = turn + 1.0
        assert one.total(np.ones(1000)) == 1000.0 * (turn + 1)
    assert one.calls == CALLS


def test_threads_share_one_function():
    f = decorate(caught_and_reset)
    a = np.ones(4000)
    found: list[Any] = []

    def work():
        for _ in range(20):
            found.append((f(a, 4000), f(a, 4001)))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    message = caught_and_reset(a, 4001)
    assert found == [(4000.0, message)] * 80


def test_errors_show_the_line_of_the_user():
    f = decorate(finally_does_not_read)
    for _ in range(CALLS):
        with pytest.raises(IndexError) as met:
            f(A, 41)
        lines = [frame.line for frame in traceback.extract_tb(met.tb) if frame.filename == __file__]
        assert lines[-1] == "s += a[i]"


@needs_compiler
def test_the_report_tells_of_loops_of_their_own():
    f = decorate(caught_unread)
    assert "but lines" in f.explain(A)
    for _ in range(CALLS):
        f(np.ones(3000))
    report = f.explain()
    assert "it has a `try` statement" in report
    assert "a function of its own" in report
    assert "caught_unread.caught_unread_loop(a: f64[:], s: float)" in report
    assert "cluster_0: compiled" in report
