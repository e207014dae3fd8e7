"""Calls of random number generators: they run in the driver, in order, and what they give has a known type.

A generator of the same class tells the type, never the user's own. `shuffle` and `seed`, which change or give
something else, and `choice` from a list stay calls of what nobody knows.
"""

from __future__ import annotations

import functools
import random
import warnings
from typing import Any

import numpy as np

from ...graph.ir import dims
from ...graph.ir.dims import Size
from ...graph.ir.nodes import Literal, Operand, Value
from ...graph.ir.types import FLOAT, INT, OBJECT, Scalar, numpy_scalar
from ...graph.ops.facts import REPEATABLE, STREAM, UNSTEADY
from ...graph.symbolic import numpy_functions
from ...graph.symbolic.arrays import SymbolicArray
from ...graph.symbolic.examples import result_of
from ...graph.symbolic.symbols import SymbolicObject, SymbolicScalar, as_dim, template, wrap_operand
from ...graph.symbolic.unknown_arrays import measured
from ...graph.trace.build import current
from ...graph.trace.template import Template
from ..known_values import is_numeric
from ..number_lists import NumberList, as_numpy
from ..streams import METHODS, DrawnNumber, MethodCall, Wrap, drawn_number, makes_own
from ..tracer import tracer

MAKERS = {
    np.random.default_rng: np.random.Generator,
    np.random.RandomState: np.random.RandomState,
    random.Random: random.Random,
}
"""What makes generators that the trace knows."""
GENERATORS = (random.Random, np.random.RandomState, np.random.Generator)
_SIZE_AT = {
    **dict.fromkeys(("random", "random_sample", "standard_normal", "standard_exponential"), 0),
    **dict.fromkeys(("choice", "exponential", "poisson", "rayleigh", "geometric", "chisquare"), 1),
    **dict.fromkeys(("integers", "normal", "uniform", "randint", "binomial", "beta", "gamma", "laplace"), 2),
}
"""Where the size stands among the arguments, if it isn't named."""
_OUT_AT = {"random": 2, "standard_normal": 2, "standard_exponential": 3, "standard_gamma": 3}
"""Where the array that is drawn into stands among the arguments, if it isn't named."""
_NUMBERS = frozenset(
    "random random_sample standard_normal standard_exponential choice exponential poisson rayleigh geometric"
    " chisquare integers normal uniform randint binomial beta gamma laplace rand randn permutation lognormal"
    " logistic gumbel weibull power pareto vonmises wald triangular standard_gamma standard_cauchy standard_t"
    " gauss normalvariate expovariate betavariate gammavariate randrange getrandbits multivariate_normal"
    " dirichlet permuted".split()
)
_OF_PYTHON = frozenset(
    "random _randbelow uniform gauss normalvariate expovariate betavariate gammavariate randrange getrandbits"
    " randint lognormvariate paretovariate triangular vonmisesvariate weibullvariate".split()
)

_LISTS = ("choices", "sample")


@functools.cache
def _twin(kind: type) -> Any:
    """A generator to ask, in the place of a user's."""
    return np.random.default_rng(0) if kind is np.random.Generator else kind(0)


_METHODS = (type(random.random), type(random.randint), type(np.random.rand))


def generator_of(plain: object) -> type | None:
    """The class of the generator that a bound method belongs to."""
    kind = type(getattr(plain, "__self__", None)) if isinstance(plain, _METHODS) else None
    return next((known for known in GENERATORS if kind is known), None)


def drawn(call: MethodCall) -> SymbolicScalar | SymbolicArray | None:
    """The numbers that a method gives; None if nobody knows their type."""
    known = _OF_PYTHON if call.kind is random.Random else _NUMBERS
    if not any(call.kind is one for one in GENERATORS) or call.name not in known:
        return None
    if any(isinstance(v, SymbolicObject) for v in (*call.args, *call.kwargs.values())):
        return None
    if (out := _out_of(call)) is not None:
        return _into(out, call)
    if (value := _in_kernels(call)) is not None:
        return value
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            example, shapes = result_of(getattr(_twin(call.kind), call.name), call.args, call.kwargs)
    except Exception:
        return None
    if (number := _kind_of(example)) is not None:
        under = template()
        source = call.write(under)
        attrs = _stream(call, source)
        return SymbolicScalar(current().one("drawn", under.operands, number, text=source, **attrs), number)
    if type(example) is not np.ndarray or not is_numeric(example.dtype) or not example.ndim:
        return None
    sizes, hints = _sizes(call.name, call.args, call.kwargs, example.ndim), shapes[0] if shapes else None
    under, attrs = (_numbers(call) if sizes is not None else None) or (template(), {})
    source = call.write(under)
    attrs = attrs or _stream(call, source)
    return measured("drawn", under.operands, source, example, hints, sizes, attrs)


def drawn_by_python(call: MethodCall) -> tuple[object, ...]:
    """What the driver draws from a generator of Python's own, whose state can be put back, if it can."""
    if (number := drawn(call)) is not None:
        return (number,)
    under = template()
    source = call.write(under) if call.name in _LISTS else ""
    own = tracer().own
    if not source or any(
        o.type == OBJECT and o.name not in own for o in under.operands[1:] if isinstance(o, Value)
    ):
        return ()
    attrs = {"text": source, **_stream(call, source)}
    return (SymbolicObject(current().one("python", under.operands, OBJECT, **attrs)),)


