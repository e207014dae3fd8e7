"""docs/numpy.md: what becomes of every public function, method and attribute of NumPy's."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType

import numpy as np

from .tables import CALLS, NOT_TRIED
from .verdicts import COMPILED, KNOWN, OPAQUE, ORDER, PLAIN, dtypes_of, verdict_of

HEAD = f"""# NumPy's functions, and what becomes of them

Written by `pytest tests/test_numpy_surface.py --update-golden`, which calls each one in a `jit_scope`,
alone and in a loop, with arguments as people write them (`tests/surface`). `make parity` compares all of
these calls with NumPy, for several dtypes, sizes, layouts and special values.

| verdict | means |
|---|---|
| {COMPILED} | calls of it are part of compiled code, or cost nothing as they are decided before |
| {KNOWN} | NumPy's own code runs; what comes back is known, so that what follows is compiled |
| {OPAQUE} | NumPy's own code runs, and what comes back is any object |
| {PLAIN} | the function around it runs as plain Python; loops in it may be compiled |

A function that is compiled isn't so with every argument: `f.explain(*args)` says what becomes of a call.
"""

CHAPTERS = {
    "np": "Functions and ufuncs",
    "ufunc": "Methods of ufuncs",
    "ndarray": "Methods and attributes of arrays",
    "np.linalg": "Linear algebra",
    "np.fft": "Fourier transforms",
    "rng": "Methods of `np.random.Generator`",
    "types": "NumPy's types as functions",
    "Python": "Subscripts and iteration",
}


def public_names() -> set[str]:
    """Every public name of NumPy's that can be called or read, and isn't a module."""
    public = (name for name in np.__all__ if not name.startswith("_"))
    names = {f"np.{name}" for name in public if _is_function(getattr(np, name, None))}
    for module, prefix in ((np.linalg, "np.linalg."), (np.fft, "np.fft.")):
        names |= {prefix + name for name in module.__all__ if _is_function(getattr(module, name, None))}
    names |= {f"ndarray.{name}" for name in dir(np.ndarray) if not name.startswith("_")}
    generator = (name for name in dir(np.random.Generator) if not name.startswith("_"))
    return names | {f"rng.{name}" for name in generator}


def _is_function(value: object) -> bool:
    return callable(value) and not isinstance(value, ModuleType)


def chapter_of(name: str) -> str:
    """The key in `CHAPTERS` of a name."""
    before, _, last = name.rpartition(".")
    if before in ("np.linalg", "np.fft", "ndarray", "rng"):
        return before
    if before.startswith("np."):
        return "ufunc"
    if before != "np":
        return "Python"
    return "types" if isinstance(getattr(np, last), type) else "np"


def verdict_of_name(name: str) -> tuple[str, str]:
    """The best verdict that a call in the table of this name gets, and that call."""
    found = (ORDER[-1], CALLS[name][0])
    for number, call in enumerate(CALLS[name]):
        for dtype in dtypes_of(call, number)[:1]:
            found = min(found, (verdict_of(call, number, dtype), call), key=lambda row: ORDER.index(row[0]))
        if found[0] == COMPILED:
            break
    return found


def document() -> str:
    """The text of docs/numpy.md."""
    rows = {name: verdict_of_name(name) for name in CALLS}
    counts = Counter(verdict for name, (verdict, _) in rows.items() if chapter_of(name) != "Python")
    said = ", ".join(f"{counts[verdict]} {verdict}" for verdict in ORDER if counts[verdict])
    parts = [HEAD, f"Of {counts.total()} names: {said}; {len(NOT_TRIED)} aren't tried.\n"]
    for chapter, title in CHAPTERS.items():
        parts += [
            f"## {title}\n",
            "| name | verdict | as in |",
            "|---|---|---|",
            *_chapter(chapter, rows),
            "",
        ]
    return "\n".join(parts)


def _chapter(chapter: str, rows: dict[str, tuple[str, str]]) -> Iterator[str]:
    for name in sorted({*rows, *NOT_TRIED}):
        if chapter_of(name) != chapter:
            continue
        if name in NOT_TRIED:
            yield f"| `{name}` | not tried | {NOT_TRIED[name]} |"
            continue
        verdict, call = rows[name]
        yield f"| `{name}` | {verdict} | `{_shown(call)}` |"


def _shown(call: str) -> str:
    return call.replace("\n", "; ").replace("|", "\\|")


@dataclass(frozen=True)
class Row:
    """A row of the document: the call is that of the table which is printed so."""

    name: str
    verdict: str
    call: str


def rows_of(text: str) -> Iterator[Row]:
    """The rows that a document has."""
    for name, verdict, shown in re.findall(r"^\| `([^`]+)` \| ([^|]+) \| `(.*)` \|$", text, re.M):
        yield Row(name, verdict, next((call for call in CALLS[name] if _shown(call) == shown), ""))


def verdict_in_row(row: Row) -> str:
    """What becomes today of the call in a row."""
    number = CALLS[row.name].index(row.call)
    return verdict_of(row.call, number, dtypes_of(row.call, number)[0])
