"""`GraphSymbol`: a value of an explicit graph. NumPy's functions and operators on it record operations."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ..ir.types import Array, Object, Scalar
from ..symbolic.arith import UFUNCS
from ..symbolic.array_methods import bind
from ..symbolic.arrays import SymbolicArray
from ..symbolic.numpy_functions import WRITES
from ..symbolic.scalar_methods import to_numpy
from ..symbolic.symbols import BINARY, SymbolicObject, SymbolicScalar, python_expression
from .shape import Shape, UnknownShape

if TYPE_CHECKING:
    from .graph import Graph
    from .operation import Operation
    from .steps import Step

_UNARY = {"neg": operator.neg, "pos": operator.pos, "invert": operator.invert, "abs": operator.abs}
_WRITING = frozenset("sort fill put partition resize setfield setflags itemset byteswap".split())
_LEAVING = frozenset("item tolist tobytes tofile dump dumps data ctypes base flat strides __array__".split())


class Method:
    """A method or attribute of arrays and numbers as a function, to be recorded."""

    __slots__ = ("__name__", "is_attribute")

    def __init__(self, name: str, is_attribute: bool = False) -> None:
        self.__name__ = name
        self.is_attribute = is_attribute

    def __call__(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        name = self.__name__
        if self.is_attribute:
            return getattr(value, name)
        if isinstance(value, SymbolicObject):
            return python_expression(lambda t: t.call(f"{t.write(value)}.{name}", args, kwargs))
        if name == "astype" and (type(value) is int or _is_python(value)):
            return _as_number(
                value, np.dtype(args[0] if args else kwargs["dtype"])
            )  # a size, which is a Python int
        found = bind(value, name) if isinstance(value, SymbolicArray) else getattr(value, name)
        return found(*args, **kwargs)


class Recordable:
    """What can stand in an operation of an explicit graph, with the operators and methods of ndarray."""

    __slots__ = ()
    __array_priority__ = 2000.0
    graph: Graph

    def _label(self) -> str:
        raise NotImplementedError

    # One value of one graph: it stands for itself, wherever it is kept.

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: Any) -> Any:
        return self

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError(
            f"{self._label()} can't be pickled: it is a part of its graph. Pickle what a session gives"
            " for it."
        )

    # What isn't known before the run.

    def _refuse(self, what: str, attempt: str) -> NoReturn:
        raise TypeError(
            f"{what} of {self._label()} isn't known while the graph is built: it gets a value when a session"
            f" runs it. {attempt}"
        )

    def __bool__(self) -> bool:
        self._refuse("the truth", "Use np.where, np.logical_and, np.logical_or, np.logical_not.")

    def __iter__(self) -> Any:
        self._refuse("the sequence of items", "Index it, or use NumPy's functions on the whole of it.")

    def __int__(self) -> int:
        self._refuse("int()", "Use .astype(np.int64).")

    def __float__(self) -> float:
        self._refuse("float()", "Use .astype(np.float64).")

    def __complex__(self) -> complex:
        self._refuse("complex()", "Use .astype(np.complex128).")

    def __index__(self) -> int:
        self._refuse("the index", "Index a symbol with it, or use np.take.")

    def __contains__(self, item: Any) -> bool:
        self._refuse("the contents", "Use (symbol == item).any().")

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        self._refuse("the array", "Run it first: session.run(symbol).")

    def __setitem__(self, index: Any, value: Any) -> NoReturn:
        raise TypeError(
            f"{self._label()} can't be written to: a symbol is one value of the graph. Make another one with"
            " np.where or np.concatenate, or use a js.Variable and assign to it."
        )

    def _refuse_to_write(self, what: str) -> NoReturn:
        raise TypeError(
            f"{what} writes to an array, and a symbol ({self._label()}) is one value of the graph. Make"
            " another one with np.where or np.concatenate, or use a js.Variable and assign to it."
        )

    # What is recorded.

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if any(value is not None for value in kwargs.get("out") or ()):
            raise TypeError(f"np.{ufunc.__name__} can't write to out= while a graph is built")
        if method == "at":
            self._refuse_to_write(f"np.{ufunc.__name__}.at")
        call = ufunc if method == "__call__" else getattr(ufunc, method)
        kind = ufunc.__name__ if method == "__call__" else f"{ufunc.__name__}.{method}"
        return self.graph.record(kind, call, tuple(map(_array, inputs)), kwargs)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if kwargs.get("out") is not None:
            raise TypeError(f"np.{func.__name__} can't write to out= while a graph is built")
        if func in WRITES or func is np.copyto:
            self._refuse_to_write(f"np.{func.__name__}")
        if func is np.shape and isinstance(getattr(type(args[0]), "shape", None), property):
            return args[0].shape
        return self.graph.record(func.__name__, func, args, kwargs)

    def __getitem__(self, index: Any) -> Any:
        return self.graph.record("view", operator.getitem, (self, index))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or not hasattr(np.ndarray, name):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        if name in _WRITING:
            raise TypeError(f"{self._label()} can't be written to, so it has no method {name}()")
        if name in _LEAVING:
            self._refuse(name, "Run it first: session.run(symbol).")
        if not callable(getattr(np.ndarray, name)):
            kind = "view" if name == "T" else name
            return self.graph.record(kind, Method(name, is_attribute=True), (self,))
        return lambda *args, **kwargs: self.graph.record(name, Method(name), (self, *args), kwargs)

    __hash__ = object.__hash__


def _install() -> None:
    """Python's operators, each of which records one operation."""

    def forward(name: str, function: Any) -> Callable[[Any, Any], Any]:
        return lambda self, other: self.graph.record(_kind(name), function, (self, _array(other)))

    def backward(name: str, function: Any) -> Callable[[Any, Any], Any]:
        return lambda self, other: self.graph.record(_kind(name), function, (_array(other), self))

    def single(name: str, function: Any) -> Callable[[Any], Any]:
        return lambda self: self.graph.record(_kind(name), function, (self,))

    for name, (_, function) in BINARY.items():
        setattr(Recordable, f"__{name}__", forward(name, function))
        if name not in ("lt", "le", "eq", "ne", "gt", "ge"):
            setattr(Recordable, f"__r{name}__", backward(name, function))
    setattr(Recordable, "__divmod__", lambda self, other: np.divmod(self, other))  # noqa: B010
    setattr(Recordable, "__rdivmod__", lambda self, other: np.divmod(other, self))  # noqa: B010
    for name, single_function in _UNARY.items():
        setattr(Recordable, f"__{name}__", single(name, single_function))


