"""Types of calls that Numba has found already, so that it does not look for that of ``a + b`` at each ``+``.

For each operation of a kernel Numba tries all of its implementations in turn, once for its type and once more
for its machine code: with long kernels an eighth of their compile time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any

from numba.core import types
from numba.core.targetconfig import ConfigStack

Found = tuple[Any, object, object]
"""A signature, the key of its implementation, and what must live as long as it may be found by its `id`."""
_found: ContextVar[dict[tuple[object, ...], Found] | None] = ContextVar("found", default=None)
_PLAIN = (types.Number, types.Boolean, types.Array, types.SliceType)


@contextmanager
def remembering() -> Iterator[None]:
    """What Numba finds inside, in this context, is kept until the end."""
    _install()
    token = _found.set({})
    try:
        yield
    finally:
        _found.reset(token)


@cache
def _install() -> None:
    """Numba asks each function that it knows for the type of a call."""
    function: Any = types.BaseFunction
    function.get_call_type = _once(function.get_call_type)


def _once(usual: Callable[..., object]) -> Callable[..., object]:
    def get_call_type(
        self: types.BaseFunction, context: object, args: tuple[object, ...], kws: object
    ) -> object:
        found, flags = _found.get(), ConfigStack.top_or_none()
        if found is None or kws or not all(map(_is_plain, args)):
            return usual(self, context, args, kws)
        keys: dict[object, object] = vars(self)["_impl_keys"]
        key = (id(self), id(context), id(flags), tuple(args))
        if key not in found:
            signature: Any = usual(self, context, args, kws)
            found[key] = (signature, keys[signature.args], (self, context, flags))
        signature, keys[signature.args], _ = found[key]
        return signature

    return get_call_type


def _is_plain(kind: object) -> bool:
    """Whether nothing but a type matters: those of lists and functions grow while they are found."""
    return isinstance(kind, _PLAIN) or (isinstance(kind, types.UniTuple) and _is_plain(kind.dtype))
