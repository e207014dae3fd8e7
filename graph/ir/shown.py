"""What users wrote (names, paths, source lines, constants) as it may be shown, and where it may be code.

A file may be called ``x\"""+run()+\"""``, a function may be renamed to anything, an attribute may hold an
escape sequence that rewrites the terminal. What is printed goes through `printable`, what is written as an
identifier has been looked at by `is_name`.
"""

from __future__ import annotations

import keyword
import sys
import unicodedata

STRING = r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'"""
"""A string literal as a regular expression: what reads generated text must not look into these."""


def printable(text: str) -> str:
    """`text` on one line, with escapes for what has no shape: control characters, marks of direction."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def printable_lines(text: str) -> str:
    """Like `printable` for a text of several lines, which stay lines."""
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    return "\n".join(printable(line) for line in text.split("\n"))


def comment(text: str) -> str:
    """A line of source as a comment: on one line, whatever it holds."""
    return printable(" ".join(text.split()))


def is_name(text: str) -> bool:
    """Whether Python reads `text` as one name, and as this one: it takes ``ﬁ`` for ``fi``."""
    if not text.isidentifier() or keyword.iskeyword(text):
        return False
    return normalised(text) == text


def normalised(name: str) -> str:
    """`name` as Python reads it where it stands in source: two names that are equal then are one."""
    return name if name.isascii() else unicodedata.normalize("NFKC", name)


def unbound_message(name: str) -> str:
    """What this Python says about a variable without a value."""
    if sys.version_info >= (3, 11):
        return f"cannot access local variable '{name}' where it is not associated with a value"
    return f"local variable '{name}' referenced before assignment"
