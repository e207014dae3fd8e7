"""Training: optimizers that change variables along gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .differentiate import gradients
from .operation import Operation
from .recording import group
from .symbol import Recordable
from .variable import Variable


class GradientDescentOptimizer:
    """Steps of ``variable -= learning_rate * gradient``.

    Args:
        learning_rate: a number or a symbol.
        name: of the operation that makes a step.

    Example::

        v = js.Variable(1.0)
        step = js.train.GradientDescentOptimizer(0.25).minimize(v * v)
        with js.Session() as session:
            session.run(js.global_variables_initializer())
            session.run(step)
            assert session.run(v) == 0.5  # 1 - 0.25 * 2
    """

    def __init__(self, learning_rate: Any, name: str = "GradientDescent") -> None:
        self.learning_rate = learning_rate
        self.name = name

    def minimize(
        self, loss: Any, global_step: Variable | None = None, var_list: Sequence[Variable] | None = None
    ) -> Operation:
        """An operation that makes one step down the gradient of `loss`.

        Args:
            loss: a symbol of floats; its elements are summed up.
            global_step: a variable that counts the steps; None counts nowhere.
            var_list: the variables to change; None means all that are trainable.

        Returns:
            An `Operation`, each run of which is a step.

        Raises:
            TypeError: `loss` is no symbol, or a variable is one of ints (make it with ``trainable=False``).
            ValueError: there are no variables, or `loss` depends on none of them.
            LookupError: something between a variable and `loss` has no gradient.

        Example::

            v, steps = js.Variable(1.0), js.Variable(0, trainable=False)
            step = js.train.GradientDescentOptimizer(0.25).minimize(v * v, global_step=steps)
            with js.Session() as session:
                session.run(js.global_variables_initializer())
                session.run(step)
                assert session.run([v, steps]) == [0.5, 1]
        """
        return self.apply_gradients(self.compute_gradients(loss, var_list), global_step)

    def compute_gradients(
        self, loss: Any, var_list: Sequence[Variable] | None = None
    ) -> list[tuple[Any, Variable]]:
        """The gradients of `loss` by variables, the first half of `minimize`.

        Args:
            loss: a symbol of floats; its elements are summed up.
            var_list: the variables; None means all that are trainable.

        Returns:
            A list of pairs of the gradient by a variable, a symbol of its shape and dtype (None where `loss`
            doesn't depend on it), and the variable.

        Raises:
            TypeError: `loss` is no symbol, or a variable is one of ints.
            ValueError: there are no variables.
            LookupError: something between a variable and `loss` has no gradient.

        Example::

            v = js.Variable([1.0, 2.0])
            ((gradient, variable),) = js.train.GradientDescentOptimizer(0.1).compute_gradients(v * v)
            assert variable is v and gradient.shape == (2,)
        """
        if not isinstance(loss, Recordable):
            raise TypeError("an optimizer works on symbols of a graph; here the loss is a plain value")
        chosen = [v for v in loss.graph.variables if v.trainable] if var_list is None else list(var_list)
        if not chosen:
            raise ValueError("No variables to optimize.")
        return list(zip(gradients(loss, chosen), chosen, strict=True))

    def apply_gradients(
        self, grads_and_vars: Sequence[tuple[Any, Variable]], global_step: Variable | None = None
    ) -> Operation:
        """An operation that makes one step along given gradients, the second half of `minimize`.

        Args:
            grads_and_vars: pairs of a gradient and a variable; those whose gradient is None are left out.
            global_step: a variable that counts the steps; None counts nowhere.

        Returns:
            An `Operation`, each run of which is a step.

        Raises:
            ValueError: no variable has a gradient.

        Example::

            v = js.Variable(1.0)
            step = js.train.GradientDescentOptimizer(0.5).apply_gradients([(js.constant(4.0), v)])
            with js.Session() as session:
                session.run(v.initializer)
                session.run(step)
                assert session.run(v) == -1.0
        """
        pairs = [(gradient, variable) for gradient, variable in grads_and_vars if gradient is not None]
        if not pairs:
            names = [variable.name for _, variable in grads_and_vars]
            raise ValueError(f"No gradients provided for any variable: {names}.")
        graph = pairs[0][1].graph
        with graph.name_scope(self.name) as scope:
            # All steps are computed before the first variable changes, as some gradients may depend on it.
            steps = [(self.learning_rate * gradient, variable) for gradient, variable in pairs]
        updates: list[Any] = [variable.assign_sub(step) for step, variable in steps]
        if global_step is not None:
            updates.append(global_step.assign_add(1))
        return group(graph, updates, scope)
