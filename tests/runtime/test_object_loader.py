"""Machine code of an earlier process, loaded without Numba."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from compiled import needs_compiler

import jitscope as js
from jitscope.runtime import kernel_objects, load, object_loader

PROGRAM = Path(__file__).resolve().parent.parent / "loaded_programs.py"
ON_LINUX = sys.platform == "linux" and sys.maxsize > 2**32 and sys.byteorder == "little"

pytestmark = [needs_compiler, pytest.mark.skipif(not ON_LINUX, reason="reads objects of Linux")]


def process(cache: Path, **environment: str) -> dict[str, Any]:
    """What a new process of the program tells."""
    wanted = {**os.environ, "JITSCOPE_CACHE_DIR": str(cache), "JITSCOPE_LOG": "", **environment}
    done = subprocess.run([sys.executable, PROGRAM], env=wanted, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


def test_a_second_process_does_without_numba(tmp_path: Path) -> None:
    first = process(tmp_path)
    assert not first["wrong"] and first["compilations"] >= 10
    second = process(tmp_path)
    assert second == {"wrong": [], "numba": [], "compilations": 0}
    third = process(tmp_path, JITSCOPE_LOADER="numba")
    assert third["numba"] and not third["wrong"] and not third["compilations"]


def total(a, n):
    s = 0.0
    for i in range(n):
        s += a[i] * i
    return s


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """The folder of an entry that `total` has in the cache; no process knows its module any more."""
    assert js.config.cache_dir
    f = js.function(total)
    f(np.arange(3.0), 3)
    forget()
    return Path(f.specializations[0].module_path).parent


def forget() -> None:
    load._shared.clear()
    load._recent.clear()


def loaded() -> Any:
    """`total` as a new process would make it, and what loads its kernel."""
    f = js.function(total)
    assert f(np.arange(3.0), 3) == 5.0
    with pytest.raises(IndexError):
        f(np.arange(3.0), 4)
    kernel = vars(f.specializations[0].loaded.module)["cluster_0"]
    forget()
    return f.specializations[0].from_disk, kernel.__doc__ == "compiled kernel"


def test_the_kernel_comes_from_its_object(kept: Path) -> None:
    assert (kept / "cluster_0.o").is_file()
    assert loaded() == (True, True)


def test_what_has_been_damaged_is_made_again(kept: Path) -> None:
    path = kept / "cluster_0.o"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    assert loaded() == (False, False)
    assert loaded() == (True, True)


def test_numba_loads_it_where_something_is_not_known(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: Any) -> None:
        raise object_loader.NotHere("a symbol of another version is not in this process")

    monkeypatch.setattr(object_loader, "_tell", unknown)
    assert loaded() == (True, False)


def test_a_name_that_nobody_knows_is_not_handed_to_llvm() -> None:
    with pytest.raises(object_loader.NotHere, match="nobodys_name"):
        object_loader._tell("nobodys_name", "process")
    with pytest.raises(object_loader.NotHere, match="another.module"):
        object_loader._tell("name", "another.module", "name")


def test_the_option_says_who_loads(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(js.config, "loader", "numba")
    assert loaded() == (True, False)
    with pytest.raises(ValueError, match="loader"):
        js.config.loader = "fast"


@pytest.mark.parametrize(
    "header", [b"", b"MZ\x90", b"\x7fELF\x01\x01", b"\x7fELF\x02\x02"], ids=["none", "coff", "32 bits", "big"]
)
def test_objects_of_other_systems_are_left_to_numba(header: bytes) -> None:
    with pytest.raises(kernel_objects.NotPortable):
        list(kernel_objects.undefined(header.ljust(64, b"\0")))
