"""Derivatives of functions: `grad` and what belongs to it, for users.

Each takes a function and returns one. They work on plain functions and decorated ones, on methods, on each
other's results, and inside of functions that are traced. Arguments and results may be containers: nested
tuples, lists, dicts, named tuples, dataclasses. A gradient has the structure and the types of what it is for.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar

import numpy as np

from ..autograph import transforms as kinds
from ..autograph.transforms import ATTRIBUTE, Transform, transforms_of
from ..graph.trace.build import tracing
from ..graph.trace.recorded import graph_of
from .derived import derived, plain_of
from .errors import NeedsGraph
from .trees import cotangents

Function = Callable[..., Any]
P = ParamSpec("P")
R = TypeVar("R")
F = TypeVar("F", bound=Callable[..., Any])
Argnums = int | Sequence[int]


def grad(f: Callable[P, object], argnums: Argnums = 0, has_aux: bool = False) -> Callable[P, Any]:
    """The gradient of a function with a real scalar result.

    Args:
        f: the function.
        argnums: which positional arguments to differentiate for; several give a tuple of gradients. Negative
            ones count from the last that a call gives by position, as in JAX.
        has_aux: `f` returns a pair ``value, aux``; `aux` is handed on.

    Returns:
        A function of the same arguments that returns the gradient (with `has_aux`: ``gradient, aux``): in the
        structure of the argument, each leaf of its own type, a Python float for a Python float. For a complex
        leaf it is ``dL/dRe + i dL/dIm``, the direction of steepest ascent (JAX gives its conjugate).

    Raises:
        TypeError: `f` is no Python function, or has no such argument; when called: the result is no real
            scalar, or something differentiated for is an int.
        JitscopeError: when called: what `f` does can't be followed; the message says what and where.

    Example::

        def loss(w, x, y):
            return np.mean((x @ w - y) ** 2)

        w, x, y = np.zeros(2), np.eye(2), np.ones(2)
        assert js.grad(loss)(w, x, y).tolist() == [-1.0, -1.0]
    """
    made: Callable[P, Any] = _transformed(f, _transform(kinds.GRAD, argnums, has_aux))
    return made


def value_and_grad(
    f: Callable[P, R], argnums: Argnums = 0, has_aux: bool = False
) -> Callable[P, tuple[R, Any]]:
    """A function that returns ``value, gradient`` (with `has_aux`: ``(value, aux), gradient``); see `grad`.

    The value is what `f` returns, and what `f` does to its arguments is done once.

    Args:
        f: a function whose result is a real number.
        argnums: the arguments to differentiate for: arrays, floats, or structures of them. Negative ones
            count from the last.
        has_aux: `f` returns a pair ``value, aux``, and only `value` is differentiated.

    Returns:
        A function of the same arguments. The gradient has the structure and types of the argument; with
        several `argnums` it is a tuple of them.

    Raises:
        TypeError: `f` is no Python function, or has no such argument; when called: the result is no real
            scalar, or something differentiated for is an int.
        JitscopeError: when called: `f` can't be followed for these arguments; with the line, and why.

    Example::

        assert js.value_and_grad(lambda x: x * x)(3.0) == (9.0, 6.0)
    """
    made: Callable[P, tuple[R, Any]] = _transformed(f, _transform(kinds.VALUE_AND_GRAD, argnums, has_aux))
    return made


def jacobian(f: Callable[P, object], argnums: Argnums = 0, has_aux: bool = False) -> Callable[P, Any]:
    """The Jacobian of a function, by a reverse pass for each element of its result.

    Args:
        f: a function whose result is an array, a float, or a structure of them.
        argnums: the arguments to differentiate for, a number or several. Negative ones count from the last.
        has_aux: `f` returns a pair ``value, aux``, and only `value` is differentiated.

    Returns:
        A function that returns, in the structure of the result, for each leaf of it the structure of the
        argument with leaves of the shape ``result.shape + argument.shape``; with `has_aux` a pair of that
        and ``aux``.

    Raises:
        TypeError: `f` is no Python function, or has no such argument; when called: something differentiated
            for is an int.
        JitscopeError: when called: `f` can't be followed for these arguments; with the line, and why.

    Example::

        assert js.jacobian(lambda x: x**2)(np.array([1.0, 3.0])).tolist() == [[2.0, 0.0], [0.0, 6.0]]
    """
    made: Callable[P, Any] = _transformed(f, _transform(kinds.JACOBIAN, argnums, has_aux))
    return made


def hessian(f: Callable[P, object], argnums: Argnums = 0, has_aux: bool = False) -> Callable[P, Any]:
    """The Hessian of a function with a real scalar result: the Jacobian of its gradient.

    Args:
        f: a function whose result is a real number.
        argnums: the arguments to differentiate for, a number or several. Negative ones count from the last.
        has_aux: `f` returns a pair ``value, aux``, and only `value` is differentiated.

    Returns:
        A function that returns, for each leaf of the argument, the structure of the argument with leaves of
        the shape ``argument.shape + argument.shape``; with `has_aux` a pair of that and ``aux``.

    Raises:
        TypeError: `f` is no Python function, or has no such argument; when called: the result is no real
            scalar, or something differentiated for is an int.
        JitscopeError: when called: `f` can't be followed for these arguments; with the line, and why.

    Example::

        assert js.hessian(lambda x: (x**3).sum())(np.array([1.0, 2.0])).tolist() == [[6.0, 0.0], [0.0, 12.0]]
    """
    return jacobian(grad(f, argnums, has_aux), argnums, has_aux)


def vjp(f: Function, *primals: Any, has_aux: bool = False) -> tuple[Any, ...]:
    """The value of `f` at `primals`, and the function that takes cotangents of it back to the arguments.

    Args:
        f: the function.
        *primals: its arguments. Ints, and what holds no numbers, have the gradient None.
        has_aux: `f` returns a pair ``value, aux``.

    Returns:
        ``value, pullback`` or ``value, pullback, aux``. ``pullback(cotangent)`` is a tuple with the gradient
        for each argument. It keeps what it needs: later changes of the arguments do not matter to it.

    Raises:
        TypeError: `f` is no Python function; ``pullback`` raises it where `cotangent` has not the structure
            and shapes of ``value``.
        JitscopeError: `f` can't be followed for these arguments; with the line, and why.

    Example::

        value, pullback = js.vjp(lambda x, y: x * y, 2.0, 5.0)
        assert value == 10.0 and pullback(1.0) == (5.0, 2.0)
    """
    transform = Transform(kinds.VJP, tuple(range(len(primals))), has_aux)
    if _inside():
        return _transformed(f, transform)(*primals)
    value, closed, *aux = _transformed(f, transform)(*primals)
    return (value, Pullback(f, value, closed), *aux)


class Pullback:
    """Takes cotangents of a function's result back to its arguments."""

    def __init__(self, f: Function, value: Any, closed: Function) -> None:
        self._name = getattr(f, "__qualname__", type(f).__qualname__)
        # The leaves' shapes are needed, not the value, which the caller may change.
        self._like = _shapes(value)
        self._closed = closed

    def __call__(self, cotangent: Any) -> tuple[Any, ...]:
        """The gradients of ``sum(cotangent * result)`` for each argument.

        Raises:
            TypeError: `cotangent` has not the structure and shapes of the result.
        """
        return self._closed(*cotangents(self._like, cotangent))

    def __repr__(self) -> str:
        return f"<pullback of {self._name}>"


