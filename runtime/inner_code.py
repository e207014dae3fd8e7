"""The code of a function out of that of the text that defines it."""

from __future__ import annotations

from types import CodeType


def inner_code(code: CodeType) -> CodeType:
    """The code of the first function that is defined in `code`."""
    return next(constant for constant in code.co_consts if isinstance(constant, CodeType))
