"""Whether a cluster is worth a call of compiled code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..analysis.effects import is_array
from ..ir.nodes import Block, Graph, Loc, Node, walk
from ..ops import OPS
from ..ops.define import CONTROL, CREATION, ELEMENTWISE, PRODUCT, REDUCTION, ROUTINE
from ..ops.facts import (
    PRINTS,
    clusters_of,
    computes_nothing,
    is_cluster,
    is_compiled_loop,
    is_element,
    is_look,
    is_loop,
    is_recursive,
    is_size,
    takes_no_time,
)
from ..trace.devices import device_of, is_forced, is_on_gpu
from .options import Options

# A call of a cluster costs about as much as one NumPy call on a small array (10) or twenty scalar operations.
_WORTH = 20
_ARRAY_WORK, _ELEMENT, _SCALAR = 10, 2, 1
LOOK = "it only looks at memory"
TOO_LITTLE = "too little work for a call of compiled code"


def makes_no_numbers(node: Node) -> bool:
    """True for views and sizes."""
    return is_look(node) or is_size(node)


def is_demanded(node: Node) -> bool:
    """True for what somebody asked to be compiled, however little it is."""
    return not makes_no_numbers(node) and (node.attrs.get("_JitCompile") is True or is_forced(node))


def is_cheap(node: Node) -> bool:
    """True for what the driver does as well as a cluster of which nothing else needs it."""
    # On a device that was asked for, memory stays.
    free = takes_no_time if device_of(node) else computes_nothing
    return not is_demanded(node) and (free(node) or is_number_work(node))


def is_number_work(node: Node) -> bool:
    """True for operations on numbers alone."""
    return not node.regions and not any(is_array(v) for v in (*node.results, *node.operands))


def is_worth(nodes: list[Node], options: Options) -> bool:
    """True if `nodes` become a cluster: somebody asked for it, or it is faster."""
    inner = [n for node in nodes for n in (node, *(m for region in node.regions for m in walk(region)))]
    if any(is_demanded(n) for n in inner):
        return True
    weights = [_weight(n) for n in inner]
    if any(is_compiled_loop(n) or is_on_gpu(n) or is_recursive(n) for n in inner):
        return any(weights)
    if options.min_cluster_size is not None:
        return sum(1 for n in inner if _weight(n)) >= options.min_cluster_size
    return sum(weights) >= _WORTH


def _weight(node: Node) -> int:
    """How much work `node` saves when it is compiled, in units of one operation on Python numbers."""
    op = OPS[node.op]
    if op.kind in (REDUCTION, PRODUCT) or node.op in ("assign", "arange", "linspace"):
        return _ARRAY_WORK
    if op.kind == ELEMENTWISE:
        return _ARRAY_WORK if any(is_array(v) for v in (*node.operands, *node.results)) else _ELEMENT
    if is_element(node):
        return _ELEMENT
    if op.kind == CREATION:
        return _ARRAY_WORK // 2
    if makes_no_numbers(node) or op.kind in (CONTROL, ROUTINE):
        return 0
    return _SCALAR


def has_loose_items(graph: Graph) -> bool:
    """Whether items of arrays are looked at outside of the clusters, in deeper loops than they work in.

    Next to a line that prints they cost nothing.
    """
    loose = _depth_of_loose_items(graph.body, 0)
    return not clusters_of(graph) or loose > _depth_of_clusters(graph.body, 0)


def _depth_of_loose_items(block: Block, loops: int) -> int:
    """In how many loops items are looked at; 0 if in none."""
    prints = any(PRINTS in node.attrs for node in block.nodes)
    found = [0]
    for node in block.nodes:
        if is_cluster(node):
            continue
        if is_element(node) and not prints:
            found.append(loops)
        found += (_depth_of_loose_items(region, loops + is_loop(node)) for region in node.regions)
    return max(found)


def _depth_of_clusters(block: Block, loops: int) -> int:
    """In how many loops clusters work on arrays or items; 0 if there is none in a loop."""
    found = [0]
    for node in block.nodes:
        if is_cluster(node):
            found += (_depth_of_work(region, loops) for region in node.regions)
        else:
            found += (_depth_of_clusters(region, loops + is_loop(node)) for region in node.regions)
    return max(found)


def _depth_of_work(block: Block, loops: int) -> int:
    found = [loops + (any(_weight(node) >= _ARRAY_WORK for node in block.nodes))]
    for node in block.nodes:
        found += (_depth_of_work(region, loops + is_loop(node)) for region in node.regions)
    return max(found)


def has_loose_recursions(graph: Graph) -> bool:
    """Whether functions that call themselves are outside of the clusters: only kernels can hold them."""
    return _has_loose_recursions(graph.body)


def _has_loose_recursions(block: Block) -> bool:
    return any(
        is_recursive(node) or any(map(_has_loose_recursions, node.regions))
        for node in block.nodes
        if not is_cluster(node)
    )


def has_loose_checks(graph: Graph) -> bool:
    """Whether sizes are compared where what hangs on it is in another kernel, or in none.

    A loop that a kernel holds as a whole goes on behind its checks only.
    """
    return _has_loose_checks(graph.body, False, False)


def _has_loose_checks(block: Block, in_kernel: bool, in_loop: bool) -> bool:
    for node in block.nodes:
        if node.attrs.get("asks") and not in_loop:
            return True
        held = in_loop or (in_kernel and (is_loop(node) or is_recursive(node)))
        inside = in_kernel or is_cluster(node)
        if any(_has_loose_checks(region, inside, held) for region in node.regions):
            return True
    return False


def loose_programs(graph: Graph, programs: Mapping[Loc, bool]) -> frozenset[Loc]:
    """Calls of NumPy's functions that programs stand for, where NumPy itself is faster, or as fast.

    That is where a part of the program isn't compiled, or would be a kernel in a loop of the driver, or one
    in which nothing else is, no loop of the user's above all. `programs` says of each whether it is faster
    than NumPy even then.
    """
    return frozenset(_loose(graph.body, programs, False)) if programs else frozenset()


def _loose(block: Block, programs: Mapping[Loc, bool], repeated: bool) -> Iterator[Loc]:
    for node in block.nodes:
        if is_cluster(node):
            inner = [n for region in node.regions for n in walk(region)]
            if any(is_loop(n) and n.loc not in programs for n in inner):
                continue
            if repeated or not any(_is_faster(n, programs) for n in inner):
                yield from (n.loc for n in inner if is_loop(n) and n.loc in programs)
            continue
        if node.loc in programs and (is_loop(node) or is_element(node)):
            yield node.loc
        for region in node.regions:
            yield from _loose(region, programs, repeated or is_loop(node))


def _is_faster(node: Node, programs: Mapping[Loc, bool]) -> bool:
    """Whether a kernel with `node` in it is faster than calls of NumPy's functions, or was asked for."""
    works = is_loop(node) or _weight(node) >= _ARRAY_WORK // 2
    return is_demanded(node) or (works and programs.get(node.loc, True))
