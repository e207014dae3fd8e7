"""`Function`: a decorated function, and the way from a call to a specialisation."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from itertools import pairwise
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

from ..autograph.transforms import Transforms, title
from ..codegen.faults import KernelFault
from ..graph.ir.nodes import Loc
from ..graph.ir.shown import printable
from ..graph.trace.build import tracing
from ..graph.trace.devices import plain_contexts
from ..graph.trace.marks import Fault
from ..graph.trace.recorded import graph_of
from ..graph.trace.running import line_of
from . import timeline
from .binder import Binder
from .callers import calls_itself, looks_at_callers, why_always_plain
from .changes import as_it_is, changed, renewed, unbound
from .compile import Made, RefusedPlacement, Request, StaysPlain, prepared
from .config import checked_level, config, note
from .devices import ANYWHERE, Placement
from .doubt import SERIES, Doubt, Sightings, doubt
from .errors import JitscopeError, NeedsGraph
from .faults import is_gradient_error, start_again, unless_nested, way_back
from .input_signature import check, fixes_sizes
from .levels import Levels
from .originals import Replaced, check_originals
from .process_turns import MadeElsewhere, patiently
from .restored import Specialisations, restored
from .signature import ArraySpec, is_simple, key_part, signature_text, why_plain
from .skipped import skipped
from .specialisation import Specialisation
from .stack import preparing
from .suspect import Suspect
from .trial import LoopTrial, Runs, Trial
from .turns import PREPARING, Busy, prepare, why_not_now

if TYPE_CHECKING:
    from .coverage import Coverage
    from .outlined import Outlining

FAULTY_CALLS = 8
"""So many calls that raise are traced, each in the hope that the fault is the caller's."""

OPTIONS = ("static_argnames", "jit_level", "strict", "cache", "placement")
"""Options that functions made of a function have, too."""

MOST = 64
"""With more specialisations than this, something in the signature changes at every call: calls run plain."""
MOST_OF_LOOP = 6
"""So many has an outlined loop at most: what it gets of the function around may differ from call to call."""

# One lock for all functions: with one each, two functions that call each other could wait for each other.
_lock = PREPARING.lock


