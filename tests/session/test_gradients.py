"""Gradients as operations of an explicit graph: their values, marks and names, with feeds on the way."""

from __future__ import annotations

import numpy as np
import pytest

import jitscope as js

X = np.arange(6.0).reshape(2, 3) * 0.1
W = np.linspace(-1, 1, 6).reshape(3, 2)


def model():
    x = js.placeholder(js.float64, [None, 3], name="x")
    w = js.Variable(W, name="w")
    h = js.tanh(js.matmul(x, w), name="h")
    return x, w, h, js.reduce_sum(js.square(h), name="loss")


def ready():
    session = js.Session()
    session.run(js.global_variables_initializer())
    return session


def wanted(x, w):
    h = np.tanh(x @ w)
    back = 2 * h * (1 - h * h)
    return x.T @ back, back @ w.T


def test_gradients_of_variables_and_placeholders():
    x, w, _, loss = model()
    by_w, by_x = js.gradients(loss, [w, x])
    assert (by_w.shape, by_x.shape) == ((3, 2), (None, 3))
    session = ready()
    for array in (X, np.vstack([X, X]), X[:1]):
        for found, right in zip(session.run([by_w, by_x], {x: array}), wanted(array, W), strict=True):
            np.testing.assert_allclose(found, right, rtol=1e-13)


def test_a_fed_value_on_the_way_counts_forward_and_back():
    x, w, h, loss = model()
    by_w, by_h = js.gradients(loss, [w, h])
    fed = np.array([[0.5, 0.25], [0.125, 1.0]])
    session = ready()
    value, found = session.run([loss, by_w], {x: X, h: fed})
    assert value == np.square(fed).sum()
    np.testing.assert_allclose(found, X.T @ (2 * fed * (1 - fed * fed)), rtol=1e-13)
    assert session.run(by_h, {h: fed}).tolist() == (2 * fed).tolist()
    assert session.run(by_h, {h: np.asfortranarray(fed)}).tolist() == (2 * fed).tolist()
    assert session.run(by_h, {h: fed[:1]}).tolist() == (2 * fed[:1]).tolist()
    with pytest.raises(js.errors.InvalidArgumentError, match="placeholder 'x'"):
        session.run(by_w, {h: fed})


def test_symbols_inside_of_an_operation_can_be_fed():
    x = js.placeholder(js.float64, [None, 3])
    y = js.nn.softmax(x)
    (inside,) = [op.outputs[0] for op in y.graph.get_operations() if op.type == "exp"]
    total = [op.outputs[0] for op in y.graph.get_operations() if op.type == "sum"][0]
    session = js.Session()
    fed = np.array([[1.0, 2.0, 5.0]])
    assert session.run(y, {x: X[:1], inside: fed}).tolist() == (fed / 8).tolist()
    assert session.run(y, {x: X[:1], inside: fed, total: [[2.0]]}).tolist() == (fed / 2).tolist()
    assert session.run(y, {inside: fed}).tolist() == (fed / 8).tolist()
    np.testing.assert_allclose(session.run(inside, {x: X}), np.exp(X - X.max(axis=1, keepdims=True)))


def test_gradients_see_the_variable_that_the_loss_has_read():
    x, w, _, loss = model()
    (by_w,) = js.gradients(loss, [w])
    step = w.assign_sub(0.1 * by_w)
    later = js.reduce_sum(js.square(js.matmul(x, w)))
    (by_later,) = js.gradients(later, [w])
    session = ready()
    first, second = session.run([step, by_later], {x: X})
    np.testing.assert_allclose(first, W - 0.1 * wanted(X, W)[0], rtol=1e-13)
    np.testing.assert_allclose(second, 2 * X.T @ (X @ first), rtol=1e-13)
    np.testing.assert_allclose(session.run(by_later, {x: X}), 2 * X.T @ (X @ first), rtol=1e-13)


def test_a_second_gradient_after_an_update_is_that_of_the_loss():
    x, w, _, loss = model()
    train = js.train.GradientDescentOptimizer(0.1).minimize(loss)
    (by_w,) = js.gradients(loss, [w])
    session = ready()
    found = session.run([train, by_w], {x: X})[1]
    np.testing.assert_allclose(found, wanted(X, W)[0], rtol=1e-13)
    np.testing.assert_allclose(session.run(w), W - 0.1 * wanted(X, W)[0], rtol=1e-13)


def test_second_order():
    x = js.placeholder(js.float64, [None])
    (first,) = js.gradients(x**3, [x], name="one")
    (second,) = js.gradients(first, [x], name="two")
    fed = np.array([1.0, 2.0, -3.0])
    np.testing.assert_allclose(js.Session().run(second, {x: fed}), 6 * fed, rtol=1e-13)


