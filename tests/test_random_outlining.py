"""Random functions with `try`, `with`, `match` and jumps: without their loops they do what they did.

Most programs run with their loops as plain functions: what is tried here is which names go in and come out.
"""

from __future__ import annotations

import contextlib
import itertools
import linecache
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from same import IDENTITY, decorate

from jitscope.autograph.outlining.rewrite import outlined

NAMES = "pqrst"
_numbers = itertools.count()


class Trouble(Exception):
    """What the programs raise."""


class Calm:
    """A context manager that swallows what the programs raise, if it is asked to."""

    def __init__(self, swallows):
        self.swallows = swallows

    def __enter__(self):
        return 2

    def __exit__(self, kind, error, trace):
        return self.swallows and kind is not None and issubclass(kind, (Trouble, NameError))


class Fuel:
    """Every step takes one; the step without fuel raises."""

    def __init__(self, steps):
        self.steps = steps
        self.log = []

    def __call__(self, value):
        self.log.append(value)
        self.steps -= 1
        if self.steps == 0:
            raise Trouble(str(value))
        if self.steps < -60:
            raise KeyboardInterrupt
        return len(self.log) % 3


class Writer:
    """The text of one random function."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def text(self) -> str:
        body = "\n".join(self.block(1, 4, False))
        end = f"    return {', '.join(self.random.sample(NAMES, 2))}"
        bound = self.random.choice(["p, q=2.0", "p=1, q=2, r=3.0, s=4, t=5"])
        return f"def program(fuel, a, {bound}):\n{body}\n{end}\n"

    def block(self, depth: int, left: int, in_loop: bool) -> list[str]:
        """Some statements."""
        lines = []
        for _ in range(self.random.randint(1, 3)):
            lines += self.statement(depth, left, in_loop)
        return lines

    def value(self) -> str:
        first, second = self.random.choice(NAMES), self.random.choice(NAMES)
        return self.random.choice(
            [first, f"fuel({first})", f"{first} + {second}", "1", f"fuel({first}) + {second}", "a[0]"]
        )

    def statement(self, depth: int, left: int, in_loop: bool) -> list[str]:
        pad, name = "    " * depth, self.random.choice(NAMES)
        simple = [
            lambda: [f"{pad}{name} = {self.value()}"],
            lambda: [f"{pad}{name} += {self.value()}"],
            lambda: [f"{pad}a[fuel(0) % 3] += {self.random.choice(NAMES)}"],
            lambda: [f"{pad}{name} = a[{self.random.choice(NAMES)}]"],
            lambda: [f"{pad}fuel({name})"],
        ]
        rare = [lambda: [f"{pad}del {name}"], lambda: [f"{pad}return {name}"]]
        if in_loop:
            rare += [lambda: self.jump(pad, "break"), lambda: self.jump(pad, "continue")]
        rare += [lambda: [f"{pad}if fuel({name}) == 1: raise Trouble('own')"]]
        blocks = [self.loop, self.loop, self.loop, self.try_, self.try_, self.with_, self.if_, self.match]
        draw = self.random.random()
        if left and draw < 0.5:
            return self.random.choice(blocks)(depth, left - 1, in_loop)
        return self.random.choice(rare if draw > 0.93 else simple)()

    def jump(self, pad: str, kind: str) -> list[str]:
        return [f"{pad}if fuel({self.random.choice(NAMES)}) == 2: {kind}"]

    def loop(self, depth: int, left: int, in_loop: bool) -> list[str]:
        pad, name = "    " * depth, self.random.choice(NAMES)
        head = self.random.choice(
            [f"for {name} in range({self.random.randint(0, 3)}):", f"while fuel({name}) != 1:"]
        )
        lines = [pad + head, *self.block(depth + 1, left, True)]
        if self.random.random() < 0.2:
            lines += [f"{pad}else:", *self.block(depth + 1, left, in_loop)]
        return lines

    def if_(self, depth: int, left: int, in_loop: bool) -> list[str]:
        pad = "    " * depth
        lines = [f"{pad}if fuel({self.random.choice(NAMES)}):", *self.block(depth + 1, left, in_loop)]
        if self.random.random() < 0.5:
            lines += [f"{pad}else:", *self.block(depth + 1, left, in_loop)]
        return lines

    def try_(self, depth: int, left: int, in_loop: bool) -> list[str]:
        pad = "    " * depth
        lines = [f"{pad}try:", *self.block(depth + 1, left, in_loop)]
        kind = self.random.choice(["except", "except", "finally", "both"])
        if kind != "finally":
            caught = self.random.choice(["Trouble", "(Trouble, NameError)", "Exception"])
            named = self.random.choice(["", "", f" as {self.random.choice(NAMES)}"])
            lines += [f"{pad}except {caught}{named}:", *self.block(depth + 1, left, in_loop)]
            if self.random.random() < 0.3:
                lines += [f"{pad}else:", *self.block(depth + 1, left, in_loop)]
        if kind != "except":
            lines += [f"{pad}finally:", *self.block(depth + 1, left, in_loop)]
        return lines

    def with_(self, depth: int, left: int, in_loop: bool) -> list[str]:
        pad = "    " * depth
        named = self.random.choice(["", f" as {self.random.choice(NAMES)}"])
        manager = self.random.choice(
            ["Calm(True)", "Calm(False)", "nullcontext(2)", "Calm(False), nullcontext(1)"]
        )
        head = f"{pad}with {manager}{named}:"
        return [head, *self.block(depth + 1, left, in_loop)]

    def match(self, depth: int, left: int, in_loop: bool) -> list[str]:
        pad, name = "    " * depth, self.random.choice(NAMES)
        lines = [f"{pad}match (fuel({self.random.choice(NAMES)}), 1):"]
        lines += [f"{pad}    case (0, _):", *self.block(depth + 2, left, in_loop)]
        lines += [f"{pad}    case ({name}, _):", *self.block(depth + 2, left, in_loop)]
        return lines


def program(text: str) -> Callable[..., Any]:
    """The function of a text, with lines that can be looked up."""
    name = f"<random outlining {next(_numbers)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    space: dict[str, Any] = {
        "Calm": Calm,
        "nullcontext": contextlib.nullcontext,
        "Trouble": Trouble,
        "__name__": __name__,
    }
    exec(compile(text, name, "exec"), space)
    return space["program"]


def results(f: Callable[..., Any]) -> Iterator[Any]:
    """What `f` does when the first, second, third ... step raises."""
    for steps in range(1, 24):
        fuel, a = Fuel(steps), np.arange(3.0)
        try:
            found: Any = f(fuel, a, 1)
        except BaseException as error:
            found = type(error).__name__, str(error)
        yield repr(found), fuel.log.__repr__(), a.tolist()


def without_loops(f: Callable[..., Any]) -> Callable[..., Any] | None:
    found = outlined(f, lambda loop, place: loop)
    return found.function if found else None


def valid_texts(seeds: range) -> Iterator[str]:
    for seed in seeds:
        text = Writer(seed).text()
        try:
            compile(text, "text", "exec")
        except SyntaxError:  # a default `except` before another, a `continue` in a `finally` of old
            continue
        yield text


@pytest.mark.parametrize("start", range(0, 600, 150))
def test_without_its_loops_a_program_does_what_it_did(start: int) -> None:
    count = 0
    for text in valid_texts(range(start, start + 150)):
        plain = program(text)
        other = without_loops(plain)
        if other is not None:
            count += 1
            for step, (wanted, got) in enumerate(zip(results(plain), results(other), strict=True)):
                assert wanted == got, f"step {step + 1} of\n{text}"
    assert count > 20


@pytest.mark.parametrize("start", [5000, 5100])
def test_compiled_loops_do_what_they_did(start: int) -> None:
    compiled = 0
    for text in itertools.islice(filter(has_loops, valid_texts(range(start, start + 100))), 8):
        plain = program(text)
        decorated = decorate(program(text))
        for step, (wanted, got) in enumerate(zip(results(plain), results(decorated), strict=True)):
            assert wanted == got, f"step {step + 1} of\n{text}"
        if not IDENTITY:
            outlining = decorated.__jitscope__.outlining
            compiled += outlining is not None and bool(outlining.loops)
    assert IDENTITY or compiled >= 4


def has_loops(text: str) -> bool:
    return without_loops(program(text)) is not None
