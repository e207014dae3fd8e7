"""Functions that call themselves, and attributes of objects at module level that they read and assign as they go."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field, replace

from fuzz.blocks import indented
from fuzz.data import Signature
from fuzz.grammar import Program

SIGNATURE: Signature = {"p": "int 4 2 5", "q": "int 1 3 -2", "x": "float", "y": "float", "a": "float64 n"}
SIZES = ({"n": 4}, {"n": 3}, {"n": 5})
ATTRIBUTES = {"n": "int", "m": "int", "u": "float", "v": "float", "on": "bool", "last": "maybe", "mix": "mix"}
STARTS = {
    "int": ("0", "1", "3"), "float": ("0.0", "0.5", "x", "-1.25"), "bool": ("True", "False", "x > y"),
    "maybe": ("None", "None", "0.75", "2"), "mix": ("0", "1"),
}  # fmt: skip
"""By kind of a place: the values that `program` gives it first. A mixture is an int that may become a float."""
KEPT = {"tally": ("tally", "int float mix bool", 0.5), "cell": ("cell[0]", "float int", 0.5), "items": ("items[0]", "int mix", 0.25)}  # fmt: skip
"""Places beside attributes, which `program` makes: their texts, their kinds and how likely they are."""
DEEPEST = {1: 7, 2: 5, 3: 4, 4: 3}
"""By the calls that a function may make in one run: how deep it may go, so that its runs are a few hundreds."""

# In templates, a letter in braces is replaced: {i} {f} {t} by an int, a number, a condition; {I} {C} {T} by a call
# with such a result; {n} {u} {b} {m} by a place for an int, a number, a truth, a number or None; {a} by an array;
# {l} by a new name; {v} {V} by a value and a call for `r`; {S} by statements. Letters with one digit are one text.
PLACES = {"n": ("int",), "u": ("float", "float", "mix"), "b": ("bool",), "m": ("maybe",)}
CALLS = {"I": ("int",), "C": ("int", "float", "mix"), "T": ("bool",)}
EXPRESSIONS = {
    "i": (
        *("{I}",) * 4, "({i} + {i})", "({i} - {i})", "{i} * 3 % 7", "{i} * -1 % 5", "max({i}, {i})", "abs({i})",
        "({i} if {t} else {i})", "int({f})", "len(a)", "({n1} + {I} - {n1})",
    ),
    "f": (
        *("{C}",) * 4, "({f} + {f})", "({f} - {f})", "0.5 * {f}", "-0.25 * {f}", "math.sin({f})", "np.tanh({f})",
        "({f} if {t} else {f})", "{a}[{i} % len(a)]", "{a}.sum()", "float({i})", "({u1} + {C} - {u1})",
    ),
    "t": (
        *("{T}", "not {T}"), "{i} % 2 == 0", "{i} < {i}", "{i} != {n}", "{f} > {f}", "{u} < {f}", "{b}", "not {b}",
        "{m} is None", "({m1} is not None and {m1} < {f})", "({t} and {t})", "({t} or {t})",
    ),
}  # fmt: skip
STATEMENTS = (
    "{n} += {i}", "{n} = {i}", "{u} -= {f}", "{u} = {f}", "{b} = {t}", "{b} = not {b}", "{m} = {f}", "{m} = None",
    "{a}[{i} % len(a)] += {f}", "{a}[{i} % len(a)] = {f}", "{a}[1:] -= {f}", "{a}[:2] = {f}", "{a}[1:] += {a}[:-1]",
    "if {m1} is None:\n    {m1} = {f}\nelse:\n    {m1} += {f}\n    s += {m1}", "r += {v}", "s = {f}", "r += {V}",
    "{n1}, {n2} = {n2}, {n1}", "{u1}, {u2} = {u2}, {u1}", "{n} += {I}", "{n1} = {n1} + {I}", "{n1} = {I} - {n1}",
    "{u} += {C}", "{u1} = {u1} + {C}", "{u1} = {C} - {u1}", "r += {n1} + {I} - {n1}", "s += {u1} - {C} + {u1}",
    "s += {C} - {C}", "r += {V} + {V}", "{l1} = {n1}\nr += {V}\nr += {n1} - {l1}",
    "{l1} = {u1}\ns += {C} - {l1}\n{u1} = {l1}",
)  # fmt: skip
BRANCHES = (
    "if {t}:\n    {S}", "if {t}:\n    {S}\nelse:\n    {S}", "if {C} > {u}:\n    {S}\nelif {t}:\n    {S}",
    "if {t}:\n    {S}\n    return {R}", "if {T}:\n    {S}\n    return {R}",
)  # fmt: skip
LOOPS = (
    "for NAME in range(COUNT):\n    {S}", "NAME = 0\nwhile NAME < COUNT and {t}:\n    {S}\n    NAME += 1",
    "r += sum([{v} for NAME in range(COUNT)])", "s += max([{f} for NAME in range(COUNT)])",
    "r += any({t} for NAME in range(COUNT))", "NAME = 0\nwhile NAME < COUNT and {C} < 2:\n    {S}\n    NAME += 1",
)  # fmt: skip


@dataclass(frozen=True)
class Known:
    """A place where a number is kept between calls, or a function: how lines name it, and the kind of its number."""

    text: str
    kind: str
    params: tuple[str, ...] = ()  # of a function, after its depth
    deepest: int = 0  # of a function that calls itself

    def on(self, name: str) -> Known:
        """The same under another name of its object."""
        return replace(self, text=self.text.replace("BOX", name))


@dataclass
class Scope:
    """What the lines of one function can name."""

    kind: str
    places: list[Known]
    names: dict[str, list[str]]  # of ints and of numbers, by the letter of a template
    callees: list[Known] = field(default_factory=list)
    depth: str = ""  # the parameter that becomes less with each call; empty in `program`
    budget: int = 0  # calls that are left
    times: int = 1  # how often the line that is written now may run
    fresh: int = 0


class Writer:
    """Writes one module: classes and their objects, functions that call themselves, `program`."""

    def __init__(self, seed: int) -> None:
        self.rng = rng = random.Random(seed)
        self.simple = rng.random() < 0.6  # one function, numbers of one kind: such are mostly compiled
        self.where = rng.choice(
            ("module", "module", "method") if self.simple else ("module", "nested", "method")
        )
        self.signature = {**SIGNATURE, **({"b": "float64 n"} if rng.random() < 0.3 else {})}
        self.arrays = [name for name in ("a", "b") if name in self.signature]
        self.kept: dict[str, Known] = {}
        for name, (text, kinds, chance) in KEPT.items():
            if not self.simple and rng.random() < chance:
                self.kept[name] = Known(text, rng.choice(kinds.split()))
        self.attributes: dict[str, list[Known]] = {}  # of each object
        for owner in ("BOX", "LID")[: 1 if self.simple else rng.choice((1, 2))]:
            names = (
                ("m", "v", "on", "last") if self.simple else ("m", "m", "v", "v", "on", "on", "last", "mix")
            )
            more = rng.sample(names, rng.randint(0, 1 if self.simple else 3))
            self.attributes[owner] = [
                Known(f"{owner}.{n}", ATTRIBUTES[n]) for n in dict.fromkeys(("n", "u", *more))
            ]
        self.scope = Scope("int", [], {})

    def one(self, templates: tuple[str, ...], deep: int, instead: str = "s += 1") -> str:
        """One of the templates that can be filled here."""
        for _ in range(20):
            try:
                return self.filled(self.rng.choice(templates), deep)
            except LookupError:  # it asks for a place or call that isn't there
                continue
        return instead

    def filled(self, template: str, deep: int) -> str:
        """The template with texts for its letters."""
        known: dict[str, str] = {}

        def text(match: re.Match[str]) -> str:
            key = match[1]
            if key not in known or len(key) == 1:
                known[key] = self.text(key[0], deep)
            return known[key]

        return re.sub(r"\{(\w\d?)\}", text, template)

    def text(self, letter: str, deep: int) -> str:
        """What stands for a letter of a template."""
        rng, scope = self.rng, self.scope
        if letter in "vVR":
            return self.own(letter, deep)
        if letter in PLACES:
            return rng.choice([place.text for place in scope.places if place.kind in PLACES[letter]])
        if letter in CALLS:
            return self.call(CALLS[letter], deep)
        if letter == "a":
            return rng.choice(self.arrays)
        if letter == "S":
            return "\n    ".join(self.block(deep - 1))
        if letter == "l":
            scope.fresh += 1
            return f"t{scope.fresh}"
        if letter == "t" or (deep > 0 and rng.random() < 0.75):
            return self.one(EXPRESSIONS[letter][: None if deep > 0 else -2], deep - 1, "s > 0")
        found = [place.text for place in scope.places if place.kind in PLACES["n" if letter == "i" else "u"]]
        return rng.choice(found if rng.random() < 0.5 else scope.names[letter])

    def own(self, letter: str, deep: int) -> str:
        """A value or call for `r`, or a result: of a mixture, an int here and a float there."""
        kind = self.scope.kind
        if letter == "R":
            chosen = {"bool": "t", "int": "i", "float": "f"}.get(kind, self.rng.choice("if"))
            return "r" if kind != "bool" and self.rng.random() < 0.5 else self.text(chosen, 2)
        return self.text({"v": "if", "V": "IC"}[letter][kind in ("float", "mix")], deep)

    def call(self, kinds: tuple[str, ...], deep: int) -> str:
        """A call of a function with a result of one of the kinds; a LookupError if none is left."""
        scope, rng = self.scope, self.rng
        function = rng.choice([function for function in scope.callees if function.kind in kinds])
        if scope.budget < scope.times:
            raise LookupError
        scope.budget -= scope.times
        deepest = function.deepest
        depths = [f"{scope.depth} - 1", f"{scope.depth} - 1", f"{scope.depth} - 2"]
        depth = rng.choice(depths if scope.depth else [str(deepest), str(deepest - 1), f"p % {deepest + 1}"])
        numbers = {"j": "i", "x": "f"}
        values = [self.text(numbers[n], deep) if n in numbers else n for n in function.params]
        return f"{function.text}({', '.join([depth, *values] if deepest else values)})"

    def block(self, deep: int, least: int = 1) -> list[str]:
        """A few statements; those with blocks nest as deep as is said."""
        lines: list[str] = []
        for _ in range(self.rng.randint(least, least + 1)):
            if deep <= 0 or self.rng.random() < 0.6:
                lines += self.one(STATEMENTS, 2).split("\n")
            elif self.rng.random() < 0.6:
                lines += self.one(BRANCHES[: None if self.scope.depth else 3], deep).split("\n")
            else:
                lines += self.loop(deep)
        return lines

    def loop(self, deep: int) -> list[str]:
        """A loop of two or three turns, or a comprehension."""
        scope, count, before = self.scope, self.rng.choice((2, 2, 3)), self.scope.times
        name = self.text("l", 0)
        scope.times *= count
        scope.names["i"].append(name)
        templates = tuple(line.replace("NAME", name).replace("COUNT", str(count)) for line in LOOPS)
        lines = self.one(templates, deep).split("\n")
        scope.names["i"].remove(name)
        scope.times = before
        return lines

    def described(self, name: str, deepest: int) -> Known:
        """What callers know of a function that is to be written."""
        kind = self.rng.choice(("int", "float") if self.simple else ("int", "float", "mix", "bool"))
        params = [name for name, chance in (("j", 0.4), ("x", 0.8)) if self.rng.random() < chance]
        if self.where != "nested" or self.rng.random() < 0.3:
            params += [*self.arrays, *(name for name in self.kept if name != "tally")]
        return Known(f"BOX.{name}" if self.where == "method" else name, kind, tuple(params), deepest)

    def written(self, made: Known, callees: list[Known], budget: int) -> list[str]:
        """The lines of a function: one that calls itself, or a helper that calls nothing."""
        method, deepest = self.where == "method", made.deepest
        kept = [place for name, place in self.kept.items() if name != "tally" or self.where == "nested"]
        places = [*(place for places in self.attributes.values() for place in places), *kept]
        if method:
            places += [place.on("self") for place in self.attributes["BOX"]] * 2
            callees = [*callees, *[function.on("self") for function in callees] * 2]
        depth = "k" if deepest else "2"
        ints = [depth, "1", *(name for name in made.params if name == "j")]
        floats = ["s", "0.5", *(name for name in made.params if name == "x")]
        self.scope = scope = Scope(made.kind, places, {"i": ints, "f": floats}, depth=depth)
        (floats if made.kind in ("float", "mix") else ints).append("r")
        lines = ["nonlocal tally"] if self.where == "nested" and "tally" in self.kept else []
        lines += [f"r = {'0.0' if made.kind == 'float' else '0'}", "s = 0.5"]
        if deepest:
            first, then = (self.block(0, 0) for _ in range(2))
            lines += [*first, f"if {depth} <= 0:", *indented([*then, f"return {self.text('R', 1)}"])]
        scope.callees, scope.budget = callees, budget
        lines += self.block(2 if deepest else 0, 2)
        lines += self.one(("s += {C}", "r += {V}", "s += {T}"), 1).split("\n") if budget else []
        params = [*(["self"] if method else []), *(["k"] if deepest else []), *made.params]
        name = made.text.rpartition(".")[2]
        return [f"def {name}({', '.join(params)}):", *indented([*lines, f"return {self.text('R', 1)}"])]

    def classes(self, methods: list[list[str]]) -> list[str]:
        """The classes, the first one with the methods, and their objects."""
        lines: list[str] = []
        for owner, places in self.attributes.items():
            names = [place.text.partition(".")[2] for place in places]
            starts = [f"{name} = {STARTS[ATTRIBUTES[name]][0]}" for name in names]
            init = ["def __init__(self):", *indented([f"self.{line}" for line in starts])]
            forms = {
                "": init,
                "slots": [f"__slots__ = {tuple(names)!r}", "", *init],
                "fields": starts,
                "@dataclass": [line.replace(" =", ": object =") for line in starts],
                "(Box)": [init[0], "    super().__init__()", *init[1:]],
            }
            form = self.rng.choice([*forms][: None if lines else -1])
            parts = [*forms[form], *(line for text in methods for line in ("", *text) if not lines)]
            lines += ["@dataclass"] if form == "@dataclass" else []
            lines += [f"class {owner.title()}{form if form == '(Box)' else ''}:", *indented(parts), "", ""]
        lines += [*(f"{owner} = {owner.title()}()" for owner in self.attributes), "", ""]
        return [*(["from dataclasses import dataclass", "", ""] if "@dataclass" in lines else []), *lines]

    def program(self, callees: list[Known], inner: list[list[str]]) -> list[str]:
        """The lines of `program`, with the functions that stand inside."""
        rng, places = self.rng, [place for places in self.attributes.values() for place in places]
        lines = [f"{place.text} = {rng.choice(STARTS[place.kind])}" for place in places]
        for name, place in self.kept.items():
            start = rng.choice(STARTS[place.kind])
            made = {"cell": f"np.array([{start}])", "items": f"[{start}, 0.5]"}.get(name, start)
            lines.append(f"{name} = {made}")
        lines += [line for text in inner for line in ("", *text, "")]
        results = ["r", "s", *(place.text for place in places), *self.kept, *rng.choice((self.arrays, []))]
        if rng.random() < 0.1:
            lines.append("box = BOX")
            places += [place.on("box") for place in self.attributes["BOX"]]
        names = {"i": ["p", "q", "1"], "f": ["x", "y", "r", "s", "0.5"]}
        self.scope = scope = Scope("mix", [*places, *self.kept.values()], names, callees, budget=7)
        lines += ["r = 0", "s = 0.5", *self.block(2, 3)]
        scope.budget, scope.names["i"] = 2, ["i", *names["i"]]
        turn = [line for _ in range(2) for line in self.one(STATEMENTS[-12:], 1).split("\n")]
        turn += self.one(("s += {C}", "r += {V}", "s += {T}"), 1).split("\n")
        lines += [f"for i in range({rng.choice(('len(a)', 'p', '3'))}):", *indented(turn)]
        lines.append(f"return {', '.join(results)}")
        return [f"def program({', '.join(self.signature)}):", *indented(lines)]

    def module(self) -> str:
        """The text: classes and objects, functions, `program`."""
        rng = self.rng
        helpers = [self.described("helper", 0)] if rng.random() < (0.2 if self.simple else 0.6) else []
        budgets = [rng.choice((1, 2, 2, 3, 4)) for _ in range(1 if self.simple else rng.choice((1, 2)))]
        mutual = rng.random() < 0.5
        deepest = DEEPEST[max(budgets)] if len(budgets) == 1 or mutual else 3
        found = [self.described(name, deepest) for name in ("walk", "climb")[: len(budgets)]]
        texts = [self.written(helper, [], 0) for helper in helpers]
        for place, (function, budget) in enumerate(zip(found, budgets, strict=True)):
            callees = found if mutual else found[: place + 1]
            texts.append(self.written(function, [*helpers, *callees], budget))
        program = self.program([*helpers, *found], texts if self.where == "nested" else [])
        before = [line for text in texts for line in (*text, "", "") if self.where == "module"]
        return "\n".join([*self.classes(texts if self.where == "method" else []), *before, *program]) + "\n"


def recursions(seed: int) -> Program:
    """The program of a seed; it may raise or grow."""
    writer = Writer(seed)
    return Program(writer.module(), writer.signature, SIZES, seed, False)
