"""Shapes of symbols: sizes that are known while the graph is built, and others that are not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NoReturn


class Shape(tuple[Any, ...]):
    """The shape of a symbol: a tuple of ints and, for sizes that only the run knows, of symbols.

    It compares equal to a tuple with None at the unknown places.

    Example::

        x = js.placeholder(js.float32, [None, 784])
        assert str(x.shape) == "(?, 784)"
        assert x.shape.as_list() == [None, 784]
        mean = x.sum(axis=0) / x.shape[0]
    """

    def as_list(self) -> list[int | None]:
        """The sizes; None for those that aren't known.

        Returns:
            A new list.

        Example::

            assert js.placeholder(js.float32, [None, 784]).shape.as_list() == [None, 784]
        """
        return [size if isinstance(size, int) else None for size in self]

    @property
    def is_fully_defined(self) -> bool:
        """Whether every size is known."""
        return all(isinstance(size, int) for size in self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (tuple, list)):
            return NotImplemented
        known = other.as_list() if isinstance(other, Shape) else list(other)
        return self.as_list() == [size if size is None or isinstance(size, int) else None for size in known]

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(tuple(self.as_list()))

    def __repr__(self) -> str:
        return shape_text(self.as_list())

    __str__ = __repr__


class UnknownShape:
    """The shape of a symbol of which not even the number of axes is known; an index gives a symbol."""

    def __init__(self, size: Callable[[int], Any]) -> None:
        self._size = size

    def as_list(self) -> NoReturn:
        """There is none."""
        self._refuse()

    @property
    def is_fully_defined(self) -> bool:
        """False."""
        return False

    def __iter__(self) -> Iterator[Any]:
        self._refuse()

    def __len__(self) -> int:
        self._refuse()

    def __getitem__(self, axis: int) -> Any:
        if not isinstance(axis, int):
            self._refuse()
        return self._size(axis)

    def _refuse(self) -> NoReturn:
        raise ValueError(
            "the number of axes isn't known while the graph is built: give the placeholder a shape, "
            "with None for sizes that change"
        )

    def __repr__(self) -> str:
        return "<unknown>"


def shape_text(sizes: Any) -> str:
    """``(?, 784)``."""
    shown = ["?" if size is None else str(size) for size in sizes]
    return f"({', '.join(shown)}{',' if len(shown) == 1 else ''})"
