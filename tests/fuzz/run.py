"""Check many random programs: ``python -m fuzz.run 500 --seed 0 --jobs 2`` in `tests`, or ``make fuzz N=500 SEED=0 JOBS=2``.

A failing program is made smaller and written to `found/`, where it is a test from then on.
"""

from __future__ import annotations

import argparse
import collections
import hashlib
import json
import re
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from fuzz.minimise import smallest
from fuzz.processes import Process
from fuzz.writers import WRITERS

FOUND = Path(__file__).parent / "found"
SEEDS = Path(__file__).parent / "failures.txt"
REGISTERS = (16, 32, 64)
"""The sizes in bytes for which products are written, one after another: other code, on whatever machine."""
FAILED = ("wrong", "internal", "crash", "timeout", "broken")


def main() -> int:
    """Run, print what was seen; 1 if anything failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--writer", choices=WRITERS, default="grammar", help="who writes the programs")
    parser.add_argument(
        "--interpreted", action="store_true", help="run generated modules as plain Python: ten times faster"
    )
    parser.add_argument("--minimise", type=float, default=120.0, help="seconds for each failure, 0 for none")
    parser.add_argument(
        "--second",
        type=int,
        default=3,
        help="products with Hessians for one program in so many: they take longest",
    )
    parser.add_argument(
        "--registers", type=int, choices=REGISTERS, help="write products for such registers; all unless given"
    )
    parser.add_argument("--log", type=Path, help="a line of JSON for each program")
    options = parser.parse_args()
    run = Run(options)
    began = time.monotonic()
    threads = [threading.Thread(target=run.work) for _ in range(options.jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(summary(run.reports, time.monotonic() - began))
    return int(any(report["status"] in FAILED for report in run.reports))


class Run:
    """The seeds that are left, and the reports so far."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.seeds = iter(range(options.seed, options.seed + options.programs))
        self.reports: list[dict[str, Any]] = []
        self.kinds: collections.Counter[str] = collections.Counter()
        self.lock = threading.Lock()

    def work(self) -> None:
        """One thread: a process that checks, and one that makes failing programs smaller."""
        checking = Process(self.options.interpreted)
        try:
            while True:
                with self.lock:
                    seed = next(self.seeds, None)
                if seed is None:
                    return
                text = WRITERS[self.options.writer](seed).module
                registers = self.options.registers or REGISTERS[seed % len(REGISTERS)]
                asked = {"second": seed % self.options.second == 0, "registers": registers}
                report = {"seed": seed, "registers": registers, **checking.ask(text, **asked)}
                with self.lock:
                    self.reports.append(report)
                    if self.options.log:
                        with self.options.log.open("a") as log:
                            log.write(json.dumps(report) + "\n")
                if report["status"] in FAILED:
                    self.failed(report)
        finally:
            checking.stop()

    def failed(self, report: dict[str, Any]) -> None:
        """Tell of a failure, keep its seed, make it smaller."""
        print(
            f"seed {report['seed']}: {report['status']}, {report['kind']}: {report['detail'][:200]}",
            flush=True,
        )
        with self.lock:
            with SEEDS.open("a") as seeds:
                seeds.write(f"{report['seed']} {report['status']} {report['kind']}\n")
            self.kinds[report["kind"]] += 1
        if self.options.minimise and report["text"] and report["status"] != "timeout":
            path = minimised(report, self.options.minimise, self.options.interpreted)
            print(f"seed {report['seed']}: {path}", flush=True)


def minimised(report: dict[str, Any], seconds: float, interpreted: bool) -> Path:
    """The failing program made smaller, in a file of `found`; interpreted where it fails alike there, which is faster."""
    second = report["kind"].startswith(("second", "product"))
    gradients = (
        second
        or report["kind"].startswith(("gradient", "uncompiled"))
        or report["status"] in ("internal", "crash")
    )
    only = report["detail"].partition(":")[0] if not gradients else ""
    text = report["text"]
    for plain in (True, False) if not interpreted else (True,):
        worker = Process(plain, timeout=20.0)

        def fails(candidate: str, worker: Process = worker) -> bool:
            seen = worker.ask(
                candidate,
                gradients=gradients,
                second=second,
                only=only,
                must_run=not report["kind"].startswith("exception"),
                registers=report["registers"],
            )
            return (seen["status"], seen["kind"]) == (report["status"], report["kind"])

        try:
            if fails(text):
                text = smallest(text, fails, seconds if plain == interpreted or plain else seconds / 3)
        finally:
            worker.stop()
    return write(text, report)


def write(text: str, report: dict[str, Any]) -> Path:
    """The program as a file, named by its kind and content."""
    key = hashlib.blake2b(text.encode(), digest_size=4).hexdigest()
    kind = re.sub(r"\W+", "_", report["kind"]).strip("_").lower()
    path = FOUND / f"{kind}_{key}.py"
    path.write_text(f'"""Seed {report["seed"]}: {report["kind"]}."""\n\n{text}\n')
    for task in (("check", "--fix"), ("format",)):
        subprocess.run([sys.executable, "-m", "ruff", *task, "-q", str(path)], check=False)
    return path


def summary(reports: list[dict[str, Any]], seconds: float) -> str:
    """What was seen, in a few lines."""
    count = len(reports)
    status = collections.Counter(report["status"] for report in reports)
    gradient = collections.Counter(report.get("gradient", "") for report in reports)
    second = collections.Counter(report.get("second", "") for report in reports)
    reasons: collections.Counter[str] = collections.Counter()
    for report in reports:
        reasons.update({_short(reason) for reason in report.get("reasons", ())})
    walls = sorted(report.get("seconds", report["wall"]) for report in reports) or [0.0]
    compiled = sum(report.get("compiled", False) for report in reports)
    lines = [
        f"{count} programs in {seconds:.0f} s; of one core, a program takes {walls[count // 2]:.2f} s (median), {sum(walls) / max(1, count):.2f} s (mean), {walls[-1]:.1f} s (longest)",
        f"ran compiled: {compiled} of {count}; "
        + ", ".join(f"{name}: {number}" for name, number in status.most_common()),
        "gradients: "
        + ", ".join(f"{name or 'none asked'}: {number}" for name, number in gradient.most_common()),
        "products with Hessians: "
        + ", ".join(f"{name or 'none asked'}: {number}" for name, number in second.most_common()),
        f"differ in last bits: {sum(bool(r.get('bits')) for r in reports)}; hang on last bits: {sum(bool(r.get('unstable')) for r in reports)}",
        *(f"  {number} x {reason}" for reason, number in reasons.most_common(25)),
    ]
    return "\n".join(lines)


def _short(reason: str) -> str:
    """A reason without the names of one program."""
    return re.sub(r"'[^']*'|\bprogram\S*|\d+", "_", reason)[:160]


if __name__ == "__main__":
    sys.exit(main())
