"""`run`, `report`, `profile` and `warmup`: scripts with their functions decorated."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from ..graph.ir.shown import printable
from ..runtime.config import config
from ..runtime.coverage import readable
from ..runtime.decorator import function as decorated
from ..runtime.errors import cut
from ..runtime.specialisation import Specialisation
from . import script
from .answers import RIGHT, WRONG, Answer, Misused, Palette, table
from .findings import Findings, FoundFunction, findings
from .page import page
from .recorder import CallRecorder
from .target import split, targets

_MOST_LINES = 12
"""So many lines of a profile are shown, those that take most of the time."""


@dataclass(frozen=True)
class Ended:
    """How a script ended: its status, and the exception if there was one."""

    status: int
    error: str
    seconds: float


def run(options: argparse.Namespace) -> Answer:
    """Run a script, its functions decorated."""
    ended = _run(options, decorated)
    return Answer("", {"status": ended.status, "seconds": ended.seconds, "error": ended.error}, ended.status)


def report(options: argparse.Namespace) -> Answer:
    """Run a script, its functions decorated, and write the report of it."""
    shown = Path(options.output or Path(options.file).with_suffix(".jitscope.html"))
    path = Path(os.path.abspath(shown))  # wherever the script goes
    if why := _why_not_written(path):
        raise Misused(f"{shown} can't be written: {why}; -o says where else")
    found, ended = _found(options)
    try:
        path.write_text(page(found), encoding="utf-8")
    except OSError as error:
        raise Misused(f"{shown} can't be written: {error.strerror or error}") from None
    return Answer(f"{shown}: {_headline(found)}", {"report": str(shown), **as_data(found)}, ended.status)


def _why_not_written(path: Path) -> str:
    """Why a file can't be written, as far as that is known before; nothing, if it can."""
    if path.is_dir():
        return "it is a folder"
    if not path.parent.is_dir():
        return "its folder is not there"
    return "" if os.access(path if path.exists() else path.parent, os.W_OK) else "permission denied"


def _headline(found: Findings) -> str:
    if config.disable:
        return "JITSCOPE_DISABLE is set: nothing is compiled"
    if not found.functions:
        return found.nothing
    if found.share is None:
        return "no times are known"
    left = f" ({found.left_out})" if found.left_out else ""
    return f"{found.share:.0%} of the time of plain calls is compiled{left}"


def profile(options: argparse.Namespace) -> Answer:
    """Run a script, its functions decorated, and tell where its time goes."""
    found, ended = _found(options)
    return Answer(_profile(found, Palette(sys.stdout)), as_data(found), ended.status)


def warmup(options: argparse.Namespace) -> Answer:
    """Compile what a script, or one call, needs, so that it is on disk when it is wanted."""
    before = config.counters.compilations, config.counters.loads
    place, name = split(options.target)
    status = RIGHT
    if name or options.expressions:
        for target in targets(options.target, options.expressions, options.json, options.rest):
            given = target.given_arguments
            made = target.state.get_concrete_function(*given.args, **given.kwargs)
            status = max(status, WRONG if made.plain_reason else RIGHT)
    else:
        options.file, options.arguments, options.functions = place, options.rest, ""
        status = _run(options, decorated).status
    made_now = config.counters.compilations - before[0], config.counters.loads - before[1]
    text = f"{made_now[0]} compiled, {made_now[1]} found on disk, in {config.cache_dir or 'no cache'}"
    data = {"compiled": made_now[0], "found": made_now[1], "cache": config.cache_dir}
    return Answer(text, data, status)


def _found(options: argparse.Namespace) -> tuple[Findings, Ended]:
    recorder = CallRecorder(keep=not options.no_times)
    alone = script.left_alone(Path(options.file))
    _note_strange_options(options)
    with recorder.listening():
        ended = _run(options, recorder)
    recorder.withdraw(vars(sys.modules["__main__"]))
    title, times = Path(options.file).name, not options.no_times
    return findings(title, recorder.called(), ended.seconds, times, ended.error, alone), ended


_OPTIONS = ("-o", "--output", "--functions", "--all", "--no-times", "--json")
_READERS = re.compile(r"argv|argparse|optparse|getopt|click|typer|fire|docopt|sys\.stdin")


def _note_strange_options(options: argparse.Namespace) -> None:
    """Options of ours behind a script that looks at none are most likely meant for us."""
    strange = [one for one in options.arguments if one.partition("=")[0] in _OPTIONS]
    with contextlib.suppress(OSError, UnicodeDecodeError):
        if strange and not _READERS.search(Path(options.file).read_text(encoding="utf-8")):
            said = f"{strange[0]} stands behind {options.file}, and is the script's own; put it before"
            print(f"jitscope: {said}", file=sys.stderr)


