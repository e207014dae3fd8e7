"""Where the names live that blocks share.

    def f(a):                              def f(a):
        def for_body(item):                    i = ag.Undefined("i")
            nonlocal i              →          def for_body(item):
            ...                                    nonlocal i
        return ag.ld(i)                            ...
                                               return ag.ld(i)

`nonlocal` needs a binding in an enclosing function, and `get_state` something to read: a name that may be
unbound there starts as `ag.Undefined`. Where a name never holds that, Python itself raises on reading it too
early, and `ag.ld(x)` is `x` again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from ..analysis.activity import parameters
from .context import Context, Converter, assign, constant, place, store

Node = Any


def convert(function: Node, context: Context) -> Node:
    """Bind what blocks share, drop needless `ag.ld`."""
    needless: set[Node] = set()
    for each in gast.walk(function):
        if isinstance(each, gast.FunctionDef) and each not in context.generated:
            needless |= _Scope(each, context).settle()
    return _Drop(context, needless).visit(function)


class _Drop(Converter):
    def __init__(self, context: Context, needless: set[Node]) -> None:
        super().__init__(context)
        self.needless = needless

    def visit_Call(self, node: Node) -> Node:
        self.generic_visit(node)
        return node.args[0] if node in self.needless else node


class _Scope:
    """One function of the user's, with the functions that were made of its blocks."""

    def __init__(self, function: Node, context: Context) -> None:
        self.function = function
        self.context = context
        self.owned = context.facts.owned.get(function, frozenset())

    def settle(self) -> set[Node]:
        """Put `ag.Undefined` where it is needed; returns the calls of `ag.ld` that are not."""
        starts: dict[Node, list[str]] = {}
        for block in [self.function, *self._blocks(self.function.body)]:
            starts[block] = self._shared(block)
        loads = list(self._loads(self.function.body, False))
        free = self._free_loads()
        bound = _bound(self.function) | set(parameters(self.function))
        missing = [_name(call) for call, inside in loads if inside or _name(call) not in bound]
        missing += [_name(call) for call in free if _name(call) not in bound]
        own = starts[self.function]
        own += [name for name in missing if name not in parameters(self.function)]
        for block, names in starts.items():
            self._insert(block, list(dict.fromkeys(names)))
        holding = set(own) | self._deleted()
        calls = [call for call, _ in loads] + free
        return {call for call in calls if _name(call) not in holding}

    def _blocks(self, statements: list[Node]) -> Iterator[Node]:
        """The functions made of blocks, at any depth."""
        for node in _statements(statements):
            if node in self.context.generated:
                yield node
                yield from self._blocks(node.body)

    def _shared(self, block: Node) -> list[str]:
        """Names that a block directly inside shares, that live here, and that nothing binds for sure."""
        outer = set(parameters(block))
        for node in block.body:
            outer |= set(node.names) if isinstance(node, gast.Nonlocal) else set()
        bound, names = _bound(block), []
        for child in _statements(block.body):
            carry = self.context.generated.get(child)
            if carry is None:
                continue
            for name in (*carry.state, *carry.body_copies, *carry.else_copies):
                unbound = name not in bound and name in carry.state
                if name not in outer and (unbound or name in carry.unset):
                    names.append(name)
        return names

    def _loads(self, nodes: list[Node], inside: bool) -> Iterator[tuple[Node, bool]]:
        """The function's own calls of `ag.ld`, and whether they stand in a function made of a block."""
        for node in nodes:
            if isinstance(node, gast.FunctionDef) and node not in self.context.generated:
                outside = [*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)]
                yield from self._loads(outside, inside)
                continue
            if self.context.is_operator_call(node, "ld") and node not in self.context.free_loads:
                yield node, inside
            deeper = inside or isinstance(node, (gast.FunctionDef, gast.Lambda))
            yield from self._loads(list(gast.iter_child_nodes(node)), deeper)

    def _free_loads(self, node: Node = None, owned: frozenset[str] | None = None) -> list[Node]:
        """Reads of the function's names by functions inside it (not of names that those own themselves)."""
        node, owned = node or self.function, self.owned if owned is None else owned
        found = [node] if node in self.context.free_loads and _name(node) in owned else []
        for child in gast.iter_child_nodes(node):
            found += self._free_loads(child, owned - self.context.facts.owned.get(child, frozenset()))
        return found

    def _deleted(self) -> set[str]:
        """Names that `del` gives back to `ag.Undefined`."""
        return {
            node.args[0].value
            for node in gast.walk(self.function)
            if self.context.is_operator_call(node, "Undefined")
        }

    def _insert(self, block: Node, names: list[str]) -> None:
        """Start the block with `name = ag.Undefined("name")`, after a docstring and `nonlocal`."""
        lines = [assign(store(name), self.context.call("Undefined", constant(name))) for name in names]
        for line in lines:
            place(line, block)
        start = 0
        if (
            block is self.function
            and _is_docstring(block.body[0])
            or isinstance(block.body[0], gast.Nonlocal)
        ):
            start = 1
        block.body[start:start] = lines


def _name(call: Node) -> str:
    return call.args[0].id


def _is_docstring(node: Node) -> bool:
    return (
        isinstance(node, gast.Expr)
        and isinstance(node.value, gast.Constant)
        and isinstance(node.value.value, str)
    )


def _statements(statements: list[Node]) -> Iterator[Node]:
    """The statements of one function, those in `with` included."""
    for node in statements:
        yield node
        if isinstance(node, gast.With):
            yield from _statements(node.body)


def _bound(function: Node) -> set[str]:
    """The names that the function binds itself."""
    names = set()
    for node in _statements(function.body):
        if isinstance(node, gast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, (gast.Assign, gast.With)):
            targets = node.targets if isinstance(node, gast.Assign) else [i.optional_vars for i in node.items]
            names |= {
                n.id for t in targets if t is not None for n in gast.walk(t) if isinstance(n, gast.Name)
            }
    return names
