"""Random programs of assignments, branches, loops and jumps: staged code gives the original's answer.

Seeds instead of shrinking: a failure prints a program that can be pasted.
"""

import linecache
import random

import plain_operators
import pytest
import speculative_operators

from jitscope.autograph.convert import convert

NAMES = ["a", "b", "c", "d"]


class Writer:
    """Writes one random function."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.budget = self.random.randint(4, 22)
        self.loops = 0

    def program(self):
        for name in NAMES[2:]:
            if self.random.random() < 0.85:
                self.write(1, f"{name} = {self.random.randint(-2, 5)}")
        self.block(1, False, top=True)
        returned = ", ".join(self.random.sample(NAMES, 2))
        self.lines.append(f"    return {returned}")
        return "def program(a, b):\n" + "\n".join(self.lines) + "\n"

    def block(self, depth, in_loop, top=False):
        for _ in range(self.random.randint(3, 7) if top else self.random.randint(1, 3)):
            self.statement(depth, in_loop)

    def statement(self, depth, in_loop):
        self.budget -= 1
        kinds = ["assign"] * 4 + ["augment"] * 2 + ["del"]
        if self.budget > 0 and depth < 5:
            kinds += ["if"] * 4 + ["for"] * 2 + ["while"] * 2 + ["with", "def"]
        if in_loop:
            kinds += ["break", "continue"]
        kinds += ["return"] if depth > 1 else []
        getattr(self, "write_" + self.random.choice(kinds).rstrip("_"))(depth, in_loop)

    def write(self, depth, text):
        self.lines.append("    " * depth + text)

    def value(self, depth=0):
        r = self.random
        kind = r.randrange(5 if depth > 1 else 8)
        if kind < 2:
            return str(r.randint(-2, 5))
        if kind < 5:
            return r.choice(NAMES)
        x, y = self.value(depth + 1), self.value(depth + 1)
        if kind == 5:
            return f"({x} {r.choice(['+', '-', '*'])} {y}) % 7"
        if kind == 6:
            return f"({x} if {self.test(depth + 1)} else {y})"
        return r.choice([f"({x} or {y})", f"sum([{x} + k for k in range(2)])", f"(lambda k={x}: k + {y})()"])

    def test(self, depth=0):
        a, b, c = (self.value(depth + 1) for _ in range(3))
        tests = [f"{a} < {b}", f"{a} == {b}", f"{a}", f"not {a}", f"{a} <= {b} < {c}", f"{a} > 1 and {b}"]
        return self.random.choice(tests)

    def write_assign(self, depth, in_loop):
        r = self.random
        if r.random() < 0.2:
            x, y = r.sample(NAMES, 2)
            self.write(depth, f"{x}, {y} = {self.value()}, {self.value()}")
        else:
            self.write(depth, f"{r.choice(NAMES)} = {self.value()}")

    def write_augment(self, depth, in_loop):
        self.write(depth, f"{self.random.choice(NAMES)} += {self.value()}")

    def write_del(self, depth, in_loop):
        if self.random.random() < 0.1:
            self.write(depth, f"del {self.random.choice(NAMES)}")
        else:
            self.write(depth, "pass")

    def write_if(self, depth, in_loop):
        walrus = f"({self.random.choice(NAMES)} := {self.value()}) > {self.value()}"
        self.write(depth, f"if {walrus if self.random.random() < 0.15 else self.test()}:")
        self.block(depth + 1, in_loop)
        if self.random.random() < 0.3:
            self.write(depth, f"elif {self.test()}:")
            self.block(depth + 1, in_loop)
        if self.random.random() < 0.5:
            self.write(depth, "else:")
            self.block(depth + 1, in_loop)

    def loop(self, depth, in_loop):
        self.block(depth + 1, True)
        if self.random.random() < 0.3:
            self.write(depth, "else:")
            self.block(depth + 1, in_loop)

    def write_for(self, depth, in_loop):
        target = self.random.choice(NAMES + ["i", "i"])
        self.write(depth, f"for {target} in range({self.random.randint(0, 3)}):")
        self.loop(depth, in_loop)

    def write_while(self, depth, in_loop):
        self.loops += 1
        n = f"n{self.loops}"
        self.write(depth, f"{n} = {self.random.randint(0, 3)}")
        test = f"({n} := {n} - 1) >= 0" if self.random.random() < 0.4 else f"{n} > 0 and {self.test()}"
        self.write(depth, f"while {test}:")
        self.write(depth + 1, f"{n} -= 1")
        self.loop(depth, in_loop)

    def write_with(self, depth, in_loop):
        self.write(depth, "with suppress(ZeroDivisionError):")
        self.block(depth + 1, in_loop)
        self.write(depth + 1, f"{self.random.choice(NAMES)} = 6 // {self.value()}")

    def write_def(self, depth, in_loop):
        x, y = self.random.sample(NAMES, 2)
        self.write(depth, f"def f(k={self.value()}):")
        self.write(depth + 1, f"if k > {self.value()}:")
        self.write(depth + 2, f"{x} = k")
        self.write(depth + 1, f"return {self.random.choice([x, y])}")
        self.write(depth, f"{self.random.choice(NAMES)} = f()")

    def write_break(self, depth, in_loop):
        self.write(depth, "break")

    def write_continue(self, depth, in_loop):
        self.write(depth, "continue")

    def write_return(self, depth, in_loop):
        self.write(depth, f"return {self.random.choice(NAMES)}, {self.value()}")


def compiled(text, filename):
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    names = {}
    exec("from contextlib import suppress", names)
    exec(compile(text, filename, "exec"), names)
    return names["program"]


def outcome(fn, args):
    try:
        return fn(*args)
    except NameError as error:
        return NameError, str(error).split("'")[1]
    except (TypeError, ZeroDivisionError) as error:
        return type(error), str(error)


@pytest.mark.parametrize("batch", range(5))
def test_random_programs(batch):
    for seed in range(60 * batch, 60 * batch + 60):
        text = Writer(seed).program()
        fn = compiled(text, f"<random {seed}>")
        staged = convert(fn)
        for operators in (plain_operators, speculative_operators):
            function = staged.instantiate(dict(fn.__globals__), operators)
            for args in ((0, 1), (3, 2)):
                expected, actual = outcome(fn, args), outcome(function, args)
                assert actual == expected, f"seed {seed}, {operators.__name__}\n{text}\n{staged.text}"
