"""Variables whose values on two paths have no common type: which, and what they are, in the user's words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from ...graph.ir.causes import CAUSES, Cause
from ...graph.ir.nodes import Loc, Node
from ...graph.ir.types import Scalar
from ...graph.symbolic.arrays import SymbolicArray
from ...graph.symbolic.symbols import (
    UNBOUND,
    SymbolicObject,
    SymbolicScalar,
    SymbolicTuple,
    SymbolicUnion,
    unwrap_union,
)
from ..chosen_texts import ChosenText
from ..told import told
from ..tracer import Reference, TracedDict, TracedList, tracer
from .exits import Undefined
from .specs import ObjectType, Spec, UnionType

BRANCHES = ("where the condition holds", "elsewhere")
FIRST, LATER = ("before the loop", "after one iteration"), ("in its first iterations", "in a later one")
UNBOUND_KIND = "not bound"
_OBJECT = "an object whose type is known only at run time"


def explained(
    spec: Spec, name: str, values: tuple[Any, Any], when: tuple[str, str], where: Loc | None = None
) -> Spec:
    """`spec`, which holds both `values` of a variable; with the reason, where only any object does."""
    if isinstance(spec, UnionType):
        return replace(spec, payload=explained(spec.payload, name, values, when, where))
    if not isinstance(spec, ObjectType) or spec.cause is not None:
        return spec
    one, other = map(kind_of, values)
    if one == other == _OBJECT:
        return spec
    attempt = f"keep {_the(one)} in one variable and {_the(other)} in another"
    if one == other:
        other, attempt = "another one", "keep them in two variables"
    called = "it" if name == "chosen" else f"'{name}'"
    if UNBOUND_KIND in (one, other):
        attempt = f"give {called} a value of the same type before"
    reason = f"{called} is {one} {when[0]} and {other} {when[1]}"
    return replace(spec, cause=Cause(reason, attempt, where or tracer().builder.locate()))


def causes(specs: Iterable[Spec], names: Iterable[str]) -> dict[str, dict[str, Cause]]:
    """What a node says of the variables that it makes objects of."""
    found = {}
    for spec, name in zip(specs, names, strict=True):
        inner = spec.payload if isinstance(spec, UnionType) else spec
        if isinstance(inner, ObjectType) and inner.cause is not None:
            found[name] = inner.cause
    return {CAUSES: found} if found else {}


def kind_of(value: Any) -> str:
    """What a value is, with its article."""
    value = unwrap_union(value)
    if isinstance(value, Undefined) or value is UNBOUND:
        return UNBOUND_KIND
    if isinstance(value, SymbolicUnion):
        return f"{_first(value.first)} or {kind_of(value.payload)}"
    if isinstance(value, SymbolicTuple):
        return "a tuple"
    if isinstance(value, SymbolicScalar):
        return _first(value.type)
    if isinstance(value, SymbolicArray):
        return _array(value.ndim, value.dtype)
    if isinstance(value, Reference):
        return _plain_kind(value.value)
    if isinstance(value, ChosenText):
        return "a str"
    if isinstance(value, SymbolicObject):
        if value.is_assembled:
            return _OBJECT
        node = tracer().made_by.get(value.operand())
        return _made_by(node) if node is not None else _OBJECT
    if isinstance(value, (TracedList, TracedDict)):
        return "a list" if isinstance(value, TracedList) else "a dict"
    return _plain_kind(value)


def _plain_kind(value: Any) -> str:
    """The kind of an object of the user's, whose code doesn't run."""
    if type(value) is np.ndarray:
        return _array(value.ndim, value.dtype)
    return "None" if value is None else with_article(told(type(value), "__name__", "object"))


def _made_by(node: Node) -> str:
    """What an expression of the driver gives, as far as its text says it."""
    text = node.attrs.get("text", "")
    if text.startswith("["):
        return "a list"
    if text.startswith("{{"):
        return "a dict" if ":" in text or text == "{{}}" else "a set"
    return f"what `{node.loc.source}` gives" if node.loc.source else _OBJECT


def object_cause(name: str, value: Any) -> Cause:
    """Why what stands for a parameter of the graph is an object to the compiler."""
    kind = _plain_kind(value)
    if type(value) is int:
        return Cause(f"'{name}' is {kind} of more than 47 bits", "pass it as a float, or in an array")
    return Cause(f"'{name}' is {kind}", "pass numbers and arrays of numbers")


def with_article(noun: str) -> str:
    """``an int``."""
    return f"{'an' if noun[:1] in tuple('aeiouAEIOU') else 'a'} {noun}"


def _array(ndim: int, dtype: np.dtype) -> str:
    return f"a {ndim}-d array of {dtype}"


def _first(first: Any) -> str:
    if isinstance(first, Scalar):
        return with_article(first.kind if first.is_python else f"np.{first.kind}")
    return kind_of(first)


def _the(kind: str) -> str:
    return f"the {kind.partition(' ')[2]}" if kind.startswith(("a ", "an ")) else kind
