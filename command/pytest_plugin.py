"""The plugin for pytest: fixtures that ask whether functions are compiled, right and compiled once.

Each test session has a cache of its own, which its workers share; ``JITSCOPE_CACHE_DIR``, where it is set, is
left alone. jitscope itself is imported by the first test that uses it.
"""

from __future__ import annotations

import gc
import importlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

_CACHE = "JITSCOPE_CACHE_DIR"
_TOOLS = ("checks", "findings", "page", "recorder")


def pytest_addoption(parser: pytest.Parser) -> None:
    """The plugin's options."""
    group = parser.getgroup("jitscope")
    group.addoption("--jitscope-disable", action="store_true", help="run decorated functions as plain Python")
    group.addoption(
        "--jitscope-report", metavar="HTML", help="write how the decorated functions of the run ran"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Settings for this process and those that it starts: workers, and what tests run."""
    if config.getoption("--jitscope-disable"):
        os.environ["JITSCOPE_DISABLE"] = "1"
        _set("disable", True)
    if _CACHE in os.environ:
        return
    folder = tempfile.mkdtemp(prefix="jitscope-tests-")
    os.environ[_CACHE] = os.path.join(folder, "cache")
    _set("cache_dir", os.environ[_CACHE])
    config.add_cleanup(lambda: _leave(folder))


def _set(name: str, value: object) -> None:
    """An option of jitscope's, if it has been imported already and so has read its environment."""
    if "jitscope" in sys.modules:
        setattr(sys.modules["jitscope"].config, name, value)


def _leave(folder: str) -> None:
    os.environ.pop(_CACHE, None)
    shutil.rmtree(folder, ignore_errors=True)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the report, where one is asked for: each worker its own."""
    name = session.config.getoption("--jitscope-report")
    if not name or "jitscope" not in sys.modules:
        return
    path = Path(name)
    if (worker := getattr(session.config, "workerinput", None)) is not None:
        path = path.with_name(f"{path.stem}.{worker['workerid']}{path.suffix}")
    try:
        path.write_text(_page(path.stem), encoding="utf-8")
    except OSError as error:
        print(f"\njitscope: {path} can't be written: {error.strerror}", file=sys.stderr)


def _page(title: str) -> str:
    """The report of all decorated functions that there are, and of those that tests have asked about."""
    tools = {name: importlib.import_module(f"jitscope.tools.{name}") for name in _TOOLS}
    kind = importlib.import_module("jitscope.runtime.function").Function
    alive = [one for one in gc.get_objects() if isinstance(one, kind)]
    states = {id(one): one for one in (*tools["checks"].asked_about, *alive) if one.specialisations}
    records = [tools["recorder"].Called(one, calls=1) for one in states.values()]
    page: str = tools["page"].page(tools["findings"].findings(title, records, times=False))
    return page


def _check(name: str) -> Callable[..., Any]:
    found: Callable[..., Any] = getattr(importlib.import_module("jitscope.tools.checks"), name)
    return found


@pytest.fixture
def same_as_plain() -> Callable[..., object]:
    """``same_as_plain(f, *args, calls=2)``: results, exceptions and arguments are the plain function's."""
    return _check("same_as_plain")


@pytest.fixture
def jitscope_compiled(request: pytest.FixtureRequest) -> Callable[..., object]:
    """``jitscope_compiled(f, *args, coverage=0.9)``: so much of a plain call's time is compiled.

    With ``--jitscope-disable`` such a test is skipped: nothing is compiled then.
    """
    if request.config.getoption("--jitscope-disable"):
        pytest.skip("nothing is compiled with --jitscope-disable")
    return _check("compiled")


@pytest.fixture
def no_recompile() -> Callable[[], Any]:
    """``with no_recompile():`` nothing is traced or compiled in the block."""
    return _check("no_recompile")


@pytest.fixture
def check_grads() -> Callable[..., None]:
    """``check_grads(f, *args, order=1)``: derivatives are those that differences give."""
    return _check("check_grads")
