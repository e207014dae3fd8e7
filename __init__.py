"""jitscope makes plain NumPy code fast without asking anyone to rewrite it.

What decorated functions don't need is imported when it is first used: a program that finds its compiled
functions on disk starts without the compiler.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from numpy import bool_ as bool_
from numpy import complex64 as complex64
from numpy import complex128 as complex128
from numpy import float16 as float16
from numpy import float32 as float32
from numpy import float64 as float64
from numpy import int8 as int8
from numpy import int16 as int16
from numpy import int32 as int32
from numpy import int64 as int64
from numpy import uint8 as uint8
from numpy import uint16 as uint16
from numpy import uint32 as uint32
from numpy import uint64 as uint64

from .graph.trace.devices import DeviceSpec as DeviceSpec
from .graph.trace.devices import device as device
from .graph.trace.naming import name_scope as name_scope
from .graph.trace.scopes import jit_scope as experimental_jit_scope
from .graph.trace.scopes import jit_scope as jit_scope
from .runtime import errors as errors
from .runtime.config import config as config
from .runtime.config import counters as counters
from .runtime.decorator import function as function
from .runtime.devices import list_devices as list_devices
from .runtime.errors import JitscopeError as JitscopeError
from .runtime.signature import ArraySpec as ArraySpec
from .runtime.timeline import trace as trace
from .runtime.to_code import to_code as to_code
from .runtime.transforms import checkpoint as checkpoint
from .runtime.transforms import custom_gradient as custom_gradient
from .runtime.transforms import grad as grad
from .runtime.transforms import gradients as gradients
from .runtime.transforms import hessian as hessian
from .runtime.transforms import jacobian as jacobian
from .runtime.transforms import jvp as jvp
from .runtime.transforms import stop_gradient as stop_gradient
from .runtime.transforms import value_and_grad as value_and_grad
from .runtime.transforms import vjp as vjp

if TYPE_CHECKING:
    from . import dask as dask
    from .runtime.covered import coverage as coverage
    from .runtime.draw import draw as draw
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
    "dask",
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
    if name == "dask":
        return import_module(".dask", __name__)
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
