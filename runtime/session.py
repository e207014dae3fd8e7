"""`Session`: runs what is fetched of an explicit graph, and keeps the values of its variables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from copy import deepcopy
from types import TracebackType
from typing import Any, NoReturn

import numpy as np

from ..graph.explicit.graph import DEFAULT_SESSION, Graph, get_default_graph
from ..graph.explicit.selection import selected
from ..graph.explicit.values import cast_to
from ..graph.explicit.variable import Variable
from ..graph.trace.locks import new_lock
from . import timeline
from .config import config as process_config
from .feeds import Feeds
from .fetches import Fetches, key_of
from .plan import Plan, PlanRequest
from .plan_entry import VariableCell
from .runner import Runner, reordered
from .session_config import ConfigProto, RunMetadata, RunOptions, TraceLevel


class Session:
    """Runs operations of a graph.

    What is fetched is pruned to what it needs, planned for the kinds of the arrays that are fed, and run; the
    plan is kept for the next run. Nothing is copied on the way, but for values of variables and constants
    that are handed out themselves.

    Args:
        target: empty; there are no remote sessions.
        graph: None takes the default graph.
        config: None takes ``ConfigProto()``, which compiles only what stands in a `jit_scope`.

    Raises:
        ValueError: `target` isn't empty.
        TypeError: `graph` is no `Graph`, or `config` no `ConfigProto`.

    Example::

        x = js.placeholder(js.float64, [None])
        w = js.Variable(3.0)
        with js.Session() as session:
            session.run(js.global_variables_initializer())
            assert session.run(w * x, feed_dict={x: [1.0, 2.0]}).tolist() == [3.0, 6.0]
    """

    def __init__(
        self, target: str = "", graph: Graph | None = None, config: ConfigProto | None = None
    ) -> None:
        if target:
            raise ValueError(f"there are no remote sessions: target must be empty, not {target!r}")
        if graph is not None and not isinstance(graph, Graph):
            raise TypeError(f"graph must be a js.Graph, not {type(graph).__name__}")
        if config is not None and not isinstance(config, ConfigProto):
            raise TypeError(f"config must be a js.ConfigProto, not {type(config).__name__}")
        self._graph = graph if graph is not None else get_default_graph()
        self._config = deepcopy(config) if config is not None else ConfigProto()
        self._callables: dict[Any, Callable[..., Any]] = {}
        self._runners: dict[Any, Runner] = {}
        self._slots: dict[Variable, VariableCell] = {}
        self._lock = new_lock()
        self._closed = False
        self._open: list[ExitStack] = []
        process_config.watch(self._forget)

    @property
    def graph(self) -> Graph:
        """The graph that it runs."""
        return self._graph

    # Running.

    def run(
        self,
        fetches: Any,
        feed_dict: Mapping[Any, Any] | None = None,
        options: RunOptions | None = None,
        run_metadata: RunMetadata | None = None,
    ) -> Any:
        """The values of `fetches`.

        Args:
            fetches: a symbol, an operation (its value is None), a variable, a name such as ``"add:0"``, or
                lists, tuples, dicts, named tuples and data classes of them.
            feed_dict: values by symbol or name: of placeholders, or of any other symbols, which then aren't
                computed.
            options: with ``RunOptions(trace_level=RunOptions.FULL_TRACE)`` the run is timed.
            run_metadata: gets the times.

        Returns:
            Arrays and NumPy numbers, in the structure of `fetches`.

        Raises:
            RuntimeError: the session is closed.
            InvalidArgumentError: a placeholder that is needed isn't fed.
            FailedPreconditionError: a variable that is needed has no value.
            ValueError: a fed array has another shape than its symbol; something belongs to another graph.
            TypeError: something can't be fetched or fed; a fed array has another kind of dtype.
            OverflowError: a fed int doesn't fit the dtype.

        Example::

            x = js.placeholder(js.float64, [None])
            with js.Session() as session:
                found = session.run({"sum": x.sum(), "both": [x + 1.0, x]}, {x: [1.0, 2.0]})
                assert found["sum"] == 3.0 and found["both"][0].tolist() == [2.0, 3.0]
        """
        if feed_dict and type(feed_dict) is not dict and not isinstance(feed_dict, Mapping):
            raise TypeError(f"feed_dict must be a dict of symbols and values, not {type(feed_dict).__name__}")
        if options is not None or run_metadata is not None:
            return self._traced(fetches, feed_dict, options, run_metadata)
        key = key_of(fetches), tuple(feed_dict or ())
        try:
            call = self._callables.get(key)
        except TypeError:  # what has no hash is no symbol either: it is told below
            call = None
        if call is None:
            call = self._callable(fetches, key[1])
        return call(*feed_dict.values()) if feed_dict else call()

    def make_callable(self, fetches: Any, feed_list: Sequence[Any] | None = None) -> Callable[..., Any]:
        """A function that takes the values of `feed_list` in order, and gives those of `fetches`.

        It does what `run` does, and saves the time to look up what is wanted.

        Args:
            fetches: what the function returns, as for `run`.
            feed_list: the symbols whose values are its arguments; None or an empty list for none.

        Returns:
            A function of as many arguments, which raises what `run` raises.

        Raises:
            RuntimeError: the session is closed.
            ValueError: something belongs to another graph, or is fed twice.
            TypeError: something can't be fetched or fed.

        Example::

            x = js.placeholder(js.float64, [])
            with js.Session() as session:
                twice = session.make_callable(2.0 * x, [x])
                assert twice(4.0) == 8.0
        """
        return self._callable(fetches, tuple(feed_list or ()))

    def _callable(self, fetches: Any, keys: tuple[Any, ...]) -> Callable[..., Any]:
        """What runs `fetches` for values of `keys`, in their order."""
        with self._lock:
            runner, order = self._runner(fetches, keys)
            call = runner.function if order is None else reordered(runner.function, order)
            return self._callables.setdefault((key_of(fetches), keys), call)

    def _runner(self, fetches: Any, keys: tuple[Any, ...]) -> tuple[Runner, list[int] | None]:
        """The runner for `fetches`, and in which order it takes the values of `keys` (None: in theirs).

        However symbols are named and ordered by the user, for the same ones there is one runner.
        """
        self._check_open()
        feeds = Feeds.of(keys, self._graph)
        order = sorted(range(len(keys)), key=lambda k: (feeds.symbols[k].step.index, feeds.symbols[k].name))
        if order != sorted(order):
            feeds = Feeds(tuple(feeds.symbols[k] for k in order))
        with self._lock:
            key = key_of(fetches), feeds.symbols
            runner = self._runners.get(key)
            if runner is None:
                runner = self._runners[key] = Runner(self, Fetches.of(fetches, self._graph), feeds)
        return runner, None if order == sorted(order) else order

    def _plan(self, fetches: Any, feed_dict: Mapping[Any, Any] | None) -> Plan:
        """The plan for `fetches`, made as for a run."""
        fed = feed_dict or {}
        runner, order = self._runner(fetches, tuple(fed))
        values = tuple(fed.values())
        return runner.plan_for(values if order is None else [values[k] for k in order])

    def _traced(
        self, fetches: Any, feed_dict: Any, options: RunOptions | None, metadata: RunMetadata | None
    ) -> Any:
        if not isinstance(options, RunOptions | None):
            raise TypeError(f"options must be js.RunOptions, not {type(options).__name__}")
        if not isinstance(metadata, RunMetadata | None):
            raise TypeError(f"run_metadata must be js.RunMetadata, not {type(metadata).__name__}")
        if options is None or options.trace_level == TraceLevel.NO_TRACE:
            return self.run(fetches, feed_dict)
        with timeline.trace(None) as trace:
            result = self.run(fetches, feed_dict)
        if metadata is not None:
            metadata.step_stats = trace.document
        return result

    def wanted(self, fetches: Any, feed_dict: Mapping[Any, Any]) -> PlanRequest:
        """What a plan for `fetches` is made of; here placeholders may be missing."""
        found, feeds = Fetches.of(fetches, self._graph), Feeds.of(tuple(feed_dict), self._graph)
        steps = selected(found.elements, set(feeds.symbols))
        given = feeds.given(feeds.checked(tuple(feed_dict.values())))
        level = self._config.graph_options.optimizer_options.jit_level
        return PlanRequest(steps, found.values, given, level, self._config.allow_soft_placement)

    def _forget(self) -> None:
        """The process's configuration has changed: plans are made anew."""
        with self._lock:
            for runner in self._runners.values():
                runner.forget()

    # What runners need.

    @property
    def config(self) -> ConfigProto:
        """The options, a copy of what the session was made with."""
        return self._config

    @property
    def lock(self) -> Any:
        """Held while variables change."""
        return self._lock

    def slot(self, variable: Variable) -> VariableCell:
        """Where the value of `variable` is kept."""
        with self._lock:
            return self._slots.setdefault(variable, VariableCell(variable))

    def load(self, variable: Variable, value: Any) -> None:
        """Set the value of `variable`.

        Args:
            variable: a variable of the graph.
            value: an array or a number, of its shape.

        Raises:
            RuntimeError: the session is closed.
            ValueError: `variable` belongs to another graph, or `value` has another shape.
            TypeError: `value` is of another kind than the variable's dtype.

        Example::

            v = js.Variable(1.0)
            with js.Session() as session:
                session.load(v, 5.0)
                assert session.run(v) == 5.0
        """
        self._check_open()
        if variable.graph is not self._graph:
            raise ValueError(f"{variable!r} is not an element of this graph.")
        kept = cast_to(value, variable.dtype, f"a value of {variable.name!r}")
        variable.check_shape(np.shape(kept))
        with self._lock:
            self.slot(variable).value = np.array(kept, order="C") if variable.sizes else kept

    # Looking.

    def clusters(self, fetches: Any, feed_dict: Mapping[Any, Any] | None = None) -> dict[str, list[str]]:
        """The operations in each compiled cluster of the plan for `fetches`, by the cluster's name.

        The plan is made as for `run`, but nothing is run; variables need no values.

        Args:
            fetches: as for `run`.
            feed_dict: as for `run`.

        Returns:
            A dict with a list of names of operations for each cluster.

        Raises:
            InvalidArgumentError: a placeholder that is needed isn't fed; and what else `run` raises.

        Example::

            x = js.placeholder(js.float64, [None])
            with js.jit_scope():
                y = np.exp(x)
            assert js.Session().clusters(y + 1.0, {x: np.zeros(3)}) == {"cluster_0": ["exp"]}
        """
        return self._plan(fetches, feed_dict).clusters

    def explain(self, fetches: Any, feed_dict: Mapping[Any, Any] | None = None) -> str:
        """A report on the plan for `fetches`: what is compiled, what runs as NumPy, and why.

        Args:
            fetches: as for `run`.
            feed_dict: as for `run`.

        Returns:
            The text.

        Raises:
            InvalidArgumentError: a placeholder that is needed isn't fed; and what else `run` raises.

        Example::

            x = js.placeholder(js.float64, [None])
            print(js.Session().explain(x * 2.0, {x: np.ones(3)}))
        """
        from .explain_plan import explain_plan

        return explain_plan(self._plan(fetches, feed_dict))

    def to_code(self, fetches: Any, feed_dict: Mapping[Any, Any] | None = None, stage: str = "module") -> str:
        """The text of the plan for `fetches`.

        Args:
            fetches: as for `run`.
            feed_dict: as for `run`.
            stage: ``"graph"`` after all passes, or ``"module"``.

        Returns:
            The text.

        Raises:
            ValueError: an unknown stage.
            InvalidArgumentError: a placeholder that is needed isn't fed; and what else `run` raises.

        Example::

            x = js.placeholder(js.float64, [None])
            assert "def plan(x):" in js.Session().to_code(x * 2.0, {x: np.ones(3)})
        """
        from ..graph.ir.printer import print_graph

        if stage not in ("graph", "module"):
            raise ValueError(f"stage is graph or module, not {stage!r}")
        plan = self._plan(fetches, feed_dict)
        return print_graph(plan.graph) if stage == "graph" else plan.module.text

    # Opening and closing.

    def _check_open(self) -> None:
        if self._closed:
            raise RuntimeError("Attempted to use a closed Session.")

    def close(self) -> None:
        """Forget plans and values; the session can't run any more.

        Example::

            session = js.Session()
            session.close()
            assert str(session) == "<js.Session of <js.Graph of 0 operations>, closed>"
        """
        with self._lock:
            self._closed = True
            self._callables.clear()
            for runner in self._runners.values():
                runner.close()
            self._runners.clear()
            self._slots.clear()

    @contextmanager
    def as_default(self) -> Iterator[Session]:
        """Make this the session of ``symbol.eval()`` and ``operation.run()``; leaving doesn't close it.

        Yields:
            The session.

        Example::

            session = js.Session()
            with session.as_default():
                assert js.constant(2.0).eval() == 2.0
        """
        token = DEFAULT_SESSION.set(self)
        try:
            yield self
        finally:
            DEFAULT_SESSION.reset(token)

    def __enter__(self) -> Session:
        self._check_open()
        opened = ExitStack()
        opened.enter_context(self._graph.as_default())
        opened.enter_context(self.as_default())
        self._open.append(opened)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.pop().close()
        self.close()

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError("a session can't be copied or pickled: keep the values of its variables instead")

    def __repr__(self) -> str:
        return f"<js.Session of {self._graph!r}{', closed' if self._closed else ''}>"


class InteractiveSession(Session):
    """A session that is the default from the start, for notebooks: ``symbol.eval()`` just works.

    Args:
        target: empty; there are no remote sessions.
        graph: None takes the default graph.
        config: None takes ``ConfigProto()``, which compiles only what stands in a `jit_scope`.

    Raises:
        ValueError: `target` isn't empty.
        TypeError: `graph` is no `Graph`, or `config` no `ConfigProto`.

    Example::

        session = js.InteractiveSession()
        assert js.constant(2.0).eval() == 2.0
        session.close()
    """

    def __init__(
        self, target: str = "", graph: Graph | None = None, config: ConfigProto | None = None
    ) -> None:
        super().__init__(target, graph, config)
        self._before = DEFAULT_SESSION.get()
        DEFAULT_SESSION.set(self)

    def close(self) -> None:
        """Forget plans and values, and no longer be the default.

        Example::

            session = js.InteractiveSession()
            session.close()
            assert js.get_default_session() is None
        """
        super().close()
        if DEFAULT_SESSION.get() is self:
            DEFAULT_SESSION.set(self._before)
