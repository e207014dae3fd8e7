"""What staged Python calls: one function for each construct that the converters replace."""

from __future__ import annotations

from .calls import call
from .containers import (
    dict_comp,
    fstring,
    gen_comp,
    list_comp,
    new_dict,
    new_list,
    new_set,
    set_comp,
    with_scope,
)
from .control import (
    and_,
    assert_,
    compare_chain,
    if_exp,
    if_stmt,
    in_,
    is_,
    is_not,
    not_,
    not_in,
    or_,
    raise_,
)
from .exits import STATELESS, Break, Continue, Return, Undefined, ld, ld_free, nothing, returns
from .items import augment, delitem, getitem, setattr_, setitem, unpack, unpack_star, update_attr, update_item
from .loops import for_stmt, while_stmt

__all__ = [
    "STATELESS",
    "Break",
    "Continue",
    "Return",
    "Undefined",
    "and_",
    "assert_",
    "augment",
    "call",
    "compare_chain",
    "delitem",
    "dict_comp",
    "for_stmt",
    "fstring",
    "gen_comp",
    "getitem",
    "if_exp",
    "if_stmt",
    "in_",
    "is_",
    "is_not",
    "ld",
    "ld_free",
    "list_comp",
    "new_dict",
    "new_list",
    "new_set",
    "not_",
    "nothing",
    "not_in",
    "or_",
    "raise_",
    "returns",
    "set_comp",
    "setattr_",
    "setitem",
    "unpack",
    "unpack_star",
    "update_attr",
    "update_item",
    "while_stmt",
    "with_scope",
]
