"""Records of operations: complete, and their kernel texts mean what NumPy and Python mean."""

from __future__ import annotations

import importlib
import operator

import numba
import numpy as np
import pytest

from jitscope.graph.ir.types import BOOL, COMPLEX, FLOAT, INT, Array, numpy_scalar
from jitscope.graph.ops import OPS, lookup
from jitscope.graph.ops.define import ELEMENTWISE, PYTHON, define
from jitscope.graph.ops.resolve import resolve_reduction, resolve_ufunc, resolve_where

DTYPES = ("bool", "int8", "uint64", "float32", "float64", "complex128")
# How far a kernel text may be from NumPy's own answer, in units in the last place: not NumPy's algorithms.
ULP = 4


def array(dtype, *shape):
    return Array(np.dtype(dtype), shape or (3,))


def test_define_names_the_missing_field():
    with pytest.raises(ValueError, match="'cube': doc is missing"):
        define("cube", ELEMENTWISE, "", evaluate=np.square)
    with pytest.raises(ValueError, match="'cube': samples is missing"):
        define("cube", ELEMENTWISE, "Third power.", evaluate=np.square, scalar="{0} * {0} * {0}")
    with pytest.raises(ValueError, match="'cube': kind 'cubic'"):
        define("cube", "cubic", "Third power.")
    with pytest.raises(ValueError, match="'cube': evaluate is missing"):
        define("cube", ELEMENTWISE, "Third power.")


def test_every_ufunc_of_one_result_has_a_record():
    names = [n for n in dir(np) if isinstance(getattr(np, n), np.ufunc)]
    ufuncs = [getattr(np, n) for n in names if getattr(np, n).nout == 1 and getattr(np, n).signature is None]
    assert [u.__name__ for u in ufuncs if lookup(u) is None] == []


def test_lookup_finds_what_users_write():
    assert lookup(np.abs) is OPS["absolute"]
    assert lookup(np.mod) is OPS["remainder"]
    assert lookup(np.sum) is lookup(np.add) or lookup(np.sum) is OPS["sum"]
    assert lookup(len) is None


@pytest.mark.parametrize(
    ("operands", "loop", "result"),
    [
        ((array("float32"), FLOAT), ("float32", "float32"), "float32"),
        ((array("uint8"), INT), ("uint8", "uint8"), "uint8"),
        ((array("int32"), array("float32")), ("float64", "float64"), "float64"),
        ((numpy_scalar("float32"), array("float64")), ("float64", "float64"), "float64"),
        ((INT, INT), ("int64", "int64"), "int64"),
        ((BOOL, array("int8")), ("int8", "int8"), "int8"),
        ((array("float32"), COMPLEX), ("complex64", "complex64"), "complex64"),
    ],
)
def test_python_numbers_are_weak(operands, loop, result):
    found = resolve_ufunc(np.add, operands)
    assert found.names == loop
    assert found.result == np.dtype(result)


def test_numpy_refuses_with_its_own_words():
    with pytest.raises(TypeError, match="numpy boolean subtract"):
        resolve_ufunc(np.subtract, (array("bool"), array("bool")))


def test_dtypes_of_where_and_reductions():
    assert resolve_where(array("float32"), FLOAT).result == np.float32
    assert resolve_reduction("sum", np.dtype("int32")).names == ("int64",)
    assert resolve_reduction("argmax", np.dtype("float32")).result == np.intp
    assert resolve_reduction("max", np.dtype("float32")).names == ("float32",)


def test_texts_are_chosen_by_the_loops_dtype():
    assert OPS["absolute"].text_for(("uint8",)) == "{0}"
    assert OPS["absolute"].text_for(("int8",)) == "abs({0})"
    assert OPS["reciprocal"].text_for(("float32",)) == "np.float32(1.0) / {0}"
    assert OPS["exp"].text_for(("complex128",)) == "complex_exp({0})"
    assert OPS["exp2"].text_for(("complex128",)) is None
    assert OPS["add"].text_for(("float16", "float16")) is None
    assert OPS["py.add"].text_for(("int", "int"), safe=True) == "{0} + {1}"
    assert OPS["py.add"].text_for(("float", "float"), safe=True) == "{0} + {1}"
    assert OPS["py.int"].text_for(("bool_",)) == "int({0})"


