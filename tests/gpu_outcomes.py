"""What comes of the programs of `gpu_programs.py` on Numba's CUDA simulator, in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

SCRIPT = Path(__file__).resolve().parent / "gpu_simulated.py"


LIMIT = 400
"""Seconds; it takes 45 on a quiet machine."""


def simulated() -> dict[str, dict[str, Any]]:
    """What `gpu_simulated.py` says of each program; workers of one run of the tests share one simulation."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID")
    if run is None:
        return _simulate()
    shared = Path(tempfile.gettempdir()) / f"jitscope-simulated-{run}"
    try:
        shared.mkdir()
    except FileExistsError:
        return _from_another(shared / "outcomes.json")
    found = _simulate()
    (shared / "part").write_text(json.dumps(found))
    (shared / "part").rename(shared / "outcomes.json")
    return found


def _from_another(file: Path) -> dict[str, dict[str, Any]]:
    """What the worker that came first writes to `file`."""
    for _ in range(LIMIT):
        if file.exists():
            return json.loads(file.read_text())
        time.sleep(1)
    raise AssertionError("the simulation in another worker has failed")


def _simulate() -> dict[str, dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, str(SCRIPT)],
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"},
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return {line["name"]: line for line in lines}
