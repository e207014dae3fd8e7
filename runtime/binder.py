"""The function that a decorated function becomes: real Python with the user's signature.

Its body makes a key of its arguments and looks the entry function up::

    def relax(u, f, tol, max_iter=100):
        try:
            entry = table[7, type(u), u.dtype, u.ndim, u.flags.num, type(f), ..., type(tol), type(max_iter)]
        except Exception:
            entry = missing(7, u, f, tol, max_iter)
        return entry(u, f, tol, max_iter)

An argument that was seen as an array is looked at as one; an argument that was seen both ways costs a test.

As long as all calls had arguments of one look, that look is asked for first: a key takes a third longer::

        if table.number is 7 and type(u) is ndarray and u.dtype is float64 and u.ndim == 2 and ...:
            entry = table.only
            return entry(u, f, tol, max_iter)
"""

from __future__ import annotations

import operator
import os
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import CellType, CodeType, FunctionType
from typing import Any, NoReturn
from weakref import WeakValueDictionary

import numpy as np

from ..autograph.told import hashes_by_itself
from ..graph.ir.shown import printable
from ..graph.trace.locks import new_lock
from ..graph.trace.scopes import CALLED
from .call_parameters import Arguments, CallParameters, left_text, make, plain_text
from .faults import came_upon_reading
from .inner_code import inner_code
from .left_out import LEFT_OUT
from .levels import Levels, comes_back
from .skipped import SKIPPED

ANY, PLAIN, ARRAY = "any", "plain", "array"
MOST_KEYS = 1024
"""With so many keys the table starts anew: classes made at run time are not to be kept for ever."""
_BINDERS: WeakValueDictionary[int, Binder] = WeakValueDictionary()
_NAMES = ("missing", "table", "type")
"""Our cells, in the order in which the compiler puts them."""
_CONSTANTS: dict[Any, Any] = {"_js Exception": Exception, "_js ndarray": np.ndarray, "_js left": LEFT_OUT}
"""What stands in the code itself, as each cell costs time at each call; texts hold its place."""
_OUR_CELLS = (CALLED, *(f"_js_{name}" for name in _NAMES[1:]))
_COMMON = frozenset(
    (int, float, complex, bool, str, bytes, tuple, list, dict, range, type(None), *np.sctypeDict.values())
)
_METADATA = ("__module__", "__name__", "__qualname__", "__doc__")


class Table(dict[Any, Callable[..., Any]]):
    """Entry functions by key. They belong to their process: a pickled table is an empty one.

    An outdated table, which a copy of the function may still have, sends all calls to `instead`. `only` takes
    the calls of the look that the text with `number` asks for. For what a caller leaves out the text with
    number `text` looks at `user`, the user's function, which had `code`, `positional` and `named` defaults.
    """

    __slots__ = ("code", "instead", "named", "number", "only", "positional", "text", "user")

    def __init__(self) -> None:
        self.user: FunctionType | None = None
        self.code: CodeType | None = None
        self.positional: tuple[Any, ...] | None = None
        self.named: dict[str, Any] | None = None
        self.text: int | None = None
        self.instead: Callable[..., Any] | None = None
        self.number: int | None = None
        self.only: Callable[..., Any] | None = None

    def __missing__(self, key: Any) -> Callable[..., Any]:
        if self.instead is None:
            raise KeyError(key)
        return self.instead

    def __reduce__(self) -> Any:
        return Table, ()


def _new_number() -> int:
    """A number that no other binder has, in whatever process: pickled code keeps its number."""
    return int.from_bytes(os.urandom(7), "little")


