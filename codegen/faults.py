"""Exceptions by which compiled code talks to the driver."""

from __future__ import annotations


class Deoptimise(Exception):
    """The values at hand need what compiled code does not have (a big integer, a complex result).

    Raised before anything of the statement has happened; whoever catches it runs the statement, or the whole
    function, in plain Python.
    """


DIFFERENT_SIZES = "sizes are different that most programs have equal"


class KernelFault(Exception):
    """A kernel would not do what its graph says: a fault of the compiler, found before anything ran."""

    def __init__(self, kernel: str, what: str, text: str) -> None:
        super().__init__(f"{kernel}: {what}\n\n{text}")
        self.kernel, self.what = kernel, what
