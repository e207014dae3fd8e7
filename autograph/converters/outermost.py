"""The function itself.

    @js.function
    def f(x: Array, n=3):      →      def f(x, n):
        ...                               ...

    lambda x: x + 1            →      def f(x):
                                          return x + 1

Decorators have had their turn, the caller binds all arguments, and nobody reads the annotations.
"""

from __future__ import annotations

from typing import Any

import gast

from .context import Context, Converter, place

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
    return _Annotations(context).visit(function)


class _Annotations(Converter):
    """Annotations of inner functions go as well."""

    def visit_FunctionDef(self, node: Node) -> Node:
        node.returns = None
        return self.generic_visit(node)

    def visit_Name(self, node: Node) -> Node:
        node.annotation = None
        return node
