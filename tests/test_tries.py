"""`try` statements that the trace follows: what is raised goes to its handler, as in Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import Tolerance, compare, decorate


def trace_ray(y, slope, R):
    if abs(y) > abs(R):
        raise ValueError("the ray misses the surface")
    return y / R, slope * 2


def rays(h, R):
    out = np.zeros(len(h))
    for k, v in enumerate(h):
        try:
            y, u = trace_ray(v, 1.0, R)
            out[k] = y + u * 50.0
        except ValueError:
            out[k] = np.nan
    return out


def with_else_and_finally(x, n):
    bad = 0
    good = []
    for i in range(n):
        try:
            if i % 3 == 0:
                raise ValueError("no")
            v = x[i] * 2
            good.append(v)
        except ValueError:
            bad += 1
        else:
            bad += 100
        finally:
            bad += 10000
    return good, bad


def of_several(x, n):
    for i in range(n):
        try:
            x[i] += 1
            if x[i] > 3:
                raise OverflowError
            x[i] *= 2
        except (ValueError, OverflowError):
            x[i] = -1
        except IndexError:
            return i
    return x


def divisions(x, n):
    s = 0.0
    for i in range(n):
        try:
            v = 1 / x[i]
        except ZeroDivisionError:
            v = 0.0
        s += v
    return s


def left_from_an_inner_loop(x, n):
    d = {"ok": 0, "bad": 0}
    for i in range(n):
        try:
            for k in range(i):
                if x[k] > 2:
                    raise KeyError(k)
            d["ok"] += 1
        except KeyError:
            d["bad"] += 1
    return d


def an_index(x, n):
    try:
        v = x[n] + 1
    except IndexError:
        v = -1.0
    return v


def behind_a_condition(x, n):
    v = 0
    try:
        if n > 3:
            raise ValueError("big")
        v = 1
        w = x * 2
    except ValueError:
        w = x
    v += 1
    return v, w


def not_handled(x, n):
    for i in range(n):
        try:
            if x[i] > 1:
                raise RuntimeError("unhandled")
        except ValueError:
            return -1
    return n


def in_each_other(x, n):
    t = 0
    for i in range(n):
        try:
            try:
                if i == 1:
                    raise ValueError
                if i == 2:
                    raise KeyError
                t += 1
            except ValueError:
                t += 10
                if n > 5:
                    raise KeyError
        except KeyError:
            t += 100
    return t


def not_bound_then(x, n):
    try:
        w = x[n] * 2
        if w > 3:
            raise ValueError
        q = w
    except ValueError:
        pass
    return q


def assertions(x, n):
    t = 0
    for i in range(n):
        try:
            assert x[i] < 3, "large"
            t += x[i]
        except AssertionError:
            t -= 1
            continue
        t += 0.5
    return t


def none_at_first(x, n):
    best = None
    for i in range(n):
        try:
            if best is None:
                raise LookupError
            best = max(best, x[i])
        except LookupError:
            best = x[i]
    return best


def returned(x, n):
    try:
        return x[n]
    except IndexError:
        return -1


def singular(x, n):
    try:
        y = np.linalg.solve(np.eye(2) * n, x[:2])
    except np.linalg.LinAlgError:
        y = None
    return y


def printed_and_looked_at(x, n):
    t = []
    for i in range(n):
        try:
            print("try", i)
            if i == 2:
                raise ValueError("x")
            t.append(float(x[i]))
        except ValueError as e:
            t.append(str(e))
        finally:
            print("done", i)
    return t


def in_a_while(x, n):
    lo = 0
    while lo < n:
        try:
            lo += 1
            if lo == 2:
                raise StopIteration
            x = x + 1
        except StopIteration:
            x = x * 10
    return x


def early(v):
    if v > 3:
        return 1.0
    if v < 0:
        raise ValueError("negative")
    return v


def a_helper_that_returns_early(x, n):
    s = 0.0
    for i in range(n):
        try:
            s += early(x[i] - 1)
        except ValueError:
            s -= 1
    return s


def lists_and_dicts(x, n):
    out = []
    d = {"k": 0, "w": np.zeros(2)}
    for i in range(n):
        try:
            out.append(i * 1.0)
            d["k"] += 1
            d["w"] = d["w"] + i
            if x[i] > 2:
                raise IndexError
            d["k"] += 10
            out.append(-1.0)
        except LookupError:
            d["k"] += 100
            out.append(-2.0)
    return out, d


def the_first_handler(x, n):
    s = 0
    for i in range(n):
        try:
            if i % 2:
                raise KeyError("a")
            s += 1
        except Exception:
            s += 10
        except KeyError:
            s += 1000
    return s


def arrays_anew(x, n):
    y = x * 1.0
    for i in range(n):
        try:
            y = y + 1
            y[0] = i
            if y.sum() > 30:
                raise OverflowError("e")
            y *= 2
        except OverflowError:
            y = y * 0.1
    return y


def drawn(x, n):
    rng = np.random.default_rng(3)
    c = 0
    s = 0.0
    for i in range(n):
        try:
            u = rng.random()
            if u < 0.5:
                raise ValueError
            s += u
        except ValueError:
            c += 1
            s += rng.normal()
    return s, c, rng.random()


def safe(a, b):
    try:
        if b == 0:
            raise ZeroDivisionError
        r = a / b
    except ZeroDivisionError:
        r = 0.0
    return r


def in_a_comprehension(x, n):
    return [safe(x[i], i % 3) for i in range(n)]


def in_a_generator(x, n):
    s = 0.0
    for i in range(n):
        s += safe(x[i], i % 3)
        try:
            s += sum(v if v < 5 else early(-1.0) for v in x[:i])
        except ValueError:
            s += 0.25
    return s


def two_loops(x, n):
    k = 0
    try:
        for i in range(n):
            for j in range(n):
                k += 1
                if i * j > 5:
                    raise StopIteration
    except StopIteration:
        k = -k
    return k


def continued(x, n):
    k = 0
    while k < n:
        try:
            k += 1
            if k % 2 == 0:
                raise ValueError
        except ValueError:
            continue
        else:
            x[k % len(x)] += 1
        finally:
            x[0] += 0.5
    return k


def texts(x, n):
    best, name = 0.0, "none"
    for i in range(n):
        try:
            if x[i] > 4:
                raise ValueError
            name = "small" if x[i] < 1 else "mid"
            best = max(best, x[i])
        except ValueError:
            name = "large"
    return best, name


def none_plus_one(x, n):
    m = None
    for i in range(n):
        try:
            if m is None:
                raise TypeError
            m = m + x[i]
        except TypeError:
            m = x * 0.0
    return m


def by_a_closure(x, n):
    total = 0

    def bump(v):
        nonlocal total
        total += v
        if total > 5:
            raise ValueError

    for i in range(n):
        try:
            bump(i)
        except ValueError:
            total = 0
    return total


def logarithms(x, n):
    s = 0.0
    for v in x:
        try:
            assert v > 0.6
            s += np.log(v)
        except AssertionError:
            s -= 5
    return s


def shapes(x, n):
    try:
        a = np.zeros(n)
        a[n - 2] = 1
        if n == 1:
            raise ValueError("one")
        b = a.reshape(2, -1)
    except ValueError:
        b = None
    return b


def whole_divisions(x, n):
    r = []
    for i in range(n):
        try:
            r.append(int(x[i]) // (i - 2))
        except ZeroDivisionError:
            r.append(0)
    return r


def missing_keys(x, n):
    d = {"a": 1.0, "b": 2.0}
    s = 0.0
    for k in ("a", "c", "b"):
        try:
            s += d[k] * n
        except KeyError:
            s -= 100
    return s


def arrays_of_the_caller_s(x, idx):
    n = 0
    for i in range(len(idx)):
        try:
            if idx[i] < 0:
                raise ValueError
            x[idx[i]] += 1.0
        except (ValueError, IndexError):
            n += 1
    return n


def passed_by_finally(x, n):
    s = 0
    for i in range(n):
        try:
            for j in range(3):
                try:
                    if j == 2:
                        raise KeyError
                finally:
                    s += 1
                    x[0] += 1
        except KeyError:
            s += 100
    return s


def left_by_finally(x, n):
    for i in range(n):
        try:
            if i == 2:
                raise KeyError("t")
        finally:
            x[i] = -1


def named_and_unbound(x, n):
    e = 1.0
    s = 0.0
    for i in range(n):
        s += e
        try:
            if i == 3:
                raise KeyError(1)
            s += x[i]
        except KeyError as e:
            s += 1
    return s


def messages_that_change(x, n):
    s = 0.0
    left = [1, 2, 3, 4, 5]
    for i in range(n):
        try:
            assert i % 2 == 0, left.pop()
            s += x[i]
        except AssertionError:
            s -= 1
    return s, left


def messages_that_raise(x, n):
    s = 0.0
    for i in range(n):
        try:
            assert i != 3, 1 // (i - 3)
            s += x[i]
        except AssertionError:
            s -= 1
        except ZeroDivisionError:
            s -= 100
    return s


def causes_that_are_none(x, n):
    s = 0.0
    for i in range(n):
        try:
            if i == 3:
                raise ValueError("a") from 5  # type: ignore[misc]
            s += x[i]
        except ValueError:
            s -= 1
        except TypeError:
            s -= 100
    return s


def errors_of_the_system(x, n):
    s = 0
    for i in range(n):
        try:
            if i == 1:
                raise OSError(2, "no such file")
        except FileNotFoundError:
            s += 1
        except OSError:
            s += 10
    return s


def exceptions_that_are_made_wrongly(x, n):
    s = 0
    for i in range(n):
        try:
            if i == 1:
                raise ValueError(a=1)
            if i == 2:
                raise UnicodeDecodeError
        except ValueError:
            s += 1
        except TypeError:
            s += 10
    return s


def classes_chosen_in_the_body(x, n):
    kind: type[Exception] = ValueError
    s = 0.0
    try:
        kind = KeyError
        for i in range(n):
            if i == 2:
                raise ValueError("v")
            s += x[i]
    except kind:
        s = -1.0
    return s


def solved_for_nothing(x, n):
    a = np.ones((2, 2))
    s = 0
    for i in range(n):
        try:
            np.linalg.solve(a, x[:2])
            s += 1
        except np.linalg.LinAlgError:
            s -= 1
    return s


def inverted_for_nothing(x, n):
    a = np.ones((2, 2)) * x[0]
    s = 0
    for i in range(n):
        r = np.linalg.inv(a)  # noqa: F841 (it may raise)
        s += 1
    return s


UNUSUAL = [
    passed_by_finally,
    left_by_finally,
    named_and_unbound,
    messages_that_change,
    messages_that_raise,
    causes_that_are_none,
    errors_of_the_system,
    exceptions_that_are_made_wrongly,
    classes_chosen_in_the_body,
    solved_for_nothing,
    inverted_for_nothing,
]


@pytest.mark.parametrize("program", UNUSUAL)
@pytest.mark.parametrize("first", [7, 1])
def test_what_python_does_besides(program: Callable[..., Any], first: int) -> None:
    decorated = decorate(program)
    for n in (first, 0, 7, 3):
        compare(program, decorated, (np.arange(10.0) + 1.0, n))


PROGRAMS = [
    with_else_and_finally,
    of_several,
    divisions,
    left_from_an_inner_loop,
    an_index,
    behind_a_condition,
    not_handled,
    in_each_other,
    not_bound_then,
    assertions,
    none_at_first,
    returned,
    singular,
    printed_and_looked_at,
    in_a_while,
    a_helper_that_returns_early,
    lists_and_dicts,
    the_first_handler,
    arrays_anew,
    drawn,
    in_a_comprehension,
    in_a_generator,
    two_loops,
    continued,
    texts,
    none_plus_one,
    by_a_closure,
    logarithms,
    shapes,
    whole_divisions,
    missing_keys,
]
COMPILED = [
    divisions,
    left_from_an_inner_loop,
    none_at_first,
    in_a_while,
    lists_and_dicts,
    the_first_handler,
    arrays_anew,
    two_loops,
    texts,
    none_plus_one,
    logarithms,
]
X = np.array([1.0, 2.0, 0.5, 3.0, 7.0, 0.0, 1.0])


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.filterwarnings("ignore:divide by zero")
def test_handlers_run_where_python_s_do(program: Callable[..., Any]) -> None:
    decorated = decorate(program)
    for n in (4, 0, 1, 7, 4, 2):
        compare(program, decorated, (X.copy(), n), tol=Tolerance(ulp=4))


def test_rays_that_miss() -> None:
    compare(rays, decorate(rays), (X.copy(), 2.5))


@pytest.mark.parametrize("size", [10, 100_000])
def test_what_an_operation_raises_behind_writes(size: int) -> None:
    decorated = decorate(arrays_of_the_caller_s)
    for places in ([1, 2, 3], [1, -1, size + 5, 2, -3], [1, 2, 3]):
        compare(arrays_of_the_caller_s, decorated, (np.zeros(size), np.array(places)))


@needs_compiler
@pytest.mark.parametrize("program", COMPILED)
def test_they_are_compiled(program: Callable[..., Any]) -> None:
    decorated = decorate(program)
    decorated(X.copy(), 6)
    assert has_compiled_part(decorated)
    assert decorated.coverage(X.copy(), 6).share > 0.9


@needs_compiler
def test_an_operation_that_raises_is_no_fault_of_compiled_code() -> None:
    decorated = decorate(arrays_of_the_caller_s)
    for _ in range(3):
        compare(arrays_of_the_caller_s, decorated, (np.zeros(10), np.array([1, 50, 2])))
    said = str(decorated.explain(np.zeros(10), np.array([1, 50, 2])))
    assert "an `except` of its own takes what an operation raised" in said
