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

        train_step = js.train.GradientDescentOptimizer(0.5).minimize(loss)
        session.run(train_step, {x: batch, y_: labels})
    """

    def __init__(self, learning_rate: Any, name: str = "GradientDescent") -> None:
        self.learning_rate = learning_rate
        self.name = name

    def minimize(
        self, loss: Any, global_step: Variable | None = None, var_list: Sequence[Variable] | None = None
    ) -> Operation:
        """An operation that makes one step down the gradient of `loss`.

        Args:
            loss: a symbol; its elements are summed up.
            global_step: a variable that counts the steps.
            var_list: the variables to change; None means all that are trainable.

        Raises:
            ValueError: `loss` depends on none of them.
        """
        return self.apply_gradients(self.compute_gradients(loss, var_list), global_step)

    def compute_gradients(
        self, loss: Any, var_list: Sequence[Variable] | None = None
    ) -> list[tuple[Any, Variable]]:
        """Pairs of the gradient by a variable (None if there is none) and the variable."""
        if not isinstance(loss, Recordable):
            raise TypeError("an optimizer works on symbols of a graph; here the loss is a plain value")
        chosen = [v for v in loss.graph.variables if v.trainable] if var_list is None else list(var_list)
        if not chosen:
            raise ValueError("No variables to optimize.")
        return list(zip(gradients(loss, chosen), chosen, strict=True))

    def apply_gradients(
        self, grads_and_vars: Sequence[tuple[Any, Variable]], global_step: Variable | None = None
    ) -> Operation:
        """An operation that makes one step along given gradients.

        Raises:
            ValueError: no variable has a gradient.
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
