"""The timeline: what ran when, written as Chrome trace JSON, which Perfetto (https://ui.perfetto.dev) opens.

While a trace is active, calls of decorated functions run a second form of the driver, which tells here when
each operation and each kernel began and ended (`timed.py`); otherwise generated code knows nothing of it.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import get_ident
from time import perf_counter_ns as now
from types import FunctionType, TracebackType
from typing import TYPE_CHECKING, Any

from ..graph.ir.nodes import Graph, walk
from ..graph.trace.watchers import Watchers
from .config import config, note, tell
from .drafts import check_place, draft
from .trace_document import COMPILER, Bar, Event, Life, Recorded

if TYPE_CHECKING:
    from ..codegen.sites import Site

MOST = 1_000_000
"""So many bars are kept for `JITSCOPE_TIMELINE`; then the file is written and the process runs untraced."""


class _Seen(threading.local):
    """The list of lives in which this thread has its own."""

    lives: list[Life] | None = None


_bars: list[Bar] = []
_events: list[Event] = []
_lives: list[Life] = []
_seen = _Seen()
_traces: list[Trace] = []
_watchers = Watchers()
_lock = threading.RLock()


def active() -> bool:
    """Whether somebody traces now."""
    return bool(_traces)


def watch(method: Callable[[], None]) -> None:
    """Call the bound `method` when tracing begins or ends (held weakly)."""
    _watchers.add(method)


def number_of(*bars: Bar) -> int:
    """The number of the first of `bars`, which follow one another."""
    with _lock:
        _bars.extend(bars)
        return len(_bars) - len(bars)


def begin() -> int:
    """When a bar begins that `record` adds in the end."""
    start = now()
    if _seen.lives is not _lives:
        _seen.lives = _lives
        _lives.append(Life(get_ident(), start, threading.current_thread().name))
    return start


def record(number: int, start: int) -> None:
    """Add the bar `number`, which began at `start` and ends now."""
    _events.append((number, start, now(), get_ident()))
    if len(_events) > MOST:
        _stop_at_limit()


def teller(bars: Sequence[Bar]) -> Callable[[int, int], None]:
    """The function that a timed driver calls with the number of one of `bars` and when it began."""
    append, first = _events.append, number_of(*bars)

    def done(number: int, start: int) -> None:
        append((first + number, start, now(), get_ident()))

    return done


def bar_of(site: Site) -> Bar:
    """The bar of an operation or kernel."""
    shown = ("name", "op", "inputs", "cluster", "scope", "device", "source", "nodes")
    args = {key: value for key in shown if (value := getattr(site, key)) or key in ("name", "op", "inputs")}
    return Bar(site.op, "Op", args, site.device)


def call_bar(function: FunctionType, name: str) -> int:
    """The number of the bar that stands for a call in timelines."""
    code = function.__code__
    file = code.co_filename.replace("\\", "/").rsplit("/", 1)[-1]
    about = {"name": name, "op": "function", "source": f"{file}:{code.co_firstlineno}"}
    return number_of(Bar(name, "Function", about))


@dataclass(slots=True)
class Phase:
    """A stage of the compiler, as a context; costs nothing to speak of while nobody traces."""

    name: str
    title: str
    _start: int = 0

    def __enter__(self) -> Phase:
        self._start = begin() if _traces else 0
        return self

    def __exit__(self, *_: object) -> None:
        if self._start and _traces:
            args = {"name": self.title, "op": self.name}
            record(number_of(Bar(self.name, "Compile", args, COMPILER)), self._start)


class Passes:
    """Hears of the passes over a graph, one after another, and makes a bar of each."""

    def __init__(self, title: str) -> None:
        self._title = title
        self.restart()

    def __call__(self, name: str, graph: Graph) -> None:
        if self._last and _traces and name != "trace":
            args = {"name": self._title, "op": name, "nodes": sum(1 for _ in walk(graph.body))}
            record(number_of(Bar(name, "Compile", args, COMPILER)), self._last)
        self.restart()

    def restart(self) -> None:
        """The next pass begins only now."""
        self._last = begin() if _traces else 0


@contextmanager
def each_kernel(clusters: Sequence[str]) -> Iterator[None]:
    """While somebody traces, a bar for each kernel that Numba compiles inside the block."""
    if not _traces or not clusters:
        yield
        return
    from numba.core import event

    starts: list[int] = []

    class Kernels(event.Listener):
        def on_start(self, event: Any) -> None:
            starts.append(begin())

        def on_end(self, event: Any) -> None:
            name = event.data["dispatcher"].py_func.__name__
            bar = Bar(f"compile {name}", "Compile", {"name": name, "op": "numba"}, COMPILER)
            record(number_of(bar), starts.pop())

    with event.install_listener("numba:compile", Kernels()):
        yield


class Trace:
    """What `trace` returns: a context manager.

    Attributes:
        path: the file that is written when the block ends; None writes none.

    Example::

        with js.trace(None) as trace:
            js.function(lambda x: x + 1.0)(2.0)
        assert trace.document["traceEvents"]
    """

    def __init__(self, path: str | os.PathLike[str] | None) -> None:
        # The program may go to another folder before the file is written.
        self.path = None if path is None else Path(os.path.abspath(_checked(path)))
        self._recorded = Recorded()
        self._first = 0
        self._start = 0

    def start(self) -> None:
        """Begin to gather bars."""
        global _lives
        with _lock:
            if self in _traces:
                raise RuntimeError("this trace is being recorded already; js.trace(path) makes another one")
            if not _traces:
                _events.clear()
                _lives = []
            self._first, self._start = len(_events), now()
            _traces.append(self)
            if len(_traces) == 1:
                _watchers.tell()

    def stop(self) -> None:
        """Gather no more, and write the file if there is a path."""
        end = now()
        with _lock:
            _traces.remove(self)
            if not _traces:
                _watchers.tell()
            mine = [event for event in _events[self._first :] if event[1] >= self._start and event[2] <= end]
            lives = list(_lives)
            if not _traces:
                _events.clear()
        self._recorded = Recorded(mine, _bars, self._start, lives)
        self.__dict__.pop("document", None)
        if self.path is not None:
            _write(self.path, self._recorded)

    @cached_property
    def document(self) -> dict[str, Any]:
        """What was traced, known after the block, a dict as JSON in Chrome's format would have it."""
        return self._recorded.document()

    def __enter__(self) -> Trace:
        if self.path is not None:
            check_place(self.path)
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.stop()
        except OSError as fault:
            if error is None:
                raise
            _tell(fault)  # what the block has raised is of more use


