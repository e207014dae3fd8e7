"""The plugin for pytest, in test sessions of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAMS = """\
import functools
import random

import numpy as np
import pytest

import jitscope as js


def smooth(x, n):
    for _ in range(n):
        x = 0.5 * (x + np.roll(x, 1))
    return x


def words(text):
    return sorted(text.split())


def loss(w, x, scale):
    return np.mean(np.tanh(x @ w["a"] + w["b"]) ** 2) * scale


class Model:
    def __init__(self, k):
        self.k = k

    def step(self, x):
        return x * self.k


def wrong(x):
    return np.exp(x)


X = np.linspace(0, 1, 500)
W = {"a": np.array([0.1, -0.3, 0.2]), "b": 0.05}
"""

RIGHT = (
    PROGRAMS
    + """

def test_same(same_as_plain):
    assert same_as_plain(smooth, X, 5).shape == (500,)
    assert same_as_plain(words, text="b a") == ["a", "b"]

    def writes(x, log):
        x[:] = 2 * x
        log.append(len(log))
        return x[7]

    assert same_as_plain(writes, X, [], calls=3) == 2 * X[7]
    same_as_plain(lambda x: x[900], X)
    same_as_plain(Model(3.0).step, X)
    same_as_plain(functools.partial(smooth, n=3), X)
    same_as_plain(lambda n: np.random.normal(size=n).sum() + random.random(), 10)
    same_as_plain(js.function(smooth), X, 3)


def test_compiled(jitscope_compiled):
    assert jitscope_compiled(smooth, X, 50).share > 0.9
    jitscope_compiled(smooth, x=X, n=20, coverage=0.8)


def test_no_recompile(no_recompile):
    f = js.function(smooth)
    f(X, 2)
    with no_recompile():
        f(X[1:], 3)


def test_gradients(check_grads):
    x = np.random.default_rng(1).normal(size=(8, 3))
    check_grads(loss, W, x, 2.0)
    check_grads(loss, W, x, 2.0, order=2)
    check_grads(smooth, X[:9], 3)
    check_grads(smooth, X[:9].astype(np.float32), 3)
    check_grads(lambda x, k: x**k, 1.5, 3)
    with pytest.raises(ValueError, match="no argument has floats"):
        check_grads(words, "a b")
    with pytest.raises(ValueError, match="order is 1 or 2"):
        check_grads(smooth, X, 3, order=3)
"""
)

WRONG = (
    PROGRAMS
    + """

def test_same(same_as_plain):
    f = js.function(wrong)
    f.python_function = wrong
    made = lambda x: np.exp(x) + 1e-6
    made.__jitscope__, made.python_function = f.__jitscope__, wrong
    same_as_plain(made, X)


def test_same_type(same_as_plain):
    made = lambda x: np.exp(x).tolist()
    made.__jitscope__, made.python_function = None, wrong
    same_as_plain(made, X)


def test_same_error(same_as_plain):
    def fails(x):
        raise KeyError("this")

    made = lambda x: 1
    made.__jitscope__, made.python_function = None, fails
    same_as_plain(made, X)


def test_compiled(jitscope_compiled):
    jitscope_compiled(words, "b a " * 1000)


def test_no_recompile(no_recompile):
    f = js.function(smooth)
    f(X, 2)
    with no_recompile():
        f(X[None], 3)


def test_gradients(check_grads):
    @js.custom_gradient
    def cube(x):
        return x**3, lambda g: g * 2 * x**2

    check_grads(lambda x: cube(x).sum(), X)
"""
)


def session(folder: Path, text: str, *options: str, **environment: str) -> tuple[str, int]:
    """What a session says about a file of tests, and its status."""
    folder.mkdir(exist_ok=True)
    (folder / "test_it.py").write_text(text)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("JITSCOPE_")}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, "test_it.py"]
    done = subprocess.run(
        command, cwd=folder, env={**kept, **environment}, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr, done.returncode


def test_what_holds(tmp_path: Path) -> None:
    text, status = session(tmp_path, RIGHT)
    assert status == 0, text
    assert "4 passed" in text


def test_what_does_not_hold_says_what_a_person_needs(tmp_path: Path) -> None:
    text, status = session(tmp_path, WRONG)
    assert status == 1
    assert "6 failed" in text
    errors = "\n".join(re.findall(r"^E +(.*)", text, re.M))
    for said in (
        r"AssertionError: wrong, call 1: the result is apart by 3\.7e-07",
        r"plain      array\(",
        r"AssertionError: wrong, call 1: the result is another type, dtype, shape or value",
        r"call 1: plain raises KeyError: 'this', decorated returns",
        r"AssertionError: 0\.0% is compiled, less than 90\.0%",
        r"1 traced and 1 compiled in a block that needs none",
        r"smooth\(x: f64\[:,:\], n: int\)",
        r"the gradient for argument 0 is .* in a random direction, by differences ",
    ):
        assert re.search(said, errors), (said, errors)


def test_the_page_about_it(tmp_path: Path) -> None:
    page = (Path(__file__).parent.parent.parent / "docs" / "testing.md").read_text()
    text, status = session(tmp_path, page.partition("```python\n")[2].partition("```")[0])
    assert status == 0, text
    assert "4 passed" in text


CACHE = """\
import os
import jitscope as js

def test_cache():
    open("folders", "a").write(js.config.cache_dir + " " + os.environ["JITSCOPE_CACHE_DIR"] + "\\n")

def test_again():
    test_cache()
"""


@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_each_session_has_a_cache_of_its_own(tmp_path: Path, workers: tuple[str, ...]) -> None:
    for _ in range(2):
        assert session(tmp_path, CACHE, *workers)[1] == 0
    used = [set(line.split()) for line in (tmp_path / "folders").read_text().splitlines()]
    assert [len(folders) for folders in used] == [1] * 4
    assert len(set.union(*used)) == 2  # one for each session, whoever works in it
    assert not any(os.path.exists(os.path.dirname(folder)) for folder in set.union(*used))


def test_a_folder_that_was_set_is_left_alone(tmp_path: Path) -> None:
    mine = str(tmp_path / "mine")
    assert session(tmp_path, CACHE, JITSCOPE_CACHE_DIR=mine)[1] == 0
    assert set((tmp_path / "folders").read_text().split()) == {mine}


def test_disabled(tmp_path: Path) -> None:
    text, status = session(tmp_path, RIGHT, "--jitscope-disable", "-k", "same or compiled")
    assert status == 0, text
    assert "1 passed, 1 skipped" in text


def test_a_report_of_the_session(tmp_path: Path) -> None:
    text, status = session(tmp_path, RIGHT, "--jitscope-report=out.html", "-k", "compiled or recompile")
    assert status == 0, text
    page = (tmp_path / "out.html").read_text()
    assert "smooth" in page
    assert "np.roll(x, 1)" in page
    text, status = session(tmp_path, RIGHT, "--jitscope-report=/proc/out.html", "-k", "same")
    assert status == 0, text
    assert "/proc/out.html can't be written" in text


def test_sessions_without_jitscope_do_not_import_it(tmp_path: Path) -> None:
    text = "import sys\n\ndef test_it():\n    assert 'jitscope' not in sys.modules\n"
    told, status = session(tmp_path, text)
    assert status == 0, told
