"""Digests that tell whether code, values and the machine are what they were.

Independent of folders, hash seeds and of where in its file a function stands.
"""

from __future__ import annotations

import functools
import hashlib
import os
import platform
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from ..autograph.told import is_immutable, is_one_of, told
from ..autograph.transforms import ATTRIBUTE, transforms_of
from ..graph.ir.complex_loops import bits as complex_bits
from ..graph.trace.by_code import once_for_code
from ..graph.trace.template import numpy_name
from .config import asked_processor

FORMAT = 9
_PACKAGE = Path(__file__).resolve().parent.parent
_SIMPLE = (bool, int, float, complex, str, bytes)
_ROOMS = ("graph", "autograph", "codegen", "runtime")


def digest(text: str | bytes, size: int = 16) -> str:
    """A BLAKE2b digest in hexadecimal."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    return hashlib.blake2b(data, digest_size=size).hexdigest()


def function_digest(function: FunctionType) -> str:
    """Digest of a function's code and defaults; empty if a default can't be told apart from others."""
    shown = [
        describe(value)
        for value in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
    ]
    return "" if None in shown else digest(code_digest(function.__code__) + repr(shown))


@once_for_code
def code_digest(code: CodeType) -> str:
    """Digest of what a code object does: bytecode, constants, names; not of its place in a file."""
    return digest("\n".join(_code_parts(code)))


def _code_parts(code: CodeType) -> Iterator[str]:
    yield code.co_name
    yield code.co_code.hex()
    yield getattr(code, "co_exceptiontable", b"").hex()
    yield repr((code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags))
    yield repr((code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars))
    for constant in code.co_consts:
        yield _constant(constant)


def _constant(value: Any) -> str:
    if isinstance(value, CodeType):
        return "code " + code_digest(value)
    if isinstance(value, tuple):
        return "(" + ",".join(map(_constant, value)) + ")"
    if isinstance(value, frozenset):
        return "{" + ",".join(sorted(map(_constant, value))) + "}"
    return f"{type(value).__name__} {value!r}"


def describe(value: Any) -> str | None:
    """A text that is equal in any process for values that mean the same; None where there is none."""
    kind = type(value)
    if value is None or value is Ellipsis or is_one_of(kind, _SIMPLE):
        return f"{kind.__name__} {value!r}"
    if is_one_of(kind, (tuple, list, frozenset, set)):
        parts = [describe(item) for item in value]
        if None in parts:
            return None
        shown = [part for part in parts if part is not None]
        return f"{kind.__name__} {sorted(shown) if kind in (set, frozenset) else shown}"
    if kind is dict:
        pairs = [(describe(key), describe(item)) for key, item in value.items()]
        return None if any(None in pair for pair in pairs) else f"dict {pairs}"
    if kind is slice:
        return describe((value.start, value.stop, value.step))
    if isinstance(value, np.generic):
        return f"{kind.__name__} {value!r}"
    if isinstance(value, np.dtype):
        return f"dtype {value.str}" if value.names is None else None
    return _describe_object(value)


def _describe_object(value: Any) -> str | None:
    if isinstance(value, ModuleType):
        return f"module {value.__name__}"
    if isinstance(value, FunctionType):
        if hasattr(value, "__jitscope__") or hasattr(value, ATTRIBUTE):
            return _describe_transformed(value, value.python_function)  # type: ignore[attr-defined]
        return f"function {value.__module__}.{value.__qualname__} {function_digest(value)}"
    module, name = told(value, "__module__"), told(value, "__qualname__")
    if isinstance(value, type):
        return _describe_class(value)
    if callable(value) and name and told(value, "__self__") is None:
        return f"named {module}.{name}"
    if (public := numpy_name(value)) is not None:
        return f"numpy {public}"
    owner = told(value, "__self__")
    if callable(value) and isinstance(owner, ModuleType):
        return f"builtin {owner.__name__}.{name}"
    return None


def _describe_class(kind: type) -> str | None:
    """The name of a class, and what kind of class it is; None if others may have the name."""
    found: Any = sys.modules.get(kind.__module__)
    for name in kind.__qualname__.split("."):
        found = vars(found).get(name) if isinstance(found, (ModuleType, type)) else None
    of = "" if type(kind) is type else f" of {describe(type(kind))}"
    known = found is kind or is_immutable(kind)
    return f"named {kind.__module__}.{kind.__qualname__}{of}" if known else None


def _describe_transformed(value: FunctionType, plain: Any) -> str | None:
    shown = _describe_object(plain)
    transforms = transforms_of(value)
    return f"{' '.join(map(str, transforms))} of {shown}" if shown and transforms else shown


@functools.lru_cache(maxsize=1)
def environment() -> dict[str, str]:
    """What generated code depends on besides the user's program: versions, our own source, the processor."""
    return {
        "format": str(FORMAT),
        "python": sys.version,
        "numpy": np.__version__,
        "numba": _version_file("numba"),
        "llvmlite": _version_file("llvmlite"),
        "jitscope": _own_source(),
        "machine": f"{platform.machine()} {sys.byteorder} {sys.maxsize}",
        "processor": _processor(),
        "complex": complex_bits(),
    }


def _version_file(package: str) -> str:
    """The version of a package that is not to be imported yet: what its version file says."""
    spec = find_spec(package)
    if spec is None or not spec.origin:
        return ""
    try:
        return digest(Path(spec.origin).with_name("_version.py").read_bytes())
    except OSError:
        from importlib.metadata import version

        return version(package)


def _own_source() -> str:
    """Sizes and times of our own files: an edit of jitscope must never meet its old output."""
    found = []
    for room in _ROOMS:
        for folder, _, names in os.walk(_PACKAGE / room):
            for name in names:
                if name.endswith(".py"):
                    status = os.stat(os.path.join(folder, name))
                    found.append(f"{room} {name} {status.st_size} {status.st_mtime_ns}")
    return digest("\n".join(sorted(found)))


def _processor() -> str:
    """The processor's model and features; compiled code must not move to another one."""
    asked = asked_processor()
    try:
        with open("/proc/cpuinfo", "rb") as file:
            first = file.read(8192).split(b"\n\n")[0].split(b"\n")
    except OSError:
        return digest(f"{asked} {platform.processor()} {platform.node()}")
    kept = sorted(line for line in first if line.startswith((b"model name", b"flags", b"Features", b"CPU ")))
    return digest(asked.encode() + b"\n".join(kept))
