"""What a type checker sees of a program that uses jitscope: `make lint` has mypy, as strict as can be, look.

pyright, with ``reportUnnecessaryTypeIgnoreComment``, finds no errors, either.

Nothing here runs. Each ``type: ignore`` names an error that has to be there: a needless one is an error, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, overload

import numpy as np
import numpy.typing as npt
from typing_extensions import assert_type

import jitscope as js
from jitscope import ArraySpec, JitscopeError, config, function, jit_scope

F64 = npt.NDArray[np.float64]
x: F64 = np.ones(3)

# Functions keep their parameters and their result.


@js.function
def scaled(x: F64, k: float = 2.0, *, shift: int = 0) -> F64:
    return x * k + shift


assert_type(scaled(x), F64)
assert_type(scaled(x, 1.0, shift=3), F64)
assert_type(scaled(x=x, k=1.0), F64)
assert_type(scaled.__name__, str)
scaled("a")  # type: ignore[arg-type]
scaled()  # type: ignore[call-arg]
scaled(x, 1.0, 2)  # type: ignore[call-arg]
scaled(x, shift="b")  # type: ignore[arg-type]


@js.function(strict=True, static_argnames="n", cache=False)
def counted(n: int) -> int:
    return n


assert_type(counted(3), int)
counted("a")  # type: ignore[arg-type]
js.function(stric=True)  # type: ignore[call-overload]
js.function(jit_level=3)  # type: ignore[call-overload]


@function(input_signature=[ArraySpec((None,), np.float64)], device="/cpu:0", allow_soft_placement=True)
def total(*values: float, **named: int) -> tuple[float, int]:
    return sum(values), sum(named.values())


assert_type(total(1.0, 2.0, a=3), tuple[float, int])
total("a")  # type: ignore[arg-type]
assert_type(js.function(len)([1]), int)
assert_type(js.function(lambda a: a + 1)(1), Any)

# Methods are methods, of whatever kind.


class Model:
    @js.function
    def step(self, x: float, n: int = 3) -> float:
        return x * n

    @js.function(strict=True)
    def other(self) -> str:
        return ""

    @staticmethod
    @js.function
    def still(a: int) -> int:
        return a

    @classmethod
    @js.function
    def made(cls, a: int) -> Model:
        return cls()

    @property
    @js.function
    def size(self) -> int:
        return 1

    @js.function
    def __call__(self, x: F64) -> F64:
        return x


m = Model()
assert_type(m.step(1.0), float)
assert_type(m.step(1.0, n=4), float)
assert_type(Model.step(m, 1.0), float)
assert_type(m.other(), str)
assert_type(m.still(1), int)
assert_type(Model.still(1), int)
assert_type(m.made(1), Model)
assert_type(Model.made(1), Model)
assert_type(m.size, int)
assert_type(m(x), F64)
assert_type(js.function(m)(x), F64)
m.step("x")  # type: ignore[arg-type]
m.step()  # type: ignore[call-arg]
Model.made("a")  # type: ignore[arg-type]

# Overloads stay overloads, generic functions generic.


@overload
def either(x: int) -> int: ...
@overload
def either(x: str) -> str: ...
@js.function
def either(x: int | str) -> int | str:
    return x


assert_type(either(1), int)
assert_type(either("a"), str)
either(1.5)  # type: ignore[call-overload]


@overload
def plain(x: int) -> int: ...
@overload
def plain(x: str) -> str: ...
def plain(x: int | str) -> int | str:
    return x


assert_type(js.function(plain)(1), int)
assert_type(js.function(plain)("a"), str)

# Derivatives take what the function takes.


@js.function
def loss(w: F64, b: float, *, scale: float = 1.0) -> float:
    return float((w * b).sum() * scale)


assert_type(js.grad(loss)(x, 1.0), Any)
assert_type(js.grad(loss, argnums=(0, 1))(x, 1.0, scale=2.0), Any)
assert_type(js.value_and_grad(loss)(x, 1.0), tuple[float, Any])
assert_type(js.value_and_grad(loss)(x, 1.0)[0], float)
assert_type(js.jacobian(scaled)(x, 1.0), Any)
assert_type(js.hessian(loss)(x, 1.0), Any)
slope = js.value_and_grad(loss)
assert_type(js.function(slope)(x, 1.0), tuple[float, Any])
assert_type(js.checkpoint(loss)(x, 1.0), float)
assert_type(js.stop_gradient(x), F64)
assert_type(js.stop_gradient(1.0), float)
assert_type(js.vjp(loss, x, 1.0), tuple[Any, ...])
js.grad(loss)("a", 1.0)  # type: ignore[arg-type]
js.grad(loss)(x)  # type: ignore[call-arg]
js.value_and_grad(loss)(x, 1.0, scal=2.0)  # type: ignore[call-arg]
js.grad(3)  # type: ignore[arg-type]


@js.custom_gradient
def log1pexp(x: float) -> tuple[float, Callable[[float], float]]:
    return x, lambda upstream: upstream


assert_type(log1pexp(1.0), float)
log1pexp("a")  # type: ignore[arg-type]

# What stands beside.

assert_type(js.to_code(scaled, x, stage="graph"), str)
assert_type(js.coverage(scaled, x).share, float)
assert_type(js.counters().traces, int)
assert_type(js.list_devices(), list[str])
assert_type(config.disable, bool)
assert_type(js.__version__, str)
with jit_scope(), js.device("/cpu:0"), js.name_scope("a"), js.trace(None) as traced:
    assert_type(traced.document["traceEvents"], Any)
try:
    scaled(x)
except JitscopeError as error:
    assert_type(error, JitscopeError)