class Binder:
    """The generated function of one decorated function, and its table from keys to entry functions.

    It has the globals and the cells of the user's function, and cells of ours behind them. So its code may be
    exchanged for the user's own: a function that stays plain then costs nothing, has its own frame alone, and
    is a generator or a coroutine where the user's is one.
    """

    def __init__(
        self,
        function: FunctionType,
        missing: Callable[..., Callable[..., Any]],
        saved: tuple[Any, ...] = (),
        levels: Levels | None = None,
        unbound: Callable[[Arguments], Callable[..., Any]] | None = None,
    ) -> None:
        self.levels = levels
        self.unbound = unbound or _refused
        self._read(function)
        self.missing = missing
        self.kinds: tuple[str, ...]
        self._only: Any = None
        self.kinds, number, table = saved or ((), _new_number(), Table())
        self.numbers = {number}
        self.pinned = False
        self._set_aside = 0
        """How many calls run while the function has the code of the user's."""
        self._lock = new_lock()
        self._outer = function.__code__.co_freevars
        contents = (self._find, table, type)
        self._cells = {name: CellType(found) for name, found in zip(_NAMES, contents, strict=True)}
        self._code = self._text_of(self.kinds or (PLAIN,) * len(self.names), function.__name__, number)
        closure = (*(function.__closure__ or ()), *self._cells.values())
        self.made = FunctionType(self._code, function.__globals__, function.__name__, None, closure)
        dress(self.made, function)
        self.made.__defaults__, self.made.__kwdefaults__ = self._left
        self._describe(table)

    def _read(self, function: FunctionType, lenient: bool = False) -> None:
        """What the function's parameters are."""
        self.user, self.shape = function, CallParameters(function, lenient)
        self._left = self.shape.left(function)
        self._shown: tuple[Any, Any] = self._left
        self._code_of_user = function.__code__
        self.names = self.shape.names
        self._by_position: Callable[..., Any] | None = None
        self._defaults = function.__defaults__, function.__kwdefaults__
        self.plain: Callable[..., Any] = self.calling(function)

    def calling(self, run: FunctionType) -> FunctionType:
        """`run`, which has our parameters, for all arguments by position; its open calls count as levels."""
        if self.levels is not None and comes_back(run.__code__):
            text, names = plain_text(self.shape, counted=True), {"plain": run, "levels": self.levels}
            made = make(self.shape, text, names, run.__name__)
            self.levels.watch(made.__code__)
            return made
        if self.shape.positional:
            return run
        return make(self.shape, plain_text(self.shape), {"plain": run}, run.__name__)

    def renew(self, function: FunctionType) -> None:
        """The function has other code or other defaults now, and maybe other parameters."""
        with self._lock:
            self._read(function, lenient=True)
            self.kinds, self._only = (), None
            self._code = self._text_of((PLAIN,) * len(self.names), self.made.__code__.co_name)
            self.forget()
            self.made.__defaults__, self.made.__kwdefaults__ = self._left

    def _describe(self, table: Table) -> None:
        """Say in `table` what a caller who leaves arguments out counts on."""
        table.user, table.code, table.text = self.user, self._code_of_user, self.number
        table.positional, table.named = self._defaults

    def has_defaults_of(self, function: FunctionType) -> bool:
        """Whether calls are bound with the defaults that `function` has."""
        return self._defaults[0] is function.__defaults__ and self._defaults[1] is function.__kwdefaults__

    @property
    def table(self) -> Table:
        """Entry functions by key."""
        found: Table = self._cells["table"].cell_contents
        return found

    @property
    def by_position(self) -> Callable[..., Any]:
        """The decorated function as it is now, for calls with all arguments by position."""
        if self.shape.positional:
            return self.made
        if self._by_position is None:
            self._by_position = make(self.shape, plain_text(self.shape), {"plain": self.made}, "forward")
        return self._by_position

    def learn(self, values: tuple[Any, ...], target: Callable[..., Any]) -> None:
        """From now on `target` takes the calls whose arguments look like `values`.

        Classes that hash and compare as they like are no keys of the table.
        """
        if not all(hashes_by_itself(type(value)) for value in values):
            return
        with self._lock:
            before = self.kinds or ("",) * len(values)
            kinds = tuple(kind_of(value, kind) for value, kind in zip(values, before, strict=True))
            key = key_of(values, kinds)
            first = not self.kinds and all(map(_is_common, values))
            only = key if first or key == self._only else None
            if kinds != self.kinds or only != self._only or len(self.table) >= MOST_KEYS:
                look = None if only is None else Look(self.shape, values)
                self._code = self._text_of(kinds, self.made.__code__.co_name, look=look)
                self.forget()
                # At the end: where an interrupt comes between, the next call does it all.
                self.kinds, self._only = kinds, only
            table = self.table
            table[(self.number, *key)] = target
            if only is not None:
                table.only = target
                table.number = self.number

    def forget(self) -> None:
        """Every call is looked up anew."""
        before, table = self.table, Table()
        self._describe(table)
        self._cells["table"].cell_contents = table
        before.number = before.text = None
        before.clear()
        before.instead = self.by_position
        if not self.pinned:
            self.made.__code__ = self._code
            self._exchange_defaults(self._shown, self._left)

    def become(self, function: FunctionType, pinned: bool = False) -> None:
        """From now on the function has the code of the user's; `pinned`: for good."""
        self.pinned = self.pinned or pinned
        code = function.__code__
        self._shown = function.__defaults__, function.__kwdefaults__
        self._exchange_defaults(self._left, self._shown)
        self.made.__code__ = code.replace(co_freevars=(*code.co_freevars, *_OUR_CELLS))

    @contextmanager
    def plain_code(self) -> Iterator[None]:
        """Meanwhile the function has the code of the user's: a recursion then passes by us."""
        with self._lock:
            self._set_aside += 1
            self.become(self.user)
        try:
            yield
        finally:
            with self._lock:
                self._set_aside -= 1
                if not self._set_aside and not self.pinned:
                    self.made.__code__ = self._code
                    self._exchange_defaults(self._shown, self._left)

    def _exchange_defaults(self, before: tuple[Any, Any], now: tuple[Any, Any]) -> None:
        """Give the decorated function other defaults, but where somebody else has given it some."""
        if self.made.__defaults__ is before[0]:
            self.made.__defaults__ = now[0]
        if self.made.__kwdefaults__ is before[1]:
            self.made.__kwdefaults__ = now[1]

    def saved(self) -> tuple[Any, ...]:
        """What makes the binder of an unpickled function fit the code and the cells that come with it."""
        return self.kinds, self.number, self.table

    def __reduce__(self) -> Any:
        return operator.attrgetter("binder"), (self.missing.__self__,)  # type: ignore[attr-defined]

    def _text_of(
        self, kinds: tuple[str, ...], title: str, number: int = 0, look: Look | None = None
    ) -> CodeType:
        """The code that looks for an entry function; its number tells its keys from those of other texts."""
        self.number = number or _new_number()
        self.numbers.add(self.number)
        _BINDERS.setdefault(self.number, self)
        outer = [f"{self.shape.prefix}_a{k:05}" for k in range(len(self._outer))]
        private = [f"{self.shape.prefix}_{name}" for name in self._cells]
        text = binder_text(self.shape, kinds, self.number, outer, look)
        maker = f"def make({', '.join(outer + private)}):\n{textwrap.indent(text, '    ')}"
        code = inner_code(inner_code(compile(maker, f"<jitscope {printable(title)}{SKIPPED}>", "exec")))
        # The very object that the code has: equal ones take longer to compare.
        self.number = next(constant for constant in code.co_consts if constant == self.number)
        known = {**_CONSTANTS, **(look.constants if look else {}), "_js number": self.number}
        # The compiler sorts free variables, and these names are in order.
        constants = tuple(known.get(c, c) if isinstance(c, str) else c for c in code.co_consts)
        return code.replace(co_name=title, co_freevars=(*self._outer, *_OUR_CELLS), co_consts=constants)

    def _find(
        self,
        number: int,
        *values: Any,
        more: Sequence[object] = (),
        named: Mapping[str, object] | None = None,
    ) -> Callable[..., Any]:
        """What takes a call for which there is no entry function, as the exception says that is handled.

        IPython's autoreload gives the code of a function's new version to the old one; its number then leads
        to the new one.
        """
        if more or named:
            binder = self if number in self.numbers else _BINDERS.get(number, self)
            return binder.unbound(binder.shape.as_called(values, more, named))
        if (met := sys.exc_info()[1]) is not None and came_upon_reading(met):
            raise met
        if number == self.number:
            if any(value is LEFT_OUT for value in values):
                return self.unbound(self.shape.as_called(values))
            return self.missing(*values)
        return (self if number in self.numbers else _BINDERS.get(number, self)).by_position


