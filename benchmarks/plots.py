"""Draw docs/pictures/speed.svg and write the table of docs/benchmarks.md, both from RESULTS.md.

python benchmarks/plots.py          (needs matplotlib: pip install 'jitscope[docs]')
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "RESULTS.md"
PAGE = ROOT / "docs" / "benchmarks.md"
PICTURE = ROOT / "docs" / "pictures" / "speed.svg"
_FIGURES = re.compile(r"(?<=<!-- figures -->\n).*?(?=<!-- /figures -->)", re.DOTALL)
# Rows that don't name the other, and who that is.
_UNNAMED = {
    "first call of ": "numba.njit",
    "second process, ": "numba.njit(cache=True)",
    "LSTM cell": "NumPy",
}
_SECONDS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}


@dataclass(frozen=True)
class Pair:
    """A row of RESULTS.md of which both sides are times."""

    what: str
    rival: str
    ours: str
    other: str

    @property
    def faster(self) -> float:
        """How many times faster jitscope is than the rival."""
        return seconds(self.other) / seconds(self.ours)


def seconds(text: str) -> float:
    """``"1.74 ms"`` in seconds."""
    number, unit = text.split()
    return float(number) * _SECONDS[unit]


def pairs() -> list[Pair]:
    """What is compared with a rival, in the order of RESULTS.md."""
    found = []
    for line in RESULTS.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        what, _, rival = cells[0].partition(", against ")
        rival = rival or next((name for start, name in _UNNAMED.items() if what.startswith(start)), "")
        if not rival or len(cells) != 6 or not all(re.fullmatch(r"[\d.]+ (us|ms|s)", x) for x in cells[1:3]):
            continue
        found.append(Pair(what, re.sub(r" on .*", "", rival), cells[1], cells[2]))
    return found


def table(rows: list[Pair]) -> str:
    """The rows as a Markdown table."""
    lines = ["| what | against | jitscope | the other | times faster |", "|---|---|---|---|---|"]
    lines += [f"| {r.what} | {r.rival} | {r.ours} | {r.other} | {r.faster:.3g} |" for r in rows]
    return "\n".join(lines) + "\n"


def draw(rows: list[Pair]) -> None:
    """Bars on a logarithmic axis: right of the line at 1 jitscope is faster, left of it the rival."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    matplotlib.rcParams.update({"svg.hashsalt": "jitscope", "svg.fonttype": "none", "font.size": 9})
    figure, axes = pyplot.subplots(figsize=(9, 0.36 * len(rows) + 0.9), layout="constrained")
    colours = ["#1b6e4a" if row.faster >= 1 else "#a33b20" for row in rows]
    ends = [row.faster for row in rows]
    bars = axes.barh(range(len(rows)), [end - 1 for end in ends], left=1, color=colours)
    axes.bar_label(bars, [f"{end:.3g} x" for end in ends], padding=3)
    axes.set_yticks(range(len(rows)), [f"{row.what}\nagainst {row.rival}" for row in rows], fontsize=7)
    axes.set(xscale="log", xlim=(0.4, 400), xlabel="times faster than the other (logarithmic)")
    axes.axvline(1, color="black", linewidth=0.8)
    axes.margins(y=0.01)
    axes.invert_yaxis()
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(PICTURE, metadata={"Date": None, "Title": "How many times faster jitscope is"})


def written(page: str, rows: list[Pair]) -> str:
    """The page with this table between its marks."""
    return _FIGURES.sub(lambda _: table(rows), page)


def main() -> None:
    rows = pairs()
    draw(rows)
    PAGE.write_text(written(PAGE.read_text(), rows))


if __name__ == "__main__":
    main()
