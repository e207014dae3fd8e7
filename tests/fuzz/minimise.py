"""Make a failing program smaller: statements taken out, blocks unwrapped, expressions cut, as long as it fails alike."""

from __future__ import annotations

import ast
import copy
import time
from collections.abc import Callable, Iterator
from typing import Any

Fails = Callable[[str], bool]


def smallest(text: str, fails: Fails, seconds: float) -> str:
    """The smallest text found in the time that still fails, statements first."""
    end, tree = time.monotonic() + seconds, ast.parse(text)
    tried: set[str] = {ast.unparse(tree)}
    changed = True
    while changed:
        changed = False
        for kind in (_without_statements, _unwrapped, _without_arguments, _cut_expressions):
            place = 0
            while time.monotonic() < end:
                candidate = _nth(kind(tree), place)
                if candidate is None:
                    break
                place += 1
                written = ast.unparse(ast.fix_missing_locations(candidate))
                if written in tried:
                    continue
                tried.add(written)
                if fails(written):
                    tree, changed = ast.parse(written), True
                    place = max(0, place - 2)
    return ast.unparse(tree)


def _nth(candidates: Iterator[ast.Module], place: int) -> ast.Module | None:
    for k, candidate in enumerate(candidates):
        if k == place:
            return candidate
    return None


def _bodies(tree: ast.AST) -> list[tuple[ast.AST, str]]:
    """Where lists of statements stand, the outermost first; the facts on top of the module stay."""
    found = [
        (node, name)
        for node in ast.walk(tree)
        for name in ("body", "orelse")
        if isinstance(getattr(node, name, None), list)
    ]
    return [(node, name) for node, name in found if getattr(node, name)]


def _changed(
    tree: ast.Module, number: int, change: Callable[[list[ast.stmt]], list[ast.stmt] | None]
) -> ast.Module | None:
    """A copy with one list of statements changed."""
    again = copy.deepcopy(tree)
    node, name = _bodies(again)[number]
    body = change(getattr(node, name))
    if body is None:
        return None
    if not body and name == "body":
        body = [ast.Pass()]
    setattr(node, name, body)
    return again


def _stays(statement: ast.stmt) -> bool:
    """Whether the statement must be there: the facts, the program and its result."""
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return True
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
        return statement.targets[0].id in ("SIGNATURE", "SIZES", "SEED", "DIFFERENTIABLE")
    return isinstance(statement, ast.FunctionDef) and statement.name == "program"


def _without_statements(tree: ast.Module) -> Iterator[ast.Module]:
    """Copies without a run of statements, long runs first."""
    for number, (node, name) in enumerate(_bodies(tree)):
        length = len(getattr(node, name))
        size = length
        while size:
            for start in range(0, length, size):

                def change(
                    body: list[ast.stmt], start: int = start, size: int = size
                ) -> list[ast.stmt] | None:
                    gone = body[start : start + size]
                    kept = body[:start] + [s for s in gone if _stays(s)] + body[start + size :]
                    return (
                        kept
                        if len(kept) < len(body) and not all(isinstance(s, ast.Pass) for s in gone)
                        else None
                    )

                candidate = _changed(tree, number, change)
                if candidate is not None:
                    yield candidate
            size //= 2


def _unwrapped(tree: ast.Module) -> Iterator[ast.Module]:
    """Copies in which a block stands without its head."""
    for number, (node, name) in enumerate(_bodies(tree)):
        for place, statement in enumerate(getattr(node, name)):
            if not isinstance(statement, (ast.For, ast.While, ast.If)):
                continue
            choices = [statement.body, *([statement.orelse] if statement.orelse else [])]
            if isinstance(statement, ast.For):
                binding = ast.Assign(targets=[statement.target], value=ast.Constant(1), lineno=0)
                choices = [statement.body, [binding, *statement.body]]  # type: ignore[list-item]
                two = ast.Call(func=ast.Name("range", ast.Load()), args=[ast.Constant(2)], keywords=[])
                choices.append(
                    [ast.For(target=statement.target, iter=two, body=statement.body, orelse=[], lineno=0)]
                )
            for choice in choices:

                def change(
                    body: list[ast.stmt], place: int = place, choice: list[ast.stmt] = choice
                ) -> list[ast.stmt]:
                    return body[:place] + copy.deepcopy(choice) + body[place + 1 :]

                candidate = _changed(tree, number, change)
                if candidate is not None:
                    yield candidate


def _without_arguments(tree: ast.Module) -> Iterator[ast.Module]:
    """Copies in which the program has an argument less."""
    again = copy.deepcopy(tree)
    program = next(
        node for node in again.body if isinstance(node, ast.FunctionDef) and node.name == "program"
    )
    facts = next(
        node
        for node in again.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "SIGNATURE"
    )
    signature = ast.literal_eval(facts.value)
    read = {node.id for node in ast.walk(program) if isinstance(node, ast.Name)}
    for name in [name for name in signature if name not in read]:
        kept = {key: value for key, value in signature.items() if key != name}
        one = copy.deepcopy(again)
        for node in one.body:
            if isinstance(node, ast.FunctionDef) and node.name == "program":
                node.args.args = [arg for arg in node.args.args if arg.arg != name]
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "SIGNATURE":
                node.value = ast.parse(repr(kept)).body[0].value  # type: ignore[attr-defined]
        yield one


class _Replace(ast.NodeTransformer):
    """Put another node in the place of the n-th one."""

    def __init__(self, number: int, choice: int) -> None:
        self.number, self.choice, self.seen, self.done = number, choice, -1, False

    def generic_visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.expr) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            smaller = _smaller(node)
            if smaller:
                self.seen += 1
                if self.seen == self.number and self.choice < len(smaller):
                    self.done = True
                    return smaller[self.choice]
        return super().generic_visit(node)


def _smaller(node: ast.expr) -> list[ast.expr]:
    """What may stand in the place of an expression."""
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if (
        isinstance(node, (ast.BoolOp, ast.Tuple))
        and len(getattr(node, "values", getattr(node, "elts", []))) > 1
    ):
        parts = getattr(node, "values", None) or node.elts  # type: ignore[attr-defined]
        return list(parts)
    if isinstance(node, ast.UnaryOp):
        return [node.operand] if not isinstance(node.operand, ast.Constant) else []
    if isinstance(node, ast.Call):
        owner = (
            [node.func.value]
            if isinstance(node.func, ast.Attribute) and not _is_numpy(node.func.value)
            else []
        )
        return [*owner, *node.args]
    if isinstance(node, ast.Subscript):
        return [node.value]
    if isinstance(node, ast.Compare):
        return [ast.Constant(True), ast.Constant(False)]
    return []


def _is_numpy(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in ("np", "math")


def _cut_expressions(tree: ast.Module) -> Iterator[ast.Module]:
    """Copies in which an expression is one of its parts."""
    number = 0
    while True:
        found = False
        for choice in range(4):
            again = copy.deepcopy(tree)
            replacing = _Replace(number, choice)
            for node in again.body:
                if isinstance(node, ast.FunctionDef):
                    replacing.visit(node)
            found |= replacing.seen >= number
            if replacing.done:
                yield again
        if not found:
            return
        number += 1
