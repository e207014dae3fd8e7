"""`doctor`: what jitscope finds on this machine, and whether it works."""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np

from .. import __version__
from ..runtime.config import config
from ..runtime.coverage import readable
from ..runtime.decorator import function
from ..runtime.devices import list_devices
from .answers import RIGHT, WRONG, Answer, Palette

GOOD, NOTE, BAD = "good", "half", "bad"
_PACKAGES = ("numpy", "numba", "llvmlite", "gast", "astunparse")
_EXTRAS = (
    ("numba-cuda", "kernels for GPUs"),
    ("graphviz-pure", "pictures of graphs"),
    ("dask", "arrays in blocks"),
)


@dataclass(frozen=True)
class Check:
    """One thing that was looked at."""

    about: str
    found: str
    state: str = GOOD


def doctor(options: argparse.Namespace) -> Answer:
    """Look at versions, processor, devices, cache and settings, and compile something."""
    checks = [*_versions(), *_machine(), *_cache(), *_settings(), *_works()]
    paint = Palette(sys.stdout)
    width = max(len(check.about) for check in checks)
    mark = {GOOD: "", NOTE: "  (note)", BAD: "  (wrong)"}
    lines = [
        f"{check.about:{width}}  {paint(check.found + mark[check.state], check.state)}" for check in checks
    ]
    wrong = any(check.state == BAD for check in checks)
    return Answer("\n".join(lines), {"checks": list(map(asdict, checks))}, WRONG if wrong else RIGHT)


def _versions() -> Iterator[Check]:
    yield Check("jitscope", f"{__version__} in {Path(__file__).resolve().parent.parent}")
    yield Check("python", f"{platform.python_version()} in {sys.executable}")
    for name in _PACKAGES:
        try:
            yield Check(name, version(name))
        except PackageNotFoundError:
            yield Check(name, "is not installed", BAD)
    for name, purpose in _EXTRAS:
        try:
            yield Check(name, version(name))
        except PackageNotFoundError:
            yield Check(name, f"is not installed; {purpose} need it", NOTE)


def _machine() -> Iterator[Check]:
    import llvmlite.binding as llvm

    features = llvm.get_host_cpu_features()
    wide = [name for name in ("avx512f", "avx2", "avx", "fma", "neon", "sve") if features.get(name)]
    yield Check("processor", f"{platform.machine()}, {llvm.get_host_cpu_name()}, {' '.join(wide)}")
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    yield Check("cores", f"{count} for this process, {os.cpu_count()} in the machine")
    yield Check("devices", ", ".join(list_devices()))


def _cache() -> Iterator[Check]:
    if not config.cache_dir:
        yield Check("cache", "nothing is kept on disk: each process compiles anew", NOTE)
        return
    try:
        os.makedirs(config.cache_dir, mode=0o700, exist_ok=True)
        with tempfile.TemporaryFile(dir=config.cache_dir):
            pass
    except OSError as error:
        yield Check("cache", f"{config.cache_dir} can't be written: {error.strerror}", BAD)
        return
    yield Check("cache", config.cache_dir)


def _settings() -> Iterator[Check]:
    for name in sorted(os.environ):
        if name.startswith(("JITSCOPE_", "NUMBA_")):
            stops = name == "JITSCOPE_DISABLE" and config.disable
            yield Check(name, os.environ[name] + (": nothing is compiled" if stops else ""), NOTE)


def _sample(x: np.ndarray, steps: int) -> np.ndarray:
    """What is compiled to see whether it works."""
    for _ in range(steps):
        x = x + 0.1 * np.sin(x) * x.mean()
    return x


def _works() -> Iterator[Check]:
    """A function compiled, kept, and found again."""
    if config.disable:
        return
    before = config.cache_dir
    try:
        with tempfile.TemporaryDirectory() as folder:
            config.cache_dir = folder
            yield from _compiled("compiles", "in")
            yield from _compiled("finds it on disk", "after")
    finally:
        config.cache_dir = before


def _compiled(about: str, word: str) -> Iterator[Check]:
    x = np.linspace(0.0, 1.0, 1000)
    start = time.perf_counter()
    made = function(_sample)
    try:
        found = made(x, 5)
    except Exception as error:  # whatever is wrong here
        yield Check(about, f"{type(error).__name__}: {error}", BAD)
        return
    seconds = time.perf_counter() - start
    items = made.specializations  # type: ignore[attr-defined]
    if not np.allclose(found, _sample(x, 5), rtol=1e-12):
        yield Check(about, "the answer is wrong", BAD)
    elif not items or not items[0].clusters:
        yield Check(about, f"no: {items[0].plain_reason if items else 'nothing was made'}", BAD)
    else:
        yield Check(about, f"yes, {word} {readable(seconds)}")
