"""A process that checks programs: it reads texts from its input, a line of JSON each, and writes reports.

A program that ends the process is seen by the runner.
"""

from __future__ import annotations

import dataclasses
import faulthandler
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

OPTIONS = ("gradients", "second", "only", "brief")


def main() -> None:
    """Answer each line ``{"text": ..., "gradients": true}`` with a line."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    faulthandler.enable()
    with tempfile.TemporaryDirectory(prefix="jitscope-fuzz-") as folder:
        os.environ["JITSCOPE_CACHE_DIR"] = folder + "/cache"
        from fuzz.check import check
        from fuzz.grammar import runs_alone
        from jitscope.codegen.products import panels
        from jitscope.runtime import trial

        trial.CLEARLY, trial.CALL = (
            0.0,
            -1.0,
        )  # compiled code stays, if it pays or not: it is what is looked at

        for number, line in enumerate(sys.stdin):
            asked = json.loads(line)
            if registers := asked.get("registers"):
                panels.vector_bytes = lambda size=registers: size
            path = Path(folder) / f"program_{number}.py"
            path.write_text(asked["text"])
            report: dict[str, Any] = {"status": "no program", "kind": "", "detail": ""}
            try:
                if not asked.get("must_run") or runs_alone(asked["text"]):
                    chosen = {name: asked[name] for name in OPTIONS if name in asked}
                    report = dataclasses.asdict(check(path, **chosen))
            except Exception as error:  # noqa: BLE001 (neither the plain nor the decorated function could be called)
                report = {"status": "broken", "kind": f"check: {type(error).__name__}", "detail": repr(error)}
            answers.write(json.dumps(report, default=str) + "\n")
            answers.flush()


if __name__ == "__main__":
    main()
