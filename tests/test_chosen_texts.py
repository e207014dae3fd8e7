"""Variables that are one of several texts."""

from __future__ import annotations

import math

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import compare, decorate, same


def price(S, K, kind):
    d = math.log(S / K)
    if kind == "call":
        return S * d - K
    elif kind == "put":
        return K - S * d
    raise ValueError("unknown kind")


def surface(Ss, Ks):
    out = np.empty((len(Ss), len(Ks)))
    for i, S in enumerate(Ss):
        for j, K in enumerate(Ks):
            out[i, j] = price(S, K, "put" if K < S else "call")
    return out


def machine(x):
    state = "idle"
    n = 0
    t = 0.0
    for v in x:
        if state == "idle":
            if v > 0.5:
                state = "busy"
        elif state == "busy":
            t += v
            if v < 0.2:
                state = "done"
                n += 1
        elif state in ("done", "failed"):
            state = "idle" if v > 0.3 else "failed"
            n += 10
        else:
            raise AssertionError(state)
    return state, n, t


def none_or_text(x):
    s = None
    for v in x:
        if v > 0.5:
            s = "big"
        elif v > 0.1:
            s = "mid"
    return s


def used_by_python(x):
    s = "a"
    out = []
    for v in x:
        if v > 0.5:
            s = "big{x}"
        elif v > 0.1:
            s = "mid'\""
        if s != "a" and s is not None:
            out.append(v)
    return s.upper(), f"{s}!", len(out), s + "z", {s: 1}, [s]


def not_bound(x):
    for v in x:
        if v > 0.5:
            s = "big"
        elif v > 0.8:
            s = "mid"
    return s


def swapped(x):
    a = "l"
    b = "r"
    n = 0
    for v in x:
        if v > 0.5:
            a, b = b, a
        if a == b:
            n += 1
        if a == "l":
            n += 3
        if a < b:
            n += 100
    return a, b, n


def text_or_number(x):
    s = "a"
    for v in x:
        if v > 0.9:
            s = 3
    return s


def item_of_a_dict(x):
    rates = {"low": 0.1, "high": 0.5}
    s = "low"
    t = 0.0
    for v in x:
        t += rates[s] * v
        s = "high" if v > 0.5 else "low"
    return t


def given_to_numpy(x):
    s = "float32" if x[0] > 0.5 else "float64"
    return x.astype(s), np.zeros(3, dtype=s), np.pad(x, 1, mode="edge" if x[1] > 0.5 else "wrap")


def truth(x):
    s = ""
    n = 0
    for v in x:
        s = "" if v > 0.5 else "on"
        if s:
            n += 1
        if not s:
            n += 2
    return n


def too_many(x):
    s = "s0"
    for v in x:
        k = int(v * 20)
        if k == 0:
            s = "a0"
        elif k == 1:
            s = "a1"
        elif k == 2:
            s = "a2"
        elif k == 3:
            s = "a3"
        elif k == 4:
            s = "a4"
        elif k == 5:
            s = "a5"
        elif k == 6:
            s = "a6"
        elif k == 7:
            s = "a7"
        elif k == 8:
            s = "a8"
        elif k == 9:
            s = "a9"
        elif k == 10:
            s = "b0"
        elif k == 11:
            s = "b1"
        elif k == 12:
            s = "b2"
        elif k == 13:
            s = "b3"
        elif k == 14:
            s = "b4"
        elif k == 15:
            s = "b5"
        elif k == 16:
            s = "b6"
    return s


def in_several(x):
    state = "idle"
    n = 0
    for v in x:
        if state == "idle":
            if v > 0.5:
                state = "busy"
        elif state in ("busy", "done"):
            state = "idle"
            n += 1
        else:
            n -= 1000
    return state, n


def asked_in_all_ways(x):
    found = [0, 0, 0, 0, 0, 0]
    m = "start"
    for k in range(len(x)):
        if m in ["a", "z"]:
            found[0] += k
        if "a" in (m,):
            found[1] += k
        if m in (None, 3):
            found[2] += k
        if m not in (None, "fall"):
            found[3] += k
        if m in {"a", "z"} or m in "abc" and m is not None:
            found[4] += k
        if m in (None, "a", "start"):
            found[5] += k
        m = "a" if x[k] > 0.5 else "z" if x[k] > 0.2 else "b"
    return found


def none_among_them(x):
    found = [0, 0, 0]
    m = None
    for k in range(len(x)):
        if m in (None,):
            found[0] += k
        if m not in (None, "fall"):
            found[1] += k
        if None in (m, 1):
            found[2] += k
        m = "a" if x[k] > 0.5 else None
    return found, m


def characters(x, text):
    m, found = "a", 0
    for k in range(len(x)):
        for c in text:
            if m in (c, "zz") or c in (m, "b"):
                found += k
        m = "a" if x[k] > 0.5 else "c"
    return found


def value_of(v, kind):
    if kind == "call":
        return v + 1
    elif kind == "put":
        return v - 1
    raise ValueError(f"unknown kind {kind}")


def never_unknown(x):
    t = 0.0
    for k, v in enumerate(x):
        t += value_of(v, "put" if k % 2 else "call")
    return t


def unknown_at_last(x):
    t = 0.0
    for k, v in enumerate(x):
        kind = "call" if v > 0.3 else "put"
        if k == len(x) - 1:
            kind = "swap"
        t += value_of(v, kind)
    return t


def matched(x):
    t, m = 0.0, "a"
    for v in x:
        match m:
            case "a":
                t += v
                m = "b" if v > 0.5 else "c"
            case "b" | "c":
                t -= v
                m = "a" if v > 0.2 else "b"
            case other:
                t += other.count("a")
    return t, m


def asked_again(x):
    t, m, n = 0.0, "a", "a"
    for v in x:
        if m != "a":
            t += 10 if m == "b" else 100
            if m == "a":
                t += 1000
            m = "a" if v > 0.5 else "b" if v > 0.2 else "c"
            if m == "a":
                t += 1e4
        elif n == "a" or m == "a":
            n = m = "b" if v > 0.3 else "c"
            if n == "a":
                t += 1e5
        else:
            t += 1e6
            n = m
    return t, m, n


def none_of_them_is_left(x):
    t, m = 0.0, None
    for v in x:
        if m is not None:
            if m != "a" and not m == "b":
                t += len(m)
            elif m in ("a", "c"):
                t += v
        m = None if v > 0.8 else "a" if v > 0.4 else "b"
    return t


X = np.random.default_rng(0).random(200)
S = np.linspace(50, 150, 40)
PROGRAMS = [
    none_or_text,
    used_by_python,
    not_bound,
    swapped,
    text_or_number,
    item_of_a_dict,
    given_to_numpy,
    truth,
    too_many,
    machine,
    in_several,
    asked_in_all_ways,
    none_among_them,
    never_unknown,
    unknown_at_last,
    matched,
    asked_again,
    none_of_them_is_left,
]


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_programs(function):
    for x in (X, X[:2], X[::-1].copy()):
        same(function, x)


def test_characters_of_a_text():
    same(characters, X, "abcabcxyz" * 3)


def test_none_in_no_iterations():
    same(none_or_text, X[:0])
    same(not_bound, X[:0])


@needs_compiler
@pytest.mark.parametrize(
    ("function", "args"),
    [
        (surface, (S, S + 1.5)),
        (none_or_text, (X,)),
        (item_of_a_dict, (X,)),
        (never_unknown, (X,)),
        (none_of_them_is_left, (X,)),
    ],
)
def test_loops_are_compiled(function, args):
    decorated = decorate(function)
    compare(function, decorated, args)
    assert has_compiled_part(decorated)
