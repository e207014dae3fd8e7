"""Scripts run with their functions decorated: what they do is what Python does with them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from jitscope.command import main
from jitscope.tools import script
from jitscope.tools.answers import Misused
from jitscope.tools.given import CallArguments
from jitscope.tools.recorder import CallRecorder

EVERYTHING = '''\
"""Much of what may stand in a script."""
from __future__ import annotations

import functools
import inspect
import os
import pickle
import sys
from dataclasses import dataclass

import numpy as np

names = sorted(dir())


def twice(x):
    return x + x


def twice(x):  # the second one counts
    return 2 * x


if True:

    def inside(x):
        return x - 1.0

else:

    def inside(x):
        return None


try:

    def tried(x):
        return x * 3
except ValueError:
    pass


@functools.lru_cache(maxsize=None)
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


class Shape:
    """A class with methods of all kinds."""

    count = 0

    def __init__(self, sides):
        self.sides = np.asarray(sides, float)
        Shape.count += 1

    def length(self):
        total = 0.0
        for side in self.sides:
            total += side
        return total

    @staticmethod
    def unit(n):
        return Shape([1.0] * n)

    @classmethod
    def square(cls, a):
        return cls([a] * 4)

    @property
    def mean(self):
        return self.length() / len(self.sides)

    def __call__(self, k):
        return self.sides * k

    def __repr__(self):
        return f"Shape({self.sides.tolist()})"

    class Inner:
        def seven(self):
            return 7


@dataclass
class Point:
    x: float
    y: float

    def norm(self):
        return (self.x**2 + self.y**2) ** 0.5


def numbers(n):
    for k in range(n):
        yield k * k


async def later():
    return 1


def outer(n):
    def local(k):
        return k * n

    return [local(k) for k in range(3)]


def fails(x):
    return x[5]


x = np.arange(4.0)
print(names)
print(twice(x), inside(x), tried(x), fibonacci(30))
print(Shape([3, 4]).length(), Shape.unit(3).mean, Shape.square(2.0)(3), Shape.Inner().seven(), Shape.count)
print(Point(3.0, 4.0).norm(), list(numbers(4)), outer(4), later.__name__)
print(inspect.getsource(inside), twice.__name__, twice.__module__, inspect.signature(outer))
print(os.path.basename(__file__), sys.argv[1:], __name__, __doc__, sorted(dir()))
print(pickle.loads(pickle.dumps(Point(1.0, 2.0))))
try:
    fails(x)
except IndexError as error:
    print(error)
'''


def written(text: str, name: str = "program.py") -> Path:
    path = Path(name)
    path.write_text(text)
    return path


def test_a_script_does_what_python_does_with_it() -> None:
    path = written(EVERYTHING)
    expected = subprocess.run(
        [sys.executable, str(path), "a", "--b"], capture_output=True, text=True, check=True
    )
    command = [sys.executable, "-m", "jitscope", "run", str(path), "a", "--b"]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    assert found.stdout == expected.stdout
    assert found.stderr == ""


def test_all_functions_and_methods_are_decorated_and_no_others() -> None:
    met = []

    def decorate(function):
        met.append(function.__qualname__)
        return function

    script.run(written(EVERYTHING), (), decorate)
    assert met == [
        *("twice", "twice", "inside", "tried", "fibonacci"),
        *("Shape.length", "Shape.unit", "Shape.square", "Shape.mean", "Shape.__call__", "Shape.Inner.seven"),
        *("Point.norm", "numbers", "outer", "fails"),
    ]


def test_chosen_functions_alone() -> None:
    met = []
    path = written(EVERYTHING)
    script.run(path, (), lambda function: met.append(function.__name__) or function, ("outer", "Point.norm"))
    assert met == ["norm", "outer"]
    with pytest.raises(Misused, match=r"program.py has no function oute; did you mean outer"):
        script.run(path, (), lambda function: function, ("oute",))


def test_lines_stay_what_they_were(capsys: pytest.CaptureFixture[str]) -> None:
    path = written("import numpy as np\n\n\ndef f(x):\n    return x[9]\n\n\nf(np.ones(3))\n")
    assert main(["run", str(path)]) == 1
    told = capsys.readouterr().err
    plain = subprocess.run([sys.executable, path.resolve()], capture_output=True, text=True, check=False)
    assert told == plain.stderr
    assert "line 5, in f" in told


@pytest.mark.parametrize(
    ("text", "status", "told"),
    [
        ("import sys\nsys.exit()\n", 0, ""),
        ("import sys\nsys.exit(7)\n", 7, ""),
        ("raise SystemExit('no more')\n", 1, "no more\n"),
        ("raise KeyboardInterrupt\n", 130, "KeyboardInterrupt\n"),
        ("def f(:\n", 2, "jitscope: program.py is no Python: invalid syntax (program.py, line 1)\n"),
        ("x = 1\n", 0, ""),
    ],
)
def test_what_a_script_ends_with(
    text: str, status: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", str(written(text))]) == status
    assert capsys.readouterr().err.endswith(told)


def test_a_script_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "nowhere.py"]) == 2
    assert capsys.readouterr().err == "jitscope: nowhere.py can't be read: No such file or directory\n"


def test_calls_are_recorded_where_nothing_is_compiled_and_can_be_made_again() -> None:
    recorder = CallRecorder()
    module = script.run(written(EVERYTHING), (), recorder)
    calls = {record.name: record.calls for record in recorder.called()}
    assert calls["fails"] == 1
    assert calls["Shape.unit"] == 1
    assert "later" not in calls
    assert "numbers" not in calls  # its calls do nothing yet
    by_name = {record.name: record for record in recorder.functions}
    assert by_name["fails"].raised == 1
    assert by_name["outer"].given == CallArguments((4,), {})
    recorder.withdraw(vars(module))
    assert not hasattr(module.outer, "__jitscope__")
    assert not hasattr(vars(module.Shape)["unit"].__func__, "__jitscope__")
    assert module.Shape.square(2.0).mean == 2.0
    assert by_name["outer"].calls == 1


def test_arguments_are_kept_as_they_were_before_the_call() -> None:
    recorder = CallRecorder()
    text = "import numpy as np\n\n\ndef clear(x, log):\n    x[:] = 0\n    log.append(1)\n\n\n"
    script.run(written(text + "clear(np.ones(3), [])\n"), (), recorder)
    (record,) = recorder.functions
    assert record.given is not None
    assert record.given.args[0].tolist() == [1.0, 1.0, 1.0]
    assert record.given.args[1] == []


def test_functions_that_read_the_command_line_stay_as_they_are() -> None:
    """What they read would be a constant of compiled code: each run would compile anew."""
    met = []
    text = (
        "import argparse\nimport sys\n\n\ndef main():\n    return work(len(sys.argv))\n\n\n"
        "def parsed():\n    return argparse.ArgumentParser().parse_args()\n\n\n"
        "def work(n):\n    return n\n\n\nmain()\n"
    )
    path = written(text)
    script.run(path, (), lambda function: met.append(function.__name__) or function)
    assert met == ["work"]
    script.run(path, (), lambda function: met.append(function.__name__) or function, ("main",))
    assert met == ["work", "main"]


def test_dashes_are_the_scripts_own(capsys: pytest.CaptureFixture[str]) -> None:
    path = written("import sys\nprint(sys.argv[1:])\n")
    assert main(["run", str(path), "--", "-x", "--json", "--", "a"]) == 0
    assert capsys.readouterr().out == "['--', '-x', '--json', '--', 'a']\n"


def test_code_of_recorded_functions_can_be_hashed() -> None:
    recorder = CallRecorder()
    path = written("import sys\n\n\ndef f(x):\n    return x\n\n\nh = hash(sys._getframe().f_code)\nf(1)\n")
    assert isinstance(script.run(path, (), recorder).h, int)


DECORATED = """\
import functools

import jitscope as js


@js.function
def total(x):
    s = 0.0
    for v in x:
        s += v
    return s


def told(f):
    @functools.wraps(f)
    def inner(*args):
        return f(*args)

    return inner


@told
def wrapped(x):
    return total(x) * 2.0


class Model:
    @property
    def size(self):
        return 3.0

    @staticmethod
    @js.function
    def scaled(x):
        t = 0.0
        for v in x:
            t += v * 2.0
        return t


print(total([1.0, 2.0]), wrapped([1.0, 2.0]), Model.scaled([1.0]), Model().size)
"""


def test_functions_that_the_script_decorates_are_recorded(capsys: pytest.CaptureFixture[str]) -> None:
    Path("decorated.py").write_text(DECORATED)
    recorder = CallRecorder()
    script.run(Path("decorated.py"), (), recorder)
    assert capsys.readouterr().out == "3.0 6.0 2.0 3.0\n"
    calls = {one.name: one.calls for one in recorder.called()}
    assert calls == {"total": 2, "wrapped": 1, "Model.scaled": 1, "Model.size": 1, "told": 1}
