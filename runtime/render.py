"""Pictures as files: by Graphviz's own ``dot``, or by a port of it from the package index."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from ..graph.dot import dot_text
from ..graph.ir.nodes import Graph
from .drafts import draft
from .errors import JitscopeError

SECONDS = 120
"""A picture that takes longer is given up: layout costs more than the square of the graph's size."""
_DEEP = 'ulimit -s "$(ulimit -H -s)" 2>/dev/null; exec "$0" "$@"'
"""Runs a program with all the stack it may have: Graphviz 2 recurs as deep as a graph is long."""
LEISURE = 300
"""Pictures of more boxes are laid out in a hurry: 500 take 1 second instead of 5, 2,000 ten."""


class NoRenderer(JitscopeError):
    """There is no program here that turns a graph into a picture."""


def write(graph: Graph, path: Path, title: str = "") -> None:
    """Write a graph as what the suffix of `path` says.

    Raises:
        NoRenderer: a picture is asked for, and there is no program for it.
        JitscopeError: that program failed.
        OSError: no file can be written there.
    """
    text = dot_text(graph, title)
    if path.suffix == ".dot":
        with draft(path) as file:
            file.write_text(text, encoding="utf-8")
        return
    program = renderer()
    if program is None:
        raise NoRenderer(
            f"{path.name}: no program was found that draws graphs",
            attempt="pip install 'jitscope[viz]', or install Graphviz, or write a .dot file",
        )
    with draft(path) as file:
        _render([program, f"-T{path.suffix[1:]}", "-o", str(file), *_hurry(text)], text, path.name)


def _hurry(text: str) -> list[str]:
    """For large graphs, options that end the search for the best layout early, and draw edges straight."""
    boxes = text.count("[label=<")
    if boxes <= LEISURE:
        return []
    share = (LEISURE / boxes) ** 1.5
    iterations = {"nslimit": share, "nslimit1": share, "mclimit": share / 10}
    return ["-Gsplines=line", *(f"-G{name}={value:.4f}" for name, value in iterations.items())]


def _render(command: list[str], text: str, name: str) -> None:
    """Run the program; where it finds no way for a curve, edges are drawn as right angles."""
    for style in ((), ("-Gsplines=ortho",)):
        status, said = _run([*command, *style], text, name)
        if not status:
            return
    said = said.strip()[:300] or f"it ended with status {status}"
    raise JitscopeError(f"{name}: {Path(command[0]).name} failed: {said}", attempt="write a .dot file")


def _run(command: list[str], text: str, name: str) -> tuple[int, str]:
    """The status with which the program ends, and what it says."""
    if os.name == "posix":
        command = ["/bin/sh", "-c", _DEEP, *command]
    try:
        done = subprocess.run(command, input=text, capture_output=True, encoding="utf-8", timeout=SECONDS)
    except subprocess.TimeoutExpired:
        what = f"{name}: drawing took more than {SECONDS} seconds"
        raise JitscopeError(what, attempt="write a .dot file, and draw parts of it") from None
    return done.returncode, done.stderr


def renderer() -> str | None:
    """The program that draws: Graphviz's ``dot``, or ``graphviz-pure`` from the extra ``[viz]``."""
    scripts = (os.path.dirname(sys.executable), sysconfig.get_path("scripts"))
    for name in ("dot", "graphviz-pure"):
        found = shutil.which(name) or shutil.which(name, path=os.pathsep.join(scripts))
        if found:
            return found
    return None
