"""`Variable`: a value that a session keeps from one run to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..symbolic.arrays import SymbolicArray
from ..symbolic.symbols import SymbolicObject, SymbolicScalar
from ..trace.build import building
from ..trace.naming import name_scope
from .graph import get_default_graph
from .own import under_own_name
from .recording import group
from .shape import Shape, shape_text
from .steps import InputStep
from .symbol import Dimension, GraphSymbol, Recordable
from .values import as_constant, cast_to

if TYPE_CHECKING:
    from .graph import Graph
    from .operation import Operation


SYMBOLS = (SymbolicArray, SymbolicScalar)
_FIELDS = ("dtype", "graph", "initial_value", "initializer", "inner", "op", "sizes", "trainable")


class Variable(Recordable):
    """A value that each session keeps for itself from one run to the next.

    In operations it stands for its value at that point: a run gives what the lines that it needs would give
    from top to bottom. Fetched, it gives its value at the end of the run.

    Args:
        initial_value: an array, a number or a symbol, or a function that gives one; what `initializer`
            assigns. Its shape is that of the variable for good.
        name: the name of its operation; None takes ``"Variable"``.
        dtype: None takes that of the initial value.
        trainable: whether optimizers change it.

    Attributes:
        op: the operation that it is in the graph.
        graph: the graph that it belongs to.
        dtype: its dtype.
        initial_value: the symbol that `initializer` assigns.
        initializer: the operation that gives it its initial value.

    Raises:
        TypeError: the initial value isn't made of numbers, or is of another kind than `dtype`.
        ValueError: its shape isn't known in the graph; an operation can't have such a `name`.

    Example::

        w = js.Variable(np.zeros(2), name="w")
        step = w.assign_sub([0.5, 1.0])
        with js.Session() as session:
            session.run(js.global_variables_initializer())
            session.run(step)
            assert session.run(w).tolist() == [-0.5, -1.0]
    """

    __slots__ = ("__weakref__", *_FIELDS)

    graph: Graph

    def __init__(
        self, initial_value: Any, name: str | None = None, dtype: Any = None, trainable: bool = True
    ) -> None:
        if callable(initial_value):
            initial_value = initial_value()
        first = initial_value if isinstance(initial_value, Recordable) else as_constant(initial_value, dtype)
        self.graph = first.graph if isinstance(first, Recordable) else get_default_graph()
        self.dtype = np.dtype(dtype or first.dtype)
        self.sizes = _known_sizes(first)
        self.trainable = trainable
        symbol = self.graph.source("Variable", InputStep(self.dtype, self.sizes), name)
        symbol.step.variable = self
        self.op: Operation = symbol.op
        self.inner: Any = symbol.inner
        self.initial_value = self._constant(first, "initial_value")
        self.initializer: Operation = self.assign(self.initial_value).op
        self.graph.variables.append(self)

    @property
    def name(self) -> str:
        """``"<operation>:0"``."""
        return f"{self.op.name}:0"

    @property
    def shape(self) -> Shape:
        """The shape, which never changes."""
        return Shape(self.sizes)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.sizes)

    @property
    def device(self) -> str:
        """Where it is kept, ``"/device:GPU:0"``; empty without a wish."""
        return self.op.device

    def _label(self) -> str:
        return repr(self.name)

    def __len__(self) -> int:
        if not self.sizes:
            raise TypeError("len() of unsized object")
        return int(self.sizes[0])

    # Reading and writing.

    def value(self) -> GraphSymbol:
        """Its value at this line, as a symbol; `read_value` is the same.

        Returns:
            A `Symbol` of its shape and dtype.

        Example::

            v = js.Variable(1.0)
            before, after = v.value(), v.assign(2.0)
            with js.Session() as session:
                session.run(v.initializer)
                assert session.run([before, after]) == [1.0, 2.0]
        """
        return self.graph.record("Identity", under_own_name, (self,), name=f"{self.op.name}/read")

    read_value = value

    def initialized_value(self) -> Any:
        """Its initial value, for the initial values of other variables.

        Returns:
            A `Symbol` of its shape and dtype.

        Example::

            v = js.Variable(1.0)
            twice = js.Variable(v.initialized_value() * 2)
            with js.Session() as session:
                session.run(twice.initializer)
                assert session.run(twice) == 2.0
        """
        return self.initial_value

    def assign(self, value: Any, name: str | None = None) -> GraphSymbol:
        """Give it another value when this operation runs.

        Args:
            value: an array, a number or a symbol, of its shape.
            name: of the operation; None takes ``"<variable>/Assign"``.

        Returns:
            A `Symbol`, which is the new value.

        Raises:
            TypeError: `value` is of another kind than the variable's dtype.
            ValueError: `value` has another shape; where sizes aren't known, when it runs.

        Example::

            v = js.Variable([1.0, 2.0])
            with js.Session() as session:
                assert session.run(v.assign([3.0, 4.0])).tolist() == [3.0, 4.0]
        """
        return self._assigned("Assign", _Assign(self), (value,), name)

    def assign_add(self, delta: Any, name: str | None = None) -> GraphSymbol:
        """Add `delta` to it when this operation runs.

        Args:
            delta: an array, a number or a symbol, that the sum has the variable's shape with.
            name: of the operation; None takes ``"<variable>/AssignAdd"``.

        Returns:
            A `Symbol`, which is the new value.

        Raises:
            TypeError: `delta` is of another kind than the variable's dtype.
            ValueError: when it runs: the sum has another shape.

        Example::

            v = js.Variable([1.0, 2.0])
            with js.Session() as session:
                session.run(v.initializer)
                assert session.run(v.assign_add(0.5)).tolist() == [1.5, 2.5]
        """
        return self._assigned("AssignAdd", _Assign(self, np.add), (self, delta), name)

    def assign_sub(self, delta: Any, name: str | None = None) -> GraphSymbol:
        """Subtract `delta` from it when this operation runs.

        Args:
            delta: an array, a number or a symbol, that the difference has the variable's shape with.
            name: of the operation; None takes ``"<variable>/AssignSub"``.

        Returns:
            A `Symbol`, which is the new value.

        Raises:
            TypeError: `delta` is of another kind than the variable's dtype.
            ValueError: when it runs: the difference has another shape.

        Example::

            v = js.Variable([1.0, 2.0])
            with js.Session() as session:
                session.run(v.initializer)
                assert session.run(v.assign_sub(0.5)).tolist() == [0.5, 1.5]
        """
        return self._assigned("AssignSub", _Assign(self, np.subtract), (self, delta), name)

    def _assigned(self, kind: str, call: Any, args: tuple[Any, ...], name: str | None) -> GraphSymbol:
        given = self._constant(args[-1], "value")
        if kind == "Assign" and (sizes := _sizes(given)) is not None:
            self.check_shape(sizes)
        with self.graph.lock, building(self.graph.builder), name_scope(None):
            found: GraphSymbol = self.graph.record(
                kind, call, (*args[:-1], given), name=name or f"{self.op.name}/{kind}", assigns=self
            )
        return found

    def _constant(self, value: Any, name: str) -> Any:
        """`value` as a symbol of the graph, in the variable's dtype where it is none yet."""
        if isinstance(value, Recordable):
            return value
        kept = cast_to(value, self.dtype, f"a value of {self.name!r}")
        if kept.ndim:
            kept = np.array(kept, order="C")
        with building(self.graph.builder), name_scope(None):
            return self.graph.source(
                "Const", InputStep(kept.dtype, kept.shape, kept), f"{self.op.name}/{name}"
            )

    def check_shape(self, sizes: tuple[int | None, ...]) -> None:
        """Raise ValueError if a value of these sizes isn't one for this variable."""
        fits = len(sizes) == len(self.sizes) and all(
            size in (None, own) for size, own in zip(sizes, self.sizes, strict=True)
        )
        if not fits:
            raise ValueError(
                f"Cannot assign a value of shape {shape_text(sizes)} to {self.name!r}, which has shape"
                f" {self.shape}"
            )

    def eval(self, session: Any = None) -> Any:
        """Its value in `session`, or in the default one.

        Args:
            session: a `Session`; None takes the default one.

        Returns:
            An array or a NumPy number, a copy.

        Raises:
            ValueError: there is no session, or it runs another graph.
            TypeError: `session` is none.
            FailedPreconditionError: it has no value yet.

        Example::

            v = js.Variable(1.0)
            with js.Session():
                v.initializer.run()
                assert v.eval() == 1.0
        """
        return self.graph.session(session, "eval()").run(self)

    def load(self, value: Any, session: Any = None) -> None:
        """Set its value in `session`, without an operation.

        Args:
            value: an array or a number, of its shape.
            session: a `Session`; None takes the default one.

        Raises:
            TypeError: `value` is of another kind than the variable's dtype, or `session` is none.
            ValueError: `value` has another shape; there is no session, or it runs another graph.

        Example::

            v = js.Variable([1.0, 2.0])
            with js.Session() as session:
                v.load([3.0, 4.0])
                assert session.run(v).tolist() == [3.0, 4.0]
        """
        self.graph.session(session, "load()").load(self, value)

    def __repr__(self) -> str:
        return f"<js.Variable {self.name!r} shape={self.shape} dtype={self.dtype.name}>"

    def __deepcopy__(self, memo: Any) -> Any:
        raise TypeError(f"{self.name!r} can't be copied: make another js.Variable of its initial value")

    __hash__ = Recordable.__hash__


