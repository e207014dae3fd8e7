"""Many processes that start at once with one empty cache: how often they compile, and how long it takes."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

PROGRAM = """
import json, sys
import numpy as np
import jitscope as js
from jitscope.runtime import compile as pipeline
import work

made = []
make = pipeline.make
def counted(request):
    made.append(request.name)
    return make(request)
pipeline.make = counted
a = np.arange(50.0)
answers = []
for name in sorted(name for name in vars(work) if name.startswith("work_")):
    answers.append(float(js.function(getattr(work, name))(a, 3)))
print(json.dumps({"made": made, "answers": answers}))
"""
WORK = """
def work_{k}(a, n):
    s = 0.0
    for i in range(n):
        a = np.sin(a) * {k}.5 + a.mean()
        s += np.exp(-a * a).sum()
        a[0] = a[-1] / 2
    return s
"""


@dataclass
class Outcome:
    """What the processes did: compilations by key, seconds from the first start to the last end, of cores."""

    made: Counter[str]
    seconds: float
    cores: float
    answers: list[list[float]]


def write(folder: Path, functions: int) -> Path:
    """A program with so many functions."""
    bodies = "".join(WORK.format(k=k) for k in range(functions))
    (folder / "work.py").write_text(f"import numpy as np\n{bodies}")
    (folder / "program.py").write_text(PROGRAM)
    return folder / "program.py"


def start(program: Path, cache: Path) -> subprocess.Popen[str]:
    """One process of it."""
    environment = {**os.environ, "JITSCOPE_CACHE_DIR": str(cache), "JITSCOPE_LOG": ""}
    # Modules are read as bytecode, as on anybody's machine, whatever the tests themselves run with.
    environment |= {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(program.parent / "bytecode")}
    return subprocess.Popen([sys.executable, program], env=environment, stdout=subprocess.PIPE, text=True)


def run(program: Path, cache: Path, processes: int) -> Outcome:
    """Start them all at once, and wait for all."""
    begin, used = time.monotonic(), processor_time()
    started = [start(program, cache) for _ in range(processes)]
    said = [json.loads(process.communicate()[0]) for process in started]
    seconds = time.monotonic() - begin
    made = Counter(name for one in said for name in one["made"])
    return Outcome(made, seconds, processor_time() - used, [one["answers"] for one in said])


def processor_time() -> float:
    """What all processes that have ended have taken, in seconds of one core."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
