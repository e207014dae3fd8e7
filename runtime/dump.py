"""Graphs written pass by pass, for functions and sessions that ``JITSCOPE_FLAGS="--dump_graph=REGEX"`` names.

One file for each pass and one for the module, numbered, so that one can watch how the graph becomes what is
compiled::

    jitscope: dump: computation scaled(x: f64[:]) [CPU: after fold]: /tmp/graphs/scaled_0_01_fold.dot
    jitscope: dump: computation cluster_0[scope=jit_scope_0,nodes=4] [CPU: scaled after cluster]: /tmp/...
    jitscope: dump: computation cluster_0[scope=jit_scope_0,nodes=4] [CPU: scaled generated]: /tmp/graphs/...
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from ..graph.ir.nodes import ENDINGS, Graph, Node, walk
from ..graph.trace.devices import device_of
from .config import config, note
from .errors import JitscopeError
from .timeline import Passes

_counts: Counter[str] = Counter()


class Observer:
    """Hears of the passes over one graph: writes each, where that is asked for, and tells the timeline."""

    def __init__(self, name: str, title: str) -> None:
        self._name, self._title = name, title
        self._phases = Passes(title)
        self._stem = self._clusters = self._device = ""
        self._step = 0
        if config.flags.dumps(name):
            plain = re.sub(r"\W", "_", name)
            self._stem = f"{plain}_{_counts[plain]}"
            _counts[plain] += 1

    def __call__(self, step: str, graph: Graph) -> None:
        self._phases(step, graph)
        if self._stem:
            self.write(step, graph)
            self._phases.restart()

    def write(self, step: str, graph: Graph) -> None:
        """Write the graph as it is after `step`, and tell where."""
        self._device, self._clusters = _device(graph), computation(graph)
        after = f"after {step}"
        self._keep(step, after, lambda stem: _drawn(graph, stem, f"{self._title} {after}"))

    def module(self, text: str) -> None:
        """Write the module that was generated from the last graph."""
        if self._stem:
            self._keep("module", "generated", lambda stem: _written(text, stem))

    def _keep(self, step: str, said: str, write: Callable[[str], Path]) -> None:
        stem = f"{self._stem}_{self._step:02}_{step}"
        self._step += 1
        try:
            path = write(stem)
        except OSError as error:  # which must not keep the function from being compiled
            note("dump", f"{stem} could not be written: {error}")
            return
        said = f"{self._name} {said}" if self._clusters else said
        note("dump", f"computation {self._clusters or self._title} [{self._device}: {said}]: {path}")


def _drawn(graph: Graph, stem: str, title: str) -> Path:
    from .render import write

    path = folder() / f"{stem}.{config.flags.dump_format}"
    try:
        write(graph, path, title)
    except JitscopeError as error:
        note("dump", error.what)
        path = path.with_suffix(".dot")
        write(graph, path, title)
    return path


def _written(text: str, stem: str) -> Path:
    path = folder() / f"{stem}.py"
    path.write_text(text, encoding="utf-8")
    return path


@lru_cache(maxsize=1)
def _new_folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="jitscope-graphs-"))


def folder() -> Path:
    """Where graphs are written."""
    if not config.flags.dump_dir:
        return _new_folder()
    path = Path(config.flags.dump_dir)
    path.mkdir(parents=True, exist_ok=True)
    return path


def computation(graph: Graph) -> str:
    """The clusters of `graph`, each with its scope and size."""
    return ", ".join(_described(node) for node in walk(graph.body) if node.op == "cluster")


def _described(cluster: Node) -> str:
    nodes = sum(node.op not in ENDINGS for node in walk(cluster.regions[0]))
    scope = cluster.attrs.get("scope")
    facts = [f"scope={scope}"] if scope else []
    return f"{cluster.attrs.get('name', 'cluster')}[{','.join([*facts, f'nodes={nodes}'])}]"


def _device(graph: Graph) -> str:
    return next((name for node in walk(graph.body) if (name := device_of(node))), "CPU")
