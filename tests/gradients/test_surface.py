"""Programs as users write them: value, gradients, structure and writes are those of the plain function."""

from __future__ import annotations

import copy
from collections import namedtuple
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numeric_gradients import gradient, leaves

import jitscope as js


@dataclass(frozen=True)
class Frozen:
    """A record that stays as it is."""

    w: Any
    scale: float = 3.0


X = np.array([0.5, 0.9, 1.3, 1.7, 2.2])
M = np.array([[0.7, 1.1, 0.4], [1.3, 0.9, 1.6], [0.8, 1.9, 1.2]])
MASK = np.array([True, False, True, True, False])

Pair = namedtuple("Pair", "w b")


@dataclass
class Layer:
    """A record with containers inside."""

    w: Any
    b: Any


def check(
    function: Callable[..., Any], *args: Any, argnums: tuple[int, ...] = (0,), tol: float = 1e-7
) -> Any:
    """Assert that `value_and_grad` of `function` is what plain calls say; return the gradients."""
    plain, own = copy.deepcopy(args), copy.deepcopy(args)
    value = function(*plain)
    derivative = js.value_and_grad(js.function(function, jit_level="off"), argnums)
    found, grads = derivative(*own)
    np.testing.assert_allclose(found, value, rtol=1e-12)
    for left, right in zip(leaves(own), leaves(plain), strict=True):
        np.testing.assert_allclose(left, right, rtol=1e-12)
    for argnum, grad in zip(argnums, grads, strict=True):
        for left, right in zip(leaves(grad), gradient(function, args, argnum), strict=True):
            np.testing.assert_allclose(left, right, rtol=tol, atol=tol)
    return grads


# Lists where NumPy takes arrays


def picked_by_lists(x):
    return np.sum(x[[0, 0, 2]] * np.array([1.0, 2.0, 3.0])) + np.sum(x[[True, False, True, False, True]] ** 2)


def picked_of_axes(m):
    return np.sum(m[:, [0, 2]] ** 2) + np.sum(m[[0, 2], [1, 1]] ** 3)


def picked_by_nonzero(m):
    rows, columns = np.nonzero(m > 1)
    return np.sum(m[rows, columns] ** 2) + np.sum(m[np.nonzero(m < 1)] ** 3)


def picked_by_made_indices(m):
    total = np.sum(m[np.diag_indices(3)] ** 3) * np.sum(m[np.tril_indices(3)] ** 2)
    total += np.sum(m[np.ix_([0, 2], m[0] > 0.5)] ** 2) + m[np.unravel_index(np.argmax(m), m.shape)] ** 2
    m[np.triu_indices(m.shape[0], 1)] *= 2
    m[np.ix_([0, 1], [2, 1])] += m[0, 0]
    return total + np.sum(m**2)


def written_by_lists(x):
    x[[0, 1]] = [x[2] * 2, x[3]]
    x[2:4] = [x[0], 7.0]
    x[[4, 3]] += 1.5 * x[0]
    return np.sum(x**2)


def rows_swapped(m):
    m[[0, 1]] = m[[1, 0]]
    return np.sum(m * np.arange(9.0).reshape(3, 3))


def operands(x):
    total = np.sum([1, 2, 3] * x[:3]) + np.sum(x[:3] / [1, 2, x[0]]) + np.sum((1, 2, 3) * x[:3])
    x += [1, 2, 3, 4, 5]
    return total + np.sum(x**2) + np.sum(np.maximum(x, [2, 2, 2, 2, 2]) * np.exp([x[0], 1, 2, 3, x[2]]))


def reductions(x):
    return (
        np.sum([x[0], x[1] ** 2])
        * np.mean([x[0], x[1] ** 2])
        * np.std([x[0], x[1], x[3]])
        * np.max([x[0], x[4]])
        * np.prod([x[1], 2.0])
        * np.linalg.norm([x[0], x[1]])
    )


