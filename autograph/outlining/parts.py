"""The loops of a function that can be functions of their own, with what goes in and what comes out."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType

import gast

from ..converters.context import Context
from ..converters.supported import FRAME_READERS, check
from ..source import Source, Unsupported
from .bound import bound_before
from .liveness import LiveNames, Ways, live_before
from .local_classes import of_local_classes
from .uses import LATER, SCOPES, Names, declared, free_names, in_scope, parameters, uses_of

Loop = ast.For | ast.While
Place = tuple[int, int]
"""Line and column of a loop."""
# Callees that look for names, or count references, in the frame that calls them.
_FRAME_ATTRIBUTES = FRAME_READERS | {"evaluate", "query", "resize", "getrefcount"}
_ASKED = frozenset(
    "jit_scope seterr seterrcall catch_warnings simplefilter filterwarnings".split()
    + ["FloatingPointError", "RuntimeWarning"]
)
_LEAVING = (
    ast.Return,
    ast.Yield,
    ast.YieldFrom,
    ast.Await,
    ast.AsyncFor,
    ast.AsyncWith,
    ast.Delete,
    ast.Global,
    ast.Nonlocal,
)


@dataclass(frozen=True)
class Part:
    """A loop that becomes a function: its parameters, what it returns, and what it has bound besides.

    It may be called only where none of the `managers`, in whose blocks it stands, swallows exceptions.
    """

    loop: Loop
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    dropped: tuple[str, ...]
    managers: tuple[ast.With, ...] = ()


def place_of(loop: Loop) -> Place:
    """Where a loop stands in its file."""
    return loop.lineno, loop.col_offset


def parts_of(source: Source, code: CodeType, left: frozenset[Place]) -> list[Part]:
    """The largest loops that can be outlined; of those in `left` only what is inside of them."""
    tree = source.tree
    if isinstance(tree, ast.Lambda) or _has_own_ways(tree) or _asks(tree) or _asks_which(tree):
        return []
    finder = _Finder(source, tree, code, left)
    return list(finder.parts(tree.body))


def _has_own_ways(tree: ast.AST) -> bool:
    """Whether it looks at its frame, or has names that its class changes."""
    for node in ast.walk(tree):
        names = [getattr(node, key, None) for key in ("id", "attr", "name", "arg", "asname")]
        for name in names:
            if isinstance(name, str) and (_is_private(name) or name in FRAME_READERS):
                return True
    return False


def _asks(tree: ast.AST) -> bool:
    """Whether it does something about warnings or errors of floats, of which compiled code says nothing.

    Or has a `jit_scope`, which says what is compiled in the function itself.
    """
    for node in ast.walk(tree):
        if _last_names(node) & _ASKED:
            return True
    ignoring = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call) and _ignores(node)]
    return any("errstate" in _last_names(node) and node not in ignoring for node in ast.walk(tree))


def _asks_which(tree: ast.AST) -> bool:
    """Whether it asks which object a number is: what comes out of compiled code is another one."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == "id":
            return True
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            for one, op, other in zip(sides, node.ops, sides[1:], strict=False):
                constant = isinstance(one, ast.Constant) or isinstance(other, ast.Constant)
                if isinstance(op, (ast.Is, ast.IsNot)) and not constant:
                    return True
    return False


def _last_names(node: ast.AST) -> set[str | None]:
    """`c` of `a.b.c`; what an import brings."""
    if isinstance(node, ast.alias):
        return {node.name, node.asname}
    return {getattr(node, "attr", None), getattr(node, "id", None)}


def _ignores(call: ast.Call) -> bool:
    """`np.errstate(divide="ignore")`."""
    ignored = (isinstance(k.value, ast.Constant) and k.value.value == "ignore" for k in call.keywords)
    return not call.args and all(ignored)


def _is_private(name: str) -> bool:
    return name.startswith("__") and not name.endswith("__")


