"""Reductions as loop nests, in NumPy's order where the order shows in the result."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..graph.ir import dims
from ..graph.ir.dims import Size
from ..graph.ir.nodes import Node, Value
from ..graph.ir.types import Array
from ..graph.ops import OPS
from .arrays import converted, nested, whole
from .elements import machine_dtype
from .literals import held_literal
from .nest import EITHER, Apply, Expr, Fail, Index, Join, Let, Load, Loop, Stmt, Store, Text, at, axis

if TYPE_CHECKING:
    from .kernel import Lowering


def reduce_node(kernel: Lowering, node: Node) -> None:
    """Put the nest of a reduction on the kernel's tape."""
    source, (result,) = node.operands[0], node.results
    assert isinstance(source, Value)
    assert isinstance(source.type, Array)
    work = Reduction(kernel, node, source, result)
    kernel.arrays.put(work.checks())
    kernel.arrays.put(work.nest())


class Reduction:
    """One reduction: its axes, its accumulator, its nest."""

    def __init__(self, kernel: Lowering, node: Node, source: Value, result: Value) -> None:
        assert isinstance(source.type, Array)
        self.kernel, self.node, self.result = kernel, node, result
        self.target = kernel.target
        self.shape = source.type.shape
        axes = node.attrs.get("axis")
        self.reduced = tuple(range(len(self.shape))) if axes is None else tuple(axes)
        self.op = OPS[node.op]
        assert self.op.fold is not None
        self.fold = self.op.fold
        self.dtype = self.fold.accumulator or self.target.accumulator(_accumulator(node, result), self.fold)
        read = kernel.arrays.element(source, self.shape)
        element = machine_dtype(source.type)
        if self.fold.of_truth:
            self.expr = converted(read, element, np.dtype(bool))
        elif self.fold.finds_place:
            self.expr, self.dtype = read, element
        else:
            self.expr = converted(read, element, self.dtype)
        self.places: dict[int, int] = {k: k for k in range(len(self.shape))}
        if self._pairs():
            self._drop_ones()
            if self._trailing():
                self._lay_out(source)
        elif self.fold.finds_place and kernel.arrays.takes_long(read):
            self._put_into_memory()  # the search goes on one by one

    def _pairs(self) -> bool:
        """Whether numbers are added in pairs, as NumPy does."""
        return self.fold.in_pairs and self.dtype.kind in "fc" and self.target.numpy_order

    def _drop_ones(self) -> None:
        """For NumPy's order of summation kept axes of one element don't exist."""
        canon = self.kernel.symbols.canon
        live = [k for k, size in enumerate(self.shape) if k in self.reduced or canon(size) != 1]
        self.places = {old: new for new, old in enumerate(live)}
        indices = {f"@{k}": axis(self.places[k]) if k in self.places else 0 for k in range(len(self.shape))}
        self.expr = at(self.expr, indices)
        self.shape = tuple(self.shape[k] for k in live)
        self.reduced = tuple(self.places[k] for k in self.reduced)

    def _lay_out(self, source: Value) -> None:
        """Pairwise sums read rows of memory: put what isn't a row there into one.

        NumPy sums what is contiguous in one run; other arrays of several axes aren't compiled.
        """
        assert isinstance(source.type, Array)
        layout, ndim = source.type.layout, len(self.shape)
        if layout == "F" and ndim > 1:
            turned = {f"@{k}": axis(ndim - 1 - k) for k in range(ndim)}
            self.expr, self.shape = at(self.expr, turned), self.shape[::-1]
            self.reduced = tuple(sorted(ndim - 1 - k for k in self.reduced))
        trailing = range(ndim - self._trailing(), ndim)
        plain = isinstance(self.expr, Load) and self.expr.storage.type.layout == "C"
        if isinstance(self.expr, Load) and plain:
            count = self.expr.storage.type.ndim
            ends = self.expr.index[count - len(trailing) :]
            if ends == tuple(axis(k) for k in trailing) and self._fits(self.expr, len(trailing)):
                return
        self._put_into_memory()

    def _put_into_memory(self) -> None:
        temporary = self.kernel.storages.temporary(Array(self.dtype, self.shape))
        self.kernel.arrays.write(whole(temporary), self.shape, self.expr, self.node.loc.text)
        self.expr = Load(temporary, tuple(axis(k) for k in range(len(self.shape))))

    def _fits(self, load: Load, count: int) -> bool:
        """True when the last `count` axes are whole axes of the storage: runs lie one behind the other."""
        inner = load.storage.type.shape[len(load.index) - count + 1 :]
        mine = self.shape[len(self.shape) - count + 1 :]
        return inner == mine

    def _trailing(self) -> int:
        """How many of the last axes are reduced."""
        count = 0
        while count < len(self.shape) and len(self.shape) - 1 - count in self.reduced:
            count += 1
        return count

    def checks(self) -> list[Stmt]:
        """ValueError for empty arrays where there is no identity."""
        if not self.fold.empty:
            return []
        unsure = [self.shape[k] for k in self.reduced if (dims.lower(self.shape[k]) or 0) < 1]
        if not unsure:
            return []
        scalars = self.kernel.scalars
        unsure = [size for size in unsure if not scalars.proved(size, 1)]
        if not unsure:
            return []
        test = " or ".join(map(self._is_zero, unsure))
        return [Fail(test, f'raise ValueError("{self.fold.empty}")', self.node.loc.text)]

    def _is_zero(self, size: Size) -> str:
        """``n0 <= 2`` for ``max(n0 - 2, 0) == 0``."""
        text = self.kernel.symbols.text
        size = self.kernel.symbols.canon(size)
        if isinstance(size, dims.Dim) and len(size.terms) == 1 and not size.const:
            atom, factor = size.terms[0]
            if isinstance(atom, dims.Term) and atom.function == "max" and atom.right == 0 and factor == 1:
                left = atom.left
                shift = left.const if isinstance(left, dims.Dim) and left.const < 0 else 0
                return f"{text(dims.sub(left, shift))} <= {-shift}"
        return f"{text(size)} == 0"

    # Nests ------------------------------------------------------------------------------------------------

    def nest(self) -> list[Stmt]:
        """The statements that compute the result."""
        symbols, loops = self.kernel.arrays.loops(self.shape)
        expr = at(self.expr, symbols)
        trailing = self._trailing()
        inner = list(range(len(self.shape) - trailing, len(self.shape)))
        if self.fold.finds_place or not self.target.numpy_order:
            inner = list(self.reduced)
        if len(inner) == len(self.reduced):
            outer = [loops[k] for k in range(len(self.shape)) if k not in inner]
            body = self._scalar(expr, [loops[k] for k in inner], symbols)
            return nested(outer, body, self.node.loc.text)
        return self._in_rows(expr, loops, symbols, inner)

    def _target(self, symbols: dict[str, Size]) -> tuple[Size, ...]:
        """The index of the result's element."""
        source = self.node.operands[0].type
        assert isinstance(source, Array)
        axes = self.node.attrs.get("axis")
        gone = range(source.ndim) if axes is None else axes
        index = {k: symbols[f"@{self.places[k]}"] for k in self.places if k not in gone}
        keepdims = self.node.attrs.get("keepdims")
        return tuple(index.get(k, 0) for k in range(source.ndim) if keepdims or k not in gone)

    def _scalar(self, expr: Expr, loops: list[tuple[str, Size]], symbols: dict[str, Size]) -> list[Stmt]:
        """A scalar accumulator over the innermost axes, then where its value goes."""
        kernel = self.kernel
        is_array = isinstance(self.result.type, Array)
        name = kernel.names.fresh(self.fold.variable) if is_array else kernel.names[self.result]
        body = self._accumulate(name, expr, loops, symbols)
        wanted = machine_dtype(self.result.type)
        if not is_array:
            if self._natural() != wanted:
                body.append(Let(name, converted(Text(name), None, wanted)))
            return body
        storage = kernel.storages.storage(self.result, "local")
        kernel.arrays.rebind(self.result, whole(storage))
        return [*body, Store(storage, self._target(symbols), Text(name), self.node.loc.text)]

    def _natural(self) -> np.dtype:
        if self.fold.finds_place:
            return np.dtype(np.int64)
        if self.dtype.kind in "iu" and self.dtype.itemsize < 8 and self.fold.widens:
            return np.dtype(np.int64)
        return self.dtype

    def _accumulate(
        self, name: str, expr: Expr, loops: list[tuple[str, Size]], symbols: dict[str, Size]
    ) -> list[Stmt]:
        source = self.node.loc.text
        if self.fold.finds_place:
            return self._arg(name, expr, loops)
        if self._pairs():
            return [Let(name, self._pairwise(expr, loops), source)]
        if self.fold.unordered and self.dtype.kind == "f" and self.target.vectorises:
            return self._extreme(name, expr, loops, self.fold.unordered)
        value = self._joined(Text(name), expr)
        assert isinstance(value, Apply)
        update = Let(name, value, source, join=Join(value.template, self._natural()))
        return [Let(name, Text(self._start()), ""), *nested(loops, [update], source)]

    def _extreme(self, name: str, expr: Expr, loops: list[tuple[str, Size]], larger: str) -> list[Stmt]:
        """The largest or smallest float; NaN apart, which would keep the loop from being vectorised."""
        source, fresh = self.node.loc.text, self.kernel.names.fresh
        value, found = fresh("value"), fresh("found_nan")
        self.kernel.imports.add(("vecmath", larger))
        joins = f"{larger}({{0}}, {{1}})"
        body: list[Stmt] = [
            Let(value, expr, source, handy=True),
            Let(name, Apply(joins, (Text(name), Text(value))), source, join=Join(joins, self.dtype)),
            Let(found, Apply("{0} | ({1} != {1})", (Text(found), Text(value))), join=EITHER),
        ]
        nan = held_literal(np.nan, self.dtype)
        return [
            Let(name, Text(self._start())),
            Let(found, Text("False")),
            *nested(loops, body, source),
            Let(name, Apply(f"{nan} if {{0}} else {{1}}", (Text(found), Text(name)))),
        ]

    def _joined(self, total: Expr, expr: Expr) -> Expr:
        template = self._template()
        self.kernel.imports.update(self.op.imports_for(template))
        return Apply(template, (total, expr))

    def _template(self) -> str:
        template = self.op.text_for(["bool" if self.fold.of_truth else self.dtype.name])
        assert template is not None
        return template

    def _start(self) -> str:
        return held_literal(self.fold.start(self.dtype), self.dtype)

    def _pairwise(self, expr: Expr, loops: list[tuple[str, Size]]) -> Expr:
        """The sum of a row of memory by NumPy's scheme."""
        assert isinstance(expr, Load)
        rows = (*expr.index[: len(expr.index) - len(loops)], *(None,) * len(loops))
        self.kernel.imports.add(("vecmath", "pairwise_sum"))
        total = Index(dims.product(size for _, size in loops))
        return Apply("pairwise_sum({0}, {1})", (Load(expr.storage, rows), total))

    def _arg(self, name: str, expr: Expr, loops: list[tuple[str, Size]]) -> list[Stmt]:
        """The first best element; the first NaN is better than all others."""
        place: Size = 0
        for index, size in loops:
            place = dims.add(dims.mul(place, size), dims.symbol(index) if size != 1 else 0)
        if self.dtype.kind in "fiu" and self.target.vectorises:
            return self._first_of_best(name, expr, loops, place)
        source, fresh = self.node.loc.text, self.kernel.names.fresh
        best, value, better = fresh("best"), fresh("value"), fresh("better")
        template = self._template()
        if self.dtype.kind == "f":
            template = f"({template}) | (({{0}} != {{0}}) & ({{1}} == {{1}}))"
        body: list[Stmt] = [
            Let(value, expr, source),
            Let(better, Apply(template, (Text(value), Text(best)))),
            Let(name, Apply("{1} if {0} else {2}", (Text(better), Index(place), Text(name)))),
            Let(best, Apply("{1} if {0} else {2}", (Text(better), Text(value), Text(best)))),
        ]
        return [Let(name, Text("0")), Let(best, Text(self._start())), *nested(loops, body, source)]

    def _first_of_best(self, name: str, expr: Expr, loops: list[tuple[str, Size]], place: Size) -> list[Stmt]:
        """The best element first, then the first place where it stands: both go on in several lanes."""
        source, fresh = self.node.loc.text, self.kernel.names.fresh
        best, sign = fresh("best"), self._template()
        if self.dtype.kind == "f":
            larger = "larger" if ">" in sign else "smaller"
            found = self._extreme(best, expr, loops, larger)[:-1]
            update = found[1]
            assert isinstance(update, Let)
            hit = Apply("({0} != {0}) if {1} else {0} == {2}", (expr, Text(update.name), Text(best)))
        else:
            joins = f"{{1}} if {sign.format('{1}', '{0}')} else {{0}}"
            join = Join(joins, self.dtype)
            body: list[Stmt] = [Let(best, Apply(joins, (Text(best), expr)), source, join=join)]
            found = [Let(best, Text(self._start())), *nested(loops, body, source)]
            hit = Apply("{0} == {1}", (expr, Text(best)))
        none = Index(dims.product(size for _, size in loops))
        first = Apply("min({0}, {1} if {2} else {3})", (Text(name), Index(place), hit, none))
        look: list[Stmt] = [Let(name, first, source, join=Join("min({0}, {1})", np.dtype(np.int64)))]
        return [*found, Let(name, none), *nested(loops, look, source)]

    def _in_rows(
        self, expr: Expr, loops: list[tuple[str, Size]], symbols: dict[str, Size], inner: list[int]
    ) -> list[Stmt]:
        """Accumulate into the result, row by row."""
        assert isinstance(self.result.type, Array)
        kernel, source = self.kernel, self.node.loc.text
        storage = kernel.storages.storage(self.result, "local")
        kernel.arrays.rebind(self.result, whole(storage))
        fresh, outer = kernel.arrays.loops(self.result.type.shape)
        index = tuple(fresh[f"@{k}"] for k in range(self.result.type.ndim))
        start = nested(outer, [Store(storage, index, Text(self._start()), source)], source)
        target = self._target(symbols)
        total: Expr = Load(storage, target)
        if inner:
            name = kernel.names.fresh(self.fold.variable)
            body = self._accumulate(name, expr, [loops[k] for k in inner], symbols)
            body.append(Store(storage, target, self._joined(total, Text(name)), source))
        else:
            body = [Store(storage, target, self._joined(total, expr), source)]
        return [*start, *nested([loops[k] for k in range(len(loops)) if k not in inner], body, source)]


def _accumulator(node: Node, result: Value) -> np.dtype:
    loop = node.attrs.get("loop")
    return np.dtype(loop[0]) if loop else machine_dtype(result.type)


__all__ = ["Loop", "Reduction", "reduce_node"]