def products(x):
    return (
        np.dot(x, [1, 2, 3, 4, 5])
        + np.dot([1, 2, 3, 4, 5], x)
        + np.inner([1, 2, 3, 4, 5.0], x)
        + np.vdot(x, [1, 2, 3, 4, 5])
        + np.sum(np.outer(x, [1, 2]) ** 2)
        + np.einsum("i,i", x, [1, 2, 3, 4, 5])
        + np.sum(np.kron([1, 2], x) ** 2)
        + np.sum(np.convolve(x, [1, 2, x[0]]) ** 2)
    )


def matrices(x):
    solved = np.linalg.solve([[2.0, x[0]], [0, 3]], x[:2])
    return np.linalg.det([[x[0], x[1]], [x[2] ** 2, 3.0]]) + np.sum(
        solved * np.linalg.inv([[x[0], 0], [1, 2.0]])
    )


def sorted_and_summed(x):
    return (
        np.sum(np.sort([x[3], x[1], x[2]]) * np.arange(3))
        + np.median([x[0], x[4], x[2]])
        + np.sum(np.cumsum([x[0], x[1]]) * np.cumprod([x[2], x[1]]))
    )


def joined(x):
    return (
        np.sum(np.concatenate([[x[0]], x[1:3], [2.0]]) ** 2)
        + np.append(x, [x[0] ** 2])[-1]
        + np.sum(np.hstack([x, [1.0], x[0]]) ** 2)
        + np.sum(np.stack([x, [1, 2, 3, 4, x[0]]]) ** 2)
        + np.sum(np.repeat([x[0], 1.0], 3) ** 2)
    )


def interpolated(x):
    return np.interp(x[0], [0, 1, 2], [x[1], x[2], x[3]]) + np.sum(
        np.interp([x[1], 0.3], [0, 1, 2], [3, 5, x[3]])
    )


def polynomials(x):
    return np.polyval([x[0], x[1], 2.0], x[3]) + np.polyval([1, 2], x)[0] + np.sum(np.polyval([x[0], 1.0], x))


def averaged(x):
    return np.average(x, weights=[1, 2, 3, 4, 5.0]) + np.average([x[0], x[1]], weights=[x[2], 1])


def chosen(x):
    return (
        np.sum(np.where([True, False, True, True, False], x, 2 * x))
        + np.sum(np.clip(x, [0.6] * 5, [1.5] * 5))
        + np.sum(np.take([1.0, x[0], 3], [1, 1, 2]))
    )


# Other forms of calls


def transforms_of_other_lengths(x):
    total = np.sum(np.abs(np.fft.fft(x, 3)) ** 2) + np.sum(np.abs(np.fft.fft(x, 8) * np.arange(8)) ** 2)
    total += np.sum(np.abs(np.fft.rfft(x, 4, norm="forward") * np.arange(3)) ** 2)
    for n in (6, 7, 8, 11):
        total += np.sum(np.fft.irfft(x, n) ** 2 * np.arange(n))
    return total


def transforms_of_stacks(m):
    stack = np.stack([m, m**2])
    return np.sum(np.abs(np.fft.fft2(stack) * stack) ** 2) + np.sum(np.abs(np.fft.ifft2(stack) - stack) ** 2)


def in_columns(m):
    weights = np.arange(9.0)
    flat = np.ravel(m, "F") * weights + np.reshape(m, 9, order="F") ** 2 * weights
    return np.sum(flat**2) + np.sum(np.reshape(m, (3, 3, 1), "F")[:, 0, 0] ** 3)


def correlated(x):
    total = np.correlate(x, x, "same")[0]
    for n in (2, 3, 4):
        total += np.sum(np.correlate(x[:n], x, "same") ** 2 * np.arange(5))
        total += np.sum(np.correlate(x, x[:n], "same") ** 2 * np.arange(5))
    return total


def chosen_by_lists(x):
    return np.sum(np.choose([0, 1, 0, 1, 1], [x, x**2]) ** 2) + np.choose([0, 1], [x[0], 2.0])[0]


