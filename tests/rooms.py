"""The picture of the rooms in docs/architecture.md, made of the imports."""

from __future__ import annotations

from collections import defaultdict

from structure import Source

DIVIDED = "graph"
"""The folder whose own folders are rooms."""


def room_of(module: str) -> str:
    """``graph/passes`` for ``graph.passes.fold``, ``codegen`` for ``codegen.cuda.target``."""
    top, *rest = module.split(".")
    return f"{top}/{rest[0]}" if top == DIVIDED and len(rest) > 1 else top


def arrows(source: Source) -> dict[str, set[str]]:
    """Which rooms each room imports, but for what it imports through one of the others anyhow."""
    direct: dict[str, set[str]] = defaultdict(set)
    for found in source.imports:
        here, there = room_of(found.module), room_of(found.target)
        if not found.for_types and here != there and here and there != DIVIDED:
            direct[here].add(there)

    def behind(room: str) -> set[str]:
        return set().union(*({one} | behind(one) for one in direct.get(room, ())))

    return {
        room: {one for one in others if not any(one in behind(other) for other in others - {one})}
        for room, others in direct.items()
        if room != DIVIDED
    }


def picture(source: Source) -> str:
    """Mermaid's text: from each room to those that it builds on."""
    found = arrows(source)
    rooms = sorted({*found, *(other for others in found.values() for other in others)})
    numbers = {room: f"r{number}" for number, room in enumerate(rooms)}
    lines = ["flowchart TB"]
    lines += [f'    {numbers[room]}["{room}/"]' for room in rooms]
    lines += [
        f"    {numbers[one]} --> {numbers[other]}" for one in sorted(found) for other in sorted(found[one])
    ]
    return "\n".join(lines) + "\n"
