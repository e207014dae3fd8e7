"""`import jitscope` stays light: NumPy, gast and the standard library, nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

PROBE = """
import json, sys
import numpy, gast
before = set(sys.modules)
import jitscope
print(json.dumps(sorted({name.split(".")[0] for name in set(sys.modules) - before})))
"""

# The collector takes modules out of `sys.modules` while a first call looks through them.
LEAVING = """
import gc, sys, types, weakref
from jitscope.runtime.turns import why_not_now

class Holder:
    pass

def leave(name):
    sys.modules[name] = types.ModuleType(name)
    holder = Holder()
    holder.itself = holder
    weakref.finalize(holder, sys.modules.pop, name, None).atexit = False

gc.collect()
gc.disable()
for k in range(100):
    leave(f"gone_{k}")
gc.set_threshold(gc.get_count()[0] + 150)
gc.enable()
print(why_not_now() or "nothing stands against it")
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


LATE = """
import sys
import jitscope as js
late = [name for name in sys.modules if name.startswith(("jitscope.graph.explicit", "jitscope.graph.passes"))]
assert not late, late
assert js.placeholder(js.float64, [2]).op.type == "Placeholder"
assert {name for name in js.__all__ if not hasattr(js, name)} == set()
assert set(js.__all__) <= set(dir(js))
from jitscope.runtime import graph_mode
assert set(graph_mode.__all__) <= set(js.__all__)
"""


def test_graphs_and_sessions_are_imported_when_they_are_used() -> None:
    subprocess.run([sys.executable, "-c", LATE], check=True)


def test_there_is_nothing_that_the_package_does_not_name() -> None:
    import jitscope

    assert len(set(jitscope.__all__)) == len(jitscope.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'placeholders'"):
        _ = jitscope.placeholders


def test_the_records_of_operations_are_imported_when_something_is_traced() -> None:
    """They hold NumPy's functions, which a program may replace after it has imported us."""
    probe = (
        'import sys, jitscope; print([name for name in sys.modules if name.startswith("jitscope.graph.ops")])'
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_modules_that_go_while_something_is_imported(tmp_path: Path) -> None:
    (tmp_path / "leaving.py").write_text(LEAVING)
    done = subprocess.run(
        [sys.executable, "-c", "import jitscope, leaving"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.stderr == ""
    assert done.stdout == "nothing stands against it\n"
