"""The disk cache where others write as well, where the disk is full, and where it has grown large."""

from __future__ import annotations

import io
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from handmade import FOUR, Handmade

import jitscope as js
from jitscope.runtime import cache as disk
from jitscope.runtime import cache_limit, trusted
from jitscope.runtime.config import Config


@pytest.fixture
def program(handmade: Handmade) -> Callable[[], Any]:
    """Makes a function anew, as another process would; the first one traces and compiles."""

    def total(a, b, c, d):
        return a + b + c + d

    handmade.plan("total", FOUR, clusters=("cluster_0",))
    return lambda: js.function(total)


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Iterator[Callable[[], list[str]]]:
    """What was logged about the cache."""
    before, js.config.log = js.config.log, "cache"
    disk._told.clear()
    yield lambda: capsys.readouterr().err.splitlines()
    js.config.log = before


def call(f: Any) -> bool:
    """Call `f`; whether its specialisation was compiled."""
    a = np.arange(5.0)
    np.testing.assert_array_equal(f(a, a, a, a), 4 * a)
    return bool(f.specializations[0].clusters)


def loaded(program: Callable[[], Any]) -> bool:
    """Whether a new process would find the entry."""
    f = program()
    call(f)
    return bool(f.specializations[0].from_disk)


def entry(cache: Path) -> Path:
    (found,) = (path for path in cache.iterdir() if path.name.startswith("total-"))
    return found


# What stands where an entry should be --------------------------------------------------------------------


def make_file(place: Path, aside: Path) -> None:
    place.write_text("nothing")


def make_pipe(place: Path, aside: Path) -> None:
    os.mkfifo(place)


def make_socket(place: Path, aside: Path) -> None:
    before = os.getcwd()
    os.chdir(place.parent)  # names of sockets are short
    try:
        socket.socket(socket.AF_UNIX).bind(place.name)
    finally:
        os.chdir(before)


def make_dangling(place: Path, aside: Path) -> None:
    place.symlink_to(aside / "nowhere")


def make_loop(place: Path, aside: Path) -> None:
    place.symlink_to(place)


def make_link(place: Path, aside: Path) -> None:
    place.symlink_to(aside, target_is_directory=True)


def make_folder_of_all(place: Path, aside: Path) -> None:
    place.mkdir()
    place.chmod(0o777)


@pytest.mark.parametrize("level", ["key", "variant"])
@pytest.mark.parametrize(
    "make", [make_file, make_pipe, make_socket, make_dangling, make_loop, make_link, make_folder_of_all]
)
def test_what_stands_in_the_place_of_an_entry_is_replaced(
    make: Callable[[Path, Path], None], level: str, program: Callable[[], Any], cache: Path, tmp_path: Path
) -> None:
    aside = tmp_path / "aside"
    aside.mkdir()
    call(program())
    place = entry(cache) if level == "key" else next(entry(cache).iterdir())
    place.rename(tmp_path / "before")
    make(place, aside)
    assert call(program())
    assert loaded(program)
    assert not list(aside.iterdir())
    assert not list(cache.glob(".new*"))


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
def test_an_entry_of_somebody_else_is_left_alone(
    program: Callable[[], Any], cache: Path, told: Callable[[], list[str]]
) -> None:
    call(program())
    place = entry(cache)
    os.chown(place, 12345, 12345)
    assert call(program())
    assert any("belongs to somebody else" in line for line in told())
    assert place.stat().st_uid == 12345


def own_by_another(root: Path) -> None:
    os.chown(root, 12345, 12345)


def reach_by_a_link_of_another(root: Path) -> None:
    root.rename(root.with_name("elsewhere"))
    root.symlink_to(root.with_name("elsewhere"), target_is_directory=True)
    os.chown(root, 12345, 12345, follow_symlinks=False)


def give_to_a_group(root: Path) -> None:
    os.chown(root, -1, 12345)
    root.chmod(0o770)


