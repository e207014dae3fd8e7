"""Where a function was written: its text, and its syntax tree with the positions of the file.

The whole file is parsed, never a dedented piece of it: so line and column numbers are the file's, strings
that span lines keep their text, and a lambda is found by its position. The code compiled from what was found
must equal the code of the function: a file edited after its import is never taken for what runs.
"""

from __future__ import annotations

import ast
import functools
import inspect
import linecache
import textwrap
from contextlib import suppress
from dataclasses import dataclass
from types import CodeType, FunctionType

from ..graph.ir.nodes import Loc
from ..graph.trace.by_code import ByCode
from ..graph.trace.running import line_of, lines_of

FutureMask = 0x01FF0000  # the compiler flags that `from __future__ import ...` leaves in a code object
GENERATOR = "decorate the plain function that computes one of its values"
"""What to try with a generator or a coroutine."""
HAS_TRY = (
    "it has a `try` statement",
    "ask with `if` whether it would raise, or put the `try` around the call of this function",
)
"""The reason and the remedy where a `try` can't be followed."""
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class Unsupported(Exception):
    """A function that can't be staged and runs plain: the reason in one sentence, where, what to try."""

    def __init__(self, reason: str, loc: Loc, attempt: str = "") -> None:
        super().__init__(f"{reason} ({loc.filename}:{loc.line})")
        self.reason = reason
        self.loc = loc
        self.attempt = attempt


@dataclass(frozen=True)
class Source:
    """A function's definition: `tree` keeps the positions of the file, `text` is the dedented source."""

    tree: Definition
    text: str
    lines: tuple[str, ...]
    filename: str
    firstlineno: int


_MADE = ByCode()


def remember(code: CodeType, source: Source) -> None:
    """`code` was compiled from `source`: a piece of a file that is no definition there."""
    _MADE.of(code)["source"] = source


def find_source(fn: FunctionType) -> Source:
    """The definition of `fn`, read from its file or notebook cell; raises Unsupported where there is none."""
    code = fn.__code__
    if made := _MADE.of(code):
        found: Source = made["source"]
        return found
    filename = code.co_filename
    with suppress(ValueError):  # no file can have such a name
        linecache.checkcache(filename)
    where = line_of(filename, code.co_firstlineno)
    lines = tuple(lines_of(filename, fn.__globals__))
    if not lines:
        raise Unsupported("its source text is not available", where)
    try:
        parsed(lines)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise Unsupported("its source file can't be parsed", where) from None
    candidates = [node for node in _definitions(lines) if _starts_at(node, code)]
    try:
        known = _compiled(lines, filename, code.co_flags & FutureMask)
    except (RecursionError, MemoryError):
        raise Unsupported("an expression in its file is nested too deep", where) from None
    if not candidates or not any(_same(code, each) for each in known):
        raise Unsupported("its source was changed after it was loaded", where)
    tree = _select(candidates, code)
    first, last = _first_line(tree), tree.end_lineno or tree.lineno
    text = textwrap.dedent("".join(lines[first - 1 : last]))
    return Source(tree, text, lines, filename, first)


def lambda_in(fn: FunctionType, code: CodeType) -> ast.Lambda | None:
    """The lambda of `fn` that staged code, which keeps positions, stands for; None where that isn't clear."""
    lines = tuple(lines_of(fn.__code__.co_filename, fn.__globals__))
    candidates = [node for node in _definitions(lines) if _starts_at(node, code)]
    try:
        found = _select(candidates, code)
    except Unsupported:
        return None
    return found if isinstance(found, ast.Lambda) else None


@functools.lru_cache(maxsize=8)
def parsed(lines: tuple[str, ...]) -> ast.Module:
    """The tree of a file, which nobody may change."""
    return ast.parse("".join(lines))


@functools.lru_cache(maxsize=8)
def _definitions(lines: tuple[str, ...]) -> tuple[Definition, ...]:
    """Every `def` and `lambda` of a file."""
    return tuple(node for node in ast.walk(parsed(lines)) if isinstance(node, Definition))


