"""Random NumPy programs: the same seed gives the same text."""

from __future__ import annotations

import random
import signal
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType
from typing import Any

import numpy as np

from fuzz.also import PLAIN, chosen
from fuzz.blocks import indented
from fuzz.data import Signature, Sizes, arguments
from fuzz.odd import Odd, odd_kinds

_HEADER = "import math\n\nimport numpy as np\n"


@dataclass(frozen=True)
class Program:
    """A program, and what it is called with."""

    text: str
    signature: Signature
    sizes: Sizes
    seed: int
    differentiable: bool
    imports: str = ""

    @property
    def module(self) -> str:
        """The text of a module that says all of it."""
        facts = f"SIGNATURE = {self.signature!r}\nSIZES = {self.sizes!r}\nSEED = {self.seed}\nDIFFERENTIABLE = {self.differentiable}\n"
        return f"{_HEADER}{self.imports}\n{facts}\n\n{self.text}"

    def calls(self) -> list[tuple[Any, ...]]:
        """Arguments: two calls of the same sizes, then other sizes."""
        exact = not self.differentiable
        return [
            arguments(self.signature, self.sizes, 0, self.seed, exact),
            arguments(self.signature, self.sizes, 0, self.seed + 1, False),
            arguments(self.signature, self.sizes, 1, self.seed + 2, exact),
            arguments(self.signature, self.sizes, 2, self.seed + 3, exact),
        ]


