"""Dask arrays: decorated functions on data that is cut into blocks, on one machine or on many.

::

    y = js.dask.map_blocks(f, x)                               dtypes, chunks, halos come from the trace
    y = js.dask.apply_gufunc(f, "(i),(i)->()", x, w)           loops over all but the named axes
    client.register_plugin(js.dask.WorkerPlugin(f))            workers have what was compiled here
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .blocks import map_blocks as map_blocks
from .gufuncs import apply_gufunc as apply_gufunc

if TYPE_CHECKING:
    from .worker import WorkerPlugin as WorkerPlugin

__all__ = ["WorkerPlugin", "apply_gufunc", "map_blocks"]


def __getattr__(name: str) -> Any:
    """What needs `distributed` is imported when it is first used."""
    if name != "WorkerPlugin":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return import_module(".worker", __name__).WorkerPlugin
    except ImportError as error:
        raise ImportError("workers need Dask's distributed: pip install 'jitscope[dask]'") from error
