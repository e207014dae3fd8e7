"""Runs: fetches and feeds of every kind, what is pruned, and the errors for what can't be run."""

from __future__ import annotations

from collections import OrderedDict, defaultdict, namedtuple
from dataclasses import InitVar, dataclass, field

import numpy as np
import pytest

import jitscope as js

Pair = namedtuple("Pair", "first second")


@dataclass
class Both:
    first: object
    second: object


@dataclass(frozen=True)
class Doubled:
    given: InitVar[object]
    first: object = field(init=False)

    def __post_init__(self, given):
        object.__setattr__(self, "first", [given, given])


def chain():
    x = js.placeholder(js.float32, [None, 2], name="x")
    y = js.add(x, 1, name="y")
    z = js.multiply(np.exp(y), 2, name="z")
    return x, y, z


FED = np.array([[1, 2], [3, 4], [5, 6]], np.float32)


def test_values_are_those_of_numpy():
    x, _, z = chain()
    with js.Session() as session:
        result = session.run(z, {x: FED})
    assert type(result) is np.ndarray
    assert result.dtype == np.float32
    assert result.tolist() == (np.exp(FED + 1) * 2).tolist()


def test_numbers_are_numpy_numbers():
    x, _, z = chain()
    result = js.Session().run([z.sum(), x.shape[0] * 2, np.argmax(x)], {x: FED})
    assert [type(value) for value in result] == [np.float32, int, np.int64]
    assert result[1] == 6


def test_fetches_keep_their_structure():
    x, y, z = chain()
    run = js.Session().run
    want_y, want_z = FED + 1, np.exp(FED + 1) * 2

    def check(found, wanted):
        assert type(found) is type(wanted)
        if isinstance(wanted, np.ndarray):
            assert np.array_equal(found, wanted)
        elif isinstance(wanted, dict):
            assert list(found) == list(wanted)
            for key in wanted:
                check(found[key], wanted[key])
        elif isinstance(wanted, Both):
            check((found.first, found.second), (wanted.first, wanted.second))
        elif wanted is not None:
            assert len(found) == len(wanted)
            for one, other in zip(found, wanted, strict=True):
                check(one, other)

    for structure, wanted in [
        (y, want_y),
        ([y], [want_y]),
        ((z, y), (want_z, want_y)),
        ([y, y, z], [want_y, want_y, want_z]),
        ({"b": [z], "a": ("y:0", {"c": y})}, {"b": [want_z], "a": (want_y, {"c": want_y})}),
        (Pair(y, [z, z]), Pair(want_y, [want_z, want_z])),
        (Both(z, Pair(y, y)), Both(want_z, Pair(want_y, want_y))),
        (OrderedDict(b=y, a=z), OrderedDict(b=want_y, a=want_z)),
        (defaultdict(list, k=y), defaultdict(list, k=want_y)),
        ([z.op, y, "z"], [None, want_y, None]),
        (z.op, None),
        ([], []),
        ({}, {}),
        ([[], y], [[], want_y]),
        ("z:0", want_z),
        ("z", None),
    ]:
        check(run(structure, {x: FED}), wanted)
        check(run(structure, {"x:0": FED}), wanted)


def test_data_classes_need_not_be_made_by_their_fields():
    x, y, _ = chain()
    found = js.Session().run(Doubled(y), {x: FED})
    assert type(found) is Doubled
    assert [value.tolist() for value in found.first] == [(FED + 1).tolist()] * 2


def test_only_what_is_needed_runs():
    x, y, z = chain()
    other = js.placeholder(js.float32, [None], name="other")
    unused = js.Variable(1.0) + np.log(other)
    session = js.Session()
    assert session.run(y, {x: FED}).tolist() == (FED + 1).tolist()
    assert "exp" not in session.to_code(y, {x: FED})
    assert session.run([z.op], {x: FED}) == [None]
    with pytest.raises(
        js.errors.InvalidArgumentError, match="placeholder 'other' with dtype float32 and shape"
    ):
        session.run(unused, {x: FED})