class _Assign:
    """What an assignment computes: the new value, in the variable's dtype."""

    def __init__(self, variable: Variable, ufunc: np.ufunc | None = None) -> None:
        self.dtype, self.sizes, self.ufunc = variable.dtype, variable.sizes, ufunc
        self.__name__ = "assign"

    def __call__(self, *values: Any) -> Any:
        result: Any = values[0] if self.ufunc is None else self.ufunc(*values)
        if isinstance(result, SymbolicObject):
            return result  # checked when it is kept
        dtype = result.type.dtype if isinstance(result, SYMBOLS) else np.asarray(result).dtype
        if dtype == self.dtype:
            return result
        if not np.can_cast(dtype, self.dtype, "same_kind"):
            raise TypeError(f"a variable of dtype {self.dtype} can't take a value of dtype {dtype}")
        if isinstance(result, (*SYMBOLS, np.ndarray, np.generic)):
            return result.astype(self.dtype)
        return self.dtype.type(result)


def _sizes(value: Any) -> tuple[int | None, ...] | None:
    """The shape of a value as far as it is known."""
    if isinstance(value, Dimension | GraphSymbol | Variable):
        return value.sizes
    shape: tuple[int, ...] = value.shape
    return shape


def _known_sizes(value: Any) -> tuple[int, ...]:
    sizes = _sizes(value)
    if sizes is None or None in sizes:
        raise ValueError("the initial value of a variable must have a shape that is known in the graph")
    return tuple(size for size in sizes if size is not None)


