"""The rooms of the package, and who may import whom (the table in docs/architecture.md)."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from structure import Source

ROOT = Path(__file__).resolve().parent.parent

# room -> other rooms that it may import; "" is the package's own __init__.py, and __main__.py
MAY_IMPORT: dict[str, frozenset[str]] = {
    "graph": frozenset(),
    "autograph": frozenset({"graph"}),
    "codegen": frozenset({"graph"}),
    "runtime": frozenset({"graph", "autograph", "codegen"}),
    "command": frozenset(),
    "dask": frozenset({"graph", "runtime"}),
    "tools": frozenset({"", "graph", "autograph", "codegen", "runtime"}),
    "": frozenset({"graph", "autograph", "codegen", "runtime", "command", "dask"}),
}
ROOMS = tuple(room for room in MAY_IMPORT if room)

# Inside of `graph`: room -> other rooms of it that it may import. What stands beside them may import all.
GRAPH_MAY_IMPORT: dict[str, frozenset[str]] = {
    "ir": frozenset(),
    "ops": frozenset({"ir"}),
    "analysis": frozenset({"ir", "ops"}),
    "trace": frozenset({"ir"}),
    "symbolic": frozenset({"ir", "ops", "trace"}),
    "passes": frozenset({"ir", "ops", "analysis", "trace"}),
    "gradients": frozenset({"ir", "ops", "analysis", "trace", "symbolic"}),
    "explicit": frozenset({"ir", "ops", "analysis", "trace", "symbolic", "gradients"}),
}

# What functions import when they run: calls of what was compiled before do without, so the start does, too.
LATE: dict[str, str] = {
    "autograph": "tracing: a function from the disk cache is called without it",
    "codegen": "generating a module: a function from the disk cache is called without it",
    "graph.analysis": "tracing",
    "graph.explicit": "explicit graphs: most programs have none",
    "graph.gradients": "differentiating",
    "graph.ir.printer": "text for people",
    "graph.ops": "compiling: the start must not ask NumPy for its functions before the program has",
    "graph.passes": "compiling",
    "runtime.coverage": "measuring, for people",
    "runtime.explain": "text for people",
    "runtime.explain_plan": "text for people",
    "runtime.graph_derivatives": "differentiating in explicit graphs",
    "runtime.machine_code": "loading machine code, which brings llvmlite in",
    "runtime.outlined": "functions that stay plain, at their first call",
    "runtime.object_loader": "loading machine code, which brings llvmlite in",
    "runtime.render": "drawing",
    "runtime.session": "explicit graphs",
    "runtime.timed": "the timeline's own module",
}
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


def graph_faults_in(source: str, parts: tuple[str, ...]) -> list[str]:
    """What a file of a room of `graph` imports from above it."""
    package = parts[:-1]
    if len(package) < 2 or package[0] != "graph":
        return []
    faults = []
    for found in imports_of(source):
        kept = len(package) - (found.level - 1)
        target = (*package[:kept], *found.module.split(".")) if found.level else ()
        if target[:1] != ("graph",) or target[1] == package[1]:
            continue
        if target[1] not in GRAPH_MAY_IMPORT[package[1]]:
            faults.append(f"line {found.line}: graph/{package[1]} may not import {'.'.join(target)}")
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


def test_rooms_of_the_graph_import_only_what_the_table_allows() -> None:
    faults = []
    for path in sorted((ROOT / "graph").rglob("*.py")):
        relative = path.relative_to(ROOT)
        faults += [f"{relative}: {fault}" for fault in graph_faults_in(path.read_text(), relative.parts)]
    assert not faults, "\n".join(faults)
    assert {path.name for path in (ROOT / "graph").iterdir() if (path / "__init__.py").exists()} == set(
        GRAPH_MAY_IMPORT
    )


def test_functions_import_only_what_the_start_should_not_pay_for() -> None:
    """From the table `LATE`, and nothing that `import jitscope` brings in anyhow."""
    late = {found.target: f"{found.module}:{found.line}" for found in Source().imports if found.in_function}
    unlisted = [
        f"{where} imports {target}"
        for target, where in late.items()
        if not any(target == name or target.startswith(f"{name}.") for name in LATE)
    ]
    assert not unlisted, "\n".join(unlisted)
    probe = "import sys, jitscope; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    loaded = {name.removeprefix("jitscope.") for name in done.stdout.split()}
    assert not {where for target, where in late.items() if target in loaded}


def test_programs_around_the_package_use_its_name() -> None:
    """`import graph.ir` from the checkout would load a second copy of every class."""
    faults = []
    for path in outside_files():
        for found in imports_of(path.read_text()):
            top = found.module.split(".")[0]
            if found.level == 0 and top in ROOMS and top != "dask":  # Dask's own, for whom ours is no package
                faults.append(f"{path.relative_to(ROOT)}: line {found.line}: bare import of {found.module}")
    assert not faults, "\n".join(faults)


def test_root_holds_no_module_but_init_and_main() -> None:
    assert sorted(path.name for path in ROOT.glob("*.py")) == ["__init__.py", "__main__.py"]


def test_every_package_folder_is_declared_and_has_an_init() -> None:
    """A folder that pyproject leaves out works in a checkout only."""
    listing = re.search(
        r"^packages = \[(.*?)\]", (ROOT / "pyproject.toml").read_text(), re.DOTALL | re.MULTILINE
    )
    assert listing is not None
    declared = set(re.findall(r'"([\w.]+)"', listing[1]))
    folders = {ROOT} | {path.parent for path in package_files()}
    present = {".".join(("jitscope", *folder.relative_to(ROOT).parts)) for folder in folders}
    assert declared == {*present, "jitscope_command"}  # which is the folder `command` by another name
    assert not [str(folder) for folder in folders if not (folder / "__init__.py").exists()]


@pytest.mark.parametrize(
    ("source", "where", "bad"),
    [
        ("from ..ir.nodes import Node", "graph/passes/fold.py", False),
        ("from ..symbolic.symbols import Symbol", "graph/passes/fold.py", True),
        ("from ..passes import run_passes", "graph/ir/nodes.py", True),
        ("def f():\n    from .. import dot", "graph/ir/nodes.py", True),
        ("from .ir.nodes import Node", "graph/dot.py", False),
        ("from ..graph.passes import run_passes", "runtime/plan.py", False),
    ],
)
def test_the_check_of_the_graph_itself(source: str, where: str, bad: bool) -> None:
    assert bool(graph_faults_in(source, tuple(where.split("/")))) == bad


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
