"""Calls: what a callee is, and what follows from it.

NumPy and math become ops, Python functions of the user's are traced in place, methods of symbols are the
symbols' own, builtins have a meaning each (`builtin_calls.py`). Anything else is opaque: it runs in the
driver at every call, in program order.
"""

from __future__ import annotations

import collections
import inspect
import os
import sys
import sysconfig
import types
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeGuard

import numpy as np

from ...graph.ir.causes import Cause
from ...graph.ir.literals import is_number
from ...graph.symbolic.indexing import into
from ...graph.symbolic.scalar_methods import to_numpy
from ...graph.symbolic.symbols import Symbol, SymbolicObject, SymbolicScalar, python_call, unwrap_union
from ...graph.trace.attempt import Restart
from ...graph.trace.budget import NESTED_CALLS, RECURSIONS
from ...graph.trace.build import TraceError, current, rules
from ...graph.trace.quiet import quiet_state
from ...graph.trace.template import function_name, numpy_name
from ..attempt import attempt
from ..attributes import BoundMethod, read_attribute, unbound
from ..made_objects import MadeObject, is_plain_class, of_class
from ..namespace import Namespace
from ..number_deques import NumberDeque
from ..number_dicts import HeldTable, NumberDict
from ..number_lists import NumberList, refuse
from ..once import KnownItems, use_up
from ..records import made_record
from ..told import hashes_by_itself, told
from ..tracer import OpenFunction, Reference, TracedDict, TracedList, relied_on, tracer
from ..transforms import transforms_of
from .builtin_calls import BUILTINS, NOT_THROUGH, OF_MODULES, OVER_ITEMS, few
from .callers_lists import changes
from .containers import Generator, copied, listed, new_list, site_of
from .control import MadeException
from .data_classes import assign_fields, is_generated
from .deques import DEQUE, deque_method, made_deque
from .derivatives import apply
from .growing import grow_from, hold
from .helper_regions import bound_to, code_of, in_region, inside, invoke
from .items import changes_inside, mutating
from .iterables import Sequence, Spread, is_table, sequence_of
from .list_methods import list_as_numpy, list_method
from .math_calls import math_call
from .number_dicts import counted, dict_method, made_by_class, may_be_table, wanted
from .opaque_calls import opaque_call
from .own_calls import is_ours, own_call
from .own_errors import CONSTANTS, NUMBERS_AND_NONE, depends, known_here
from .recursion import comes_again, is_open, is_recursive, meet, recursive
from .state import materialise

_HARMLESS_ROOTS = tuple(
    os.path.realpath(path) for path in {sysconfig.get_paths()["stdlib"], sysconfig.get_paths()["platstdlib"]}
)


def spread(value: object) -> object:
    """``*value`` among the arguments of a call."""
    value = use_up(unwrap_union(value))
    if isinstance(value, Generator):
        value = value.as_list()
    return [Spread(value)] if isinstance(value, NumberList) else value


