"""Timing that drifting machines disturb least: rivals take turns, the fastest of several turns counts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent


def take_turns(
    rivals: Mapping[str, Callable[[], Any]], repeats: int = 7, number: int = 1
) -> dict[str, float]:
    """Seconds of one call of each rival: the best of `repeats` turns of `number` calls."""
    best = dict.fromkeys(rivals, float("inf"))
    for _ in range(repeats):
        for name, call in rivals.items():
            start = time.perf_counter()
            for _ in range(number):
                call()
            best[name] = min(best[name], (time.perf_counter() - start) / number)
    return best


@dataclass(frozen=True)
class Start:
    """A fresh process and the first call in it, in seconds."""

    process: float  # the whole process, as its parent sees it
    call: float  # decorating and the first call
    total: float  # imports, decorating and the first call
    log: str  # standard error


def first_call(compiler: str, case: str, cache: Path, mode: str = "cold", log: bool = False) -> Start:
    """Start a process that makes one call.

    Args:
        compiler: "jitscope" or "numba".
        case: a name of `programs.CASES`.
        cache: folder of compiled code for either compiler.
        mode: "cold" imports what the compiler itself asks for; "imported" loads Numba before the clock
            starts; "cached" is "cold" with the cache of hand-written `njit(cache=True)` on.
        log: turn `JITSCOPE_LOG` on.
    """
    # Without byte code on disk a process would compile the checkout's own files at every start.
    env = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    env |= {"JITSCOPE_CACHE_DIR": str(cache), "NUMBA_CACHE_DIR": str(cache / "numba")}
    if log:
        env["JITSCOPE_LOG"] = "1"
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, str(HERE / "one_call.py"), compiler, case, mode],
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    seconds = time.perf_counter() - start
    if done.returncode:
        raise RuntimeError(f"{compiler} {case} {mode} failed:\n{done.stderr}")
    said = json.loads(done.stdout.splitlines()[-1])
    return Start(seconds, said["call"], said["total"], done.stderr)
