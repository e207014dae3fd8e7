"""What the attempts at a trace have found out, so that the next one begins with it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..graph.ir.causes import Cause
from ..graph.ir.nodes import Loc
from ..graph.trace.build import Relations
from .spending import Plain
from .traced import Path


@dataclass(slots=True)
class Knowledge(Relations):
    """What earlier attempts of the same trace found out."""

    materialised: set[Any] = field(default_factory=set)
    plain: Plain = field(default_factory=Plain)
    volatile: bool = False
    shared: bool = False
    grown: dict[Any, Any] = field(default_factory=dict)
    """The form of items of lists that grow where they can't be followed, by their sites."""
    shrinking: set[Any] = field(default_factory=set)
    """The sites of sets that lose keys."""
    kept_methods: set[Any] = field(default_factory=set)
    """Where methods are read that are used more than once."""
    held: set[Any] = field(default_factory=set)
    """The sites of lists and dicts whose items are variables (`held_items.HeldItems`)."""
    either: dict[Any, Any] = field(default_factory=dict)
    """The sites of lists of numbers of two types, and which these are."""
    placed: set[Any] = field(default_factory=set)
    """The sites of lists of lists whose rows change places."""
    replaced: dict[Any, set[Loc]] = field(default_factory=dict)
    """Those into which new rows are put, and the loops around."""
    lists: bool = True
    """Lists of numbers may be arrays of the graph."""
    given_up: list[Cause] = field(default_factory=list)
    """Why they may not, where something in the program was the reason."""
    array_lists: bool = True
    """Lists of arrays may be, too."""
    programs: bool = True
    """NumPy's functions may be traced as programs."""
    level_on: bool = True
    """What stands in no scope is compiled."""
    plain_calls: frozenset[Loc] = frozenset()
    """Where they stay calls."""
    recursive: dict[Any, bool] = field(default_factory=dict)
    """The code of functions that call themselves: whether they get nodes of their own."""
    agrees: bool = True
    """Sizes that nobody knows may be compared by the run (`symbolic/agreement.py`): it can start again."""
    varying: dict[Any, frozenset[str]] = field(default_factory=dict)
    """Of these, the names of the arrays that aren't the same in each call."""
    own_functions: bool = True
    """They may: nothing is differentiated."""
    cells: dict[tuple[type, str], Any] = field(default_factory=dict)
    """What attributes hold that are assigned as cells, by class and name (`operators/cells.py`)."""
    no_cells: set[tuple[type, str]] = field(default_factory=set)
    """Attributes that can be neither cells nor variables."""
    callers: dict[Path, Any] = field(default_factory=dict)
    """Lists of the caller's that change their length (`callers_lists.CallersList`), by their paths."""
    not_followed: set[Path] = field(default_factory=set)
    """Those that can't be followed."""
    callers_dicts: dict[Path, dict[Any, Any]] = field(default_factory=dict)
    """Dicts of the caller's whose items are assigned, by their paths."""
    callers_objects: dict[Path, tuple[object, tuple[str, ...]]] = field(default_factory=dict)
    """Objects, and which of their attributes are assigned arrays (`operators/held_attributes.py`)."""
    held_attributes: set[tuple[type, str]] = field(default_factory=set)
    """These attributes, by class and name."""
    exact: bool = False
    """Ints and sizes are those of the example: each other one gets a trace of its own."""