def _refused(_: Arguments) -> NoReturn:
    raise TypeError("the arguments don't fit")


def kind_of(value: Any, before: str = "") -> str:
    """How an argument is looked at from now on: it was looked at as `before`."""
    found = ARRAY if type(value) is np.ndarray else PLAIN
    return found if before in ("", found) else ANY


def part(value: Any, kind: str) -> tuple[Any, ...]:
    """What the key says of one argument; equal to what the generated text makes."""
    if kind == PLAIN:
        return (type(value),)
    if kind == ARRAY:
        return (type(value), value.dtype, value.ndim, value.flags.num)
    array = type(value) is np.ndarray
    return ((value.dtype, value.ndim, value.flags.num) if array else type(value),)


def key_of(values: tuple[Any, ...], kinds: tuple[str, ...]) -> Any:
    """The key of a call."""
    return tuple(item for value, kind in zip(values, kinds, strict=True) for item in part(value, kind))


def _part_text(name: str, kind: str, prefix: str) -> str:
    array = f"{name}.dtype, {name}.ndim, {name}.flags.num"
    if kind == PLAIN:
        return f"{prefix}_type({name})"
    if kind == ARRAY:
        return f"{prefix}_type({name}), {array}"
    return f"({array}) if {prefix}_type({name}) is {prefix}_ndarray else {prefix}_type({name})"


