"""`explain`: what is compiled, what runs as plain Python, and why; in the user's lines."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ..graph.ir.nodes import NOWHERE
from ..graph.ir.shown import printable, printable_lines
from ..graph.trace.devices import short_name
from .compile import StaysPlain
from .errors import message
from .faults import is_gradient_error
from .specialisation import Left, Line, Specialisation

if TYPE_CHECKING:
    from .function import Function


def explain(function: Function, *args: Any, **kwargs: Any) -> str:
    """The report for arguments like these; without arguments, for every specialisation so far."""
    if args or kwargs:
        return _for_values(function, function.values_of(*args, **kwargs))
    if not function.specialisations and not function.binder.names:
        return _for_values(function, ())
    name = function.called
    if function.always_plain:
        return _report(function, Specialisation("...", plain_reason=function.always_plain))
    if not function.specialisations:
        return f"{printable(name)}: not called yet\n"
    return "\n".join(_report(function, item) for item in function.specialisations)


def _for_values(function: Function, values: tuple[Any, ...]) -> str:
    try:
        return _report(function, function.specialise(values))
    except StaysPlain as verdict:
        reason, where = verdict.reason, verdict.where
    except Exception as error:
        if not is_gradient_error(error):
            raise
        reason, where = str(error), NOWHERE
    signature = function.request(values).signature
    return _report(function, Specialisation(signature, plain_reason=reason, where=where))


def _report(function: Function, item: Specialisation) -> str:
    plain = function.python_function
    code = plain.__code__
    place = code.co_filename.replace("\\", "/").rsplit("/", 1)[-1]
    lines = [printable(f"{function.called}({item.signature})  {place}:{code.co_firstlineno}")]
    if item.plain_reason:
        said = message(f"{function.verdict}: {item.plain_reason}", item.where)
        return "\n".join(lines + ["  " + line for line in said.split("\n")]) + "\n"
    lines += _clusters(item)
    lines += _left("runs as Python and NumPy", item.report.left)
    lines += _left("notes", item.report.notes)
    origin = "from the disk cache" if item.from_disk else "made in this process"
    lines.append(f"  module: {item.module_path} ({origin})")
    return printable_lines("\n".join(lines)) + "\n"


def _clusters(item: Specialisation) -> list[str]:
    if not item.clusters:
        return ["  nothing is compiled"]
    out = []
    for cluster, lines in zip(item.report.members, item.report.lines, strict=False):
        scopes = {node.scope for node in cluster.nodes}
        out.append(f"  {cluster.name}: {where_compiled(cluster.device, scopes)}")
        for file, group in groupby(lines, key=lambda line: line.file):
            own = list(group)
            out.append(f"    {file}, {_ranges([line.number for line in own])}")
            out += [f"      {line.number:4} | {line.text}" for line in own]
    return out


def where_compiled(device: str, scopes: Iterable[str | None]) -> str:
    """For which device a cluster is compiled, and in which scopes its operations stand."""
    named = sorted(scope for scope in set(scopes) if scope)
    return f"compiled{f' for {short_name(device)}' if device else ''}" + (
        f", in {', '.join(named)}" if named else ""
    )


def _left(title: str, items: Iterable[Left]) -> list[str]:
    """Each line once, with all its reasons."""
    reasons: dict[Line, list[str]] = {}
    for item in items:
        reasons.setdefault(item.line, []).append(item.reason)
    out = [f"  {title}:"] if reasons else []
    for line, found in sorted(reasons.items(), key=lambda pair: (pair[0].file, pair[0].number)):
        out.append(f"      {line.number:4} | {line.text.strip()}")
        out += [f"             {reason}" for reason in dict.fromkeys(found)]
    return out


def _ranges(numbers: Iterable[int]) -> str:
    """``lines 3 to 5, 8``."""
    parts = []
    for _, group in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
        run = [number for _, number in group]
        parts.append(str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}")
    return ("lines " if len(parts) > 1 or " to " in "".join(parts) else "line ") + ", ".join(parts)
