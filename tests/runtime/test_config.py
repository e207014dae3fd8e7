"""`config.set`: fields that are something else inside a block."""

from __future__ import annotations

import numpy as np
import pytest

import jitscope as js
from jitscope.runtime.config import FIELDS, Config, config


def test_fields_are_what_they_were_afterwards() -> None:
    before = {name: getattr(config, name) for name in FIELDS}
    with config.set(jit_level="off", cache_dir="", cache_limit="1 MB", disable=True, log="trace") as inside:
        assert inside is config
        assert (config.jit_level, config.cache_dir, config.cache_limit) == ("off", "", 10**6)
        assert config.disable
        assert config.log == {"trace"}
    assert {name: getattr(config, name) for name in FIELDS} == before


def test_they_are_after_an_exception_too() -> None:
    with pytest.raises(KeyError), config.set(disable=True):
        raise KeyError
    assert not config.disable


def test_what_can_not_be_set_changes_nothing() -> None:
    with pytest.raises(TypeError, match="config has no field 'disabled'; there are jit_level, "):
        with config.set(disabled=True):
            pass
    with pytest.raises(ValueError, match="jit_level is 'on' or 'off'"):
        with config.set(disable=True, jit_level="high"):
            pass
    assert not config.disable
    assert config.jit_level == "on"


def test_calls_inside_run_as_it_says() -> None:
    @js.function
    def f(x):
        return np.sin(x) * 2.0 + x

    x = np.linspace(0, 1, 100)
    with js.config.set(disable=True):
        np.testing.assert_array_equal(f(x), np.sin(x) * 2.0 + x)
        assert not f.specializations
    f(x)
    assert f.specializations


def test_every_field_is_one_of_the_table() -> None:
    table = config.__class__.__module__
    text = __import__(table, fromlist=["x"]).__doc__
    assert all(f"| `{name}` |" in text for name in FIELDS)
    assert all(hasattr(Config({}), name) for name in FIELDS)
