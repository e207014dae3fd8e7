"""Arrays of a call that may share no memory, as the graph took each of their elements to have its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..graph.ir.overlap import may_overlap_itself, overlaps_itself
from ..graph.ir.types import Array
from .recipe import Recipe

try:  # The C function, without the 0.1 µs of NumPy's dispatch for array-likes.
    from numpy._core._multiarray_umath import may_share_memory  # type: ignore[import-not-found]
except ImportError:
    from numpy import may_share_memory


def forbidden(recipe: Recipe) -> Iterator[tuple[Callable[..., bool], tuple[int, ...]]]:
    """What must not hold of arrays in these slots: one that is written shares memory, or its elements do."""
    arrays = [k for k, slot in enumerate(recipe.slots) if isinstance(slot.type, Array) and not slot.is_taken]
    written = [k for k in recipe.writes if k in arrays]
    for pair in sorted({(min(k, other), max(k, other)) for k in written for other in arrays if k != other}):
        yield may_share_memory, pair
    for k in written:
        if may_overlap_itself(recipe.slots[k].type):
            yield overlaps_itself, (k,)
