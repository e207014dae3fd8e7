"""The report as one HTML file: nothing is loaded from elsewhere, nothing runs, all can be read without.

What stands in folded parts is there for readers, searches and print alike. Whatever comes from the user's
program is escaped; pictures are images, in which nothing runs either.
"""

from __future__ import annotations

import base64
import platform
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path

import numpy as np

from .. import __version__
from ..graph.ir.shown import printable, printable_lines
from ..runtime.config import config
from ..runtime.coverage import NOT_REACHED, readable
from ..runtime.draw import draw
from ..runtime.errors import JitscopeError
from ..runtime.line_states import COMPILED, NUMPY, PYTHON
from ..runtime.specialisation import Specialisation
from .answers import ratio, sized
from .findings import Findings, FoundBar, FoundFunction, FoundKernel, FoundLine
from .graph_facts import conditions_of
from .kernel_lines import kernel_lines
from .page_style import STYLE

_CLASSES = {COMPILED: "is-compiled", NUMPY: "is-numpy", PYTHON: "is-python", NOT_REACHED: "is-absent"}
_MEANINGS = {
    COMPILED: "runs as machine code",
    NUMPY: "runs as the NumPy call that it is",
    PYTHON: "runs as plain Python",
    NOT_REACHED: "did not run in the calls that were looked at",
}
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def page(found: Findings) -> str:
    """The report of what was found."""
    title = escape(printable(f"{found.title}: jitscope's report"))
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title><style>{STYLE}</style></head><body>",
        f"<header><h1>{escape(printable(found.title))}</h1>{''.join(_summary(found))}</header><main>",
        *_functions(found),
        *(part for file, lines in found.files.items() for part in _file(file, lines, found)),
        *(part for function in found.functions for part in _function(function)),
        "</main><footer>",
        f'<p class="soft">{escape(versions())}</p>',
        "</footer></body></html>",
    ]
    return "\n".join(parts) + "\n"


def versions() -> str:
    """jitscope, Python, NumPy and the machine, in one line."""
    machine = f"{platform.system()} {platform.machine()}"
    return f"jitscope {__version__}, Python {platform.python_version()}, numpy {np.__version__}, {machine}"


def _summary(found: Findings) -> Iterator[str]:
    """The most important numbers, and what the words at the lines mean."""
    if found.ended:
        yield f"<p>The {found.what} ended by {escape(printable(found.ended))}.</p>"
    if not found.functions:
        yield f"<p>{escape(printable(found.nothing[0].upper() + found.nothing[1:]))}.</p>"
        return
    plain = sum(one.alike * one.plain for one in found.functions if one.plain is not None)
    if config.disable:
        yield "<p><strong>JITSCOPE_DISABLE is set: nothing is compiled.</strong></p>"
    elif found.share is not None:
        left = f" {found.left_out}." if found.left_out else ""
        yield (
            f"<p><strong>{found.share:.0%} of the time of plain calls is compiled now.</strong> "
            f"The calls that were timed would take {readable(plain)} as plain Python.{left}</p>"
        )
    if found.seconds:
        yield (
            f"<p>The {found.what} ran for {readable(found.seconds)} this time, compiling and looking on "
            "included; what was compiled is on disk for the next time.</p>"
        )
    if found.left_alone:
        names = ", ".join(f"<code>{escape(printable(name))}</code>" for name in found.left_alone)
        yield f'<p class="soft">Not decorated, and not looked at: {names}.</p>'
    states = {line.state for lines in found.files.values() for line in lines}
    words = (
        f'<strong class="{_CLASSES[state]}"><span class="state">{state}</span></strong> {meaning}'
        for state, meaning in _MEANINGS.items()
        if state in states
    )
    yield f'<p class="soft">{"; ".join(words)}.</p>'


