"""Which lines of a generated module a line of the user's became."""

from __future__ import annotations

import ast
import textwrap

_ENOUGH = 16
"""So many letters of a line tell it from others in the comments, where long ones are cut."""
_MOST = 12


def kernel_lines(module: str, kernel: str, line: str) -> str:
    """The part of a kernel that a comment says is `line` of the user's; nothing if no comment does.

    A comment behind code stands for that statement; one on a line of its own for what follows it, up to the
    next comment or the end of the block.
    """
    wanted = " ".join(line.split())
    if not wanted:
        return ""
    lines = _body_of(module, kernel)
    for number, text in enumerate(lines):
        code, sign, comment = text.partition("# ")
        said = comment.strip().removesuffix("...")
        if not sign or not _same(said, wanted):
            continue
        if code.strip():
            return code.strip()
        return textwrap.dedent("\n".join(_following(lines[number + 1 :])))
    return ""


def _same(said: str, wanted: str) -> bool:
    said = " ".join(said.split())
    return said == wanted or (len(said) >= _ENOUGH and wanted.startswith(said))


def _body_of(module: str, kernel: str) -> list[str]:
    try:
        tree = ast.parse(module)
    except SyntaxError:
        return []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == kernel:
            return module.splitlines()[node.lineno - 1 : node.end_lineno]
    return []


def _following(lines: list[str]) -> list[str]:
    """The lines of a block, up to the next comment."""
    if not lines:
        return []
    depth = _indent(lines[0])
    found = []
    for text in lines[:_MOST]:
        if not text.strip() or _indent(text) < depth or text.lstrip().startswith("# "):
            break
        found.append(text.partition("  # ")[0].rstrip())
    return found


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())
