"""The reference is whole: each public name says all that there is to say, its example runs, a page has it."""

from __future__ import annotations

import doctest
import inspect
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from textwrap import dedent
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
import pytest

import jitscope as js
from jitscope.graph.explicit.shape import Shape
from jitscope.runtime import config as configuration
from jitscope.runtime.config import Config, Counters
from jitscope.runtime.specialisation import Specialisation
from jitscope.runtime.timeline import Trace
from pages.blocks import DOCS

PAGES = DOCS / "reference"
NUMPYS = {name for name in js.__all__ if getattr(js, name) is getattr(np, name, None)}
# What the compiler's rooms call of one another's, and what only graphs make.
INTERNAL = {
    *("Graph.record", "Graph.source", "Graph.redeclare", "Graph.check_open", "Graph.session"),
    *("Session.lock", "Session.slot", "Session.wanted", "Variable.check_shape", "config.watch"),
    "dask.WorkerPlugin.setup",  # for Dask
}
MADE_BY_GRAPHS = {"Operation", "Symbol"}
OF_FUNCTIONS = ("get_concrete_function", "explain", "coverage", "clear")
# What calls return; users meet them under no name.
RETURNED = {"Specialisation": Specialisation, "Trace": Trace, "Shape": Shape}


def contents(module: ModuleType) -> dict[str, Any]:
    """What is public in a module that is itself a public name."""
    own = [name for name, value in vars(module).items() if _is_own(value, module) and name[0] != "_"]
    names = getattr(module, "__all__", [name for name in own if name not in js.__all__])
    return {name: getattr(module, name) for name in names}


def _is_own(value: Any, module: ModuleType) -> bool:
    return isinstance(value, type) and value.__module__ == module.__name__


def members(kind: type) -> Iterator[tuple[str, Any]]:
    """The public methods and properties that a class adds to those of its bases."""
    for name, value in vars(kind).items():
        if name[0] != "_" and isinstance(value, (FunctionType, classmethod, property, cached_property)):
            yield name, getattr(value, "__func__", value)


def public() -> dict[str, Any]:
    """Each public name with what it stands for, methods as ``Class.method``."""
    found: dict[str, Any] = {}
    for name in sorted(set(js.__all__) - NUMPYS):
        value = getattr(js, name)
        named = {f"{name}.{key}": item for key, item in contents(value).items()} if _is_module(value) else {}
        found |= named or {name: Config if name == "config" else value}
    found["counters()"] = Counters
    for name, value in list(found.items()):
        if isinstance(value, type) and not issubclass(value, Exception):
            found |= {f"{name}.{key}": item for key, item in members(value)}
    return {name: value for name, value in found.items() if name not in INTERNAL}


def _is_module(value: Any) -> bool:
    return isinstance(value, ModuleType)


PUBLIC = public()


def text_of(value: Any) -> str:
    return inspect.cleandoc(value.__doc__ or "")


def part(text: str, title: str) -> str:
    """What is indented below a title."""
    found = re.search(rf"(?m)^{title}::?\n((?:(?: .*)?(?:\n|\Z))+)", text)
    return dedent(found[1]).strip("\n") if found else ""


def missing(name: str, value: Any) -> Iterator[str]:
    """What a docstring leaves out."""
    text = text_of(value)
    if not text:
        yield "a docstring"
    if isinstance(value, (property, cached_property)):
        if ": " in text.partition("\n")[0]:
            yield "a first line without a colon: what is before one is a type to Sphinx"
        return
    told = re.findall(r"(?m)^(\*{0,2}\w+):", part(text, "Args") + part(text, "Attributes"))
    if isinstance(value, type) and issubclass(value, Exception) or name in MADE_BY_GRAPHS:
        parameters: list[inspect.Parameter] = []
    else:
        parameters = list(inspect.signature(value).parameters.values())
    for parameter in parameters:
        shown = str(parameter).split(":")[0].split("=")[0].strip()
        if shown not in (*told, "self", "cls", "environment", "_lock"):
            yield f"Args of {shown}"
    if isinstance(value, FunctionType) and inspect.signature(value).return_annotation not in (None, "None"):
        if not (part(text, "Returns") or part(text, "Yields")):
            yield "Returns"
    if not (part(text, "Example") or (value is Counters and told)):
        yield "an example"


@pytest.mark.parametrize("name", PUBLIC)
def test_a_docstring_has_all_its_parts(name: str) -> None:
    assert not list(missing(name, PUBLIC[name]))


@pytest.mark.parametrize("name", OF_FUNCTIONS)
def test_what_a_decorated_function_has_is_told(name: str) -> None:
    decorated: Any = js.function(lambda x: x)
    assert getattr(decorated, name).__doc__
    assert f"``{name}(" in str(js.function.__doc__)


EXAMPLES = {
    name: example
    for name, value in (PUBLIC | RETURNED).items()
    if (example := part(text_of(value), "Example"))
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    space: dict[str, Any] = {"np": np, "js": js}
    js.reset_default_graph()
    try:
        if EXAMPLES[name].startswith(">>> "):
            test = doctest.DocTestParser().get_doctest(EXAMPLES[name], space, name, None, 0)
            told: list[str] = []
            assert not doctest.DocTestRunner().run(test, out=told.append).failed, "".join(told)
        else:
            file = tmp_path / "example.py"
            file.write_text(EXAMPLES[name])
            exec(compile(EXAMPLES[name], str(file), "exec"), space)
    finally:
        js.reset_default_graph()


def names_on(page: Path) -> set[str]:
    """The public names that a page of the reference tells of, as ``name`` or ``module.name``."""
    found = re.findall(r"(?m)^ *\.\. (?:auto|py:)\w+:: jitscope\.([\w.]+)", page.read_text())
    return {*found, *re.findall(r"(?m)^\| `js\.(\w+)` \|", page.read_text())}


def test_each_name_stands_on_one_page() -> None:
    found = [(name, page.name) for page in sorted(PAGES.glob("*.md")) for name in names_on(page)]
    modules = {name for name in js.__all__ if _is_module(getattr(js, name))}
    inside = {f"{name}.{key}" for name in modules for key in contents(getattr(js, name))}
    wanted = inside | set(js.__all__) - modules
    pages = {name: [page for known, page in found if known == name] for name in wanted}
    assert not {name: where for name, where in pages.items() if len(where) != 1}


def test_the_index_names_every_page() -> None:
    listed = re.findall(r"(?m)^\| \[.*?\]\((\w+\.md)\) \|", (PAGES / "index.md").read_text())
    assert sorted(listed) == sorted(page.name for page in PAGES.glob("*.md") if page.name != "index.md")


def test_the_page_on_configuration_has_every_field() -> None:
    row = re.compile(r"(?m)^\| `(\w+)` \| (?:`(\w+)`)? ?\|")
    told = row.findall((PAGES / "configuration.md").read_text())
    assert told == row.findall(str(configuration.__doc__))
