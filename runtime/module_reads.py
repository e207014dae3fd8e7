"""Which attributes of NumPy's and math's modules a function names: ``np.sin``, ``math.pi``.

A trace takes them for what they are, without a word to anyone. Another value is another program: entry
functions ask whether they still hold what they held.
"""

from __future__ import annotations

import dis
import functools
from collections.abc import Callable, Iterator, Mapping
from types import CodeType, FunctionType, ModuleType
from typing import Any

from ..autograph.known_values import is_transparent
from ..autograph.traced import Path
from .paths import read_name

_NAMES = frozenset({"LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF", "LOAD_CLASSDEREF"})
_ATTRIBUTES = frozenset({"LOAD_ATTR", "LOAD_METHOD"})


def module_reads(function: FunctionType) -> Iterator[Path]:
    """Paths of the attributes of known modules, as `function` sees them."""
    for root, *names in _chains(function.__code__):
        try:
            value = read_name(function, root)
        except NameError:
            continue
        path: Path = (("name", root),)
        for name in names:
            if not isinstance(value, ModuleType) or not hasattr(value, name):
                break
            path = (*path, ("attr", name))
            if is_transparent(value):
                yield path
            value = getattr(value, name)


@functools.lru_cache(maxsize=512)
def _chains(code: CodeType) -> tuple[tuple[str, ...], ...]:
    """Names with the attributes that are read from them, in the code and in the functions inside."""
    found: dict[tuple[str, ...], None] = {}
    chain: tuple[str, ...] = ()
    for step in dis.get_instructions(code):
        if step.opname in _NAMES:
            chain = (str(step.argval),)
        elif step.opname in _ATTRIBUTES and chain:
            chain = (*chain, str(step.argval))
            found[chain] = None
        else:
            chain = ()
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found.update(dict.fromkeys(_chains(constant)))
    return tuple(found)


def still_held(space: dict[str, Any], names: Mapping[str, Any]) -> Callable[[], bool]:
    """A function that tells whether all `names` in `space` are what they are now.

    It has `space` for its globals: the interpreter then finds a name in 6 ns, where ``space[name]`` takes 20.
    """
    places = {f"_js {name}": value for name, value in names.items()}
    lines = [
        f"    _js = {place!r}\n    if {name} is not _js: return False"
        for name, place in zip(names, places, strict=True)
    ]
    text = "def held():\n" + "\n".join(lines) + "\n    return True\n"
    code = next(c for c in compile(text, "<jitscope entry>", "exec").co_consts if isinstance(c, CodeType))
    constants = tuple(places.get(c, c) if isinstance(c, str) else c for c in code.co_consts)
    return FunctionType(code.replace(co_consts=constants), space, "held")
