"""Templates are filled with the parentheses that Python needs, in the formatter's spacing."""

from __future__ import annotations

import ast

import numpy as np
import pytest

from jitscope.codegen.control import parallel
from jitscope.codegen.expressions import fill, fill_statement, slots
from jitscope.codegen.literals import held_literal, literal
from jitscope.codegen.writer import WIDTH, Writer


@pytest.mark.parametrize(
    ("template", "arguments", "text"),
    [
        ("{0} + {1}", ["a", "b"], "a + b"),
        ("{0} * {1}", ["a + b", "c"], "(a + b) * c"),
        ("{0} - {1}", ["a", "b - c"], "a - (b - c)"),
        ("{0} - {1}", ["a - b", "c"], "a - b - c"),
        ("-{0}", ["a + b"], "-(a + b)"),
        ("{0} ** {1}", ["a", "2"], "a**2"),
        ("{0} ** {1}", ["a[0]", "2"], "a[0] ** 2"),
        ("{0} ** {1}", ["-a", "2"], "(-a) ** 2"),
        ("{0}.sum()", ["a + b"], "(a + b).sum()"),
        ("{0}.real", ["5"], "(5).real"),
        ("not {0}", ["a < b"], "not a < b"),
        ("{0} & {1}", ["a < b", "c"], "(a < b) & c"),
        ("{1} if {0} else {2}", ["c", "x", "y"], "x if c else y"),
        ("({1} if {0} else {2}) + 1", ["c", "x", "y"], "(x if c else y) + 1"),
        ("{0}[1:-1, {1}]", ["a", "i"], "a[1:-1, i]"),
        ("{0}[{1} + 1:, ::2]", ["a", "i"], "a[i + 1 :, ::2]"),
        ("f({0}, k={1})", ["a", "'x'"], 'f(a, k="x")'),
        ("{{1: {0}}}", ["a"], "{1: a}"),
        ("'{{0}}'.format({0})", ["x"], '"{0}".format(x)'),
        ("{0} == {1}", ["a", "b"], "a == b"),
        ("({0},)", ["a"], "(a,)"),
    ],
)
def test_templates(template: str, arguments: list[str], text: str) -> None:
    assert fill(template, arguments) == text
    ast.parse(text)


def test_statements() -> None:
    assert fill_statement("{0}[{1}] = {2}", ["a", "m > 0", "x"]) == "a[m > 0] = x"
    assert fill_statement("{0} += {1}", ["a", "b"]) == "a += b"
    assert fill_statement("{0} += {1}", ["a[1:]", "b"]) == "a[1:] += b"
    assert fill_statement("{0} += {1}", ["a.T", "b"]) == "a.T[...] += b"
    assert fill_statement("{0} -= {1}", ["a.swapaxes(1, 0)", "b"]) == "a.swapaxes(1, 0)[...] -= b"


def test_slots_are_in_the_order_of_writing() -> None:
    assert slots("{1} if {0} else {{2}}") == [1, 0]


@pytest.mark.parametrize(
    "value",
    [0.1, -0.0, 1e300, float("inf"), float("-inf"), 3, -3, True, 2j, complex(-0.0, 1), complex(1, -0.0)],
)
def test_literals_read_back_to_the_same_bits(value: object) -> None:
    back = eval(literal(value), {"np": np})
    assert type(back) is type(value)
    assert np.array(back).tobytes() == np.array(value).tobytes()


@pytest.mark.parametrize("dtype", ["int8", "uint64", "float32", "complex64", "bool", "float64", "int64"])
def test_literals_of_compiled_code_have_their_dtype(dtype: str) -> None:
    back = eval(held_literal(1, np.dtype(dtype)), {"np": np})
    assert back == 1
    assert np.result_type(back).kind == np.dtype(dtype).kind


@pytest.mark.parametrize("value", [0.1, 1 / 3, 16777217.0, 1e-45])
def test_short_floats_are_exact(value: float) -> None:
    number = np.float32(value)
    assert eval(literal(number), {"np": np}) == number


@pytest.mark.parametrize(
    ("moves", "lines"),
    [
        ([("a", "b")], ["a = b"]),
        ([("u", "v"), ("v", "u")], ["u, v = v, u"]),
        ([("a", "b"), ("b", "c")], ["a = b", "b = c"]),
        ([("b", "c"), ("a", "b")], ["a = b", "b = c"]),
        ([("a", "a + b"), ("b", "a")], ["a, b = a + b, a"]),
    ],
)
def test_assignments_at_once(moves: list[tuple[str, str]], lines: list[str]) -> None:
    assert parallel(moves) == lines


def test_long_lines_are_broken_as_the_formatter_breaks_them() -> None:
    out = Writer(1)
    out.line(f"x = cluster_0({', '.join('argument_' + str(k) for k in range(8))})")
    assert len(out.lines) == 3
    assert all(len(line) <= WIDTH for line in out.lines)
    out.line(f"x = cluster_0({', '.join('argument_' + str(k) for k in range(17))})")
    assert out.lines[-2].endswith("argument_16,")


def test_a_line_of_the_user_is_quoted_once() -> None:
    out = Writer()
    out.line("a = 1", "a, b = 1, 2")
    out.line("b = 2", "a, b = 1, 2")
    out.line("c = 3", "c = 3")
    assert out.lines == ["a = 1  # a, b = 1, 2", "b = 2", "c = 3"]
