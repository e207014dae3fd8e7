"""Every call of the tables against NumPy: values, dtypes, shapes, types, writes, shared memory, errors.

    cd tests && python -m surface.parity --seed 0 --jobs 2

Each call is compiled for a dtype that NumPy takes it with, alone or in a loop (the seed says which), and
called with arrays of many sizes, layouts and special values, also with those that NumPy refuses.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import queue
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass

import numpy as np
from fuzz.check import is_internal
from fuzz.processes import Process
from same import Tolerance, compare

import jitscope as js

from .inputs import DTYPES, LAYOUTS, SIZES, SMALL, sample
from .programs import arguments_of, function_of
from .tables import CALLS
from .verdicts import dtypes_of

PER_CALL = 1
"""For so many dtypes each call is compiled in one run."""

EVERYWHERE = 14
"""Inputs for each call and dtype in C order; fewer in other layouts, as each is compiled anew."""

ELSEWHERE = 3


@dataclass(frozen=True)
class Task:
    """One call and one dtype."""

    name: str
    call: str
    number: int
    dtype: str
    seed: int


@dataclass
class Result:
    """What came of a task: how many comparisons, and what differed."""

    name: str
    call: str
    dtype: str
    compared: int = 0
    compiled: bool = False
    seconds: float = 0.0
    fault: str = ""


def tasks(seed: int, share: int = 1) -> list[Task]:
    """What a run with this seed compares; with `share`, one of so many calls."""
    made = []
    numbered = enumerate((name, call) for name, calls in CALLS.items() for call in calls)
    for number, (name, call) in numbered:
        if number % share == seed % share:
            taken = dtypes_of(call, number) or list(DTYPES)
            start = (number + seed * PER_CALL) % len(taken)
            chosen = (taken[start:] + taken[:start])[:PER_CALL]
            made += [Task(name, call, number, dtype, seed) for dtype in chosen]
    return made


def settings(seed: int) -> Iterator[tuple[tuple[int, int], str, bool]]:
    """Sizes, layout, and whether there are special values, one after another."""
    everywhere = [SIZES[i % len(SIZES)] for i in range(EVERYWHERE - len(SMALL))] + list(SMALL)
    yield from ((size, "C", bool(i % 2)) for i, size in enumerate(everywhere))
    layout = LAYOUTS[1 + seed % (len(LAYOUTS) - 1)]
    yield from ((size, layout, bool(i % 2)) for i, size in enumerate(SIZES[:ELSEWHERE]))


def run(task: Task) -> Result:
    """Compare the plain function with the decorated one for all settings."""
    result = Result(task.name, task.call, task.dtype)
    started = time.perf_counter()
    loops = (task.number + task.seed) % 2 == 1
    plain = function_of(task.call, task.number, loops=loops)
    decorated = js.function(function_of(task.call, task.number, "js.jit_scope()", loops))
    names = arguments_of(task.call)
    for i, (size, layout, special) in enumerate(settings(task.number + task.seed)):
        values = sample(np.random.default_rng((task.seed, task.number, i)), task.dtype, size, layout, special)
        try:
            compare(plain, decorated, tuple(values[name] for name in names), calls=1, tol=tolerance(task))
        except Exception as error:  # noqa: BLE001 (a difference, or an error of the compiler)
            result.fault = f"{size} {layout}{' special' if special else ''}: {type(error).__name__}: {error}"
            break
        result.compared += 1
    result.compiled = any(item.clusters for item in decorated.specializations)
    said = [line for line in decorated.explain().splitlines() if is_internal(line)]
    result.fault = result.fault or "; ".join(said)
    result.seconds = time.perf_counter() - started
    return result


PRODUCTS = re.compile("dot|inner|mat|vec|einsum|linalg|@|cov|corrcoef")
"""What BLAS adds up, in an order of its own; NumPy's own bits change with where an array begins."""


def tolerance(task: Task) -> Tolerance:
    """Compiled functions of libm are allowed the last bits, and products what their order of sums changes."""
    if PRODUCTS.search(task.call):
        return Tolerance(256, 1e-4 if task.dtype == "float32" else 1e-11)
    return Tolerance(4)


def apart(task: Task, processes: queue.SimpleQueue[Process]) -> Result:
    """The result of a task, in a process of its own: it may crash or hang."""
    process = processes.get()
    try:
        report = process.ask("", task=asdict(task))
    finally:
        processes.put(process)
    if "result" in report:
        return Result(**report["result"])
    return Result(task.name, task.call, task.dtype, fault=f"{report['status']}: {report['detail']}")


def main() -> int:
    """Run all tasks in several processes; say what was compared and what differed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--share", type=int, default=1, help="one of so many calls")
    parser.add_argument("--log", default=os.devnull, help="a file for each result as a line of JSON")
    given = parser.parse_args()
    started = time.perf_counter()
    processes: queue.SimpleQueue[Process] = queue.SimpleQueue()
    results, workers = [], [Process(module="surface.worker") for _ in range(given.jobs)]
    with contextlib.ExitStack() as open_now:
        log = open_now.enter_context(open(given.log, "w"))
        pool = open_now.enter_context(ThreadPoolExecutor(given.jobs))
        for worker in workers:
            processes.put(open_now.enter_context(contextlib.closing(worker)))
        for result in pool.map(lambda task: apart(task, processes), tasks(given.seed, given.share)):
            results.append(result)
            log.write(json.dumps(asdict(result)) + "\n")
            if result.fault:
                print(f"{result.name} {result.dtype} {result.call!r}: {result.fault}", flush=True)
    compared, faults = (
        sum(result.compared for result in results),
        sum(1 for result in results if result.fault),
    )
    names = Counter(result.name for result in results if result.compiled)
    print(
        f"{compared} comparisons of {len(results)} calls, {names.total()} compiled ({len(names)} names), "
        f"{faults} differ; {time.perf_counter() - started:.0f} s"
    )
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
