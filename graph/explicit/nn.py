"""Neural networks: activations and losses, each defined by NumPy (see `operations.py`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from .operations import asked_name, composite, sigmoid, tanh
from .own import constant_to_gradients

__all__ = ["log_softmax", "relu", "sigmoid", "softmax", "softmax_cross_entropy_with_logits", "tanh"]


def relu(features: Any, name: str | None = None) -> Any:
    """``max(features, 0)``, element by element."""
    with asked_name(name):
        return np.maximum(features, 0)


def softmax(logits: Any, axis: int = -1, name: str | None = None) -> Any:
    """``exp(logits) / sum(exp(logits))`` along `axis`, of logits whose maximum is first made 0.

    Args:
        logits: shape (..., classes).
        axis: of the classes.
        name: of the operation.
    """
    with composite("softmax", name) as named:
        powers = np.exp(_shifted(logits, axis))
        return named(powers / np.sum(powers, axis=axis, keepdims=True))


def log_softmax(logits: Any, axis: int = -1, name: str | None = None) -> Any:
    """``log(softmax(logits))``, without going through numbers that underflow."""
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

    Args:
        labels: probabilities of the classes, shape (..., classes).
        logits: scores before softmax, of the same shape.
        axis: of the classes.
        name: of the operation.

    Returns:
        The loss of each row, shape (...).
    """
    if labels is None or logits is None:
        raise TypeError("softmax_cross_entropy_with_logits needs labels= and logits=")
    with composite("softmax_cross_entropy_with_logits", name) as named:
        return named(-np.sum(labels * _log_softmax(logits, axis), axis=axis))
