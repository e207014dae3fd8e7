"""A recursion that plain Python finishes ends, by whatever way a function comes to itself."""

from __future__ import annotations

import inspect
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import jitscope as js
from jitscope.runtime import stack

X = np.arange(3.0)
SLACK = 90
"""What the first levels take more than plain Python's, before they are known to be levels."""


def with_a_loop(d: Any) -> Any:
    @d
    def tri(n):
        s = 0.0
        for i in range(3):
            s += i
        return s if n == 0 else s + tri(n - 1)

    return tri


def with_a_loop_unseen(d: Any) -> Any:
    class Space:
        f: Any

    @d
    def tri(n):
        s = 0.0
        for i in range(3):
            s += i
        return s if n == 0 else s + getattr(Space, "".join(["f"]))(n - 1)

    Space.f = staticmethod(tri)
    return tri


def by_name(d: Any) -> Any:
    @d
    def f(n, *, k=1):
        return 0 if n == 0 else k + f(n - 1)

    return f


def as_an_argument(d: Any) -> Any:
    @d
    def f(g, n):
        return 0 if n == 0 else 1 + g(g, n - 1)

    return lambda n: f(f, n)


def in_a_table(d: Any) -> Any:
    table: dict[str, Any] = {}

    @d
    def f(n):
        return 0 if n == 0 else 1 + table["f"](n - 1)

    table["f"] = f
    return f


def in_a_namespace(d: Any) -> Any:
    class Space:
        f: Any

    @d
    def f(n):
        return 0 if n == 0 else 1 + Space.f(n - 1)

    Space.f = staticmethod(f)
    return f


def on_arrays(d: Any) -> Any:
    table: dict[str, Any] = {}

    @d
    def f(x, n):
        s = 0.0
        for i in range(len(x)):
            s += x[i]
        return s if n == 0 else s + table["f"](x + 1, n - 1)

    table["f"] = f
    return lambda n: f(X, n)


def that_writes(d: Any) -> Any:
    table: dict[str, Any] = {}

    @d
    def f(x, xs, n):
        for i in range(len(x)):
            x[i] += 1.0
        xs.append(n)
        if n > 0:
            table["f"](x, xs, n - 1)
        return x.sum() + len(xs)

    table["f"] = f
    return lambda n: f(X.copy(), [], n)


def in_a_ring(d: Any) -> Any:
    @d
    def a(n):
        return 0 if n == 0 else 1 + b(n - 1)

    @d
    def b(n):
        return 0 if n == 0 else 1 + c(n - 1)

    @d
    def c(n):
        return 0 if n == 0 else 1 + e(n - 1)

    @d
    def e(n):
        return 0 if n == 0 else 1 + f(n - 1)

    @d
    def f(n):
        return 0 if n == 0 else 1 + a(n - 1)

    return a


def in_a_static_method(d: Any) -> Any:
    class S:
        @staticmethod
        @d
        def f(n):
            return 0 if n == 0 else 1 + S.f(n - 1)

    return S.f


def in_methods(d: Any) -> Any:
    class Other:
        @d
        def one(self, n):
            return 0 if n == 0 else 1 + self.other(n - 1)

        @d
        def other(self, n):
            return 0 if n == 0 else 1 + self.one(n - 1)

    return Other().one


def by_getattr(d: Any) -> Any:
    class Named:
        @d
        def f(self, n):
            return 0 if n == 0 else 1 + getattr(self, "".join(["f"]))(n - 1)

    return Named().f


def in_operators(d: Any) -> Any:
    class Own:
        @d
        def __add__(self, n):
            return 0 if n == 0 else 1 + self[n - 1]

        @d
        def __getitem__(self, n):
            return 0 if n == 0 else 1 + (self + (n - 1))

    return lambda n: Own() + n


def down_a_chain(read: Callable[[Any], Any], name: str, kind: Any = lambda f: f) -> Any:
    def make(d: Any) -> Any:
        class Node:
            def __init__(self, child):
                self.child = child

            @kind
            @d
            def depth(self):
                return 1 + (read(self.child) if self.child is not None else 0)

        setattr(Node, name, Node.depth)

        def of(n):
            node = None
            for _ in range(n):
                node = Node(node)
            return read(node)

        return of

    return make


