"""Symbols: what a function's variables hold while it is traced.

`SymbolicScalar` and `SymbolicObject` are here, `SymbolicArray` in `arrays.py`. Operators on them make
nodes. A scalar whose value is an affine form of sizes and loop indices keeps that form (`dim`) and becomes
a node only where it is used as a number.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from ..ir import dims
from ..ir.dims import Size
from ..ir.literals import literal
from ..ir.nodes import Literal, Operand, Value
from ..ir.types import INT, OBJECT, Array, Scalar, Type
from ..trace.build import TraceError, current, rules, tracing
from ..trace.template import Template, attribute_text, constant, function_name, index_text

BINARY = {
    "add": ("+", operator.add),
    "sub": ("-", operator.sub),
    "mul": ("*", operator.mul),
    "truediv": ("/", operator.truediv),
    "floordiv": ("//", operator.floordiv),
    "mod": ("%", operator.mod),
    "pow": ("**", operator.pow),
    "lshift": ("<<", operator.lshift),
    "rshift": (">>", operator.rshift),
    "and": ("&", operator.and_),
    "or": ("|", operator.or_),
    "xor": ("^", operator.xor),
    "matmul": ("@", operator.matmul),
    "lt": ("<", operator.lt),
    "le": ("<=", operator.le),
    "eq": ("==", operator.eq),
    "ne": ("!=", operator.ne),
    "gt": (">", operator.gt),
    "ge": (">=", operator.ge),
}
UNARY = {"neg": "-{0}", "pos": "+{0}", "invert": "~{0}", "abs": "abs({0})"}


class Symbol:
    """A value of the graph, standing in for the value that the function will have at run time."""

    __slots__ = ()
    __array_priority__ = 1000.0

    @property
    def type(self) -> Type:
        raise NotImplementedError

    def operand(self) -> Operand:
        """The graph's value for this symbol."""
        raise NotImplementedError

    def _refuse(self, what: str) -> NoReturn:
        raise TraceError(f"{what} of a value that is known only at run time")

    def __bool__(self) -> bool:
        self._refuse("the truth")

    def __iter__(self) -> Any:
        self._refuse("iterating, outside of a for statement,")

    def __index__(self) -> int:
        self._refuse("an index made")

    def __int__(self) -> int:
        self._refuse("int()")

    def __float__(self) -> float:
        self._refuse("float()")

    def __complex__(self) -> complex:
        self._refuse("complex()")

    def __len__(self) -> int:
        self._refuse("len()")

    def __format__(self, spec: str) -> str:
        self._refuse("formatting")

    def __str__(self) -> str:
        if tracing():  # Python's own formatting would put this text into the answer
            self._refuse("the text")
        return f"<{type(self).__name__}>"

    __repr__ = __str__
    __hash__ = object.__hash__


def _install(cls: type) -> None:
    """Python's operators on symbols: one generic rule each (see operators.py)."""

    def forward(name: str) -> Callable[[Any, Any], Any]:
        def method(self: Any, other: Any) -> Any:
            return rules().binary(name, self, other)

        return method

    def backward(name: str) -> Callable[[Any, Any], Any]:
        def method(self: Any, other: Any) -> Any:
            return rules().binary(name, other, self)

        return method

    def single(name: str) -> Callable[[Any], Any]:
        def method(self: Any) -> Any:
            return rules().unary(name, self)

        return method

    for name in BINARY:
        setattr(cls, f"__{name}__", forward(name))
        if name not in ("lt", "le", "eq", "ne", "gt", "ge"):
            setattr(cls, f"__r{name}__", backward(name))
    for name in UNARY:
        setattr(cls, f"__{name}__", single(name))


_install(Symbol)