class Function:
    """One decorated function: its options and its specialisations.

    The binder asks what takes a call when it has no entry function for its key. The specialisations of one
    key form a chain: an entry function that doesn't fit goes on to the next, the last one to `extend`.
    """

    transforms: Transforms = ()
    takes_transforms = False
    verdict = "runs as plain Python"
    trial: Callable[..., Trial | LoopTrial] = Trial
    lost: Callable[[Any], None] | None = None
    """Of a loop that is a function of its own: what hears of a specialisation that doesn't pay."""
    sizes_agree = True
    """Sizes that nobody knows are taken to be equal where NumPy mostly has it so; they weren't if False."""

    def __init__(
        self,
        function: FunctionType,
        static_argnames: Sequence[str] = (),
        jit_level: str | None = None,
        strict: bool = False,
        cache: bool = True,
        input_signature: Sequence[Any] | None = None,
        placement: Placement = ANYWHERE,
        saved: tuple[Any, ...] = (),
    ) -> None:
        self.python_function = function
        self.static_argnames = tuple(static_argnames)
        self.jit_level = jit_level and checked_level(jit_level)
        self.strict = strict or placement.demands
        self.placement = placement
        self.cache = cache
        self.input_signature = None if input_signature is None else tuple(input_signature)
        self.specialisations: Specialisations = Specialisations(self)
        self.chains: dict[Any, list[Specialisation]] = {}
        self.plain_reasons: dict[str, tuple[str, Loc, str]] = {}
        self.faulty_calls: dict[str, int] = {}
        self.running: set[str] = set()
        self.doubts: dict[Any, Doubt] = {}
        self.sightings = Sightings()
        self.code = function.__code__
        self.levels = Levels(self._become_plain)
        levels = self.levels if self.may_become_plain else None
        self.binder = Binder(function, self._missing, saved, levels, partial(unbound, self))
        self.names = self.binder.names
        self.plain = self.binder.plain
        self.outlining: Outlining | None = None
        self.as_plain = as_it_is(self)
        if unknown := sorted(set(self.static_argnames) - set(self.binder.names)):
            raise ValueError(f"static_argnames: {function.__name__} has no parameter {unknown[0]!r}")
        if self.input_signature is not None and len(self.input_signature) > len(self.binder.names):
            raise ValueError(f"input_signature: {function.__name__} has {len(self.binder.names)} parameters")
        self.always_plain = ""
        self.look_at_code()
        config.watch(self.clear)
        timeline.watch(self.binder.forget)
        plain_contexts.watch(self.binder.forget)

    def __reduce__(self) -> Any:
        """By the user's function and the options; what is compiled is found again on disk."""
        options = {name: getattr(self, name) for name in (*OPTIONS, "input_signature")}
        saved, file = self.binder.saved(), self.python_function.__code__.co_filename
        return restored, (type(self), self.python_function, self.transforms, options, saved, file)

    def look_at_code(self) -> None:
        """Have the code of the user's function for good, where it is known to run plain always."""
        bound = self.strict or self.input_signature or self.placement != ANYWHERE
        self.always_plain = "" if type(self) is not Function or bound else why_always_plain(self.code)
        if self.always_plain:
            self.binder.become(self.python_function, pinned=True)

    def clear(self) -> None:
        """Forget every specialisation of this process; those on disk are found again.

        A function that has the user's code (a recursion, a generator, what looks at frames) takes the code
        and defaults of now: no call of it passes by us, so that nothing looks at them before.
        """
        if changed(self):
            renewed(self)
        if self.outlining is not None:
            self.outlining = None
            self.as_plain = as_it_is(self)
        with _lock:
            self.chains.clear()
            self.plain_reasons.clear()
            self.faulty_calls.clear()
            self.doubts.clear()
            self.levels.deep = False
            self.specialisations.clear()
            self.binder.forget()

    def in_call(self, count: int) -> Function:
        """What a call with `count` arguments by position runs."""
        return self

    def values_of(self, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """The arguments of a call, one for each parameter; specs become examples."""
        bound = inspect.signature(self.python_function, follow_wrapped=False).bind(*args, **kwargs)
        bound.apply_defaults()
        values = (bound.arguments[name] for name in self.names)
        return tuple(value.example() if isinstance(value, ArraySpec) else value for value in values)

    def request(self, values: tuple[Any, ...]) -> Request:
        """What the pipeline is asked for."""
        arguments = dict(zip(self.names, values, strict=True))
        signature = signature_text(arguments, self.static_argnames)
        level = self.jit_level or config.jit_level
        return Request(
            self.python_function,
            self.names,
            arguments,
            signature,
            self.static_argnames,
            level,
            self.cache,
            self.placement.here(),
            self.transforms,
            config.min_cluster_size,
            self.sizes_agree,
        )

    def key_of(self, values: tuple[Any, ...]) -> Any:
        """What the specialisations of a call are kept under: the arguments' types, and an open context."""
        parts = tuple(map(key_part, values))
        placement = self.placement.here()
        return parts if placement is self.placement else (placement, *parts)

    def specialise(self, values: tuple[Any, ...]) -> Specialisation:
        """The specialisation for a call with `values`: known, from disk or new; or raises `StaysPlain`."""
        try:
            return patiently(lambda may_wait: prepare(lambda: self._specialise(values, may_wait)))
        except (Busy, Replaced) as reason:
            raise StaysPlain("busy", str(reason)) from None
        except StaysPlain as verdict:
            if why_not_now() or "partially initialized module" in verdict.reason:  # some other time, then
                raise StaysPlain("busy", verdict.reason) from None
            raise

    def _specialise(self, values: tuple[Any, ...], may_wait: bool) -> Specialisation:
        chain = self.chains.setdefault(self.key_of(values), [])
        for known in chain:
            if known.fits(values):
                return known
        request = self.request(values)
        if request.case in self.plain_reasons:
            raise StaysPlain("known", *self.plain_reasons[request.case])
        if request.case in self.running:
            raise StaysPlain("known", "a call of this signature runs as plain Python for the first time")
        check_originals()
        self._refuse(values)
        self._refuse_series(values, len(chain))
        try:
            with preparing():
                known_paths = (known.module_path for known in self.specialisations)
                made = prepared(request, known_paths, may_wait)
            return self._add(made, chain, values)
        except RefusedPlacement as refused:
            raise self.refusal(refused) from refused
        except (StaysPlain, KernelFault, MadeElsewhere):
            raise
        except Fault as failed:
            raise failed.error from failed.error.__cause__
        except Exception as error:
            if is_gradient_error(error):
                raise StaysPlain("gradients", str(error), cause=error) from error
            raise StaysPlain("compile", f"it could not be prepared: {error}", cause=error) from error

    def _refuse_series(self, values: tuple[Any, ...], alike: int) -> None:
        """No specialisation, after some, for a text, a function or a class that may be made for one call."""
        is_new, is_new_class = self.sightings.see(values)
        series = (alike >= SERIES and is_new) or (len(self.specialisations) >= SERIES and is_new_class)
        if series and not self.strict and not self.transforms:
            raise StaysPlain("known", "an argument differs from call to call: it may not be seen again")

    def _refuse(self, values: tuple[Any, ...]) -> None:
        for name, value in zip(self.names, values, strict=True):
            if reason := why_plain(value):
                raise StaysPlain("bind", f"{name}: {reason}", attempt="pass plain arrays and numbers")
        if self.full:
            raise StaysPlain("known", f"it has {MOST} specialisations already")
        if self.lost is not None and len(self.specialisations) >= MOST_OF_LOOP:
            raise StaysPlain("known", f"the loop has {MOST_OF_LOOP} specialisations already")

    @property
    def full(self) -> bool:
        """Whether so much is known of it already that nothing new is looked at."""
        return len(self.specialisations) >= MOST

    def _add(self, made: Made, chain: list[Specialisation], values: tuple[Any, ...]) -> Specialisation:
        new = made.specialisation
        new.timed_call, new.handled = self.timed, made.recipe.handled
        new.doubtful = new.doubtful or (self.lost is not None and bool(new.clusters))
        new.values_of, new.key = self.values_of, tuple(map(key_part, values))
        nested = unless_nested(self.plain, self._become_plain) if type(self) is Function else None
        again = way_back(made.recipe, self.again(new), nested, self.binder.plain_code)
        new.clustered = made.graph if timeline.active() else None
        ways = {"otherwise": self.extend, "plain": self.plain, "again": again}
        new.bind(made.entry, made.driver, self.levels, **ways)
        self.levels.watch(made.entry.code)
        if not new.fits(values):
            raise StaysPlain("bind", "what the trace relied on does not hold at the next look")
        if chain:
            chain[-1].link(new.entry or self.plain)
        chain.append(new)
        self.specialisations.append(new)
        return new

    def again(self, new: Specialisation) -> Callable[..., Any]:
        """What happens when code that can be started again raises."""
        return start_again(self.plain, Suspect(self, new))

    def retire(
        self, faulty: Specialisation, reason: str, values: tuple[Any, ...], differ: bool = False
    ) -> None:
        """Give up a specialisation whose code has a fault of ours, or one whose sizes `differ`."""
        with _lock:
            for chain in self.chains.values():
                if faulty in chain:
                    chain.remove(faulty)
                    for before, after in pairwise(chain):
                        before.link(after.entry or self.plain)
                    if chain:
                        chain[-1].link(self.extend)
            if faulty in self.specialisations:
                self.specialisations.remove(faulty)
            self.binder.forget()
        if differ and self.sizes_agree:
            self.sizes_agree = False  # the next trace takes them for what they are
        else:
            self._keep_plain(values, StaysPlain("run", reason))

    @property
    def called(self) -> str:
        """The function's name in reports."""
        return self.python_function.__qualname__

    @property
    def written(self) -> Loc:
        """The line where the function stands."""
        code = self.python_function.__code__
        return line_of(code.co_filename, code.co_firstlineno)

    @cached_property
    def bar(self) -> int:
        """The number of the bar that stands for a call in timelines."""
        name = title(self.transforms, self.python_function.__qualname__)
        return timeline.call_bar(self.python_function, name)

    @property
    def off(self) -> bool:
        """Whether calls run plain here, whatever there is."""
        return config.disable or tracing()

    # Calls.

    def _missing(self, *values: Any) -> Any:
        """What takes a call whose key the binder doesn't know."""
        if (graph := graph_of(*values)) is not None:
            return graph.as_default()(self.plain)  # the function's operations join the graph, each for itself
        if timeline.active():
            return self.timed
        if self.off:
            return self.plain
        chain = self.chains.get(self.key_of(values))
        return self._learnt(values, chain[0]) if chain else self._prepared(values)

    def _learnt(self, values: tuple[Any, ...], first: Specialisation) -> Any:
        """What takes calls like this one from now on: the first specialisation asks the others."""
        entry = self._checked if fixes_sizes(self.input_signature) else self.runner(first)
        if len(values) == len(self.binder.names):  # a derived function may take more than its arguments
            plain_contexts.unless_open(lambda: self.binder.learn(values, entry))
        if entry is self.as_plain and self._is_recursion():
            self._become_plain()
        return entry

    @skipped
    def timed(self, *values: Any) -> Any:
        """A call while a timeline is recorded."""
        from .timed import call

        return call(self, values)

    @skipped
    def extend(self, *values: Any) -> Any:
        """A call that no known specialisation takes."""
        return self.plain(*values) if self.off else self._prepared(values)(*values)

    def _prepared(self, values: tuple[Any, ...]) -> Callable[..., Any]:
        """What takes a call that no known specialisation takes."""
        if changed(self):
            return renewed(self)
        self.check_signature(values)
        try:
            entry = self.runner(self.specialise(values))
        except StaysPlain as error:
            return self._plain_for(values, error)
        if chain := self.chains.get(self.key_of(values)):  # none where more are made than are kept
            self._learnt(values, chain[0])
        return entry

    def _become_plain(self) -> None:
        """Have the code of the user's function: each level of a recursion then costs one frame."""
        if self.may_become_plain:
            self.binder.become(self.python_function)

    @property
    def may_become_plain(self) -> bool:
        """Whether calls may pass by us altogether."""
        return type(self) is Function and not self.strict and self.input_signature is None

    def _is_recursion(self) -> bool:
        """Whether it has called itself, or looks as if it did."""
        return self.levels.deep or calls_itself(self.python_function, self.binder.made)

    @skipped
    def _plain_for(self, values: tuple[Any, ...], verdict: StaysPlain) -> Callable[..., Any]:
        """What runs a call plain and keeps the verdict; the function itself, if it looks at its callers."""
        if verdict.stage != "busy":  # which says nothing about the function
            if type(self) is Function and not self.strict and looks_at_callers(self.code):
                self._keep_plain(values, verdict)
                return self.as_plain
            if self._is_recursion():
                self._become_plain()
            else:
                self.outline(verdict)
        return lambda *values: self.run_plain(values, verdict)

    def outline(self, verdict: StaysPlain) -> None:
        """Have the loops of a function that stays plain run as functions of their own, where they can."""
        if self.outlining is not None or verdict.stage != "trace":
            return
        from .outlined import outlining_of

        self.outlining = outlining_of(self, verdict)
        if self.outlining is not None:
            self.outlining_changed()

    @property
    def may_be_outlined(self) -> bool:
        """Whether its loops may be functions of their own, if it stays plain."""
        plain = type(self) is Function and self.plain is self.binder.plain and self.lost is None
        bound = self.strict or self.input_signature is not None or self.placement != ANYWHERE
        return plain and not bound and not config.disable

    def as_loop(self, loop: FunctionType, lost: Callable[[Function], None]) -> FunctionType:
        """A loop of this function as a decorated function. Whether it pays, its first calls tell."""
        state = Function(loop, (), self.jit_level, False, self.cache)
        state.trial, state.lost = LoopTrial, lost
        return dressed(state)

    def outlining_changed(self) -> None:
        """Other loops than before are outlined: calls that stay plain run so from now on."""
        self.as_plain = as_it_is(self)
        self.binder.forget()

    def runner(self, found: Specialisation) -> Any:
        """What runs a call; where nothing is compiled, the plain function is at least as fast."""
        if self.strict and not found.clusters:
            left = next(iter(found.report.left), None)
            why = (left.reason, left.loc, left.attempt) if left else ("nothing in it has a compiled form",)
            raise self.refusal(StaysPlain("compile", *why))
        if found.doubtful and found.clusters and not self.strict and not found.slower:
            return self._on_trial(found)
        compiled = found.clusters or found.report.differentiated
        if self.lost is not None:
            self.lost(self)
        if not compiled:
            self.outline(StaysPlain("trace", "nothing in it has a compiled form"))
        return (found.entry or self.plain) if compiled and not found.slower else self.as_plain

    def _on_trial(self, found: Specialisation) -> Callable[..., Any]:
        """What runs a call that may take longer than the plain function."""
        entry = found.entry or self.plain

        def decided(slower: bool) -> None:
            found.slower = slower
            found.doubtful = False
            self.binder.forget()
            if slower:
                config.counters.add("fallbacks")
                note("fallback", f"{found.signature} runs as plain Python, which takes less time")

        if found.trial is None:
            found.trial = self.trial(Runs(entry, self.plain, found.fits, found.report.in_parts), decided)
        return found.trial

    @skipped
    def run_plain(self, values: tuple[Any, ...], verdict: StaysPlain) -> Any:
        """Run the plain function, and keep the verdict unless the call itself is at fault."""
        if verdict.stage == "busy":  # nothing is known about the function: the next call may compile it
            return self.plain(*values)
        if self.strict and verdict.cause is None:
            self._keep_plain(values, verdict)
            raise self.refusal(verdict) from verdict
        verdict.__traceback__ = None
        if verdict.stage == "known":
            with _lock:
                doubt(self, values)
            return self.as_plain(*values)
        request, key = self.request(values), self.key_of(values)  # the call may write to lists
        case = request.case
        self.running.add(case)
        try:
            result = self.as_plain(*values)
        except NeedsGraph as error:
            raise error.because(verdict.reason, verdict.cause) from verdict
        except Exception:
            # A shape that doesn't fit, for example: other calls of this signature may well be compiled.
            if self._faulty_call(case):
                self._keep_plain(values, verdict, request, key)
            else:
                self.binder.forget()
            raise
        finally:
            self.running.discard(case)
        self._keep_plain(values, verdict, request, key)
        if self.strict:
            raise self.refusal(verdict) from verdict
        return result

    def _faulty_call(self, case: str) -> bool:
        """Whether calls of this signature have raised so often that tracing each of them is a waste."""
        if len(self.faulty_calls) >= MOST:
            return True
        self.faulty_calls[case] = self.faulty_calls.get(case, 0) + 1
        return self.faulty_calls[case] >= FAULTY_CALLS

    def _keep_plain(
        self, values: tuple[Any, ...], verdict: StaysPlain, request: Request | None = None, key: object = None
    ) -> None:
        """Keep the verdict for calls like this one, as `request` and `key` say if it has run by now."""
        request, key = request or self.request(values), key or self.key_of(values)
        with _lock:
            if request.case in self.plain_reasons or self.full:
                return
            self.plain_reasons[request.case] = (verdict.reason, verdict.where, verdict.attempt)
            kept = self._plain_one(request.signature, verdict)
            self.specialisations.append(kept)
            chain = self.chains.setdefault(key, [])
            if not chain and not self.strict and all(map(is_simple, values)):
                chain.append(kept)
        if self.lost is not None:
            self.lost(self)
        config.counters.add("fallbacks")
        note("fallback", f"{request.title} runs as plain Python: {verdict.reason}")

    def refusal(self, verdict: StaysPlain) -> JitscopeError:
        """What ``strict=True`` raises."""
        name = printable(self.python_function.__qualname__)
        if isinstance(verdict, RefusedPlacement):
            return JitscopeError(f"{name}: {verdict.reason}", verdict.where, verdict.so, verdict.attempt)
        return JitscopeError(
            f"{name} can't be compiled: {verdict.reason}",
            verdict.where if verdict.where.line else self.written,
            so="strict=True refuses such calls, which would run as plain Python",
            attempt=verdict.attempt
            or "decorate a function with only the lines that compute, or drop strict=True",
        )

    # Input signatures.

    @skipped
    def _checked(self, *values: Any) -> Any:
        """A known key, but sizes are part of the input signature."""
        self.check_signature(values)
        chain = self.chains.get(self.key_of(values))
        return self.runner(chain[0])(*values) if chain else self.extend(*values)

    def check_signature(self, values: tuple[Any, ...]) -> None:
        """Raise `TypeError` if the call doesn't match the input signature; nothing is cast."""
        check(self.input_signature, self.binder.names, values)

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> Specialisation:
        """The specialisation for arguments like these (values or `ArraySpec`), compiled now if need be.

        Without arguments, those of the input signature. Its `plain_reason` tells why calls run as Python.

        Raises:
            TypeError: arguments are missing, or the input signature asks for others.
            JitscopeError: with ``strict=True``, nothing can be compiled.
        """
        if not args and not kwargs and self.input_signature is not None:
            args = self.input_signature
        values = self.values_of(*args, **kwargs)
        self.check_signature(values)
        try:
            return self.specialise(values)
        except StaysPlain as verdict:
            if self.strict:
                raise self.refusal(verdict) from verdict
            request = self.request(values)
            return self._plain_one(request.signature, verdict)

    def _plain_one(self, signature: str, verdict: StaysPlain) -> Specialisation:
        """What stands for a specialisation that could not be made."""
        return Specialisation(
            signature,
            plain_reason=verdict.reason,
            where=verdict.where,
            attempt=verdict.attempt,
            entry=self.plain,
            values_of=self.values_of,
        )

    def explain(self, *args: Any, **kwargs: Any) -> str:
        """A report: what is compiled, what runs as Python, and why.

        With ``bisect=True``: which pass or kernel makes the answer for these arguments wrong, if one does.
        With ``coverage=True``: also what share of a plain call's time each line takes.
        """
        report: str = _reports().explain(self, *args, **kwargs)
        return report

    def coverage(self, *args: object, strict: float | None = None, **kwargs: object) -> Coverage:
        """What share of a plain call's time is spent in lines that are compiled now; see `js.coverage`."""
        found: Coverage = _reports().coverage_of(self, self.values_of(*args, **kwargs), strict)
        return found


def _reports() -> ModuleType:
    """What is written for people, which no program needs to start."""
    from . import explain

    return explain


def dressed(state: Function) -> FunctionType:
    """The binder's function with the attributes that users see."""
    made: Any = state.binder.made
    made.__jitscope__ = state
    made.python_function = state.python_function
    made.specializations = state.specialisations
    made.get_concrete_function = state.get_concrete_function
    made.explain = state.explain
    made.coverage = state.coverage
    made.clear = state.clear
    return made
