"""The corpus: small plain functions with arguments, one file per theme."""

from __future__ import annotations

from . import assignments, branches, containers, exits, loops, state, views
from .corpus import Program

_THEMES = (assignments, branches, loops, exits, containers, state, views)
PROGRAMS: tuple[Program, ...] = tuple(program for module in _THEMES for program in module.theme.programs)
