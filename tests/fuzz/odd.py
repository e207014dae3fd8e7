"""Puts short steps in odd contexts among the other statements of some programs; programs without them stay as they are."""

from __future__ import annotations

import random
import re
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from fuzz.also import Also
from fuzz.blocks import indented
from fuzz.odd_forms import FORMS, HELPERS, Form
from fuzz.samples import Kind, common_kind

SHARE = 0.29
_REFUSED = ("nones", "opaque")  # whose gradients are refused, mostly
_ADDED, _OTHER = re.compile(r"^( *)\+(.*)$"), re.compile(r"^( *)B$")
_BLANK = re.compile(r"\{([a-z]|dt)\}")
_HALVES = {"f": ("0.5", "0.25", "-0.5"), "i": ("-1", "1", "0"), "c": ("0.5", "0.5j", "-0.5")}
_ONES = {"f": ("0.5", "1.0", "1", "0.25"), "i": ("1", "2", "-1"), "c": ("1", "0.5j")}


def odd_kinds(seed: int, differentiable: bool) -> frozenset[str]:
    """The kinds of odd steps that a program has: none, mostly, and then it is what it is without this file."""
    rng = random.Random(f"odd {seed}")
    if rng.random() >= SHARE:
        return frozenset()
    kinds = [kind for kind in FORMS if not (differentiable and kind in _REFUSED) or rng.random() < 0.4]
    return frozenset(rng.sample(kinds, rng.choice((1, 2, 2, 3))))


class Blanks(dict[str, str]):
    """The texts that stand in the blanks of a form: each is made when first asked for."""

    def __init__(self, name: Callable[[], str]) -> None:
        super().__init__()
        self.name = name
        self.makers: dict[str, Callable[[], str]] = {}

    def __missing__(self, key: str) -> str:
        self[key] = self.makers.get(key, self.name)()
        return self[key]

    def fill(self, line: str) -> str:
        """The line with its blanks filled in."""
        return _BLANK.sub(lambda blank: self[blank[1]], line)


