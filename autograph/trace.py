"""Tracing: call the staged function with symbols, and collect the graph.

`trace` repeats the attempt when it learns on the way that a decision was taken too early (`Restart`): a list
that has to be a real object, sizes that are equal.
"""

from __future__ import annotations

import inspect
import sys
import types
from collections.abc import Collection, Mapping
from typing import Any, NoReturn

from ..graph.analysis.effects import done_once, taken_back, written_params
from ..graph.analysis.first_effects import ends_with_effects
from ..graph.analysis.kept_rows import copies_can_be_told
from ..graph.analysis.sharing import may_share
from ..graph.analysis.verifier import UnseenSize, verify
from ..graph.gradients.errors import NoGradient
from ..graph.ir.causes import Cause
from ..graph.ir.nodes import NOWHERE, Block, Graph, Loc, Value, walk
from ..graph.ir.types import Array
from ..graph.ops.facts import is_drawn, is_return
from ..graph.trace.attempt import Restart
from ..graph.trace.budget import ATTEMPTS
from ..graph.trace.build import TraceError, building
from ..graph.trace.by_code import ByCode
from ..graph.trace.devices import device as placed_on
from ..graph.trace.running import place_at, place_of, target_of
from ..graph.trace.scopes import no_scope
from . import operators
from .array_lists import ArrayForm
from .convert import Staged, Unsupported, convert
from .knowledge import Knowledge
from .namespace import RESULT, Library, Namespace
from .operators.callers_lists import begin
from .operators.calls import enter, enter_first
from .operators.control import leave
from .operators.derivatives import outermost
from .operators.exits import Leave
from .operators.iterables import StaticIndexNeeded
from .operators.kinds import object_cause
from .operators.own_errors import ending_block
from .operators.returning import leave_function
from .operators.table import OPERATORS
from .programs.rules import MEANING
from .safety import is_function, is_immutable
from .spending import TRY
from .traced import Helper, Path, Traced, Unstageable
from .tracer import OpenFunction, Tracer, reset_tracer, set_tracer
from .transforms import Transforms, title


def trace(
    function: types.FunctionType,
    arguments: Mapping[str, Any],
    static_argnames: Collection[str] = (),
    jit_level: str = "on",
    device: str = "",
    transforms: Transforms = (),
    lists: bool = True,
    plain_calls: frozenset[Loc] = frozenset(),
    recursions: bool = True,
    sizes_agree: bool = True,
) -> Traced:
    """The graph of `function` for arguments like these.

    Args:
        function: a plain Python function.
        arguments: example values of all its parameters, by name.
        static_argnames: parameters whose values are part of the specialisation.
        jit_level: "on" or "off" (recorded for clustering).
        device: where operations run that stand in no `device` context of the function.
        transforms: what is wanted instead of the function's own result, innermost first.
        lists: lists of numbers may become arrays of the graph.
        plain_calls: calls of NumPy's functions that stay what they are, though there are programs.
        recursions: functions that call themselves may be functions of the graph.
        sizes_agree: sizes that only the run knows may be taken to be equal, and are compared there.

    Raises:
        Unstageable: the function has to run as plain Python for these arguments; the reason is in it.
    """
    knowledge = Knowledge(lists=lists and not transforms, plain_calls=plain_calls, agrees=sizes_agree)
    knowledge.programs, knowledge.level_on = not transforms, jit_level == "on"
    knowledge.own_functions = recursions and not transforms
    for _ in range(ATTEMPTS):
        try:
            return _attempt(function, arguments, static_argnames, knowledge, device, transforms)
        except Restart:
            continue
    raise Unstageable("the trace does not settle")


def _attempt(
    function: types.FunctionType,
    arguments: Mapping[str, Any],
    static_argnames: Collection[str],
    knowledge: Knowledge,
    device: str,
    transforms: Transforms,
) -> Traced:
    builder = knowledge.begin(locate=locate, suggest=suggest_name, rules=MEANING)
    staged_texts: list[str] = []

    def staged(plain: types.FunctionType, prefix: Path, reference: Any) -> types.FunctionType:
        found = converted(plain)
        if isinstance(found, Unsupported):
            raise Unsupported(found.reason, found.loc, found.attempt)  # what is raised remembers frames
        staged_texts.append(found.text)
        tracer.helpers.setdefault(prefix, Helper(prefix, plain, found.text))
        return found.instantiate(Namespace(tracer, plain, prefix), operators)

    tracer = Tracer(builder, knowledge, staged, OPERATORS)
    builder.node_hook = tracer.on_node
    token = set_tracer(tracer)
    try:
        with building(builder), no_scope(), placed_on(device or None):
            _run(tracer, function, arguments, static_argnames, transforms)
    except StaticIndexNeeded as needed:
        site = getattr(needed.container, "site", None)
        if site is None or site in knowledge.materialised:
            raise Unstageable(str(needed), _where(needed), needed.attempt) from needed
        knowledge.materialised.add(site)
        raise Restart from needed
    except (TraceError, Unsupported, RecursionError) as error:
        _begin_with_less(tracer, error)
        raise Unstageable(_reason(error), _where(error), getattr(error, "attempt", "")) from error
    except Exception:
        _begin_with_less(tracer)
        raise
    finally:
        reset_tracer(token)
    if knowledge.learn(builder) or knowledge.forget_strangers(builder):
        raise Restart
    found = _collect(tracer, function, staged_texts, transforms)
    if tracer.array_lists and copies_can_be_told(found.graph):
        _without_array_lists(knowledge)
    if any(may_share(found.graph, asked, held) for asked, held in tracer.keyed):
        _begin_with_less(tracer, TraceError("a list that is looked at while it is sorted"))
    if transforms:
        _check_sizes(found.graph)
    _check_starts(found, tracer)
    return found


