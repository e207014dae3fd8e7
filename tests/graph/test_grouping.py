"""What must stay before what, and as few clusters as that allows."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from jitscope.graph.analysis.effects import Aliases, conflict
from jitscope.graph.ir.parser import parse_graph
from jitscope.graph.ir.rewrite import ValuesByName, used_by
from jitscope.graph.passes.dependences import Dependences
from jitscope.graph.passes.grouping import Groups

LINES = (
    "%v: f64[n] = exp(%a) {loop=('float64',)}",
    "%v: f64[n] = view(%a) {axes=(span(0),), check=()}",
    "%v: f64[n] = numpy(%a) {text='f({0})', aliases=True}",
    "%v: f64[n] = numpy(%a) {text='f({0})', aliases=False, raises=False}",
    "%v: np.float64 = load(%a, %k) {check=(True,)}",
    "%v: np.float64 = load(%a, %k) {check=(False,)}",
    "%v: np.float64 = sum(%a) {axis=None, keepdims=False, loop=('float64',)}",
    "%v: int = py.add(%k, 1) {loop=('int', 'int')}",
    "%v: f64[n] = copy(%a)",
    "store(%a, 1.0, %k) {check=(False,)}",
    "assign(%a, %b)",
    "python(%a) {text='f({0})'}",
    "python(%k) {text='print({0})'}",
    "%v: object = python(%k) {text='g({0})', harmless=True}",
    "if(%c) {names=()} {\n    return %a {text='{0}'}\n  } {\n    yield\n  }",
    "if(%c) {names=()} {\n    store(%a, 1.0, %k) {check=(False,)}\n    yield\n  } {\n    yield\n  }",
    "%v: f64[n] = if(%c) {names=('v',)} {\n    yield %a\n  } {\n    yield %b\n  }",
    "%v: f64[n] = if(%c) {names=('v',)} {\n    yield %none\n  } {\n    yield %b\n  }",
    "%v: f64[n] = for(0, %k, 1, %a) {names=('i', 'v')} (%v.i: int, %v.x: f64[n]) {\n    yield %b\n  }",
)


def random_block(seed, count=14):
    """The nodes of a graph with effects of all kinds, and what is needed to compare them."""
    rng = random.Random(seed)
    arrays, text = ["x", "y", "own"], ["  %own: f64[n] = empty()", "  %none: f64[0] = empty()"]
    for number in range(count):
        line = rng.choice(LINES).replace("%v", f"%v{number}")
        text.append(
            "  " + line.replace("%a", "%" + rng.choice(arrays)).replace("%b", "%" + rng.choice(arrays))
        )
        if line.startswith("%v: f64[n]"):
            arrays.append(f"v{number}")
    params = "%x: f64[n], %y: f64[n], %k: int, %c: bool"
    body = "\n".join([*text, "  return %x {text='{0}'}"])
    graph = parse_graph(f"graph f({params}) sizes n=x[0] {{\n{body}\n}}\n")
    return graph.body.nodes[:-1], ValuesByName.of(graph), Aliases(graph)


def closure(edges, count):
    """All pairs that follow from pairs of (earlier, later)."""
    reached = [set() for _ in range(count)]
    for first, second in sorted(edges, reverse=True):
        reached[first] |= {second} | reached[second]
    return {(first, second) for first in range(count) for second in reached[first]}


@pytest.mark.parametrize("seeds", [range(k, 600, 4) for k in range(4)], ids=str)
def test_dependences_are_those_of_all_pairs(seeds):
    for seed in seeds:
        nodes, names, aliases = random_block(seed)
        found = Dependences.of(nodes, names, aliases)
        edges = {(first, k) for k, before in enumerate(found.before) for first in before}
        assert edges == {(k, later) for k, after in enumerate(found.after) for later in after}
        pairs = {
            (first, second)
            for first, second in combinations(range(len(nodes)), 2)
            if not used_by(nodes[second], names).isdisjoint(nodes[first].results)
            or conflict(nodes[first], nodes[second], aliases)
        }
        assert closure(edges, len(nodes)) == closure(pairs, len(nodes)), seed


def random_dag(seed, colours):
    rng = random.Random(seed)
    count = rng.randrange(2, 40)
    depends = Dependences([set() for _ in range(count)], [set() for _ in range(count)], [], {})
    for k in range(1, count):
        for _ in range(rng.randrange(3)):
            first = rng.randrange(max(0, k - 12), k)
            depends.before[k].add(first)
            depends.after[first].add(k)
    return depends, [rng.choice((None, *range(colours))) for _ in range(count)], rng


def paths_between(groups, first, second, unit_of):
    """True if a path leads from one unit to the other through a third one."""
    seen, todo = set(), [first]
    while todo:
        unit = todo.pop()
        for place in groups.members.get(unit, [unit]):
            for later in groups.depends.after[place]:
                later = unit_of[later]
                if later == second and unit != first:
                    return True
                if later not in seen and later not in (first, second):
                    seen.add(later)
                    todo.append(later)
    return False


@pytest.mark.parametrize("colours", [1, 2, 4])
def test_clusters_make_no_cycle_and_none_could_be_one(colours):
    for seed in range(250):
        depends, colour, rng = random_dag(seed, colours)
        count = len(colour)
        cuts = {(a, b) for b in range(count) for a in depends.before[b] if rng.random() < 0.1}
        groups = Groups(depends, colour, cuts, list)
        order = list(groups.in_order(count))
        assert sorted(place for unit in order for place in unit) == list(range(count))
        position = {place: k for k, unit in enumerate(order) for place in unit}
        unit_of = {place: unit[0] for unit in order for place in unit}
        for k, before in enumerate(depends.before):
            assert all(position[first] <= position[k] for first in before)
            assert all(unit_of[first] != unit_of[k] for first in before if colour[first] is None)
        for unit in order:
            assert len({colour[place] for place in unit}) == 1
            assert not any(unit_of[a] == unit_of[b] for a, b in cuts)
        if not cuts:
            for first, second in combinations(groups.members, 2):
                if colour[first] == colour[second]:
                    forbidden = paths_between(groups, first, second, unit_of)
                    assert forbidden or paths_between(groups, second, first, unit_of), seed


def test_the_fewest_clusters_of_one_colour():
    for seed in range(250):
        depends, colour, _ = random_dag(seed, 1)
        groups = Groups(depends, colour, set(), list)
        left: list[int] = []  # how often the longest path to a node has left the colour
        for k, before in enumerate(depends.before):
            left.append(
                max([left[p] + (colour[p] is not None and colour[k] is None) for p in before], default=0)
            )
        needed = {left[k] for k, own in enumerate(colour) if own is not None}
        assert len(groups.members) == len(needed)


def test_what_is_left_out_of_a_cluster_follows_it():
    depends, _, _ = random_dag(0, 1)
    count = len(depends.before)
    for k in range(count):
        depends.before[k] = {k - 1} if k else set()
        depends.after[k] = {k + 1} if k + 1 < count else set()
    groups = Groups(depends, [0] * count, set(), lambda places: places[:-2])
    assert list(groups.in_order(count)) == [list(range(count - 2)), [count - 2], [count - 1]]
    assert Groups(depends, [0] * count, set(), lambda places: []).members == {}


@pytest.mark.parametrize("colours", [1, 3])
def test_clusters_that_are_cut_into_parts_make_no_cycle(colours):
    for seed in range(250):
        depends, colour, rng = random_dag(seed, colours)
        count, most = len(colour), rng.randrange(1, 5)

        def keep(places, depends=depends, rng=rng):
            inside = set(places)
            for place in reversed(places):  # what nothing in the part uses may be left out
                if rng.random() < 0.3 and inside.isdisjoint(depends.after[place]):
                    inside.discard(place)
            return [place for place in places if place in inside]

        def split(places, most=most):
            return [places[k : k + most] for k in range(0, len(places), most)]

        groups = Groups(depends, colour, set(), keep, split)
        order = list(groups.in_order(count))
        assert sorted(place for unit in order for place in unit) == list(range(count))
        assert max(map(len, groups.members.values()), default=0) <= most
        position = {place: k for k, unit in enumerate(order) for place in unit}
        for k, before in enumerate(depends.before):
            assert all(position[first] <= position[k] for first in before), seed
