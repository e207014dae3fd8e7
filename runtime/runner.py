"""`Runner`: one structure of fetches and one set of feeds of a session, with the plans made for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from ..codegen.faults import KernelFault
from ..graph.analysis.effects import done_once
from ..graph.explicit.replay import Replayed
from ..graph.explicit.selection import certainly_missing, selected
from ..graph.explicit.variable import Variable
from ..graph.gradients.errors import GradientError
from ..graph.trace.build import TraceError
from ..graph.trace.devices import PlacementError
from . import timeline
from .compile import RefusedPlacement
from .config import config, note
from .devices import tell_placement
from .errors import FailedPreconditionError, InvalidArgumentError, JitscopeError
from .faults import pass_on, unless_from_outside
from .feeds import Feeds, missing_feed
from .fetches import Fetches
from .originals import Replaced, check_originals
from .plain_run import PlainRun, can_run
from .plan import Plan, PlanRequest, make
from .plan_entry import PlanEntry, VariableCell, handlings

if TYPE_CHECKING:
    from .session import Session


TOLD = (InvalidArgumentError, JitscopeError, GradientError, KernelFault)
"""What the user is told as it is; for anything else there is another way to run."""


class Runner:
    """Runs some fetches for values of some symbols.

    Calls go to `function`. The entry functions of the plans form a chain: one that isn't for what is fed goes
    on to the next, the last one to `_miss`.
    """

    def __init__(self, session: Session, fetches: Fetches, feeds: Feeds) -> None:
        self.session = session
        self.fetches = fetches
        self.feeds = feeds
        self.steps = selected(fetches.elements, set(feeds.symbols))
        if missing := certainly_missing(self.steps, set(feeds.symbols)):
            raise missing_feed(missing[0])
        self.plans: list[Plan] = []
        self.entries: dict[Plan, tuple[PlanEntry, dict[str, Any]]] = {}
        self.timed: dict[Plan, Callable[..., Any]] = {}
        self.plain: list[Plan] = []
        self.heads: list[Callable[..., Any]] = [self._miss]
        self.function = self._function()

    @cached_property
    def bar(self) -> int:
        """The number of the bar that stands for a run in timelines."""
        about = {"name": repr(self.fetches.structure), "op": "run"}
        return timeline.number_of(timeline.Bar("Session.run", "Run", about))

    def _function(self) -> Callable[..., Any]:
        """Takes the values, gives them to the first plan, and puts the results into the user's structure."""
        heads, active, rebuild = self.heads, timeline.active, self.fetches.rebuild()
        count = len(self.feeds.symbols)

        def run(*values: Any) -> Any:
            if len(values) != count:
                raise TypeError(f"{count} values are to be fed, not {len(values)}")
            return self._run_timed(values) if active() else heads[0](*values)

        def run_and_rebuild(*values: Any) -> Any:
            return rebuild(run(*values))  # type: ignore[misc]

        return run if rebuild is None else run_and_rebuild

    def forget(self) -> None:
        """Plans are made anew from now on."""
        self.plans.clear()
        self.plain.clear()
        self.entries.clear()
        self.timed.clear()
        self.heads[0] = self._miss

    def close(self) -> None:
        """Calls raise from now on."""
        self.heads[0] = _closed

    # Plans.

    def plan_for(self, values: Sequence[Any]) -> Plan:
        """The plan for such values: known, or new."""
        return self._plan(self.feeds.checked(values))

    def _miss(self, *values: Any) -> Any:
        """A call that no entry function takes."""
        checked = self.feeds.checked(values)
        try:
            plan = self._plan(checked)
        except TOLD:
            raise
        except Exception as error:
            return self._run_plain(checked, error)
        return plan.functions["body"](*checked)

    def _plan(self, values: tuple[Any, ...]) -> Plan:
        with self.session.lock:
            for plan in self.plans:
                if plan.functions["fits"](*values):
                    return plan
            try:
                check_originals()
            except Replaced:
                return self._uncompiled(values)
            plan = self._made(values, self._level())
            self.plans.append(plan)
            self._link()
            return plan

    def _uncompiled(self, values: tuple[Any, ...]) -> Plan:
        """A plan in which NumPy runs each operation."""
        for plan in self.plain:
            if plan.functions["fits"](*values):
                return plan
        plan = self._made(values, "none")
        self.plain.append(plan)
        return plan

    def _level(self) -> str:
        if config.disable:
            return "none"
        return self.session.config.graph_options.optimizer_options.jit_level

    def _link(self) -> None:
        """The chain of entry functions."""
        following: Callable[..., Any] = self._miss
        for plan in reversed(self.plans):
            plan.functions["call"].__globals__["miss"] = following
            following = plan.functions["call"]
        self.heads[0] = following

    def _made(self, values: tuple[Any, ...], level: str) -> Plan:
        given = self.feeds.given(values)
        wanted = PlanRequest(
            self.steps, self.fetches.values, given, level, self.session.config.allow_soft_placement
        )
        plan = self._compiled(wanted)
        if self.session.config.log_device_placement:
            tell_placement(plan.graph)
        restartable = not done_once(plan.graph)
        fetched, updated = handlings(plan.replayed, len(self.fetches.values))
        slots = {variable: self.session.slot(variable) for variable in _variables(plan.replayed)}
        guarded = bool(plan.module.clusters)
        entry = PlanEntry(plan.replayed, self.feeds.symbols, given, fetched, updated, slots, guarded)

        def anew(fault: BaseException, *again_values: Any) -> Any:
            return self._again(plan, fault, again_values)

        outside = {
            "driver": plan.artefact.call,
            "miss": self._miss,
            "again": unless_from_outside(anew) if restartable else pass_on,
            "unset": _unset,
            "keep": _keep,
            "copied": _copied,
            "lock": self.session.lock,
        }
        plan.functions = entry.functions(**outside)
        self.entries[plan] = entry, outside
        return plan

    @staticmethod
    def _compiled(wanted: PlanRequest) -> Plan:
        """The plan, without compiled code if there is something wrong with that."""
        try:
            return make(wanted)
        except PlacementError as error:
            raise JitscopeError(error.reason, error.loc, error.so, error.attempt) from error
        except RefusedPlacement as error:
            raise JitscopeError(error.reason, error.where, error.so, error.attempt) from error
        except (*TOLD, TraceError):
            raise
        except Exception as error:
            if wanted.jit_level == "none":
                raise
            note("fallback", f"session: {wanted.title} isn't compiled: {type(error).__name__}: {error}")
            config.counters.add("fallbacks")
            return make(replace(wanted, jit_level="none"))

    # Other ways to run.

    def _again(self, plan: Plan, fault: BaseException, values: tuple[Any, ...]) -> Any:
        """Compiled code has raised: NumPy computes the same, and raises what it has to say itself."""
        result = self._uncompiled(values).functions["body"](*values)
        config.counters.add("fallbacks")
        note(
            "fallback",
            f"session: {plan.wanted.title} ran without compiled code: {type(fault).__name__}: {fault}",
        )
        return result

    def _run_timed(self, values: tuple[Any, ...]) -> Any:
        """A run while somebody traces: a bar of its own, and one for each operation and cluster."""
        checked = self.feeds.checked(values)
        start, plan, known = timeline.begin(), None, len(self.plans)
        try:
            plan = self._plan(checked)
            if plan not in self.timed:
                self._instrument(plan)
                if len(self.plans) == known:  # then nothing of what took time belongs to the run
                    start = timeline.begin()
            return self.timed[plan](*checked)
        except TOLD:
            raise
        except Exception as error:
            if plan is not None:
                raise
            return self._run_plain(checked, error)
        finally:
            timeline.record(self.bar, start)

    def _instrument(self, plan: Plan) -> None:
        """Give a plan its second form, which tells the timeline what it runs."""
        with timeline.Phase("instrument", plan.wanted.title):
            entry, outside = self.entries[plan]
            self.timed[plan] = entry.functions(**{**outside, "driver": plan.timed()})["body"]

    def _run_plain(self, values: tuple[Any, ...], reason: Exception) -> Any:
        """No plan can be made: the recorded calls run on the arrays themselves."""
        if not can_run(self.steps):
            raise reason
        note("fallback", f"session: the operations run one by one: {reason}")
        config.counters.add("fallbacks")
        with self.session.lock:
            slots = self.session.slot

            def read(variable: Variable) -> Any:
                if slots(variable).value is None:
                    raise _unset(slots(variable))
                return slots(variable).value

            run = PlainRun(dict(zip(self.feeds.symbols, values, strict=True)), read)
            results = tuple(map(_copied, run.run(self.steps, self.fetches.values)))
            kept = {variable: _keep(value, slots(variable), True) for variable, value in run.updates.items()}
            for variable, value in kept.items():
                slots(variable).value = value
        return results[0] if len(results) == 1 else results


