"""The site is built without a warning, and every link in it leads somewhere."""

from __future__ import annotations

import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from pages.blocks import DOCS, ROOT

sys.path.append(str(ROOT / "benchmarks"))
import plots

# Sphinx's own pages, which nobody wrote.
MADE = {"genindex.html", "search.html", "py-modindex.html"}


class Page(HTMLParser):
    """The links, the addresses of things that are loaded, and the anchors of a built page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.loaded: set[str] = set()
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.anchors |= {found[name] for name in ("id", "name") if name in found}
        if tag == "a" and "href" in found:
            self.links.add(found["href"])
        elif tag in ("script", "img", "link", "iframe"):
            self.loaded |= {found[name] for name in ("src", "href") if name in found}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built site."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html"]
    done = subprocess.run(
        [*command, "-d", str(folder / "trees"), str(DOCS), str(folder / "html")],
        capture_output=True,
        text=True,
        cwd=folder,  # in the root, `dask` would be our room of that name
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return folder / "html"


@pytest.fixture(scope="module")
def built(site: Path) -> dict[Path, Page]:
    return {path: Page(path.read_text()) for path in site.rglob("*.html")}


def test_every_page_of_the_docs_is_a_page_of_the_site(site: Path) -> None:
    for page in DOCS.rglob("*.md"):
        if "_build" not in page.parts:
            assert (site / page.relative_to(DOCS).with_suffix(".html")).exists(), page


def test_every_link_leads_somewhere(built: dict[Path, Page]) -> None:
    dead = []
    for path, page in built.items():
        for link in page.links | page.loaded:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.exists():
                dead.append(f"{path.name}: {link}")
            elif parts.fragment and target in built and target.name not in MADE:
                if unquote(parts.fragment) not in built[target].anchors:
                    dead.append(f"{path.name}: {link}")
    assert not dead


def test_the_site_loads_nothing_from_elsewhere(built: dict[Path, Page]) -> None:
    for path, page in built.items():
        elsewhere = [address for address in page.loaded if urlsplit(address).netloc]
        assert not elsewhere, f"{path.name}: {elsewhere}"


def test_the_figures_are_those_that_were_measured() -> None:
    page = plots.PAGE.read_text()
    rows = plots.pairs()
    assert len(rows) > 15
    assert page == plots.written(page, rows), "python benchmarks/plots.py"
    picture = plots.PICTURE.read_text()
    for row in rows:
        assert f"{row.faster:.3g} x" in picture, "python benchmarks/plots.py"
