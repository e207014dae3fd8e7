"""The part of a generated module that runs as plain Python: without its kernels and what only they import."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable
from types import CodeType


class NotPortable(Exception):
    """A module whose kernels only Numba can load in another process; the message says why."""


def driver_part(text: str, kernels: Collection[str], path: str = "<module>") -> CodeType:
    """The code of a generated module without its kernels, whose names somebody else sets; lines stay.

    Raises:
        NotPortable: it reads a name that the part left out would have defined.
    """
    module = ast.parse(text, path)
    left_out = [node for node in module.body if isinstance(node, ast.FunctionDef) and node.decorator_list]
    body = [node for node in module.body if node not in left_out]
    read = _names(node for node in body if not isinstance(node, ast.Import | ast.ImportFrom))
    if lacking := sorted(read & {node.name for node in left_out} - set(kernels)):
        raise NotPortable(f"the driver calls {', '.join(lacking)}, which Numba makes")
    kept = [node for node in (_only(node, read) for node in body) if node is not None]
    if any(
        isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "numba" for node in kept
    ):
        raise NotPortable("the driver uses Numba itself")
    return compile(ast.Module(kept, []), path, "exec", dont_inherit=True)


def _names(nodes: Iterable[ast.stmt]) -> set[str]:
    return {inner.id for node in nodes for inner in ast.walk(node) if isinstance(inner, ast.Name)}


def _only(node: ast.stmt, read: set[str]) -> ast.stmt | None:
    """An import of what is read, or None; any other statement as it is."""
    if not isinstance(node, ast.Import | ast.ImportFrom):
        return node
    names = [name for name in node.names if (name.asname or name.name).partition(".")[0] in read]
    if not names:
        return None
    if isinstance(node, ast.Import):
        return ast.copy_location(ast.Import(names), node)
    return ast.copy_location(ast.ImportFrom(node.module, names, node.level), node)
