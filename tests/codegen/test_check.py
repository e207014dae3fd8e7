"""The verifier of kernels finds faults that are put back, and none in what is right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import needs_compiler
from programs import memory, windows

from jitscope.autograph.operators import control, loop_trials
from jitscope.codegen import buffer_assignment as storages
from jitscope.codegen import liveness, reuse, scalars
from jitscope.codegen import rotating_buffers as rotation
from jitscope.codegen.arrays import is_whole
from jitscope.codegen.check.kept import unkept
from jitscope.codegen.check.names import of_two_kinds, unbound
from jitscope.codegen.check.variables import overwritten
from jitscope.codegen.faults import KernelFault
from jitscope.graph.analysis.memory import Memory
from jitscope.graph.ir.nodes import Block, Value
from jitscope.graph.ir.parser import parse_graph
from jitscope.runtime.config import config

pytestmark = needs_compiler

SQUARE, VECTOR, OTHER = memory.SQUARE, memory.VECTOR, memory.numbers(4, 4, seed=2)
SIX, WIDE = memory.SIX, memory.numbers(4, 5)
Program = Callable[..., Any]


@pytest.fixture(autouse=True)
def not_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels are verified when they are made."""
    monkeypatch.setattr(config, "_cache_dir", "")
    assert config.check


def fault_of(function: Program, *args: Any) -> str:
    import jitscope as js

    with pytest.raises(KernelFault) as caught:
        js.function(function)(*(a.copy() if isinstance(a, np.ndarray) else a for a in args))
    return caught.value.what


def fault_of_gradient(function: Program, *args: Any) -> str:
    import jitscope as js

    with pytest.raises(KernelFault) as caught:
        js.value_and_grad(function)(*(a.copy() if isinstance(a, np.ndarray) else a for a in args))
    return caught.value.what


# Memory of an array that is still read is given to a temporary.


@pytest.fixture
def memory_is_given_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """What an array held before the nests at hand is taken to be unread."""
    monkeypatch.setattr(storages.BufferAssignment, "blank", lambda self, storage: storage.local)
    monkeypatch.setattr(reuse, "_continues", lambda body, storage: False)


@pytest.mark.usefixtures("memory_is_given_away")
@pytest.mark.parametrize(
    "program",
    [
        memory.residual_update,
        memory.residual_update_out,
        memory.two_states_without_products,
        memory.momentum,
        memory.growth_in_while,
        memory.adam,
    ],
)
def test_finds_that_memory_was_given_away(program: Program) -> None:
    assert "instead of" in fault_of(program, SQUARE, VECTOR, 3)


@pytest.mark.usefixtures("memory_is_given_away")
@pytest.mark.parametrize(
    ("program", "first", "second"),
    [
        (memory.conjugate_gradient, SQUARE, VECTOR),
        (memory.leapfrog, SQUARE, VECTOR),
        (memory.runge_kutta_2, SQUARE, VECTOR),
        (memory.adam_in_place, SQUARE, VECTOR),
        (memory.scaled_exponentials, SQUARE, OTHER),
    ],
)
def test_finds_that_memory_was_given_away_in_gradients(program: Program, first: Any, second: Any) -> None:
    assert "instead of" in fault_of_gradient(program, first, second, 3)


def test_finds_that_a_write_for_the_next_iteration_was_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storages.BufferAssignment, "dead", lambda self, storage: storage.local)
    what = fault_of(memory.sum_of_what_the_last_iteration_wrote, SQUARE, VECTOR, 3)
    assert "instead of" in what


# The analysis that decides what may share memory is wrong itself.


def fault_of_both(program: Program) -> list[str]:
    arguments = (SQUARE, VECTOR, 3)
    return [fault_of(program, *arguments), fault_of_gradient(program, *arguments)]


@pytest.mark.parametrize("program", [memory.sum_before_all_is_written, memory.two_in_turn])
def test_finds_that_what_is_read_later_is_taken_to_be_unread(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Memory, "needed_after", lambda self, node, value: False)
    monkeypatch.setattr(Memory, "needed_before", lambda self, node, value: False)
    assert "after a few iterations" in fault_of(program, SQUARE, VECTOR, 3)


