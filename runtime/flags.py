"""`JITSCOPE_FLAGS`: options for looking inside, in the style of ``--name=value --name=value``.

| flag | meaning |
|---|---|
| `--dump_graph=REGEX` | write each pass's graph, of functions of such a name; sessions are `session` |
| `--dump_dir=DIR` | where to; a new temporary folder if not given |
| `--dump_format=FORMAT` | `dot` (default), `svg` or `png` |
"""

from __future__ import annotations

import difflib
import os
import re
import shlex
from dataclasses import dataclass, fields

FORMATS = ("dot", "svg", "png")
_KNOWN_ELSEWHERE = {"xla_generate_hlo_graph": "dump_graph", "xla_dump_to": "dump_dir"}


class UnknownFlag(ValueError):
    """A flag that there is not; the message names those that are like it."""


@dataclass(frozen=True, slots=True)
class Flags:
    """What the flags say."""

    dump_graph: str = ""
    dump_dir: str = ""
    dump_format: str = "dot"

    def __post_init__(self) -> None:
        try:
            re.compile(self.dump_graph)
        except re.error as error:
            raise ValueError(f"--dump_graph={self.dump_graph}: no regular expression: {error}") from None
        if self.dump_format not in FORMATS:
            raise ValueError(f"--dump_format={self.dump_format}: formats are {', '.join(FORMATS)}")

    def dumps(self, name: str) -> bool:
        """Whether the graphs of a function or session of this name are to be written."""
        return bool(self.dump_graph) and re.search(self.dump_graph, name) is not None


NAMES = tuple(entry.name for entry in fields(Flags))


def parsed(text: str) -> Flags:
    """The flags in `text`.

    Raises:
        UnknownFlag: there is no flag of such a name.
        ValueError: a flag has no value, or one that it can't have.
    """
    found: dict[str, str] = {}
    for word in _words(text):
        name, sign, value = word.partition("=")
        if not name.startswith("--"):
            raise ValueError(f"JITSCOPE_FLAGS: {word!r} is no flag; flags are like --dump_graph=.*")
        if (name := name[2:].replace("-", "_")) not in NAMES:
            raise UnknownFlag(f"JITSCOPE_FLAGS: unknown flag --{name}{_meant(name)}")
        if not sign or not value:
            raise ValueError(f"JITSCOPE_FLAGS: --{name} has no value: write --{name}=...")
        found[name] = os.path.abspath(os.path.expanduser(value)) if name == "dump_dir" else value
    try:
        return Flags(**found)
    except ValueError as error:
        raise ValueError(f"JITSCOPE_FLAGS: {error}") from None


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        raise ValueError(f"JITSCOPE_FLAGS: {text}: {error}".replace("No closing", "no closing")) from None


def _meant(name: str) -> str:
    close = (
        [_KNOWN_ELSEWHERE[name]]
        if name in _KNOWN_ELSEWHERE
        else difflib.get_close_matches(name, NAMES, 2, 0.7)
    )
    if close:
        return f"; did you mean {' or '.join(f'--{match}' for match in close)}?"
    return f"; flags are {', '.join(f'--{known}' for known in NAMES)}"
