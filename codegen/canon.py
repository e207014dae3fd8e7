"""Sizes that the guards of a graph make equal, by one representative each."""

from __future__ import annotations

from collections.abc import Mapping

from ..graph.ir import dims
from ..graph.ir.dims import Dim, Size
from ..graph.ir.nodes import Graph


class Canon:
    """Rewrites sizes so that equal ones are equal."""

    def __init__(self, graph: Graph) -> None:
        self._whole: dict[Size, Size] = {}
        self._symbols: dict[str, Size] = {}
        for guard in graph.guards:
            if guard.kind == "equal" and not isinstance(guard.left, str):
                self._learn(guard.left, guard.right)

    def _learn(self, left: Size, right: Size) -> None:
        left, right = self(left), self(right)
        if left == right:
            return
        if isinstance(left, int) or _name(right) is not None:
            left, right = right, left  # what was met first stays
        name = _name(left)
        if name is not None and name not in dims.symbols(right):
            known: Mapping[str, Size] = {name: right}
            self._symbols = {k: dims.substitute(v, known) for k, v in self._symbols.items()} | {name: right}
            learned, self._whole = self._whole, {}
            for one, other in learned.items():  # they may be about the symbol
                self._learn(one, other)
        elif name is not None:
            self._whole[right] = left  # ``max(n - 2, 0) == n``
        else:
            self._whole[left] = right

    def __call__(self, size: Size) -> Size:
        """The representative of `size`."""
        size = dims.substitute(size, self._symbols) if self._symbols else size
        while size in self._whole:
            size = self._whole[size]
        return size


def _name(size: Size) -> str | None:
    """The symbol that a size is, if it is nothing else."""
    if isinstance(size, Dim) and len(size.terms) == 1 and size.terms[0][1] == 1 and not size.const:
        atom = size.terms[0][0]
        return atom.name if isinstance(atom, dims.Sym) else None
    return None
