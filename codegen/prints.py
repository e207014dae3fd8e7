"""`print` for drivers: counts what this thread has given to the standard output.

Where compiled code can't go on the call starts again as plain Python, without what is printed already.
"""

from __future__ import annotations

import builtins
import threading


class Printed(threading.local):
    """How many texts drivers have written in this thread so far."""

    texts = 0


PRINTED = Printed()


def print(*values: object, **how: object) -> None:
    """Python's own; of each value, separator and end a text is written."""
    builtins.print(*values, **how)  # type: ignore[call-overload]
    PRINTED.texts += 2 * len(values) or 1
