"""Programs that name things as jitscope and its generated texts do: plain against decorated."""

from __future__ import annotations

import linecache
import math
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import compare, decorate, same

ARRAY = np.linspace(0.1, 1.0, 9)
SQUARE = ARRAY.reshape(3, 3)
ENTRY = (
    "_js_driver _js_error _js_fault _js_otherwise _js_again _js_plain _js_entry _js_held _js_v0 _js_type "
    "_js_self _js_n0 _js_unread _js__held _ make entry"
).split()
MODULE = (
    "np math operator njit cuda gpu driver cluster_0 cluster_0_helper sqrt float32 py_floor __file__ "
    "__name__ __builtins__ _js_now _js_done _js_start"
).split()


def written(text: str, name: str, **names: Any) -> Callable[..., Any]:
    """The function `name` of a program, whose source can be read."""
    place = f"<names {hash(text)}>"
    lines = text.splitlines(keepends=True)
    linecache.cache[place] = len(text), None, lines, place
    space = {"numpy": np, "maths": math, **names}
    exec(compile(text, place, "exec"), space)
    return space[name]


def compiles_alike(plain: Callable[..., Any], *args: Any) -> None:
    """Fail unless the decorated function does what the plain one does, in compiled code, without a fault."""
    import jitscope as js

    compiled = decorate(plain)
    before = js.config.counters.fallbacks
    compare(plain, compiled, args, calls=3)
    assert has_compiled_part(compiled)
    assert js.config.counters.fallbacks == before


# The count of work between two looks for signals. -----------------------------------------------------------


def counts_work(work_left, n):
    s = 0
    for i in range(n):
        for j in range(i):
            s += (i * j + s) % 7
    return s + work_left


def reads_work(work_left, n):
    s = 0.0
    for i in range(n):
        for j in range(i):
            s += work_left[j % 9]
    return s


@needs_compiler
def test_variables_with_the_name_of_a_count_of_ours() -> None:
    compiles_alike(counts_work, 5, 100)
    compiles_alike(counts_work, 5.5, 100)
    compiles_alike(reads_work, ARRAY, 100)


# Entry functions. -------------------------------------------------------------------------------------------


def test_a_parameter_named_like_what_an_entry_function_keeps() -> None:
    def held(_js_held):
        return np.sin(_js_held) + np.cos(_js_held)

    same(held, ARRAY, calls=3)


@needs_compiler
@pytest.mark.parametrize("name", ENTRY)
def test_names_of_entry_functions(name: str) -> None:
    header = f"def f({name}, other):\n    "
    compiles_alike(written(header + f"return numpy.sin({name}) + numpy.cos(other)", "f"), ARRAY, ARRAY)
    sized = written(header + f"return numpy.sin({name} + other) + {name}.shape[1]", "f")
    compiles_alike(sized, SQUARE, np.ones((1, 3)))
    body = f"def f(x):\n    return numpy.sin(x) + numpy.cos(x) * {name}\n"
    compiles_alike(written(body, "f", **{name: 2.0}), ARRAY)
    around = f"def outer():\n    {name} = 2.0\n\n    {body.replace('    ', '        ')}\n    return f\n"
    compiles_alike(written(around, "outer")(), ARRAY)


# Generated modules. -----------------------------------------------------------------------------------------


@needs_compiler
@pytest.mark.parametrize("name", [n for n in MODULE if n != "__builtins__"])
def test_functions_named_like_what_a_module_needs(name: str) -> None:
    lines = (
        f"def {name}(x):",
        "    x[0] = 3.0",
        "    y = numpy.float32(numpy.linalg.norm(x))",
        "    s = maths.hypot(x[1], 2.0)",
        "    for v in x:",
        "        s += maths.floor(v) + maths.sqrt(v)",
        "    return numpy.float64(s), numpy.cumsum(x) + 1, y",
    )
    compiles_alike(written("\n".join(lines), name), ARRAY)