def _shapes(value: Any) -> Any:
    """`value` with arrays that have no memory to speak of."""
    if isinstance(value, np.ndarray):
        return np.broadcast_to(np.zeros((), value.dtype), value.shape)
    if type(value) is dict:
        return {key: _shapes(item) for key, item in value.items()}
    if type(value) in (tuple, list):
        return type(value)(map(_shapes, value))
    return value


def jvp(f: Function, primals: Sequence[Any], tangents: Sequence[Any], has_aux: bool = False) -> Any:
    """The value of `f` at `primals`, and its derivative in the direction of `tangents`.

    Args:
        f: the function.
        primals: a tuple of its arguments.
        tangents: a tuple with the same structure and shapes; None stands for zeros.
        has_aux: `f` returns a pair ``value, aux``.

    Returns:
        ``value, tangent`` or ``value, tangent, aux``. The tangent is found by going back twice, which costs
        a few times the function itself, whatever the number of arguments.

    Raises:
        TypeError: `f` is no Python function, or `primals` and `tangents` aren't its arguments.
        JitscopeError: `f` can't be followed for these arguments; with the line, and why.

    Example::

        assert js.jvp(lambda x, y: x * y, (2.0, 5.0), (1.0, 0.0)) == (10.0, 5.0)
    """
    transformed = _transformed(f, Transform(kinds.JVP, (), has_aux))
    if _inside():
        return transformed(*primals, tangents)
    for name, given in (("primals", primals), ("tangents", tangents)):
        if not isinstance(given, (tuple, list)):
            raise TypeError(
                f"jvp: {name} is a tuple with one for each argument, not a {type(given).__name__}"
            )
    return _called_with_tangents(transformed, tuple(primals), tuple(tangents))


