"""How each line of a function runs: in compiled code, as NumPy, or as Python. All reports ask here."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ..graph.ir.nodes import NOWHERE
from ..graph.trace.running import lines_of
from .compile import StaysPlain
from .faults import is_gradient_error
from .specialisation import Left, Line, Specialisation

if TYPE_CHECKING:
    from .function import Function

COMPILED, NUMPY, PYTHON = "compiled", "NumPy", "Python"
_SLOWEST_FIRST = (PYTHON, NUMPY, COMPILED)

Span = tuple[int, int]
"""First and last line."""


def specialisation_for(function: Function, values: tuple[object, ...]) -> Specialisation:
    """What takes calls with `values`; one that says why, where they run as plain Python."""
    try:
        return function.specialise(values)
    except StaysPlain as verdict:
        reason, where, attempt = verdict.reason, verdict.where, verdict.attempt
        function.outline(verdict)
    except Exception as error:
        if not is_gradient_error(error):
            raise
        reason, where, attempt = str(error), NOWHERE, ""
    signature = function.request(values).signature
    return Specialisation(signature, plain_reason=reason, where=where, attempt=attempt)


def loops_of(function: Function) -> list[Specialisation]:
    """What runs the loops of a function that stays plain, where they are functions of their own."""
    made = None if function.outlining is None else function.outlining.made
    states = [part.decorated.__jitscope__ for part in made.parts] if made else []  # type: ignore[attr-defined]
    return [item for state in states for item in state.specialisations if item.clusters and not item.slower]


def worth_telling(items: Iterable[Left]) -> list[Left]:
    """By lines; of what would win nothing one reason, and only where a line has no other."""
    items = sorted(items, key=lambda item: (item.line.file, item.line.number))
    told = {item.line for item in items if not item.follows}
    first = {item.line: item.reason for item in reversed(items) if item.line not in told}
    return [item for item in items if not item.follows or item.reason == first.get(item.line)]


class LineStates:
    """How the lines run that one specialisation is made of, and those of its loops that are functions."""

    def __init__(self, item: Specialisation, loops: Iterable[Specialisation] = ()) -> None:
        self.item = item
        self.left: dict[tuple[str, int], Left] = {}
        self.known: dict[tuple[str, int], str] = {}
        for each in (item, *loops):
            self._learn(each)

    def _learn(self, item: Specialisation) -> None:
        self.known |= {(line.file, line.number): COMPILED for lines in item.report.lines for line in lines}
        for one in worth_telling(item.report.left):
            place = one.line.file, one.line.number
            if not (one.follows and place in self.known):
                self.left.setdefault(place, one)
                self.known[place] = _slowest([one.runs_as, self.known.get(place, COMPILED)])

    def state(self, file: str, line: int) -> str:
        """How a line runs: as the slowest operation of its statement.

        A statement without operations (``a, b = b, a``) runs as what it stands in: a loop, or the function.
        """
        name = Path(file).name
        for first, last in _spans(file).get(line, [(line, line)]):
            found = [self.known[name, n] for n in range(first, last + 1) if (name, n) in self.known]
            if found:
                return _slowest(found)
        alone = self.item.plain_reason or not self.known  # else a function without operations, called in it
        return PYTHON if alone else _slowest(list(self.known.values()))

    def why_not(self, file: str, line: int) -> Left:
        """Why a line is not compiled, as far as that is known, and what would help."""
        first, last = _spans(file).get(line, [(line, line)])[0]
        places = [(Path(file).name, n) for n in range(first, last + 1)]
        found = next((self.left[place] for place in places if place in self.left), None)
        return found or Left(Line(file, line, ""), self.item.plain_reason, attempt=self.item.attempt)


def _slowest(states: list[str]) -> str:
    return next(state for state in _SLOWEST_FIRST if state in states)


@functools.lru_cache(maxsize=64)
def _spans_of(text: str) -> dict[int, list[Span]]:
    found: dict[int, list[Span]] = {}
    try:
        tree = ast.parse(text)
    except SyntaxError:  # cells of notebooks hold more than Python
        return found
    for first, last, around in _statements(tree, []):
        for line in range(first, last + 1):
            found[line] = [(first, last), *around]
    return found


def _spans(file: str) -> dict[int, list[Span]]:
    """For each line its statement, the heads of those around it, and the function."""
    return _spans_of("".join(lines_of(file)))


def _statements(node: ast.AST, around: list[Span]) -> Iterator[tuple[int, int, list[Span]]]:
    """Each statement inside of `node`, of one with a body the head, with what it stands in."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.stmt):
            yield from _statements(child, around)  # `except` and `case`
            continue
        inner = [part.lineno for part in ast.walk(child) if isinstance(part, ast.stmt) and part is not child]
        last = child.end_lineno or child.lineno
        head = child.lineno, max(min([last, *(line - 1 for line in inner)]), child.lineno)
        yield *head, around
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield from _statements(child, [(child.lineno, last)])
        else:
            yield from _statements(child, [head, *around])
