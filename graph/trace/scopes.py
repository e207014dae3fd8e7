"""`jit_scope`: marks the nodes made inside, so that clustering compiles them, or never does.

The semantics follow TensorFlow's ``tf.xla.experimental.jit_scope``: a root scope has a name
(``jit_scope_<n>``), nested scopes keep it and override the marks. `docs/jit_scope.md` has the whole table.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from types import FrameType, MappingProxyType
from typing import Any, TypeVar, cast

import numpy as np

from ..ir.nodes import ENDINGS, Node, Value
from .build import builder_here
from .called import op_name
from .devices import device, device_of, no_device
from .locks import new_lock

Function = TypeVar("Function", bound=Callable[..., Any])
_NUMBERS = "jit_scopes"


@dataclass(frozen=True, slots=True)
class NodeDef:
    """What a callable `compile_ops` sees of a node that is about to be made.

    Attributes:
        op: the op of the node: ``"matmul"``.
        name: its name, with its name scopes.
        attr: its attributes, which can't be changed.
        input: the names of the nodes that it reads.
        device: the canonical name of where it is to run; empty without a wish.
    """

    op: str
    name: str
    attr: Mapping[str, Any]
    input: tuple[str, ...]
    device: str = ""


CompileOps = bool | Callable[[NodeDef], bool]


@dataclass(frozen=True, slots=True)
class Scope:
    """What `jit_scope` yields: the marks of the operations inside.

    Attributes:
        name: ``"jit_scope_0"``; that of the root scope in nested ones, empty in plain code.
        compile_ops: True, False, or the callable that decides.
        separate_compiled_gradients: whether gradients of the operations inside are compiled apart.
    """

    name: str
    compile_ops: CompileOps = True
    separate_compiled_gradients: bool = False


@dataclass(frozen=True, slots=True)
class _Open:
    """What is open in a context. It means something only in the graph whose builder has these `attributes`.

    `own` is the scope that the user opened last, `scope` differs from it while gradients are made; `before`
    is what was open before.
    """

    attributes: Any
    scope: Scope | None
    own: Scope | None
    before: _Open | None = None


_OPEN: ContextVar[_Open | None] = ContextVar("jitscope_scope", default=None)
_COUNTING = new_lock()
CALLED = "__jitscope_call__"
"""A free variable of the functions through which decorated functions are called."""


def _open_here() -> _Open:
    """What is open in this context for the graph that is built here."""
    builder, found = builder_here(), _OPEN.get()
    attributes = None if builder is None else builder.attributes
    if found is not None and found.attributes is attributes:
        return found
    return _Open(attributes, None, None)


def compile_ops_here() -> CompileOps | None:
    """What the innermost scope says of the operations that are made here; None outside of all."""
    scope = _open_here().scope
    return None if scope is None else scope.compile_ops


def jit_scope(
    compile_ops: CompileOps | np.bool_ = True, separate_compiled_gradients: bool = False
) -> ScopeManager:
    """Compile (or never compile) the operations inside. For `with`, and as a decorator.

    Args:
        compile_ops: True, False, or a callable that gets a `NodeDef` for each operation as it is made and
            returns a bool.
        separate_compiled_gradients: compile the gradients of the operations inside apart from them, those of
            each call of `gradients` as a unit of its own.

    Returns:
        A context manager and decorator; ``with`` gives the `Scope`.

    Raises:
        TypeError: an argument is no bool (nor a callable); as an operation is made: the callable gives none.
        RuntimeError: when it is entered in plain code, where no graph is built and NumPy computes at once.

    Example::

        @js.jit_scope(lambda node: node.op == "exp")
        def f(x):
            return np.exp(x) + 1.0

        y = f(js.placeholder(js.float64, [None]))
        assert [op.get_attr("_JitCompile") for op in y.graph.get_operations()[1:]] == [True, False]
    """
    if not isinstance(compile_ops, bool | np.bool_) and not callable(compile_ops):
        raise TypeError(f"compile_ops must be a bool or a callable, not {type(compile_ops).__name__}")
    if not isinstance(separate_compiled_gradients, bool | np.bool_):
        kind = type(separate_compiled_gradients).__name__
        raise TypeError(f"separate_compiled_gradients must be a bool, not {kind}")
    wanted = bool(compile_ops) if isinstance(compile_ops, np.bool_) else compile_ops
    return ScopeManager(wanted, bool(separate_compiled_gradients))


class ScopeManager:
    """A scope to be opened, as often as one likes: each time it is another one."""

    __slots__ = ("compile_ops", "separate_compiled_gradients")

    def __init__(self, compile_ops: CompileOps, separate_compiled_gradients: bool) -> None:
        self.compile_ops = compile_ops
        self.separate_compiled_gradients = separate_compiled_gradients

    def __enter__(self) -> Scope:
        here = _open_here()
        if here.scope is not None:
            name = here.scope.name
        elif here.attributes is not None:
            name = _next_name(here.attributes)
        elif _inside_decorated():
            name = ""
        else:
            raise RuntimeError(
                "jit_scope marks operations of a graph, and here none is built: NumPy computes at once. Use"
                " it inside a function decorated with jitscope.function, or in a jitscope.Graph."
            )
        scope = Scope(name, self.compile_ops, self.separate_compiled_gradients)
        _OPEN.set(_Open(here.attributes, scope, scope, _OPEN.get()))
        return scope

    def __exit__(self, *error: object) -> None:
        found = _OPEN.get()
        if found is None:
            raise RuntimeError("a jit_scope is left that isn't open in this context")
        _OPEN.set(found.before)

    def __call__(self, function: Function) -> Function:
        """`function` with a scope of its own around each call.

        Raises:
            TypeError: it is no function, as where ``@js.jit_scope`` was written without parentheses.
        """
        if not callable(function):
            kind = type(function).__name__
            raise TypeError(
                f"jit_scope decorates functions, not {kind} objects: write @js.jit_scope(), called"
            )
        compile_ops, separate = self.compile_ops, self.separate_compiled_gradients

        @functools.wraps(function)
        def scoped(*args: Any, **kwargs: Any) -> Any:
            with jit_scope(compile_ops, separate):
                return function(*args, **kwargs)

        vars(scoped)["__jit_scope__"] = self
        return cast(Function, scoped)


def _inside_decorated() -> bool:
    """True in plain code that a decorated function runs: its scopes mean nothing, and do no harm."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and CALLED not in frame.f_code.co_freevars:
        frame = frame.f_back
    return frame is not None


