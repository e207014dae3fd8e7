"""Programs that make functions, call and drop them, and print what stays."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

BEGINNING = """
import ctypes, gc, importlib.util, linecache, os, sys
import numpy as np
import jitscope as js

COUNT, FOLDER, A = int(sys.argv[1]), sys.argv[2], np.arange(50.0)

def megabytes():
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6

def maps():
    return sum(1 for _ in open("/proc/self/maps"))

def engines():
    return sum(type(one).__name__ == "ModuleCodegen" for one in gc.get_objects())

def closure(k):
    held, c = np.ones(100_000), float(k)
    @js.function
    def f(a, n):
        s = held[0] - 1.0
        for i in range(n):
            s += a[i] * c
        return s
    return f

SOURCE = '''
import jitscope as js

@js.function
def f(a, n):
    s = {k}.0
    for i in range(n):
        s += a[i] * {k}.5
    return s
'''

def module(k):
    path = f"{FOLDER}/m{k}.py"
    with open(path, "w") as file:
        file.write(SOURCE.format(k=k))
    spec = importlib.util.spec_from_file_location(f"m{k}", path)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made.f

def work(make, numbers):
    for k in numbers:
        f = make(k)
        assert f(A, 50) == f.python_function(A, 50)
        linecache.cache.pop(f.python_function.__code__.co_filename, None)
    gc.collect()
    if hasattr(libc := ctypes.CDLL(None), "malloc_trim"):
        libc.malloc_trim(0)  # what the allocator keeps for the next one is not ours

make = {"closures": closure, "modules": module}[sys.argv[3]]
warm = int(sys.argv[4])
work(make, range(warm))
before = megabytes(), maps(), len(sys.modules), len(linecache.cache)
work(make, range(warm, warm + COUNT))
after = megabytes(), maps(), len(sys.modules), len(linecache.cache)
more = [late - early for late, early in zip(after, before)]
print(f"{COUNT} {sys.argv[3]}: {more[0]:.1f} MB, {more[1]} maps, {more[2]} modules, {more[3]} texts more; "
      f"{engines()} engines")
"""


def growth(folder: Path, kind: str, count: int, warm: int, timeout: float = 120) -> dict[str, float]:
    """How much more of what there is after `count` functions that were made, called and dropped."""
    (folder / "memory.py").write_text(BEGINNING)
    done = subprocess.run(
        [sys.executable, "memory.py", str(count), str(folder), kind, str(warm)],
        cwd=folder,
        env={**os.environ, "JITSCOPE_CACHE_DIR": str(folder / "cache")},
        capture_output=True,
        text=True,
        timeout=timeout,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    print(done.stdout.strip())
    return {name: float(number) for number, name in re.findall(r"(-?[\d.]+) (MB|maps|\w+)", done.stdout)}
