"""Attempts: what is traced on trial stays, or is taken back as if it had never been."""

from __future__ import annotations

import pytest

from jitscope.graph.ir.types import INT
from jitscope.graph.trace.attempt import Attempt, Restart
from jitscope.graph.trace.build import Builder


@pytest.fixture
def builder():
    return Builder()


def _make(builder, name="x"):
    return builder.emit("size", (), (INT,), {"size": 1}, names=(name,))[0].name


def test_what_is_not_given_up_stays(builder):
    with Attempt(builder):
        _make(builder)
    assert [node.results[0].name for node in builder.blocks[0]] == ["x"]


def test_what_is_given_up_leaves_no_nodes_and_no_names(builder):
    kept = _make(builder)
    with Attempt(builder) as trial, builder.region():
        assert _make(builder) == "x.1"
        trial.give_up()
    assert (builder.depth, [node.results[0].name for node in builder.blocks[0]]) == (0, [kept])
    assert _make(builder) == "x.1"


def test_the_rest_is_taken_back_after_the_nodes(builder):
    left = []
    with Attempt(builder, lambda: left.append(len(builder.blocks[0]))) as trial:
        _make(builder)
        trial.give_up()
    assert left == [0]


def test_an_outer_attempt_that_is_given_up_leaves_the_inner_one_too(builder):
    reached = []
    with Attempt(builder) as outer:
        _make(builder)
        with Attempt(builder):
            _make(builder)
            outer.give_up()
        reached.append("behind the inner one")
    assert (builder.blocks[0], reached) == ([], [])


@pytest.mark.parametrize("error", [Restart(), ValueError("no")])
def test_what_else_is_raised_passes_and_takes_nothing_back(builder, error):
    def fails():
        with Attempt(builder):
            _make(builder)
            raise error

    with pytest.raises(type(error)):
        fails()
    assert len(builder.blocks[0]) == 1
