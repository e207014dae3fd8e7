"""Programs in which derivatives are taken, of and beside everything that users pass, keep and return.

Written from the documentation alone, without having read the compiler. `made` makes the true arguments
(lists, dicts, objects) from arrays and numbers; `fuzz.differences` knows what must come out.
"""

from __future__ import annotations

from fuzz.blocks import indented
from fuzz.data import Signature
from fuzz.derivation_texts import CAPTURED, CUSTOMS, EXTRAS, HEADER, IMPORTS, LOOPS, NEEDED, TAILS
from fuzz.derivation_values import Kind, Values
from fuzz.grammar import Program

SIGNATURE: Signature = {"x": "float64 n", "f": "float64 m n", "u": "float", "n": "int 4 3 5"}
SIZES = ({"n": 4, "m": 3}, {"n": 3, "m": 2}, {"n": 5, "m": 4})


class _Writer(Values):
    """The lines so far, and what may be named: containers with their kinds."""

    def filled(self, text: str, p: str, kind: Kind) -> list[str]:
        return text.replace("{p}", p).replace("{N}", self.name("t")).split("\n")

    def extras(self, params: list[tuple[str, Kind]], effects: bool) -> list[str]:
        """Things that functions do besides."""
        lines: list[str] = []
        usable = [
            (wants, text)
            for needs, wants, writes, text in EXTRAS
            if not (needs and needs not in self.captured or writes and (self.tidy or not effects))
            if not wants or any(_fits(kind, wants) for _, kind in params)
            for _ in range(4 if needs else 1)
        ]
        for wants, text in self.rng.choices(usable, k=self.rng.choice((0, 1, 1, 2, 3))):
            p, kind = self.any(*[(p, kind) for p, kind in params if not wants or _fits(kind, wants)])
            lines += self.filled(text, p, kind)
        return lines

    def loss(self, kinds: list[Kind], ends: str, effects: bool = True) -> tuple[str, str]:
        """A function of values of the kinds, written down; its name, and the parameters besides."""
        name = self.name("loss")
        params = [(self.name("p"), kind) for kind in kinds]
        body = [f"acc = {self.any('0.0', '0.5', 'u')}"]
        pieces = [self.read(kind, p) for p, kind in params]
        self.rng.shuffle(pieces)
        for piece in pieces:
            body += piece
            body += self.extras(params, effects)
        keyword = self.maybe(0.25)
        if keyword:
            body.append("acc = acc * scale")
        first = params[0][0]
        body.append(f"return {ends.replace('{p}', first)}")
        rest = self.any(", scale=0.5", ", *, scale=1.5", ", scale=u") if keyword else ""
        if not keyword and self.captured and self.maybe(0.15):
            data = [name for name in self.captured if name not in CUSTOMS]
            used = self.any("weights", "arrays", "state", "table", "buf")
            if used in data:
                part = {
                    "weights": "given[0]",
                    "arrays": "given[0].sum()",
                    "state": 'given["scale"]',
                    "table": "given[0]",
                    "buf": "given[1]",
                }[used]
                body.insert(-1, f"acc = acc * {part} + {part}")
                self.losses.append(
                    [f"def {name}({', '.join(p for p, _ in params)}, given={used}):", *indented(body)]
                )
                return name, ""
        self.losses.append([f"def {name}({', '.join(p for p, _ in params)}{rest}):", *indented(body)])
        return name, rest

    def use(self) -> list[str]:
        """Some derivative, and what is done with it."""
        makes = (self.raising, self.pullbacks, self.partial, self.gradient, self.gradient, self.with_aux, self.pullback, self.tangent, self.training, self.training,
                 self.rows, self.nested, self.in_loop, self.under_branch, self.outside)  # fmt: skip
        lines = self.any(*makes)()
        new, self.losses = self.losses, []
        data = [name for name in self.captured if name in TAILS]
        between = [self.any(*[TAILS[name] for name in data])] if data and self.maybe(0.2) else []
        return [line for text in new for line in text] + between + lines

    def chosen(self, most: int = 2) -> list[tuple[str, Kind]]:
        """Some containers, now and then one twice."""
        containers = [
            pair
            for pair in self.held
            if pair[1][0] in ("list", "dict", "tuple") or pair[1] in ("Box", "Pair", "Duo")
        ]
        found = [
            self.any(*(containers if containers and self.maybe(0.7) else self.held))
            for _ in range(self.rng.randint(1, most))
        ]
        return [*found, found[0]] if len(found) < most and self.maybe(0.15) else found

    def call(self, names: list[str], rest: str) -> str:
        """The arguments of a call."""
        if len(names) > 1 and self.maybe(0.15):
            return f"*[{', '.join(names)}]" + (", scale=0.7" if rest else "")
        if self.maybe(0.1):
            return ", ".join(names) + (', **{"scale": 0.7}' if rest else ", **{}")
        return ", ".join(names) + (self.any(", scale=0.7", "", ", scale=u") if rest else "")

    def gradient(self) -> list[str]:
        given = self.chosen(3)
        names = [name for name, _ in given]
        loss, rest = self.loss([kind for _, kind in given], "acc")
        wrt = self.rng.randrange(len(given))
        several = self.maybe(0.3)
        numbers = tuple(range(len(given))) if several else wrt
        option = f", argnums={numbers}" if several or wrt or self.maybe(0.2) else ""
        g = self.name("g")
        self.known.append(g)
        if self.maybe(0.5):
            lines = [f"{g} = js.grad({loss}{option})({self.call(names, rest)})"]
        else:
            v = self.name("v")
            self.known.append(v)
            lines = [f"{v}, {g} = js.value_and_grad({loss}{option})({self.call(names, rest)})"]
        if several:
            k = self.rng.randrange(len(given))
            return lines + self.after(f"{g}[{k}]", given[k][0], given[k][1])
        return lines + self.after(g, given[wrt][0], given[wrt][1])

    def with_aux(self) -> list[str]:
        given = self.chosen()
        names = [name for name, _ in given]
        aux = self.any(
            "{p}",
            "[{p}, 1]",
            "acc * 2.0",
            "None",
            "[acc, 0.5]",
            "(acc, {p})",
            '{"acc": acc, "p": {p}}',
            *self.captured,
            '"text"',
            "[1, 2]",
        )
        loss, rest = self.loss([kind for _, kind in given], f"acc, {aux}")
        g, a = self.name("g"), self.name("aux")
        self.known += [g, a]
        if self.maybe(0.5):
            lines = [f"{g}, {a} = js.grad({loss}, has_aux=True)({self.call(names, rest)})"]
        else:
            v = self.name("v")
            self.known.append(v)
            lines = [f"({v}, {a}), {g} = js.value_and_grad({loss}, has_aux=True)({self.call(names, rest)})"]
        if aux == "{p}" and self.identity and given[0][1][0] in ("list", "dict", "A"):
            same = self.name("same")
            self.known.append(same)
            lines.append(f"{same} = {a} is {names[0]}")
        elif aux in self.captured and self.identity:
            same = self.name("same")
            self.known.append(same)
            lines.append(f"{same} = {a} is {aux}")
        return lines + self.after(g, *given[0])

    def vector_ends(self) -> tuple[str, str, str]:
        """What a function may return, and cotangents for it."""
        return self.any(
            ("acc", "1.0", "0.5"), ("(acc, acc * acc)", "(1.0, 0.5)", "(0.0, u)"),
            ('{"a": acc, "b": np.sin(acc)}', '{"a": 1.0, "b": u}', '{"b": 0.5, "a": 1.0}'),
            ("[acc, acc * 0.5]", "[1.0, 0.5]", "[1.0 * k for k in range(2)]"), ("x * acc", "x", "np.ones(len(x))"),
            ("(x * acc, [acc])", "(x, [0.5])", "(x * 0.5, [u])"), ("Pair(x * acc, acc)", "Pair(x, 0.5)", "Pair(x, u)"),
            ("acc, None", "1.0, None", "0.5, None"), ("Duo(x + acc, acc)", "Duo(x, 0.5)", "Duo(x, u)"),
        )  # fmt: skip

    def pullback(self) -> list[str]:
        given = self.chosen()
        names = [name for name, _ in given]
        ends, first, second = self.vector_ends()
        aux = self.maybe(0.2)
        loss, _ = self.loss(
            [kind for _, kind in given], f"({ends}), {self.any('{p}', 'acc', '[acc]')}" if aux else ends
        )
        v, back, a, g, h = (self.name(letter) for letter in ("v", "back", "aux", "g", "h"))
        lines = [
            f"{v}, {back}{f', {a}' if aux else ''} = js.vjp({loss}, {', '.join(names)}{', has_aux=True' if aux else ''})"
        ]
        if self.maybe(0.5):
            lines += self.poke(*given[0])
        lines.append(f"{g} = {back}(({first}))")
        self.known += [v, g, *([a] if aux else [])]
        if self.maybe(0.6):
            lines += [*(self.poke(*given[-1]) if self.maybe(0.6) else []), f"{h} = {back}(({second}))"]
            self.known.append(h)
        if self.maybe(0.3):
            lines += [f"{v} = [{v}]", f"{v}.append({g}[0])"]
        return lines + self.after(f"{g}[0]", *given[0])

    def tangent(self) -> list[str]:
        given = self.chosen()
        names = [name for name, _ in given]
        ends, _, _ = self.vector_ends()
        loss, _ = self.loss([kind for _, kind in given], ends, effects=False)
        tangents = [self.tangent_for(kind, name) for name, kind in given]
        v, t = self.name("v"), self.name("tan")
        self.known += [v, t]
        pair = [
            f"({text},)" if len(texts) == 1 else f"({text})"
            for texts in (names, tangents)
            for text in [", ".join(texts)]
        ]
        lines = [f"{v}, {t} = js.jvp({loss}, {pair[0]}, {pair[1]})"]
        return lines + (self.poke(*given[0]) if self.maybe(0.5) else [])

    def training(self) -> list[str]:
        name, kind = self.any(*self.held)
        loss, rest = self.loss([kind], "acc")
        g = self.name("g")
        it = self.name("it")
        asked = f"{g} = js.grad({loss})({self.call([name], rest)})"
        if self.maybe(0.4):
            asked = f"s, {g} = js.value_and_grad({loss})({self.call([name], rest)})"
        self.known.append(g)
        if kind in (("list", "F"), ("list", "A"), ("list", "M")) and self.maybe(0.3):
            return self.momentum(name, g, asked)
        body = [asked, *self.step(name, g, kind)]
        if self.maybe(0.4):
            body.append(f"hist.append({self.any(g, 's', name, 'float(s)')})")
        return [f"{g} = None", f"for {it} in range({self.any('2', '3', 'n')}):", *indented(body)]

    def momentum(self, name: str, g: str, asked: str) -> list[str]:
        """Descent that keeps a state beside the numbers, or by helpers."""
        if self.maybe(0.25):
            loss = asked.partition("js.")[2].partition("(")[2].partition(")")[0]
            r = self.name("r")
            self.known.append(r)
            return [
                f"{g} = slopes({loss}, {name})",
                f"{r} = descend({loss}, {name}, 0.1, {self.any('2', '3', 'n')})",
            ]
        m, i = self.name("m"), self.name("i")
        self.known.append(m)
        body = [
            asked,
            f"for {i} in range(len({name})):",
            f"    {m}[{i}] = {m}[{i}] * 0.9 + {g}[{i}]",
            f"    {name}[{i}] {self.any(f'= {name}[{i}] -', '-=')} 0.1 * {m}[{i}]",
        ]
        if self.maybe(0.3):
            body.append(f"note(hist, {self.any(m, g, name)}, s)")
        return [
            f"{g} = None",
            f"{m} = [v * 0.0 for v in {name}]",
            f"for {self.name('it')} in range({self.any('2', '3', 'n')}):",
            *indented(body),
        ]

    def rows(self) -> list[str]:
        """A Jacobian or Hessian."""
        j = self.name("j")
        self.known.append(j)
        small = [
            (name, kind)
            for name, kind in self.held
            if kind in ("F", "A", "M", "Pair", ("list", "F")) or kind[0] == "dict"
        ]
        name, kind = self.any(*(small or self.held))
        if self.maybe(0.4):
            loss, rest = self.loss([kind], "acc", effects=False)
            return [f"{j} = js.hessian({loss})({self.call([name], rest)})"]
        ends = self.any(
            "x * acc", "(acc, acc * acc)", '{"a": acc, "x": x * acc}', "[acc, np.sin(acc)]", "acc"
        )
        aux = self.maybe(0.2)
        loss, rest = self.loss([kind], f"({ends}), {{p}}" if aux else ends, effects=False)
        if aux:
            a = self.name("aux")
            self.known.append(a)
            return [f"{j}, {a} = js.jacobian({loss}, has_aux=True)({self.call([name], rest)})"]
        return [f"{j} = js.jacobian({loss})({self.call([name], rest)})"]

    def nested(self) -> list[str]:
        """A gradient of something that takes a gradient of the same values."""
        name, kind = self.any(*self.held)
        inner, _ = self.loss([kind], "acc", effects=False)
        outer, g, p = self.name("outer"), self.name("g"), self.name("p")
        self.known.append(g)
        body = [
            "acc = 0.0",
            f"q = js.grad({inner})({p})",
            *self.read(kind, "q"),
            *self.extras([(p, kind)], False),
            "return acc",
        ]
        self.losses.append([f"def {outer}({p}):", *indented(body)])
        return [f"{g} = js.grad({outer})({name})", *self.after(g, name, kind)]

    def in_loop(self) -> list[str]:
        """Derivatives for the items of a list."""
        lists = [(name, kind) for name, kind in self.held if kind[0] == "list" and kind[1] in ("F", "A", "M")]
        if not lists:
            return self.gradient()
        name, kind = self.any(*lists)
        loss, _ = self.loss([kind[1]], "acc")
        v, g = self.name("v"), self.name("g")
        self.known.append(g)
        return self.any(
            [f"{g} = []", f"for {v} in {name}:", f"    {g}.append(js.grad({loss})({v}))"],
            [f"{g} = [js.grad({loss})({v}) for {v} in {name}]", f"{g}[0] = {name}[0]"],
            [f"{g} = {{}}", f"for k in range(len({name})):", f"    {g}[k] = js.value_and_grad({loss})({name}[k])"],
            [f"{g} = []", f"for k in range(len({name})):", f"    {name}[k] = {name}[k] - 0.1 * js.grad({loss})({name}[k])", f"    {g}.append({name}[k])"],
        )  # fmt: skip

    def under_branch(self) -> list[str]:
        """A gradient in one branch, and another, or none, in the other one."""
        name, kind = self.any(*self.held)
        one, _ = self.loss([kind], "acc")
        other, _ = self.loss([kind], "acc")
        g = self.name("g")
        self.known.append(g)
        tests = ["n > 3", "s > 0.0", "n % 2 == 0", "n == 4", "x[0] > 0.0"]
        if "state" in self.captured:
            tests.append('state["on"]')
        lines = [f"{g} = js.grad({one})({name})", *(self.poke(name, kind) if self.maybe(0.4) else [])]
        rest = self.any(f"{g} = js.grad({other})({name})", f"{g} = {name}", f"{g} = None")
        return [f"if {self.any(*tests)}:", *indented(lines), "else:", f"    {rest}"]

    def raising(self) -> list[str]:
        """Something raises on the way, or an int is differentiated for."""
        name, kind = self.any(*self.held)
        what, error = self.any(
            ("acc = acc + x[len(x) + 3]", "IndexError"), ('acc = acc + {"a": 1.0}["b"]', "KeyError"), ('raise ValueError("no")', "ValueError"),
            ("log.append(2.0)\n{}" if "log" in self.captured else "{}", "ZeroDivisionError"), ("acc = acc + [1.0][n]", "(IndexError, KeyError)"),
        )  # fmt: skip
        what = what.replace("{}", 'raise ZeroDivisionError("none")')
        p, loss, g, e = self.name("p"), self.name("loss"), self.name("g"), self.name("caught")
        test = self.any("n > 3", "n > 4", "s < 100.0", "len(hist) == 0", "x[0] > 0.0")
        body = [
            f"acc = {self.any('0.0', 'u')}",
            *self.read(kind, p),
            f"if {test}:",
            *indented(what.split("\n")),
            *self.extras([(p, kind)], True),
            "return acc",
        ]
        self.losses.append([f"def {loss}({p}):", *indented(body)])
        self.known += [g, e]
        call = self.any(
            f"js.grad({loss})({name})",
            f"js.grad({loss})({name})",
            f"js.vjp({loss}, {name})[0]",
            f"js.jvp({loss}, ({name},), ({name},))",
        )
        return [
            f"{g} = None",
            f"{e} = 0",
            "try:",
            f"    {g} = {call}",
            f"except {error}:",
            f"    {e} = 1",
            *self.any([], ["    hist.append(s)"], ["    s = s + 1.0"]),
        ]

    def pullbacks(self) -> list[str]:
        """Pullbacks kept in a list, and called after values have changed."""
        lists = [(name, kind) for name, kind in self.held if kind[0] == "list" and kind[1] in ("F", "A", "M")]
        if not lists:
            return self.pullback()
        name, kind = self.any(*lists)
        loss, _ = self.loss([kind[1]], "acc")
        v, backs, g = self.name("v"), self.name("backs"), self.name("g")
        self.known.append(g)
        after = self.any(
            f"{g} = [b(0.5)[0] for b in {backs}]",
            f"{g} = [{backs}[0](1.0), {backs}[-1](u), {backs}[0](1.0)]",
            f"{g} = []\nfor b in {backs}:\n    {g}.append(b(s * 0.1)[0])",
        )
        return [
            f"{backs} = []",
            f"for {v} in {name}:",
            f"    {backs}.append(js.vjp({loss}, {v})[1])",
            *(self.poke(name, kind) if self.maybe(0.5) else []),
            *after.split("\n"),
        ]

    def partial(self) -> list[str]:
        """Partials, lambdas, checkpoints and decorated functions are differentiated."""
        given = self.chosen()
        names = [name for name, _ in given]
        loss, _ = self.loss([kind for _, kind in given], "acc")
        g, h = self.name("g"), self.name("h")
        self.known.append(g)
        wraps = [
            f"js.checkpoint({loss})",
            f"js.function({loss})",
            f"lambda *a: {loss}(*a) * 0.5",
            f"lambda *a, **k: {loss}(*a, **k) + 1.0",
        ]
        call = ", ".join(names)
        if len(names) > 1:
            wraps += [
                f"functools.partial({loss}, {names[0]})",
                f"lambda v: {loss}({', '.join([*names[:-1], 'v'])})",
            ]
        wrap = self.any(*wraps)
        if wrap.startswith(("functools", "lambda v")):
            call = names[-1] if not wrap.startswith("functools") else ", ".join(names[1:])
        which = (
            given[-1]
            if call == names[-1]
            else given[-1]
            if wrap.startswith("functools") and len(names) == 2
            else given[0]
            if not wrap.startswith("functools")
            else given[1]
        )
        lines = [f"{h} = {wrap}", f"{g} = js.grad({h})({call})"]
        if self.maybe(0.3):
            lines += [*self.poke(*which), f"hist.append(js.grad({h})({call}))"]
        return lines + self.after(g, *which)

    def outside(self) -> list[str]:
        """Module level functions and methods."""
        g = self.name("g")
        self.known.append(g)
        if "obj" in self.captured and self.maybe(0.5):
            return [f"{g} = js.grad(obj.loss)(x)", "obj.w = 0.25"]
        lists = [name for name, kind in self.held if kind in (("list", "F"), ("list", "A"))]
        if lists:
            return [f"{g} = js.{self.any('grad', 'value_and_grad')}(total)({self.any(*lists)})"]
        return [f"{g} = js.grad(GRAD_OF_SQUARES)(x)" if self.maybe(0.5) else f"{g} = DSQUARES(x)"]

    def after(self, g: str, name: str, kind: Kind) -> list[str]:
        """The gradient and what it is for are used."""
        lines: list[str] = []
        for _ in range(self.rng.choice((0, 1, 1, 2, 2))):
            choice = self.rng.random()
            if choice < 0.2:
                lines.append(f"hist.append({self.any(g, name, f'({g}, {name})', f'[{g}]')})")
            elif choice < 0.4:
                lines += self.poke(name, kind)
            elif choice < 0.55 and "[" not in g and kind != "F":
                lines += self.poke(g, kind)
            elif choice < 0.65 and self.identity and kind[0] != "tuple":
                same = self.name("same")
                self.known.append(same)
                test = f"{g} is {name}"
                if kind[0] == "list":
                    test = self.any(test, f"hist is {name}", f"len({g}) == len({name})")
                lines.append(f"{same} = {test}")
            elif choice < 0.8:
                lines += ["acc = 0.0", *self.read(kind, g), "s = s + acc"]
            elif choice < 0.9:
                lines += self.step(name, g, kind)
            else:
                lines.append(f"kept = {self.any(g, name, f'[{name}, {g}]')}")
        return lines

    def program(self) -> str:
        rng = self.rng
        made, params = [], ["x", "f", "u", "n"]
        for _ in range(rng.randint(0, 3)):
            name, kind = self.name("c"), self.kind()
            made += self.set_up(name, kind)
            self.held.append((name, kind))
            params.append(name)
        if self.held and self.maybe(0.2):
            name, kind = self.any(*self.held)
            params.append(self.name("c"))
            made.append(f"{params[-1]} = {name}")
            self.held.append((params[-1], kind))
        if self.maybe(0.2):
            params.append(self.name("c"))
            made.append(f"{params[-1]} = {self.any('x', 'x[1:]', 'f[0]', 'x[::-1]')}")
            self.held.append((params[-1], "A"))
        given = list(params)
        self.held += [("x", "A"), ("u", "F")] if self.maybe(0.5) else [("x", "A")]
        self.inside = True
        body = ["s = 0.5", "hist = []", "kept = None", *self.any(*LOOPS)]
        for name, text in CAPTURED.items():
            if self.maybe(0.25 if name not in ("box", "obj") else 0.04 + 0.15 * self.objects):
                self.captured.append(name)
                body.append(f"{name} = {text}")
        for name, text in CUSTOMS.items():
            if self.maybe(0.2):
                self.captured.append(name)
                for needed in NEEDED.get(name, ()):
                    if needed not in self.captured:
                        self.captured.append(needed)
                        body.append(f"{needed} = {CAPTURED[needed]}")
                body += text.split("\n")
        functions = [name for name in self.captured if name in CUSTOMS]
        for _ in range(rng.randint(0, 2)):
            name, kind = self.name("c"), self.kind()
            body += self.set_up(name, kind)
            self.held.append((name, kind))
            self.known.append(name)
        if self.maybe(0.2):
            name, kind = self.any(*self.held)
            alias = self.name("c")
            body.append(f"{alias} = {name}")
            self.held.append((alias, kind))
            self.known.append(alias)
        self.captured = [name for name in self.captured if name not in functions]
        data = list(self.captured)
        self.captured += functions
        for _ in range(rng.choice((1, 1, 1, 2) if self.modest else (1, 2, 2, 3))):
            body += self.use()
            if data and self.maybe(0.3):
                body.append(self.any(*[TAILS[name] for name in data]))
        if self.maybe(0.4):
            body += self.any(*LOOPS)
        changed = [name for name in given if name not in ("n", "f")]
        known = dict.fromkeys([*self.known, *changed, *data, "s", "hist", "kept"])
        body.append(f"return {', '.join(known)}")
        text = ["def made(x, f, u, n):", *indented([*made, f"return {', '.join(given)}"])]
        text += ["", "", f"def program({', '.join(given)}):", *indented(body)]
        return HEADER + "\n".join(text) + "\n"


def _fits(kind: Kind, wants: str) -> bool:
    return kind == ("list", wants[1]) if wants[:1] == "L" else kind == wants or kind[0] == wants


def derivations(seed: int) -> Program:
    """The first program of a few that ends with numbers when derivatives are taken by differences."""
    from fuzz.differences import runs_by_reference

    for attempt in range(100):
        program = Program(_Writer(seed * 100 + attempt).program(), SIGNATURE, SIZES, seed, True, IMPORTS)
        if runs_by_reference(program.module):
            return program
    raise AssertionError(seed)
