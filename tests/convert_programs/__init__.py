"""Small programs with all that the converters know, each with the arguments to try."""

from . import algorithms, assignments, branches, expressions, fors, functions, names, raising, whiles, withs  # noqa: F401
from .cases import LOG, PROGRAMS

__all__ = ["LOG", "PROGRAMS"]
