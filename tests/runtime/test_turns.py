"""First calls among forks, signals and calls of other functions: no hang, no death, nothing swallowed."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import textwrap
import threading
from pathlib import Path
from types import FrameType

import numpy as np
import pytest
from alive_programs import run
from compiled import needs_compiler

import jitscope as js
from jitscope.runtime import turns
from jitscope.runtime.signals import waiting

pytestmark = [needs_compiler, pytest.mark.skipif(not hasattr(os, "fork"), reason="POSIX")]


def test_children_forked_while_threads_compile_compile_too(tmp_path: Path) -> None:
    printed = run(tmp_path, "forks", 3)
    found = re.match(r"3 forks, (\d) amid compilations: 0 bad, .*; threads: \[\]$", printed)
    assert found
    assert int(found[1]) >= 2


@pytest.mark.parametrize("way", ["signal", "trace"])
def test_first_call_inside_of_a_first_call_is_plain_and_compiled_later(tmp_path: Path, way: str) -> None:
    assert run(tmp_path, "reentrant", 4, way).endswith(f"by {way}: 0 wrong, 0 not compiled later, raised: []")


def test_interrupts_of_first_calls_arrive_and_harm_nothing(tmp_path: Path) -> None:
    printed = run(tmp_path, "interrupts", 4)
    assert printed.startswith("4 interrupts in first calls: 0 swallowed, 0 wrong")
    assert "0 times another handler" in printed


def test_child_of_an_endless_compilation_runs_plain(tmp_path: Path) -> None:
    program = """
        import os, signal, sys, threading, time
        import numpy as np
        import jitscope as js
        from jitscope.runtime import turns

        @js.function
        def f(a):
            return (a * 2 + 1).sum()

        turns.FORK_PATIENCE = 0.2
        started = threading.Event()
        def endless():
            started.set()
            time.sleep(60)
        threading.Thread(target=lambda: turns.prepare(endless), daemon=True).start()
        started.wait()
        child = os.fork()
        if child == 0:
            signal.alarm(20)
            right = f(np.ones(3)) == 9.0 and f(np.ones(3)) == 9.0 and not f.specializations
            os._exit(0 if right else 3)
        print(os.waitpid(child, 0)[1])
        os._exit(0)
    """
    (tmp_path / "program.py").write_text(textwrap.dedent(program))
    done = subprocess.run(
        [sys.executable, "program.py"], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert done.stdout.strip() == "0", done.stderr


@pytest.fixture
def handled() -> list[int]:
    return []


def _with_handler(handler: object, work: object) -> None:
    before = signal.signal(signal.SIGUSR1, handler)  # type: ignore[arg-type]
    try:
        work()  # type: ignore[operator]
    finally:
        assert signal.getsignal(signal.SIGUSR1) is handler
        signal.signal(signal.SIGUSR1, before)


def test_handlers_wait_for_a_checkpoint_and_run_once(handled: list[int]) -> None:
    def handler(number: int, frame: FrameType | None) -> None:
        handled.append(number)

    def work() -> None:
        os.kill(os.getpid(), signal.SIGUSR1)
        assert handled == []
        waiting.checkpoint()
        assert handled == [signal.SIGUSR1]
        os.kill(os.getpid(), signal.SIGUSR1)
        assert len(handled) == 1

    _with_handler(handler, lambda: waiting.undisturbed(work))
    assert len(handled) == 2


def test_what_a_handler_raises_leaves_at_the_checkpoint_as_it_is() -> None:
    def handler(number: int, frame: FrameType | None) -> None:
        raise TimeoutError("enough")

    def work() -> None:
        try:
            os.kill(os.getpid(), signal.SIGUSR1)
            waiting.checkpoint()
        except Exception:
            raise AssertionError("taken for a fault of the compiler") from None
        raise AssertionError("not left")

    with pytest.raises(TimeoutError, match="enough"):
        _with_handler(handler, lambda: waiting.undisturbed(work))


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_what_a_handler_raises_where_nobody_may_raise_is_not_lost() -> None:
    class Falling:
        def __del__(self) -> None:
            os.kill(os.getpid(), signal.SIGUSR1)
            sum(range(10))

    def handler(number: int, frame: FrameType | None) -> None:
        raise TimeoutError("enough")

    def work() -> None:
        waiting.openly(lambda: Falling() and None)

    with pytest.raises(TimeoutError, match="enough"):
        _with_handler(handler, lambda: waiting.undisturbed(work))


def test_ignored_signals_stay_ignored_and_new_handlers_stay() -> None:
    def first(number: int, frame: FrameType | None) -> None: ...

    def second(number: int, frame: FrameType | None) -> None: ...

    before = [(number, signal.getsignal(number)) for number in (signal.SIGUSR1, signal.SIGUSR2)]
    try:
        signal.signal(signal.SIGUSR1, signal.SIG_IGN)
        signal.signal(signal.SIGUSR2, first)

        def work() -> None:
            assert signal.getsignal(signal.SIGUSR1) is signal.SIG_IGN
            signal.signal(signal.SIGUSR2, second)

        waiting.undisturbed(work)
        assert signal.getsignal(signal.SIGUSR1) is signal.SIG_IGN
        assert signal.getsignal(signal.SIGUSR2) is second
    finally:
        for number, handler in before:
            signal.signal(number, handler)


@pytest.mark.parametrize("times", [1, 3])
def test_all_handlers_are_back_though_one_of_them_raises_at_once(
    times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    handled: list[int] = []

    def raising(number: int, frame: FrameType | None) -> None:
        raise TimeoutError("enough")

    def counting(number: int, frame: FrameType | None) -> None:
        handled.append(number)

    wanted = {signal.SIGINT: raising, signal.SIGUSR1: raising, signal.SIGUSR2: counting}
    before = {number: signal.signal(number, handler) for number, handler in wanted.items()}
    given, sent = signal.signal, []

    def give_back_and_be_hit(number: int, handler: object) -> object:
        result = given(number, handler)  # type: ignore[arg-type]
        if handler is raising and len(sent) < times:
            sent.append(number)
            os.kill(os.getpid(), number)
        return result

    def work() -> None:
        os.kill(os.getpid(), signal.SIGUSR2)
        monkeypatch.setattr(signal, "signal", give_back_and_be_hit)

    try:
        with pytest.raises(TimeoutError, match="enough"):
            waiting.undisturbed(work)
        monkeypatch.undo()
        assert {number: signal.getsignal(number) for number in wanted} == wanted
        assert handled == [signal.SIGUSR2]
        assert not (waiting.active or waiting.noted or waiting.users or waiting.raised)
    finally:
        monkeypatch.undo()
        for number, handler in before.items():
            given(number, handler)


def test_all_waiting_signals_are_handled_though_the_first_handler_raises() -> None:
    handled: list[int] = []

    def first(number: int, frame: FrameType | None) -> None:
        raise TimeoutError("enough")

    before = signal.signal(signal.SIGUSR2, lambda number, frame: handled.append(number))

    def work() -> None:
        os.kill(os.getpid(), signal.SIGUSR1)
        os.kill(os.getpid(), signal.SIGUSR2)

    try:
        with pytest.raises(TimeoutError, match="enough"):
            _with_handler(first, lambda: waiting.undisturbed(work))
        assert handled == [signal.SIGUSR2]
        assert not waiting.noted
    finally:
        signal.signal(signal.SIGUSR2, before)


def test_other_threads_exchange_no_handlers() -> None:
    found = []
    before = signal.getsignal(signal.SIGINT)

    def work() -> None:
        found.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=lambda: waiting.undisturbed(work))
    thread.start()
    thread.join()
    assert found == [before]


def test_turns_of_one_thread_are_not_nested() -> None:
    def work() -> None:
        with pytest.raises(turns.Busy):
            turns.prepare(lambda: None)
        turns.LOADING.take(lambda: None)

    turns.prepare(work)
    assert not turns.inside()


def test_derivatives_asked_for_inside_of_a_first_call_say_why_there_are_none() -> None:
    derived = js.grad(lambda a: (a * a).sum())
    a = np.arange(3.0)
    with pytest.raises(js.JitscopeError, match="this thread is compiling another function just now"):
        turns.PREPARING.take(lambda: derived(a))
    np.testing.assert_array_equal(derived(a), 2 * a)


def said_by(folder: Path, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """What a program says in a process of its own."""
    (folder / "program.py").write_text(program)
    command = [sys.executable, "program.py", *arguments]
    environment = {**os.environ, "JITSCOPE_CACHE_DIR": str(folder / "cache")}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)


LATE = """
import sys
import numpy as np
import jitscope as js

