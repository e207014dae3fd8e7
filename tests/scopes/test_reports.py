"""What specialisations say about scopes, and the smallest cluster."""

from __future__ import annotations

import numpy as np
import pytest

import jitscope as js

X = np.linspace(0.5, 1.5, 4)


@pytest.fixture(autouse=True)
def default_size():
    yield
    js.config.min_cluster_size = None


def three(x):
    with js.jit_scope():
        y = np.partition(x[1:], 0)
        y = np.exp(y)
    with js.jit_scope(compile_ops=False):
        y = np.sin(y)
    return np.tan(y) + 1


def clusters(f, *args):
    """The clusters of the specialisation for `args`: scope and ops."""
    report = f.get_concrete_function(*args).report
    return [(c.scope, [node.op for node in c.nodes]) for c in report.members]


def test_members_of_clusters():
    f = js.function(three)
    assert clusters(f, X) == [("jit_scope_0", ["exp"]), (None, ["tan", "add"])]
    first, second = f.get_concrete_function(X).report.members
    assert (first.name, first.device, second.name) == ("cluster_0", "", "cluster_1")
    assert [(node.name, node.scope) for node in first.nodes] == [("y.1", "jit_scope_0")]
    assert [node.line.text.strip() for node in second.nodes] == ["return np.tan(y) + 1"] * 2
    assert clusters(js.function(three, jit_level="off"), X) == [("jit_scope_0", ["exp"])]


def test_members_are_kept_on_disk(tmp_path):
    js.config.cache_dir, before = tmp_path, js.config.cache_dir
    try:
        f = js.function(three)
        fresh = f.get_concrete_function(X).report
        f.clear()
        again = f.get_concrete_function(X)
        assert again.from_disk
        assert again.report == fresh
    finally:
        js.config.cache_dir = before


def test_explain_tells_what_became_of_marked_operations():
    text = js.function(three, jit_level="off").explain(X)
    assert "  cluster_0: compiled, in jit_scope_0\n" in text
    said = " ".join(text.split())
    assert "np.partition(x[1:], 0) has no compiled form here, though jit_scope_0 asks for it" in said
    assert "it only looks at memory, though jit_scope_0 asks for it" in text
    assert "its scope says compile_ops=False\n" in text
    assert "jit_level is off and it stands in no jit_scope\n" in text


def chain(x):
    return np.exp(np.sin(x) * 2)[1:]


def test_the_smallest_cluster():
    f = js.function(chain)
    assert [ops for _, ops in clusters(f, X)] == [["sin", "multiply", "exp"]]
    js.config.min_cluster_size = 4
    assert clusters(f, X) == []
    assert np.array_equal(f(X), chain(X))
    js.config.min_cluster_size = 3
    assert [ops for _, ops in clusters(f, X)] == [["sin", "multiply", "exp"]]
    js.config.min_cluster_size = 1
    assert [ops for _, ops in clusters(js.function(lambda x: np.exp(x)), X)] == [["exp"]]
    js.config.min_cluster_size = None
    assert clusters(js.function(lambda x: np.exp(x)), X) == []
    for wrong in (0, 2.0, True, "4"):
        with pytest.raises(ValueError, match="min_cluster_size is None or an int"):
            js.config.min_cluster_size = wrong


def test_marked_operations_are_never_too_few():
    js.config.min_cluster_size = 1000

    @js.function
    def f(x, k):
        with js.jit_scope():
            x = x.copy()
        with js.jit_scope():
            k = k * 2
        total = 0.0
        for value in x:
            total += value
        return x, k, total

    assert clusters(f, X, 3.0)[0] == (None, ["copy", "py.mul", "size", "for", "load", "add"])
    js.config.jit_level = "off"
    try:
        assert clusters(f, X, 3.0) == [("jit_scope_0", ["copy"]), ("jit_scope_1", ["py.mul"])]
        assert type(f(X, 3.0)[1]) is float
        assert f(X, 3.0)[1:] == (6.0, sum(X))
    finally:
        js.config.jit_level = "on"
