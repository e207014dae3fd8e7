"""`jit_scope` and `gradient_scope`: which marks operations get, and when."""

from __future__ import annotations

import contextvars
import re
import sys
import threading
from collections import defaultdict

import numpy as np
import pytest

import jitscope as js
from jitscope.autograph.trace import trace
from jitscope.graph.ir.literals import literal
from jitscope.graph.ir.nodes import ENDINGS, Node, walk
from jitscope.graph.ir.types import FLOAT
from jitscope.graph.trace.build import Builder, building
from jitscope.graph.trace.marks import marks_of
from jitscope.graph.trace.scopes import Scope, gradient_scope, jit_scope

X = np.ones(3)
KEYS = ("_JitCompile", "_JitScope", "_JitSeparateCompiledGradients")


def marks(node):
    return tuple(node.attrs.get(key) for key in KEYS)


def traced(function, *args):
    names = function.__code__.co_varnames
    return trace(function, dict(zip(names, args, strict=False))).graph


def by_op(function, *args):
    """The marks of the nodes of `function` by op, endings aside, in program order."""
    found = defaultdict(list)
    for node in walk(traced(function, *args).body):
        if node.op not in ENDINGS:
            found[node.op].append(marks(node))
    return dict(found)


@pytest.fixture
def builder():
    with building(Builder(node_hook=marks_of)) as made:
        yield made


def made(builder, op="py.neg"):
    builder.emit(op, [literal(1.0)], [FLOAT], {"loop": ("float",)})
    return builder.blocks[-1][-1]


def test_marks_inside_and_none_outside():
    def f(x):
        y = np.sin(x)
        with js.jit_scope():
            z = np.cos(y)
        return np.tan(z)

    none = (None, None, None)
    assert by_op(f, X) == {"sin": [none], "cos": [(True, "jit_scope_0", False)], "tan": [none]}


def test_root_scopes_are_numbered_and_nested_ones_keep_the_name():
    def f(x):
        with js.jit_scope(compile_ops=False):
            y = np.sin(x)
            with js.jit_scope(separate_compiled_gradients=True):
                y = np.cos(y)
            y = np.tan(y)
        with js.jit_scope():
            return np.exp(y)

    assert by_op(f, X) == {
        "sin": [(False, "jit_scope_0", False)],
        "cos": [(True, "jit_scope_0", True)],
        "tan": [(False, "jit_scope_0", False)],
        "exp": [(True, "jit_scope_1", False)],
    }


def test_numbers_start_anew_in_each_graph():
    def f(x):
        with js.jit_scope():
            return np.sin(x)

    assert by_op(f, X) == by_op(f, X) == {"sin": [(True, "jit_scope_0", False)]}


def test_an_inner_scope_replaces_the_callable():
    def f(x):
        with js.jit_scope(lambda node: False), js.jit_scope():
            return np.sin(x)

    assert by_op(f, X) == {"sin": [(True, "jit_scope_0", False)]}


def test_a_callable_sees_each_operation_once():
    seen = []

    def look(node_def):
        seen.append(node_def)
        return "exp" in node_def.op

    with building(Builder(node_hook=marks_of)) as builder, jit_scope(look):
        first = builder.emit("exp", [literal(1.0)], [FLOAT], {"loop": ("float64",)}, names=["y"])
        builder.emit("add", [first[0], literal(2.0)], [FLOAT], {"loop": ("float64", "float64")})
    assert [(d.op, d.name, d.input, d.device) for d in seen] == [
        ("exp", "y", (), ""),
        ("add", "t0", ("y",), ""),
    ]
    assert seen[0].attr == {"loop": ("float64",)}
    with pytest.raises(TypeError):
        seen[0].attr["loop"] = ()
    assert [marks(node)[0] for node in builder.blocks[0]] == [True, False]


