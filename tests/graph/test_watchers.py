"""Who wants to hear of a change hears of it, and leaves nothing when it is gone."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path

import pytest

from jitscope.graph.trace.watchers import Watchers


class Ear:
    """Writes down what it hears."""

    def __init__(self, name: str, heard: list[str]) -> None:
        self.name, self.heard = name, heard

    def hear(self) -> None:
        self.heard.append(self.name)


def test_all_that_are_there_hear_in_the_order_in_which_they_came() -> None:
    watchers, heard = Watchers(), []
    ears = [Ear(name, heard) for name in "abc"]
    for ear in ears:
        watchers.add(ear.hear)
    watchers.tell()
    del ears[1], ear
    gc.collect()
    watchers.tell()
    assert heard == ["a", "b", "c", "a", "c"]
    assert len(watchers) == 2


def test_who_comes_or_goes_while_others_are_told_does_no_harm() -> None:
    watchers, heard = Watchers(), []
    kept: list[Ear] = []

    class Restless(Ear):
        def hear(self) -> None:
            super().hear()
            kept.clear()
            gc.collect()
            kept.append(Ear("new", heard))
            watchers.add(kept[0].hear)

    restless = Restless("restless", heard)
    watchers.add(restless.hear)
    kept.append(Ear("gone", heard))
    watchers.add(kept[0].hear)
    watchers.tell()
    assert heard == ["restless"]
    watchers.tell()
    assert heard == ["restless", "restless"]
    assert len(watchers) == 2


THROWN_AWAY = """
import gc
import sys
import tracemalloc

import numpy as np
import jitscope as js

def decorate():
    js.function(lambda x: x + 1)

def build():
    with js.Graph().as_default(), js.Session() as session:
        x = js.placeholder(np.float64)
        assert session.run(x, {x: 2.0}) == 2.0

make = {"decorate": decorate, "build": build}[sys.argv[1]]
for _ in range(20):
    make()
gc.collect()
tracemalloc.start()
before = tracemalloc.get_traced_memory()[0]
for _ in range(300):
    make()
gc.collect()
print((tracemalloc.get_traced_memory()[0] - before) / 300)
"""


@pytest.mark.parametrize("make", ["decorate", "build"])
def test_what_is_made_in_a_loop_and_thrown_away_takes_no_memory(make: str, tmp_path: Path) -> None:
    program = tmp_path / "thrown_away.py"
    program.write_text(THROWN_AWAY)
    command = [sys.executable, str(program), make]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < 200  # bytes for each


def test_nothing_is_said_when_python_ends(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("""
import jitscope as js

x = js.placeholder(js.float64, [None])
session = js.Session()
try:
    session.run(x + 1, {x: "text"})
except TypeError as error:
    print(error)
""")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=60)
    assert "made of numbers" in done.stdout
    assert (done.returncode, done.stderr) == (0, "")
