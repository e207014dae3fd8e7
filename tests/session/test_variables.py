"""Variables: values of a session, changed by what is fetched, in the order of the program's lines."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import jitscope as js


def ready(session=None):
    session = session or js.Session()
    session.run(js.global_variables_initializer())
    return session


def test_values_belong_to_the_session():
    w = js.Variable([1.0, 2.0], name="w")
    add = w.assign_add([1.0, 1.0])
    one, two = ready(), ready()
    assert one.run(add).tolist() == [2.0, 3.0]
    assert one.run(w).tolist() == [2.0, 3.0]
    assert two.run(w).tolist() == [1.0, 2.0]
    with pytest.raises(js.errors.FailedPreconditionError, match="uninitialized value 'w'"):
        js.Session().run(w * 2)
    assert issubclass(js.errors.FailedPreconditionError, RuntimeError)


def test_what_a_variable_looks_like(graph):
    w = js.Variable(np.zeros((3, 2), np.float32), name="w")
    assert repr(w) == "<js.Variable 'w:0' shape=(3, 2) dtype=float32>"
    assert (w.name, w.shape, w.ndim, len(w), w.dtype) == ("w:0", (3, 2), 2, 3, np.float32)
    assert (w.op.type, w.initializer.type, w.initializer.name) == ("Variable", "Assign", "w/Assign")
    assert graph.get_tensor_by_name("w:0").shape == (3, 2)
    assert w.assign_sub(np.ones((3, 2))).op.type == "AssignSub"
    assert w.value().op.type == "Identity"
    again = js.Variable(1, name="w")
    assert (again.name, again.dtype) == ("w_1:0", np.int64)
    quiet = js.Variable(1.0, trainable=False)
    assert [v.name for v in js.global_variables()] == ["w:0", "w_1:0", quiet.name]
    assert [v.name for v in js.trainable_variables()] == ["w:0", "w_1:0"]


def test_initial_values_may_be_computed():
    a = js.Variable([1.0, 2.0])
    b = js.Variable(a.initialized_value() * 2)
    session = js.Session()
    session.run(b.initializer)
    assert session.run(b).tolist() == [2.0, 4.0]
    with pytest.raises(ValueError, match="shape that is known"):
        js.Variable(js.placeholder(js.float64, [None]))


def test_reads_and_writes_keep_the_order_of_the_lines():
    w = js.Variable(1.0)
    before = w * 10
    first = w.assign(w + 1)
    between = w * 10
    second = w.assign(w * 3)
    after = w * 10
    session = ready()
    assert session.run([before, first, between, second, after, w]) == [10, 2, 20, 6, 60, 6]
    ready(session)
    assert session.run([after, between, before]) == [10, 10, 10]
    assert session.run([after, first]) == [20, 2]
    ready(session)
    assert session.run([between, second]) == [10, 3]
    assert session.run(w) == 3


def test_only_fetched_changes_are_made():
    w, v = js.Variable(0), js.Variable(0)
    add = w.assign_add(1)
    other = v.assign_add(1)
    uses = add * 2
    session = ready()
    assert session.run(w + v) == 0
    assert session.run([add.op, add]) == [None, 1]
    assert session.run(uses) == 4
    assert session.run([w, v]) == [2, 0]
    assert session.run(uses, {add: 10}) == 20
    assert session.run(w) == 2
    session.run(js.group(add, other.op))
    assert session.run((w, v)) == (3, 1)


def test_groups_and_control_dependencies():
    w = js.Variable(0.0)
    add = w.assign_add(1.0)
    with js.control_dependencies([add]):
        y = js.constant(3.0) * 2
        nothing = js.no_op()
        read = w.value()
    session = ready()
    assert session.run(y) == 6.0
    session.run(nothing)
    assert session.run(w) == 2.0
    assert session.run(read) == 3.0
    assert (nothing.type, js.group(add, name="all").name) == ("NoOp", "all")


def test_a_failed_run_changes_nothing():
    x = js.placeholder(js.float64, [None])
    w, v = js.Variable([1.0, 1.0]), js.Variable(0.0)
    both = js.group(v.assign_add(1.0), w.assign(np.sort(x)))
    session = ready()
    session.run(both, {x: [2.0, 1.0]})
    with pytest.raises(ValueError, match=r"shape \(3,\) to 'Variable:0', which has shape \(2,\)"):
        session.run(both, {x: [1.0, 2.0, 3.0]})
    with pytest.raises(ValueError, match="broadcast"):
        session.run(js.group(v.assign_add(1.0), w.assign_add(x)), {x: [1.0, 2.0, 3.0]})
    assert session.run([v, w])[0] == 1.0
    assert session.run(w).tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        ([1.0, 2.0, 3.0], ValueError, r"shape \(3,\) to 'w:0', which has shape \(2,\)"),
        (1.0, ValueError, "shape"),
        ([1j, 2j], TypeError, "from complex128 to float32"),
        (["a", "b"], TypeError, "numbers"),
    ],
)
def test_a_value_that_does_not_fit_is_an_error_at_once(value, error, text):
    w = js.Variable([0.0, 0.0], dtype=np.float32, name="w")
    with pytest.raises(error, match=text):
        w.assign(value)
    with pytest.raises(error, match=text):
        js.Session().load(w, value)


def test_values_take_the_dtype_of_the_variable():
    w = js.Variable(np.zeros(2, np.float32))
    n = js.Variable(np.zeros(2, np.uint8))
    x = js.placeholder(js.float64, [2])
    session = ready()
    assert session.run(w.assign(x), {x: [1.5, 2.5]}).dtype == np.float32
    assert session.run(w.assign_add(np.array([1.0, 1.0]))).dtype == np.float32
    assert session.run(n.assign([1, 255])).tolist() == [1, 255]
    with pytest.raises(TypeError, match="float64"):
        n.assign(x)
    scalar = js.Variable(0.0, dtype=js.float32)
    session.run(scalar.initializer)
    assert type(session.run(scalar.assign_add(1))) is np.float32
    scalar.load(2.5, session)
    w.load([7.0, 8.0], session)
    assert (scalar.eval(session), w.eval(session).tolist()) == (np.float32(2.5), [7.0, 8.0])


def test_arrays_of_any_layout_are_kept_in_c_order():
    x = js.placeholder(js.float64, [3, 2])
    w = js.Variable(np.zeros((2, 3)))
    step = w.assign(x.T)
    session = ready()
    fed = np.arange(6.0).reshape(3, 2)
    assert session.run([step, w.sum(axis=0)], {x: fed})[0].tolist() == fed.T.tolist()
    assert session.run(w).flags.c_contiguous
    assert session.run(w.ravel()).tolist() == fed.T.ravel().tolist()


def test_an_int_variable_counts_and_indexes():
    table = js.constant(np.arange(5) * 10)
    k = js.Variable(0)
    now = table[k]
    session = ready()
    step = k.assign_add(1)
    seen = [session.run([now, step.op])[0] for _ in range(5)]
    assert seen == [0, 10, 20, 30, 40]
    with pytest.raises(IndexError):
        session.run(now)


def test_threads_lose_no_update():
    w = js.Variable(np.zeros(3))
    x = js.placeholder(js.float64, [3])
    step = w.assign_add(x * 2 - x)
    session = ready()

    def work():
        for _ in range(200):
            session.run(step, {x: np.ones(3)})

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert session.run(w).tolist() == [800.0] * 3


def test_threads_make_plans_side_by_side():
    x = js.placeholder(js.float64)
    y = np.exp(x).sum()
    session = js.Session()
    results = {}

    def work(k):
        for n in range(10):
            array = np.full((n + 1,) * (k % 3 + 1), 0.5, np.float64, order="CF"[k % 2])
            results[k, n] = session.run(y, {x: array}) == np.exp(array).sum()

    threads = [threading.Thread(target=work, args=(k,)) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 60
    assert all(results.values())
