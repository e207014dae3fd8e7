"""Names, texts and paths of the user's: each awkward string in each place, and none of it is ever code.

`canary` is what every string tries to call. A module in which it stands as a name has been broken into.
"""

from __future__ import annotations

import ast
import io
import json
import linecache
import types
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from same import same

import jitscope as js
from jitscope.codegen.writer import Writer
from jitscope.graph.dot import dot_text
from jitscope.graph.gradients.errors import NoGradient
from jitscope.graph.ir.nodes import Loc, Node
from jitscope.graph.ir.parser import parse_graph
from jitscope.graph.ir.printer import print_graph
from jitscope.runtime.compile import StaysPlain, generate_module, stage
from jitscope.runtime.to_code import request_for

AWKWARD = {
    "triple quotes": 'x"""+canary("X")+"""',
    "triple apostrophes": "x'''+canary('X')+'''",
    "quotes": "\"');canary();('\"",
    "one quote": '"',
    "one apostrophe": "it's",
    "backslashes": "a\\",
    "unfinished escapes": "\\x \\u12 \\N{nothing} \\",
    "new line": "a\ncanary()\nb",
    "carriage return": "a\rcanary()\rb",
    "form feed": "a\x0ccanary()",
    "next line": "a\x85canary()",
    "line separator": "a\u2028canary()\u2029",
    "nul": "a\0canary()",
    "remembered line": "\0canary()\ncanary()",
    "surrogate": "a\udc80\ud800",
    "direction": "a\u202eb\u2066c",
    "escape sequence": "\x1b[31mred\x1b]0;title\x07",
    "type comment": "a # type: ignore # canary",
    "braces": "{0} {} {{canary()}} }{",
    "percent": "%s %(canary)s %",
    "equals": "a == b != c",
    "from": "from a to b # from c",
    "shape of a size": "n0 n1 m",
    "cache flag": "cache=True, canary",
    "nothing": "",
    "keyword": "class",
    "builtin": "max",
    "ligature": "ﬁ",
    "superscript": "x²",
    "long": "long " * 2000,
    "long word": "y" * 3000,
}
ALL_AT_ONCE = 'from # == n0 cache=True, {0} x"""+canary()+""" \'\'\' \\ \n\x1b[0m'
FILE = "plain.py"


def canary(*_: Any) -> Any:
    raise AssertionError("a user's text was run as code")


def defined(source: str, file: str = FILE, **names: Any) -> types.FunctionType:
    """The function `f` of a source, as if it stood in `file`."""
    space: dict[str, Any] = {"np": np, **names}
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    exec(compile(source, file, "exec"), space)
    return space["f"]


PLAIN = "def f(a):\n    s = a * 2 + 1\n    return s.sum()\n"
ARRAY = np.arange(6.0).reshape(2, 3)
Case = tuple[Callable[..., Any], tuple[Any, ...]]


def file_name(text: str) -> Case:
    possible = text.replace("\0", "").replace("\ud800", "")
    return defined(PLAIN, f"/tmp/{possible}.py"), (ARRAY,)


def function_name(text: str) -> Case:
    f = defined(PLAIN)
    f.__name__ = text
    return f, (ARRAY,)


def qualified_name(text: str) -> Case:
    f = defined(PLAIN)
    f.__qualname__ = text
    return f, (ARRAY,)


def name_in_the_code(text: str) -> Case:
    f = defined(PLAIN)
    f.__code__ = f.__code__.replace(co_name=text)
    return f, (ARRAY,)


def documentation(text: str) -> Case:
    return defined(f"def f(a):\n    {text!r}\n    return a * 2\n"), (ARRAY,)


def constant(text: str) -> Case:
    body = f"    d[{text!r}] = a.shape[0] * 2\n    n0 = len({text!r})\n    return a * n0 + d[{text!r}]\n"
    return defined(f"def f(a, d):\n{body}"), (ARRAY, {})


def constant_in_a_condition(text: str) -> Case:
    source = f"def f(a, d):\n    if not bool(d.get({text!r})):\n        return a * 2\n    return a * 3\n"
    return defined(source), (ARRAY, {text: 1})


def formatted(text: str) -> Case:
    part = "f" + repr(text.replace("{", "{{").replace("}", "}}"))
    return defined(f"def f(a, d):\n    d.append({part} f'{{a.ndim}}')\n    return a * 2\n"), (ARRAY, [])


def exception(text: str) -> Case:
    body = f"    if a.shape[0] == 2:\n        raise ValueError({text!r}, a.ndim)\n    return a * 2\n"
    return defined(f"def f(a):\n{body}"), (ARRAY,)


