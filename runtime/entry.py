"""Entry functions: generated Python that checks whether a call fits a specialisation, and calls its driver.

The text reads names as the user's function does: it runs with that function's globals and closure cells. ::

    def _js_entry(u, tol):
        try:
            _js_v0 = K
            _js_held = type(_js_v0) is _js_float and np is _js_k0
        except _js_Exception as _js_error:
            if _js_came_upon(_js_error):
                raise
            _js_held = False
        if not _js_held:
            return _js_otherwise(u, tol)
        try:
            return _js_driver(u, tol, _js_v0)
        except _js_Exception as _js_error:
            _js_fault = _js_error
        return _js_again(_js_fault, u, tol)

Names of ours start with `_js`, and with more underscores where the user has such names: all are in one scope.
Where nothing outside the arguments is read, the first part is missing. `_js_again` stands outside of the
handler, so that what the plain function raises has no second exception in its context.
"""

from __future__ import annotations

import builtins
import copy
import math
import sys
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import (
    BuiltinMethodType,
    CellType,
    CodeType,
    FunctionType,
    MethodType,
    MethodWrapperType,
    ModuleType,
)
from typing import Any

import numpy as np

from ..autograph.cell_data import NUMBER, TAG, are_apart, put_back_number, taken_part
from ..autograph.list_data import apart as apart_lists
from ..autograph.list_data import put_back
from ..autograph.strides import order_of
from ..autograph.told import is_one_of
from ..autograph.traced import Path
from ..codegen.lists import without_nan
from ..codegen.prints import PRINTED
from ..graph.ir.shown import is_name
from ..graph.ir.types import Array, Scalar
from .class_reads import still_looked_up
from .faults import came_upon_reading
from .handed import put_items
from .inner_code import inner_code
from .levels import COMPILED_LEVELS
from .list_memory import taken
from .module_reads import still_held
from .paths import cell_of, follow, place_in_class, underlying
from .recipe import DriverArgument, Recipe
from .shared_memory import forbidden
from .signature import flags_of, same_value
from .skipped import SKIPPED
from .stack import ROOMS
from .undo import MOST_WITH_LISTS, all_undone, kept_state, saved_text, undone

_BY_VALUE = (int, float, complex, str, bytes, bool, tuple, frozenset)


@dataclass
class Entry:
    """The text of an entry function and the objects that its private names stand for."""

    text: str
    constants: dict[str, Any]
    function: FunctionType
    code: CodeType
    prefix: str
    hands: bool = False
    """The driver gives a tuple, whose first item is the result."""

    def bind(self, **private: Any) -> tuple[Callable[..., Any], dict[str, CellType]]:
        """The entry function for the given `driver`, `plain` and so on (see `_PRIVATE`), and their cells."""
        cells = {name: CellType(value) for name, value in private.items()}
        ours = {f"{self.prefix}_{name}": cell for name, cell in cells.items()}
        ours.update((name, CellType(value)) for name, value in self.constants.items())
        theirs = dict(zip(self.function.__code__.co_freevars, self.function.__closure__ or (), strict=True))
        closure = tuple({**theirs, **ours}[name] for name in self.code.co_freevars)
        return FunctionType(self.code, self.function.__globals__, "entry", None, closure), cells


def build(recipe: Recipe, function: FunctionType, arguments: Mapping[str, Any]) -> Entry:
    """The entry function's text and constants, for the live objects that `arguments` lead to."""
    prefix = _free_prefix(recipe, function)
    writer = _Writer(recipe, function, arguments, prefix)
    writer.write()
    body = textwrap.indent("\n".join(writer.lines), "    ")
    text = f"def {prefix}_entry({', '.join(recipe.parameters)}):\n{body}\n"
    # Private names and the user's closure cells are free variables, so that none of them is a global.
    private = {f"{prefix}_{name}" for name in _PRIVATE}
    outer = sorted({*writer.constants, *private, *function.__code__.co_freevars} - set(recipe.parameters))
    maker = f"def make({', '.join(outer)}):\n{textwrap.indent(text, '    ')}    return {prefix}_entry\n"
    code = inner_code(inner_code(compile(maker, f"<jitscope entry{SKIPPED}>", "exec")))
    return Entry(text, writer.constants, function, code, prefix, bool(recipe.handed))


