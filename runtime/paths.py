"""Following a path of `autograph/traced.py` through live objects, as Python itself looks names up."""

from __future__ import annotations

import builtins
import inspect
from collections.abc import Mapping
from types import CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from ..autograph.cell_data import taken_part
from ..autograph.known_values import global_generator, module_of, python_generator
from ..autograph.list_data import taken
from ..autograph.traced import Path
from ..autograph.transforms import ATTRIBUTE
from .class_reads import in_class
from .stack import ROOMS
from .standing import standing_at


def follow(path: Path, function: FunctionType, arguments: Mapping[str, Any]) -> Any:
    """The object at the end of `path`; `LookupError`, `AttributeError` or `NameError` if there is none."""
    value: Any = function
    for step in path:
        value = _step(value, step, arguments)
    return value


def place_in_class(
    path: Path, function: FunctionType, arguments: Mapping[str, Any]
) -> tuple[type[object], str]:
    """The class and the name that the path of a lookup ends with."""
    owner = follow(path[:-1], function, arguments)
    how, name = path[-1]
    return owner if how == "class" else type(owner), name


def _step(value: Any, step: tuple[str, Any], arguments: Mapping[str, Any]) -> Any:
    kind, name = step
    if kind == "arg":
        return arguments[name]
    if kind == "attr":
        return _attribute(value, name)
    if kind == "method":
        return _method(value, name)
    if kind in ("lookup", "class"):
        return in_class(value if kind == "class" else type(value), name)
    if kind == "item":
        return value[name]
    if kind == "function":
        return value
    if kind == "list":
        return taken(value, name)
    if kind == "cell":
        return taken_part(value, *name.split(":"))
    if kind == "line":
        return standing_at(underlying(value), name)
    if kind == "generator":
        return python_generator() if name == "random" else global_generator()
    if kind == "module":
        return module_of(name)
    if kind == "room":
        return ROOMS[name]()
    if kind == "default":
        return inspect.signature(underlying(value), follow_wrapped=False).parameters[name].default
    return read_name(underlying(value), name)


def _method(value: object, name: str) -> object:
    """The function behind ``value.name``, if it is a method of its own: not one of another object's."""
    found = _attribute(value, name)
    if not isinstance(found, MethodType) or found.__self__ is not value:
        raise AttributeError(f"{name!r} is no method of its own")
    return found.__func__


def _attribute(value: object, name: str) -> object:
    """``value.name`` if it stands there: an object that another path was traced with may answer itself."""
    if not issubclass(type(value), ModuleType):
        inspect.getattr_static(value, name)
    return getattr(value, name)


def underlying(value: Any) -> FunctionType:
    """The Python function that a call of `value` runs: without a method's binding and our decorator."""
    while True:
        if type(value) is MethodType:
            value = value.__func__
        elif type(value) is FunctionType:  # nobody else's objects are asked for attributes
            if not hasattr(value, "__jitscope__") and not hasattr(value, ATTRIBUTE):
                return value
            value = value.python_function  # type: ignore[attr-defined]
        else:
            raise LookupError(f"a {type(value).__name__} is no Python function")


def read_name(function: FunctionType, name: str) -> Any:
    """What `name` means inside `function`: a closure cell, a global or a builtin."""
    if (cell := cell_of(function, name)) is not None:
        try:
            return cell.cell_contents
        except ValueError:
            raise NameError(name) from None
    if name in function.__globals__:
        return function.__globals__[name]
    try:
        return getattr(builtins, name)
    except AttributeError:
        raise NameError(name) from None


def cell_of(function: FunctionType, name: str) -> CellType | None:
    """The closure cell of `name` in `function`, if it has one."""
    names = function.__code__.co_freevars
    return function.__closure__[names.index(name)] if function.__closure__ and name in names else None


def names_in(code: CodeType) -> set[str]:
    """Every global or attribute name in a code object and the functions inside."""
    inner = (names_in(constant) for constant in code.co_consts if isinstance(constant, CodeType))
    return set(code.co_names).union(*inner)


def path_text(path: Path) -> str:
    """A path as a person would write it: ``self.scale``, ``tools.scale:K``."""
    out = ""
    for kind, name in path:
        if kind in ("attr", "method"):
            out += f".{name}"
        elif kind == "item":
            out += f"[{name!r}]"
        elif kind in ("arg", "name", "module"):
            out += f":{name}" if out else str(name)
    return out