def _called_with_tangents(transformed: Any, primals: tuple[Any, ...], tangents: tuple[Any, ...]) -> Any:
    if isinstance(transformed, functools.partial):
        primals = (*transformed.args, *primals)
        if transformed.keywords:
            raise TypeError("jvp of a partial with keyword arguments; write a function around it")
        return _called_with_tangents(transformed.func, primals, tangents)
    owner = getattr(transformed, "__self__", None)
    if inspect.ismethod(transformed):
        primals = (owner, *primals)
    state = transformed.__jitscope__
    signature = inspect.signature(state.python_function, follow_wrapped=False)
    try:
        values = signature.bind(*primals)
    except TypeError as error:
        raise TypeError(f"{state.called}: {error}") from None
    given = len(values.args)
    state = state.in_call(given)
    values.apply_defaults()
    tangents = (*tangents, *(None,) * (len(values.args) - given))  # defaults stay as they are
    call = (*values.arguments.values(), tangents)
    return state._missing(*call)(*call)


def gradients(
    ys: Any,
    xs: Any,
    grad_ys: Any = None,
    name: str = "gradients",
    stop_gradients: Any = None,
    unconnected_gradients: str = "none",
) -> list[Any]:
    """The derivatives of the sum of `ys` for each of `xs`, as in TensorFlow: in traced functions and graphs.

    Args:
        ys: a value of the graph, or a list of them: floats, complex numbers or arrays of them.
        xs: likewise: what to differentiate for.
        grad_ys: what flows back into each of `ys`, of its shape; ones by default.
        name: the scope of the names of the operations that are made.
        stop_gradients: values that are taken as constants.
        unconnected_gradients: ``"none"`` or ``"zero"``: the gradient of what `ys` don't depend on.

    Returns:
        A list with a gradient for each of `xs`, of its shape and dtype.

    Raises:
        NeedsGraph: in plain code, where there is no graph to differentiate (a `RuntimeError`).
        TypeError, ValueError, LookupError: ints; shapes that don't fit; a step that has no gradient.

    Example::

        x = js.placeholder(js.float64, [2])
        assert js.gradients(x * x, [x])[0].shape == (2,)
    """
    if unconnected_gradients not in ("none", "zero"):
        raise ValueError(f"unconnected_gradients is 'none' or 'zero', not {unconnected_gradients!r}")
    if graph_of(ys, xs, grad_ys, stop_gradients) is not None:
        from ..graph.explicit.differentiate import gradients as recorded

        return recorded(ys, xs, grad_ys, name, stop_gradients, unconnected_gradients)
    if not tracing():
        raise NeedsGraph(
            "js.gradients works on values of a graph: call it in a function decorated with js.function,"
            " or build a js.Graph; js.grad differentiates functions anywhere"
        )
    from ..graph.gradients import gradients as staged

    found = staged(ys, xs, grad_ys, name, stop_gradients, unconnected_gradients)
    if not _inside():
        return found
    from ..autograph.operators.containers import new_list

    made: list[Any] = new_list(found, 0)
    return made


