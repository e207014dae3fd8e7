"""Random straight-line programs of arrays of every kind: compiled against NumPy."""

from __future__ import annotations

import linecache
import random

import numpy as np
import pytest
from modules import agree, run

from jitscope.autograph.traced import Unstageable

DTYPES = ["f8", "f8", "f4", "i8", "i4", "i1", "u1", "u8", "?", "c16", "c8"]
SHAPES = [[(4, 5)], [(4, 5), (5,)], [(4, 5), (4, 1)], [(6,)], [(1, 5), (4, 5)], [(0, 3)], [(3, 1, 4), (2, 4)]]
UNARY = [
    "-({x} + 0)",
    "np.abs({x})",
    "np.square({x})",
    "np.sqrt(np.abs({x}))",
    "{x}.astype(np.float32)",
    "{x}.copy()",
]
BINARY = [
    "{x} + {y}",
    "{x} - {y}",
    "{x} * {y}",
    "{x} / {y}",
    "np.maximum({x}, {y})",
    "{x} < {y}",
    "{x} == {y}",
]
VIEWS = ["[1:]", "[:-1]", "[::-1]", "[::2]", "[..., 1:]", "[..., ::-1]", ".T", "[0]", "[-1]", "[None]"]
WRITES = [
    "{x}[...] = {y}",
    "{x}[1:] = {y}",
    "{x}[::-1] = {x}",
    "{x}[:-1] = {x}[1:]",
    "{x} += {y}",
    "{x} *= {y}",
]
REDUCTIONS = [
    "sum()",
    "max()",
    "any()",
    "argmax()",
    "sum(axis=0)",
    "min(axis=-1, keepdims=True)",
    "mean(axis=-1)",
]


def program(rng: random.Random, name: str) -> tuple[str, list[tuple[str, tuple[int, ...], str]]]:
    """The source of a function, and dtype, shape and layout of its arguments."""
    shapes = rng.choice(SHAPES)
    args = [
        (rng.choice(DTYPES), rng.choice(shapes), rng.choice("CCCFSN")) for _ in range(rng.choice([1, 2, 3]))
    ]
    values = [f"a{k}" for k in range(len(args))]
    lines = [f"def {name}({', '.join(values)}, s):"]
    results: list[str] = []
    for number in range(rng.randint(2, 7)):
        x, y, v = rng.choice(values), rng.choice([*values, "s", "2", "0.5"]), f"v{number}"
        kind = rng.choice(
            ["unary", "binary", "binary", "view", "view", "write", "write", "reduction", "loop"]
        )
        if kind == "write":
            lines.append("    " + rng.choice(WRITES).format(x=x, y=y))
            continue
        if kind == "reduction":
            lines.append(f"    {v} = {x}.{rng.choice(REDUCTIONS)}")
            results.append(v)
            continue
        if kind == "loop":
            lines += [f"    {v} = {x} + 0", "    for i in range(3):", f"        {v} = {v} * 0.5 + {y}"]
        elif kind == "view":
            lines.append(f"    {v} = {x}{rng.choice(VIEWS)}")
        else:
            lines.append(f"    {v} = {rng.choice(UNARY if kind == 'unary' else BINARY).format(x=x, y=y)}")
        values.append(v)
    results += rng.sample(values, min(3, len(values)))
    return "\n".join([*lines, f"    return {', '.join(results)},"]), args


def array(dtype: str, shape: tuple[int, ...], layout: str, rng: np.random.Generator) -> np.ndarray:
    """Numbers of a dtype in a layout: C, Fortran, strided, backwards."""
    if layout == "S":
        wide = array(dtype, (*shape[:-1], 2 * shape[-1]), "C", rng)
        return wide[..., ::2]
    made = rng.normal(size=shape) * 3
    if np.dtype(dtype).kind in "u?":
        made = np.abs(made)
    made = made.astype(dtype)
    return np.asfortranarray(made) if layout == "F" else made[::-1] if layout == "N" else made


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.filterwarnings("ignore")
def test_random_programs_do_what_numpy_does(seed: int) -> None:
    source, kinds = program(random.Random(seed), f"program_{seed}")
    filename = f"<random program {seed}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    namespace = {"np": np}
    exec(compile(source, filename, "exec"), namespace)
    function = namespace[f"program_{seed}"]
    mine, others = ([array(*k, np.random.default_rng(seed)) for k in kinds] for _ in range(2))
    try:
        plain = function(*mine, 1.25)
    except Exception as error:
        with pytest.raises((type(error), Unstageable)):
            run(function, *others, 1.25)
        return
    try:
        compiled = run(function, *others, 1.25)
    except Unstageable:
        pytest.skip("the trace leaves it to Python")
    assert agree(plain, compiled), source
    assert agree(tuple(mine), tuple(others)), source
