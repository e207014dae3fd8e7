"""Programs on arrays of every layout: views, writes through them, parts of length 0 and 1, mixed dtypes.

Statements are proposed from the tables of `layout_texts`, tried on the arguments of each size, and kept where
NumPy takes them: so the tables name arrays freely. Written without having read the compiler.
"""

from __future__ import annotations

import random
import re
import warnings

import numpy as np

from fuzz.blocks import indented
from fuzz.data import Signature, arguments
from fuzz.grammar import Program
from fuzz.layout_texts import ARGUMENTS, CHOICES, ENDS, HELPERS, PLAIN, RAISING, SELDOM, SIZES

Scope = dict[str, object]


class _Writer:
    """The lines so far, what may be named in the next one, and what its names hold for each of the sizes."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.sizes = self.rng.choice(SIZES)
        self.signature: Signature = {name: self.rng.choice(specs) for name, specs in ARGUMENTS.items()}
        names = list(self.signature)
        self.scopes: list[Scope] = []
        for which in range(3):
            scope: Scope = {
                "np": np,
                **dict(zip(names, arguments(self.signature, self.sizes, which, seed, True))),
            }
            exec(HELPERS, scope)
            self.scopes.append(scope)
        self.arrays, self.numbers, self.indices = names[:-1], ["k"], ["0", "-1", "1", "k"]
        self.odd = self.rng.choice((0.04, 0.04, 0.2, 1.0))
        self.made, self.left, self.depth, self.turning = 0, self.rng.randint(8, 22), 0, 0

    def maybe(self, share: float) -> bool:
        return self.rng.random() < share

    def text(self, letter: str, deep: int = 0) -> str:
        """Something for a place in a text of the tables."""
        if letter in PLAIN:
            return self.rng.choice(PLAIN[letter])
        if letter == "a":
            newest = self.arrays[-2:] if self.maybe(0.5) else self.arrays
            return self.rng.choice(newest)
        if letter == "i":
            return self.rng.choice(self.indices[4:] if self.maybe(0.6) and self.indices[4:] else self.indices)
        if letter == "k":
            return self.rng.choice(("k", "k", "k", "1", "2", "x.shape[0] // 2"))
        if letter == "m":
            return self.filled(
                self.rng.choice(("({v} > 0.3)", "({v} < 1)", "({a} % 2 == 0)", "({a} != 0)")), deep + 1
            )
        if letter == "w":
            letter = "v"
        if letter in "ves" and deep and (deep > 2 or self.maybe(0.35)):
            if letter == "s":
                return self.rng.choice((*self.numbers, "0.5", "1", "2.0", "-0.25"))
            return self.text("a")
        template = self.rng.choice(CHOICES[letter])
        if SELDOM.search(template) and not self.maybe(self.odd):
            return self.text(letter, deep)
        text = self.filled(template, deep + 1)
        return f"({text})" if letter == "e" and deep else text

    def filled(self, template: str, deep: int = 0) -> str:
        return re.sub(r"\{(\w)\}", lambda place: self.text(place[1], deep), template)

    def values(self, text: str, run: bool = False) -> list[object] | None:
        """What the text is for each size; None where NumPy doesn't take it, or it is too large."""
        found: list[object] = []
        with np.errstate(divide="raise", invalid="ignore", over="raise"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", np.exceptions.ComplexWarning)
            for scope in self.scopes:
                try:
                    exec(text, scope) if run else found.append(eval(text, scope))
                except Exception:  # noqa: BLE001 (what raises is not written)
                    return None
        if all(
            np.size(value) < 150 and np.ndim(value) < 5 and _tame(value) and _usual(value) for value in found
        ):
            return found
        return None

    def name(self, letter: str, values: list[object]) -> str:
        """A new name that holds the values."""
        self.made += 1
        name = f"{letter}{self.made}"
        for scope, value in zip(self.scopes, values, strict=True):
            scope[name] = value
        return name

    def statement(self) -> list[str]:
        """The next statement that NumPy takes."""
        self.left -= 1
        while True:
            lines = self.rng.choices(
                (self.bound, self.written, self.counted, self.rebound, self.compound, self.kept),
                (18, 40, 22, 9, 24 if self.left > 0 and self.depth < 3 else 0, 3),
            )[0]()
            if lines:
                return lines

    def bound(self) -> list[str]:
        """A new name for a view, a copy, something empty, or what is computed."""
        text = self.text(self.rng.choices(("v", "copy", "empty", "e"), (35, 20, 15, 30))[0])
        values = self.values(text)
        if values is None or not all(isinstance(value, np.ndarray) for value in values):
            return []
        name = self.name("v", values)
        self.arrays.append(name)
        if self.maybe(0.1) and "empty" not in text:
            return [f"{name} = np.empty_like({text})", f"{name}[...] = {text}"]
        return [f"{name} = {text}"]

    def written(self) -> list[str]:
        text = self.text("write")
        return [text] if self.values(text, run=True) is not None else []

    def counted(self) -> list[str]:
        """A number, under a new name or added to one."""
        text = self.text("s")
        values = self.values(text)
        if values is None or not all(np.ndim(value) == 0 for value in values):
            return []
        if "strides" in text and not all(_wide(scope) for scope in self.scopes):
            return []
        kinds = {np.asarray(value).dtype.kind for value in values}
        if kinds <= set("iu") and self.maybe(0.6):
            return [f"c += {text}" if self.maybe(0.5) else f"c = (c + {text}) % 7"]
        if kinds <= set("iuf") and self.maybe(0.6):
            return [f"s += {text}" if self.maybe(0.5) else f"s = s * 0.5 + {text}"]
        self.numbers.append(self.name("t", values))
        return [f"{self.numbers[-1]} = {text}"]

    def rebound(self) -> list[str]:
        """A name that holds another array of its dtype and number of axes from here on."""
        name = self.text("a")
        text = self.filled(self.rng.choice(CHOICES["other"]).replace("{a}", name))
        values = self.values(text)
        before = [scope[name] for scope in self.scopes]
        if values is None or text == name or any(_kind(a) != _kind(b) for a, b in zip(values, before)):
            return []
        for scope, value in zip(self.scopes, values):
            scope[name] = value
        return [f"{name} = {text}"]

    def kept(self) -> list[str]:
        return [f"kept.append({self.text('v' if self.maybe(0.5) else 'a')})"] if self.maybe(self.odd) else []

    def block(self, most: int) -> list[str]:
        """Some statements, whose new names end with them."""
        arrays, numbers, indices = len(self.arrays), len(self.numbers), len(self.indices)
        self.depth += 1
        lines = [line for _ in range(self.rng.randint(1, most)) for line in self.statement()]
        self.depth -= 1
        jumps = any(line.endswith(("break", "continue")) for line in lines[-1:])
        lines += [] if jumps else self.seen(self.arrays[arrays:] + self.numbers[numbers:])
        del self.arrays[arrays:], self.numbers[numbers:], self.indices[indices:]
        return indented(lines)

    def seen(self, names: list[str]) -> list[str]:
        """Lines that bring what the names hold into a number that is returned."""
        lines: list[str] = []
        for name in names:
            array = name in self.arrays
            text = self.rng.choice(ENDS).format(name) if array else name
            values = self.values(text)
            kinds = {np.asarray(value).dtype.kind for value in values or ["none"]}
            if self.maybe(0.7) and kinds <= set("iufb"):
                lines.append(f"s = s * 0.5 + {text}")
        return lines

    def compound(self) -> list[str]:
        if self.maybe(0.4):
            condition = self.text("c")
            if self.values(f"bool({condition})") is None:
                return []
            if self.turning and self.maybe(0.2):
                return [f"if {condition}:", f"    {self.rng.choice(('break', 'continue'))}"]
            lines = [f"if {condition}:", *self.block(2)]
            return [*lines, "else:", *self.block(2)] if self.maybe(0.5) else lines
        self.made += 1
        header = self.text("loop")
        for letter, name in (("I", "i"), ("R", "r"), ("Q", "q")):
            header = re.sub(rf"\b{letter}\b", f"{name}{self.made}", header)
        if header[0] == "w":
            return [header, "    c += 1", *self.loop("", [])[1:]]
        if self.values(f"{header} pass", run=True) is None:
            return []
        return self.loop(header, re.findall(rf"\b[irq]{self.made}\b", header.partition(" in ")[0]))

    def loop(self, header: str, names: list[str]) -> list[str]:
        """The loop, tried with what its last turn binds, in the sizes that have a turn."""
        all_scopes = self.scopes
        self.scopes = [scope for scope in all_scopes if all(name in scope for name in names)] or all_scopes
        lists = len(self.arrays), len(self.numbers), len(self.indices)
        for name in names:
            values = [scope.setdefault(name, 0) for scope in self.scopes]
            rows = all(isinstance(value, np.ndarray) for value in values)
            (self.indices if name[0] == "i" else self.arrays if rows else self.numbers).append(name)
        self.turning += 1
        body = self.block(4)
        self.turning -= 1
        del self.arrays[lists[0] :], self.numbers[lists[1] :], self.indices[lists[2] :]
        self.scopes = all_scopes
        return [header, *body]

    def opening(self) -> list[str]:
        """Some arguments become views or copies in another order, now and then of one another."""
        lines: list[str] = []
        for name in self.arrays:
            if self.maybe(0.6):
                continue
            text = self.filled(self.rng.choice(CHOICES["opening"]).replace("{a}", name))
            values = self.values(text)
            if values is not None:
                for scope, value in zip(self.scopes, values):
                    scope[name] = value
                lines.append(f"{name} = {text}")
        return lines

    def program(self) -> str:
        for scope in self.scopes:
            scope.update({"s": 0.5, "c": 0})
        lines = ["s = 0.5", "c = 0", "kept = []", *self.opening()]
        while self.left > 0:
            lines += self.statement()
            if self.maybe(0.01):
                lines.append(self.filled(self.rng.choice(RAISING)))
        results = [self.text("a") for _ in range(self.rng.randint(2, 4))]
        results += [text for text in (self.text("v", 1), self.text("v", 1)) if self.values(text) is not None]
        results = [*dict.fromkeys(results), *self.numbers[1:], "s", "c", "kept"]
        if self.maybe(0.2):
            results[:2] = [f"[{', '.join(results[:2])}]"]
        lines.append(f"return {', '.join(results)}")
        return f"{HELPERS}def program({', '.join(self.signature)}):\n" + "\n".join(indented(lines)) + "\n"


def _tame(value: object) -> bool:
    """Whether it is numbers that are small, none of them NaN."""
    return np.asarray(value).dtype.kind in "biufc" and bool(np.all(np.abs(np.asarray(value)) < 1e4))


def _usual(value: object) -> bool:
    """Whether its axes of length 1 have no strides of their own, which mean nothing."""
    if not isinstance(value, np.ndarray) or 1 not in value.shape:
        return True
    if value.base is not None:
        return value.flags.writeable  # what is stretched has such strides, too
    return value.strides in [np.empty(value.shape, value.dtype, order).strides for order in ("C", "F")]


def _kind(value: object) -> tuple[object, ...]:
    return type(value), np.ndim(value), np.asarray(value).dtype


def _wide(scope: Scope) -> bool:
    """Whether no axis has length 0 or 1, whose strides mean nothing."""
    return all(min(value.shape, default=2) > 1 for value in scope.values() if isinstance(value, np.ndarray))


def layouts(seed: int) -> Program:
    """The program of a seed."""
    writer = _Writer(seed)
    return Program(writer.program(), writer.signature, writer.sizes, seed, False)
