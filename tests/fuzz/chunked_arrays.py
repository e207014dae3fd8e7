"""Random functions of arrays in blocks: stencils, borders, time steps, loops over elements, and the like.

``python tests/fuzz/chunked_arrays.py [FIRST [LAST]]`` maps the programs of these seeds over arrays that are cut in
several ways, and prints those that give anything else than the function gives for the whole. Programs
that are refused lose the statement that the refusal names, and try again: most end as local ones.
"""

from __future__ import annotations

import ast
import linecache
import random
import re
import signal
import sys
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

Shape = tuple[int, ...]

HELPERS = """\
import numpy as np


def smooth(x):
    out = x.copy()
    if len(x) < 3:
        return out
    out[1:-1] = (x[:-2] + x[2:]) * 0.5
    return out


def limited(x, c):
    if c > 0.5:
        return np.minimum(x, c)
    return np.maximum(x, c) * 0.5


def shifted(x, k):
    out = np.zeros_like(x)
    if k > 0:
        out[k:] = x[:-k]
    elif k < 0:
        out[:k] = x[-k:]
    else:
        out[:] = x
    return out


def ends(x):
    x[0] = x[1]
    x[-1] = x[-2] * 2


"""


class Writer:
    """Writes one program; statements that raise are taken back."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.numbers = np.random.default_rng(seed)
        self.far = self.rng.choice((0.0, 0.0, 0.02, 0.1))  # how often it does what isn't local
        self.names = 0
        self.shapes: dict[str, Shape] = {}
        self.kinds: dict[str, str] = {}
        self.lines: list[str] = []

    # Arguments

    def arguments(self) -> dict[str, Any]:
        """The arguments, by name; arrays of the first one's size come cut."""
        rng = self.rng
        rank = rng.choice((1, 1, 1, 2, 2, 2, 3))
        square = rng.random() < 0.3
        n = rng.randint(6, 15)
        sizes = [n, *(n if square else rng.randint(3, 9 if rank == 2 else 5) for _ in range(rank - 1))]
        if rank > 1 and rng.random() < 0.08:
            sizes[1] = 1
        args: dict[str, Any] = {"u": self.array(sizes)}
        if rng.random() < 0.4:
            args["v"] = self.array(sizes)
        if rng.random() < 0.25:
            args["w"] = self.array(sizes[:1])
        if rank > 1 and rng.random() < 0.25:
            args["z"] = self.array(sizes[1:])
        if rng.random() < 0.15:
            args["table"] = self.numbers.random(rng.randint(2, 5))
        args["c"] = rng.choice((0.25, 0.5, 0.75, 2))
        args["k"] = rng.randint(1, 3)
        return args

    def array(self, sizes: list[int]) -> Any:
        chance = self.rng.random()
        x = self.numbers.random(sizes)
        if chance < 0.7:
            return x
        if chance < 0.78:
            return x.astype(np.float32)
        if chance < 0.9:
            return (x * 20 - 5).astype(self.rng.choice((np.int64, np.int32, np.int16)))
        if chance < 0.94:
            return x + 1j * self.numbers.random(sizes)
        return x > 0.5 if chance < 0.97 else (x * 200).astype(np.uint8)

    # Text

    def name(self) -> str:
        self.names += 1
        return f"a{self.names}"

    def some(self, rank: int | None = None, least: Shape | None = None) -> str | None:
        """A name of an array of this rank that has at least these sizes."""
        found = [
            x
            for x, s in self.shapes.items()
            if s
            and (rank is None or len(s) == rank)
            and (
                least is None or (len(s) == len(least) and all(a >= b for a, b in zip(s, least, strict=True)))
            )
        ]
        return self.rng.choice(found) if found else None

    def bound(self, x: str, axis: int, end: int) -> str:
        """An end of a slice, counted from the axis' end."""
        rng = self.rng
        size = self.shapes[x][axis]
        if end == 0:
            return rng.choice(("", "", f"{x}.shape[{axis}]"))
        chance = rng.random()
        if chance < 0.7:
            return f"-{end}"
        if chance < 0.9 or axis:
            return f"{x}.shape[{axis}] - {end}"
        return f"len({x}) - {end}" if self.far == 0 or rng.random() < 0.7 else str(size - end)

    def part(self, x: str, target: Shape) -> str:
        """A slice of an array that has this shape."""
        rng = self.rng
        parts = []
        for axis, (size, wanted) in enumerate(zip(self.shapes[x], target, strict=True)):
            over = size - wanted
            if rng.random() < 0.12 and wanted < size:
                start = rng.choice((0, rng.randint(0, over)))
                parts.append(f"{start}:{start + wanted}" if start else f":{wanted}")
                continue
            start = rng.randint(0, over)
            parts.append(f"{start or ''}:{self.bound(x, axis, over - start)}")
        while parts and parts[-1] == ":":
            parts.pop()
        return f"{x}[{', '.join(parts)}]" if parts else x

    def scalar(self) -> str:
        rng = self.rng
        return rng.choice(("0.5", "2", "c", "k", "0.25", "1.5", "(-1)", "c"))

    def leaf(self, target: Shape) -> str:
        rng = self.rng
        x = self.some(least=target)
        if x is not None and rng.random() < 0.8:
            return self.part(x, target)
        if rng.random() < 0.5 and len(target) > 1:
            axis = rng.randrange(len(target))
            y = self.some(least=(target[axis],))
            if y is not None:
                around = ["None"] * len(target)
                around[axis] = ":"
                return f"{self.part(y, (target[axis],))}[{', '.join(around)}]"
            y = self.some(rank=len(target))
            if y is not None and self.far:
                return f"{y}[{rng.randint(0, 1)}]"
        if x is not None and rng.random() < 0.5:
            return self.part(x, target)
        if rng.random() < self.far:
            y = self.some(rank=1)
            if y:
                return rng.choice((f"{y}[0]", f"{y}[-1]", f"len({y})", f"{y}.mean()"))
        if rng.random() < self.far and len(target) == 1:
            return rng.choice((f"np.arange({target[0]})", f"np.linspace(0, 1, {target[0]})"))
        return self.scalar()

    def value(self, target: Shape, depth: int = 2) -> str:
        """An expression of this shape, or one that is broadcast to it."""
        rng = self.rng
        if depth <= 0 or rng.random() < 0.15:
            return self.leaf(target)
        chance = rng.random()
        if chance < 0.5:
            op = rng.choice(("+", "-", "*", "+", "-", "*"))
            return f"({self.value(target, depth - 1)} {op} {self.value(target, depth - 1)})"
        x = self.value(target, depth - 1)
        if chance < 0.56:
            return f"np.where({self.leaf(target)} > {self.scalar()}, {x}, {self.value(target, depth - 1)})"
        if chance < 0.62:
            return rng.choice(
                (f"np.abs({x})", f"np.minimum({x}, 0.5)", f"np.maximum({x}, {self.leaf(target)})")
            )
        y = self.some(least=target)
        if y is None:
            return x
        p = self.part(y, target)
        rank = len(target)
        axis = rng.randrange(rank)
        if chance < 0.70:
            by = rng.choice((1, -1)) if self.far < 0.1 else rng.choice((1, -1, 2, -3))
            if rank > 1 and rng.random() < 0.2:
                return f"np.roll({p}, ({by}, {rng.choice((1, -1))}), ({axis}, {(axis + 1) % rank}))"
            return f"np.roll({p}, {by}, axis={axis})"
        if chance < 0.74:
            return (
                f"np.gradient({p}, axis={axis})"
                if rng.random() < 0.7
                else f"np.gradient({p}, c, axis={axis})"
            )
        if chance < 0.78:
            by = rng.randint(1, 2)
            more = tuple(s + by * (a == axis) for a, s in enumerate(target))
            y = self.some(least=more)
            return f"np.diff({self.part(y, more)}, {f'n={by}, ' if by > 1 else ''}axis={axis})" if y else x
        if chance < 0.83 and target[axis] > 3:
            a = rng.randint(1, 2)
            less = tuple(s - (a * (i == axis)) for i, s in enumerate(target))
            y = self.some(least=less)
            if y is None:
                return x
            front = rng.random() < 0.5
            width = ", ".join(
                f"({a * front}, {a * (not front)})" if i == axis else "(0, 0)" for i in range(rank)
            )
            mode = rng.choice(("constant", "edge") if self.far < 0.1 else ("wrap", "reflect", "symmetric"))
            return (
                f"np.pad({self.part(y, less)}, ({width}), mode={mode!r})"
                if rank > 1
                else (f"np.pad({self.part(y, less)}, {width}, mode={mode!r})")
            )
        if chance < 0.88 and target[axis] > 2:
            one = tuple(1 if i == axis else s for i, s in enumerate(target))
            less = tuple(s - 1 if i == axis else s for i, s in enumerate(target))
            y1, y2 = self.some(least=one), self.some(least=less)
            if y1 and y2:
                edge = ", ".join(
                    (":1" if i == axis and rng.random() < 0.5 else "-1:") if i == axis else self.cut(y1, i, s)
                    for i, s in enumerate(one)
                )
                pieces = [f"{y1}[{edge}]", self.part(y2, less)]
                if rng.random() < 0.5 + 0.3 * (":1" not in edge):
                    pieces.reverse()
                return f"np.concatenate([{pieces[0]}, {pieces[1]}], axis={axis})"
        if chance < 0.93 and rank > 1:
            along = rank - 1 if rng.random() < 0.9 else axis
            return rng.choice(
                (
                    f"np.cumsum({p}, axis={along})",
                    f"np.sort({p}, axis={along})",
                    f"{p}.max(axis={along}, keepdims=True)",
                    f"{p}.sum(axis={along}, keepdims=True)",
                    f"{p}[:, ::-1]",
                )
            )
        if chance < 0.96 and rank == 2:
            back = target[::-1]
            y = self.some(least=back)
            return f"{self.part(y, back)}.T" if y else x
        return rng.choice((f"smooth({p})", f"limited({p}, c)", f"shifted({p}, {rng.randint(-2, 2)})"))

    def cut(self, x: str, axis: int, wanted: int) -> str:
        over = self.shapes[x][axis] - wanted
        start = self.rng.randint(0, over)
        return f"{start or ''}:{self.bound(x, axis, over - start)}"

    # Statements

    def smaller(self, shape: Shape) -> Shape:
        rng = self.rng
        out = list(shape)
        for axis, size in enumerate(shape):
            if rng.random() < (0.5, 0.3, 0.2)[axis] and size > 3:
                out[axis] = size - rng.randint(1, min(4, size - 2))
        return tuple(out)

    def written(self) -> str | None:
        """An array that may be written to."""
        found = [x for x in self.shapes if self.kinds.get(x) in ("own", "view") and self.shapes[x]]
        if self.rng.random() < self.far / 4:
            found += ["u"]
        return self.rng.choice(found) if found else None

    def statement(self, depth: int = 2) -> list[str]:
        rng = self.rng
        chance = rng.random()
        if chance < 0.2:
            return self.new()
        if chance < 0.4:
            return self.assigned()
        if chance < 0.5:
            return self.border()
        if chance < 0.55:
            return self.view()
        if chance < 0.67 and depth:
            return self.steps(depth)
        if chance < 0.9 and depth:
            return self.elements()
        if chance < 0.94 and depth:
            return self.branch(depth)
        return self.odd()

    def new(self) -> list[str]:
        rng = self.rng
        x = self.some()
        assert x is not None
        shape = self.shapes[x]
        out = self.name()
        self.kinds[out] = "own"
        chance = rng.random()
        if chance < 0.2:
            return [f"{out} = {x}.copy()"]
        if chance < 0.35:
            return [f"{out} = np.zeros_like({x})"]
        if chance < 0.5:
            by = [rng.choice((0, 0, 1, 2, -1, -2)) for _ in shape]
            sizes = [
                f"{x}.shape[{a}]{f' - {b}' if b > 0 else f' + {-b}' if b else ''}" for a, b in enumerate(by)
            ]
            text = f"({', '.join(sizes)})" if len(shape) > 1 else sizes[0]
            return [f"{out} = {rng.choice(('np.zeros', 'np.ones'))}({text})"]
        if chance < 0.56 and len(shape) > 1:
            return [
                f"{out} = {x}.{rng.choice(('sum', 'max', 'mean'))}(axis={rng.choice((len(shape) - 1, 1, 0))})"
            ]
        if chance < 0.6:
            return [f"{out} = np.stack([{x}, {self.value(shape)} + {x}], axis={rng.randint(0, len(shape))})"]
        if chance < 0.64 and len(shape) > 1:
            return [f"{out} = {x}[:, {rng.choice((0, -1, 'k'))}].copy()"]
        if chance < 0.65:
            return [
                f"{out} = np.zeros({rng.choice((f'len({x}) // 2', f'2 * len({x})', f'{x}.size', f'min(len({x}), 5)'))})"
            ]
        if chance < 0.68:
            dtype = rng.choice(("np.float32", "np.int64", "np.float64", "bool"))
            return [f"{out} = {self.value(shape)}", f"{out} = {out}.astype({dtype})"]
        target = self.smaller(shape)
        return [f"{out} = {self.value(target, 3)}"]

    def assigned(self) -> list[str]:
        rng = self.rng
        x = self.written()
        if x is None:
            return self.new()
        target = self.smaller(self.shapes[x])
        left = self.part(x, target)
        if left == x:
            left = f"{x}[:]"
        op = rng.choice(("=", "=", "=", "+=", "-=", "*="))
        return [f"{left} {op} {self.value(target)}"]

    def border(self) -> list[str]:
        rng = self.rng
        x = self.written()
        if x is None:
            return self.new()
        rank = len(self.shapes[x])
        axis = rng.randrange(rank)
        front = ":, " * axis
        at = rng.choice(("0", "-1", "1", "-2", ":2", "-2:", f"{x}.shape[{axis}] - 1", ":3", "-3:", "2", "k"))
        if ":" in at:
            other = {
                ":2": ("1:3", "2:4", "1:3"),
                "-2:": ("-3:-1", "-4:-2", "1:3"),
                ":3": ("3:6",),
                "-3:": ("-4:-1",),
            }[at]
        elif at.startswith("-") or "shape" in at:
            other = ("-2", "-3", "-1") + (("0", "1") if rng.random() < 0.2 + self.far else ())
        else:
            other = ("1", "2", "0", "k") + (("-1", "-2") if rng.random() < 0.2 + self.far else ())
        y = x if rng.random() < 0.7 else (self.some(rank=rank) or x)
        value = rng.choice(
            (
                f"{y}[{front}{rng.choice(other)}]",
                f"{y}[{front}{rng.choice(other)}] * 2 - {y}[{front}{rng.choice(other)}]",
                self.scalar(),
            )
        )
        return [f"{x}[{front}{at}] {rng.choice(('=', '=', '+='))} {value}"]

    def view(self) -> list[str]:
        rng = self.rng
        x = self.written()
        if x is None:
            return self.new()
        out = self.name()
        self.kinds[out] = "view"
        if rng.random() < 0.2:
            return [f"{out} = {x}"]
        if len(self.shapes[x]) == 2 and rng.random() < 0.2:
            return [f"{out} = {x}.T" if rng.random() < 0.5 else f"{out} = {x}[:, {rng.choice((0, -1))}]"]
        return [f"{out} = {self.part(x, self.smaller(self.shapes[x]))}"]

    def block(self, depth: int) -> list[str]:
        known = dict(self.shapes)
        lines: list[str] = []
        for _ in range(self.rng.randint(1, 3)):
            new = self.statement(depth)
            if self.accepts([*self.wrapped, "if True:", *indented([*lines, *new])]):
                lines += new
        for x in set(self.shapes) - set(known):
            del self.shapes[x]
        return lines

    wrapped: tuple[str, ...] = ()
    same: frozenset[str] | set[str] = frozenset()

    def steps(self, depth: int) -> list[str]:
        rng = self.rng
        count = rng.choice(("2", "3", "k", "k + 1"))
        if rng.random() < 0.06 + self.far:
            x = self.some()
            count = rng.choice((f"len({x})", f"{x}.shape[-1]", f"len({x}) - 2"))
        lines = self.block(depth - 1)
        if not lines:
            return self.new()
        x = self.written()
        if x is not None and rng.random() < 0.5:
            y = self.some(least=self.shapes[x])
            if y and self.shapes[y] == self.shapes[x] and y != x and self.kinds.get(y) == "own":
                lines.append(f"{x}, {y} = {y}, {x}")
        if x is not None and rng.random() < 0.12:
            lines.append(f"{x} = {self.value(self.smaller(self.shapes[x]))}")
        chance = rng.random()
        if chance < 0.08:
            lines.insert(
                rng.randint(0, len(lines)) if all(not t.startswith(" ") for t in lines) else 0,
                "if t > 0: break",
            )
        elif chance < 0.12:
            lines.append("if c > 0.6: break")
        elif chance < 0.2:
            lines = [f"if t {rng.choice(('== 0', '> 0', '% 2 == 0'))}:", *indented(lines)]
        return [f"for t in range({count}):", *indented(lines)]

    def branch(self, depth: int) -> list[str]:
        rng = self.rng
        x = self.some()
        test = rng.choice(("c > 0.5", "k > 1", f"len({x}) > 4", f"{x}.ndim > 1", f"{x}.shape[-1] > 2"))
        if rng.random() < self.far:
            test = rng.choice((f"len({x}) % 2", f"{x}.sum() > 0", f"{x}.flat[0] > 0.5"))
        lines = [f"if {test}:", *indented(self.block(depth - 1) or ["pass"])]
        if rng.random() < 0.5:
            lines += ["else:", *indented(self.block(depth - 1) or ["pass"])]
        return lines

    # Loops over elements

    def index(self, n: str, lo: int, hi: int) -> str:
        """An index near i that stays inside, where i runs from lo to n - hi."""
        rng = self.rng
        chance = rng.random()
        if chance < 0.65:
            by = rng.randint(-lo, hi)
            return f"i{f' + {by}' if by > 0 else f' - {-by}' if by else ''}"
        if chance < 0.75:
            return f"max(i - {rng.randint(1, 3)}, 0)"
        if chance < 0.85:
            return f"min(i + {rng.randint(1, 3)}, {n} - 1)"
        if chance < 0.93:
            return f"(i {rng.choice('+-')} {rng.randint(1, 2)}) % {n}"
        if chance < 0.96:
            return f"i - {rng.randint(1, 2)}"
        if self.far and rng.random() < 0.5:
            return rng.choice(
                (f"{n} - 1 - i", "0", "-1", "i // 2", f"i % {rng.randint(2, 5)}", f"min(2 * i, {n} - 1)")
            )
        return "i"

    def elements(self) -> list[str]:
        rng = self.rng
        x = self.written()
        if x is None:
            return self.new()
        shape = self.shapes[x]
        lo, hi = rng.choice((0, 0, 1, 2, 3)), rng.choice((0, 0, 1, 2, 3))
        n = "n"
        lines = [f"n = {rng.choice((f'len({x})', f'{x}.shape[0]'))}"]
        deep = len(shape) > 1 and rng.random() < 0.5
        rest = "".join(", :" for _ in shape[1:]) if rng.random() < 0.3 else ""
        jlo, jhi = rng.choice((0, 1)), rng.choice((0, 1))

        def read() -> str:
            ok = [
                y
                for y, s in self.shapes.items()
                if s
                and (
                    (len(s) == len(shape) and s[1:] == shape[1:])
                    or (len(s) == 1 and (deep or len(shape) == 1))
                )
                and (s[0] >= shape[0] or rng.random() < 0.1)
            ]
            if rng.random() < 0.55 and x in ok:
                others = [y for y in ok if y != x]
                ok = others or ok
            if not ok:
                return "0.5"
            y = rng.choice(ok)
            at = self.index(rng.choice((n, n, f"len({y})")), lo, hi)
            if len(self.shapes[y]) == 1:
                return f"{y}[{at}]"
            if deep:
                j = rng.choice(
                    (
                        "j",
                        "j",
                        f"j - {jlo}" if jlo else "j",
                        f"j + {jhi}" if jhi else "j",
                        "max(j - 1, 0)",
                        "0",
                    )
                )
                return f"{y}[{at}, {j}]" if rng.random() < 0.8 else f"{y}[{at}][{j}]"
            return f"{y}[{at}{rest}]"

        def expression(level: int = 2) -> str:
            chance = rng.random()
            if level == 0 or chance < 0.3:
                return read()
            if chance < 0.8:
                return f"({expression(level - 1)} {rng.choice('+-*')} {expression(level - 1)})"
            if chance < 0.9:
                return f"{expression(level - 1)} * {self.scalar()}"
            return f"abs({expression(level - 1)})"

        def test() -> str:
            chance = rng.random()
            if chance < 0.45:
                return rng.choice(
                    (
                        "i == 0",
                        f"i == {n} - 1",
                        "i > 0",
                        f"i < {n} - 1",
                        "i < 2",
                        f"i >= {n} - 2",
                        "i > 2",
                        "i != 1",
                        f"i == 0 or i == {n} - 1",
                        f"0 < i < {n} - 1",
                        f"i + 1 < {n}",
                        "i - 1 >= 0",
                        f"i > {n} - 3",
                        "not i",
                        f"i < 3 and {read()} > 0.5",
                    )
                )
            if chance < 0.5 and self.far:
                return rng.choice((f"i < {n} // 2", "i % 2 == 0", f"2 * i > {n}"))
            if deep or len(shape) == 1:
                return f"{read()} > {rng.choice(('0.5', '0.2', 'c'))}"
            return "k > 1"

        at = "i" if rng.random() < 0.8 else self.index(n, lo, hi)
        place = f"{x}[{at}, j]" if deep else f"{x}[{at}{rest}]"
        simple = deep or len(shape) == 1
        body: list[str] = []
        for _ in range(rng.randint(1, 3)):
            chance = rng.random()
            if chance < 0.45:
                body.append(f"{place} {rng.choice(('=', '=', '+='))} {expression()}")
            elif chance < 0.6:
                body += [f"if {test()}:", f"    {place} {rng.choice(('=', '+='))} {expression()}"]
                if rng.random() < 0.5:
                    body += ["else:", f"    {place} = {expression(1)}"]
            elif chance < 0.66:
                body += [f"if {test()}:", "    continue"]
            elif chance < 0.675:
                body += [f"if {test()}:", "    break"]
            elif chance < 0.8 and simple:
                r = rng.randint(1, 2)
                y = self.some(least=shape) or x
                more = ", j" if deep else ""
                if len(self.shapes[y]) != len(shape):
                    continue
                kind = rng.random()
                if kind < 0.4:
                    body += [
                        "s = 0.0",
                        f"for d in range(-{r}, {r + 1}):",
                        f"    if 0 <= i + d and i + d < {n}:",
                        f"        s += {y}[i + d{more}]",
                        f"{place} = s",
                    ]
                elif kind < 0.6:
                    body += [
                        "s = 0.0",
                        f"for d in range({lo + hi + 1}):",
                        f"    s += {y}[i - {lo} + d{more}]",
                        f"{place} = s * 0.5",
                    ]
                elif kind < 0.8 and not deep:
                    body += [f"{place} = {y}[i - {lo}:i + {hi + 1}].{rng.choice(('sum', 'max', 'min'))}()"]
                elif not deep:
                    body += [
                        f"{place} = {y}[max(i - {r}, 0):min(i + {r + 1}, {n})].{rng.choice(('max', 'min', 'sum'))}()"
                    ]
            elif chance < 0.88 and simple:
                body += [f"s = {expression()}", f"{place} = s + {read()}"]
            elif chance < 0.92 and simple and self.far:
                body += [f"acc = acc * 0.5 + {read()}", f"{place} = acc"]
                if "acc = 0.0" not in lines:
                    lines.append("acc = 0.0")
            elif self.far and simple:
                body.append(f"{place} = {x}[int({read()} * k) % {n}{', j' if deep else ''}]")
        if simple and rng.random() < 0.05 + self.far:
            first, step = rng.choice(
                (("1.0", "-acc"), ("0", "acc + 1"), ("0", "(acc + 1) % 3"), ("2.0", "acc * 0.5"), ("0", "1"))
            )
            lines.append(f"acc = {first}")
            body += [f"{place} {rng.choice(('=', '*=', '+='))} acc", f"acc = {step}"]
        if not body:
            body = [f"{place} = {expression()}"]
        way = rng.random()
        start = str(lo) if lo else "0"
        stop = f"{n} - {hi}" if hi else n
        loop = f"range({f'{start}, ' if lo else ''}{stop})"
        if way < 0.1:
            loop = f"range({stop} - 1, {lo - 1}, -1)"
        elif way < 0.13:
            loop = f"range({start}, {rng.randint(3, 5)})"
        elif way < 0.15 and self.far:
            loop = f"range({start}, {stop}, 2)"
        elif way < 0.17 and self.far:
            loop = f"range({n} // 2)"
        if deep:
            body = [f"for j in range({jlo}, {x}.shape[1]{f' - {jhi}' if jhi else ''}):", *indented(body)]
        if len(shape) == 3 and deep:
            return self.new()
        return [*lines, f"for i in {loop}:", *indented(body)]

    def odd(self) -> list[str]:
        rng = self.rng
        x = self.written()
        if x is None:
            return self.new()
        y = self.some() or x
        chance = rng.random()
        if chance < 0.06:
            test = rng.choice(
                (
                    f"len({y}) % {self.shapes[y][0]}",
                    f"{y}.ravel()[0] > 1e9",
                    f"len({y}) < {self.shapes[y][0] // 2}",
                    f"len({y}) != {self.shapes[y][0]}",
                    f"{y}.sum() > 1e9",
                )
            )
            return [f"if {test}:", "    raise ValueError('no')"]
        if chance < 0.35:
            return [f"{x}[{x} > {self.scalar()}] = {self.scalar()}"]
        if chance < 0.5:
            return [f"ends({x})"]
        if chance < 0.6:
            return [f"n = len({y})", f"m = n - {rng.randint(1, 3)}", f"{self.fresh()} = {y}[1:m]"]
        if chance < 0.62:
            return [f"if len({y}) < {rng.randint(2, 4)}:", f"    return {y}"]
        if chance < 0.8:
            return [f"for i, row in enumerate({y}):", f"    {x}[i] = row * 2"]
        if chance < 0.9:
            return [f"{x}[{x} > 0.5] = {y}[{y} > 0.5]" if self.far else f"{x}[{x} > 0.5] *= 2"]
        return [f"{self.fresh()} = {y}.reshape({rng.choice(('-1, 1', '1, -1', '-1'))})"]

    def fresh(self) -> str:
        out = self.name()
        self.kinds[out] = "own"
        return out

    # The whole

    def text(self, lines: list[str], result: str) -> str:
        args = ", ".join(self.args)
        return f"{HELPERS}def f({args}):\n" + "".join(
            f"    {line}\n" for line in [*lines, f"return {result}"]
        )

    def accepts(self, new: list[str]) -> bool:
        """Whether the program still runs; then the shapes of its names are known."""
        space: dict[str, Any] = {}
        try:
            with np.errstate(all="ignore"):
                exec(compile(self.text([*self.lines, *new], "locals()"), "<writer>", "exec"), space)  # noqa: S102
                found = space["f"](*copies(self.args.values()))
        except Exception:  # noqa: BLE001
            return False
        if not isinstance(found, dict):
            return False
        self.same = {x for x, v in found.items() if sum(v is w for w in found.values()) > 1}
        self.shapes = {
            x: v.shape
            for x, v in found.items()
            if isinstance(v, np.ndarray) and 0 < v.ndim < 4 and x != "row" and v.size < 4000
        }
        return all(v.size for v in found.values() if isinstance(v, np.ndarray))

    def result(self) -> str:
        rng = self.rng
        found = [x for x in self.shapes if x not in self.args and x not in self.same] or ["u * 2"]
        most = rng.choice((1, 2, 3, 9, 9, 9, 9, 9))
        chosen = rng.sample(found, min(len(found), most))
        parts = []
        for x in chosen:
            chance = rng.random()
            parts.append(
                x
                if chance < 0.75 or x not in self.shapes
                else self.part(x, self.smaller(self.shapes[x]))
                if chance < 0.85
                else f"{x}[{rng.choice(('0', '-1', '1', ':3', '-3:'))}]"
                if chance < 0.92
                else self.value(self.shapes[x])
            )
        return ", ".join(parts)

    def program(self) -> tuple[str, list[Any]]:
        rng = self.rng
        self.args = self.arguments()
        self.accepts([])
        for _ in range(rng.choice((2, 3, 4, 5, 6, 8))):
            for _attempt in range(6):
                new = self.statement()
                if self.accepts(new):
                    self.lines += new
                    break
                self.accepts([])
        for _attempt in range(8):
            result = self.result()
            text = self.text(self.lines, result)
            if runs(text, list(self.args.values())):
                return text, list(self.args.values())
        return self.text(self.lines, "u * 2"), list(self.args.values())


