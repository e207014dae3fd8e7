"""Ufuncs, called in the ways in which all of them can be, and their methods."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

_OPERATORS = {
    "np.absolute": "abs(a)",
    "np.add": "a + v",
    "np.bitwise_and": "a & v",
    "np.bitwise_or": "a | v",
    "np.bitwise_xor": "a ^ v",
    "np.divide": "a / v",
    "np.divmod": "divmod(a, v)",
    "np.equal": "a == v",
    "np.floor_divide": "a // v",
    "np.greater": "a > v",
    "np.greater_equal": "a >= v",
    "np.invert": "~a",
    "np.left_shift": "a << v",
    "np.less": "a < v",
    "np.less_equal": "a <= v",
    "np.matmul": "a @ s",
    "np.multiply": "a * v",
    "np.negative": "-a",
    "np.not_equal": "a != v",
    "np.positive": "+a",
    "np.power": "a ** 2",
    "np.remainder": "a % v",
    "np.right_shift": "a >> v",
    "np.subtract": "a - v",
}

_OWN = {
    "np.isnat": ("np.isnat(np.zeros(n, 'M8[s]'))", "np.isnat(a)"),
    "np.matmul": (
        "np.matmul(a, s)",
        "np.matmul(s, v)",
        "a @ v",
        "u @ a",
        "v @ w",
        "t @ s",
        "a @ b",
        "np.matmul(a, b.T)",
    ),
    "np.vecdot": ("np.vecdot(a, b)", "np.vecdot(a, v)", "np.vecdot(a, b, axis=0)", "np.vecdot(v, u)"),
    "np.matvec": ("np.matvec(a, v)", "np.matvec(t, v)", "np.matvec(a, u)"),
    "np.vecmat": ("np.vecmat(u, a)", "np.vecmat(u, t)", "np.vecmat(v, a)"),
}


def _of_one(name: str) -> Iterator[str]:
    yield f"{name}(a)"
    yield f"{name}(v[1:])"
    yield f"{name}(h)"
    yield f"{name}(a, out=c)"
    yield f"{name}(a, out=c, where=mask)"


def _of_two(name: str) -> Iterator[str]:
    yield f"{name}(a, v)"
    yield f"{name}(a, u[:, None])"
    yield f"{name}(h, v)"
    yield f"{name}(a, 2)"
    yield f"{name}(a, b, out=c)"
    yield f"{name}(a, b, where=vmask, out=c)"
    yield f"{name}(v, u)"


def _methods(name: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    yield f"{name}.reduce", (f"{name}.reduce(v)", f"{name}.reduce(a, axis=1)", f"{name}.reduce(a, axis=None)")
    yield f"{name}.accumulate", (f"{name}.accumulate(v)", f"{name}.accumulate(a, axis=1)")
    yield f"{name}.outer", (f"{name}.outer(u, v)", f"{name}.outer(v, 2)")
    yield f"{name}.at", (f"{name}.at(v, idx, w[0])", f"{name}.at(v, idx, 1)")
    yield f"{name}.reduceat", (f"{name}.reduceat(v, [0, 1])",)


_WITH_METHODS = (
    "np.add",
    "np.multiply",
    "np.subtract",
    "np.maximum",
    "np.minimum",
    "np.logical_and",
    "np.logical_or",
)
_WITH_METHODS += ("np.bitwise_or", "np.bitwise_xor", "np.hypot", "np.divide")


def _calls() -> Iterator[tuple[str, tuple[str, ...]]]:
    seen: dict[str, str] = {}
    for short in sorted(np.__all__):
        func, name = getattr(np, short, None), f"np.{short}"
        if not isinstance(func, np.ufunc):
            continue
        if func.__name__ != short and f"np.{func.__name__}" in seen:
            yield name, (f"{name}(a)" if func.nin == 1 else f"{name}(a, b)",)
            continue
        seen[name] = name
        operator = (_OPERATORS[name],) if name in _OPERATORS else ()
        if name in _OWN:
            yield name, _OWN[name]
        elif func.nout == 1:
            yield name, (*operator, *(_of_one(name) if func.nin == 1 else _of_two(name)))
        else:
            yield (
                name,
                (
                    *operator,
                    f"{name}(a)" if func.nin == 1 else f"{name}(a, v)",
                    f"{name}(h)[0]" if func.nin == 1 else f"{name}(h, 2)",
                ),
            )
    for name in _WITH_METHODS:
        yield from _methods(name)


CALLS: dict[str, tuple[str, ...]] = dict(_calls())
