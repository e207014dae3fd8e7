"""Dimensions: sizes of arrays that are known only at run time, as affine expressions of symbols.

A dimension is a plain ``int`` or a `Dim`, an affine form ``const + sum(coefficient * atom)``. An atom is a
symbol (the size of an argument's axis, or an integer value of the graph, by name) or a nonlinear term
(``max``, ``min``, ``//``, ``*``) of other dimensions. Equal forms compare equal, so ``u[:-2]`` and ``u[2:]``
are seen to have one size: ``max(n0 - 2, 0)``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sym:
    """A run-time integer by name; `low` is a known lower bound (0 for sizes), None if there is none."""

    name: str
    low: int | None = 0


@dataclass(frozen=True, slots=True)
class Term:
    """A nonlinear term: `function` is one of ``max min // *``, applied to two dimensions."""

    function: str
    left: int | Dim
    right: int | Dim


Atom = Sym | Term


@dataclass(frozen=True, slots=True)
class Dim:
    """The affine form ``const + sum(coefficient * atom)``; always has at least one term."""

    terms: tuple[tuple[Atom, int], ...]
    const: int = 0

    def __str__(self) -> str:
        return text(self)


Size = int | Dim


def symbol(name: str, low: int | None = 0) -> Dim:
    """The dimension that is the run-time integer `name`."""
    return Dim(((Sym(name, low), 1),))


def _make(terms: Mapping[Atom, int], const: int) -> Size:
    kept = [item for item in terms.items() if item[1]]
    if len(kept) > 1:
        kept.sort(key=_order)
    return Dim(tuple(kept), const) if kept else const


def _order(item: tuple[Atom, int]) -> tuple[int, str]:
    atom = item[0]
    return (0, atom.name) if isinstance(atom, Sym) else (1, _written(atom))


@functools.lru_cache(maxsize=4096)
def _written(term: Term) -> str:
    """What terms are sorted by: long ones take time to write."""
    return repr(term)


def add(left: Size, right: Size) -> Size:
    """``left + right``."""
    if isinstance(left, int):
        left, right = right, left
    if isinstance(left, int):
        return left + right if isinstance(right, int) else right
    if isinstance(right, int):
        return Dim(left.terms, left.const + right) if right else left
    terms = dict(left.terms)
    for atom, coefficient in right.terms:
        terms[atom] = terms.get(atom, 0) + coefficient
    return _make(terms, left.const + right.const)


def scale(size: Size, factor: int) -> Size:
    """``size * factor`` for a constant factor."""
    if isinstance(size, int):
        return size * factor
    return Dim(tuple((a, c * factor) for a, c in size.terms), size.const * factor) if factor else 0


def sub(left: Size, right: Size) -> Size:
    """``left - right``."""
    return add(left, scale(right, -1))


def mul(left: Size, right: Size) -> Size:
    """``left * right``."""
    if isinstance(left, int):
        return scale(right, left)
    if isinstance(right, int):
        return scale(left, right)
    first, second = sorted((left, right), key=text)
    return Dim(((Term("*", first, second), 1),))


def product(sizes: Iterable[Size]) -> Size:
    """The product of `sizes`, 1 of none."""
    one: Size = 1
    return functools.reduce(mul, sizes, one)


