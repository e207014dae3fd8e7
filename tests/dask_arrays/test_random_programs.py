"""Random programs over blocks give what the whole gives, or are refused: by `fuzz/chunked_arrays.py`."""

from __future__ import annotations

import warnings
from typing import Any

import dask
import numpy as np
import pytest
from fuzz import chunked_arrays as programs

import jitscope as js

# Of these seeds many programs are local as they are, or once a statement that isn't has gone.
SEEDS = (*range(14), 101, 104, 111, 112, 130, 136, 164, 187, 198, 205)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_program(seed: int) -> None:
    text, args = programs.program(seed)
    with np.errstate(all="ignore"), warnings.catch_warnings(), dask.config.set(scheduler="synchronous"):
        warnings.simplefilter("ignore")
        for _ in range(12):
            if not programs.runs(text, args):
                break
            left = refused_line(text, args, seed)
            if left is None or (less := programs.without(text, left)) is None:
                break
            text = less


def refused_line(text: str, args: list[Any], seed: int) -> int | None:
    """The line that keeps a program from being local; each that is local gives what the whole does."""
    f = programs.function(text)
    with js.config.set(disable=True):  # graphs are the same, and nothing is compiled
        wanted, refusal = f(*programs.copies(args)), None
        for cut in programs.cuttings(seed, args, 3):
            what, why = programs.outcome(f, args, cut, wanted, exactly=False)
            assert what != "FAULT", f"{why}\n{text}"
            refusal = why if what == "refused" else refusal
    return None if refusal is None else programs.line_of(refusal)
