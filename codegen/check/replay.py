"""Does a kernel with loops compute what the nodes of its cluster say, over a few iterations?

The kernel runs as plain Python, and so do the nodes, one by one, as the NumPy functions that they stand for,
on small arrays of unlike numbers. Whatever shares memory over iterations (buffers that take turns,
temporaries of a loop's body, arrays that are given away) has to be right then, and nothing is asked of the
analysis that decided on it; no index may be outside of its array. Where the numbers don't fit the program, as
where the user's own index is too large, an int leaves 64 bits, or a result depends on what nobody wrote,
nothing is found out.
"""

from __future__ import annotations

import importlib
import math
import operator
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...graph.ir import dims
from ...graph.ir.dims import Size
from ...graph.ir.nodes import Block, Graph, Node, Value, walk
from ...graph.ir.rewrite import ValuesByName, defined_by, used_by, with_body, with_regions
from ...graph.ir.types import INT, Array, Scalar
from ...graph.ops.facts import is_cluster, is_size
from ..calls import DTYPES, Kernel
from ..driver import Driver
from ..unclustered import unclustered
from .sizes import SIZE, sizes_that_hold

MOST_WORK = 100_000
"""A kernel that says that it has done more than this is not followed further."""

NAME = "replayed"
_INT = np.iinfo(np.int64)
_CLOSE, _CLOSE_SINGLE = 1e-6, 1e-3
"""How far sums in another order may be apart."""

_Function = Callable[..., Any]


