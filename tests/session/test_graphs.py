"""Explicit graphs: what placeholders, constants and NumPy's functions record, and what they refuse."""

from __future__ import annotations

import asyncio
import threading

import numpy as np
import pytest

import jitscope as js


def test_symbols_show_their_name_shape_and_dtype():
    x = js.placeholder(js.float32, [None, 2], name="x")
    assert repr(x) == "<js.Symbol 'x:0' shape=(?, 2) dtype=float32>"
    assert repr(js.placeholder(js.int64)) == "<js.Symbol 'Placeholder:0' shape=<unknown> dtype=int64>"
    assert repr(js.constant([1.0])) == "<js.Symbol 'Const:0' shape=(1,) dtype=float64>"
    assert repr(x + 1) == "<js.Symbol 'add:0' shape=(?, 2) dtype=float32>"


def test_numpy_functions_operators_methods_and_indexing_record_operations(graph):
    x = js.placeholder(np.float32, [None, 3], name="x")
    made = [np.exp(x), x + 1, 2.0 - x, np.ones(3, np.float32) * x, x @ x.T, x[1:], x.sum(axis=0), -x]
    assert [symbol.op.type for symbol in made] == [
        *("exp", "add", "subtract", "multiply", "matmul", "view", "sum", "negative")
    ]
    assert [symbol.dtype for symbol in made] == [np.dtype(np.float32)] * 8
    assert [symbol.shape.as_list() for symbol in made[:2]] == [[None, 3]] * 2
    assert made[4].shape == (None, None)
    assert made[6].shape == (3,)
    assert made[3].op.inputs[0].op.type == "Const"


def test_dtypes_are_those_that_numpy_gives():
    x = js.placeholder(js.float32, [4])
    n = js.placeholder(js.int32, [4])
    assert [
        s.dtype.name for s in (x + 1.5, x + n, n / 2, n > 1, x.mean(), np.argmax(x), js.cast(n, js.uint8))
    ] == [*("float32", "float64", "float64", "bool", "float32", "int64", "uint8")]


def test_sizes_that_are_not_known_are_symbols_of_the_graph():
    x = js.placeholder(js.float64, [None, 2])
    assert x.shape == (None, 2)
    assert x.shape != (3, 2)
    assert str(x.shape) == "(?, 2)"
    assert x.shape[1] == 2
    assert not x.shape.is_fully_defined
    mean = x.sum(axis=0) / x.shape[0]
    assert js.Session().run(mean, {x: [[1.0, 2], [3, 4]]}).tolist() == [2.0, 3.0]


def test_results_of_symbols_without_a_rank_have_none_either():
    x = js.placeholder(js.float32)
    y = js.add(x, x)
    assert (y.op.type, repr(y.shape)) == ("add", "<unknown>")
    with pytest.raises(ValueError, match="give the placeholder a shape"):
        x.shape.as_list()
    for sized in (x / x.shape[0], x.sum(axis=5) / x.shape[5]):
        assert (sized.op.type, repr(sized.shape)) == ("divide", "<unknown>")
    with pytest.raises(ValueError, match="number of axes isn't known"):
        _ = x.ndim
    assert x.sum(axis=7).op.type == "sum"
    assert np.exp(x[:, :, :, 0]).op.type == "exp"
    session = js.Session()
    assert session.run(y, {x: 1.5}) == np.float32(3.0)
    assert session.run(y, {x: np.ones((2, 1, 2), np.float32)}).shape == (2, 1, 2)


def test_known_shapes_that_can_not_fit_are_an_error_at_once(graph):
    before = len(graph.get_operations())
    x = js.placeholder(js.float64, [3])
    with pytest.raises(ValueError, match="could not be broadcast"):
        x + js.constant(np.ones(4))
    with pytest.raises(ValueError, match="matmul"):
        js.matmul(js.placeholder(js.float64, [2, 3]), js.placeholder(js.float64, [2, 3]))
    assert {op.type for op in graph.get_operations()[before:]} == {"Placeholder", "Const"}


@pytest.mark.parametrize("use", [bool, iter, int, float, complex, list, np.asarray, lambda x: [1, 2, 3][x]])
def test_what_only_the_run_knows_can_not_be_used_while_building(use):
    with pytest.raises(TypeError, match="'x:0' isn't known while the graph is built"):
        use(js.placeholder(js.int64, [None], name="x"))


