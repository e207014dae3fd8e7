"""Which opaque Python may be run again where a call starts again, and which only prints.

It may if nobody sees that it ran twice: it computes a value of safe operands, asks for the time, or changes
a container that this call has made, which is made anew then.
"""

from __future__ import annotations

import ast
import functools
import os
import random
import re
import time
from typing import TYPE_CHECKING, Any

from ..graph.analysis.effects import asks_object
from ..graph.ir.nodes import Node, Value
from ..graph.ir.types import OBJECT
from ..graph.ops.facts import PRINTS, REPEATABLE, UNSTEADY, is_python
from .safety import only_computes, parts_of, works_in_place
from .told import told

if TYPE_CHECKING:
    from .tracer import Tracer

_CONTAINERS = (dict, frozenset, list, range, set, str, tuple)
_CLOCKS = "monotonic monotonic_ns perf_counter perf_counter_ns process_time process_time_ns time time_ns"
_ASKED: tuple[object, ...] = (*(getattr(time, name) for name in _CLOCKS.split()), os.getcwd, os.getpid)
"""Functions that tell how things stand outside."""
_SEEDING = "np.random.seed("
_EMPTY = ("set()", "dict()", "list()")
_DISPLAYS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
_MAKERS = frozenset(("dict", "list", "set", "sorted"))
_READS = re.compile(
    r"(all|any|dict|frozenset|len|list|max|min|set|sorted|sum|tuple)\(\{0\}\)|'[^'{}\\]*'\.join\(\{0\}\)"
    r"|\{0\}\[(\{1\}|'[^'{}\\]*'|-?\d+)\]|\{0\}\.(count|get|index|items|keys|values)\([^()]*\)"
)
"""What looks at a container that is the first operand; it would use up an iterator."""
_CHANGES = re.compile(
    r"\{0\}(\.(add|append|clear|discard|insert|pop|popitem|remove|reverse|setdefault)\("
    r"|\[\{\d+\}\] = |\['[^']*'\] = |\[-?\d+\] = )"
)
"""What changes a container that is the first operand, and nothing else."""
_TAKES_ALL = re.compile(r"\{0\}\.(extend|update)\(")
"""What also goes through its arguments, and uses up iterators."""


def marks_for(tracer: Tracer, node: Node) -> dict[str, Any]:
    """The marks of a node that is repeatable, or prints."""
    if asks_object(node):
        return {REPEATABLE: True} if tracer.is_safe(node.operands[0]) else {}
    if not is_python(node) or node.attrs.get("harmless") or not all(map(tracer.is_safe, node.operands)):
        return {}
    text = str(node.attrs.get("text", ""))
    if only_computes(text) or _replaces(tracer, node, text) or _asks_container(tracer, node, text):
        return {REPEATABLE: True}
    if (steady := _asks_outside(tracer, node, text)) is not None:
        return {REPEATABLE: True} if steady else {REPEATABLE: True, UNSTEADY: True}
    if text in _EMPTY or _is_about_own(tracer, node, text):
        return {REPEATABLE: True}
    return {PRINTS: True} if text.startswith("print(") and "file=" not in text else {}


def makes_container(node: Node) -> bool:
    """Whether it makes a new list, dict or set."""
    return is_python(node) and _is_new(str(node.attrs.get("text", "")))


@functools.lru_cache(1024)
def _is_new(text: str) -> bool:
    """Whether an expression is a display, a comprehension, or a call that makes a container."""
    parts = parts_of(text)
    body = parts[0].body if parts and isinstance(parts[0], ast.Expression) else None
    if isinstance(body, ast.Call):
        return isinstance(body.func, ast.Name) and body.func.id in _MAKERS
    return isinstance(body, _DISPLAYS)


def _replaces(tracer: Tracer, node: Node, text: str) -> bool:
    """Whether it works in place on what can't be changed, which gives a new one."""
    return works_in_place(text) and tracer.is_immutable(node.operands[0])


def _is_about_own(tracer: Tracer, node: Node, text: str) -> bool:
    """Whether it looks at, or changes, a container that was made since the call began."""
    first = node.operands[0] if node.operands else None
    if not isinstance(first, Value) or first.name not in tracer.own:
        return False
    if _TAKES_ALL.match(text):
        return all(_stays(tracer, node, k) for k in range(1, len(node.operands)))
    return _CHANGES.match(text) is not None or _READS.fullmatch(text) is not None


def _stays(tracer: Tracer, node: Node, position: int) -> bool:
    """Whether who goes through an operand can do so again: it is no iterator."""
    operand = node.operands[position]
    made = isinstance(operand, Value) and operand.name in tracer.own
    return made or operand.type != OBJECT or type(_known(tracer, node, position)) in _CONTAINERS


def _asks_container(tracer: Tracer, node: Node, text: str) -> bool:
    return text in ("{0} in {1}", "{0} not in {1}") and type(_known(tracer, node, 1)) in _CONTAINERS


def _asks_outside(tracer: Tracer, node: Node, text: str) -> bool | None:
    """Whether what it asks outside stays as it is; None if it does something else."""
    if text.startswith(_SEEDING):
        return text not in (f"{_SEEDING})", f"{_SEEDING}None)")
    called = _known(tracer, node, 0) if text.startswith("{0}(") else None
    if called is random.Random.seed and _known(tracer, node, 1) is told(random.seed, "__self__"):
        return text not in ("{0}({1})", "{0}({1}, None)")
    if called is None or not any(called is one for one in _ASKED):
        return None
    return called in (os.getcwd, os.getpid)


def _known(tracer: Tracer, node: Node, position: int) -> object:
    """What stands for an operand that is a parameter of the graph."""
    operand = node.operands[position] if len(node.operands) > position else None
    return tracer.objects.get(operand.name) if isinstance(operand, Value) else None
