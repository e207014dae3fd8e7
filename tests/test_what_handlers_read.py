"""What a handler reads is what was assigned before the exception, also where no other way needs that."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from enough_work import work
from same import compare, decorate


def in_a_branch(x: Any, k: Any) -> Any:
    c = 0
    y = x * 1.0
    try:
        if k > 1:
            c = 0.5
            raise KeyError
        c = 2
    except LookupError:
        y[0] = c
    return c, y, work(x)


def in_a_loop(x: Any, k: Any) -> Any:
    c = 0
    y = x * 1.0
    try:
        for i in range(k):
            c = i * 0.5
            if y[i] > 2:
                raise KeyError
            y[i] += 1
        c = 2
    except LookupError:
        y[0] = c
    return c, y, work(x)


def in_a_while(x: Any, k: Any) -> Any:
    c, i = 0, 0
    y = x * 1.0
    try:
        while i < k:
            c = y[i]
            i += 1
            if c > 2:
                raise KeyError
        c, i = 2.0, 0
    except LookupError:
        y[0] = c + i
    return c, i, y, work(x)


def in_another_try(x: Any, k: Any) -> Any:
    c = 0
    y = x * 1.0
    try:
        try:
            c = 0.5
            if k > 3:
                raise KeyError
            c = 1.5
        except OverflowError:
            pass
        c = 2
    except LookupError:
        y[0] = c
    return c, y, work(x)


def in_a_handler(x: Any, k: Any) -> Any:
    c = 0
    y = x * 1.0
    try:
        try:
            if k > 1:
                raise ValueError
        except ValueError:
            c = 0.25
            if k > 3:
                raise KeyError
        else:
            c = 7
            if k == 1:
                raise KeyError
        c = 2
    except LookupError:
        y[0] = c
    return c, y, work(x)


def in_a_with(x: Any, k: Any) -> Any:
    c = 0
    y = x * 1.0
    try:
        with np.errstate(divide="ignore"):
            c = 0.5
            if k > 2:
                raise KeyError
        c = 2
    except LookupError:
        y[0] = c
    return c, y, work(x)


def of_an_array(x: Any, k: Any) -> Any:
    y = x * 1.0
    z = y
    try:
        for i in range(k):
            z = y + i
            if z[0] > 1:
                raise KeyError
        z = y
    except LookupError:
        z[0] = -1.0
    return z, y


def unbound_by_then(x: Any, k: Any) -> Any:
    c = 1
    y = x * 1.0
    try:
        del c
        if k > 2:
            raise KeyError
        c = 2
    except LookupError:
        y[0] = 3
    return c, y, work(x)


PROGRAMS = (
    in_a_branch,
    in_a_loop,
    in_a_while,
    in_another_try,
    in_a_handler,
    in_a_with,
    of_an_array,
    unbound_by_then,
)


@pytest.mark.parametrize("program", PROGRAMS)
def test_handlers_read_what_was_assigned_last(program: Any) -> None:
    decorated: Any = decorate(program, cache=False)
    for k in (0, 1, 2, 3, 5, 6, 0):
        compare(program, decorated, (np.arange(6.0) * 0.5, k), calls=2)


@needs_compiler
@pytest.mark.parametrize("program", [program for program in PROGRAMS if program is not unbound_by_then])
def test_such_statements_are_followed(program: Any) -> None:
    decorated: Any = decorate(program, cache=False)
    decorated(np.arange(6.0) * 0.5, 2)
    assert has_compiled_part(decorated)
