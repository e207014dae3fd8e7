"""Expressions of a wanted shape, and numbers, over the names of a program."""

from __future__ import annotations

import numpy as np

from fuzz.samples import Kind, Shape
from fuzz.views import Views, broadcasts

_REAL_UNARY = (
    "np.sin({})", "np.cos({})", "np.tanh({})", "np.abs({})", "-{}", "{}**2", "np.exp(-np.abs({}))", "{} * {}",
    "np.sqrt(np.abs({}) + 0.5)", "np.clip({}, -1, 1)", "np.square({})", "np.where({} > 0, {}, 0.1)", "np.cumsum({}, -1) * 0.25",
    "1 / (1 + np.exp(-{}))", "np.maximum({}, 0.1)", "np.log(1 + np.abs({}))", "np.arctan({})", "({} > 0) * 0.5", "np.minimum({}, 0.75)",
    "1 / (1 + {}**2)", "np.where(np.abs({}) > 0.5, 1.0, {})",
)  # fmt: skip
_INT_UNARY = (
    "-{}", "{} % 5", "{} // 2", "np.abs({})", "{} % 7 - 3", "np.clip({}, -9, 9)", "np.where({} > 0, {}, 1)",
    "np.cumsum({}, -1) % 11", "np.maximum({}, 0)", "np.minimum({}, 6)", "({} > 1) * 2", "{} & 7", "{} * {} % 13", "np.sign({})",
)  # fmt: skip
_COMPLEX_UNARY = (
    "np.conj({})", "-{}", "{} * 1j", "{} * {}", "np.abs({}) + 0j", "{}.real * 1j", "np.exp(1j * np.abs({}))", "{} * (0.5 - 0.5j)",
)  # fmt: skip
_REAL_BINARY = (
    "{} + {}", "{} - {}", "{} * {}", "{} + {} * 0.5", "{} - 0.1 * {}", "{} / (1 + np.abs({}))", "{} / (0.5 + {}**2)",
    "np.maximum({}, {})", "np.minimum({}, {})", "np.where({0} > {1}, {0}, 0.5 * {1})", "0.9 * {} + 0.1 * {}", "np.hypot({}, {})",
    "np.arctan2({}, 1.5 + {}**2)", "({} - {})**2", "{} * ({} > 0)", "np.add({}, {})", "np.multiply({}, {})",
)  # fmt: skip
_INT_BINARY = ("{} + {}", "{} - {}", "{} * {} % 9", "{} + 2 * {}", "np.maximum({}, {})", "np.minimum({}, {})", "{} // (1 + np.abs({}))",
               "np.where({0} > {1}, {0}, {1} - 1)", "({} > {}) * 3", "{} ^ {}", "{} % (2 + np.abs({}))")  # fmt: skip
_COMPLEX_BINARY = (
    "{} + {}",
    "{} - {}",
    "{} * {}",
    "{} * np.conj({})",
    "{} / (1 + np.abs({}))",
    "0.9 * {} + 0.1j * {}",
)