class SymbolicScalar(Symbol):
    """A number. `dim` is its affine form when it is an index-like Python int."""

    __slots__ = ("_value", "_type", "dim")

    def __init__(self, value: Operand | None, type_: Scalar, dim: Size | None = None) -> None:
        self._value = value
        self._type = type_
        self.dim = dim

    @property
    def type(self) -> Scalar:
        return self._type

    def operand(self) -> Operand:
        if self._value is not None:
            return self._value
        assert self.dim is not None
        size = current().settle(self.dim)
        if isinstance(size, int):
            return literal(size)
        return current().one("size", (), INT, size=size, text=dims.text(size))

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return rules().ufunc(ufunc, method, inputs, kwargs)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return rules().function(func, args, kwargs)

    def __getitem__(self, index: Any) -> Any:
        return rules().get_item(self, index)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return rules().number_attribute(self, name)

    __hash__ = Symbol.__hash__


class SymbolicObject(Symbol):
    """Any Python object: what is done with it runs in the driver, as Python, at each call.

    One that `is_assembled` has no value of its own: its operand is a node that puts it together, and stands
    in the open block.
    """

    __slots__ = ("_value",)
    is_assembled = False

    def __init__(self, value: Value) -> None:
        self._value = value

    @property
    def type(self) -> Type:
        return OBJECT

    def operand(self) -> Operand:
        return self._value

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return python_call(function_name(getattr(ufunc, method)), inputs, kwargs)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return python_call(function_name(func), args, kwargs)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return python_expression(lambda t: attribute_text(t.write(self), name))

    def __getitem__(self, index: Any) -> Any:
        return python_expression(lambda t: f"{t.write(self)}[{index_text(t, index)}]")

    def __setitem__(self, index: Any, value: Any) -> None:
        python_statement(lambda t: f"{t.write(self)}[{index_text(t, index)}] = {t.write(value)}")

    __hash__ = Symbol.__hash__


class SymbolicUnion(Symbol):
    """A variable that is of one kind on some paths and of another on others.

    `tag` (a bool of the graph) tells: False, it still is `first` (a scalar kind, a constant such as None, or
    `UNBOUND`); True, it is `payload`. Where the kind makes no difference the payload is used; where it does,
    the value goes to the driver as a Python object.
    """

    __slots__ = ("tag", "first", "payload")

    def __init__(self, tag: Operand, first: Any, payload: Symbol) -> None:
        self.tag = tag
        self.first = first
        self.payload = payload

    @property
    def type(self) -> Type:
        return OBJECT

    def operand(self) -> Operand:
        return self.as_object().operand()

    def as_object(self) -> SymbolicObject:
        """The value as Python carries it."""
        check_bound(self)
        if isinstance(self.payload, SymbolicObject) and current().is_known(self.tag):
            return self.payload
        kind = self.first.kind if isinstance(self.first, Scalar) else None
        if self.first is UNBOUND:
            return SymbolicObject(
                current().one(
                    "pick",
                    (self.tag, self.payload.operand()),
                    OBJECT,
                    text="{1}",
                    first=None,
                    second="object",
                )
            )
        if isinstance(self.first, Scalar):
            assert isinstance(self.payload.type, Scalar)
            real = ".real" if self.payload.type.dtype.kind == "c" != self.first.dtype.kind else ""
            source = f"{{1}} if {{0}} else {'' if self.first.is_python else 'np.'}{kind}({{1}}{real})"
        else:
            source = f"{{1}} if {{0}} else {constant(self.first)}"
        return SymbolicObject(
            current().one(
                "pick",
                (self.tag, self.payload.operand()),
                OBJECT,
                text=source,
                first=kind,
                second=str(self.payload.type),
            )
        )

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return getattr(self.owner_of(name), name)

    def owner_of(self, name: str) -> object:
        """What has the attribute of this name, where the run comes by."""
        second = second_of(self)
        if self.first is UNBOUND and type(second) is not tuple:
            check_bound(self)
            return second
        if isinstance(self.payload, SymbolicTuple) and type(second) is not tuple and self.first is None:
            return second.or_none(self.tag, name)
        return self.as_object()

    def __getitem__(self, index: Any) -> Any:
        if self.first is UNBOUND:
            check_bound(self)
        held = unwrap_union(self)
        return self.as_object()[index] if held is self else held[index]

    __hash__ = Symbol.__hash__


