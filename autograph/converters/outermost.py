"""The function itself.

    @js.function
    def f(x: Array, n=3):      →      def f(x, n):
        ...                               ...

    lambda x: x + 1            →      def f(x):
                                          return x + 1

    @deco                      →      def g(y):
    def g(y):                             ...
        ...                           g = deco(g)

The outermost function's decorators have had their turn, the caller binds all arguments, and nobody reads the
annotations. Those of inner functions become calls, which are converted like any other.
"""

from __future__ import annotations

from typing import Any

import gast

from .context import Context, Converter, assign, load, place, store

Node = Any


def convert(function: Node, context: Context) -> Node:
    """Keep the parameters and the body."""
    if isinstance(function, gast.Lambda):
        returned = gast.Return(function.body)
        place(returned, function.body)
        name = context.fresh("lambda_")
        staged = gast.FunctionDef(name, function.args, [returned], [], None, None, [])
        place(staged, function)
        function = staged
    function.decorator_list = []
    function.args.defaults = []
    function.args.kw_defaults = [None for _ in function.args.kwonlyargs]
    return _Inner(context).visit(function)


class _Inner(Converter):
    """Annotations of inner functions go as well, and their decorators are called."""

    def visit_FunctionDef(self, node: Node) -> Node | list[Node]:
        node.returns = None
        decorators, node.decorator_list = node.decorator_list, []
        self.generic_visit(node)
        if not decorators:
            return node
        decorated = load(node.name)
        for decorator in reversed(decorators):
            decorated = gast.Call(self.visit(decorator), [decorated], [])
        called = assign(store(node.name), decorated)
        place(called, decorators[0])
        return [node, called]

    def visit_Name(self, node: Node) -> Node:
        node.annotation = None
        return node
