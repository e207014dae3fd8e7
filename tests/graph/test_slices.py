"""Slices whose ends are sizes of arrays: where the guards of a graph hold, it does what NumPy does."""

from __future__ import annotations

import operator
import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from symbol_gradients import graph_of

from jitscope.autograph.operators.builtin_calls import BUILTINS
from jitscope.codegen.generate import Header, generate
from jitscope.graph.ir import dims
from jitscope.graph.ir.nodes import Graph
from jitscope.graph.symbolic.numpy_meaning import NUMPY
from jitscope.graph.trace.build import Relations

SIGNS = {"equal": operator.eq, "unequal": operator.ne, "at_most": operator.le}
Program = Callable[..., Any]


def traced(program: Program, args: Sequence[Any]) -> Graph:
    """The graph, made again as long as a trace finds something out."""
    known = Relations()
    for _ in range(9):
        builder = known.begin(rules=NUMPY)
        graph = graph_of(program, args, builder)
        if not known.learn(builder):
            return graph
    raise AssertionError("the trace does not settle")


def sizes_of(graph: Graph, args: Sequence[Any]) -> dict[str, int]:
    given = {param.name: arg for param, arg in zip(graph.params, args, strict=True)}
    found = ((name, value.name, axis) for name, (value, axis) in graph.sizes.items())
    return {name: given[param].shape[axis] for name, param, axis in found if param in given}


def holds(graph: Graph, args: Sequence[Any]) -> bool:
    """What the entry function checks."""
    known = sizes_of(graph, args)
    sides = ((g.kind, dims.evaluate(g.left, known), dims.evaluate(g.right, known)) for g in graph.guards)
    return all(SIGNS[kind](left, right) for kind, left, right in sides)


def promised(graph: Graph, args: Sequence[Any]) -> list[int | None]:
    """The lengths of the results, as far as the graph knows them."""
    known = sizes_of(graph, args)
    return [dims.evaluate(result.type.shape[0], known) for result in graph.body.nodes[-1].operands]


def runner(graph: Graph) -> Program:
    module = generate(graph, Header("f", "f.py", 1, "", "", "", "", ""))
    scope: dict[str, Any] = {}
    exec(compile(module.text, "module", "exec"), scope)
    return scope[module.driver]


def _extreme(name: str, x: Any, y: Any) -> Any:
    """`min` or `max` of ints or of symbols of sizes."""
    if isinstance(x, int) and isinstance(y, int):
        return min(x, y) if name == "min" else max(x, y)
    return BUILTINS[min if name == "min" else max](x, y)


def end(rng: random.Random) -> Callable[[Sequence[Any]], Any]:
    """An end of a slice as a function of the sizes."""
    which, factor, more = rng.randrange(3), rng.choice((1, 1, 2, 3, -1)), rng.choice((0, 0, 0, 1, -1, 2))
    kind = rng.randrange(8)
    if kind == 0:
        return lambda sizes: None
    if kind == 1:
        return lambda sizes: sizes[which] // 2 + more
    if kind == 2:
        return lambda sizes: sizes[which] - sizes[which - 1]
    if kind == 3:
        name = rng.choice(("min", "max"))
        return lambda sizes: _extreme(name, sizes[which], sizes[which - 1]) + more
    return lambda sizes: factor * sizes[which] + more


def random_program(rng: random.Random) -> Program:
    ends = [(end(rng), end(rng), rng.choice((None, None, None, 2, -1))) for _ in range(3)]

    def program(*arrays: Any) -> Any:
        sizes = [array.shape[0] for array in arrays]
        parts = [
            array[start(sizes) : stop(sizes) : step]
            for array, (start, stop, step) in zip(arrays, ends, strict=True)
        ]
        return *parts, parts[0] * 2 + parts[1], (parts[1] - parts[2])[1:]

    return program


def numbers(rng: random.Random) -> list[np.ndarray]:
    base = rng.randrange(1, 5)
    return [np.arange(1.0, 1 + rng.choice((base, base, 2 * base, 3 * base, rng.randrange(9)))) for _ in "abc"]


def outcome(program: Program, args: Sequence[Any]) -> list[Any]:
    """What comes back; nothing where NumPy raises."""
    try:
        return [part.tolist() for part in program(*args)]
    except ValueError:
        return []


@pytest.mark.parametrize("seed", range(10))
def test_guards_are_all_that_was_assumed(seed: int) -> None:
    rng = random.Random(seed)
    checked = 0
    for _ in range(60):
        program, args = random_program(rng), numbers(rng)
        try:
            program(*args)
        except ValueError:
            continue
        graph = traced(program, args)
        assert holds(graph, args)
        run = runner(graph)
        for others in (args, *(numbers(rng) for _ in range(40))):
            if holds(graph, others):
                checked += 1
                found = outcome(run, others)
                assert found == outcome(program, others)
                for part, length in zip(found, promised(graph, others), strict=bool(found)):
                    assert length in (None, len(part))
    assert checked > 50


def gates(z: Any, c: Any) -> Any:
    n = c.shape[0]
    return z[:n] * c + z[n : 2 * n] * z[2 * n : 3 * n], z[3 * n :] + c


def test_equal_parts_make_a_multiple() -> None:
    graph = traced(gates, (np.ones(8), np.ones(2)))
    assert [size for value in graph.params for size in value.type.shape] == [
        dims.scale(dims.symbol("nx1_0"), 4),
        dims.symbol("nx1_0"),
    ]
    assert {guard.kind for guard in graph.guards} == {"equal"}


def test_parts_of_a_split_are_as_long_as_what_they_meet() -> None:
    graph = traced(lambda z, c: np.split(z, 3)[1] * c, (np.ones(6), np.ones(2)))
    shapes = [value.type.shape for value in graph.params]
    assert shapes == [(dims.scale(dims.symbol("nx1_0"), 3),), (dims.symbol("nx1_0"),)]
    assert holds(graph, (np.ones(9), np.ones(3)))
    assert not any(holds(graph, (np.ones(n), np.ones(3))) for n in (8, 10, 11))


def test_slices_of_any_size_need_no_guard() -> None:
    graph = traced(lambda a, b: (a[:10], b[2:], a[: b.shape[0]]), (np.ones(12), np.ones(3)))
    assert graph.guards == ()