def _all_arguments(function: Any, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments, those of ``*value`` one by one; ``zip(*rows)`` has a meaning of its own."""
    if not any(isinstance(arg, Spread) for arg in args):
        return args
    if len(args) == 1 and relied_on(function) is zip and is_table(args[0].numbers):
        return args
    found: list[Any] = []
    for arg in args:
        if not isinstance(arg, Spread):
            found.append(arg)
        elif (count := few(arg.numbers)) is None:
            refuse("a list whose items are arguments")
        else:
            found += [arg.numbers.item(k) for k in range(count)]
    return tuple(found)


def call(function: Any, *args: Any, **kwargs: Any) -> Any:
    """``function(*args, **kwargs)``."""
    function = unwrap_union(function)
    args = _all_arguments(function, args)
    if isinstance(function, Symbol) and not isinstance(function, SymbolicObject):
        return python_call(function, args, kwargs)
    if isinstance(function, BoundMethod):
        args, function = (function.owner, *args), function.function
    if isinstance(function, MadeObject):
        return call(function.method("__call__") or function.give_up(), *args, **kwargs)
    if isinstance(function, Reference) and (bound := unbound(function)) is not None:
        return call(bound[0], *bound[1], *args, **{**bound[2], **kwargs})
    plain = function.value if isinstance(function, Reference) else function
    if isinstance(plain, type) and issubclass(plain, BaseException) and plain.__module__ == "builtins":
        return MadeException(plain.__name__, args, kwargs)
    if (made := _made_here(function, plain, args, kwargs)) is not None:
        return made
    builtin = BUILTINS.get(plain) if hashes_by_itself(plain) else None
    if builtin is not None:
        return _builtin(builtin, function, args, kwargs)
    if isinstance(function, SymbolicObject) and not isinstance(function, Reference):
        return opaque_call(function, args, kwargs)
    owner = told(plain, "__self__")
    if isinstance(owner, (NumberList, HeldTable)):
        return _method_of_numbers(owner, plain.__name__, args, kwargs)
    if isinstance(owner, Symbol) and not isinstance(owner, SymbolicObject):
        made = listed(owner) if plain.__name__ == "tolist" and not args and not kwargs else None
        return plain(*args, **kwargs) if made is None else made
    if isinstance(owner, (TracedList, TracedDict)) or _is_keywords(owner, plain):
        return _container_method(plain, owner, args, kwargs)
    if is_ours(plain):
        return own_call(relied_on(function), args, kwargs)
    if transforms := transforms_of(plain):
        return _transformed(transforms, function, plain, args, kwargs)
    if plain is np.errstate and (state := quiet_state(args, kwargs)) is not None:
        return state
    if _is_numpy(plain):
        return _numpy(relied_on(function), args, kwargs)
    if isinstance(plain, types.FunctionType):
        return _python_function(function, plain, args, kwargs)
    if told(plain, "__module__") == "math" and isinstance(plain, types.BuiltinFunctionType):
        known = not _any_symbol(args, kwargs)
        return known_here(plain, *args, **kwargs) if known else math_call(plain, args, kwargs)
    if not isinstance(function, Symbol) and not _any_symbol(args, kwargs) and _is_static_method(owner):
        return known_here(plain, *args, **kwargs)
    if type(plain) in NUMBERS_AND_NONE:
        return known_here(plain)
    if (method := _method_of_callable(function, plain)) is not None:
        return call(method, *args, **kwargs)
    return opaque_call(function, args, kwargs)


def _method_of_numbers(
    owner: NumberList | HeldTable, name: str, args: tuple[object, ...], kwargs: dict[str, object]
) -> object:
    """``owner.name(*args, **kwargs)``."""
    if isinstance(owner, NumberDict):
        return dict_method(owner, name, args, kwargs)
    if isinstance(owner, NumberDeque):
        return deque_method(owner, name, args, kwargs)
    assert isinstance(owner, NumberList)
    return list_method(owner, name, args, kwargs)


def _made_here(
    function: object, plain: object, args: tuple[object, ...], kwargs: dict[str, object]
) -> object | None:
    """An object of a class that the trace holds: a record, a table or one of the user's; None if it can't."""
    if not isinstance(plain, type) or not isinstance(function, Reference):
        return None
    if hashes_by_itself(plain) and may_be_table(plain, args, kwargs):
        function.rely()
        return _made_table(function, plain, args)
    if plain is collections.deque and not kwargs and len(args) <= 1:
        return _made_deque(function, args)
    if plain is collections.Counter and len(args) == 1 and not kwargs:
        function.rely()
        if isinstance(args[0], NumberDict) and not _is_set(args[0]):
            args[0].give_up()  # it has the counts
        items = sequence_of(args[0])
        return None if items is None else counted(items, function)
    if _is_numpy(plain) or is_ours(plain):
        return None
    record = made_record(function, args, kwargs)
    return _made_object(function, plain, args, kwargs) if record is None else record


def _made_table(function: object, plain: type, args: tuple[object, ...]) -> object:
    """``defaultdict(int)``, ``Counter()``, which may be tables of ints."""
    site = site_of(plain.__name__, current().locate().line)
    if (made := made_by_class(function, plain, args, site)) is not None:
        return made
    written = opaque_call(function, args, {})
    if isinstance(written, SymbolicObject):
        tracer().displays[written.operand()] = site, []
    return written


def _made_deque(function: Reference, args: tuple[object, ...]) -> object | None:
    """``deque()`` or ``deque([item, ...])``, which may be of numbers; None for any other."""
    if args and type(args[0]) not in (tuple, TracedList):
        return None
    function.rely()
    site, items = site_of(DEQUE, current().locate().line), list(args[0]) if args else []  # type: ignore[call-overload]
    if (made := made_deque(site, items)) is not None:
        return made
    written = opaque_call(function, (tuple(items),) if args else (), {})
    if isinstance(written, SymbolicObject):
        tracer().displays[written.operand()] = site, items
    return written


def _made_object(
    function: Reference, plain: type, args: tuple[object, ...], kwargs: dict[str, object]
) -> MadeObject | None:
    """A new object of the user's class, which the trace holds; None where it can't."""
    site = site_of(plain.__name__, current().locate().line)
    if not is_plain_class(plain) or not tracer().takes_lists():
        return None
    if not tracer().knowledge.materialised.isdisjoint((site, of_class(function))):
        return None
    if _not_convertible(plain.__init__) is not None:  # type: ignore[misc]
        return None
    function.rely()
    bases = (*function.path, ("attr", "__mro__"))
    tracer().static(function.path, plain, "type")
    tracer().static(bases, plain.__mro__, "len")
    for k, base in enumerate(plain.__mro__[:-1]):
        tracer().static((*bases, ("item", k)), base, "is")
        tracer().static((*bases, ("item", k), ("attr", "__dict__")), vars(base), "keys")
    made = MadeObject(function, site)
    hold(made.fields)
    if is_generated(plain):
        if not assign_fields(made, args, kwargs):
            made.give_up()
    elif call(made.method("__init__"), *args, **kwargs) is not None:
        made.give_up()
    return made


def _method_of_callable(function: Any, plain: Any) -> BoundMethod | None:
    """The user's ``__call__`` of an object of theirs."""
    found = inspect.getattr_static(type(plain), "__call__", None)
    if not isinstance(function, Reference) or not isinstance(found, types.FunctionType):
        return None
    method = read_attribute(function, "__call__")
    return method if isinstance(method, BoundMethod) else None


def _transformed(transforms: Any, function: Any, plain: Any, args: Any, kwargs: Any) -> Any:
    """A function that `js.grad` and its like have made, from outside or by a decorator inside."""
    inner = plain.python_function
    if isinstance(function, Reference):
        function.rely()
        inner = Reference(function.tracer, (*function.path, ("attr", "python_function")), inner)
    return apply(transforms, inner, args, kwargs)


def _any_symbol(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    return any(_has_symbol(value) for value in (*args, *kwargs.values()))


def _has_symbol(value: Any) -> bool:
    if isinstance(value, (list, tuple, set)):
        return any(_has_symbol(item) for item in value)
    if isinstance(value, dict):
        return any(_has_symbol(item) for item in value.values())
    return isinstance(value, (Symbol, Sequence, Generator, NumberList))


def _is_static_method(owner: Any) -> bool:
    """Methods of immutable constants are pure."""
    return type(owner) in (str, bytes, int, float, complex, tuple, bool)


def _is_set(value: object) -> TypeGuard[NumberDict]:
    return isinstance(value, NumberDict) and value.table.values is None


_IN_ANY_ORDER = (sum, min, max, any, all)
"""What comes of ints alone is the same in each order of them."""


def _builtin(meaning: Any, function: object, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    args, plain = tuple(map(unwrap_union, args)), relied_on(function)
    if not any(plain is one for one in NOT_THROUGH):
        args = tuple(map(use_up, args))
    if len(args) == 1 and not kwargs and any(plain is one for one in _IN_ANY_ORDER):
        args = tuple(arg.table.keys if _is_set(arg) else arg for arg in args)
    if plain is sorted:
        args = tuple(arg.as_list() if isinstance(arg, Generator) else arg for arg in args)
    if any(plain is one for one in OVER_ITEMS):
        args = tuple(sequence_of(arg) if isinstance(arg, (NumberList, NumberDict)) else arg for arg in args)
    known = not kwargs and all(type(arg) in (*CONSTANTS, TracedList) for arg in args)
    known = known and not _any_symbol(args, kwargs)
    if not _takes(plain, args, kwargs):
        result = NotImplemented
    else:
        result = known_here(meaning, *args) if known else meaning(*args, **kwargs)
    if result is NotImplemented:
        return opaque_call(function if plain in OF_MODULES else plain, args, kwargs)
    return result


def _takes(function: Callable[..., object], args: tuple[object, ...], kwargs: dict[str, object]) -> bool:
    """Whether these may be its arguments by name: as far as Python says what they are called."""
    if not kwargs:
        return True
    try:
        inspect.signature(function).bind(*args, **kwargs)
    except ValueError:  # it doesn't
        return True
    except TypeError:
        return False
    return True


def _is_keywords(owner: Any, method: Any) -> bool:
    """Whether a dict of the keyword arguments is read, or changed where that happens once."""
    if type(owner) is not dict or tracer().frame.region:
        return False
    reads = method.__name__ in ("get", "items", "keys", "values")
    return reads or (method.__name__ in ("pop", "setdefault") and current().depth == tracer().frame.depth)


_ONLY_READ = frozenset(["copy", "count", "get", "index", "items", "keys", "values"])
"""Methods of lists and dicts that change nothing; any other one may."""


def _container_method(method: Any, owner: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    name = method.__name__
    if name in ("get", "setdefault", "pop") and args:
        wanted(owner, args[0], args[1:2])
    if isinstance(owner, TracedList):
        changes(owner.path, owner.given, name, *args)
    if changes_inside(owner) and tracer().takes_lists():
        if name == "append":
            grow_from(owner.site, *owner, *args)
        elif name == "extend" and len(args) == 1 and (example := _first_of(args[0])) is not None:
            grow_from(owner.site, *owner, example)
        elif name == "insert" and len(args) == 2:
            grow_from(owner.site, *owner, args[1])
        elif name in ("pop", "remove", "clear") and owner:
            grow_from(owner.site, *owner)
    if name not in _ONLY_READ:
        mutating(owner)
    if name in ("sort", "remove", "index", "count") and (_has_symbol(owner) or _any_symbol(args, {})):
        materialise(owner)
    if name in ("pop", "insert", "get", "setdefault", "extend") and any(
        isinstance(a, Sequence) or depends(a) for a in args[:1]
    ):
        materialise(owner)
    if name == "copy":
        return copied(owner)
    return known_here(method, *args, **kwargs)


def _first_of(items: object) -> object:
    """An item of what a list is extended by; None if that isn't known."""
    if isinstance(items, NumberList):
        return items.item(0)
    return items[0] if isinstance(items, (list, tuple)) and items else None


def _is_numpy(plain: Any) -> bool:
    """Whether it is a function or type that NumPy offers, but for random numbers."""
    if (name := numpy_name(plain)) is None:
        return False
    if isinstance(plain, types.FunctionType):
        return str(plain.__globals__.get("__name__")).startswith("numpy.")
    return not name.startswith("np.random.")


def _numpy(plain: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if kwargs.get("copy", True) is False and any(isinstance(arg, NumberList) for arg in args):
        raise TraceError("a list that NumPy is to take without a copy")
    dtype = kwargs.get("dtype", args[1] if len(args) > 1 else None) if plain in _OF_ITEMS else None
    args = tuple(_expand(arg, plain, dtype) for arg in args)
    if isinstance(plain, type) and issubclass(plain, np.generic):
        return _scalar_type(plain, args, kwargs)
    owner = told(plain, "__self__")
    tracer().copying += 1  # NumPy's functions copy what lists hold and never keep the list
    try:
        if isinstance(owner, np.ufunc):
            return rules().ufunc(owner, plain.__name__, args, kwargs)
        if isinstance(plain, np.ufunc):
            if not _any_symbol(args, kwargs) and all(is_number(a) for a in args) and not kwargs:
                return known_here(plain, *args)
            return rules().ufunc(plain, "__call__", args, kwargs)
        if any(isinstance(value, (Reference, TracedDict)) for value in (*args, *kwargs.values())):
            return python_call(function_name(plain), args, kwargs)
        result = rules().function(plain, args, kwargs)
    finally:
        tracer().copying -= 1
    return new_list(result, -1) if type(result) is list else result


_NOT_OF_AN_ARRAY = (np.block, np.histogramdd)
"""Functions to which a list of arrays is something else than the array of its items."""


_OF_ITEMS = (np.array, np.asarray, np.asanyarray, np.ascontiguousarray, np.asfortranarray, np.fromiter)
"""Functions that convert a list's items to the dtype that they are given, one by one."""


def _expand(value: Any, plain: object, dtype: object) -> Any:
    if isinstance(value, Generator):
        use_up(value)
        value = value.as_list()
    if isinstance(value, NumberList):
        if any(plain is one for one in _NOT_OF_AN_ARRAY):
            raise TraceError("a list given to a function that asks what it holds")
        return list_as_numpy(value, dtype)
    if isinstance(value, (Sequence, KnownItems)):
        raise TraceError("a range or zip given to NumPy")
    return value


def _scalar_type(plain: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if kwargs or len(args) > 1 or not args:
        return (
            plain(*args, **kwargs)
            if not _any_symbol(args, kwargs)
            else python_call(f"np.{plain.__name__}", args, kwargs)
        )
    value = into(np.dtype(plain), args[0], False) if np.dtype(plain).kind in "biufc" else args[0]
    if isinstance(value, SymbolicScalar) and np.dtype(plain).kind in "biufc":
        return to_numpy(value, np.dtype(plain))
    if not isinstance(value, Symbol) and is_number(value):
        return known_here(plain, value)
    return python_call(f"np.{plain.__name__}", args, kwargs)


def _python_function(
    function: Any, plain: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    inner = getattr(plain, "python_function", None)
    if inner is not None and isinstance(function, Reference):
        function, plain = Reference(tracer(), (*function.path, ("attr", "python_function")), inner), inner
    if getattr(plain, "__jitscope_staged__", False) or hasattr(plain, "staged") or _is_staged(plain):
        code = code_of(plain)
        if tracer().differentiating and is_open(code, NESTED_IN_PLACE) and (reason := _not_unrolled()):
            raise TraceError(f"'{plain.__name__}' can't be followed: {reason}")
        return _go_in(plain, plain.__name__, code, args, kwargs)
    if not isinstance(function, Reference):
        if (scope := getattr(plain, "__jit_scope__", None)) is None:
            return opaque_call(function, args, kwargs)
        with scope:  # a decorator around a function that was defined, and decorated, inside
            return call(plain.__wrapped__, *args, **kwargs)  # type: ignore[attr-defined]
    reason = _not_convertible(plain)
    if reason is None and is_open(plain.__code__) and not is_recursive(plain.__code__):
        meet(plain.__code__)
        reason = _not_unrolled()
    reason = reason or tracer().knowledge.plain.helpers.get(plain.__code__)
    if reason is None:
        staged = tracer().convert(plain, function.path, function)
        bound = _bind_defaults(plain, function, args, kwargs)
        return _go_in(staged, plain.__name__, plain.__code__, (), bound)
    return opaque_call(function, args, kwargs, Cause(f"'{plain.__name__}' runs in Python: {reason}"))


NESTED_IN_PLACE = 8
"""So deep a derivative follows an inner function into itself before ints and sizes are taken for known: what
is called in itself without recursion, as in ``apply(lambda u: apply(f, u), x)``, ends by itself."""


def _not_unrolled() -> str | None:
    """Why a function that calls itself isn't traced in place again.

    To derivatives only what is traced is known: there recursion is unrolled, as deep as the ints and sizes of
    the example say. Each other int or size gets a trace of its own then.
    """
    if not tracer().differentiating:
        return "it calls itself"
    if not tracer().knowledge.exact:
        tracer().knowledge.exact = True
        raise Restart
    tracer().recursions += 1
    return None if tracer().recursions <= RECURSIONS else f"it calls itself more than {RECURSIONS} times"


def _is_staged(plain: types.FunctionType) -> bool:
    return isinstance(plain.__globals__, Namespace)


def _not_convertible(plain: types.FunctionType) -> str | None:
    if hasattr(plain, "__jit_scope__"):  # our wrapper around a function of the user's
        return None
    filename = plain.__code__.co_filename
    with suppress(ValueError):  # no file can have such a name
        filename = os.path.realpath(filename)
    if plain.__module__ in sys.stdlib_module_names or filename.startswith(_HARMLESS_ROOTS):
        if "site-packages" not in filename:
            return "it belongs to the standard library"
    if "site-packages" in filename:
        return "it belongs to an installed package"
    if plain.__code__.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
        return "it is a generator or a coroutine"
    return None


def _bind_defaults(
    plain: types.FunctionType, function: Reference, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> dict[str, Any]:
    """The call's arguments by parameter name; defaults are inputs found on the function."""
    signature = inspect.signature(plain, follow_wrapped=False)
    bound = signature.bind(*args, **kwargs)
    arguments: dict[str, Any] = {}
    for name, parameter in signature.parameters.items():
        if parameter.kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD):
            arguments[name] = bound.arguments.get(
                name, () if parameter.kind is inspect.Parameter.VAR_POSITIONAL else {}
            )
        elif name in bound.arguments:
            arguments[name] = bound.arguments[name]
        else:
            arguments[name] = _default((*function.path, ("default", name)), parameter.default)
    return arguments


def _default(path: Any, value: Any) -> Any:
    """A default is part of the helper: numbers are constants, anything else an input.

    A function that is an argument may be made anew for each call, with defaults that differ.
    """
    if type(value) in (bool, int, float, complex) and path[0][0] != "arg":
        tracer().static(path, value, "equal")
        return value
    return tracer().wrap(path, value)


def _go_in(staged: Any, name: str, code: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Trace a function of the user's in place, or in a region if it returns from inside of a block."""

    def run() -> Any:
        if args or hasattr(staged, "__wrapped__") and not kwargs:
            return staged(*args, **kwargs)
        return invoke(staged, kwargs) if not args and kwargs else staged(*args, **kwargs)

    if comes_again(code, _any_symbol(args, kwargs)):
        meet(code)
    if is_recursive(code) and (bound := bound_to(staged, args, kwargs)) is not None:
        return recursive(staged, name, code, bound)
    if len(tracer().frames) > NESTED_CALLS:
        if is_open(code):
            meet(code)
        raise TraceError(f"calls nested more than {NESTED_CALLS} deep")
    with attempt() as trial:
        tracer().step()
        with inside(OpenFunction(name, current().depth, code=code, trial=trial)):
            return run()
    return in_region(run, name, code)


def enter_first(staged: Any, plain: types.FunctionType, arguments: dict[str, Any]) -> object:
    """Trace the function that was called, given all of its parameters by name."""
    if is_recursive(plain.__code__):
        return recursive(staged, plain.__name__, plain.__code__, arguments)
    return invoke(staged, arguments)


def enter(staged: Any, plain: types.FunctionType, arguments: dict[str, Any]) -> Any:
    """Trace a staged function in place, given all of its parameters by name."""
    return _go_in(lambda: invoke(staged, arguments), plain.__name__, plain.__code__, (), {})
