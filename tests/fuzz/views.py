"""Parts of arrays and single elements, as users cut them."""

from __future__ import annotations

import random

from fuzz.samples import Kind, Samples, Shape

_VECTOR_CUTS = (
    "[1:]", "[:-1]", "[1:-1]", "[::-1]", "[::2]", "[1::2]", "[:3]", "[:4]", "[-3:]", "[-4:]", "[2:]", "[:-2]",
    "[:]", "[-2:0:-1]", "[:n - 1]", "[:n]", "[:len({0}) // 2]", "[len({0}) // 2:]", "[len({0}) - 3:]", "[-1:0:-1]",
    "[-2::-1]", "[:1]", "[-1:]", "[::-2]", "[1:4]", "[:m]", "[0:n:2]", "[..., 1:]",
)  # fmt: skip
_MATRIX_CUTS = (
    ".T", ".T", "[0]", "[-1]", "[:, 0]", "[:, -1]", "[1:-1, 1:-1]", "[:-1]", "[1:]", "[:, ::-1]", "[::-1]",
    "[:, 1:]", "[:, :-1]", "[:, :3]", "[:2]", "[-2:]", "[:, -2:]", "[1]", "[:, 1]", "[1:, :-1]", "[:-1, 1:]",
    ".ravel()", ".reshape(-1)", "[2]", "[..., 0]", "[0, :]", "[-1, 1:]", "[1:, 0]", "[:n // 2]", "[:, ::2]",
    ".transpose()", "[::-1].T", "[:m, :n]", "[2:-1, 1:]", "[::2, 1::2]",
)  # fmt: skip
_CUBE_CUTS = (
    "[0]",
    "[-1]",
    "[1]",
    "[:, 0]",
    "[:, :, -1]",
    "[:, 1:]",
    ".transpose(2, 0, 1)",
    "[:, ::-1]",
    "[..., 0]",
)


class Views(Samples):
    """Makes the texts of parts."""

    def __init__(self, rng: random.Random, count: int) -> None:
        super().__init__(count)
        self.rng = rng

    def cut(self, text: str) -> str:
        """A part of an array (or the array, where the chosen cut doesn't exist)."""
        kind = self.kind(text)
        if kind is None or not kind.is_array:
            return text
        cuts = (_VECTOR_CUTS, _MATRIX_CUTS, _CUBE_CUTS)[min(kind.rank, 3) - 1]
        choices = list(cuts)
        if kind.rank > 1:
            choices += [f"[{i}]" for i in self.indices_below(kind, 0)] * 6
            choices += [f"[:, {i}]" for i in self.indices_below(kind, 1)] * 6
        if kind.rank == 1 and all(d % 2 == 0 for d in kind.shape[0]):
            choices += [".reshape(2, -1)", ".reshape(-1, 2)", ".reshape(len({0}) // 2, 2)"]
        if kind.rank == 2 and self.rng.random() < 0.1:
            choices += [".reshape(n, m)", ".reshape(m, n)", ".reshape({0}.shape[1], {0}.shape[0])"]
        choice = self.rng.choice(choices)
        made = text + (choice.format(text) if text.isidentifier() or "{" not in choice else "[1:]")
        found = self.kind(made)
        return made if found and found.is_array else text

    def part(self, name: str) -> str:
        """The array, or a part of it, or a part of a part."""
        text, chance = name, self.rng.random()
        for _ in range(0 if chance < 0.45 else 1 if chance < 0.8 else 2 if chance < 0.95 else 3):
            text = self.cut(text)
        return text

    def pool(self, count: int = 3) -> list[tuple[str, Kind]]:
        """Arrays and some of their parts, with what they are."""
        found: dict[str, Kind] = {}
        for name in self.arrays():
            for text in (name, *(self.part(name) for _ in range(count))):
                kind = self.kind(text)
                if kind and kind.is_array:
                    found[text] = kind
        return list(found.items())

    def indices_below(self, kind: Kind, axis: int) -> list[str]:
        """The loop indices that stay inside of the axis."""
        limit = kind.shape[axis]
        return [i for i, top in self.indices.items() if all(t <= d for t, d in zip(top, limit, strict=True))]

    def place(self, name: str, through_views: bool = True) -> str:
        """An element of the array, in range, often through a part of it: ``x[:4][-1]``."""
        rng = self.rng
        for _ in range(20):
            text = self.part(name) if through_views and rng.random() < 0.5 else name
            kind = self.kind(text)
            if kind is None or not kind.is_array:
                continue
            whole = [self.index(kind, axis) for axis in range(kind.rank)]
            joined = "".join(f"[{i}]" for i in whole) if rng.random() < 0.2 else f"[{', '.join(whole)}]"
            found = self.kind(text + joined)
            if found and found.family == "scalar":
                return text + joined
        return name + "[" + ", ".join("0" for _ in self.kinds[name].shape) + "]"

    def index(self, kind: Kind, axis: int) -> str:
        """An index of the axis."""
        rng, least = self.rng, min(kind.shape[axis])
        loops = self.indices_below(kind, axis)
        if loops and rng.random() < 0.6:
            i = rng.choice(loops)
            return rng.choice((i, i, i, i, f"{i} - 1", f"-{i}", f"-{i} - 1"))
        return rng.choice(("0", "-1", "-1", str(rng.randrange(-least, least)), str(rng.randrange(least))))

    def of_shape(self, shape: Shape, pool: list[tuple[str, Kind]]) -> list[str]:
        """What in the pool has the shape."""
        return [text for text, kind in pool if kind.shape == shape]


def broadcasts(shape: Shape, target: Shape) -> bool:
    """Whether arrays of the shape can be spread over the target, for all sizes."""
    if len(shape) > len(target):
        return False
    ends = zip(reversed(shape), reversed(target), strict=False)
    return all(dim == wanted or set(dim) == {1} for dim, wanted in ends)