class Look:
    """What tells arguments of one look: tests of types, dtypes and flags, by constants of the code itself."""

    def __init__(self, shape: CallParameters, values: Sequence[object]) -> None:
        self.constants: dict[str, object] = {}
        self._prefix = shape.prefix
        self._numbers: dict[int, int] = {}
        tests = map(self._of, shape.names, values)
        self.text = " and ".join((f"{shape.prefix}_table.number is {shape.prefix}_number", *tests))

    def _of(self, name: str, value: object) -> str:
        text = f"{self._prefix}_type({name}) is {self._constant(type(value))}"
        if not isinstance(value, np.ndarray):
            return text
        dtype = self._constant(value.dtype)
        flags = f"{name}.ndim == {value.ndim} and {name}.flags.num == {value.flags.num}"
        return f"{text} and {name}.dtype is {dtype} and {flags}"

    def _constant(self, value: object) -> str:
        """The local variable that holds `value`."""
        number = self._numbers.setdefault(id(value), len(self._numbers))
        self.constants[f"_js c{number}"] = value
        return f"{self._prefix}_c{number}"

    def lines(self, call: str) -> str:
        """The first lines of the function."""
        p = self._prefix
        loads = "".join(f"    {p}_{name[4:]} = {name!r}\n" for name in (*self.constants, "_js number"))
        # In two lines: Python looks the attribute up in no time where it isn't called at once.
        taken = f"        {p}_entry = {p}_table.only\n        return {p}_entry({call})\n"
        return f"{loads}    if {self.text}:\n{taken}"


def _is_common(value: object) -> bool:
    """Whether the type, and an array's dtype, are Python's or NumPy's: code with them can be pickled."""
    if type(value) is np.ndarray:
        return value.dtype.isbuiltin == 1
    return type(value) in _COMMON


def binder_text(
    shape: CallParameters,
    kinds: tuple[str, ...],
    number: int,
    outer: Sequence[str] = (),
    look: Look | None = None,
) -> str:
    """The text of the decorated function; `outer` are cells that it has to have and doesn't read."""
    p = shape.prefix
    private = [f"{p}_{name}" for name in _NAMES]
    mixed = f"    {p}_ndarray = '_js ndarray'\n" if ANY in kinds else ""
    key = "".join(_part_text(name, kind, p) + ", " for name, kind in zip(shape.names, kinds, strict=True))
    return (
        f"def {p}_function({shape.header()}):\n"
        f"    if 0: {', '.join([*outer, *private])}\n"
        f"{left_text(shape, number)}"
        f"{look.lines(', '.join(shape.names)) if look else ''}"
        f"{mixed}"
        f"    try:\n"
        f"        {p}_entry = {p}_table[({number}, {key.rstrip()})]\n"
        f"    except '_js Exception':\n"
        f"        {p}_entry = {p}_missing({', '.join([str(number), *shape.names])})\n"
        f"    return {p}_entry({', '.join(shape.names)})\n"
    )


def dress(made: FunctionType, function: FunctionType) -> None:
    """Give `made` the name, documentation, defaults and attributes of `function`."""
    for name in _METADATA:
        setattr(made, name, getattr(function, name))
    made.__defaults__ = function.__defaults__
    made.__kwdefaults__ = function.__kwdefaults__
    if hasattr(function, "__annotate__"):  # Python 3.14: evaluated when somebody asks
        made.__annotate__ = function.__annotate__  # type: ignore[attr-defined]
    else:
        made.__annotations__ = function.__annotations__
    made.__dict__.update(function.__dict__)
    made.__wrapped__ = function  # type: ignore[attr-defined]
