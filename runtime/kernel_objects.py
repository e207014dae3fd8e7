"""Kernels as the linker's objects: what a later process needs to run their machine code without Numba.

Beside a generated module lies an object file for each kernel (``cluster_0.o``), and the manifest says of it

    kernel        its name in the module
    wrapper       the name of the function in it that CPython calls
    environment   the name of the place where that has its objects, of `environments`
    environments  for each such place the objects, which Numba's code finds by a number: names of dtypes
    needs         every name that it leaves open, and where the process that compiled it has found that

What isn't known to the last name is left to Numba: LLVM ends the process over a name that it doesn't find.
"""

from __future__ import annotations

import builtins
import struct
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numpy as np

from ..codegen.own_symbols import is_own
from .cache import object_file
from .driver_part import NotPortable, driver_part

PARTS = ("numba._helperlib", "numba._dynfunc", "numba.core.runtime._nrt_python")
"""Numba's modules in C, whose functions machine code calls."""

OWN, PROCESS, EXCEPTION = "jitscope", "process", "exception"

_HEADER = b"\x7fELF\x02\x01"  # 64 bits, little-endian
_SECTION, _SYMBOL, _SYMBOLS = struct.Struct("<IIQQQQIIQQ"), struct.Struct("<IBBHQQ"), 2


def described(text: str, dispatchers: Mapping[str, Any], clusters: int, folder: Path) -> list[dict[str, Any]]:
    """Write the kernels of a module to `folder`; what the manifest says of them.

    Raises:
        NotPortable: they have to be loaded by Numba.
        OSError: they can't be written.
    """
    if len(dispatchers) != clusters:
        raise NotPortable("it has a kernel that is not for the CPU")
    driver_part(text, dispatchers)
    made = [_described(name, dispatcher) for name, dispatcher in dispatchers.items()]
    for name, (_, code) in zip(dispatchers, made, strict=True):
        (folder / object_file(name)).write_bytes(code)
    return [about for about, _ in made]


def _described(name: str, dispatcher: Any) -> tuple[dict[str, Any], bytes]:
    overloads = list(dispatcher.overloads.values())
    if len(overloads) != 1:
        raise NotPortable(f"{name} is compiled for {len(overloads)} signatures")
    compiled = overloads[0]
    code = compiled.library._get_compiled_object()
    own = compiled.target_context.get_env_name(compiled.fndesc)
    environments = {own: compiled.environment} | {
        one.env_name: one for one in compiled._find_referenced_environments()
    }
    about = {
        "kernel": name,
        "wrapper": compiled.fndesc.llvm_cpython_wrapper_name,
        "environment": own,
        "environments": {
            key: [_constant(value) for value in one.consts] for key, one in environments.items()
        },
        "needs": {symbol: _source(symbol) for symbol in undefined(code)},
    }
    return about, code


def _constant(value: object) -> str:
    if isinstance(value, np.dtype) and value.isbuiltin == 1 and np.dtype(value.str) == value:
        return str(value.str)
    raise NotPortable(f"it refers to {type(value).__name__} objects")


def _source(symbol: str) -> list[str]:
    """Where this process has a symbol of machine code."""
    if is_own(symbol):
        return [OWN]
    address = llvm.address_of_symbol(symbol)
    if not address:
        raise NotPortable(f"nobody knows where {symbol} is")
    exception = getattr(builtins, symbol.removeprefix("PyExc_"), None)
    if exception is not None and address == id(exception):
        return [EXCEPTION, exception.__name__]
    for part in PARTS:
        for name, place in sys.modules[part].c_helpers.items():
            if place == address:
                return [part, name]
    return [PROCESS]


def undefined(code: bytes) -> Iterator[str]:
    """The names that an object file leaves open (System V ABI, chapter 4: symbol table).

    Raises:
        NotPortable: it is of another kind.
    """
    if not code.startswith(_HEADER):
        raise NotPortable("object files of this system are not read")
    start, size, count = (
        struct.unpack_from(kind, code, at)[0] for kind, at in (("<Q", 40), ("<H", 58), ("<H", 60))
    )
    sections = [_SECTION.unpack_from(code, start + k * size) for k in range(count)]
    for _, kind, _, _, offset, length, link, *_ in sections:
        if kind != _SYMBOLS:
            continue
        names = sections[link][4]
        for at in range(offset + _SYMBOL.size, offset + length, _SYMBOL.size):  # the first is none
            name, _, _, section, _, _ = _SYMBOL.unpack_from(code, at)
            if not section:
                yield code[names + name : code.index(b"\0", names + name)].decode()