class Odd(Also):
    """Fills the forms in, and looks at each on the samples before it gets into a program."""

    odd: frozenset[str] = frozenset()
    may_raise = False

    def setup_also(self) -> list[str]:
        """What stands before the loops: a number, an array of one element, a name for an array or None."""
        rng, lines = self.rng, super().setup_also()
        if not self.odd:
            return lines
        starts = ("0.5", "1.0", "0.25") if self.differentiable else _ONES[self.family]
        lines += self.new(rng.choice(starts), "s", "level", "peak")
        if "single" in self.odd:
            forms = ("np.zeros(1{dt})", "b[:1]", "b[1:2] * {h}", "np.full(1, {o}{dt})", "b[-1:].copy()")
            name = self.fresh("one", "cell", "last_one")
            line = f"{name} = {self.blanks().fill(rng.choice(forms))}"
            lines += self.named(line, name, Kind("single", self.dtype.str))
        if "nones" in self.odd:
            name, z = self.fresh("held", "prior", "ref"), rng.choice(self.own(1))
            lines += self.named(f"{name} = None", name, Kind("none", self.dtype.str, self.kinds[z].shape))
        return lines

    def statement(self, depth: int) -> list[str]:
        """One statement, with its blocks."""
        if self.odd and self.rng.random() < 0.22:
            return self.odd_statement() or super().statement(depth)
        return super().statement(depth)

    def simple(self) -> list[str]:
        """A statement, mostly without blocks."""
        if self.odd and self.rng.random() < 0.12:
            return self.odd_statement() or super().simple()
        return super().simple()

    def some_also(self, chance: float, depth: int) -> list[str]:
        """A few more statements in a loop's body, or behind the loops."""
        lines = super().some_also(chance, depth)
        if self.odd and self.rng.random() < chance + 0.15:
            lines += self.odd_statement()
        return lines

    def odd_statement(self) -> list[str]:
        """One of the forms that can stand here."""
        rng = self.rng
        for _ in range(5):
            kind = rng.choice(sorted(self.odd))
            try:
                lines = self.formed(rng.choice(FORMS[kind]), kind)
            except IndexError:  # no array of that kind
                continue
            if lines:
                return lines
        return []

    def formed(self, form: Form, kind: str) -> list[str]:
        """The form filled in, with other statements where it asks for them; nothing where it doesn't run."""
        words = self.blanks()
        written = [words.fill(line) for line in form]
        found = self.attempted(written, words)
        if found is None:
            return []
        lines = [] if self.state_number() else self.new("0" if self.family == "i" else "0.0", "s", "total")
        for line in written:
            space, rest = line[: len(line) - len(line.lstrip(" "))], line.lstrip(" ")
            if rest == "B":
                lines += self.inside_of(space)
            else:
                made = self.added(f"({rest[1:]})") if rest.startswith("+") else [rest]
                lines += [space + text for text in made]
        self.keep_helpers(written)
        if kind != "nones":
            self.keep_names(written, words, found)
        return lines

    def inside_of(self, space: str) -> list[str]:
        """Another statement there; what it binds is not known afterwards."""
        with self.scope():
            return [space + line for line in self.simple()]

    def added(self, text: str) -> list[str]:
        """The number of the text taken into a number of the state: a float that stays one, where gradients are asked for."""
        floats = self.odd_numbers() if self.differentiable else []
        forms = ("{0} += {1}", "{0} -= {1}", "{0} = {0} * 0.5 + {1}")
        return (
            [self.rng.choice(forms).format(self.rng.choice(floats), text)] if floats else super().added(text)
        )

    def state_number(self) -> bool:
        """Whether there is a number that others can be added to."""
        return any(self.kinds[name].family in ("int", "float") for name in self.state_numbers())

    def own(self, rank: int) -> list[str]:
        """The arrays of the program's dtype with so many axes."""
        return [
            name
            for name in self.arrays()
            if self.kinds[name].rank == rank and self.kinds[name].dtype == self.dtype.str
        ]

    def blanks(self) -> Blanks:
        """What may stand in the blanks of a form."""
        rng, found = self.rng, Blanks(self.fresh)
        found.makers = {
            "x": lambda: rng.choice(self.own(1)), "y": lambda: self.like(found["x"]), "m": lambda: rng.choice(self.own(2)), "q": self.square,
            "v": lambda: rng.choice([name for name in self.own(1) if self.kinds[name].shape == self.kinds[found["m"]].shape[1:]]),
            "u": lambda: rng.choice(self.of_family("none")), "z": lambda: self.like(found["u"]), "w": lambda: rng.choice(self.of_family("single")),
            "s": self.accumulator, "k": lambda: self.inner_index(found["x"]), "i": lambda: rng.choice([*self.indices, *self.indices, "2", "3"]),
            "c": lambda: rng.choice(("2", "3", "3", "4", *(["steps"] if "steps" in self.kinds else []))), "t": self.test,
            "h": lambda: rng.choice(_HALVES[self.family]), "o": lambda: rng.choice(_ONES[self.family]), "dt": self.dtype_text,
            "e": lambda: self.fresh("turn", "lap", "e1", "at1"), "f": lambda: self.fresh("f1", "item", "inner1"),
        }  # fmt: skip
        return found

    def like(self, name: str) -> str:
        """An array of the same kind, another one if there is any."""
        kind = self.kinds[name]
        same = [n for n in self.own(kind.rank) if self.kinds[n].shape == kind.shape]
        return self.rng.choice([n for n in same if n != name] or same)

    def square(self) -> str:
        """A matrix with as many rows as columns."""
        return self.rng.choice([name for name in self.own(2) if len({*self.kinds[name].shape}) == 1])

    def accumulator(self) -> str:
        """A number of the state, of the sort that the program computes with."""
        family = {"f": "float", "i": "int", "c": "complex"}[self.family]
        known = [
            name for name in self.state_numbers()
            if self.kinds[name].family == family or self.kinds[name].dtype[1:2] == self.family
        ]  # fmt: skip
        return self.rng.choice(known)

    def inner_index(self, name: str) -> str:
        """An index of the vector that isn't counted from its end."""
        below = self.indices_below(self.kinds[name], 0)
        return self.rng.choice([*below, *below, "0", "1", "2"])

    def attempted(self, lines: list[str], words: Blanks) -> list[dict[str, Any]] | None:
        """The names after the lines for each of the sizes; None where they fail or make something else of an array."""
        text = "\n".join(
            _ADDED.sub(r"\1assert np.ndim(\2) == 0", _OTHER.sub(r"\1pass", line)) for line in lines
        )
        text = "".join(made for name, made in HELPERS.items() if f"{name}(" in text) + text
        arrays = [words[key] for key in "xymqvzw" if key in words]
        found = []
        for which, env in enumerate(self.envs):
            local = {**env, **{name: np.copy(env[name]) for name in arrays}}
            if "u" in words:
                local[words["u"]] = np.copy(env[words["z"]]) if which else None
            try:
                with np.errstate(all="ignore"), warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    exec(compile(text, "odd", "exec"), local)
            except Exception:  # noqa: BLE001 (whatever it is, the form is of no use here)
                return None
            if any(not _alike(env[name], local[name]) for name in arrays):
                return None
            if not self.holds_its_sort(local, env, words):
                return None
            found.append(local)
        return found

    def holds_its_sort(self, local: dict[str, Any], env: dict[str, Any], words: Blanks) -> bool:
        """Whether numbers are numbers still, and a name for an array or None holds one of them."""
        if "s" in words and np.ndim(local[words["s"]]):
            return False
        return "u" not in words or local[words["u"]] is None or _alike(env[words["z"]], local[words["u"]])

    def keep_names(self, lines: list[str], words: Blanks, found: list[dict[str, Any]]) -> None:
        """Make known what the lines bind outside of blocks; arrays of one element are known to these forms alone."""
        for key in "dg":
            name = words.get(key, "")
            bound = re.compile(rf"({name}|\w+, {name})\b[^=]* = ") if name else None
            values = [local.get(name) for local in found]
            kind = common_kind(values) if bound and any(bound.match(line) for line in lines) else None
            if kind is None:
                continue
            if kind.is_array and (not kind.rank or 1 in kind.shape[0]):
                if kind.rank != 1 or kind.dtype != self.dtype.str:
                    continue
                kind = Kind("single", kind.dtype)
            for env, value in zip(self.envs, values, strict=True):
                env[name] = value
            self.kinds[name] = kind

    def keep_helpers(self, lines: list[str]) -> None:
        """Put the helpers that the lines call into the module."""
        for name, text in HELPERS.items():
            if name not in self.used and any(f"{name}(" in line for line in lines):
                self.used.add(name)
                self.module_level.append(text)

    def after_also(self) -> list[str]:
        """What is asked of names after the loops; without a question where programs may raise and all calls get here."""
        lines = super().after_also()
        for name in self.of_family("none") if self.odd else []:
            if self.may_raise and not self.exits and self.rng.random() < 0.6:
                lines += self.added(f"{name}.sum()")
            elif self.differentiable or self.rng.random() < 0.5:
                lines += [f"if {name} is not None:", *indented(self.added(f"{name}.sum()"))]
        return lines

    def also_returned(self) -> list[str]:
        """What more is returned: most of what the forms change."""
        rng = self.rng
        names = self.of_family("none", "single") if self.odd else []
        return [
            *super().also_returned(),
            *(name for name in [*names, *self.odd_numbers()] if rng.random() < 0.6),
        ]

    def sized_terms(self) -> list[str]:
        """Numbers that the program's result takes from the names of these forms."""
        texts = (
            [*(f"{name}[0]" for name in self.of_family("single")), *self.odd_numbers()] if self.odd else []
        )
        return [*super().sized_terms(), *(text for text in texts if self.rng.random() < 0.6)]

    def odd_numbers(self) -> list[str]:
        """Names of numbers that are added to, in programs of these forms."""
        families = ("float",) if self.differentiable else ("int", "float", "complex")
        return (
            [name for name in self.state_numbers() if self.kinds[name].family in families] if self.odd else []
        )


def _alike(before: Any, after: Any) -> bool:
    """Whether an array is what it was, but for its elements."""
    return isinstance(after, np.ndarray) and (after.dtype, after.shape) == (before.dtype, before.shape)