FORMS: dict[str, Any] = {
    f.__name__: f
    for f in (
        with_a_loop,
        by_name,
        as_an_argument,
        in_a_table,
        in_a_namespace,
        on_arrays,
        that_writes,
        in_a_ring,
        in_a_static_method,
        in_methods,
        by_getattr,
        in_operators,
    )
}
PER_LEVEL = {"by another": 2, "as a property by another": 2}
FORMS["a chain's len"] = down_a_chain(len, "__len__")
FORMS["by another"] = down_a_chain(lambda node: node.depth(), "depth")
FORMS["as a property by another"] = down_a_chain(lambda node: node.depth, "depth", property)


@pytest.mark.parametrize("first", [0, 4, None], ids=["end first", "shallow first", "deep at once"])
@pytest.mark.parametrize("form", FORMS)
def test_a_recursion_that_plain_python_finishes_ends(form: str, first: int | None) -> None:
    def depth() -> int:
        return (sys.getrecursionlimit() - len(inspect.stack()) - SLACK) // PER_LEVEL.get(form, 1)

    plain, decorated = FORMS[form](lambda f: f), FORMS[form](js.function)
    if first is not None:
        assert decorated(first + 1) == plain(first + 1)
    for _ in range(3):
        assert decorated(depth()) == plain(depth())
    assert decorated(3) == plain(3)


def test_a_call_inside_of_another_is_no_recursion_yet() -> None:
    @js.function
    def total(f, x):
        return f(x) if callable(f) else sum(x[i] * i for i in range(len(x)))

    inner = lambda x: total(None, x)  # noqa: E731
    for _ in range(3):
        assert total(inner, X) == total(None, X)
    assert any(found.clusters for found in total.specializations)
    assert total.__code__.co_filename != __file__


def test_calls_of_several_threads_are_no_recursion() -> None:
    barrier, found = threading.Barrier(6), []

    @js.function
    def waits(box):
        box[0].wait(20)
        return len(box)

    def run() -> None:
        found.append([waits([barrier]) for _ in range(5)])

    threads = [threading.Thread(target=run) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [[1] * 5] * 6
    assert not waits.__jitscope__.levels.deep


def test_a_function_that_comes_to_itself_unseen_becomes_plain_where_it_is_deep_until_it_is_cleared() -> None:
    tri = with_a_loop_unseen(js.function)
    for n, is_plain in ((0, False), (12, False), (400, True), (3, True)):
        assert tri(n) == 3.0 * (n + 1)
        assert (tri.__code__.co_filename == __file__) is is_plain
    tri.clear()
    assert tri(3) == 12.0
    assert any(found.clusters for found in tri.specializations)


def test_an_endless_recursion_still_raises() -> None:
    table: dict[str, Any] = {}

    @js.function
    def f(n):
        return table["f"](n + 1)

    table["f"] = f
    for _ in range(2):
        with pytest.raises(RecursionError):
            f(0)


def test_what_several_calls_add_to_the_limit_is_taken_back_in_any_order() -> None:
    limit = sys.getrecursionlimit()
    first, second, third = stack.room_for_frames(6), stack.room_for_frames(7), stack.room_for_frames(8)
    try:
        for room in (first, second):
            room.__enter__()
        assert sys.getrecursionlimit() == limit + 13
        first.__exit__(None, None, None)
        assert sys.getrecursionlimit() == limit + 7
        sys.setrecursionlimit(limit + 100)  # the user's
        third.__enter__()
        second.__exit__(None, None, None)
        assert sys.getrecursionlimit() == limit + 108
        third.__exit__(None, None, None)
        assert sys.getrecursionlimit() == limit + 100
    finally:
        sys.setrecursionlimit(limit)


def test_what_a_thread_adds_to_the_limit_is_no_room_for_others() -> None:
    here = stack.calls_left()
    with ThreadPoolExecutor(1) as other:
        room = stack.room_for_frames(50)
        other.submit(room.__enter__).result()
        assert stack.calls_left() == here
        other.submit(room.__exit__, None, None, None).result()
    with stack.room_for_frames(50):
        assert stack.calls_left() == here + 50
