"""What Numba finds for a call is found once for a function, and for no other."""

import numpy as np
import pytest
from numba import njit
from numba.core import types

from jitscope.codegen import known_calls
from jitscope.codegen.releasing import releasing


def sums(a, b):
    return a + b, (a + b) * a, (a - b) + a


@pytest.fixture
def asked(monkeypatch):
    """The types that Numba looks for itself: what it is asked for, less what is known."""
    known_calls._install()
    seen = []
    usual = types.BaseFunction.get_call_type

    def counted(self, context, args, kws):
        seen.append((self.typing_key, args))
        return usual(self, context, args, kws)

    monkeypatch.setattr(types.BaseFunction, "get_call_type", known_calls._once(counted))
    return seen


def test_equal_operations_of_a_function_are_looked_for_once(asked):
    kind = types.float64
    with releasing():
        found = njit((kind, kind))(sums)
    assert found(3.0, 2.0) == sums(3.0, 2.0)
    assert len(asked) == len(set(asked))
    njit((kind, kind))(sums)
    assert len(asked) > len(set(asked))


def test_each_function_has_the_code_for_its_own_flags():
    """A quotient is computed by code that was compiled with the flags of the function around it."""

    def ratio(a, b):
        return a / b + a / b, a // b

    with releasing():
        numpy_like = njit((types.float64,) * 2, error_model="numpy")(ratio)
        python_like = njit((types.float64,) * 2, error_model="python")(ratio)
        again = njit((types.float64,) * 2, error_model="numpy")(ratio)
    with np.errstate(all="ignore"):
        assert numpy_like(1.0, 0.0)[0] == again(1.0, 0.0)[0] == np.inf
    with pytest.raises(ZeroDivisionError):
        python_like(1.0, 0.0)


def test_literal_and_other_types_of_one_value_are_told_apart():
    def parts(t, i):
        return t[0], t[1], t[0] + i, i + 1, i + 1.0

    with releasing():
        found = njit((types.Tuple((types.int64, types.float64)), types.int64))(parts)
    assert found((1, 2.5), 3) == parts((1, 2.5), 3)
    assert list(map(type, found((1, 2.5), 3))) == list(map(type, parts((1, 2.5), 3)))
