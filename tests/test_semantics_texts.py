"""Texts that are given to a function are gone through and compared in kernels, and stay texts elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

import jitscope as js


def edit(s, t):
    m, n = len(s), len(t)
    d = np.zeros((m + 1, n + 1), dtype=int)
    d[:, 0] = np.arange(m + 1)
    d[0, :] = np.arange(n + 1)
    for i in range(1, m + 1):
        for j in range(1, n + 1):
            cost = 0 if s[i - 1] == t[j - 1] else 1
            d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + cost)
    return d[m, n]


def gc(s):
    n = 0
    for ch in s:
        if ch in "GC":
            n += 1
    return n / len(s)


def hamming(s, t):
    return sum(1 for a, b in zip(s, t) if a != b)


def counts(s):
    c = np.zeros(26, dtype=int)
    for ch in s:
        if "a" <= ch <= "z":
            c[ord(ch) - ord("a")] += 1
    return c


def lcs(a, b):
    dp = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a)):
        for j in range(len(b)):
            if a[i] == b[j]:
                dp[i + 1][j + 1] = dp[i][j] + 1
            else:
                dp[i + 1][j + 1] = max(dp[i][j + 1], dp[i + 1][j])
    return dp[-1][-1]


def palin(s):
    i, j = 0, len(s) - 1
    while i < j:
        if s[i] != s[j]:
            return False
        i += 1
        j -= 1
    return True


def wc(s):
    d = {}
    for ch in s:
        d[ch] = d.get(ch, 0) + 1
    return d


def up(s):
    return s.upper() + s, len(s), s[2:5], s[-1], isinstance(s, str), type(s) is str, f"{s}", s == "x" * 20, s


def rle(s):
    out = []
    prev = s[0]
    n = 0
    for ch in s:
        if ch == prev:
            n += 1
        else:
            out.append((prev, n))
            prev = ch
            n = 1
    out.append((prev, n))
    return out


def ret(s):
    k = 0
    for i in range(len(s)):
        if s[i] == "e":
            k = i
    return s[k], s, isinstance(s, str), type(s), isinstance(s, list)


def oob(s, n):
    k = 0
    for i in range(n):
        if s[i] == "e":
            k += i
    return k


def multi(s):
    k = 0
    for ch in s:
        if ch == "ab" or ch == "" or ch in ("a", "e") or ch in ["x"] or ch != "zz":
            k += 1
    return k, s is None


S = "kitten sitting on a mat with a hat"
T = "sitting kitten at the mall \U0001f600\ud800\u00e9"
COMPILED = [
    (edit, [(S, T), (T, S), (S, S), ("ab", "cd"), ("", "x" * 30)]),
    (gc, [("GATTACA" * 9,), ("CCGG" * 5,), ("",), (S,)]),
    (hamming, [(S, T), (T, S), (S, "")]),
    (counts, [(S,), (T,)]),
    (lcs, [(S, T), (T, S)]),
    (palin, [(S + S[::-1],), (S,), ("",)]),
    (oob, [(S, 5), (S, 100), (S, 20)]),
    (multi, [(S,), (T,)]),
]
OTHERS = [(wc, [(S,), (T,)]), (up, [(S,), (T,)]), (rle, [(S,), ("aaabbb" * 5,)]), (ret, [(S,), (T,)])]


def run(f, args):
    try:
        return repr(f(*args))
    except Exception as error:
        return type(error), str(error)


@pytest.mark.parametrize(("f", "calls"), COMPILED + OTHERS, ids=[f.__name__ for f, _ in COMPILED + OTHERS])
def test_texts_mean_what_they_mean_in_python(f, calls):
    fast = js.function(f)
    for args in calls * 3:
        assert run(fast, args) == run(f, args)


@pytest.mark.parametrize(("f", "calls"), COMPILED, ids=[f.__name__ for f, _ in COMPILED])
def test_texts_are_compared_in_kernels(f, calls):
    assert "cluster_0(" in js.to_code(f, *calls[0])


def test_other_texts_need_no_other_specialisation():
    fast = js.function(gc)
    for k in range(30):
        assert fast("ACGT" * (5 + k)) == gc("ACGT" * (5 + k))
    assert len(fast.__jitscope__.specialisations) == 1


def test_bytes_and_subclasses_of_str_stay_what_they_are():
    class Name(str):
        __slots__ = ()

    fast = js.function(gc)
    for text in (Name("GATTACA" * 4), "GATTACA" * 4):
        assert fast(text) == gc(text)
    with pytest.raises(TypeError):
        fast(b"GATTACA" * 4)
