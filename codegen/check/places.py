"""Does an index that counts from the end count from the end of the array that it was written for?

Numba counts a negative constant from the end of the variable that is indexed. If that is more than the user's
array, which begins where the variable's does, the element is another one.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from ...graph.ir.dims import Size, symbol


def miscounted(
    place: str,
    index: Sequence[Size],
    sizes: Sequence[Size],
    shape: Sequence[Size],
    canon: Callable[[Size], Size],
) -> str | None:
    """What is wrong with the element `place` of an array of `shape`; None if nothing is.

    The array's element ``[@0, @1, ...]`` stands at `index` in a variable with these `sizes`.
    """
    tree = ast.parse(place, mode="eval").body
    if not isinstance(tree, ast.Subscript):
        return None
    items = tree.slice.elts if isinstance(tree.slice, ast.Tuple) else [tree.slice]
    for number, item in enumerate(items):
        if not isinstance(item, ast.UnaryOp) or not isinstance(item.op, ast.USub):
            continue
        if not isinstance(item.operand, ast.Constant):
            continue
        mine = next((k for k in range(len(shape)) if index[number] == symbol(f"@{k}")), None)
        if mine is None or canon(shape[mine]) != canon(sizes[number]):
            return (
                f"{place} counts from the end of {sizes[number]} elements, not of the array that is indexed"
            )
    return None
