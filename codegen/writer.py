"""Lines of a module: indentation, the user's lines as comments, and breaking what is too long."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ..graph.ir import shown

WIDTH = 110
INDENT = "    "
_NO_CODE = re.compile(rf"{shown.STRING}|#.*")


class Quoted(str):
    """A user's line that is a comment already."""


class Writer:
    """Collects lines; a user's line is quoted once, where its first statement stands."""

    def __init__(self, depth: int = 0) -> None:
        self.lines: list[str] = []
        self.depth = depth
        self.path: tuple[int, ...] = ()
        """The blocks around what is written now, each with a number of its own."""
        self._blocks = 0
        self._first = 0
        """Where the lines of the innermost block begin."""
        self._quoted: set[str] = set()

    @contextmanager
    def indented(self) -> Iterator[None]:
        """Write one level deeper."""
        outer, first, self._blocks = self.path, self._first, self._blocks + 1
        self.depth, self.path, self._first = self.depth + 1, (*outer, self._blocks), len(self.lines)
        try:
            yield
        finally:
            self.depth, self.path, self._first = self.depth - 1, outer, first

    def line(self, text: str, source: str = "") -> None:
        """One statement, with the user's line as its comment."""
        comment = self._comment(source)
        if comment == text:
            comment = ""  # the user's own line
        indent = INDENT * self.depth
        whole = f"{indent}{text}  # {comment}" if comment else f"{indent}{text}"
        if len(whole) <= WIDTH:
            self.lines.append(whole)
            return
        if comment:
            self.comment(comment)
        self.lines.extend(broken(indent, text))

    def remember(self, source: str) -> Quoted:
        """The user's line, marked as quoted before the lines inside its statement are printed."""
        return Quoted(self._comment(source))

    def folded(self, text: str) -> bool:
        """Turn this block's last line ``text = ...`` into a ``return``; not a write like ``a[i] = ...``."""
        if not all(name.isidentifier() for name in text.split(", ")):
            return False
        start = f"{INDENT * self.depth}{text} = "
        if len(self.lines) <= self._first or not self.lines[-1].startswith(start) or "#" in self.lines[-1]:
            return False
        written = self.lines.pop()[len(start) :]
        self.lines.extend(broken(INDENT * self.depth, f"return {written}"))
        return True

    def comment(self, text: str) -> None:
        """A comment on a line of its own."""
        room = WIDTH - len(INDENT) * self.depth - 2
        self.lines.append(f"{INDENT * self.depth}# {text if len(text) <= room else text[: room - 3] + '...'}")

    def raw(self, lines: Sequence[str]) -> None:
        """Lines that were written at this depth elsewhere."""
        self.lines.extend(lines)

    def _comment(self, source: str) -> str:
        if isinstance(source, Quoted):
            return source
        source = shown.comment(source)
        if not source or source in self._quoted:
            return ""
        self._quoted.add(source)
        return source


def code_of(line: str) -> str:
    """A line of a module without its strings and its comment, which hold what users wrote."""
    return _NO_CODE.sub("", line)


def broken(indent: str, text: str) -> list[str]:
    """`text` over several lines, as the formatter would break its last bracket; whole if it has none."""
    if len(indent) + len(text) <= WIDTH:
        return [indent + text]
    opening = _outer_bracket(text)
    if opening is None:
        names, equals, value = text.partition(" = ")
        if equals and "," in names and all(name.isidentifier() for name in _items(names)):
            return [*_tuple_broken(indent, names)[:-1], f"{indent}) = (", *_tuple_broken(indent, value)[1:]]
        return _tuple_broken(indent, text)
    start, end = opening
    targets, equals, value = text.partition(" = ")
    if len(indent) + start + 1 > WIDTH and len(targets) < start and equals and len(_items(targets)) > 1:
        return [*_tuple_broken(indent, targets)[:-1], f"{indent}) = {value}"]
    inside, deeper = text[start + 1 : end], indent + INDENT
    head, tail = indent + text[: start + 1], indent + text[end:]
    if inside.startswith('"(') and len(_items(inside)[0]) + len(deeper) + 1 > WIDTH:
        first, *others = _items(inside)
        return [head, *_string_broken(deeper, first), *(f"{deeper}{item}," for item in others), tail]
    if len(deeper) + len(inside) <= WIDTH and not inside.endswith(","):
        return [head, deeper + inside, tail]
    lines = [head]
    for item in _items(inside):
        lines.extend(broken(deeper, item + ","))
    return [*lines, tail]


def _string_broken(indent: str, text: str) -> list[str]:
    """A long string literal as several, cut at its spaces."""
    lines, rest = [], text[1:-1]
    while len(indent) + len(rest) + 3 > WIDTH:
        cut = rest.rfind(", ", 0, WIDTH - len(indent) - 2) + 2
        lines.append(f'{indent}"{rest[:cut]}"')
        rest = rest[cut:]
    return [*lines, f'{indent}"{rest}",']


def _tuple_broken(indent: str, text: str) -> list[str]:
    """A tuple without parentheses, one item to a line."""
    word = "return " if text.startswith("return ") else ""
    items = _items(text[len(word) :])
    if len(items) < 2:
        return [indent + text]
    return [f"{indent}{word}(", *(f"{indent}{INDENT}{item}," for item in items), f"{indent})"]


def _outer_bracket(text: str) -> tuple[int, int] | None:
    """The last bracket pair on the outermost level that ends the statement (a colon may follow)."""
    level, start, found = 0, 0, None
    for place, char in _code(text):
        if char in "([{":
            if level == 0:
                start = place
            level += 1
        elif char in ")]}":
            level -= 1
            if level == 0:
                found = (start, place)
    if found is None or text[found[1] + 1 :].strip(" :,") or found[0] + 1 == found[1]:
        return None
    if not found[0] or not (text[found[0] - 1].isalnum() or text[found[0] - 1] in "_])"):
        return None  # parentheses around an operand: breaking those needs more than commas
    return found


def _items(text: str) -> list[str]:
    """The parts of `text` between its outermost commas."""
    items, level, start = [], 0, 0
    for place, char in _code(text):
        level += (char in "([{") - (char in ")]}")
        if char == "," and level == 0:
            items.append(text[start:place].strip())
            start = place + 1
    rest = text[start:].strip()
    return [*items, rest] if rest else items


def _code(text: str) -> Iterator[tuple[int, str]]:
    """The characters outside of string literals, with their places."""
    quote, place = "", 0
    while place < len(text):
        char = text[place]
        if quote:
            if char == "\\":
                place += 1
            elif char == quote:
                quote = ""
        elif char in "'\"":
            quote = char
        else:
            yield place, char
        place += 1