def _array(value: Any) -> Any:
    """An operand: lists of numbers are arrays to NumPy."""
    return np.asarray(value) if isinstance(value, (list, tuple)) and not _holds_symbols(value) else value


def _holds_symbols(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(_holds_symbols, value))
    return isinstance(value, Recordable)


def _kind(name: str) -> str:
    return UFUNCS[name].__name__ if name in UFUNCS else name


_install()


class GraphSymbol(Recordable):
    """A value of an explicit graph, known when a session runs it.

    NumPy's functions, operators, indexing and ndarray's methods on symbols record operations and give
    symbols. It is hashable, by identity, and so can be a key of a feed. What would need its value while the
    graph is built (``bool(x)``, ``for row in x``, ``x[0] = 1``) raises `TypeError`.

    Attributes:
        op: the operation that makes it.
        index: the number of the output of that operation.
        declared: the shape that arrays fed for it must have; None takes any.

    Example::

        x = js.placeholder(js.float32, [None, 3], name="x")
        assert str(x) == "<js.Symbol 'x:0' shape=(?, 3) dtype=float32>"
        assert str(np.exp(x)[0] * 2) == "<js.Symbol 'multiply:0' shape=(3,) dtype=float32>"
    """

    __slots__ = ("__weakref__", "declared", "index", "inner", "op", "path", "place", "rank_unknown", "step")

    def __init__(
        self,
        op: Operation,
        index: int,
        inner: Any,
        step: Step,
        path: tuple[Any, ...] | None = None,
        place: tuple[int, int] | None = None,
        rank_unknown: bool = False,
    ) -> None:
        self.op = op
        self.index = index
        self.inner = inner
        self.step = step
        self.path = path
        self.place = place
        self.rank_unknown = rank_unknown
        self.declared = self.sizes
        step.outputs.append(self)

    @property
    def name(self) -> str:
        """``"<operation>:<number of the output>"``."""
        return f"{self.op.name}:{self.index}"

    @property
    def graph(self) -> Graph:  # type: ignore[override]
        """The graph that it belongs to."""
        return self.op.graph

    def _label(self) -> str:
        return repr(self.name)

    @property
    def dtype(self) -> np.dtype | None:
        """The dtype; None where only the run knows it."""
        type_ = self.inner.type
        return None if isinstance(type_, Object) else type_.dtype

    @property
    def sizes(self) -> tuple[int | None, ...] | None:
        """The shape as far as it is known; None if not even the number of axes is."""
        type_ = self.inner.type
        if self.rank_unknown or isinstance(type_, Object):
            return None
        if isinstance(type_, Scalar):
            return ()
        assert isinstance(type_, Array)
        return tuple(size if isinstance(size, int) else None for size in type_.shape)

    @property
    def shape(self) -> Shape | UnknownShape:
        """The shape, a tuple of ints, and of symbols for sizes that only the run knows."""
        sizes = self.sizes
        if sizes is None:
            return UnknownShape(lambda axis: Dimension(self, axis))
        return Shape(Dimension(self, k) if size is None else size for k, size in enumerate(sizes))

    @property
    def ndim(self) -> int:
        """The number of axes; a `ValueError` where it isn't known while the graph is built."""
        return len(self.shape)

    def get_shape(self) -> Shape | UnknownShape:
        """The same as `shape`.

        Returns:
            A tuple of ints and of symbols; it equals one with None for the symbols.

        Example::

            assert js.placeholder(js.float32, [None, 3]).get_shape() == (None, 3)
        """
        return self.shape

    @property
    def device(self) -> str:
        """Where it is to be computed, ``"/device:GPU:0"``; empty without a wish."""
        return self.op.device

    def __len__(self) -> int:
        sizes = self.sizes
        if not sizes or sizes[0] is None:
            self._refuse("the length", "Use symbol.shape[0] in the graph.")
        return sizes[0]

    def eval(self, feed_dict: Mapping[Any, Any] | None = None, session: Any = None) -> Any:
        """Its value, by `session` or the default one.

        Args:
            feed_dict: values by symbol or name, as for `Session.run`; None feeds nothing.
            session: a `Session`; None takes the default one.

        Returns:
            An array or a NumPy number.

        Raises:
            ValueError: there is no session, or it runs another graph; and what `Session.run` raises.
            TypeError: `session` is none.

        Example::

            x = js.placeholder(js.float64, [])
            with js.Session():
                assert (x * 2).eval({x: 3.0}) == 6.0
        """
        return self.graph.session(session, "eval()").run(self, feed_dict)

    def __repr__(self) -> str:
        dtype = self.dtype
        shown = "<unknown>" if dtype is None else dtype.name
        return f"<js.Symbol {self.name!r} shape={self.shape} dtype={shown}>"

    __hash__ = object.__hash__