@pytest.mark.parametrize("program", [memory.three_in_turn, memory.two_in_turn])
def test_finds_that_too_few_buffers_take_turns(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    buffers = rotation._RotatingLoop.buffers

    def one_less(self: rotation._RotatingLoop, value: Value) -> int | None:
        count = buffers(self, value)
        return None if count is None else max(1, count - 1)

    monkeypatch.setattr(rotation._RotatingLoop, "buffers", one_less)
    assert all("after a few iterations" in what for what in fault_of_both(program))


def test_finds_that_an_array_which_is_kept_is_written_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Memory, "outlives", lambda self, value: False)
    assert "after a few iterations" in fault_of(memory.best_of_some, SQUARE, VECTOR, 3)


@pytest.mark.parametrize(
    "program", [windows.zeros_written_but_for_the_first, windows.zeros_written_in_the_middle]
)
def test_finds_that_zeros_of_the_driver_are_given_away(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storages.BufferAssignment, "blank", lambda self, storage: storage in self._begun)
    assert "instead of" in fault_of(program, SIX)


# The size of an array of one iteration is taken for its size in another.


@pytest.mark.parametrize(
    "program",
    [
        windows.window_of_the_iteration_before,
        windows.buffer_written_in_the_next_iteration,
        windows.rows_of_every_other_iteration,
        windows.window_set_in_some_iterations,
        windows.window_before_a_break,
        windows.window_or_none,
    ],
)
def test_finds_that_a_size_is_of_another_iteration(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (loop_trials, control):
        monkeypatch.setattr(module, "outside", lambda specs, names: specs)
    what = fault_of(program, SIX)
    assert "isn't defined where it is used" in what or "that each iteration sets anew" in what


# A variable that one branch binds is read in the other.


@pytest.mark.parametrize(
    "program", [memory.halving_or_counting, memory.accept_or_reject, memory.reject_or_accept_by_size]
)
def test_finds_variables_that_one_branch_binds(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storages.BufferAssignment, "left", lambda self, depth: None)
    assert "may be unbound" in fault_of_gradient(program, VECTOR, 5)


# An index from the end of a slice becomes one from the end of the array.


@pytest.mark.parametrize(
    ("program", "arguments"),
    [
        (memory.last_of_a_slice, (SIX,)),
        (memory.last_of_all_but_the_last, (SIX,)),
        (memory.last_of_a_half, (SIX,)),
        (memory.last_of_a_split, (SIX,)),
        (memory.last_of_a_slice_of_its_own, (SIX,)),
        (memory.last_of_the_first_n, (SIX, 4)),
        (memory.corners_of_columns, (WIDE,)),
        (memory.corners_of_rows, (WIDE,)),
    ],
)
def test_finds_indices_of_the_wrong_array(
    program: Program, arguments: tuple[Any, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_all(self: storages.BufferAssignment, value: Value) -> bool:
        return is_whole(self._kernel.arrays.look(value))

    monkeypatch.setattr(storages.BufferAssignment, "is_all", is_all)
    monkeypatch.setattr(scalars.Scalars, "_constant", _any_constant)
    assert "counts from the end" in fault_of(program, *arguments)


def _any_constant(self: scalars.Scalars, operand: Any, size: Any, check: bool) -> int | None:
    return int(operand.value) if hasattr(operand, "value") else None


# Bound on all paths?


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("if a: x = 1\nreturn x", "x"),
        ("for i in range(a): x = i\nreturn x", "x"),
        ("for i in range(a):\n  if i: y = x\n  x = 1", "x"),
        ("while a:\n  x = 1\n  break\nreturn x", "x"),
        ("while True:\n  if a: break\n  x = 1\nreturn x", "x"),
        ("x[0] = 1\nx = a", "x"),
        ("x += 1", "x"),
        ("for i in range(x): x = 1", "x"),
    ],
)
def test_a_name_that_a_path_does_not_bind(body: str, name: str) -> None:
    found = unbound(["def f(a):", *(f"  {line}" for line in body.splitlines())])
    assert found is not None
    assert f"'{name}'" in found


@pytest.mark.parametrize(
    "body",
    [
        "if a: x = 1\nelse: x = 2\nreturn x",
        "if a: return 1\nelse: x = 2\nreturn x",
        "while True:\n  x = 1\n  if a: break\nreturn x",
        "x = 0\nfor i in range(a): x += i\nreturn x",
        "if a:\n  raise ValueError\nx = 1\nreturn x",
        "for i in range(a):\n  x = 1\n  break\nelse:\n  x = 2\nreturn x",
        "return np.zeros(a)",
    ],
)
def test_names_that_all_paths_bind(body: str) -> None:
    assert unbound(["def f(a):", *(f"  {line}" for line in body.splitlines())]) is None


# A number has the name of an array.


@pytest.mark.parametrize(
    ("program", "arguments"),
    [
        (memory.write_after_the_last_read, (SIX,)),
        (memory.write_after_the_last_read_in_each_iteration, (SIX, 3)),
        (memory.write_before_all_is_written_anew, (SIX, 3)),
    ],
)
def test_finds_a_number_with_the_name_of_an_array(
    program: Program, arguments: tuple[Any, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storages.BufferAssignment, "scalar_for", lambda self, storage: storage.name)
    assert "is an array and a number" in fault_of(program, *arguments)


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("x = a[0] * 2\nx[0] = 1", "'x' is an array and a number"),
        ("y = np.sin(a[0])\nz = y * 2\ny[0] = 1", "'y' is an array and a number"),
        ("y = np.empty(3)\nreturn -y", "'y' is an array and a number"),
        ("n = a.shape[0]\nfor i in range(n):\n  t = a[i]\n  a[i] = t * n\nb = a.T", None),
    ],
)
def test_a_variable_is_of_one_kind(body: str, found: str | None) -> None:
    assert of_two_kinds(["def f(a):", *(f"  {line}" for line in body.splitlines())]) == found