def comment(text: str) -> Case:
    line = " ".join(text.splitlines()).replace("\0", "").encode("utf-8", "replace").decode()
    body = f"    for i in range(n):  # {line}\n        a[i] *= 2  # {line}\n    return a\n"
    return defined(f"def f(a, n):\n{body}"), (ARRAY, 2)


def attribute(text: str) -> Case:
    class Owner:
        pass

    owner = Owner()
    setattr(owner, text, 2.0)
    return defined(f"def f(a, o):\n    return a * getattr(o, {text!r}) + a\n"), (ARRAY, owner)


def method(text: str) -> Case:
    try:
        owner = type("Owner", (), {text: lambda self, x: x + 1})()
    except (ValueError, UnicodeEncodeError):
        return qualified_name(text)
    return defined(f"def f(a, o):\n    return getattr(o, {text!r})(a) * 2\n"), (ARRAY, owner)


def item(text: str) -> Case:
    return defined(f"def f(a, d):\n    return a * d[{text!r}] + d['fi']\n"), (ARRAY, {text: 2.0, "fi": 3.0})


def argument_by_name(text: str) -> Case:
    def called(**given: Any) -> int:
        return len(given) + len(next(iter(given)))

    source = f"def f(a, g):\n    return a * g(**{{{text!r}: a.shape[0]}})\n"
    return defined(source), (ARRAY, Opaque(called))


class Opaque:
    """A callable that is not looked into."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._function(*args, **kwargs)

    def __deepcopy__(self, memo: Any) -> Opaque:
        return self


def global_text(text: str) -> Case:
    return defined("def f(a):\n    return a * len(TEXT) + (TEXT == 'x')\n", TEXT=text), (ARRAY,)


def cell(text: str) -> Case:
    source = "def outer(mode):\n    def f(a):\n        return a * len(mode)\n    return f\nf = outer(TEXT)\n"
    return defined(source, TEXT=text), (ARRAY,)


def static_argument(text: str) -> Case:
    return defined("def f(a, mode):\n    return a * 2 if mode == 'x' else a + 1\n"), (ARRAY, text)


def helper(text: str) -> Case:
    def g(x: Any) -> Any:
        return x + 1

    g.__name__ = g.__qualname__ = text
    return defined("def f(a):\n    return g(a) * 2\n", g=g), (ARRAY,)


def recursive_helper(text: str) -> Case:
    source = "def g(k):\n    return k if k < 2 else g(k - 1) + g(k - 2)\ndef f(a, n):\n    return a * g(n)\n"
    f = defined(source)
    f.__globals__["g"].__name__ = f.__globals__["g"].__qualname__ = text
    return f, (ARRAY, 6)


def opaque_callable(text: str) -> Case:
    def g(x: Any) -> Any:
        return x.sum()

    made = Opaque(g)
    made.__name__ = made.__qualname__ = text  # type: ignore[attr-defined]
    return defined("def f(a, g):\n    return g(a) * a\n"), (ARRAY, made)


def lambda_name(text: str) -> Case:
    f = defined("f = lambda a: a * 2 + 1\n")
    f.__name__ = f.__qualname__ = text
    return f, (ARRAY,)


def type_name(text: str) -> Case:
    kind = type("Kind", (), {"scale": 2.0, "__module__": text})
    with suppress(ValueError, UnicodeEncodeError):
        kind.__name__ = kind.__qualname__ = text
    return defined("def f(a, o):\n    return a * o.scale\n"), (ARRAY, kind())


def asked_type_name(text: str) -> Case:
    kind = type("Kind", (), {"scale": 2.0})
    with suppress(ValueError, UnicodeEncodeError):
        kind.__name__ = kind.__qualname__ = text
    return defined("def f(a, o):\n    return a * o.scale, type(o).__name__, o\n"), (ARRAY, kind())


def field_name(text: str) -> Case:
    text = text or "x"
    rows = np.ones(3, [(text, float), ("other", float)])
    return defined(f"def f(r):\n    return r[{text!r}] * 2 + r['other']\n"), (rows,)


PLACES: tuple[Callable[[str], Case], ...] = (
    file_name,
    function_name,
    qualified_name,
    name_in_the_code,
    documentation,
    constant,
    constant_in_a_condition,
    formatted,
    exception,
    comment,
    attribute,
    method,
    item,
    argument_by_name,
    global_text,
    cell,
    static_argument,
    helper,
    recursive_helper,
    opaque_callable,
    lambda_name,
    type_name,
    asked_type_name,
    field_name,
)


def names_in(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        for kind in ("id", "attr", "arg", "name", "asname"):
            if isinstance(found := getattr(node, kind, None), str):
                yield found


def is_shown_safely(text: str) -> bool:
    return all(line.isprintable() for line in text.split("\n"))


def is_compiled(f: Callable[..., Any], args: tuple[Any, ...]) -> bool:
    """Whether there is a module; fails where a text of the user's does what it should not."""
    state, request = request_for(f, args, {})
    try:
        graph, traced = stage(request)
    except StaysPlain as verdict:
        reason = str(state.refusal(verdict))
    else:
        reason = ""
    assert is_shown_safely(reason)
    if reason:
        return False
    assert is_shown_safely(traced.staged), traced.staged
    shown = print_graph(graph)
    assert is_shown_safely(shown), shown
    assert print_graph(parse_graph(shown)) == shown
    assert is_shown_safely(dot_text(graph, request.title))
    module = generate_module(request, graph, "").text
    assert is_shown_safely(module), module
    assert "canary" not in names_in(module), module
    return True


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.__name__)
def test_no_text_of_the_users_is_code(place: Callable[[str], Case]) -> None:
    plain = [name for name, text in AWKWARD.items() if not is_compiled(*place(text))]
    assert not plain or place in (field_name, name_in_the_code)


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.__name__)
def test_awkward_texts_change_no_answer(place: Callable[[str], Case]) -> None:
    same(*place(ALL_AT_ONCE)[:1], *place(ALL_AT_ONCE)[1])
    same(*place("ﬁ")[:1], *place("ﬁ")[1])


