"""Names of operations: numbers for names in use, nested and reopened scopes, one set of names per graph."""

import threading

import pytest

from jitscope.graph.trace.build import DEFAULT_GRAPH, Builder, building
from jitscope.graph.trace.naming import name_scope, open_name_scope, unique_name


@pytest.fixture
def graph():
    builder = Builder()
    with building(builder):
        yield builder


def test_a_name_in_use_gets_the_next_number(graph):
    assert [unique_name("MatMul") for _ in range(3)] == ["MatMul", "MatMul_1", "MatMul_2"]
    assert unique_name("add") == "add"


def test_a_number_that_somebody_took_by_hand_is_left_out(graph):
    assert [unique_name(n) for n in ("a", "a_1", "a", "a", "a_1")] == ["a", "a_1", "a_2", "a_3", "a_1_1"]


def test_names_differ_by_more_than_case(graph):
    assert [unique_name("Add"), unique_name("add")] == ["Add", "add_1"]


def test_scopes_nest_and_are_unique(graph):
    with name_scope("outer") as outer:
        assert outer == "outer/"
        with name_scope("inner") as inner:
            assert (inner, unique_name("add")) == ("outer/inner/", "outer/inner/add")
        with name_scope("inner") as again:
            assert again == "outer/inner_1/"
        assert unique_name("add") == "outer/add"
    with name_scope("outer") as second:
        assert second == "outer_1/"
    assert unique_name("outer") == "outer_2"


def test_a_slash_opens_a_scope_again_and_none_is_the_root(graph):
    with name_scope("a") as a:
        assert unique_name("x") == "a/x"
    with name_scope("b"):
        with name_scope(a) as again:
            assert (again, unique_name("x"), unique_name("y")) == ("a/", "a/x_1", "a/y")
        with name_scope(None) as root:
            assert (root, unique_name("y"), unique_name("a/")) == ("", "y", "a")


def test_the_scope_is_left_when_its_body_raises(graph):
    with pytest.raises(KeyError), name_scope("a"):
        raise KeyError
    assert open_name_scope() == ""


def test_a_scope_means_nothing_in_another_graph(graph):
    with name_scope("a"):
        with building(Builder()):
            assert (open_name_scope(), unique_name("x")) == ("", "x")
        assert unique_name("x") == "a/x"


def test_names_of_nodes_that_were_rolled_back_are_free_again(graph):
    unique_name("x")
    before = graph.snapshot()
    assert unique_name("x") == "x_1"
    graph.rollback(before)
    assert unique_name("x") == "x_1"


def test_the_default_graph_keeps_names_where_no_trace_runs():
    token = DEFAULT_GRAPH.set(Builder())
    try:
        assert [unique_name("x"), unique_name("x")] == ["x", "x_1"]
    finally:
        DEFAULT_GRAPH.reset(token)


def test_plain_code_has_scopes_but_no_names_in_use():
    with name_scope("a") as a:
        assert (a, unique_name("x"), unique_name("x")) == ("a/", "a/x", "a/x")


def test_threads_that_build_one_graph_have_scopes_of_their_own(graph):
    seen = []

    def work():
        with building(graph):
            seen.append((open_name_scope(), unique_name("x")))

    with name_scope("mine"):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert seen == [("", "x")]
