"""Notebooks: ``%load_ext jitscope``, then ``%%jitscope`` above a cell; decorated functions show themselves.

``%%jitscope [-a] [--strict] [--functions a,Class.b] [--no-times]`` decorates the functions that the cell
defines; with ``-a`` it shows the report of what the cell calls.
"""

from __future__ import annotations

import argparse
import ast
import logging
import shlex
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from html import escape
from types import FunctionType
from typing import TYPE_CHECKING, Any, NoReturn

from ..graph.ir.shown import printable, printable_lines
from ..runtime.config import config
from ..runtime.coverage import Coverage
from ..runtime.decorator import function as decorated
from ..runtime.function import Function
from ..runtime.specialisation import Specialisation
from .answers import Misused
from .findings import Findings, findings
from .page import page
from .recorder import CallRecorder
from .script import Decorator, marked, with_decorator

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

_HEAD, _LINE, _MOST = 430, 22, 1200
"""The height of a report in a notebook, in pixels: without its lines, for each line, and at most."""


def load(shell: InteractiveShell) -> None:
    """Add the magic, and how decorated functions and what belongs to them are shown, to an IPython shell."""

    def jitscope(line: str, cell: str) -> None:
        run_cell(shell, line, cell)

    jitscope.__doc__ = __doc__
    shell.register_magic_function(jitscope, magic_kind="cell")
    html = shell.display_formatter.formatters["text/html"]
    html.for_type(FunctionType, function_html)
    html.for_type(Specialisation, specialisation_html)
    html.for_type(Coverage, coverage_html)
    html.for_type(Findings, report_html)


class _CellParser(argparse.ArgumentParser):
    """Raises what is wrong, where others end the process."""

    def error(self, message: str) -> NoReturn:
        raise Misused(f"%%jitscope: {message}")


def _options(line: str) -> argparse.Namespace:
    parser = _CellParser(prog="%%jitscope", add_help=False)
    parser.add_argument("-a", "--annotate", action="store_true")
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--no-times", action="store_true")
    parser.add_argument("--functions", default="")
    return parser.parse_args(shlex.split(line))


def run_cell(shell: InteractiveShell, line: str, cell: str) -> None:
    """Run a cell with its functions decorated.

    Raises:
        Misused: an option, or a function, that there is not; or `await` outside of functions.
        SyntaxError: the cell is no Python.
        Exception: what the cell raises.
    """
    options = _options(line)
    chosen = tuple(name.strip() for name in options.functions.split(",") if name.strip())
    recorder = CallRecorder(keep=not options.no_times, strict=options.strict)
    decorate: Decorator = recorder if options.annotate else decorated(strict=options.strict)
    text = shell.transform_cell(cell)
    name = shell.compile.cache(text, shell.execution_count, raw_code=cell)
    tree = ast.parse(text, name)
    _check_await(tree.body)
    marked(tree, "the cell", chosen)
    start = time.perf_counter()
    ended, value = "", None
    try:
        with _progress(), recorder.listening():
            value = _run(tree, name, decorate, shell.user_ns)
    except Exception as error:
        ended = f"{type(error).__name__}: {error}"
        raise
    finally:
        seconds = time.perf_counter() - start
        recorder.withdraw(shell.user_ns)
        if options.annotate:
            found = findings("This cell", recorder.called(), seconds, not options.no_times, ended)
            _display(replace(found, of_cell=True))
        recorder.settle(shell.user_ns)
    if value is not None and not text.rstrip().endswith(";"):
        shell.displayhook(value)


def _check_await(body: Iterable[ast.AST]) -> None:
    """What a cell waits for outside of functions belongs to the loop in which the cell runs already."""
    for node in body:
        if isinstance(node, (ast.Await, ast.AsyncFor, ast.AsyncWith)):
            raise Misused(
                f"%%jitscope: line {node.lineno} waits outside of a function: put that into a cell of its own"
            )
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            _check_await(ast.iter_child_nodes(node))


