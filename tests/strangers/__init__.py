"""A corpus of functions as strangers write them: what a tool meets that they try on their own programs.

They were written from the user's side, without a look at what is compiled. Each file has a table of cases.
"""

from . import (
    algorithms,
    biology_engineering,
    finance_statistics,
    geometry_geo,
    images_signals,
    learning,
    linear_algebra,
    numerics,
    physics,
)
from .case import Case

_MODULES = (
    physics,
    numerics,
    linear_algebra,
    learning,
    images_signals,
    algorithms,
    finance_statistics,
    geometry_geo,
    biology_engineering,
)
CASES: tuple[Case, ...] = tuple(case for module in _MODULES for case in module.CASES)
