"""`print` for drivers and kernels: counts what this thread has given to the standard output.

Where compiled code can't go on the call starts again as plain Python, without what is printed already.
"""

from __future__ import annotations

import builtins
import functools
import math
import sys
import threading
from collections.abc import Callable, Mapping
from typing import NoReturn, cast

import numpy as np


class Printed(threading.local):
    """How many texts drivers have written in this thread so far."""

    texts = 0


PRINTED = Printed()


def print(*values: object, **how: object) -> None:
    """Python's own; of each value, separator and end a text is written."""
    try:
        builtins.print(*values, **how)  # type: ignore[call-overload]
    except UnicodeEncodeError:
        PRINTED.texts += _written(values, how)
        raise
    PRINTED.texts += 2 * len(values) or 1


def _written(values: tuple[object, ...], how: Mapping[str, object]) -> int:
    """How many texts come before the first that standard output has no code for."""
    texts = [text for value in values for text in (str(value), str(how.get("sep") or " "))]
    for number, text in enumerate(texts):
        try:
            text.encode(sys.stdout.encoding or "utf-8", sys.stdout.errors or "strict")
        except UnicodeEncodeError:
            return number
    return max(len(texts) - 1, 0)


@functools.lru_cache(256)
def _made(text: str) -> Callable[..., object]:
    made: Callable[..., object] = eval(text, {"np": np, "math": math, "print": print, "__name__": __name__})
    return made


def raise_from_text(text: str, *numbers: object) -> NoReturn:
    """Raise what the expression ``lambda ...`` makes of the numbers."""
    raise cast(BaseException, _made(text)(*numbers))


def print_from_text(text: str, *numbers: object) -> None:
    """Do what the expression ``lambda ...: print(...)`` does with the numbers."""
    _made(text)(*numbers)
