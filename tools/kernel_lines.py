"""Which lines of a generated module a line of the user's became."""

from __future__ import annotations

import ast
import textwrap

_ENOUGH = 16
"""So many letters of a line tell it from others in the comments, where long ones are cut."""
_MOST = 12


def kernel_lines(module: str, kernel: str, line: str) -> str:
    """The part of a kernel that a comment says is `line` of the user's; nothing if no comment does.

    A comment stands for the statement that it is behind, and for what follows it, up to the next comment or
    the end of the block; behind the head of a loop or a branch, for that line alone.
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
        if code.rstrip().endswith(":"):
            return code.strip()
        first = [code.rstrip()] if code.strip() else []
        return textwrap.dedent("\n".join([*first, *_following(lines[number + 1 :], first)]))
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


def _following(lines: list[str], first: list[str]) -> list[str]:
    """The lines of a block, up to the next comment; `first` is what stands before them, if anything does."""
    depth = _indent((first or lines or [""])[0])
    found: list[str] = []
    for text in lines:
        code, sign, _ = text.partition("# ")
        told = bool(sign) and (not code.strip() or _indent(text) == depth)
        if told or not text.strip() or _indent(text) < depth:
            break
        if len(found) == _MOST:
            return [*found, " " * depth + "..."]
        found.append(code.rstrip())
    while found and _is_head(found[-1]):  # what it holds is another line's
        found.pop()
    return found


def _is_head(text: str) -> bool:
    return text.endswith(":")


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())
