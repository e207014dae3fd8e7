"""Placement of decorated functions: devices that are there, that are not, and that compile everything."""

from __future__ import annotations

import threading
from fractions import Fraction

import numpy as np
import pytest
from numba import cuda

import jitscope as js
from jitscope.runtime import devices

HERE = "/job:localhost/replica:0/task:0/device:"
X = np.linspace(0.0, 1.0, 7)
GPU_COUNT = devices.gpu_count


@pytest.fixture(autouse=True)
def no_gpu(monkeypatch):
    """The machine of these tests has no GPU, whatever this one has."""
    monkeypatch.setattr(devices, "gpu_count", lambda: 0)


def shifted(x):
    with js.device("/gpu:0"):
        y = np.exp(x) * 2.0
    return y + 1.0


def test_devices_of_a_machine_without_gpu():
    assert js.list_devices() == [f"{HERE}CPU:0", f"{HERE}JIT_CPU:0"]


def test_gpus_are_listed_with_the_devices_that_compile_everything(monkeypatch):
    monkeypatch.setattr(devices, "gpu_count", lambda: 2)
    assert js.list_devices()[2:] == [f"{HERE}{name}" for name in ("GPU:0", "GPU:1", "JIT_GPU:0", "JIT_GPU:1")]


def test_a_device_that_is_not_there_is_an_error_that_says_what_is_there():
    fast = js.function(shifted)
    with pytest.raises(js.JitscopeError) as caught:
        fast(X)
    text = str(caught.value)
    assert "exp is to run on /device:GPU:0, which is not there" in text
    assert "test_devices.py:28:13, in shifted" in text
    assert "so:  there is /device:CPU:0, /device:JIT_CPU:0" in text
    assert "try: allow_soft_placement=True" in text
    with pytest.raises(js.JitscopeError):  # at every call
        fast(X)


def test_soft_placement_runs_on_the_cpu_and_tells():
    fast = js.function(shifted, allow_soft_placement=True)
    np.testing.assert_allclose(fast(X), shifted(X), rtol=4e-16)
    assert "runs on the CPU: /device:GPU:0 is not there" in fast.explain()
    assert "nothing is compiled" not in fast.explain()


def test_a_wish_of_the_function_is_that_of_its_body():
    @js.function(device="cuda:0")
    def f(x):
        with js.device("cpu"):
            return np.sqrt(x) + 1.0

    assert f(X).tolist() == f.python_function(X).tolist()

    @js.function(device="cuda:0")
    def g(x):
        return np.sqrt(x) + 1.0

    with pytest.raises(js.JitscopeError, match="GPU:0, which is not there"):
        g(X)
    with pytest.raises(ValueError, match="/foo"):
        js.function(device="/foo")


@pytest.mark.parametrize("works", [True, False])
def test_a_gpu_is_one_that_numba_compiles_for(works, monkeypatch, capsys):
    def jit(signature):
        if not works:
            raise AttributeError("module 'numpy' has no attribute 'row_stack'")
        return lambda kernel: kernel

    monkeypatch.setattr(devices, "find_spec", lambda name: name)
    monkeypatch.setattr(cuda, "is_available", lambda: True)
    monkeypatch.setattr(cuda, "gpus", [0, 1])
    monkeypatch.setattr(cuda, "jit", jit)
    monkeypatch.setattr(js.config, "log", frozenset({"fallback"}))
    assert GPU_COUNT.__wrapped__() == (2 if works else 0)
    assert ("no GPU is used: AttributeError: module 'numpy'" in capsys.readouterr().err) is not works


def test_plain_contexts_place_the_functions_that_are_called_inside():
    @js.function
    def f(x):
        return np.sqrt(x) + x

    wanted = f.python_function(X).tolist()
    for _ in range(3):  # the way of the call is learnt, and forgotten again
        assert f(X).tolist() == f(X).tolist() == wanted
        with js.device("/gpu:0"):
            with pytest.raises(js.JitscopeError, match="GPU:0, which is not there"):
                f(X)
            with js.device("/cpu:0"):
                assert f(X).tolist() == wanted
            elsewhere = []
            thread = threading.Thread(target=lambda: elsewhere.append(f(X).tolist()))
            thread.start()
            thread.join()
            assert elsewhere == [wanted]
            assert np.sqrt(X).shape == X.shape  # NumPy runs where it runs


def test_contexts_place_called_functions_also_where_a_graph_is_built():
    f = js.function(lambda x: np.exp(x) * 2.0)
    with js.Graph().as_default():
        x = js.placeholder(js.float64, [None])
        with js.device("/gpu:0"):
            y = f(x)
            with pytest.raises(js.JitscopeError, match="is to run on /device:GPU:0"):
                f(np.ones(3))
        assert y.device == "/device:GPU:0"
        assert f(np.ones(3)).tolist() == (np.exp(np.ones(3)) * 2.0).tolist()


def test_a_context_around_a_function_that_falls_back_changes_nothing():
    def f(x, how):
        with js.device("/cpu:0"), js.jit_scope():
            return x * how

    half = Fraction(1, 2)  # an object: the call runs as plain Python
    assert js.function(f)(3, half) == 3 * half


