"""The operators that others reach through the trace, and not by importing them."""

from __future__ import annotations

from ..attributes import read_attribute
from ..either_items import callers_mixed
from ..reached import Operators
from ..records import known_items
from ..texts import CodePoints
from .calls import call
from .containers import new_list, repeated
from .control import all_true, not_, not_none
from .exits import fail
from .folds import is_item, require
from .held_attributes import read_assigned
from .items import getitem
from .loops import go_through
from .number_dicts import is_key, put

OPERATORS = Operators(
    call,
    go_through,
    new_list,
    repeated,
    is_item,
    is_key,
    getitem,
    put,
    not_,
    not_none,
    read_assigned,
    read_attribute,
    known_items,
    fail,
    CodePoints,
    require,
    callers_mixed,
    all_true,
)
