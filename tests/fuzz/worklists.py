"""Loops that go on while a list holds work: fills, halved spans, queues, merges; each ends by what it takes out."""

from __future__ import annotations

from fuzz.blocks import indented
from fuzz.lists import Lists


class Worklists(Lists):
    """Makes such loops; random statements stand between their lines."""

    def worklist(self) -> list[str]:
        """One of them."""
        return self.rng.choice((self.fill, self.fill, self.countdown, self.spans, self.hills, self.merge))()

    def between(self) -> list[str]:
        """A random statement, or none: it knows no lists, so that it can't give the loop more to do."""
        if self.rng.random() < 0.5:
            return []
        with self.scope():
            for name in self.of_family("list"):
                self.forget(name)
            return self.block(0, 1)

    def vector(self) -> str:
        """An array of one axis."""
        return self.rng.choice([name for name in self.arrays() if self.kinds[name].rank == 1])

    def fill(self) -> list[str]:
        """Places of a matrix that hang together."""
        rng = self.rng
        matrix = rng.choice([name for name in self.arrays() if self.kinds[name].rank == 2])
        stack, seen = self.fresh("stack", "todo", "queue"), self.fresh("seen", "taken", "visited")
        made = rng.choice(
            (
                f"np.zeros({matrix}.shape, bool)",
                f"np.zeros({matrix}.shape, dtype=int)",
                f"np.abs({matrix}) > 1.25",
            )
        )
        taken = rng.choice((f"{stack}.pop()", f"{stack}.pop()", f"{stack}.pop(0)"))
        low = rng.choice(("0.75", "0.25", "1.0"))
        wall = rng.choice(
            (f"abs({matrix}[r0, c0]) < {low}", f"abs({matrix}[r0, c0] - {matrix}[0, 0]) > {low}", self.test())
        )
        inside = f"0 <= p0 < len({matrix}) and 0 <= q0 < {matrix}.shape[1]"
        pushed = [f"{stack}.append((p0, q0))"]
        move = [
            "p0, q0 = r0 + di, c0 + dj",
            rng.choice((f"if {inside} and not {seen}[p0, q0]:", f"if ({inside}) and {seen}[p0, q0] == 0:")),
            *indented(pushed),
        ]
        if rng.random() < 0.4:
            move = ["p0, q0 = r0 + di, c0 + dj", f"if not ({inside}):", "    continue", *pushed]
        body = [
            f"r0, c0 = {taken}", f"if {seen}[r0, c0]:", "    continue", f"{seen}[r0, c0] = {rng.choice(('True', '1'))}",
            *([f"if {wall}:", "    continue"] if rng.random() < 0.6 else []), *self.between(), *self.added(rng.choice(("1", f"abs({matrix}[r0, c0])", "r0 - c0"))),
            *self.noted("(r0, c0)"), f"for di, dj in {self.a_table('pairs')}:", *indented(move),
        ]  # fmt: skip
        head = rng.choice(
            (f"while {stack}:", f"while len({stack}) > 0:", f"while {stack} and len({stack}) < 60:")
        )
        start = rng.choice(
            (f"{stack} = [(0, 0)]", f"{stack} = [(0, 0), (1, 1)]", f"{stack} = []\n{stack}.append((1, 2))")
        )
        return [*start.split("\n"), f"{seen} = {made}", head, *indented(body), *self.added(f"{seen}.sum()")]

    def noted(self, item: str) -> list[str]:
        """The item kept in a list of pairs, if there is one."""
        pairs = [name for name in self.of_family("list") if self.kinds[name].dtype == "pairs"]
        return [f"{self.rng.choice(pairs)}.append({item})"] if pairs and self.rng.random() < 0.6 else []

    def countdown(self) -> list[str]:
        """Numbers that make smaller ones."""
        rng, x, todo = self.rng, self.vector(), self.fresh("todo", "work", "heap")
        more = rng.choice(
            (
                [f"{todo}.append(d0 - 1)"],
                [f"{todo}.append(d0 - 1)", f"{todo}.append(d0 - 2)"],
                [f"{todo} += [d0 // 2, d0 - 2]"],
                [f"{todo}.extend([d0 - 1, d0 - 3])"],
            )
        )
        body = [
            f"d0 = {rng.choice((f'{todo}.pop()', f'{todo}.pop(0)'))}", f"if {rng.choice(('d0 <= 0', 'd0 < 1', 'not d0 > 0'))}:", "    continue",
            *self.added(f"abs({x}[d0 % len({x})])"), *self.between(), *self.skipping(more),
        ]  # fmt: skip
        return [
            f"{todo} = {rng.choice(('[3]', '[4, 1]', '[5]', '[steps]'))}",
            f"while {todo}:",
            *indented(body),
        ]

    def spans(self) -> list[str]:
        """Spans that are halved."""
        rng, x, spans = self.rng, self.vector(), self.fresh("spans", "ranges", "parts")
        small = rng.choice((f"abs({x}[lo0])", "lo0", f"abs({x}[lo0] - {x}[hi0 - 1])"))
        body = [
            f"lo0, hi0 = {spans}.pop({rng.choice(('', '', '0'))})", "if hi0 - lo0 < 2:", *indented([*self.added(small), "continue"]), "mid0 = (lo0 + hi0) // 2", *self.between(),
            *self.skipping([f"{spans}.append((lo0, mid0))"]), rng.choice((f"{spans}.append((mid0, hi0))", f"if abs({x}[mid0]) > 0.5:\n    {spans}.append((mid0, hi0))")),
            *self.added(f"abs({x}[lo0:hi0]).{rng.choice(('sum', 'max'))}()"),
        ]  # fmt: skip
        return [f"{spans} = [(0, len({x}))]", f"while {spans}:", *indented("\n".join(body).split("\n"))]

    def hills(self) -> list[str]:
        """A stack of places whose values fall."""
        rng, x, stack = self.rng, self.vector(), self.fresh("hills", "stack", "open0")
        below = f"abs({x}[{stack}[-1]]) < abs({x}[e0])"
        if rng.random() < 0.5:
            body = [f"while {stack} and {below}:", *indented(self.added(f"{stack}.pop()"))]
        else:
            body = [
                "while True:",
                f"    if not {stack} or not {below}:",
                "        break",
                f"    {stack}.pop()",
                *indented(self.added("1")),
            ]
        body += [f"if {stack}:", *indented(self.added(f"e0 - {stack}[-1]")), f"{stack}.append(e0)"]
        return [
            f"{stack} = []",
            f"for e0 in range(len({x})):",
            *indented([*self.between(), *body]),
            *self.added(f"len({stack})"),
        ]

    def merge(self) -> list[str]:
        """Two lists that become one."""
        rng, x = self.rng, self.vector()
        a, c, out = self.fresh("left0", "a0"), self.fresh("right0", "c0"), self.fresh("merged", "both")
        made = rng.choice(
            (
                f"[abs(v0) for v0 in {x}[:3]]",
                f"[abs(v0) for v0 in {x} if abs(v0) > 0.5]",
                f"sorted([abs(v0) for v0 in {x}[1:4]])",
            )
        )
        body = [
            rng.choice((f"if {a}[0] <= {c}[0]:", f"if not ({a}[0] > {c}[0]):")), f"    {out}.append({a}.pop(0))", "else:", f"    {out}.append({c}.pop(0))", *self.between(),
        ]  # fmt: skip
        end = rng.choice(
            (
                [f"{out} += {a} + {c}"],
                [f"{out}.extend({a})", f"{out}.extend({c})"],
                [f"for v0 in {a}:", f"    {out}.append(v0)"],
            )
        )
        read = rng.choice((f"{out}[-1]", f"len({out})", f"sum([k0 * v0 for k0, v0 in enumerate({out})])"))
        return [
            f"{a} = {made}", f"{c} = {rng.choice(('[0.25, 0.75, 1.0]', f'[abs(v0) for v0 in {x}[-2:]]'))}", f"{out} = []",
            rng.choice((f"while {a} and {c}:", f"while len({a}) > 0 and len({c}) > 0:", f"while not (not {a} or not {c}):")), *indented(body), *end,
            f"if {out}:", *indented(self.added(read)),
        ]  # fmt: skip
