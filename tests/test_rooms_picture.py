"""docs/architecture.md shows the rooms as they are."""

from __future__ import annotations

import re
from pathlib import Path

from rooms import arrows, picture
from structure import Source

PAGE = Path(__file__).resolve().parent.parent / "docs" / "architecture.md"
BLOCK = re.compile(r"(?<=^```mermaid\n)flowchart .*?(?=^```$)", re.MULTILINE | re.DOTALL)


def test_the_picture_of_the_rooms_is_that_of_the_imports(update_golden: bool) -> None:
    text, wanted = PAGE.read_text(), picture(Source())
    if update_golden:
        PAGE.write_text(BLOCK.sub(lambda _: wanted, text))
        return
    assert BLOCK.findall(text) == [wanted], "`make golden` draws it anew"


def test_arrows_go_one_way() -> None:
    found, seen = arrows(Source()), set()

    def follow(room: str, above: tuple[str, ...]) -> None:
        assert room not in above, " -> ".join((*above, room))
        for other in found.get(room, ()):
            follow(other, (*above, room))
        seen.add(room)

    for room in found:
        follow(room, ())
    assert {"graph/ir", "graph/ops", "autograph", "codegen", "runtime"} <= seen
