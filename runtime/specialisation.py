"""Specialisations: one function, one signature, one generated module."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from types import CellType
from typing import Any

from ..graph.ir.nodes import NOWHERE, Graph, Loc
from . import timeline
from .entry import Entry
from .levels import Levels
from .load import Loaded
from .signature import key_part
from .trial import LoopTrial, Trial


@dataclass(frozen=True)
class Line:
    """A line of the user's source."""

    file: str
    number: int
    text: str


@dataclass(frozen=True)
class Left:
    """Something that was left out of the compiled parts: where, why, how it runs, and what would help."""

    line: Line
    reason: str
    runs_as: str = "Python"
    attempt: str = ""
    column: int = 0
    end: int = 0
    follows: bool = False
    """It follows from what runs as Python around it, or nothing would be won."""

    @property
    def loc(self) -> Loc:
        """Where it stands."""
        return Loc(self.line.file, self.line.number, "", self.line.text, self.column, self.end)


@dataclass(frozen=True)
class Member:
    """An operation in a cluster: its op, what it is called, the scope that it stands in, its line."""

    op: str
    name: str
    scope: str | None
    line: Line


@dataclass(frozen=True)
class Cluster:
    """What is compiled as one unit; the scope and the device that its operations share, if they do."""

    name: str
    scope: str | None
    device: str
    nodes: tuple[Member, ...]


@dataclass(frozen=True)
class Report:
    """What a specialisation can say about itself, from this process or from disk."""

    staged: str = ""
    graph: str = ""
    clusters: tuple[str, ...] = ()
    lines: tuple[tuple[Line, ...], ...] = ()
    """For each cluster, the lines of the user's source that are computed there."""
    left: tuple[Left, ...] = ()
    notes: tuple[Left, ...] = ()
    members: tuple[Cluster, ...] = ()
    """For each cluster, its operations."""
    certain: bool = False
    """Every array that a cluster gets has a layout that is certain, so that machine code may trust it."""
    differentiated: bool = False
    """It holds gradients, which the plain function can't compute."""
    gpus: int | None = None
    """How many GPUs there were, where that made a difference."""
    straight: bool = False
    """All that is compiled are operations on arrays, one after the other, as NumPy does them."""
    in_parts: bool = False
    """The driver has loops, in which it calls compiled code."""


@dataclass(eq=False)
class Specialisation:
    """What was made for one signature; why calls run as plain Python, if they do, and what would help.

    Attributes:
        signature: the types of the arguments: ``"x: f64[:], k: float"``.
        report: what the specialisation says about itself: ``report.left`` are the parts that aren't compiled.
        text: the generated module.
        module_path: the file of the generated module.
        plain_reason: why calls of this signature run as plain Python; empty if they don't.
        from_disk: whether it was found in the disk cache.

    Example::

        doubled = js.function(lambda x: np.exp(x) * 2.0)
        made = doubled.get_concrete_function(js.ArraySpec((None,)))
        assert made.clusters == ("cluster_0",) and made.signature == "x: f64[:]"
        assert made(np.zeros(2)).tolist() == [2.0, 2.0]
    """

    signature: str
    report: Report = field(default_factory=Report)
    text: str = ""
    module_path: str = ""
    plain_reason: str = ""
    where: Loc = NOWHERE
    attempt: str = ""
    loaded: Loaded | None = None
    from_disk: bool = False
    entry: Callable[..., Any] | None = None
    values_of: Callable[..., tuple[Any, ...]] | None = None
    key: tuple[Any, ...] = ()
    driver: Callable[..., Any] | None = None
    clustered: Graph | None = None
    """The graph itself, where it is at hand and may be needed."""
    handled: tuple[str, ...] = ()
    """The names of the exceptions that handlers of the function itself take."""
    doubtful: bool = False
    """Its first calls decide whether it pays."""
    trial: Trial | LoopTrial | None = None
    slower: bool = False
    """The plain function was faster when it was tried."""
    live: Collection[str] = ()
    """Names that the driver looks up at each call."""
    timed: Callable[..., Any] | None = None
    """The entry function while a timeline is recorded, and the way from a call to it."""
    timed_call: Callable[..., Any] | None = None
    _bound: tuple[Entry, dict[str, Any]] | None = None
    _otherwise: CellType | None = None
    _probe: Callable[..., bool] | None = None

    @property
    def clusters(self) -> tuple[str, ...]:
        """Names of the compiled functions of the module."""
        return self.report.clusters

    @property
    def graph(self) -> str:
        """The graph after all passes, as text."""
        return self.report.graph

    @property
    def staged(self) -> str:
        """The converted source."""
        return self.report.staged

    @property
    def path(self) -> str:
        """Where the generated module is."""
        return self.module_path

    def bind(
        self, entry: Entry, driver: Callable[..., Any], levels: Levels, **ways: Callable[..., Any]
    ) -> None:
        """Make the entry function; `ways` are where it goes when a call doesn't fit."""
        self.entry, cells = entry.bind(driver=driver, levels=levels, **ways)
        self.driver, self._bound = driver, (entry, {**ways, "levels": levels})
        self._otherwise = cells["otherwise"]
        # A call that the entry itself runs as plain Python (overlapping arrays, huge ints) is taken, too.
        nowhere = {**dict.fromkeys(ways, _no), "plain": _yes}
        takes = _yes_alone if entry.hands else _yes
        self._probe, _ = entry.bind(driver=takes, levels=Levels(_no), **nowhere)

    def bind_timed(self, driver: Callable[..., Any], otherwise: Callable[..., Any]) -> None:
        """Make the entry function of a driver with bars; a call that doesn't fit goes to `otherwise`."""
        assert self._bound is not None
        entry, ways = self._bound
        self.timed, _ = entry.bind(driver=driver, **{**ways, "otherwise": otherwise})

    def fits(self, values: Sequence[Any]) -> bool:
        """Whether the entry function takes a call with these arguments, whose kinds are those of `key`."""
        return self._probe is not None and self._probe(*values)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function with arguments of this signature.

        Args:
            *args: the arguments.
            **kwargs: arguments by name.

        Returns:
            What the function returns.

        Raises:
            TypeError: the arguments have another signature.
        """
        if self.values_of is None:
            raise TypeError("this specialisation belongs to no function")
        values = self.values_of(*args, **kwargs)
        same = self.plain_reason or (tuple(map(key_part, values)) == self.key and self.fits(values))
        if self.entry is None or not same:
            raise TypeError(f"these arguments have another signature than ({self.signature})")
        if self.timed_call is not None and timeline.active():
            return self.timed_call(*values)
        return self.entry(*values)

    def link(self, otherwise: Callable[..., Any]) -> None:
        """Where calls go that don't fit."""
        if self._otherwise is not None:
            self._otherwise.cell_contents = otherwise

    def __repr__(self) -> str:
        state = f"plain: {self.plain_reason}" if self.plain_reason else f"{len(self.clusters)} clusters"
        return f"<specialisation ({self.signature}), {state}>"


def _yes(*_: Any) -> bool:
    return True


def _yes_alone(*_: object) -> tuple[bool]:
    return (True,)


def _no(*_: Any) -> bool:
    return False
