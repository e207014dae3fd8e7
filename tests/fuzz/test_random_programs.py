"""Random programs of every kind, decorated and differentiated: some compiled, more as the Python of their modules.

Without Numba a generated module is plain Python: it runs at once, and reads outside of an array or of a name
that no path has bound raise.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

import pytest
from compiled import needs_compiler

from fuzz.grammar import Program, generate, in_few_lines, plain
from fuzz.processes import Process
from fuzz.writers import WRITERS

COMPILED, INTERPRETED, RECURSIONS, STATES, LAYOUTS, DERIVATIONS, TOGETHER = 8, 104, 24, 24, 24, 24, 8

pytestmark = needs_compiler


@pytest.fixture(scope="module")
def compiled() -> Iterator[Process]:
    """A process that compiles."""
    with contextlib.closing(Process()) as process:
        yield process


@pytest.fixture(scope="module")
def interpreted() -> Iterator[Process]:
    """A process without Numba's compiler."""
    with contextlib.closing(Process(interpreted=True)) as process:
        yield process


def _wrong(process: Process, seeds: range, write: Callable[[int], Program] = generate) -> list[str]:
    """What is wrong with the programs of the seeds."""
    found = []
    for seed in seeds:
        program = write(seed)
        report = process.ask(program.module, second=seed % 20 == 0, brief=True)
        if report["status"] != "right":
            found.append(
                f"seed {seed}: {report['status']}, {report['kind']}: {report['detail']}\n\n{program.module}"
            )
    return found


@pytest.mark.parametrize("first", range(0, COMPILED, TOGETHER))
def test_compiled_programs_do_what_plain_ones_do(first: int, compiled: Process) -> None:
    found = _wrong(compiled, range(first, first + TOGETHER))
    assert not found, "\n".join(found)


@pytest.mark.parametrize("first", range(COMPILED, COMPILED + INTERPRETED, TOGETHER))
def test_generated_modules_do_what_plain_programs_do(first: int, interpreted: Process) -> None:
    found = _wrong(interpreted, range(first, first + TOGETHER))
    assert not found, "\n".join(found)


@pytest.mark.parametrize("first", range(0, RECURSIONS, TOGETHER))
def test_functions_that_call_themselves_and_attributes(first: int, interpreted: Process) -> None:
    found = _wrong(interpreted, range(first, first + TOGETHER), WRITERS["recursions"])
    assert not found, "\n".join(found)


@pytest.mark.parametrize("first", range(0, DERIVATIONS, TOGETHER))
def test_derivatives_of_what_holds_numbers_inside_of_functions(first: int, interpreted: Process) -> None:
    found = _wrong(interpreted, range(first, first + TOGETHER), WRITERS["derivations"])
    assert not found, "\n".join(found)


def test_a_seed_gives_the_same_program_again() -> None:
    assert [generate(seed).module for seed in range(3)] == [generate(seed).module for seed in range(3)]


def test_a_program_that_never_ends_is_given_up() -> None:
    program = Program("def program(n):\n    while n:\n        n += 1\n", {}, (), 0, False)
    with pytest.raises(TimeoutError):
        in_few_lines(plain(program), (1,))


@pytest.mark.parametrize("first", range(0, STATES, TOGETHER))
def test_state_in_dicts_and_lists_is_the_plain_program_s(first: int, compiled: Process) -> None:
    found = _wrong(compiled, range(first, first + TOGETHER), WRITERS["states"])
    assert not found, "\n".join(found)


@pytest.mark.parametrize("first", range(0, LAYOUTS, TOGETHER))
def test_arrays_of_every_layout_are_the_plain_program_s(first: int, compiled: Process) -> None:
    found = _wrong(compiled, range(first, first + TOGETHER), WRITERS["layouts"])
    assert not found, "\n".join(found)