def _free_prefix(recipe: Recipe, function: FunctionType) -> str:
    """What no parameter, closure cell or name that the entry function reads starts with."""
    read = {name for path in recipe.paths() for kind, name in path if kind == "name"}
    theirs = [*recipe.parameters, *function.__code__.co_freevars, *map(str, read)]
    prefix = "_js"
    while any(name.startswith(f"{prefix}_") for name in theirs):
        prefix += "_"
    return prefix


_PRIVATE = ("driver", "otherwise", "plain", "again", "levels")


@dataclass
class _Writer:
    recipe: Recipe
    function: FunctionType
    arguments: Mapping[str, Any]
    prefix: str
    lines: list[str] = field(default_factory=list)
    constants: dict[str, Any] = field(default_factory=dict)
    locals: dict[Path, str] = field(default_factory=dict)
    reads: list[str] = field(default_factory=list)
    checks: list[str] = field(default_factory=list)
    held: dict[int, tuple[ModuleType, dict[str, Any]]] = field(default_factory=dict)

    def write(self) -> None:
        call = ", ".join(self.recipe.parameters)
        uses = Counter(path[:k] for path in self._paths() for k in range(1, len(path) + 1))
        self.shared = {path for path, count in uses.items() if count > 1 and len(path) > 1}
        self.typed = {item.path for item in self.recipe.fixed if item.how == "type"}
        self._own()
        slots = [self._slot(slot) for slot in self.recipe.slots]
        self._statics()
        self._functions()
        self._modules()
        self._flush(call)
        self._numbers(slots, call)
        self._sizes(slots, call)
        self._overlaps(slots, call)
        changed = [*self._lists(slots, call), *self._cells(slots, call), *self._handed(slots)]
        checked = self._without_nan(slots)
        fault = self._saved(slots, call)
        fault += self._printed()
        p = self.prefix
        run = f"{p}_driver({', '.join(slots)})"
        found = f"{p}_result, *{p}_items" if self.recipe.handed else f"{p}_result"
        counted = self._counted()
        self.lines += [
            *counted,
            "try:",
            f"    {found} = {run}" if changed else f"    return {run}",
            *checked,
            f"except {self._constant('Exception', Exception)} as {p}_error:",
            f"    {p}_fault = {p}_error",
            *(["else:", *("    " + line for line in changed), f"    return {p}_result"] if changed else []),
            *(["finally:", f"    {p}_levels.open = {p}_open"] if counted else []),
            f"return {p}_again({fault}{', ' if call else ''}{call})",
        ]

    def _printed(self) -> str:
        """How many texts the driver had written when it went wrong, as one more argument."""
        if not self.recipe.prints:
            return ""
        printed, before = self._constant("printed", PRINTED), f"{self.prefix}_texts"
        self.lines.append(f"{before} = {printed}.texts")
        return f", {printed}.texts - {before}"

    def _counted(self) -> list[str]:
        """Calls that may lead to others of the function are counted, unless these can start again."""
        if self.recipe.recursive or not self.recipe.enters:
            return []
        p = self.prefix
        return [
            f"{p}_open = {p}_levels.open",
            f"if {p}_open >= {COMPILED_LEVELS}:",
            f"    {p}_open = {p}_levels.looked({COMPILED_LEVELS})",
            f"{p}_levels.open = {p}_open + 1",
        ]

    def _saved(self, slots: list[str], call: str) -> str:
        """Written arrays and the states of generators are kept where they may have to be put back.

        Gives the text of what went wrong.
        """
        fault = f"{self.prefix}_fault"
        if not self.recipe.undoable:
            return fault
        written = [slots[k] for k in self.recipe.writes if not self.recipe.slots[k].is_taken]
        if written and self.recipe.lists:
            size = " + ".join(f"{text}.nbytes" for text in written)
            self.lines += [f"if {size} > {MOST_WITH_LISTS}:", f"    return {self.prefix}_plain({call})"]
        kept = [(text, f"{text}.copy()" if self.recipe.lists else saved_text(text)) for text in written]
        for text in (slots[k] for k in self.recipe.streams):
            kept.append((text, f"{self._constant('kept_state', kept_state)}({text})"))
        self.lines += [f"{self.prefix}_was{n} = {before}" for n, (_, before) in enumerate(kept)]
        pairs = ", ".join(f"({text}, {self.prefix}_was{n})" for n, (text, _) in enumerate(kept))
        back = (
            self._constant("all_undone", all_undone)
            if self.recipe.lists
            else self._constant("undone", undone)
        )
        return f"{back}({fault}, {pairs})"

    def _lists(self, slots: list[str], call: str) -> list[str]:
        """Lists that are changed: no other may be the same, and what has changed is put back afterwards."""
        taken = [k for k, slot in enumerate(self.recipe.slots) if slot.is_list]
        written = [k for k in taken if k in self.recipe.writes]
        lists = {k: self._read(self.recipe.slots[k].path[:-1]) for k in taken}
        known = dict.fromkeys([*lists.values(), *self._other_lists(slots)])
        if (written or self.recipe.handed) and len(known) > 1:
            apart = self._constant("apart", apart_lists)
            self.lines += [f"if not {apart}({', '.join(known)}):", f"    return {self.prefix}_plain({call})"]
        self.lines += [f"{slots[k]}_before = {slots[k]}.copy()" for k in written]
        put = self._constant("put_back", put_back) if written else ""
        return [f"{put}({lists[k]}, {slots[k]}, {slots[k]}_before)" for k in written]

    def _other_lists(self, slots: list[str]) -> Iterator[str]:
        """Where some change their length: these, and those that are followed item by item or objects."""
        if not self.recipe.handed:
            return
        yield from map(self._read, self.recipe.handed)
        for item in self.recipe.fixed:
            given = follow(item.path, self.function, self.arguments) if item.how in ("len", "keys") else None
            if type(given) in (list, dict):
                yield self._read(item.path)
        for text, slot in zip(slots, self.recipe.slots, strict=True):
            if slot.kind == "builtins.list":
                yield text

    def _handed(self, slots: list[str]) -> list[str]:
        """Lists that change their length get their items, where all else has gone well."""
        if not self.recipe.handed:
            return []
        pairs = []
        for path in self.recipe.handed:
            taken = self.recipe.taken_from(path)
            pairs.append(f"({self._read(path)}, {'None' if taken is None else slots[taken]})")
        return [f"{self._constant('put_items', put_items)}(({', '.join(pairs)},), {self.prefix}_items)"]

    def _cells(self, slots: list[str], call: str) -> list[str]:
        """Numbers of attributes that are assigned: each object has its own, which is put back afterwards."""
        cells: dict[Path, dict[str, int]] = {}
        for k, slot in enumerate(self.recipe.slots):
            if slot.is_cell:
                name, form, part = slot.path[-1][1].split(":")
                cells.setdefault((*slot.path[:-1], ("cell", f"{name}:{form}")), {})[part] = k
        owners = {path[:-1]: self._read(path[:-1]) for path in cells}
        if len(owners) > 1:
            self.lines += [
                f"if not {self._constant('are_apart', are_apart)}({', '.join(owners.values())}):",
                f"    return {self.prefix}_plain({call})",
            ]
        lines, written = [], set(self.recipe.writes)
        for path, parts in ((p, q) for p, q in cells.items() if written & set(q.values())):
            name, form = path[-1][1].split(":")
            self.lines += [f"{slots[k]}_before = {slots[k]}.copy()" for k in parts.values()]
            now = [slots[parts[part]] if part in parts else "None" for part in (TAG, NUMBER)]
            before = [f"{text}_before" if text != "None" else text for text in now]
            put = self._constant("put_back_number", put_back_number)
            both = ", ".join(f"({', '.join(texts)})" for texts in (now, before))
            lines.append(f"{put}({owners[path[:-1]]}, {name!r}, {form!r}, {both})")
        return lines

    def _without_nan(self, slots: list[str]) -> list[str]:
        """Lists that are changed are put back where none has got NaN."""
        types = [slot.type for slot in self.recipe.slots]
        floats = {k for k, t in enumerate(types) if isinstance(t, Array) and t.dtype.kind in "fc"}
        written = [slots[k] for k in self.recipe.writes if self.recipe.slots[k].is_list and k in floats]
        check = self._constant("without_nan", without_nan) if written else ""
        return [f"    {check}({', '.join(written)})"] if written else []

    def _paths(self) -> list[Path]:
        return self.recipe.paths()

    # Reading.

    def _read(self, path: Path) -> str:
        """An expression for the object at `path`; what is needed twice becomes a local variable."""
        if path in self.locals:
            return self.locals[path]
        text = self._expression(path)
        if path in self.shared:
            self._keep(path, text)
            return self.locals[path]
        return text

    def _keep(self, path: Path, text: str) -> str:
        name = f"{self.prefix}_v{len(self.locals)}"
        self.reads.append(f"{name} = {text}")
        self.locals[path] = name
        return name

    def _once(self, path: Path, text: str) -> str:
        """A local variable for what is used several times."""
        return text if text.isidentifier() else self.locals.get(path) or self._keep(path, text)

    def _expression(self, path: Path) -> str:
        kind, name = path[-1]
        if kind == "list":
            return f"{self._constant('taken', taken)}({self._read(path[:-1])}, {name!r})"
        if kind == "cell":
            parts = ", ".join(map(repr, name.split(":")))
            return f"{self._constant('taken_part', taken_part)}({self._read(path[:-1])}, {parts})"
        if kind in ("line", "generator"):
            label = f"line_{name}" if kind == "line" else str(name).replace(".", "_")
            return self._constant(label, follow(path, self.function, self.arguments))
        if kind == "module":
            return f"{self._constant('modules', sys.modules)}[{name!r}]"
        if kind == "room":
            return f"{self._constant(f'stack_{name}', ROOMS[name])}()"
        if len(path) == 1:
            return str(name)
        owner = path[:-1]
        if kind == "attr":
            return self._attribute(self._owner(owner), str(name))
        if kind == "method":
            return self._method(owner, str(name))
        if kind == "item":
            key = repr(name) if type(name) in (int, str) else self._fresh("k", name)
            return f"{self._read(owner)}[{key}]"
        if kind == "default":
            return self._default(owner, name)
        return self._name_in(owner, name)

    def _owner(self, path: Path) -> str:
        """An object of which an attribute is read: not before it has the class that says what that does."""
        text = self._read(path)
        if path in self.typed:
            self.typed.discard(path)
            text = self.locals[path] = self._once((*path, ("function", "")), text)
            kind = self._fresh("t", type(follow(path, self.function, self.arguments)))
            self.reads += self._wanted(f"{self._type(text)} is {kind}")
        return text

    def _wanted(self, condition: str) -> list[str]:
        return [f"if not ({condition}):", f"    raise {self._constant('LookupError', LookupError)}"]

    def _method(self, owner: Path, name: str) -> str:
        """The function of a method, which the object may have got of another one."""
        text = self._once((*owner, ("function", "")), self._owner(owner))
        bound = self._once((*owner, ("attr", name)), self._attribute(text, name))
        self._check(f"{bound}.__self__ is {text}")
        return f"{bound}.__func__"

    def _attribute(self, owner: str, name: str) -> str:
        return (
            f"{owner}.{name}" if is_name(name) else f"{self._constant('getattr', getattr)}({owner}, {name!r})"
        )

    def _default(self, owner: Path, name: str) -> str:
        """The default value of a parameter of the helper at `owner`."""
        helper, text = self._helper(owner)
        code = helper.__code__
        names = code.co_varnames[: code.co_argcount]
        if name in names:
            return f"{text}.__defaults__[{names.index(name) - len(names)}]"
        return f"{text}.__kwdefaults__[{name!r}]"

    def _name_in(self, owner: Path, name: str) -> str:
        """A name as the helper at `owner` sees it; the helper's code is fixed by a check."""
        helper, text = self._helper(owner)
        if cell_of(helper, name) is not None:
            return f"{text}.__closure__[{helper.__code__.co_freevars.index(name)}].cell_contents"
        if not self._is_fixed(owner):
            self._check(f"{text}.__globals__ is {self._fresh('g', helper.__globals__)}")
        if helper.__globals__ is self.function.__globals__ and self._is_global(name):
            return name  # to be read as the entry function reads its own, which is faster
        space = self._fresh("g", helper.__globals__)
        if name in helper.__globals__:
            return f"{space}[{name!r}]"
        self._check(f"{name!r} not in {space}")
        return f"{self._constant('builtins', builtins)}.{name}"

    def _is_global(self, name: str) -> bool:
        """Whether `name` means a global (or a builtin) inside of the entry function."""
        return name not in self.recipe.parameters and name not in self.function.__code__.co_freevars

    # Checking.

    def _slot(self, slot: DriverArgument) -> str:
        """The argument of the driver; its type is checked unless the dispatch key has told it."""
        text = self._read(slot.path)
        if len(slot.path) == 1 and slot.path[0][0] == "arg":
            return text
        if text not in self.locals.values():
            text = self._keep(slot.path, text)
        if isinstance(slot.type, Array):
            self._check(self._is_array(text, slot.type))
        else:
            kind = _scalar_type(slot.type) if isinstance(slot.type, Scalar) else None
            live = kind or type(follow(slot.path, self.function, self.arguments))
            self._check(f"{self._type(text)} is {self._fresh('t', live)}")
        return text

    def _is_array(self, text: str, type_: Array) -> str:
        mask, wanted = flags_of(type_.layout, type_.writeable)
        return (
            f"{self._type(text)} is {self._constant('ndarray', np.ndarray)} and {text}.dtype == "
            f"{self._fresh('t', type_.dtype)} and {text}.ndim == {type_.ndim} and "
            f"{text}.flags.num & {mask} == {wanted}"
        )

    def _statics(self) -> None:
        for item in self.recipe.fixed:
            value = follow(item.path, self.function, self.arguments)
            if item.how == "lookup":
                continue
            if item.how == "held":
                owner = follow(item.path[:-1], self.function, self.arguments)
                self.held.setdefault(id(owner), (owner, {}))[1][item.path[-1][1]] = value
                continue
            text = self._read(item.path)
            if item.how == "type":
                if item.path in self.typed:
                    self._check(f"{self._type(text)} is {self._fresh('t', type(value))}")
            elif item.how == "len":
                kind, count = self._fresh("t", type(value)), self._constant("len", len)
                self._check(f"{self._type(text)} is {kind} and {count}({text}) == {len(value)}")
            elif item.how == "keys":
                kind, keys = self._fresh("t", type(value)), self._fresh("k", list(value))
                self._check(f"{self._type(text)} is {kind} and [*{text}] == {keys}")
            elif item.how == "order":
                self._check(f"{self._constant('order_of', order_of)}({text}) == {order_of(value)!r}")
            elif isinstance(value, (MethodType, BuiltinMethodType, MethodWrapperType)):
                kind, bound = self._fresh("t", type(value)), self._fresh("k", value)  # anew at each look
                self._check(f"{self._type(text)} is {kind} and {text} == {bound}")
            elif item.how == "equal" or isinstance(value, _BY_VALUE):
                self._equal(text, value)
            else:
                self._check(f"{text} is {self._fresh('k', value)}")

    def _own(self) -> None:
        """The function must have the code that was traced, and the defaults that calls are bound with."""
        own = self._constant("self", self.function)
        self._check(f"{own}.__code__ is {self._fresh('f', self.function.__code__)}")
        for name in ("__defaults__", "__kwdefaults__"):
            if (value := getattr(self.function, name)) is not None:
                self._check(f"{own}.{name} is {self._fresh('d', value)}")

    def _modules(self) -> None:
        """What the traced functions name of NumPy's and math's modules must be what it was."""
        for owner, names in self.held.values():
            if len(names) == 1:
                ((name, value),) = names.items()
                self._check(f"{self._fresh('g', vars(owner))}[{name!r}] is {self._fresh('k', value)}")
            else:
                self._check(f"{self._fresh('held', still_held(vars(owner), names))}()")

    def _equal(self, text: str, value: Any) -> None:
        constant = self._fresh("k", copy.deepcopy(value) if isinstance(value, (list, dict)) else value)
        if value is None or isinstance(value, bool):
            self._check(f"{text} is {value!r}")
        elif is_one_of(type(value), (int, str, bytes)) or (
            type(value) is float and value and not math.isnan(value)
        ):
            self._check(f"{self._type(text)} is {self._fresh('t', type(value))} and {text} == {constant}")
        else:
            self._check(f"{self._constant('same_value', same_value)}({text}, {constant})")

    def _functions(self) -> None:
        for helper in self.recipe.code:
            self._helper(helper.path)

    def _helper(self, path: Path) -> tuple[FunctionType, str]:
        """The Python function at `path`, and its text; it is checked to have the code that was traced.

        A function that is made anew for each call has the same code: only where a global names it for good is
        it known by identity, which is cheaper to ask for.
        """
        value = follow(path, self.function, self.arguments)
        text, inner = self._read(path), underlying(value)
        if isinstance(value, MethodType):
            text, value = f"{text}.__func__", value.__func__
        if value is not inner:
            text = f"{text}.python_function"
        if self._is_fixed(path):
            known = self._fresh("f", inner)
            self._check(f"{text} is {known}")
            text = known
        else:
            text = self._once((*path, ("function", "")), text)
            self._check(f"{self._type(text)} is {self._constant('function', FunctionType)}")
        self._check(f"{text}.__code__ is {self._fresh('f', inner.__code__)}")
        return inner, text

    def _is_fixed(self, path: Path) -> bool:
        """Whether globals and modules name the function, so that it stays what it is."""
        if path[0][0] != "name" or not self._is_global(path[0][1]):
            return False
        owners = (follow(path[:k], self.function, self.arguments) for k in range(1, len(path)))
        return all(isinstance(owner, (ModuleType, FunctionType)) for owner in owners)

    def _check(self, text: str) -> None:
        if text not in self.checks:
            self.checks.append(text)

    def _flush(self, call: str) -> None:
        if not self.reads and not self.checks:
            return
        p = self.prefix
        if lookups := [item.path for item in self.recipe.fixed if item.how == "lookup"]:
            reads = [place_in_class(path, self.function, self.arguments) for path in lookups]
            still = self._constant("still_looked_up", still_looked_up(reads))
            self.reads[:0] = self._wanted(f"{still}()")
        self.lines += [
            "try:",
            *("    " + line for line in self.reads),
            f"    {p}_held = {' and '.join(self.checks) or True}",
            f"except {self._constant('Exception', Exception)} as {p}_error:",
            f"    if {self._constant('came_upon', came_upon_reading)}({p}_error):",
            "        raise",
            f"    {p}_held = False",
            f"if not {p}_held:",
            f"    return {p}_otherwise({call})",
        ]

    def _numbers(self, slots: list[str], call: str) -> None:
        checks = [f"-{bound} <= {slots[k]} <= {bound}" for k, bound in self.recipe.bounds]
        if checks:
            self.lines += [f"if not ({' and '.join(checks)}):", f"    return {self.prefix}_plain({call})"]

    def _sizes(self, slots: list[str], call: str) -> None:
        """Sizes that the trace took to be equal."""
        recipe = self.recipe
        if not recipe.conditions:
            return
        unread = f"{self.prefix}_unread"
        for k in sorted({slot for _, slot, _ in recipe.sizes}):
            type_ = recipe.slots[k].type
            assert isinstance(type_, Array)
            axes = {axis: self._own_names(name) for name, slot, axis in recipe.sizes if slot == k}
            if set(axes) == {0}:  # takes half the time of a shape
                self.lines.append(f"{axes[0]} = {self._constant('len', len)}({slots[k]})")
                continue
            self.lines.append(
                f"{', '.join(axes.get(a, unread) for a in range(type_.ndim))}, = {slots[k]}.shape"
            )
        self.lines += [f"{self._own_names(name)} = {slots[k]}" for name, k in recipe.numbers]
        for name, value in (("max", max), ("min", min)):
            if any(f"_js_{name}(" in condition for condition in recipe.conditions):
                self._constant(name, value)
        wanted = self._own_names(" and ".join(recipe.conditions))
        self.lines += [f"if not ({wanted}):", f"    return {self.prefix}_otherwise({call})"]

    def _overlaps(self, slots: list[str], call: str) -> None:
        """An array that is written may share no memory with another one: the graph took them to be apart.

        Nor may its own elements share any.
        """
        checks = [
            f"{self._constant(ask.__name__, ask)}({', '.join(slots[k] for k in some)})"
            for ask, some in forbidden(self.recipe)
        ]
        if checks:
            self.lines += [f"if {' or '.join(checks)}:", f"    return {self.prefix}_plain({call})"]

    # Names. All of ours are private: the user may have a `type` or a `len` of their own.

    def _own_names(self, text: str) -> str:
        """Text of the recipe, which holds names of ours alone, with the prefix that is free here."""
        return text.replace("_js_", f"{self.prefix}_")

    def _type(self, text: str) -> str:
        return f"{self._constant('type', type)}({text})"

    def _constant(self, name: str, value: Any) -> str:
        self.constants[f"{self.prefix}_{name}"] = value
        return f"{self.prefix}_{name}"

    def _fresh(self, letter: str, value: Any) -> str:
        for name, known in self.constants.items():
            if known is value and name.startswith(f"{self.prefix}_{letter}_"):
                return name
        return self._constant(f"{letter}_{len(self.constants)}", value)


def _scalar_type(type_: Scalar) -> type:
    python: dict[str, type] = {"bool": bool, "int": int, "float": float, "complex": complex}
    return python[type_.kind] if type_.is_python else type_.dtype.type