def reordered(function: Callable[..., Any], order: Sequence[int]) -> Callable[..., Any]:
    """`function` for its arguments in another order."""
    pick = itemgetter(*order)  # of several: a single one is in order

    def call(*values: Any) -> Any:
        return function(*(pick(values) if len(values) == len(order) else values))

    return call


def _closed(*_: Any) -> Any:
    raise RuntimeError("Attempted to use a closed Session.")


def _variables(replayed: Replayed) -> list[Variable]:
    read = [subject for subject in replayed.subjects if isinstance(subject, Variable)]
    return [*read, *replayed.updates]


def _unset(slot: VariableCell) -> FailedPreconditionError:
    return FailedPreconditionError(
        f"Attempting to use uninitialized value {slot.variable.op.name!r}: run"
        " js.global_variables_initializer() in this session first"
    )


def _keep(value: Any, slot: VariableCell, copies: bool) -> Any:
    """A new value of a variable as it is kept: of its dtype and shape, in C order, nobody else's memory."""
    variable = slot.variable
    variable.check_shape(np.shape(value))
    if not variable.sizes:
        return variable.dtype.type(value)
    array = np.asarray(value, variable.dtype)
    return np.array(array, order="C") if copies or not array.flags.c_contiguous else array


def _copied(value: Any) -> Any:
    """A value that shares memory with nobody; NumPy gives some in lists and tuples."""
    if type(value) in (list, tuple):
        return type(value)(map(_copied, value))
    return value.copy() if isinstance(value, np.ndarray) else value
