"""Functions mapped over Dask arrays, block by block, with what they need of their neighbours.

`map_blocks` infers from the function's trace what users of Dask say by hand: the dtype and the chunks of the
results, the halo, whether the axis goes round; or that the function can't be mapped along an axis.
"""

from __future__ import annotations

import copy
import inspect
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import getitem
from typing import Any

import numpy as np

from ..runtime.decorator import function as decorated
from ..runtime.errors import JitscopeError
from ..runtime.paths import underlying
from .cuts import Axis, Cut, cut_of, least_chunk, no_shorter
from .inferred import BlockedArray, Halo, Output, ends_of, infer
from .installed import dask_array, highlevelgraph, tokenize
from .relations import Along, Ends


def map_blocks(f: Callable[..., Any], *args: Any, halo: Halo = "auto", **kwargs: Any) -> Any:
    """Call `f` on the blocks of Dask arrays, and put its results together as if it had got the whole.

    The dtypes and the chunks of the results, and the elements of its neighbours that a block needs, are
    inferred from the function's trace. Slices (``u[2:] - u[:-2]``), assignments to parts of arrays
    (``out[1:-1] = ...``), borders, loops over the elements, `np.roll`, a few steps in a loop: all of these
    may go along an axis that has several blocks. Sums, sorting and the like may go along the others.

    Args:
        f: a plain or a decorated function of arrays and other values. It is decorated if it isn't. It gets C
            contiguous NumPy arrays, and returns an array or a number, or a tuple of these.
        *args: its arguments. Dask arrays are handed on block by block, and so are NumPy arrays that the
            function joins with them along an axis that is cut; all else is handed on whole.
        halo: how many elements of its neighbours a block gets; ``"auto"`` infers that. A number holds for all
            axes that are cut, a dict says it by axis of the first array that has it, as a number or a pair
            (before, after). Then nothing is proved: so many elements at the ends of a block's results are
            left out, and what the function does beyond its halo is yours to know.
        **kwargs: its arguments by name.

    Returns:
        A Dask array of the function's dtype, or a tuple of them, where the function returns one. Elements are
        those of the decorated function for the whole; products of matrices, and sums of floats over several
        axes, may differ in their last bits, as they do for arrays of other sizes. What is made in another way
        at the ends of the axis is made at the ends of each block, too, and left out; it may raise there.
        What the function reads besides its arguments must stay what it is until the array is computed.

    Raises:
        JitscopeError: the function can't be followed, or isn't local along an axis that has several blocks;
            the message says where and why.
        ValueError: nobody knows the sizes of its chunks, or `halo` is none.
        TypeError: no argument is a Dask array; or the arguments aren't those of `f`.
        ImportError: Dask isn't installed.

    Example::

        import dask.array as da

        def smoothed(u):
            return (u[:-2] + u[1:-1] + u[2:]) / 3

        x = da.linspace(0.0, 1.0, 1000, chunks=300) ** 2
        assert js.dask.map_blocks(smoothed, x).chunks == ((300, 300, 300, 98),)
    """
    return _Mapped(f, _arguments(f, args, kwargs), halo).results()