def of_complex_numbers(x):
    z = x + 1j * x[::-1]
    return np.sum(np.abs(np.sinc(z)) ** 2 * np.arange(5))


def contracted_to_a_number(m):
    return np.tensordot(m, m**2) * np.sum(np.expand_dims(m, (0, 3)) * m[None, :, :, None])


def contracted_in_loops(x):
    for _ in range(2):
        y = x.copy()
        for _ in range(2):
            y[0] *= 0.4
            y = np.tensordot(y, x, 1) * y
        x = y
    return np.sum(x)


def numbers_as_arrays(x):
    for _ in range(2):
        x = x * np.dot(x, x)[...] + x[0][()]
        x = x * x[1:2][0][None]
    return np.sum(x)


# Where the result goes


def out_of_ufuncs(x):
    z = x * 3.0
    np.multiply(x, 2.0, out=z, dtype=np.float64)
    total = np.sum(z * z)
    np.power(x, 3.0, z, dtype=float)
    return total + np.sum(z * z)


def out_where(x):
    z = x**2
    np.multiply(x, x + 1, out=z, where=x > 1)
    np.divide(x, x - 0.9, out=z, where=x > 1)
    return np.sum(z * z)


def options_of_ufuncs(x):
    return np.sum(np.multiply(2.0, x, casting="same_kind", order="C") ** 2) + np.sum(
        np.power(2.0, x, dtype=float)
    )


def out_of_reductions(m):
    z, number = m[0] * 2, m[1, 1:2].reshape(())
    np.sum(m, axis=1, out=z)
    np.sum(m, out=number)
    total = number * number
    np.max(m, 0, z)
    np.dot(m, m[0], z)
    return total + np.sum(z * z)


def out_is_an_operand(x):
    y = x * 1.51
    np.cumsum(x, out=x)
    np.add(x, y, out=x, where=x > 1.5)
    np.multiply(x[1:], y[1:], out=x[:-1], where=y[1:] > 2)
    x.clip(0.6, 30.5, out=x)
    np.round(y, 1, out=y)
    np.floor(y[:2], out=x[3:])
    return np.sum(x**2 * np.arange(5)) + np.sum(y**2)


def written_by_functions(x):
    y = x * 1.5
    np.add.at(x, [0, 0, 1], y[:3])
    np.subtract.at(x, [0, 4], [y[0], 1.0])
    np.putmask(x, x > 1, y[0])
    np.putmask(y, y > 2, x)
    np.copyto(x, y[1], where=[True, False, False, False, False])
    return np.sum(x**2 * np.arange(5)) + np.sum(y**3)


def sums_of_some(x):
    return np.sum(x, where=x > 1) ** 2 * np.sum(x, initial=3.0) * np.add.reduce(x, where=MASK)


def full_of_rows(x):
    return np.sum(np.full((2, 5), x) * np.full((2, 5), x[0]))


# Lists that are filled in loops


def filled_by_length(x):
    out = []
    for k in range(len(x)):
        out.append(x[k] ** 2)
    return sum(out) * np.max(np.stack(out))


def comprehended(m):
    rows = np.array([row.sum() ** 2 for row in m])
    powers = np.stack([m * k for k in range(3)])
    return rows.prod() + np.sum(powers**2) + sum([v * v for v in m[0]])


def keywords(x, **options):
    power = options.pop("power", 2)
    return np.sum(x**power) * options.get("scale", 3.0) * sum(1.0 for _ in options.items())


def with_keywords(x):
    return keywords(x, power=3, scale=2.0) + keywords(x, other=1.0)


def records_made_inside(x):
    pair = Pair(x * 2, b=x[0])
    frozen = Frozen(pair.w * pair.b)
    weights, _ = Pair(frozen.w * frozen.scale, frozen)
    return np.sum(weights * pair[0]) * Frozen(x, 2.0).scale


def decorated_inside(x):
    def twice(f):
        return lambda y: 2 * f(y)

    @twice
    def inner(y):
        return y**2

    return np.sum(inner(x))


