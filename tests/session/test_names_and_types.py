"""What operations are called, whatever number of nodes computes them, and NumPy's calls of every kind."""

from __future__ import annotations

import numpy as np
import pytest

import jitscope as js

FED = np.arange(6.0).reshape(3, 2) + 1

CALLS = {
    "sort": lambda x: np.sort(x, axis=0),
    "take": lambda x: np.take(x, [1, 0], axis=1),
    "concatenate": lambda x: np.concatenate([x, np.ones((1, 2))]),
    "stack": lambda x: np.stack([x, x]),
    "vstack": lambda x: np.vstack([x, x[0]]),
    "cumsum": lambda x: np.cumsum(x),
    "getitem": lambda x: x[x > 2],
    "astype": lambda x: x.astype(np.uint32),
    "cast": lambda x: x.astype(np.float32),
    "add.accumulate": lambda x: np.add.accumulate(x, axis=0),
    "inv": lambda x: np.linalg.inv(x[:2]),
    "histogram": lambda x: np.histogram(x, bins=3)[0],
    "compress": lambda x: x.compress([True, False, True], axis=0),
    "searchsorted": lambda x: x[:, 0].searchsorted(2.5),
    "view": lambda x: x.view(np.int64),
}


@pytest.mark.parametrize("kind", CALLS)
def test_the_type_of_an_operation_is_numpys_name(kind):
    x = js.placeholder(js.float64, [None, 2])
    seen = []
    with js.jit_scope(lambda node_def: bool(seen.append(node_def.op))):
        y = CALLS[kind](x)
    if kind != "histogram":  # of which a part is fetched
        assert (y.op.type, y.op.name) == (kind, kind)
    assert kind in seen
    found, right = js.Session().run(y, {x: FED}), CALLS[kind](FED)
    assert type(found) is type(right)
    assert found.dtype == right.dtype
    assert np.array_equal(found, right)


def test_a_joined_array_has_the_name_that_it_is_given():
    x = js.placeholder(js.float64, [None, 2])
    joined = js.concat([x, x], 0, name="both")
    assert (joined.name, joined.op.type) == ("both:0", "concatenate")
    assert js.Session().run("both:0", {x: FED}).shape == (6, 2)


@pytest.mark.parametrize("name", ["svd", "qr", "eigh", "slogdet"])
def test_records_of_numpy_are_records_of_symbols(name):
    function = getattr(np.linalg, name)
    x = js.placeholder(js.float64, [None, 2])
    parts, right = function(x[:2]), function(FED[:2])
    assert type(parts) is type(right)
    first, second = parts[0], parts[1]
    found, doubled = js.Session().run([parts, second * 2], {x: FED})
    assert type(found) is type(right)
    assert all(map(np.array_equal, found, right))
    assert np.array_equal(doubled, right[1] * 2)
    assert first.op.type == name


def test_more_results_than_were_seen_without_a_rank_are_an_error():
    x = js.placeholder(js.float64)
    places = np.nonzero(x)
    session = js.Session()
    assert [p.tolist() for p in session.run(places, {x: np.eye(2)})] == [[0, 1], [0, 1]]
    with pytest.raises(ValueError, match="gives 3 values for what is fed, and gave 2"):
        session.run(places, {x: np.ones((1, 1, 1))})


def test_sizes_of_any_axis_of_what_has_no_rank():
    x = js.placeholder(js.float64)
    session = js.Session()
    for sizes in (js.shape(x), np.shape(x), x.shape):
        for shape in ((3,), (3, 2, 1), (1, 4)):
            assert session.run([x / sizes[0], sizes[0]], {x: np.ones(shape)})[1] == shape[0]
        assert session.run(sizes[2], {x: np.ones((3, 2, 1))}) == 1
        with pytest.raises(ValueError, match="give the placeholder a shape"):
            tuple(sizes)
        with pytest.raises(TypeError, match="the number of axes isn't known"):
            session.run(sizes, {x: np.ones(3)})
        with pytest.raises(IndexError, match="tuple index out of range"):
            session.run(sizes[2], {x: np.ones(3)})


def test_divmod_and_shapes_as_arguments():
    x = js.placeholder(js.float64, [None, 2])
    spread = np.broadcast_to(js.constant([1.0, 2.0]), x.shape)
    found = js.Session().run([*divmod(x, 4), *divmod(7, x), spread], {x: FED})
    for one, right in zip(
        found, [*divmod(FED, 4), *divmod(7, FED), np.tile([1.0, 2.0], (3, 1))], strict=True
    ):
        assert one.tolist() == right.tolist()


def test_shapes_are_fetched():
    x = js.placeholder(js.float64, [None, 2])
    session = js.Session()
    assert session.run(x.shape, {x: FED}) == (3, 2)
    assert session.run(x.shape[0], {x: FED}) == 3
    both = session.run({"a": js.shape(x + 1), "b": [x.shape[0], x.shape[0]]}, {x: FED[:1]})
    assert both == {"a": (1, 2), "b": [1, 1]}
    assert type(both["a"]) is tuple
    assert session.run(js.shape(js.constant(FED))) == (3, 2)


def test_new_arrays_of_sizes_that_only_the_run_knows():
    x = js.placeholder(js.float64, [None, 2])
    state = js.zeros([x.shape[0], 4], js.float32, name="state")
    assert (state.name, state.op.type, state.shape) == ("state:0", "zeros", (None, 4))
    session = js.Session()
    for rows in (3, 1, 0):
        found = session.run([state, js.ones((js.shape(x)[0],))], {x: np.ones((rows, 2))})
        assert [(f.shape, f.dtype.name) for f in found] == [((rows, 4), "float32"), ((rows,), "float64")]
    assert type(js.zeros((2, 3))) is np.ndarray
    with pytest.raises(TypeError, match=r"js\.zeros"):
        np.zeros((x.shape[0], 4))


def test_methods_whose_arguments_stand_otherwise_have_gradients():
    x = js.placeholder(js.float64, [None, 2])
    (found,) = js.gradients(x.compress([True, False, True], axis=0) ** 2, [x])
    assert js.Session().run(found, {x: FED}).tolist() == [[2.0, 4.0], [0.0, 0.0], [10.0, 12.0]]


def test_sizes_are_numbers_for_everything():
    x = js.placeholder(js.float64, [None, 2])
    size = js.shape(x)[0]
    v, w = js.Variable(0), js.Variable(size)
    session = js.Session()
    session.run([v.initializer, w.initializer], {x: FED})
    assert session.run([v.assign(size), w], {x: FED[:1]}) == [1, 3]
    for rows in (1, 3):
        found = session.run([js.cast(size, js.float32), x.sum() / size.astype(np.float64)], {x: FED[:rows]})
        assert [type(number) for number in found] == [np.float32, np.float64]
        assert found == [np.float32(rows), FED[:rows].sum() / rows]
    assert session.run(js.cast(x.size + size, js.float32), {x: FED}) == np.float32(9)
    assert (size.eval({x: FED}, session), size.dtype, size.shape) == (3, np.int64, ())
    with pytest.raises(TypeError, match="can't be fed"):
        session.run(x + 1, {x: FED, size: 3})
