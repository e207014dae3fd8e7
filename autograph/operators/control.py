"""`if`, conditional expressions, `and` / `or` / `not`, chained comparisons, `assert`, `raise`."""

from __future__ import annotations

import builtins
import operator
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ...graph.ir.literals import is_number
from ...graph.ir.nodes import Block, Node, Operand, Value
from ...graph.ir.types import BOOL, Scalar
from ...graph.ops.facts import is_ending
from ...graph.symbolic.arith import elementwise, plain_list, truth
from ...graph.symbolic.arrays import SymbolicArray
from ...graph.symbolic.operators import binary
from ...graph.symbolic.symbols import (
    BINARY,
    Symbol,
    SymbolicObject,
    SymbolicScalar,
    SymbolicUnion,
    python_expression,
    template,
    unwrap_union,
)
from ...graph.trace.build import TraceError, current
from ..chosen_texts import ChosenText
from ..descriptions import Description, parts_of_range
from ..made_objects import MadeObject
from ..number_dicts import HeldTable, NumberDict
from ..number_lists import NumberList, refuse
from ..texts import Character, CodePoints, is_in
from ..tracer import Reference, TracedDict, TracedList, tracer
from .copies import original_of
from .exits import STATELESS, Leave, fail, handled, nothing
from .growing import growing
from .kinds import BRANCHES, causes, explained
from .own_errors import depends, ending_block, known_here
from .returning import leave_function
from .specs import Spec, StaticType
from .state import decode, describe, encode, join, make_values, materialise, outside, types_of
from .tuples import compared, may_be_compared

Body = Callable[[], Any]


def if_stmt(
    test: Any,
    body: Body,
    orelse: Body,
    get_state: Callable[[], tuple[Any, ...]],
    set_state: Callable[[Any], None],
    names: tuple[str, ...],
) -> None:
    """``if test: body else: orelse``."""
    condition = asked(test)
    if not isinstance(condition, Symbol):
        (body if condition else orelse)()
        return
    with growing(get_state, set_state, names) as state:
        _if(condition, body, orelse, *state)


def _if(
    condition: Symbol,
    body: Body,
    orelse: Body,
    get_state: Callable[[], tuple[Any, ...]],
    set_state: Callable[[Any], None],
    names: tuple[str, ...],
) -> None:
    before, given = get_state(), len(current().names)
    then_nodes, then_state = trace_branch(body, get_state, condition, True)
    set_state(before)
    else_nodes, else_state = trace_branch(orelse, get_state, condition, False)
    if then_state is None or else_state is None:
        _splice(condition, (then_nodes, then_state), (else_nodes, else_state), set_state)
        return
    set_state(_merge(condition, (then_nodes, then_state), (else_nodes, else_state), names, given))


def not_none(tag: Operand, name: str) -> None:
    """Raise what it raises to read an attribute of None, unless `tag` holds."""

    def missing() -> None:
        fail(AttributeError(f"'NoneType' object has no attribute '{name}'"))

    if_stmt(SymbolicScalar(tag, BOOL), nothing, missing, *STATELESS)


def _length_of(test: object) -> object:
    """What is asked of a list, dict or range: how long it is."""
    tracer().check_no_sorting(test)
    if isinstance(test, Description) and test.made_of is not None:
        return test.length()
    return test.length() if isinstance(test, (NumberList, HeldTable)) else test


def asked(test: Any) -> Any:
    """`truth`, where it is about to be asked: of an object of the user's, that runs code of the user's."""
    condition = truth(_length_of(test))
    if isinstance(condition, SymbolicObject) and not tracer().is_safe(condition.operand()):
        tracer().opaque_call()
    return condition


def trace_branch(
    body: Body, get_state: Callable[[], tuple[Any, ...]], condition: Symbol, holds: bool
) -> tuple[list[Node], tuple[Any, ...] | None]:
    """Trace a block; its nodes and the state after it, None when the block leaves."""
    with current().region() as nodes:
        current().learn(condition.operand(), holds)
        before = get_state()
        try:
            with ending_block():
                body()
            return nodes, tuple(map(_as_known_here, before, get_state()))
        except Leave as left:
            leave(left)
            return nodes, None


