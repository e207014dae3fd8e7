"""A script that runs with its functions decorated, though nobody has touched it.

Each chosen ``def`` gets one more decorator, the innermost, at its own line: lines stay what they were. The
decorator stands in the code as a constant, so that the script's names are the script's alone.
"""

from __future__ import annotations

import ast
import builtins
import difflib
import os
import sys
import tokenize
import traceback
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from .answers import Misused

Decorator = Callable[[FunctionType], Callable[..., Any]]

_PACKAGES = {Path(__file__).resolve().parent.parent, Path(os.path.abspath(__file__)).parent.parent}
_ROOMS = ("graph", "autograph", "codegen", "runtime", "dask", "tools", "command")
_OWN_FILES = tuple(str(package / room) + os.sep for package in _PACKAGES for room in _ROOMS)
_OURS = ("<jitscope ", *_OWN_FILES)
"""How the files of frames begin that are none of the user's."""

_MARK = "jitscope: the decorator of a script's function"
_AGAIN = "jitscope: the decorator of a script's function, decorated"
_SPECIAL = ("__call__",)
"""Of the methods with such names, those that are decorated."""


def run(
    path: Path, arguments: Sequence[str], decorate: Decorator, chosen: Collection[str] = ()
) -> ModuleType:
    """Run a script as Python does, its functions decorated.

    Args:
        path: the script.
        arguments: its arguments, from ``sys.argv[1]`` on.
        decorate: what is called with each function, and gives what takes its place.
        chosen: names of functions, ``Class.method`` for methods; all if there are none.

    Returns:
        The module ``__main__`` as the script leaves it. It stays that, and ``sys.argv`` and ``sys.path`` stay
        the script's: what it has left behind, and calls of its functions, may look for them.

    Raises:
        Misused: it can't be read, is no Python, or has no such functions.
        BaseException: what the script raises.
    """
    code = decorated_code(path, decorate, chosen)
    module = ModuleType("__main__")
    vars(module).update(__file__=code.co_filename, __builtins__=builtins, __cached__=None)
    if "__annotations__" in vars(sys.modules["__main__"]):  # which Python 3.14 makes only when it is asked
        module.__annotations__ = {}
    sys.modules["__main__"] = module
    sys.path.insert(0, str(path.resolve().parent))
    sys.argv = [str(path), *arguments]
    exec(code, vars(module))
    return module


def is_ours(file: str) -> bool:
    """Whether a file is one of jitscope's own."""
    return file.startswith(_OWN_FILES)


def tell(error: BaseException, file: str) -> None:
    """Print what a script has raised as Python prints it: from the script's first frame on, without ours."""
    frames = error.__traceback__
    while frames is not None and frames.tb_frame.f_code.co_filename != file:
        frames = frames.tb_next
    told = traceback.TracebackException(type(error), error, frames or error.__traceback__)
    one: traceback.TracebackException | None = told
    while one is not None:
        kept = [frame for frame in one.stack if not frame.filename.startswith(_OURS)]
        one.stack = traceback.StackSummary.from_list(kept)
        one = one.__cause__ or one.__context__
    print("".join(told.format()), end="", file=sys.stderr)


def decorated_code(path: Path, decorate: Decorator, chosen: Collection[str] = ()) -> CodeType:
    """The code of a script whose chosen functions are decorated by `decorate` when they are defined.

    Its file is the whole path: the script may go to another folder before its source is read again.

    Raises:
        Misused: the script can't be read, is no Python, or has no such functions.
    """
    place = os.path.abspath(path)
    try:
        with tokenize.open(path) as file:
            tree = ast.parse(file.read(), place)
    except OSError as error:
        raise Misused(f"{path} can't be read: {error.strerror or error}") from None
    except (SyntaxError, UnicodeDecodeError, ValueError) as error:
        raise Misused(f"{path} is no Python: {error}") from None
    marked(tree, path.name, chosen)
    return with_decorator(compile(tree, place, "exec", dont_inherit=True), decorate)


def marked(tree: ast.Module, called: str, chosen: Collection[str] = ()) -> None:
    """Put the mark of a decorator above the chosen functions, or all but what reads the command line.

    Raises:
        Misused: there are no such functions in what is `called` so.
    """
    found = list(_functions(tree.body, ""))
    known = dict(found)
    for name in chosen:
        if name not in known:
            raise Misused(f"{called} has no function {name}{_meant(name, known)}")
    for name, function in found:
        if name in chosen or not (chosen or _reads_command_line(function)):
            own = function.decorator_list
            above = [ast.copy_location(ast.Constant(_AGAIN), one) for one in own[:1]]  # lines stay
            function.decorator_list = [*above, *own, ast.copy_location(ast.Constant(_MARK), function)]


def left_alone(path: Path) -> list[str]:
    """The functions and methods of a script that are not decorated, whatever is chosen, by their names."""
    try:
        with tokenize.open(path) as file:
            tree = ast.parse(file.read())
    except (OSError, SyntaxError, UnicodeDecodeError, ValueError):
        return []
    return list(_left_alone(tree.body, ""))


def _left_alone(body: Sequence[ast.stmt], prefix: str) -> Iterator[str]:
    found = {name for name, function in _functions(body, prefix) if not _is_generator(function)}
    for statement in body:
        if isinstance(statement, ast.ClassDef):
            yield from _left_alone(statement.body, f"{prefix}{statement.name}.")
        elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            name = prefix + statement.name
            if name not in found or _reads_command_line(statement):
                yield name


def _is_generator(function: ast.FunctionDef) -> bool:
    """Whether there is a `yield` in it, and not in a function inside of it alone."""
    todo: list[ast.AST] = list(function.body)
    while todo:
        node = todo.pop()
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            todo += ast.iter_child_nodes(node)
    return False


def _functions(body: Sequence[ast.stmt], prefix: str) -> Iterator[tuple[str, ast.FunctionDef]]:
    """The functions of a module and the methods of its classes, wherever in them: not those in functions."""
    for statement in body:
        if isinstance(statement, ast.FunctionDef):
            special = prefix and statement.name.startswith("__") and statement.name not in _SPECIAL
            if not special:
                yield prefix + statement.name, statement
        elif isinstance(statement, ast.ClassDef):
            yield from _functions(statement.body, f"{prefix}{statement.name}.")
        elif not isinstance(statement, ast.AsyncFunctionDef):
            for inner in ast.iter_child_nodes(statement):
                inside = [inner] if isinstance(inner, ast.stmt) else getattr(inner, "body", [])
                if isinstance(inside, list):
                    yield from _functions(inside, prefix)


_READERS = ("argv", "parse_args", "parse_known_args")


def _reads_command_line(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether it reads what is a constant of compiled code, and another one in each run."""
    return any(isinstance(node, ast.Attribute) and node.attr in _READERS for node in ast.walk(function))


def with_decorator(code: CodeType, decorate: Decorator) -> CodeType:
    """`code` with the decorator where the mark is, and ``decorate.again`` above the script's own."""

    marks = {_MARK: decorate, _AGAIN: getattr(decorate, "again", lambda found: found)}

    def held(constant: object) -> object:
        if isinstance(constant, CodeType):
            return with_decorator(constant, decorate)
        return marks.get(constant, constant) if type(constant) is str else constant

    return code.replace(co_consts=tuple(map(held, code.co_consts)))


def _meant(name: str, known: Collection[str]) -> str:
    close = difflib.get_close_matches(name, known, 3)
    if close:
        return f"; did you mean {' or '.join(close)}?"
    return f"; there {'are ' + ', '.join(known) if known else 'is none'}"