def _first_line(node: Definition) -> int:
    """The line that `co_firstlineno` names: the first decorator's, if there is one."""
    decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
    return min([node.lineno, *(each.lineno for each in decorators)])


def _starts_at(node: Definition, code: CodeType) -> bool:
    name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
    return name == code.co_name and _first_line(node) == code.co_firstlineno and _fits(node.args, code)


def _fits(parameters: ast.arguments, code: CodeType) -> bool:
    """The parameters of the code object, in order (names may carry the mangling of a class)."""
    groups = parameters.posonlyargs + parameters.args + parameters.kwonlyargs
    extra = [each for each in (parameters.vararg, parameters.kwarg) if each is not None]
    names = [each.arg for each in groups + extra]
    return len(names) <= len(code.co_varnames) and all(
        own.endswith(name) for own, name in zip(code.co_varnames, names, strict=False)
    )


def _select(candidates: list[Definition], code: CodeType) -> Definition:
    """The one candidate that the code was compiled from."""
    lambdas = [each for each in candidates if isinstance(each, ast.Lambda)]
    if len(candidates) > 1 and lambdas:
        candidates = _innermost(lambdas, code)
    if len(candidates) != 1:
        reason = "several definitions on this line look like it"
        raise Unsupported(reason, line_of(code.co_filename, code.co_firstlineno))
    return candidates[0]


@functools.lru_cache(maxsize=8)
def _compiled(lines: tuple[str, ...], filename: str, flags: int) -> tuple[CodeType, ...]:
    """All code objects of a file: of the whole file, as imports decide how method calls are compiled."""
    todo = [compile(parsed(lines), filename, "exec", flags=flags, dont_inherit=True)]
    found = []
    while todo:
        found.append(todo.pop())
        todo += _codes_in(found[-1])
    return tuple(found)


def _same(code: CodeType, other: CodeType) -> bool:
    """Equal code; or code that pytest has rewritten the asserts of, which no comparison can see through."""
    if _equal(code, other):
        return True
    rewritten = any(name.startswith("@py") for name in code.co_names + code.co_varnames + code.co_cellvars)
    return rewritten and code.co_name == other.co_name and code.co_firstlineno == other.co_firstlineno


def _equal(code: CodeType, other: CodeType) -> bool:
    """``code == other``, level by level: Python compares constants twice, 2 ** n times where n are nested."""
    todo = [(code, other)]
    while todo:
        one, two = todo.pop()
        if (one.co_name, one.co_firstlineno) != (two.co_name, two.co_firstlineno):
            return False
        inner, others = _codes_in(one), _codes_in(two)
        if len(inner) != len(others) or _without_codes(one) != _without_codes(two):
            return False
        todo += zip(inner, others, strict=True)
    return True


def _codes_in(code: CodeType) -> list[CodeType]:
    return [each for each in code.co_consts if isinstance(each, CodeType)]


def _without_codes(code: CodeType) -> CodeType:
    return code.replace(co_consts=tuple(None if isinstance(c, CodeType) else c for c in code.co_consts))


def _innermost(matches: list[ast.Lambda], code: CodeType) -> list[Definition]:
    """Of several lambdas on a line: the smallest whose body holds all positions of the code (3.11 on)."""
    if not hasattr(code, "co_positions"):
        return list(matches)
    known = [p for p in code.co_positions() if None not in p and p[1] is not None and p[3]]
    if not known:
        return list(matches)
    first = min((p[0] or 0, p[2] or 0) for p in known)
    last = max((p[1] or 0, p[3] or 0) for p in known)

    def holds(node: ast.Lambda) -> bool:
        start, end = _ends(node.body)
        return start <= first and last <= end

    holding = [node for node in matches if holds(node)]
    return list(sorted(holding, key=lambda node: _size(node.body))[:1])


def _ends(node: ast.expr) -> tuple[tuple[int, int], tuple[int, int]]:
    return (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)


def _size(node: ast.expr) -> tuple[int, int]:
    (line, column), (end_line, end_column) = _ends(node)
    return end_line - line, end_column - column


def is_plain_function(fn: FunctionType) -> bool:
    """Neither a generator nor a coroutine."""
    return not fn.__code__.co_flags & (
        inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
    )
