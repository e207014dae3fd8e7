"""What tests ask the compiler about itself, in one place: what it compiled, how often, what it says."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from same import IDENTITY

needs_compiler = pytest.mark.skipif(IDENTITY, reason="asks the compiler about itself")

COUNTS = ("conversions", "traces", "compilations")


def has_compiled_part(decorated: Callable[..., Any]) -> bool:
    """Whether any specialisation holds at least one cluster."""
    return any(specialisation.clusters for specialisation in decorated.specializations)


def check_compiled(program: Callable[..., Any], cases: Iterable[tuple[Callable[..., Any], Any]]) -> None:
    """Fail unless the first of the cases of `program` compiles a part of it."""
    import jitscope as js

    decorated = js.function(program)
    decorated(*copy.deepcopy(next(args for each, args in cases if each is program)))
    assert has_compiled_part(decorated)


def counts() -> dict[str, int]:
    """How often this process converted, traced and compiled so far."""
    import jitscope as js

    return {name: getattr(js.config.counters, name) for name in COUNTS}


def counted(action: Callable[[], Any]) -> dict[str, int]:
    """How often `action` made the compiler convert, trace and compile."""
    before = counts()
    action()
    return {name: count - before[name] for name, count in counts().items()}


@contextmanager
def from_the_disk(decorated: Any) -> Iterator[None]:
    """The next call is as in another process, which reads the machine code; nothing is compiled."""
    from jitscope.runtime import load

    decorated.clear()
    load._shared.clear()
    before = counts()
    yield
    assert counts() == before


def explanation(decorated: Callable[..., Any], *args: Any) -> str:
    """The compiler's own account of what it compiled and what not."""
    return str(decorated.explain(*args))
