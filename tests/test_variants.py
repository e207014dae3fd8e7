"""Variants of programs that were wrong once: values and gradients in first, second and cached calls."""

from __future__ import annotations

import ast
import inspect
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import pytest
from compiled import from_the_disk, has_compiled_part, needs_compiler
from each_call import assert_gradient_in_each_call
from programs import memory
from same import compare, decorate
from variants import PROGRAMS, VALUES, arguments, family

Program = Callable[..., Any]


def _name(program: Program) -> str:
    return program.__name__


class _Bare(ast.NodeTransformer):
    """Numbers are all the same."""

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        return ast.Constant(0 if isinstance(node.value, (int, float)) else node.value)


def _form(program: Program) -> str:
    """A program's statements without its numbers."""
    (function,) = ast.parse(inspect.getsource(program)).body
    return "".join(ast.dump(_Bare().visit(one)) for one in function.body)  # type: ignore[attr-defined]


def test_ten_variants_of_each_program_differ_in_more_than_numbers() -> None:
    forms = defaultdict(set)
    for program in PROGRAMS:
        forms[family(program)].add(_form(program))
    few = {}
    for name, found in forms.items():
        others = found - {_form(getattr(memory, name))}
        if len(others) < 10:
            few[name] = len(others)
    assert not few
    assert len(forms) == 16


@needs_compiler
@pytest.mark.parametrize("program", VALUES, ids=_name)
def test_values_are_those_of_the_plain_function(program: Program) -> None:
    decorated = decorate(program)
    compare(program, decorated, arguments(program), tol=256)
    assert has_compiled_part(decorated)
    with from_the_disk(decorated):
        compare(program, decorated, arguments(program), calls=1, tol=256)


@needs_compiler
@pytest.mark.parametrize("program", PROGRAMS, ids=_name)
def test_gradients_are_those_of_the_plain_function(program: Program) -> None:
    assert_gradient_in_each_call(program, arguments(program))
