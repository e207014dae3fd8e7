"""The rooms of the package, and who may import whom (the table in docs/architecture.md)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# room -> other rooms that it may import; "" is the package's own __init__.py
MAY_IMPORT: dict[str, frozenset[str]] = {
    "graph": frozenset(),
    "autograph": frozenset({"graph"}),
    "codegen": frozenset({"graph"}),
    "runtime": frozenset({"graph", "autograph", "codegen"}),
    "": frozenset({"graph", "autograph", "codegen", "runtime"}),
}
ROOMS = tuple(room for room in MAY_IMPORT if room)
OUTSIDE = ("examples", "benchmarks", "tests")


@dataclass(frozen=True)
class Import:
    """One imported module: `level` dots, then a dotted name (`from . import a` counts as `.a`)."""

    level: int
    module: str
    line: int


def imports_of(source: str) -> Iterator[Import]:
    """Every import of a file, those inside functions and `if TYPE_CHECKING` too."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(0, alias.name, node.lineno)
        elif isinstance(node, ast.ImportFrom):
            if node.module is None or node.level:
                prefix = f"{node.module}." if node.module else ""
                for alias in node.names:
                    yield Import(node.level, prefix + alias.name, node.lineno)
            else:
                yield Import(0, node.module, node.lineno)


def faults_in(source: str, parts: tuple[str, ...]) -> list[str]:
    """What a package file at `parts` (relative to the root) imports but should not."""
    package = parts[:-1]
    room = package[0] if package else ""
    faults = []
    for found in imports_of(source):
        top = found.module.split(".")[0]
        if found.level == 0:
            if top == "jitscope":
                faults.append(f"line {found.line}: absolute import of {found.module}")
            elif top in MAY_IMPORT:
                faults.append(f"line {found.line}: bare import of {found.module}")
            continue
        kept = len(package) - (found.level - 1)
        if kept < 0:
            faults.append(f"line {found.line}: import from above the package")
            continue
        target = (*package[:kept], *found.module.split("."))
        # A name that is no room is something that the package's own __init__.py holds.
        target_room = target[0] if target[0] in MAY_IMPORT else ""
        if target_room != room and target_room not in MAY_IMPORT[room]:
            faults.append(f"line {found.line}: {room} may not import {'.'.join(target)}")
    return faults


def package_files() -> list[Path]:
    return [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))] + sorted(
        ROOT.glob("*.py")
    )


def outside_files() -> list[Path]:
    return [path for folder in OUTSIDE for path in sorted((ROOT / folder).rglob("*.py"))]


def test_rooms_import_only_what_the_table_allows() -> None:
    faults = []
    for path in package_files():
        relative = path.relative_to(ROOT)
        faults += [f"{relative}: {fault}" for fault in faults_in(path.read_text(), relative.parts)]
    assert not faults, "\n".join(faults)


def test_programs_around_the_package_use_its_name() -> None:
    """`import graph.ir` from the checkout would load a second copy of every class."""
    faults = []
    for path in outside_files():
        for found in imports_of(path.read_text()):
            top = found.module.split(".")[0]
            if found.level == 0 and top in ROOMS:
                faults.append(f"{path.relative_to(ROOT)}: line {found.line}: bare import of {found.module}")
    assert not faults, "\n".join(faults)


def test_root_holds_no_module_but_init() -> None:
    assert [path.name for path in ROOT.glob("*.py")] == ["__init__.py"]


def test_every_package_folder_is_declared_and_has_an_init() -> None:
    """A folder that pyproject leaves out works in a checkout only."""
    listing = re.search(
        r"^packages = \[(.*?)\]", (ROOT / "pyproject.toml").read_text(), re.DOTALL | re.MULTILINE
    )
    assert listing is not None
    declared = set(re.findall(r'"([\w.]+)"', listing[1]))
    folders = {ROOT} | {path.parent for path in package_files()}
    present = {".".join(("jitscope", *folder.relative_to(ROOT).parts)) for folder in folders}
    assert declared == present
    assert not [str(folder) for folder in folders if not (folder / "__init__.py").exists()]


@pytest.mark.parametrize(
    ("source", "where", "bad"),
    [
        ("from ..graph import ir", "runtime/function.py", False),
        ("from ..runtime import function", "graph/ir.py", True),
        ("from ... import codegen", "autograph/operators/call.py", True),
        ("from ...graph.ir import Node", "autograph/operators/call.py", False),
        ("from ...runtime import function", "graph/ops/define.py", True),
        ("from .. import ir", "graph/ops/define.py", False),
        ("from ..ir import Node", "graph/ops/define.py", False),
        ("from .ir import Node", "graph/ir.py", False),
        ("import jitscope.graph", "runtime/function.py", True),
        ("from graph.ir import Node", "runtime/function.py", True),
        ("def f():\n    from .. import autograph", "codegen/write.py", True),
        ("from .. import __version__", "codegen/write.py", True),
        ("from .runtime import function", "__init__.py", False),
        ("import numpy.linalg", "graph/ir.py", False),
    ],
)
def test_the_check_itself(source: str, where: str, bad: bool) -> None:
    assert bool(faults_in(source, tuple(where.split("/")))) == bad
