"""Which attributes of NumPy's and math's modules a traced function reads: ``np.sin``, ``math.pi``.

A trace takes them for what they are, without a word to anyone. Another value is another program: entry
functions ask whether they still hold what they held.

Where the code says ``np.sin``, just that is asked for. A module may also come as an argument, as an attribute
(``self.xp``) or under a local name: the trace tells which modules it has met, and every attribute that the
code names somewhere is asked of them. One too many costs some nanoseconds.
"""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import CodeType, FunctionType, ModuleType
from typing import Any

from ..autograph.known_values import is_transparent
from ..autograph.traced import Path, Traced
from ..graph.trace.by_code import once_for_code
from .inner_code import inner_code
from .paths import names_in, read_name, underlying

_NAMES = frozenset({"LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF", "LOAD_CLASSDEREF"})
_ATTRIBUTES = frozenset({"LOAD_ATTR", "LOAD_METHOD"})
_SILENT = frozenset({"EXTENDED_ARG", "CACHE", "NOP", "PUSH_NULL"})


@dataclass
class _Reads:
    """What is known of modules: the attributes that are read by name, and the modules that go elsewhere."""

    attributes: dict[Path, None] = field(default_factory=dict)
    named: set[Path] = field(default_factory=set)
    elsewhere: dict[Path, ModuleType] = field(default_factory=dict)


def module_reads(traced: Traced, function: FunctionType) -> Iterator[Path]:
    """Paths of the attributes of known modules that the trace of `function` may have read."""
    functions: dict[Path, FunctionType] = {(): function}
    functions |= {item.path: underlying(item.function) for item in traced.helpers if item.path}
    reads = _Reads()
    for path, found in functions.items():
        _read_by_name(reads, path, found)
    for item in traced.statics:
        if isinstance(item.value, ModuleType) and is_transparent(item.value) and item.path not in reads.named:
            reads.elsewhere[item.path] = item.value
    if reads.elsewhere:
        codes = {underlying(item.function).__code__ for item in traced.helpers} | {function.__code__}
        names = sorted(set[str]().union(*map(names_in, codes)))
        for path, module in reads.elsewhere.items():
            reads.attributes |= dict.fromkeys(_named_in(path, module, names))
    yield from reads.attributes


def _read_by_name(reads: _Reads, owner: Path, function: FunctionType) -> None:
    """Add what the code says: ``np.sin``, and modules that it does something else with."""
    for root, *names in chains(function.__code__):
        try:
            value = read_name(function, root)
        except NameError:
            continue
        path: Path = (*owner, ("name", root))
        for name in names:
            if not isinstance(value, ModuleType) or not hasattr(value, name):
                break
            reads.named.add(path)
            attribute = (*path, ("attr", name))
            if is_transparent(value):
                reads.attributes[attribute] = None
            value, path = getattr(value, name), attribute
        else:
            if isinstance(value, ModuleType) and is_transparent(value):
                reads.elsewhere[path] = value


def _named_in(path: Path, module: ModuleType, names: Sequence[str]) -> Iterator[Path]:
    """The attributes of `module`, and of its modules, that are among `names`."""
    for name in names:
        if name not in vars(module):
            continue
        yield (*path, ("attr", name))
        inner = vars(module)[name]
        if isinstance(inner, ModuleType) and inner is not module and is_transparent(inner) and len(path) < 8:
            yield from _named_in((*path, ("attr", name)), inner, names)


@once_for_code
def chains(code: CodeType) -> tuple[tuple[str, ...], ...]:
    """Names with the attributes that are read from them, in the code and in the functions inside."""
    found: dict[tuple[str, ...], None] = {}
    chain: tuple[str, ...] = ()
    for step in dis.get_instructions(code):
        if step.opname in _ATTRIBUTES and chain:
            chain = (*chain, str(step.argval))
        elif step.opname not in _SILENT:
            found[chain] = None
            chain = (str(step.argval),) if step.opname in _NAMES else ()
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found.update(dict.fromkeys(chains(constant)))
    found.pop((), None)
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
    code = inner_code(compile(text, "<jitscope entry>", "exec"))
    constants = tuple(places.get(c, c) if isinstance(c, str) else c for c in code.co_consts)
    return FunctionType(code.replace(co_consts=constants), space, "held")
