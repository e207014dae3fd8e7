"""Comprehensions and generator expressions.

    [f(x) for x in a if x > 0]      →      ag.list_comp(a, lambda x: f(x), lambda x: x > 0)
    [f(x, y) for x in a for y in b] →      ag.list_of_all(a, lambda x: ag.gen_comp(b, lambda y: f(x, y)))
    {k: v for k, v in pairs}        →      ag.dict_comp(pairs, by_item, by_item)
                                           where by_item is lambda item: (lambda k, v: k)(*ag.unpack(item, 2))

Likewise `ag.set_comp` and `ag.gen_comp`.
"""

from __future__ import annotations

from typing import Any

import gast

from ..analysis.activity import free_reads
from .context import Context, Converter, constant, function, load, place
from .logical import condition

Node = Any
# They call what they are given before they return.
PROMPT = {function.__name__ for function in (sorted, min, max)}


def convert(function: Node, context: Context) -> Node:
    """Stage every comprehension with one `for`."""
    return _Comprehensions(context).visit(function)


class _Comprehensions(Converter):
    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.consumed: set[Node] = set()
        """The generators that stand for the further `for` of a comprehension."""

    def visit_ListComp(self, node: Node) -> Node:
        return self._convert("list_comp", node, [node.elt])

    def visit_SetComp(self, node: Node) -> Node:
        return self._convert("set_comp", node, [node.elt])

    def visit_GeneratorExp(self, node: Node) -> Node:
        return self._convert("gen_comp", node, [node.elt])

    def visit_DictComp(self, node: Node) -> Node:
        return self._convert("dict_comp", node, [node.key, node.value])

    def _convert(self, operator: str, node: Node, results: list[Node]) -> Node:
        if len(node.generators) > 1:
            return self._several(operator, node, results)
        generator = node.generators[0]
        conditions = generator.ifs
        if conditions:
            conditions = [conditions[0] if len(conditions) == 1 else gast.BoolOp(gast.And(), conditions)]
        self._check_capture(node, generator.target, [*results, *conditions])
        conditions = [condition(each, self.context) for each in conditions]
        parts = [self._per_item(generator.target, each) for each in [*results, *conditions]]
        return self.generic_visit(self.context.call(operator, generator.iter, *parts))

    def _several(self, operator: str, node: Node, results: list[Node]) -> Node:
        """Each item of the first `for` gives a generator of what the others make of it."""
        first, *others = node.generators
        each = results[0] if len(results) == 1 else gast.Tuple(results, gast.Load())
        inner = gast.GeneratorExp(each, others)
        place(inner, node)
        self.consumed.add(inner)
        outer = gast.GeneratorExp(inner, [first])
        place(outer, node)
        return self._convert(operator.replace("comp", "of_all"), outer, [inner])

    def _per_item(self, target: Node, body: Node) -> Node:
        """`lambda target: body`; a target that unpacks is unpacked by a lambda inside."""
        if isinstance(target, gast.Name):
            return function([target.id], body)
        item = self.context.fresh("item")
        return function([item], self._with_target(target, load(item), body))

    def _with_target(self, target: Node, value: Node, body: Node) -> Node:
        """`(lambda a, b: body)(*ag.unpack(value, 2))`."""
        if not isinstance(target, (gast.Tuple, gast.List)):
            raise self.context.unsupported(
                "it has a comprehension that stores into an array or object", target
            )
        names: list[str] = []
        nested: list[tuple[Node, str]] = []
        for element in target.elts:
            inner = element.value if isinstance(element, gast.Starred) else element
            if isinstance(inner, gast.Name) and inner.id not in names:
                names.append(inner.id)
                continue
            names.append(self.context.fresh("item"))
            if isinstance(inner, gast.Name):  # `for _, _ in pairs`: the last one counts
                position = names.index(inner.id)
                names[position], names[-1] = names[-1], names[position]
            else:
                nested.append((inner, names[-1]))
        for inner, name in reversed(nested):
            body = self._with_target(inner, load(name), body)
        values = gast.Starred(unpacked(self.context, target, value), gast.Load())
        call = gast.Call(function(names, body), [values], [])
        self.context.direct.add(call)
        return call

    def _check_capture(self, node: Node, target: Node, parts: list[Node]) -> None:
        """In Python all functions made by a comprehension share its variable; lambdas have one each."""
        bound = {each.id for each in gast.walk(target) if isinstance(each, gast.Name)}
        prompt: set[Node] = set(self.consumed)
        for each in (inner for part in parts for inner in gast.walk(part)):
            if isinstance(each, gast.Call):
                prompt |= {a for a in each.args if isinstance(a, gast.GeneratorExp)}
                if isinstance(each.func, gast.Name) and each.func.id in PROMPT:
                    prompt |= {keyword.value for keyword in each.keywords}
            elif isinstance(each, (gast.Lambda, gast.GeneratorExp)) and each not in prompt:
                if bound & _free(each):
                    raise self.context.unsupported(
                        "it has a comprehension whose variable a function captures", node
                    )


def _free(node: Node) -> set[str]:
    if isinstance(node, gast.Lambda):
        return {name for name, _ in free_reads(node)}
    return {each.id for each in gast.walk(node) if isinstance(each, gast.Name)}


def unpacked(context: Context, target: Node, value: Node) -> Node:
    """`ag.unpack(value, 2)` or `ag.unpack_star(value, 1, 1)`, as the target asks."""
    stars = [number for number, each in enumerate(target.elts) if isinstance(each, gast.Starred)]
    if not stars:
        return context.call("unpack", value, constant(len(target.elts)))
    after = len(target.elts) - stars[0] - 1
    return context.call("unpack_star", value, constant(stars[0]), constant(after))
