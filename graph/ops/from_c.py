"""Functions of complex numbers that NumPy takes from the C library."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..ir.complex_loops import DTYPES, is_from_c

C_NAMES = {
    "exp": "cexp",
    "log": "clog",
    "sqrt": "csqrt",
    "sin": "csin",
    "cos": "ccos",
    "tan": "ctan",
    "sinh": "csinh",
    "cosh": "ccosh",
    "tanh": "ctanh",
    "arcsin": "casin",
    "arccos": "cacos",
    "arctan": "catan",
    "arcsinh": "casinh",
    "arccosh": "cacosh",
    "arctanh": "catanh",
}
"""NumPy's names of them, and the library's."""


def in_c(name: str) -> tuple[dict[str, str], tuple[tuple[str, str], ...]]:
    """The text and the import of a record for a function, if it is of `C_NAMES`."""
    if name not in C_NAMES:
        return {}, ()
    return {"c": f"complex_{name}({{0}})"}, (("complexmath", f"complex_{name}"),)


def is_in_c(name: str) -> Callable[[Sequence[str]], bool]:
    """A question for records: whether the C library has the function that NumPy calls `name`."""
    return lambda loop: loop[0] not in DTYPES or name in C_NAMES and is_from_c(name, C_NAMES[name], loop[0])
