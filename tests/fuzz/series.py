"""Many random programs of all writers: ``python -m fuzz.series 9600 --folder /tmp/series`` in `tests`.

The writers take turns, so that a run that is stopped has some of each; begun again with the same folder, it goes
on where it was. The table by writer is printed in the end, or alone with ``--table``.
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SHARES = {
    "grammar": (0.35, 100),
    "layouts": (0.16, 125),
    "states": (0.185, 125),
    "derivations": (0.085, 100),
    "arrays": (0.055, 100),
    "vectors": (0.155, 50),
    "matrices": (0.01, 20),
}
"""For each writer, which part of the programs is its own, and how many are run by one process."""


@dataclass(frozen=True)
class Batch:
    """Programs of one writer, from one seed on."""

    writer: str
    size: int
    seed: int

    def log(self, folder: Path) -> Path:
        """Where the reports are."""
        return folder / f"{self.writer}_{self.seed}.json"


def batches(programs: int, seed: int) -> list[Batch]:
    """The batches, the writers in turns; each has a thousand seeds for itself."""
    found: list[tuple[float, Batch]] = []
    for writer, (share, size) in SHARES.items():
        count = max(1, round(programs * share / size))
        for number in range(count):
            batch = Batch(writer, size, seed + 1000 * len(found))
            found.append(((number + 0.5) / count, batch))
    return [batch for _, batch in sorted(found, key=lambda one: one[0])]


def reports(path: Path) -> list[dict[str, Any]]:
    """What was seen of the programs of a batch, as far as it came."""
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def run(batch: Batch, folder: Path) -> None:
    """Run a batch in a process with a cache of its own, unless it has been run."""
    log = batch.log(folder)
    if len(reports(log)) >= batch.size:
        return
    log.unlink(missing_ok=True)
    command = [sys.executable, "-m", "fuzz.run", str(batch.size), "--seed", str(batch.seed), "--jobs", "1"]
    command += ["--writer", batch.writer, "--minimise", "0", "--log", str(log)]
    with tempfile.TemporaryDirectory() as cache, log.with_suffix(".txt").open("w") as said:
        environment = {**os.environ, "JITSCOPE_CACHE_DIR": cache}
        subprocess.run(command, stdout=said, stderr=said, env=environment, check=False)


def table(folder: Path) -> Iterator[str]:
    """The figures by writer, as a table of Markdown's, and what isn't right."""
    yield "| writer | programs | compiled | right | gradients checked | refused | s of a core, each |"
    yield "|---|---|---|---|---|---|---|"
    total: collections.Counter[str] = collections.Counter()
    strange = []
    for writer in SHARES:
        seen = [(path, one) for path in folder.glob(f"{writer}_*.json") for one in reports(path)]
        counts = collections.Counter(key for _, one in seen for key in _counted(one))
        counts["ms"] = round(1000 * sum(one["seconds"] for _, one in seen))
        total.update(counts)
        yield _row(writer, counts)
        strange += [
            f"{path.stem}: {one['seed']}, {one['status']}" for path, one in seen if one["status"] != "right"
        ]
    yield _row("all", total)
    yield from strange


def _counted(one: dict[str, Any]) -> Iterator[str]:
    yield "programs"
    if one["compiled"]:
        yield "compiled"
    if one["status"] == "right":
        yield "right"
    if one["gradient"]:
        yield one["gradient"].partition(":")[0].partition(" ")[0]
    if one["second"] == "checked":
        yield "products"


def _row(name: str, counts: collections.Counter[str]) -> str:
    gradients = f"{counts['checked']:,} ({counts['products']} with products)" if counts["checked"] else ""
    cells = (counts["programs"], counts["compiled"], counts["right"])
    each = counts["ms"] / 1000 / max(counts["programs"], 1)
    numbers = " | ".join(f"{cell:,}" for cell in cells)
    return f"| {name} | {numbers} | {gradients} | {counts['refused'] or ''} | {each:.2f} |"


def main() -> int:
    """Run what isn't there yet, print the table; 1 if anything isn't right."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--folder", type=Path, required=True, help="for a line of JSON for each program")
    parser.add_argument("--table", action="store_true", help="run nothing")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    todo = iter([] if options.table else batches(options.programs, options.seed))
    lock = threading.Lock()

    def work() -> None:
        while True:
            with lock:
                batch = next(todo, None)
            if batch is None:
                return
            run(batch, options.folder)

    threads = [threading.Thread(target=work) for _ in range(options.jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lines = list(table(options.folder))
    print("\n".join(lines))
    return int(not lines[-1].startswith("| all"))


if __name__ == "__main__":
    sys.exit(main())
