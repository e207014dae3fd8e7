"""Run by `timing.first_call` in a fresh process: one first call, timed; prints JSON."""

from __future__ import annotations

import time

START = time.perf_counter()

import json  # noqa: E402  the clock runs while these load
import sys  # noqa: E402

import programs  # noqa: E402


def main(compiler: str, case_name: str, mode: str) -> None:
    case = programs.CASES[case_name]
    arguments = case.arguments()
    if mode == "imported":
        import numba

        import jitscope  # noqa: F401
    begin = time.perf_counter()
    if compiler == "jitscope":
        import jitscope as js

        imported = time.perf_counter()
        fast = js.function(case.plain)
    else:
        import numba

        imported = time.perf_counter()
        fast = numba.njit(cache=True)(case.by_hand) if mode == "cached" else numba.njit(case.for_njit)
    fast(*arguments)
    end = time.perf_counter()
    print(json.dumps({"call": end - imported, "total": end - START if mode != "imported" else end - begin}))


main(*sys.argv[1:])
