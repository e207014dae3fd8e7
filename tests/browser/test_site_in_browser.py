"""The documentation in a browser: nothing comes from elsewhere, nothing fails, it fits any screen."""

from __future__ import annotations

import pytest

PAGES = ["index", "start", "internals/walk", "reference/functions", "comparison", "benchmarks", "numpy"]
OVERFLOW = "() => document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth"


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("night", [False, True])
def test_it_opens_without_a_complaint(open_page, site, name, night):
    opened = open_page(site / f"{name}.html", night=night)
    assert opened.told == []
    assert opened.dialogs == []
    assert {url.partition(":")[0] for url in opened.asked} <= {"file", "data"}


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("width", [1200, 600, 360])
def test_it_is_no_wider_than_the_screen(open_page, site, name, width):
    assert open_page(site / f"{name}.html", width=width).page.evaluate(OVERFLOW) <= 0


def test_every_picture_is_there(open_page, site):
    for name in PAGES:
        page = open_page(site / f"{name}.html").page
        broken = page.evaluate("() => [...document.images].filter(i => !i.naturalWidth).map(i => i.src)")
        assert broken == [], name
