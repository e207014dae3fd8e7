"""`draw`: a graph as a picture, by Graphviz's own ``dot`` or by a port of it from the package index."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..graph.dot import dot_text
from ..graph.ir import Graph
from .errors import JitscopeError
from .flags import FORMATS

SECONDS = 120
"""A picture that takes longer is given up: layout costs more than the square of the graph's size."""


class NoRenderer(JitscopeError):
    """There is no program here that turns a graph into a picture."""


def draw(
    f: Callable[..., Any] | Graph,
    path: str | os.PathLike[str],
    *args: Any,
    after: str = "",
    title: str = "",
    **kwargs: Any,
) -> Path:
    """Write the graph of `f` as a picture: clusters as boxes, coloured by scope and device.

    Args:
        f: a plain or a decorated function, or a graph.
        path: the file; ``.dot``, ``.svg`` or ``.png`` decides what it is.
        *args: values or `ArraySpec` to specialise a function for.
        after: the pass after which the graph is drawn, ``"trace"`` for the graph as it was traced; all
            passes if empty.
        title: what stands above the picture.
        **kwargs: arguments by name.

    Returns:
        The path.

    Raises:
        JitscopeError: `f` runs as plain Python for these arguments, or nothing here can draw.
        ValueError: another suffix, or no such pass.

    Example::

        js.draw(f, "f.svg", js.ArraySpec((None,), np.float64))
    """
    path = Path(path)
    if path.suffix.removeprefix(".") not in FORMATS:
        raise ValueError(f"{path.name}: a picture is a .dot, .svg or .png file")
    if isinstance(f, Graph):
        write(f, path, title or f.name)
    else:
        title = title or (f"{f.__qualname__} after {after}" if after else f.__qualname__)
        write(_graph_of(f, after, args, kwargs), path, title)
    return path


def _graph_of(f: Callable[..., Any], after: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Graph:
    from ..graph.passes import PIPELINE
    from .compile import stage
    from .to_code import answered, request_for

    steps = ["trace", *(step.__name__ for step in PIPELINE)]
    if after and after not in steps:
        raise ValueError(f"after={after!r}: passes are {', '.join(steps)}")
    state, request = request_for(f, args, kwargs)
    found: dict[str, Graph] = {}
    with answered(state):
        stage(request, found.__setitem__)
    return found[after or steps[-1]]


def write(graph: Graph, path: Path, title: str = "") -> None:
    """Write a graph as what the suffix of `path` says.

    Raises:
        NoRenderer: a picture is asked for, and there is no program for it.
        JitscopeError: that program failed.
    """
    text = dot_text(graph, title)
    if path.suffix == ".dot":
        path.write_text(text)
        return
    program = renderer()
    if program is None:
        raise NoRenderer(
            f"{path.name}: no program was found that draws graphs",
            attempt="pip install 'jitscope[viz]', or install Graphviz, or write a .dot file",
        )
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        _render([program, f"-T{path.suffix[1:]}", "-o", str(draft)], text, path.name)
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def _render(command: list[str], text: str, name: str) -> None:
    """Run the program; where it finds no way for a curve, edges are drawn as right angles."""
    for style in ((), ("-Gsplines=ortho",)):
        try:
            done = subprocess.run(
                [*command, *style], input=text, capture_output=True, text=True, timeout=SECONDS
            )
        except subprocess.TimeoutExpired:
            what = f"{name}: drawing took more than {SECONDS} seconds"
            raise JitscopeError(what, attempt="write a .dot file, and draw parts of it") from None
        if not done.returncode:
            return
    raise JitscopeError(f"{name}: {Path(command[0]).name} failed: {done.stderr.strip()[:300]}")


def renderer() -> str | None:
    """The program that draws: Graphviz's ``dot``, or ``graphviz-pure`` from the extra ``[viz]``."""
    scripts = (os.path.dirname(sys.executable), sysconfig.get_path("scripts"))
    for name in ("dot", "graphviz-pure"):
        found = shutil.which(name) or shutil.which(name, path=os.pathsep.join(scripts))
        if found:
            return found
    return None