def test_symbols_can_not_be_written_to():
    x = js.placeholder(js.float64, [3])
    with pytest.raises(TypeError, match=r"js\.Variable"):
        x[0] = 1.0
    with pytest.raises(TypeError, match="no method sort"):
        x.sort()
    with pytest.raises(TypeError, match="out="):
        np.add(x, 1, out=np.ones(3))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = x.nothing
    y = x
    y += 1
    assert (x.name, y.op.type) == ("Placeholder:0", "add")


def test_symbols_of_two_graphs_do_not_mix():
    x = js.placeholder(js.float64, [3], name="x")
    with js.Graph().as_default():
        y = js.placeholder(js.float64, [3], name="y")
    with pytest.raises(ValueError, match="another graph"):
        x + y
    with pytest.raises(ValueError, match="another graph"):
        js.concat([x, y], 0)
    assert (x + 1).graph is x.graph


def test_an_operation_joins_the_graph_of_its_inputs(graph):
    with js.Graph().as_default():
        y = js.placeholder(js.float64, [3], name="y")
    z = y + 1
    assert z.graph is y.graph is not graph


# Operations and names --------------------------------------------------------------------------------------


def test_names_are_unique_and_carry_their_scopes():
    x = js.placeholder(js.float64, [2], name="x")
    with js.name_scope("layer") as scope:
        first, second = js.exp(x, name="e"), js.exp(x, name="e")
        with js.name_scope("inner"):
            third = x + 1
    with js.name_scope("layer"):
        fourth = js.matmul(x, x)
    assert scope == "layer/"
    assert [s.name for s in (first, second, third, fourth)] == [
        *("layer/e:0", "layer/e_1:0", "layer/inner/add:0", "layer_1/matmul:0")
    ]


def test_a_name_is_that_of_the_whole_operation():
    x = js.placeholder(js.float64, [3, 2])
    assert js.nn.softmax(x, name="probabilities").name == "probabilities:0"
    assert js.reduce_mean(x, name="loss").op.name == "loss"
    assert js.reduce_sum(x, name="total").op.type == "sum"
    assert js.nn.softmax(x).op.name == "softmax/divide"
    assert js.transpose(x, name="other_way").op.name == "other_way"


def test_operations_and_symbols_are_found_by_name(graph):
    x = js.placeholder(js.float64, [2], name="x")
    y = js.add(x, 1, name="y")
    assert graph.get_tensor_by_name("y:0") is y
    assert graph.get_operation_by_name("y") is y.op
    assert [op.name for op in graph.get_operations()] == ["x", "y"]
    assert (y.op.inputs, y.op.outputs) == ((x,), (y,))
    with pytest.raises(KeyError, match="not in the graph"):
        graph.get_operation_by_name("z")
    with pytest.raises(KeyError, match="does not exist"):
        graph.get_tensor_by_name("y:1")
    with pytest.raises(ValueError, match="<operation>:<output>"):
        graph.get_tensor_by_name("y")


def test_attributes_of_operations():
    x = js.placeholder(js.float64, [2, 2])
    with js.jit_scope(separate_compiled_gradients=True), js.device("/cpu:0"):
        y = js.matmul(x, x)
    z = y.sum(axis=1)
    assert y.op.get_attr("_JitCompile") is True
    assert y.op.get_attr("_JitScope") == "jit_scope_0"
    assert y.op.get_attr("_JitSeparateCompiledGradients") is True
    assert y.op.device == y.device == "/device:CPU:0"
    assert z.op.get_attr("axis") == (1,)
    with pytest.raises(ValueError, match="'sum' has no attr named '_JitCompile'"):
        z.op.get_attr("_JitCompile")


def test_callables_see_the_operations_as_they_are_made():
    seen = []

    def wanted(node_def):
        seen.append((node_def.op, node_def.name))
        return "matmul" in node_def.op.lower()

    x = js.placeholder(js.float64, [2, 2], name="x")
    with js.jit_scope(compile_ops=wanted):
        y = js.matmul(x, x, name="product")
        z = y + 1
    assert seen == [("matmul", "product"), ("add", "add")]
    assert (y.op.get_attr("_JitCompile"), z.op.get_attr("_JitCompile")) == (True, False)


def test_what_a_callable_raises_is_heard_and_nothing_is_left_behind(graph):
    def wanted(node_def):
        raise KeyError(node_def.name)

    for x in (js.placeholder(js.float64, [2]), js.placeholder(js.float64)):
        before = len(graph.get_operations())
        with js.jit_scope(compile_ops=wanted), pytest.raises(KeyError):
            np.exp(x)
        assert len(graph.get_operations()) == before
    assert np.exp(x).op.name == "exp"


