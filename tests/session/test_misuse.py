"""What can't work is told at once, in words of the user's own."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import jitscope as js


def placeholder():
    return js.placeholder(js.float64, [None, 2], name="x")


@pytest.mark.parametrize(
    "write",
    [
        lambda x: np.add.at(x, 0, 1),
        lambda x: np.copyto(x, 1),
        lambda x: np.copyto(np.zeros((3, 2)), x),
        lambda x: np.put(x, 0, 1),
        lambda x: np.fill_diagonal(x, 1),
        lambda x: x.put(0, 1),
    ],
)
def test_no_function_writes_to_a_symbol(graph, write):
    x = placeholder()
    with pytest.raises(TypeError, match="writ"):
        write(x)
    assert len(graph.get_operations()) == 1


def test_what_belongs_to_a_graph_is_not_copied_and_not_pickled(graph):
    x = placeholder()
    y, v = x + 1, js.Variable(1.0)
    assert copy.copy(x) is copy.deepcopy({"x": [x]})["x"][0] is x
    assert copy.deepcopy(y.op) is y.op
    for thing in (x, y, y.op, v, x.shape[0], graph, js.Session()):
        with pytest.raises(TypeError, match="can't be (copied or )?pickled"):
            pickle.dumps(thing)
    for thing in (v, graph, js.Session()):
        with pytest.raises(TypeError, match="can't be copied"):
            copy.deepcopy(thing)
    with pytest.raises(AttributeError):
        x.name = "other"


@pytest.mark.parametrize("dtype", [None, object, str, np.longdouble, "datetime64[s]"])
def test_placeholders_are_of_numbers_that_can_be_computed_with(dtype):
    with pytest.raises(TypeError, match="a placeholder"):
        js.placeholder(dtype)


def test_nothing_is_cut_off_initial_values_and_constants():
    for make in (js.Variable, js.constant):
        with pytest.raises(TypeError, match="from float64 to int32"):
            make(1.5, dtype=js.int32)
        with pytest.raises(TypeError, match="from complex128 to float64"):
            make([1j], dtype=js.float64)
        assert make([1, 2], dtype=js.float32).dtype == np.float32
        assert make([], dtype=js.int32).dtype == np.int32
        assert make(np.ones(2), dtype=js.float32).dtype == np.float32
    given = np.zeros(2)
    constant = js.constant(given, dtype=js.float64)
    given[:] = 1
    assert js.Session().run(constant).tolist() == [0.0, 0.0]


def test_a_function_may_give_the_initial_value():
    v = js.Variable(lambda: np.ones(3))
    assert js.Session().run([v.initializer, v])[1].tolist() == [1.0] * 3


def test_variables_are_control_inputs_too():
    v = js.Variable(0.0)
    with js.control_dependencies([v, v.assign_add(1.0)]):
        inside = js.no_op()
        with js.control_dependencies(None):
            outside = js.no_op()
    session = js.Session()
    session.run(v.initializer)
    session.run(outside)
    assert session.run(v) == 0.0
    session.run(inside)
    assert session.run(v) == 1.0
    for wrong in ([3], js.no_op(), 3):
        with pytest.raises(TypeError), js.control_dependencies(wrong):
            pass


def test_initializers_are_of_variables_of_one_graph():
    v = js.Variable(0.0)
    with js.Graph().as_default():
        other = js.Variable(0.0)
    with pytest.raises(ValueError, match="different graphs"):
        js.variables_initializer([v, other])
    with pytest.raises(TypeError, match=r"no js\.Variable"):
        js.variables_initializer([3])


def test_functions_without_a_text_are_no_part_of_an_operation():
    x = placeholder()
    with pytest.raises(TypeError, match="piecewise can't stand in a graph: a function"):
        np.piecewise(x, [x > 1], [lambda a: a, 0])
    with pytest.raises(TypeError, match="add can't stand in a graph: a object"):
        x + object()


def test_options_have_types():
    for options in ({"allow_soft_placement": "yes"}, {"graph_options": None}):
        with pytest.raises(TypeError, match="is a "):
            js.ConfigProto(**options)
    c = js.constant(1.0)
    with pytest.raises(TypeError, match="options must be"):
        js.Session().run(c, options=3)
    with pytest.raises(TypeError, match="run_metadata must be"):
        js.Session().run(c, run_metadata={})


def test_a_session_keeps_the_options_that_it_was_made_with():
    config = js.ConfigProto()
    session = js.Session(config=config)
    config.graph_options.optimizer_options.global_jit_level = js.OptimizerOptions.ON_1
    x = placeholder()
    assert session.clusters(np.exp(x) + x, {x: np.ones((3, 2))}) == {}


def test_a_closed_session_takes_no_values():
    v, session = js.Variable(0.0), js.Session()
    session.close()
    with pytest.raises(RuntimeError, match="closed"):
        v.load(1.0, session)


def test_scopes_demand_bools_and_are_left_once():
    for wrong in ("yes", None, 1, lambda node_def: True):
        with pytest.raises(TypeError, match="separate_compiled_gradients must be a bool"):
            js.jit_scope(separate_compiled_gradients=wrong)
    scope = js.jit_scope()
    with scope:
        pass
    with pytest.raises(RuntimeError, match="isn't open"):
        scope.__exit__(None, None, None)


def test_errors_of_devices_name_the_function():
    x = placeholder()
    with js.device("/device:JIT_CPU:0"):
        y = np.sort(x)
    with pytest.raises(js.JitscopeError, match=r"sort can't be compiled .*np\.sort\(x\)"):
        js.Session().run(y, {x: np.ones((3, 2))})
    with js.device("/gpu:0"):
        z = np.sort(x)
    with pytest.raises(js.JitscopeError, match="sort is to run on"):
        js.Session().run(z, {x: np.ones((3, 2))})


def test_the_report_on_a_plan_tells_scopes_devices_and_who_asked():
    x = placeholder()
    with js.jit_scope():
        y = np.exp(x)
        z = np.sort(y)
    with js.device("/device:JIT_CPU:0"):
        w = np.tanh(z)
    with js.device("/gpu:0"):
        u = w + 1
    session = js.Session(config=js.ConfigProto(allow_soft_placement=True))
    report = session.explain(u, {x: np.ones((3, 2))})
    assert "cluster_0: compiled, in jit_scope_0\n    exp\n" in report
    assert "cluster_1: compiled for /device:JIT_CPU:0\n    tanh\n" in report
    assert "sort: np.sort(y) has no compiled form here, though jit_scope_0 asks for it" in report
    assert "notes:\n    add: runs on the CPU: /device:GPU:0 is not there" in report


def test_names_of_scopes_are_names():
    for wrong, error in [(3, TypeError), ("a b", ValueError), ("a:0", ValueError), ("_a", ValueError)]:
        with pytest.raises(error, match="name scope"), js.name_scope(wrong):
            pass
        with pytest.raises(error, match="an operation"):
            js.placeholder(js.float64, name=wrong)
    with js.name_scope("a"), js.name_scope("_b"):
        assert js.placeholder(js.float64, name="_c").name == "a/_b/_c:0"


def test_groups_are_of_what_runs():
    v = js.Variable(0.0)
    both = js.group([v.initializer, v.assign_add(1.0)], v)
    session = js.Session()
    session.run(both)
    assert session.run(v) == 1.0
    with pytest.raises(TypeError, match="3 is no symbol"):
        js.group(v, [3])


def test_a_decorator_without_parentheses_is_told():
    @js.jit_scope
    def double(x):
        return x * 2

    with pytest.raises(TypeError, match=r"write @js\.jit_scope\(\)"):
        double(placeholder())


def test_values_come_from_sessions():
    for wrong in (3, js.get_default_graph(), placeholder()):
        with pytest.raises(TypeError, match=r"needs a js\.Session"):
            js.constant(1.0).eval(session=wrong)