@pytest.mark.parametrize("answer", [None, 1, 0, "yes", np.ones(1)])
def test_what_is_no_bool_is_an_error(builder, answer):
    with (
        pytest.raises(TypeError, match=r"compile_ops returned .* for the operation py\.neg"),
        jit_scope(lambda node: answer),
    ):
        made(builder)
    assert marks(made(builder)) == (None, None, None)
    with pytest.raises(TypeError, match="compile_ops must be a bool or a callable"):
        jit_scope("yes")


def test_numpy_bools_are_bools(builder):
    with jit_scope(np.True_), jit_scope(lambda node: np.False_):
        assert marks(made(builder))[0] is False
    with jit_scope(np.True_):
        assert marks(made(builder))[0] is True


def test_errors_of_the_callable_reach_the_caller():
    def broken(node_def):
        raise KeyError(node_def.op)

    @js.function
    def f(x):
        with js.jit_scope(compile_ops=broken):
            return np.sin(x)

    @js.function
    def g(x):
        with js.jit_scope(lambda node_def: 1):
            return np.sin(x)

    for _ in range(2):
        with pytest.raises(KeyError, match="sin"):
            f(X)
        with pytest.raises(TypeError, match="must return a bool, not int"):
            g(X)
    with pytest.raises(KeyError):
        js.to_code(f, X, stage="graph")


WANTED = ("exp",)


def chosen(node_def):
    if node_def.op in WANTED:
        return True
    return re.search("sin", node_def.op) is not None


def test_callables_run_as_plain_python_while_tracing(capsys, monkeypatch):
    @js.function
    def f(x, name):
        seen = []

        def noisy(node_def, answer=False):
            print(node_def.op)
            if node_def.op == word:
                raise_count.append(len(seen))
                return True
            return answer

        word = "cos"
        with js.jit_scope(chosen):
            x = np.exp(np.sin(x)) * 2
        with js.jit_scope(noisy), js.jit_scope(lambda n: n.op == name if n.op else noisy(n)):
            x = np.tan(x)
        with js.jit_scope(noisy):
            return np.cos(x) + 1

    raise_count = []
    f(X, "tan")
    assert capsys.readouterr().out == "cos\nadd\n"
    assert raise_count == [0]
    f(X, "tan")
    assert capsys.readouterr().out == ""
    monkeypatch.setattr(sys.modules[__name__], "WANTED", ("multiply",))
    f(X, "tan")
    assert len(f.__jitscope__.specialisations) == 2


def test_plain_code_has_no_graph():
    scope = js.jit_scope()
    with pytest.raises(
        RuntimeError, match="function decorated with jitscope.function, or in a jitscope.Graph"
    ):
        scope.__enter__()
    with pytest.raises(RuntimeError), js.jit_scope():
        pytest.fail("the body must not run")


def helper(x):
    with js.jit_scope() as scope:
        assert isinstance(scope, Scope)
        return np.exp(x) * 2


def test_scopes_mean_nothing_where_a_function_runs_plain():
    def generator(x):
        yield helper(x)

    @js.function
    def f(x):
        return next(generator(x)) + 1

    assert np.array_equal(f(X), np.exp(X) * 2 + 1)
    with pytest.raises(RuntimeError):
        f.python_function(X)


def test_the_scope_survives_an_exception(builder):
    for _ in range(2):
        with pytest.raises(ValueError, match="mine"), jit_scope(), jit_scope(False):
            raise ValueError("mine")
    assert marks(made(builder)) == (None, None, None)
    with jit_scope() as scope:
        assert scope == Scope("jit_scope_2")
        assert marks(made(builder)) == (True, "jit_scope_2", False)


def test_a_scope_opens_again_under_another_number(builder):
    scope = jit_scope(separate_compiled_gradients=True)
    with scope as one, scope as nested:
        assert one.name == nested.name == "jit_scope_0"
    with scope as other:
        assert other.name == "jit_scope_1"


@js.jit_scope(compile_ops=lambda node: node.op == "exp")
def decorated(x):
    return np.exp(x) * 2


