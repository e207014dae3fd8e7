"""The values of programs that differentiate: what they consist of, how they are made, read, changed and stepped."""

from __future__ import annotations

import random
from typing import Any

from fuzz.blocks import indented

Kind = (
    Any  # "F", "A", "M", "Box", "Pair", "Duo", ("list", kind), ("tuple", kinds), ("dict", ((key, kind), ...))
)


class Values:
    """Writes lines about values of a kind."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.made = 0
        self.held: list[tuple[str, Kind]] = []  # what may be differentiated for
        self.losses: list[list[str]] = []
        self.known: list[str] = []  # what is returned
        self.captured: list[str] = []
        self.identity, self.objects, self.inside = self.maybe(0.04), self.maybe(0.4), False
        self.formed = self.maybe(0.25)  # objects, named tuples
        self.modest = self.maybe(0.7)  # one use of plain containers: more of it is compiled
        self.tidy = self.maybe(0.35)  # nothing that is captured is written

    def any(self, *texts: Any) -> Any:
        return self.rng.choice(texts)

    def maybe(self, share: float) -> bool:
        return self.rng.random() < share

    def name(self, letter: str) -> str:
        self.made += 1
        return f"{letter}{self.made}"

    def kind(self, deep: int = 0) -> Kind:
        """What a value consists of."""
        if self.formed and not self.inside and self.maybe(0.6):
            return self.any(
                "Box",
                "Pair",
                "Duo",
                "Box",
                ("list", "Pair"),
                ("list", "Duo"),
                ("dict", (("w", "Box"), ("b", "F"))),
                ("tuple", ("Pair", "A")),
            )
        if deep > 1 or self.maybe(0.25):
            return self.any("F", "A", "A", "M")
        which = self.any("list", "list", "list", "list", "tuple", "dict", "dict", "Box", "Pair", "Duo")
        if which in ("Box", "Pair", "Duo") and (self.inside or not self.objects) and self.maybe(0.9):
            which = self.any("list", "list", "dict", "tuple")
        if self.modest and which in ("dict", "tuple"):
            deep = 2
        if which == "list" and self.modest:
            return ("list", self.any("F", "F", "A", "A", "M", ("tuple", ("A", "F"))))
        if which == "list":
            return (
                "list",
                self.any("F", "F", "A", "A", "M", ("list", "F"), ("tuple", ("A", "F")), self.kind(deep + 1)),
            )
        if which == "tuple":
            return ("tuple", tuple(self.kind(deep + 1) for _ in range(self.rng.randint(1, 3))))
        if which == "dict":
            keys = self.any(("w", "b"), ("w", "b", "s"), (0, 1), (3, 1, 2), ("b", "w"))
            if self.maybe(0.4):
                return ("dict", tuple((key, same) for same in [self.kind(deep + 1)] for key in keys))
            return ("dict", tuple((key, self.kind(deep + 1)) for key in keys))
        return which

    def make(self, kind: Kind, i: str = "") -> str:
        """An expression that makes one."""
        if kind == "F":
            if i:
                return self.any(f"x[{i} % 3] * 0.5", f"0.1 * {i} + u", f"float(x[{i} % 3])", f"x[{i} % 3]")
            return self.any(
                "u", "u", "0.5", "-0.25", "u * 0.5", "x[0]", "float(x[1])", "0.1 + u", "float(f[0, 1])"
            )
        if kind == "A":
            if i:
                return self.any(
                    f"x * ({i} + 1) * 0.2", f"f[{i} % 2]", f"x + {i}", "x.copy()", f"f[{i} % 2] * 0.5"
                )
            return self.any(
                "x", "x * 0.5", "x.copy()", "f[0]", "f[-1]", "f[0] + x", "np.sin(x)", "x[::-1]", "x[1:]", "x[:-1] * 1.5",
                "f.sum(0)", "f[1] * u", "np.array([0.5, u, -0.5])",
            )  # fmt: skip
        if kind == "M":
            return (
                f"f * ({i} + 1) * 0.3"
                if i
                else self.any("f", "f * 0.5", "f.copy()", "np.sin(f)", "np.outer(x, x) * 0.5", "f[:, 1:]")
            )
        if kind == "Box":
            return f"Box({self.make('A', i)}, {self.make('F', i)}, [{self.make('F', i)}, {self.make('F')}])"
        if kind in ("Pair", "Duo"):
            return f"{kind}({self.make('A', i)}, {self.make('F', i)})"
        if kind[0] == "tuple":
            return "(" + "".join(f"{self.make(part, i)}, " for part in kind[1]) + ")"
        if kind[0] == "dict":
            return "{" + ", ".join(f"{key!r}: {self.make(part, i)}" for key, part in kind[1]) + "}"
        inner = kind[1]
        many = 14 if inner == "F" else 5
        if i or self.maybe(0.4):
            return f"[{', '.join(self.make(inner, i) for _ in range(self.rng.randint(2, 3 if inner != 'F' else 6)))}]"
        if self.maybe(0.15) and inner == "F":
            return self.any(
                "[u] * 4", "[0.5, u] * 2", "x.tolist()", "[v * 0.5 for v in x]", "list(x)", "[0.25] * (n + 1)"
            )
        turns = self.any("n", str(self.rng.randint(2, many)), str(self.rng.randint(2, many)))
        return f"[{self.make(inner, 'i')} for i in range({turns})]"

    def set_up(self, name: str, kind: Kind) -> list[str]:
        """Lines that make one under a name."""
        if kind[0] == "list" and self.maybe(0.4):
            turns = self.any("n", str(self.rng.randint(2, 14 if kind[1] == "F" else 4)))
            return [
                f"{name} = []",
                f"for i in range({turns}):",
                f"    {name}.append({self.make(kind[1], 'i')})",
            ]
        if kind[0] == "dict" and self.maybe(0.3):
            return [f"{name} = {{}}", *(f"{name}[{key!r}] = {self.make(part)}" for key, part in kind[1])]
        return [f"{name} = {self.make(kind)}"]

    def read(self, kind: Kind, p: str, deep: int = 0) -> list[str]:
        """Lines that bring it into `acc`."""
        if kind in ("F", "A", "M"):
            return [f"acc = acc + {self.term(kind, p)}"]
        if kind in ("Box", "Pair"):
            lines = [*self.read("A", f"{p}.w", deep), *self.read("F", f"{p}.b", deep)]
            return lines + (
                self.read(("list", "F"), f"{p}.parts", deep) if kind == "Box" and self.maybe(0.6) else []
            )
        if kind == "Duo":
            return self.read(("tuple", ("A", "F")), p, deep)
        if kind[0] == "tuple":
            names = [self.name("a") for _ in kind[1]]
            if self.maybe(0.5):
                return [
                    f"{', '.join(names)}, = {p}",
                    *(line for a, part in zip(names, kind[1]) for line in self.read(part, a, deep)),
                ]
            return [line for k, part in enumerate(kind[1]) for line in self.read(part, f"{p}[{k}]", deep)]
        if kind[0] == "dict":
            return self.read_dict(kind, p, deep)
        return self.read_list(kind[1], p, deep)

    def term(self, kind: Kind, p: str) -> str:
        if kind == "F":
            return self.any(
                f"{p} * {p}",
                f"np.sin({p})",
                f"{p} * 0.7",
                f"np.tanh({p})",
                f"{p} * u",
                f"{p} * {p} * x[0]",
                f"{p}",
            )
        if kind == "M":
            return self.any(
                f"np.sum({p} * {p})",
                f"({p} @ {p}.T).sum() * 0.1",
                f"{p}[0] @ {p}[1]",
                f"np.tanh({p}).mean()",
                f"np.sum({p}.sum(0) ** 2)",
                f"sum(np.sin(r).sum() for r in {p})",
            )
        return self.any(
            f"np.sum(np.tanh({p}))", f"({p} * {p}).sum()", f"{p} @ {p}", f"np.mean(np.sin({p}))", f"{p}[0] * {p}[-1]",
            f"np.sum({p} * 0.5) ** 2", f"np.sum({p} * {p}[::-1]) * u", f"np.sum(np.cos({p}[1:]))",
        )  # fmt: skip

    def read_dict(self, kind: Kind, p: str, deep: int) -> list[str]:
        same = all(part == kind[1][0][1] for _, part in kind[1])
        v, key = self.name("v"), self.name("k")
        if same and self.maybe(0.6):
            head = self.any(
                f"for {key}, {v} in {p}.items():", f"for {v} in {p}.values():", f"for {key} in {p}:"
            )
            return [head, *indented(self.read(kind[1][0][1], v if v in head else f"{p}[{key}]", deep + 1))]
        chosen = [pair for pair in kind[1] if self.maybe(0.8)] or [kind[1][0]]
        return [line for key, part in chosen for line in self.read(part, f"{p}[{key!r}]", deep)]

    def read_list(self, inner: Kind, p: str, deep: int) -> list[str]:
        v, i = self.name("v"), self.name("i")
        simple = inner in ("F", "A", "M")
        choice = self.rng.random()
        if choice < 0.15:
            return [*self.read(inner, f"{p}[0]", deep), *self.read(inner, f"{p}[-1]", deep)]
        if choice < 0.3 and simple:
            return [
                f"acc = acc + sum({self.any('[{}]', '{}').format(f'{self.term(inner, v)} for {v} in {p}')})"
            ]
        if choice < 0.4 and simple:
            w = self.name("w")
            return [
                f"for {v}, {w} in zip({p}, {p}[1:]):",
                f"    acc = acc + {self.term(inner, v)} * {self.term(inner, w)} * 0.1",
            ]
        if choice < 0.5 and simple:
            l = self.name("l")
            return [
                f"{l} = []",
                f"for {v} in {p}:",
                f"    {l}.append({self.term(inner, v)})",
                f"acc = acc + sum({l}) * {l}[0]",
            ]
        if choice < 0.6 and simple:
            l = self.name("l")
            return [
                f"{l} = [{self.term(inner, v)} for {v} in {p}]",
                f"for {i} in range(len({l})):",
                f"    acc = acc + {l}[{i}] * {l}[-1] * 0.5",
            ]
        if choice < 0.75:
            return [f"for {i} in range(len({p})):", *indented(self.read(inner, f"{p}[{i}]", deep + 1))]
        if choice < 0.85:
            return [
                f"for {i}, {v} in enumerate({p}):",
                *indented(self.read(inner, v, deep + 1)),
                f"    acc = acc * (1.0 - 0.1 * {i})",
            ]
        return [f"for {v} in {p}:", *indented(self.read(inner, v, deep + 1))]

    def tangent_for(self, kind: Kind, name: str) -> str:
        if self.maybe(0.15):
            return "None"
        if kind == "F":
            return self.any("1.0", "u", "0.5", name)
        if kind == "M":
            return self.any(name, f"np.ones({name}.shape)", f"{name} * 0.5", f"np.ones_like({name})")
        if kind == "A":
            return self.any(name, f"np.ones(len({name}))", f"{name} * 0.5", f"{name}.copy()")
        if kind in ("Box", "Pair", "Duo"):
            return name
        if kind[0] == "dict":
            pairs = [f"{key!r}: {self.tangent_for(part, f'{name}[{key!r}]')}" for key, part in kind[1]]
            self.rng.shuffle(pairs)
            return "{" + ", ".join(pairs) + "}"
        if kind[0] == "tuple":
            return (
                "("
                + "".join(f"{self.tangent_for(part, f'{name}[{k}]')}, " for k, part in enumerate(kind[1]))
                + ")"
            )
        v = self.name("v")
        return self.any(name, f"[{self.tangent_for(kind[1], v)} for {v} in {name}]", f"list({name})")

    def step(self, p: str, g: str, kind: Kind, top: bool = True) -> list[str]:
        """Lines that write p - 0.1 g back in place."""
        if (
            top
            and self.maybe(0.2)
            and kind[0] in ("list", "dict", "tuple")
            and not any(form in str(kind) for form in ("Box", "Pair", "Duo"))
        ):
            return [f"{p} = moved({p}, {g})"]
        if kind in ("F", "A", "M"):
            choices = [f"{p} = {p} - 0.1 * {g}"]
            if "[" in p or "." in p or kind != "F":
                choices += [f"{p} -= 0.1 * {g}"]
            if kind != "F":
                choices += [f"{p}[:] = {p} - 0.1 * {g}", f"{p}[...] -= 0.05 * {g}", f"{p}[0] -= 0.1 * {g}[0]"]
            return [self.any(*choices)]
        if kind == "Box":
            return [
                *self.step(f"{p}.w", f"{g}.w", "A"),
                *self.step(f"{p}.b", f"{g}.b", "F"),
                f"{p}.parts[0] -= 0.1 * {g}.parts[0]",
            ]
        if kind == "Pair":
            return (
                [f"{p} = Pair({p}.w - 0.1 * {g}.w, {p}.b - 0.1 * {g}.b)"]
                if top
                else [f"{p}.w[:] = {p}.w - 0.1 * {g}.w"]
            )
        if kind == "Duo":
            return [f"{p} = {p}._replace(b={p}.b - 0.1 * {g}.b)"] if top else [f"{p}.a[0] -= 0.1 * {g}.a[0]"]
        if kind[0] == "dict":
            if all(part in ("F", "A") for _, part in kind[1]) and self.maybe(0.5):
                k = self.name("k")
                if top and self.maybe(0.3):
                    return [f"{p} = {{{k}: {p}[{k}] - 0.1 * {g}[{k}] for {k} in {p}}}"]
                if self.maybe(0.2):
                    return [f"{p}.update({{{k}: {p}[{k}] - 0.1 * {g}[{k}] for {k} in {g}}})"]
                over = self.any(f"for {k} in {p}:", f"for {k} in list({p}):", f"for {k} in {g}:")
                return [over, f"    {p}[{k}] = {p}[{k}] - 0.1 * {g}[{k}]"]
            return [
                line
                for key, part in kind[1]
                for line in self.step(f"{p}[{key!r}]", f"{g}[{key!r}]", part, False)
            ]
        if kind[0] == "tuple":
            if top and all(part in ("F", "A") for part in kind[1]):
                a, b = self.name("a"), self.name("b")
                return [f"{p} = tuple({a} - 0.1 * {b} for {a}, {b} in zip({p}, {g}))"]
            arrays = [k for k, part in enumerate(kind[1]) if part in ("A", "M")]
            return [f"{p}[{k}][:] -= 0.1 * {g}[{k}]" for k in arrays] or ["pass"]
        i = self.name("i")
        if kind[1] in ("F", "A"):
            a, b = self.name("a"), self.name("b")
            together = [f"{p} = [{a} - 0.1 * {b} for {a}, {b} in zip({p}, {g})]"] if top else []
            whole = self.any(*together, f"{p}[:] = [{a} - 0.1 * {b} for {a}, {b} in zip({p}, {g})]", "")
            if whole:
                return [whole]
        return [
            f"for {i} in range(len({p})):",
            *indented(self.step(f"{p}[{i}]", f"{g}[{i}]", kind[1], False)),
        ]

    def poke(self, name: str, kind: Kind) -> list[str]:
        """The container is changed in some place."""
        if kind == "F":
            return [f"{name} = {name} * 0.5"]
        if kind in ("A", "M"):
            return [self.any(f"{name}[0] = 0.75", f"{name} *= 0.5", f"{name}[:] = {name} + 0.25")]
        if kind == "Box":
            return [
                self.any(
                    f"{name}.b = 0.5",
                    f"{name}.w = {name}.w * 0.5",
                    f"{name}.parts.append(0.25)",
                    f"{name}.w[0] = 0.5",
                )
            ]
        if kind in ("Pair", "Duo"):
            return [f"{name}.{'w' if kind == 'Pair' else 'a'}[0] = 0.25"]
        if kind[0] == "tuple":
            arrays = [k for k, part in enumerate(kind[1]) if part in ("A", "M")]
            return [f"{name}[{k}][0] = 0.5" for k in arrays] or [f"{name} = ({name}[0], *{name}[1:])"]
        if kind[0] == "dict":
            key, part = self.any(*kind[1])
            return (
                [f"{name}[{key!r}] = {self.make(part)}"]
                if self.maybe(0.7)
                else self.poke(f"{name}[{key!r}]", part)
            )
        new = self.make(kind[1])
        return [
            self.any(
                f"{name}.append({new})",
                f"{name}[0] = {new}",
                f"{name}[-1] = {name}[0]",
                f"{name}.insert(0, {new})",
                f"{name} += [{new}]",
                f"{name}.extend([{new}])",
                f"{name}.reverse()",
            )
        ]
