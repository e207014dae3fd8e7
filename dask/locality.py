"""Which places of an axis that is cut into blocks the results of a graph are made of: it is followed.

`results_of` runs the graph on relations (`relations.py`) in place of values, node by node, for one axis:
loops along the axis once for all of its places, short loops as often as they run, others until nothing
changes.
Where it can't follow, what the graph makes there is `Everywhere`, or `NotLocal` is raised.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from ..graph.ir import dims
from ..graph.ir.dims import Size
from ..graph.ir.nodes import NOWHERE, Block, Graph, Literal, Loc, Node, Operand, Value
from ..graph.ir.types import Array
from ..graph.ops import OPS
from ..graph.ops.define import OPAQUE
from ..graph.ops.facts import (
    draws,
    first_index,
    grows,
    is_assign,
    is_branch,
    is_break,
    is_call,
    is_compiled_loop,
    is_copy,
    is_drawn,
    is_ending,
    is_enter,
    is_gradient_rule,
    is_load,
    is_loop,
    is_numpy_call,
    is_plain_view,
    is_python,
    is_raise,
    is_recursion,
    is_return,
    is_size,
    is_unit,
    is_view,
    is_write,
    is_yield,
    prints_numbers,
)
from .calls import CallOperand, CallResult, made_by_call
from .elements import Number, constant, in_other_shape, number_of, of_sizes, relation_of, used
from .frames import Frame, Known, Memory, NotLocal, Result, Way, has_place, sizes_of
from .loops import FollowedLoop
from .places import Place, Places, hull, known
from .relations import UNIFORM, Along, Everywhere, Relation, Uniform, united
from .rolls import Piece, piece_of
from .sections import (
    OwnMemory,
    Section,
    element,
    is_all,
    is_told_by,
    is_whole_axis,
    joined,
    read,
    shape_of,
    shape_of_both,
    through,
    whole,
    written,
)

STEPS = 200_000
"""So many nodes are looked at, and no more."""


def results_of(
    graph: Graph, cut: Mapping[Value, int], sizes: Mapping[str, Place | None], goes_round: bool = False
) -> tuple[list[Result], int]:
    """What the results of a graph are made of, and the least length of the axis for which that holds.

    Args:
        graph: what a function does.
        cut: for each array among the parameters that has it, which of its axes is the axis that is cut.
        sizes: the places that size symbols and int parameters are; `END` is the base of the axis' length.
        goes_round: the places behind the last one are the first ones, as `np.roll` has it. Results that are
            made in another way at the ends of the axis aren't right then.

    Raises:
        NotLocal: the graph does what can't be followed.
    """
    follower = Follower(graph, cut, Places(sizes, goes_round))
    results = follower.run(graph)
    return results, follower.places.need


class Follower:
    """Follows one graph along one axis.

    Attributes:
        places: the ints that are known.
        memory: what each array's memory is made of, now.
        ranges: how many first and last places each loop along the axis leaves out.
        frames: what jumps may leave, the innermost last.
        steps: how many nodes were looked at.
    """

    def __init__(self, graph: Graph, cut: Mapping[Value, int], places: Places) -> None:
        self.places = places
        self._pieces: dict[OwnMemory, Piece] = {}
        self.memory: Memory = {}
        self.ranges: dict[Value, tuple[int, int]] = {}
        self.frames = [Frame(None)]
        self.steps = 0
        self._values: dict[Value, Known] = {}
        self._numbers: dict[str, Number] = {}
        self._lines: dict[Value, Loc] = {}
        self._origins: dict[OwnMemory, set[OwnMemory]] = {}
        self._looked_at: dict[OwnMemory, list[OwnMemory]] = {}
        self._conditions: list[Relation] = []
        self._raises = False
        self._callers: set[OwnMemory] = set()
        self._given = set(graph.params)
        self._found = {name for name, (value, _) in graph.sizes.items() if value not in self._given}
        self._sizes: dict[Value, list[tuple[str, int]]] = {}
        for name, (value, axis) in graph.sizes.items():
            self._sizes.setdefault(value, []).append((name, axis))
        for param in graph.params:
            if isinstance(param.type, Array):
                section = self._new(
                    shape_of(param, self.places), Along(cut[param]) if param in cut else UNIFORM
                )
                self._callers.add(section.buffer)
                self.define(param, section)
            else:
                self.define(param, Number(place=places.of_name.get(param.name)))

    def run(self, graph: Graph) -> list[Result]:
        """Follow all of it.

        Raises:
            NotLocal: something can't be followed.
        """
        self.block(graph.body)
        returns = [end for end in self.frames[0].ends if is_return(end[0])]
        if len(returns) != 1:
            loc = returns[0][0].loc if returns else graph.body.ending.loc
            raise NotLocal("it returns in several places", loc)
        ((node, (values, self.memory)),) = returns
        results = []
        for operand, value in zip(node.operands, values, strict=True):
            loc = self._lines.get(operand, node.loc)  # type: ignore[arg-type]
            relation = united([self.relation(value, loc), *self.frames[0].hangs_on], loc)
            results.append(Result(relation, value.shape if isinstance(value, Section) else ()))
            if self._raises and not isinstance(relation, Along):
                raise NotLocal("it may raise at a place of which this result isn't made", loc)
        return results

    # Values

    def _new(self, shape: tuple[Place | None, ...], relation: Relation, is_known: bool = True) -> Section:
        buffer = OwnMemory(shape, is_known)
        self.memory[buffer] = relation
        return whole(buffer)

    def define(self, value: Value, known: Known) -> None:
        """From now on `value` is that."""
        self._values[value] = known
        if isinstance(known, Number):
            self.places.of_name[value.name] = known.place
            self._numbers[value.name] = known
            return
        for name, axis in self._sizes.get(value, ()):
            self.places.of_name.setdefault(name, None)
            if value not in self._given:
                self.places.of_name[name] = known.shape[axis]

    def known(self, operand: Operand) -> Known:
        """What is known of an operand."""
        return constant(operand.value) if isinstance(operand, Literal) else self._values[operand]

    def number(self, operand: Operand) -> Number:
        """What is known of an operand that is no array with axes."""
        found = self.known(operand)
        return found if isinstance(found, Number) else Number(self.relation(found, NOWHERE))

    def section(self, operand: Operand) -> Section:
        """What is known of an array."""
        found = self.known(operand)
        assert isinstance(found, Section), operand
        return found

    def relation(self, known: Known, loc: Loc) -> Relation:
        """What a value is made of."""
        if isinstance(known, Number):
            return used(known, loc)
        return read(known, self.memory[known.buffer], loc, self.places)

    def _control(self, loc: Loc) -> Relation:
        """What it hangs on whether this runs."""
        early = [relation for frame in self.frames for relation in (*frame.hangs_on, *frame.skips)]
        return united([*self._conditions, *early], loc)

    def _indices(
        self,
        operands: Sequence[Operand],
        loc: Loc,
        section: Section | None = None,
        axes: Mapping[int, int] | None = None,
    ) -> tuple[list[Place | None], Relation]:
        """The places that operands are, and what those that are none are made of.

        `section` is what is read at these places; `axes` says which of its axes an operand is for, where that
        isn't in order.
        """
        places: list[Place | None] = []
        relations = []
        for k, operand in enumerate(operands):
            number = self.number(operand)
            axis = k if axes is None else axes.get(k)
            places.append(self._inside(number.place, section, axis))
            if number.place is None:
                relations.append(number.relation)
        return places, united(relations, loc)

    def _inside(self, place: Place | None, section: Section | None, axis: int | None) -> Place | None:
        """The place, if it is one of the axis: below 0 it would be one at the other end."""
        if place is None or not isinstance(place.base, Value):
            return place
        first = place.least if place.left else self.ranges[place.base][0] + place.low
        self.places.asks(-first)
        if first >= 0 and not place.is_round:
            return place
        if not self.places.goes_round or section is None or axis is None or not is_whole_axis(section, axis):
            return None
        for frame in self.frames:
            frame.read_round.add(section.buffer)
        return place

    def _told_by_sizes(self, sizes: Iterable[Size], loc: Loc) -> Relation:
        """What sizes and bounds are made of that are no places."""
        names = {name for size in sizes if self.places.of(size) is None for name in dims.symbols(size)}
        relations = [used(self._numbers[name], loc) for name in sorted(names) if name in self._numbers]
        if any(self._is_length(name) for name in names):
            relations.append(Everywhere("it takes a part of an array by the axis' length", loc))
        return united(relations, loc)

    # Nodes

    def block(self, block: Block) -> list[Known] | None:
        """Follow a block: what it yields, or None if it never comes to its end."""
        for node in block.nodes:
            self.steps += 1
            if self.steps > STEPS:
                raise NotLocal("it takes too long to be followed", node.loc)
            if not is_ending(node):
                if not self._node(node):
                    return None
            elif is_yield(node):
                return [self.known(operand) for operand in node.operands]
            elif is_raise(node):
                self._raise(node)
            else:
                self._jump(node)
        return None

    def _raise(self, node: Node) -> None:
        """An exception of a block is one of the whole, if it hangs on the block's own places."""
        asked = self._control(node.loc)
        if isinstance(asked, Uniform):
            return
        index = asked.axis if isinstance(asked, Along) and asked == Along(asked.axis) else None
        everywhere = isinstance(index, Value) and self.ranges[index] == (0, 0)
        if not everywhere or self.places.goes_round:
            raise NotLocal("whether it raises hangs on more than a block has", node.loc)
        self._raises = True

    def _jump(self, node: Node) -> None:
        frame = self.frames[-1]
        asked = self._control(node.loc)
        if is_return(node):
            for frame in reversed(self.frames):
                if frame.node is None or is_call(frame.node):
                    break
                if is_loop(frame.node):
                    raise NotLocal("it returns from inside of a loop", node.loc)
        if is_break(node) and frame.along is not None:
            asked = Everywhere("it leaves the loop at one place of the axis", node.loc)
        (frame.hangs_on if is_return(node) or is_break(node) else frame.skips).append(asked)
        values = [self.known(operand) for operand in node.operands]
        frame.ends.append((node, (values, dict(self.memory))))

    def _node(self, node: Node) -> bool:
        """Follow a node; False if nothing behind it runs."""
        self._lines.update(dict.fromkeys(node.results, node.loc))
        if node.regions or is_recursion(node):
            return self._with_regions(node)
        if is_size(node):
            self._size(node)
        elif is_load(node):
            self._load(node)
        elif is_write(node):
            self._write(node)
        elif is_view(node):
            self._view(node)
        else:
            self._computed(node)
        return True

    def _size(self, node: Node) -> None:
        size = node.attrs["size"]
        place = self.places.of(size)
        parts = [self._numbers[name] for name in dims.symbols(size) if name in self._numbers]
        relation = united([used(number, node.loc) for number in parts], node.loc)
        if place is None and any(self._is_length(name) for name in dims.symbols(size)):
            relation = Everywhere("it computes with the length of the axis", node.loc)
        self.define(node.results[0], Number(relation if place is None else UNIFORM, place))

    def _is_length(self, name: str) -> bool:
        """Whether a name is that of a length that hangs on the axis, or may do so."""
        place = self.places.of_name.get(name)
        return name not in self._numbers and (name in self._found if place is None else place.is_long)

    def _load(self, node: Node) -> None:
        section = self.section(node.operands[0])
        indices, told = self._indices(node.operands[1 : 1 + len(section.shape)], node.loc, section)
        one = element(section, indices, self.places)
        has_place(one, node)
        found = self.relation(one, node.loc)
        self.define(node.results[0], Number(united([found, told], node.loc)))

    def _write(self, node: Node) -> None:
        if is_enter(node):
            raise NotLocal("it has a table that grows", node.loc)
        section, value = self.section(node.operands[0]), node.operands[1]
        if (
            self.places.goes_round
            and is_assign(node)
            and self._goes_round(section, self.known(value), node.loc)
        ):
            return
        relation = self.relation(self.known(value), node.loc)
        if is_assign(node):
            new = len(section.shape) - (value.type.ndim if isinstance(value.type, Array) else 0)
            if isinstance(relation, Along) and isinstance(relation.axis, int):
                relation = replace(relation, axis=relation.axis + new)
        else:
            indices, told = self._indices(node.operands[2 : 2 + len(section.shape)], node.loc)
            section, relation = element(section, indices, self.places), united([relation, told], node.loc)
            has_place(section, node)
        self._put(section, relation, node.loc)

    def _goes_round(self, target: Section, source: Known, loc: Loc) -> bool:
        """Whether a copy is a part of a roll; when it is the second one, the array is known."""
        inside = any(frame.along is not None for frame in self.frames)
        if not isinstance(source, Section) or inside or self._control(loc) != UNIFORM:
            return False
        piece = piece_of(target, source, self.memory[source.buffer])
        if piece is None or not target.buffer.is_known or target.buffer in self._callers:
            return False
        size = target.buffer.shape[piece.axis]
        before = self._pieces.get(target.buffer)
        if before is not None and piece.completes(before, size):
            self._put_all(target.buffer, piece.rolled(), loc)
            return True
        if (piece.start, piece.stop) == (known(0), size):
            return False
        self._put_all(target.buffer, Everywhere("it writes a part of an array that goes round", loc), loc)
        self._pieces[target.buffer] = piece
        return True

    def forget_pieces(self) -> None:
        """What was copied so far is no part of a roll: where ways part or meet, nobody knows which ran."""
        self._pieces = {}

    def _put_all(self, buffer: OwnMemory, relation: Relation, loc: Loc) -> None:
        """From now on the memory has `relation`; arrays that share it may have changed."""
        self.memory[buffer] = relation
        self._pieces = {
            target: piece
            for target, piece in self._pieces.items()
            if target is not buffer and piece.source is not buffer
        }
        for other in self._looked_at.get(buffer, ()):
            self.memory[other] = Everywhere("it changes what it has looked at in another shape", loc)

    def _put(self, section: Section, relation: Relation, loc: Loc) -> None:
        """Write what has `relation` to the array."""
        buffer = section.buffer
        if not buffer.is_known:
            raise NotLocal("it writes to an array that is one of several, or in another shape", loc)
        if buffer in self._callers:
            raise NotLocal("it writes to its argument, of which a block is a part or a copy", loc)
        for frame in self.frames:
            frame.written.add(buffer)
            if frame.along is not None and not is_told_by(section, frame.along):
                frame.touched.add(buffer)
        relation = united([relation, self._control(loc)], loc)
        parts = written(section, relation, self.ranges, loc)
        self._put_all(buffer, parts if is_all(section) else joined(self.memory[buffer], parts, loc), loc)

    def _view(self, node: Node) -> None:
        section = self.section(node.operands[0])
        if is_plain_view(node):
            operands = node.operands[first_index(node) :]
            axes = {axis.index: k for k, axis in enumerate(node.attrs["axes"]) if hasattr(axis, "index")}
            indices, told = self._indices(operands, node.loc, section, axes)
            starts = [axis.start for axis in node.attrs["axes"] if not hasattr(axis, "index")]
            bounds = self._told_by_sizes([*starts, *node.results[0].type.shape], node.loc)  # type: ignore[union-attr]
            found = through(section, node, indices, self.places)
            has_place(found, node)
            told = united([told if axes else UNIFORM, bounds], node.loc)
            if not isinstance(told, Uniform):
                relation = united([self.relation(found, node.loc), told], node.loc)
                found = self.unknown(found.shape, relation, section.buffer)
            self.define(node.results[0], found)
            return
        if grows(node):
            raise NotLocal("it has a list that grows", node.loc)
        relation = in_other_shape(node, self.relation(section, node.loc), self.places, node.loc)
        shape = shape_of(node.results[0], self.places)
        self.define(node.results[0], self.unknown(shape, relation, section.buffer))

    def unknown(self, shape: tuple[Place | None, ...], relation: Relation, *of: OwnMemory) -> Section:
        """An array that may share memory with others: it is read as it is now, and nobody writes to it."""
        found = self._new(shape, relation, is_known=False)
        for buffer in of:
            self.share(found.buffer, buffer)
        return found

    def share(self, buffer: OwnMemory, other: OwnMemory) -> bool:
        """What is read through `buffer` may be the memory of `other`; True if that is news."""
        known, origins = self._origins.setdefault(buffer, set()), {other, *self._origins.get(other, ())}
        for origin in origins - known - {buffer}:
            self._looked_at.setdefault(origin, []).append(buffer)
        news = not origins - {buffer} <= known
        known |= origins - {buffer}
        return news

    def _computed(self, node: Node) -> None:
        op, loc = OPS.get(node.op), node.loc
        if op is None or prints_numbers(node) or is_python(node) or is_drawn(node) or draws(node):
            raise NotLocal("it runs as Python, prints, or draws random numbers, which come in one order", loc)
        if "writes" in op.effect:
            raise NotLocal("NumPy writes to an array, as it is called", loc)
        known = [self.known(operand) for operand in node.operands]
        numbers = [one for one in known if isinstance(one, Number)]
        for result in node.results:
            if isinstance(result.type, Array):
                shape, relation = self._made(node, known, result)
                shared = [one.buffer for one in known if isinstance(one, Section)]
                may_share = node.attrs.get("aliases") or op.kind == OPAQUE
                new = self.unknown(shape, relation, *shared) if may_share else self._new(shape, relation)
                self.define(result, new)
            elif len(numbers) == len(known) and not is_copy(node):
                self.define(result, number_of(op, numbers, self.places, loc))
            else:
                self.define(result, Number(self._made(node, known, result)[1]))

    def _made(self, node: Node, known: list[Known], result: Value) -> CallResult:
        """What a node gives that computes with arrays, or calls NumPy."""
        loc, type_ = node.loc, result.type
        shape = shape_of(result, self.places) if isinstance(type_, Array) else ()
        if is_numpy_call(node):
            given = [CallOperand(self.relation(one, loc), *sizes_of(one)) for one in known]
            if (made := made_by_call(node, given, shape, self.places)) is not None:
                return made
        sizes = self._told_by_sizes(type_.shape, loc) if isinstance(type_, Array) else UNIFORM
        return CallResult(shape, united([self._of_arrays(node, known, shape), sizes], loc))

    def _of_arrays(self, node: Node, known: list[Known], shape: tuple[Place | None, ...]) -> Relation:
        sizes = of_sizes(node, OPS[node.op])
        relations = [
            one.relation if k in sizes and isinstance(one, Number) else self.relation(one, node.loc)
            for k, one in enumerate(known)
        ]
        return relation_of(node, OPS[node.op], relations, shape, self.places)

    # Control flow

    def _with_regions(self, node: Node) -> bool:
        if is_recursion(node) or is_gradient_rule(node):
            raise NotLocal("it calls itself, or has a gradient of its own", node.loc)
        if is_branch(node):
            return self._branch(node)
        if is_compiled_loop(node):
            return FollowedLoop(self, node).follow()
        if is_unit(node):
            return self._unit(node)
        raise NotLocal("it goes through a Python object", node.loc)

    def _results(self, node: Node, values: Sequence[Known]) -> None:
        for result, value in zip(node.results, values, strict=False):
            self.define(result, value)

    def _unit(self, node: Node) -> bool:
        """A cluster, or a helper's body."""
        (region,) = node.regions
        for param, operand in zip(region.params, node.operands, strict=False):
            self.define(param, self.known(operand))
        if not is_call(node):
            values = self.block(region)
            self._results(node, values or ())
            return values is not None
        if node.attrs.get("closure") or node.attrs.get("recursive"):
            raise NotLocal("it makes a function, or calls itself", node.loc)
        frame = Frame(node)
        self.frames.append(frame)
        values = self.block(region)
        self.frames.pop()
        ways = [way for _, way in frame.ends]
        return self.after(node, ways if values is None else [*ways, (values, self.memory)], frame.hangs_on)

    def after(self, node: Node, ways: Sequence[Way], hangs_on: Sequence[Relation]) -> bool:
        """Go on after a node that was left in these ways, and say whether anything goes on."""
        if ways:
            values, self.memory = self.one_of(ways, united(hangs_on, node.loc), node.loc)
            self._results(node, values)
        return bool(ways)

    def one_of(self, ways: Sequence[Way], asked: Relation, loc: Loc) -> Way:
        """What holds where one of these ways was taken; it hangs on `asked` which one."""
        values, memory = ways[0]
        for other, other_memory in ways[1:]:
            pairs = zip(values, other, strict=True)
            values = [self._either(one, two, memory, other_memory, asked, loc) for one, two in pairs]
            before, memory = memory, {**memory, **self.memory}
            for buffer, relation in other_memory.items():
                memory[buffer] = joined(before[buffer], relation, loc) if buffer in before else relation
        return values, memory

    def _branch(self, node: Node) -> bool:
        condition = self.number(node.operands[0])
        if condition.truth is not None:
            values = self.block(node.regions[0 if condition.truth else 1])
            self._results(node, values or ())
            return values is not None
        asked = used(condition, node.loc)
        start, ways = self.memory, []
        self.forget_pieces()
        for region, beyond in zip(node.regions, condition.beyond, strict=True):
            self.memory = dict(start)
            with self.under(asked, beyond):
                values = self.block(region)
            self.forget_pieces()
            if values is not None:
                ways.append((values, self.memory))
        self.memory = {}
        goes_on = self.after(node, ways, [asked])
        self._both_true(node, condition)
        return goes_on

    def _both_true(self, node: Node, condition: Number) -> None:
        """``a and b`` is a branch that gives `b` or `a`: where it is true, both are."""
        yes, no = node.regions
        if not (is_yield(yes.ending) and is_yield(no.ending)):
            return
        for result, one, other in zip(node.results, yes.ending.operands, no.ending.operands, strict=True):
            found = self._values[result]
            if other is node.operands[0] and isinstance(found, Number):
                beyond = condition.beyond[0] or self.number(one).beyond[0]
                self.define(result, replace(found, beyond=(beyond, None)))

    @contextmanager
    def under(self, condition: Relation, beyond: tuple[Value, int] | None = None) -> Iterator[None]:
        """What is followed inside runs only as `condition` says, for an index that is at least `beyond`."""
        conditions, ranges = self._conditions, self.ranges
        self._conditions = [*conditions, condition]
        if beyond is not None:
            left, right = ranges[beyond[0]]
            self.ranges = {**ranges, beyond[0]: (max(left, beyond[1]), right)}
        try:
            yield
        finally:
            self._conditions, self.ranges = conditions, ranges

    def _either(
        self, one: Known, other: Known, memory: Memory, other_memory: Memory, asked: Relation, loc: Loc
    ) -> Known:
        """A value that is the one or the other, as a condition says."""
        if isinstance(one, Number) and isinstance(other, Number):
            if one.place is not None and one.place == other.place:
                return Number(place=one.place)
            place = hull(one.place, other.place) if isinstance(asked, Uniform) else None
            relation = united([used(one, loc), used(other, loc), asked], loc)
            return Number(UNIFORM if place else relation, place)
        if isinstance(one, Section) and isinstance(other, Section):
            if one == other:
                return one
            first = read(one, memory[one.buffer], loc, self.places)
            second = read(other, other_memory[other.buffer], loc, self.places)
            return self.unknown(
                shape_of_both(one, other), united([first, second, asked], loc), one.buffer, other.buffer
            )
        raise NotLocal("a variable is an array or a number, as a condition says", loc)
