"""Methods that are used more than once, or handed to functions: ``max(items, key=weights.__getitem__)``."""

from __future__ import annotations

import collections
from typing import Any

import numpy as np
import pytest
from compiled import explanation, needs_compiler
from enough_work import work
from same import compare, decorate


def largest(x: Any, n: Any) -> Any:
    z = [(i * 7 % 11) / 3 for i in range(n)]
    return max(range(n), key=z.__getitem__), min(range(n), key=z.__getitem__), work(x)


def ordered(x: Any, n: Any) -> Any:
    z = [(i * 7 % 11) / 3 for i in range(n)]
    return sorted(range(n), key=z.__getitem__), sum(map(z.__getitem__, range(0, n, 3))), work(x)


def _twice(f: Any, k: Any) -> Any:
    return f(k), f(k)


def through_a_helper(x: Any, n: Any) -> Any:
    counts: Any = collections.Counter("abracadabra")
    return _twice(counts.most_common, n), _twice("a,b".split, ","), work(x)


def out_of_a_list(x: Any, n: Any) -> Any:
    kept: Any = collections.deque(maxlen=n)
    ways = [kept.append, kept.appendleft]
    for i in range(7):
        ways[0](i)
        ways[i % 2](-i)
    ways[1](99)
    return list(kept), work(x)


def in_a_branch(x: Any, n: Any) -> Any:
    words: Any = collections.OrderedDict.fromkeys("cab")
    ends = words.move_to_end
    if n > 2:
        ends("c")
    else:
        ends("c", last=False)
    ends("a")
    return list(words), max("abc", key=words.__contains__), work(x)


def _counted(f: Any, n: Any) -> Any:
    return f(n) + f(n - 1) if n > 2 else f(0)


class Told:
    def __init__(self) -> None:
        self.reads: list[Any] = []

    @property
    def scaled(self) -> Any:
        self.reads.append(len(self.reads))
        return [3, 1, 2, 5, 4, 7, 6, 8].__getitem__


def read_once(x: Any, n: Any) -> Any:
    told = Told()
    found = _counted(told.scaled, n), max(range(4), key=told.scaled)
    return found, told.reads, work(x)


PROGRAMS = largest, ordered, through_a_helper, out_of_a_list, in_a_branch, read_once


@pytest.mark.parametrize("program", PROGRAMS)
def test_they_are_what_they_were_when_they_were_read(program: Any) -> None:
    decorated: Any = decorate(program, cache=False)
    for n in (3, 5, 1, 7):
        compare(program, decorated, (np.linspace(0.0, 1.0, 12), n), calls=2)


@needs_compiler
@pytest.mark.parametrize("program", PROGRAMS)
def test_code_is_generated(program: Any) -> None:
    told = explanation(decorate(program, cache=False), np.linspace(0.0, 1.0, 12), 3)
    assert "failed" not in told
