"""Counts of what makes the source hard to change: `test_structure.py` lets them fall, not rise."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("graph", "autograph", "codegen", "runtime", "dask", "tools", "command")
LONG_FUNCTION, LONG_FILE = 50, 600


@dataclass(frozen=True)
class Found:
    """An import of a module of the package: where it stands, what it asks for, and how."""

    module: str
    target: str
    line: int
    in_function: bool
    for_types: bool


class Source:
    """The package's own files, parsed; modules are named ``graph.ir``, the package's own __init__ ``""``."""

    def __init__(self, root: Path = ROOT) -> None:
        files = sorted(
            [*root.glob("*.py"), *(path for room in ROOMS for path in (root / room).rglob("*.py"))]
        )
        self.paths = {_name(path.relative_to(root)): path.relative_to(root) for path in files}
        self.texts = {name: (root / path).read_text() for name, path in self.paths.items()}
        self.trees = {name: ast.parse(text) for name, text in self.texts.items()}
        self.messages = {
            path.name: path.read_text() for path in (root / "tests/golden/messages").glob("*.txt")
        }

    # Imports

    @cached_property
    def imports(self) -> list[Found]:
        """Every import of a module of the package."""
        return [
            found for name, tree in self.trees.items() for found in self._imports(name, tree, False, False)
        ]

    def _imports(self, name: str, node: ast.AST, in_function: bool, for_types: bool) -> Iterator[Found]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.ImportFrom) and child.level:
                for target in {self._target(name, child, alias.name) for alias in child.names}:
                    if target not in (None, name):
                        yield Found(name, str(target), child.lineno, in_function, for_types)
            inside = in_function or isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
            typing = for_types or (isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test))
            yield from self._imports(name, child, inside, typing)

    def _target(self, name: str, node: ast.ImportFrom, item: str) -> str | None:
        parts = name.split(".") if name else []
        package = parts if self.paths[name].name == "__init__.py" else parts[:-1]
        base = package[: len(package) - node.level + 1]
        module = ".".join([*base, *(node.module.split(".") if node.module else [])])
        inner = f"{module}.{item}".lstrip(".")
        return inner if inner in self.paths else module if module in self.paths else None

    def local_imports(self) -> list[str]:
        """Import statements inside of functions."""
        places = {(found.module, found.line) for found in self.imports if found.in_function}
        return [f"{self.paths[module]}:{line}" for module, line in sorted(places)]

    def circles(self) -> list[list[str]]:
        """Modules that import one another, by whatever way but for types; the largest circle first."""
        edges: dict[str, set[str]] = defaultdict(set)
        for found in self.imports:
            if not found.for_types:
                edges[found.module].add(found.target)
        reached = {name: _reached(name, edges) for name in self.paths}
        circles = {
            frozenset({name, *(other for other in reached[name] if name in reached[other])})
            for name in self.paths
            if name in reached[name]
        }
        return sorted((sorted(circle) for circle in circles if len(circle) > 1), key=len, reverse=True)

    # Operations

    @cached_property
    def operations(self) -> set[str]:
        """The names of all operations that have a record."""
        from jitscope.graph.ops import OPS

        return set(OPS)

    def op_comparisons(self) -> list[str]:
        """Comparisons of a node's operation with names, outside of the records."""
        return [
            f"{self.paths[name]}:{node.lineno} {ast.unparse(node)[:60]}"
            for name, tree in self.trees.items()
            if not name.startswith("graph.ops")
            for node in ast.walk(tree)
            if isinstance(node, ast.Compare) and ast.unparse(node.left).endswith(".op")
        ]

    def op_lists(self) -> list[str]:
        """Collections of names of operations at the top of a module, outside of the records."""
        found = []
        for name, tree in self.trees.items():
            for node in tree.body:
                if name.startswith("graph.ops") or not isinstance(node, (ast.Assign, ast.AnnAssign)):
                    continue
                words = [word for text in _texts(node.value) for word in text.split()]
                known = [word for word in words if word in self.operations]
                if len(known) >= 2 and 2 * len(known) >= len(words):
                    found.append(f"{self.paths[name]}:{node.lineno}")
        return found

    # Names and sizes

    def namesakes(self) -> list[str]:
        """Names that classes of several files have."""
        files: dict[str, set[str]] = defaultdict(set)
        for name, tree in self.trees.items():
            for node in tree.body:
                if isinstance(node, ast.ClassDef):
                    files[node.name].add(str(self.paths[name]))
        return [
            f"{name}: {', '.join(sorted(where))}" for name, where in sorted(files.items()) if len(where) > 1
        ]

    def long_functions(self) -> list[str]:
        """Functions of more lines than fit on a screen."""
        return [
            f"{self.paths[name]}:{node.lineno} {node.name}"
            for name, node in self._functions()
            if (node.end_lineno or 0) - node.lineno >= LONG_FUNCTION
        ]

    def long_files(self) -> list[str]:
        """Files that hold more than one idea."""
        return [str(self.paths[name]) for name, text in self.texts.items() if text.count("\n") > LONG_FILE]

    def any_in_signatures(self) -> list[str]:
        """Parameters and results that may be anything."""
        found = []
        for name, node in self._functions():
            arguments = node.args
            every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
            stars = [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
            notes = [one.annotation for one in (*every, *stars)] + [node.returns]
            found += [f"{self.paths[name]}:{node.lineno} {node.name}" for note in notes if _is_any(note)]
        return found

    def lines(self) -> list[str]:
        """Every line of the source."""
        return [line for text in self.texts.values() for line in text.splitlines()]

    def messages_without_a_part(self) -> list[str]:
        """Messages that don't show what, where with a caret, what follows and what to try."""
        return [
            name
            for name, text in sorted(self.messages.items())
            if not all(
                re.search(part, text, re.M) for part in (r"^  --> ", r"^ +\| +\^+$", r"^  so: ", r"^  try: ")
            )
        ]

    def _functions(self) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
        for name, tree in self.trees.items():
            for node in ast.walk(tree):
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    yield name, node


def _name(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix("__init__").rstrip(".")


def _reached(start: str, edges: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    todo = [start]
    while todo:
        new = edges[todo.pop()] - found
        found |= new
        todo += new
    return found


def _texts(node: ast.expr | None) -> Iterator[str]:
    for inner in ast.walk(node) if node is not None else ():
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            yield inner.value


def _is_any(note: ast.expr | None) -> bool:
    """`Any` itself or a union with it; ``Callable[..., Any]`` says something."""
    if isinstance(note, ast.Constant) and isinstance(note.value, str):
        note = ast.parse(note.value, mode="eval").body
    if isinstance(note, ast.BinOp):
        return _is_any(note.left) or _is_any(note.right)
    return isinstance(note, ast.Name) and note.id == "Any"
