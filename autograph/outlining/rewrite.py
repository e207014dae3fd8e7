"""A function without its loops, and the functions that the loops have become.

    def f(a):                              def f(a):
        s = 0.0                                s = 0.0
        try:                                   try:
            for i in range(len(a)):     →          s = <f.loop>(a, s)
                s += a[i]                      except ValueError:
        except ValueError:                         s = -1.0
            s = -1.0                           return s
        return s

Both are compiled from the user's file, with its positions. The parts stand among the constants of the code:
no name is added to the function or to its module.
"""

from __future__ import annotations

import ast
import copy
import textwrap
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from types import CodeType, FunctionType
from typing import Any, TypeVar

from ..source import FutureMask, Source, find_source, parsed, remember
from .calm import are_calm
from .parts import Loop, Part, Place, parts_of, place_of

_MARK, _ASK, _CALM = "_js part ", "_js calm", "_js_calm_"
Tree = TypeVar("Tree", bound=ast.AST)
New = dict[ast.AST, Callable[[Any], list[ast.stmt]]]
"""By statement, what makes others of it."""


@dataclass(frozen=True)
class Outlined:
    """What runs in place of a function: itself without its loops, and the loops."""

    function: FunctionType
    parts: tuple[OutlinedPart, ...]


@dataclass(frozen=True)
class OutlinedPart:
    """A loop as a function: as it is, and decorated."""

    loop: Loop
    decorated: FunctionType

    @property
    def place(self) -> Place:
        """Where the loop stands."""
        return place_of(self.loop)


def outlined(
    fn: FunctionType,
    decorate: Callable[[FunctionType, Place], FunctionType],
    left: frozenset[Place] = frozenset(),
) -> Outlined | None:
    """The function `fn` with its loops outlined and decorated, but for those in `left`; None without any."""
    try:
        source = find_source(fn)
        found = parts_of(source, fn.__code__, left)
        plain = [_part_function(fn, source, part, k) for k, part in enumerate(found)]
        code = _rest(fn, source, found) if found else None
    except Exception:  # a fault of ours must cost the speed of the function, never its answer
        return None
    if code is None:
        return None
    decorated = [decorate(each, place_of(part.loop)) for each, part in zip(plain, found, strict=True)]
    marks: dict[str, Any] = {f"{_MARK}{k}": each for k, each in enumerate(decorated)}
    marks[_ASK] = are_calm
    constants = tuple(marks.get(each, each) if type(each) is str else each for each in code.co_consts)
    function = _with_cells(fn, code.replace(co_consts=constants), fn.__name__, fn.__qualname__)
    function.__defaults__, function.__kwdefaults__ = fn.__defaults__, fn.__kwdefaults__
    parts = (OutlinedPart(part.loop, each) for part, each in zip(found, decorated, strict=True))
    return Outlined(function, tuple(parts))


def _with_cells(fn: FunctionType, code: CodeType, name: str, qualname: str) -> FunctionType:
    """A function with globals and cells of `fn`."""
    cells = dict(zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True))
    made = FunctionType(code, fn.__globals__, name, None, tuple(cells[each] for each in code.co_freevars))
    made.__qualname__, made.__module__ = qualname, fn.__module__
    return made


def _part_function(fn: FunctionType, source: Source, part: Part, number: int) -> FunctionType:
    """The loop as a plain function."""
    name = f"{fn.__code__.co_name}_loop" + (f"_{number + 1}" if number else "")
    arguments = ast.arguments([], [ast.arg(each) for each in part.inputs], None, [], [], None, [])
    result = ast.Return(_names(part.outputs, ast.Load)) if part.outputs else ast.Pass()
    tree = ast.FunctionDef(name, arguments, [part.loop, result], [], None, None)
    free = fn.__code__.co_freevars
    outer = ast.FunctionDef("outer", copy.deepcopy(arguments), [tree], [], None, None)
    outer.args.args = [ast.arg(each) for each in free]
    for each in (tree, outer):
        if "type_params" in each._fields:
            each.type_params = []  # type: ignore[attr-defined]
    _place(outer, part.loop)
    module = _compiled(ast.Module([outer], []), source, fn.__code__.co_flags & FutureMask)
    code = next(each for each in _codes(module) if each.co_name == name)
    made = _with_cells(fn, code, name, f"{fn.__qualname__}.{name}")
    first, last = part.loop.lineno, part.loop.end_lineno or part.loop.lineno
    text = textwrap.dedent("".join(source.lines[first - 1 : last]))
    remember(code, Source(tree, text, source.lines, source.filename, first))
    return made


def _rest(fn: FunctionType, source: Source, parts: Sequence[Part]) -> CodeType:
    """The code of the function that calls its loops, compiled where it stands in its file."""
    managers = list(dict.fromkeys(each for part in parts for each in part.managers))
    new: New = {each: partial(_watched, number=k) for k, each in enumerate(managers)}
    for k, part in enumerate(parts):
        watched = [managers.index(each) for each in part.managers]
        new[part.loop] = partial(_call, part=part, number=k, watched=watched)
    tree = _replaced(source.tree, new)
    assert isinstance(tree, ast.stmt)
    module = _replaced(parsed(source.lines), {source.tree: lambda _: [tree]})
    code, mark = fn.__code__, f"{_MARK}0"
    for each in _codes(_compiled(module, source, code.co_flags & FutureMask)):
        if mark in each.co_consts and each.co_firstlineno == code.co_firstlineno:
            return each
    raise SyntaxError("a function that is not compiled")