class _Finder:
    """What has to be known about a function to tell which of its loops can leave it."""

    def __init__(
        self,
        source: Source,
        tree: ast.FunctionDef | ast.AsyncFunctionDef,
        code: CodeType,
        left: frozenset[Place],
    ) -> None:
        self.filename, self.left = source.filename, left
        self.order = list(dict.fromkeys([*code.co_varnames, *code.co_cellvars]))
        self.own = frozenset(self.order)
        later = [node for node in ast.walk(tree) if isinstance(node, LATER) and node is not tree]
        self.captured = frozenset[str]().union(*map(free_names, later))
        nonlocals = (node for node in ast.walk(tree) if isinstance(node, ast.Nonlocal))
        self.rebound = frozenset(name for node in nonlocals for name in node.names)
        self.declared = declared(tree.body, ast.Global) | declared(tree.body, ast.Nonlocal)
        self.constant = parameters(tree) - uses_of(*tree.body).changed
        self.liveness = LiveNames()
        self.liveness.block(tree.body, frozenset(), Ways())
        self.calm = LiveNames(swallows=False)
        self.calm.block(tree.body, frozenset(), Ways())
        self.bound = bound_before(tree.body, parameters(tree))
        self.around: list[ast.With] = []
        self.fleeting = of_local_classes(tree)

    def parts(self, statements: list[ast.stmt]) -> Iterator[Part]:
        """Those of a block, from the top."""
        for node in statements:
            part = self.part(node) if isinstance(node, Loop) else None
            if part is not None:
                yield part
            elif isinstance(node, ast.With):
                self.around.append(node)
                yield from self.parts(node.body)
                self.around.pop()
            elif not isinstance(node, SCOPES):
                for block in _blocks(node):
                    yield from self.parts(block)

    def part(self, loop: Loop) -> Part | None:
        """The loop as a function, if it can be one."""
        known = self.bound.get(loop)
        if known is None or place_of(loop) in self.left or not self._stands_alone(loop):
            return None
        changed = uses_of(loop).changed
        if changed & (self.captured | self.declared | self.calm.raised[loop]):
            return None
        managers = tuple(self.around) if changed & self.liveness.raised[loop] else ()
        outputs = changed & self.liveness.after[loop]
        inputs = live_before(loop, outputs) & self.own
        if not inputs <= known or inputs & (self.rebound | self.fleeting) or not self._keeps_nothing(loop):
            return None
        if not is_supported(_as_function(loop), self.filename):
            return None
        dropped = changed - outputs
        return Part(loop, self._ordered(inputs), self._ordered(outputs), self._ordered(dropped), managers)

    def _ordered(self, names: Names) -> tuple[str, ...]:
        return tuple(name for name in self.order if name in names)

    def _stands_alone(self, loop: Loop) -> bool:
        """Whether nothing in it leaves it for the function around, or looks at the frame."""
        for node in in_scope([loop]):
            if isinstance(node, _LEAVING) or (
                isinstance(node, LATER) and not isinstance(node, ast.GeneratorExp)
            ):
                return False
        attributes = {node.attr for node in ast.walk(loop) if isinstance(node, ast.Attribute)}
        return not attributes & _FRAME_ATTRIBUTES and not _jumps_out(loop)

    def _keeps_nothing(self, loop: Loop) -> bool:
        """Whether generators that it makes see the same values if they run later."""
        lazy = [node for node in ast.walk(loop) if isinstance(node, LATER)]
        return frozenset[str]().union(*map(free_names, lazy)) & self.own <= self.constant


def is_supported(function: ast.AST, filename: str) -> bool:
    """Whether a function has only what can be converted."""
    try:
        check(gast.ast_to_gast(function), Context(filename, set()))
    except Unsupported:
        return False
    return True


def _as_function(loop: Loop) -> ast.FunctionDef:
    function = ast.FunctionDef("part", _no_arguments(), [loop], [], None, None, lineno=loop.lineno)
    if "type_params" in ast.FunctionDef._fields:
        function.type_params = []  # type: ignore[attr-defined]
    return function


def _no_arguments() -> ast.arguments:
    return ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])


def _blocks(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The blocks of a statement."""
    for name in ("body", "orelse", "finalbody"):
        yield getattr(node, name, [])
    for name in ("handlers", "cases"):
        yield from (each.body for each in getattr(node, name, []))


def _jumps_out(loop: Loop) -> bool:
    """Whether a `break` or `continue` in it belongs to a loop around it."""
    todo: list[tuple[ast.AST, bool]] = [(each, True) for each in loop.body]
    todo += [(each, False) for each in loop.orelse]
    while todo:
        node, inside = todo.pop()
        if isinstance(node, (ast.Break, ast.Continue)) and not inside:
            return True
        if isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            todo += [(each, True) for each in node.body] + [(each, inside) for each in node.orelse]
        elif not isinstance(node, SCOPES):
            todo += [(each, inside) for each in ast.iter_child_nodes(node)]
    return False
