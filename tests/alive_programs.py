"""Programs that disturb first calls: forks, handlers that call functions, interrupts.

`run(name, count)` runs one in a process of its own, beside a module of many different functions.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

FUNCTION = """
@js.function
def f{k}(a, n):
    s = {k}.0
    for i in range(n):
        s += a[i] * {k}.5 - i
        if s > 1e9:
            s = s / {k}.25
    return s
"""

BEGINNING = """
import gc, os, random, signal, sys, threading, time, warnings
import numpy as np
import jitscope as js
import many
from jitscope.runtime import turns

warnings.simplefilter("ignore")
COUNT = int(sys.argv[1])
A = np.arange(50.0)
random.seed(7)

def call(k):
    f = getattr(many, f"f{k}")
    wanted = f.python_function(A, 50)
    return f(A, 50) == wanted

def compiled(k):
    return [len(one.clusters) for one in getattr(many, f"f{k}").specializations] == [1]
"""

PROGRAMS = {
    "forks": """
stop, failed = False, []
def work(first):
    k = first
    try:
        while not stop and k < COUNT * 40:
            assert call(k) and compiled(k), f"f{k} is wrong or not compiled"
            k += 2
    except BaseException as error:
        failed.append(repr(error))
threads = [threading.Thread(target=work, args=(first,), daemon=True) for first in (1, 2)]
assert call(0)
for thread in threads:
    thread.start()
ends, amid, slowest = [], 0, 0.0
for number in range(COUNT):
    time.sleep(random.random() * 0.3)
    begun = time.monotonic()
    while not turns.PREPARING.owner and time.monotonic() < begun + 1:
        time.sleep(0.001)
    amid += turns.PREPARING.owner != 0
    begun = time.monotonic()
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        os._exit(0 if call(0) and call(COUNT * 40 + number) and compiled(COUNT * 40 + number) else 3)
    ends.append(os.waitpid(child, 0)[1])
    slowest = max(slowest, time.monotonic() - begun)
stop = True
for thread in threads:
    thread.join(30)
    if thread.is_alive():
        failed.append("a thread that does not end")
bad = sum(end != 0 for end in ends)
print(f"{COUNT} forks, {amid} amid compilations: {bad} bad, slowest {slowest:.1f} s; threads: {failed}")
""",
    "reentrant": """
asked, wrong, raised = [], [], []
def ask(*_):
    global here
    if turns.inside() and here < 5 and len(asked) < COUNT:  # 5 in each, so that many are disturbed
        here += 1
        inner = COUNT * 10 + len(asked)
        asked.append(inner)
        try:
            if not call(inner) or compiled(inner):
                wrong.append(inner)
        except BaseException as error:  # which `__del__` would swallow
            raised.append(repr(error))
class Falling:
    def __del__(self):
        ask()
steps = 0
def traced(frame, event, arg):
    global steps
    steps += 1
    if steps % 20011 == 0:
        ask()
def collected(phase, info):
    Falling()
way = sys.argv[2]
if way == "signal":
    signal.signal(signal.SIGALRM, ask)
    signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
elif way == "gc":
    gc.callbacks.append(collected)
elif way == "trace":
    sys.settrace(traced)
k = here = 0
while len(asked) < COUNT and k < COUNT * 10:
    here = 0
    assert call(k) and compiled(k)
    k += 1
signal.setitimer(signal.ITIMER_REAL, 0)
gc.callbacks.clear()
sys.settrace(None)
later = [k for k in asked if not (call(k) and compiled(k))]
verdict = f"{len(wrong)} wrong, {len(later)} not compiled later, raised: {raised[:3]}"
print(f"{len(asked)} calls inside of {k} first calls, by {way}: {verdict}")
""",
    "interrupts": """
before = signal.getsignal(signal.SIGINT)
sent = 0.0
def send(delay):
    global sent
    time.sleep(delay)
    sent = time.monotonic()
    os.kill(os.getpid(), signal.SIGINT)
assert call(0)
inside, swallowed, wrong, late, changed = 0, 0, 0, [], 0
k = 0
while inside < COUNT:
    k += 1
    sent = 0.0
    thread = threading.Thread(target=send, args=(random.random() * 0.3,))
    done = 0.0
    try:
        thread.start()
        call(k)
        done = time.monotonic()
        while True:
            time.sleep(0.01)
            if sent and time.monotonic() > sent + 0.5:
                swallowed += 1
                break
    except KeyboardInterrupt:
        came = time.monotonic()
    if not done or sent < done:
        inside += 1
        late.append(came - sent)
    thread.join()
    changed += signal.getsignal(signal.SIGINT) is not before
    if not (call(k) and compiled(k)):
        wrong += 1
late.sort()
print(
    f"{inside} interrupts in first calls: {swallowed} swallowed, {wrong} wrong or not compiled afterwards, "
    f"{changed} times another handler; they came after {late[len(late) // 2]:.3f} s (median), "
    f"{late[int(len(late) * 0.95)]:.3f} s (95 %), {late[-1]:.3f} s at the latest"
)
""",
}


def run(folder: Path, name: str, count: int, *more: str, timeout: float = 120) -> str:
    """What the program prints; an exception if it does not end well."""
    functions = "".join(FUNCTION.format(k=k) for k in range(count * 45 + 60))
    (folder / "many.py").write_text(f"import jitscope as js\n{functions}")
    (folder / f"{name}.py").write_text(BEGINNING + PROGRAMS[name])
    done = subprocess.run(
        [sys.executable, f"{name}.py", str(count), *more],
        cwd=folder,
        env={**os.environ, "JITSCOPE_CACHE_DIR": str(folder / "cache")},
        capture_output=True,
        text=True,
        timeout=timeout,
    )
    assert done.returncode == 0, f"{name} ended with {done.returncode}:\n{done.stderr[-3000:]}"
    print(done.stdout.strip())
    return done.stdout.strip()