def _call(loop: Loop, part: Part, number: int, watched: Sequence[int]) -> list[ast.stmt]:
    """What stands for a loop: the call; and what keeps names local that nothing else binds now.

    The loop itself is run where a context manager around it is not known to let exceptions through.
    """
    mark = ast.Constant(f"{_MARK}{number}")
    call = ast.Call(mark, [ast.Name(each, ast.Load()) for each in part.inputs], [])
    statement: ast.stmt = ast.Expr(call)
    if part.outputs:
        statement = ast.Assign([_names(part.outputs, ast.Store)], call)
    found = [statement]
    if part.dropped:
        targets: list[ast.expr] = [ast.Name(each, ast.Store()) for each in part.dropped]
        never: list[ast.stmt] = [ast.Assign(targets, ast.Constant(None))]
        found.append(ast.If(ast.Constant(0), never, []))
    if watched:
        calm: list[ast.expr] = [ast.Name(f"{_CALM}{k}", ast.Load()) for k in watched]
        found = [ast.If(ast.BoolOp(ast.And(), calm) if len(calm) > 1 else calm[0], found, [loop])]
    for each in found:
        _place(each, loop)
    return found


def _watched(node: ast.With, number: int) -> list[ast.stmt]:
    """A `with` that asks its managers, when they are entered, whether they swallow exceptions.

    with a as x:               with (_js_with_0_0 := a) as x:
        ...           →            _js_calm_0 = <are_calm>(_js_with_0_0)
                                   del _js_with_0_0
                                   ...
    """
    names = [f"_js_with_{number}_{k}" for k in range(len(node.items))]
    pairs = list(zip(names, node.items, strict=True))
    entered = [ast.NamedExpr(ast.Name(name, ast.Store()), item.context_expr) for name, item in pairs]
    for expression, item in zip(entered, node.items, strict=True):
        ast.copy_location(expression, item.context_expr)
        ast.copy_location(expression.target, item.context_expr)
    asked = ast.Call(ast.Constant(_ASK), [ast.Name(name, ast.Load()) for name in names], [])
    answer = ast.Assign([ast.Name(f"{_CALM}{number}", ast.Store())], asked)
    forget = ast.Delete([ast.Name(name, ast.Del()) for name in names])
    for each in (answer, forget):
        _place(each, node)
    items = [ast.withitem(each, item.optional_vars) for each, item in zip(entered, node.items, strict=True)]
    changed = copy.copy(node)
    changed.items, changed.body = items, [answer, forget, *node.body]
    return [changed]


def _names(names: Sequence[str], context: Callable[[], ast.expr_context]) -> ast.expr:
    """One name, or a tuple of them."""
    each: list[ast.expr] = [ast.Name(name, context()) for name in names]
    return each[0] if len(each) == 1 else ast.Tuple(each, context())


def _place(tree: ast.AST, loop: ast.stmt) -> None:
    """New nodes stand where the loop starts."""
    todo = [tree]
    while todo:
        node = todo.pop()
        if node is loop:
            continue
        if "lineno" in node._attributes:
            line, column = loop.lineno, loop.col_offset
            node.lineno, node.end_lineno = line, line  # type: ignore[attr-defined]
            node.col_offset, node.end_col_offset = column, column  # type: ignore[attr-defined]
        todo += ast.iter_child_nodes(node)


def _replaced(tree: Tree, new: New) -> Tree:
    """`tree` with other statements for some; what is above them is copied, as others have the tree, too."""
    copied: dict[str, Any] = {}
    for name, value in ast.iter_fields(tree):
        if isinstance(value, list):
            items = list(_items(value, new))
            if len(items) != len(value) or any(a is not b for a, b in zip(items, value, strict=True)):
                copied[name] = items
    if not copied:
        return tree
    changed = copy.copy(tree)
    for name, value in copied.items():
        setattr(changed, name, value)
    return changed


def _items(nodes: list[Any], new: New) -> Iterator[Any]:
    for node in nodes:
        if not isinstance(node, ast.AST):
            yield node
        elif node in new:
            yield from new[node](_replaced(node, new))
        elif isinstance(node, (ast.stmt, ast.ExceptHandler, ast.match_case)):
            yield _replaced(node, new)
        else:
            yield node


def _compiled(module: ast.Module, source: Source, flags: int) -> CodeType:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that strings are called, and what the file was warned of before
        code: CodeType = compile(module, source.filename, "exec", flags=flags, dont_inherit=True)
    return code


def _codes(code: CodeType) -> Iterator[CodeType]:
    todo = [code]
    while todo:
        found = todo.pop()
        yield found
        todo += [each for each in found.co_consts if isinstance(each, CodeType)]
