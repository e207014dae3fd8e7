"""Pickled functions: they come back as the user's function and the options; a call compiles them."""

from __future__ import annotations

import operator
from types import FunctionType
from typing import TYPE_CHECKING, Any

from ..autograph.transforms import Transforms
from .load import with_file
from .specialisation import Specialisation

if TYPE_CHECKING:
    from .function import Function


def restored(
    kind: type[Function],
    function: FunctionType,
    transforms: Transforms,
    options: dict[str, Any],
    saved: tuple[Any, ...],
    file: str,
) -> Function:
    """An unpickled function; nothing is compiled before it is called.

    What pickles by value may leave out the `file` of the code, without which it has no source.
    """
    if function.__code__.co_filename != file:
        function.__code__ = with_file(function.__code__, file)
    if transforms and not kind.takes_transforms:
        raise TypeError("a decorated function with a custom gradient can't be pickled by value")
    own = (transforms,) if transforms else ()
    return kind(function, *own, **{**options, "saved": saved})


class Specialisations(list[Specialisation]):
    """What a function has been specialised to, in this process."""

    def __init__(self, function: Function) -> None:
        super().__init__()
        self.function = function

    def __reduce__(self) -> Any:
        return operator.attrgetter("specialisations"), (self.function,)