def _as_known_here(before: object, value: object) -> object:
    """A variable that the block has set, as what the block's condition makes of it."""
    return value if value is before else unwrap_union(value)


def leave(left: Leave) -> None:
    """End the open block as `left` says."""
    if left.kind == "return":
        leave_function(left.value)
    elif left.kind != "end":
        tracer().frame.loops[-1].leave(left.kind)
    elif not (nodes := current().blocks[-1]) or not is_ending(nodes[-1]):
        raise TraceError("code that raises wherever it is reached")


def _splice(
    condition: Any,
    then: tuple[list[Node], Any],
    other: tuple[list[Node], Any],
    set_state: Callable[[Any], None],
) -> None:
    """One branch leaves: what follows belongs to the other one, which goes on in the open block."""
    builder = current()
    builder.learn(condition.operand(), then[1] is not None)
    if then[1] is not None:  # the else branch leaves
        condition = not_(condition)
        then, other = other, then
    empty = Block((), (Node("yield"),))
    builder.emit("if", (condition.operand(),), (), {"names": ()}, (Block((), tuple(then[0])), empty))
    builder.splice(other[0])
    if other[1] is None:
        raise Leave("end")
    set_state(other[1])


def _merge(
    condition: Any,
    then: tuple[list[Node], tuple[Any, ...]],
    other: tuple[list[Node], tuple[Any, ...]],
    names: tuple[str, ...],
    given: int,
) -> tuple[Any, ...]:
    """Both branches go on: their states become results of the node. Before it, `given` names were in use."""
    builder = current()
    pairs = list(zip(then[1], other[1], strict=True))
    specs: list[Spec] = [
        StaticType(a) if a is b else explained(join(describe(a), describe(b)), name, (a, b), BRANCHES)
        for (a, b), name in zip(pairs, names, strict=True)
    ]
    specs = outside(specs, given)
    for branch in (then, other):
        builder.blocks.append(branch[0])
        operands = [o for value, spec in zip(branch[1], specs, strict=True) for o in encode(value, spec)]
        builder.emit("yield", operands)
        builder.blocks.pop()
    values = [v for spec, name in zip(specs, names, strict=True) for v in make_values(spec, name)]
    regions = tuple(Block((), tuple(branch[0])) for branch in (then, other))
    changed = tuple(n for n, s in zip(names, specs, strict=True) if types_of(s))
    attrs = {"names": changed, **causes(specs, names)}
    builder.append(Node("if", (condition.operand(),), tuple(values), attrs, regions, builder.locate()))
    supply = iter(values)
    return tuple(
        a if isinstance(spec, StaticType) and a is b else decode(spec, supply, name)
        for (a, b), spec, name in zip(pairs, specs, names, strict=True)
    )


def if_exp(test: Any, body: Body, orelse: Body) -> Any:
    """``body if test else orelse``."""
    condition = truth(_length_of(test))
    if not isinstance(condition, Symbol):
        return body() if condition else orelse()
    box: list[Any] = [None]

    def run(part: Body) -> Callable[[], None]:
        def block() -> None:
            box[0] = part()

        return block

    def put(values: Any) -> None:
        box[0] = values[0]

    if_stmt(condition, run(body), run(orelse), lambda: (box[0],), put, (current().suggest() or "chosen",))
    return box[0]


def not_(value: Any) -> Any:
    """``not value``."""
    condition = asked(value)
    if not isinstance(condition, Symbol):
        return not condition
    if isinstance(condition, SymbolicObject):
        return python_expression(lambda t: f"not {t.write(condition)}")
    tag = condition.operand()
    node = current().one("py.not", (tag,), BOOL, loop=("bool",), text="not {0}")
    if isinstance(tag, Value):
        current().opposites[node.name] = tag.name
    return SymbolicScalar(node, BOOL)


def and_(*parts: Body) -> Any:
    """``a and b and ...``: the first false value, else the last."""
    value = parts[0]()
    if len(parts) == 1:
        return value
    return _lazy(value, lambda: and_(*parts[1:]), go_on=True)


def or_(*parts: Body) -> Any:
    """``a or b or ...``: the first true value, else the last."""
    value = parts[0]()
    if len(parts) == 1:
        return value
    return _lazy(value, lambda: or_(*parts[1:]), go_on=False)


