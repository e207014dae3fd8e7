"""The entry function of a plan: generated Python that checks what is fed, calls the driver, keeps variables.

For ``session.run([y, step], {x: ...})`` with a variable w it reads::

    def call(v0):
        if type(v0) is not ndarray or v0.dtype is not dtype0 or v0.ndim != 2 or v0.flags.num & 1283 != 1281:
            return miss(v0)
        n0, n1 = v0.shape
        if not (n1 == 784):
            return miss(v0)
        with lock:
            w0 = slot0.value
            if w0 is None:
                raise unset(slot0)
            r0, u0 = driver(v0, w0)
            slot0.value = u0
        return r0
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..graph.explicit.replay import FedValue, Replayed, Subject
from ..graph.explicit.symbol import GraphSymbol
from ..graph.explicit.variable import Variable
from ..graph.ir.nodes import Value
from ..graph.ir.types import Array
from .recipe import conditions_of
from .signature import flags_of


class VariableCell:
    """Where a session keeps the value of a variable; None until it has one."""

    __slots__ = ("value", "variable")

    def __init__(self, variable: Variable) -> None:
        self.variable = variable
        self.value: Any = None


@dataclass(frozen=True)
class Handling:
    """What happens to a result: `copies` memory that may be somebody else's, `checks` its type."""

    copies: bool = False
    checks: bool = False


@dataclass
class PlanEntry:
    """Writes the functions of one plan.

    `call` checks and runs, `fits` only checks, `body` only runs.
    """

    replayed: Replayed
    symbols: Sequence[GraphSymbol]
    given: Mapping[GraphSymbol, FedValue]
    fetched: Sequence[Handling]
    updated: Sequence[Handling]
    slots: Mapping[Variable, VariableCell]
    guarded: bool = False
    space: dict[str, Any] = field(default_factory=dict)

    def functions(self, **outside: Any) -> dict[str, Callable[..., Any]]:
        """The functions, for `driver`, `miss`, `again`, `unset`, `keep`, `copied` and `lock`."""
        self.space = {"ndarray": np.ndarray, **outside}
        names = ", ".join(f"v{k}" for k in range(len(self.symbols)))
        lines = [f"def call({names}):", *self._numbers()]
        lines += self._checks(f"return miss({names})", "is not") + self._body(names)
        lines += [f"def fits({names}):", *self._checks("return False", "!="), "    return True"]
        lines += [f"def body({names}):", *self._body(names)]
        exec(compile("\n".join(lines) + "\n", "<jitscope session>", "exec"), self.space)
        return {name: self.space[name] for name in ("call", "fits", "body")}

    # Checks.

    def _checks(self, otherwise: str, differs: str) -> list[str]:
        """Lines that leave with `otherwise` where the plan isn't for what is fed."""
        lines: list[str] = []
        for k, symbol in enumerate(self.symbols):
            tests = self._type_tests(k, self.given[symbol], differs)
            lines += [f"    if {' or '.join(tests)}:", f"        {otherwise}"]
        return lines + self._size_checks(otherwise)

    def _numbers(self) -> list[str]:
        """Lines that turn Python's numbers into NumPy's, where nothing can be cut off."""
        lines: list[str] = []
        for k, symbol in enumerate(self.symbols):
            given = self.given[symbol]
            if not given.shape and given.dtype.kind in "fi":
                kinds = "float or type(v{0}) is int" if given.dtype.kind == "f" else "int"
                test = f"type(v{{0}}) is {kinds}".format(k)
                lines += [f"    if {test}:", f"        v{k} = type{k}(v{k})"]
        return lines

    def _type_tests(self, k: int, given: FedValue, differs: str) -> list[str]:
        if not given.shape:
            self.space[f"type{k}"] = given.dtype.type
            return [f"type(v{k}) is not type{k}"]
        self.space[f"dtype{k}"] = given.dtype
        mask, wanted = flags_of(given.layout, given.writeable)
        return [
            f"type(v{k}) is not ndarray",
            f"v{k}.dtype {differs} dtype{k}",
            f"v{k}.ndim != {len(given.shape)}",
            f"v{k}.flags.num & {mask} != {wanted}",
        ]

    def _size_checks(self, otherwise: str) -> list[str]:
        """The sizes that are declared, and those that the plan took to be equal."""
        graph, subjects = self.replayed.graph, self.replayed.subjects
        index = {param.name: k for k, param in enumerate(graph.params)}
        conditions, sizes, _ = conditions_of(graph, index)
        conditions = tuple(c.replace("_js_max(", "max(").replace("_js_min(", "min(") for c in conditions)
        names: dict[tuple[int, int], str] = {}
        tests: list[str] = []
        place = {id(symbol): k for k, symbol in enumerate(self.symbols)}
        for name, slot, axis in sizes:
            names[place[id(subjects[slot])], axis] = name
        for k, symbol in enumerate(self.symbols):
            declared = symbol.declared if self.given[symbol].shape else None
            for axis, size in enumerate(declared or ()):
                if size is not None:
                    tests.append(f"{names.setdefault((k, axis), f'd{k}_{axis}')} == {size}")
        lines = []
        for k in sorted({k for k, _ in names}):
            ndim = len(self.given[self.symbols[k]].shape)
            lines.append(f"    {', '.join(names.get((k, a), '_') for a in range(ndim))}, = v{k}.shape")
        tests += conditions
        return [*lines, f"    if not ({' and '.join(tests)}):", f"        {otherwise}"] if tests else lines

    # Running.

    def _body(self, names: str) -> list[str]:
        lines, arguments = self._arguments()
        call = f"driver({', '.join(arguments)})"
        results = [f"r{k}" for k in range(len(self.fetched))] + [f"u{k}" for k in range(len(self.updated))]
        target = ", ".join(results)
        store, returned = self._store(), self._return()
        work = [f"{target} = {call}" if results else call]
        if not store and len(results) == 1 and returned == "return r0":
            work, returned = [f"return {call}"], ""
        if self.guarded:
            work = [
                "try:",
                *("    " + line for line in work),
                "except Exception as error:",
                "    fault = error",
                "else:",
                *("    " + line for line in [*store, returned or "return None"]),
                f"return again(fault{', ' if names else ''}{names})",
            ]
        else:
            work += store + [returned]
        lines += [line for line in work if line]
        indent = "    "
        if self.updated:
            return ["    with lock:", *(indent * 2 + line for line in lines)]
        return [indent + line for line in lines]

    def _arguments(self) -> tuple[list[str], list[str]]:
        """Lines that fetch the driver's arguments, and the arguments."""
        lines: list[str] = []
        arguments: list[str] = []
        place = {id(symbol): k for k, symbol in enumerate(self.symbols)}
        for number, subject in enumerate(self.replayed.subjects):
            if isinstance(subject, Variable):
                name = f"w{number}"
                self.space[f"slot{number}"] = self.slots[subject]
                lines += [f"{name} = slot{number}.value", f"if {name} is None:"]
                lines += [f"    raise unset(slot{number})"]
            elif id(subject) in place:
                name = f"v{place[id(subject)]}"
            else:
                name = f"c{number}"
                self.space[name] = _constant(subject)
            arguments.append(name)
        return lines, arguments

    def _store(self) -> list[str]:
        """Lines that keep the new values of variables: all are checked before the first one is kept."""
        lines, stores = [], []
        for k, (variable, handling) in enumerate(zip(self.replayed.updates, self.updated, strict=True)):
            self.space[f"kept{k}"] = self.slots[variable]
            if handling.copies or handling.checks:
                lines.append(f"u{k} = keep(u{k}, kept{k}, {handling.copies})")
            stores.append(f"kept{k}.value = u{k}")
        return lines + stores

    def _return(self) -> str:
        shown = [f"copied(r{k})" if handling.copies else f"r{k}" for k, handling in enumerate(self.fetched)]
        return f"return {', '.join(shown)}" if shown else ""


