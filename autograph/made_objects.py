"""Objects of the user's classes that are made inside: the trace holds their attributes, as items of a dict.

Such an object never leaves: where Python's own code would get it, the trace starts again, with objects of the
run. So it does where one that branches or loops have merged is set an attribute or asked which it is: from
there on it is a value, as a tuple is.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable
from typing import NoReturn

from ..graph.ir.nodes import Operand
from ..graph.symbolic.symbols import Symbol, SymbolicScalar
from ..graph.trace.attempt import Restart
from ..graph.trace.build import TraceError, current
from .attributes import BoundMethod
from .tracer import OpenLoop, Reference, TracedDict, tracer

_PLAIN = ("__new__", "__getattribute__", "__setattr__", "__delattr__")
_NOT_PLAIN = ("__getattr__", "__del__", "__slots__", "__set_name__")
_ARITHMETIC = "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift".split()
_SWAPPED = {"eq": "eq", "ne": "ne", "lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}
_UNARY = "neg pos abs invert getitem".split()
_ABSENT = object()


class MadeObject:
    """An object of the class that `reference` is; `fields` are its attributes."""

    __slots__ = ("reference", "fields", "is_value", "loops", "set_in")

    def __init__(self, reference: Reference, site: object) -> None:
        self.reference, self.is_value = reference, False
        self.loops, self.set_in = tracer().running_loops(), set[OpenLoop]()
        self.fields = TracedDict()
        self.fields.site, self.fields.block = site, current().blocks[-1]

    @classmethod
    def of_values(cls, reference: Reference, fields: dict[str, object]) -> MadeObject:
        """One of several objects, by their attributes."""
        made = cls(reference, None)
        made.fields.update(fields)
        made.is_value = True
        return made

    def as_value(self) -> tuple[object, ...]:
        """Its attributes, which stay as they are from here on: in the next iteration of a loop, too."""
        around = set(tracer().running_loops()) - set(self.loops)
        if not self.set_in.isdisjoint(around):
            self.give_up()
        self.is_value = True
        return tuple(self.fields.values())

    @property
    def kind(self) -> type:
        """Its class."""
        found: type = self.reference.value
        return found

    def __getattr__(self, name: str) -> object:
        if name in self.fields:
            return self.fields[name]
        found = self.in_class(name)
        if isinstance(found, types.FunctionType):
            return self.method(name)
        if isinstance(found, property) and isinstance(found.fget, types.FunctionType):
            self._static_in_class(name, found)
            getter = Reference(tracer(), (*self.reference.path, ("attr", name), ("attr", "fget")), found.fget)
            return tracer().operators.call(BoundMethod(getter, self))
        if type(found) in (bool, int, float, complex, str):
            return tracer().operators.read_attribute(self.reference, name)
        if name.startswith("__"):
            raise AttributeError(name)
        return self.give_up()

    def give_up(self, *_: object) -> NoReturn:
        """It has to be an object of the run: the trace starts again with that known."""
        known = tracer().knowledge.materialised
        site = of_class(self.reference) if self.is_value else self.fields.site
        if site in known:
            raise TraceError(f"a {self.kind.__name__} that is made here and can't be followed")
        known.add(site)
        raise Restart

    def or_none(self, tag: Operand, name: str) -> MadeObject:
        """The object that a variable is where `tag` holds, and else None, as its attribute is read."""
        if not current().is_known(tag):
            tracer().operators.not_none(tag, name)
        return self

    def check_setting(self, name: str) -> None:
        """An attribute is set, unless the class has code for that."""
        self.set_in.update(tracer().running_loops())
        found = self.in_class(name)
        if self.is_value or hasattr(type(found), "__set__"):
            self.give_up()  # or a property's setter
        if found is not _ABSENT:
            self._static_in_class(name, found)

    def check_asked(self, other: object) -> None:
        """It is asked whether it is another object."""
        if isinstance(other, MadeObject) and other is not self and (self.is_value or other.is_value):
            self.give_up()

    def in_class(self, name: str) -> object:
        """What stands in its class under this name, as it is there; `_ABSENT` where only `object` has it."""
        owner = self._base_with(name)
        return _ABSENT if owner is None else vars(self.kind.__mro__[owner])[name]

    def _base_with(self, name: str) -> int | None:
        """Which of its class's bases has this name, `object` aside; None if none has."""
        return next((k for k, base in enumerate(self.kind.__mro__[:-1]) if name in vars(base)), None)

    def _static_in_class(self, name: str, found: object) -> None:
        """What its class has under a name has the type that it has now, as it is there."""
        base = (*self.reference.path, ("attr", "__mro__"), ("item", self._base_with(name)))
        tracer().static((*base, ("attr", "__dict__"), ("item", name)), found, "type")

    def method(self, name: str) -> BoundMethod | None:
        """Its method of this name; None if its class has none of the user's."""
        found, owner = self.in_class(name), self._base_with(name)
        if owner is None:
            return None
        if not isinstance(found, types.FunctionType):
            self.give_up()  # what Python calls there is behind a descriptor, or nothing that can be called
        self._static_in_class(name, found)
        return BoundMethod(Reference(tracer(), (*self.reference.path, ("attr", name)), found), self)

    def __bool__(self) -> bool:
        if any(self.in_class(name) is not _ABSENT for name in ("__bool__", "__len__")):
            self.give_up()
        return True

    @staticmethod
    def operate(name: str, left: object, right: object) -> object:
        """``left <name> right``, where that hangs on the methods of one class alone."""
        one, other = isinstance(left, MadeObject), isinstance(right, MadeObject)
        made = left if isinstance(left, MadeObject) else right
        assert isinstance(made, MadeObject)
        if one and other and left.kind is not right.kind:  # type: ignore[attr-defined]
            made.give_up()
        if not one and not _asks_the_other(left):
            made.give_up()
        found = made.answer(name, right) if one else NotImplemented
        if found is NotImplemented and (not one or (other and name in _SWAPPED)):
            assert isinstance(right, MadeObject)
            found = right.answer(_SWAPPED.get(name) or f"r{name}", left)
        if found is not NotImplemented:
            return found
        if name not in ("eq", "ne") or isinstance(left, Symbol) or isinstance(right, Symbol):
            made.give_up()
        made.check_asked(right if one else left)
        return (left is right) == (name == "eq")

    def answer(self, name: str, other: object) -> object:
        """What its method of this name says; NotImplemented if it has none."""
        if (method := self.method(f"__{name}__")) is not None:
            return tracer().operators.call(method, other)
        if name != "ne" or (found := self.answer("eq", other)) is NotImplemented:
            return NotImplemented
        return tracer().operators.not_(found)

    def in_place(self, name: str, other: object) -> object:
        """``self <name>= other``."""
        if self.method(f"__i{name}__") is None:
            return MadeObject.operate(name, self, other)
        found = self.answer(f"i{name}", other)
        return self.give_up() if found is NotImplemented else found

    __iter__ = __len__ = __contains__ = __setitem__ = __delitem__ = __str__ = __repr__ = __hash__ = give_up