def test_any_symbol_can_be_fed_and_cuts_the_graph():
    x, y, z = chain()
    session = js.Session()
    assert session.run(z, {y: FED}).tolist() == (np.exp(FED) * 2).tolist()
    assert session.run([y, z], {y: FED})[0].tolist() == FED.tolist()
    assert session.run([y, z], {y: FED, x: FED})[1].tolist() == (np.exp(FED) * 2).tolist()
    assert session.run(y, {z: FED, x: FED}).tolist() == (FED + 1).tolist()
    c = js.constant([1.0, 2.0])
    assert session.run(c * 3, {c: [3.0, 4.0]}).tolist() == [9.0, 12.0]
    w = js.Variable([1.0, 2.0])
    assert session.run([w, w * 3], {w: [3.0, 4.0]})[1].tolist() == [9.0, 12.0]


def test_parts_of_a_result_are_fed_one_by_one():
    x = js.placeholder(js.float64, [None, None])
    rows, columns = np.nonzero(x)
    total = rows.sum() + 10 * columns.sum()
    session = js.Session()
    assert session.run(total, {x: [[0, 1], [1, 1.0]]}) == 22
    assert session.run(total, {x: [[0, 1], [1, 1.0]], rows: [0, 0]}) == 20
    assert session.run(total, {columns: [1], rows: [5]}) == 15


def test_a_placeholder_with_default_is_fed_or_not():
    rate = js.placeholder_with_default(0.5, [], name="rate")
    table = js.placeholder_with_default(np.ones((2, 2)), [None, None])
    session = js.Session()
    assert session.run(rate * 2) == 1.0
    assert session.run(rate * 2, {rate: 3}) == 6.0
    assert session.run(table.sum(axis=0)).tolist() == [2.0, 2.0]
    assert session.run(table.sum(axis=0), {table: [[1.0, 2.0, 3.0]]}).tolist() == [1.0, 2.0, 3.0]
    assert table.op.type == "PlaceholderWithDefault"
    with pytest.raises(ValueError, match="Cannot feed value of shape"):
        session.run(rate * 2, {rate: [1.0]})


# Feeds -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dtype", "value", "wanted"),
    [
        (np.float32, [1, 2], np.float32),
        (np.float32, [1.5, 2], np.float32),
        (np.float32, np.array([1.5]), np.float32),
        (np.float64, np.array([1], np.int8), np.float64),
        (np.int32, [1, 2], np.int32),
        (np.int32, np.array([1, 2]), np.int32),
        (np.uint8, [1, 255], np.uint8),
        (np.complex64, [1.0], np.complex64),
        (np.float64, np.array([1.0, 2.0], ">f8"), np.float64),
        (np.float64, np.arange(6.0)[::2], np.float64),
        (np.bool_, [True], np.bool_),
        (np.float64, (1, 2), np.float64),
        (np.float64, range(3), np.float64),
    ],
)
def test_feeds_are_cast_within_their_kind(dtype, value, wanted):
    x = js.placeholder(dtype, [None])
    result = js.Session().run(np.copy(x), {x: value})
    assert result.dtype == wanted
    assert result.tolist() == np.asarray(value).astype(wanted).tolist()


