"""The command ``jitscope``, which is ``python -m jitscope`` too.

Statuses: 0, all is well; 1, what was asked for was found not to be, or the script raised; 2, the command was
not understood. What the script itself exits with stays.

This folder is the package ``jitscope_command``, too, which doesn't import jitscope before it knows what is
wanted: help answers at once.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
from collections.abc import Sequence

_MISUSED, _INTERRUPTED = 2, 128 + 2
_DASHES = "\0--"
"""Stands for ``--``, which the parser would take away."""
_SCRIPTS = {
    "run": ("programs.run", "run a script, its functions decorated, nothing edited"),
    "report": (
        "programs.report",
        "run a script, and write an HTML file beside it: how each line runs, and why",
    ),
    "profile": ("programs.profile", "run a script, and print where the time goes"),
}
"""The commands that run a script: what does it, and what it is."""

_TARGET = "FILE, FILE:FUNCTION or package.module:FUNCTION"
_EXPRESSIONS = (
    "its arguments, Python expressions, by position or as name=...; else those of the script's call"
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line says; the exit status."""
    parser = _parser()
    options = _parsed(parser, list(sys.argv[1:] if arguments is None else arguments))
    if not hasattr(options, "does"):
        parser.print_help()
        return _MISUSED
    room, _, name = options.does.rpartition(".")
    does = getattr(importlib.import_module(f"jitscope.tools.{room}"), name)
    misused = importlib.import_module("jitscope.tools.answers").Misused
    try:
        answer = does(options)
    except KeyboardInterrupt:
        print("jitscope: interrupted", file=sys.stderr)
        return _INTERRUPTED
    except misused as error:
        print(f"jitscope: {error}", file=sys.stderr)
        if options.json:
            _print({"error": str(error)})
        return _MISUSED
    return answer.status if _print(answer.data if options.json else answer.text) else 1


def _parsed(parser: argparse.ArgumentParser, arguments: list[str]) -> argparse.Namespace:
    """The options. A ``--`` behind a script is its own; behind a target, the script's arguments follow."""
    if next((one for one in arguments if not one.startswith("-")), "") in _SCRIPTS:
        options = parser.parse_args([_DASHES if one == "--" else one for one in arguments])
        options.arguments = ["--" if one == _DASHES else one for one in options.arguments]
        return options
    place = arguments.index("--") if "--" in arguments else len(arguments)
    options = parser.parse_args(arguments[:place])
    options.rest = arguments[place + 1 :]
    return options


def _print(answer: object) -> bool:
    """Print a text as it is, all else as JSON; whether somebody reads it."""
    text = answer if isinstance(answer, str) else json.dumps(answer, indent=1, default=str)
    try:
        if text:
            code = sys.stdout.encoding or "utf-8"
            print(text.encode(code, "replace").decode(code), flush=True)
    except BrokenPipeError:  # `jitscope ... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return False
    return True


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="jitscope", description="Makes plain NumPy code fast, and shows what became of it."
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="say which version this is")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    _scripts(commands)
    _functions(commands)
    _cache(commands)
    _command(
        commands, "doctor", "doctor.doctor", "versions, processor, devices, cache, and a test that it works"
    )
    return parser


class _Version(argparse.Action):
    """Asks the package only when it is wanted."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        print(f"jitscope {importlib.import_module('jitscope').__version__}")
        parser.exit()


Commands = argparse._SubParsersAction


def _command(commands: Commands, name: str, does: str, about: str) -> argparse.ArgumentParser:
    found: argparse.ArgumentParser = commands.add_parser(
        name, help=about, description=f"{about}.".capitalize()
    )
    found.set_defaults(does=does)
    found.add_argument(
        "--json", action="store_true", help="answer in JSON; what scripts print goes to stderr"
    )
    return found


def _scripts(commands: Commands) -> None:
    """The commands that run a script."""
    for name, (does, text) in _SCRIPTS.items():
        command = _command(commands, name, does, text)
        chosen = command.add_mutually_exclusive_group()
        chosen.add_argument("--functions", metavar="NAME,...", help="decorate these alone; Class.method, too")
        chosen.add_argument("--all", action="store_true", help="decorate all functions, which is the default")
        if name == "report":
            command.add_argument(
                "-o", "--output", metavar="HTML", help="the report; FILE.jitscope.html unless given"
            )
        if name != "run":
            help_text = "don't call functions again for the times of their lines"
            command.add_argument("--no-times", action="store_true", help=help_text)
        command.add_argument("file", metavar="FILE", help="the script")
        command.add_argument(
            "arguments", metavar="ARGUMENT", nargs=argparse.REMAINDER, help="the script's own"
        )


def _functions(commands: Commands) -> None:
    """The commands that are about functions."""
    about = {
        "to-code": ("reading.show_code", "the text that a function becomes"),
        "graph": ("reading.show_graph", "the graph of a function, as text or as a picture"),
        "explain": ("reading.explain", "what is compiled, what isn't, and why"),
        "coverage": ("reading.coverage", "the share of the time that is compiled, line by line"),
        "bench": ("bench.bench", "plain against decorated: first call, later calls, results"),
        "warmup": ("programs.warmup", "compile what a script or a call needs, so that it is on disk"),
    }
    for name, (does, text) in about.items():
        command = _target(_command(commands, name, does, text))
        if name == "to-code":
            stages = ("staged", "ast", "graph", "module")
            command.add_argument("--stage", choices=stages, help="module with arguments, staged without")
        elif name == "graph":
            command.add_argument("-o", "--output", metavar="PICTURE", help="a .svg, .png or .dot file")
        elif name == "coverage":
            command.add_argument("--strict", type=_share, metavar="SHARE", help="status 1 for less, as 0.9")


def _share(text: str) -> float:
    """A part of the whole, as ``0.9`` or ``90%``."""
    return float(text[:-1]) / 100 if text.endswith("%") else float(text)


def _target(command: argparse.ArgumentParser) -> argparse.ArgumentParser:
    command.add_argument("target", metavar="TARGET", help=_TARGET)
    command.add_argument("expressions", metavar="EXPRESSION", nargs="*", help=_EXPRESSIONS)
    return command


def _cache(commands: Commands) -> None:
    """The commands that are about what is kept on disk."""
    text = "what is kept on disk"
    found = commands.add_parser("cache", help=text, description=f"{text}.".capitalize())
    inner = found.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _command(inner, "ls", "entries.ls", "list the entries")
    _command(inner, "path", "entries.path", "where they are")
    _target(_command(inner, "why", "entries.why", "which entry a call takes, and why not the others"))
    check = _command(inner, "verify", "entries.verify", "compare every file with its checksum")
    check.add_argument("--remove", action="store_true", help="remove what is damaged")
    less = _command(inner, "prune", "entries.prune", "remove what was used least recently")
    less.add_argument(
        "--limit", metavar="SIZE", help="to stay below this, as 200MB; the cache's own limit unless given"
    )
    none = _command(inner, "clear", "entries.clear", "remove all entries")
    none.add_argument("--function", metavar="NAME", help="those of this function alone")
