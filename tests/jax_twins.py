"""The same programs for JAX: `jnp` for `np`, and ``a = a.at[i].set(v)`` for ``a[i] = v``."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from types import FunctionType
from typing import Any

import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

_ADDED = {ast.Add: "add", ast.Sub: "add", ast.Mult: "multiply", ast.Div: "divide"}


class _Math:
    """The functions of `math` by their names there."""

    def __getattr__(self, name: str) -> Any:
        return getattr(jnp, {"pow": "power"}.get(name, name))


class _Functional(ast.NodeTransformer):
    """Writes as new arrays."""

    def visit_Assign(self, node: ast.Assign) -> Any:
        self.generic_visit(node)
        (target,) = node.targets
        if isinstance(target, ast.Tuple) and any(isinstance(item, ast.Subscript) for item in target.elts):
            assert isinstance(node.value, ast.Tuple)
            pairs = zip(target.elts, node.value.elts, strict=True)
            return [
                ast.Assign([t], v) if isinstance(t, ast.Name) else _written(t, "set", v) for t, v in pairs
            ]
        return _written(target, "set", node.value) if isinstance(target, ast.Subscript) else node

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        self.generic_visit(node)
        if not isinstance(node.target, ast.Subscript):
            return node
        value = ast.UnaryOp(ast.USub(), node.value) if isinstance(node.op, ast.Sub) else node.value
        return _written(node.target, _ADDED[type(node.op)], value)


def _written(target: ast.expr, method: str, value: ast.expr) -> ast.Assign:
    """``a = a.at[i].method(value)``."""
    assert isinstance(target, ast.Subscript)
    assert isinstance(target.value, ast.Name)
    array = ast.Name(target.value.id, ast.Load())
    place = ast.Subscript(ast.Attribute(array, "at", ast.Load()), target.slice, ast.Load())
    call = ast.Call(ast.Attribute(place, method, ast.Load()), [value], [])
    return ast.Assign([ast.Name(target.value.id, ast.Store())], call)


def twin(function: FunctionType) -> Callable[..., Any]:
    """`function` as JAX can differentiate it."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    definition = tree.body[0]
    assert isinstance(definition, ast.FunctionDef)
    definition.decorator_list = []
    tree = ast.fix_missing_locations(_Functional().visit(tree))
    space: dict[str, Any] = {"np": jnp, "math": _Math()}
    for name in function.__code__.co_names:
        helper = function.__globals__.get(name)
        if isinstance(helper, FunctionType):
            space[name] = twin(helper)
    exec(compile(tree, f"<twin of {function.__name__}>", "exec"), space)
    made: Callable[..., Any] = space[function.__name__]
    return made


def as_jax(value: Any) -> Any:
    """Arguments for a twin: arrays of JAX for NumPy's."""
    return jax.tree_util.tree_map(lambda leaf: jnp.asarray(leaf) if hasattr(leaf, "dtype") else leaf, value)