def trace(path: str | os.PathLike[str] | None) -> Trace:
    """Write a timeline of what runs inside the block: ``with js.trace("timeline.ctf.json"):``.

    A bar stands for each operation that runs uncompiled, one called ``_JitLaunch`` for each call of a
    compiled cluster, one for each call of a decorated function, and one for each stage of the compiler; lanes
    are devices and threads. Code runs slower by a fraction of a microsecond for each bar. Folders that aren't
    there are made.

    Args:
        path: the file, in Chrome's trace format (open it in https://ui.perfetto.dev or chrome://tracing);
            None writes none, and leaves the trace in `document` of what the context yields.

    Returns:
        A context manager, a `Trace`; it yields itself.

    Raises:
        OSError: no file can be written there; said when the block begins, as far as that can be known.
        TypeError: `path` is no path.
        ValueError: `path` is empty.
        RuntimeError: when the block begins: the same `Trace` is recorded already.

    Example::

        with js.trace("timeline.ctf.json"):
            js.function(lambda x: x + 1.0)(2.0)
    """
    return Trace(path)


def _write(path: Path, recorded: Recorded) -> None:
    """Write the file at once: a reader sees all of it or nothing."""
    with draft(path) as made, made.open("w", encoding="utf-8") as file:
        file.writelines(recorded.texts())
    note("timeline", f"{len(recorded.events)} bars: {path}")


def _tell(fault: OSError) -> None:
    tell(f"jitscope: the timeline could not be written: {fault}")


def _checked(path: str | os.PathLike[str]) -> str:
    text = os.fspath(path)
    if not isinstance(text, str) or not text:
        raise ValueError(f"the path of a trace is a text such as 'timeline.ctf.json', not {path!r}")
    return text


# JITSCOPE_TIMELINE: one file for each process.

_whole: Trace | None = None


def _begin_process() -> None:
    """Trace this process until it ends."""
    global _whole
    _whole = Trace(Path(config.timeline) / f"timeline-{os.getpid()}.ctf.json")
    _whole.start()
    # Processes of multiprocessing end without atexit, and forget their finalizers when they begin.
    util = sys.modules.get("multiprocessing.util")
    if util is not None:
        util.register_after_fork(_whole, _finalize)
        if sys.modules["multiprocessing.process"].parent_process() is not None:
            _finalize(_whole)


def _finalize(_: Trace) -> None:
    util: Any = sys.modules["multiprocessing.util"]
    util.Finalize(None, _end_process, exitpriority=0)


def _end_process() -> None:
    global _whole
    ending, _whole = _whole, None
    if ending is not None and ending in _traces:
        try:
            ending.stop()
        except OSError as error:
            _tell(error)


def _stop_at_limit() -> None:
    if _whole is not None and len(_traces) == 1:
        note("timeline", f"{MOST} bars are enough: the rest of the run is not traced")
        _end_process()


def _after_fork() -> None:
    """A child's timeline is its own: what was traced so far belongs to the parent."""
    global _lock, _lives
    _lock = threading.RLock()
    _events.clear()
    _lives = []
    tracing = _whole is not None
    _traces.clear()
    if tracing:
        _begin_process()
    else:
        _watchers.tell()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
if config.timeline:
    atexit.register(_end_process)
    _begin_process()