@pytest.mark.parametrize(
    ("dtype", "value", "error", "text"),
    [
        (np.int64, [1.5], TypeError, "from float64 to int64 according to the rule 'same_kind'"),
        (np.float64, [1j], TypeError, "from complex128 to float64"),
        (np.bool_, [1], TypeError, "from int64 to bool"),
        (np.int32, [2**40], OverflowError, "out of bounds"),
        (np.int32, np.array([2**40]), OverflowError, "don't fit int32"),
        (np.int8, np.array([-129], np.int16), OverflowError, "don't fit int8"),
        (np.uint8, [-1], OverflowError, "out of bounds"),
        (np.float64, ["a"], TypeError, "made of numbers, not of <U1"),
        (np.float64, [None], TypeError, "made of numbers, not of object"),
        (
            np.float64,
            1.0,
            ValueError,
            r"Cannot feed value of shape \(\) for 'Placeholder:0', which has shape \(\?,\)",
        ),
        (np.float64, [[1.0]], ValueError, r"Cannot feed value of shape \(1, 1\)"),
    ],
)
def test_nothing_is_cut_off_a_feed(dtype, value, error, text):
    x = js.placeholder(dtype, [None])
    with pytest.raises(error, match=text):
        js.Session().run(x + 1, {x: value})


def test_a_misfit_is_an_error_after_good_runs_too():
    x, _, z = chain()
    session = js.Session()
    for _ in range(2):
        session.run(z, {x: FED})
        with pytest.raises(
            ValueError, match=r"Cannot feed value of shape \(3, 3\) for 'x:0', which has shape \(\?, 2\)"
        ):
            session.run(z, {x: np.ones((3, 3), np.float32)})
        with pytest.raises(js.errors.InvalidArgumentError) as caught:
            session.run(z)
        assert str(caught.value).startswith(
            "You must feed a value for placeholder 'x' with dtype float32 and shape [?,2]"
        )
        with pytest.raises(TypeError, match="same_kind"):
            session.run(z, {x: np.ones((3, 2), complex)})
    assert isinstance(caught.value, ValueError)


def test_what_can_not_be_fetched_or_fed():
    x, _, z = chain()
    session = js.Session()
    with js.Graph().as_default():
        foreign = js.placeholder(js.float32, name="foreign")
    for fetches, feeds, error, text in [
        (foreign, {}, ValueError, "not an element of this graph"),
        (z, {foreign: 1}, ValueError, "not an element of this graph"),
        (z, {"nothing:0": 1}, TypeError, "Cannot interpret feed_dict key"),
        (z, {3: 1}, TypeError, "Cannot interpret feed_dict key"),
        (z, {z.op: 1}, TypeError, "is an operation"),
        (z, {x: x}, TypeError, "cannot be a symbol"),
        (z, {x: FED, "x:0": FED}, ValueError, "fed twice"),
        (3.0, {x: FED}, TypeError, "no symbol, operation, variable or name"),
        ([z, None], {x: FED}, TypeError, "None can't be fetched"),
        (
            "nothing:0",
            {x: FED},
            ValueError,
            "can't be fetched: The name 'nothing' refers to an Operation not",
        ),
        ({z}, {x: FED}, TypeError, "can't be fetched"),
        (z, [(x, FED)], TypeError, "feed_dict must be a dict"),
        (z, 3, TypeError, "feed_dict must be a dict"),
    ]:
        with pytest.raises(error, match=text):
            session.run(fetches, feeds)


def test_a_closed_session_runs_nothing():
    x, _, z = chain()
    session = js.Session()
    call = session.make_callable(z, [x])
    call(FED)
    session.run(z, {x: FED})
    session.close()
    for attempt in (lambda: session.run(z, {x: FED}), lambda: call(FED), lambda: session.run([])):
        with pytest.raises(RuntimeError, match="closed Session"):
            attempt()
    with js.Session() as other:
        pass
    with pytest.raises(RuntimeError, match="closed Session"), other:
        pass


def test_sessions_are_defaults_inside_of_with(graph):
    x, y, z = chain()
    with pytest.raises(ValueError, match="needs a session"):
        z.eval({x: FED})
    with js.Session() as session:
        assert js.get_default_session() is session
        assert z.eval({x: FED}).shape == (3, 2)
        assert y.op.run({x: FED}) is None
    assert js.get_default_session() is None
    assert z.eval({x: FED}, js.Session()).shape == (3, 2)
    other = js.Graph()
    with js.Session(graph=other) as session:
        assert js.get_default_graph() is other
        with pytest.raises(ValueError, match="another graph"):
            z.eval({x: FED})
    interactive = js.InteractiveSession()
    assert z.eval({x: FED}).shape == (3, 2)
    interactive.close()
    assert js.get_default_session() is None


