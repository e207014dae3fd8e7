"""The pipeline: from a function and the arguments of a call to a specialisation, or to a reason for none."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any

from ..autograph.traced import Traced, Unstageable
from ..autograph.transforms import Transforms, title
from ..codegen.faults import KernelFault
from ..graph.ir.nodes import NOWHERE, Graph, Loc
from ..graph.ir.shown import printable
from ..graph.ir.types import OBJECT
from ..graph.trace.by_code import ByCode
from ..graph.trace.devices import PlacementError
from . import cache, devices
from .artefact import Artefact, Keep, check_forced, generated, new_artefact, stored_artefact, versions
from .config import config, note
from .devices import ANYWHERE, Placement
from .digest import code_digest, digest, environment
from .dump import Observer
from .entry import Entry, build
from .levels import Levels
from .moved import lines_now, places_of
from .originals import Replaced
from .paths import follow, names_in, underlying
from .process_turns import turn
from .recipe import Recipe, from_json, holds, recipe_of, to_json
from .report import report_from, report_of
from .signals import waiting
from .specialisation import Report, Specialisation
from .timeline import Phase

if TYPE_CHECKING:
    from ..codegen.generate import Header
    from ..codegen.module import Module
    from ..graph.passes import Options, Watch


@dataclass(frozen=True)
class Request:
    """A call that wants a specialisation."""

    function: FunctionType
    parameters: tuple[str, ...]
    arguments: Mapping[str, Any]
    signature: str
    static_argnames: tuple[str, ...] = ()
    jit_level: str = "on"
    cache: bool = True
    placement: Placement = ANYWHERE
    transforms: Transforms = ()
    min_cluster_size: int | None = None
    sizes_agree: bool = True

    @property
    def called(self) -> str:
        """The function's name, with what is made of it: ``grad_loss``."""
        return title(self.transforms, self.function.__name__)

    @property
    def name(self) -> str:
        """The function's name, fit for a file."""
        return re.sub(r"\W", "", self.called, flags=re.ASCII)[:60] or "function"

    @property
    def title(self) -> str:
        """The function and its signature, for the log: on one line, whatever the function is called."""
        return printable(f"{self.qualname}({self.signature})")

    @property
    def qualname(self) -> str:
        """The function's name with that of the class around it."""
        return title(self.transforms, self.function.__qualname__)

    @property
    def case(self) -> str:
        """Signature and placement: what a verdict on a call is about."""
        return f"{self.signature} {self.placement}"

    def key(self) -> str:
        """Digest of all that can be known before tracing; the recipe checks the rest."""
        made_of = {**environment(), **self.asked(), "code": code_digest(self.function.__code__)}
        return digest(json.dumps(made_of, sort_keys=True), 8)

    def asked(self) -> dict[str, str]:
        """The signature and the options."""
        placed = f" {self.placement}" if self.placement != ANYWHERE else ""
        options = f"jit_level={self.jit_level} static_argnames={sorted(self.static_argnames)}"
        if self.min_cluster_size is not None:
            options += f" min_cluster_size={self.min_cluster_size}"
        if not self.sizes_agree:
            options += " sizes_agree=False"
        chain = f" transforms={', '.join(map(str, self.transforms))}" if self.transforms else ""
        return {
            "function": self.function.__qualname__,
            "signature": self.signature,
            "options": options + chain + placed,
        }

    def pass_options(self) -> Options:
        """What the passes are told."""
        from ..graph.passes import Options

        return Options(
            self.jit_level, devices.list_devices, self.placement.soft, self.min_cluster_size, config.check
        )


class StaysPlain(Exception):
    """The call runs as plain Python, as `stage` found out; `cause` is an exception, if one was met."""

    def __init__(
        self, stage: str, reason: str, where: Loc = NOWHERE, attempt: str = "", cause: Exception | None = None
    ) -> None:
        super().__init__(reason)
        self.stage = stage
        self.reason = reason
        self.where = where
        self.attempt = attempt
        self.cause = cause


class RefusedPlacement(StaysPlain):
    """The call can't run where it was asked to, and plain Python is no answer."""

    def __init__(self, error: PlacementError) -> None:
        super().__init__("place", error.reason, error.loc, error.attempt)
        self.so = error.so


@dataclass(frozen=True)
class Made:
    """A specialisation and the entry that binds calls to its driver."""

    specialisation: Specialisation
    entry: Entry
    driver: Any
    recipe: Recipe
    graph: Graph | None = None


@dataclass(frozen=True)
class Follows:
    """What a trace follows: it is less in the next one, where what comes of it isn't compiled.

    Attributes:
        lists: lists of numbers as arrays. Python is faster with lists than with arrays.
        recursions: functions that call themselves as functions of the graph, which only kernels can hold.
        plain_calls: calls that are left to NumPy, though there are programs for them.
        sizes_agree: sizes that only the run knows are taken to be equal, and compared in kernels.
    """

    lists: bool = True
    sizes_agree: bool = True
    recursions: bool = True
    plain_calls: frozenset[Loc] = frozenset()


