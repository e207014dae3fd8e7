"""Frames of ours that `warnings` and `logging` don't count, between the user's function and its caller."""

from __future__ import annotations

from types import CodeType, FunctionType
from typing import TypeVar

F = TypeVar("F")

SKIPPED = ", importlib._bootstrap"
"""In a file's name: `warnings` and `logging` take its frames for those of an import."""


def skipped(function: F) -> F:
    """`function`, whose frames and those of functions made in it aren't counted as callers."""
    assert isinstance(function, FunctionType)
    function.__code__ = _renamed(function.__code__)
    return function


def _renamed(code: CodeType) -> CodeType:
    inside = tuple(_renamed(value) if isinstance(value, CodeType) else value for value in code.co_consts)
    return code.replace(co_filename=f"{code.co_filename}{SKIPPED}", co_consts=inside)
