"""Calls of what nobody knows: they run in the driver at each call of the function, in order."""

from __future__ import annotations

import builtins
import cmath
import collections
import math
import random
import re
import sys
import types
import warnings
from collections.abc import ItemsView, KeysView, ValuesView
from typing import Any, NoReturn

from ...graph.ir.causes import Cause
from ...graph.ir.nodes import Node, Operand, Value
from ...graph.ir.types import OBJECT
from ...graph.symbolic.arrays import symbol_for
from ...graph.symbolic.symbols import (
    Symbol,
    SymbolicObject,
    SymbolicScalar,
    python_call,
    python_expression,
    size_symbol,
)
from ...graph.trace.attempt import Restart
from ...graph.trace.build import TraceError, current
from ...graph.trace.template import Phrase, Template, constant, public_name, shown
from ..known_values import global_generator, python_generator
from ..namespace import Namespace
from ..number_lists import NumberList
from ..once import KnownItems, use_up
from ..streams import METHODS, MethodCall
from ..told import told
from ..tracer import Reference, TracedDict, TracedList, relied_on, tracer
from . import python_random
from .callers_lists import changes_of_object
from .containers import Generator
from .deques import DEQUE
from .deques import wanted as wanted_deque
from .drawn_calls import drawn, drawn_by_python, generator_of, made_generator, row_of_numbers
from .growing import grow_from
from .iterables import Sequence, SymbolicRange
from .number_dicts import wanted
from .plain_lambdas import ends_with_call, written_lambda
from .returning import new_list_text
from .shuffles import shuffled
from .state import materialise

_PYTHONS = (("generator", "random"),)
_ORIGINALS = {name: getattr(random.Random, name) for name in ("random", "getrandbits", "_randbelow")}
FRAMES = 1
"""Between a line of the user's and its caller there is a driver; entry functions and binders are skipped."""
_APART = "call it outside of this function, before or after it"
_LOGGED = frozenset({"debug", "info", "warning", "error", "critical", "exception", "log"})


def opaque_call(
    function: object, args: tuple[Any, ...], kwargs: dict[str, Any], cause: Cause | None = None
) -> Any:
    """A callee that nobody knows, or that isn't traced because of `cause`: the driver calls it, in order."""
    if len(args) == 1 and not kwargs and (one := _one_of_row(function, args[0])) is not None:
        return one
    if any(isinstance(value, Generator) for value in (*args, *kwargs.values())):
        _check_takes_all(function)
    plain = function.value if isinstance(function, Reference) else function
    if by_python := _by_python(function, plain, args, kwargs):
        return by_python[0]
    if ends_with_call(plain) or plain is print or _sorts_a_list(function):
        relied_on(function)
        args = tuple(_for_now(arg) for arg in args)
        kwargs = {key: _for_now(value) for key, value in kwargs.items()}
    _check_display(function, args)
    args = tuple(_real(arg) for arg in args)
    kwargs = {key: _real(value) for key, value in kwargs.items()}
    if plain is globals or plain is vars:
        tracer().opaque_call()  # any global may be written through it
    if looks_at_callers(plain):
        relied_on(function)
        return _from_its_line(function, plain, args, kwargs)
    name: Any = function
    if not isinstance(function, Symbol):
        name = _source_name(plain)
    elif isinstance(function, SymbolicObject) and not isinstance(function, Reference):
        name = _method_of_generator(function) or _method_text(function) or function
    if found := _drawn(function, plain, name, args, kwargs):
        return found[0]
    if (made := made_generator(plain, name, args, kwargs)) is not None:
        relied_on(function)
        return made
    tracer().note(cause or Cause(f"'{_shown(plain, name)}' has no compiled form", _APART))
    if isinstance(name, tuple):
        return _call_method(name, args, kwargs)
    return python_call(name, args, kwargs)


