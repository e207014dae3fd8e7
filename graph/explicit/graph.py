"""`Graph`: the operations of an explicit graph, and which graph is the default."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, NoReturn

from ..ir.nodes import Value
from ..symbolic.numpy_meaning import NUMPY
from ..trace.build import DEFAULT_GRAPH, building
from ..trace.locks import new_lock
from ..trace.naming import name_scope
from .guessing import GuessingBuilder
from .operation import Operation
from .outside import parameter
from .recorder import source
from .recording import record
from .steps import InputStep, Step
from .symbol import GraphSymbol

if TYPE_CHECKING:
    from .variable import Variable

_DEFAULT: ContextVar[Graph | None] = ContextVar("jitscope_graph", default=None)
DEFAULT_SESSION: ContextVar[Any] = ContextVar("jitscope_session", default=None)


class Graph:
    """A graph of operations that sessions run.

    Operations are made by NumPy's functions, operators and methods on symbols. `placeholder`, `constant` and
    `Variable` put the first symbols into the default graph; what is computed from symbols joins their graph.

    Attributes:
        variables: the variables, in the order in which they were made.

    Example::

        graph = js.Graph()
        with graph.as_default():
            x = js.placeholder(js.float32, [None, 2], name="x")
            y = np.exp(x).sum(axis=1)
        with js.Session(graph=graph) as session:
            assert session.run(y, {x: np.zeros((3, 2), np.float32)}).tolist() == [2.0, 2.0, 2.0]
    """

    def __init__(self) -> None:
        self.builder = GuessingBuilder(rules=NUMPY)
        self.lock = new_lock()
        self.steps: list[Step] = []
        self.variables: list[Variable] = []
        self.operations: dict[str, Operation] = {}
        self.symbols: dict[Value, GraphSymbol] = {}
        self._finalized = False

    # Building.

    @contextmanager
    def as_default(self) -> Iterator[Graph]:
        """Make this the graph that `placeholder` and its like use, in this context (thread, task).

        Scopes that are open around it speak of the other graph: they mean nothing inside.

        Yields:
            The graph.

        Example::

            with js.Graph().as_default() as graph:
                assert js.constant(1.0).graph is graph
        """
        token, built = _DEFAULT.set(self), DEFAULT_GRAPH.set(self.builder)
        try:
            yield self
        finally:
            DEFAULT_GRAPH.reset(built)
            _DEFAULT.reset(token)

    def record(
        self,
        kind: str,
        call: Callable[..., Any],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> Any:
        """Make the operations of ``call(*args, **kwargs)``; what it returns, with symbols in it.

        Args:
            kind: what the operation is called where it has no other name.
            call: a function of NumPy's or ours that takes symbols of a trace as well as arrays.
            args: its arguments; arrays become constants.
            kwargs: its arguments by name.
            **options: see `recording.record`.

        Raises:
            RuntimeError: the graph is finalized.
            ValueError: symbols of different graphs, or shapes that can't fit.
        """
        with self.lock, building(self.builder):
            self.check_open()
            return record(self, kind, call, tuple(args), dict(kwargs or {}), **options)

    def source(self, kind: str, given: InputStep, name: str | None) -> GraphSymbol:
        """A placeholder or a constant."""
        with self.lock, building(self.builder):
            self.check_open()
            return source(self, kind, given, name)

    def redeclare(self, symbol: GraphSymbol, given: InputStep) -> None:
        """What is computed from `symbol` is to know no more of it than `given` says."""
        with self.lock, building(self.builder):
            symbol.inner = parameter(self, symbol.op.name, given)
            symbol.rank_unknown = given.shape is None
            self.symbols[symbol.inner.operand()] = symbol

    def check_open(self) -> None:
        """Raise RuntimeError if the graph is finalized."""
        if self._finalized:
            raise RuntimeError("Graph is finalized and cannot be modified.")

    def finalize(self) -> None:
        """From here on nothing can be added: what would add an operation raises `RuntimeError`.

        Example::

            graph = js.Graph()
            graph.finalize()
            assert graph.finalized
        """
        self._finalized = True

    @property
    def finalized(self) -> bool:
        """Whether nothing can be added any more."""
        return self._finalized

    def name_scope(self, name: str | None) -> Any:
        """The same as `name_scope`, for this graph even where another one is the default.

        Args:
            name: the name of the scope; None or an empty string is the root.

        Returns:
            A context manager that gives the whole scope, and has this graph be the default inside.

        Raises:
            TypeError: when it is entered: the name is no string.
            ValueError: when it is entered: it has letters that names don't have.

        Example::

            with js.Graph().name_scope("layer") as scope:
                assert js.constant(1.0, name="one").name == scope + "one:0" == "layer/one:0"
        """
        return _name_scope_of(self, name)

    # Looking.

    def get_operations(self) -> list[Operation]:
        """All operations, in the order in which they were made.

        Returns:
            A new list.

        Example::

            y = js.exp(js.constant(1.0, name="one"))
            assert [operation.name for operation in y.graph.get_operations()] == ["one", "exp"]
        """
        return list(self.operations.values())

    def get_operation_by_name(self, name: str) -> Operation:
        """The operation called `name`.

        Args:
            name: with its name scopes: ``"layer/matmul"``.

        Returns:
            An `Operation`.

        Raises:
            KeyError: there is none.

        Example::

            one = js.constant(1.0, name="one")
            assert one.graph.get_operation_by_name("one") is one.op
        """
        if name not in self.operations:
            raise KeyError(f"The name {name!r} refers to an Operation not in the graph.")
        return self.operations[name]

    def get_tensor_by_name(self, name: str) -> GraphSymbol:
        """The symbol called `name`.

        Args:
            name: ``"<operation>:<number of the output>"``.

        Returns:
            A `Symbol`.

        Raises:
            KeyError: there is none.
            ValueError: the name has another form.

        Example::

            one = js.constant(1.0, name="one")
            assert one.graph.get_tensor_by_name("one:0") is one
        """
        operation, _, index = name.rpartition(":")
        if not operation or not index.isdecimal():
            raise ValueError(f"{name!r} is no name of a symbol, which has the form '<operation>:<output>'.")
        outputs = self.get_operation_by_name(operation).outputs
        if int(index) >= len(outputs):
            raise KeyError(
                f"The name {name!r} refers to a symbol which does not exist: {operation!r} has"
                f" {len(outputs)} outputs."
            )
        return outputs[int(index)]

    def as_graph_element(self, thing: Any) -> Any:
        """The symbol, operation or variable that `thing` is or names.

        Args:
            thing: one of these, or a name: with a colon of a symbol, without of an operation.

        Returns:
            A `Symbol`, an `Operation` or a `Variable` of this graph.

        Raises:
            TypeError: it is nothing of the kind.
            ValueError: it belongs to another graph.
            KeyError: nothing has that name.

        Example::

            one = js.constant(1.0, name="one")
            assert one.graph.as_graph_element("one:0") is one
            assert one.graph.as_graph_element("one") is one.op
        """
        if isinstance(thing, str):
            return self.get_tensor_by_name(thing) if ":" in thing else self.get_operation_by_name(thing)
        owner = getattr(thing, "graph", None)
        if not isinstance(owner, Graph):
            raise TypeError(f"{thing!r} is no symbol, operation, variable or name of one")
        if owner is not self:
            raise ValueError(f"{thing!r} is not an element of this graph.")
        return thing

    def session(self, session: Any, what: str) -> Any:
        """`session`, or the default one, which must be of this graph."""
        found = session if session is not None else DEFAULT_SESSION.get()
        if found is None:
            raise ValueError(
                f"{what} needs a session: give it one, or call it inside `with js.Session():` or after"
                " js.InteractiveSession()"
            )
        if not isinstance(getattr(found, "graph", None), Graph) or not hasattr(found, "run"):
            raise TypeError(f"{what} needs a js.Session, not {type(found).__name__}")
        if found.graph is not self:
            raise ValueError(f"{what}: the session runs another graph")
        return found

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError("a graph can't be copied or pickled: keep the code that makes it")

    def __repr__(self) -> str:
        return f"<js.Graph of {len(self.operations)} operations>"


@contextmanager
def _name_scope_of(graph: Graph, name: str | None) -> Iterator[str]:
    with graph.as_default(), name_scope(name) as scope:
        yield scope


def get_default_graph() -> Graph:
    """The graph that `placeholder` and its like use here: that of the innermost ``with graph.as_default()``.

    Outside of any there is one for each context (thread, task), made when it is first asked for.

    Returns:
        A `Graph`.

    Example::

        assert js.constant(1.0).graph is js.get_default_graph()
    """
    found = _DEFAULT.get()
    return found if found is not None else set_default_graph(Graph())


def set_default_graph(graph: Graph) -> Graph:
    """Make `graph` the default of this context, until the end of the `with` statement around it, if any."""
    _DEFAULT.set(graph)
    DEFAULT_GRAPH.set(graph.builder)
    return graph


def reset_default_graph() -> None:
    """Forget the default graph of this context: the next operation starts a new one.

    Symbols of the graph stay what they are; a session of it can still run them.

    Example::

        before = js.get_default_graph()
        js.reset_default_graph()
        assert js.get_default_graph() is not before
    """
    _DEFAULT.set(None)
    DEFAULT_GRAPH.set(None)


def get_default_session() -> Any:
    """The session of the innermost ``with session:``, or None.

    Returns:
        A `Session`, or None outside of any.

    Example::

        assert js.get_default_session() is None
        with js.Session() as session:
            assert js.get_default_session() is session
    """
    return DEFAULT_SESSION.get()