def _run(tree: ast.Module, name: str, decorate: Decorator, names: dict[str, Any]) -> object:
    """Run a cell; the value of its last line, if that is an expression."""
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(with_decorator(compile(tree, name, "exec", dont_inherit=True), decorate), names)
    if not isinstance(last, ast.Expr):
        return None
    value: object = eval(compile(ast.Expression(last.value), name, "eval", dont_inherit=True), names)
    return value


class _Telling(logging.Handler):
    """Shows what is traced and compiled, in the place of what was shown before."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: Any = None

    def emit(self, record: logging.LogRecord) -> None:
        from IPython.display import HTML, display

        shown = HTML(f'<span style="opacity:.7">jitscope: {escape(record.getMessage())}</span>')
        if self.shown is None:
            self.shown = display(shown, display_id=True)
        elif self.shown:
            self.shown.update(shown)

    def clear(self) -> None:
        """Show nothing any more."""
        from IPython.display import HTML

        if self.shown:
            self.shown.update(HTML(""))


@contextmanager
def _progress() -> Iterator[None]:
    """Tell what is traced and compiled meanwhile, unless the user has it told already."""
    if config.log:
        yield
        return
    logger, telling = logging.getLogger("jitscope"), _Telling()
    level, passed_on = logger.level, logger.propagate
    logger.addHandler(telling)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    config.log = ("trace", "compile")
    try:
        yield
    finally:
        config.log = ()
        logger.removeHandler(telling)
        logger.setLevel(level)
        logger.propagate = passed_on
        telling.clear()


def _display(shown: object) -> None:
    from IPython.display import display

    display(shown)


def report_html(found: Findings) -> str:
    """A report in a frame of its own: its style is not the notebook's, and nothing in it runs."""
    lines = sum(map(len, found.files.values())) + len(found.functions)
    height = min(_HEAD + _LINE * lines, _MOST)
    frame = f'style="width:100%;height:{height}px;border:0" sandbox title="jitscope\'s report"'
    return f'<iframe srcdoc="{escape(page(found))}" {frame}></iframe>'


def function_html(function: FunctionType) -> str | None:
    """A decorated function: its specialisations, and how each runs; other functions are shown as ever."""
    state = getattr(function, "__jitscope__", None)
    if not isinstance(state, Function):
        return None
    name = f"<code>{escape(printable(state.called))}</code>"
    if state.always_plain:
        return f"{name} runs as plain Python: {escape(printable(state.always_plain))}"
    if not state.specialisations:
        return f"{name} is decorated, and has not been called yet"
    return name + _table(state.specialisations)


def specialisation_html(item: Specialisation) -> str:
    """A specialisation: its arguments, how it runs, its module and its graph, folded."""
    parts = (("the generated module", item.text), ("the graph", item.graph))
    folded = (
        f"<details><summary>{title}</summary><pre>{escape(printable_lines(text))}</pre></details>"
        for title, text in parts
        if text
    )
    return _table([item]) + "".join(folded)


def coverage_html(found: Coverage) -> str:
    """What `print` shows of it."""
    return f"<pre>{escape(printable_lines(str(found)))}</pre>"


def _table(items: Iterable[Specialisation]) -> str:
    heads = "".join(f'<th style="text-align:left">{head}</th>' for head in ("arguments", "runs", "from"))
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(map(_row, items))}</tbody></table>"


def _row(item: Specialisation) -> str:
    kernels = f"{len(item.clusters)} kernel{'s' if len(item.clusters) > 1 else ''}"
    runs = f"as plain Python: {item.plain_reason}" if item.plain_reason else f"compiled, {kernels}"
    if item.slower:
        runs = "as plain Python, which took less time"
    origin = "" if item.plain_reason else "disk" if item.from_disk else "this process"
    cells = (item.signature, runs, origin)
    return (
        "<tr>" + "".join(f'<td style="text-align:left">{escape(printable(c))}</td>' for c in cells) + "</tr>"
    )