def _drawn(
    function: object, plain: object, name: object, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[object, ...]:
    """What a random number generator gives; nothing for any other call."""
    if isinstance(name, tuple):
        node, method = name
        owner = node.operands[0]

        def of_owner(under: Template) -> str:
            return under.call(f"{under.slot(owner)}.{method}", args, kwargs)

        return _numbers(MethodCall(_class_of(owner), method, args, kwargs, of_owner, lambda: owner))
    called, given, kind = told(plain, "__name__", ""), args, generator_of(plain)
    if kind is None and args and isinstance(args[0], Reference):
        kind, given = type(args[0].value), args[1:]  # a method of the library's, which is Python
        if told(random.Random, called) is not plain:
            return ()
    if kind is None:
        return ()

    def write(under: Template) -> str:
        return under.call(name if isinstance(name, str) else under.write(name), args, kwargs)

    owner = args[0] if given is not args else None
    found = _numbers(
        MethodCall(kind, called, given, kwargs, write, lambda: _generator_of(function, plain, owner))
    )
    if found:
        relied_on(function)
    return found


def _numbers(call: MethodCall) -> tuple[object, ...]:
    if made := shuffled(call):
        return made
    found = drawn(call)
    return () if found is None else (found,)


def _by_python(
    function: object, plain: object, args: tuple[object, ...], kwargs: dict[str, object]
) -> tuple[object, ...]:
    """What a method of Python's own generators gives, by the draws that kernels have, if it is one."""
    name, owner, given = _method_of_python(function, plain, args)
    if owner is None or not _is_as_it_was_made(owner):
        return ()
    if name == "seed":
        python_random.forget_kept(_reference_of(owner))
        return ()

    def call(method: str, numbers: tuple[object, ...], named: dict[str, object]) -> MethodCall:
        def write(under: Template) -> str:
            return under.call(f"{under.slot(owner)}.{method}", numbers, named)

        return MethodCall(random.Random, method, numbers, named, write, lambda: owner)

    def draw(method: str, *numbers: object) -> object:
        return drawn(call(method, numbers, {}))

    made = python_random.method(name, draw, _reference_of(owner), given, kwargs)
    if not made:
        given, kwargs = tuple(map(_for_now, given)), {key: _for_now(value) for key, value in kwargs.items()}
        made = drawn_by_python(call(name, given, kwargs))
    if made and isinstance(function, Reference):
        function.rely()
    elif made and isinstance(function, SymbolicObject):
        _drop_read(function.operand())
    return made


def _is_as_it_was_made(owner: Operand) -> bool:
    """Whether nobody has replaced what a generator's methods are made of; the entry looks at it again."""
    if any(getattr(random.Random, name) is not method for name, method in _ORIGINALS.items()):
        return False
    here = tracer()
    for name, method in _ORIGINALS.items():
        here.static((("module", "random"), ("attr", "Random"), ("attr", name)), method, "is")
    reference = _reference_of(owner)
    if reference is None:
        return True
    held = vars(reference.value)
    here.static((*reference.path, ("attr", "__dict__")), held, "keys")
    return held.keys() <= {"gauss_next"}


def _reference_of(owner: Operand) -> Reference | None:
    """The user's generator that an operand stands for; none for one that is made inside."""
    here = tracer()
    found = next((path for path, value in here.values.items() if value is owner), None)
    live = (
        python_generator()
        if found == _PYTHONS
        else here.objects.get(owner.name if isinstance(owner, Value) else "")
    )
    return None if found is None or type(live) is not random.Random else Reference(here, found, live)


def _method_of_python(
    function: object, plain: object, args: tuple[object, ...]
) -> tuple[str, Operand | None, tuple[object, ...]]:
    """The method, generator and arguments of a call of `random.Random`'s; no generator for any other call."""
    name = told(plain, "__name__", "")
    if isinstance(function, SymbolicObject) and not isinstance(function, Reference):
        node = tracer().made_by.get(function.operand())
        owner = node.operands[0] if node is not None and node.operands else None
        is_method = owner is not None and _class_of(owner) is random.Random
        return _name_of_method(function), owner if is_method else None, args
    if generator_of(plain) is random.Random:
        return name, _generator_of(function, plain), args
    if args and isinstance(args[0], Reference) and type(args[0].value) is random.Random:
        if told(random.Random, name) is plain:  # a method that is Python's
            return name, _generator_of(function, plain, args[0]), args[1:]
    return name, None, args


def _generator_of(function: object, plain: object, owner: object = None) -> Operand | None:
    """The generator whose method stands under a name of its own, as ``np.random.rand`` does."""
    live = owner.value if isinstance(owner, Reference) else told(plain, "__self__")
    for name, known in (("np.random", global_generator()), ("random", python_generator())):
        if live is known:
            return tracer().input((("generator", name),), OBJECT, name.replace(".", "_"))
    if isinstance(owner, Reference):
        return owner.operand()
    if not isinstance(function, Reference):
        return None
    return tracer().input((*function.path, ("attr", "__self__")), OBJECT, "rng")


def looks_at_callers(plain: object) -> bool:
    """Whether a function wants to know the line that it is called from: those of `warnings` and `logging`."""
    return told(plain, "__module__") in ("warnings", "_warnings", "logging")


def _from_its_line(function: object, plain: object, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call that finds the user's line above itself."""
    if not isinstance(function, Reference):
        raise TraceError(f"'{told(plain, '__name__')}' looks at its caller")
    if plain is warnings.warn and len(args) > 2:
        kwargs = {**dict(zip(("stacklevel", "source"), args[2:], strict=False)), **kwargs}
        args = args[:2]
    place, kwargs = _user_line(str(told(plain, "__name__")), kwargs, told(plain, "__module__") == "logging")
    return python_call(place, (function, *args), kwargs)


def _user_line(called: str, kwargs: dict[str, Any], says_name: bool) -> tuple[Any, dict[str, Any]]:
    """What calls from the running line, and the arguments by name of a call of `called` there.

    What a function inside of the user's says stands at no line of that one: its caller does.
    """
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None and not isinstance(frame.f_globals, Namespace):
        frame = frame.f_back
    assert frame is not None
    space, line, level = frame.f_globals, frame.f_lineno, kwargs.get("stacklevel", 1)
    assert isinstance(space, Namespace)
    if (level != 1 or says_name) and _has_inside(space.function.__code__, line):
        raise TraceError(f"'{called}' looks at the callers of a function inside")
    if level != 1:
        if type(level) is not int or space.prefix:
            raise TraceError(f"'{called}' looks at the callers of the function")
        kwargs = {**kwargs, "stacklevel": level + FRAMES if level > 1 else level}
    place = tracer().input((*space.prefix, ("line", line)), OBJECT, f"at_line_{line}")
    tracer().safe.add(place.name)
    return symbol_for(place), kwargs


def _has_inside(code: types.CodeType, line: int) -> bool:
    """Whether code of a function inside stands at a line: a lambda's, that of a comprehension before 3.12."""
    inside = (constant for constant in code.co_consts if isinstance(constant, types.CodeType))
    return any(line in (at for _, _, at in each.co_lines()) or _has_inside(each, line) for each in inside)


def _shown(plain: object, name: object) -> str:
    if isinstance(name, tuple):
        return name[1]
    return shown(name) if isinstance(name, str) else told(plain, "__name__", "a callable")


def _method_text(function: SymbolicObject) -> tuple[Node, str] | None:
    """``owner.name`` just read: the call prints as ``owner.name(...)``."""
    block = current().blocks[-1]
    wanted = function.operand()
    if (own := _method_of_own(wanted)) is not None:
        return own
    for position in range(len(block) - 1, max(len(block) - 12, -1), -1):
        node = block[position]
        if node.results and node.results[0] is wanted:
            text = node.attrs.get("text", "")
            named = not re.fullmatch(r"t\d+", wanted.name)
            if named or not text.startswith("{0}.") or not text[4:].isidentifier() or len(node.operands) != 1:
                return None
            return (node, text[4:]) if _withdraw(position) else None
        if node.op in ("python", "numpy_write", "assign", "store") or node.regions:
            return None  # something may have happened since the attribute was read
    return None


def _withdraw(position: int) -> bool:
    """Take the read of a method out of the open block, if the method isn't used elsewhere as well."""
    builder, known = current(), tracer().knowledge.kept_methods
    node = builder.blocks[-1][position]
    site = node.loc, node.attrs["text"]

    def keep() -> NoReturn:
        known.add(site)
        raise Restart

    if site in known:
        return False
    del builder.edit(builder.blocks[-1])[position]
    builder.withdrawn[node.results[0]] = keep
    return True


def _method_of_own(method: Operand) -> tuple[Node, str] | None:
    """A method of a list, dict or set that is made inside, whenever it was read: nobody can change it."""
    node = tracer().made_by.get(method)
    owner = node.operands[0] if node is not None and len(node.operands) == 1 else None
    text = str(node.attrs.get("text", "")) if node is not None else ""
    if node is None or not isinstance(owner, Value) or owner.name not in tracer().own:
        return None
    if not text.startswith("{0}.") or not text[4:].isidentifier():
        return None
    _drop_read(method)
    return node, text[4:]


def _one_of_row(function: object, row: object) -> SymbolicScalar | None:
    """``rng.choice(row)``: the number at a place that is drawn."""
    if _name_of_draw(function) != "choice" or (items := row_of_numbers(row)) is None:
        return None
    relied_on(function)
    found: SymbolicScalar = items[opaque_call(function, (size_symbol(items.shape_sizes[0]),), {})]
    return found


def _name_of_draw(function: object) -> str:
    """The method of a generator, if kernels can draw what it gives; nothing for any other call."""
    if isinstance(function, SymbolicObject) and not isinstance(function, Reference):
        node = tracer().made_by.get(function.operand())
        owner = node.operands[0] if node is not None and node.operands else None
        kind = _class_of(owner) if owner is not None else None
        name = str(node.attrs.get("text", "")).removeprefix("{0}.") if node is not None else ""
    else:
        plain = function.value if isinstance(function, Reference) else function
        kind, name = generator_of(plain), told(plain, "__name__", "")
    draw = METHODS.get(kind, {}).get(name) if kind is not None else None
    return name if draw is not None and draw.is_known else ""


def _class_of(owner: Operand) -> type:
    """The class of an object of the run, if the trace knows it."""
    live = tracer().objects.get(owner.name) if isinstance(owner, Value) else None
    return tracer().generators.get(owner) or type(live)


def _method_of_generator(function: SymbolicObject) -> tuple[Node, str] | None:
    """``rng.random``, whenever it was read: nobody can put another method in its place."""
    wanted = function.operand()
    if not isinstance(wanted, Value) or (node := tracer().made_by.get(wanted)) is None:
        return None
    text = str(node.attrs.get("text", ""))
    if not text.startswith("{0}.") or text[4:] not in METHODS.get(_class_of(node.operands[0]), ()):
        return None
    _drop_read(wanted)
    return node, text[4:]


def _drop_read(method: Operand) -> None:
    """Leave out the read of a method that isn't called by itself."""
    if isinstance(method, Value) and re.fullmatch(r"t\d+", method.name):
        for position, node in enumerate(current().blocks[-1]):
            if node.results and node.results[0] is method:
                _withdraw(position)
                return


_OF_A_KEY = ("add", "get", "remove", "discard", "pop", "setdefault")
"""Methods of sets and dicts that are given a key."""


def _check_display(function: object, args: tuple[object, ...]) -> None:
    """Start again where a list that is an object of the run gets items that say what it could be."""
    read = tracer().made_by.get(function.operand()) if isinstance(function, SymbolicObject) else None
    if read is None or not read.operands:
        return
    owner, name = read.operands[0], _name_of_method(function)
    changes_of_object(owner, name, args)
    if args and name in _OF_A_KEY:
        wanted(SymbolicObject(owner), args[0], args[1:2])  # type: ignore[arg-type]
    if (display := tracer().displays.get(owner)) is None:
        return
    site, items = display
    if site[0] == DEQUE:
        wanted_deque(site, items, name, args)
    elif args and name in ("append", "insert") and tracer().takes_lists():
        grow_from(site, *items, args[-1])


def _call_method(found: tuple[Node, str], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    node, name = found
    owner = node.operands[0]
    if name in _LOGGED:  # of an object that nobody knows: it may be a logger
        place, kwargs = _user_line(name, kwargs, True)
        method = python_expression(lambda t: f"{t.slot(owner)}.{name}")
        return python_call(place, (method, *args), kwargs)
    return python_expression(lambda t: t.call(f"{t.slot(owner)}.{name}", args, kwargs))


def _source_name(plain: object) -> str:
    name = told(plain, "__name__", "")
    owner = told(plain, "__self__")
    if name and getattr(builtins, name, None) is plain:
        return name
    if (public := public_name(plain)) is not None:
        return public
    module = told(plain, "__module__") or ""
    for known in (math, cmath):
        if module == known.__name__ and getattr(known, name, None) is plain:
            return f"{module}.{name}"
    if isinstance(owner, type) and getattr(builtins, kind := str(told(owner, "__name__")), None) is owner:
        return f"{kind}.{name}"
    if type(owner) is str:
        return f"{constant(owner)}.{name}"
    raise TraceError(
        f"a call of '{name or type(plain).__name__}', which has no name that the generated module could use"
    )


TAKE_ALL: tuple[Any, ...] = (list, tuple, set, frozenset, dict, sorted, math.fsum, math.prod)
TAKE_ALL += (collections.deque, collections.Counter)
"""What goes through all of a generator before anything else happens."""
_METHODS_THAT_TAKE_ALL = frozenset({"join", "extend", "update", "union", "extendleft"})


def _check_takes_all(function: object) -> None:
    """Raise for what may go through a part of a generator, or look at it: it would get a list."""
    plain = function.value if isinstance(function, Reference) else function
    if any(plain is known for known in TAKE_ALL):
        relied_on(function)
        return
    if _name_of_method(function) in _METHODS_THAT_TAKE_ALL:
        return
    raise TraceError(
        "a generator expression given to a function that may leave a part of it", "make a list of it first"
    )


def _name_of_method(function: object) -> str:
    """The name of a method that was just read, or of one of Python's own."""
    if not isinstance(function, SymbolicObject) or isinstance(function, Reference):
        return str(told(function, "__name__", "")) if isinstance(function, types.BuiltinMethodType) else ""
    node = tracer().made_by.get(function.operand())
    return "" if node is None else str(node.attrs.get("text", "")).removeprefix("{0}.")


_VIEWS = (KeysView, ValuesView, ItemsView)


def _sorts_a_list(function: object) -> bool:
    """Whether it is the method `sort` of a list."""
    if not isinstance(function, SymbolicObject) or isinstance(function, Reference):
        return False
    node = tracer().made_by.get(function.operand())
    if node is None or node.attrs.get("text") != "{0}.sort":
        return False
    made = tracer().made_by.get(node.operands[0])
    return _class_of(node.operands[0]) is list or (
        made is not None and str(made.attrs["text"]).startswith("[")
    )


def _for_now(value: object) -> object:
    """What a callee gets that has done with it when it returns.

    A lambda as it is written, the items of a view, and a list of numbers as it is now.
    """
    if isinstance(value, _VIEWS):
        return list(value)
    if isinstance(value, NumberList):
        return Phrase(lambda under: new_list_text(under, value))
    if not isinstance(value, types.FunctionType) or isinstance(value, Symbol):
        return value
    return written_lambda(value, _real)


def _real(value: object) -> Any:
    """An argument of an opaque call has to be the real object."""
    if isinstance(value, (TracedList, TracedDict)):
        materialise(value)
    if isinstance(value, Generator):
        use_up(value)
        return _real(value.as_list())
    if isinstance(value, (Sequence, KnownItems)):
        if isinstance(value, SymbolicRange) and value.made_of is not None:
            return python_call("range", (value.start, value.stop, value.step), {})
        raise TraceError("an enumerate or zip given to a function that nobody knows")
    if isinstance(value, tuple):
        return tuple(_real(item) for item in value)
    if isinstance(value, types.FunctionType) and not isinstance(value, Symbol):
        raise TraceError("a function made inside is given to a function that nobody knows")
    return value
