"""Processes that check programs, and what is seen of them when they end or hang."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parent.parent
TIMEOUT, PROGRAMS = 120.0, 150


class Process:
    """A worker that is started when needed, and anew after some programs: each of them stays in memory."""

    def __init__(
        self, interpreted: bool = False, timeout: float = TIMEOUT, module: str = "fuzz.worker"
    ) -> None:
        self.interpreted, self.timeout, self.module = interpreted, timeout, module
        self.process: subprocess.Popen[str] | None = None
        self.left = 0

    def ask(self, text: str, **asked: Any) -> dict[str, Any]:
        """The report on one program; a crash or timeout is a report, too."""
        if self.left == 0:
            self.stop()
            self.start()
        self.left -= 1
        assert self.process and self.process.stdin
        began = time.monotonic()
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(json.dumps({"text": text, **asked}) + "\n")
            self.process.stdin.flush()
        return {**self._line(self.timeout), "text": text, "wall": time.monotonic() - began}

    def _line(self, seconds: float) -> dict[str, Any]:
        assert self.process and self.process.stdout
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            if not selector.select(max(0.1, seconds)):
                self.stop()
                return {"status": "timeout", "kind": "timeout", "detail": f"{self.timeout} s"}
        line = self.process.stdout.readline()
        if line:
            return json.loads(line)
        code = self.process.wait()
        self.stop()
        if code > 0:
            raise RuntimeError(
                f"the worker ended with {code}: run `python -m {self.module}` in {TESTS} to see why"
            )
        return {"status": "crash", "kind": f"crash {code}", "detail": f"the process ended with {code}"}

    def start(self) -> None:
        """A fresh process."""
        env = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(TESTS), *sys.path]),  # the package that is tested here
            "JITSCOPE_CHECK": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "NUMBA_DISABLE_JIT": "1" if self.interpreted else "0",
        }
        env.pop("JITSCOPE_DISABLE", None)
        self.process = subprocess.Popen(
            [sys.executable, "-m", self.module], cwd=TESTS, env=env, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )  # fmt: skip
        self.left = PROGRAMS

    def close(self) -> None:
        """End the process, as files are closed."""
        self.stop()

    def stop(self) -> None:
        """End the process, if there is one."""
        if self.process:
            self.process.kill()
            self.process.wait()
            for stream in (self.process.stdin, self.process.stdout):
                with contextlib.suppress(OSError):
                    assert stream
                    stream.close()
        self.process, self.left = None, 0
