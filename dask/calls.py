"""Calls that NumPy runs as they are: what they are made of along the axis that is cut, and their sizes.

Each function has a rule by what its documentation says of axes: by element, along one axis, windows, rolls,
sums of products. Arguments that all places look into (a table, weights, a kernel) must not go along the axis.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from ..graph.ir.nodes import Loc, Node
from ..graph.trace.called import Call
from .places import Place, Places, known, plus
from .relations import UNIFORM, Along, Ends, Everywhere, Relation, Uniform, moved, united

Shape = tuple[Place | None, ...]


@dataclass(frozen=True, slots=True)
class CallOperand:
    """An operand: what it is made of, its sizes, and which int it is, if it is one that is known."""

    relation: Relation = UNIFORM
    shape: Shape = ()
    number: int | None = None

    @property
    def long_axes(self) -> list[int]:
        """The axes that go along the axis that is cut, or may do so."""
        return [axis for axis, size in enumerate(self.shape) if size is None or size.is_long]

    @property
    def is_short(self) -> bool:
        """The same for all places, in all of its elements."""
        return isinstance(self.relation, Uniform) and not self.long_axes


class CallResult(NamedTuple):
    """A result: its sizes, and what it is made of."""

    shape: Shape
    relation: Relation


@dataclass(frozen=True, slots=True)
class _Asked:
    """A call: its arguments by name with `CallOperand` in the slots, and where it stands."""

    given: Mapping[str, Any]
    sizes: Shape
    places: Places
    loc: Loc

    def array(self, name: str) -> CallOperand | None:
        """An argument that is an operand."""
        found = self.given.get(name)
        return found if isinstance(found, CallOperand) else None

    def others_are_short(self, *names: str) -> bool:
        """Whether all arguments but these are the same for all places."""
        tables = (value for name, value in self.given.items() if name not in names)
        return all(one.is_short for one in _all(tuple(tables)))

    def of_several(self, array: CallOperand) -> None:
        """Have blocks be so long that the array has two places: one alone NumPy adds up in another order."""
        for axis in array.long_axes:
            size = array.shape[axis]
            if size is not None:
                self.places.asks(2 - size.low)

    def everywhere(self, why: str) -> Everywhere:
        """That it is made of any place."""
        return Everywhere(why, self.loc)


Rule = Callable[[_Asked], CallResult | None]


def made_by_call(
    node: Node, operands: Sequence[CallOperand], sizes: Shape, places: Places
) -> CallResult | None:
    """What a node that calls NumPy gives, in `sizes` as far as its type says; None if nothing is known of it.

    `operands` are those of the node.
    """
    call = node.attrs.get("_call")
    if not isinstance(call, Call):
        return None
    args, kwargs = call.filled(operands.__getitem__)
    if call.function is np.matmul and not kwargs:
        return _product(_Asked({}, sizes, places, node.loc), *args)
    if isinstance(call.function, np.ufunc):
        if call.function.signature is not None or kwargs.keys() - {"dtype"}:
            return None
        return _by_element(_Asked({}, sizes, places, node.loc), args)
    rule = _RULES.get(call.function)
    if rule is None:
        return None
    try:
        bound = inspect.signature(call.function).bind(*args, **kwargs)
    except (TypeError, ValueError):
        return None
    bound.apply_defaults()
    return rule(_Asked(bound.arguments, sizes, places, node.loc))


def _all(value: Any) -> Iterable[CallOperand]:
    """The operands in an argument."""
    if isinstance(value, CallOperand):
        yield value
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from _all(item)
    elif isinstance(value, Mapping):
        yield from _all(tuple(value.values()))


# By element


def _by_element(asked: _Asked, values: Iterable[Any]) -> CallResult | None:
    """What is computed of all of these, broadcast against each other."""
    shape: list[Place | None] = []
    given = []
    for value in values:
        if not isinstance(value, CallOperand):
            if any(True for _ in _all(value)):  # an array that is made of operands
                return None
            value = CallOperand(shape=_shape_of(value))
        given.append(value)
        shape = _broadcast(shape, list(value.shape))
    parts = []
    for one in given:
        new = len(shape) - len(one.shape)
        parts.append(moved(one.relation, [k + new for k in range(len(one.shape))], asked.loc))
    return CallResult(tuple(shape), united(parts, asked.loc))


def _broadcast(one: Sequence[Place | None], other: Sequence[Place | None]) -> list[Place | None]:
    longer, shorter = (one, other) if len(one) >= len(other) else (other, one)
    new = len(longer) - len(shorter)
    pairs = zip(longer[new:], shorter, strict=True)
    return [*longer[:new], *(_either(first, second) for first, second in pairs)]


def _either(one: Place | None, other: Place | None) -> Place | None:
    if one == other or other == known(1):
        return one
    return other if one == known(1) else None


def _elements_of(*names: str) -> Rule:
    """A function by element of these arguments; the others are tables with one axis, or numbers."""

    def rule(asked: _Asked) -> CallResult | None:
        tables = [value for name, value in asked.given.items() if name not in names]
        if not asked.others_are_short(*names) or any(len(_shape_of(value)) > 1 for value in tables):
            return None
        return _by_element(asked, [asked.given[name] for name in names])

    return rule


def _selected(asked: _Asked) -> CallResult | None:
    """``np.select`` of lists of arrays."""
    lists = asked.given["condlist"], asked.given["choicelist"]
    if not all(isinstance(one, (list, tuple)) for one in lists):
        return None
    return _by_element(asked, [*lists[0], *lists[1], asked.given["default"]])


# Along one axis


_BROADCAST = {"where": 0, "prepend": 0, "append": 0, "values": 0, "initial": 0, "weights": 1, "x": 1}
"""Arguments that are broadcast against the array, and how many axes they may have not to go along it."""


def _along(name: str, keeps: bool = False) -> Rule:
    """A function of argument `name` along its axis `axis`, which is gone, or stays with whatever length."""

    def rule(asked: _Asked) -> CallResult | None:
        array = asked.array(name)
        axes = None if array is None else _axes(asked, len(array.shape), keeps)
        if array is None or axes is None or not asked.others_are_short(name):
            return None
        if any(
            len(_shape_of(asked.given.get(other))) > most
            for other, most in _BROADCAST.items()
            if other != name
        ):
            return None
        stay = keeps or asked.given.get("keepdims") is True
        left = [k for k in range(len(array.shape)) if stay or k not in axes]
        front = _shape_of(asked.given.get("q"))  # several quantiles are an axis in front
        if len(asked.sizes) != len(front) + len(left):
            return None
        if any(axis in array.long_axes for axis in axes):
            any_place = f"`{asked.loc.source}` may look at any place of the axis"
            why = any_place if keeps else "it joins all elements along the axis"
            return CallResult(asked.sizes, asked.everywhere(why))
        asked.of_several(array)
        lengths = asked.sizes if keeps else (known(1),) * len(left)
        shape = [lengths[k] if axis in axes else array.shape[axis] for k, axis in enumerate(left)]
        targets = [len(front) + left.index(k) if k in left else None for k in range(len(array.shape))]
        return CallResult((*front, *shape), moved(array.relation, targets, asked.loc))

    return rule


def _shape_of(value: Any) -> Shape:
    if value is np._NoValue:
        return ()
    return value.shape if isinstance(value, CallOperand) else tuple(map(known, np.shape(value)))


def _axes(asked: _Asked, ndim: int, keeps: bool) -> tuple[int, ...] | None:
    """The axes that a call is along; None if nobody knows, or if it flattens the array."""
    axis = asked.given["axis"]
    if axis is None:
        return None if keeps and ndim > 1 else tuple(range(ndim))
    given = axis if isinstance(axis, tuple) else (axis,)
    return tuple(one % ndim for one in given) if _are_axes(given, ndim) else None


def _are_axes(given: Iterable[object], ndim: int) -> bool:
    return all(type(one) is int and -ndim <= one < ndim for one in given)


def _product(asked: _Asked, one: object, other: object) -> CallResult | None:
    """``one @ other``, as a sum of products with named axes."""
    if not isinstance(one, CallOperand) or not isinstance(other, CallOperand):
        return None
    forms = {(1, 1): "k,k->", (1, 2): "k,kj->j", (2, 1): "ik,k->i", (2, 2): "ik,kj->ij"}
    text = forms.get((len(one.shape), len(other.shape)))
    return _products(replace(asked, given={"operands": (text, one, other)})) if text else None


def _products(asked: _Asked) -> CallResult | None:
    """``np.einsum`` with a text that names all axes."""
    text, *operands = asked.given["operands"]
    if not isinstance(text, str) or "->" not in text or "." in text:
        return None
    inputs, target = text.replace(" ", "").split("->")
    sizes: dict[str, Place | None] = {}
    parts = []
    for letters, operand in zip(inputs.split(","), operands, strict=True):
        if not isinstance(operand, CallOperand) or len(letters) != len(operand.shape):
            return None
        if any(letters.count(letters[axis]) > 1 for axis in operand.long_axes):
            return None
        if any(letters[axis] not in target for axis in operand.long_axes):
            return CallResult(asked.sizes, asked.everywhere("it adds up products along the axis"))
        for letter, size in zip(letters, operand.shape, strict=True):
            sizes[letter] = _either(sizes[letter], size) if letter in sizes else size
        targets = [target.index(letter) if letter in target else None for letter in letters]
        asked.of_several(operand)
        parts.append(moved(operand.relation, targets, asked.loc))
    return CallResult(tuple(sizes[letter] for letter in target), united(parts, asked.loc))


# Neighbours


def _spread(relation: Along, span: tuple[int, int], longer: int, ends: tuple[int, int]) -> Along:
    """What is made of the elements j + `span[0]` ... j + `span[1]` of an array, and is `longer` than it.

    `ends` are the first and last elements that are made in another way, of the first and last places.
    """
    low, high = span
    left = max(relation.left - low if relation.left else 0, ends[0])
    right = max(relation.right + high + longer if relation.right else 0, ends[1])
    first = ends[0] + high + max(relation.high, 0) if ends[0] else 0
    last = ends[1] - longer - low + max(-relation.low, 0) if ends[1] else 0
    return Along(
        relation.axis,
        relation.low + low,
        relation.high + high,
        left,
        right,
        max(relation.first, first),
        max(relation.last, last),
    )


def _windows(asked: _Asked) -> CallResult | None:
    """``sliding_window_view``: element j of an axis has the elements from j on, as an axis at the end."""
    array, window, axis = asked.array("x"), asked.given["window_shape"], asked.given["axis"]
    if array is None or asked.given["subok"]:
        return None
    lengths = window if isinstance(window, tuple) else (window,)
    axes = axis if isinstance(axis, tuple) else (axis,)
    if axis is None:
        axes = tuple(range(len(array.shape)))
    if len(lengths) != len(axes) or not _are_axes(axes, len(array.shape)):
        return None
    if not all(type(length) is int and length > 0 for length in lengths):
        return None
    shape, relation = list(array.shape), array.relation
    for one, length in zip(axes, lengths, strict=True):
        place = one % len(array.shape)
        size = shape[place] = plus(shape[place], known(1 - length))
        if size is not None and size.is_long:
            asked.places.asks(1 - size.low)
        if isinstance(relation, Along) and relation.axis == place:
            relation = _spread(relation, (0, length - 1), 1 - length, (0, 0))
    return CallResult((*shape, *map(known, lengths)), relation)


def _rolled(asked: _Asked) -> CallResult | None:
    """``np.roll``: along the axis that is cut only where all goes round."""
    array, shift, axis = asked.array("a"), asked.given["shift"], asked.given["axis"]
    if array is None or not asked.others_are_short("a") or (axis is None and len(array.shape) != 1):
        return None
    axes = axis if isinstance(axis, tuple) else (axis or 0,)
    shifts = shift if isinstance(shift, tuple) else (shift,)
    if 1 in (len(axes), len(shifts)):
        axes, shifts = axes * len(shifts), shifts * len(axes)
    if len(axes) != len(shifts) or not _are_axes(axes, len(array.shape)):
        return None
    relation = array.relation
    for one, by in zip(axes, shifts, strict=True):
        if one % len(array.shape) in array.long_axes and not isinstance(relation, Uniform):
            relation = _moved_round(asked, relation, by.number if isinstance(by, CallOperand) else by)
    return CallResult(array.shape, relation)


def _moved_round(asked: _Asked, relation: Relation, by: object) -> Relation:
    if isinstance(by, bool) or not isinstance(by, (int, np.integer)):
        return asked.everywhere("it goes round, by a number of places that only the run says")
    if not asked.places.goes_round:
        return asked.everywhere("it goes round, and something else doesn't")
    if not isinstance(relation, Along) or relation != Along(relation.axis, relation.low, relation.high):
        return asked.everywhere("it goes round, and has ends")
    asked.places.asks(abs(int(by)))
    return replace(relation, low=relation.low - int(by), high=relation.high - int(by))


def _convolved(asked: _Asked) -> CallResult | None:
    """``np.convolve`` and ``np.correlate`` with a short kernel."""
    array, kernel = asked.array("a"), asked.array("v")
    if (
        array is None
        or kernel is None
        or not kernel.is_short
        or (len(array.shape), len(kernel.shape)) != (1, 1)
    ):
        return None
    (size,), (length,) = array.shape, kernel.shape
    width = length.number if length is not None else None
    if not width or size is None or not size.is_long:
        return None
    before, after = (width - 1) - (width - 1) // 2, (width - 1) // 2
    forms = {
        "valid": ((0, width - 1), 1 - width, (0, 0)),
        "same": ((-before, after), 0, (before, after)),
        "full": ((1 - width, 0), width - 1, (width - 1, width - 1)),
    }
    if asked.given["mode"] not in forms:
        return None
    span, longer, ends = forms[asked.given["mode"]]
    asked.places.asks(width - size.low)
    relation = Along(0) if isinstance(array.relation, Uniform) else array.relation
    if isinstance(relation, Ends):
        return None
    if isinstance(relation, Along):
        relation = _spread(relation, span, longer, ends)
    return CallResult((plus(size, known(longer)),), relation)


def _named(rule: Rule, names: str) -> dict[object, Rule]:
    """The rule for these functions of NumPy's, as far as this version has them."""
    found = {}
    for name in names.split():
        owner: Any = np
        *path, last = name.split(".")
        for part in path:
            owner = getattr(owner, part)
        if hasattr(owner, last):
            found[getattr(owner, last)] = rule
    return found


