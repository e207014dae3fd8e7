"""Which nodes of a block become one cluster: as few clusters as dependences allow.

Nodes have colours; only nodes of one colour share a cluster. Two of them can't if a path leads from one to
the other through a node that isn't in their cluster: that would have to run in the middle of it. So, for one
colour, the *rank* of a node is the largest number of times that a path to it leaves the colour; nodes of one
rank are one cluster, and no cluster is part of a cycle::

    a ──▶ b ──▶ d         a, b, d have one colour, x has not:
    └───▶ x ──▶ e         a, b, d have rank 0 and are one cluster, e has rank 1 and is another

Where a node may have several ranks without more clusters, it gets that of its neighbours in the program.
Colours are taken one after the other, the clusters of one are single nodes for the next.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field

from .dependences import Dependences

_GONE = -1
Keep = Callable[[list[int]], list[int]]
Split = Callable[[list[int]], list[list[int]]]


@dataclass(slots=True)
class Groups:
    """The units of a block: clusters, and single nodes. A unit is known by one of its places.

    Args:
        depends: what must stay before what.
        colours: the colour of each place, None for those that are in no cluster.
        cuts: pairs of places that must be in different clusters, the first one before the second.
        keep: says which places out of a list become a cluster; those that it leaves out must be used by none
            that it keeps.
        split: cuts a list of places that is too much for one cluster, each depending only on places before
            it, into several.
    """

    depends: Dependences
    colours: Sequence[Hashable | None]
    cuts: set[tuple[int, int]]
    keep: Keep
    split: Split = lambda places: [places]
    members: dict[int, list[int]] = field(default_factory=dict)
    """The places of each cluster, in program order."""
    _unit: list[int] = field(default_factory=list)
    _sources: list[set[int]] = field(default_factory=list)
    _targets: list[set[int]] = field(default_factory=list)
    """Places next to each unit, which may have become parts of others."""
    _order: list[int] = field(default_factory=list)
    """All units, each after what it depends on, and holes."""
    _position: dict[int, int] = field(default_factory=dict)
    _trailing: dict[int, int] = field(default_factory=dict)
    """The cluster that each place belonged to at first, for those left out of it."""

    def __post_init__(self) -> None:
        self._unit = list(range(len(self.colours)))
        self._sources, self._targets = list(self.depends.before), list(self.depends.after)
        self._order = list(self._unit)
        self._position = {unit: unit for unit in self._unit}
        of_colour: dict[Hashable, list[int]] = {}
        for place, colour in enumerate(self.colours):
            if colour is not None:
                of_colour.setdefault(colour, []).append(place)
        # The shortest stretch first: stretches around it then pass over few units.
        for places in sorted(of_colour.values(), key=lambda places: (places[-1] - places[0], places[0])):
            self._contract(places)

    def in_order(self, end: int) -> Iterator[list[int]]:
        """The places of each unit before `end`, as near to the program's order as clusters allow."""
        units = [unit for unit in self._order if _GONE < unit < end]
        missing = {unit: len(self._before(unit)) for unit in units}
        ready = [(self._key(unit), unit) for unit, count in missing.items() if not count]
        heapq.heapify(ready)
        while ready:
            _, unit = heapq.heappop(ready)
            yield self.members.get(unit, [unit])
            for later in self._after(unit):
                if later not in missing:
                    continue
                missing[later] -= 1
                if not missing[later]:
                    heapq.heappush(ready, (self._key(later), later))

    def _key(self, unit: int) -> tuple[int, int]:
        """A cluster stands where its last node stood, what was left out of it right behind."""
        cluster = self._trailing.get(unit, unit)
        return (self.members[cluster][-1] if cluster in self.members else unit, int(cluster != unit))

    def _before(self, unit: int) -> set[int]:
        """The units that must stay before `unit`."""
        return {self._unit[place] for place in self._sources[unit]}

    def _after(self, unit: int) -> set[int]:
        return {self._unit[place] for place in self._targets[unit]}

    def _merge(self, kept: list[int]) -> None:
        """Make one unit of single nodes."""
        unit, inside = kept[0], set(kept)
        self.members[unit] = kept
        for place in kept:
            self._unit[place] = unit
        for near in (self._sources, self._targets):
            found = {self._unit[other] for place in kept for other in near[place] if other not in inside}
            near[unit] = found - {unit}

    # One colour.

    def _contract(self, places: list[int]) -> None:
        """Make clusters of the places of one colour."""
        positions = [self._position[place] for place in places]
        low, high = min(positions), max(positions) + 1
        own = set(places)
        window = self._reached(places, high)
        ranks = self._earliest(window, own)
        neighbours = _running_maximum(places, ranks)
        if any(ranks[place] != neighbours[place] for place in places):
            ranks = self._others(window, own, self._latest(window, own, neighbours))
        keys = {unit: (rank, int(unit in own), self._position[unit]) for unit, rank in ranks.items()}
        clusters: dict[int, list[int]] = {}
        for place in places:
            clusters.setdefault(ranks[place], []).append(place)
        for rank, candidates in clusters.items():
            self._make(candidates, rank, keys)
        moved = set(window)
        units = [unit for unit in self._order[low:high] if unit not in moved and unit != _GONE]
        units += sorted((unit for unit in window if self._unit[unit] == unit), key=keys.__getitem__)
        self._order[low:high] = units + [_GONE] * (high - low - len(units))
        self._position.update(zip(units, range(low, high), strict=False))

    def _make(self, candidates: list[int], rank: int, keys: dict[int, tuple[int, int, int]]) -> None:
        """Clusters of places of one rank; `keys` say where they, and what is left out, will stand."""
        parts = self.split(sorted(candidates, key=self._position.__getitem__))
        for number, part in enumerate(parts):
            part.sort()
            kept = self.keep(part)
            for place in part:
                left_out = bool(kept) and place not in kept
                keys[place] = (rank, 2 * number + 1 + left_out, self._position[place])
                if left_out:
                    self._trailing[place] = kept[0]
            if kept:
                self._merge(kept)

    def _reached(self, places: list[int], high: int) -> list[int]:
        """The places and the units before `high` that depend on one, in order: all others have rank 0."""
        found, todo, position = set(places), list(places), self._position
        while todo:
            for place in self._targets[todo.pop()]:
                later = self._unit[place]
                if later not in found and position[later] < high:
                    found.add(later)
                    todo.append(later)
        return sorted(found, key=position.__getitem__)

    def _earliest(self, window: list[int], own: set[int]) -> dict[int, int]:
        """The smallest rank of each unit."""
        return self._others(window, own, {})

    def _others(self, window: list[int], own: set[int], known: dict[int, int]) -> dict[int, int]:
        """The smallest rank of each unit where those of some units are `known`."""
        ranks: dict[int, int] = {}
        whose, sources = self._unit, self._sources
        for unit in window:
            rank = known.get(unit, 0)
            if not rank:
                mine = unit in own
                for place in sources[unit]:
                    earlier = whose[place]
                    if earlier in ranks:
                        left = earlier in own and not (mine and (earlier, unit) not in self.cuts)
                        rank = max(rank, ranks[earlier] + left)
            ranks[unit] = rank
        return ranks

    def _latest(self, window: list[int], own: set[int], neighbours: dict[int, int]) -> dict[int, int]:
        """The largest rank of each place that needs no more clusters, but not past its neighbours."""
        limits: dict[int, int] = {}
        found: dict[int, int] = {}
        for unit in reversed(window):
            mine = unit in own
            limit = neighbours[unit] if mine else None
            for later in self._after(unit):
                if later in limits:
                    left = mine and (later not in own or (unit, later) in self.cuts)
                    least = limits[later] - left
                    limit = least if limit is None else min(limit, least)
            if limit is not None:
                limits[unit] = limit
                if mine:
                    found[unit] = limit
        return found


def _running_maximum(places: list[int], ranks: dict[int, int]) -> dict[int, int]:
    """For each place the largest rank up to there."""
    found: dict[int, int] = {}
    highest = 0
    for place in places:
        highest = found[place] = max(highest, ranks[place])
    return found