def all_true(*parts: Body) -> object:
    """``a and b and ...`` where only its truth is asked."""
    return _asked_in_turn(parts, True)


def any_true(*parts: Body) -> object:
    """``a or b or ...`` where only its truth is asked."""
    return _asked_in_turn(parts, False)


def _asked_in_turn(parts: tuple[Body, ...], go_on: bool) -> object:
    value = asked(parts[0]())
    if len(parts) == 1:
        return value

    found: list[object] = [value]

    def rest() -> object:
        found[1:] = [_asked_in_turn(parts[1:], go_on)]
        return found[1]

    if not isinstance(value, Symbol):
        return rest() if value is go_on else value
    known = value if isinstance(value, SymbolicScalar) else not go_on
    made = if_exp(value, rest, lambda: known) if go_on else if_exp(value, lambda: known, rest)
    if isinstance(found[-1], bool):  # the trace knows the last part
        return value if found[-1] is go_on else not go_on
    _join(made, go_on, found)
    return made


def _join(made: object, go_on: bool, parts: list[object]) -> None:
    """Where all of an `and` holds, each of its parts does."""
    tags = [p.operand() for p in (made, *parts) if isinstance(p, SymbolicScalar)]
    if isinstance(made, SymbolicScalar) and isinstance(whole := tags[0], Value):
        names = tuple(tag.name for tag in tags[1:] if isinstance(tag, Value) and tag != whole)
        current().joined[whole.name] = go_on, names


def _lazy(value: Any, rest: Body, go_on: bool) -> Any:
    condition = truth(value)
    if not isinstance(condition, Symbol):
        return rest() if bool(condition) is go_on else value
    if go_on:
        return if_exp(condition, rest, lambda: value)
    return if_exp(condition, lambda: value, rest)


def compare_chain(left: Any, *parts: Any) -> Any:
    """``a < b <= c``: each operand once, left to right, stopping at the first false comparison."""
    sign, right = parts[0], parts[1]()
    result = compare(left, sign, right)
    if len(parts) == 2:
        return result
    return _lazy(result, lambda: compare_chain(right, *parts[2:]), go_on=True)


_SIGNS: dict[str, Callable[[Any, Any], Any]] = dict(BINARY.values())


def compare(left: Any, sign: str, right: Any) -> Any:
    """One comparison by its sign."""
    named = {"is": is_, "is not": is_not, "in": in_, "not in": not_in}
    if sign in named:
        return named[sign](left, right)
    if isinstance(left, Symbol) or isinstance(right, Symbol):
        return _SIGNS[sign](left, right)
    if type(left) is type(right) is tuple and may_be_compared(left, right):
        return compared(left, sign, right, compare, if_exp)
    return known_here(_SIGNS[sign], left, right)


def is_(left: Any, right: Any) -> Any:
    """``left is right``."""
    copies = tracer().copies
    left, right = original_of(left, copies), original_of(right, copies)
    if isinstance(left, NumberList) or isinstance(right, NumberList):
        return False if left is None or right is None else refuse("`is` with a list")
    for one, other in ((left, right), (right, left)):
        one = unwrap_union(one)
        if other is None and isinstance(one, ChosenText):
            return one.is_none()
        if other is None and isinstance(one, SymbolicUnion) and one.first is None:
            return not_(SymbolicScalar(one.tag, BOOL))
    if isinstance(left, Reference) and isinstance(right, Reference) and left.path == right.path:
        return True
    if isinstance(left, (TracedList, TracedDict)) or isinstance(right, (TracedList, TracedDict)):
        traced = [c for c in (left, right) if isinstance(c, (TracedList, TracedDict))]
        if len(traced) == 1 and any(isinstance(c, (SymbolicObject, SymbolicUnion)) for c in (left, right)):
            materialise(traced[0])  # which of the run's objects it is
        outside = [c for c in traced if c.path is not None]
        if left is right or len(outside) < 2:
            return left is right
        materialise(outside[0])
    if left is not None and right is not None and (_may_be_number(left) or _may_be_number(right)):
        raise TraceError("'is' with a number that is known only at run time", "compare them with ==")
    if isinstance(left, (SymbolicObject, SymbolicUnion)) or isinstance(
        right, (SymbolicObject, SymbolicUnion)
    ):
        return python_expression(lambda t: f"{t.write(left)} is {t.write(right)}")
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Symbol) and (other is None or isinstance(other, (str, type))):
            return False
    if isinstance(left, Symbol) or isinstance(right, Symbol):
        if left is right and not isinstance(left, SymbolicScalar):
            return True
        raise TraceError("'is' between values that are known only at run time", "compare them with ==")
    if left is not right and type(left) is type(right) is tuple:
        refuse("`is` between tuples")  # each statement that carries one makes it anew
    if left is not right and parts_of_range(left) is not None and parts_of_range(right) is not None:
        refuse("`is` between ranges")  # each statement that carries one describes it anew
    if isinstance(left, MadeObject):
        left.check_asked(right)
    return left is right


