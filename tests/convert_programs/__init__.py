"""Small programs with all that the converters know, each with the arguments to try."""

from . import (  # noqa: F401
    algorithms,
    assignments,
    branches,
    expressions,
    fors,
    functions,
    names,
    raising,
    whiles,
    withs,
)
from .cases import LOG, PROGRAMS

__all__ = ["LOG", "PROGRAMS"]
