"""Which steps a run needs."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from .operation import Operation
from .steps import GRADIENTS, Step
from .symbol import Dimension, GraphSymbol
from .variable import Variable

Fetched = GraphSymbol | Variable | Dimension
"""What has a value that can be fetched."""

Fetch = Fetched | Operation
PLACEHOLDER = "Placeholder"


def selected(fetches: Iterable[Fetch], fed: Collection[GraphSymbol]) -> list[Step]:
    """The steps whose results or effects are fetched, or are needed for that, in the order of the program.

    What is fed isn't computed. But gradients go back along the way that was recorded, through fed symbols as
    well: those steps are selected, too, and thrown away where only the way was needed.
    """
    chosen: dict[int, Step] = {}
    crossed: set[int] = set()
    todo: list[tuple[Step, bool]] = []
    for fetch in fetches:
        if isinstance(fetch, Dimension):
            fetch = fetch.symbol
        if isinstance(fetch, Operation) or (isinstance(fetch, GraphSymbol) and fetch not in fed):
            todo.append((fetch.step, False))
    while todo:
        step, across = todo.pop()
        if step.index in (crossed if across else chosen):
            continue
        chosen[step.index] = step
        across = across or step.kind == GRADIENTS
        if across:
            crossed.add(step.index)
        for leaf in step.inputs():
            if isinstance(leaf, GraphSymbol) and (across or leaf not in fed):
                todo.append((leaf.step, across))
        todo += [(other, False) for other in step.after]
    return [chosen[index] for index in sorted(chosen)]


def certainly_missing(steps: Iterable[Step], fed: Collection[GraphSymbol]) -> list[GraphSymbol]:
    """Placeholders among `steps` that aren't fed and whose values are needed.

    Where gradients go back through fed symbols, only the graph can tell what is needed: then there are none.
    """
    chosen = list(steps)
    across = any(step.kind == GRADIENTS for step in chosen)
    if across and any(symbol.step.source is None for symbol in fed):
        return []
    return [
        step.outputs[0]
        for step in chosen
        if step.kind == PLACEHOLDER and step.source is not None and step.outputs[0] not in fed
    ]
