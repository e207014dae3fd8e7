"""Artefacts: generated modules made ready to run, in one way for functions and for sessions.

    clustered graph -> `generated` -> `new_artefact` or `stored_artefact` -> `ready`

A new module is imported from a draft of the cache, where Numba writes its machine code, or kept in memory.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..graph.ir.nodes import Graph
from ..graph.trace.devices import PlacementError, device_of, is_forced
from . import cache, timeline
from .config import config, note
from .digest import environment
from .driver_part import NotPortable
from .load import Loaded, Objects, call_directly, check_names, load, move, remember_text
from .originals import pin
from .timeline import Phase, each_kernel

if TYPE_CHECKING:
    from ..codegen.generate import Header, TimedDriver
    from ..codegen.module import Module

_KEPT = re.compile(r"^(@njit\((?:(?!\ndef ).)*?)cache=True,?\s*", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Artefact:
    """A generated module in this process; `path` is its file, or a name in angles where it has none."""

    loaded: Loaded
    text: str
    path: str
    driver: str
    from_disk: bool = False

    @property
    def call(self) -> Callable[..., Any]:
        """The driver."""
        found: Callable[..., Any] = getattr(self.loaded.module, self.driver)
        return found

    def ready(self, certain: bool, live: Collection[str] = ()) -> Artefact:
        """Pin its names but for the `live` ones; call machine code directly if all layouts are `certain`."""
        if certain:
            call_directly(self.loaded)
        pin(vars(self.loaded.module), live)
        return self


def generated(graph: Graph, header: Header, title: str) -> Module:
    """The module of a clustered graph."""
    from ..codegen.generate import generate

    with Phase("generate", title):
        return generate(graph, header, config.check)


def versions() -> str:
    """For the module's first lines: ``python 3.11.7, numpy 2.1.0``."""
    return ", ".join(f"{name} {environment()[name].split()[0]}" for name in ("python", "numpy"))


def check_forced(module: Module) -> None:
    """No cluster of a device that compiles everything may have failed.

    Raises:
        PlacementError: one has.
    """
    for node, reason in module.failed:
        if is_forced(node):
            raise PlacementError(f"{device_of(node)} compiles everything: {reason}", node.loc)


def stored_artefact(
    entry: cache.Stored, clusters: Sequence[str], driver: str, name: str, title: str, certain: bool
) -> Artefact:
    """Import a module from the disk cache as `name`; without Numba if all layouts are `certain`.

    Raises:
        OSError, cache.Damaged: it can't be read, or isn't what was written.
    """
    text, path = entry.text(), str(entry.module_path)
    note("load", f"{title} from {path}")
    objects = _objects(entry) if certain and config.loader == "auto" else None
    with Phase("load", title), each_kernel(() if objects else clusters):
        loaded = load(path, text, name, clusters, objects=objects)
    config.counters.add("loads")
    if loaded.compiled:
        note("compile", f"{title}: {loaded.compiled} clusters whose machine code was of no use")
        config.counters.add("compilations")
    entry.used()
    return Artefact(loaded, text, path, driver, from_disk=True)


def _objects(entry: cache.Stored) -> Objects:
    return [(about, entry.read(cache.object_file(about["kernel"]))) for about in entry.body["objects"]]


def _describe(module: Module, loaded: Loaded, draft: cache.Draft, title: str) -> list[dict[str, Any]]:
    """Write the kernels of a module into its draft as objects, for processes that do without Numba."""
    if draft.folder is None or not module.clusters or loaded.describe is None:
        return []
    try:
        return loaded.describe(module.text, loaded.dispatchers, len(module.clusters), draft.folder)
    except (NotPortable, OSError) as error:
        note("cache", f"{title} will be loaded by Numba: {error}")
        return []


def new_artefact(
    module: Module, name: str, title: str, keep: Keep, body: Mapping[str, Any], certain: bool
) -> Artefact:
    """Import a generated module as `name`, and keep it on disk where `keep` says so.

    Args:
        module: its text and the names of its clusters.
        name: its name among Python's modules.
        title: what it is made for, for the log.
        keep: its place in the cache.
        body: what the cache's manifest says besides the names of its file and driver, and its objects.
        certain: the driver may call machine code directly, without a look at types.
    """
    file = f"{keep.name}.py"
    draft = cache.Draft.start() if keep.key else cache.Draft(None)
    try:
        loaded, place = _imported(draft, module, file, name, title)
        objects = _describe(module, loaded, draft, title) if certain else []
        manifest = {**body, "module": file, "driver": module.driver, "objects": objects}
        folder = draft.publish(keep.name, keep.key, keep.variant, manifest)
    except BaseException:
        draft.drop()
        raise
    path = str(folder / file) if folder else place
    move(loaded.module, place, path)
    return Artefact(loaded, module.text, path, module.driver)


@dataclass(frozen=True)
class Keep:
    """Where the cache keeps a module; in memory only without a `key`."""

    name: str
    key: str
    variant: str = "0"


def _imported(draft: cache.Draft, module: Module, file: str, name: str, title: str) -> tuple[Loaded, str]:
    """The module, and where it is: a path of the draft, or a name in angles if it can't be written."""
    if module.clusters:
        note("compile", f"{title}: {len(module.clusters)} clusters")
        config.counters.add("compilations")
    path = draft.write(file, module.text)
    if path is not None:
        try:
            return _compiled(str(path), module.text, name, module.clusters, title, True), str(path)
        except (OSError, RuntimeError) as error:
            if isinstance(error, RuntimeError) and "cannot cache" not in str(error):
                raise
            draft.give_up(title, error)
    place = f"<jitscope {name.removeprefix('jitscope_')}>"
    return _compiled(place, _KEPT.sub(r"\1", module.text), name, module.clusters, title), place


def _compiled(
    place: str, text: str, name: str, clusters: tuple[str, ...], title: str, anew: bool = False
) -> Loaded:
    with Phase("compile", title), each_kernel(clusters):
        loaded = load(place, text, name, clusters, anew)
    remember_text(place, text)
    check_names(loaded.module)
    return loaded


def timed(drawn: TimedDriver, loaded: Loaded, live: Collection[str], title: str) -> Callable[..., Any]:
    """A driver with a bar on the timeline for each operation and cluster, for the kernels of `loaded`."""
    from ..codegen.sites import DONE, NOW

    told = timeline.teller([timeline.bar_of(site) for site in drawn.sites])
    space = {**vars(loaded.module), NOW: timeline.now, DONE: told}
    exec(compile(drawn.text, f"<jitscope timed {title}>", "exec"), space)
    pin(space, live)
    driver: Callable[..., Any] = space[drawn.module.driver]
    return driver