def _check_starts(traced: Traced, tracer: Tracer) -> None:
    """Start the trace again without what has to start a call again that can't be."""
    if tracer.knowledge.agrees and not _may_ask(traced):
        tracer.knowledge.agrees = False
        raise Restart
    if tracer.numbers and (not _can_start_again(traced) or _other_code_looks(traced.graph, tracer)):
        _without_lists(tracer.knowledge)


def _may_ask(traced: Traced) -> bool:
    """Whether the run may find out that sizes differ: large arrays that were written aren't put back."""
    asks = any(node.attrs.get("asks") for node in walk(traced.graph.body))
    return not asks or (not traced.writes and _can_start_again(traced))


def _other_code_looks(graph: Graph, tracer: Tracer) -> bool:
    """Whether the driver runs code that may look at lists of the caller's, which grow only later.

    So may any code of the user's, and what looks into containers.
    """
    if not tracer.handed:
        return False
    if not done_once(graph) <= taken_back(graph):
        return True
    held = {name for name, value in tracer.objects.items() if not (is_immutable(value) or is_function(value))}
    looking = (node for node in walk(graph.body) if not is_return(node) and not is_drawn(node))
    return any(isinstance(o, Value) and o.name in held for node in looking for o in node.operands)


def _check_sizes(graph: Graph) -> None:
    """No reverse pass asks for the size that an array had in an iteration of the forward pass."""
    try:
        verify(graph)
    except UnseenSize as unseen:
        raise NoGradient(unseen.node, "the size of an array changes in it, and is not kept") from None


def _without_lists(knowledge: Knowledge) -> NoReturn:
    """Start again with lists as objects of the run."""
    knowledge.lists = False
    knowledge.materialised.clear()
    raise Restart


def _begin_with_less(tracer: Tracer, error: Exception | None = None) -> None:
    """Start again with lists as objects of the run, if some are not, because of `error`."""
    if tracer.array_lists:
        _without_array_lists(tracer.knowledge)
    if tracer.numbers:
        if error is not None:
            said = f"its lists are Python's: {_reason(error)}"
            tracer.knowledge.given_up.append(Cause(said, loc=_where(error) or NOWHERE))
        _without_lists(tracer.knowledge)


def _without_array_lists(knowledge: Knowledge) -> NoReturn:
    """Start again with lists of arrays as objects of the run."""
    knowledge.array_lists = False
    arrays = [site for site, form in knowledge.grown.items() if isinstance(form, ArrayForm)]
    for site in arrays:
        del knowledge.grown[site]
    for path in [path for path, known in knowledge.callers.items() if isinstance(known.form, ArrayForm)]:
        del knowledge.callers[path]
        knowledge.not_followed.add(path)
    raise Restart


def _can_start_again(traced: Traced) -> bool:
    """Whether all that is done can be undone: then the plain function tells what is wrong.

    It does so with Python's own exceptions, and with its ints of any size. Arrays and generators are put back
    as they were; lists that were taken over have not changed yet; what is printed is printed once. What else
    can't be done twice may come at the end, when nothing is left that could ask for it.
    """
    types = {item.name: item.type for item in traced.inputs}
    if done_once(traced.graph) <= taken_back(traced.graph):
        return all(isinstance(types[name], Array) for name in traced.writes)
    return not traced.writes and ends_with_effects(traced.graph)


def _notes(tracer: Tracer) -> tuple[Cause, ...]:
    """What `explain` tells of the trace beside its graph."""
    known = tracer.knowledge
    loops = (Cause(said, TRY, loc) for loc, said in known.plain.loops.items())
    return (*tracer.notes, *known.given_up, *loops)