# Read from the tape in an iteration that kept nothing.

_FORWARD_AND_BACK = """
graph f(%x: f64[n], %k: int, %c: bool) sizes n=x[0] {{
  %kept: f64[n] = empty() {{text='np.empty(n)', tape=True}}
  for(0, %k, 1) {{names=(), orelse=False}} (%i: int) {{
    if(%c) {{names=()}} {{
      store(%kept, 1.0, %i) {{check=(False,)}}
      yield
    }} {{
      yield
    }}
    yield
  }}
  for(0, %k, 1) {{names=(), orelse=False}} (%j: int) {{
    %y: np.float64 = load(%kept, %j) {{check=(False,)}}
    if(%c) {{names=()}} {{
      {then}
      yield
    }} {{
      {other}
      yield
    }}
    yield
  }}
  return %x {{text='{{0}}'}}
}}
"""
_USE = "store(%x, %y, %j) {check=(False,)}"


def _kept_and_read(then: str, other: str) -> str | None:
    return unkept(parse_graph(_FORWARD_AND_BACK.format(then=then, other=other).strip()).body)


def test_what_a_branch_kept_may_be_read_in_that_branch() -> None:
    assert _kept_and_read(_USE, "") is None


def test_finds_that_a_branch_reads_what_the_other_kept() -> None:
    found = _kept_and_read("", _USE)
    assert found is not None
    assert "kept is read where it may not have been kept" in found


_TWO_CONDITIONS = """
graph f(%x: f64[n], %k: int, %c: bool, %d: bool) sizes n=x[0] {
  %kept: f64[n] = empty() {text='np.empty(n)', tape=True}
  if(%c) {names=()} {  # f.py:2
    store(%kept, 1.0, 0) {check=(False,)}
    yield
  } {
    yield
  }
  if(%d) {names=()} {  # f.py:2
    %y: np.float64 = load(%kept, 0) {check=(False,)}
    store(%x, %y, 0) {check=(False,)}
    yield
  } {
    yield
  }
  return %x {text='{0}'}
}
"""


def test_finds_a_read_under_another_condition_of_the_same_line() -> None:
    assert unkept(parse_graph(_TWO_CONDITIONS.strip()).body) is not None
    assert unkept(parse_graph(_TWO_CONDITIONS.replace("%d)", "%c)").strip()).body) is None


# A variable that holds another value than the one that is read.


def wanted_after_the_test(x: int, y: int) -> float:
    while 0 < y < 5:
        for i in range(2):
            if i == i:
                return max(x, i)
            x = 2.5
    return x


def test_finds_that_two_values_that_are_alive_together_share_a_variable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def nothing_clashes(self: liveness.Interference, values: Any, alive: Any) -> None:
        for value in values:
            self.clashes.setdefault(value, set())

    monkeypatch.setattr(liveness.Interference, "_define", nothing_clashes)
    assert "holds another value" in fault_of(wanted_after_the_test, -3, 0)