@dataclass(frozen=True)
class _Numpy:
    """NumPy; in arrays that nobody has written to are this float, this flag, this part of the largest int."""

    number: float
    flag: bool
    part: int

    def __getattr__(self, name: str) -> Any:
        function = getattr(np, name)
        if name not in ("empty", "empty_like"):
            return function
        return lambda *args, **options: self._filled(function(*args, **options))

    def _filled(self, array: np.ndarray) -> np.ndarray:
        kind = array.dtype.kind
        if kind in "fc":
            array.fill(self.number)
        elif kind in "biu":
            array.fill(self.flag if kind == "b" else np.iinfo(array.dtype).max // self.part)
        return array


_USUAL, _OTHER = _Numpy(math.nan, True, 2), _Numpy(0.5, False, 3)
"""What depends on which of them it was says nothing of a kernel."""


@dataclass(frozen=True)
class _Numbers:
    """What the arguments are: ints and flags, and the least of the floats, of which the largest is 1."""

    count: int
    flag: bool
    least: float


_RUNS = (_Numbers(4, True, 0.1), _Numbers(3, False, -1.0), _Numbers(7, True, 0.1))


class _Unknown(Exception):
    """There is nothing to run the cluster with."""


class _TooLong(Exception):
    """The kernel has more to do than can be done here."""


class _Unfit(Exception):
    """An array has another shape, or an int is larger, than compiled code would go on with."""


def wrong_result(graph: Graph, cluster: Node, kernel: Kernel) -> str | None:
    """What a kernel computes otherwise than its cluster, in words; None if nothing was found."""
    if kernel.device:
        return None
    alone = _alone(graph, cluster, kernel)
    try:
        ours = _function(alone, {cluster: kernel})
        measured = _measured(unclustered(alone, (cluster,)))
        plain = _function(measured, {})
        values, known = [*cluster.results, *alone.params], _known_sizes(graph)
        for numbers in _RUNS:
            ints = [v for v in alone.params if isinstance(v.type, Scalar)]
            counts = {v.name: numbers.count for v in ints if v not in known}
            if (sizes := sizes_that_hold(alone.sizes, counts, alone.guards)) is None:
                continue
            sizes |= counts
            found = {v.name: dims.evaluate(known[v], sizes) for v in ints if v in known}
            sizes |= {name: numbers.count if size is None else size for name, size in found.items()}
            given = _arguments(alone, sizes, numbers)
            what = _difference(ours, plain, given, values)
            if what is None:
                continue
            if _difference(_function(measured, {}, _OTHER), plain, given, values) is None:
                return what
    except _Unknown:
        return None
    return None


# The two functions


def _alone(graph: Graph, cluster: Node, kernel: Kernel) -> Graph:
    """A graph of nothing but the cluster, which is given all that it reads."""
    known = ValuesByName.of(graph)
    own = {value for node in walk(cluster.regions[0]) for value in defined_by(node)} | set(cluster.results)
    asked = [known.behind(symbol) for symbol in kernel.arguments if isinstance(symbol, str)]
    found = {value for value in (*used_by(cluster, known), *asked) if value is not None} - own
    given = tuple(sorted(found, key=lambda value: value.name))
    sizes = {s: place for s, place in graph.sizes.items() if place[0] in own or place[0] in found}
    text = "".join(f"{{{k}}}, " for k in range(len(cluster.results)))
    ending = Node("return", cluster.results, (), {"text": f"({text})"})
    return Graph(NAME, given, Block(given, (cluster, ending)), sizes, graph.guards, graph.constants)


def _known_sizes(graph: Graph) -> dict[Value, Size]:
    """The ints that are sizes, also where one cluster has them from another."""
    known: dict[Value, Size] = {}
    for node in walk(graph.body):
        if is_size(node):
            known[node.results[0]] = node.attrs["size"]
    for node in walk(graph.body):
        if is_cluster(node):
            given = node.regions[0].nodes[-1].operands
            known |= {v: known[o] for v, o in zip(node.results, given, strict=True) if o in known}
    return known


def _measured(graph: Graph) -> Graph:
    """`graph`, which looks whether each array has the shape that it is known to have, each int 64 bits."""
    names = ValuesByName.of(graph)

    def measured(block: Block) -> Block:
        nodes: list[Node] = []
        for node in block.nodes:
            nodes.append(with_regions(node, tuple(measured(region) for region in node.regions)))
            for result in node.results:
                nodes += _looks(result, names)
        return Block(block.params, tuple(nodes))

    return with_body(graph, measured(graph.body))


def _looks(found: Value, names: ValuesByName) -> list[Node]:
    if found.type == INT:
        return [Node("python", (found,), (), {"text": "has_64_bits({0})"})]
    if not isinstance(found.type, Array):
        return []
    sizes = [Value(names.fresh("size"), INT) for _ in found.type.shape]
    nodes = [
        Node("size", (), (value,), {"size": size, "text": dims.text(size)})
        for value, size in zip(sizes, found.type.shape, strict=True)
    ]
    text = f"has_shape({{0}}, {', '.join(f'{{{k + 1}}}' for k in range(len(sizes)))})"
    return [*nodes, Node("python", (found, *sizes), (), {"text": text})]


def _has_shape(array: Any, *shape: int) -> None:
    if np.shape(array) != shape:
        raise _Unfit


def _has_64_bits(number: int) -> None:
    if not _INT.min <= number <= _INT.max:
        raise _Unfit


def _function(graph: Graph, kernels: Mapping[Node, Kernel], numpy: _Numpy = _USUAL) -> _Function:
    """The driver of `graph`, and these kernels, as plain Python."""
    space = _namespace(kernels.values(), numpy)
    taken = {*space, *(kernel.name for kernel in kernels.values())}
    try:
        driver = Driver(graph, Block(graph.params, graph.body.nodes), dict(kernels), {NAME, *taken})
        lines = driver.lines(NAME)
    except (KeyError, AssertionError, NotImplementedError) as missing:
        raise _Unknown from missing
    parts = [list(part) for kernel in kernels.values() for part in (*kernel.helpers, kernel.text)]
    parts += [*driver.helpers[::-1], lines]
    exec("\n".join("\n".join(part) for part in parts), space)  # our own text
    function = space[NAME]
    assert callable(function)

    def run(*args: Any) -> Any:
        space["look_for_signals"] = _Counter().look
        return function(*args)

    return run


class _Counter:
    """Counts the work of a kernel, so that it comes to an end."""

    def __init__(self) -> None:
        self._done = 0

    def look(self, work: int) -> None:
        """Stop a kernel that has done too much."""
        self._done += max(work, 1)
        if self._done > MOST_WORK:
            raise _TooLong


def _namespace(kernels: Any, numpy: _Numpy) -> dict[str, Any]:
    """What the text of a module imports; `np` is `numpy`."""
    space: dict[str, Any] = {"np": numpy, "math": math, "operator": operator, "njit": _njit}
    space |= {"has_shape": _has_shape, "has_64_bits": _has_64_bits}
    space |= {name: np.dtype(eval(type_, {"np": np})) for name, type_ in DTYPES.items()}  # our own text
    package = __package__.rpartition(".")[0]
    for kernel in kernels:
        for module, name in kernel.imports:
            found = math if module == "math" else importlib.import_module(f"{package}.{module}")
            space[name] = getattr(found, name)
    return space


def _njit(*args: Any, **options: Any) -> Any:
    return lambda function: function


# What they are given


def _arguments(graph: Graph, sizes: Mapping[str, int], numbers: _Numbers) -> list[Any]:
    """One argument for each parameter; ints are among the sizes."""
    random = np.random.default_rng(0)
    return [_argument(value, sizes, numbers, random) for value in graph.params]


def _argument(value: Value, sizes: Mapping[str, int], numbers: _Numbers, random: Any) -> Any:
    type_ = value.type
    if isinstance(type_, Scalar):
        kind = type_.dtype.kind
        if kind in "iu":
            number: Any = sizes[value.name]
        else:
            number = numbers.flag if kind == "b" else random.uniform(numbers.least, 1.0)
        return number if type_.is_python else type_.dtype.type(number)
    if not isinstance(type_, Array) or type_.dtype.kind not in "biufc":
        raise _Unknown
    shape = [dims.evaluate(size, sizes) for size in type_.shape]
    if any(size is None or size < 0 for size in shape):
        raise _Unknown
    least = 0 if type_.dtype.kind in "biu" else numbers.least
    largest = {"b": 2, "i": SIZE, "u": SIZE}.get(type_.dtype.kind, 1)
    made = random.uniform(least, largest, shape).astype(type_.dtype)
    return np.asfortranarray(made) if type_.layout == "F" else made


# What they give


def _difference(
    ours: _Function, plain: _Function, given: Sequence[Any], values: Sequence[Value]
) -> str | None:
    """Where the results of the two, or what they leave in their arguments, are different."""
    found = _outcome(ours, given)
    outside = isinstance(found, IndexError)
    wanted = _outcome(plain, given) if outside or isinstance(found, list) else None
    if not isinstance(wanted, list):
        return None
    if not isinstance(found, list):
        return f"an index is outside of its array: {found}"
    pairs = list(zip(values, found, wanted, strict=True))
    if not all(np.isfinite(want).all() for _, _, want in pairs if np.asarray(want).dtype.kind in "fc"):
        return None
    for value, got, want in pairs:
        if not _alike(np.asarray(got), np.asarray(want)):
            return f"after a few iterations {value.name} is {_shown(got)} instead of {_shown(want)}"
    return None


def _outcome(function: _Function, given: Sequence[Any]) -> list[Any] | BaseException:
    """The results, and the arguments afterwards; what is raised where the numbers don't fit."""
    args = [argument.copy("K") if isinstance(argument, np.ndarray) else argument for argument in given]
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return [*(function(*args) or ()), *args]
        except (Exception, _TooLong) as unfit:
            return unfit


def _alike(got: Any, want: Any) -> bool:
    if got.shape != want.shape:
        return False
    if want.dtype.kind not in "fc":
        return bool((got == want).all())
    close = _CLOSE_SINGLE if want.dtype.itemsize <= (8 if want.dtype.kind == "c" else 4) else _CLOSE
    size = float(np.abs(want).max(initial=0.0))
    return bool((np.abs(got - want) <= close * max(size, 1.0)).all())


def _shown(value: Any) -> str:
    flat = np.asarray(value).reshape(-1)
    return ", ".join(f"{number:.6g}" for number in flat[:4]) + (", ..." if flat.size > 4 else "")
