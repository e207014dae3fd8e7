"""The corpus: small plain functions with arguments, one file per theme."""

from __future__ import annotations

from . import (
    assignments,
    branches,
    builtin_functions,
    calls,
    containers,
    creation,
    errors,
    exits,
    indexing,
    kernels,
    loops,
    math_functions,
    objects,
    opaque,
    recipes,
    reductions,
    scalars,
    shapes,
    state,
    views,
    writing,
)
from .corpus import Program

_THEMES = (
    assignments,
    branches,
    loops,
    exits,
    containers,
    state,
    views,
    indexing,
    writing,
    calls,
    objects,
    reductions,
    shapes,
    creation,
    math_functions,
    scalars,
    builtin_functions,
    errors,
    opaque,
    kernels,
    recipes,
)
PROGRAMS: tuple[Program, ...] = tuple(program for module in _THEMES for program in module.theme.programs)