def _functions(found: Findings) -> Iterator[str]:
    if not found.functions:
        return
    heads = ("calls", "plain", "now", "", "compiled")
    numbers = "".join(f'<th scope="col" class="number">{head}</th>' for head in heads)
    noted = any(one.note for one in found.functions)
    remark = '<th scope="col">remark</th>' if noted else ""
    yield '<h2 id="functions">Functions</h2><div class="wide"><table><thead><tr>'
    yield f'<th scope="col">function</th>{numbers}{remark}</tr></thead><tbody>'
    for one in found.functions:
        cells = (
            str(one.calls),
            readable(one.plain) if one.plain is not None else "",
            readable(one.decorated) if one.decorated is not None else "",
            ratio(one.plain, one.decorated) if one.plain and one.decorated else "",
            f"{one.share:.0%}" if one.share is not None else "",
        )
        row = "".join(f'<td class="number">{cell}</td>' for cell in cells)
        if noted:
            row += f'<td class="soft">{escape(printable(one.note))}</td>'
        link = f'<a href="#{_anchor(one)}"><code>{escape(printable(one.name))}</code></a>'
        yield f"<tr><td>{link}</td>{row}</tr>"
    yield '</tbody></table></div><p class="soft">Times are those of one call, the largest that there was, '
    yield "once all is compiled. In the source below, percentages are shares of the time of all timed calls, "
    yield "as plain Python.</p>"


def _file(file: str, lines: Iterable[FoundLine], found: Findings) -> Iterator[str]:
    """The source of a file, from the first line that does something to the last."""
    name = "The cell" if found.of_cell else Path(file).name
    texts = {
        f"{one.name}.{kernel}": item.text
        for one in found.functions
        for item in one.specialisations
        for kernel in item.clusters
    }
    yield f'<section><h2>{escape(printable(name))}</h2><div class="source">'
    for line in lines:
        yield _line(line, texts)
    yield "</div></section>"


def _line(line: FoundLine, texts: dict[str, str]) -> str:
    share = "" if line.share is None or line.state == NOT_REACHED else f"{line.share:.1%}"
    row = (
        f'<span class="number">{line.number}</span>'
        f'<span class="share" style="--part:{100 * (line.share or 0.0):.1f}%">{share}</span>'
        f'<span class="state">{line.state}</span>'
        f'<span class="text">{escape(printable(line.text.expandtabs(4))) or " "}</span>'
    )
    shown = f'class="line {_CLASSES.get(line.state, "")}"'
    told = "".join(_told(line, texts))
    if not told:
        return f"<div {shown}>{row}</div>"
    return f'<details><summary {shown}>{row}</summary><div class="told">{told}</div></details>'


def _told(line: FoundLine, texts: dict[str, str]) -> Iterator[str]:
    """What is folded under a line: why it isn't compiled, what would help, what became of it."""
    if line.reason:
        yield f"<p>{escape(printable(line.reason))}</p>"
    if line.attempt:
        yield f"<p><strong>try:</strong> {escape(printable(line.attempt))}</p>"
    for kernel in line.kernels:
        if text := kernel_lines(texts.get(kernel, ""), kernel.rpartition(".")[2], line.text):
            shown = f"<pre>{escape(printable_lines(text))}</pre>"
            yield f"<p>in <code>{escape(printable(kernel))}</code>:</p>{shown}"


def _function(one: FoundFunction) -> Iterator[str]:
    """What a function became."""
    name = escape(printable(one.name))
    where = escape(printable(f"{Path(one.file).name}:{one.line}"))
    yield f'<section id="{_anchor(one)}"><h2><code>{name}</code> <span class="soft">{where}</span></h2>'
    for kernel in one.kernels[:1]:
        yield from _kernels(one.kernels, one.traced, bool(kernel.calls))
    yield from _lane(one.bars, one.traced)
    for item in one.specialisations:
        yield from _specialisation(item)
    if not one.specialisations:
        yield "<p>It runs as plain Python always.</p>"
    yield "</section>"


def _kernels(kernels: Iterable[FoundKernel], whole: float | None, timed: bool) -> Iterator[str]:
    kernels = list(kernels)
    heads = ["calls", "time", "of the call"]
    heads += ["memory", "per second"] if any(one.speed for one in kernels) else []
    times = "".join(f'<th class="number">{head}</th>' for head in heads)
    yield '<div class="wide"><table><thead><tr><th>kernel</th><th>lines</th>'
    yield f'<th class="number">operations</th>{times if timed else ""}</tr></thead><tbody>'
    for one in kernels:
        row = f"<td><code>{escape(one.name)}</code> {escape(one.device)}</td>"
        row += f'<td>{one.span}</td><td class="number">{one.operations}</td>'
        if timed:
            part = f"{min(one.seconds / whole, 1.0):.0%}" if whole else ""
            row += f'<td class="number">{one.calls}</td><td class="number">{readable(one.seconds)}</td>'
            row += f'<td class="number">{part}</td>'
            if "memory" in heads:
                row += "".join(f'<td class="number">{cell}</td>' for cell in _memory(one))
        yield f"<tr>{row}</tr>"
    yield "</tbody></table></div>"


