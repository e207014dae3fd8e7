"""Products of matrices, sorts and the like in a kernel: functions called with parts of arrays as they lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..graph.analysis.effects import raises
from ..graph.ir import dims
from ..graph.ir.dims import Size
from ..graph.ir.nodes import Node, Operand, Value
from ..graph.ir.types import Array, Scalar
from ..graph.ops import OPS
from .arrays import AccessMap, converted, nested, whole
from .elements import machine_dtype
from .nest import MATMUL, Apply, Let, Load, Routine, Storage, axis

if TYPE_CHECKING:
    from .kernel import Lowering


def multiply(kernel: Lowering, node: Node) -> None:
    """Put a product on the kernel's tape, inside of loops over the axes in front of the matrices'."""
    (result,), source = node.results, node.loc.text
    dtype = np.dtype(node.attrs["loop"][0])
    left, right = (_Factor(kernel, operand, dtype, source) for operand in node.operands)
    if isinstance(result.type, Scalar):
        kernel.imports.add(("products", "dot"))
        pair = (left.part({}), right.part({}))
        kernel.arrays.put([Let(kernel.names[result], Apply("dot({0}, {1})", pair), source)])
        return
    assert isinstance(result.type, Array)
    stack = result.type.shape[: max(left.ndim, right.ndim, 2) - 2]
    symbols, loops = kernel.arrays.loops(stack)
    indices = [symbols[f"@{k}"] for k in range(len(stack))]
    first, second = (factor.part(factor.places(kernel, indices)) for factor in (left, right))
    storage = kernel.storages.storage(result, "local")
    kernel.arrays.rebind(result, whole(storage))
    target = _target(storage, indices, result.type.ndim)
    kernel.arrays.put(nested(loops, [Routine(MATMUL, target, (first, second), source)], source))


def order(kernel: Lowering, node: Node) -> None:
    """Put a sort along the last axis on the kernel's tape, inside of loops over the axes in front."""
    (result,), source = node.results, node.loc.text
    assert isinstance(result.type, Array)
    given = _Factor(kernel, node.operands[0], np.dtype(node.attrs["loop"][0]), source, inner=1)
    symbols, loops = kernel.arrays.loops(result.type.shape[:-1])
    indices = [symbols[f"@{k}"] for k in range(result.type.ndim - 1)]
    storage = kernel.storages.storage(result, "local")
    kernel.arrays.rebind(result, whole(storage))
    target = _target(storage, indices, result.type.ndim)
    routine = Routine(
        (OPS[node.op].module, node.op), target, (given.part(given.places(kernel, indices)),), source
    )
    kernel.arrays.put(nested(loops, [routine], source))


def solve(kernel: Lowering, node: Node) -> None:
    """Put the solution of linear equations, or an inverse, on the kernel's tape."""
    (result,), source = node.results, node.loc.text
    dtype = np.dtype(node.attrs["loop"][0])
    kernel.flush()  # it may raise: what was written before is, what comes later isn't
    given = tuple(_Factor(kernel, operand, dtype, source).part({}) for operand in node.operands)
    storage = kernel.storages.storage(result, "local")
    kernel.arrays.rebind(result, whole(storage))
    assert isinstance(result.type, Array)
    target = _target(storage, [], result.type.ndim)
    kernel.arrays.put([Routine((OPS[node.op].module, node.op), target, given, source, raises=raises(node))])
    kernel.flush()


def _target(storage: Storage, stack: list[Size], ndim: int) -> Load:
    """All of an array, or the part at the indices of the axes in front."""
    picked = ", ".join(f"{{{k + 1}}}" for k in range(len(stack)))
    return Load(storage, (*stack, *(None,) * (ndim - len(stack))), f"{{0}}[{picked}]" if stack else "{0}")


