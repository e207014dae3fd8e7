"""A real browser, and the pages that it opens: for `make test-browser`, in an environment of its own."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")

# What a page must neither run nor lose, in all places where a user's text gets into it.
AWKWARD = '''\
import numpy as np

HTML = "<img src=nowhere onerror=alert(1)></script><script>alert(2)</script>"


def kernel(x, n, html=HTML):
    """<script>alert(3)</script>"""
    total = 0.0
    for k in range(n):
        total += x[k % 7] * 0.5  # <b onclick=alert(4)>bold</b> && "quoted" 'too'
    return total


def words(text):
    found = {}
    for word in text.split():
        found[word] = found.get(word, 0) + 1
    return found


class Model:
    def step(self, x):
        return eval("x.sum()")


x = np.ones(7)
kernel(x, 300_000)
words("<b>a & b</b> " * 500 + HTML)
Model().step(x)
'''


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    found = next(filter(None, map(shutil.which, NAMES)), None)
    assert found, "there is no Chromium: install it by the system's packages (apt install chromium)"
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a program whose texts are awkward."""
    folder = tmp_path_factory.mktemp("report")
    (folder / "awkward.py").write_text(AWKWARD)
    command = [sys.executable, "-m", "jitscope", "report", "awkward.py"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder / "awkward.jitscope.html"


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documentation, built."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-q", "-b", "html", str(ROOT / "docs"), str(folder)]
    subprocess.run(command, check=True, cwd=folder)
    return folder


class Opened:
    """A page in the browser, and what happened while it was opened."""

    def __init__(self, page: Page, path: Path) -> None:
        self.page = page
        self.told: list[str] = []
        self.asked: list[str] = []
        self.dialogs: list[str] = []
        page.on("console", lambda message: self.told.append(message.text))
        page.on("pageerror", lambda error: self.told.append(str(error)))
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("dialog", lambda dialog: (self.dialogs.append(dialog.message), dialog.dismiss()))
        page.goto(path.as_uri())


@pytest.fixture
def open_page(browser: Browser) -> Iterator[object]:
    """Opens a file: ``open_page(path, width=1200, night=False)``."""
    contexts = []

    def opened(path: Path, width: int = 1200, night: bool = False) -> Opened:
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme="dark" if night else "light"
        )
        contexts.append(context)
        return Opened(context.new_page(), path)

    yield opened
    for context in contexts:
        context.close()
