"""Configuration: the only place that reads the environment.

| field | environment | meaning |
|---|---|---|
| `jit_level` | | ``"on"`` (default) compiles all it can, ``"off"`` only what a `jit_scope` asks for |
| `min_cluster_size` | | the fewest operations of a cluster that no `jit_scope` asks for; None: by weight |
| `cache_dir` | `JITSCOPE_CACHE_DIR` | where specialisations are kept between processes; empty: nowhere |
| `cache_limit` | `JITSCOPE_CACHE_LIMIT` | the bytes it may hold: ``500MB``; ``1GB`` unless set, 0: any |
| `loader` | `JITSCOPE_LOADER` | ``"numba"``: all machine code is loaded by Numba; ``"auto"`` unless set |
| `disable` | `JITSCOPE_DISABLE` | ``1``: every decorated function runs as plain Python |
| `log` | `JITSCOPE_LOG` | `TOPICS` to tell on stderr, separated by commas; ``1`` or ``all``: all of them |
| `check` | `JITSCOPE_CHECK` | ``1``: kernels are verified before they run (`KernelFault`), and graphs |
| `timeline` | `JITSCOPE_TIMELINE` | a folder: each process writes there what ran when, as Chrome trace JSON |
| `flags` | `JITSCOPE_FLAGS` | ``--dump_graph=REGEX --dump_dir=DIR --dump_format=svg``, see `flags.py` |
| `counters` | | how often each stage ran in this process |

Fields may be set while the program runs, for a block by ``with config.set(...):``; what is specialised
already is then looked up anew.
"""

from __future__ import annotations

import atexit
import logging
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, fields
from typing import Any

from ..graph.ir.shown import printable_lines
from ..graph.trace.locks import new_lock
from ..graph.trace.watchers import Watchers
from .flags import Flags, parsed

TOPICS = ("convert", "trace", "compile", "load", "fallback", "cache", "timeline", "dump", "counters")
LEVELS = ("on", "off")
LOADERS = ("auto", "numba")
FIELDS = (
    *("jit_level", "min_cluster_size", "cache_dir", "cache_limit", "loader", "disable", "log", "check"),
    *("timeline", "flags"),
)
_YES = ("1", "true", "yes", "on")
_GIGABYTE = 10**9
_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}


@dataclass(slots=True)
class Counters:
    """How often each stage ran in this process: what `js.counters` returns; `print` shows it on a line.

    Attributes:
        conversions: of functions to staged Python.
        traces: of functions and of sessions' plans.
        compilations: of modules by Numba.
        loads: of modules from the disk cache.
        fallbacks: of calls to plain Python.
    """

    conversions: int = 0
    traces: int = 0
    compilations: int = 0
    loads: int = 0
    fallbacks: int = 0
    _lock: Any = field(default_factory=new_lock, repr=False, compare=False)

    def add(self, name: str, more: int = 1) -> None:
        """Count `more` of `name`.

        Args:
            name: a counter: ``"traces"``.
            more: how many.

        Raises:
            AttributeError: there is no such counter.

        Example::

            before = js.counters().traces
            js.counters().add("traces", 2)
            assert js.counters().traces == before + 2
        """
        with self._lock:
            setattr(self, name, getattr(self, name) + more)

    def reset(self) -> None:
        """Start from zero.

        Example::

            js.counters().reset()
            assert js.counters().traces == 0
        """
        with self._lock:
            for entry in fields(self):
                if not entry.name.startswith("_"):
                    setattr(self, entry.name, 0)

    def __str__(self) -> str:
        shown = (entry.name for entry in fields(self) if not entry.name.startswith("_"))
        return " ".join(f"{name}={getattr(self, name)}" for name in shown)


