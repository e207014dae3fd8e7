"""Loops of a graph, followed for relations: along the axis, one by one, or until nothing changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..graph.analysis.around import body_of, else_of
from ..graph.analysis.flow import endings_of
from ..graph.ir.nodes import Node, Value, walk
from ..graph.ops.facts import head_of, is_break, is_counted, test_of
from .elements import Number, used
from .frames import Frame, Known, Memory, NotLocal, Way
from .places import END, Place, known, minus, plus
from .relations import UNIFORM, Along, Everywhere, Relation, united
from .sections import OwnMemory, Picked, Section, Spanned, joined, read, shape_of_both

if TYPE_CHECKING:
    from .locality import Follower

SHORT = 8
"""Loops of so many iterations, or fewer, are followed one by one."""
ROUNDS = 8
"""A loop's state has settled after so many rounds, or is taken to be made of everything."""
ALL_STEPS = 100_000
"""Longer loops are followed one by one if that takes no more steps than these."""


MOST_ITERATIONS = 100
"""A loop that can't be followed in any state is followed one iteration after the other, if it has no more."""


class Unsettled(Exception):
    """The state of a loop goes on changing."""


class FollowedLoop:
    """Follows one loop of a graph."""

    def __init__(self, follower: Follower, node: Node) -> None:
        self.follower = follower
        self.node = node
        self.loc = node.loc
        self.body = body_of(node)
        self.news = False
        self.merged: set[OwnMemory] = set()
        self.changed = self._changed()
        self.initial = [follower.known(operand) for operand in node.operands[head_of(node) :]]

    def _changed(self) -> list[bool]:
        """For each variable of the state, whether an iteration may hand on another value than it got."""
        count = len(self.node.results)
        params = self.body.params[len(self.body.params) - count :]
        ends = [end.operands for end in endings_of(self.body) if not is_break(end)]
        return [any(end[k] is not param for end in ends) for k, param in enumerate(params)]

    def follow(self) -> bool:
        """Follow all iterations, and say whether anything goes on after the loop."""
        return self._counted() if is_counted(self.node) else self._tested()

    # Loops over a range

    def _counted(self) -> bool:
        follower = self.follower
        start, stop, step = (follower.number(operand) for operand in self.node.operands[:3])
        indices = _indices(start.place, stop.place, step.place)
        if indices is not None and len(indices) <= SHORT:
            return self._one_by_one(indices)
        if (skipped := self._along(start.place, stop.place, step.place)) is not None:
            index = self.body.params[0]
            follower.ranges = {**follower.ranges, index: skipped}
            return self._until_settled(Number(place=Place(index, 0, 0)), index)
        asked = united([used(number, self.loc) for number in (start, stop, step)], self.loc)
        if indices is None:
            with follower.under(asked):
                return self._until_settled(Number(asked), None, hangs_on=asked)
        ends = sorted((indices[0], indices[-1]), key=lambda place: place.low)
        place = Place(ends[0].base, ends[0].low, ends[1].high)
        steps = len(indices) * sum(1 for _ in walk(self.body))
        before = dict(follower.memory)
        try:
            return self._until_settled(Number(place=place), None, strict=steps <= ALL_STEPS)
        except (Unsettled, NotLocal):
            if steps > ALL_STEPS or len(indices) > MOST_ITERATIONS:
                raise
            follower.memory = before
            return self._one_by_one(indices)

    def _along(self, start: Place | None, stop: Place | None, step: Place | None) -> tuple[int, int] | None:
        """The first and last places that a loop along the axis leaves out; None if it isn't one."""
        if start is None or stop is None or step is None or step.number not in (1, -1):
            return None
        if step.number == -1:
            start, stop = plus(stop, known(1)), plus(start, known(1))
        if start is None or stop is None or start.number is None or start.low < 0:
            return None
        if stop.base != END or not stop.is_plain:
            return None
        self.follower.places.asks(start.low - stop.low + 1)
        return start.low, -stop.low

    def _one_by_one(self, indices: Sequence[Place]) -> bool:
        follower, state = self.follower, self.initial
        ways: list[Way] = []
        frame = Frame(self.node)
        for index in indices:
            goes_on, left = self._iteration([Number(place=index), *state], frame)
            ways += left
            if goes_on is None:
                break
            state = goes_on
        else:
            ways += self._else(state, follower.memory, frame.hangs_on)
        return follower.after(self.node, ways, frame.hangs_on)

    def _else(self, state: list[Known], memory: Memory, hangs_on: Sequence[Relation]) -> list[Way]:
        """What a loop gives that came to its end; nothing, if its `else` never does."""
        region = else_of(self.node)
        if region is None:
            return [(state, memory)]
        self.follower.memory = dict(memory)
        for param, value in zip(region.params, state, strict=False):
            self.follower.define(param, value)
        with self.follower.under(united(hangs_on, self.loc)):
            values = self.follower.block(region)
        return [] if values is None else [(values, self.follower.memory)]

    def _iteration(self, params: list[Known], frame: Frame) -> tuple[list[Known] | None, list[Way]]:
        """One iteration: the state after it (None: it never ends), and what has left the loop by `break`."""
        follower = self.follower
        for param, value in zip(self.body.params, params, strict=True):
            follower.define(param, value)
        frame.ends, frame.skips = [], []
        follower.frames.append(frame)
        follower.forget_pieces()
        values = follower.block(self.body)
        follower.forget_pieces()
        follower.frames.pop()
        if frame.along is not None and frame.read_round & frame.written:
            raise NotLocal("it reads beyond an end what the loop writes, now or later", self.loc)
        left = [way for node, way in frame.ends if is_break(node)]
        again = [way for node, way in frame.ends if not is_break(node)]
        if values is not None:
            again.append((values, follower.memory))
        if not again:
            return None, left
        asked = united([*frame.hangs_on, *frame.skips], self.loc)
        values, follower.memory = follower.one_of(again, asked, self.loc)
        frame.skips = []
        return values, left

    # Loops of which nobody knows how often they run

    def _until_settled(
        self, index: Number | None, along: Value | None, strict: bool = False, hangs_on: Relation = UNIFORM
    ) -> bool:
        """Follow iterations until one more changes nothing; `along` is the index of a loop along the axis.

        Raises:
            Unsettled: they go on changing, and `strict` says not to take that for a dependence on everything.
        """
        follower = self.follower
        state, memory = self.initial, dict(follower.memory)
        asked = hangs_on
        for round_ in range(3 * ROUNDS):
            if strict and round_ >= ROUNDS:
                raise Unsettled
            follower.memory = dict(memory)
            frame = Frame(self.node, hangs_on=[asked], along=along)
            values, left = self._round(index, state, frame)
            before, asked = asked, self._behind(united(frame.hangs_on, self.loc), along)
            leaves = [self._left(way, frame, memory) for way in left]
            grown, kept = state, memory
            if values is not None:
                way = self._left((values, follower.memory), frame, memory)
                grown, kept = self._grown((state, memory), way, asked, round_ >= ROUNDS)
            news, self.news = self.news, False
            if (grown, kept, asked) == (state, memory, before) and not news:
                return follower.after(self.node, [*leaves, *self._else(state, memory, [asked])], [asked])
            state, memory = grown, kept
        raise NotLocal("nobody knows what its iterations hand on to one another", self.loc)

    def _round(
        self, index: Number | None, state: list[Known], frame: Frame
    ) -> tuple[list[Known] | None, list[Way]]:
        """One iteration of a loop in any state."""
        follower, test = self.follower, test_of(self.node)
        if test is None:
            return self._iteration([*([index] if index else ()), *state], frame)
        for param, value in zip(test.params, state, strict=False):
            follower.define(param, value)
        answer = follower.block(test)
        asked = follower.relation(answer[0], self.loc) if answer else Everywhere("its test fails", self.loc)
        frame.hangs_on.append(asked)
        return self._iteration(list(state), frame)

    def _behind(self, relation: Relation, along: Value | None) -> Relation:
        """What goes along the loop is behind it something of all of its places."""
        if along is not None and isinstance(relation, Along) and relation.axis == along:
            return Everywhere("it hands something on from one place of the axis to the next", self.loc)
        return relation

    def _left(self, way: Way, frame: Frame, memory: Memory) -> Way:
        """What an iteration hands on to the next one, or to what is behind the loop."""
        values, kept = way
        along = frame.along
        if along is None:
            return values, {buffer: kept[buffer] for buffer in kept if buffer in memory} | {
                value.buffer: kept[value.buffer] for value in values if isinstance(value, Section)
            }
        why = Everywhere("it hands something on from one place of the axis to the next", self.loc)
        found: list[Known] = []
        for value, changes in zip(values, self.changed, strict=True):
            if isinstance(value, Number):
                moves = value.place is not None and value.place.base == along
                relation = why if moves or changes else self._behind(value.relation, along)
                found.append(Number(relation, None if moves or changes else value.place))
            elif changes or value.buffer not in memory or any(_is_at(axis, along) for axis in value.axes):
                raise NotLocal("it hands an array on from one place of the axis to the next", self.loc)
            else:
                found.append(value)
        return found, {
            buffer: why if buffer in frame.touched else self._behind(kept[buffer], along) for buffer in memory
        }

    def _grown(self, before: Way, after: Way, asked: Relation, ends: bool) -> Way:
        """The state at the loop's head: as it was before, or as an iteration leaves it."""
        why = Everywhere("an iteration needs what those before it have made", self.loc)
        values: list[Known] = []
        for one, other in zip(before[0], after[0], strict=False):
            if isinstance(one, Number) and isinstance(other, Number):
                values.append(self._grown_number(one, other, asked, why if ends else None))
            elif isinstance(one, Section) and isinstance(other, Section):
                values.append(self._grown_array(one, other, before[1], after[1], asked))
            else:
                raise NotLocal("a variable is an array or a number, as the iteration says", self.loc)
        memory = {}
        merged = {value.buffer for value in values if isinstance(value, Section)} - set(before[1])
        for buffer in [*before[1], *merged]:
            relation = before[1].get(buffer, UNIFORM)
            grown = joined(relation, after[1].get(buffer, relation), self.loc)
            widens = ends and grown != relation and not isinstance(grown, Everywhere)
            memory[buffer] = why if widens else grown
        return values, memory

    def _grown_array(
        self, one: Section, other: Section, before: Memory, after: Memory, asked: Relation
    ) -> Section:
        """The array at the loop's head: `one`, or what an iteration leaves, which is another one."""
        if one == other:
            return one
        follower, places = self.follower, self.follower.places
        first = read(one, before[one.buffer], self.loc, places)
        second = read(other, after[other.buffer], self.loc, places)
        relation = united([first, second, asked], self.loc)
        merged = one
        same = one.shape == other.shape
        if one.buffer in self.merged:
            self.news |= follower.share(one.buffer, other.buffer) and other.buffer in before
            if not same and any(size is not None for size in one.shape):
                raise NotLocal("arrays of several sizes change places", self.loc)
        else:
            merged = follower.unknown(shape_of_both(one, other), relation, one.buffer, other.buffer)
            self.merged.add(merged.buffer)
        after[merged.buffer] = relation
        return merged

    def _grown_number(self, one: Number, other: Number, asked: Relation, why: Relation | None) -> Number:
        if one.place is not None and one.place == other.place:
            return Number(place=one.place)
        relation = united([used(one, self.loc), used(other, self.loc), asked], self.loc)
        if why is not None and relation != one.relation and not isinstance(relation, Everywhere):
            relation = why
        return Number(relation)

    # Loops with a test

    def _tested(self) -> bool:
        """A loop with a test: one by one as long as the answer is known, else until nothing changes."""
        follower, before = self.follower, dict(self.follower.memory)
        state, ways, frame = self.initial, list[Way](), Frame(self.node)
        for _ in range(64):
            truth, test = None, test_of(self.node)
            for param, value in zip(test.params if test else (), state, strict=False):
                follower.define(param, value)
            answer = follower.block(test) if test else None
            if answer and isinstance(answer[0], Number):
                truth = answer[0].truth
            if truth is None or frame.hangs_on:
                break
            if not truth:
                return follower.after(
                    self.node, [*ways, *self._else(state, follower.memory, frame.hangs_on)], frame.hangs_on
                )
            goes_on, left = self._iteration(list(state), frame)
            ways += left
            if goes_on is None:
                return follower.after(self.node, ways, frame.hangs_on)
            state = goes_on
        follower.memory = before
        return self._until_settled(None, None)


def _indices(start: Place | None, stop: Place | None, step: Place | None) -> list[Place] | None:
    """The index of each iteration, if they are known."""
    length = minus(stop, start)
    if start is None or length is None or length.number is None or step is None or not step.number:
        return None
    if not start.is_plain or len(range(0, length.number, step.number)) > 10**5:
        return None
    found = (plus(start, known(number)) for number in range(0, length.number, step.number))
    return [place for place in found if place is not None]


def _is_at(axis: Picked | Spanned, along: Value) -> bool:
    """Whether the part of an axis hangs on the index."""
    place = axis.place if isinstance(axis, Picked) else axis.start
    return place is not None and place.base == along