def stage(request: Request, watch: Watch | None = None) -> tuple[Graph, Any]:
    """Convert, trace and run the passes: the clustered graph, and what the trace found out.

    `watch` hears of the graph after each pass.
    """
    note("trace", request.title)
    config.counters.add("traces")
    follows, before = Follows(), None
    while follows != before:
        traced = _traced(request, follows)
        graph, less = _clustered(request, traced, follows, watch)
        follows, before = less, follows
    return graph, traced


def _clustered(
    request: Request, traced: Traced, follows: Follows, watch: Watch | None
) -> tuple[Graph, Follows]:
    """The graph after all passes, and what the next trace follows: the same if all is well."""
    from ..graph.passes import (
        GraphError,
        has_loose_checks,
        has_loose_items,
        has_loose_recursions,
        loose_programs,
        run_passes,
        stops_late,
    )

    try:
        graph = run_passes(traced.graph, request.pass_options(), watch)
        if follows.recursions and has_loose_recursions(graph):
            follows = replace(follows, recursions=False)
        elif follows.sizes_agree and has_loose_checks(graph):
            follows = replace(follows, sizes_agree=False)
        elif follows.lists and traced.extra["lists"] and (has_loose_items(graph) or stops_late(graph)):
            follows = replace(follows, lists=False)
        elif not follows.plain_calls:
            follows = replace(follows, plain_calls=loose_programs(graph, traced.extra["programs"]))
        return graph, follows
    except PlacementError as error:
        raise RefusedPlacement(error) from error
    except GraphError as error:
        if follows.lists and traced.extra["lists"]:  # a list that can't be followed here: without lists
            return traced.graph, replace(follows, lists=False)
        raise KernelFault(traced.graph.name, str(error), "") from error
    except Exception as error:
        raise StaysPlain("passes", f"a pass over the graph failed: {_said(error)}", cause=error) from error


def _traced(request: Request, follows: Follows) -> Traced:
    """What a trace finds out."""
    from ..autograph.convert import Unsupported
    from ..autograph.trace import converted, trace
    from ..graph.gradients.errors import GradientError

    function = request.function
    with Phase("convert", function.__qualname__):
        converted(function)  # which the trace finds again
    try:
        with Phase("trace", request.title):
            traced = trace(
                function,
                dict(request.arguments),
                request.static_argnames,
                request.jit_level,
                request.placement.device,
                request.transforms,
                follows.lists,
                follows.plain_calls,
                follows.recursions,
                request.sizes_agree and follows.sizes_agree,
            )
    except (Unstageable, Unsupported) as error:
        raise StaysPlain("trace", error.reason, error.loc or NOWHERE, error.attempt) from error
    except GradientError:  # plain Python has no gradients to fall back to
        raise
    except Exception as error:
        raise StaysPlain("trace", f"tracing it raised {_said(error)}", cause=error) from error
    finally:
        _count_conversion(function)
    for helper in traced.helpers:
        _count_conversion(underlying(helper.function))
    return traced


_converted = ByCode()


def _count_conversion(function: FunctionType) -> None:
    """A function is converted once in a process, however often it is traced."""
    if not (known := _converted.of(function.__code__)):
        known["counted"] = True
        config.counters.add("conversions")
        note("convert", printable(function.__qualname__))


def make(request: Request) -> Made:
    """A new specialisation."""
    observer = Observer(request.qualname, request.title)
    graph, traced = waiting.openly(lambda: stage(request, observer))
    try:
        recipe = recipe_of(traced, graph, request.parameters, request.function, request.arguments)
        key = request.key()
        module = waiting.openly(lambda: generate_module(request, graph, key))
        observer.module(module.text)
        if not recipe.restartable:
            recipe = replace(recipe, early=module.early)
        report = report_of(graph, traced, module, request.pass_options())
        check_forced(module)
        kept = request.cache and recipe.portable
        found = _write_and_load(request, recipe, module, report, key if kept else "")
    except KernelFault:
        raise
    except PlacementError as error:
        raise RefusedPlacement(error) from error
    except Replaced as replaced:
        raise StaysPlain("busy", str(replaced)) from None
    except Exception as error:
        raise StaysPlain("compile", f"code generation failed: {_said(error)}", cause=error) from error
    return replace(found, graph=graph)


def generate_module(request: Request, graph: Graph, key: str) -> Module:
    """The text of the module."""
    return generated(graph, header_of(request, key), request.title)


def header_of(request: Request, key: str) -> Header:
    """What the module says about itself."""
    from ..codegen.generate import Header

    function, asked = request.function, request.asked()
    code = function.__code__
    return Header(
        function=request.called,
        filename=Path(code.co_filename).name,
        line=code.co_firstlineno,
        source=source_of(function),
        signature=asked["signature"],
        options=asked["options"],
        versions=versions(),
        key=key,
    )