class Config:
    """The options of this process, as `js.config`; each field may be set while the program runs.

    `set` has them be something else for a block. Most come from the environment: see the table on top of the
    module, or the page on configuration.

    Attributes:
        check: whether kernels and graphs are verified before they run.
        timeline: the folder where this process writes its timeline; empty for none. It is read at the start.
        counters: what `js.counters` returns.

    Example::

        with js.config.set(jit_level="off", disable=True):
            assert js.config.disable
        assert not js.config.disable
    """

    def __init__(self, environment: dict[str, str] | None = None) -> None:
        values = dict(os.environ) if environment is None else environment
        self._watchers = Watchers()
        self._jit_level = "on"
        self._min_cluster_size: int | None = None
        self._cache_dir = values.get("JITSCOPE_CACHE_DIR", _default_cache_dir(values))
        try:
            self._cache_limit = bytes_of(values.get("JITSCOPE_CACHE_LIMIT", "") or _GIGABYTE)
        except ValueError:  # which must not keep a program from starting
            self._cache_limit = _GIGABYTE
        # A misspelt loader in the environment must not keep a program from starting.
        self._loader = "numba" if values.get("JITSCOPE_LOADER", "").strip().lower() == "numba" else "auto"
        self._disable = values.get("JITSCOPE_DISABLE", "").strip().lower() in _YES
        self.check = values.get("JITSCOPE_CHECK", "").strip().lower() in _YES
        # A misspelt topic in the environment must not keep a program from starting.
        self._log = frozenset(_topics(values.get("JITSCOPE_LOG", ""))) & frozenset(TOPICS)
        folder = values.get("JITSCOPE_TIMELINE", "")
        self.timeline = os.path.abspath(folder) if folder else ""  # wherever the program goes
        self.flags = values.get("JITSCOPE_FLAGS", "")
        self.counters = Counters()

    @property
    def jit_level(self) -> str:
        """``"on"`` compiles all that can be compiled, ``"off"`` only what stands in a `jit_scope`.

        Another value is a `ValueError`.
        """
        return self._jit_level

    @jit_level.setter
    def jit_level(self, level: str) -> None:
        self._jit_level = checked_level(level)
        self._watchers.tell()

    @property
    def min_cluster_size(self) -> int | None:
        """The fewest operations of a cluster that no `jit_scope` asks for; None weighs the operations.

        Views and sizes don't count, and a loop with work in it is always enough. What a `jit_scope` marks
        is compiled however little it is. Anything but None and an int of at least 1 is a `ValueError`.
        """
        return self._min_cluster_size

    @min_cluster_size.setter
    def min_cluster_size(self, size: int | None) -> None:
        if size is not None and (type(size) is not int or size < 1):
            raise ValueError(f"min_cluster_size is None or an int of at least 1, not {size!r}")
        self._min_cluster_size = size
        self._watchers.tell()

    @property
    def cache_dir(self) -> str:
        """The folder of the disk cache; empty when nothing is kept. None empties it."""
        return self._cache_dir

    @cache_dir.setter
    def cache_dir(self, folder: str | os.PathLike[str] | None) -> None:
        self._cache_dir = os.fspath(folder) if folder else ""

    @property
    def cache_limit(self) -> int:
        """How many bytes the disk cache may hold before what was used least recently leaves; 0 is for any.

        It may be set to a text such as ``"500MB"``; one that is no size is a `ValueError`.
        """
        return self._cache_limit

    @cache_limit.setter
    def cache_limit(self, limit: int | str | None) -> None:
        self._cache_limit = bytes_of(limit or 0)

    @property
    def loader(self) -> str:
        """Which machine code from disk is loaded by Numba, ``"auto"`` for some or ``"numba"`` for all.

        Another value is a `ValueError`.
        """
        return self._loader

    @loader.setter
    def loader(self, name: str) -> None:
        if name not in LOADERS:
            raise ValueError(f"loader is one of {', '.join(map(repr, LOADERS))}, not {name!r}")
        self._loader = name

    @property
    def disable(self) -> bool:
        """Whether decorated functions run as plain Python."""
        return self._disable

    @disable.setter
    def disable(self, value: bool) -> None:
        self._disable = bool(value)
        self._watchers.tell()

    @property
    def log(self) -> frozenset[str]:
        """The topics that are told on stderr, a frozenset; set it to one text or several.

        Topics are convert, trace, compile, load, fallback, cache, timeline, dump and counters; ``"all"`` is
        all of them, an empty text none. Another one is a `ValueError`.
        """
        return self._log

    @log.setter
    def log(self, topics: str | Iterable[str]) -> None:
        names = _topics(topics if isinstance(topics, str) else ",".join(topics))
        if unknown := sorted(set(names) - set(TOPICS)):
            raise ValueError(f"unknown log topic {unknown[0]!r}; topics are {', '.join(TOPICS)}, or all")
        self._log = frozenset(names)

    @property
    def flags(self) -> Flags:
        """What to look into, with the fields `dump_graph`, `dump_dir` and `dump_format`.

        Set it to a text such as ``"--dump_graph=.*"``; a flag that there isn't is a `ValueError`.
        """
        return self._flags

    @flags.setter
    def flags(self, flags: str | Flags) -> None:
        self._flags = flags if isinstance(flags, Flags) else parsed(flags)
        if self._flags.dump_graph:
            self._log |= {"dump"}

    @contextmanager
    def set(self, **options: object) -> Iterator[Config]:
        """Have fields be something else inside a block: ``with js.config.set(disable=True, log="trace"):``.

        They are those of the process: other threads see them, too.

        Args:
            **options: values by the names of fields.

        Yields:
            The configuration.

        Raises:
            TypeError: there is no such field.
            ValueError: a field can't be that; none has been changed then.

        Example::

            with js.config.set(min_cluster_size=3) as config:
                assert config.min_cluster_size == 3
            assert js.config.min_cluster_size is None
        """
        if unknown := [name for name in options if name not in FIELDS]:
            raise TypeError(f"config has no field {unknown[0]!r}; there are {', '.join(FIELDS)}")
        before = {name: getattr(self, name) for name in options}
        try:
            for name, value in options.items():
                setattr(self, name, value)
            yield self
        finally:
            for name, value in before.items():
                setattr(self, name, value)

    def watch(self, method: Callable[[], None]) -> None:
        """Call the bound `method` when a field changes that dispatch depends on (held weakly)."""
        self._watchers.add(method)

    def __repr__(self) -> str:
        return (
            f"Config(jit_level={self.jit_level!r}, cache_dir={self.cache_dir!r}, "
            f"disable={self.disable!r}, log={sorted(self.log)!r})"
        )


