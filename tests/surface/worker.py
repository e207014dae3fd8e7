"""A process that runs tasks of `parity`: it reads them from its input, a line of JSON each, and answers."""

from __future__ import annotations

import faulthandler
import json
import os
import resource
import sys
import tempfile
import warnings
from dataclasses import asdict

MEMORY = 16 * 2**30
"""Bytes of addresses: what would take more raises MemoryError, in the plain function as well."""


def main() -> None:
    """Answer each line ``{"task": ...}`` with a line."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    faulthandler.enable()
    warnings.simplefilter("ignore")
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    with tempfile.TemporaryDirectory(prefix="jitscope-parity-") as folder:
        os.environ["JITSCOPE_CACHE_DIR"] = folder
        from surface.parity import Task, run

        for line in sys.stdin:
            result = run(Task(**json.loads(line)["task"]))
            answers.write(json.dumps({"result": asdict(result)}) + "\n")
            answers.flush()


if __name__ == "__main__":
    main()
