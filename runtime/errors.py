"""Exceptions that reach the user: what, where, why, what to try."""

from __future__ import annotations

from ..graph.ir.nodes import NOWHERE, Loc
from ..graph.ir.shown import printable_lines

WIDTH = 100
"""Columns of a screen."""


class JitscopeError(Exception):
    """A function can't be compiled, differentiated or placed as was asked; the message says where and why.

    Attributes:
        what: the first line of the message, without the place.
        where: the place in the user's source, with `filename`, `line` and `text`; line 0 if nobody knows.

    Example::

        evaluated = js.function(lambda x: eval("x + 1"), strict=True)
        try:
            evaluated(1.0)
        except js.JitscopeError as error:
            assert "it uses `eval`" in error.what
    """

    def __init__(self, what: str, where: Loc = NOWHERE, so: str = "", attempt: str = "") -> None:
        super().__init__(message(what, where, so, attempt))
        self.what = what
        self.where = where


class IntegerOverflow(OverflowError):
    """A Python int left 64 bits in compiled code after something was written that can't be undone.

    Where nothing was written, or it can be undone, the call runs as plain Python instead. A complex result
    where compiled code holds floats is told by this, too.

    Example::

        @js.function
        def power(out, n):
            out[:] = 1.0
            for _ in range(70):
                n = n * 2
            return n

        try:
            power(np.zeros(10_000), 1)
        except js.errors.IntegerOverflow as error:
            assert "beyond 64 bits" in str(error)
    """


class NeedsGraph(RuntimeError):
    """Something that only a trace can do was met in plain code.

    Example::

        try:
            js.gradients(2.0, [1.0])
        except js.errors.NeedsGraph as error:
            assert "works on values of a graph" in str(error)
    """

    def because(self, reason: str, cause: Exception | None) -> Exception:
        """What to tell of a function that was to be traced and runs plain: why it does."""
        from ..graph.gradients.errors import GradientError

        if isinstance(cause, GradientError):
            return cause
        return NeedsGraph(f"{self}\n  so:  the function around it runs as plain Python, as {reason}")


def message(what: str, where: Loc = NOWHERE, so: str = "", attempt: str = "") -> str:
    """A message in the user's words: what happened, their line, what follows, what to try."""
    lines = [what]
    if where.line:
        lines.append(f"  --> {place(where)}")
        lines += quoted(where)
    if so:
        lines.append(f"  so:  {so}")
    if attempt:
        lines.append(f"  try: {attempt}")
    return printable_lines("\n".join(lines))


def place(where: Loc) -> str:
    """`where` as ``file:line:column, in function``; the file without its folders."""
    name = where.filename.replace("\\", "/").rsplit("/", 1)[-1]
    column = f":{where.column + 1}" if where.column or where.end else ""
    return f"{name}:{where.line}{column}" + (f", in {where.function}" if where.function else "")


def quoted(where: Loc) -> list[str]:
    """The user's line, and carets under what is meant: under the whole line, if no more is known."""
    if not where.text.strip():
        return []
    start = where.column or len(where.text) - len(where.text.lstrip())
    carets = "^" * max(min(where.end or WIDTH, len(where.text)) - start, 1)
    return [f"{where.line:5} | {cut(where.text)}", f"      | {' ' * start}{carets}"[:WIDTH]]


def cut(text: str, width: int = WIDTH - 10) -> str:
    """A line that fits the screen; tabs are as wide as columns count them."""
    text = text.replace("\t", " ")
    return text if len(text) <= width else text[: width - 3].rstrip() + "..."


class InvalidArgumentError(ValueError):
    """A session was asked for something that it can't compute with what it was given.

    Example::

        x = js.placeholder(js.float32, [None], name="x")
        try:
            js.Session().run(x * 2)
        except js.errors.InvalidArgumentError as error:
            assert "You must feed a value for placeholder 'x'" in str(error)
    """


class FailedPreconditionError(RuntimeError):
    """A session was asked for the value of a variable that has none yet.

    Example::

        v = js.Variable(1.0)
        try:
            js.Session().run(v)
        except js.errors.FailedPreconditionError as error:
            assert "js.global_variables_initializer()" in str(error)
    """
