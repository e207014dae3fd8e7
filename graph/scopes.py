"""`jit_scope`: marks the nodes made inside, so that clustering compiles them, or never does.

The semantics follow TensorFlow's ``tf.xla.experimental.jit_scope``: a root scope has a name
(``jit_scope_<n>``), nested scopes keep it and override the marks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from .build import current, tracing
from .devices import device_attributes, no_device, wished
from .ir import Node, Value


@dataclass(frozen=True, slots=True)
class NodeDef:
    """What a callable `compile_ops` sees of a node that is about to be made."""

    op: str
    name: str
    attr: Mapping[str, Any]
    input: tuple[str, ...]
    device: str = ""


@dataclass(frozen=True, slots=True)
class Scope:
    """An active scope."""

    name: str
    compile_ops: bool | Callable[[NodeDef], bool] = True
    separate_compiled_gradients: bool = False


_ACTIVE: ContextVar[Scope | None] = ContextVar("jitscope_scope", default=None)


@contextmanager
def jit_scope(
    compile_ops: bool | Callable[[NodeDef], bool] = True, separate_compiled_gradients: bool = False
) -> Iterator[Scope]:
    """Compile (or never compile) the operations inside.

    Args:
        compile_ops: True, False, or a callable that gets a `NodeDef` for each operation and returns a bool.
        separate_compiled_gradients: put gradients into clusters of their own (recorded for later stages).

    Yields:
        The scope.

    Raises:
        RuntimeError: outside of a function that is being traced.
        TypeError: `compile_ops` is neither a bool nor a callable, or the callable returns no bool.
    """
    if not tracing():
        raise RuntimeError(
            "jit_scope works inside a function decorated with jitscope.function, not in plain code"
        )
    if not isinstance(compile_ops, bool) and not callable(compile_ops):
        raise TypeError(f"compile_ops must be a bool or a callable, not {type(compile_ops).__name__}")
    outer = _ACTIVE.get()
    scope = Scope(outer.name if outer else _next_name(), compile_ops, bool(separate_compiled_gradients))
    token = _ACTIVE.set(scope)
    try:
        yield scope
    finally:
        _ACTIVE.reset(token)


def _next_name() -> str:
    attributes = current().attributes
    number = attributes.get("jit_scopes", 0)
    attributes["jit_scopes"] = number + 1
    return f"jit_scope_{number}"


def scope_attributes(node: Node) -> Mapping[str, Any]:
    """The attributes that the active scope and the open device contexts give to a node."""
    scope, placed = _ACTIVE.get(), device_attributes(node)
    if scope is None or node.op in ("yield", "break", "continue", "return", "raise"):
        return placed
    wanted = scope.compile_ops
    if not isinstance(wanted, bool):
        names = tuple(o.name for o in node.operands if isinstance(o, Value))
        name = node.results[0].name if node.results else node.op
        wanted = wanted(NodeDef(node.op, name, node.attrs, names, wished().to_string()))
        if not isinstance(wanted, bool):
            raise TypeError(f"compile_ops returned {type(wanted).__name__}, not a bool")
    return {
        **placed,
        "_JitCompile": wanted,
        "_JitScope": scope.name,
        "_JitSeparateCompiledGradients": scope.separate_compiled_gradients,
    }


@contextmanager
def no_scope() -> Iterator[None]:
    """A trace starts outside of any scope, and without a wish for a device."""
    token = _ACTIVE.set(None)
    try:
        with no_device():
            yield
    finally:
        _ACTIVE.reset(token)


@contextmanager
def gradient_scope(node: Node, gradients_name: str) -> Iterator[Scope | None]:
    """Mark what is made inside as gradient of the forward `node`: compiled, or not, as that is."""
    marked = node.attrs.get("_JitCompile")
    if marked is None:
        yield _ACTIVE.get()
        return
    separate = bool(node.attrs.get("_JitSeparateCompiledGradients", False))
    name = node.attrs.get("_JitScope", "")
    scope = Scope(f"{name}_grad_{gradients_name}" if separate else name, bool(marked), separate)
    token = _ACTIVE.set(scope)
    try:
        yield scope
    finally:
        _ACTIVE.reset(token)