PROGRAMS = [
    (picked_by_lists, X),
    (picked_of_axes, M),
    (picked_by_nonzero, M),
    (picked_by_made_indices, M),
    (written_by_lists, X),
    (rows_swapped, M),
    (operands, X),
    (reductions, X),
    (products, X),
    (matrices, X),
    (sorted_and_summed, X),
    (joined, X),
    (interpolated, X),
    (polynomials, X),
    (averaged, X),
    (chosen, X),
    (transforms_of_other_lengths, X),
    (transforms_of_stacks, M),
    (in_columns, M),
    (correlated, X),
    (chosen_by_lists, X),
    (of_complex_numbers, X),
    (contracted_to_a_number, M),
    (contracted_in_loops, X),
    (numbers_as_arrays, X),
    (out_of_ufuncs, X),
    (out_where, X),
    (options_of_ufuncs, X),
    (out_of_reductions, M),
    (out_is_an_operand, X),
    (written_by_functions, X),
    (sums_of_some, X),
    (full_of_rows, X),
    (filled_by_length, X),
    (comprehended, M),
    (with_keywords, X),
    (records_made_inside, X),
    (decorated_inside, X),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program[0].__name__)
@pytest.mark.filterwarnings("ignore:divide by zero:RuntimeWarning")
def test_gradients_are_differences(program: tuple[Any, np.ndarray]):
    check(program[0], program[1])


@pytest.mark.parametrize(
    "shapes",
    [
        ((2, 1, 3, 4), (5, 4, 2)),
        ((3, 4), (5, 4, 2)),
        ((4,), (5, 4, 2)),
        ((2, 3, 4), (4,)),
        ((1, 3, 4), (5, 4, 2)),
    ],
)
def test_stacks_of_matrices_are_broadcast(shapes):
    rng = np.random.default_rng(3)
    left, right = (rng.uniform(0.5, 1.5, shape) for shape in shapes)
    check(lambda a, b: np.sum((a @ b) ** 2), left, right, argnums=(0, 1), tol=1e-6)


def test_masks_with_values_of_another_size_are_refused():
    def loss(x):
        np.putmask(x, x > 1, [x[0] * 2, 3.0])
        return np.sum(x**2)

    with pytest.raises(js.JitscopeError, match="isn't known in this form .with values of another shape"):
        js.grad(loss)(X.copy())


def test_slopes_at_coordinates_are_refused():
    with pytest.raises(js.JitscopeError, match="isn't known in this form .at coordinates"):
        js.grad(lambda x: np.sum(np.gradient(x, X) ** 2))(X)


# Arguments


def product(x, y):
    return np.sum(x * y**2)


@pytest.mark.parametrize("argnums", [(1, 1), (0, -2), (0, 1, 0)])
def test_an_argument_that_is_named_twice_has_its_gradient_twice(argnums):
    check(product, X, X + 1, argnums=argnums)


@pytest.mark.parametrize(
    "record",
    [
        Pair(X, [2.0, {"x": np.float64(3.0)}]),
        Layer(X, [2.0, {"x": np.float32(3.0)}]),
        Layer(X, (2.0, {"x": M})),
        [Layer(X, [1.5, {"x": 2.5}])],
    ],
)
def test_containers_inside_of_records_come_back(record):
    def loss(p):
        q = p[0] if isinstance(p, list) else p
        return np.sum(q.w**2) * q.b[0] * np.sum(q.b[1]["x"])

    (found,) = check(loss, record, tol=2e-3)
    one, like = (found[0], record[0]) if isinstance(record, list) else (found, record)
    assert type(one) is type(like) and type(one.b) is type(like.b) and type(one.b[1]) is dict
    assert type(one.b[0]) is float and type(one.b[1]["x"]) is type(like.b[1]["x"])


