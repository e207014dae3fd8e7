"""jitscope makes plain NumPy code fast without asking anyone to rewrite it."""

from .graph.devices import DeviceSpec, device
from .graph.scopes import jit_scope
from .runtime.config import config, counters
from .runtime.devices import list_devices
from .runtime.draw import draw
from .runtime.errors import JitscopeError
from .runtime.function import function
from .runtime.signature import ArraySpec
from .runtime.timeline import trace
from .runtime.to_code import to_code
from .runtime.transforms import (
    checkpoint,
    custom_gradient,
    grad,
    gradients,
    hessian,
    jacobian,
    jvp,
    stop_gradient,
    value_and_grad,
    vjp,
)

__version__ = "0.1.0"
__all__ = [
    "ArraySpec",
    "DeviceSpec",
    "JitscopeError",
    "checkpoint",
    "config",
    "counters",
    "custom_gradient",
    "device",
    "draw",
    "function",
    "grad",
    "gradients",
    "hessian",
    "jacobian",
    "jit_scope",
    "list_devices",
    "jvp",
    "stop_gradient",
    "to_code",
    "trace",
    "value_and_grad",
    "vjp",
]
