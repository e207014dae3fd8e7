"""Leaving: `break`, `continue`, `return`, and names that are not bound.

Staged code raises `Break`, `Continue` and `Return` inside the functions that stand for blocks.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NoReturn

from ...graph.ir.nodes import Loc, Node
from ...graph.ir.shown import unbound_message
from ...graph.ops.facts import is_call, is_return
from ...graph.symbolic.symbols import UNBOUND, SymbolicUnion, check_bound, unwrap_union
from ...graph.trace.build import TraceError, builder_here, current
from ..tracer import tracer


def nothing() -> None:
    """The `else` of an `if` that has none."""


STATELESS: tuple[Callable[[], tuple[Any, ...]], Callable[[Any], None], tuple[str, ...]] = (
    tuple,
    lambda values: None,
    (),
)
"""What a statement passes that changes no variable which anybody reads later."""


class Leave(BaseException):
    """A block of the user's code is left by ``break``, ``continue`` or ``return value``.

    The kind is "end" where every path has left already: the graph has the block's ending, nothing follows.
    """

    def __init__(self, kind: str, value: Any = None) -> None:
        super().__init__(kind, value)
        self.kind = kind
        self.value = value


def Break() -> Leave:
    """``break``."""
    tracer().breaks += 1
    return Leave("break")


Continue = functools.partial(Leave, "continue")
Return = functools.partial(Leave, "return")


class Undefined:
    """A local name that is not bound yet."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"Undefined({self.name!r})"


def fail(error: Exception, where: Loc | None = None) -> NoReturn:
    """What Python would do here raises `error`: where it may not come here, the block ends so."""
    builder = builder_here()
    if builder is None or not (builder.depth or _may_have_left(builder.blocks[0])):
        raise error
    name, said = type(error).__name__, error.args
    text = ", ".join(map(repr, said)).replace("{", "{{").replace("}", "}}")
    attrs = {"text": f"{name}({text})"}
    if len(said) == 1 and type(said[0]) is str:
        attrs = {**attrs, "exception": name, "message": said[0]}
    builder.append(Node("raise", (), (), attrs, (), where or builder.locate()))
    raise Leave("end")


def handled(kind: type) -> None:
    """What is raised here goes to the handler of a `try` around, if that is known to take it."""
    for frame in reversed(tracer().frames):
        if frame.handle is not None:
            frame.handle(kind)
        if frame.region:
            return


def _may_have_left(nodes: list[Node]) -> bool:
    """Whether the function may have returned by then, so that not every call comes here."""
    inside = (
        inner for node in nodes if not is_call(node) for region in node.regions for inner in region.nodes
    )
    return any(is_return(inner) or _may_have_left([inner]) for inner in inside)


def ld(value: Any) -> Any:
    """Read a name that may be unbound: UnboundLocalError when, and only when, Python would."""
    if isinstance(value, Undefined):
        fail(UnboundLocalError(unbound_message(value.name)))
    if isinstance(value, SymbolicUnion):
        if value.first is UNBOUND:
            check_bound(value)
            return unwrap_union(value)
    return value


def ld_free(value: Any) -> Any:
    """Read a variable of an enclosing function that may be unbound: NameError, as in Python."""
    if isinstance(value, Undefined):
        fail(
            NameError(
                f"cannot access free variable '{value.name}' where it is not associated with a value"
                " in enclosing scope"
            )
        )
    if isinstance(value, SymbolicUnion) and value.first is UNBOUND and not current().is_known(value.tag):
        raise TraceError("a variable of the enclosing function that only some paths bind")
    return ld(value)


def returns(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator of staged functions that return from inside of a block."""

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except Leave as left:
            if left.kind != "return":
                raise
            return left.value

    wrapper.staged = function  # type: ignore[attr-defined]
    return wrapper
