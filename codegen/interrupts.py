"""Signals in compiled loops: Python's handlers run, and Ctrl-C ends a loop, while a kernel is at work.

A kernel runs without the interpreter's lock, and CPython calls the handler of a signal only between two
steps of the interpreter. So a loop that may last counts the work that it does. Each time it has done `MUCH`,
the main thread looks at the clock, and when `PAUSE` is over it takes the lock and asks CPython to run
handlers. If one raises, the kernel is left with that exception; if not, the loop goes on.

The count lives in a register. There is no handler of ours and no flag that somebody else could take away.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing import signature
from numba.extending import lower_builtin, type_callable

from .signal_state import SIGNALS, signal_state

MUCH = 1 << 17
"""Operations between two looks at the clock: 15 µs at least, 15 ms where each is a power."""

PAUSE, LONGEST = 10_000_000, 80_000_000
"""Nanoseconds from one time that the lock is taken to the next, at least and at most."""

CALL = 16
"""What a call counts as, with what the function does besides."""

PATIENCE = 16
"""Where another thread is slow to hand the lock over, a pause lasts so many times as long as that took."""

COUNTER = ".work_left"
"""The name of the count's place: no variable of a program can have it, as Python's names have no dot."""

LONG, WORD = ir.IntType(64), ir.IntType(32)


def look_for_signals(work: int) -> None:
    """Some `work` has been done: run the handlers of signals that have come, if it is time for that."""


def look_in_recursion() -> None:
    """A function that calls itself has been entered: the same, counted for all of its calls together."""


signal_state()  # machine code from the cache is loaded next


@type_callable(look_for_signals)
def _type_look(context: Any) -> Any:
    return lambda work: signature(types.none, types.int64)


@lower_builtin(look_for_signals, types.int64)
def _lower_look(context: Any, builder: ir.IRBuilder, sig: Any, args: Any) -> Any:
    _look(context, builder, _counter(builder), args[0])
    return context.get_dummy_value()


@type_callable(look_in_recursion)
def _type_entered(context: Any) -> Callable[[], object]:
    return lambda: signature(types.none)


@lower_builtin(look_in_recursion)
def _lower_entered(context: Any, builder: ir.IRBuilder, sig: object, args: object) -> Any:
    name, globals_ = "jitscope_calls_left", builder.module.globals
    if name not in globals_:
        place = ir.GlobalVariable(builder.module, LONG, name)
        place.linkage, place.initializer = "internal", LONG(MUCH)
    _look(context, builder, globals_[name], LONG(CALL))
    return context.get_dummy_value()


def _look(context: Any, builder: ir.IRBuilder, left: ir.Value, work: ir.Value) -> None:
    """Count the work down at the place `left`, and run the handlers when it is time."""
    rest = builder.usub_with_overflow(builder.load(left), work)
    builder.store(builder.extract_value(rest, 0), left)
    with builder.if_then(builder.extract_value(rest, 1), likely=False):  # sub and jb, nothing else
        builder.store(LONG(MUCH), left)
        raised = builder.call(_handlers(context, builder.module), [])
        with builder.if_then(builder.icmp_signed("!=", raised, WORD(0)), likely=False):
            context.call_conv.return_exc(builder)


def _counter(builder: ir.IRBuilder) -> Any:
    """The place of this function where the work is counted down."""
    entry = builder.function.entry_basic_block
    for instruction in entry.instructions:
        if instruction.name == COUNTER:
            return instruction
    place = cgutils.alloca_once(builder, LONG, name=COUNTER)
    with builder.goto_entry_block():
        builder.store(LONG(MUCH), place)
    return place


def _handlers(context: Any, module: ir.Module) -> ir.Function:
    """The function that runs the handlers when it is time for that; it returns 0 unless one has raised."""
    name = "jitscope_run_handlers"
    if name in module.globals:
        return module.globals[name]
    function = ir.Function(module, ir.FunctionType(WORD, []), name)
    function.linkage = "linkonce_odr"
    function.attributes.update(("cold", "noinline", "nounwind", "minsize"))  # compiled in a hurry
    builder = ir.IRBuilder(function.append_basic_block())
    main, next_look = _shared(builder)
    thread = builder.call(_outside(module, LONG, "PyThread_get_thread_ident"), [])
    with builder.if_then(builder.icmp_unsigned("!=", thread, builder.load(main))):
        builder.ret(WORD(0))
    now = _clock(builder)
    with builder.if_then(builder.icmp_signed("<", now, builder.load(next_look))):
        builder.ret(WORD(0))
    python = context.get_python_api(builder)
    lock = python.gil_ensure()
    builder.store(_pause_over(builder, now, _clock(builder)), next_look)
    raised = builder.call(_outside(module, WORD, "PyErr_CheckSignals"), [])
    python.gil_release(lock)
    builder.ret(raised)
    return function


def _shared(builder: ir.IRBuilder) -> tuple[Any, Any]:
    """Where the fields of the state are."""
    kind = ir.LiteralStructType([LONG, LONG])
    state = ir.GlobalVariable(builder.module, kind, SIGNALS)
    return builder.gep(state, [WORD(0), WORD(0)]), builder.gep(state, [WORD(0), WORD(1)])


def _pause_over(builder: ir.IRBuilder, asked: Any, given: Any) -> Any:
    """When the lock, asked for and given at these times, may be asked for again."""
    pause = builder.mul(builder.sub(given, asked), LONG(PATIENCE))
    pause = builder.select(builder.icmp_signed("<", pause, LONG(PAUSE)), LONG(PAUSE), pause)
    pause = builder.select(builder.icmp_signed(">", pause, LONG(LONGEST)), LONG(LONGEST), pause)
    return builder.add(given, pause)


def _clock(builder: ir.IRBuilder) -> Any:
    """Nanoseconds; always late where the system has no such clock, so that the lock is taken each time."""
    if not hasattr(time, "CLOCK_MONOTONIC"):
        return LONG(0)
    place = cgutils.alloca_once(builder, ir.ArrayType(LONG, 2))
    parts = [builder.gep(place, [WORD(0), WORD(k)]) for k in range(2)]
    kind = ir.FunctionType(WORD, [WORD, LONG.as_pointer()])
    read = cgutils.get_or_insert_function(builder.module, kind, "clock_gettime")
    builder.call(read, [WORD(time.CLOCK_MONOTONIC), parts[0]])
    seconds, rest = map(builder.load, parts)
    return builder.add(builder.mul(seconds, LONG(1_000_000_000)), rest)


def _outside(module: ir.Module, kind: ir.Type, name: str) -> ir.Function:
    """A function of CPython that takes nothing."""
    return cgutils.get_or_insert_function(module, ir.FunctionType(kind, []), name)
