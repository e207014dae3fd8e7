"""Which operations are compiled, and together with which others? The examples of `jit_scope` in a row.

    python examples/scopes.py

Each is built twice into a graph of its own: for a session that compiles only what scopes ask for, and for
one that compiles all it can. Printed is the cluster of each operation, or that NumPy runs it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import jitscope as js

Symbols = dict[str, Any]


def on_off_and_by_name(a: Any, b: Any, c: Any, d: Any) -> Symbols:
    """The product is compiled, the next one is not; of the last line the product, but not the sum."""
    with js.jit_scope():
        p = js.matmul(a, b)
    with js.jit_scope(compile_ops=False):
        q = js.matmul(a, p)
    with js.jit_scope(compile_ops=lambda node_def: "matmul" in node_def.op.lower()):
        r = js.matmul(a, c) + q
    return {"p": p, "q": q, "r": r}


def neighbours_join(a: Any, b: Any, c: Any, d: Any) -> Symbols:
    """`x` and `loss` may be compiled together, `y` never is."""
    with js.jit_scope():
        x = js.matmul(a, b)
    with js.jit_scope(compile_ops=False):
        y = js.matmul(c, d)
    loss = x + y
    return {"x": x, "y": y, "loss": loss}


def only_the_inner_scope(a: Any, b: Any, c: Any, d: Any) -> Symbols:
    """Only `x` is compiled."""
    with js.jit_scope(compile_ops=False):
        with js.jit_scope():
            x = js.matmul(a, b)
        y = js.matmul(c, d)
        loss = x + y
    return {"x": x, "y": y, "loss": loss}


def separate_gradients(a: Any, b: Any, c: Any, d: Any) -> Symbols:
    """The product and its two gradients are compiled, each in a cluster of its own."""
    with js.jit_scope(separate_compiled_gradients=True):
        f = js.matmul(a, b)
    g = js.gradients([f], [a, b], name="mygrads1")
    h = js.gradients([f], [a, b], name="mygrads2")
    return {"f": f, "g": g, "h": h}


def no_way_around(a: Any, b: Any, c: Any, d: Any) -> Symbols:
    """`s` and `t` share a scope, but what is between them isn't compiled: they are two clusters."""
    with js.jit_scope():
        s = js.sin(a)
        with js.jit_scope(compile_ops=False):
            e = js.exp(s)
        t = js.sqrt(e) + s
    return {"s": s, "t": t}


def a_device_that_compiles(a: Any, b: Any, c: Any, d: Any) -> Symbols:
    """What is placed on JIT_CPU is compiled, whatever the session says."""
    with js.device("/job:localhost/replica:0/task:0/device:JIT_CPU:0"):
        total = js.add(a, b)
    product = js.multiply(total, c)
    return {"total": total, "product": product}


EXAMPLES: tuple[Callable[..., Symbols], ...] = (
    on_off_and_by_name,
    neighbours_join,
    only_the_inner_scope,
    separate_gradients,
    no_way_around,
    a_device_that_compiles,
)
LEVELS = {"what scopes ask for": js.OptimizerOptions.OFF, "all that can be": js.OptimizerOptions.ON_1}


def where(example: Callable[..., Symbols], level: Any) -> dict[str, str]:
    """The cluster of each operation of an example, or ``"NumPy"``."""
    graph = js.Graph()
    with graph.as_default():
        given = [js.placeholder(np.float64, [None, None], name=name) for name in "abcd"]
        fetches = example(*given)
    config = js.ConfigProto()
    config.graph_options.optimizer_options.global_jit_level = level
    used = [s for s in given if s.op.name in {i.op.name for o in graph.get_operations() for i in o.inputs}]
    feeds = {symbol: np.full((3, 3), 0.5) for symbol in used}
    with js.Session(graph=graph, config=config) as session:
        clusters = session.clusters(fetches, feeds)
        session.run(fetches, feeds)
    compiled = {name: cluster for cluster, names in clusters.items() for name in names}
    shown = [operation for operation in graph.get_operations() if operation.type not in _SILENT]
    return {operation.name: compiled.get(operation.name, "NumPy") for operation in shown}


_SILENT = ("Placeholder", "Const", "size", "view")


def report(example: Callable[..., Symbols]) -> Iterator[str]:
    """The lines of an example, and where its operations went at each level."""
    source = inspect.getsource(example).splitlines()
    body = [line.removeprefix("    ") for line in source if not line.startswith(("def ", "    return"))]
    yield from ("  | " + line.replace('"""', "") for line in body)
    found = {title: where(example, level) for title, level in LEVELS.items()}
    width = max(len(name) for name in next(iter(found.values()))) + 2
    yield "    " + " " * width + "".join(f"{title:22}" for title in found)
    for name in next(iter(found.values())):
        yield f"    {name:{width}}" + "".join(f"{placed.get(name, ''):22}" for placed in found.values())


def main() -> None:
    for example in EXAMPLES:
        print(f"\n{example.__name__.replace('_', ' ')}")
        print("\n".join(line.rstrip() for line in report(example)))


if __name__ == "__main__":
    main()
