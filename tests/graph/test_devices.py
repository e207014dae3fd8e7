"""Names of devices, and the contexts that place operations."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import jitscope as js
from jitscope.autograph.trace import trace
from jitscope.graph.ir.nodes import walk
from jitscope.graph.symbolic.numpy_meaning import NUMPY
from jitscope.graph.trace.build import Builder, building
from jitscope.graph.trace.devices import DEVICE, device_of, spec_of, wished
from jitscope.graph.trace.marks import marks_of

FULL = "/job:localhost/replica:0/task:0/device:JIT_CPU:0"


@pytest.mark.parametrize(
    ("name", "canonical"),
    [
        ("/cpu:0", "/device:CPU:0"),
        ("/gpu:1", "/device:GPU:1"),
        ("gpu", "/device:GPU:*"),
        ("cpu:0", "/device:CPU:0"),
        ("cuda:0", "/device:GPU:0"),
        ("/device:GPU:1", "/device:GPU:1"),
        ("/device:gpu:*", "/device:GPU:*"),
        ("/device:TPU:3", "/device:TPU:3"),
        ("jit_gpu:0", "/device:JIT_GPU:0"),
        (FULL, FULL),
        (FULL.replace("JIT_CPU", "XLA_GPU"), FULL.replace("CPU", "GPU")),
        ("/task:2/job:worker", "/job:worker/task:2"),
        ("/job:worker/gpu:0", "/job:worker/device:GPU:0"),
        ("", ""),
    ],
)
def test_names_have_one_canonical_form(name, canonical):
    spec = js.DeviceSpec.from_string(name)
    assert spec.to_string() == str(spec) == canonical
    assert js.DeviceSpec.from_string(canonical) == spec


@pytest.mark.parametrize(
    "name", ["/foo:0", "tpu", "/gpu:x", "/gpu:-1", "/gpu:0:1", "/job:", "/job", "/device", "/gpu:0/cpu:0"]
)
def test_other_names_are_refused_in_their_own_words(name):
    with pytest.raises(ValueError, match=name.replace("*", ".")):
        js.DeviceSpec.from_string(name)
    with pytest.raises(ValueError, match="device"), js.device(name):
        raise AssertionError("the context must not open")


def test_other_types_are_refused():
    with pytest.raises(TypeError, match="not int"), js.device(0):
        raise AssertionError("the context must not open")


def test_inner_parts_win_and_open_parts_are_inherited():
    with js.device("/job:localhost/gpu:1"):
        with js.device("/task:0"):
            assert wished().to_string() == "/job:localhost/task:0/device:GPU:1"
        with js.device(js.DeviceSpec(device_index=0)) as inner:
            assert wished() is inner
            assert str(inner) == "/job:localhost/device:GPU:0"
        with js.device("cpu") as inner:
            assert str(inner) == "/job:localhost/device:CPU:*"  # no CPU 1 was asked for
        with js.device(None):
            assert wished() == js.DeviceSpec()
            with js.device("/cpu:0"):
                assert str(wished()) == "/device:CPU:0"
        assert str(wished()) == "/job:localhost/device:GPU:1"
    assert wished() == js.DeviceSpec()


def test_an_exception_closes_the_context():
    with pytest.raises(KeyError), js.device("/gpu:0"):
        raise KeyError
    assert wished() == js.DeviceSpec()


def test_threads_have_contexts_of_their_own():
    seen = []
    with js.device("/gpu:0"):
        other = threading.Thread(target=lambda: seen.append(wished()))
        other.start()
        other.join()
    assert seen == [js.DeviceSpec()]


def test_specs_say_which_devices_they_admit():
    full = spec_of(FULL)
    assert spec_of("jit_cpu").admits(full)
    assert js.DeviceSpec().admits(full)
    assert not spec_of("cpu").admits(full)
    assert not spec_of("/job:worker").admits(full)


def program(x, n):
    a = np.sqrt(x)
    with js.device("/gpu:0"):
        b = a * 2.0
        for _ in range(n):
            b[0] = b[0] + 1.0
        with js.device(None):
            c = b - 1.0
    with js.device("cpu:0"), js.jit_scope():
        return c / 3.0


def _placed(graph):
    return {node.op: device_of(node) for node in walk(graph.body)}


def test_nodes_know_their_device():
    found = _placed(trace(program, {"x": np.ones(3), "n": 2}).graph)
    assert found["sqrt"] == found["subtract"] == found["return"] == ""
    assert found["multiply"] == found["for"] == found["store"] == "/device:GPU:0"
    assert found["divide"] == "/device:CPU:0"


def test_a_trace_starts_without_a_wish():
    with js.device("/gpu:1"):
        assert _placed(trace(program, {"x": np.ones(3), "n": 2}).graph)["sqrt"] == ""


def test_a_context_speaks_of_the_graph_in_which_it_was_opened():
    with building(Builder()), js.device("/gpu:0"):
        assert wished() != js.DeviceSpec()
        with building(Builder()):
            assert wished() == js.DeviceSpec()
    with js.device("/gpu:0"), building(Builder()):
        assert str(wished()) == "/device:GPU:0"


def test_callables_of_scopes_see_the_device():
    seen = []

    def compiled(node_def):
        seen.append((node_def.op, node_def.device))
        return True

    builder = Builder(node_hook=marks_of, rules=NUMPY)
    with building(builder), js.device("/gpu:0"), js.jit_scope(compiled):
        builder.emit("add")
    assert seen == [("add", "/device:GPU:0")]
    assert builder.blocks[0][0].attrs[DEVICE] == "/device:GPU:0"
    assert builder.blocks[0][0].attrs["_JitCompile"] is True
