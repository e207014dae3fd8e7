"""`cache`: what is kept on disk, whether it is whole, and why an entry isn't used."""

from __future__ import annotations

import argparse
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..graph.ir.shown import printable
from ..runtime import cache, cache_limit
from ..runtime.compile import Request
from ..runtime.config import bytes_of, config
from ..runtime.digest import code_digest, environment
from ..runtime.recipe import from_json, holds
from .answers import RIGHT, WRONG, Answer, Misused, sized, table
from .target import targets


@dataclass(frozen=True)
class DiskEntry:
    """A folder of the cache: `stored` is None where it can't be trusted."""

    folder: Path
    size: int
    used: float
    stored: cache.Stored | None

    @property
    def function(self) -> str:
        """The function that it was made for."""
        asked = self.stored.body["asked"]["function"] if self.stored else self.folder.parent.name
        return str(asked)

    @property
    def signature(self) -> str:
        """For which arguments."""
        return str(self.stored.body["asked"]["signature"]) if self.stored else ""

    @property
    def file(self) -> str:
        """The name of the file that the function is in."""
        places = self.stored.body["places"] if self.stored else []
        return str(places[0]["file"]) if places else ""

    @property
    def is_current(self) -> bool:
        """Whether this Python, these packages and this processor made it."""
        return self.stored is not None and self.stored.body["environment"] == environment()


def path(options: argparse.Namespace) -> Answer:
    """Where the cache is."""
    return Answer(config.cache_dir or "nothing is kept on disk", {"path": config.cache_dir})


def ls(options: argparse.Namespace) -> Answer:
    """The entries, what was used last first."""
    found = sorted(_entries(), key=lambda entry: -entry.used)
    rows: list[tuple[str, ...]] = [("function", "file", "arguments", "size", "used", "state", "folder")]
    for entry in found:
        state = "damaged" if entry.stored is None else "current" if entry.is_current else "outdated"
        where = f"{entry.folder.parent.name}/{entry.folder.name}"
        rows.append(
            (
                printable(entry.function),
                printable(entry.file),
                _cut(printable(entry.signature)),
                sized(entry.size),
                _ago(entry.used),
                state,
                where,
            )
        )
    total = sum(entry.size for entry in found)
    limit = f" of {sized(config.cache_limit)}" if config.cache_limit else ""
    text = "\n".join([*(table(rows) if found else []), f"{len(found)} entries, {sized(total)}{limit}"])
    data = [
        {
            "function": entry.function,
            "file": entry.file,
            "signature": entry.signature,
            "size": entry.size,
            "used": entry.used,
            "whole": entry.stored is not None,
            "current": entry.is_current,
            "folder": str(entry.folder),
        }
        for entry in found
    ]
    return Answer(text, {"entries": data, "size": total, "limit": config.cache_limit})


def verify(options: argparse.Namespace) -> Answer:
    """Compare every file with its checksum; with ``--remove``, remove what is damaged."""
    faults: list[tuple[DiskEntry, str]] = []
    count = 0
    for entry in _entries():
        count += 1
        if reason := _fault(entry):
            faults.append((entry, reason))
    if options.remove:
        for entry, _ in faults:
            shutil.rmtree(entry.folder, ignore_errors=True)
    done = "removed" if options.remove else "damaged"
    lines = [f"{done}: {entry.folder}: {printable(reason)}" for entry, reason in faults]
    lines.append(f"{count} entries, {len(faults)} damaged")
    data = {"entries": count, "damaged": [{"folder": str(e.folder), "reason": r} for e, r in faults]}
    return Answer("\n".join(lines), data, WRONG if faults and not options.remove else RIGHT)


def prune(options: argparse.Namespace) -> Answer:
    """Remove what was used least recently until the rest is below the limit."""
    root = _root()
    before = sum(entry.size for entry in _entries())
    try:
        limit = config.cache_limit if options.limit is None else bytes_of(options.limit)
    except ValueError as error:
        raise Misused(f"--limit: {error}") from None
    if root.is_dir() and limit:
        cache_limit.prune(root, limit)
    after = sum(entry.size for entry in _entries())
    return Answer(f"{sized(before)} before, {sized(after)} now", {"before": before, "after": after})


