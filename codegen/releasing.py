"""Compiled functions that let go of their arrays when they raise.

Numba leaves a function that raises at once, and every array that a variable held stays in memory for good:
each exception costs the arrays of the kernel and of the helpers between it and the ``raise``. Here a function
has one more exit, which all exceptions take and which does what Numba does where a variable goes out of use.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any

from llvmlite import binding as llvm
from llvmlite import ir
from numba.core import codegen, typed_passes
from numba.core.callconv import RETCODE_NONE, RETCODE_OK
from numba.core.lowering import Lower

from .known_calls import remembering
from .wrapping import Wrapping

_wanted: ContextVar[bool] = ContextVar("wanted", default=False)


@contextmanager
def releasing() -> Iterator[None]:
    """What Numba compiles meanwhile in this context releases its arrays when it raises."""
    _install()
    token = _wanted.set(True)
    try:
        with remembering():
            yield
    finally:
        _wanted.reset(token)


@cache
def _install() -> None:
    """Numba asks a property which class writes machine code; what others compile keeps Numba's own.

    LLVM's pass over counts of references may not take it that exits which raise let go of nothing
    (`FANOUT_RAISE`): it would drop the counting up, and an array would be freed while it is in use.
    """
    numba_pass: Any = typed_passes.NativeLowering
    numba_pass.lowering_class = property(lambda self: Releasing if _wanted.get() else Lower)
    usual: Any = codegen._parse_refprune_flags
    with_releases = ~llvm.RefPruneSubpasses.FANOUT_RAISE
    codegen._parse_refprune_flags = lambda: usual() & with_releases if _wanted.get() else usual()


class Releasing(Wrapping):
    """Numba's writer of machine code for one function, with an exit for exceptions."""

    def _find_singly_assigned_variable(self) -> None:
        """Every variable that may hold an array gets a place that the exit can find."""
        super()._find_singly_assigned_variable()
        self._singly_assigned_vars = {n for n in self._singly_assigned_vars if not self._counts(n)}

    def create_cfunc_wrapper(self) -> None:
        """None: nobody calls kernels from C, and LLVM would optimise one for each."""

    def lower_function_body(self) -> Any:
        """The whole function; then its raising ends are led to the exit."""
        tail = super().lower_function_body()
        if self.generator_info is None and (raising := [b for b in self.function.blocks if _raises(b)]):
            self._lead_to_exit(raising)
        return tail

    def _lead_to_exit(self, raising: list[ir.Block]) -> None:
        held = [name for name in self.varmap if self._counts(name)]
        if not held:
            return
        release = self.function.append_basic_block("release")
        self.builder.position_at_end(release)
        code = self.builder.phi(raising[0].terminator.operands[0].type, "code")
        for block in raising:
            code.add_incoming(block.terminator.operands[0], block)
            block.instructions.remove(block.terminator)
            block.terminator = None
            ir.IRBuilder(block).branch(release)
        for name in held:
            self.decref(self.typeof(name), self.builder.load(self.varmap[name]))
        self.builder.ret(code)

    def _counts(self, name: str) -> bool:
        """Whether a variable holds references: its place is empty before the first and after the last use."""
        model = self.context.data_model_manager[self.typeof(name)]
        return bool(model.contains_nrt_meminfo())


def _raises(block: ir.Block) -> bool:
    """Whether a block returns the code of an exception, its own or that of a function that it called."""
    if not isinstance(block.terminator, ir.Ret):
        return False
    (code,) = block.terminator.operands
    fine = (RETCODE_OK.constant, RETCODE_NONE.constant)
    return not (isinstance(code, ir.Constant) and code.constant in fine)