class Writer(Odd):
    """Writes whole programs."""

    def __init__(self, seed: int, sized: bool = False) -> None:
        super().__init__(random.Random(seed), 3)
        rng = self.rng
        self.used: set[str] = {
            "S",
            "A",
            "b",
            "c",
            "d",
            "B",
            "C",
            "steps",
            "rate",
            "n",
            "m",
            "i",
            "j",
            "np",
            "math",
        }
        self.module_level, self.nested = [], []
        self.also = chosen(rng, sized)
        self.may_raise = self.sized and rng.random() < 0.5
        self.differentiable = rng.random() < (0.08 if self.also.intersection(PLAIN) else 0.5)
        kinds = ("float64",) * 6 + ("float32", "complex128", "int64", "float64")
        self.dtype = np.dtype("float64" if self.differentiable else rng.choice(kinds))
        even = rng.random() < 0.35
        lengths = (4, 6, 8) if even else (4, 5, 6, 7, 8, 9)
        square = rng.random() < 0.5
        self.sizes: Sizes = ()
        for n in rng.sample(lengths, 3):
            m = n if square else rng.choice([k for k in (4, 5, 6, 7) if k != n])
            self.sizes += ({"n": n, "m": m},)
        self.signature: Signature = {"S": f"{self.dtype.name} n n", "b": f"{self.dtype.name} n"}
        for name, axes, chance in (
            ("A", "n m", 0.35),
            ("c", "m", 0.35),
            ("d", "n", 0.4),
            ("C", "2 n m", 0.06),
        ):
            if rng.random() < chance:
                other = "float64" if rng.random() < 0.1 and not self.differentiable else self.dtype.name
                self.signature[name] = f"{other} {axes}"
        counts = [rng.choice((2, 3, 3, 4, 5)) for _ in self.sizes]
        if rng.random() < 0.15:
            counts[2] = rng.choice((0, 1))
        self.signature["steps"] = "int " + " ".join(map(str, counts))
        if rng.random() < 0.3 and self.dtype.kind != "i":
            self.signature["rate"] = "float"
        self.early = "0.0"
        self.odd = odd_kinds(seed, self.differentiable)
        self.may_raise |= "nones" in self.odd and not self.differentiable and seed % 3 == 0

    def program(self) -> str:
        """The text of the program and its helpers."""
        rng = self.rng
        made = [arguments(self.signature, self.sizes, k, 7, False) for k in range(3)]
        for place, name in enumerate(self.signature):
            self.bind(name, [values[place] for values in made])
        for name in ("n", "m"):
            self.bind(name, [size[name] for size in self.sizes])
        self.bind("steps", [max(1, values[list(self.signature).index("steps")]) for values in made])
        lines = self.sizes_lines()
        self.exits = self.differentiable or rng.random() < 0.3
        self.early = (
            rng.choice(("b.sum()", "S[0] @ b", "0.5"))
            if self.differentiable
            else rng.choice(
                ("b", "b.copy()", "0.0", "b[1:]", "S.sum()", *(["None"] * 3 if "maybes" in self.also else []))
            )
        )
        lines += self.setup()
        lines += self.setup_also()
        for _ in range(rng.choice((1, 1, 1, 1, 1, 2))):
            lines += self.nest() if rng.random() < 0.9 else self.block(2, 3)
        if rng.random() < 0.25:
            lines += self.block(1, 2)
        lines += [*self.some_also(0.35, 2), *self.after_also()]
        lines += [f"return {self.result()}"]
        nested = [line for text in self.nested for line in text.rstrip().split("\n")]
        program = (
            "\n".join([f"def program({', '.join(self.signature)}):", *indented([*nested, *lines])]) + "\n"
        )
        return "\n\n".join([*self.module_level, program])

    def sizes_lines(self) -> list[str]:
        """How the program gets its sizes."""
        if "A" in self.signature and self.rng.random() < 0.6:
            return ["n, m = A.shape"]
        m = (
            "len(c)"
            if "c" in self.signature
            else "A.shape[1]"
            if "A" in self.signature
            else "C.shape[2]"
            if "C" in self.signature
            else "3"
        )
        if m == "3":
            self.bind("m", [3, 3, 3])
        return [self.rng.choice(("n = len(b)", "n = b.shape[0]", "n = S.shape[0]", "n = b.size")), f"m = {m}"]

    def setup(self) -> list[str]:
        """Arrays and numbers that are made before the loops."""
        rng, lines = self.rng, []
        one = {"f": "1.0", "i": "1", "c": "1.0"}[self.family]
        half = {"f": "0.5", "i": "2", "c": "0.5j"}[self.family]
        choices = [f"b * {one}", "b.copy()", f"b * {half}", "np.zeros_like(b)", "S @ b" if self.family != "i" else "b + 1", "b", "b[::-1]", "np.outer(b, b)",
                   f"S * {one}", "S.copy()", "S.T", "S", "S[0]", f"S[:, 0] * {one}", "b[1:]", "b[:-1]", "S[1:]", f"S[-1] - b * {half}"]  # fmt: skip
        for name in ("c", "d", "A"):
            choices += [f"{name} * {one}", f"{name}.copy()", name] if name in self.signature else []
        for _ in range(rng.choice((1, 1, 2, 2, 3))):
            lines += self.new(rng.choice(choices), "x", "y", "z", "r", "p", "u", "v", "w", "X", "R")
        if rng.random() < 0.5:
            lines += self.new(
                {"f": rng.choice(("0.0", "1.0", "0.0", "b[0]")), "i": "0", "c": "0j"}[self.family],
                "s",
                "total",
                "acc",
            )
        if rng.random() < 0.2:
            lines += self.new("0", "count", "hits")
        if rng.random() < 0.12:
            lines += self.new(rng.choice(("True", "False")), "done", "flag")
        return lines

    def nest(self) -> list[str]:
        """A loop, or loops in loops, around an idiom, random statements or both."""
        rng = self.rng
        depth = rng.choice((0, 0, 0, 1, 1, 1, 2))
        kept = set(self.kinds)
        idiomatic = self.family in "fc" and rng.random() < (0.35 if self.sized else 0.55)
        setup, body = self.idiom() if idiomatic else ([], [])
        state = [name for name in self.kinds if name not in kept]
        bound = {word for line in setup for word in line.split(" = ")[0].split(", ")}
        inner = {name: self.kinds[name] for name in state if name not in bound}
        for name in inner:
            self.forget(name)

        def make() -> list[str]:
            if not idiomatic:
                return [*self.statements(depth), *self.some_also(0.7, depth)]
            lines = self.some_also(0.5, min(depth, 1))
            if rng.random() < 0.35:
                lines += self.statements(min(depth, 1), 2)
            lines += body
            self.kinds.update(inner)
            if rng.random() < 0.45:
                lines += self.statements(min(depth, 1), 2)
            if rng.random() < 0.2:
                lines = [f"if {self.test()}:", *indented(lines)]
                if rng.random() < 0.5:
                    lines += ["else:", *self.inside(lambda: self.block(0, 2))]
            if depth == 2 and rng.random() < 0.4:
                return self.loop(0, lambda: lines)
            return lines

        return [*setup, *self.loop(depth, make)]

    def statements(self, depth: int, size: int = 3) -> list[str]:
        """A few statements, calls of helpers among them."""
        lines: list[str] = []
        for _ in range(self.rng.randint(1, size)):
            lines += self.helper_call() if self.rng.random() < 0.12 else self.statement(depth)
        return lines

    def result(self) -> str:
        """What the program returns."""
        rng, arrays = self.rng, self.arrays()
        numbers = [n for n in self.numbers() if n not in ("n", "m", "steps", "rate")]
        some = rng.sample(arrays, min(len(arrays), rng.choice((1, 2, 3, 4))))
        if self.differentiable:
            own = [name for name in arrays if name not in self.signature] or arrays
            terms = []
            for name in rng.sample(own, min(len(own), rng.choice((1, 2, 3)))):
                kind = self.kinds[name]
                weight = rng.choice(["S", "b"]) if rng.random() < 0.4 else name
                same = weight if self.kinds[weight].shape == kind.shape else name
                forms = ["({0} * {1}).sum()", "{0}.sum()", "np.sin({0}).sum()", "({0}**2).mean()"] + (
                    ["{0} @ {1}"] if kind.rank == 1 else []
                )
                terms.append(rng.choice(forms).format(name, same))
            terms += rng.sample(numbers, min(len(numbers), rng.choice((0, 1, 2, 2))))
            terms += self.sized_terms()
            return " + ".join(terms)
        parts = [
            rng.choice((name, name, name, self.part(name), f"{name}.sum()", f"{name} * 2")) for name in some
        ]
        parts += rng.sample(numbers, min(len(numbers), rng.choice((0, 1, 2))))
        parts += self.also_returned()
        return (
            parts[0]
            if len(parts) == 1 and rng.random() < 0.8
            else ", ".join(parts) + ("," if len(parts) == 1 else "")
        )


