"""What a command answers: a text for people, the same as data for programs, and a status."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TextIO

RIGHT, WRONG, MISUSED = 0, 1, 2
"""Exit statuses: all is well; what was asked for was found not to be; the command was not understood."""

_CODES = {"bold": "1", "good": "32", "half": "33", "bad": "31", "dim": "2"}


@dataclass(frozen=True)
class Answer:
    """What a command found out."""

    text: str
    data: Mapping[str, object] = field(default_factory=dict)
    status: int = RIGHT


class Misused(Exception):
    """The command can't be done as it was given; the message says what to give."""


class Palette:
    """Colours, on terminals alone; https://no-color.org says when not."""

    def __init__(self, stream: TextIO) -> None:
        self._used = stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

    def __call__(self, text: str, kind: str) -> str:
        return f"\033[{_CODES[kind]}m{text}\033[0m" if self._used and text else text


def ratio(before: float, now: float) -> str:
    """How many times as fast, or as slow."""
    times, word = (before / now, "faster") if now <= before else (now / before, "slower")
    shown = f"{times:.3g}" if times < 1000 else f"{times:.0f}"
    return "as fast" if shown == "1" else f"{shown} × {word}"


_UNITS = ((10**9, "GB"), (10**6, "MB"), (10**3, "kB"))


def sized(number: float) -> str:
    """A number of bytes."""
    for unit, name in _UNITS:
        if number >= unit:
            return f"{number / unit:.3g} {name}"
    return f"{number:.0f} bytes"


def table(rows: list[tuple[str, ...]]) -> list[str]:
    """Rows as lines, columns as wide as they must be; the last one isn't filled up."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]