def has_import(op):
    for module, name in op.imports:
        if module != "math" and not hasattr(importlib.import_module(f"jitscope.codegen.{module}"), name):
            return False
    return True


@pytest.mark.parametrize("op", [op for op in OPS.values() if op.imports], ids=lambda op: op.name)
def test_imports_exist(op):
    assert has_import(op)


def kernel(op, text, count, result):
    """A loop over one-dimensional arrays that computes the text."""
    names = [f"x{k}[i]" for k in range(count)]
    scope = {"np": np}
    for module, name in op.imports_for(text):
        home = "math" if module == "math" else f"jitscope.codegen.{module}"
        scope[name] = getattr(importlib.import_module(home), name)
    lines = [
        f"def kernel({', '.join(f'x{k}' for k in range(count))}, out):",
        "    for i in range(out.size):",
        f"        out[i] = {text.format(*names)}",
    ]
    exec("\n".join(lines), scope)
    return numba.njit(error_model="numpy")(scope["kernel"])


def cases():
    """One case per text of each elementwise op with compiled forms, on the dtypes that have it."""
    for op in OPS.values():
        if op.kind != ELEMENTWISE or not isinstance(op.evaluate, np.ufunc) or op.scalar is None:
            continue
        seen = set()
        for dtype in DTYPES:
            try:
                found = resolve_ufunc(op.evaluate, (array(dtype),) * op.evaluate.nin)
            except TypeError:
                continue
            text = op.text_for(found.names)
            if text is None or found.names in seen:
                continue
            seen.add(found.names)
            yield pytest.param(op, found, text, id=f"{op.name}-{'-'.join(found.names)}")


@pytest.mark.parametrize(("op", "found", "text"), list(cases()))
def test_kernel_text_is_numpys_meaning(op, found, text):
    samples = next((s for s in op.samples if found.loop[0].kind in s.kinds), None)
    if samples is None:
        pytest.skip("no samples for this dtype")
    inputs = [samples.array(dtype, 64, seed) for seed, dtype in enumerate(found.loop)]
    if op.name == "power" and found.loop[0].kind == "i":
        inputs[1] = np.abs(inputs[1])
    with np.errstate(all="ignore"):
        expected = op.evaluate(*inputs)
    out = np.empty(64, found.result)
    kernel(op, text, len(inputs), found.result)(*inputs, out)
    assert expected.dtype == out.dtype
    if out.dtype.kind == "f":
        np.testing.assert_array_max_ulp(*(np.nan_to_num(a, nan=1.5) for a in (out, expected)), maxulp=ULP)
        np.testing.assert_array_equal(np.isnan(out), np.isnan(expected))
    elif out.dtype.kind == "c":
        np.testing.assert_allclose(out, expected, rtol=1e-14)
    else:
        np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("name", ["lt", "le", "eq", "ne", "gt", "ge"])
def test_python_operations_evaluate_as_python(name):
    op = OPS[f"py.{name}"]
    assert op.kind == PYTHON
    assert op.evaluate(2, 3) == getattr(operator, name)(2, 3)


@pytest.mark.parametrize(("op", "values"), [("py.min", (float("nan"), 1.0)), ("py.max", (1.0, float("nan")))])
def test_min_and_max_keep_the_first_operand_like_python(op, values):
    text = OPS[op].text_for(("float", "float"))
    found = eval(text.format("a", "b"), {"a": values[0], "b": values[1]})
    assert repr(found) == repr(OPS[op].evaluate(*values))
