"""What is known of sizes while a function is traced, and what an example decides.

A question about sizes (are they equal, is one at most another, is it negative) is answered by a proof, else
by the example with a guard on the arguments, so that other arguments get a trace of their own. Where an
operation has a general form that costs nothing (a bound of a slice brought into its axis), nothing is asked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ..ir import dims
from ..ir.dims import Atom, Dim, Size, Sym, Term
from ..ir.nodes import Guard, Value

_DEPTH = 8
"""So many loops around an index are looked at, and so many extremes in each other."""

_OPPOSITE = {"lt": "ge", "ge": "lt", "gt": "le", "le": "gt", "eq": "ne", "ne": "eq"}

_CONDITIONS = 16
"""So many of the last conditions are looked at."""


@dataclass(slots=True)
class Questions:
    """Sizes with example values, the relations between them, and the guards that hold them."""

    sizes: dict[str, tuple[Value, int]] = field(default_factory=dict)
    hints: dict[str, int] = field(default_factory=dict)
    indices: dict[str, tuple[Size | None, Size]] = field(default_factory=dict)
    """The lowest and the highest number that the index of an open loop can be."""
    lows: dict[str, int] = field(default_factory=dict)
    """What int arguments are at least, by a guard on what was found in the example."""
    equal: dict[str, Size] = field(default_factory=dict)
    ordered: list[tuple[Size, Size]] = field(default_factory=list)
    """Pairs of sizes of which, in the example, the first is at most the second."""
    guards: list[Guard] = field(default_factory=list)
    params: set[str] = field(default_factory=set)
    compared: dict[str, tuple[str, Size, Size]] = field(default_factory=dict)
    """The comparisons of sizes, by the name of their truth."""
    shown: list[tuple[str, Size]] = field(default_factory=list)
    """What is "natural" (at least 0) or "not 0" by the conditions of the open blocks."""

    def settle(self, size: Size) -> Size:
        """`size` with the sizes found equal replaced by one representative."""
        return dims.substitute(size, self.equal) if self.equal else size

    def hint(self, size: Size) -> int | None:
        """The example's value of `size`, if it is known."""
        return dims.evaluate(size, self.hints)

    def guardable(self, size: Size) -> bool:
        """Whether `size` is known from the arguments, so that a guard can hold it."""
        return all(map(self._is_given, dims.symbols(size)))

    def _is_given(self, symbol: str) -> bool:
        return (self.sizes[symbol][0].name if symbol in self.sizes else symbol) in self.params

    def given_int(self, name: str) -> Dim:
        """An int argument as a size, which the example says is at least so much."""
        low = self.lows.get(name)
        if low is None or self.hints[name] < low:
            return dims.symbol(name, None)
        self.guards.append(Guard("at_most", low, dims.symbol(name, None)))
        return dims.symbol(name, low)

    # Order ------------------------------------------------------------------------------------------------

    def at_most(self, left: Size, right: Size) -> bool:
        """True when ``left <= right`` follows from the bounds of the loop indices in them."""
        room = self.settle(dims.sub(right, left))
        return self._is_natural(room, self._follows) or self._square(room)

    def is_ordered(self, left: Size, right: Size) -> bool:
        """True when ``left <= right`` always, or by a guard on what was found in the example."""
        return self._follows(self.settle(dims.sub(right, left)))

    def is_natural(self, size: Size) -> bool:
        """True when `size` is never negative, made so by a guard on the arguments if the example says so."""
        return self._is_natural(self.settle(size), self._decided)

    def _is_natural(self, size: Size, decide: Callable[[Size], bool], depth: int = _DEPTH) -> bool:
        """Whether `decide` says so of the lowest that `size` can be, as far as loop indices make it vary."""
        if _never_negative(size):
            return True
        if isinstance(size, int) or not depth:
            return False
        if (varying := self._varying(size)) is None:
            return decide(size)
        atom, coefficient = varying
        rest = dims.sub(size, Dim(((atom, coefficient),)))
        sides: list[Size | None]
        if isinstance(atom, Sym):
            first, last = self.indices[atom.name]
            sides, either = [last] if coefficient < 0 else [atom.low if first is None else first], True
        elif atom.function in ("max", "min"):
            sides, either = [atom.left, atom.right], (atom.function == "max") == (coefficient > 0)
        else:
            return False
        known = (side for side in sides if side is not None)
        sums = (self.settle(dims.add(rest, dims.scale(side, coefficient))) for side in known)
        return (any if either else all)(self._is_natural(s, decide, depth - 1) for s in sums)

    def is_shown(self, size: Size) -> bool:
        """True when `size` is not negative by the conditions of the open blocks, and only inside of them.

        A condition that never holds says nothing: from it anything would follow.
        """
        known = [self.settle(size) for what, size in self.shown[-_CONDITIONS:] if what == "natural"]
        return any(
            _never_negative(dims.sub(size, room)) and not _never_negative(dims.sub(-1, room))
            for room in known
        )

    def show(self, condition: str, holds: bool) -> None:
        """From here to the end of the open block a comparison of sizes holds, or doesn't."""
        sign, left, right = self.compared[condition]
        sign = sign if holds else _OPPOSITE[sign]
        room = dims.sub(right, left)
        if sign == "ne":
            self.shown.append(("not 0", room))
            for size in (room, dims.scale(room, -1)):
                settled = self.settle(size)
                if self.is_shown(settled) or self._is_natural(settled, self._follows):
                    self._show_natural(size)
        if sign in ("lt", "le", "eq"):
            self._show_natural(dims.sub(room, int(sign == "lt")))
        if sign in ("gt", "ge", "eq"):
            self._show_natural(dims.sub(dims.scale(room, -1), int(sign == "gt")))

    def _show_natural(self, size: Size) -> None:
        apart = [room for what, room in self.shown[-_CONDITIONS:] if what == "not 0"]
        if size in apart or dims.scale(size, -1) in apart:
            size = dims.sub(size, 1)
        self.shown.append(("natural", size))

    def _varying(self, size: Dim) -> tuple[Atom, int] | None:
        """The part of `size` that hangs on the innermost loop's index: an extreme with it, or the index."""
        for name in reversed(self.indices):
            found = [term for term in size.terms if name in dims.symbols(Dim(((term[0], 1),)))]
            if found:
                return max(found, key=lambda term: isinstance(term[0], Term))
        return None

    def _follows(self, room: Size) -> bool:
        """Whether `room` is at least 0 by what is known already."""
        if (low := dims.lower(room)) is not None and low >= 0:
            return True
        for less, more in self.ordered:
            bound = dims.lower(dims.sub(room, self.settle(dims.sub(more, less))))
            if bound is not None and bound >= 0:
                self.guards.append(Guard("at_most", less, more))
                return True
        return False

    def _decided(self, room: Size) -> bool:
        """Whether `room` is at least 0: what isn't known the example decides."""
        if self._follows(room):
            return True
        hint = self.hint(room)
        if hint is None or not self.guardable(room):
            return False
        if hint < 0:
            self._guard_order(*_sides(dims.sub(-1, room)))
            return False
        if not self._of_natural_numbers(room):
            less, more = _sides(room)
            self._order(less, more)
        return True

    def _of_natural_numbers(self, room: Size) -> bool:
        """Whether it is enough that int arguments aren't negative (or as large as a constant asks for)."""
        assert isinstance(room, Dim)
        unknown = {atom.name for atom in dims.atoms(room) if atom.low is None}
        if any((hint := self.hints.get(name)) is None or hint < 0 for name in unknown):
            return False
        low = dims.lower(dims.substitute(room, {name: dims.symbol(name) for name in unknown}))
        if low is not None and low >= 0:
            for name in sorted(unknown):
                self._order(0, dims.symbol(name, None))
                self.lows[name] = max(0, self.lows.get(name, 0))
            return bool(unknown)
        ((atom, coefficient), *more) = room.terms
        if more or not isinstance(atom, Sym) or coefficient != 1 or atom.name in self.sizes:
            return False
        self._order(-room.const, dims.symbol(atom.name, None))
        self.lows[atom.name] = max(-room.const, self.lows.get(atom.name, -room.const))
        return True

    def _order(self, less: Size, more: Size) -> None:
        if (less, more) not in self.ordered:
            self.ordered.append((less, more))
        self._guard_order(less, more)

    def _guard_order(self, less: Size, more: Size) -> None:
        self.guards.append(Guard("at_most", less, more))

    def _square(self, room: Size) -> bool:
        """Two axes of one size in the example (a square matrix) become one size by a guard."""
        if not isinstance(room, Dim) or room.const or sorted(c for _, c in room.terms) != [-1, 1]:
            return False
        if not dims.symbols(room) <= self.sizes.keys() or self.hint(room) != 0:
            return False
        one, other = (Dim(((atom, 1),)) for atom, _ in room.terms)
        return self.same_size(one, other)

    # Equality ---------------------------------------------------------------------------------------------

    def same_size(self, left: Size, right: Size) -> bool:
        """True when the two sizes are equal, made so by a guard on the arguments if the example says so."""
        left, right = self.settle(left), self.settle(right)
        if left == right:
            return True
        if not (self.guardable(left) and self.guardable(right)):
            return self._same_inside(left, right)
        if self.hint(left) != self.hint(right):
            return self._differ(left, right)
        one, other = self._roots(left, right)
        if one == left:
            one, other = self._without_extremes(left), self._without_extremes(right)
        if one != other:
            self.assume_equal(one, other)
        return True

    def _same_inside(self, left: Size, right: Size) -> bool:
        """Whether sizes that hang on indices of loops are equal: their difference may not."""
        one, other = self._without_extremes(left), self._without_extremes(right)
        difference = self.settle(dims.sub(one, other))
        if isinstance(difference, int):
            return difference == 0
        if not self.guardable(difference) or (hint := self.hint(difference)) is None:
            return False
        if hint:
            return self._differ(*_sides(difference))
        self.assume_equal(*_sides(difference))
        return True

    def _differ(self, left: Size, right: Size) -> bool:
        """Two sizes are not equal in the example: where they are, there may be more to compile."""
        if None not in (self.hint(left), self.hint(right)):
            self.guards.append(Guard("unequal", left, right))
        return False

    def _roots(self, left: Size, right: Size) -> tuple[Size, Size]:
        """``max(n0 - 2, 0) == max(m0 - 2, 0)`` follows from ``n0 == m0``: the simpler guard, if it holds."""
        ours, theirs = dims.symbols(left), dims.symbols(right)
        if len(ours) == len(theirs) == 1:
            one, other = ours.pop(), theirs.pop()
            if (
                self.hints.get(one) == self.hints.get(other)
                and dims.substitute(left, {one: dims.symbol(other)}) == right
            ):
                return dims.symbol(one), dims.symbol(other)
        return left, right

    def _without_extremes(self, size: Size) -> Size:
        """`size` with ``max`` and ``min`` of several sizes replaced by what they are in the example.

        Where sizes have to agree, few orders of their parts make them: in ``z[:, 2 * n : 3 * n] * c`` the
        axis of z is at least ``3 * n`` long. Extremes of one size and numbers, which any size can have, stay.
        """
        if isinstance(size, int):
            return size
        result: Size = size.const
        for atom, coefficient in size.terms:
            part: Size = Dim(((atom, 1),))
            if isinstance(atom, Term) and atom.function in ("max", "min"):
                part = self._chosen(atom)
            result = dims.add(result, dims.scale(part, coefficient))
        return result

    def _chosen(self, extreme: Term) -> Size:
        left, right = self._without_extremes(extreme.left), self._without_extremes(extreme.right)
        difference = dims.sub(right, left)
        if len(dims.symbols(difference)) > 1:
            for low, high in ((left, right), (right, left)):
                if self.is_natural(dims.sub(high, low)):
                    return high if extreme.function == "max" else low
        return dims.maximum(left, right) if extreme.function == "max" else dims.minimum(left, right)

    def known(self, size: Size, value: int) -> bool:
        """True when `size` is `value` in the example and a guard can hold it there."""
        size = self.settle(size)
        if isinstance(size, int):
            return size == value
        if self.hint(size) != value or not self.guardable(size):
            return False
        self.assume_equal(size, value)
        return True

    def is_one(self, size: Size) -> bool | None:
        """Whether `size` is 1, which a guard holds to what it is in the example; None if that can't be."""
        size = self.settle(size)
        if isinstance(size, int):
            return size == 1
        if self.known(size, 1):
            return True
        low = dims.lower(size)
        if low is not None and low > 1:
            return False
        if self.hint(size) is None or not self.guardable(size):
            return None
        self.guards.append(Guard("unequal", size, 1))
        return False

    def assume_equal(self, left: Size, right: Size) -> None:
        """Record a guard and use one representative from now on."""
        left, right = self._multiplied(left, right)
        self.guards.append(Guard("equal", left, right))
        if (found := _solved(left, right)) is not None:
            name, value = found
            self.equal = {k: dims.substitute(v, {name: value}) for k, v in self.equal.items()}
            self.equal[name] = value

    def _multiplied(self, left: Size, right: Size) -> tuple[Size, Size]:
        """``m == 4 * n`` for ``n == m // 4``, in place of a guard that has it that m is a multiple of 4."""
        for one, other in ((left, right), (right, left)):
            atom = other.terms[0][0] if isinstance(other, Dim) else None
            if not isinstance(atom, Term) or atom.function != "//" or other != Dim(((atom, 1),)):
                continue
            if isinstance(atom.right, int):
                whole = Guard("equal", dims.scale(other, atom.right), atom.left)
                if whole in self.guards:
                    self.guards = [guard for guard in self.guards if guard != whole]
                    return atom.left, dims.scale(one, atom.right)
        return left, right


