"""Python variables for the values of a function: the user's names, one variable per piece of loop state.

A loop's initial value, parameter, result and what its body hands on become one variable wherever they are
never alive together; so ``x.1 = add(x, 1)`` comes out as ``x = x + 1``, as the user wrote it.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from ..graph.ir.nodes import Block, Literal, Node, Value, walk
from ..graph.ir.shown import normalised
from ..graph.ir.types import Type
from ..graph.ops.facts import (
    falls_through,
    hands_on,
    is_branch,
    is_jump,
    is_loop,
    is_tested,
    is_unit,
    merges_state,
)
from .liveness import Interference, Uses

_RESERVED = frozenset(
    "np njit abs bool complex float int len list max min pow print range round slice sum tuple zip all any "
    "enumerate reversed isinstance divmod sorted str dict set type object map filter listed scalars "
    "listed_rows own_rows either_listed either_items mixed_listed or_none_listed mixed_items in_places "
    "with_room number_of enter leave with_places".split()
) | {"_"}  # the target of loops whose index nobody reads


def base_name(name: str) -> str:
    """The user's name in the name of a value: ``u`` of ``u.3``."""
    base = re.sub(r"\W", "_", normalised(name.partition(".")[0])) or "t"
    base = base if f"_{base}".isidentifier() else re.sub(r"\W", "_", base, flags=re.ASCII)
    return f"{base}_" if keyword.iskeyword(base) or base in _RESERVED or base[0].isdigit() else base


class Names:
    """The variable of every value of one function."""

    def __init__(
        self,
        block: Block,
        uses: Uses,
        taken: Iterable[str] = (),
        same_type: Callable[[Type, Type], bool] = lambda left, right: True,
        first: Uses = lambda node: (),
    ) -> None:
        self._live = Interference(block, uses, first)
        self._parent: dict[Value, Value] = {}
        self._members: dict[Value, list[Value]] = {}
        self._same_type = same_type
        self._taken = set(taken)
        self._used: dict[str, list[Type]] = {}
        """The types of the values that have a name."""
        self._kept_from: dict[str, set[Value]] = {}
        """Who can't have a name, as they are alive together with a value that has it."""
        self._names: dict[Value, str] = {}
        order = list(_values(block))
        for value in order:
            self._parent.setdefault(value, value)
            self._members.setdefault(value, [value])
        fixed, offered = _links(block)
        for left, right in fixed:
            self._unite(left, right)
        for left, right in offered:
            if self._may_unite(left, right):
                self._unite(left, right)
        self._needed = self._read(block, uses, [*fixed, *offered])
        for value in block.params:
            self._choose(self._find(value))

    def __getitem__(self, value: Value) -> str:
        root = self._find(value)
        if root not in self._names:
            self._choose(root)
        return self._names[root]

    def given(self, value: Value) -> str | None:
        """The name of `value`, if anything has asked for it."""
        return self._names.get(self._find(value)) if value in self._parent else None

    def __contains__(self, value: Value) -> bool:
        return value in self._parent

    def needed(self, value: Value) -> bool:
        """False for loop state that is only handed on, and never read."""
        return self._find(value) in self._needed

    def _read(self, block: Block, uses: Uses, flows: list[tuple[Value, Value]]) -> set[Value]:
        found = {self._find(v) for v in _really_read(block, uses, True) if v in self._parent}
        while True:
            more = {self._find(source) for target, source in flows if self._find(target) in found}
            if more <= found:
                return found
            found |= more

    def fresh(self, wanted: str) -> str:
        """A name that no value has, for a variable of the generator's own."""
        name, count = wanted, 0
        while name in self._used or name in self._taken or name in _RESERVED:
            count += 1
            name = f"{wanted}_{count}"
        self._taken.add(name)
        return name

    def _find(self, value: Value) -> Value:
        while self._parent[value] is not value:
            value = self._parent[value]
        return value

    def _unite(self, left: Value, right: Value) -> None:
        left, right = self._find(left), self._find(right)
        if left is not right:
            self._parent[right] = left
            self._members[left] += self._members.pop(right)

    def _may_unite(self, left: Value, right: Value) -> bool:
        left, right = self._find(left), self._find(right)
        if left is right or not self._same_type(left.type, right.type):
            return False
        return not self._clash(left, right)

    def _clash(self, left: Value, right: Value) -> bool:
        return any(self._live.clash(a, b) for a in self._members[left] for b in self._members[right])

    def _choose(self, root: Value) -> None:
        if root in self._names:
            return
        bases = [base_name(value.name) for value in self._members[root]]
        wanted = next((base for base in bases if not re.fullmatch(r"t\d+", base)), bases[0])
        name, count = wanted, 0
        while name in self._taken or not self._fits(root, name):
            count += 1
            name = f"{wanted}_{count}"
        self._names[root] = name
        types = self._used.setdefault(name, [])
        if root.type not in types:
            types.append(root.type)
        for value in self._members[root]:
            self._kept_from.setdefault(name, set()).update(self._live.clashes.get(value, ()))

    def _fits(self, root: Value, name: str) -> bool:
        """Whether `root` can share the name with all that have it already."""
        return self._kept_from.get(name, set()).isdisjoint(self._members[root]) and all(
            self._same_type(root.type, type_) for type_ in self._used.get(name, ())
        )