def _next_name(attributes: Any) -> str:
    """Root scopes are numbered in their graph; the builder takes numbers back with the nodes of a trial."""
    with _COUNTING:
        number = attributes.get(_NUMBERS, 0)
        attributes[_NUMBERS] = number + 1
    return f"jit_scope_{number}"


def _apart_name(scope: str, gradients_name: str, attributes: Any) -> str:
    """The scope of gradients that are compiled apart: ``a/b`` and ``a_b`` are two, with a number for one."""
    wanted = f"{scope}_grad_{gradients_name.replace('/', '_')}"
    if attributes is None:
        return wanted
    name, count = wanted, 0
    while attributes.setdefault(f"gradients in {name}", gradients_name) != gradients_name:
        count += 1
        name = f"{wanted}_{count}"
    return name


@contextmanager
def gradient_scope(node: Node, gradients_name: str) -> Iterator[Scope | None]:
    """Mark what is made inside as gradient of the forward `node`.

    It is compiled, or not, as `node` is, and stands on its device: in its scope, or in
    ``<scope>_grad_<gradients_name>`` if that asks for gradients that are compiled apart. The gradient of a
    node without marks gets those of the scope that is open around.

    Args:
        node: the node that is differentiated.
        gradients_name: the name of this call of `gradients`, with its name scopes.

    Yields:
        The scope, if there is one.
    """
    here = _open_here()
    marked = node.attrs.get("_JitCompile")
    scope = here.own
    if marked is not None:
        separate = bool(node.attrs.get("_JitSeparateCompiledGradients", False))
        name = node.attrs.get("_JitScope", "")
        if separate:
            name = _apart_name(name, gradients_name.strip("/"), here.attributes)
        scope = Scope(name, bool(marked), separate)
    token = _OPEN.set(_Open(here.attributes, scope, here.own))
    try:
        with _on_device_of(node):
            yield scope
    finally:
        _OPEN.reset(token)


@contextmanager
def same_scope(node: Node | None) -> Iterator[None]:
    """Give what is made inside the marks and the device of `node`, if it has any."""
    if node is None or "_JitCompile" not in node.attrs:
        yield
        return
    here = _open_here()
    separate = bool(node.attrs.get("_JitSeparateCompiledGradients", False))
    scope = Scope(node.attrs.get("_JitScope", ""), bool(node.attrs["_JitCompile"]), separate)
    token = _OPEN.set(_Open(here.attributes, scope, here.own))
    try:
        with _on_device_of(node):
            yield
    finally:
        _OPEN.reset(token)


@contextmanager
def _on_device_of(node: Node) -> Iterator[None]:
    """On the device where `node` is to run, if it says one."""
    if not device_of(node):
        yield
        return
    with device(None), device(device_of(node)):
        yield


def is_gradient_scope(name: str | None) -> bool:
    """True for the scope of gradients that are compiled apart from what they are the gradients of."""
    return name is not None and "_grad_" in name


def scope_attributes(
    node: Node, name: str = "", device: str = "", inputs: tuple[str, ...] | None = None
) -> Mapping[str, Any]:
    """The marks that a node called `name` on `device` gets from what is open here.

    `inputs` are the names of what it reads; without them its operands' own.
    """
    here = _open_here()
    if node.op in ENDINGS:
        return {}
    if here.scope is None:
        return {}
    return {
        "_JitCompile": _wanted(here.scope, node, name, device, inputs),
        "_JitScope": here.scope.name,
        "_JitSeparateCompiledGradients": here.scope.separate_compiled_gradients,
    }


def _wanted(scope: Scope, node: Node, name: str, device: str, inputs: tuple[str, ...] | None) -> bool:
    if isinstance(scope.compile_ops, bool):
        return scope.compile_ops
    name = name or (node.results[0].name if node.results else node.op)
    if inputs is None:
        inputs = tuple(o.name for o in node.operands if isinstance(o, Value))
    definition = NodeDef(op_name(node), name, MappingProxyType(dict(node.attrs)), inputs, device)
    with no_scope():  # what the callable itself computes is none of its business
        wanted = scope.compile_ops(definition)
    if not isinstance(wanted, bool | np.bool_):
        raise TypeError(
            f"compile_ops returned {wanted!r} for the operation {definition.op}: it must return a bool,"
            f" not {type(wanted).__name__}"
        )
    return bool(wanted)


@contextmanager
def no_scope() -> Iterator[None]:
    """Outside of any scope, and without a wish for a device, as a trace starts."""
    token = _OPEN.set(None)
    try:
        with no_device():
            yield
    finally:
        _OPEN.reset(token)
