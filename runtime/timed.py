"""Calls while a trace is active: through a driver that tells the timeline what it runs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import TYPE_CHECKING, Any

from ..codegen.sites import LAUNCH, Site
from ..graph.trace.build import tracing
from . import timeline
from .artefact import timed
from .compile import Request, StaysPlain, header_of
from .compile import stage as run_stages
from .config import note
from .skipped import skipped
from .specialisation import Specialisation

if TYPE_CHECKING:
    from ..codegen.generate import TimedDriver
    from .function import Function


@skipped
def call(function: Function, values: tuple[Any, ...]) -> Any:
    """Run one call of a decorated function, with a bar of its own and one for each part of it."""
    if tracing():
        return function.plain(*values)
    start = timeline.begin()
    try:
        run, start = _way(function, values, start)
        return run(*values)
    finally:
        timeline.record(function.bar, start)


def _way(function: Function, values: tuple[Any, ...], start: int) -> tuple[Callable[..., Any], int]:
    """What to call, and when the call began: its driver's bars aren't made in its time."""
    if function.off:
        return function.plain, start
    if function.input_signature is None:
        for known in function.chains.get(function.key_of(values), ()):
            if known.timed is not None and known.fits(values):
                return known.timed, start
    function.check_signature(values)
    try:
        found = function.specialise(values)
        function.runner(found)  # has a word with those who asked for strict
    except StaysPlain as verdict:
        return partial(_plain, function, verdict), start
    if found.timed is None:
        with timeline.Phase("instrument", function.python_function.__qualname__):
            found.bind_timed(_driver(function.request(values), found), function.extend)
        start = start if found.clustered else timeline.begin()  # compiled just now: that is shown
    assert found.timed is not None
    return found.timed, start


@skipped
def _plain(function: Function, verdict: StaysPlain, *values: Any) -> Any:
    return function.run_plain(values, verdict)


def _driver(request: Request, found: Specialisation) -> Callable[..., Any]:
    """The driver of `found` with bars, for the same kernels."""
    assert found.loaded is not None
    try:
        return timed(_timed_text(request, found), found.loaded, found.live, request.name)
    except Exception as error:
        note("timeline", f"{request.title}: only its clusters are shown: {error}")
        return _launches_only(found)


def _timed_text(request: Request, found: Specialisation) -> TimedDriver:
    from ..codegen.generate import generate_timed

    graph = found.clustered or run_stages(request)[0]
    made = generate_timed(graph, header_of(request, ""))
    if _body(made.module.text) != _body(found.text):
        raise ValueError("the trace has come out otherwise than before")
    return made


def _body(text: str) -> str:
    """A module without its docstring, which names the cache's key."""
    return text.partition('"""\n\n')[2]


def _launches_only(found: Specialisation) -> Callable[..., Any]:
    """The driver as it is, on kernels that tell when they are called."""
    assert found.loaded is not None
    space = dict(vars(found.loaded.module))
    for name in found.clusters:
        bar = timeline.bar_of(Site(LAUNCH, name, cluster=name))
        space[name] = _told(space[name], timeline.number_of(bar))
    driver = found.driver
    assert isinstance(driver, FunctionType)
    for name, value in list(space.items()):
        if isinstance(value, FunctionType) and value.__globals__ is driver.__globals__:
            space[name] = FunctionType(value.__code__, space, value.__name__)
    return FunctionType(driver.__code__, space, driver.__name__)


def _told(kernel: Callable[..., Any], bar: int) -> Callable[..., Any]:
    def launch(*args: Any) -> Any:
        start = timeline.now()
        result = kernel(*args)
        timeline.record(bar, start)
        return result

    return launch