def global_variables() -> list[Variable]:
    """All variables of the default graph.

    Returns:
        A new list, in the order in which they were made.

    Example::

        v = js.Variable(1.0)
        assert js.global_variables() == [v]
    """
    return list(get_default_graph().variables)


def trainable_variables() -> list[Variable]:
    """The variables of the default graph that optimizers change.

    Returns:
        A new list, in the order in which they were made.

    Example::

        js.Variable(1.0), js.Variable(0, trainable=False)
        assert len(js.trainable_variables()) == 1
    """
    return [variable for variable in get_default_graph().variables if variable.trainable]


def variables_initializer(variables: list[Variable], name: str = "init") -> Operation:
    """An operation that gives `variables` their initial values.

    Args:
        variables: a list of variables of one graph.
        name: of the operation.

    Returns:
        An `Operation`.

    Raises:
        TypeError: something else is among them.
        ValueError: they are of different graphs.

    Example::

        v = js.Variable(1.0)
        with js.Session() as session:
            session.run(js.variables_initializer([v]))
            assert session.run(v) == 1.0
    """
    for variable in variables:
        if not isinstance(variable, Variable):
            raise TypeError(f"{variable!r} is no js.Variable")
    if len({id(variable.graph) for variable in variables}) > 1:
        raise ValueError("variables of different graphs have no initializer in common")
    graph = variables[0].graph if variables else get_default_graph()
    return group(graph, [variable.initializer for variable in variables], name)


def global_variables_initializer() -> Operation:
    """An operation that gives all variables that the default graph has now their initial values.

    Returns:
        An `Operation`.

    Example::

        v, w = js.Variable(1.0), js.Variable(2.0)
        with js.Session() as session:
            session.run(js.global_variables_initializer())
            assert session.run([v, w]) == [1.0, 2.0]
    """
    return variables_initializer(global_variables())