class _Factor:
    """One operand: where it lies, in the dtype of the product. `inner` is how many axes its parts have."""

    def __init__(
        self, kernel: Lowering, operand: Operand, dtype: np.dtype, source: str, inner: int = 2
    ) -> None:
        assert isinstance(operand, Value)
        assert isinstance(operand.type, Array)
        self.kernel, self.shape, self.source = kernel, operand.type.shape, source
        self.ndim, self.front = operand.type.ndim, max(operand.type.ndim - inner, 0)
        if machine_dtype(operand.type) != dtype:
            self.look = self._copied(operand, dtype)
            return
        self.look = kernel.arrays.look(operand)
        if self._view(self.look) is None:
            self.look = self._copied(operand, dtype)

    def _copied(self, operand: Value, dtype: np.dtype) -> AccessMap:
        """The operand in memory of its own."""
        arrays, kernel = self.kernel.arrays, self.kernel
        expr = converted(arrays.element(operand, self.shape), machine_dtype(operand.type), dtype)
        temporary = whole(kernel.storages.temporary(Array(dtype, self.shape)))
        arrays.write(temporary, self.shape, expr, self.source)
        return temporary

    def places(self, kernel: Lowering, indices: list[Size]) -> dict[str, Size]:
        """Which index each of the axes in front has, in the product with these."""
        count = self.front
        own = indices[len(indices) - count :]
        canon = kernel.symbols.canon
        return {f"@{k}": 0 if canon(self.shape[k]) == 1 else own[k] for k in range(count)}

    def part(self, places: dict[str, Size]) -> Load:
        """The vector or matrix at one index of the axes in front."""
        view = self._view(self.look)
        assert view is not None
        index = []
        for size in self.look.index:
            axes = {s for s in dims.symbols(size) if s.startswith("@")}
            index.append(None if axes - set(places) else dims.substitute(size, places))
        return Load(self.look.storage, tuple(index), view)

    def _view(self, look: AccessMap) -> str | None:
        """How the part is written; None where that is no plain slice, or one that runs backwards."""
        count = self.front
        items: list[str] = []
        order: list[int] = []
        fixed = 0
        for number, size in enumerate(look.index):
            axes = [int(s[1:]) for s in dims.symbols(size) if s.startswith("@")]
            if len(axes) > 1:
                return None
            if not axes or axes[0] < count:
                fixed += 1
                items.append(f"{{{fixed}}}")
                continue
            text = self._slice(look, number, axes[0])
            if text is None:
                return None
            order.append(axes[0])
            items.append(text)
        if sorted(order) != list(range(count, self.ndim)):
            return None
        while items and items[-1] == ":":
            items.pop()
        base = f"{{0}}[{', '.join(items)}]" if items else "{0}"
        return base if order == sorted(order) else f"{base}.T"

    def _slice(self, look: AccessMap, number: int, place: int) -> str | None:
        """One axis of the part, as a slice of an axis of the array."""
        size, symbol, text = look.index[number], f"@{place}", self.kernel.symbols.text
        start, step = dims.substitute(size, {symbol: 0}), _step(size, symbol)
        if step is None or step < 1:
            return None
        length = self.shape[place]
        canon = self.kernel.symbols.canon
        if size == axis(place) and canon(look.storage.type.shape[number]) == canon(length):
            return ":"
        stop = dims.add(start, dims.scale(length, step))
        bounds = ["" if start == 0 else text(start), text(stop)]
        space = "" if all(not bound or bound.isidentifier() or bound.isdigit() for bound in bounds) else " "
        first = f"{bounds[0]}{space}" if bounds[0] else ""
        return f"{first}:{space}{bounds[1]}" + ("" if step == 1 else f"{space}:{space}{step}")


def _step(size: Size, symbol: str) -> int | None:
    """How many elements further the next one is; None where that is not a constant."""
    assert not isinstance(size, int)
    found = next((c for atom, c in size.terms if isinstance(atom, dims.Sym) and atom.name == symbol), None)
    rest = dims.sub(size, dims.scale(dims.symbol(symbol), found or 0))
    return None if symbol in dims.symbols(rest) else found