_STATE_AND_TEST = """
graph f(%x: int, %y: int) {
  %r: int = while(%x) {names=('r',)} (%s: int) {
    %a: bool = py.lt(%y, 5) {text='{0} < {1}'}
    %b: bool = if(%a) {names=('b',)} {
      yield %a
    } {
      yield False
    }
    yield %b
  } (%t: int) {
    %u: int = py.add(%READ, 1) {text='{0} + {1}'}
    yield %u
  }
  return %AFTER {text='{0}'}
}
"""


@pytest.mark.parametrize(
    ("read", "after", "shared", "right"),
    [
        ("t", "r", "b", False),  # the body reads the state
        ("y", "r", "b", False),  # only what comes after the loop does
        ("y", "y", "b", True),  # nobody does
        ("t", "r", "u", True),  # the next state takes the place of the last
        ("t", "r", "x", True),  # the first state
        ("t", "x", "x", False),
    ],
)
def test_a_variable_of_a_loops_state_and_of_another_value(
    read: str, after: str, shared: str, right: bool
) -> None:
    block = parse_graph(_STATE_AND_TEST.replace("READ", read).replace("AFTER", after).strip())
    one = {"r", "s", "t", shared}
    found = overwritten(
        Block(block.params, block.body.nodes),
        lambda value: "state" if value.name in one else value.name,
        lambda node: [operand for operand in node.operands if isinstance(operand, Value)],
        lambda node: (),
        (),
    )
    assert (found is None) is right


# Where the numbers don't fit, nothing is found out


def hash_beyond_64_bits(x: np.ndarray, z: np.ndarray) -> int:
    k = 0
    for v in z:
        k = k * 1000003 ^ int(v)
        x[0] += 1
    return k


def digits_beyond_64_bits(x: np.ndarray, z: np.ndarray) -> int:
    h = 0
    for v in z:
        h = h * 2**20 + int(v)
        x[0] += 1
    return h % 1000


def edit_distance(s: np.ndarray, t: np.ndarray) -> np.int64:
    prev = np.arange(len(t) + 1)
    for i in range(1, len(s) + 1):
        cur = np.empty_like(prev)
        cur[0] = i
        for j in range(1, len(t) + 1):
            cur[j] = min(prev[j] + 1, cur[j - 1] + 1, prev[j - 1] + (s[i - 1] != t[j - 1]))
        prev = cur
    return prev[len(t)]


def flags_that_nobody_wrote(x: np.ndarray, n: int) -> tuple[np.ndarray, int]:
    count = 0
    seen = np.empty(len(x), dtype=bool)
    for i in range(n):
        seen[i] = x[i] > 0
    for i in range(len(x)):
        if seen[i]:
            count += 1
            x[i] += 1
    return x, count


@pytest.mark.parametrize(
    ("program", "args"),
    [
        (hash_beyond_64_bits, (np.zeros(3), np.array([1, 2]))),
        (digits_beyond_64_bits, (np.zeros(3), np.array([1, 2]))),
        (edit_distance, (np.array([1, 2, 3]), np.array([1, 3]))),
        (flags_that_nobody_wrote, (np.array([1.0, -1.0, 2.0]), 3)),
    ],
)
def test_what_depends_on_numbers_that_do_not_fit_is_no_fault(program: Program, args: tuple[Any, ...]) -> None:
    import jitscope as js

    mine, plain = ([a.copy() if isinstance(a, np.ndarray) else a for a in args] for _ in range(2))
    np.testing.assert_equal(js.function(program)(*mine), program(*plain))
    np.testing.assert_equal(mine, plain)


def one_array_beside_two_that_are_apart(a: np.ndarray, b: np.ndarray, n: int) -> tuple[Any, ...]:
    """`a` may be what `w` looks at or what `c` is; `c` is never what `w` looks at."""
    c = a * 0.5
    w = a[1:]
    for _ in range(n):
        for _ in range(n):
            d = a
        a = np.where(a > c, a, b) - np.where(b > d, a, d)
        d = c[::-1]
        w[:] = w[::-1]
        d -= c * 0.3
    return a, b, c, d, w


def test_arrays_that_are_apart_are_not_taken_to_be_one() -> None:
    import jitscope as js

    mine, plain = ([VECTOR.copy(), VECTOR[::-1].copy()] for _ in range(2))
    function = one_array_beside_two_that_are_apart
    np.testing.assert_equal(js.function(function)(*mine, 3), function(*plain, 3))
    np.testing.assert_equal(mine, plain)