def test_a_list_that_is_returned_in_two_places_is_one():
    @js.function
    def doubled(x):
        items = [x]
        return {"a": items, "b": items}

    found = doubled(X)
    assert found["a"] is found["b"]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (np.longdouble(2), f"a number of type {np.dtype(np.longdouble).name}"),
        (np.ones(3, np.longdouble), f"an array of {np.dtype(np.longdouble).name}"),
        (np.ones(3, ">f8"), "an array of float64 in foreign byte order"),
        (np.array([1.0, 2.0], object), "an array of object"),
    ],
)
def test_numbers_of_other_kinds_are_refused_by_name(value, shown):
    with pytest.raises(TypeError, match=f"is {shown}, which holds no numbers"):
        js.grad(np_sum)(value)


def np_sum(x):
    return np.sum(x)


@pytest.mark.parametrize("x", [X, X + 1j])
def test_jacobians_of_complex_results_are_refused(x):
    with pytest.raises(TypeError, match="defined for real results, and this one is complex"):
        js.jacobian(lambda x: np.exp(1j * x))(x)


def test_derivative_of_a_complex_result_in_a_direction():
    found = js.jvp(lambda x: np.exp(1j * x), (X,), (np.ones(5),))[1]
    np.testing.assert_allclose(found, 1j * np.exp(1j * X), rtol=1e-14)


def test_arrays_without_axes_have_arrays_as_gradients_in_traces():
    @js.function(jit_level="off")
    def slopes(x, y):
        return js.gradients(x * y, [x, y])

    found = slopes(np.array(2.0), np.array(3.0, np.float32))
    assert [type(g) for g in found] == [np.ndarray, np.ndarray]
    assert [g.dtype.name for g in found] == ["float64", "float32"]


def test_an_argument_without_numbers_is_refused():
    class Net:
        """Its weights are out of sight."""

        weights = X

        def __call__(self, x):
            return np.sum(x * self.weights)

    with pytest.raises(TypeError, match="argument 'net' is a Net, which holds no numbers"):
        js.grad(lambda net, x: net(x))(Net(), X)
    with pytest.raises(TypeError, match="argument 'name' is a str, which holds no numbers"):
        js.grad(lambda name, x: np.sum(x))("name", X)


def test_hessians_for_records_with_containers():
    found = js.hessian(lambda p: np.sum(p.w**2) * p.b[0])(Layer(X[:2], [2.0]))
    assert type(found) is Layer and type(found.w) is Layer and type(found.b[0].b) is list
    np.testing.assert_allclose(found.w.w, 4 * np.eye(2))
    np.testing.assert_allclose(found.w.b[0], 2 * X[:2])
    np.testing.assert_allclose(found.b[0].w, 2 * X[:2])
    assert found.b[0].b == [0.0]


def test_exceptions_with_numbers_in_their_text():
    def loss(x):
        if x[0] < 1:
            raise ValueError("%.2f is too %s: {%d%%}" % (x[0], "small", len(x)))
        return np.sum(x**2)

    for level in ("off", "on"):
        gradient = js.grad(js.function(loss, jit_level=level))
        np.testing.assert_array_equal(gradient(X + 1), 2 * (X + 1))
        with pytest.raises(ValueError, match=r"^0.50 is too small: {5%}$"):
            gradient(X)


def test_arrays_in_containers_may_be_written_to():
    def loss(p):
        p["w"] *= 2
        p["b"][0] += p["w"]
        p["b"][0][1:] -= 1
        return np.sum(p["w"] ** 2 * p["b"][0])

    check(loss, {"w": X, "b": [X + 1]}, tol=1e-6)


def test_containers_that_are_changed_are_refused():
    def loss(p):
        p["w"] = p["w"] * 2
        return np.sum(p["w"])

    with pytest.raises(js.JitscopeError, match="it changes 'p', for which gradients are taken"):
        js.grad(loss)({"w": X})


def test_arrays_in_containers_that_share_memory():
    def loss(p):
        p[0][0] = p[1][1] * 2
        return np.sum(p[0] * p[1])

    array = X.copy()
    with pytest.raises(js.JitscopeError, match="shares memory with another argument"):
        js.grad(loss)([array, array])


