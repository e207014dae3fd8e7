"""Sixteen processes that start with an empty cache."""

from __future__ import annotations

from pathlib import Path

from processes import run, write


def test_sixteen_cold_processes_compile_each_function_about_once(tmp_path: Path) -> None:
    program = write(tmp_path, 8)
    run(program, tmp_path / "warming up", 1)
    one = run(program, tmp_path / "one", 1)
    many = run(program, tmp_path / "many", 16)
    warm = run(program, tmp_path / "many", 16)
    times = sorted(many.made.values())
    print(
        f"\n16 processes x 8 functions: {times[0]} to {times[-1]} compilations a key, "
        f"{many.seconds:.1f} s and {many.cores:.1f} s of a core; "
        f"one process {one.seconds:.1f} s and {one.cores:.1f} s of a core; "
        f"16 with a full cache {warm.seconds:.1f} s and {warm.cores:.1f} s of a core"
    )
    assert len(many.made) == 8
    assert times[-1] <= 2
    assert all(answers == one.answers[0] for answers in many.answers)
    # On a machine that does something else as well, the time of its two cores says more than the clock.
    assert min(many.seconds / one.seconds, many.cores / 2 / one.cores) <= 3