def test_as_a_decorator():
    def f(x):
        return decorated(decorated(x))

    assert by_op(f, X) == {
        "exp": [(True, "jit_scope_0", False), (True, "jit_scope_1", False)],
        "multiply": [(False, "jit_scope_0", False), (False, "jit_scope_1", False)],
    }
    assert decorated.__name__ == "decorated"
    with pytest.raises(RuntimeError):
        decorated(X)

    @js.function
    @js.jit_scope()
    def g(x, k=2.0):
        return np.exp(x) * k

    assert np.array_equal(g(X), np.exp(X) * 2.0)
    assert np.array_equal(g(X, k=3.0), np.exp(X) * 3.0)
    assert g.__jitscope__.specialisations[0].clusters


def test_as_a_decorator_inside_of_a_function():
    def f(x):
        @js.jit_scope()
        @js.jit_scope(lambda node: node.op == "exp")
        def inner(v, k=2.0):
            return np.exp(v) * k

        other = js.jit_scope(False)(js.jit_scope()(lambda v: np.sin(v)))
        return inner(x, k=3.0) + other(x)

    assert by_op(f, X) == {
        "exp": [(True, "jit_scope_0", False)],
        "multiply": [(False, "jit_scope_0", False)],
        "sin": [(True, "jit_scope_1", False)],
        "add": [(None, None, None)],
    }


def test_loops_branches_and_calls_carry_the_scope():
    def inner(x, i):
        if i > 1:
            return x + 1
        return x - 1

    def f(x, n):
        with js.jit_scope():
            for i in range(n):
                if x[i] > 0:
                    x = inner(x, i)
            while n > 0:
                n -= 1
        return x * 2

    found = by_op(f, X, 3)
    assert found.pop("multiply") == [(None, None, None)]
    assert {"for", "if", "while", "load", "add", "subtract", "py.sub", "call"} <= set(found)
    assert {mark for of_op in found.values() for mark in of_op} == {(True, "jit_scope_0", False)}


def test_a_region_node_has_the_marks_of_where_it_stands():
    def f(x, n):
        for i in range(n):
            with js.jit_scope():
                x = x + i
        return x

    found = by_op(f, X, 3)
    assert found["for"] == [(None, None, None)]
    assert found["add"] == [(True, "jit_scope_0", False)]


def test_numbers_are_unique_also_where_a_body_is_traced_again():
    def f(x, n):
        with js.jit_scope():
            a = x + 1
        s, k = 0, 0
        for i in range(n):
            with js.jit_scope():  # traced again, as s and k turn out to be floats
                s = s + x[i] * k
            with js.jit_scope():
                k = k + 0.5
        if s > 1:
            with js.jit_scope():
                a = a - 1
        else:
            with js.jit_scope():
                a = a / 2
        return a, s

    found = by_op(f, X, 3)
    numbers = [name for op in ("multiply", "subtract", "divide") for _, name, _ in found[op]]
    assert found["add"][0][1] == "jit_scope_0"
    assert numbers == ["jit_scope_1", "jit_scope_3", "jit_scope_4"]
    assert by_op(f, X, 3) == found


def test_a_return_inside_ends_the_scope():
    def f(x, n):
        with js.jit_scope():
            y = np.sin(x)
            if n > 1:
                return y
            y = np.cos(y)
        return np.tan(y)

    found = by_op(f, X, 2)
    assert found["sin"] == found["cos"] == found["if"] == [(True, "jit_scope_0", False)]
    assert found["tan"] == [(None, None, None)]


def test_arguments_of_the_run():
    @js.function(jit_level="off")
    def f(x, wanted, pick):
        with js.jit_scope(wanted):
            x = x + 1
        with js.jit_scope(compile_ops=pick):
            return np.sin(x) * 2

    def sines(node_def):
        return node_def.op == "sin"

    assert np.array_equal(f(X, True, sines), np.sin(X + 1) * 2)
    assert np.array_equal(f(X, False, sines), np.sin(X + 1) * 2)
    assert [len(s.clusters) for s in f.__jitscope__.specialisations] == [2, 1]


