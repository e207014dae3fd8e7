"""What a function makes of arrays in blocks, inferred from its trace: dtypes, sizes, halos, or why not.

`infer` traces a function for arrays of these dtypes and sizes, and follows its graph along each axis that is
cut (`locality.py`). Axes of the same length belong together where the function joins them: a group.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..graph.ir import dims
from ..graph.ir.nodes import NOWHERE, Loc, Node, Value
from ..graph.ir.types import Array, Scalar
from ..runtime.errors import JitscopeError
from .frames import NotLocal, Result
from .locality import results_of
from .places import END, Place, Places, known
from .relations import Along, Ends, Everywhere, Uniform
from .sections import shape_of
from .traced import FunctionTrace, traced_for

Halo = str | int | Mapping[int, int | tuple[int, int]]
"""``"auto"``, or how many elements of its neighbours a block gets."""
_EXAMPLES, _WHOLE = {1: 4096, 2: 512, 3: 128}, 4096
"""Sizes up to these, by how many axes there are, are what they are when the function is traced, those of axes
that aren't cut up to the second one; larger ones are different where they differ. Of more axes it is 64."""
_TUPLE = re.compile(r"\(?(\{\d+\}(, ?)?)+\)?")


@dataclass(frozen=True)
class BlockedArray:
    """An array argument: its sizes, its dtype, and which of its axes are cut.

    Attributes:
        shape: its sizes.
        dtype: its dtype.
        cut: the axes that have several blocks.
        value: the array itself, where it isn't one in blocks.
    """

    shape: tuple[int, ...]
    dtype: np.dtype
    cut: frozenset[int]
    value: np.ndarray | None = None


@dataclass(frozen=True)
class Output:
    """One result of the function.

    Attributes:
        dtype: its dtype.
        shape: its size along each axis, None if nobody knows it.
        along: for each group, what it has to do with it; that is `Along` or `Ends`, or nothing.
    """

    dtype: np.dtype
    shape: tuple[int | None, ...]
    along: Mapping[str, Result]


@dataclass(frozen=True)
class Inferred:
    """What is known of a function and its array arguments.

    Attributes:
        groups: for each array parameter, the group of each of its axes; "" for those that aren't cut.
        results: what it gives.
        is_tuple: it returns a tuple, of one result maybe.
        needs: for each group, the least number of places for which that holds.
        round: the groups whose axes go round, as `np.roll` has it.
        fits: whether that holds for an axis length by group, by the guards of the trace.
        writes: the arguments that it may write to.
        told: what the trace read besides arguments, and the graph's text.
    """

    groups: Mapping[str, tuple[str, ...]]
    results: tuple[Output, ...]
    is_tuple: bool
    needs: Mapping[str, int]
    round: frozenset[str]
    fits: Callable[[Mapping[str, int]], bool]
    writes: frozenset[str]
    told: tuple[object, ...]


def infer(f: Callable[..., Any], arguments: Mapping[str, Any], halo: Halo = "auto") -> Inferred:
    """What `f` makes of these arguments, of which arrays are `BlockedArray`; `halo` is as the user says.

    Raises:
        JitscopeError: it can't be traced, or isn't local along an axis that is cut; the message says where.
    """
    examples = _examples(arguments)
    inference = _Inference(f, traced_for(f, (), examples), arguments, halo)
    try:
        return inference.inferred()
    except JitscopeError:
        if inference.unite_equal():
            with suppress(JitscopeError):
                return inference.inferred()
        raise


