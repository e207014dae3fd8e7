"""Dask, where it is installed: an extra, imported when it is first used."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def dask_array() -> Any:
    """The module `dask.array`.

    Raises:
        ImportError: it isn't installed; the message says what to install.
    """
    return _module("dask.array")


def highlevelgraph() -> Any:
    """Dask's graphs in layers."""
    return _module("dask.highlevelgraph").HighLevelGraph


def tokenize(*what: object) -> str:
    """Dask's name for what is equal."""
    return str(_module("dask.base").tokenize(*what))


def _module(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise ImportError("jitscope.dask needs Dask: pip install 'jitscope[dask]'") from error
