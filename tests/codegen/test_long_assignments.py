"""Assignments of many variables at once, over several lines."""

import ast

import pytest

from jitscope.codegen.writer import WIDTH, broken


@pytest.mark.parametrize("count", [2, 5, 12, 40])
@pytest.mark.parametrize("indent", ["", "        "])
def test_a_long_exchange_of_variables_is_one_assignment(count: int, indent: str) -> None:
    names = [f"variable_{k}" for k in range(count)]
    text = f"{', '.join(names)} = {', '.join(reversed(names))}"
    lines = broken(indent, text)
    assert all(len(line) <= WIDTH for line in lines)
    (found,) = ast.parse("\n".join(line.removeprefix(indent) for line in lines)).body
    assert ast.dump(found) == ast.dump(ast.parse(text).body[0])


def test_a_long_tuple_that_is_returned_stays_one() -> None:
    text = "return " + ", ".join(f"variable_{k}" for k in range(30))
    lines = broken("    ", text)
    assert ast.dump(ast.parse("def f():\n" + "\n".join(lines))) == ast.dump(
        ast.parse(f"def f():\n    {text}")
    )
