"""The former name of `traced_gradients`."""

from traced_gradients import check, gradients_of

__all__ = ["check", "gradients_of"]