_RULES: dict[object, Rule] = {
    **_named(_elements_of("x"), "digitize interp polyval i0 sinc fix"),
    **_named(_elements_of("v"), "searchsorted"),
    **_named(_elements_of("z"), "angle"),
    **_named(_elements_of("element"), "isin"),
    **_named(_elements_of("a"), "round around nan_to_num"),
    **_named(_elements_of("a", "b", "rtol", "atol"), "isclose"),
    **_named(_elements_of("condition", "x", "y"), "where"),
    **_named(_selected, "select"),
    **_named(
        _along("a"),
        "sum prod mean std var max min amax amin any all ptp median percentile quantile argmax argmin "
        "count_nonzero average nansum nanprod nanmean nanstd nanvar nanmax nanmin nanmedian nanpercentile "
        "nanquantile nanargmax nanargmin",
    ),
    **_named(_along("y"), "trapezoid trapz"),
    **_named(_along("x"), "linalg.norm"),
    **_named(
        _along("a", keeps=True),
        "sort argsort cumsum cumprod nancumsum nancumprod diff repeat take partition argpartition compress "
        "fft.fft fft.ifft fft.rfft fft.irfft fft.hfft fft.ihfft",
    ),
    **_named(_along("f", keeps=True), "gradient"),
    **_named(_along("m", keeps=True), "flip"),
    **_named(_along("p", keeps=True), "unwrap"),
    **_named(_along("arr", keeps=True), "delete insert"),
    **_named(_products, "einsum"),
    **_named(_windows, "lib.stride_tricks.sliding_window_view"),
    **_named(_rolled, "roll"),
    **_named(_convolved, "convolve correlate"),
}
