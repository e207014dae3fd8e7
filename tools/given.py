"""What a function is called with, as it is written in the call, and the random numbers that it draws."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ..runtime.copies import copied
from ..runtime.function import Function


@dataclass(frozen=True)
class CallArguments:
    """The arguments of a call, by position and by name."""

    args: tuple[object, ...] = ()
    kwargs: dict[str, object] = field(default_factory=dict)

    def copies(self) -> CallArguments:
        """The same arguments, which a call may change; views of one memory stay views of one memory.

        Raises:
            TypeError: something in them can't be copied.
        """
        args, kwargs = copied((self.args, self.kwargs))
        assert isinstance(args, tuple)
        assert isinstance(kwargs, dict)
        return CallArguments(args, kwargs)

    def call(self, function: Callable[..., object]) -> object:
        """Call a function with them."""
        return function(*self.args, **self.kwargs)

    def values_for(self, state: Function) -> tuple[object, ...]:
        """One value for each parameter.

        Raises:
            TypeError: they don't fit the parameters.
        """
        return state.values_of(*self.args, **self.kwargs)


class Draws:
    """The shared generators of random numbers, as they are now: for calls that are compared."""

    def __init__(self) -> None:
        self._numpy, self._python = np.random.get_state(), random.getstate()

    def put_back(self) -> None:
        """Have the next numbers be those that would have been drawn when this was made."""
        np.random.set_state(self._numpy)
        random.setstate(self._python)
