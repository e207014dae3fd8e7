"""What the kernels of a process share to look for signals (`interrupts.py`); LLVM knows it by a name."""

from __future__ import annotations

import ctypes
import functools
import os
import threading

import llvmlite.binding as llvm

SIGNALS = "jitscope_signals"


class _Signals(ctypes.Structure):
    """The main thread's number, and when it looks again in nanoseconds; only the main thread writes it."""

    _fields_ = (("main_thread", ctypes.c_uint64), ("next_look", ctypes.c_int64))


_state = _Signals()


def _know_main_thread() -> None:
    _state.main_thread = threading.main_thread().ident or 0


@functools.cache
def signal_state() -> ctypes.Structure:
    """The state; made known to LLVM when it is first asked for."""
    _know_main_thread()
    llvm.add_symbol(SIGNALS, ctypes.addressof(_state))
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_know_main_thread)
    return _state