def test_a_scope_of_one_graph_means_nothing_in_another():
    with js.jit_scope(), js.name_scope("a"):
        with js.Graph().as_default():
            y = js.placeholder(js.float64, [2], name="y") + 1
        z = js.placeholder(js.float64, [2], name="z") + 1
    assert (y.name, z.name) == ("add:0", "a/add:0")
    assert z.op.get_attr("_JitScope") == "jit_scope_0"
    with pytest.raises(ValueError, match="no attr"):
        y.op.get_attr("_JitScope")


def test_a_finalized_graph_can_not_be_modified(graph):
    x = js.placeholder(js.float64, [2])
    graph.finalize()
    assert graph.finalized
    for change in (lambda: x + 1, lambda: js.constant(1), lambda: js.no_op(), lambda: js.Variable(1.0)):
        with pytest.raises(RuntimeError, match="finalized"):
            change()


# Default graphs --------------------------------------------------------------------------------------------


def test_default_graphs_nest(graph):
    other = js.Graph()
    with other.as_default():
        assert js.get_default_graph() is other
        with graph.as_default():
            assert js.constant(1.0).graph is graph
    assert js.get_default_graph() is graph


def test_without_a_with_statement_each_thread_and_task_has_its_own():
    def work(found):
        found.append(js.constant(1.0).graph)
        found.append(js.get_default_graph())

    async def both():
        async def one():
            js.reset_default_graph()
            return js.constant(1.0).graph

        return await asyncio.gather(one(), one())

    here, there = [], []
    js.reset_default_graph()
    work(here)
    thread = threading.Thread(target=work, args=(there,))
    thread.start()
    thread.join()
    assert here[0] is here[1]
    assert there[0] is there[1] is not here[0]
    first, second = asyncio.run(both())
    assert len({id(g) for g in (first, second, here[0])}) == 3


def test_two_threads_build_one_graph(graph):
    def work(k):
        with graph.as_default(), js.name_scope(f"thread{k}"), js.jit_scope(compile_ops=k % 2 == 0):
            x = js.constant(np.ones(3))
            for _ in range(20):
                x = x + 1
            ends[k] = x

    ends = {}
    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for k, end in ends.items():
        assert end.name == f"thread{k}/add_19:0"
        assert end.op.get_attr("_JitCompile") is (k % 2 == 0)
    scopes = {end.op.get_attr("_JitScope") for end in ends.values()}
    assert len(scopes) == 4


def test_jit_scope_needs_a_graph():
    js.reset_default_graph()
    with pytest.raises(RuntimeError), js.jit_scope():
        pass
    x = js.placeholder(js.float32)
    with js.jit_scope():
        y = js.add(x, x)
    assert y.op.get_attr("_JitCompile") is True


def test_decorated_functions_compile_as_ever_beside_a_graph():
    @js.function
    def f(a):
        return np.exp(a).sum() + np.tanh(a).sum()

    js.constant(1.0)
    a = np.ones(5)
    assert f(a) == f.python_function(a)
    assert f.specializations[0].clusters


def test_decorated_functions_called_with_symbols_add_their_operations(graph):
    @js.function
    def f(a, n=3):
        with js.jit_scope():
            for k in range(n):
                a = np.sin(a) + k
        return a

    x = js.placeholder(js.float64, [None])
    js.reset_default_graph()
    y = f(x)
    assert (y.graph, y.op.type, y.op.get_attr("_JitScope")) == (graph, "add", "jit_scope_0")
    assert [op.type for op in graph.get_operations()].count("sin") == 3
    assert not f.specializations
    fed = np.array([1.0, 2.0])
    np.testing.assert_allclose(js.Session(graph=graph).run(y, {x: fed}), np.sin(np.sin(np.sin(fed)) + 1) + 2)
    assert "cluster_0" in js.to_code(graph, y, {x: fed})

    @js.function
    def g(a):
        return a if a.sum() > 0 else -a

    with pytest.raises(TypeError, match=r"Use np\.where"):
        g(x)


@pytest.mark.parametrize("name", ["x:0", "two words", "_hidden", "ü", "a,b"])
def test_names_that_are_none(graph, name):
    with pytest.raises(ValueError, match="not a valid name"):
        js.placeholder(js.float64, [2], name=name)
    with pytest.raises(ValueError, match="not a valid name"):
        js.exp(js.constant(1.0), name=name)
    with pytest.raises(TypeError, match="is a string"):
        js.constant(1.0, name=3)
    assert [op.name for op in graph.get_operations()] == ["Const"]