def indented(lines: list[str]) -> list[str]:
    return ["    " + line for line in lines]


def copies(args: Any) -> list[Any]:
    return [x.copy() if isinstance(x, np.ndarray) else x for x in args]


def runs(text: str, args: list[Any]) -> bool:
    try:
        with np.errstate(all="ignore"):
            found = function(text)(*copies(args))
    except Exception:  # noqa: BLE001
        return False
    found = found if isinstance(found, tuple) else (found,)
    return all(isinstance(x, (np.ndarray, np.generic)) for x in found)


def program(seed: int) -> tuple[str, list[Any]]:
    """The text of a module that has a function f, and arguments for it; equal for equal seeds."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return Writer(seed).program()


def function(text: str, made: list[int] = [0]) -> Callable[..., Any]:  # noqa: B006
    """The function of a text, whose source can be found."""
    made[0] += 1
    name = f"<blocks {made[0]}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    space: dict[str, Any] = {"__name__": f"blocks_{made[0]}"}
    exec(compile(text, name, "exec"), space)  # noqa: S102
    return space["f"]


# Cutting


def chunks(rng: random.Random, size: int) -> tuple[int, ...]:
    """One way to cut an axis."""
    chance = rng.random()
    if chance < 0.4:
        step = rng.randint(1, max(size // 2, 1))
        return tuple(min(step, size - k) for k in range(0, size, step))
    found: list[int] = []
    while sum(found) < size:
        found.append(min(rng.choice((1, 1, 2, 3, 4, 6)), size - sum(found)))
    return tuple(found)


def cuttings(seed: int, args: list[Any], count: int) -> Iterator[dict[int, tuple[tuple[int, ...], ...]]]:
    """For the arguments that are handed on as Dask arrays, their chunks."""
    rng = random.Random(seed * 7 + 1)
    shape = args[0].shape
    rank = len(shape)
    for number in range(count):
        axes = (
            [0]
            if number % 2 == 0 or rank == 1
            else [a for a in range(rank) if rng.random() < 0.6] or [rank - 1]
        )
        along = [chunks(rng, s) if a in axes else (s,) for a, s in enumerate(shape)]
        cut = {}
        for k, arg in enumerate(args):
            if not isinstance(arg, np.ndarray) or not (k == 0 or rng.random() < 0.7):
                continue
            if arg.shape == shape:
                cut[k] = tuple(along) if rng.random() < 0.9 else tuple(chunks(rng, s) for s in shape)
            elif arg.shape == shape[:1]:
                cut[k] = (along[0],)
            elif arg.shape == shape[1:]:
                cut[k] = tuple(along[1:])
        yield cut


# Comparing


def differs(found: Any, wanted: Any, exactly: bool) -> bool:
    found, wanted = np.asarray(found), np.asarray(wanted)
    if found.shape != wanted.shape or found.dtype != wanted.dtype:
        return True
    if found.dtype.kind not in "fc":
        return not np.array_equal(found, wanted)
    if exactly:
        return not np.array_equal(found, wanted, equal_nan=True)
    few = found.dtype.itemsize in (4, 2) or found.dtype == np.complex64
    return not np.allclose(
        found, wanted, rtol=1e-4 if few else 1e-9, atol=1e-5 if few else 1e-11, equal_nan=True
    )


def outcome(
    f: Callable[..., Any], args: list[Any], cut: dict[int, Any], wanted: Any, exactly: bool
) -> tuple[str, str]:
    """What became of one function and one way to cut its arguments."""
    import dask.array as da

    import jitscope as js

    given = [
        da.from_array(x.copy(), chunks=cut[k]) if k in cut else y
        for k, (x, y) in enumerate(zip(args, copies(args), strict=True))
    ]
    try:
        found = js.dask.map_blocks(f, *given)
        if isinstance(found, tuple) != isinstance(wanted, tuple):
            return "FAULT", "a tuple, or not"
        pairs = zip(found, wanted, strict=True) if isinstance(found, tuple) else [(found, wanted)]
        for number, (blocks, whole) in enumerate(pairs):
            if blocks.shape != np.shape(whole) or blocks.dtype != np.asarray(whole).dtype:
                return "FAULT", f"result {number}: {blocks} for {np.shape(whole)} {np.asarray(whole).dtype}"
            for at in np.ndindex(*blocks.numblocks):
                block = blocks.blocks[at] if blocks.ndim else blocks
                got = block.compute()
                if np.shape(got) != block.shape or np.asarray(got).dtype != blocks.dtype:
                    return "FAULT", f"result {number}, block {at}: {np.shape(got)} instead of {block.shape}"
            got = blocks.compute()
            if differs(got, whole, exactly):
                return "FAULT", f"result {number} is\n{got!r}\ninstead of\n{whole!r}"
    except js.JitscopeError as error:
        return "refused", str(error)
    except ValueError as error:
        if "blocks need at least" in str(error):
            return "short", str(error)
        return "FAULT", traceback.format_exc()
    except BaseException as error:  # noqa: BLE001
        if isinstance(error, KeyboardInterrupt):
            raise
        return "FAULT", traceback.format_exc()
    return "right", ""


def without(text: str, line: int) -> str | None:
    """The text without the innermost statement at a line; None where there is none that may go."""
    tree = ast.parse(text)
    best: tuple[int, list[ast.stmt], ast.stmt] | None = None
    for node in ast.walk(tree):
        for field in ("body", "orelse"):
            inside = getattr(node, field, None)
            if not isinstance(inside, list) or not isinstance(node, (ast.FunctionDef, ast.For, ast.If)):
                continue
            for statement in inside:
                if not isinstance(statement, (ast.Return, ast.FunctionDef)) and statement.lineno <= line <= (
                    statement.end_lineno or 0
                ):
                    size = (statement.end_lineno or 0) - statement.lineno
                    if best is None or size < best[0]:
                        best = (size, inside, statement)
    if best is None:
        return None
    _, inside, statement = best
    inside.remove(statement)
    if not inside:
        inside.append(ast.Pass())
    return ast.unparse(tree) + "\n"


def minimised(text: str, still: Callable[[str], bool]) -> str:
    """The text with as few statements as show the same."""
    going = True
    while going:
        going = False
        number = 0
        while True:
            tree = ast.parse(text)
            places = [
                (inside, k)
                for node in ast.walk(tree)
                for field in ("body", "orelse")
                if isinstance(inside := getattr(node, field, None), list)
                for k in range(len(inside))
                if not isinstance(inside[k], (ast.Return, ast.Pass, ast.Import))
            ]
            if number >= len(places):
                break
            inside, k = places[number]
            gone = inside.pop(k)
            if isinstance(gone, (ast.For, ast.If)) and number % 2:
                inside[k:k] = gone.body
            if not inside:
                inside.append(ast.Pass())
            try:
                less = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
                if still(less):
                    text, going = less, True
                    continue
            except SyntaxError:
                pass
            number += 1
    return text


def line_of(refusal: str) -> int | None:
    found = re.search(r"<blocks \d+>:(\d+)", refusal)
    return int(found.group(1)) if found else None


def kind(why: str) -> str:
    """What kind of fault it is."""
    last = why.strip().splitlines()[-1]
    if why.startswith("Traceback"):
        return re.sub(r"\d+", "#", last)
    return "chunks" if "dask.array" in why else re.sub(r"\d+", "#", why.split("\n")[0])


def _late(*_: Any) -> None:
    raise TimeoutError("a hang")


def main(first: int, last: int, compiled: bool, quiet: bool = False) -> Counter[str]:
    """Runs the programs of these seeds."""
    import dask

    import jitscope as js

    dask.config.set(scheduler="synchronous")
    np.seterr(all="ignore")
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGALRM, _late)
    counts: Counter[str] = Counter()
    for seed in range(first, last):
        signal.alarm(30)
        try:
            text, args = program(seed)
        except TimeoutError:
            continue
        for _attempt in range(12):
            signal.alarm(60)
            if not runs(text, args):
                break
            f = function(text)
            plain = f(*copies(args))
            try:
                wanted = js.function(f)(*copies(args)) if compiled else plain
            except Exception:  # noqa: BLE001
                counts["whole raises"] += 1
                print(
                    f"--- seed {seed}: the whole raises\n{text[len(HELPERS) :]}{traceback.format_exc()[-600:]}",
                    flush=True,
                )
                break
            refusal = None
            for cut in cuttings(seed, args, 4):
                signal.alarm(60)
                what, why = outcome(f, args, cut, wanted, exactly=False)
                counts[what] += 1
                if what == "FAULT":

                    def still(
                        text: str,
                        why: str = why,
                        cut: Any = cut,
                        compiled: bool = compiled,
                        args: list[Any] = args,
                    ) -> bool:
                        if not runs(text, args):
                            return False
                        f = function(text)
                        plain = f(*copies(args))
                        wanted = js.function(f)(*copies(args)) if compiled else plain
                        what, now = outcome(f, args, cut, wanted, exactly=False)
                        return what == "FAULT" and kind(now) == kind(why)

                    signal.alarm(90)
                    try:
                        short = minimised(text, still)
                    except TimeoutError:
                        short = text
                    print(f"--- seed {seed}: {kind(why)} {cut}\n{short}{why[-700:]}", flush=True)
                    shapes = [(a.shape, str(a.dtype)) if isinstance(a, np.ndarray) else a for a in args]
                    print("arguments:", shapes, flush=True)
                    break
                if what == "refused":
                    refusal = refusal or why
                    counts[" ".join(re.findall(r"something else: (.*)", why)) or why[:60]] += not quiet
            counts["programs"] += 1
            line = line_of(refusal) if refusal else None
            if refusal is None:
                counts["programs right along all cuts"] += 1
            if what == "FAULT":
                break
            less = without(text, line) if line else None
            if less is None:
                break
            text = less
        signal.alarm(0)
        if seed % 20 == 19:
            some = {key: counts[key] for key in ("programs", "right", "short", "refused", "FAULT")}
            print(f"up to seed {seed}: {some}", file=sys.stderr, flush=True)
    return counts


if __name__ == "__main__":
    from jitscope.runtime import trial

    trial.CLEARLY = 0.0
    import os

    begin = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    end = int(sys.argv[2]) if len(sys.argv) > 2 else begin + 300
    for key, value in main(begin, end, not os.environ.get("JITSCOPE_DISABLE")).most_common():
        print(f"{value:7} {key}")