def give_to_all(root: Path) -> None:
    root.chmod(0o777)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize("spoil", [own_by_another, reach_by_a_link_of_another, give_to_a_group, give_to_all])
def test_a_cache_whose_entries_others_may_move_is_not_used(
    spoil: Callable[[Path], None], program: Callable[[], Any], cache: Path, told: Callable[[], list[str]]
) -> None:
    call(program())
    spoil(cache)
    before = sorted(cache.rglob("*"))
    assert not loaded(program)
    assert sorted(cache.rglob("*")) == before
    assert any("nothing is kept on disk" in line for line in told())


def test_a_cache_that_others_may_write_but_not_move_is_used(program: Callable[[], Any], cache: Path) -> None:
    cache.mkdir()
    cache.chmod(0o1777)
    call(program())
    assert loaded(program)


def test_a_cache_of_the_users_own_group_is_used(
    program: Callable[[], Any], cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.mkdir()
    cache.chmod(0o775)
    for own in (True, False):
        monkeypatch.setattr(trusted, "_is_own_group", lambda _, own=own: own)
        call(program())
        assert loaded(program) is own


@pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
def test_a_link_that_comes_between_two_looks_gives_nothing_else_another_mode(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    aside, place = tmp_path / "aside", cache / "place"
    aside.mkdir(mode=0o755)
    place.mkdir(parents=True)
    look = os.lstat

    def look_then_exchange(path: Any) -> os.stat_result:
        status = look(path)
        if path == place and not place.is_symlink():
            place.rmdir()
            place.symlink_to(aside, target_is_directory=True)
        return status

    monkeypatch.setattr(os, "lstat", look_then_exchange)
    with pytest.raises((OSError, trusted.Damaged)):
        trusted.make_folder(place, tmp_path / "old")
    assert aside.stat().st_mode & 0o777 == 0o755


def test_what_cannot_be_replaced_is_served_from_memory(
    program: Callable[[], Any],
    cache: Path,
    tmp_path: Path,
    told: Callable[[], list[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    call(program())
    place = entry(cache)
    place.rename(tmp_path / "before")
    place.write_text("a file")
    rename = os.rename

    def refuse(source: Any, target: Any, **more: Any) -> None:
        if Path(source) == place:
            raise PermissionError(1, "Operation not permitted")
        rename(source, target, **more)

    monkeypatch.setattr(os, "rename", refuse)
    assert call(program())
    assert any("not kept on disk" in line for line in told())
    assert not list(cache.glob(".new*"))


# Full disks ----------------------------------------------------------------------------------------------


def test_a_disk_that_is_full_when_machine_code_is_written(
    program: Callable[[], Any], told: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    from numba.core import caching

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(caching.IndexDataCacheFile, "_save_data", full)
        assert call(program())
    assert len([line for line in told() if "No space left" in line]) == 1
    assert not loaded(program)
    assert loaded(program)


FULL = """
import resource, signal, sys
import numpy as np
import jitscope as js

@js.function
def f(a):
    return np.exp(a) * np.sin(a) + np.cos(a) / 2

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
a = np.arange(5.0)
resource.setrlimit(resource.RLIMIT_FSIZE, (4000, resource.RLIM_INFINITY))  # no file larger than this
f(a)
assert f.specializations[0].clusters, f.explain()
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
f(a.astype("f4"))
assert f.specializations[1].clusters
print(js.config.counters)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="limits of POSIX")
def test_files_that_may_not_grow(tmp_path: Path) -> None:
    script = tmp_path / "full.py"
    script.write_text(FULL)
    cache = tmp_path / "cache"
    environment = {**os.environ, "JITSCOPE_CACHE_DIR": str(cache), "JITSCOPE_LOG": "cache"}
    done = subprocess.run([sys.executable, script], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("not kept on disk") == 1, done.stderr
    assert len(list(cache.glob("*/*/manifest.json"))) == 1
    assert not list(cache.rglob(".turn"))


def test_turns_end_where_files_may_not_grow_at_all(tmp_path: Path) -> None:
    script = tmp_path / "full.py"
    script.write_text(FULL.replace("(4000,", "(0,"))
    cache = tmp_path / "cache"
    environment = {**os.environ, "JITSCOPE_CACHE_DIR": str(cache)}
    done = subprocess.run([sys.executable, script], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert not list(cache.rglob(".turn"))
    assert len(list(cache.glob("f-*"))) == 1


# Standard error ------------------------------------------------------------------------------------------


class Broken(io.TextIOBase):
    def write(self, text: str) -> int:
        raise OSError(5, "Input/output error")


@pytest.mark.parametrize(
    "stream", [Broken(), None, "closed", object()], ids=["broken", "none", "closed", "odd"]
)
def test_standard_error_that_takes_nothing(
    stream: Any, program: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    if stream == "closed":
        stream = io.StringIO()
        stream.close()
    before, js.config.log = js.config.log, "all"
    try:
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stderr", stream)
            assert call(program())
    finally:
        js.config.log = before


# Drafts of processes that are gone -----------------------------------------------------------------------


def test_drafts_of_killed_processes_are_collected(program: Callable[[], Any], cache: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    hour = cache_limit._OLD
    ages = {
        f".new-{gone.pid}-old": 2 * hour,
        f".new-{gone.pid}-young": 0,
        f".new-{os.getpid()}-ours": 2 * hour,
        f".new-{os.getpid()}-dead": 48 * hour,
        ".new-abc": 2 * hour,
    }
    for name, age in ages.items():
        (cache / name / "__pycache__").mkdir(parents=True)
        os.utime(cache / name, (time.time() - age,) * 2)
    cache_limit._looked.discard(cache)
    call(program())
    left = {path.name for path in cache.iterdir() if path.name.startswith(".new")}
    assert left == {f".new-{gone.pid}-young", f".new-{os.getpid()}-ours"}


# The limit -----------------------------------------------------------------------------------------------


def put(root: Path, name: str, size: int, age: float) -> Path:
    """An entry that was used `age` seconds ago."""
    folder = root / f"{name}-0123456789abcdef" / "0123456789abcdef"
    folder.mkdir(parents=True)
    (folder / "code").write_bytes(b"x" * size)
    (folder / "manifest.json").write_text("{}")
    os.utime(folder / "manifest.json", (time.time() - age,) * 2)
    return folder


@pytest.fixture
def limit() -> Iterator[None]:
    before = js.config.cache_limit
    yield
    js.config.cache_limit = before


def test_what_was_used_least_recently_leaves(
    program: Callable[[], Any], cache: Path, limit: None, told: Callable[[], list[str]]
) -> None:
    js.config.cache_limit = "1 MB"
    kept = {age: put(cache, f"f{age}", 200_000, age) for age in (500, 100, 400, 300, 200)}
    call(program())
    assert [age for age, folder in kept.items() if folder.exists()] == [100, 300, 200]
    assert not kept[500].parent.exists()
    assert loaded(program)
    assert any("2 entries removed" in line for line in told())
    assert not list(cache.glob(".new*"))


def test_the_size_is_looked_at_again_when_much_was_written(cache: Path) -> None:
    cache.mkdir()
    folders = []
    for number in range(100):
        folders.append(put(cache, f"f{number}", 40_000, 1000 - number))
        cache_limit.wrote(cache, 40_000, 1_000_000)
        total = sum(path.stat().st_size for path in cache.rglob("*") if path.is_file())
        assert total < 1_100_000
    alive = [folder.exists() for folder in folders]
    assert alive == sorted(alive)  # the oldest are gone
    assert 15 <= sum(alive) <= 25


def test_keys_that_hold_no_entry_leave(cache: Path) -> None:
    old = put(cache, "f", 900_000, 1000)
    (old.parent / ".turn").touch()
    os.utime(old.parent / ".turn", (1.0, 1.0))
    for name, age in {"left": 7200, "young": 0}.items():
        key = cache / f"{name}-0123456789abcdef"
        key.mkdir()
        (key / ".turn").touch()
        for path in (key / ".turn", key):
            os.utime(path, (time.time() - age,) * 2)
    cache_limit.wrote(cache, 900_000, 1_000_000)
    assert [path.name for path in cache.iterdir() if path.is_dir()] == ["young-0123456789abcdef"]


def test_what_is_no_entry_never_leaves(cache: Path) -> None:
    mine = [
        cache / "letters" / "2024",
        cache / "f-0123456789abcdef" / "letters",
        cache / "letters-2" / "0" / "1",
    ]
    for folder in mine:
        folder.mkdir(parents=True)
        (folder / "letter").write_bytes(b"x" * 900_000)
        os.utime(folder.parent, (1.0, 1.0))
    cache_limit.wrote(cache, 900_000, 1_000_000)
    assert all((folder / "letter").exists() for folder in mine)


def counter_is_a_link_to_a_file_of_ours(counter: Path) -> None:
    (counter.parent / "precious").write_text("precious")
    os.link(counter.parent / "precious", counter)


@pytest.mark.parametrize(
    "put_there", [os.mkfifo, os.mkdir, counter_is_a_link_to_a_file_of_ours], ids=["pipe", "folder", "link"]
)
def test_what_stands_where_it_is_counted_stops_nobody_and_the_limit_holds(
    put_there: Callable[[Path], Any], cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.mkdir()
    put_there(cache_limit._counter(cache, 1_000_000))
    unlink = Path.unlink

    def refuse(path: Path, **more: Any) -> None:
        if path.name.startswith(cache_limit._WRITTEN):
            raise PermissionError(1, "Operation not permitted")
        unlink(path, **more)

    monkeypatch.setattr(Path, "unlink", refuse)
    for number in range(60):
        put(cache, f"f{number}", 40_000, 1000 - number)
        cache_limit.wrote(cache, 40_000, 1_000_000)
    assert 10 < len(list(cache.glob("*/*/manifest.json"))) <= 25
    assert not (cache / "precious").exists() or (cache / "precious").read_text() == "precious"


def test_no_limit_keeps_all(program: Callable[[], Any], cache: Path, limit: None) -> None:
    js.config.cache_limit = 0
    old = put(cache, "f", 2_000_000, 1e6)
    call(program())
    assert old.exists()
    assert not list(cache.glob(".written*"))


def test_an_entry_that_is_read_has_been_used(program: Callable[[], Any], cache: Path) -> None:
    call(program())
    (manifest,) = cache.rglob("manifest.json")
    os.utime(manifest, (1.0, 1.0))
    assert loaded(program)
    assert time.time() - manifest.stat().st_mtime < 100


def test_an_entry_that_leaves_while_it_is_in_use_harms_nobody(
    program: Callable[[], Any], cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    f = program()
    call(f)
    cache_limit._remove_entry(cache, next(entry(cache).iterdir()))
    assert call(f)
    assert not loaded(program)
    text = disk.Stored.text

    def text_then_gone(stored: disk.Stored) -> str:
        found = text(stored)
        cache_limit._remove_entry(cache, stored.folder)
        return found

    with monkeypatch.context() as patch:
        patch.setattr(disk.Stored, "text", text_then_gone)
        assert call(program())
    assert call(program())


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("1000", 1000),
        ("500MB", 500_000_000),
        ("1.5 g", 1_500_000_000),
        ("2k", 2000),
        ("0", 0),
        ("much", 10**9),
        ("9" * 400, sys.maxsize),
        ("9" * 5000 + " TB", sys.maxsize),
    ],
)
def test_limit_in_the_environment(text: str, size: int) -> None:
    assert Config({"JITSCOPE_CACHE_LIMIT": text}).cache_limit == size
    assert Config({}).cache_limit == 10**9


def test_limits_that_are_none_are_refused() -> None:
    for wrong in ("much", -1, True, "1 parsec"):
        with pytest.raises(ValueError, match="a size in bytes"):
            js.config.cache_limit = wrong
