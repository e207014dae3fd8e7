"""What comes of the programs of `gpu_programs.py` on Numba's CUDA simulator, in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

SCRIPT = Path(__file__).resolve().parent / "gpu_simulated.py"


def simulated() -> dict[str, dict[str, Any]]:
    """What `gpu_simulated.py` says of each program."""
    done = subprocess.run(
        [sys.executable, str(SCRIPT)],
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"},
        capture_output=True,
        text=True,
        timeout=110,
    )
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return {line["name"]: line for line in lines}