def _may_be_number(value: object) -> bool:
    """Whether it is a number on some paths: compiled code has no objects for those."""
    value = unwrap_union(value)
    return isinstance(value, SymbolicUnion) and isinstance(value.payload, SymbolicScalar)


def is_not(left: Any, right: Any) -> Any:
    """``left is not right``."""
    return not_(is_(left, right))


def in_(item: Any, container: Any) -> Any:
    """``item in container``."""
    found = _contained(item, container)
    return _asked(item, "in", container) if found is NotImplemented else found


def not_in(item: Any, container: Any) -> Any:
    """``item not in container``."""
    found = _contained(item, container)
    return _asked(item, "not in", container) if found is NotImplemented else not_(found)


def _asked(item: object, word: str, container: object) -> object:
    return python_expression(lambda t: f"{t.write(item)} {word} {t.write(plain_list(container))}")


def _contained(item: object, container: object) -> object:
    """Whether the container has the item; `NotImplemented` if Python is to be asked."""
    if isinstance(container, NumberList):
        return tracer().operators.is_item(item, container)
    if isinstance(container, (NumberDict, TracedDict, SymbolicObject)):
        if (found := tracer().operators.is_key(item, container)) is not NotImplemented:
            return found
    if (parts := parts_of_range(container)) is not None and _is_int(item) and type(parts[2]) is int:
        return _in_range(item, *parts)
    if isinstance(item, Character) and type(container) is str:
        return is_in(item, container)
    if isinstance(item, CodePoints) and isinstance(container, (tuple, list)) and container:
        return any_true(*(partial(compare, item, "==", each) for each in container))
    if isinstance(container, (tuple, list)) and any(
        isinstance(value, (Symbol, Character)) for value in (item, *container)
    ):
        return _is_one_of(item, container)
    if isinstance(container, SymbolicArray) and container.ndim and _is_plain_number(item):
        return truth(elementwise(np.equal, (container, item)).any())
    if isinstance(item, Symbol) or isinstance(container, Symbol):
        return NotImplemented
    if isinstance(container, TracedDict) and depends(item):
        materialise(container)
    return known_here(operator.contains, container, item)


def _is_int(item: object) -> bool:
    return isinstance(item, SymbolicScalar) and item.type.dtype.kind == "i"


def _in_range(item: object, start: object, stop: object, step: int) -> object:
    """``item in range(start, stop, step)`` of an int."""
    item = tracer().operators.call(int, item)
    first, last = ("<=", "<") if step > 0 else (">=", ">")
    within: list[Body] = [partial(compare, start, first, item), partial(compare, item, last, stop)]
    if abs(step) != 1:
        within.append(lambda: compare(binary("mod", item, step), "==", binary("mod", start, step)))
    return all_true(*within)


def _is_plain_number(value: object) -> bool:
    return isinstance(value, SymbolicScalar) or (not isinstance(value, Symbol) and is_number(value))


def _is_one_of(item: object, container: tuple[object, ...] | list[object]) -> object:
    """The candidates one after the other: the first that is the item, or is equal to it.

    What ``==`` gives is asked for its truth, which arrays may not have: those are left to Python.
    """
    if container and container[0] is item:
        return True
    if not all(map(_is_plainly_compared, (item, *container))):
        return NotImplemented
    kinds = set(map(type, (item, *container)))
    if {Character, ChosenText} <= kinds:
        return NotImplemented
    found: Any = False
    for candidate in container:
        if candidate is item:
            return True
        if not _are_unlike(item, candidate):
            found = _or_now(found, item == candidate)
    return found


