"""Names of operations: ``name_scope`` and what makes a name new in its graph, as in TensorFlow.

    with name_scope("layer"):                unique_name("MatMul")  ->  "layer/MatMul"
        with name_scope("inner") as scope:   unique_name("MatMul")  ->  "layer/inner/MatMul"
                                             scope                  ->  "layer/inner/"

A name in use gets the next free number: ``MatMul``, ``MatMul_1``; a scope that is opened again is another
one: ``layer/``, ``layer_1/``. What is in use is kept by the builder of the graph, which scope is open by the
context (thread, task), so that two threads that build one graph don't see each other's scopes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from .build import builder_here

_NAME = re.compile(r"[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*")
_INNER_NAME = re.compile(r"[A-Za-z0-9_.\\/>-]+")

_OPEN: ContextVar[tuple[Any, str] | None] = ContextVar("jitscope_name_scope", default=None)
"""The names of the graph in which a scope is open, and the scope; in another graph it means nothing."""


def _used() -> MutableMapping[str, Any] | None:
    """The names in use, in the builder's attributes under keys of their own; None in plain code."""
    builder = builder_here()
    return None if builder is None else builder.attributes


def open_name_scope() -> str:
    """The scope that is open here, with its slash, or an empty string."""
    found = _OPEN.get()
    return found[1] if found is not None and found[0] is _used() else ""


def unique_name(name: str) -> str:
    """`name` within the open scope, with a number if it is in use already; the name is in use from then on.

    A name that ends with a slash is taken as it is, without the slash and outside of the open scope. In plain
    code, where no graph is built, every name is free.
    """
    if name.endswith("/"):
        return name[:-1]
    full, used = open_name_scope() + name, _used()
    return full if used is None else _next_free(used, full)


def _next_free(used: MutableMapping[str, Any], full: str) -> str:
    # TensorFlow tells names apart without regard to case, as files of some systems do.
    key = f"name:{full.lower()}"
    count = used.get(key, 0)
    used[key] = count + 1
    if not count:
        return full
    while f"{key}_{count}" in used:
        count += 1
    used[key] = count + 1
    used[f"{key}_{count}"] = 1
    return f"{full}_{count}"


def check_name(name: Any, what: str) -> None:
    """Raise an error if `name` isn't one for `what`, "an operation" or "a name scope"; as in TensorFlow.

    Raises:
        TypeError: it is no text.
        ValueError: it could not be told from a symbol's, or not be read.
    """
    if not isinstance(name, str):
        raise TypeError(f"the name of {what} is a string, not {name!r}")
    if not (_INNER_NAME if open_name_scope() else _NAME).fullmatch(name):
        raise ValueError(
            f"{name!r} is not a valid name of {what}: it begins with a letter, a digit or a dot, and"
            r" goes on with these and _\/>-"
        )


@contextmanager
def name_scope(name: str | None) -> Iterator[str]:
    """Put ``name/`` before the names of the operations made inside.

    Args:
        name: the name of the scope, made unique within the scope around it. One that ends with a slash is a
            scope that was open before and is opened again; None or an empty string is the root.

    Yields:
        The whole scope with its slash, ``"outer/inner/"``; an empty string for the root.

    Raises:
        TypeError: the name is no string.
        ValueError: it has letters that names don't have.

    Example::

        with js.Graph().as_default(), js.name_scope("layer") as scope:
            assert js.constant(1.0, name="one").name == scope + "one:0" == "layer/one:0"
    """
    if name:
        check_name(name, "a name scope")
    if not name:
        scope = ""
    elif name.endswith("/"):
        scope = name
    else:
        scope = unique_name(name) + "/"
    token = _OPEN.set((_used(), scope))
    try:
        yield scope
    finally:
        _OPEN.reset(token)
