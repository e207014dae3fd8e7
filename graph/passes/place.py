"""Placement: which device runs each node."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..analysis.effects import Aliases
from ..ir.nodes import Block, Graph, Node, walk
from ..ir.rewrite import with_body
from ..ops.facts import is_counted, is_element, takes_no_time
from ..trace.called import op_name
from ..trace.devices import (
    CPU,
    DEVICE,
    DISPLACED,
    JIT_GPU,
    PlacementError,
    device_of,
    is_forced,
    is_on_gpu,
    kind_of,
    short_name,
    spec_of,
)
from .compilable import why_not
from .membership import reasons
from .on_gpu import is_host_work, why_not_on_gpu
from .options import Options


def place(graph: Graph, options: Options) -> Graph:
    """Turn the wishes of nodes into devices that are there; nodes without one run on the CPU.

    What has no form for the GPU runs on the CPU, and says why; on ``JIT_GPU`` that is an error.

    Before::

        graph f(%x: f64[n]) sizes n=x[0] {
          %y: f64[n] = exp(%x) {loop=('float64',), _Device='/device:CPU:*'}
          %z: f64[n] = sin(%y) {loop=('float64',), _Device='/device:JIT_CPU:0'}
          return %z {text='{0}'}
        }

    After::

        graph f(%x: f64[n]) sizes n=x[0] {
          %y: f64[n] = exp(%x) {loop=('float64',)}
          %z: f64[n] = sin(%y) {loop=('float64',), _Device='/job:localhost/replica:0/task:0/device:JIT_CPU:0'}
          return %z {text='{0}'}
        }
    """
    if not any(_wishes(graph.body)):
        return graph
    graph = with_body(graph, _Devices(options).block(graph.body))
    return with_body(graph, _Displaced(options, Aliases(graph)).block(graph.body))


def _wishes(block: Block) -> Iterator[str]:
    for node in block.nodes:
        yield device_of(node)
        for region in node.regions:
            yield from _wishes(region)


class _Devices:
    """The devices that wishes mean."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._found: dict[str, tuple[str, str]] = {}

    def block(self, block: Block) -> Block:
        """`block` with devices in place of wishes."""
        return replace(block, nodes=tuple(self._node(node) for node in block.nodes))

    def _node(self, node: Node) -> Node:
        wish = device_of(node)
        if wish not in self._found:
            self._found[wish] = self._resolved(wish, node)
        regions = tuple(self.block(region) for region in node.regions)
        return replace(_on(node, *self._found[wish]), regions=regions)

    def _resolved(self, wish: str, node: Node) -> tuple[str, str]:
        """The full name of a device (empty: the CPU), and why it isn't what was wished."""
        if not wish:
            return "", ""
        spec, there = spec_of(wish), tuple(self._options.devices())
        for name in there:
            if spec.admits(spec_of(name)):
                return "" if spec_of(name).device_type == CPU else name, ""
        if self._options.soft_placement:
            return "", f"runs on the CPU: {wish} is not there"
        raise PlacementError(
            f"{op_name(node)} is to run on {wish}, which is not there",
            node.loc,
            so=f"there is {', '.join(map(short_name, there))}",
            attempt="allow_soft_placement=True runs on the CPU what has no device of its own",
        )


class _Displaced:
    """What a GPU can't run goes back to the CPU."""

    def __init__(self, options: Options, aliases: Aliases) -> None:
        self._options = options
        self._aliases = aliases
        self._number: int | None = None

    def block(self, block: Block) -> Block:
        """`block` with only what a GPU can run on GPUs."""
        return replace(block, nodes=tuple(self._node(node) for node in block.nodes))

    def _node(self, node: Node) -> Node:
        if is_on_gpu(node):
            fault = why_not_on_gpu(node, self._options, self._aliases) or self._other(node)
            if fault is None:
                return node  # its regions are part of one kernel
            node = self._displaced(node, fault)
        return replace(node, regions=tuple(self.block(region) for region in node.regions))

    def _other(self, node: Node) -> str | None:
        """Why `node` can't run on its GPU: the first GPU that a function uses is the only one."""
        number = spec_of(device_of(node)).device_index
        if self._number is None:
            self._number = number
        return None if number == self._number else f"the function uses GPU:{self._number} already"

    def _displaced(self, node: Node, fault: str) -> Node:
        if is_host_work(node):
            elements = any(is_element(inner) for region in node.regions for inner in walk(region))
            return _on(node, "", f"runs on the CPU: {fault}" if is_counted(node) and elements else "")
        if kind_of(node) == JIT_GPU:
            raise _not_compiled(node, fault, "on /gpu it runs on the CPU")
        return _on(node, "", f"runs on the CPU: {fault}")


def _on(node: Node, device: str, reason: str) -> Node:
    """`node` with this device in place of what it says."""
    attrs = {key: value for key, value in node.attrs.items() if key != DEVICE}
    attrs |= {DEVICE: device} if device else {}
    return replace(node, attrs=attrs | ({DISPLACED: reason} if reason else {}))


def demand(graph: Graph, options: Options) -> Graph:
    """Raise `PlacementError` if something on a device that compiles everything isn't compiled.

    Before::

        graph f(%x: f64[n]) sizes n=x[0] {
          %y: f64[n] = numpy(%x) {text='np.sort({0})'}
          return %y {text='{0}'}
        }

    After::

        graph f(%x: f64[n]) sizes n=x[0] {
          %y: f64[n] = numpy(%x) {text='np.sort({0})'}
          return %y {text='{0}'}
        }
    """
    left = [node for node, _ in reasons(graph, options) if is_forced(node) and why_not(node, options)]
    for node in sorted(left, key=lambda node: bool(node.regions)):  # what is inside says more
        if takes_no_time(node) or (kind_of(node) == JIT_GPU and is_host_work(node)):
            continue
        raise _not_compiled(node, why_not(node, options), "leave it out of the context of the device")
    return graph


def _not_compiled(node: Node, reason: str | None, attempt: str) -> PlacementError:
    device = short_name(device_of(node))
    what = f"{op_name(node)} can't be compiled for {device}: {reason}"
    return PlacementError(what, node.loc, f"{device} compiles all that it is given, or nothing", attempt)