def _stream(call: MethodCall, source: str) -> dict[str, object]:
    """What a node says whose first operand is a generator of NumPy's: its state can be put back."""
    return {STREAM: True} if source.startswith("{0}.") else {}


def _out_of(call: MethodCall) -> object:
    """The array that a call draws into; None if it makes one."""
    at = _OUT_AT.get(call.name, len(call.args))
    return call.args[at] if at < len(call.args) else call.kwargs.get("out")


def _into(out: object, call: MethodCall) -> SymbolicArray | None:
    """A call that writes all of `out` and gives it; opaque if it looks at arrays, or may give another."""
    given = (*call.args, *call.kwargs.values())
    looked_at = sum(isinstance(value, (SymbolicArray, tuple, list)) for value in given) - 1
    if not isinstance(out, SymbolicArray) or not out.type.writeable or looked_at:
        return None
    under = template()
    under.write(out)
    current().emit("drawn_into", under.operands, (), {"text": call.write(under)})
    return out


def _in_kernels(call: MethodCall) -> SymbolicScalar | None:
    """One number by an operation that kernels have too."""
    wrap = _wrapping_once()
    found = drawn_number(call, wrap)
    if found is None or (owner := call.stream()) is None:
        return None
    number = _kind_of(getattr(_twin(call.kind), call.name)(*METHODS[call.kind][call.name].example))
    under = Template(wrap)
    under.operands += (owner, *found.parameters)
    text = call.write(under)
    if len(under.operands) > 1 + len(found.parameters):  # it has a name of its own: ``rand()``
        del under.operands[1 + len(found.parameters) :]
        text = under.call(f"{{0}}.{call.name}", call.args, call.kwargs)
    if number is None:
        return None
    return SymbolicScalar(current().one(found.op, under.operands, number, text=text, loop=found.loop), number)


def _numbers(call: MethodCall) -> tuple[Template, dict[str, object]] | None:
    """What the node of an array says of the operation that gives one number of it (`draw_one_by_one`)."""
    wrap, one = _wrapping_once(), call.of_one() if tracer().open_loops() else None
    found = drawn_number(one, wrap) if one is not None else None
    if found is None or (owner := call.stream()) is None:
        return None
    under = Template(wrap)
    under.operands += (owner, *found.parameters)
    sure = _are_right(call, found)
    return under, {"draw": found.op, "method": call.name, "loop": found.loop, "sure": sure}


def _are_right(call: MethodCall, found: DrawnNumber) -> bool:
    """Whether NumPy takes the parameters, or doesn't look at them where no number is drawn."""
    if METHODS[call.kind][call.name].ignores_bounds:
        return True
    numbers = [parameter.value for parameter in found.parameters if isinstance(parameter, Literal)]
    if len(numbers) < len(found.parameters):
        return False
    try:
        getattr(_twin(call.kind), call.name)(*numbers)
    except (ValueError, OverflowError):
        return False
    return True


def _wrapping_once() -> Wrap:
    """How values become operands, each value once: a size is computed anew each time that it is asked for."""
    known: dict[int, Operand | None] = {}

    def wrap(value: object) -> Operand | None:
        if id(value) not in known:
            known[id(value)] = wrap_operand(value)
        return known[id(value)]

    return wrap


def _kind_of(value: object) -> Scalar | None:
    if type(value) in (int, float):
        return INT if type(value) is int else FLOAT
    return numpy_scalar(value.dtype) if isinstance(value, np.generic) and is_numeric(value.dtype) else None


def _sizes(name: str, args: tuple[Any, ...], kwargs: dict[str, Any], ndim: int) -> tuple[Size, ...] | None:
    """The sizes of the result, where the call names them."""
    if name in ("rand", "randn"):
        given: Any = args
    elif "size" in kwargs:
        given = kwargs["size"]
    elif name == "permutation":
        given = args[0] if args and not isinstance(args[0], SymbolicArray) else None
    else:
        at = _SIZE_AT.get(name, len(args))
        given = args[at] if at < len(args) else None
    items = [as_dim(item) for item in (given if isinstance(given, (tuple, list)) else (given,))]
    found = tuple(item for item in items if item is not None)
    known = len(found) == len(items) == ndim and all(map(current().is_natural, found))
    return found if known else None


def row_of_numbers(value: object) -> SymbolicArray | None:
    """What `choice` makes an array of: numbers in a row, certainly some."""
    if isinstance(value, NumberList):
        value = as_numpy(value)
    elif isinstance(value, (list, tuple)) and value and all(type(one) in (bool, int, float) for one in value):
        value = numpy_functions.call(np.array, (tuple(value),), {})
    if not isinstance(value, SymbolicArray) or len(value.shape_sizes) != 1:
        return None
    return value if current().is_natural(dims.sub(value.shape_sizes[0], 1)) else None


def made_generator(
    plain: object, name: object, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> SymbolicObject | None:
    """A generator of a known class, if `plain` makes one of numbers; it can be made again."""
    kind = next((kind for maker, kind in MAKERS.items() if plain is maker), None)
    if kind is None or not makes_own((*args, *kwargs.values())):
        return None
    under = template()
    source = under.call(name if isinstance(name, str) else under.write(name), args, kwargs)
    attrs = {"text": source, "makes_generator": True, REPEATABLE: True}
    if all(value is None for value in (*args, *kwargs.values())):  # the system seeds it
        attrs[UNSTEADY] = True
    (made,) = current().emit("python", under.operands, (OBJECT,), attrs)
    tracer().generators[made] = kind
    return SymbolicObject(made)
