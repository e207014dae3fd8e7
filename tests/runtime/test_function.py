"""The decorated function: metadata, binding, dispatch, fallback."""

from __future__ import annotations

import inspect
import pickle
import threading
import traceback
from typing import Any

import numpy as np
import pytest
from handmade import FOUR, Handmade

import jitscope as js
from jitscope.autograph.traced import Unstageable
from jitscope.graph.ir.dims import symbol
from jitscope.graph.ir.nodes import Guard

ADD = "def add(a, b):\n    return 'compiled', a, b\n"


def add(a, b):
    return "plain", a, b


def which(result: Any) -> str:
    return result[0]


@js.function
def pickled(a, *, scale: float = 2.0):
    """Doc."""
    return a * scale


def test_metadata_and_pickling() -> None:
    assert pickled.__name__ == "pickled"
    assert pickled.__qualname__ == "pickled"
    assert pickled.__doc__ == "Doc."
    assert pickled.__module__ == __name__
    assert pickled.__kwdefaults__ == {"scale": 2.0}
    assert str(inspect.signature(pickled)).replace("'", "") == "(a, *, scale: float = 2.0)"
    assert inspect.isfunction(pickled)
    assert pickled.__wrapped__ is pickled.python_function


def test_pickles_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys
    import types

    module = types.ModuleType("holder")
    module.f = js.function(add)
    module.f.__module__, module.f.__qualname__ = "holder", "f"
    monkeypatch.setitem(sys.modules, "holder", module)
    assert pickle.loads(pickle.dumps(module.f)) is module.f


@pytest.mark.parametrize(
    "source",
    [
        "def f(): return ()",
        "def f(a, b=2): return a, b",
        "def f(a, /, b, *, c=3): return a, b, c",
        "def f(*args, **kw): return args, kw",
        "def f(a, *rest, b, **kw): return a, rest, b, kw",
        "def f(a, b, /): return a, b",
        "f = lambda a, b=1: (a, b)",
    ],
)
def test_binds_like_the_original(source: str, handmade: Handmade) -> None:
    space: dict[str, Any] = {}
    exec(source, space)
    plain = space["f"]
    handmade.plan(plain.__name__, "", refuse=Unstageable("no"))
    decorated = js.function(plain)
    for args, kwargs in (
        ((), {}),
        ((1,), {}),
        ((1, 2), {}),
        ((1,), {"b": 5}),
        ((1, 2), {"c": 1}),
        ((1, 2, 3), {"b": 1}),
    ):
        try:
            expected = plain(*args, **kwargs)
        except TypeError as fault:
            wanted = str(fault).partition("(")[2]
            with pytest.raises(TypeError) as found:
                decorated(*args, **kwargs)
            assert str(found.value).partition("(")[2] == wanted
        else:
            assert decorated(*args, **kwargs) == expected
            assert decorated(*args, **kwargs) == expected


def test_methods_bind(handmade: Handmade) -> None:
    handmade.plan("scaled", "def scaled(self, x):\n    return self.k * x\n")

    class Scale:
        k = 3

        @js.function
        def scaled(self, x):
            return self.k * x

    assert Scale().scaled(2) == 6
    assert Scale().scaled(2) == 6
    assert Scale.scaled(Scale(), 2) == 6


def test_static_and_class_methods(handmade: Handmade) -> None:
    handmade.plan("add", ADD)

    class Holder:
        both = js.function(staticmethod(add))

    assert which(Holder.both(1, 2)) == "compiled"


def test_decorates_functions_only() -> None:
    with pytest.raises(TypeError, match="decorates Python functions"):
        js.function(3)
    with pytest.raises(ValueError, match="no parameter 'x'"):
        js.function(add, static_argnames="x")
    with pytest.raises(ValueError, match="jit_level"):
        js.function(add, jit_level="high")