def _examples(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Arrays with the same dtypes, whose sizes are equal where the arguments' are."""
    given = [value for value in arguments.values() if isinstance(value, BlockedArray)]
    known = {size for value in given for size in value.shape}
    cut = {value.shape[axis] for value in given for axis in value.cut}
    example = _EXAMPLES.get(max(len(value.shape) for value in given), 64)
    free = (number for number in itertools.count(example + 1) if number not in known)
    small = {size: next(free) for size in sorted(known) if size > example and (size in cut or size > _WHOLE)}
    return {
        name: np.zeros([small.get(size, size) for size in value.shape], value.dtype)
        if isinstance(value, BlockedArray)
        else value
        for name, value in arguments.items()
    }


class _Inference:
    """The inference for one graph."""

    def __init__(
        self, f: Callable[..., Any], trace: FunctionTrace, arguments: Mapping[str, Any], halo: Halo
    ) -> None:
        self.graph, self.params, self.trace = trace.graph, trace.params, trace
        self.halo = halo
        self.title = getattr(f, "__qualname__", repr(f))
        self.given = {name: value for name, value in arguments.items() if isinstance(value, BlockedArray)}
        self.ints = {
            self.params[name].name: int(value)
            for name, value in arguments.items()
            if name in self.params and (type(value) is int or isinstance(value, np.integer))
        }
        names = {param: name for name, param in self.params.items()}
        self.axes = {
            (names[value], axis): name for name, (value, axis) in self.graph.sizes.items() if value in names
        }
        self.actual = {
            symbol: self.given[param].shape[axis]
            for (param, axis), symbol in self.axes.items()
            if param in self.given
        }
        self.root = {symbol: symbol for symbol in self.actual}
        for guard in self.graph.guards:
            if guard.kind == "equal" and not isinstance(guard.left, str):
                self._unite(dims.symbol_of(guard.left), dims.symbol_of(guard.right))

    def _unite(self, one: str | None, other: str | None) -> None:
        if one in self.root and other in self.root:
            first, second = self.group(one), self.group(other)
            for symbol, root in self.root.items():
                if root == second:
                    self.root[symbol] = first

    def unite_equal(self) -> bool:
        """Take axes of one length for one axis, if one is cut: indices may join what no operation does."""
        cut = {self.axes.get((name, axis)) for name, value in self.given.items() for axis in value.cut}
        before = dict(self.root)
        for (name, axis), symbol in self.axes.items():
            for (other, place), wanted in self.axes.items():
                size = self.given[name].shape[axis] if name in self.given else 0
                same = size > 1 and other in self.given and self.given[other].shape[place] == size
                if same and wanted in cut and name not in self._params_of(self.group(wanted)):
                    self._unite(wanted, symbol)
        return self.root != before

    def _params_of(self, group: str) -> set[str]:
        return {name for (name, _), symbol in self.axes.items() if self.group(symbol) == group}

    def group(self, symbol: str | None) -> str:
        """The group that a size belongs to, by the name of one of its sizes."""
        return self.root.get(symbol or "", "")

    def inferred(self) -> Inferred:
        """All of it."""
        cut = self._cut_groups()
        node = self._return()
        found = {group: self._along(group, cut) for group in cut}
        results = []
        text = str(node.attrs.get("text", ""))
        for place in map(
            int, re.findall(r"\{(\d+)\}", text)
        ):  # a value that is returned twice is one operand
            along = {group: known_[place] for group, (known_, _, _) in found.items()}
            results.append(self._made(node.operands[place], along, node))
        groups = {
            name: tuple(self._group_of(name, axis, cut) for axis in range(len(value.shape)))
            for name, value in self.given.items()
        }
        needs = {group: need for group, (_, need, _) in found.items()}
        round_ = frozenset(group for group, (_, _, goes_round) in found.items() if goes_round)
        is_tuple = text.startswith("(")
        told = (str(self.graph), *self.trace.reads)
        return Inferred(groups, tuple(results), is_tuple, needs, round_, self.fits, self.trace.writes, told)

    def _group_of(self, name: str, axis: int, cut: Sequence[str]) -> str:
        group = self.group(self.axes.get((name, axis)))
        return group if group in cut else ""

    def _cut_groups(self) -> list[str]:
        groups = []
        for name, value in self.given.items():
            for axis in sorted(value.cut):
                group = self.group(self.axes.get((name, axis)))
                if not group:
                    raise self._refusal(f"nothing is known of axis {axis} of {name}", NOWHERE)
                groups.append(group)
        return list(dict.fromkeys(groups))

    def _return(self) -> Node:
        node = self.graph.body.ending
        text = str(node.attrs.get("text", ""))
        if not _TUPLE.fullmatch(text) or not node.operands:
            raise self._refusal("it has to return arrays or numbers, or a tuple of them", node.loc)
        for operand in node.operands:
            if not isinstance(operand, Value) or not isinstance(operand.type, (Array, Scalar)):
                raise self._refusal("it has to return arrays or numbers, or a tuple of them", node.loc)
        return node

    def _along(self, group: str, cut: Sequence[str]) -> tuple[list[Result], int, bool]:
        """What the results have to do with a group, what that asks of its length, whether it goes round."""
        members = [symbol for symbol, root in self.root.items() if root == group]
        sizes: dict[str, Place | None] = {}
        for symbol, size in self.actual.items():
            root = self.group(symbol)
            sizes[symbol] = Place(root, 0, 0) if root in cut else known(size)
        sizes |= {symbol: Place(END, 0, 0) for symbol in members}
        sizes |= {name: known(value) for name, value in self.ints.items()}
        axes: dict[Value, int] = {}
        for (param, axis), symbol in self.axes.items():
            if symbol in members and self.params[param] in axes:
                raise self._refusal(f"two axes of {param} are cut, and the function joins them", NOWHERE)
            if symbol in members:
                axes[self.params[param]] = axis
        if self.halo != "auto":
            return self._vouched(group, Places(sizes)), 1, False
        try:
            return *self._followed(group, axes, sizes, False), False
        except JitscopeError:
            with suppress(JitscopeError):
                return *self._followed(group, axes, sizes, True), True
            raise

    def _followed(
        self, group: str, axes: Mapping[Value, int], sizes: Mapping[str, Place | None], goes_round: bool
    ) -> tuple[list[Result], int]:
        try:
            results, need = results_of(self.graph, axes, sizes, goes_round)
        except NotLocal as reason:
            raise self._refusal(reason.why, reason.loc, group) from None
        results = [self._checked(result, group) for result in results]
        if goes_round and not all(map(_is_round, results)):
            raise self._refusal("it goes round, and has ends", NOWHERE, group)
        return results, need

    def _vouched(self, group: str, places: Places) -> list[Result]:
        """The results, where the user says what the halo is."""
        before, after = self._halo_of(group)
        results = []
        for operand in self.graph.body.ending.operands:
            shape = shape_of(operand, places) if isinstance(operand.type, Array) else ()  # type: ignore[arg-type]
            long = [axis for axis, size in enumerate(shape) if size is not None and size.is_long]
            if len(long) != 1:
                raise self._refusal("a result has no axis of that length, or several", NOWHERE, group)
            results.append(Result(Along(long[0], -before, after, before, after), shape))
        return results

    def _halo_of(self, group: str) -> tuple[int, int]:
        """What the user says of the halo along a group."""
        numbers = {axis for (_, axis), symbol in self.axes.items() if self.group(symbol) == group}
        said: Any = self.halo
        if isinstance(said, Mapping):
            most = max(len(value.shape) for value in self.given.values())
            for axis in said:
                if type(axis) is not int or not 0 <= axis < most:
                    raise ValueError(f"halo: no array has an axis {axis!r}")
            said = next((said[axis] for axis in sorted(numbers) if axis in said), 0)
        pair = tuple(said) if isinstance(said, (tuple, list)) else (said, said)
        whole = all(isinstance(one, (int, np.integer)) and not isinstance(one, bool) for one in pair)
        if len(pair) != 2 or not whole or min(pair) < 0:
            raise ValueError(f"halo: a number of elements is needed, or a pair of them, not {said!r}")
        return int(pair[0]), int(pair[1])

    def _checked(self, result: Result, group: str) -> Result:
        """The result, if blocks can make it."""
        relation = result.relation
        if isinstance(relation, Everywhere):
            raise self._refusal(relation.why, relation.loc, group)
        long = [axis for axis, size in enumerate(result.shape) if size is not None and size.is_long]
        loc = self.graph.body.ending.loc
        if isinstance(relation, Along):
            long = [axis for axis in long if axis != relation.axis]
        if None in result.shape:
            raise self._refusal("nobody knows how long a result is before it is there", loc, group)
        strange = any(size.is_long and not size.is_plain for size in result.shape if size)
        if isinstance(relation, Uniform) and len(long) == 1 and not strange:
            return Result(Along(long[0]), result.shape)
        if strange or long or (isinstance(relation, Along) and not isinstance(relation.axis, int)):
            raise self._refusal("a result has the axis' length where it doesn't go along it", loc, group)
        return result

    def _made(self, operand: Any, along: Mapping[str, Result], node: Node) -> Output:
        type_ = operand.type
        if isinstance(type_, Scalar):
            return Output(type_.dtype, (), along)
        values = self._values(self.actual)
        shape = tuple(
            self._length(dims.evaluate(size, values), axis, along) for axis, size in enumerate(type_.shape)
        )
        if None in shape and along:  # with one block for all, Dask asks for it when it is there
            raise self._refusal("nobody knows how long a result is before it is there", node.loc)
        return Output(type_.dtype, shape, along)

    def _length(self, length: int | None, axis: int, along: Mapping[str, Result]) -> int | None:
        """How long an axis of a result is: by its type, or as following the graph has found out."""
        for group, result in along.items():
            place = result.shape[axis] if length is None else None
            if place is not None and place.base in (None, END) and place.is_plain:
                whole = next(self.actual[symbol] for symbol, root in self.root.items() if root == group)
                length = place.low + (whole if place.base == END else 0)
        return length

    def _values(self, sizes: Mapping[str, int]) -> dict[str, int]:
        return {**sizes, **self.ints}

    def fits(self, lengths: Mapping[str, int]) -> bool:
        """Whether the guards of the trace hold where the axes of these groups are so long."""
        sizes = {symbol: lengths.get(self.group(symbol), size) for symbol, size in self.actual.items()}
        values = self._values(sizes)
        for guard in self.graph.guards:
            if isinstance(guard.left, str):
                continue
            left, right = dims.evaluate(guard.left, values), dims.evaluate(guard.right, values)
            if left is None or right is None:
                asked = dims.symbols(guard.left) | dims.symbols(guard.right)
                if any(self.group(symbol) in lengths for symbol in asked):
                    return False  # it joins the axis with something that is no argument
                continue
            holds = {"equal": left == right, "unequal": left != right, "at_most": left <= right}
            if not holds.get(guard.kind, True):
                return False
        return True

    def _refusal(self, why: str, loc: Loc, group: str = "") -> JitscopeError:
        if not group:
            return JitscopeError(f"{self.title} can't be mapped over blocks", loc, why)
        axes = [(param, axis) for (param, axis), one in self.axes.items() if self.group(one) == group]
        where = " and ".join(f"axis {axis} of {param}" for param, axis in axes)
        attempt = (
            f"one block along that axis: {axes[0][0]}.rechunk({{{axes[0][1]}: -1}}); or say the halo yourself"
        )
        so = f"block by block it would give something else: {why}"
        return JitscopeError(
            f"{self.title} isn't local along {where}", replace(loc, function=""), so, attempt
        )


def _is_round(result: Result) -> bool:
    """Whether a result is made in one way at all places of an axis that goes round."""
    relation = result.relation
    if not isinstance(relation, Along):
        return isinstance(relation, Uniform)
    whole = relation == Along(relation.axis, relation.low, relation.high)
    return whole and isinstance(relation.axis, int) and result.shape[relation.axis] == Place(END, 0, 0)


def ends_of(result: Result) -> tuple[int, int]:
    """How many first and last places a result is made of, apart from what it has along the axis."""
    relation = result.relation
    return (relation.first, relation.last) if isinstance(relation, (Along, Ends)) else (0, 0)