LARGEST = 1e6
MOST_LINES = 100_000


def generate(seed: int, sized: bool = False) -> Program:
    """The program of a seed: the first of its attempts that runs and keeps its numbers small."""
    for attempt in range(200):
        writer = Writer(seed * 1000 + attempt, sized)
        try:
            text = writer.program()
        except (IndexError, AssertionError, SyntaxError):  # nothing left to choose from
            continue
        program = Program(text, writer.signature, writer.sizes, seed * 10, writer.differentiable)
        if runs(program, writer.may_raise):
            return program
    raise ValueError(f"seed {seed} gives no program")


def plain(program: Program) -> Any:
    """The plain function of the text."""
    scope: dict[str, Any] = {}
    exec(compile(_HEADER + program.text, "program", "exec"), scope)
    return scope["program"]


def runs(program: Program, may_raise: bool = False) -> bool:
    """Whether each call of the program ends with numbers that can be compared, or with what users meet."""
    try:
        function = plain(program)
    except Exception:  # noqa: BLE001 (it is another one)
        return False
    return all(_ends(function, args, may_raise) for args in program.calls())


def _ends(function: Callable[..., Any], args: tuple[Any, ...], may_raise: bool) -> bool:
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = in_few_lines(function, args)
    except Exception as error:  # noqa: BLE001 (a program that raises is another one)
        return may_raise and (isinstance(error, (IndexError, UnboundLocalError)) or "NoneType" in str(error))
    return all(map(_is_small, [*args, *(result if isinstance(result, tuple) else (result,))]))


def in_few_lines(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """Its result. A TimeoutError if it takes many lines: some loops that are written here never end."""
    left = MOST_LINES

    def look(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal left
        left -= event == "line"
        if left < 0:
            raise TimeoutError
        return look if frame.f_code.co_filename == "program" else None

    before = sys.gettrace()
    sys.settrace(look)
    try:
        return function(*args)
    finally:
        sys.settrace(before)


def runs_alone(text: str) -> bool:
    """Whether the program of a module's text ends soon, for each of its calls, with numbers that can be compared."""
    scope: dict[str, Any] = {}

    def late(*_: Any) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, 2.0)
    try:
        exec(compile(text, "program", "exec"), scope)
        if "made" in scope:
            from fuzz.differences import runs_by_reference

            return runs_by_reference(text)
        program = Program(text, scope["SIGNATURE"], scope["SIZES"], scope["SEED"], scope["DIFFERENTIABLE"])
        return runs(program, may_raise=True)
    except Exception:  # noqa: BLE001
        return False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _is_small(value: Any) -> bool:
    if isinstance(value, (np.ndarray, np.generic, int, float, complex)):
        return bool(np.all(np.abs(value) < LARGEST))
    if isinstance(value, (list, tuple)):
        return len(value) < 1000 and all(_is_small(item) for item in value)
    if isinstance(value, dict):
        return _is_small(list(value.values()))
    return value is None
