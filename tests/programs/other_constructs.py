"""Constructs that need not be compiled: `try`, `with`, `match`, generators."""

import numpy as np

from .corpus import Theme, floats

theme = Theme(__name__)


def finally_runs(x):
    log = []
    for i in range(3):
        try:
            if i == x:
                continue
            if i > x:
                break
            log.append(i)
        finally:
            log.append("f")
    return log


theme.add(finally_runs, (0,), (2,), (9,))


def with_block(a):
    with np.errstate(divide="ignore"):
        b = 1 / a
    return b


theme.add(with_block, (floats(0, 1),))


def try_except(a, i):
    try:
        return a[i]
    except IndexError:
        return -1.0


theme.add(try_except, (floats(1, 2), 1), (floats(1, 2), 5))


def try_in_loop(items):
    good = 0
    bad = 0
    for x in items:
        try:
            good += 1 // x
        except ZeroDivisionError as error:
            bad += len(str(error)) > 0
        else:
            good += 10
    return good, bad


theme.add(try_in_loop, ([1, 0, 2],))


def match_statement(x):
    match x:
        case 0:
            return "zero"
        case [a, b]:
            return a + b
        case {"k": v}:
            return v
        case _:
            return None


theme.add(match_statement, (0,), ([1, 2],), ({"k": 3},), ("other",))


def generator_expression(n):
    return sum(i * i for i in range(n)), max((i % 3 for i in range(n)), default=-1)


theme.add(generator_expression, (5,), (0,))
