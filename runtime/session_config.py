"""`ConfigProto` and what a session may be told, with TensorFlow's names and nesting."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, ClassVar

import numpy as np


class JitLevel(IntEnum):
    """How much of a graph a session compiles: ``OFF`` only what stands in a `jit_scope`."""

    DEFAULT = 0
    OFF = -1
    ON_1 = 1
    ON_2 = 2


class OptimizationLevel(IntEnum):
    """Whether passes simplify the graph."""

    L1 = 0
    L0 = -1


class _Options:
    """Fields with types that are checked when they are set: a misspelt one is an error, not a new field."""

    def __setattr__(self, name: str, value: Any) -> None:
        known = getattr(type(self), "__dataclass_fields__", {})
        if name not in known:
            raise AttributeError(f"{type(self).__name__} has no field {name!r}; it has {', '.join(known)}")
        object.__setattr__(self, name, self._checked(name, value))

    def _checked(self, name: str, value: Any) -> Any:
        default = type(self).__dataclass_fields__[name]  # type: ignore[attr-defined]
        kind = bool if isinstance(default.default, bool) else default.default_factory
        if kind is bool and isinstance(value, (np.bool_, int)):
            return bool(value)
        if not isinstance(value, kind):
            raise TypeError(f"{type(self).__name__}.{name} is a {kind.__name__}, not {value!r}")
        return value


@dataclass
class OptimizerOptions(_Options):
    """What passes do.

    Attributes:
        global_jit_level: ``OptimizerOptions.ON_1`` (or ``ON_2``, the same) compiles all that can be compiled;
            ``OFF`` and ``DEFAULT`` only what stands in a `jit_scope`.
        opt_level: ``OptimizerOptions.L1`` or ``L0``; kept for programs that set it, results are the same.

    Raises:
        ValueError: a field can't be that.
        AttributeError: a field is set that there isn't.

    Example::

        options = js.OptimizerOptions(global_jit_level=js.OptimizerOptions.ON_1)
        assert options.jit_level == "on"
    """

    DEFAULT: ClassVar[JitLevel] = JitLevel.DEFAULT
    OFF: ClassVar[JitLevel] = JitLevel.OFF
    ON_1: ClassVar[JitLevel] = JitLevel.ON_1
    ON_2: ClassVar[JitLevel] = JitLevel.ON_2
    L0: ClassVar[OptimizationLevel] = OptimizationLevel.L0
    L1: ClassVar[OptimizationLevel] = OptimizationLevel.L1

    global_jit_level: int = JitLevel.DEFAULT
    opt_level: int = OptimizationLevel.L1

    def _checked(self, name: str, value: Any) -> Any:
        kind = JitLevel if name == "global_jit_level" else OptimizationLevel
        try:
            return kind(value)
        except ValueError:
            names = ", ".join(f"OptimizerOptions.{level.name}" for level in kind)
            raise ValueError(f"{name} is one of {names}, not {value!r}") from None

    @property
    def jit_level(self) -> str:
        """The level by the name that passes know, ``"on"`` or ``"off"``."""
        return "on" if self.global_jit_level > 0 else "off"


@dataclass
class GraphOptions(_Options):
    """What happens to graphs before they run.

    Attributes:
        optimizer_options: an `OptimizerOptions`.

    Raises:
        TypeError: a field can't be that.
        AttributeError: a field is set that there isn't.

    Example::

        options = js.GraphOptions(js.OptimizerOptions(global_jit_level=js.OptimizerOptions.ON_1))
        config = js.ConfigProto(graph_options=options)
    """

    optimizer_options: OptimizerOptions = field(default_factory=OptimizerOptions)


@dataclass
class ConfigProto(_Options):
    """The options of a session.

    Attributes:
        graph_options: has `optimizer_options`, which has `global_jit_level`.
        allow_soft_placement: what asks for a device that isn't there runs on the CPU.
        log_device_placement: tell the device of each operation on stderr when a plan is made.

    Raises:
        TypeError: a field can't be that.
        AttributeError: a field is set that there isn't.

    Example::

        config = js.ConfigProto()
        config.graph_options.optimizer_options.global_jit_level = js.OptimizerOptions.ON_1
        session = js.Session(config=config)
    """

    graph_options: GraphOptions = field(default_factory=GraphOptions)
    allow_soft_placement: bool = False
    log_device_placement: bool = False


class TraceLevel(IntEnum):
    """How much of a run is told."""

    NO_TRACE = 0
    SOFTWARE_TRACE = 1
    HARDWARE_TRACE = 2
    FULL_TRACE = 3


@dataclass
class RunOptions(_Options):
    """The options of one run.

    Attributes:
        trace_level: with ``RunOptions.FULL_TRACE`` (or another one than ``NO_TRACE``) the run is timed.

    Raises:
        ValueError: there is no such level.
        AttributeError: a field is set that there isn't.

    Example::

        options, metadata = js.RunOptions(trace_level=js.RunOptions.FULL_TRACE), js.RunMetadata()
        js.Session().run(js.constant(1.0) + 1.0, options=options, run_metadata=metadata)
        assert metadata.step_stats["traceEvents"]
    """

    NO_TRACE: ClassVar[TraceLevel] = TraceLevel.NO_TRACE
    SOFTWARE_TRACE: ClassVar[TraceLevel] = TraceLevel.SOFTWARE_TRACE
    HARDWARE_TRACE: ClassVar[TraceLevel] = TraceLevel.HARDWARE_TRACE
    FULL_TRACE: ClassVar[TraceLevel] = TraceLevel.FULL_TRACE

    trace_level: int = TraceLevel.NO_TRACE

    def _checked(self, name: str, value: Any) -> Any:
        return TraceLevel(value)


@dataclass
class RunMetadata:
    """What a traced run leaves behind.

    Attributes:
        step_stats: the timeline as Chrome's trace format has it, a dict; empty before a traced run.

    Example::

        options, metadata = js.RunOptions(trace_level=js.RunOptions.FULL_TRACE), js.RunMetadata()
        js.Session().run(js.constant(1.0) + 1.0, options=options, run_metadata=metadata)
        assert metadata.step_stats["traceEvents"]
    """

    step_stats: dict[str, Any] = field(default_factory=dict)


class Timeline:
    """The times of a run, as TensorFlow's ``timeline.Timeline`` has them.

    Args:
        step_stats: what a traced run has left in `RunMetadata.step_stats`.

    Example::

        options, metadata = js.RunOptions(trace_level=js.RunOptions.FULL_TRACE), js.RunMetadata()
        js.Session().run(js.constant(1.0) + 1.0, options=options, run_metadata=metadata)
        with open("timeline.ctf.json", "w") as file:
            file.write(js.Timeline(metadata.step_stats).generate_chrome_trace_format())
    """

    def __init__(self, step_stats: dict[str, Any]) -> None:
        self.step_stats = step_stats

    def generate_chrome_trace_format(self) -> str:
        """The text of a file that Perfetto and chrome://tracing open.

        Returns:
            JSON.

        Example::

            assert js.Timeline({"traceEvents": []}).generate_chrome_trace_format() == '{"traceEvents": []}'
        """
        return json.dumps(self.step_stats, default=str)
