"""Conditions made of conditions: with the operators of truths and of bits, chained, negated, kept in variables."""

from __future__ import annotations

from fuzz.expressions import Expressions
from fuzz.samples import Kind

_JOINED = (
    "({a}) & ({b})", "({a}) & ({b})", "({a}) | ({b})", "({a}) | ({b})", "({a}) | ({b})", "({a}) ^ ({b})", "({a}) ^ ({b})",
    "~({a})", "not ({a})", "not (({a}) | ({b}))", "not (({a}) & ({b}))", "not (({a}) ^ ({b}))", "~(({a}) | ({b}))", "~({a}) & ({b})",
    "(({a}) and ({b}))", "(({a}) or ({b}))", "(not ({a}) and ({b}))", "(({a}) or not ({b}))", "not (({a}) and ({b}))", "not (({a}) or ({b}))",
    "({a}) != ({b})", "({a}) == ({b})", "(({b}) if ({a}) else not ({b}))", "np.logical_and({a}, {b})", "np.logical_or({a}, {b})",
    "np.logical_not({a})", "bool({a})", "not not ({a})", "any(({a}, {b}))",
)  # fmt: skip
_SELDOM = (
    "({a}) is True",
    "({a}) is not False",
    "all([{a}, {b}])",
    "any(v0 > 1 for v0 in {x})",
    "({a}) + ({b}) == 1",
    "({a}) <= ({b})",
)
_OF_INDEX = (
    "{i} > 2", "{i} < 2", "{i} != 1", "{i} >= 3", "0 < {i} < 3", "1 <= {i} != 3", "{i} % 2 == 0", "{i} % 3 == 1", "{i} in (1, 3)",
    "{i} not in (0, 2)", "{i} & 1", "{i} & 2 == 0", "{i} % 2", "{i} > {j}", "{i} == {j}", "{i} - 1 <= {j} < {i} + 2",
)  # fmt: skip
_OF_ARRAY = (
    "({x} > {c}).any()", "({x} < {c}).all()", "np.any({x} > {c})", "np.all({x} < {c})", "np.isfinite({x}).all()", "({x} > {c}).sum() > 1",
    "{x}.max() > {c}", "not ({x} > {c}).any()", "~({x} > {c}).any()",
)  # fmt: skip


class Truths(Expressions):
    """Makes conditions of several conditions; what else a program writes stands in `also`."""

    also: frozenset[str] = frozenset()

    def test(self) -> str:
        """A condition, often of several in programs that write truths, now and then one about None or lists."""
        rng = self.rng
        about = [kind for kind in ("maybes", "lists") if kind in self.also and rng.random() < 0.22]
        text = ""
        if about:
            text = self.about_names(rng.choice(about))
        elif "truths" in self.also and rng.random() < 0.65:
            text = self.truth(rng.choice((1, 1, 2, 2, 3)))
        return text if text and self.evaluates(text) else super().test()

    def truth(self, depth: int) -> str:
        """Comparisons joined with `&`, `|`, `^`, `~`, `and`, `or`, `not`."""
        rng = self.rng
        if depth == 0:
            return self.comparison()
        for _ in range(8):
            a, b = (self.truth(rng.randrange(depth)) for _ in range(2))
            x = rng.choice(self.arrays() or ["b"])
            text = rng.choice(_JOINED if rng.random() < 0.96 else _SELDOM).format(a=a, b=b, x=x)
            if self.evaluates(text):
                return text
        return self.comparison()

    def comparison(self) -> str:
        """One comparison of numbers, or a truth that has a name."""
        rng, arrays, names = self.rng, self.arrays(), self.truth_names()
        for _ in range(8):
            op = rng.choice(("<", ">", "<=", ">=", "!=", "=="))
            c = rng.choice(("0", "0.5", "1", "-0.25"))
            forms = [f"{self.real_number()} {op} {c}", f"{c} < {self.real_number()} <= {self.real_number()}"]
            if self.indices:
                i, j = (rng.choice(list(self.indices)) for _ in range(2))
                forms += [form.format(i=i, j=j) for form in rng.sample(_OF_INDEX, 3)]
            if arrays and self.family != "c":
                x = rng.choice(arrays)
                forms += [
                    f"{self.place(x)} {op} {c}",
                    f"{self.place(x)} {op} {self.place(rng.choice(arrays))}",
                ]
                forms += [form.format(x=self.part(x), c=c) for form in rng.sample(_OF_ARRAY, 2)]
            if names:
                forms += [rng.choice(names)] * 2
            text = rng.choice(forms)
            if self.evaluates(text):
                return text
        return "1 > 0"

    def about_names(self, what: str) -> str:
        """A condition about a variable that may be None, or about a list; alone or with another."""
        rng = self.rng
        names = self.of_family("maybe" if what == "maybes" else "list")
        if not names:
            return ""
        name = rng.choice(names)
        if what == "maybes":
            forms = ["{0} is None", "{0} is not None", "not ({0} is None)", "({0} is not None and {0} > {1})", "({0} is None or {0} < {1})",
                     "{0} != {1}", "{0} == {1}", "not {0}", "({0} is None) | ({2})", "({0} is not None) & ({2})", "({2} and {0} is None)",
                     "({0} is not None or {2})", "not ({0} is None or {2})", "None is {0}"]  # fmt: skip
            other = rng.choice(names)
            forms += [f"({{0}} is None and {other} is not None)", f"({{0}} is None) == ({other} is None)"]
        elif self.kinds[name].dtype == "pairs":
            forms = ["len({0}) > 2", "{0}", "not {0}", "({0} and {0}[-1][0] > 1)", "({0} and {0}[0][1] < {1})", "(1, {1}) in {0}",
                     "(len({0}) > 1) & ({2})", "({2} or len({0}) == 3)"]  # fmt: skip
        else:
            forms = ["len({0}) > 2", "{0}", "not {0}", "({0} and {0}[-1] > {1})", "({0} and {0}[0] < {1})", "{1} in {0}",
                     "{1} not in {0}", "(len({0}) > 1) & ({2})", "({2} or len({0}) == 3)", "0 < len({0}) <= 4"]  # fmt: skip
        return rng.choice(forms).format(name, self.real_number(), super().test())

    def evaluates(self, text: str) -> bool:
        """Whether the text is a condition for all of the sizes, whatever its type."""
        for env in self.envs:
            try:
                found = eval(text, dict(env))
                if getattr(found, "shape", ()) != ():
                    return False
                bool(found)
            except Exception:  # noqa: BLE001 (whatever is said of it, the text is of no use)
                return False
        return True

    def named(self, line: str, name: str, kind: Kind) -> list[str]:
        """A line that binds the name to something that is neither an array nor a number."""
        for env in self.envs:
            exec(line, env)
        self.kinds[name] = kind
        return [line]

    def of_family(self, *families: str) -> list[str]:
        """Names of what is of one of the families."""
        return [name for name, kind in self.kinds.items() if kind.family in families]

    def truth_names(self) -> list[str]:
        """Names of truths."""
        return self.of_family("bool", "truth")
