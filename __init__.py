"""jitscope makes plain NumPy code fast without asking anyone to rewrite it.

What decorated functions don't need is imported when it is first used: a program that finds its compiled
functions on disk starts without the compiler.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from numpy import (
    bool_,
    complex64,
    complex128,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)

from .graph.trace.devices import DeviceSpec, device
from .graph.trace.naming import name_scope
from .graph.trace.scopes import jit_scope
from .graph.trace.scopes import jit_scope as experimental_jit_scope
from .runtime import errors
from .runtime.config import config, counters
from .runtime.decorator import function
from .runtime.devices import list_devices
from .runtime.errors import JitscopeError
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

if TYPE_CHECKING:
    from .runtime.covered import coverage  # noqa: F401
    from .runtime.draw import draw  # noqa: F401
    from .runtime.graph_mode import *  # noqa: F403

__version__ = "0.1.0"

_GRAPH_MODE = """
    ConfigProto Graph GraphOptions InteractiveSession Operation OptimizerOptions RunMetadata
    RunOptions Session Symbol Timeline Variable abs add argmax argmin assign assign_add assign_sub
    cast concat constant control_dependencies cos div divide equal exp expand_dims
    get_default_graph get_default_session global_variables global_variables_initializer greater
    group identity less log logical_and logical_not logical_or matmul maximum minimum mul multiply
    negative nn no_op not_equal ones ones_like placeholder placeholder_with_default power
    reduce_max reduce_mean reduce_min reduce_prod reduce_sum reset_default_graph reshape shape
    sigmoid sin sqrt square squeeze stack sub subtract tanh train trainable_variables transpose
    variables_initializer where zeros zeros_like
"""
_LATER = {
    "coverage": ".runtime.covered",
    "draw": ".runtime.draw",
    **dict.fromkeys(_GRAPH_MODE.split(), ".runtime.graph_mode"),
}

__all__ = [
    "ArraySpec",
    "DeviceSpec",
    "JitscopeError",
    "bool_",
    "checkpoint",
    "complex128",
    "complex64",
    "config",
    "counters",
    "custom_gradient",
    "device",
    "errors",
    "experimental_jit_scope",
    "float16",
    "float32",
    "float64",
    "function",
    "grad",
    "gradients",
    "hessian",
    "int16",
    "int32",
    "int64",
    "int8",
    "jacobian",
    "jit_scope",
    "jvp",
    "list_devices",
    "name_scope",
    "stop_gradient",
    "to_code",
    "trace",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "value_and_grad",
    "vjp",
    *_LATER,
]


def __getattr__(name: str) -> Any:
    """A name of the public face that nobody has used so far."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_LATER[name], __name__), name)
    globals()[name] = value
    return value


def load_ipython_extension(shell: object) -> None:
    """What ``%load_ext jitscope`` calls in IPython and in notebooks."""
    import_module(".tools.notebook", __name__).load(shell)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