def _arguments(f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a call by name."""
    signature = inspect.signature(f)
    kinds = {one.kind for one in signature.parameters.values()}
    if kinds - {inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY}:
        raise TypeError("map_blocks: it has *args, **kwargs or /: write a function that names its arguments")
    bound = signature.bind(*args, **kwargs)
    bound.apply_defaults()
    return dict(bound.arguments)


@dataclass(frozen=True)
class BlockCall:
    """What a task does: the function, called for one block, and of its results the block's own parts."""

    function: Callable[..., Any]
    names: tuple[str, ...]
    whole: Mapping[str, Any]
    is_tuple: bool
    dtypes: tuple[np.dtype, ...]
    written: frozenset[str] = frozenset()
    """Those that the function may write to: it gets copies of them."""

    def __call__(
        self, own: Sequence[tuple[slice, ...] | None], *blocks: np.ndarray
    ) -> tuple[np.ndarray, ...]:
        """The results for these blocks, one for each of `names`; None for those that nobody wants of them."""
        arrays = {**self.whole, **{name: _own(block) for name, block in zip(self.names, blocks, strict=True)}}
        arrays |= {name: arrays[name].copy() for name in self.written if isinstance(arrays[name], np.ndarray)}
        found = self.function(**arrays)
        results = found if self.is_tuple else (found,)
        return tuple(
            np.asarray(result, dtype)[part] if part is not None else np.asarray(0)
            for result, part, dtype in zip(results, own, self.dtypes, strict=True)
        )


def _own(block: np.ndarray) -> np.ndarray:
    """The block as the function has been compiled for it: without gaps, and one that may be written."""
    block = np.ascontiguousarray(block) if block.ndim else np.asarray(block)
    return block if block.flags.writeable else block.copy()


def _state(own: object) -> object:
    """What tells a method's object from others; to pickle it, as Dask would, may change its class."""
    kind = type(own)
    if isinstance(own, (type, type(None))) or kind.__module__ == "builtins":
        return own
    slots = [name for base in kind.__mro__ for name in _slots(base) if hasattr(own, name)]
    held = {name: getattr(own, name) for name in slots}
    return kind.__module__, kind.__qualname__, {**getattr(own, "__dict__", {}), **held}


def _slots(kind: type) -> tuple[str, ...]:
    found = vars(kind).get("__slots__", ())
    names = (found,) if isinstance(found, str) else tuple(found)
    own = f"_{kind.__name__.lstrip('_')}"
    private = {name for name in names if name.startswith("__") and not name.endswith("__")}
    mangled = [own + name if name in private else name for name in names]
    return tuple(name for name in mangled if name not in ("__dict__", "__weakref__"))


def _as_it_is(value: Any) -> Any:
    """An argument that is handed on whole, as it is now: blocks are computed when somebody asks for them."""
    return copy.deepcopy(value) if isinstance(value, (np.ndarray, list, dict, set, tuple)) else value


_LEAST = (1, 2, 3, 4, 8)
"""The lengths of blocks that are tried: the function may do something else for shorter arrays."""


class _Mapped:
    """A function and the Dask arrays that it is mapped over."""

    def __init__(self, f: Callable[..., Any], arguments: dict[str, Any], halo: Halo) -> None:
        self.da, self.halo = dask_array(), halo
        if not any(isinstance(value, self.da.Array) for value in arguments.values()):
            raise TypeError("map_blocks: no argument is a Dask array; call the function itself")
        self.f = f if hasattr(f, "__jitscope__") else decorated(f)
        self.arguments = arguments
        self.title = getattr(f, "__name__", "f")
        self._infer()
        for _ in range(len(arguments)):
            if not self._put_together():
                break
            self._infer()
        for least in _LEAST:
            self.axes = self._axes(least)
            if not self._misfit():
                break
        if (misfit := self._misfit()) is not None:
            raise JitscopeError(
                f"{self.title} can't be mapped over blocks of these sizes",
                so=f"it does something else for arrays as long as {' or '.join(map(str, misfit))}",
                attempt="longer chunks: x.rechunk(...)",
            )

    def _infer(self) -> None:
        given = {name: self._given(name, value) for name, value in self.arguments.items()}
        self.inferred = infer(self.f, given, self.halo)
        self.arrays = self._arrays()
        self.cuts = [
            {group: self._cut(made, group) for group in self.inferred.needs} for made in self.inferred.results
        ]

    def _put_together(self) -> bool:
        """Make axes that are shorter than one block needs one block, of which nothing need be inferred."""
        short = {
            group for group in self.inferred.needs if sum(self._chunks(group)) < self._least_chunk(group)
        }
        for name, groups in self.inferred.groups.items():
            axes = {axis: -1 for axis, group in enumerate(groups) if group in short}
            if axes and isinstance(self.arguments[name], self.da.Array):
                self.arguments[name] = self.arguments[name].rechunk(axes)
        return bool(short)

    def _given(self, name: str, value: Any) -> Any:
        if isinstance(value, np.ndarray) and type(value) is np.ndarray:
            return BlockedArray(value.shape, value.dtype, frozenset())
        if not isinstance(value, self.da.Array):
            return value
        if type(value._meta) is not np.ndarray:
            raise TypeError(f"{name}: its blocks are {type(value._meta).__name__}s, not plain NumPy arrays")
        if value.dtype.kind not in "biufc" or not value.dtype.isnative or value.dtype.char in "gG":
            raise TypeError(f"{name}: arrays of dtype {value.dtype} are not compiled")
        if any(size != size for size in value.shape):  # NaN: Dask doesn't know it
            raise ValueError(f"{name}: its chunks have unknown sizes; call `compute_chunk_sizes()` first")
        cut = frozenset(axis for axis, number in enumerate(value.numblocks) if number > 1)
        return BlockedArray(value.shape, value.dtype, cut)

    def _arrays(self) -> dict[str, Any]:
        """The arguments that are handed on block by block, as Dask arrays whose chunks fit."""
        wanted = {
            name: self.arguments[name]
            for name, groups in self.inferred.groups.items()
            if isinstance(self.arguments[name], self.da.Array) or any(groups)
        }
        arrays = {
            name: value
            if isinstance(value, self.da.Array)
            else self.da.from_array(value, chunks=-1, name=f"array-{tokenize(value)}")
            for name, value in wanted.items()
        }
        pairs = []
        for name, array in arrays.items():
            labels = [group or f"{name}.{axis}" for axis, group in enumerate(self.inferred.groups[name])]
            pairs += [array, labels]
        _, unified = self.da.core.unify_chunks(*pairs)
        return dict(zip(arrays, unified, strict=True))

    def _cut(self, made: Output, group: str) -> Cut | None:
        """How a result is cut along the axes of a group; None if it has no such axis."""
        result = made.along[group]
        if not isinstance(result.relation, Along):
            return None
        assert isinstance(result.relation.axis, int)
        size = result.shape[result.relation.axis]
        assert size is not None
        return cut_of(result.relation, size.low)

    def _axes(self, least: int) -> dict[str, Axis]:
        """The axes of all groups, in blocks that have at least so many places."""
        return {group: self._axis(group, least) for group in self.inferred.needs}

    def _chunks(self, group: str) -> tuple[int, ...]:
        """The blocks of the axes of a group."""
        name, axis = next(
            (name, groups.index(group)) for name, groups in self.inferred.groups.items() if group in groups
        )
        chunks: tuple[int, ...] = self.arrays[name].chunks[axis]
        return chunks

    def _cuts_of(self, group: str) -> list[Cut]:
        return [cut for cuts in self.cuts if (cut := cuts[group]) is not None]

    def _least_chunk(self, group: str) -> int:
        """The fewest places that a block of a group may have."""
        results = [made.along[group] for made in self.inferred.results]
        ends = itertools.chain.from_iterable(map(ends_of, results))
        return least_chunk(self._cuts_of(group), ends, self.inferred.needs[group])

    def _axis(self, group: str, shortest: int) -> Axis:
        """The blocks of the axes of a group, and their halo."""
        cuts = self._cuts_of(group)
        chunks = no_shorter(self._chunks(group), max(shortest, self._least_chunk(group)))
        if len(chunks) == 1:
            return Axis(chunks, 0, 0, False)
        before = max((cut.before for cut in cuts), default=0)
        after = max((cut.after for cut in cuts), default=0)
        goes_round = group in self.inferred.round
        if goes_round:  # Dask's halo has one width there
            before = after = max(before, after)
        return Axis(chunks, before, after, goes_round)

    def _misfit(self) -> tuple[int, ...] | None:
        """Lengths of the whole or of blocks for which what the trace took for granted doesn't hold."""
        lengths = [sorted({sum(axis.chunks), *axis.lengths()}) for axis in self.axes.values()]
        for sizes in itertools.product(*lengths):
            if not self.inferred.fits(dict(zip(self.axes, sizes, strict=True))):
                return sizes
        return None

    def _extended(self, name: str) -> Any:
        """An array whose blocks have their halo."""
        array, groups = self.arrays[name], self.inferred.groups[name]
        chunks = {k: self.axes[group].chunks for k, group in enumerate(groups) if group}
        array = array.rechunk(chunks) if chunks else array
        depth: dict[int, Any] = dict.fromkeys(range(len(groups)), 0)
        boundary = dict.fromkeys(range(len(groups)), "none")
        for k, group in enumerate(groups):
            if group:
                axis = self.axes[group]
                depth[k] = axis.before if axis.goes_round else (axis.before, axis.after)
                boundary[k] = "periodic" if axis.goes_round else "none"
        if all(width in (0, (0, 0)) for width in depth.values()):
            return array
        return self.da.overlap.overlap(array, depth=depth, boundary=boundary, allow_rechunk=False)

    def results(self) -> Any:
        """The Dask arrays."""
        extended = {name: self._extended(name) for name in self.arrays}
        others = {name: value for name, value in self.arguments.items() if name not in self.arrays}
        whole = {name: _as_it_is(value) for name, value in others.items()}
        inferred = self.inferred
        dtypes = tuple(made.dtype for made in inferred.results)
        call = BlockCall(self.f, tuple(extended), whole, inferred.is_tuple, dtypes, inferred.writes)
        own = _state(getattr(self.f, "__self__", None))
        read = (underlying(self.f), own, *inferred.told)
        token = tokenize(read, self.halo, sorted(whole.items()), *extended.values())
        name = f"{self.title}-{token}"
        graph: dict[Any, Any] = {}
        groups = list(self.axes)
        for place in itertools.product(*(range(len(axis.chunks)) for axis in self.axes.values())):
            at = dict(zip(groups, place, strict=True))
            blocks = [
                (array.name, *(at[group] if group else 0 for group in inferred.groups[one]))
                for one, array in extended.items()
            ]
            own = [self._own_part(k, at) for k in range(len(inferred.results))]
            graph[(name, *place)] = (call, own, *blocks)
        layers = self._collected(name, graph, extended)
        return tuple(layers) if inferred.is_tuple else layers[0]

    def _own_part(self, number: int, at: Mapping[str, int]) -> tuple[slice, ...] | None:
        """What of result `number` for the blocks `at` is their own; None if it is made of others."""
        made = self.inferred.results[number]
        parts = [slice(None)] * len(made.shape)
        for group, block in at.items():
            relation, cut = made.along[group].relation, self.cuts[number][group]
            if cut is None:
                if block != self._only(group, relation):
                    return None
                continue
            assert isinstance(relation, Along)
            assert isinstance(relation.axis, int)
            start, count = self.axes[group].own_parts(cut)[block]
            parts[relation.axis] = slice(start, start + count)
        return tuple(parts)

    def _only(self, group: str, relation: object) -> int:
        """The block that makes what doesn't go along the axes of a group."""
        return len(self.axes[group].chunks) - 1 if isinstance(relation, Ends) and relation.last else 0

    def _collected(self, name: str, graph: dict[Any, Any], extended: Mapping[str, Any]) -> list[Any]:
        """One Dask array for each result."""
        found = []
        for number, made in enumerate(self.inferred.results):
            own = f"{name}-{number}"
            chunks: list[tuple[float, ...]] = [(np.nan if size is None else size,) for size in made.shape]
            axes: list[str] = [""] * len(made.shape)
            for group, axis in self.axes.items():
                relation, cut = made.along[group].relation, self.cuts[number][group]
                if cut is not None:
                    assert isinstance(relation, Along)
                    assert isinstance(relation.axis, int)
                    chunks[relation.axis] = tuple(count for _, count in axis.own_parts(cut))
                    axes[relation.axis] = group
            keys = {}
            for place in itertools.product(*(range(len(sizes)) for sizes in chunks)):
                at = {group: self._only(group, made.along[group].relation) for group in self.axes}
                at |= {group: block for group, block in zip(axes, place, strict=True) if group}
                keys[(own, *place)] = (getitem, (name, *(at[group] for group in self.axes)), number)
            layer = highlevelgraph().from_collections(
                own, {**graph, **keys}, dependencies=[*extended.values()]
            )
            found.append(
                self.da.Array(
                    layer, own, tuple(chunks), dtype=made.dtype, meta=np.empty((0,) * len(chunks), made.dtype)
                )
            )
        return found