@js.function
def norm(x):
    return np.sqrt((x * x).sum())

slope = js.grad(lambda x: (x * x).sum())

class Resource:
    def __del__(self):
        print(norm(np.arange(3.0)))
        try:
            slope(np.arange(3.0))
        except js.JitscopeError as error:
            print("shutting down" in str(error))

norm.python_function(np.arange(3.0))  # after which NumPy has imported all that it needs
if "before" in sys.argv:
    norm(np.arange(3))
resource = Resource()
"""


@pytest.mark.parametrize("way", ["first", "before"])
def test_calls_at_the_end_of_python_run_plain(tmp_path: Path, way: str) -> None:
    done = said_by(tmp_path, LATE, way)
    assert done.stdout.split() == [str(np.sqrt(5.0)), "True"], done.stderr
    assert not done.stderr


AMID = """
import sys
import numpy as np
import jitscope as js

A = np.arange(4.0)

def make(k):
    def f(x):
        s = 0.0
        for i in range(len(x)):
            s += np.sin(x[i]) * k
        return s
    return js.function(f)

outer, inner, steps = make(1.0), make(2.0), 0

def traced(frame, event, arg):
    global steps
    if frame.f_globals.get("__name__") == sys.argv[1]:
        steps += 1
        if steps in (50, 100):
            assert inner(A) == inner.python_function(A)
            assert not inner.specializations
    return traced

sys.settrace(traced)
if sys.argv[1].startswith("numba"):
    import numba
    assert steps > 100
assert outer(A) == outer.python_function(A)
sys.settrace(None)
for f in (outer, inner):
    f(A)
    f(A)
    assert [len(one.clusters) for one in f.specializations] == [1], f.explain(A)
print("fine")
"""


@pytest.mark.parametrize("amid", ["logging", "numba.core.types", "numba.core.ir"])
def test_first_calls_amid_an_import_are_plain_and_compiled_later(tmp_path: Path, amid: str) -> None:
    done = said_by(tmp_path, AMID, amid)
    assert done.stdout == "fine\n", done.stderr


def test_first_calls_of_a_users_module_that_is_being_imported_are_compiled(tmp_path: Path) -> None:
    users = "import numpy as np, jitscope as js\n"
    users += "f = js.function(lambda x: (np.sin(x) * 2 + x).sum())\nf(np.arange(3.0))\n"
    (tmp_path / "users.py").write_text(users)
    done = said_by(tmp_path, "import users\nprint(len(users.f.specializations[0].clusters))")
    assert done.stdout == "1\n", done.stderr