def _values(block: Block) -> Iterator[Value]:
    yield from block.params
    for node in block.nodes:
        if not is_unit(node):
            for region in node.regions:
                yield from _values(region)
        yield from node.results


def _inner(block: Block) -> Iterator[Node]:
    """The nodes of one function's body: not those of clusters and calls, which are functions of their own."""
    for node in block.nodes:
        yield node
        if not is_unit(node):
            for region in node.regions:
                yield from _inner(region)


def _links(block: Block) -> tuple[list[tuple[Value, Value]], list[tuple[Value, Value]]]:
    """Pairs that must be one variable, and pairs that should be."""
    fixed: list[tuple[Value, Value]] = []
    offered: list[tuple[Value, Value]] = []
    for node in _inner(block):
        if not merges_state(node):
            continue
        slots = node.results
        if not is_branch(node):
            skip = 1 if node.op in ("for", "for_each") else 0
            for number, region in enumerate(node.regions):
                params = region.params[skip if number == 0 else 0 :]
                fixed += zip(slots, params, strict=False)
            if skip:
                fixed += _indices_in_state(node)
            initial = node.operands[len(node.operands) - len(slots) :]
            offered += [(s, v) for s, v in zip(slots, initial, strict=True) if isinstance(v, Value)]
        for ending in _endings(node):
            offered += [(s, v) for s, v in zip(slots, ending.operands, strict=False) if isinstance(v, Value)]
    return fixed, offered


def _indices_in_state(node: Node) -> list[tuple[Value, Value]]:
    """The loop's index is its state where every iteration hands it on and none reads the last one's."""
    body = node.regions[0]
    index = body.params[0]
    endings = list(_endings(replace(node, regions=node.regions[:1])))
    found = []
    for number, (slot, param) in enumerate(zip(node.results, body.params[1:], strict=True)):
        handed = endings and all(ending.operands[number] is index for ending in endings)
        if handed and slot.type == index.type and not any(param in n.operands for n in walk(body)):
            found.append((slot, index))
    return found[:1]


def _really_read(block: Block, uses: Uses, outermost: bool) -> Iterator[Value]:
    """The values that are read for more than to be handed on as state."""
    for node in block.nodes:
        carried: set[Value | Literal] = set()
        if hands_on(node) and not outermost:
            carried = set(node.operands)
        elif is_loop(node):
            first = len(node.operands) - len(node.results)
            carried = set(node.operands[first:]) - set(node.operands[:first])
        yield from (value for value in uses(node) if value not in carried)
        if not is_unit(node):
            for number, region in enumerate(node.regions):
                yield from _really_read(region, uses, is_tested(node) and number == 0)


def _endings(node: Node) -> Iterator[Node]:
    """The endings that hand values to the results of `node`."""
    for number, region in enumerate(node.regions):
        if is_tested(node) and number == 0:
            continue
        if is_branch(node):
            if falls_through(region):
                yield region.ending
            continue
        yield from _exits(region, top=True)


def _exits(region: Block, top: bool) -> Iterator[Node]:
    if is_jump(region.ending) or (top and falls_through(region)):
        yield region.ending
    for node in region.nodes:
        if is_branch(node):
            for inner in node.regions:
                yield from _exits(inner, top=False)
