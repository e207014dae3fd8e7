"""Preparing a function takes work in proportion to its length, from its source to the text of its module."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import Any

import pytest
from generated import function_from_text
from long_first_calls import loops, measured, statements
from modules import modules
from programs_of_any_length import LONG, nested_loops

from jitscope.autograph.convert import convert
from jitscope.autograph.trace import trace
from jitscope.graph.ir.nodes import walk
from jitscope.graph.passes import clusters_of, run_passes
from jitscope.graph.passes.cluster import TOO_MUCH

SHORT, FACTOR = 12, 4
"""Lengths of programs: what is made once counts little, and what grows with the square counts much."""


def work(run: Callable[[], Any]) -> int:
    """How many functions `run` calls."""
    count = 0

    def each(frame: Any, event: str, arg: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(each)
    try:
        run()
    finally:
        sys.setprofile(None)
    return count


def staged(text: str, args: tuple[Any, ...], folder: Any) -> Callable[[], Any]:
    """What makes the clustered graph of a program."""
    function = function_from_text(text, folder)
    arguments = dict(inspect.signature(function).bind(*args).arguments)
    return lambda: run_passes(trace(function, arguments).graph)


@pytest.mark.parametrize("name", LONG)
def test_the_graph_of_a_long_function_takes_work_in_proportion(name, tmp_path):
    staged(*LONG[name](3), tmp_path)()  # what is made once
    few, many = (work(staged(*LONG[name](n), tmp_path)) for n in (SHORT, SHORT * FACTOR))
    assert many < 1.25 * FACTOR * few


@pytest.mark.parametrize("name", ["statements", "loops", "stores"])
def test_the_module_of_a_long_function_takes_work_in_proportion(name, tmp_path, monkeypatch):
    monkeypatch.setattr("jitscope.graph.passes.weight.KERNEL_WEIGHT", 400)
    monkeypatch.setattr("jitscope.graph.passes.weight.KERNEL_OPERATIONS", 12)

    def made(count: int) -> Callable[[], Any]:
        text, args = LONG[name](count)
        return lambda: modules(function_from_text(text, tmp_path), *args)

    made(3)()
    few, many = (work(made(n)) for n in (SHORT, SHORT * FACTOR))
    assert many < 1.3 * FACTOR * few


def test_many_loops_are_compiled_in_kernels_of_bounded_size(tmp_path, monkeypatch):
    monkeypatch.setattr("jitscope.graph.passes.weight.KERNEL_WEIGHT", 1000)
    graph = staged(*LONG["loops"](100), tmp_path)()
    sizes = [sum(1 for _ in walk(node.regions[0])) for node in clusters_of(graph)]
    assert 3 <= len(sizes) <= 6
    assert max(sizes) <= 200


def test_what_many_loops_make_is_found_needed_without_recursion(tmp_path):
    graph = staged(*LONG["loops"](300), tmp_path)()
    assert clusters_of(graph)


@pytest.mark.parametrize("name", ["statements", "branches", "loops", "stores"])
def test_a_function_of_normal_size_is_one_kernel(name, tmp_path):
    assert len(clusters_of(staged(*LONG[name](30), tmp_path)())) == 1


def test_loops_in_loops_are_converted_in_little_time(tmp_path):
    def depth(count: int) -> int:
        function = function_from_text(nested_loops(count)[0], tmp_path)
        return work(lambda: convert(function))

    depth(2)
    assert depth(16) < 10 * depth(4)


def test_nested_lambdas_are_found_in_linear_time(tmp_path):
    def many(depth: int) -> int:
        text = f"def f(x):\n    return ({''.join(f'lambda a{k}: ' for k in range(depth))}x)\n"
        function = function_from_text(text, tmp_path)
        return work(lambda: convert(function))

    many(2)
    assert many(60) < 10 * many(10)


@pytest.mark.timeout(600)
@pytest.mark.parametrize(("text", "count"), [(loops, 500), (statements, 10_000)])
def test_what_is_past_any_budget_is_ready_soon_and_right(text, count, tmp_path):
    calls = "[(np.linspace(0.1, 0.9, 10), np.ones(10), np.linspace(0.2, 0.7, 10))]"
    found, tenth = (measured(text(length), calls, tmp_path) for length in (count, count // 10))
    assert found.seconds < 15 * tenth.seconds  # in proportion, or less
    assert found.megabytes < 900
    assert found.clusters
    assert TOO_MUCH in found.reasons
