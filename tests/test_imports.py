"""`import jitscope` stays light: NumPy, gast and the standard library, nothing else."""

from __future__ import annotations

import json
import subprocess
import sys

PROBE = """
import json, sys
import numpy, gast
before = set(sys.modules)
import jitscope
print(json.dumps(sorted({name.split(".")[0] for name in set(sys.modules) - before})))
"""


def new_top_level_modules() -> set[str]:
    """Top-level names that `import jitscope` adds to a process that has NumPy and gast."""
    done = subprocess.run([sys.executable, "-c", PROBE], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_import_brings_in_only_numpy_gast_and_the_standard_library() -> None:
    found = new_top_level_modules()
    assert "jitscope" in found
    # numpy and gast may load more of their own submodules.
    assert found - set(sys.stdlib_module_names) - {"jitscope", "numpy", "gast"} == set()
