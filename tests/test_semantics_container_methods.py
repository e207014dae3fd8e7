"""Every method of lists and dicts, called where a condition holds: in branches and loops."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from same import compare, decorate

ARGUMENTS = {
    list: {
        "append": "4",
        "clear": "",
        "copy": "",
        "count": "1",
        "extend": "[5, 6]",
        "index": "2",
        "insert": "0, 9",
        "pop": "",
        "remove": "1",
        "reverse": "",
        "sort": "",
        "__delitem__": "0",
        "__iadd__": "[7]",
        "__imul__": "2",
        "__setitem__": "1, 8",
    },
    dict: {
        "clear": "",
        "copy": "",
        "get": "1",
        "items": "",
        "keys": "",
        "pop": "1",
        "popitem": "",
        "setdefault": "5, 6",
        "update": "{7: 8}, operation=9",
        "values": "",
        "__delitem__": "1",
        "__ior__": "{9: 1}",
        "__setitem__": "1, 8",
    },
}
MADE = {list: "[3, 1, 2]", dict: "{3: 1, 1: 2, 2: 3}"}
PLACES = {
    "branch": """
    if x[0] > 0.0:
        {call}
    return x.sum() * len(c), list(c)
""",
    "loop": """
    s = 0.0
    for i in range(len(x)):
        if x[i] > 0.5 and len(c) == 3:
            {call}
        s += x[i] * len(c) + (i in c)
    return s, list(c)
""",
}


def program(kind: type, name: str, place: str, by_class: bool) -> Callable[..., Any]:
    given = ARGUMENTS[kind][name]
    call = f"{kind.__name__}.{name}(c, {given})" if by_class else f"c.{name}({given})"
    text = f"def made(x):\n    c = {MADE[kind]}{PLACES[place].format(call=call)}"
    file = f"<{name} {kind.__name__} {place} {by_class}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    found: dict[str, Any] = {}
    exec(compile(text, file, "exec"), found)
    return found["made"]


@pytest.mark.parametrize("by_class", [False, True])
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in ARGUMENTS for name in ARGUMENTS[kind]])
def test_a_method_changes_its_container_where_it_is_called(
    kind: type, name: str, place: str, by_class: bool
) -> None:
    plain = program(kind, name, place, by_class)
    for first in (-1.0, 1.0):
        decorated = decorate(plain)
        for sign in (first, 1.0, -1.0):
            compare(plain, decorated, (np.array([1.0, 0.25, 2.0]) * sign,), calls=1)


def test_a_container_has_no_other_method_that_is_public() -> None:
    for kind, known in ARGUMENTS.items():
        public = {name for name in vars(kind) if not name.startswith("_")}
        assert public - {"fromkeys"} <= set(known)
