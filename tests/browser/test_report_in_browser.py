"""The report in a browser: it runs and fetches nothing, and is read by keyboard, by night, and large."""

from __future__ import annotations

import pytest

# The contrast of each piece of text against what is painted behind it (WCAG 2.2, 1.4.3).
CONTRAST = """() => {
  const channel = c => { c /= 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
  const parsed = text => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const behind = element => {
    for (let e = element; e; e = e.parentElement) {
      const colour = parsed(getComputedStyle(e).backgroundColor);
      if (colour.length === 3 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const low = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !element.checkVisibility()) continue;
    if (element.closest('svg, style')) continue;
    const [a, b] = [light(parsed(getComputedStyle(element).color)), light(behind(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) low.push([ratio.toFixed(2), walker.currentNode.data.trim().slice(0, 40)]);
  }
  return low;
}"""
OVERFLOW = "() => document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth"
# Which of the summaries has the focus, -1 for none.
FOCUSED = "() => [...document.querySelectorAll('summary')].indexOf(document.activeElement)"


def test_it_runs_nothing_and_asks_for_nothing(open_page, report):
    opened = open_page(report)
    assert opened.told == []
    assert opened.dialogs == []
    assert [url for url in opened.asked if not url.startswith("data:")] == [report.as_uri()]


def test_texts_of_the_user_stay_texts(open_page, report):
    opened = open_page(report)
    assert opened.page.locator("script").count() == 0
    assert opened.page.locator("img[src=nowhere]").count() == 0
    assert opened.page.locator("b[onclick]").count() == 0
    assert '<b onclick=alert(4)>bold</b> && "quoted"' in opened.page.locator(".source").first.text_content()


def test_a_script_that_got_in_would_not_run(open_page, report, tmp_path):
    injected = tmp_path / "injected.html"
    text = report.read_text()
    injected.write_text(
        text.replace("</body>", "<script>alert(5)</script><img src=x onerror=alert(6)></body>")
    )
    assert injected.read_text() != text
    opened = open_page(injected)
    assert opened.dialogs == []
    assert any("Content Security Policy" in line for line in opened.told)


def test_lines_fold_open_by_keyboard(open_page, report):
    page = open_page(report).page
    wanted = page.locator("details:not([open]) > summary").count()
    assert wanted > 3
    reached = set()
    for _ in range(4 * wanted):
        page.keyboard.press("Tab")
        place = page.evaluate(FOCUSED)
        if place >= 0 and place not in reached:
            reached.add(place)
            before = page.locator("details[open]").count()
            page.keyboard.press("Enter")
            assert page.locator("details[open]").count() == before + 1, place
    assert page.locator("details:not([open])").count() == 0


def test_the_focus_is_seen(open_page, report):
    page = open_page(report).page
    page.keyboard.press("Tab")
    style = page.evaluate("() => getComputedStyle(document.activeElement).outlineStyle")
    width = page.evaluate("() => parseFloat(getComputedStyle(document.activeElement).outlineWidth)")
    assert style != "none"
    assert width >= 1


@pytest.mark.parametrize("night", [False, True])
def test_every_text_has_contrast(open_page, report, night):
    page = open_page(report, night=night).page
    page.evaluate("() => document.querySelectorAll('details').forEach(d => d.open = true)")
    assert page.evaluate(CONTRAST) == []


def test_night_is_dark(open_page, report):
    colours = {
        night: open_page(report, night=night).page.evaluate(
            "() => getComputedStyle(document.body).backgroundColor"
        )
        for night in (False, True)
    }
    assert colours[False] != colours[True]


@pytest.mark.parametrize("width", [1200, 600, 360])
def test_the_page_itself_never_scrolls_sideways(open_page, report, width):
    """600 is 200 % of a screen of 1200."""
    page = open_page(report, width=width).page
    page.evaluate("() => document.querySelectorAll('details').forEach(d => d.open = true)")
    assert page.evaluate(OVERFLOW) <= 0


def test_verdicts_are_words_and_pictures_have_texts(open_page, report):
    page = open_page(report).page
    for verdict in ("compiled", "Python"):
        assert page.locator(".source .state", has_text=verdict).count(), verdict
    assert page.locator("img:not([alt])").count() == 0
    assert page.locator("html[lang]").count() == 1
    assert page.locator("h1").count() == 1