def test_callables_take_their_feeds_in_order():
    x, y, z = chain()
    call = js.Session().make_callable([z, {"y": y}], [x])
    assert call(FED)[1]["y"].tolist() == (FED + 1).tolist()
    with pytest.raises(TypeError, match="1 values are to be fed, not 2"):
        call(FED, FED)
    assert js.Session().make_callable(js.constant(2.0) * 2)() == 4.0


def test_arguments_of_sessions_are_checked():
    with pytest.raises(ValueError, match="target"):
        js.Session("grpc://somewhere")
    with pytest.raises(TypeError, match="graph must be"):
        js.Session(graph=3)
    with pytest.raises(TypeError, match="config must be"):
        js.Session(config={})
    config = js.ConfigProto()
    with pytest.raises(AttributeError, match="global_jit"):
        config.graph_options.optimizer_options.global_jit = 1
    with pytest.raises(ValueError, match=r"OptimizerOptions\.ON_1"):
        config.graph_options.optimizer_options.global_jit_level = 7
    with pytest.raises(AttributeError, match="no field"):
        config.soft = True
    assert js.OptimizerOptions.DEFAULT == 0
    assert js.OptimizerOptions.OFF == -1
    config.graph_options.optimizer_options.opt_level = js.OptimizerOptions.L0
    assert js.ConfigProto(allow_soft_placement=True).allow_soft_placement


# Memory ----------------------------------------------------------------------------------------------------


def test_what_is_handed_out_is_nobody_elses_memory():
    c = js.constant([1.0, 2.0])
    w = js.Variable([1.0, 2.0])
    step = w.assign(c * 1.0)
    session = js.Session()
    session.run(js.global_variables_initializer())
    for fetch in (c, w, w.value(), c[:1], w[::-1], w.reshape(2, 1), step, (step, w), js.identity(step)):
        for array in session.run([fetch, fetch])[0] if type(fetch) is tuple else [session.run(fetch)]:
            array[...] = 77.0
    for part in session.run(np.array_split(c, 2)):
        part[...] = 77.0
    assert session.run([c, w, w.initial_value])[0].tolist() == [1.0, 2.0]
    assert session.run(w).tolist() == [1.0, 2.0]


def test_a_variable_keeps_no_array_of_the_users():
    x = js.placeholder(js.float64, [2])
    w, v = js.Variable([0.0, 0.0]), js.Variable([0.0, 0.0])
    both = js.group(w.assign(x), v.assign(w))
    session = js.Session()
    fed = np.array([1.0, 2.0])
    session.run(both, {x: fed})
    fed[...] = 5.0
    assert session.run([w, v])[0].tolist() == session.run(v).tolist() == [1.0, 2.0]
    session.run(w.assign_add([1.0, 1.0]))
    assert session.run(v).tolist() == [1.0, 2.0]


def test_views_of_what_is_fed_are_views():
    x = js.placeholder(js.float64, [None])
    fed = np.arange(4.0)
    session = js.Session()
    assert np.shares_memory(session.run(x[1:], {x: fed}), fed)
    assert session.run(x, {x: fed}) is fed


def test_a_feed_is_never_written():
    x = js.placeholder(js.float64, [None, 2])
    y = np.exp(x) * 2 + x
    fed = np.ones((3, 2))
    fed.flags.writeable = False
    level = js.ConfigProto()
    level.graph_options.optimizer_options.global_jit_level = js.OptimizerOptions.ON_1
    for config in (None, level):
        assert js.Session(config=config).run(y, {x: fed}).tolist() == (np.exp(fed) * 2 + fed).tolist()
