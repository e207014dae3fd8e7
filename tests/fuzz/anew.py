"""Arrays made anew in each iteration, with sizes of the run: zeros, counts, what grows, what shrinks."""

from __future__ import annotations

from fuzz.window_loops import WindowLoops

_VECTORS = (
    "np.zeros({i} + 1{dt})", "np.ones({i} + 1{dt})", "np.full({i} + 1, {h}{dt})", "np.arange({i} + 1) * {h}", "np.arange({i}, {i} + 3) * {h}", "np.arange({i} + 2{dt})",
    "np.concatenate([{w}, {x}[{i}:{i} + 1]])[-6:]", "np.concatenate(({x}[:{i}], {x}[{i}:]))", "np.concatenate([{x}[{i}:], {x}[:1]])", "np.append({w}, {h})[-5:]", "np.append({w}, {x}[0])[:7]",
    "np.zeros(len({w}) + 1{dt})[:8]", "np.zeros_like({w})", "{w}.copy()", "{w}[1:] - {w}[:-1]", "{w}[1:]", "{w}[:-1]", "{w}[1:] * {h}", "np.outer({x}[{i}:], {x}).sum(1)",
    "np.outer({w}, {w}).sum(0)", "{w}[:len({w}) // 2 * 2].reshape(-1, 2).sum(1)", "{x}[:len({x}) // 2 * 2].reshape(2, -1)[0]", "np.hstack([{w}, {w}])[:6]", "np.cumsum({x}[:{i} + 1])",
    "np.tile({x}, 2)[:{i} + 1]", "np.repeat({x}[:{i} + 1], 2)", "np.linspace(0, 1, {i} + 1)", "np.ones_like({x}[{i}:])", "np.zeros_like({w}) + {h}",
)  # fmt: skip
_MATRICES = (
    "np.ones(({i} + 1, 2){dt})", "np.zeros(({i} + 1, len({x})){dt})", "np.outer({x}[{i}:], {x})", "np.outer({x}, {x}[:{i} + 1])", "np.eye({i} + 1{de})", "{w}[1:]", "{w}[:-1]", "{w}[:, 1:]",
    "{x}[:len({x}) // 2 * 2].reshape(-1, 2)", "{m}.ravel()[:2 * {i}].reshape(-1, 2)", "{m}.ravel()[:4 * ({i} % 3)].reshape(-1, 2, 2)[:, 0]", "np.vstack([{m}[:{i}], {m}[-1:]])",
    "np.full((2, {i} + 1), {h}{dt})", "np.zeros_like({w})", "{w} * {h}", "{m}[:{i} + 1] @ {m}.T",
)  # fmt: skip
_WRITTEN_OUT = (
    ["{w} = np.empty({i} + 1{dt})", "{w}[:] = {h}"], ["{w} = np.empty({i} + 1{dt})", "for e0 in range({i} + 1):", "    {w}[e0] = e0 * {h}"], ["{w} = np.zeros({i} + 1{dt})", "{w}[-1] = {x}[0]"],
    ["{w} = np.zeros({i} + 2{dt})", "{w}[1:] = {h}"], ["{w} = np.empty({i} + 2{dt})", "{w}[:1], {w}[1:] = {h}, 1"], ["{w} = np.zeros(len({x}){dt})", "{w}[{i}:] = {x}[{i}:] * {h}"],
    ["if len({w}) < 7:", "    {w} = np.append({w}, {x}[-1])"], ["if len({w}) < 7:", "    {w} = np.concatenate([{w}, {x}[{i}:{i} + 1]])"], ["if len({w}) > 1:", "    {w} = {w}[1:]"],
    ["{w} = {w}[:-1] if len({w}) > 2 else {x}"], ["{w} = np.zeros({i} + 1{dt})", "{w} += {h}", "+{w}.sum()"], ["{w} = np.empty(len({w}) + 1{dt})[:8]", "{w}[:] = {x}[0]"],
    ["{d} = np.zeros({i} + 1{dt})", "{d}[:len({w})] += {w}[:len({d})]", "{w} = {d}"], ["{w} = np.ones({i} + 1{dt})", "if {t}:", "    {w}[:] = {x}[-1]"],
)  # fmt: skip


class Anew(WindowLoops):
    """Gives windows other contents: arrays that belong to nobody else."""

    def vector_form(self) -> str:
        """How an array of one axis is made."""
        if "anew" in self.also and self.rng.random() < 0.5:
            return self.rng.choice(_VECTORS)
        return super().vector_form()

    def matrix_form(self) -> str:
        """How an array of two axes is made."""
        if "anew" in self.also and self.rng.random() < 0.5:
            dtype = self.dtype_text()
            return self.rng.choice(_MATRICES).replace("{de}", dtype and ", dtype=" + dtype[2:])
        return super().matrix_form()

    def written_out(self) -> list[str]:
        """An array made with a size of the run, and written."""
        names = self.windows("vector")
        return self.spelled(self.rng.choice(_WRITTEN_OUT), self.rng.choice(names)) if names else []
