"""`JITSCOPE_TIMELINE`: a file for each process, forked and spawned ones included."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from traces import check_document, names

PROGRAM = """
import multiprocessing, os, sys
import numpy as np
import jitscope as js

@js.function(jit_level="off")
def work(x):
    return np.negative(x) + 1.0

if __name__ == "__main__":
    if "spawn" not in sys.argv:  # what is started anew reads the environment where it is
        os.chdir(os.sep)
    work(np.ones(3))
    if sys.argv[1:]:
        worker = multiprocessing.get_context(sys.argv[1]).Process(target=work, args=(np.ones(4),))
        worker.start()
        worker.join()
        print(worker.pid)
    print(os.getpid())
"""


def run(folder: Path, *args: str) -> dict[str, dict]:
    """The timelines that the program leaves, by process."""
    (folder / "program.py").write_text(PROGRAM)
    environment = {**os.environ, "JITSCOPE_TIMELINE": "out"}  # wherever the program goes to
    done = subprocess.run(
        [sys.executable, str(folder / "program.py"), *args],
        capture_output=True,
        text=True,
        env=environment,
        check=True,
        cwd=folder,
    )
    found = {path.name: json.loads(path.read_text()) for path in (folder / "out").iterdir()}
    assert sorted(found) == sorted(f"timeline-{pid}.ctf.json" for pid in done.stdout.split())
    for document in found.values():
        check_document(document)
    return found


def test_a_process_writes_its_timeline_when_it_ends(tmp_path: Path) -> None:
    (document,) = run(tmp_path).values()
    assert names(document) == ["negative", "add"]
    assert "trace" in names(document, "Compile")
    assert document["otherData"]["program"] == "program.py"


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_child_processes_have_files_of_their_own(tmp_path: Path, method: str) -> None:
    documents = run(tmp_path, method).values()
    assert [names(document) for document in documents] == [["negative", "add"]] * 2


LONG = """
import os, sys
import numpy as np
import jitscope as js
from jitscope.runtime import timeline

timeline.MOST = 50

@js.function(jit_level="off")
def work(x):
    return np.negative(x)

for _ in range(40):
    work(np.ones(3))
assert not timeline.active()
assert os.listdir(sys.argv[1])
work(np.ones(3))
"""


def test_a_long_run_is_traced_until_there_are_enough_bars(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(LONG)
    folder = tmp_path / "out"
    environment = {**os.environ, "JITSCOPE_TIMELINE": str(folder)}
    subprocess.run([sys.executable, str(tmp_path / "program.py"), str(folder)], env=environment, check=True)
    (path,) = folder.iterdir()
    document = json.loads(path.read_text())
    check_document(document)
    assert 10 < names(document).count("negative") < 40