def clear(options: argparse.Namespace) -> Answer:
    """Remove all entries, or those of one function."""
    count = size = 0
    for entry in list(_entries()):
        if options.function and entry.function != options.function:
            continue
        shutil.rmtree(entry.folder, ignore_errors=True)
        count, size = count + 1, size + entry.size
        if not any(entry.folder.parent.iterdir()):
            entry.folder.parent.rmdir()
    return Answer(f"{count} entries removed, {sized(size)}", {"removed": count, "size": size})


def why(options: argparse.Namespace) -> Answer:
    """For calls of a function, which entry on disk they take, and what is different in each of the others."""
    lines: list[str] = []
    data = []
    status = RIGHT
    for target in targets(options.target, options.expressions, options.json, options.rest):
        request = target.state.request(target.values)
        found = [(entry, _difference(entry, request)) for entry in _entries() if _is_of(entry, request)]
        taken = [entry for entry, reason in found if not reason]
        status = max(status, RIGHT if taken else WRONG)
        lines.append(printable(f"{request.title}:"))
        lines += [f"  {e.folder}: {r or 'taken'}" for e, r in found] or ["  nothing is kept for it"]
        kept = [{"folder": str(e.folder), "taken": not r, "reason": r} for e, r in found]
        data.append({"function": request.qualname, "signature": request.signature, "entries": kept})
    return Answer("\n".join(lines), {"functions": data}, status)


def _is_of(entry: DiskEntry, request: Request) -> bool:
    return entry.folder.parent.name.rpartition("-")[0] == request.name


def _difference(entry: DiskEntry, request: Request) -> str:
    """What keeps a call from taking an entry; nothing, if it takes it."""
    if entry.stored is None:
        return _fault(entry)
    body = entry.stored.body
    for name, now in environment().items():
        if body["environment"].get(name) != now:
            return f"made with another {'source of jitscope' if name == 'jitscope' else name}"
    if body["code"] != code_digest(request.function.__code__):
        return "the function's code has changed"
    for name, asked in request.asked().items():
        if body["asked"].get(name) != asked:
            return f"for another {name}: {body['asked'].get(name)}"
    try:
        return holds(from_json(body["recipe"]), request.function, request.arguments) or ""
    except cache.UNUSABLE as error:
        return f"its recipe can't be read: {error}"


def _fault(entry: DiskEntry) -> str:
    """What is wrong with the files of an entry."""
    if entry.stored is None:
        return "its manifest is missing, damaged, of another version, or not ours"
    try:
        for name in entry.stored.body["files"]:
            entry.stored.read(name)
    except cache.UNUSABLE as error:
        return str(error)
    return ""


def _root() -> Path:
    if not config.cache_dir:
        raise Misused("nothing is kept on disk: JITSCOPE_CACHE_DIR is empty")
    return Path(config.cache_dir)


def _entries() -> Iterator[DiskEntry]:
    """All entries of ours, those that are damaged with the rest."""
    root = _root()
    whole: dict[str, dict[Path, cache.Stored]] = {}
    for kept in cache_limit.entries_of(root):
        above = kept.folder.parent.name
        if above not in whole:
            name, _, key = above.rpartition("-")
            whole[above] = {stored.folder: stored for stored in cache.find(name, key)}
        yield DiskEntry(kept.folder, kept.size, kept.used, whole[above].get(kept.folder))


def _ago(moment: float) -> str:
    seconds = max(time.time() - moment, 0.0)
    for unit, name in ((86400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 2 * unit:
            return f"{seconds / unit:.0f} {name} ago"
    return "just now"


def _cut(text: str) -> str:
    return text if len(text) <= 48 else text[:45] + "..."