@needs_compiler
@pytest.mark.parametrize("name", MODULE)
def test_variables_named_like_what_a_module_needs(name: str) -> None:
    lines = (
        f"def f({name}):",
        f"    s = maths.hypot({name}[1], 2.0)",
        f"    for v in {name}:",
        "        s += maths.floor(v) + maths.sqrt(v)",
        f"    return numpy.linalg.norm({name}), maths.lgamma(s), numpy.float64(s), numpy.cumsum({name}) + 1",
    )
    compiles_alike(written("\n".join(lines), "f"), ARRAY)


def helpers_whose_names_come_together(x, iterations=3):
    def a(v):
        def b(w):
            for i in range(iterations):
                if w[i] > 5.0:
                    return "b"
            return print("b", w[0])

        print("a")
        for i in range(iterations):
            if v[i] > 5.0:
                return b(v)
        return b(v)

    def a_b(w):
        for i in range(iterations):
            if w[i] > 5.0:
                return "a_b"
        return print("a_b", w[0])

    print(a_b(x), a(x))
    return a(x), np.sum(x), a_b(x)


@pytest.mark.usefixtures("driver_runs")
def test_helpers_whose_names_come_together() -> None:
    same(helpers_whose_names_come_together, ARRAY)
    same(helpers_whose_names_come_together, ARRAY + 5.0)


class Link:
    """Attributes that are called like those of the trace's own symbols."""

    def __init__(self, value: object, rate: float) -> None:
        self.value, self.rate = value, rate
        self.path, self.type, self.tag, self.first = 0.5, 2.0, 3.0, 5.0


def next_rate(link, n):
    total = 0.0
    for i in range(n):
        total += link.value.rate * i
    return total


def all_called_like_ours(link, n):
    total = 0.0
    for i in range(n):
        total += link.path * link.type - link.tag / link.first * i
    return total


@needs_compiler
@pytest.mark.parametrize("program", [next_rate, all_called_like_ours])
def test_attributes_called_like_ours_are_the_users(program: Callable[..., Any]) -> None:
    decorated = decorate(program)
    link = Link(Link(None, 2.0), 3.0)
    compare(program, decorated, (link, 900))
    link.value.rate, link.rate, link.path = 4.0, 5.0, 6.0
    compare(program, decorated, (link, 900))
    assert has_compiled_part(decorated)


def name_of_ours_of_a_list(items, x):
    for v in x:
        items.append(v)
    return items.site


def name_of_ours_of_a_dict(items, x):
    total = 0.0
    for v in x:
        total += v
    return total, items[0].path


def name_of_ours_of_an_array(items, x):
    total = 0.0
    for v in x:
        total += v
    items.append(total)
    return x.operand


def name_of_ours_of_a_number(items, x):
    total = 0.0
    for v in x:
        total += v
    items.append(total)
    return total.type


OURS = (name_of_ours_of_a_list, name_of_ours_of_a_dict, name_of_ours_of_an_array, name_of_ours_of_a_number)


@pytest.mark.parametrize("program", OURS)
def test_what_only_symbols_have_is_no_attribute_of_the_users(program: Callable[..., Any]) -> None:
    same(program, [{"a": 1}] if program is name_of_ours_of_a_dict else [0.5], ARRAY, calls=3)


EARLY_AND_LATE = """
import importlib, pathlib
import jitscope
from jitscope.autograph.own_names import own_names

early = own_names()
root = pathlib.Path(jitscope.__file__).parent
for room in ("autograph", "codegen", "graph", "runtime"):
    for file in (root / room).rglob("*.py"):
        importlib.import_module(".".join(("jitscope", *file.relative_to(root).with_suffix("").parts)))
own_names.cache_clear()
print(sorted(own_names() - early))
"""


def test_names_of_ours_are_the_same_whatever_is_loaded() -> None:
    """One that is missing is read of the symbol, in processes that load its class later."""
    done = subprocess.run([sys.executable, "-c", EARLY_AND_LATE], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