def test_one_specialisation_for_all_sizes(handmade: Handmade) -> None:
    plan = handmade.plan("add", ADD)
    f = js.function(add)
    for n in range(20):
        assert which(f(np.ones(n), np.ones(n + 1))) == "compiled"
    assert plan.traces == 1
    assert len(f.specializations) == 1


@pytest.mark.parametrize(
    "other",
    [
        np.ones(3, np.float32),
        np.ones((3, 3)),
        np.ones(6)[::2],
        np.ones(3, ">f8"),
        1.0,
        1,
        np.float64(1),
        True,
        None,
        "text",
        [1.0],
    ],
)
def test_kinds_of_arguments_are_told_apart(other: Any, handmade: Handmade) -> None:
    plan = handmade.plan("add", ADD)
    f = js.function(add)
    f(np.ones(3), 1)
    f(other, 1)
    assert plan.traces == 2
    f(other, 1)
    f(np.ones(3), 1)
    assert plan.traces == 2


def test_layouts_and_writeable_are_told_apart(handmade: Handmade) -> None:
    plan = handmade.plan("add", ADD)
    f = js.function(add)
    readonly = np.ones((3, 3))
    readonly.flags.writeable = False
    for a in (np.ones((3, 3)), np.asfortranarray(np.ones((3, 3))), np.ones((6, 6))[::2, ::2], readonly):
        f(a, 1)
    assert plan.traces == 4
    f(np.ones((9, 3))[3:6], 1)  # a view, but contiguous
    f(np.ones((1, 3)), 1)  # contiguous in both orders
    assert plan.traces == 4


class Sub(np.ndarray):
    pass


def unaligned() -> np.ndarray:
    return np.frombuffer(bytes(25), np.uint8)[1:].view(np.float64)


@pytest.mark.parametrize("odd", [np.ones(3).view(Sub), [np.matrix([1.0])], unaligned()])
def test_odd_arrays_run_plain(odd: Any, handmade: Handmade) -> None:
    plan = handmade.plan("add", ADD)
    f = js.function(add)
    assert which(f(odd, 1)) == which(f(odd, 1)) == "plain"
    assert plan.traces == 0
    assert which(f(np.ones(3), 1)) == "compiled"


def test_huge_ints_run_plain(handmade: Handmade) -> None:
    handmade.plan("add", ADD)
    f = js.function(add)
    assert which(f(1, 2)) == "compiled"
    assert which(f(2**63, 2)) == "plain"
    assert which(f(2**63 - 1, -(2**63) + 1)) == "compiled"


def test_small_int_guard(handmade: Handmade) -> None:
    handmade.plan("add", ADD, guards=(Guard("int64", "b"),))
    f = js.function(add)
    assert which(f(1, 2)) == "compiled"
    assert which(f(2**60, 2**46)) == "compiled"
    assert which(f(1, 2**47)) == "plain"


def test_size_guards_choose_the_specialisation(handmade: Handmade) -> None:
    plan = handmade.plan("add", ADD, guards=(Guard("equal", symbol("a_0"), symbol("b_0")),))
    f = js.function(add)
    f(np.ones(3), np.ones(3))
    f(np.ones(5), np.ones(5))
    assert plan.traces == 1
    plan.guards = (Guard("equal", symbol("b_0"), 1),)
    f(np.ones(3), np.ones(1))
    f(np.ones(7), np.ones(1))
    assert plan.traces == 2
    f(np.ones(4), np.ones(4))
    assert plan.traces == 2


def test_overlap_with_a_written_argument_runs_plain(handmade: Handmade) -> None:
    handmade.plan("add", ADD, writes=("a",))
    f = js.function(add)
    base = np.ones(10)
    assert which(f(base, base)) == "plain"
    assert which(f(base, base[2:])) == "plain"
    assert which(f(base[:5], base[5:])) == "compiled"
    assert which(f(base, base.copy())) == "compiled"
    assert len(f.specializations) == 1