def _memory(one: FoundKernel) -> tuple[str, str]:
    """What a call of a kernel goes through, and how fast."""
    moved = sized(one.memory) if one.memory is not None else ""
    return moved, f"{sized(one.speed)}/s" if one.speed else ""


_MOST_BARS = 2000
"""A call with more of them has no lane: each would be thinner than a line."""


def _lane(bars: Sequence[FoundBar], whole: float | None) -> Iterator[str]:
    """One call from left to right: what ran when, compiled above, NumPy and Python below."""
    if not bars or not whole or len(bars) > _MOST_BARS:
        return
    yield '<figure><svg class="lane" viewBox="0 0 1000 46" preserveAspectRatio="none"'
    yield f' role="img" aria-label="what ran when: {len(bars)} bars">'
    for bar in bars:
        kind, top = ("is-compiled", 2) if bar.compiled else ("is-python", 25)
        left, width = 1000 * bar.start / whole, max(1000 * bar.seconds / whole, 0.6)
        told = escape(printable(f"{bar.name}: {readable(bar.seconds)} {bar.source}".rstrip()))
        place = f'x="{left:.2f}" y="{top}" width="{min(width, 1000 - left):.2f}" height="19"'
        yield f'<rect class="{kind}" {place}><title>{told}</title></rect>' if left < 1000 else ""
    yield f'</svg><figcaption class="soft">One call, {readable(whole)} with clocks: kernels above,'
    yield "what NumPy and Python run below. The rest of the width is the driver's own.</figcaption></figure>"


def _specialisation(item: Specialisation) -> Iterator[str]:
    yield f"<h3>for <code>({escape(printable(item.signature))})</code></h3>"
    if item.plain_reason:
        yield f"<p>runs as plain Python: {escape(printable(item.plain_reason))}</p>"
        if item.attempt:
            yield f"<p><strong>try:</strong> {escape(printable(item.attempt))}</p>"
        return
    if item.slower:
        yield "<p>runs as plain Python, which took less time when both were tried</p>"
    origin = "found on disk" if item.from_disk else "made in this process"
    yield f'<p class="soft">{origin}: <code>{escape(printable(item.module_path))}</code></p>'
    if conditions := conditions_of(item):
        said = ", ".join(f"<code>{escape(printable(one))}</code>" for one in conditions)
        yield f'<p class="soft">for calls with {said} alone</p>'
    for note in item.report.notes:
        yield f"<p>line {note.line.number}: {escape(printable(note.reason))}</p>"
    yield _folded("the generated module", item.text)
    yield _folded("the graph", item.graph, _picture(item))
    yield _folded("the converted function", item.staged)


def _folded(title: str, text: str, before: str = "") -> str:
    if not text and not before:
        return ""
    shown = f"<pre>{escape(printable_lines(text))}</pre>" if text else ""
    return f"<details><summary>{title}</summary>{before}{shown}</details>"


_MOST_OPERATIONS = 150
"""Graphs with more are not drawn: nobody reads such a picture."""


def _picture(item: Specialisation) -> str:
    """The graph as an image, where something can draw it."""
    if item.graph.count("\n") > _MOST_OPERATIONS:
        return ""
    with tempfile.TemporaryDirectory() as folder:
        try:
            data = draw(item, Path(folder) / "graph.svg").read_bytes()
        except (JitscopeError, OSError, ValueError):
            return ""
    text = base64.b64encode(data).decode()
    return f'<img alt="the graph; its text follows" src="data:image/svg+xml;base64,{text}">'


def _anchor(one: FoundFunction) -> str:
    return escape("f-" + "".join(c if c.isascii() and c.isalnum() else "-" for c in f"{one.name}-{one.line}"))