def _is_plainly_compared(value: object) -> bool:
    """Whether ``==`` with it gives a bool here: it is a number, or a constant that has no items."""
    if isinstance(value, SymbolicUnion):
        return isinstance(value.first, Scalar) and isinstance(value.payload, SymbolicScalar)
    return (
        isinstance(value, (SymbolicScalar, Character, ChosenText, str)) or value is None or is_number(value)
    )


def _are_unlike(one: object, other: object) -> bool:
    """Whether one is a number and the other is none."""
    nothing = [value is None or isinstance(value, (str, Character, ChosenText)) for value in (one, other)]
    return nothing[0] != nothing[1]


def _or_now(found: Any, more: Any) -> Any:
    left, right = truth(found), truth(more)
    if not isinstance(left, Symbol):
        return True if left else right
    if not isinstance(right, Symbol):
        return True if right else left
    node = current().one(
        "py.or", (left.operand(), right.operand()), BOOL, loop=("bool", "bool"), text="{0} or {1}"
    )
    return SymbolicScalar(node, BOOL)


def assert_(test: Any, message: Body | None = None) -> None:
    """``assert test, message``."""
    if not __debug__:
        return

    def fail() -> None:
        raise_(
            lambda: AssertionError() if message is None else AssertionError(message()),
            name="AssertionError",
            arguments=() if message is None else (message,),
        )

    if_stmt(test, lambda: None, fail, lambda: (), lambda values: None, ())


def raise_(
    make: Body, cause: Body | None = None, name: str | None = None, arguments: tuple[Body, ...] = ()
) -> None:
    """``raise exception``: the end of the block."""
    under = template()
    if name is not None:
        values = [argument() for argument in arguments]
        handled(getattr(builtins, name))
        source = under.call(name, tuple(values), {})
        constant = all(isinstance(value, str) for value in values)
        attrs = {"exception": name, "message": values[0] if values else ""} if constant else {}
    else:
        source, attrs = _exception_text(make, under, cause is None)
    if cause is not None:
        source += f" from {under.write(cause())}"
        attrs = {}
    current().emit("raise", under.operands, (), {"text": source, **attrs})
    raise Leave("end")


_AS_THEY_ARE = frozenset(
    {
        *(ArithmeticError, AssertionError, AttributeError, BufferError, EOFError, Exception),
        *(FloatingPointError, IndexError, KeyError, LookupError, MemoryError, NameError),
        *(NotImplementedError, OverflowError, RecursionError, ReferenceError, RuntimeError),
        *(StopIteration, TypeError, ValueError, ZeroDivisionError),
    }
)
"""Exceptions that are made of whatever is given, and are of the class that is named."""


def _exception_text(make: Body, under: Any, alone: bool) -> tuple[str, dict[str, Any]]:
    """The exception is made by an `ag.call` or named: in both cases nothing may run now.

    One with a cause isn't `alone`: the cause is looked at before it is raised.
    """
    made = make()
    if isinstance(made, type) and issubclass(made, BaseException):
        if alone and made in _AS_THEY_ARE:
            handled(made)
        return under.write(made) if made.__module__ != "builtins" else made.__name__, {
            "exception": made.__name__,
            "message": "",
        }
    if isinstance(made, MadeException):
        kind = getattr(builtins, made.name, None)
        if alone and not made.kwargs and kind in _AS_THEY_ARE:
            handled(kind)
        plain = all(type(a) is str for a in made.args) and not made.kwargs and len(made.args) == 1
        attrs = {"exception": made.name, "message": made.args[0]} if plain else {}
        return under.call(made.name, made.args, made.kwargs), attrs
    if isinstance(made, Symbol):
        return under.write(made), {}
    raise TraceError("this form of raise")


class MadeException:
    """A builtin exception about to be raised: its class's name and arguments."""

    def __init__(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.name, self.args, self.kwargs = name, args, kwargs