def test_control_characters_reach_no_terminal(tmp_path: Path) -> None:
    """Reports, messages, the log and timelines of functions all of whose names are awkward."""
    text = "".join(AWKWARD[name] for name in ("escape sequence", "direction", "carriage return", "surrogate"))
    told = io.StringIO()
    before, js.config.log = js.config.log, "all"
    try:
        with redirect_stderr(told):
            for place in (file_name, function_name, qualified_name, helper, type_name, static_argument):
                f, args = place(text)
                decorated = js.function(f)
                with js.trace(tmp_path / "timeline.json"):
                    decorated(*args)
                assert is_shown_safely(decorated.explain(*args)), place
                timeline = (tmp_path / "timeline.json").read_text(encoding="ascii")
                assert is_shown_safely(timeline)
                assert json.loads(timeline)["traceEvents"]
    finally:
        js.config.log = before
    assert "red" in told.getvalue()
    assert is_shown_safely(told.getvalue())


@pytest.mark.parametrize("text", AWKWARD.values(), ids=AWKWARD)
def test_lines_of_a_file_that_has_changed_are_comments(text: str) -> None:
    out = Writer()
    out.line("x = 1", text)
    out.line(f"if {'x' * 90}:", text)
    out.raw(["    pass"])
    assert is_shown_safely("\n".join(out.lines))
    assert "canary" not in names_in("\n".join(out.lines))


@pytest.mark.parametrize("cached", [True, False])
def test_strings_that_look_like_the_generators_own_text_are_left_alone(cached: bool) -> None:
    def f(a: np.ndarray, d: dict[str, Any]) -> Any:
        if not bool(d.get(" == ")):
            d["cache=True, # math.sin"] = "cache=True, # math.sin"
        n0 = a.shape[1] * 2
        d["n0"] = f"n0 {n0} # n0"
        return a * n0

    def max(a: np.ndarray) -> Any:
        b = a.copy()
        for i in range(a.shape[0]):
            b[i, 0] = abs(b[i, 0]) if b[i, 0] > i else a[i].max()
        return b

    for given in ({" == ": 1, " != ": 0}, {" == ": 0, " != ": 1}):
        expected: dict[str, Any] = dict(given)
        f(ARRAY, expected)
        js.function(f, cache=cached)(ARRAY, given)
        assert given == expected
    decorated = js.function(max, cache=cached)
    np.testing.assert_array_equal(decorated(ARRAY), max(ARRAY))
    assert decorated.specializations[0].clusters


def test_errors_of_gradients_are_shown_safely() -> None:
    """The name of a file and the user's own text stand in them."""
    node = Node("python", (), (), {"text": "f('\x1b[31m')"}, (), Loc("/tmp/a\u202e.py", 3, "f", "f()"))
    error = NoGradient(node, "it is opaque")
    assert is_shown_safely(str(error))
    assert "a\\u202e.py:3" in str(error)
