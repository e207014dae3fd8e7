"""Dask's workers: they have what was compiled here, and their libraries start few threads."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any

from distributed import WorkerPlugin as DistributedPlugin

from ..runtime.paths import underlying
from .shipped import packed, unpack

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


class WorkerPlugin(DistributedPlugin):
    """Brings Dask's workers the machine code of decorated functions.

    Register it after the functions have been called for arguments like those that the workers will get. A
    worker then loads what was compiled here instead of compiling it. Workers that share the folder of the
    cache find it there anyway; one with another processor, or other versions of jitscope, NumPy or Numba,
    compiles for itself, once, as its entries have other names.

    Args:
        *functions: decorated functions; what is on disk of their specialisations is sent.
        threads: how many threads the libraries that multiply matrices may start in a worker; ``"auto"`` gives
            each of the worker's own threads its share of the processors.

    Raises:
        TypeError: one of the functions isn't decorated.
        ImportError: Dask's `distributed` isn't installed.

    Example::

        from distributed import Client, LocalCluster

        @js.function
        def length(x):
            total = 0.0
            for v in x:
                total += v * v
            return np.sqrt(total)

        length(np.ones(4))
        with LocalCluster(n_workers=1, processes=False, dashboard_address=None) as cluster:
            with Client(cluster) as client:
                client.register_plugin(js.dask.WorkerPlugin(length))
                assert client.submit(length, np.ones(4)).result() == 2.0
    """

    name = "jitscope"

    def __init__(self, *functions: Callable[..., Any], threads: int | str = "auto") -> None:
        for function in functions:
            if not hasattr(function, "__jitscope__"):
                raise TypeError(f"{underlying(function).__qualname__} isn't decorated by js.function")
        self.entries = packed(functions)
        self.threads = threads

    def setup(self, worker: Any) -> None:
        """What a worker does when it starts, or gets the plugin."""
        unpack(self.entries)
        limit_threads(self.threads, int(worker.state.nthreads))


def limit_threads(threads: int | str, own: int) -> int:
    """Let libraries of this process start no more threads than that, as far as they still can be told.

    ``"auto"``: each of the `own` threads that call them has its share of the processors.
    """
    count = max(len(os.sched_getaffinity(0)) // max(own, 1), 1) if threads == "auto" else int(threads)
    os.environ.update(dict.fromkeys(_THREADS, str(count)))
    with suppress(ImportError):
        import_module("threadpoolctl").threadpool_limits(count)
    return count