def _asks_the_other(left: object) -> bool:
    """Whether the left operand says nothing of objects that it doesn't know, as Python's numbers do."""
    if isinstance(left, SymbolicScalar):
        return left.type.is_python
    return left is None or type(left) in (bool, int, float, complex)


def of_class(reference: Reference) -> tuple[object, ...]:
    """What stands for all objects of a class among what has to be an object of the run."""
    return "objects of", reference.path


def _forward(name: str) -> Callable[[MadeObject, object], object]:
    return lambda self, other: MadeObject.operate(name, self, other)


def _reflected(name: str) -> Callable[[MadeObject, object], object]:
    return lambda self, other: MadeObject.operate(name, other, self)


def _unary(name: str) -> Callable[..., object]:
    def operate(self: MadeObject, *others: object) -> object:
        if (method := self.method(f"__{name}__")) is None:
            return self.give_up()
        return tracer().operators.call(method, *others)

    return operate


for _name in _ARITHMETIC:
    setattr(MadeObject, f"__{_name}__", _forward(_name))
    setattr(MadeObject, f"__r{_name}__", _reflected(_name))
for _name in _SWAPPED:
    setattr(MadeObject, f"__{_name}__", _forward(_name))
for _name in _UNARY:
    setattr(MadeObject, f"__{_name}__", _unary(_name))


def is_plain_class(kind: object) -> bool:
    """Whether objects of a class are their attributes, and its `__init__` is the user's."""
    if type(kind) is not type or kind.__module__ == "builtins":
        return False
    if not isinstance(inspect.getattr_static(kind, "__init__"), types.FunctionType):
        return False
    if any(getattr(kind, name, None) is not getattr(object, name, None) for name in _PLAIN):
        return False
    own = [vars(base) for base in kind.__mro__ if base is not object]
    if any(attributes.get("__hash__") is not None for attributes in own):
        return False
    return not any(name in attributes for attributes in own for name in _NOT_PLAIN)
