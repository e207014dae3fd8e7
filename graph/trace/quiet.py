"""`with np.errstate(...)`: which nodes are told to say nothing of division by zero, overflow and NaN.

Compiled code never says anything of these; what is left to NumPy runs in the state of the plain function.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar, Token
from typing import Any

from ..ir.nodes import Node
from .build import Builder, TraceError, builder_here

QUIET = "_Quiet"
"""The attribute of a node that says what it ignores: the arguments of `np.errstate`, as text."""

KINDS = ("divide", "over", "under", "invalid")

_Open = tuple[Builder | None, frozenset[str]]
_OPEN: ContextVar[_Open | None] = ContextVar("jitscope_quiet", default=None)
"""Whose nodes they are, and what they ignore."""


def quiet_state(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Quiet | None:
    """What ``np.errstate(*args, **kwargs)`` is while a function is traced; None unless it only ignores."""
    if args or not kwargs or not set(kwargs) <= {*KINDS, "all"}:
        return None
    if any(type(value) is not str or value != "ignore" for value in kwargs.values()):
        return None
    return Quiet(frozenset(KINDS if "all" in kwargs else kwargs))


class Quiet:
    """The state to be entered, once, as that of NumPy."""

    __slots__ = ("_ignored", "_token")

    def __init__(self, ignored: frozenset[str]) -> None:
        self._ignored = ignored
        self._token: Token[_Open | None] | None = None

    def __enter__(self) -> None:
        if self._token is not None:
            raise TraceError("np.errstate is entered twice")
        self._token = _OPEN.set((builder_here(), self._ignored | _ignored_here()))

    def __exit__(self, *error: object) -> None:
        assert self._token is not None
        _OPEN.reset(self._token)


def _ignored_here() -> frozenset[str]:
    found = _OPEN.get()
    return found[1] if found is not None and found[0] is builder_here() else frozenset()


def quiet_attributes() -> Mapping[str, Any]:
    """The attribute that the open blocks give to nodes."""
    ignored = _ignored_here()
    if not ignored:
        return {}
    if ignored == frozenset(KINDS):
        return {QUIET: 'all="ignore"'}
    return {QUIET: ", ".join(f'{kind}="ignore"' for kind in KINDS if kind in ignored)}


@contextmanager
def as_quiet_as(node: Node) -> Iterator[None]:
    """What is made inside for the sake of `node` ignores what it does."""
    said = node.attrs.get(QUIET, "")
    ignored = frozenset(kind for kind in KINDS if kind in said or said.startswith("all"))
    token = _OPEN.set((builder_here(), ignored))
    try:
        yield
    finally:
        _OPEN.reset(token)
