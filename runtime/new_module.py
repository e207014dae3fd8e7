"""New modules: imported from a draft of the cache, where Numba writes machine code, or in memory."""

from __future__ import annotations

import re
from typing import Any

from . import cache
from .config import config, note
from .load import Loaded, check_names, load, remember_text
from .timeline import Phase, each_kernel

_KEPT = re.compile(r"^(@njit\((?:(?!\ndef ).)*?)cache=True,?\s*", re.MULTILINE | re.DOTALL)


def load_new(draft: cache.Draft, module: Any, file: str, name: str, title: str) -> tuple[Loaded, str]:
    """Import a generated module as `name`.

    Args:
        draft: where it is written first, as `file`; dropped if the disk is full.
        module: its text and the names of its clusters.
        file: the name of its file.
        name: its name among Python's modules.
        title: what it is made for, for the log.

    Returns:
        The module, and where it is: a path, or a name in angles.
    """
    if module.clusters:
        note("compile", f"{title}: {len(module.clusters)} clusters")
        config.counters.add("compilations")
    path = draft.write(file, module.text)
    if path is not None:
        try:
            return _loaded(str(path), module.text, name, module.clusters, title, True), str(path)
        except (OSError, RuntimeError) as error:
            if isinstance(error, RuntimeError) and "cannot cache" not in str(error):
                raise
            draft.give_up(title, error)
    place = f"<jitscope {name.removeprefix('jitscope_')}>"
    return _loaded(place, _KEPT.sub(r"\1", module.text), name, module.clusters, title), place


def _loaded(
    place: str, text: str, name: str, clusters: tuple[str, ...], title: str, anew: bool = False
) -> Loaded:
    with Phase("compile", title), each_kernel(clusters):
        loaded = load(place, text, name, clusters, anew)
    remember_text(place, text)
    check_names(loaded.module)
    return loaded
