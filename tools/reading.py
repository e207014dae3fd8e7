"""`to-code`, `graph` and `explain`: what became of functions, to read."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ..runtime.coverage import coverage_of
from ..runtime.draw import draw
from ..runtime.errors import JitscopeError
from ..runtime.line_states import specialisation_for, worth_telling
from ..runtime.specialisation import Specialisation
from ..runtime.to_code import to_code
from .answers import RIGHT, WRONG, Answer, Misused
from .given import CallArguments
from .target import Subject, Subjects, silent, targets


def show_code(options: argparse.Namespace) -> Answer:
    """The text of a stage of a function."""
    found = _targets(options)
    stage = options.stage or ("staged" if all(one.given is None for one in found) else "module")
    return _texts(found, stage)


def show_graph(options: argparse.Namespace) -> Answer:
    """The graph of a function, as text or as a picture."""
    found = _targets(options)
    if not options.output:
        return _texts(found, "graph")
    if len(found) > 1:
        raise Misused(f"{options.target} calls several functions; name one, as FILE:FUNCTION")
    target, path = found[0], Path(options.output)
    try:
        given = target.given_arguments
        draw(target.state.binder.made, path, *given.args, **_named(given.kwargs))
    except ValueError as error:
        raise Misused(str(error)) from None
    except JitscopeError as error:
        return Answer(str(error), {"error": str(error)}, WRONG)
    return Answer(str(path), {"picture": str(path)})


def explain(options: argparse.Namespace) -> Answer:
    """What runs compiled, as NumPy or as Python, and why."""
    texts, data = [], []
    subjects = _targets(options)
    for target in subjects:
        texts.append(str(target.given_arguments.call(target.state.explain)).rstrip())
        data.append(_explained(target, specialisation_for(target.state, target.values)))
    return Answer("\n\n".join(texts), {"functions": data}, WRONG if subjects.ended else RIGHT)


def coverage(options: argparse.Namespace) -> Answer:
    """What share of a plain call's time is compiled, line by line."""
    texts, data, least = [], [], 1.0
    subjects = _targets(options)
    for target in subjects:
        if target.does and len(subjects) > 1:
            texts.append(f"{target.state.called}: {target.why_not_again}")
            continue
        try:
            with silent():
                found = coverage_of(target.state, target.values)
        except SystemExit as stop:
            texts.append(f"{target.state.called}: it ends the program, with {stop.code!r}")
            continue
        except Exception as error:  # the function's own
            raise Misused(f"{target.state.called} raises {type(error).__name__}: {error}") from None
        texts.append(str(found).rstrip())
        least = min(least, found.share)
        names = ("number", "text", "share", "state", "reason", "attempt")
        lines = [{"file": line.file, **{n: getattr(line, n) for n in names}} for line in found.lines]
        data.append({"name": found.function, "share": found.share, "seconds": found.seconds, "lines": lines})
    enough = (options.strict is None or least >= options.strict) and not subjects.ended
    return Answer("\n\n".join(texts), {"functions": data}, RIGHT if enough else WRONG)


def _targets(options: argparse.Namespace) -> Subjects:
    found = targets(options.target, options.expressions, options.json, options.rest)
    found.asked(options.target)
    return found


def _named(kwargs: dict[str, object]) -> dict[str, Any]:
    """Arguments by name, which may be those of `draw` and `to_code` for a checker, and aren't."""
    return dict(kwargs)


def _texts(found: list[Subject], stage: str) -> Answer:
    """One stage of all functions; of those that have none, why."""
    texts, data, status = [], [], RIGHT
    for target in found:
        given = CallArguments() if stage in ("staged", "ast") else target.given_arguments
        try:
            text, error = (
                to_code(target.state.binder.made, *given.args, stage=stage, **_named(given.kwargs)),
                "",
            )
        except JitscopeError as refusal:
            text, error, status = "", str(refusal), WRONG
        texts.append(error or text.rstrip())
        data.append({"name": target.state.called, "stage": stage, "text": text, "error": error})
    return Answer("\n\n".join(texts), {"functions": data}, status)


def _explained(target: Subject, item: Specialisation) -> dict[str, object]:
    left = [
        {
            "file": one.line.file,
            "line": one.line.number,
            "text": one.line.text,
            "runs_as": one.runs_as,
            "reason": one.reason,
            "attempt": one.attempt,
        }
        for one in worth_telling(item.report.left)
    ]
    kernels = [
        {"name": cluster.name, "device": cluster.device, "lines": [line.number for line in lines]}
        for cluster, lines in zip(item.report.members, item.report.lines, strict=False)
    ]
    return {
        "name": target.state.called,
        "signature": item.signature,
        "plain_reason": item.plain_reason or target.state.always_plain,
        "slower": item.slower,
        "kernels": kernels,
        "left": left,
        "notes": [{"line": one.line.number, "reason": one.reason} for one in item.report.notes],
        "module": item.module_path,
    }
