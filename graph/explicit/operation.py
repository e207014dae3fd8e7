"""`Operation`: a node of an explicit graph, as users see it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NoReturn

from ..trace.devices import DEVICE
from ..trace.scopes import NodeDef

if TYPE_CHECKING:
    from .graph import Graph
    from .steps import Step
    from .symbol import GraphSymbol


class Operation:
    """One operation of an explicit graph.

    Attributes:
        graph: the graph that it belongs to.
        name: unique in the graph, with its name scopes: ``"layer/matmul_1"``.
        type: NumPy's name of what it computes (``"matmul"``), or TensorFlow's for what NumPy does not have
            (``"Placeholder"``, ``"Const"``, ``"Variable"``, ``"Assign"``, ``"Identity"``, ``"NoOp"``).
        inputs: the symbols that it reads.
        outputs: the symbols that it makes.

    Example::

        y = js.exp(js.constant(1.0, name="one"))
        assert (y.op.name, y.op.type) == ("exp", "exp")
        assert [symbol.name for symbol in y.op.inputs] == ["one:0"]
    """

    __slots__ = ("__weakref__", "_attrs", "graph", "inputs", "name", "outputs", "step", "type")

    def __init__(
        self,
        graph: Graph,
        name: str,
        kind: str,
        attrs: Mapping[str, Any],
        step: Step,
        inputs: tuple[GraphSymbol, ...] = (),
    ) -> None:
        self.graph = graph
        self.name = name
        self.type = kind
        self.step = step
        self.inputs = inputs
        self.outputs: tuple[GraphSymbol, ...] = ()
        self._attrs = attrs

    def get_attr(self, name: str) -> Any:
        """The attribute `name`.

        Args:
            name: ``"_JitCompile"``, ``"_JitScope"``, ``"_Device"``, ``"axis"`` and so on.

        Returns:
            Its value, a bool, a string, an int or what the operation was made with.

        Raises:
            ValueError: the operation has no such attribute.

        Example::

            x = js.placeholder(js.float64, [None])
            with js.jit_scope():
                y = np.exp(x)
            assert y.op.get_attr("_JitCompile") is True
        """
        if name not in self._attrs:
            raise ValueError(f"Operation {self.name!r} has no attr named {name!r}.")
        return self._attrs[name]

    @property
    def device(self) -> str:
        """Where it is to run, ``"/device:GPU:0"``; empty without a wish."""
        return str(self._attrs.get(DEVICE, ""))

    @property
    def node_def(self) -> NodeDef:
        """The `NodeDef` that a callable `compile_ops` sees of it."""
        names = tuple(symbol.op.name for symbol in self.inputs)
        return NodeDef(self.type, self.name, MappingProxyType(dict(self._attrs)), names, self.device)

    def run(self, feed_dict: Mapping[Any, Any] | None = None, session: Any = None) -> None:
        """Run it in `session`, or in the default one.

        Args:
            feed_dict: values by symbol or name, as for `Session.run`; None feeds nothing.
            session: a `Session`; None takes the default one.

        Raises:
            ValueError: there is no session, or it runs another graph; and what `Session.run` raises.
            TypeError: `session` is none.

        Example::

            count = js.Variable(1.0)
            with js.Session():
                count.initializer.run()
                assert count.eval() == 1.0
        """
        self.graph.session(session, "run()").run(self, feed_dict)

    def __copy__(self) -> Operation:
        return self

    def __deepcopy__(self, memo: Any) -> Operation:
        return self

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError(f"{self.name!r} can't be pickled: it is a part of its graph")

    def __repr__(self) -> str:
        return f"<js.Operation {self.name!r} type={self.type}>"
