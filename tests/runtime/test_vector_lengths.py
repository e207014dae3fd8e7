"""What LLVM is told before it makes a kernel."""

from __future__ import annotations

import threading
import time

import numba
import numpy as np
import pytest
from llvmlite import binding
from numba.core import event

import jitscope as js


def softmax(x):
    e = np.exp(x - x.max(axis=1)[:, None])
    return e / e.sum(axis=1)[:, None]


def scaled(x, y):
    for i in range(x.shape[0]):
        x[i] = x[i] * y[i]
    return x


@pytest.mark.parametrize(
    ("function", "dtypes", "length"),
    [
        (softmax, (np.float32,), 8),
        (softmax, (np.float64,), 4),
        (softmax, (np.int32,), 4),
        (scaled, (np.float64, np.float32), 4),
        (scaled, (np.float32, np.int64), 8),
    ],
)
def test_the_rest_of_a_row_is_done_in_vectors_of_32_bytes(function, dtypes, length, monkeypatch):
    told = []
    monkeypatch.setattr(binding, "set_option", lambda name, option: told.append(option))
    arrays = [np.arange(48).reshape(4, 12).astype(dtype) for dtype in dtypes]
    expected = function(*(array.copy() for array in arrays))
    np.testing.assert_allclose(js.function(function)(*arrays), expected, rtol=1e-6)
    lengths = [option for option in told if "epilogue" in option]
    assert lengths[0] == f"-epilogue-vectorization-force-VF={length}"
    assert told[-2:] == ["-epilogue-vectorization-force-VF=1", "-vectorize-memory-check-threshold=128"]


def test_another_threads_numba_function_is_left_alone(monkeypatch):
    """It is in the middle of compiling when ours comes, and waits for it."""
    told, begun = [], threading.Event()

    class Slow(event.Listener):
        def on_start(self, event):
            if threading.current_thread() is user and not begun.is_set():
                begun.set()
                time.sleep(0.5)

        def on_end(self, event):
            pass

    @numba.njit
    def helper(x):
        return x + 1

    @numba.njit
    def theirs(x):
        return helper(x) * 2

    user = threading.Thread(target=theirs, args=(1.0,))
    monkeypatch.setattr(
        binding, "set_option", lambda name, option: told.append((threading.current_thread(), option))
    )
    arrays = np.arange(48.0).reshape(4, 12), np.ones((4, 12))
    with event.install_listener("numba:compile", Slow()):
        user.start()
        assert begun.wait(60)
        js.function(scaled)(*arrays)
        user.join()
    assert {thread for thread, _ in told} == {threading.main_thread()}
    assert told[0][1] == "-epilogue-vectorization-force-VF=4"
