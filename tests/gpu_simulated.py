"""Runs the programs on Numba's CUDA simulator, in a process of its own, and prints what came of each as JSON.

Numba decides when it is imported whether there is a GPU, so ``NUMBA_ENABLE_CUDASIM=1`` must be set outside.
"""

from __future__ import annotations

import json
import re
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
from gpu_programs import CASES, Case

import jitscope as js


def signatures() -> dict[str, list[str]]:
    """The types that kernels are launched with from now on, by the names of the kernels."""
    from numba import typeof
    from numba.cuda.simulator.kernel import FakeCUDAKernel

    found: dict[str, list[str]] = {}
    plain = FakeCUDAKernel.__call__

    def call(kernel: Any, *arguments: Any) -> Any:
        if not kernel._device:
            found[kernel.fn.__name__] = [str(typeof(getattr(a, "_ary", a))) for a in arguments]
        return plain(kernel, *arguments)

    FakeCUDAKernel.__call__ = call
    return found


def outcome(function: Any, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """What a call gives or raises, and the arguments after it."""
    try:
        result = function(*arguments)
    except Exception as error:
        result = (type(error).__name__, str(error))
    return result, arguments


def difference(expected: Any, actual: Any, rtol: float) -> str:
    """What differs between two values, in words; empty if nothing does."""
    if type(expected) is not type(actual):
        return f"{type(expected).__name__} is a {type(actual).__name__}"
    if isinstance(expected, (tuple, list)):
        if len(expected) != len(actual):
            return f"{len(expected)} items are {len(actual)}"
        return next((d for e, a in zip(expected, actual, strict=True) if (d := difference(e, a, rtol))), "")
    if isinstance(expected, (np.ndarray, np.generic)):
        if (expected.dtype, expected.shape) != (actual.dtype, actual.shape):
            return f"{expected.dtype}{expected.shape} is {actual.dtype}{actual.shape}"
        close = np.allclose(actual, expected, rtol=rtol, atol=rtol, equal_nan=True)
        return "" if close else f"{expected!r} is {actual!r}"
    return "" if expected == actual else f"{expected!r} is {actual!r}"


def run(case: Case) -> dict[str, Any]:
    """One program, plain and on the simulated GPU, two calls each."""
    LAUNCHED.clear()
    fast = js.function(case.program, device=case.device, cache=False)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        js.config.disable = True
        expected = outcome(fast, case.make())
        js.config.disable = False
        found = [difference(expected, outcome(fast, case.make()), case.rtol) for _ in range(2)]
        (made,) = fast.specializations
    return {
        "difference": next((text for text in found if text), ""),
        "kernels": len(re.findall(r"^@gpu_kernel$", made.text, re.MULTILINE)),
        "plain": made.plain_reason,
        "text": made.text,
        "explain": fast.explain(),
        "signatures": dict(LAUNCHED),
    }


LAUNCHED = signatures()


def session() -> dict[str, Any]:
    """Steps of gradient descent in a session, with everything but the loss on the GPU."""
    rng = np.random.default_rng(3)
    rows, wanted = rng.normal(size=(7, 4)), np.eye(3)[rng.integers(0, 3, 7)]
    found, clusters = {}, {}
    for place in (None, "/gpu:0"):
        graph = js.Graph()
        with graph.as_default(), js.device(place):
            x, y = js.placeholder(np.float64, (7, 4)), js.placeholder(np.float64, (7, 3))
            w = js.Variable(np.zeros((4, 3)))
            likelihood = np.exp(js.matmul(x, w))
            p = likelihood / likelihood.sum(axis=1, keepdims=True)
            with js.device(None):
                loss = -(y * np.log(p)).sum()
            update = w.assign(w - 0.1 * js.gradients(loss, [w])[0])
        config = js.ConfigProto()
        config.graph_options.optimizer_options.global_jit_level = js.OptimizerOptions.ON_1
        with js.Session(graph=graph, config=config) as running:
            running.run(w.initializer)
            feeds = {x: rows, y: wanted}
            found[place] = [running.run([loss, update], feeds) for _ in range(3)]
            told = running.explain([loss, update], feeds)
            clusters[place] = len(running.clusters([loss, update], feeds))
    return {
        "difference": difference(found[None], found["/gpu:0"], 1e-12),
        "clusters": clusters["/gpu:0"],
        "launched": sorted(LAUNCHED),
        "explain": told,
    }


def main() -> None:
    """Run the programs that are named, or all of them."""
    for name in sys.argv[1:] or [*CASES, "session"]:
        print(
            json.dumps({"name": name, **(session() if name == "session" else run(CASES[name]))}), flush=True
        )


if __name__ == "__main__":
    main()