def test_statics_choose_the_specialisation(handmade: Handmade) -> None:
    b = (("arg", "b"),)
    plan = handmade.plan("add", ADD, statics=((b, "equal"),), paths=((("arg", "a"),),), name="one")
    plan.text = "def one(a):\n    return 'compiled', a\n"
    f = js.function(add)
    for value in ("x", "y", "x", "y", "z"):
        assert which(f(1.0, value)) == "compiled"
    assert plan.traces == 3
    for value in (0.0, -0.0, 0.0):
        f(1.0, value)
    assert plan.traces == 5


def test_containers(handmade: Handmade) -> None:
    a = (("arg", "a"),)
    first = (*a, ("item", 0))
    text = "def one(x):\n    return 'compiled', x\n"
    plan = handmade.plan("add", text, name="one", statics=((a, "len"),), paths=(first,))
    f = js.function(add)
    assert f([np.ones(3), 2], 1)[1].shape == (3,)
    assert f([np.ones(4), 2], 1)[1].shape == (4,)
    assert plan.traces == 1
    f([1.0, 2], 1)
    f([np.ones(4)], 1)
    assert plan.traces == 3


def test_user_exceptions_are_the_plain_ones_and_not_kept(handmade: Handmade) -> None:
    plan = handmade.plan("add", ADD, refuse=ValueError("shapes"))

    def add(a, b):
        return "plain", np.add(a, b)

    f = js.function(add)
    for _ in range(2):
        with pytest.raises(ValueError, match="could not be broadcast"):
            f(np.ones(3), np.ones(4))
    assert plan.traces == 2
    plan.refuse = None
    assert which(f(np.ones(3), np.ones(3))) == "compiled"


def test_our_own_faults_are_kept(handmade: Handmade) -> None:
    plan = handmade.plan("add", ADD, refuse=AttributeError("a fault of ours"))
    f = js.function(add)
    assert which(f(1, 2)) == which(f(1, 2)) == "plain"
    assert plan.traces == 1
    assert "a fault of ours" in f.explain(1, 2)


@pytest.mark.parametrize(
    "text", ["def add(a, b:", "raise RuntimeError('no')", "import no_such_module", "x = 1"]
)
def test_failing_modules_run_plain(text: str, handmade: Handmade) -> None:
    handmade.plan("add", text)
    f = js.function(add)
    assert which(f(1, 2)) == which(f(1, 2)) == "plain"
    assert f.specializations[0].plain_reason


def test_verdicts_are_per_signature(handmade: Handmade) -> None:
    plan = handmade.plan("add", ADD, refuse=Unstageable("not with text"))
    f = js.function(add)
    before = js.config.counters.fallbacks
    assert which(f("x", 2)) == which(f("x", 2)) == "plain"
    assert js.config.counters.fallbacks == before + 1
    plan.refuse = None
    assert which(f("y", 2)) == "compiled"
    assert plan.traces == 2


def test_strict(handmade: Handmade) -> None:
    plan = handmade.plan("add", ADD, refuse=Unstageable("a generator"))
    f = js.function(add, strict=True)
    for _ in range(2):
        with pytest.raises(js.JitscopeError, match="add can't be compiled: a generator"):
            f(1, 2)
    plan.refuse = ValueError("perhaps the user's")
    with pytest.raises(js.JitscopeError, match="perhaps the user's"):
        f(1.0, 2)


def test_interrupts_propagate(handmade: Handmade) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    plan = handmade.plan("add", ADD, on_trace=interrupt)
    f = js.function(add)
    with pytest.raises(KeyboardInterrupt):
        f(1, 2)
    plan.on_trace = lambda: None
    assert which(f(1, 2)) == "compiled"


