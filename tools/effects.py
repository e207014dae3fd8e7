"""What functions do to the world besides what they give: files, processes, the network, the keyboard.

Python tells of such things by audit events (https://docs.python.org/3/library/audit_events.html). Whoever
calls a function again asks here first: twice is one time too many for what can't be taken back.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Callable

from .script import is_ours

_FILES, _PROCESS, _NETWORK = "changes files", "starts processes", "uses the network"
_EVENTS = {
    "builtins.input": "reads from the keyboard",
    "sqlite3.connect": "opens a database",
    "webbrowser.open": "opens a browser",
    **dict.fromkeys(("os.chmod", "os.chown", "os.link", "os.mkdir", "os.remove", "os.rename"), _FILES),
    **dict.fromkeys(("os.rmdir", "os.symlink", "os.truncate", "os.utime"), _FILES),
    **dict.fromkeys(("subprocess.Popen", "os.system", "os.fork", "os.forkpty", "os.exec"), _PROCESS),
    **dict.fromkeys(("os.posix_spawn", "os.spawn", "os.startfile", "os.kill"), _PROCESS),
    **dict.fromkeys(("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg"), _NETWORK),
}
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_LIBRARIES = tuple({path + os.sep for path in sysconfig.get_paths().values()})
_COMPILERS = tuple(path + name + os.sep for path in _LIBRARIES for name in ("numba", "llvmlite"))
"""What they write is compiled code."""

_LISTENERS: list[Callable[[str], None]] = []
_STATE = {"installed": False}


def listen(listener: Callable[[str], None]) -> None:
    """Have `listener` hear what the program does from now on, as "changes files"; not what jitscope does."""
    if not _STATE["installed"]:
        sys.addaudithook(_heard)  # which stays for good
        _STATE["installed"] = True
    _LISTENERS.append(listener)


def stop_listening(listener: Callable[[str], None]) -> None:
    """Have `listener` hear nothing any more."""
    _LISTENERS.remove(listener)


def _heard(event: str, args: tuple[object, ...]) -> None:
    if _LISTENERS and (kind := _kind(event, args)) and _is_the_programs():
        for listener in tuple(_LISTENERS):
            listener(kind)


def _kind(event: str, args: tuple[object, ...]) -> str:
    if event == "open":
        _, mode, flags = args
        writes = set("wax+") & set(mode) if isinstance(mode, str) else int(flags or 0) & _WRITING  # type: ignore[call-overload]
        return "writes files" if writes else ""
    return _FILES if event.startswith("shutil.") else _EVENTS.get(event, "")


def _is_the_programs() -> bool:
    """Whether the program did it, or a library for the program; not jitscope, or a library for jitscope."""
    frame = sys._getframe(2)
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith("<jitscope "):  # what a function of the program's became
            return True
        if is_ours(file) or file.startswith(_COMPILERS):
            return False
        if not file.startswith(("<frozen", *_LIBRARIES)):
            return True
        frame = frame.f_back  # type: ignore[assignment]
    return False