# Devices that compile everything -------------------------------------------------------------------------


def test_jit_cpu_compiles_what_is_too_little_for_a_cluster_elsewhere():
    def f(x):
        with js.device("/job:localhost/replica:0/task:0/device:JIT_CPU:0"):
            y = x + 1.0
        return np.partition(y, 0)

    fast = js.function(f, jit_level="off")
    assert fast(X).tolist() == f(X).tolist()
    (made,) = fast.specializations
    assert made.clusters == ("cluster_0",)


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        (lambda x: np.partition(x, 0), "has no compiled form"),
        (lambda x: sorted(set(x.tolist())), "it is plain Python"),
    ],
)
def test_jit_cpu_is_an_error_where_an_operation_cannot_be_compiled(program, reason):
    with pytest.raises(js.JitscopeError) as caught:
        js.function(program, device="jit_cpu:0")(X)
    assert reason in str(caught.value)
    assert "can't be compiled" in str(caught.value)
    assert "test_devices.py:1" in str(caught.value)


def test_jit_cpu_does_not_take_what_a_scope_forbids():
    def f(x):
        with js.device("jit_cpu"), js.jit_scope(compile_ops=False):
            return x * 2.0

    with pytest.raises(js.JitscopeError, match="compile_ops=False"):
        js.function(f)(X)


def test_loops_and_scalars_on_jit_cpu():
    @js.function(device="jit_cpu")
    def f(x, n):
        total = 0.0
        for k in range(n):
            total += x[k] * k
        return total, n + 1

    assert f(X, 5) == f.python_function(X, 5)
    assert len(f.specializations[0].clusters) == 1


def test_clusters_do_not_mix_devices():
    def f(x):
        a = np.exp(x) * x
        with js.device("jit_cpu"):
            b = np.sin(a) + a
        return b * 2.0 - np.cos(b)

    fast = js.function(f)
    np.testing.assert_allclose(fast(X), f(X), rtol=1e-15)
    assert len(fast.specializations[0].clusters) == 3


def test_specialisations_on_disk_are_for_the_gpus_that_were_there(monkeypatch, tmp_path):
    monkeypatch.setattr(js.config, "_cache_dir", str(tmp_path))
    js.function(shifted, allow_soft_placement=True)(X)
    again = js.function(shifted, allow_soft_placement=True)
    again(X)
    assert again.specializations[0].from_disk
    monkeypatch.setattr(devices, "gpu_count", lambda: 3)
    request = again.__jitscope__.request((X,))
    from jitscope.runtime.compile import find

    assert find(request, set()) is None


# GPUs; none is needed to write modules ----------------------------------------------------------------------


@pytest.fixture
def gpus(monkeypatch):
    """Two GPUs, as far as placement is concerned."""
    monkeypatch.setattr(devices, "gpu_count", lambda: 2)


def module_of(program, *arguments, **options):
    return js.to_code(js.function(program, cache=False, **options), *arguments)


def test_jit_gpu_is_an_error_where_an_operation_has_no_kernel(gpus):
    def f(x):
        y = np.exp(x)
        with js.device("jit_gpu:1"):
            return np.partition(y, 0)

    with pytest.raises(js.JitscopeError) as caught:
        module_of(f, X)
    assert "partition can't be compiled for /device:JIT_GPU:1: np.partition(y, 0) has no" in str(caught.value)
    assert "return np.partition(y, 0)" in str(caught.value)
    assert "try: on /gpu it runs on the CPU" in str(caught.value)


def test_a_function_uses_one_gpu(gpus):
    def f(x):
        with js.device("/gpu:1"):
            y = np.exp(x) + x
        with js.device("/gpu:0"):
            z = np.sin(y) * y
        return z

    text = module_of(f, X)
    assert "on_gpu(1)" in text
    assert "on_gpu(0)" not in text
    assert "@njit" in text
    with pytest.raises(js.JitscopeError, match="the function uses GPU:1 already"):
        module_of(two_forced, X)


def two_forced(x):
    with js.device("/gpu:1"):
        y = np.exp(x) + x
    with js.device("jit_gpu:0"):
        return np.sin(y) * y


def test_a_device_with_an_open_number_is_any_of_its_type(gpus):
    def f(x):
        return np.exp(x) + x

    assert "on_gpu(0)" in module_of(f, X, device="gpu")
    assert "on_gpu(1)" in module_of(f, X, device="/task:0/gpu:1")
    with pytest.raises(js.JitscopeError, match="/task:3/device:GPU:0, which is not there"):
        module_of(f, X, device="/task:3/gpu:0")


def test_memory_stays_on_the_gpu_until_numpy_looks_at_it(gpus):
    def f(x):
        y = np.exp(x)
        z = y * 2.0
        for k in range(3):
            z = z + y
        s = np.partition(z, 0)
        return s * 2.0

    text = module_of(f, X, device="/gpu:0")
    assert text.count("gpu.home(") == 1
    assert "gpu.home(z)\n        s = np.partition(z, 0)" in text
    assert text.count("local=True") >= 1