def _run(options: argparse.Namespace, decorate: script.Decorator) -> Ended:
    """Run the script; what it raises is told as Python tells it, without our frames."""
    chosen = tuple(name.strip() for name in (options.functions or "").split(",") if name.strip())
    arguments: Sequence[str] = options.arguments
    start = time.perf_counter()
    with contextlib.redirect_stdout(sys.stderr if options.json else sys.stdout):
        try:
            script.run(Path(options.file), arguments, decorate, chosen)
        except SystemExit as stop:
            return Ended(_status(stop), "", time.perf_counter() - start)
        except Misused:
            raise
        except BaseException as error:
            seconds = time.perf_counter() - start
            script.tell(error, os.path.abspath(options.file))
            if isinstance(error, KeyboardInterrupt):
                return Ended(128 + 2, "KeyboardInterrupt", seconds)
            return Ended(WRONG, f"{type(error).__name__}: {error}", seconds)
    return Ended(RIGHT, "", time.perf_counter() - start)


def _status(stop: SystemExit) -> int:
    if stop.code is None or isinstance(stop.code, int):
        return stop.code or RIGHT
    print(stop.code, file=sys.stderr)
    return WRONG


def as_data(found: Findings) -> dict[str, object]:
    """Findings for programs that read JSON."""
    return {
        "title": found.title,
        "seconds": found.seconds,
        "share": found.share,
        "ended": found.ended,
        "left_alone": list(found.left_alone),
        "functions": [_function_data(one) for one in found.functions],
        "files": {
            file: [asdict(line) for line in lines if line.state] for file, lines in found.files.items()
        },
    }


def _function_data(one: FoundFunction) -> dict[str, object]:
    kept = {
        name: getattr(one, name) for name in ("name", "file", "line", "calls", "alike", "seconds", "plain")
    }
    kept |= {name: getattr(one, name) for name in ("decorated", "share", "note")}
    kernels = [asdict(kernel) for kernel in one.kernels]
    return {**kept, "kernels": kernels, "specialisations": [_special(item) for item in one.specialisations]}


def _special(item: Specialisation) -> dict[str, object]:
    return {
        "signature": item.signature,
        "kernels": list(item.clusters),
        "plain_reason": item.plain_reason,
        "slower": item.slower,
        "from_disk": item.from_disk,
        "module": item.module_path,
    }


def _profile(found: Findings, paint: Palette) -> str:
    """The findings as tables."""
    if not found.functions:
        return f"{printable(found.title)}: {found.nothing}"
    lines = [paint(f"{printable(found.title)}: {readable(found.seconds)}", "bold")]
    lines.append(_headline(found))
    rows: list[tuple[str, ...]] = [("function", "calls", "plain", "now", "compiled", "")]
    for one in found.functions:
        plain, now = (readable(t) if t is not None else "" for t in (one.plain, one.decorated))
        share = f"{one.share:.0%}" if one.share is not None else ""
        rows.append((printable(one.name), str(one.calls), plain, now, share, printable(one.note)))
    lines += ["", *table(rows)]
    kernels = [(one, kernel) for one in found.functions for kernel in one.kernels if kernel.calls]
    if kernels:
        rows = [("kernel", "lines", "calls", "time")]
        rows += [
            (f"{printable(one.name)}.{k.name}", k.span, str(k.calls), readable(k.seconds))
            for one, k in kernels
        ]
        lines += ["", *table(rows)]
    if found.left_alone:
        lines += ["", f"not decorated: {printable(', '.join(found.left_alone))}"]
    return "\n".join([*lines, *_slowest_lines(found, paint)])


def _slowest_lines(found: Findings, paint: Palette) -> list[str]:
    timed = [(line, Path(file).name) for file, lines in found.files.items() for line in lines if line.share]
    timed.sort(key=lambda pair: -(pair[0].share or 0.0))
    if not timed:
        return []
    kinds = {"compiled": "good", "NumPy": "half", "Python": "bad"}
    lines = ["", "share   runs as   line"]
    for line, file in timed[:_MOST_LINES]:
        state = paint(f"{line.state:8}", kinds.get(line.state, "dim"))
        text = cut(printable(line.text.strip()), 60)
        lines.append(f"{line.share:6.1%}  {state}  {printable(file)}:{line.number}  {text}")
    return lines
