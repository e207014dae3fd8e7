"""Formatted strings.

    f"{x:.2f} of {n!r}"      →      ag.fstring("{0:.2f} of {1!r}", x, n)
    f"{x} {f(x)}"            →      ag.fstring("{0} {1}", ag.fstring("{0}", x), f(x))
    "%d of %s" % (x, n)      →      ag.percent("%d of %s", (x, n))

Python formats each field before it evaluates the next: where a later one calls something, that is kept.
"""

from __future__ import annotations

from typing import Any

import gast

from .context import Context, Converter, constant

Node = Any


def convert(function: Node, context: Context) -> Node:
    """Stage every formatted string."""
    return _FStrings(context).visit(function)


class _FStrings(Converter):
    def visit_BinOp(self, node: Node) -> Node:
        self.generic_visit(node)
        left = node.left
        text = isinstance(left, gast.Constant) and isinstance(left.value, (str, bytes))
        if not text or not isinstance(node.op, gast.Mod):
            return node
        return self.context.call("percent", left, node.right)

    def visit_JoinedStr(self, node: Node) -> Node:
        fields = [each for each in node.values if isinstance(each, gast.FormattedValue)]
        last_call = max((n for n, each in enumerate(fields) if _calls(each, self.context)), default=0)
        values: list[Node] = []
        template, number = "", 0
        for part in node.values:
            if not isinstance(part, gast.FormattedValue):
                template += part.value.replace("{", "{{").replace("}", "}}")
                continue
            if number < last_call:
                single: list[Node] = []
                text = self._field(part, single)
                template += f"{{{len(values)}}}"
                values.append(self.context.call("fstring", constant(text), *single))
            else:
                template += self._field(part, values)
            number += 1
        if not values:
            return constant("".join(part.value for part in node.values))
        return self.context.call("fstring", constant(template), *values)

    def _field(self, part: Node, values: list[Node]) -> str:
        """The field's template; its values are appended to `values`."""
        number = len(values)
        values.append(self.visit(part.value))
        conversion = f"!{chr(part.conversion)}" if part.conversion > 0 else ""
        spec = self._spec(part.format_spec, values) if part.format_spec is not None else ""
        return f"{{{number}{conversion}{':' if spec else ''}{spec}}}"

    def _spec(self, spec: Node, values: list[Node]) -> str:
        """The template of a format specification, which may have fields of its own."""
        text = ""
        for part in spec.values if isinstance(spec, gast.JoinedStr) else [spec]:
            if isinstance(part, gast.FormattedValue):
                text += self._field(part, values)
                continue
            if "{" in part.value or "}" in part.value:
                raise self.context.unsupported("it has a format with braces in it", part)
            text += part.value
        return text


def _calls(node: Node, context: Context) -> bool:
    nodes = [each for each in gast.walk(node) if isinstance(each, gast.Call)]
    return any(not context.is_operator_call(each, "ld") for each in nodes)
