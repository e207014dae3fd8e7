"""Neural networks: activations and losses, each defined by NumPy (see `operations.py`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from .operations import asked_name, composite, sigmoid, tanh
from .own import constant_to_gradients

__all__ = ["log_softmax", "relu", "sigmoid", "softmax", "softmax_cross_entropy_with_logits", "tanh"]


def relu(features: Any, name: str | None = None) -> Any:
    """``max(features, 0)``, element by element.

    Args:
        features: a number, an array or a symbol, of any shape.
        name: of the operation in an explicit graph; None takes ``"maximum"``.

    Returns:
        The shape and dtype of `features`.

    Raises:
        TypeError: `features` isn't made of numbers.

    Example::

        >>> js.nn.relu([-1.5, 2.0])
        array([0., 2.])
    """
    with asked_name(name):
        return np.maximum(features, 0)


def softmax(logits: Any, axis: int = -1, name: str | None = None) -> Any:
    """``exp(logits) / sum(exp(logits))`` along `axis`, of logits whose maximum is first made 0.

    Args:
        logits: shape (..., classes).
        axis: of the classes.
        name: of the operation in an explicit graph; without it, it is several in the scope ``"softmax"``.

    Returns:
        Probabilities whose sum along `axis` is 1, in the shape of `logits` and its dtype, float64 for ints.

    Raises:
        AxisError: `logits` has no such axis; of a symbol, when it runs.

    Example::

        >>> js.nn.softmax(np.array([0.0, np.log(3.0)]))
        array([0.25, 0.75])
    """
    with composite("softmax", name) as named:
        powers = np.exp(_shifted(logits, axis))
        return named(powers / np.sum(powers, axis=axis, keepdims=True))


def log_softmax(logits: Any, axis: int = -1, name: str | None = None) -> Any:
    """``log(softmax(logits))``, without going through numbers that underflow.

    It is ``shifted - log(sum(exp(shifted)))`` with ``shifted = logits - max(logits)``: Blanchard, Higham and
    Higham, "Accurately computing the log-sum-exp and softmax functions", IMA J. Numer. Anal. 41 (2021), 2311.

    Args:
        logits: shape (..., classes).
        axis: of the classes.
        name: of the operation in an explicit graph; without it, it is several in the scope ``"log_softmax"``.

    Returns:
        The shape of `logits` and its dtype, float64 for ints.

    Raises:
        AxisError: `logits` has no such axis; of a symbol, when it runs.

    Example::

        >>> js.nn.log_softmax(np.array([0.0, 1000.0]))
        array([-1000.,     0.])
    """
    with composite("log_softmax", name) as named:
        return named(_log_softmax(logits, axis))


def _shifted(logits: Any, axis: int) -> Any:
    """Logits whose maximum is 0. Softmax does not depend on the shift, so gradients need not know of it."""
    return logits - constant_to_gradients(np.max(logits, axis=axis, keepdims=True))


def _log_softmax(logits: Any, axis: int) -> Any:
    shifted = _shifted(logits, axis)
    return shifted - np.log(np.sum(np.exp(shifted), axis=axis, keepdims=True))


def softmax_cross_entropy_with_logits(
    labels: Any = None, logits: Any = None, axis: int = -1, name: str | None = None
) -> Any:
    """The cross entropy ``-sum(labels * log(softmax(logits)))`` along `axis`.

    Source: Bishop, "Pattern Recognition and Machine Learning" (2006), page 209, equation 4.108.

    Args:
        labels: probabilities of the classes, shape (..., classes); it has to be given.
        logits: scores before softmax, of the same shape; they have to be given.
        axis: of the classes.
        name: of the operation in an explicit graph; without it, it is several in a scope of this name.

    Returns:
        The loss of each row, shape (...), in the common dtype.

    Raises:
        TypeError: `labels` or `logits` is missing.
        ValueError: the shapes don't go together; of symbols, perhaps only when it runs.
        AxisError: `logits` has no such axis; of a symbol, when it runs.

    Example::

        labels, logits = np.eye(2), np.zeros((2, 2))
        loss = js.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits)
        np.testing.assert_allclose(loss, [np.log(2.0), np.log(2.0)])
    """
    if labels is None or logits is None:
        raise TypeError("softmax_cross_entropy_with_logits needs labels= and logits=")
    with composite("softmax_cross_entropy_with_logits", name) as named:
        return named(-np.sum(labels * _log_softmax(logits, axis), axis=axis))
