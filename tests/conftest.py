"""Settings of the whole suite: one cache folder a session, verified kernels, and `--update-golden`."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from pathlib import Path

import pytest

# One folder for all workers and for the processes that tests start, so that nothing is compiled twice.
_CACHE = "JITSCOPE_CACHE_DIR"


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--update-golden` rewrites the golden files instead of comparing with them."""
    parser.addoption("--update-golden", action="store_true", help="rewrite the golden files")


def pytest_configure(config: pytest.Config) -> None:
    """Give the session a fresh cache folder; workers inherit the controller's."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # so a shell starts what runs in the background
        signal.signal(signal.SIGINT, signal.default_int_handler)
    for name in ("JITSCOPE_DISABLE", "JITSCOPE_LOG"):
        os.environ.pop(name, None)
    if hasattr(config, "workerinput"):
        return
    os.environ["JITSCOPE_CHECK"] = "1"
    folder = Path(tempfile.mkdtemp(prefix="jitscope-tests-"))
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    os.environ[_CACHE] = str(folder / "cache")


@pytest.fixture(scope="session")
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are to be rewritten."""
    return bool(request.config.getoption("--update-golden"))


@pytest.fixture
def driver_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls of which nothing is compiled run the generated driver, not the plain function."""
    from jitscope.runtime.function import Function

    monkeypatch.setattr(Function, "runner", lambda function, found: found.entry or function.plain)


@pytest.fixture(autouse=True)
def compiled_code_pays(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled code stays, whatever the first calls take: NumPy is faster on one machine than on another.

    What such calls decide is the matter of `runtime/test_trial.py`, which goes without.
    """
    if request.path.name != "test_trial.py":
        from jitscope.runtime import trial

        monkeypatch.setattr(trial, "CLEARLY", 0.0)