class Dimension(Recordable):
    """The size of one axis of a symbol, where only the run knows it; in operations a Python int."""

    __slots__ = ("axis", "symbol")

    def __init__(self, symbol: GraphSymbol, axis: int) -> None:
        self.symbol = symbol
        self.axis = axis

    @property
    def graph(self) -> Graph:  # type: ignore[override]
        return self.symbol.graph

    @property
    def name(self) -> str:
        """``"<symbol>.shape[<axis>]"``: it is no operation."""
        return f"{self.symbol.name}.shape[{self.axis}]"

    @property
    def dtype(self) -> np.dtype:
        """What arrays and variables keep it as."""
        return np.dtype(np.int64)

    @property
    def shape(self) -> Shape:
        """Empty: it is a number."""
        return Shape(())

    @property
    def sizes(self) -> tuple[int | None, ...]:
        """Empty."""
        return ()

    def astype(self, dtype: Any) -> Any:
        """The number in a dtype of NumPy's."""
        return self.graph.record("cast", _as_number, (self, np.dtype(dtype)))

    def eval(self, feed_dict: Mapping[Any, Any] | None = None, session: Any = None) -> Any:
        """Its value, by `session` or the default one."""
        return self.graph.session(session, "eval()").run(self, feed_dict)

    def _label(self) -> str:
        return f"axis {self.axis} of {self.symbol.name!r}"

    def __index__(self) -> int:
        self._refuse(
            "the value", "For new arrays use js.zeros, js.ones, np.zeros_like; loops belong into functions."
        )

    def __repr__(self) -> str:
        return "?"

    __hash__ = object.__hash__


def _is_python(value: Any) -> bool:
    return isinstance(value, SymbolicScalar) and value.type.is_python


def _as_number(size: Any, dtype: np.dtype) -> Any:
    return to_numpy(size, dtype) if isinstance(size, SymbolicScalar) else dtype.type(size)
