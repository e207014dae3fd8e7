"""The operations by TensorFlow's names: on arrays, in decorated functions and in graphs they are NumPy's."""

from __future__ import annotations

import numpy as np
import pytest

import jitscope as js

A = np.array([[0.5, -1.5, 2.0], [3.0, 0.25, -0.75]])
B = np.array([[1.5, 2.0, 0.5], [0.25, 4.0, 1.0]])
M = np.linspace(-1, 1, 6).reshape(3, 2)

CASES = {
    "add": (lambda a, b, m: js.add(a, b), A + B),
    "subtract": (lambda a, b, m: js.subtract(a, b) + js.sub(a, b), 2 * (A - B)),
    "multiply": (lambda a, b, m: js.multiply(a, b) + js.mul(a, 1), A * B + A),
    "divide": (lambda a, b, m: js.divide(a, b) - js.div(b, a), A / B - B / A),
    "matmul": (lambda a, b, m: js.matmul(a, m), A @ M),
    "matmul_transposed": (
        lambda a, b, m: js.matmul(a, b, transpose_b=True) + js.matmul(a, b, transpose_a=True)[:2, :2],
        A @ B.T + (A.T @ B)[:2, :2],
    ),
    "elementwise": (
        lambda a, b, m: js.exp(a) + js.log(b) + js.tanh(a) + js.square(a) + js.sqrt(b) + js.negative(a),
        np.exp(A) + np.log(B) + np.tanh(A) + np.square(A) + np.sqrt(B) - A,
    ),
    "waves": (lambda a, b, m: js.sin(a) * js.cos(b) + js.abs(a), np.sin(A) * np.cos(B) + np.abs(A)),
    "sigmoid": (lambda a, b, m: js.sigmoid(a), 1 / (1 + np.exp(-A))),
    "reductions": (
        lambda a, b, m: js.reduce_sum(a, 1) + js.reduce_mean(a, axis=1) + js.reduce_max(a, [1]),
        A.sum(1) + A.mean(1) + A.max(1),
    ),
    "more_reductions": (
        lambda a, b, m: js.reduce_min(a, axis=0, keepdims=True) * js.reduce_prod(b),
        A.min(axis=0, keepdims=True) * B.prod(),
    ),
    "choices": (
        lambda a, b, m: js.where(js.greater(a, b), js.maximum(a, 1.0), js.minimum(b, 1.0)),
        np.where(A > B, np.maximum(A, 1.0), np.minimum(B, 1.0)),
    ),
    "comparisons": (
        lambda a, b, m: js.cast(js.equal(a, a), js.float64) + js.cast(js.less(a, b), js.float64),
        1.0 + (A < B),
    ),
    "logic": (
        lambda a, b, m: js.logical_and(js.not_equal(a, b), js.logical_not(js.logical_or(a > 9, b > 9))),
        np.ones((2, 3), bool),
    ),
    "shapes": (
        lambda a, b, m: js.reshape(js.transpose(a), [2, 3]) + js.squeeze(js.expand_dims(a, 1), [1]),
        A.T.reshape(2, 3) + A,
    ),
    "joining": (
        lambda a, b, m: js.concat([a, b], 0)[1:3] + js.stack([a, b])[:, 0],
        np.concatenate([A, B])[1:3] + np.stack([A, B])[:, 0],
    ),
    "places": (lambda a, b, m: js.argmax(a, 1) * 10 + js.argmin(a, axis=1), A.argmax(1) * 10 + A.argmin(1)),
    "whole_place": (lambda a, b, m: js.argmax(a) + 0 * js.argmin(b), A.argmax()),
    "powers": (lambda a, b, m: js.power(b, 3.0) + js.identity(a), B**3.0 + A),
    "likes": (lambda a, b, m: js.ones_like(a) - js.zeros_like(b), np.ones((2, 3))),
    "relu": (
        lambda a, b, m: js.nn.relu(a) + js.nn.tanh(a) + js.nn.sigmoid(a),
        np.maximum(A, 0) + np.tanh(A) + 1 / (1 + np.exp(-A)),
    ),
    "softmax": (lambda a, b, m: js.nn.softmax(a), np.exp(A) / np.exp(A).sum(axis=-1, keepdims=True)),
    "log_softmax": (lambda a, b, m: js.nn.log_softmax(a), A - np.log(np.exp(A).sum(axis=-1, keepdims=True))),
    "cross_entropy": (
        lambda a, b, m: js.nn.softmax_cross_entropy_with_logits(labels=b, logits=a),
        -(B * (A - np.log(np.exp(A).sum(axis=-1, keepdims=True)))).sum(axis=-1),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_on_arrays_and_in_graphs(case):
    function, wanted = CASES[case]
    plain = function(A, B, M)
    np.testing.assert_allclose(plain, wanted, rtol=1e-14)
    a, b = (js.placeholder(js.float64, [None, 3]) for _ in "ab")
    m = js.placeholder(js.float64, [3, 2])
    symbol = function(a, b, m)
    found = js.Session().run(symbol, {a: A, b: B, m: M})
    assert np.array_equal(found, plain)
    assert np.asarray(found).dtype == np.asarray(plain).dtype == symbol.dtype
    assert symbol.shape == tuple(
        None if known is None else size
        for known, size in zip(symbol.shape.as_list(), np.shape(plain), strict=True)
    )


def test_in_a_decorated_function():
    names = [name for name in CASES if name not in ("logic", "places")]

    def all_of_them(a, b, m):
        return tuple(CASES[name][0](a, b, m) for name in names)

    compiled = js.function(all_of_them)
    for found, right in zip(compiled(A, B, M), all_of_them(A, B, M), strict=True):
        np.testing.assert_allclose(found, right, rtol=1e-13)


def test_softmax_of_large_numbers():
    large = np.array([[1000.0, 1001.0, -1000.0]])
    with np.errstate(all="raise", under="ignore"):
        np.testing.assert_allclose(js.nn.softmax(large)[0, :2], [1 / (1 + np.e), np.e / (1 + np.e)])
        assert js.nn.softmax_cross_entropy_with_logits(labels=[[0, 0, 1.0]], logits=large)[0] > 2000
    with pytest.raises(TypeError, match="labels= and logits="):
        js.nn.softmax_cross_entropy_with_logits(large, None)
    x = js.placeholder(js.float64, [None, 3])
    (gradient,) = js.gradients(js.nn.softmax_cross_entropy_with_logits(labels=[[0, 1.0, 0]], logits=x), [x])
    found = js.Session().run(gradient, {x: large})
    np.testing.assert_allclose(found, js.nn.softmax(large) - [[0, 1, 0]], atol=1e-15)


def test_new_arrays_and_assignments_by_function():
    w = js.Variable(js.zeros([2, 2], js.float32))
    v = js.Variable(js.ones(3))
    session = js.Session()
    session.run(js.variables_initializer([w, v]))
    assert session.run(js.assign_add(w, [[1, 2], [3, 4]])).tolist() == [[1, 2], [3, 4]]
    assert session.run(js.assign_sub(v, v)).tolist() == [0, 0, 0]
    assert session.run(js.assign(v, [1.0, 2.0, 3.0])).tolist() == [1, 2, 3]
    rows, columns = js.shape(js.placeholder(js.float64, [None, 4], name="x"))
    assert columns == 4
    assert session.run(rows * 2, {"x:0": np.ones((3, 4))}) == 6