def test_compiled_calls_with_out():
    def loss(x):
        z = np.zeros(5)
        np.multiply(x, 2.0, out=z, casting="unsafe")
        return np.sum(z * z)

    np.testing.assert_allclose(js.grad(loss)(X), 8 * X, rtol=1e-14)


# Gradients of one's own


def test_custom_gradient_as_a_decorator_inside_is_traced():
    def outer(x, w):
        w = js.stop_gradient(w)

        @js.custom_gradient
        def scaled(y):
            return y * w, lambda d: d * w * 10

        return np.sum(scaled(x))

    decorated = js.function(outer)
    assert decorated(X, 2.0) == np.sum(X * 2)
    assert not decorated.__jitscope__.plain_reasons
    np.testing.assert_array_equal(js.grad(outer)(X, 2.0), np.full(5, 20.0))


@pytest.mark.parametrize("argnums", [0, 1, (0, 1)])
def test_custom_gradient_of_what_is_read_elsewhere_is_refused(argnums):
    def outer(x, w):
        scale = w + x[0]

        @js.custom_gradient
        def scaled(y):
            return y * scale, lambda d: d * scale

        return np.sum(scaled(x))

    with pytest.raises(js.JitscopeError, match="it reads 'scale' from outside of its arguments"):
        js.grad(outer, argnums)(X, 2.0)


def test_custom_gradient_whose_rule_reads_elsewhere():
    def outer(x, w):
        factor = w * 3

        @js.custom_gradient
        def plain(y):
            return y * 2, lambda d: d * factor

        return np.sum(plain(x))

    first, second = js.grad(outer, (0, 1))(X, 2.0)
    np.testing.assert_array_equal(first, np.full(5, 6.0))
    assert second == 0.0
    assert js.grad(lambda w: js.grad(outer)(X, w)[0] ** 2)(2.0) == pytest.approx(2 * 6 * 3)


def test_a_rule_that_raises_raises_where_it_is_needed():
    @js.custom_gradient
    def unknown(x):
        def rule(d):
            raise NotImplementedError("no gradient of this")

        return x * 2, rule

    def use(x):
        return np.sum(unknown(x)) + 1

    assert js.function(use, jit_level="off")(X) == np.sum(X * 2) + 1
    with pytest.raises(js.JitscopeError, match="no gradient of this"):
        js.grad(use)(X)


# Values of a trace


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (np.ones(4), r"of type f64\[n1\], the y that it belongs to of f64\[n0\]"),
        (np.ones(5) * 1j, "is complex, the y that it belongs to is real"),
        ([1.0, 2.0], "2 grad_ys for 1 ys"),
    ],
)
def test_weights_that_do_not_fit(weights, message):
    @js.function(jit_level="off")
    def slopes(x, g):
        return js.gradients(x**2, x, grad_ys=g)

    with pytest.raises(ValueError, match=message):
        slopes(X, weights)


def test_a_constant_has_no_gradient():
    @js.function(jit_level="off")
    def slopes(x):
        return js.gradients(3.0, x), js.gradients([3.0, x], x, unconnected_gradients="zero")

    assert slopes(X)[0] == [None]
    np.testing.assert_array_equal(slopes(X)[1], [np.ones(5)])


def test_defaults_need_no_tangents():
    def scaled(x, k=2.0):
        return x * k

    np.testing.assert_array_equal(js.jvp(scaled, (X,), (X,))[1], X * 2)
    np.testing.assert_array_equal(js.jvp(scaled, (X, 3.0), (X, 1.0))[1], X * 3 + X)
    with pytest.raises(TypeError, match="primals is a tuple with one for each argument, not a ndarray"):
        js.jvp(scaled, X, X)
    with pytest.raises(TypeError, match="jvp of .*scaled: too many positional arguments"):
        js.jvp(scaled, (X, X, X), (X, X, X))