class Expressions(Views):
    """Makes expressions; what they are is looked up by running them on the samples."""

    dtype = np.dtype("float64")

    @property
    def family(self) -> str:
        """i, f or c: what the program computes with."""
        return self.dtype.kind

    def array(self, shape: Shape, depth: int = 2) -> str:
        """An expression of the shape, of the program's dtype."""
        for _ in range(25):
            text = self.try_array(shape, depth)
            kind = self.kind(text) if text else None
            if text and kind and kind.is_array and kind.shape == shape and kind.dtype == self.dtype.str:
                return text
        names = [name for name in self.arrays() if self.kinds[name].shape == shape]
        return f"{self.rng.choice(names)} * 1" if names else ""

    def try_array(self, shape: Shape, depth: int) -> str:
        """An expression that may have the shape."""
        rng, pool = self.rng, self.pool(2)
        exact = self.of_shape(shape, pool)
        chance = rng.random()
        if chance < 0.22 or depth == 0:
            made = self.product(shape, pool) if chance < 0.15 else ""
            return made or (rng.choice(exact) if exact else self.spread(shape, pool))
        first = operand(self.try_array(shape, depth - 1))
        if not first:
            return ""
        if chance < 0.5:
            return self.filled(self.choose(_REAL_UNARY, _INT_UNARY, _COMPLEX_UNARY), first)
        if chance < 0.62 and len(shape) and self.family != "c":
            return self.normalised(first, len(shape))
        second = self.mate(shape, pool) if chance < 0.85 else operand(self.try_array(shape, depth - 1))
        if not second:
            return ""
        operands = (first, second) if rng.random() < 0.7 else (second, first)
        return self.filled(self.choose(_REAL_BINARY, _INT_BINARY, _COMPLEX_BINARY), *operands)

    def choose(self, real: tuple[str, ...], whole: tuple[str, ...], imaginary: tuple[str, ...]) -> str:
        """A form for the numbers of this program."""
        return self.rng.choice({"f": real, "i": whole, "c": imaginary}[self.family])

    def filled(self, form: str, *operands: str) -> str:
        """The form with the operands; one operand may stand in several places."""
        blanks = form.count("{}")
        if "{0}" in form:
            return form.format(*operands)
        return form.format(*(operands if len(operands) == blanks else operands[:1] * blanks))

    def mate(self, shape: Shape, pool: list[tuple[str, Kind]]) -> str:
        """An operand that is spread over the shape: a row, a column, a number."""
        rng = self.rng
        chance = rng.random()
        if chance < 0.3:
            return operand(self.number(0))
        if chance < 0.45:
            return self.spread(shape, pool)
        fitting = [text for text, kind in pool if broadcasts(kind.shape, shape)]
        return rng.choice(fitting) if fitting else self.literal()

    def spread(self, shape: Shape, pool: list[tuple[str, Kind]]) -> str:
        """An array that broadcasts to the shape by new axes or by a reduction."""
        rng = self.rng
        if len(shape) == 2:
            columns = [text for text, kind in pool if kind.shape == shape[:1]]
            rows = [text for text, kind in pool if kind.shape == shape[1:]]
            if columns and rows and rng.random() < 0.7:
                u, v = rng.choice(columns), rng.choice(rows)
                op = rng.choice("+-*")
                return rng.choice(
                    (f"np.outer({u}, {v})", f"{u}[:, None] {op} {v}", f"{u}[:, None] {op} {v}[None, :]")
                )
            return f"{rng.choice(columns)}[:, None]" if columns else ""
        if len(shape) == 1:
            reduced = []
            for text, kind in pool:
                if kind.rank == 2:
                    reduced += [
                        text + f".{how}(1)" for how in ("sum", "mean", "max") if kind.shape[0] == shape[0]
                    ]
                    reduced += [
                        text + f".{how}(axis=0)"
                        for how in ("sum", "mean", "min")
                        if kind.shape[1] == shape[0]
                    ]
            if reduced:
                return rng.choice(reduced)
        exact = self.of_shape(shape, pool)
        return rng.choice(exact) if exact else ""

    def product(self, shape: Shape, pool: list[tuple[str, Kind]]) -> str:
        """A product of two arrays with the shape."""
        rng = self.rng
        choices: list[str] = []
        matrices = [(text, kind) for text, kind in pool if kind.rank == 2]
        for text, kind in matrices:
            if kind.shape[0] != shape[0]:
                continue
            others = [
                t
                for t, k in pool
                if k.rank == len(shape) and k.shape[:1] == kind.shape[1:] and k.shape[1:] == shape[1:]
            ]
            choices += [
                rng.choice((f"{text} @ {o}", f"np.dot({text}, {o})", f"{o} @ {text}.T")) for o in others[:3]
            ]
        return rng.choice(choices) if choices else ""

    def normalised(self, text: str, rank: int) -> str:
        """The array without its mean, or divided by its size."""
        forms = ["{0} - {1}.mean(0)", "{0} / (1 + np.abs({1}).max())", "{0} / (1 + np.abs({1}).sum(-1, keepdims=True))",
                 "{0} - {1}.max(-1, keepdims=True)", "{0} - {1}.mean()", "{0} / ({1}.max() - {1}.min() + 1)", "{0} * 0.5 / {1}.shape[0]"]  # fmt: skip
        if rank == 2:
            forms += [
                "{0} / (1 + np.abs({1}).sum(1))[:, None]",
                "{0} - {1}.mean(1)[:, None]",
                "{0} - {1}.sum(0) * 0.1",
            ]
        if self.family == "i":
            forms = [
                "{0} - {1}.min(0)",
                "{0} - {1}.max(-1, keepdims=True)",
                "{0} % (2 + np.abs({1}).sum())",
                "{0} - {1}.sum() % 5",
            ]
        text = operand(text)
        return self.rng.choice(forms).format(text, text)

    def bounded(self, text: str) -> str:
        """The expression, kept small; a number where there is no expression of that shape."""
        rng, text = self.rng, text or self.literal()
        if self.family == "i":
            return rng.choice(("({}) % 17", "({}) % 11 - 5", "np.clip({}, -20, 20)", "({}) // 3")).format(
                text
            )
        forms = ["{}", "0.5 * ({})", "({}) * 0.25", "({}) / 2"]
        if len(text) < 40 and self.kind(f"({text}).max()"):
            forms += ["({0}) / (1 + np.abs({0}).max())"]
        if self.family == "f":
            forms += ["np.tanh({})", "np.sin({})", "np.clip({}, -2, 2)"]
        return rng.choice(forms).format(text)

    def literal(self) -> str:
        """A constant."""
        choices = {
            "f": ("0.5", "1.5", "-0.25", "2", "0.125", "1.0"),
            "i": ("1", "2", "-3", "4"),
            "c": ("0.5", "0.5j", "(1 - 0.5j)"),
        }
        return self.rng.choice(choices[self.family])

    def number(self, depth: int = 2) -> str:
        """An expression of one number, of Python or NumPy."""
        for _ in range(20):
            text = self.try_number(depth)
            kind = self.kind(text) if text else None
            if kind and kind.is_number and (self.family == "c" or kind.is_real):
                if not (self.family == "i" and kind.family != "int" and kind.dtype[1:2] not in "iu"):
                    return text
        return self.literal()

    def try_number(self, depth: int) -> str:
        """An expression that may be a number."""
        rng, arrays, numbers = self.rng, self.arrays(), self.numbers()
        chance = rng.random()
        if numbers and chance < 0.15:
            return rng.choice(numbers)
        if chance < 0.2 or not arrays:
            return self.literal()
        if chance < 0.4:
            return self.place(rng.choice(arrays))
        if chance < 0.55 and depth:
            left, right = operand(self.number(depth - 1)), operand(self.number(depth - 1))
            forms = [
                "{} + {}",
                "{} - {}",
                "{} * {}",
                "max({}, {})",
                "min({}, {})",
                "{} - 0.5 * {}",
                "{} / (1 + abs({}))",
            ]
            whole = ["{} + {}", "{} - {}", "{} * {} % 7", "max({}, {})", "min({}, {})", "{} // (1 + abs({}))"]
            return self.choose(tuple(forms), tuple(whole), ("{} + {}", "{} - {}", "{} * {}")).format(
                left, right
            )
        text = self.part(rng.choice(arrays))
        kind = self.kind(text)
        if kind is None:
            return ""
        if depth and rng.random() < 0.4:
            text = self.array(kind.shape, depth - 1) or text
        if kind.rank == 1 and rng.random() < 0.35:
            other = rng.choice(self.of_shape(kind.shape, self.pool(1)) or [text])
            return rng.choice(
                ("{} @ {}", "np.dot({}, {})", "({} * {}).sum()", "np.abs({} - {}).max()")
            ).format(operand(text), operand(other))
        return self.reduction(operand(text))

    def reduction(self, text: str) -> str:
        """The array as one number."""
        real = ("{}.sum()", "{}.mean()", "{}.max()", "{}.min()", "np.abs({}).max()", "np.sqrt(({0}**2).sum())", "np.sum({})",
                "np.linalg.norm({})", "{}.argmax()", "np.abs({}).sum()", "np.tanh({}).prod()", "float({}.sum())", "({} > 0).sum()", "np.mean({})",
                "{}.std()")  # fmt: skip
        whole = (
            "{}.sum()",
            "{}.max()",
            "{}.min()",
            "{}.argmin()",
            "int({}.sum())",
            "np.abs({}).sum() % 9",
            "({} > 1).sum()",
            "len({})",
        )
        return self.choose(real, whole, ("{}.sum()", "{}.mean()", "np.vdot({0}, {0})", "np.sum({})")).format(
            text
        )

    def numbers(self) -> list[str]:
        """Names of numbers."""
        return [name for name, kind in self.kinds.items() if kind.is_number and name not in self.indices]

    def test(self) -> str:
        """A condition."""
        rng, arrays = self.rng, self.arrays()
        flags = [name for name, kind in self.kinds.items() if kind.family == "bool"]
        forms = [
            f"{self.real_number()} {rng.choice(('>', '<', '>=', '<='))} {self.real_number()}"
            for _ in range(2)
        ]
        for i in self.indices:
            forms += [f"{i} % 2 == 0", f"{i} > 9", f"{i} == 1", f"{i} > 0", f"{i} % 3", f"{i} != 2"]
        if arrays and self.family != "c":
            x, c = self.part(rng.choice(arrays)), rng.choice(("0", "1", "100", "0.5"))
            forms += [
                f"np.abs({x}).sum() > {c}",
                f"({x} > {c}).any()",
                f"{x}.max() < {c}",
                f"({x} < 100).all()",
            ]
        if flags:
            forms += [rng.choice(flags), f"not {rng.choice(flags)}"]
        if rng.random() < 0.15:
            return f"({rng.choice(forms)} {rng.choice(('and', 'or'))} {rng.choice(forms)})"
        return rng.choice(forms)

    def real_number(self) -> str:
        """A number that can be compared."""
        text = self.number(1)
        return f"abs({text})" if self.family == "c" else text


def operand(text: str) -> str:
    """The text as an operand: in parentheses where it isn't one name, call or place."""
    depth = 0
    for char in text:
        depth += (char in "([") - (char in ")]")
        if depth == 0 and char in " *+-/%":
            return f"({text})"
    return text
