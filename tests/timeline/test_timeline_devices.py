"""Lanes of a timeline: each device has one of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
from traces import bars, check_document, names

import jitscope as js

PROGRAM = """
import json, sys
import numpy as np
import jitscope as js

@js.function(jit_level="off", cache=False)
def work(x):
    with js.device("/gpu:0"), js.jit_scope():
        y = np.exp(x) * 2.0
    return np.sort(y) + x

x = np.linspace(0.0, 1.0, 20)
with js.trace(sys.argv[1]):
    y = work(x)
np.testing.assert_allclose(y, np.sort(np.exp(x) * 2.0) + x, rtol=1e-14)
"""


def lanes(document: dict) -> dict[int, str]:
    """The names of the lanes."""
    return {e["pid"]: e["args"]["name"] for e in document["traceEvents"] if e["name"] == "process_name"}


def test_kernels_on_a_gpu_have_a_lane_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    path = tmp_path / "timeline.json"
    subprocess.run(
        [sys.executable, str(tmp_path / "program.py"), str(path)],
        check=True,
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"},
    )
    document = json.loads(path.read_text())
    check_document(document)
    place = {bar["name"]: lanes(document)[bar["pid"]] for bar in bars(document)}
    host = "/job:localhost/replica:0/task:0/device:CPU:0 Compute"
    assert place == {"_JitLaunch": host.replace("CPU", "GPU"), "sort": host, "add": host}


def test_what_is_placed_on_jit_cpu_has_its_lane() -> None:
    @js.function(jit_level="off", cache=False)
    def placed(x):
        with js.device("/device:JIT_CPU:0"):
            y = np.exp(x) * 2.0
        return y + 1.0

    placed(np.ones(3))
    with js.trace(None) as trace:
        placed(np.ones(3))
    check_document(trace.document)
    assert names(trace.document) == ["_JitLaunch", "add"]
    launch, add = (lanes(trace.document)[bar["pid"]] for bar in bars(trace.document))
    assert launch == "/job:localhost/replica:0/task:0/device:JIT_CPU:0 Compute"
    assert add == "/job:localhost/replica:0/task:0/device:CPU:0 Compute"
