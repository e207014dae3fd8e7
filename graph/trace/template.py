"""Source text of a node's uncompiled form: how operands, constants and containers are written.

`Template` collects operands while it writes: symbols become ``{0}``, ``{1}``; constants are literals.
"""

from __future__ import annotations

import builtins
import math
import re
import sys
from collections.abc import Callable
from functools import cache
from types import BuiltinMethodType, MethodWrapperType, ModuleType
from typing import Any

import numpy as np

from ..ir.dims import Dim, text
from ..ir.nodes import Operand
from ..ir.shown import is_name
from .build import TraceError


class NoText(TraceError):
    """A constant that can't be written as source text."""


_BRACES = re.compile(r"\{\{|\}\}|\{\d+\}")


def shown(text: str) -> str:
    """A node's text as a person would write it: its operands as ``_``, braces as they are."""
    return _BRACES.sub(lambda found: found[0][0] if found[0] in ("{{", "}}") else "_", text)


class Phrase:
    """An expression that is written anew wherever it stands, with the values that it reads."""

    def __init__(self, write: Callable[[Template], str]) -> None:
        self.write = write


class Template:
    """Builds the text of one node and the operands that its slots stand for."""

    def __init__(self, wrap: Callable[[Any], Operand | None]) -> None:
        self.operands: list[Operand] = []
        self._wrap = wrap
        self._written: list[tuple[Any, int]] = []

    def slot(self, operand: Operand) -> str:
        """The slot of `operand`."""
        for number, known in enumerate(self.operands):
            if known is operand:
                return f"{{{number}}}"
        self.operands.append(operand)
        return f"{{{len(self.operands) - 1}}}"

    def write(self, value: Any) -> str:
        """`value` as source text with slots."""
        if type(value) is Phrase:
            return value.write(self)
        operand = self._wrap(value)
        if operand is not None:
            slot = self.slot(operand)
            self._written.append((value, int(slot[1:-1])))
            return slot
        if type(value) in (tuple, set, slice) or isinstance(value, (list, dict)):
            return self._container(value)
        return constant(value)

    def number_of(self, value: Any) -> int | None:
        """The slot in which `value` was written; None for what is written as it is."""
        return next((number for written, number in self._written if written is value), None)

    def _container(self, value: Any) -> str:
        if isinstance(value, slice):
            return f"slice({self.write(value.start)}, {self.write(value.stop)}, {self.write(value.step)})"
        if isinstance(value, dict):
            inner = ", ".join(f"{self.write(k)}: {self.write(v)}" for k, v in value.items())
            return f"{{{{{inner}}}}}"
        items = [self.write(item) for item in value]
        if isinstance(value, tuple):
            return f"({', '.join(items)}{',' if len(items) == 1 else ''})"
        if isinstance(value, set):
            return f"{{{{{', '.join(items)}}}}}" if items else "set()"
        return f"[{', '.join(items)}]"

    def call(self, function: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
        """``function(args, key=value)``."""
        parts = [self.write(arg) for arg in args]
        for key, value in kwargs.items():
            parts.append(f"{key}={self.write(value)}" if is_name(key) else f"**{self.write({key: value})}")
        return f"{function}({', '.join(parts)})"


def attribute_text(owner: str, name: str) -> str:
    """``owner.name``; a name that Python would not read as this attribute is looked up as a text."""
    return f"{owner}.{name}" if is_name(name) else f"getattr({owner}, {constant(name)})"


def constant(value: Any) -> str:
    """Source text of a constant, so that it reads back to the same value; braces are doubled."""
    if value is None or value is Ellipsis or isinstance(value, bool):
        return "..." if value is Ellipsis else repr(value)
    if isinstance(value, np.dtype):
        return f"np.dtype({value.str!r})"
    if isinstance(value, type) and issubclass(value, np.generic):
        return f"np.{value.__name__}"
    if isinstance(value, type) and value in (int, float, complex, bool, str, list, tuple, dict, set, object):
        return value.__name__
    if isinstance(value, np.generic):
        return _numpy_constant(value)
    if type(value) is Dim:
        return text(value)
    if type(value) in (int, float, complex, str, bytes):
        return _python_constant(value)
    if isinstance(value, range):
        return repr(value)
    name = getattr(value, "__name__", "")
    if callable(value) and getattr(builtins, name, None) is value:
        return str(name)
    if isinstance(value, np.ufunc) and getattr(np, name, None) is value:
        return f"np.{name}"
    if (public := public_name(value)) is not None:
        return public
    raise NoText(f"a {type(value).__name__} made while tracing has no source text")


def public_name(value: object) -> str | None:
    """The name by which NumPy offers an object: ``np.random.default_rng``; the object itself isn't asked."""
    found = _public_names(tuple(name for name in _MODULE_NAMES if name in sys.modules)).get(id(value))
    if found is None or getattr(sys.modules.get(found[0]), found[1], None) is not value:
        return None
    return f"{_MODULE_NAMES[found[0]]}.{found[1]}"


_POLYNOMIALS = ("polynomial", "chebyshev", "legendre", "laguerre", "hermite", "hermite_e")
_MODULES = (
    *("", "random", "linalg", "fft", "emath", "ma", "lib.stride_tricks", "testing", "char", "strings"),
    *("polynomial", *(f"polynomial.{name}" for name in _POLYNOMIALS)),
)
_MODULE_NAMES = {f"numpy.{name}".rstrip("."): f"np.{name}".rstrip(".") for name in _MODULES}
_MODULE_NAMES["numpy.lib.scimath"] = _MODULE_NAMES.pop("numpy.emath")


@cache
def _public_names(modules: tuple[str, ...]) -> dict[int, tuple[str, str]]:
    """Where NumPy's objects are found, by their identity; under the name that they say, if they are."""
    found: dict[int, tuple[str, str]] = {}
    for module in modules:
        for name, value in vars(sys.modules[module]).items():
            if not name.startswith("_") and not isinstance(value, ModuleType):
                known = found.setdefault(id(value), (module, name))
                if known[0] == module and getattr(value, "__name__", None) == name:
                    found[id(value)] = module, name
    return found


def numpy_name(function: object) -> str | None:
    """The text that gives just this function of NumPy's, or method of a ufunc; None if there is none.

    What a function says of its name is not enough: ``np.vectorize(f)`` and ``np.frompyfunc(f, 1, 1)`` have
    those of `f`.
    """
    if not isinstance(function, (BuiltinMethodType, MethodWrapperType)):
        return public_name(function)
    if not isinstance(ufunc := function.__self__, np.ufunc):
        return public_name(function)
    owner, method = public_name(ufunc), function.__name__
    if owner is None or getattr(ufunc, method, None) != function:
        return None
    return owner if method == "__call__" else f"{owner}.{method}"


def _python_constant(value: Any) -> str:
    if type(value) is float and not math.isfinite(value):
        return "float('nan')" if math.isnan(value) else f"float('{'-' if value < 0 else ''}inf')"
    if type(value) is complex:
        return f"complex({_python_constant(value.real)}, {_python_constant(value.imag)})"
    written = repr(value).replace("{", "{{").replace("}", "}}")
    return f"({written})" if written.startswith("-") else written


def _numpy_constant(value: np.generic) -> str:
    name = value.dtype.name if value.dtype.kind != "b" else "bool_"
    if value.dtype.kind not in "biufc":
        raise TraceError(f"a constant of type {name} has no source text")
    inner = value.item()
    return f"np.{name}({_python_constant(inner) if not isinstance(inner, bool) else inner})"


def index_text(under: Template, index: Any) -> str:
    """An index as it stands between brackets."""
    if isinstance(index, tuple) and index:
        inner = ", ".join(_index_item(under, item) for item in index)
        return inner + ("," if len(index) == 1 else "")
    return _index_item(under, index)


def _index_item(under: Template, item: Any) -> str:
    if isinstance(item, slice):
        start, stop = ("" if part is None else _bare(under, part) for part in (item.start, item.stop))
        step = "" if item.step is None else f":{_bare(under, item.step)}"
        return f"{start}:{stop}{step}"
    return _bare(under, item)


def _bare(under: Template, item: Any) -> str:
    """Negative constants need no parentheses between brackets."""
    return str(item) if type(item) is int else under.write(item)


def function_name(function: object) -> str:
    """Source text of a NumPy function.

    Raises:
        TraceError: it is none that NumPy's modules offer.
    """
    if (name := numpy_name(function)) is None:
        raise TraceError("a function that isn't found in NumPy's modules", "call it outside of this function")
    return name


def called_name(function: object) -> str:
    """What messages call a function, whoever's it is."""
    if (name := numpy_name(function)) is not None:
        return name
    module = getattr(function, "__module__", None)
    name = str(getattr(function, "__name__", function))
    return f"{module}.{name}" if isinstance(module, str) else name


def dtype_text(dtype: np.dtype) -> str:
    """Source text of a dtype."""
    return f"np.{dtype.name}" if dtype.name != "bool" else "np.bool_"
