"""What a decorated function says has become of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jitscope.runtime.line_states import worth_telling

from .row import BESIDE, COMPILED, PLAIN

VIEW = "it only looks at memory"


def verdict(decorated: Callable[..., Any], args: tuple[Any, ...]) -> tuple[str, str]:
    """What became of a function that was called with `args`, and what it says about it, on one line.

    Views don't count: they compute nothing.
    """
    bound = (decorated.__self__,) if hasattr(decorated, "__self__") else ()
    said = " ".join(str(decorated.explain(*bound, *args)).split())
    clusters = [name for found in decorated.specializations for name in found.clusters]
    told = (item for found in decorated.specializations for item in worth_telling(found.report.left))
    left = [item for item in told if item.reason != VIEW]
    if clusters:
        return (BESIDE if left else COMPILED), said
    own = said.partition("a function of its own")[2]
    return (BESIDE if ": compiled" in own else PLAIN), said
