"""Is every variable bound on each path to where it is read, and is it an array or a number throughout?

Definite assignment, as a Java compiler checks it (Gosling et al., The Java Language Specification, ch. 16):
what a branch binds is bound afterwards only if all other branches bind it, too; what a loop's body binds,
never. Kernels are written so that this is enough.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

_Bound = frozenset[str]


def unbound(lines: Sequence[str]) -> str | None:
    """A variable that is read where some path hasn't bound it, and where; None if all is well."""
    function = _function(lines)
    stored = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    work = _Function(stored)
    work.block(function.body, frozenset(argument.arg for argument in function.args.args))
    return next(
        (f"{name!r} may be unbound in {lines[line - 1].strip()!r}" for name, line in work.found), None
    )


def of_two_kinds(lines: Sequence[str]) -> str | None:
    """A variable that is an array here and a number there, which Numba doesn't allow; None if all is well."""
    arrays: set[str] = set()
    numbers: set[str] = set()
    for node in ast.walk(_function(lines)):
        arrays.update(_arrays(node))
        numbers.update(_numbers(node))
    return next((f"{name!r} is an array and a number" for name in sorted(arrays & numbers)), None)


def _function(lines: Sequence[str]) -> ast.FunctionDef:
    (function,) = (n for n in ast.parse("\n".join(lines)).body if isinstance(n, ast.FunctionDef))
    return function


def _arrays(node: ast.AST) -> Iterator[str]:
    """The variables that only arrays can be, by how `node` uses or binds them."""
    if isinstance(node, ast.Subscript):
        yield from _own_name(node.value)
    if isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("np.empty("):
        for target in node.targets:
            yield from _own_name(target)


def _numbers(node: ast.AST) -> Iterator[str]:
    """The variables that only numbers can be: kernels compute with single elements."""
    if isinstance(node, ast.BinOp):
        yield from (*_own_name(node.left), *_own_name(node.right))
    elif isinstance(node, ast.UnaryOp):
        yield from _own_name(node.operand)
    elif isinstance(node, ast.Compare):
        for part in (node.left, *node.comparators):
            yield from _own_name(part)
    elif isinstance(node, ast.Assign) and isinstance(
        node.value, (ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.Constant)
    ):
        for target in node.targets:
            yield from _own_name(target)


def _own_name(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Name):
        yield node.id


class _Function:
    """One function: its variables, and the reads of those that may be unbound.

    A block's result is what is bound after it; None where nothing comes after it.
    """

    def __init__(self, variables: set[str]) -> None:
        self._variables = variables
        self._breaks: list[list[_Bound]] = []
        self.found: list[tuple[str, int]] = []

    def block(self, body: Iterable[ast.stmt], bound: _Bound | None) -> _Bound | None:
        """What is bound after `body`."""
        for statement in body:
            if bound is None:
                return None
            bound = self._statement(statement, bound)
        return bound

    def _statement(self, node: ast.stmt, bound: _Bound) -> _Bound | None:
        if isinstance(node, ast.If):
            self._reads(node.test, bound)
            return _both(self.block(node.body, bound), self.block(node.orelse, bound))
        if isinstance(node, ast.For):
            self._reads(node.iter, bound)
            return self._loop(node, bound | _names(node.target), bound)
        if isinstance(node, ast.While):
            self._reads(node.test, bound)
            endless = isinstance(node.test, ast.Constant) and bool(node.test.value)
            return self._loop(node, bound, None if endless else bound)
        if isinstance(node, ast.Break):
            self._breaks[-1].append(bound)
        self._reads(node, bound)
        if isinstance(node, (ast.Break, ast.Continue, ast.Return, ast.Raise)):
            return None
        return bound | _names(node)

    def _loop(self, node: ast.For | ast.While, inside: _Bound, done: _Bound | None) -> _Bound | None:
        self._breaks.append([])
        self.block(node.body, inside)
        broken = self._breaks.pop()
        bound = self.block(node.orelse, done)
        for one in broken:
            bound = _both(bound, one)
        return bound

    def _reads(self, node: ast.AST, bound: _Bound) -> None:
        for name in _read(node):
            if name.id in self._variables and name.id not in bound:
                self.found.append((name.id, name.lineno))


def _both(one: _Bound | None, other: _Bound | None) -> _Bound | None:
    if one is None or other is None:
        return other if one is None else one
    return one & other


def _names(node: ast.AST) -> _Bound:
    """The names that are bound by a statement or a target."""
    found = (n for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
    return frozenset(name.id for name in found)


def _read(node: ast.AST) -> Iterator[ast.Name]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.AugAssign) and isinstance(inner.target, ast.Name):
            yield inner.target
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load):
            yield inner