class _Unbound:
    """The marker of a variable that some path leaves unbound."""

    def __repr__(self) -> str:
        return "UNBOUND"


UNBOUND = _Unbound()


class SymbolicTuple(Symbol):
    """A tuple, or an object that is made inside, as the payload of a variable of two kinds."""

    __slots__ = ("items", "name")

    def __init__(self, items: Any, name: str) -> None:
        self.items = items
        self.name = name

    @property
    def type(self) -> Type:
        return OBJECT

    def operand(self) -> Operand:
        under = template()
        source = under.write(self.items)
        return current().one("python", under.operands, OBJECT, text=source, harmless=True)


def unwrap_union(value: Any) -> Any:
    """A variable of two kinds as its payload where only that is possible."""
    return second_of(value) if isinstance(value, SymbolicUnion) and current().is_known(value.tag) else value


def second_of(value: SymbolicUnion) -> Any:
    """A variable of two kinds as what it is if it is of the second one."""
    return value.payload.items if isinstance(value.payload, SymbolicTuple) else value.payload


def check_bound(value: SymbolicUnion, name: str | None = None) -> None:
    """Raise UnboundLocalError at run time where `value` is unbound."""
    if value.first is UNBOUND and not current().is_known(value.tag):
        held = value.payload if isinstance(value.payload, SymbolicTuple) else value.payload.operand()
        label = name or getattr(held, "name", "it").split(".")[0]
        current().emit(
            "check_bound", (value.tag,), (), {"name": label, "text": f"check_bound({{0}}, {label!r})"}
        )
        current().learn(value.tag)


def payload(value: Any) -> Any:
    """The number in a variable of two kinds, where only the number matters."""
    value = unwrap_union(value)
    if isinstance(value, SymbolicUnion):
        if value.first is None or not isinstance(value.payload.type, (Scalar, Array)):
            return value.as_object()
        check_bound(value)
        return value.payload
    return value


def array_or_object(value: SymbolicUnion) -> Symbol:
    """A variable of two kinds as the array that it is, if bound; as an object where it may be another."""
    found = payload(value) if isinstance(value.payload.type, Array) else value.as_object()
    assert isinstance(found, Symbol)
    return found


def size_symbol(size: Size) -> Any:
    """A size as the function sees it: a plain int where it is known, else a Python int symbol."""
    size = current().settle(size)
    return size if isinstance(size, int) else SymbolicScalar(None, INT, size)


def as_dim(value: Any) -> Size | None:
    """The affine form of an int, or None when there is none."""
    if isinstance(value, (bool, np.bool_)):
        return None
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, SymbolicScalar) and value.dim is not None:
        return current().settle(value.dim)
    return None


def operand_of(value: Any) -> Operand | None:
    """The operand for a symbol; None for anything else."""
    return value.operand() if isinstance(value, Symbol) else None


WRAPPERS: list[Callable[[Any], Operand | None]] = [operand_of]
"""How values become operands in texts; the tracer adds references to the user's objects."""


def wrap_operand(value: Any) -> Operand | None:
    """The operand that stands for `value` in a text, if it needs one."""
    for wrapper in WRAPPERS:
        operand = wrapper(value)
        if operand is not None:
            return None if isinstance(operand, Literal) and operand.type == OBJECT else operand
    return None


def template() -> Template:
    """A new text under construction."""
    return Template(wrap_operand)


def python_expression(write: Callable[[Template], str]) -> SymbolicObject:
    """An opaque expression of the driver."""
    under = template()
    source = write(under)
    return SymbolicObject(current().one("python", under.operands, OBJECT, text=source))


def python_statement(write: Callable[[Template], str]) -> None:
    """An opaque statement of the driver."""
    under = template()
    source = write(under)
    current().emit("python", under.operands, (), {"text": source})


def python_call(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> SymbolicObject:
    """An opaque call: `function` is source text or a symbol."""

    def write(under: Template) -> str:
        callee = function if isinstance(function, str) else under.write(function)
        return under.call(callee, args, kwargs)

    return python_expression(write)
