"""Random programs on the GPU at hand: ``python -m fuzz.on_gpu 60 --seed 0 --jobs 8`` in `tests`.

Each process writes and checks programs for so many seconds; what fails is printed with its text.
"""

from __future__ import annotations

import argparse
import itertools
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import jitscope as js
from fuzz.check import check
from fuzz.writers import WRITERS
from jitscope.codegen.cuda import launching

WRITTEN = ("vectors", "arrays", "matrices", "grammar")


def work(seconds: float, seed: int, step: int) -> None:
    """Check programs, and print a line of JSON for each."""
    launches = 0
    plain = launching.Launcher.__getitem__

    def counted(kernel: Any, launch: Any) -> Any:
        nonlocal launches
        launches += 1
        return plain(kernel, launch)

    launching.Launcher.__getitem__ = counted  # type: ignore[method-assign]
    until = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder:
        for number in itertools.count(seed, step):
            if time.monotonic() > until:
                return
            text = WRITERS[WRITTEN[number // step % len(WRITTEN)]](number).module
            path = Path(folder) / f"program_{number}.py"
            path.write_text(text)
            launches = 0
            with js.device("/gpu:0"):
                report = check(path, gradients=False, brief=True)
            found = {"seed": number, "launches": launches, **asdict(report)}
            if report.status != "right":
                found["text"] = text
            print(json.dumps(found), flush=True)


def main() -> int:
    """Run the processes; 1 if a program failed or a process died."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seconds", type=float)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=8)
    parser.add_argument("--work", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work is not None:
        work(options.seconds, options.seed + options.work, options.jobs)
        return 0
    command = [sys.executable, "-m", "fuzz.on_gpu", str(options.seconds), "--seed", str(options.seed)]
    running = [
        subprocess.Popen([*command, "--jobs", str(options.jobs), "--work", str(k)], stdout=-1, text=True)
        for k in range(options.jobs)
    ]
    outputs = [process.communicate()[0] for process in running]
    reports = [json.loads(line) for output in outputs for line in output.splitlines()]
    bad = [report for report in reports if report["status"] != "right"]
    for report in bad:
        print(f"seed {report['seed']}: {report['status']}, {report['kind']}: {report['detail'][:600]}")
        print(report["text"])
    died = sum(process.returncode != 0 for process in running)
    on_gpu = sum(report["launches"] > 0 for report in reports)
    print(
        f"{len(reports)} programs, {on_gpu} with kernels on the GPU, {len(bad)} wrong, {died} processes died"
    )
    return int(bool(bad) or died > 0)


if __name__ == "__main__":
    sys.exit(main())