def _sides(difference: Size) -> tuple[Size, Size]:
    """What stands with a minus, and what stands with a plus: ``n - m + 1`` is ``(m, n + 1)``."""
    terms, const = ((), difference) if isinstance(difference, int) else (difference.terms, difference.const)
    less: Size = max(-const, 0)
    more: Size = max(const, 0)
    for atom, coefficient in terms:
        part = Dim(((atom, abs(coefficient)),))
        less, more = (dims.add(less, part), more) if coefficient < 0 else (less, dims.add(more, part))
    return less, more


def _solved(left: Size, right: Size) -> tuple[str, Size] | None:
    """A symbol and what it is if the two sizes are equal: one side, or the rest of their difference.

    A symbol that may be negative gives way to one that is a size, never the other way round.
    """
    for one, other in ((right, left), (left, right)):
        if isinstance(one, Dim) and len(one.terms) == 1 and one.terms[0][1] == 1 and not one.const:
            atom = one.terms[0][0]
            if isinstance(atom, Sym) and atom.name not in dims.symbols(other) and _as_low(other, atom):
                return atom.name, other
    difference = dims.sub(left, right)
    for atom, coefficient in difference.terms if isinstance(difference, Dim) else ():
        if isinstance(atom, Sym) and coefficient in (1, -1):
            value = dims.scale(dims.sub(difference, Dim(((atom, coefficient),))), -coefficient)
            if atom.name not in dims.symbols(value) and _as_low(value, atom):
                return atom.name, value
    return None


def _as_low(value: Size, atom: Sym) -> bool:
    """Whether `value` is known to be at least what `atom` is."""
    low = dims.lower(value)
    return atom.low is None or (low is not None and low >= atom.low)


def _never_negative(size: Size) -> bool:
    low = dims.lower(size)
    return low is not None and low >= 0
