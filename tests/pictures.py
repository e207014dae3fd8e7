"""Pictures read back: what Graphviz understands of a text in its language."""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import pytest

from jitscope.graph.ir.nodes import ENDINGS, Graph, walk
from jitscope.runtime.render import renderer

needs_renderer = pytest.mark.skipif(renderer() is None, reason="neither dot nor graphviz-pure is installed")


@dataclass
class Picture:
    """Boxes by name with their labels, frames by label with the names of all boxes inside, and edges."""

    title: str
    boxes: dict[str, str]
    frames: dict[str, set[str]]
    edges: list[tuple[str, str, dict[str, Any]]]

    def operations(self, names: Iterable[str] | None = None) -> Counter[str]:
        """How often each bold text (the operation) is drawn, in all boxes or in these."""
        wanted = self.boxes if names is None else names
        return Counter(found[1] for name in wanted if (found := re.match(r"<b>(.*?)</b>", self.boxes[name])))


def read(*texts: str) -> list[Picture]:
    """What Graphviz makes of each text; fails where one of them has a fault."""
    program = renderer()
    assert program is not None
    # Without curves: for a few graphs Graphviz finds no way for one of them, and says so.
    command = [program, "-Tdot_json", "-Gsplines=false"]
    done = subprocess.run(command, input="\n".join(texts), capture_output=True, encoding="utf-8")
    decoder, found, rest = json.JSONDecoder(), [], done.stdout.strip()
    while rest:
        document, end = decoder.raw_decode(rest)
        found.append(_picture(document))
        rest = rest[end:].strip()
    assert len(found) == len(texts), done.stderr[:2000]
    return found


def _picture(document: dict[str, Any]) -> Picture:
    objects = document.get("objects", [])
    names = {item["_gvid"]: item["name"] for item in objects}
    boxes = {item["name"]: item["label"] for item in objects if not item["name"].startswith("cluster_")}
    frames: dict[str, set[str]] = {}
    for item in objects:
        if item["name"].startswith("cluster_"):
            frames.setdefault(item["label"], set()).update(names[k] for k in item.get("nodes", ()))
    edges = [(names[e["tail"]], names[e["head"]], e) for e in document.get("edges", ())]
    return Picture(document["label"], boxes, frames, edges)


def expected_boxes(graph: Graph) -> int:
    """How many boxes a picture of `graph` has: one for each parameter, operation and ending, and two for
    control flow that has results."""
    count = len(graph.params)
    for node in walk(graph.body):
        count += sum(len(region.params) for region in node.regions if node.op != "cluster")
        if node.op == "cluster":
            count -= node.regions[0].ending.op == "yield" and bool(node.regions[0].ending.operands)
        elif node.op in ENDINGS:
            count += node.op != "yield" or bool(node.operands)
        else:
            count += 1 + (bool(node.regions) and bool(node.results))
    return count