def test_globals_and_cells_are_read_again(handmade: Handmade) -> None:
    k = 1.0

    def add(a, b):
        return "plain", a + k

    def turn(value: Any) -> None:
        nonlocal k
        k = value

    path = (("name", "k"),)
    plan = handmade.plan(
        "add", "def add(a, k):\n    return 'compiled', a + k\n", paths=((("arg", "a"),), path)
    )
    f = js.function(add)
    assert f(1, 0) == ("compiled", 2.0)
    turn(5.0)
    assert f(1, 0) == ("compiled", 6.0)
    assert plan.traces == 1
    turn(5)
    assert f(1, 0) == ("compiled", 6)
    assert plan.traces == 2
    turn(2**70)
    assert f(1, 0) == ("plain", 2**70 + 1)


def test_helper_with_new_code_is_traced_again(handmade: Handmade) -> None:
    space: dict[str, Any] = {}
    exec("K = 1\ndef h(x):\n    return x\ndef add(a, b):\n    return 'plain', h(a)", space)
    helper = (("name", "h"),)
    text = "def add(a, k):\n    return 'compiled', k\n"
    plan = handmade.plan("add", text, helpers=(helper,), paths=((("arg", "a"),), (*helper, ("name", "K"))))
    f = js.function(space["add"])
    assert f(1, 2) == ("compiled", 1)
    space["K"] = 7
    assert f(1, 2) == ("compiled", 7)
    assert plan.traces == 1
    exec("def h(x):\n    return x + 1", space)
    f(1, 2)
    assert plan.traces == 2
    del space["h"]
    with pytest.raises(NameError):
        f(1, 2)


def test_deoptimised_call_starts_again_in_plain_python(handmade: Handmade) -> None:
    text = "from jitscope.codegen.faults import Deoptimise\ndef add(a, b):\n    raise Deoptimise('big')\n"
    handmade.plan("add", text)
    assert which(js.function(add)(1, 2)) == "plain"
    handmade.plan("add", text, writes=("a",))
    with pytest.raises(OverflowError, match="64 bits"):
        js.function(add)(np.ones(1), 2)
    handmade.plan("add", text, opaque=True)
    with pytest.raises(OverflowError):
        js.function(add)(1.0, 2)


def test_exceptions_of_pure_functions_are_the_plain_ones(handmade: Handmade) -> None:
    def add(a, b):
        return a[b]  # the user's line

    handmade.plan("add", "def add(a, b):\n    return a[b]\n")
    f = js.function(add)
    f(np.ones(3), 1)
    with pytest.raises(IndexError) as found:
        f(np.ones(3), 7)
    assert found.value.__context__ is None
    assert "the user's line" in "".join(traceback.format_exception(found.value))
    assert f(np.ones(3), 1) == 1.0


def test_faulty_code_is_retired(handmade: Handmade) -> None:
    plan = handmade.plan("add", "def add(a, b):\n    raise TypeError('no matching definition')\n")
    f = js.function(add)
    for _ in range(4):
        assert which(f(1, 2)) == "plain"
    assert plan.traces == 1
    assert "no matching definition" in f.specializations[0].plain_reason


def test_undefined_names_are_found_before_the_call(handmade: Handmade) -> None:
    handmade.plan("add", "def add(a, b):\n    return operator.add(a, b)\n", writes=("a",))
    f = js.function(add)
    assert which(f(np.ones(1), 2)) == "plain"
    assert "'operator'" in f.specializations[0].plain_reason


def test_shadowed_builtin_is_noticed(handmade: Handmade) -> None:
    space: dict[str, Any] = {}
    exec("def add(a, b):\n    return 'plain', abs(a)", space)
    plan = handmade.plan("add", ADD)
    f = js.function(space["add"])
    f(1, 2)
    space["abs"] = lambda x: "shadow"
    f(1, 2)
    assert plan.traces == 2


def test_threads_compile_once(handmade: Handmade) -> None:
    barrier = threading.Barrier(8)
    plan = handmade.plan("add", ADD)
    f = js.function(add)
    results = []

    def run() -> None:
        barrier.wait()
        results.append(which(f(1.0, 2)))

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == ["compiled"] * 8
    assert plan.traces == 1