def _constant(symbol: Subject) -> Any:
    assert isinstance(symbol, GraphSymbol)
    assert symbol.step.source is not None
    return symbol.step.source.value


def handlings(replayed: Replayed, fetches: int) -> tuple[list[Handling], list[Handling]]:
    """What happens to the fetched values and to the new values of variables.

    Nobody outside may hold memory of a variable or a constant, and a variable none that somebody else holds;
    what is computed anew is handed over as it is.
    """
    from ..graph.analysis.effects import Aliases

    graph = replayed.graph
    aliases = Aliases(graph)
    operands = graph.body.ending.operands
    kept = [
        param
        for param, subject in zip(graph.params, replayed.subjects, strict=True)
        if isinstance(param.type, Array) and _is_ours(subject)
    ]
    fed = [param for param in graph.params if isinstance(param.type, Array)]

    def overlaps(value: Any, others: Sequence[Value]) -> bool:
        if not isinstance(value, Value) or not isinstance(value.type, Array):
            return isinstance(value, Value) and not hasattr(value.type, "kind")
        return any(aliases.may_overlap(value, other) for other in others)

    stored = [v for v in operands[fetches:] if isinstance(v, Value) and isinstance(v.type, Array)]
    fetched = [Handling(copies=overlaps(value, [*kept, *stored])) for value in operands[:fetches]]
    updated = []
    for k, (value, variable) in enumerate(zip(operands[fetches:], replayed.updates, strict=True)):
        earlier = [v for v in operands[fetches : fetches + k] if v in stored]
        copies = overlaps(value, [*fed, *(v for v in earlier if isinstance(v, Value))])
        updated.append(Handling(copies, checks=not _certainly(value, variable)))
    return fetched, updated


def _is_ours(subject: Subject) -> bool:
    """Whether the session or the graph keeps the value."""
    if isinstance(subject, Variable):
        return True
    return subject.step.source is not None and subject.step.source.value is not None


def _certainly(value: Any, variable: Variable) -> bool:
    """Whether a new value has the dtype, the shape and the layout of the variable for certain."""
    type_ = value.type
    if isinstance(type_, Array):
        return type_.dtype == variable.dtype and type_.shape == variable.sizes and type_.layout == "C"
    return not variable.sizes and getattr(type_, "dtype", None) == variable.dtype and not type_.is_python
