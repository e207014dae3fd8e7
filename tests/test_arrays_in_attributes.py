"""Attributes that hold arrays and are assigned: in loops, branches and methods, of one object or several."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from compiled import check_compiled, needs_compiler
from same import same

import jitscope as js


class Body:
    """Positions and speeds, as simulations have them."""

    def __init__(self, n=12, k=0):
        self.x = np.linspace(0.0, 1.0, n) + k
        self.v = np.ones(n)
        self.t = 0.0
        self.rest = None

    def step(self, dt):
        self.v = self.v - dt * self.x
        self.x = self.x + dt * self.v
        self.t += dt

    def run(self, n, dt):
        for _ in range(n):
            self.step(dt)
        return self.t


class Slotted:
    __slots__ = ("x", "m")

    def __init__(self):
        self.x, self.m = np.arange(5.0), 2.0


@dataclass
class State:
    x: np.ndarray
    m: float = 2.0


def behind_a_loop(o, n):
    x = o.x
    for k in range(n):
        x = x + o.t * k + 0.5
    o.x = x


def in_a_loop(o, n):
    for k in range(n):
        o.x = o.x * 0.5 + k
    return o.x.sum()


def by_methods(o, n):
    return o.run(n, 0.1), o.x[0]


def under_a_branch(o, n):
    for k in range(n):
        if o.x[0] > 0.7:
            o.x = o.x - 0.3
        else:
            o.x = o.x + 0.4
            o.v = o.v * 0.9
    return o.x[0] + o.v[1]


def while_it_is_small(o, n):
    k = 0
    while o.x.max() < n:
        o.x = o.x * 1.5 + 0.1
        k += 1
    return k


def returns_early(o, n):
    for k in range(n):
        o.x = o.x + 0.25
        if o.x[0] > 1.0:
            return k
        o.v = o.v + o.x
    return -1


def written_in_place_and_anew(o, n):
    for k in range(n):
        o.x += 0.5
        o.x = o.x * 0.5
        o.x[0] = k
        o.v[1:] -= o.x[:-1]
    return o.x.sum() + o.v.sum()


def the_old_array_stays(o, n):
    old = o.x
    for k in range(n):
        o.x = o.x + k
    old[0] = 7.0
    return old, o.x


def two_attributes_one_array(o, n):
    o.x = o.v
    for k in range(n):
        o.x[k % 3] += 1.0
    o.v = o.x
    return o.x is o.v


def exchanged(o, n):
    for _ in range(n):
        o.x, o.v = o.v, o.x
    o.x[0] = 5.0
    return o.x.sum() - o.v.sum()


def the_result_is_the_array(o, n):
    for k in range(n):
        o.x = o.x + k
    return o.x


def part_of_itself(o, n):
    for k in range(n):
        o.x = o.x + k
    o.v = o.x[2:5]
    o.v[0] = 9.0
    return o.x[2]


def shorter(o, n):
    for k in range(n):
        o.x = o.x * 1.01 + k
    o.x = o.x[1:]
    return o.x.size


PROGRAMS = (
    *(behind_a_loop, in_a_loop, by_methods, under_a_branch, while_it_is_small, returns_early),
    *(written_in_place_and_anew, the_old_array_stays, two_attributes_one_array, exchanged),
    *(the_result_is_the_array, part_of_itself, shorter),
)


@pytest.mark.parametrize("program", PROGRAMS)
def test_it_is_as_plain(program: Callable[..., Any]) -> None:
    for n in (0, 1, 4, 60):
        same(program, Body(), n)


@needs_compiler
@pytest.mark.parametrize(
    "program", [p for p in PROGRAMS if p not in (two_attributes_one_array, part_of_itself)]
)
def test_it_is_compiled(program: Callable[..., Any]) -> None:
    check_compiled(program, [(program, (Body(), 60))])


def two_objects(a, b, n):
    for k in range(n):
        a.x = a.x + 0.1 * b.x
        b.x = b.x - 0.1 * a.x
    return a.x[0], b.x[0]


def test_two_objects_and_one_object_twice() -> None:
    same(two_objects, Body(), Body(12, 2), 9)
    f = js.function(two_objects)
    f(Body(), Body(12, 2), 9)
    one, other = Body(), Body()
    assert f(one, one, 9) == two_objects(other, other, 9)
    np.testing.assert_array_equal(one.x, other.x)


def read_by_another_name(a, b, n):
    for k in range(n):
        a.x = a.x + 1.0
    return b.x[0], b.v[0]


def test_another_name_of_the_object_sees_it() -> None:
    f = js.function(read_by_another_name)
    same(read_by_another_name, Body(), Body(), 9)
    f(Body(), Body(), 9)
    one, other = Body(), Body()
    assert f(one, one, 9) == read_by_another_name(other, other, 9)


def inside_of_others(pair, n):
    for k in range(n):
        for o in pair:
            o.x = o.x + k
        pair[0].v = pair[1].x * 2.0
    return pair[0].v[0]


def test_objects_in_lists() -> None:
    same(inside_of_others, [Body(), Body(12, 1)], 7)
    one = Body()
    f, plain = js.function(inside_of_others), Body()
    f([Body(), Body()], 7)
    assert f([one, one], 7) == inside_of_others([plain, plain], 7)
    np.testing.assert_array_equal(one.x, plain.x)


class Outer:
    def __init__(self):
        self.inner, self.other = Body(), Body(12, 1)

    def run(self, n):
        for _ in range(n):
            self.inner.step(0.1)
            self.other.x = self.inner.x + self.other.x * 0.5
        return self.other.x[0]


def test_objects_in_objects() -> None:
    same(lambda o, n: o.run(n), Outer(), 8)


@pytest.mark.parametrize("make", [Slotted, lambda: State(np.arange(5.0))])
def test_slots_and_data_classes(make: Callable[[], Any]) -> None:
    def f(o, n):
        for k in range(n):
            o.x = o.x * 0.5 + o.m
        return o.x.sum()

    plain, first, second = make(), make(), make()
    decorated = js.function(f)
    assert f(plain, 30) == decorated(first, 30) == decorated(second, 30)
    np.testing.assert_array_equal(first.x, plain.x)
    np.testing.assert_array_equal(second.x, plain.x)


def raises_in_the_middle(o, n):
    for k in range(n):
        o.x = o.x + 1.0
        o.v[k] += o.x[0]


def raises_behind(o, n):
    for k in range(n):
        o.x = o.x + 1.0
    if o.x[0] > 3:
        raise ValueError(f"{n} is too much")


def caught(o, n):
    try:
        for k in range(n):
            o.x = o.x + 1.0
            o.v[k] += o.x[0]
    except IndexError:
        return o.x[0]
    return -1.0


@pytest.mark.parametrize("program", [raises_in_the_middle, raises_behind, caught])
def test_an_exception_leaves_what_was_assigned(program: Callable[..., Any]) -> None:
    same(program, Body(), 5)
    same(program, Body(), 20)


SEEN: list[Any] = []


def look(o):
    SEEN.append((o.x.sum(), o.t))


def looked_at_in_between(o, n):
    for k in range(n):
        o.x = o.x + 1.0
        o.t += 1.0
        if k % 5 == 0:
            SEEN.append((float(o.x.sum()), o.t))
            look(o)
    return list(SEEN)


def told_in_between(o, n):
    for k in range(n):
        o.x = o.x + 1.0
        if k % 5 == 0:
            print(k, o.x.sum(), vars(o)["t"], getattr(o, "x")[0])
    return o.x


def copied_in_between(o, n):
    import copy

    found = []
    for k in range(n):
        o.x = o.x + 1.0
        if k % 5 == 0:
            found.append(copy.copy(o).x[0])
    return found


@pytest.mark.parametrize("program", [looked_at_in_between, told_in_between, copied_in_between])
def test_who_looks_in_between_sees_it(program: Callable[..., Any]) -> None:
    from same import compare, decorate

    compare(program, decorate(program), (Body(), 12), reset=SEEN.clear)


class Watched(Body):
    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)
        object.__setattr__(self, "writes", getattr(self, "writes", 0) + 1)


class Computed(Body):
    @property
    def x(self):
        return self._x * 2.0

    @x.setter
    def x(self, value):
        self._x = value


class Lazy(Body):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return 3.0


@pytest.mark.parametrize("kind", [Watched, Computed, Lazy])
def test_code_that_runs_at_an_assignment(kind: type) -> None:
    same(in_a_loop, kind(), 6)
    f = js.function(in_a_loop)
    f(Body(), 6)
    one, other = kind(), kind()
    assert f(one, 6) == in_a_loop(other, 6)
    np.testing.assert_array_equal(one.x, other.x)


def test_what_an_attribute_holds_may_change_from_call_to_call() -> None:
    f = js.function(in_a_loop)
    for value in (
        np.arange(4.0),
        np.arange(4.0),
        np.float32([1, 2]),
        np.arange(6).reshape(2, 3),
        np.ones((2, 2))[:, ::2],
    ):
        one, other = Body(), Body()
        one.x, other.x = value.copy(), value.copy()
        assert f(one, 3) == in_a_loop(other, 3)
        assert one.x.dtype == other.x.dtype
        np.testing.assert_array_equal(one.x, other.x)
    one = Body()
    del one.x
    with pytest.raises(AttributeError, match="x"):
        f(one, 3)


def becomes_an_array(o, n):
    for k in range(n):
        o.rest = o.x * 0.5 if o.rest is None else o.rest + o.x
    return o.rest


def becomes_another_kind(o, n):
    for k in range(n):
        o.x = o.x * 2.0
    o.x = "done"
    return n


def becomes_wider(o, n):
    for k in range(n):
        o.x = np.append(o.x, k)
    return o.x.size


def changes_its_dtype(o, n):
    o.x = np.arange(5)
    for k in range(n):
        o.x = o.x * 1.5
    return o.x


@pytest.mark.parametrize(
    "program", [becomes_an_array, becomes_another_kind, becomes_wider, changes_its_dtype]
)
def test_what_an_attribute_holds_may_change_in_a_call(program: Callable[..., Any]) -> None:
    for n in (0, 1, 5):
        same(program, Body(), n)


def test_it_is_found_on_disk() -> None:
    first, again = js.function(by_methods), js.function(by_methods)
    one, other = Body(), Body()
    assert first(one, 5) == again(other, 5)
    np.testing.assert_array_equal(one.x, other.x)


def test_a_recursion_that_assigns() -> None:
    def descend(o, n):
        if n == 0:
            return 0.0
        o.x = o.x * 0.5 + n
        return o.x[0] + descend(o, n - 1)

    same(descend, Body(), 6)


GLOBAL = Body()


def of_a_global(n):
    for k in range(n):
        GLOBAL.x = GLOBAL.x + 1.0
    return GLOBAL.x.sum()


def test_an_object_that_is_a_global() -> None:
    def again():
        GLOBAL.__init__()

    from same import compare, decorate

    compare(of_a_global, decorate(of_a_global), (7,), reset=again)
