"""Random programs: a session gives what the program's lines give, for any fetches and feeds on the way."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import jitscope as js

UNARY = [
    ("np.tanh({0})", np.tanh),
    ("np.exp(-np.abs({0}))", lambda a: np.exp(-np.abs(a))),
    ("{0}[1:]", lambda a: a[1:]),
    ("{0}.T", lambda a: a.T),
    ("{0} * 2 + 1", lambda a: a * 2 + 1),
    ("{0}.sum(axis=0, keepdims=True)", lambda a: a.sum(axis=0, keepdims=True)),
    ("{0}.max(axis=-1, keepdims=True)", lambda a: a.max(axis=-1, keepdims=True)),
    ("{0}.reshape(-1, 1)", lambda a: a.reshape(-1, 1)),
    ("{0}.mean()", lambda a: a.mean()),
    ("{0}.astype(np.float32)", lambda a: a.astype(np.float32)),
    ("{0}[::-1]", lambda a: a[::-1]),
    ("np.sort({0}, axis=0)", lambda a: np.sort(a, axis=0)),
    ("{0} / {0}.shape[0]", lambda a: a / a.shape[0]),
    ("js.nn.softmax({0})", js.nn.softmax),
]
BINARY = [
    ("{0} + {1}", lambda a, b: a + b),
    ("{0} * {1}", lambda a, b: a * b),
    ("np.where({0} > {1}, {0}, {1})", lambda a, b: np.where(a > b, a, b)),
    ("np.maximum({0}, {1})", np.maximum),
    ("{0} @ {1}", lambda a, b: a @ b),
    ("np.concatenate([{0}, {1}])", lambda a, b: np.concatenate([a, b])),
]


@dataclass
class Line:
    """``name = function(*inputs)``; `target` is the number of the variable that takes the value."""

    text: str
    function: Any
    inputs: tuple[int, ...]
    target: int | None = None


@dataclass
class Program:
    """Lines over two placeholders and two variables, which are numbers 0 to 3."""

    lines: list[Line]
    scoped: set[int] = field(default_factory=set)

    def text(self) -> str:
        names = ["x", "y", "v", "w"]
        out = []
        for k, line in enumerate(self.lines):
            names.append(f"t{k}")
            value = line.text.format(*(names[i] for i in line.inputs))
            target = "vw"[line.target - 2] if line.target is not None else None
            out.append(f"t{k} = {f'{target}.assign({value})' if target else value}")
        return "\n".join(out)

    def single(self) -> set[int]:
        """The values that may come out of arithmetic in single precision, whatever dtype they have."""
        found: set[int] = set()
        for k, line in enumerate(self.lines):
            if "float32" in line.text or found.intersection(line.inputs):
                found |= {k + 4} if line.target is None else {k + 4, line.target}
        return found

    def run(self, values: list[Any], wanted: list[int], fed: dict[int, Any]) -> tuple[list[Any], list[Any]]:
        """Plain NumPy: only the lines that are needed; the wanted values, and the variables after the run."""
        needed: set[int] = set()
        todo = [k for k in wanted if k not in fed]
        while todo:
            k = todo.pop()
            if k >= 4 and k not in needed:
                needed.add(k)
                todo += [i for i in self.lines[k - 4].inputs if i not in fed and i >= 4]
        found: dict[int, Any] = {**dict(enumerate(values)), **fed}
        state = dict(found)
        for k, line in enumerate(self.lines):
            if k + 4 in needed:
                result = line.function(*(state[i] if i < 4 else found[i] for i in line.inputs))
                if line.target is not None:
                    result = state[line.target] = np.asarray(result).astype(np.float64, copy=False)[()]
                if k + 4 not in fed:
                    found[k + 4] = result
        return [state[k] if k < 4 else found[k] for k in wanted], [state[2], state[3]]


@st.composite
def programs(draw):
    shapes = [(4, 3), (4, 3), (4, 3), (3,)]
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    values = [rng.standard_normal(shape) for shape in shapes]
    lines, known = [], list(values)
    for _ in range(draw(st.integers(1, 9))):
        text, function = draw(st.sampled_from(UNARY + BINARY + BINARY))
        arity = 2 if "{1}" in text else 1
        inputs = tuple(draw(st.integers(0, len(known) - 1)) for _ in range(arity))
        try:
            value = function(*(known[i] for i in inputs))
        except (ValueError, IndexError, TypeError):
            continue
        if np.size(value) > 200 or not np.all(np.isfinite(value)):
            continue
        fits = [k for k in (2, 3) if np.shape(value) == shapes[k]]
        target = draw(st.sampled_from([None, *fits])) if fits and draw(st.booleans()) else None
        lines.append(Line(text, function, inputs, target))
        known.append(value if target is None else np.asarray(value, np.float64))
    scoped = draw(st.sets(st.integers(0, 9))) if draw(st.booleans()) else set()
    program = Program(lines, scoped)
    numbers = st.integers(0, len(known) - 1)
    wanted = draw(st.lists(numbers, min_size=1, max_size=4))
    cut = [k for k in draw(st.lists(numbers, max_size=2, unique=True)) if np.size(known[k])]
    shared = rng.standard_normal(200)
    fed = {
        k: shared[: np.size(known[k])].reshape(np.shape(known[k])).astype(np.asarray(known[k]).dtype)[()]
        for k in cut
    }
    return program, values, wanted, fed


def symbols_of(program: Program, values: list[Any]) -> list[Any]:
    """The program as an explicit graph; what is computed before a line may have another shape in a run."""
    found = [
        js.placeholder(js.float64, [None, 3], name="x"),
        js.placeholder(js.float64, name="y"),
        js.Variable(values[2], name="v"),
        js.Variable(values[3], name="w"),
    ]
    for k, line in enumerate(program.lines):
        arguments = [found[i] for i in line.inputs]
        if k in program.scoped:
            with js.jit_scope():
                value = line.function(*arguments)
        else:
            value = line.function(*arguments)
        found.append(value if line.target is None else found[line.target].assign(value))
    return found


def check(case, level: str, exact: bool) -> None:
    program, values, wanted, fed = case
    config = js.ConfigProto()
    config.graph_options.optimizer_options.global_jit_level = getattr(js.OptimizerOptions, level)
    with js.Graph().as_default(), np.errstate(all="ignore"):
        symbols = symbols_of(program, values)
        session = js.Session(config=config)
        session.run(js.global_variables_initializer())
        expected, after = program.run(values, wanted, fed)
        feeds = {symbols[0]: values[0], symbols[1]: values[1], **{symbols[k]: v for k, v in fed.items()}}
        got = session.run([symbols[k] for k in wanted], feeds)
        single = program.single()
        for k, found, right in zip(wanted, got, expected, strict=True):
            same(found, right, exact, k in single)
        for k, right in zip((2, 3), after, strict=True):
            if k not in fed:
                same(session.run(symbols[k]), right, exact, k in single)


def same(found: Any, right: Any, exact: bool, single: bool) -> None:
    """What goes through exp or tanh of single precision is right to an ulp of that, in any dtype."""
    assert np.shape(found) == np.shape(right)
    assert np.asarray(found).dtype == np.asarray(right).dtype
    if exact:
        assert np.array_equal(found, right, equal_nan=True)
    else:
        np.testing.assert_allclose(
            found, right, rtol=1e-4 if single else 1e-11, atol=1e-4 if single else 1e-11
        )


SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]


@settings(max_examples=150, deadline=None, suppress_health_check=SLOW)
@given(programs())
def test_any_fetches_of_any_program(case):
    program, *rest = case
    program.scoped = set()
    check((program, *rest), "OFF", exact=True)


def through_single_precision():
    """The result is of double precision, but no better than the tanh on the way, which is of single."""
    rng = np.random.default_rng(0)
    values = [rng.standard_normal(shape) for shape in ((4, 3), (4, 3), (4, 3), (3,))]
    lines = [Line(*UNARY[9], (0,)), Line(*UNARY[0], (4,)), Line(*BINARY[0], (5, 1))]
    return Program(lines, {1}), values, [6, 5], {}


@pytest.mark.parametrize("level", ["OFF", "ON_1"])
@settings(max_examples=8, deadline=None, suppress_health_check=SLOW)
@given(case=programs())
@example(case=through_single_precision())
def test_any_fetches_of_any_program_compiled(level, case):
    check(case, level, exact=False)
