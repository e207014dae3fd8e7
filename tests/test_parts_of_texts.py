"""Slices of texts that are given to a function, and variables that are characters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from compiled import needs_compiler
from same import compare, decorate


def shares(s: str, w: int) -> Any:
    out = []
    for i in range(len(s) - w + 1):
        part = s[i : i + w]
        g = 0
        for c in part:
            if c == "G" or c == "C":
                g += 1
        out.append(g / w)
    return out


def counted(s: str, w: int) -> Any:
    out = []
    for i in range(0, len(s), w):
        part = s[i : i + w]
        out.append((part.count("G") + part.count("C")) / len(part))
    return out


def alike(s: str, w: int) -> Any:
    n, prev = 0, s[0]
    for ch in s[1:]:
        if ch == prev:
            n += 1
        prev = ch
    return n


def begun_with_one(s: str, w: int) -> Any:
    n, prev = 0, "A"
    for ch in s[::-1]:
        if ch == prev and ch not in "GC":
            n += 1
        if ch != "T":
            prev = ch
    return n


def longest_run(s: str, w: int) -> Any:
    best, run, prev = 0, 0, ""
    for ch in s:
        run = run + 1 if ch == prev else 1
        best = max(best, run)
        prev = ch
    return best


def words(s: str, w: int) -> Any:
    n = 0
    for i in range(len(s) - 2):
        if s[i : i + 3] == "GAT":
            n += 1
        if s[i : i + 2] in ("TT", "AC"):
            n += 2
        if s[i : i + w] != "TAC":
            n += 4
        if s[i:i] == "":
            n += 8
    return n


def negative_ends(s: str, w: int) -> Any:
    n = 0
    for i in range(len(s)):
        n += len(s[-i:]) + s[:-w].count("A") + s[i : -i - 1 : 2].count("T") * i
        if i > 30:
            break
    return n


def truths(s: str, w: int) -> Any:
    n, prev = 0, ""
    for ch in s:
        if prev:
            n += 1
        if not prev or ch in "AC":
            n += 3
        if s[w:]:
            n += 100
        prev = ch if ch != "G" else ""
    return n


def order(s: str, w: int) -> Any:
    n, top = 0, ""
    for ch in s:
        if ch > top:
            top = ch
            n += 1
        if "B" <= ch:
            n += 2
        if top < "C":
            n += 4
        if prev_is(top, ch):
            n += 8
    return n


def prev_is(a: str, b: str) -> bool:
    return a != b and a != ""


def numbers(s: str, w: int) -> Any:
    n, prev = 0, ""
    for ch in s:
        n += ord(ch)
        if prev != "":
            n -= ord(prev) * 2
        prev = ch
    return n


def kinds(s: str, w: int) -> Any:
    n = 0
    for i in range(len(s)):
        if isinstance(s[i], str) and type(s[i : i + 2]) is str and isinstance(s[i:], str):
            n += 1
        if isinstance(s[i], (int, float)) or isinstance(s[i:], list):
            n += 100
        if type(s[i]) is str and s[i] is not None:
            n += 10
    return n


def in_python(s: str, w: int) -> Any:
    parts, last, table = [], "", {"GA": 1, "A": 2}
    for i in range(len(s) - w):
        part = s[i : i + w]
        parts.append(part)
        last = part[0]
        if part in table or last in table:
            parts.append(last + part.lower())
    return parts[:7], len(set(parts)), last, f"{s[:3]}!{last}"


def many_ways(s: str, w: int) -> Any:
    n = s.count("GAT") + s.count("", 2) + s.find("T") + s[1:4].index("A") + s.startswith("GA")
    for ch in s:
        n += ch == "T"
    return n, s[::-1][:3], s[2:4] * 2, s[:2] + s[-2:], s[1:3] < "AT", max(s), sorted(s[:5])


PROGRAMS = [
    shares, counted, alike, begun_with_one, longest_run, words, negative_ends, truths, order, numbers, kinds,
    in_python, many_ways,
]  # fmt: skip
TEXT = "GATTACAGC" * 60


@pytest.mark.parametrize("program", PROGRAMS)
def test_parts_of_texts(program: Callable[..., Any]) -> None:
    decorated = decorate(program)
    for text in (TEXT, TEXT[:20], "G" * 40, "GATTACA é€😀 ÄGA" * 9, "", "A", TEXT):
        for w in (4, 1, 7):
            compare(program, decorated, (text, w))


@needs_compiler
@pytest.mark.parametrize(
    "program", [shares, counted, alike, begun_with_one, longest_run, words, negative_ends, order]
)
def test_their_loops_are_compiled(program: Callable[..., Any]) -> None:
    assert decorate(program).coverage(TEXT * 10, 4).share > 0.9


def counts_of_letters(s):
    counts = [0] * 26
    for c in s:
        counts[ord(c) - 97] += 1
    return counts


@pytest.mark.parametrize("text", ["", "abca", "a" * 40])
def test_a_function_of_many_arguments_may_do_nothing(text: str) -> None:
    compare(counts_of_letters, decorate(counts_of_letters), (text,))
