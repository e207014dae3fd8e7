"""Reverse-mode differentiation, graph to graph: gradients are nodes like any other."""

from __future__ import annotations

from .activity import is_floating
from .api import gradients
from .errors import GradientError, NoGradient, NotFloating, WrongType
from .pullback import ReverseNode

__all__ = [
    "GradientError",
    "NoGradient",
    "NotFloating",
    "ReverseNode",
    "WrongType",
    "gradients",
    "is_floating",
]