def test_each_thread_has_its_own_scopes(builder):
    seen, ready = [], threading.Barrier(2)

    def work():
        with building(Builder(node_hook=marks_of)) as mine:
            ready.wait()
            with jit_scope(False) as scope:
                ready.wait()
                seen.append((scope.name, marks(made(mine))))
                ready.wait()

    thread = threading.Thread(target=work)
    thread.start()
    ready.wait()
    with jit_scope() as scope:
        ready.wait()
        ready.wait()
        assert scope.name == "jit_scope_0"
        assert marks(made(builder)) == (True, "jit_scope_0", False)
    thread.join()
    assert seen == [("jit_scope_0", (False, "jit_scope_0", False))]


def test_two_threads_in_one_graph_get_two_numbers(builder):
    names = []

    def work():
        for _ in range(200):
            with jit_scope() as scope:
                names.append(scope.name)

    contexts = [contextvars.copy_context() for _ in range(4)]
    threads = [threading.Thread(target=context.run, args=(work,)) for context in contexts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(names)) == len(names) == 800


def test_a_scope_of_one_graph_means_nothing_in_another(builder):
    with jit_scope(), building(Builder(node_hook=marks_of)) as other:
        assert marks(made(other)) == (None, None, None)
        with jit_scope(False):
            assert marks(made(other)) == (False, "jit_scope_0", False)
        assert marks(made(builder)) == (None, None, None)


def forward(**attrs):
    return Node("exp", attrs=attrs)


MARKED = {"_JitCompile": True, "_JitScope": "jit_scope_3", "_JitSeparateCompiledGradients": False}


def test_gradients_are_in_the_scope_of_what_they_belong_to(builder):
    with gradient_scope(forward(**MARKED), "gradients"):
        assert marks(made(builder)) == (True, "jit_scope_3", False)
    with gradient_scope(forward(**{**MARKED, "_JitCompile": False}), "gradients"):
        assert marks(made(builder)) == (False, "jit_scope_3", False)


def test_separate_gradients_have_scopes_of_their_own_to_any_order(builder):
    node = forward(**{**MARKED, "_JitSeparateCompiledGradients": True})
    with gradient_scope(node, "mygrads2/sub/"):
        assert marks(made(builder)) == (True, "jit_scope_3_grad_mygrads2_sub", True)
    with gradient_scope(node, "g1"):
        first = made(builder)
    with gradient_scope(first, "g2"):
        assert marks(made(builder)) == (True, "jit_scope_3_grad_g1_grad_g2", True)


def test_gradients_of_unmarked_nodes_get_the_scope_around(builder):
    with gradient_scope(forward(), "gradients"):
        assert marks(made(builder)) == (None, None, None)
    with jit_scope(False), gradient_scope(forward(), "gradients") as scope:
        assert scope.name == "jit_scope_0"
        assert marks(made(builder)) == (False, "jit_scope_0", False)
        # A loop's pullback contains those of its body: theirs don't inherit from it.
        with gradient_scope(forward(**MARKED), "g"), gradient_scope(forward(), "g"):
            assert marks(made(builder)) == (False, "jit_scope_0", False)


def test_gradients_stand_on_the_device_of_what_they_belong_to(builder):
    with gradient_scope(forward(_Device="/device:GPU:0"), "gradients"):
        assert made(builder).attrs["_Device"] == "/device:GPU:0"
        with gradient_scope(forward(), "gradients"):
            assert made(builder).attrs["_Device"] == "/device:GPU:0"
    assert "_Device" not in made(builder).attrs


def test_what_a_node_says_itself_wins(builder):
    with jit_scope():
        builder.emit("py.neg", [literal(1.0)], [FLOAT], {"loop": ("float",), "_JitCompile": False})
    assert marks(builder.blocks[-1][-1]) == (False, "jit_scope_0", False)
