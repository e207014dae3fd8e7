"""Statements without blocks: the many ways to store something, views, copies, swaps, numbers."""

from __future__ import annotations

from fuzz.expressions import operand
from fuzz.truths import Truths

_OUT = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide"}
_WORDS = (
    "t",
    "u",
    "v",
    "w",
    "p",
    "q",
    "r",
    "g",
    "h",
    "e",
    "y",
    "z",
    "acc",
    "tmp",
    "new",
    "old",
    "cur",
    "res",
    "d",
    "f",
)


class Writes(Truths):
    """Makes single statements."""

    written: int = 0

    def fresh(self, *wanted: str) -> str:
        """A name that isn't used in this program so far."""
        self.used: set[str]
        for _ in range(20):
            name = self.rng.choice(wanted or _WORDS)
            if name not in self.used:
                break
        else:
            self.written += 1
            name = f"{self.rng.choice(wanted or _WORDS)}{self.written}"
        self.used.add(name)
        return name

    def new(self, text: str, *wanted: str) -> list[str]:
        """A new name for what the text makes."""
        name = self.fresh(*wanted)
        line = f"{name} = {text}"
        return [line] if self.define(line, name) else []

    def put(self, target: str, text: str) -> list[str]:
        """Store an array in the target, as a whole, in one of the ways to say it."""
        rng, kind, given = self.rng, self.kinds[target], self.kind(text)
        if given is None or given.shape != kind.shape:
            return []
        way = rng.random()
        if given.dtype != kind.dtype and way < 0.4:
            way = 0.5
        if way < 0.38:
            return [f"{target} = {text}"]
        if way < 0.68:
            return [f"{target}[:] = {text}"]
        if way < 0.74:
            return [f"{target}[...] = {text}"]
        if way < 0.78:
            return [f"np.copyto({target}, {text})"]
        if way < 0.92:
            name = self.fresh()
            if self.define(f"{name} = {text}", name):
                return [
                    f"{name} = {text}",
                    rng.choice((f"{target} = {name}", f"{target}[:] = {name}", f"{target}[:] = {name} * 1")),
                ]
        if kind.rank == 2:
            row = self.fresh("row", "j", "k")
            return [f"for {row} in range(len({target})):", f"    {target}[{row}] = {operand(text)}[{row}]"]
        return [f"{target} *= 0", f"{target} += {text}"] if rng.random() < 0.3 else [f"{target}[:] = {text}"]

    def grow(self, target: str, op: str, text: str) -> list[str]:
        """Change the target by an operation, in one of the ways to say it."""
        rng, right = self.rng, operand(text)
        if self.kind(f"{target} {op} {right}") != self.kinds.get(target):
            return []
        whole = self.kind(text) == self.kinds[target]
        way = rng.random()
        if way < 0.35:
            return [f"{target} {op}= {text}"]
        if way < 0.5:
            return [f"np.{_OUT[op]}({target}, {text}, out={target})"]
        if way < 0.56:
            return [f"{target}[:] {op}= {text}"]
        if way < 0.62 and whole and self.kinds[target].rank == 1 and text.isidentifier():
            return [f"for j in range(len({target})):", f"    {target}[j] {op}= {text}[j]"]
        if way < 0.7 and whole and op in "+*":
            return self.put(target, f"{right} {op} {target}")
        return self.put(target, f"{target} {op} {right}")

    def update(self) -> list[str]:
        """An array changed as a whole, mostly by what it held."""
        rng = self.rng
        target = rng.choice(self.arrays())
        shape = self.kinds[target].shape
        chance = rng.random()
        if chance < 0.35:
            op = rng.choice("+-+-*") if self.family != "f" else rng.choice("+-+-*/")
            text = self.number(1) if rng.random() < 0.2 else self.bounded(self.array(shape, 2))
            if op == "/":
                text = rng.choice(("2", "1.5", f"(1 + np.abs({target}).max())", "4.0"))
            if op == "*":
                text = rng.choice(("0.5", "0.9", "-1", "0.25")) if self.family != "i" else "-1"
            return self.grow(target, op, text)
        if chance < 0.5:
            return self.out(target)
        text = self.array(shape, 2)
        if chance < 0.75:
            text = f"{target} {rng.choice('+-')} {operand(self.bounded(text))}"
        return self.put(target, self.bounded(text))

    def out(self, target: str) -> list[str]:
        """A ufunc or product with ``out=``."""
        rng, shape = self.rng, self.kinds[target].shape
        place = target
        if rng.random() < 0.25:
            place = self.part(target)
            found = self.kind(place)
            if found is None or ".r" in place:  # ravel and reshape may copy
                place = target
            shape = self.kinds[target].shape if place == target or found is None else found.shape
        pool = self.pool(2)
        product = self.product(shape, pool)
        if product and rng.random() < 0.5 and " @ " in product and self.kind(product) == self.kind(place):
            left, right = product.split(" @ ")
            return [
                f"np.{rng.choice(('matmul', 'matmul', 'dot')) if place == target else 'matmul'}({left}, {right}, out={place})"
            ]
        first = rng.choice(self.of_shape(shape, pool) or [place])
        second = rng.choice((self.mate(shape, pool), self.array(shape, 1), place))
        name = (
            rng.choice(("add", "subtract", "multiply", "maximum", "minimum")) if self.family != "c" else "add"
        )
        pair = (first, second) if rng.random() < 0.6 else (second, first)
        if rng.random() < 0.2 and self.family == "f":
            # not `negative`: NumPy's own loop is wrong in place where elements lie 64 bytes apart (2.4.6, x86)
            return [f"np.{rng.choice(('tanh', 'sin', 'cos', 'abs'))}({first}, out={place})"]
        if self.kind(f"np.{name}({pair[0]}, {pair[1]})") != self.kind(place):
            return []
        return [f"np.{name}({pair[0]}, {pair[1]}, out={place})"]

    def part_write(self) -> list[str]:
        """A part of an array written."""
        rng = self.rng
        target = rng.choice(self.arrays())
        part = self.part(target)
        kind = self.kind(part)
        if kind is None or part == target or part.endswith(")"):
            return self.mask_write(target)
        chance = rng.random()
        if chance < 0.3:
            return [f"{part} {rng.choice(('+=', '-='))} {self.bounded(self.array(kind.shape, 1))}"]
        if chance < 0.4:
            return [f"{part} *= {'0.5' if self.family != 'i' else '-1'}"]
        if chance < 0.5:
            return [f"{part} = {self.number(1)}"] if part.endswith("]") else []
        return [f"{part} = {self.bounded(self.array(kind.shape, 2))}"] if part.endswith("]") else []

    def mask_write(self, target: str) -> list[str]:
        """Elements chosen by a condition written."""
        if self.family == "c":
            return self.element()
        c = self.literal()
        forms = [f"{target}[{target} > 1] = {c}", f"{target}[{target} < 0] *= {'0.5' if self.family == 'f' else '-1'}",
                 f"{target}[np.abs({target}) > 1] -= {c}", f"np.clip({target}, -1, 1, out={target})", f"{target}.fill({c})"]  # fmt: skip
        return [self.rng.choice(forms)]

    def element(self) -> list[str]:
        """One element written."""
        rng = self.rng
        place = self.place(rng.choice(self.arrays()))
        if ".r" in place:
            place = self.place(rng.choice(self.arrays()), through_views=False)
        number = self.number(2)
        if self.family == "i":
            number = f"({number}) % 13"
        if rng.random() < 0.5:
            return [f"{place} = {number}"]
        return [f"{place} {rng.choice(('+=', '-='))} {number}"]

    def alias(self) -> list[str]:
        """A second name for an array, or for a part of it."""
        rng = self.rng
        name = rng.choice(self.arrays())
        chance = rng.random()
        if chance < 0.2:
            return self.new(name)
        if chance < 0.3 and self.kinds[name].rank == 1:
            first, second = self.fresh("lo", "left", "head"), self.fresh("hi", "right", "tail")
            cut = (
                "2"
                if all(d % 2 == 0 for d in self.kinds[name].shape[0]) and rng.random() < 0.7
                else rng.choice(("[2]", "[-2]"))
            )
            line = f"{first}, {second} = np.split({name}, {cut})"
            return [line] if self.define(line, first, second) else []
        if chance < 0.4:
            return self.new(name + ".copy()")
        text = self.part(name)
        return self.new(text) if text != name else self.new(self.cut(name))

    def rebind(self) -> list[str]:
        """A name bound to another array of the same kind: swaps, aliases, rotations."""
        rng = self.rng
        name = rng.choice(self.arrays())
        same = [other for other in self.arrays() if self.kinds[other] == self.kinds[name] and other != name]
        if not same:
            return self.put(name, self.bounded(self.array(self.kinds[name].shape, 2)))
        other, chance = rng.choice(same), rng.random()
        if chance < 0.4:
            return [f"{name}, {other} = {other}, {name}"]
        if chance < 0.55:
            return [f"{name}, {other} = {other}, {self.bounded(self.array(self.kinds[name].shape, 2))}"]
        if chance < 0.7 and len(same) > 1:
            third = rng.choice([n for n in same if n != other])
            return [f"{name}, {other}, {third} = {other}, {third}, {name}"]
        if chance < 0.8:
            return [f"{name} = {other}"]
        if chance < 0.9:
            return [f"{name}[:], {other}[:] = {other} * 1, {name} * 1"]
        return [f"{name} = {other}.copy()"]

    def counting(self) -> list[str]:
        """A number of the program's state changed, or made."""
        rng, numbers = self.rng, self.state_numbers()
        if not numbers or rng.random() < 0.15:
            return self.new(self.number(2), "s", "total", "c", "alpha", "beta", "norm", "err")
        name = rng.choice(numbers)
        kind = self.kinds[name]
        if kind.family == "int":
            return [
                rng.choice(
                    (
                        f"{name} += 1",
                        f"{name} -= 1",
                        f"{name} = ({name} * 3 + 1) % 7",
                        f"{name} = max({name}, 2)",
                    )
                )
            ]
        if kind.family == "bool":
            return [f"{name} = bool({self.test()})"]
        text = self.number(2)
        if self.dtype == "float32":
            text = f"float({text})"
        if self.family == "i":
            return [f"{name} = ({name} + {operand(text)}) % 101"]
        return [
            rng.choice(
                (
                    f"{name} += {text}",
                    f"{name} += {text}",
                    f"{name} = 0.5 * {name} + {text}",
                    f"{name} -= 0.1 * {operand(text)}",
                )
            )
        ]

    def summed(self, name: str) -> list[str]:
        """A number of the state that takes in an array."""
        state = [
            n
            for n in self.state_numbers()
            if self.kinds[n].family in ("float", "complex") or self.kinds[n].dtype[1:2] in ("f", "c")
        ]
        if not state or self.family == "i":
            return []
        total, rank = self.rng.choice(state), self.kinds[name].rank
        forms = ["({0} ** 2).sum()", "{0}.sum()", "({0} * {0}).mean()"] + (["{0} @ {0}"] if rank == 1 else [])
        text = self.rng.choice(forms).format(name)
        return [f"{total} += float({text})" if self.dtype == "float32" else f"{total} += {text}"]

    def edge(self) -> list[str]:
        """A part that begins where the array does, and an element of it counted from its end."""
        rng = self.rng
        name = rng.choice(self.arrays())
        cut = rng.choice(
            ("[:4]", "[:-1]", "[:n - 1]", "[:n // 2]", "[:-2]", "[:3]", "[:len({0}) // 2]", "[0:n]", "[:m]")
        )
        made = self.new(name + cut.format(name), "lo", "part", "head", "front", "z")
        if not made:
            return []
        place = made[0].split()[0] + rng.choice(("[-1]", "[-1]", "[-2]", "[-3]"))
        if self.kinds[name].rank == 2:
            place = place[:-1] + rng.choice((", -1]", ", 0]", ", 1:]", "]"))
        number = self.number(0)
        target = self.kind(place)
        if target is None:
            return made
        wrote = [f"{place} = {number}", f"{place} += {number}", f"{place} -= {number}"]
        if target.is_array or rng.random() < 0.6:
            return [*made, rng.choice(wrote)]
        return [*made, *self.new(f"{place} * 2 + {operand(number)}", "s", "last", "c0")]

    def state_numbers(self) -> list[str]:
        """Names of numbers and truth values that the program changes."""
        return [
            n
            for n, k in self.kinds.items()
            if (k.is_number or k.family == "bool") and n not in self.indices and n not in self.fixed
        ]

    @property
    def fixed(self) -> tuple[str, ...]:
        """Names of numbers that sizes and loops go by."""
        return ("n", "m", "steps", "rate")

    def simple(self) -> list[str]:
        """A statement without blocks."""
        makers = (self.update, self.update, self.update, self.part_write, self.element, self.alias, self.rebind,
                  self.counting, self.counting, self.temporary, self.temporary, self.edge)  # fmt: skip
        for _ in range(6):
            lines = self.rng.choice(makers)()
            if lines and not any(line.endswith("= ") or "= )" in line for line in lines):
                return lines
        return self.counting() or ["pass"]

    def temporary(self) -> list[str]:
        """A new array."""
        rng = self.rng
        name = rng.choice(self.arrays())
        shape = self.kinds[name].shape
        text = self.bounded(self.array(shape, 2))
        if rng.random() < 0.25:
            text = rng.choice(
                (
                    f"np.zeros_like({name})",
                    f"np.ones({name}.shape, {name}.dtype)",
                    f"{name} * 1",
                    f"np.empty_like({name})",
                )
            )
            if "empty" in text:
                made = self.new(text)
                return [*made, f"{made[0].split()[0]}[:] = {self.literal()}"] if made else []
        return self.new(text)