def source_of(function: FunctionType) -> str:
    """The source of a function, or nothing."""
    try:
        return inspect.getsource(function)
    except (OSError, TypeError, ValueError):
        return ""


def _write_and_load(request: Request, recipe: Recipe, module: Module, report: Report, key: str) -> Made:
    """Write the module to the cache, or keep it in memory where `key` is empty; import it either way."""
    body = _body(request, recipe, report)
    varies = [module.text, body["recipe"], body["report"]]
    variant = digest(json.dumps(varies, sort_keys=True, default=str), 8)
    keep = Keep(request.name, key, variant)
    name = f"jitscope_module_{request.name}_{variant}"
    artefact = new_artefact(module, name, request.title, keep, body, report.certain)
    return _finish(request, recipe, report, artefact)


def _body(request: Request, recipe: Recipe, report: Report) -> dict[str, Any]:
    portable = to_json(recipe) if recipe.portable else None
    return {
        "asked": request.asked(),
        "environment": environment(),
        "code": code_digest(request.function.__code__),
        "recipe": portable,
        "report": asdict(report),
        "places": places_of(_functions(request, recipe)),
    }


def _finish(request: Request, recipe: Recipe, report: Report, artefact: Artefact) -> Made:
    """The specialisation of a module that is here."""
    entry, live = build(recipe, request.function, request.arguments), _live(request, recipe)
    artefact.ready(report.certain, live)
    specialisation = Specialisation(
        request.signature,
        report,
        artefact.text,
        artefact.path,
        loaded=artefact.loaded,
        from_disk=artefact.from_disk,
        live=live,
        doubtful=recipe.lists or (report.straight and not report.differentiated),
    )
    return Made(specialisation, entry, artefact.call, recipe)


def _live(request: Request, recipe: Recipe) -> set[str]:
    """Names that the driver looks up at each call: those of the user's, if it runs other code of theirs.

    Such code may replace what they stand for in the middle of the call.
    """
    if all(slot.type is not OBJECT for slot in recipe.slots):
        return set()
    functions = _functions(request, recipe)
    return set[str]().union(*(names_in(function.__code__) for function in functions))


def _functions(request: Request, recipe: Recipe) -> list[FunctionType]:
    """The function and those that were traced with it."""
    helpers = (follow(item.path, request.function, request.arguments) for item in recipe.code)
    return [request.function, *map(underlying, helpers)]


def prepared(request: Request, known: Iterable[str], may_wait: bool) -> Made:
    """A specialisation from disk, or a new one; of several processes that want it, one makes it.

    Raises:
        MadeElsewhere: another one is at it, and `may_wait` says that it is to be waited for.
    """
    seen = set(known)
    if (made := find(request, seen)) is not None:
        return made
    if not _is_kept(request):
        return make(request)
    with turn(cache.place_of(request.name, request.key()), may_wait) as mine:
        if (made := find(request, seen)) is None:
            made = make(request)
            mine.fruitful = Path(made.specialisation.module_path).is_file()
        return made


def _is_kept(request: Request) -> bool:
    """Whether there may be something on disk; who watches the passes wants them to run."""
    return request.cache and bool(config.cache_dir) and not config.flags.dumps(request.qualname)


def find(request: Request, seen: set[str]) -> Made | None:
    """A specialisation from disk that fits the call and is not in `seen`, where those join that don't fit."""
    if not _is_kept(request):
        return None
    for stored in cache.find(request.name, request.key()):
        if str(stored.module_path) in seen:
            continue
        try:
            made = _load_stored(request, stored)
        except Exception as error:
            note("cache", f"{stored.folder} is not used: {_said(error)}")
            continue
        if made is not None:
            return made
        seen.add(str(stored.module_path))
    return None


def _load_stored(request: Request, stored: cache.Stored) -> Made | None:
    body = stored.body
    if not devices.holds(body["report"]["gpus"]):
        note("cache", f"{stored.folder} is for another number of GPUs")
        return None
    recipe = from_json(body["recipe"])
    if recipe.parameters != request.parameters:
        return None
    if reason := holds(recipe, request.function, request.arguments):
        note("cache", f"{stored.folder} is for other values: {reason}")
        return None
    entry = build(recipe, request.function, request.arguments)
    probe = Specialisation(request.signature)
    nowhere = dict.fromkeys(("otherwise", "plain", "again"), _no_driver)
    probe.bind(entry, _no_driver, Levels(_no_driver), **nowhere)
    if not probe.fits([request.arguments[name] for name in request.parameters]):
        return None
    report = report_from(body["report"], lines_now(body["places"], _functions(request, recipe)))
    name = f"jitscope_module_{request.name}_{stored.folder.name}"
    artefact = stored_artefact(stored, report.clusters, body["driver"], name, request.title, report.certain)
    return _finish(request, recipe, report, artefact)


def _no_driver(*_: Any) -> Any:
    raise AssertionError("a probe calls nothing")


def _said(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text[:300]}" if text else type(error).__name__