def test_concrete_functions_and_specs(handmade: Handmade) -> None:
    plan = handmade.plan("add", ADD)
    f = js.function(add)
    concrete = f.get_concrete_function(js.ArraySpec((None, 3), np.float32), 1.0)
    assert concrete.signature == "a: f32[:,:], b: float"
    assert plan.traces == 1
    assert which(f(np.ones((5, 3), np.float32), 2.0)) == "compiled"
    assert plan.traces == 1
    assert concrete is f.specializations[0]


def test_input_signature(handmade: Handmade) -> None:
    handmade.plan("add", ADD)
    f = js.function(add, input_signature=[js.ArraySpec((None, 3)), 1.0])
    assert which(f(np.ones((4, 3)), 2.0)) == "compiled"
    for _ in range(2):
        with pytest.raises(TypeError, match=r"a: input_signature asks for float64\[None, 3\]"):
            f(np.ones((3, 4)), 2.0)
        with pytest.raises(TypeError, match="b: input_signature asks for float, the call has int"):
            f(np.ones((4, 3)), 2)
        assert which(f(np.ones((4, 3)), 2.0)) == "compiled"


def test_disabled_functions_run_plain(handmade: Handmade) -> None:
    plan = handmade.plan("add", ADD)
    f = js.function(add)
    f(1, 2)
    js.config.disable = True
    try:
        assert which(f(1, 2)) == which(f(1, 2)) == "plain"
    finally:
        js.config.disable = False
    assert which(f(1, 2)) == "compiled"
    assert plan.traces == 1


def test_scopes_are_inert_in_plain_runs(handmade: Handmade) -> None:
    def add(a, b):
        with js.jit_scope(compile_ops=False) as scope:
            return "plain", a, scope.name

    with pytest.raises(RuntimeError, match="Use it inside a function decorated with"):
        add(1, 2)
    handmade.plan("add", ADD, refuse=Unstageable("no"))
    f = js.function(add)
    assert which(f(1, 2)) == which(f(1, 2)) == "plain"


def test_level_is_part_of_the_specialisation(handmade: Handmade) -> None:
    plan = handmade.plan("add", ADD)
    f = js.function(add)
    f(1, 2)
    js.config.jit_level = "off"
    try:
        f(1, 2)
    finally:
        js.config.jit_level = "on"
    assert plan.traces == 2


def test_too_many_specialisations_run_plain(handmade: Handmade, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jitscope.runtime.function.MOST", 3)
    plan = handmade.plan("add", "def one():\n    return 'compiled',\n", name="one")
    plan.statics, plan.paths = (((("arg", "a"),), "equal"),), ((("arg", "b"),),)
    plan.text = "def one(b):\n    return 'compiled', b\n"
    f = js.function(add)
    assert [which(f(str(k), 1)) for k in range(5)] == ["compiled"] * 3 + ["plain"] * 2


def test_a_call_with_four_arrays(handmade: Handmade) -> None:
    def total(a, b, c, d):
        return a + b + c + d

    handmade.plan("total", FOUR, clusters=("cluster_0",))
    f = js.function(total)
    a = np.arange(4.0)
    for _ in range(3):
        np.testing.assert_array_equal(f(a, a, a, a), 4 * a)
    assert f.specializations[0].clusters == ("cluster_0",)


def test_a_verdict_is_kept_for_arguments_as_they_were_before_the_call() -> None:
    """A call that empties its lists is another kind of call afterwards: each one was traced again."""

    def moves(n, pegs):
        def move(k, a, b, c):
            if k == 0:
                return
            move(k - 1, a, c, b)
            pegs[b].append(pegs[a].pop())
            move(k - 1, c, b, a)

        move(n, 0, 2, 1)

    f = js.function(moves)
    f(4, [[4, 3, 2, 1], [], []])
    traces = js.config.counters.traces
    f(4, [[4, 3, 2, 1], [], []])
    assert js.config.counters.traces == traces