def checked_level(level: str) -> str:
    """`level`, if it is one of `LEVELS`."""
    if level not in LEVELS:
        raise ValueError(f"jit_level is 'on' or 'off', not {level!r}")
    return level


def bytes_of(size: int | str) -> int:
    """``1_000_000`` or ``"1 MB"`` as a number."""
    found = re.fullmatch(r"([\d_]*\.?\d+)\s*([kmgt]?)b?", str(size).strip().lower())
    if isinstance(size, bool) or found is None:
        raise ValueError(f"a size in bytes, such as 1_000_000 or '1 MB', not {size!r}")
    return int(min(float(found[1]) * _UNITS[found[2]], sys.maxsize))  # hundreds of digits are infinite


def _topics(text: str) -> Iterable[str]:
    names = [name.strip().lower() for name in text.split(",") if name.strip()]
    return TOPICS if {"all", "1"} & set(names) else [name for name in names if name != "0"]


def _default_cache_dir(values: dict[str, str]) -> str:
    home = values.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(home, "jitscope") if os.path.isabs(home) else ""


def asked_processor() -> str:
    """The processor that Numba was told to compile for, if it was."""
    return " ".join(os.environ.get(name, "") for name in ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES"))


config = Config()


def counters() -> Counters:
    """How often each stage ran in this process: how many functions were traced, compiled, loaded from disk.

    Returns:
        A `Counters`, whose ints go on counting.

    Example::

        before = js.counters().traces
        js.function(lambda x: x + 1.0, cache=False).get_concrete_function(2.0)
        assert js.counters().traces == before + 1
    """
    return config.counters


def tell(message: str) -> None:
    """Print `message` on what is standard error now; one that is closed or full must not stop a call."""
    if sys.stderr is None:
        return
    with suppress(Exception):  # what a program has put there may raise anything
        print(printable_lines(message), file=sys.stderr)


def note(topic: str, message: str) -> None:
    """Tell `message` on stderr if the user asked for `topic`."""
    if topic not in config.log:
        return
    logger = logging.getLogger("jitscope")
    if not logger.handlers:

        class Stderr(logging.Handler):
            """Writes to what is standard error now, not when the first message was told."""

            def emit(self, record: logging.LogRecord) -> None:
                tell(self.format(record))

        handler = Stderr()
        handler.setFormatter(logging.Formatter("jitscope: %(message)s"))
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
        logger.propagate = False
    # What follows on a second line, maybe a text that a program chose, must not look like a line of ours.
    logger.info("%s: %s", topic, printable_lines(message).replace("\n", "\n  "))


@atexit.register
def _tell_counters() -> None:
    note("counters", str(config.counters))