def _reason(error: BaseException) -> str:
    if isinstance(error, Unsupported):
        return error.reason
    if isinstance(error, RecursionError):
        return "its expressions or blocks are nested too deep"
    return str(error) or type(error).__name__


def _where(error: BaseException) -> Loc | None:
    if isinstance(error, TraceError) and error.loc is not None and error.loc.line:
        return error.loc
    if isinstance(error, Unsupported):
        return error.loc
    found, trace = None, error.__traceback__
    while trace is not None:
        if isinstance(trace.tb_frame.f_globals, Namespace):
            found = trace
        trace = trace.tb_next
    if found is None:
        return None
    return place_at(found.tb_frame.f_code, found.tb_lasti, found.tb_lineno)


def _run(
    tracer: Tracer,
    function: types.FunctionType,
    arguments: Mapping[str, Any],
    static: Collection[str],
    transforms: Transforms,
) -> None:
    begin()
    values = {}
    for name, value in arguments.items():
        path: Path = (("arg", name),)
        if name in static:
            tracer.static(path, value, "equal")
            values[name] = value
        else:
            values[name] = tracer.wrap(path, value)
    plain = tracer.convert(function, (), None)
    code = None if transforms else function.__code__
    tracer.frames.append(OpenFunction(title(transforms, function.__name__), 0, top=True, code=code))
    try:
        with ending_block():
            leave_function(
                _transformed(function, plain, values, transforms)
                if transforms
                else enter_first(plain, function, values)
            )
    except Leave as left:
        leave(left)


def _transformed(
    function: types.FunctionType, staged: types.FunctionType, values: dict[str, Any], transforms: Transforms
) -> Any:
    """What the transforms make of the function, called with `values`."""
    signature = inspect.signature(function, follow_wrapped=False)
    extra = [values[name] for name in values if name not in signature.parameters]
    bound = inspect.BoundArguments(signature, {n: v for n, v in values.items() if n in signature.parameters})

    def run(*args: Any, **kwargs: Any) -> Any:
        given = signature.bind(*args, **kwargs)
        given.apply_defaults()
        return enter(staged, function, given.arguments)

    args = (*bound.args, *extra)
    return outermost(transforms, run, args, bound.kwargs, tuple(signature.parameters))


def _collect(
    tracer: Tracer, function: types.FunctionType, texts: list[str], transforms: Transforms
) -> Traced:
    builder = tracer.builder
    params = tuple(tracer.values[path] for path in tracer.inputs)
    body = Block((), tuple(builder.blocks[0]))
    guards = tuple(dict.fromkeys(builder.guards))
    graph = Graph(title(transforms, function.__name__), params, body, builder.sizes, guards)
    return Traced(
        graph,
        tuple(tracer.inputs.values()),
        tuple(tracer.statics.values()),
        tuple(tracer.helpers.values()),
        _notes(tracer),
        {name: object_cause(name, value) for name, value in tracer.objects.items()},
        tuple(sorted(value.name for value in written_params(graph))),
        texts[0] if texts else "",
        {
            "staged": tuple(dict.fromkeys(texts)),
            "retraced": sorted(map(str, tracer.knowledge.materialised)),
            "lists": tracer.numbers,
            "handed": tuple(tracer.handed),
            "handled": tuple(tracer.handled),
            "programs": dict(tracer.programs),
            "differentiated": builder.attributes.get("differentiated", False),
        },
    )


_STAGED = ByCode()


def converted(function: types.FunctionType) -> Staged | Unsupported:
    """The staged form of a function with its present code, or why there is none; remembered."""
    known, name = _STAGED.of(function.__code__), (function.__name__, function.__qualname__)
    if name not in known:
        try:
            known[name] = convert(function)
        except Unsupported as error:
            known[name] = Unsupported(error.reason, error.loc, error.attempt)
    found: Staged | Unsupported = known[name]
    return found


def locate() -> Loc:
    """The user's line that runs now: the innermost frame of staged code."""
    return place_of(_staged_frame())


def _staged_frame() -> types.FrameType | None:
    frame: types.FrameType | None = sys._getframe(2)
    while frame is not None and not isinstance(frame.f_globals, Namespace):
        frame = frame.f_back
    return frame


def suggest_name() -> str | None:
    """The variable that the running statement assigns its value to, read off the next instruction.

    What a program of ours calls ``out`` is what the user's statement makes.
    """
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None and not isinstance(frame.f_globals, Namespace | Library):
        frame = frame.f_back
    name = target_of(frame)
    return target_of(_staged_frame()) if name == RESULT and _is_ours(frame) else name


def _is_ours(frame: types.FrameType | None) -> bool:
    return frame is not None and isinstance(frame.f_globals, Library)
