"""Where blocks are cut: the halo that they get, and the part of a block's result that is its own.

A block of the places p ... q of an axis is extended by `before` and `after` places, but not beyond the axis'
ends (unless it goes round). Of what the function gives for it, the elements p + shift ... q + shift of the
whole result are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .relations import Along


@dataclass(frozen=True)
class Cut:
    """How one axis of one result is put together.

    Attributes:
        before, after: how many places more than their own blocks need.
        shift: the first element of a block's own, counted from its first place; the ends have what is left.
        longer: how much longer the result is than the axis.
    """

    before: int
    after: int
    shift: int
    longer: int


def cut_of(relation: Along, longer: int) -> Cut:
    """The smallest halo for a result that goes along the axis and is `longer` than it.

    Element j is made of the places j + low ... j + high. The first `left` ones and the last `right` ones are
    right at the ends of the axis only, so that they must not be a block's own elsewhere.
    """
    before = max(-relation.low, relation.left)
    after = max(relation.high, relation.right - longer)
    shift = min(max(0, -after), before)
    return Cut(before - shift, after + shift, shift, longer)


@dataclass(frozen=True)
class Axis:
    """An axis that is cut.

    Attributes:
        chunks: the lengths of the blocks.
        before, after: the halo.
        goes_round: the halo of the first block is the end of the last one.
    """

    chunks: tuple[int, ...]
    before: int
    after: int
    goes_round: bool

    def lengths(self) -> list[int]:
        """How long the blocks are with their halo."""
        last = len(self.chunks) - 1
        before = [self.before if number or self.goes_round else 0 for number in range(last + 1)]
        after = [self.after if number < last or self.goes_round else 0 for number in range(last + 1)]
        return [sum(parts) for parts in zip(before, self.chunks, after, strict=True)]

    def own_parts(self, cut: Cut) -> list[tuple[int, int]]:
        """For each block with its halo: the first element of its result that is its own, and how many are."""
        total, place, parts = sum(self.chunks), 0, []
        for number, size in enumerate(self.chunks):
            first, last = place + cut.shift, place + size + cut.shift
            if not self.goes_round:
                first = first if number else 0
                last = last if number < len(self.chunks) - 1 else total + cut.longer
            extended = place - self.before if self.goes_round or number else 0
            parts.append((first - extended, last - first))
            place += size
        return parts


def least_chunk(cuts: Iterable[Cut], ends: Iterable[int], need: int) -> int:
    """The fewest places that a block may have."""
    asked = [need, 1, *ends]
    for cut in cuts:
        asked += [cut.before, cut.after, cut.shift, cut.shift - cut.longer]
    return max(asked)


def no_shorter(chunks: Sequence[int], least: int) -> tuple[int, ...]:
    """The chunks, where those shorter than `least` are put together with what stands beside them."""
    found: list[int] = []
    for size in chunks:
        if found and found[-1] < least:
            found[-1] += size
        else:
            found.append(size)
    if len(found) > 1 and found[-1] < least:
        last = found.pop()
        found[-1] += last
    return tuple(found)
