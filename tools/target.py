"""What a command is about: `FILE`, `FILE:FUNCTION` or `package.module:FUNCTION`, and its arguments."""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MethodType, ModuleType
from typing import Any

import numpy as np

from ..runtime.decorator import function as decorated
from ..runtime.function import Function
from ..runtime.to_code import python_function
from . import script
from .answers import Misused
from .given import CallArguments
from .recorder import CallRecorder


@dataclass(frozen=True)
class Subject:
    """A function, and the arguments of a call of it; none if nobody has given any or called it."""

    state: Function
    given: CallArguments | None
    why_not: str = ""
    does: str = ""
    """What its calls do besides what they give, as "writes files"."""
    decorates: Callable[[bool], None] = lambda _: None
    """Have the script's other functions be decorated, or plain."""

    @property
    def why_not_again(self) -> str:
        """Why it isn't called again with all others."""
        return f"it {self.does}: to call it again and again, name it, as FILE:{self.state.called}"

    @property
    def given_arguments(self) -> CallArguments:
        """The arguments.

        Raises:
            Misused: there are none.
        """
        if self.given is not None:
            return self.given
        why = self.why_not or "the script doesn't call it"
        name = self.state.called
        raise Misused(f"{name}: {why}; give its arguments as expressions, such as 'np.ones(1000)' 3")

    @property
    def values(self) -> tuple[object, ...]:
        """One value for each parameter."""
        return self.given_arguments.values_for(self.state)


class Subjects(list[Subject]):
    """What a command is about; `ended` says that the script raised, after calling these."""

    ended = False

    def asked(self, spec: str) -> None:
        """Make sure that there is something.

        Raises:
            Misused: there is nothing.
        """
        if not self:
            place, _ = split(spec)
            advice = "put what stands in the script itself into a function, or name one and give arguments"
            raise Misused(f"{place} calls none of its functions; {advice}")


def targets(
    spec: str, expressions: Sequence[str], quiet: bool = False, arguments: Sequence[str] = ()
) -> Subjects:
    """The functions that `spec` names; all that the script calls, if it names none.

    With expressions, the module is imported and they are the arguments, by position or as ``name=...``; they
    may use the module's names and ``np``. Without, the script is run, and its first call has the arguments.

    Args:
        spec: ``FILE``, ``FILE:FUNCTION`` or ``package.module:FUNCTION``.
        expressions: Python expressions.
        quiet: have what the script prints on standard error.
        arguments: those of the script.

    Raises:
        Misused: there is no such file, module or function, or an expression is none.
    """
    place, name = split(spec)
    with _printing_aside(quiet):
        if expressions or not place.endswith(".py"):
            if not name:
                own = f"; what the script gets itself stands behind --, as -- {' '.join(expressions)}"
                said = f"{spec}: name the function that is meant, as {place}:FUNCTION"
                raise Misused(said + (own if expressions else ""))
            module = _imported(place)
            function = _named(module, name)
            if not expressions and function.state.binder.names:
                return Subjects([function])
            return Subjects([Subject(function.state, _evaluated(expressions, module, function.state))])
        return _called(Path(place), name, arguments)


def split(spec: str) -> tuple[str, str]:
    """``("file.py", "Class.method")`` for ``file.py:Class.method``."""
    place, colon, name = spec.rpartition(":")
    return (place, name) if colon and name.replace(".", "").isidentifier() else (spec, "")


def _called(path: Path, name: str, arguments: Sequence[str]) -> Subjects:
    """The functions that a script calls; of one with a `name` the calls from wherever, all others plain."""
    recorder, ended = CallRecorder(), False
    try:
        with recorder.listening():
            script.run(path, arguments, recorder, (name,) if name else ())
    except SystemExit:
        pass
    except Misused:
        raise
    except Exception as error:  # the calls before it are there
        script.tell(error, os.path.abspath(path))
        ended = True
    names = vars(sys.modules["__main__"])

    def decorates(all_of_them: bool) -> None:
        (recorder.settle if all_of_them else recorder.withdraw)(names)

    recorder.withdraw(names)
    called = recorder.called() or (recorder.functions[-1:] if name else [])
    found = Subjects(Subject(one.state, one.given, one.why_not, one.does, decorates) for one in called)
    found.ended = ended
    return found


def _imported(place: str) -> ModuleType:
    """The module of a file or of a name."""
    path = Path(place)
    if not place.endswith(".py"):
        sys.path.insert(0, "")
        try:
            return importlib.import_module(place)
        except ImportError as error:
            raise Misused(f"{place} can't be imported: {error}") from None
    code = script.decorated_code(path, lambda function: function)
    module = ModuleType(path.stem)
    module.__file__ = str(path)
    sys.path.insert(0, str(path.resolve().parent))
    sys.modules.setdefault(path.stem, module)
    try:
        exec(code, vars(module))
    except Exception as error:
        script.tell(error, code.co_filename)
        advice = f"; what is in a package is named by its module, as package.{path.stem}:FUNCTION"
        more = advice if isinstance(error, ImportError) else ""
        raise Misused(f"{place} can't be imported: {type(error).__name__}: {error}{more}") from None
    return module


def _named(module: ModuleType, name: str) -> Subject:
    found: Any = module
    for part in name.split("."):
        if not hasattr(found, part):
            raise Misused(f"{module.__name__} has no function {name}")
        found = getattr(found, part)
    if isinstance(found, MethodType):
        found = found.__func__
    try:
        plain = python_function(found)
    except TypeError:
        raise Misused(f"{name} is a {type(found).__name__}, no function that is written in Python") from None
    made: Any = found if hasattr(found, "__jitscope__") else decorated(plain)
    return Subject(made.__jitscope__, None, "there are no arguments")


def _evaluated(expressions: Sequence[str], module: ModuleType, state: Function) -> CallArguments:
    """The arguments that the expressions stand for."""
    names = {"np": np, "numpy": np, **vars(module)}
    positional, named = [], {}
    for text in expressions:
        name, sign, rest = text.partition("=")
        by_name = bool(sign) and name.strip().isidentifier() and not rest.startswith("=")
        try:
            value = eval(rest if by_name else text, names)
        except Exception as error:
            raise Misused(f"{text!r} has no value: {type(error).__name__}: {error}") from None
        if by_name:
            named[name.strip()] = value
        else:
            positional.append(value)
    given = CallArguments(tuple(positional), named)
    try:
        given.values_for(state)
    except TypeError as error:
        raise Misused(f"{state.called}: {error}") from None
    return given


@contextmanager
def _printing_aside(quiet: bool) -> Iterator[None]:
    """What is printed goes to standard error, where standard output is for the answer alone."""
    with contextlib.redirect_stdout(sys.stderr if quiet else sys.stdout):
        yield


@contextmanager
def silent() -> Iterator[None]:
    """What is printed goes nowhere, and there is nothing to read: a call is repeated."""
    given, sys.stdin = sys.stdin, io.StringIO()  # nobody waits for the keyboard
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            yield
    finally:
        sys.stdin = given
