"""Which numbers an int can be: exact affine forms, symbolic bounds, facts from loops and conditions.

What is asked here is of one form: is ``size >= 0`` for certain? An index i is in range if ``i >= 0`` and
``n - 1 - i >= 0``. A proof replaces symbols by their bounds (in ``for i in range(1, n - 1)``: 1 from below,
n - 2 from above), looks at both sides of ``max`` and ``min``, and takes away facts (sizes known to be at
least 0).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..ir import dims
from ..ir.dims import Dim, Size, Sym, Term
from ..ir.nodes import Graph, Literal, Node, Operand, Value, walk
from ..ir.rewrite import Substitution, sizes_in
from ..ir.types import Array, Scalar
from ..ops.facts import is_counted, is_size
from .around import body_of
from .flow import Flow
from .moves import Interval, Moves

# Nothing in memory has more elements, and nothing that counts one by one comes further in a process's life.
MANY = 2**47
_SMALL_STEP = 2**10
_DEPTH, _TRIES, _FACTS = 5, 300, 16
_INT64 = (-(2**63), 2**63 - 1)


@dataclass(slots=True)
class Bounds:
    """Sizes that a value never lies below, or above."""

    low: list[Size] = field(default_factory=list)
    high: list[Size] = field(default_factory=list)


class Ranges:
    """Bounds of the int values of one graph; `facts` are those of the region that one looks at."""

    def __init__(self, graph: Graph) -> None:
        self.flow = Flow(graph)
        self.values = {value.name: value for value in self.flow.order}
        self.bounds: dict[str, Bounds] = {}
        self.intervals: dict[str, Interval] = {}
        self.facts: list[Size] = []
        self._subtracted: list[tuple[Size, set[str]]] = []
        """The facts of a proof with their signs turned round, and the symbols in them."""
        self._exact: dict[Value, Size] = {}
        self._lows = dict.fromkeys(graph.sizes, 0)
        self._fitting = {guard.left for guard in graph.guards if guard.kind == "int64"}
        for node in walk(graph.body):
            for size in sizes_in(node):
                self._note_lows(size)
        for param in graph.params:
            if isinstance(param.type, Array):
                for size in param.type.shape:
                    self._note_lows(size)
        for guard in graph.guards:
            if guard.kind in ("equal", "at_most") and not isinstance(guard.left, str):
                difference = self.normal(dims.sub(guard.right, guard.left))
                self.facts.append(difference)
                if guard.kind == "equal":
                    self.facts.append(dims.scale(difference, -1))

    def _note_lows(self, size: Size) -> None:
        for symbol in dims.atoms(size):
            if symbol.low is not None:
                self._lows[symbol.name] = max(symbol.low, self._lows.get(symbol.name, symbol.low))

    # Forms -----------------------------------------------------------------------------------------------

    def normal(self, size: Size) -> Size:
        """`size` with one lower bound for each symbol, so that equal symbols cancel."""
        lows = self._lows
        found = {s.name: lows.get(s.name) for s in dims.atoms(size) if s.low != lows.get(s.name)}
        if not found:
            return size
        return dims.substitute(size, {name: dims.symbol(name, low) for name, low in found.items()})

    def exact(self, operand: Operand) -> Size:
        """The affine form of an int; a symbol named after it where nothing better is known."""
        if isinstance(operand, Literal):
            return int(operand.value)
        operand = self.flow.head.get(operand, operand)
        if operand not in self._exact:
            self._exact[operand] = self.normal(self._form(operand))
        return self._exact[operand]

    def _form(self, value: Value) -> Size:
        node = self.flow.definition.get(value)
        own = dims.symbol(value.name, self._lows.get(value.name))
        if node is None or node.regions:
            return own
        if is_size(node):
            return node.attrs["size"]
        if any(not is_int(operand) for operand in node.operands):
            return own
        if node.op in ("py.pos", "py.int"):
            return self.exact(node.operands[0])
        if node.op == "py.neg":
            return dims.scale(self.exact(node.operands[0]), -1)
        if node.op not in ("py.add", "py.sub", "py.mul"):
            return own
        left, right = (self.exact(operand) for operand in node.operands)
        if node.op == "py.add":
            return dims.add(left, right)
        if node.op == "py.sub":
            return dims.sub(left, right)
        return dims.mul(left, right) if isinstance(left, int) or isinstance(right, int) else own

    # Proofs ----------------------------------------------------------------------------------------------

    def at_least_zero(self, size: Size) -> bool:
        """True if it is proved that `size` is never negative here."""
        self._subtracted = [(dims.scale(fact, -1), dims.symbols(fact)) for fact in self.facts[-_FACTS:]]
        return self._proved(self.normal(size), _DEPTH, set())

    def in_range(self, index: Operand, size: Size) -> bool:
        """True if it is proved that ``0 <= index < size``, or ``-size <= index < 0`` for a constant.

        Whoever reads a constant without a check must therefore count a negative one from the end.
        """
        if not is_int(index):
            return False
        form = self.exact(index)
        if isinstance(form, int) and form < 0 and isinstance(index, Literal):
            return self.at_least_zero(dims.add(size, form))
        return self.at_least_zero(form) and self.at_least_zero(dims.sub(dims.sub(size, 1), form))

    def last(self, index: Operand, size: Size) -> Size:
        """What is at least 0 once ``a[index]`` was done on an axis of `size` elements."""
        form = self.exact(index)
        low = dims.lower(self.normal(form))
        if isinstance(form, int) and form < 0:
            return dims.add(size, form)
        if low is not None and low >= 0:
            return self.normal(dims.sub(dims.sub(size, 1), form))
        return dims.sub(size, 1)  # it may have been counted from the end

    def learn(self, node: Node) -> None:
        """Symbolic bounds of the result of one node."""
        if not node.results or not all(is_int(v) for v in (*node.operands, *node.results)):
            return
        forms = [self.exact(operand) for operand in node.operands]
        found = Bounds()
        if node.op == "py.mod" and self.at_least_zero(forms[1]):
            found = Bounds([0], [dims.sub(forms[1], 1)])  # the divisor isn't 0 where there is a result
        elif node.op == "py.floordiv" and isinstance(forms[1], int) and forms[1] > 0:
            found = Bounds([0], [forms[0]]) if self.at_least_zero(forms[0]) else found
        elif node.op == "py.min":
            found = Bounds([], forms)
        elif node.op == "py.max":
            found = Bounds(forms, [])
        else:
            return
        self.bounds[node.results[0].name] = found
        self._keep_low(node.results[0])

    def _proved(self, size: Size, depth: int, seen: set[Size]) -> bool:
        low = dims.lower(size)
        if low is not None and low >= 0:
            return True
        if isinstance(size, int) or not depth or size in seen or len(seen) > _TRIES:
            return False
        seen.add(size)
        for atom, coefficient in size.terms:
            if isinstance(atom, Term):
                if self._term(size, atom, coefficient, depth, seen):
                    return True
                continue
            bounds = self.bounds.get(atom.name)
            known = () if bounds is None else bounds.low if coefficient > 0 else bounds.high
            if any(self._proved(self._put(size, atom, b), depth - 1, seen) for b in known):
                return True
        names = dims.symbols(size)
        return any(
            self._proved(dims.add(size, less), depth - 1, seen)
            for less, its_names in self._subtracted
            if not names.isdisjoint(its_names)
        )

    def _put(self, size: Dim, symbol: Sym, bound: Size) -> Size:
        return self.normal(Substitution(symbols={symbol.name: bound}).size(size))

    def _term(self, size: Dim, term: Term, coefficient: int, depth: int, seen: set[Size]) -> bool:
        """A proof by looking at the sides of a ``max`` or ``min``, or at a quotient's bounds."""
        rest = dims.sub(size, dims.scale(Dim(((term, 1),)), coefficient))
        if term.function in ("max", "min"):
            sides = [s for s in (term.left, term.right) if not self._impossible(term, s)]
            sums = (self.normal(dims.add(rest, dims.scale(side, coefficient))) for side in sides)
            either = (term.function == "max") == (coefficient > 0)
            return (any if either else all)(self._proved(s, depth - 1, seen) for s in sums)
        if term.function == "//" and isinstance(term.right, int) and term.right > 0:
            # right * (left // right) lies between left - right + 1 and left.
            bound = dims.sub(term.left, term.right - 1) if coefficient > 0 else term.left
            scaled = dims.add(dims.scale(rest, term.right), dims.scale(bound, coefficient))
            return self._proved(self.normal(scaled), depth - 1, seen)
        return False

    def _impossible(self, term: Term, side: Size) -> bool:
        """True if a fact says that ``max`` or ``min`` isn't this one of its sides."""
        for fact in self.facts[-_FACTS:]:
            coefficient = dict(fact.terms).get(term) if isinstance(fact, Dim) else None
            if coefficient:
                rest = dims.sub(fact, dims.scale(Dim(((term, 1),)), coefficient))
                found = dims.add(rest, dims.scale(side, coefficient))
                if isinstance(found, int) and found < 0:
                    return True
        return False

    # Numbers ---------------------------------------------------------------------------------------------

    def interval(self, operand: Operand) -> Interval:
        """The smallest and largest 64-bit number that an int may be."""
        if isinstance(operand, Literal):
            return int(operand.value), int(operand.value)
        form = self.exact(operand)
        if form == dims.symbol(operand.name, self._lows.get(operand.name)):
            return self._of_name(operand.name)
        return _clipped(self.interval_of(form))

    def interval_of(self, size: Size) -> Interval:
        """The smallest and largest number that a size expression may be."""
        if isinstance(size, int):
            return size, size
        low = high = size.const
        for atom, coefficient in size.terms:
            a, b = self._of_name(atom.name) if isinstance(atom, Sym) else self._of_term(atom)
            low += min(a * coefficient, b * coefficient)
            high += max(a * coefficient, b * coefficient)
        return low, high

    def _of_term(self, term: Term) -> Interval:
        (a, b), (c, d) = self.interval_of(term.left), self.interval_of(term.right)
        if term.function == "max":
            return max(a, c), max(b, d)
        if term.function == "min":
            return min(a, c), min(b, d)
        if term.function == "*":
            products = (a * c, a * d, b * c, b * d)
            return min(products), max(products)
        return (a // c, b // c) if c == d and c > 0 else _INT64

    def _of_name(self, name: str) -> Interval:
        if name not in self.intervals:
            self.intervals[name] = _INT64  # while it is looked for: whoever asks in a circle learns nothing
            self.intervals[name] = _clipped(self._found(name))
        return self.intervals[name]

    def _found(self, name: str) -> Interval:
        low = self._lows.get(name)
        value = self.values.get(name)
        if value is None:
            return (0 if low is None else low), MANY
        node = self.flow.definition.get(value)
        if node is not None and not node.regions:
            found = self._of_node(node)
        elif name in self._fitting:
            found = (-MANY, MANY)
        else:
            found = _INT64
        bounds = self.bounds.get(name, Bounds())
        lows = [found[0], *([] if low is None else [low]), *(self.interval_of(b)[0] for b in bounds.low)]
        highs = [found[1], *(self.interval_of(b)[1] for b in bounds.high)]
        return max(lows), min(highs)

    def _of_node(self, node: Node) -> Interval:
        if node.op in ("py.int", "load", "py.bool", "py.not"):
            type_ = node.operands[0].type
            dtype = type_.dtype if isinstance(type_, Array | Scalar) else None
            if dtype is not None and dtype.kind in "iu" and dtype.itemsize < 8:
                half = 2 ** (8 * dtype.itemsize - 1)
                return (0, 2 * half - 1) if dtype.kind == "u" else (-half, half - 1)
            return (0, 1) if dtype is not None and dtype.kind == "b" else _INT64
        if not all(is_int(operand) for operand in node.operands):
            return _INT64
        sides = [self.interval(operand) for operand in node.operands]
        if node.op == "py.abs":
            (a, b) = sides[0]
            return (0 if a <= 0 <= b else min(abs(a), abs(b))), max(abs(a), abs(b))
        if node.op in ("py.min", "py.max"):
            pick = min if node.op == "py.min" else max
            return pick(sides[0][0], sides[1][0]), pick(sides[0][1], sides[1][1])
        if node.op == "py.select":
            return min(sides[1][0], sides[2][0]), max(sides[1][1], sides[2][1])
        if len(sides) == 2 and sides[1][0] > 0:
            return _by_positive(node.op, sides[0], sides[1])
        if node.op == "py.mul":
            return self._of_term(Term("*", self.exact(node.operands[0]), self.exact(node.operands[1])))
        return _INT64

    # State of loops -----------------------------------------------------------------------------------------

    def enter_loop(self, loop: Node) -> None:
        """Learn the bounds of a loop's index and of the state that only grows or only shrinks."""
        body = body_of(loop)
        if is_counted(loop):
            self._index(loop, body.params[0])
        offset = len(body.params) - len(loop.results)
        for param, result in zip(body.params[offset:], loop.results, strict=True):
            if is_int(param):
                self._counter(param, result)
        self.intervals.clear()

    def _index(self, loop: Node, index: Value) -> None:
        start, stop, step = loop.operands[:3]
        if not isinstance(step, Literal) or not step.value or not (is_int(start) and is_int(stop)):
            return
        first, last = self.exact(start), self.exact(stop)
        if step.value > 0:
            found = Bounds([first], [dims.sub(last, 1)])
        else:
            found = Bounds([dims.add(last, 1)], [first])
        self.bounds[index.name] = found
        self._keep_low(index)

    def _keep_low(self, value: Value) -> None:
        """Let `dims.lower` know a constant lower bound."""
        low = self._of_name(value.name)[0]
        if low > -MANY and low > self._lows.get(value.name, low - 1):
            self._lows[value.name] = low
            self._exact.clear()

    def _counter(self, param: Value, result: Value) -> None:
        """State that changes by small constants: it can't come far, and a sign says in which direction."""
        place, slot = self.flow.slot[param]
        initial, *back = (edge[slot] for edge in self.flow.edges[place])
        found = self._reached(initial, back, param)
        if found is None:
            return
        self.bounds[param.name] = found
        self._keep_low(param)
        leaving = list(self.flow.incoming(result))
        found = self._reached(initial, [*back, *leaving], param)
        if found is not None:
            self.bounds[result.name] = found
            self._keep_low(result)

    def _reached(self, initial: Operand, later: list[Operand], base: Value) -> Bounds | None:
        """Where one comes from `initial` by the moves of all iterations, each a small one from `base`."""
        moves = Moves()
        steps = [self._moved(operand, base, moves) for operand in later]
        known = [step for step in steps if step is not None]
        if len(known) != len(steps) or not is_int(initial):
            return None
        start, reach = self.exact(initial), _SMALL_STEP * MANY
        down = any(step[0] < 0 for step in known)
        up = any(step[1] > 0 for step in known)
        return Bounds([dims.sub(start, reach) if down else start], [dims.add(start, reach) if up else start])

    def _moved(self, operand: Operand, base: Value, moves: Moves) -> Interval | None:
        """How far (by sign at least) `operand` can be from `base` of this iteration; None: who knows."""
        if isinstance(operand, Literal):
            return None
        value = self.flow.head.get(operand, operand)
        if value is base or moves.is_open(value):
            return 0, 0
        if value in self.flow.slot:
            return moves.joined(value, lambda: self._joined(value, base, moves))
        node = self.flow.definition.get(value)
        if node is None or node.op not in ("py.add", "py.sub"):
            return None
        left, right = node.operands
        if node.op == "py.add" and isinstance(left, Literal):
            left, right = right, left
        low, high = self.interval(right) if is_int(right) else _INT64
        step = self._moved(left, base, moves)
        if step is None or max(abs(low), abs(high)) > _SMALL_STEP:
            return None
        return (step[0] + low, step[1] + high) if node.op == "py.add" else (step[0] - high, step[1] - low)

    def _joined(self, value: Value, base: Value, moves: Moves) -> Interval | None:
        """The same of what comes together in `value`."""
        found = [self._moved(source, base, moves) for source in self.flow.incoming(value)]
        known = [step for step in found if step is not None]
        if len(known) != len(found) or not known:
            return None
        return min(step[0] for step in known), max(step[1] for step in known)


def is_int(operand: Operand) -> bool:
    """True for Python's ints and NumPy's integers, values and constants."""
    type_ = operand.type
    return isinstance(type_, Scalar) and type_.dtype.kind in "i" and type_.dtype.itemsize == 8


def _clipped(interval: Interval) -> Interval:
    return max(interval[0], _INT64[0]), min(interval[1], _INT64[1])


def _by_positive(op: str, left: Interval, right: Interval) -> Interval:
    """Operations whose second operand is positive."""
    if op == "py.mod":
        return 0, right[1] - 1
    if op == "py.floordiv":
        quotients = [a // b for a in left for b in right]
        return min(quotients), max(quotients)
    if op == "py.and":
        return 0, right[1]
    if op == "py.mul":
        products = [a * b for a in left for b in right]
        return min(products), max(products)
    return _INT64