def stop_gradient(x: R) -> R:
    """`x`, which derivatives take as a constant. In plain code it is `x` itself.

    Args:
        x: a number, an array or a symbol.

    Returns:
        The same value.

    Example::

        assert js.grad(lambda x: x * js.stop_gradient(x))(3.0) == 3.0  # not 6.0
    """
    graph = graph_of(x)
    if graph is None and not tracing():
        return x
    from ..autograph.operators.custom_gradients import stop_gradient as staged

    made: R = staged(x) if graph is None else graph.record("stop_gradient", staged, (x,))
    return made


def custom_gradient(f: Callable[P, tuple[R, Function]]) -> Callable[P, R]:
    """Let a function say what its gradient is, as in TensorFlow.

    Args:
        f: returns a pair: the value, and a function from the cotangents of the value (one argument for each
            number or array in it) to those of f's arguments (one, or a tuple with one for each).

    Returns:
        A function that returns the value.

    Raises:
        TypeError: when called: `f` returns no such pair.

    Example::

        @js.custom_gradient
        def log1pexp(x):
            e = np.exp(x)

            def gradient(upstream):
                return upstream * (1 - 1 / (1 + e))

            return np.log(1 + e), gradient

        assert js.grad(log1pexp)(100.0) == 1.0
    """
    if _inside():
        inner: Callable[P, R] = _transformed(f, Transform(kinds.CUSTOM_GRADIENT))
        return inner

    @functools.wraps(f)
    def value(*args: Any, **kwargs: Any) -> Any:
        if graph_of(args, kwargs) is not None or tracing():
            from .graph_derivatives import with_custom_gradient

            return with_custom_gradient(f, args, kwargs)
        found = f(*args, **kwargs)
        if type(found) is not tuple or len(found) != 2:
            raise TypeError("a function with a custom gradient returns a pair: (value, gradient function)")
        return found[0]

    made: Callable[P, R] = _marked(value, f, Transform(kinds.CUSTOM_GRADIENT))
    return made


def checkpoint(f: F) -> F:
    """Let gradients keep fewer states of the loops in `f`: the square root of their number, or about that.

    What is not kept is computed a second time in the reverse pass.

    Args:
        f: a function with loops.

    Returns:
        A function that does what `f` does, to be given to `grad`.

    Example::

        @js.checkpoint
        def grown(x):
            for _ in range(100):
                x = x * 1.01
            return x

        assert abs(js.grad(grown)(1.0) - 1.01**100) < 1e-12
    """
    if _inside():
        inner: F = _transformed(f, Transform(kinds.CHECKPOINT))
        return inner

    @functools.wraps(f)
    def checkpointed(*args: Any, **kwargs: Any) -> Any:
        return f(*args, **kwargs)

    made: F = _marked(checkpointed, f, Transform(kinds.CHECKPOINT))
    return made


def _marked(made: Any, f: Any, transform: Transform) -> Any:
    """A wrapper that traces know as a transform of `f`."""
    for name in ("__jitscope__", "__jitscope_derived__"):
        made.__dict__.pop(name, None)
    made.python_function = plain_of(f)
    setattr(made, ATTRIBUTE, (*transforms_of(f), transform))
    return made


def _transform(kind: str, argnums: Argnums, has_aux: bool) -> Transform:
    if isinstance(argnums, (int, np.integer)) and not isinstance(argnums, bool):
        return Transform(kind, int(argnums), bool(has_aux))
    if (
        isinstance(argnums, (tuple, list))
        and argnums
        and all(isinstance(k, (int, np.integer)) for k in argnums)
    ):
        return Transform(kind, tuple(int(k) for k in argnums), bool(has_aux))
    raise TypeError(f"{kind}: argnums is an int or a tuple of ints, not {argnums!r}")


def _transformed(f: Any, transform: Transform) -> Any:
    """What `transform` makes of `f`, in plain code or in a trace."""
    if not _inside():
        return derived(f, transform)
    from ..autograph.operators.derivatives import Derivative

    if isinstance(f, Derivative):
        return Derivative((*f.transforms, transform), f.callee)
    return Derivative((transform,), f)


def _inside() -> bool:
    """Whether traced code asks."""
    if not tracing():
        return False
    from ..autograph.tracer import in_trace

    return in_trace()