def test_what_nothing_depends_on():
    x, y = js.placeholder(js.float64, [None]), js.placeholder(js.float64, [2])
    assert js.gradients(x * 2, [y]) == [None]
    (zero,) = js.gradients(x * 2, [y], unconnected_gradients="zero")
    assert js.Session().run(zero, {x: [1.0], y: [1.0, 2.0]}).tolist() == [0.0, 0.0]
    with pytest.raises(ValueError, match="No gradients provided"):
        js.train.GradientDescentOptimizer(0.1).apply_gradients([(None, js.Variable(1.0))])
    with pytest.raises(ValueError, match="No variables to optimize"):
        js.train.GradientDescentOptimizer(0.1).minimize(x, var_list=[])
    with pytest.raises(RuntimeError, match=r"js\.gradients works on values of a graph"):
        js.gradients(np.ones(2), [np.ones(2)])


def test_weights_and_stops():
    x = js.placeholder(js.float64, [None])
    y = x * x
    session = js.Session()
    weighted = js.gradients(y, [x], grad_ys=[js.constant([1.0, 10.0])])
    stopped = js.gradients(y * x, [x], stop_gradients=[y])
    constant = js.gradients(js.stop_gradient(y) * x, [x])
    assert session.run(weighted, {x: [3.0, 4.0]})[0].tolist() == [6.0, 80.0]
    assert session.run([stopped, constant], {x: [3.0, 4.0]})[1][0].tolist() == [9.0, 16.0]
    assert session.run(stopped, {x: [3.0, 4.0]})[0].tolist() == [9.0, 16.0]


def test_an_identity_is_a_value_of_its_own():
    x = js.placeholder(js.float64, [2])
    y = js.identity(x, name="y")
    by_x, by_y = js.gradients(x * y, [x, y])
    assert (y.op.type, y.name) == ("Identity", "y:0")
    fed = np.array([2.0, 3.0])
    assert [g.tolist() for g in js.Session().run([by_x, by_y], {x: fed})] == [[4.0, 6.0], [2.0, 3.0]]


def test_gradients_of_symbols_without_a_rank():
    x = js.placeholder(js.float64)
    (easy,) = js.gradients(np.exp(x) * 2, [x])
    (late,) = js.gradients(np.exp(x[:, :, :, 0]), [x])
    session = js.Session()
    np.testing.assert_allclose(session.run(easy, {x: X}), 2 * np.exp(X))
    deep = X.reshape(2, 3, 1, 1)
    np.testing.assert_allclose(session.run(late, {x: deep}), np.exp(deep))


@pytest.mark.parametrize("separate", [True, False])
def test_marks_and_names_of_gradients_are_there_before_the_run(graph, separate):
    a = js.placeholder(js.float64, [2, 2], name="a")
    b = js.placeholder(js.float64, [2, 2], name="b")
    with js.jit_scope(separate_compiled_gradients=separate):
        f = js.matmul(a, b)
    outside = js.gradients([f], [a, b], name="mygrads1")
    again = js.gradients([f], [a, b], name="mygrads1")
    products = [op for op in graph.get_operations() if op.type == "matmul" and op is not f.op]
    scopes = [op.get_attr("_JitScope") for op in products]
    assert [op.name.split("/")[0] for op in products] == ["mygrads1"] * 2 + ["mygrads1_1"] * 2
    ends = ["", "", "", ""]
    if separate:
        ends = ["_grad_mygrads1"] * 2 + ["_grad_mygrads1_1"] * 2
    assert scopes == ["jit_scope_0" + end for end in ends]
    session = js.Session()
    fed = {a: W[:2], b: W[1:]}
    clusters = session.clusters([f, outside, again], fed)
    where = {name: cluster for cluster, names in clusters.items() for name in names}
    assert where[f.op.name] in clusters
    apart = {where[op.name] for op in products} - {where[f.op.name]}
    assert len(apart) == (2 if separate else 0)
    ones = np.ones((2, 2))
    for found in session.run([outside, again], fed):
        np.testing.assert_allclose(found[0], ones @ W[1:].T)
        np.testing.assert_allclose(found[1], W[:2].T @ ones)


def test_gradients_of_names_that_differ_in_a_slash_are_apart():
    x = js.placeholder(js.float64, [None])
    with js.jit_scope(separate_compiled_gradients=True):
        y = np.sin(x) * x
    found = [js.gradients(y, [x], name=name)[0] for name in ("a/b", "a_b", "a_b", "a/b")]
    scopes = [symbol.op.get_attr("_JitScope") for symbol in found]
    assert scopes[:2] == ["jit_scope_0_grad_a_b", "jit_scope_0_grad_a_b_1"]
    assert len(set(scopes)) == 4
    assert len(js.Session().clusters(found, {x: np.ones(3)})) == 5


def test_the_zero_of_an_unconnected_number_can_be_fetched():
    with js.Graph().as_default():
        x, w = js.placeholder(np.float32, ()), js.placeholder(np.float64, (3,))
        zero, slope = js.gradients(np.sum(w), [x, w], unconnected_gradients="zero")
        found = js.Session().run([zero, slope], {x: 1.0, w: np.ones(3)})
    assert found[0] == 0.0
    assert found[0].dtype == np.float32
    np.testing.assert_array_equal(found[1], np.ones(3))