def floordiv(left: Size, right: int) -> Size:
    """``left // right`` for a constant right."""
    if isinstance(left, int):
        return left // right
    if right == 1:
        return left
    if all(c % right == 0 for _, c in left.terms) and left.const % right == 0:
        return _make({a: c // right for a, c in left.terms}, left.const // right)
    return Dim(((Term("//", left, right), 1),))


def maximum(left: Size, right: Size) -> Size:
    """``max(left, right)``, simplified where one side is known to win."""
    difference = sub(left, right)
    if (low := lower(difference)) is not None and low >= 0:
        return left
    if (high := lower(scale(difference, -1))) is not None and high >= 0:
        return right
    first, second = sorted((left, right), key=lambda s: (isinstance(s, int), text(s)))
    return Dim(((Term("max", first, second), 1),))


def minimum(left: Size, right: Size) -> Size:
    """``min(left, right)``, simplified where one side is known to win."""
    difference = sub(left, right)
    if (low := lower(difference)) is not None and low >= 0:
        return right
    if (high := lower(scale(difference, -1))) is not None and high >= 0:
        return left
    first, second = sorted((left, right), key=lambda s: (isinstance(s, int), text(s)))
    return Dim(((Term("min", first, second), 1),))


@functools.lru_cache(maxsize=16384)
def lower(size: Size) -> int | None:
    """A lower bound of `size`, or None when nothing is known."""
    found = _lower_by_atoms(size)
    return _lower_by_sides(size) if found is None and isinstance(size, Dim) else found


def _lower_by_atoms(size: Size) -> int | None:
    if isinstance(size, int):
        return size
    total = size.const
    for atom, coefficient in size.terms:
        if coefficient < 0 and isinstance(atom, Term) and atom.function == "//":
            return _lower_without(size, atom, coefficient)
        bound = _atom_low(atom)
        if coefficient < 0 or bound is None:
            return None
        total += coefficient * bound
    return total


def _lower_by_sides(size: Dim) -> int | None:
    """A lower bound by the sides of one ``max`` or ``min``: ``n - min(n, m)`` is at least ``n - n``."""
    for atom, coefficient in size.terms:
        if not isinstance(atom, Term) or atom.function not in ("max", "min"):
            continue
        rest = sub(size, Dim(((atom, coefficient),)))
        sides = (add(rest, scale(side, coefficient)) for side in (atom.left, atom.right))
        known = [bound for side in sides if (bound := _lower_by_atoms(side)) is not None]
        if known and (atom.function == "max") == (coefficient > 0):
            return max(known)
        if len(known) == 2:
            return min(known)
    return None


def _lower_without(size: Dim, quotient: Term, coefficient: int) -> int | None:
    """A lower bound of `size`, where ``left // right`` is taken away: that is at most ``left / right``."""
    if not isinstance(quotient.right, int) or quotient.right <= 0:
        return None
    rest = sub(size, Dim(((quotient, coefficient),)))
    bound = lower(add(scale(rest, quotient.right), scale(quotient.left, coefficient)))
    return None if bound is None else -(-bound // quotient.right)


def _atom_low(atom: Atom) -> int | None:
    if isinstance(atom, Sym):
        return atom.low
    left, right = lower(atom.left), lower(atom.right)
    if atom.function == "max":
        return max((b for b in (left, right) if b is not None), default=None)
    if left is None or right is None:
        return None
    if atom.function == "min":
        return min(left, right)
    if atom.function == "//":
        return left // right if right > 0 else None
    return left * right if left >= 0 and right >= 0 else None


def symbols(size: Size) -> set[str]:
    """Names of the run-time integers that `size` depends on."""
    found: set[str] = set()
    if isinstance(size, Dim):
        for atom, _ in size.terms:
            found |= {atom.name} if isinstance(atom, Sym) else symbols(atom.left) | symbols(atom.right)
    return found


def symbol_of(size: Size) -> str | None:
    """The name of the run-time integer that `size` is; None if it is made of several things."""
    if isinstance(size, int) or size.const or len(size.terms) != 1:
        return None
    ((atom, coefficient),) = size.terms
    return atom.name if isinstance(atom, Sym) and coefficient == 1 else None


def atoms(size: Size) -> Iterator[Sym]:
    """The symbols in `size`."""
    if isinstance(size, Dim):
        for atom, _ in size.terms:
            if isinstance(atom, Sym):
                yield atom
            else:
                yield from atoms(atom.left)
                yield from atoms(atom.right)


def substitute(size: Size, known: Mapping[str, Size]) -> Size:
    """`size` with the named symbols replaced."""
    if isinstance(size, int):
        return size
    result: Size = size.const
    for atom, coefficient in size.terms:
        result = add(result, scale(_substitute_atom(atom, known), coefficient))
    return result


def _substitute_atom(atom: Atom, known: Mapping[str, Size]) -> Size:
    if isinstance(atom, Sym):
        return known.get(atom.name, Dim(((atom, 1),)))
    left, right = substitute(atom.left, known), substitute(atom.right, known)
    if atom.function == "//":
        return floordiv(left, right) if isinstance(right, int) else Dim(((Term("//", left, right), 1),))
    table: dict[str, Callable[[Size, Size], Size]] = {"max": maximum, "min": minimum, "*": mul}
    return table[atom.function](left, right)


def evaluate(size: Size, known: Mapping[str, int]) -> int | None:
    """The number that `size` is for the given symbol values; None when one of them is missing."""
    result = substitute(size, known)
    return result if isinstance(result, int) else None


def text(size: Size, names: Mapping[str, str] | None = None) -> str:
    """Python source of `size`; `names` renames symbols."""
    if isinstance(size, int):
        return str(size)
    out = ""
    for atom, coefficient in sorted(size.terms, key=lambda item: item[1] < 0):
        body = _atom_text(atom, names or {})
        magnitude = abs(coefficient)
        piece = body if magnitude == 1 else f"{magnitude} * {body}"
        if not out:
            out = piece if coefficient > 0 else f"-{piece}"
        else:
            out += f" + {piece}" if coefficient > 0 else f" - {piece}"
    if size.const:
        out += f" + {size.const}" if size.const > 0 else f" - {-size.const}"
    return out


def _atom_text(atom: Atom, names: Mapping[str, str]) -> str:
    if isinstance(atom, Sym):
        return names.get(atom.name, atom.name)
    left, right = text(atom.left, names), text(atom.right, names)
    if atom.function in ("max", "min"):
        return f"{atom.function}({left}, {right})"
    return f"({wrapped(atom.left, left)} {atom.function} {wrapped(atom.right, right)})"


def wrapped(size: Size, source: str) -> str:
    """The source of `size` as a part of an expression."""
    simple = isinstance(size, int) or (len(size.terms) == 1 and size.terms[0][1] == 1 and not size.const)
    return source if simple else f"({source})"
