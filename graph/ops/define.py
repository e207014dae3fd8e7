"""What an operation is: one record, checked, from which everything else about it follows."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..ir.nodes import Node
from .samples import Samples

ELEMENTWISE, PYTHON, MATH, REDUCTION = "elementwise", "python", "math", "reduction"
PRODUCT, VIEW, MEMORY, CREATION = "product", "view", "memory", "creation"
CONTROL, OPAQUE, DRAWING, ROUTINE = "control", "opaque", "drawing", "routine"
KINDS = (
    *(ELEMENTWISE, PYTHON, MATH, REDUCTION, PRODUCT, ROUTINE),
    *(VIEW, MEMORY, CREATION, CONTROL, OPAQUE, DRAWING),
)

EFFECTS = ("pure", "allocates", "reads", "writes", "raises", "opaque")

# `scalar` of an op that code generation writes in a form of its own (a loop nest, a subscript, a statement).
STRUCTURAL = ""

ALL, FIRST, BUT_FIRST = slice(None), slice(0, 1), slice(1, None)
ANY_NUMBER = (0, 10**9)
NOTHING, MEMORY_ONLY, NUMBERS = "nothing", "memory", "numbers"
Interval = tuple[int, int]

_READING = (ELEMENTWISE, REDUCTION, PRODUCT, ROUTINE, CREATION)
_KINDS = set("biufc")

Text = str | Mapping[str, str] | None


@dataclass(frozen=True, slots=True)
class NotDifferentiable:
    """In place of a gradient rule: no cotangent flows through the op, for this reason."""

    reason: str


Gradient = Callable[[Any], Sequence[Any]] | NotDifferentiable | None
"""A rule gets a `gradients.pullback.Pullback` and gives a contribution (None: zero) for each operand."""


@dataclass(frozen=True, slots=True)
class Control:
    """How state and control pass through a node with regions, or through the ending of one.

    Attributes:
        regions: what its regions are called; ``else`` stands only where the loop has one.
        head: operands before the initial state.
        index: parameters of the body before the state.
        repeats: the body runs again and again; `break` and `continue` inside end here.
        is_unit: the region is a body with names of its own; `return` inside ends here (but for clusters).
        ends: it is the last node of a region.
        carries_state: as an ending, its operands are the state of the node that it goes to.
    """

    regions: tuple[str, ...] = ()
    head: int = 0
    index: int = 0
    repeats: bool = False
    is_unit: bool = False
    ends: bool = False
    carries_state: bool = False


@dataclass(frozen=True, slots=True)
class Fold:
    """How a reduction goes through its elements; `OpDef.scalar` joins the accumulator and an element.

    Attributes:
        start: what the accumulator begins with, by its dtype.
        accumulator: its dtype, where that isn't the one in which NumPy's loop works.
        of_truth: elements count as true or false.
        finds_place: the result is where the first best element stands, not what it is.
        widens: sums and products of narrow ints become 64 bits wide as they go.
        in_pairs: floats are joined in NumPy's pairwise order.
        unordered: for floats, a function of `vecmath` that joins them where NaN is looked for apart.
        empty: what ValueError says of an array without elements; nothing where there is an identity.
        variable: the accumulator's name.
    """

    start: Callable[[np.dtype], Any]
    accumulator: np.dtype | None = None
    of_truth: bool = False
    finds_place: bool = False
    widens: bool = False
    in_pairs: bool = False
    unordered: str = ""
    empty: str = ""
    variable: str = "found"


@dataclass(frozen=True, slots=True)
class OpDef:
    """Everything that jitscope knows about one operation.

    Attributes:
        name: as in `Node.op`; NumPy's name where there is one.
        kind: one of `KINDS`.
        doc: one sentence.
        lowers: the callables that it stands for when users call them.
        evaluate: NumPy's (or Python's) meaning: oracle, folding, and the source of result types.
        scalar: text of one element in Numba, with ``{0}``, ``{1}`` for operands already in the loop's dtypes
            (for a reduction: accumulator and element). An operand may occur more than once. A mapping has
            dtype names or strings of dtype kinds (``"iu"``) as keys, chosen by the first loop dtype. None:
            not compilable; `STRUCTURAL`: code generation knows the op by name. ``np`` is always at hand.
        safe: like `scalar`, for nodes with ``attrs["safe"]``: nothing overflows 64 bits or divides by zero.
        imports: what the texts need, as (module, name): ``("vecmath", "exp")``, ``("math", "copysign")``.
        effect: what it may do, as a subset of `EFFECTS`; `effects.py` has the last word for a given node.
        gradient: the rule of reverse mode, or why nothing flows; None: there is no rule.
        samples: inputs for the test matrix.
        source: reference for a formula.
        known: whether it is known in which way this machine's NumPy computes a loop of some dtypes.
        backwards: the dtypes of loops that NumPy computes in another way where strides are negative.
        control: how state and control pass through it, if they do.
        fold: of a reduction, how it goes through its elements.
        written: how people write it, with ``{0}``, ``{1}`` for operands; by its kind a call (`written.py`).
            A function of the node, where that hangs on how many operands it has.
        reads: the operands whose elements it reads, where these are arrays; by its kind all or none.
        writes: the operands whose elements it writes.
        raises_if: of the nodes that may raise by `effect`, those that do.
        not_negative: the operand whose negative ints raise ValueError, and the message; `safe` doesn't raise.
        asks_truth: an operand that is any Python object is asked whether it is true.
        operands: how many it takes, at least and at most, where its kind doesn't say.
        exact: of Python's numbers, it gives the same on every machine: constants are folded.
        keeps: a number that has the type of the result already is the result.
        neutral: the int that as the second operand gives back the first, and whether that holds for both.
        negation: the comparison that is true when this one is false.
        interval: the least and largest result for ints of given ones, as exact ints.
        compares: it compares two numbers.
        divides: its second operand must not be zero.
        expensive: to save its result costs less than to compute it again.
        work: what the driver would have to do: `NOTHING`, only give out memory (`MEMORY_ONLY`), or compute.
        module: the file of `codegen` that has the function of its name, if it is a `ROUTINE`.
        on_gpu: kernels of a GPU have it, where its kind doesn't say.
        gpu: the function of `math` that computes it on a GPU.
    """

    name: str
    kind: str
    doc: str
    lowers: tuple[Callable[..., Any], ...] = ()
    evaluate: Callable[..., Any] | None = None
    scalar: Text = None
    safe: Text = None
    imports: tuple[tuple[str, str], ...] = ()
    effect: tuple[str, ...] = ("pure",)
    gradient: Gradient = None
    samples: tuple[Samples, ...] = ()
    source: str = ""
    known: Callable[[Sequence[str]], bool] | None = None
    backwards: tuple[str, ...] = ()
    control: Control | None = None
    fold: Fold | None = None
    written: str | Callable[[Node], str] = ""
    reads: slice | None = None
    writes: slice | None = None
    raises_if: Callable[[Any], bool] | None = None
    not_negative: tuple[int, str] | None = None
    asks_truth: bool = False
    operands: tuple[int, int] = ANY_NUMBER
    exact: bool = False
    keeps: bool = False
    neutral: tuple[int, bool] | None = None
    negation: str = ""
    interval: Callable[..., Interval] | None = None
    compares: bool = False
    divides: bool = False
    expensive: bool = False
    work: str = NUMBERS
    module: str = ""
    on_gpu: bool = False
    gpu: str = ""

    def text_for(self, loop: Sequence[str] = (), safe: bool = False) -> str | None:
        """The kernel text for operands of the `loop` dtypes (or Python kinds); None if there is none."""
        if self.known is not None and loop and not self.known(loop):
            return None
        text = _choose(self.safe, loop) if safe else None
        return _choose(self.scalar, loop) if text is None else text

    def imports_for(self, text: str) -> tuple[tuple[str, str], ...]:
        """The imports that one of the op's texts needs."""
        return tuple(item for item in self.imports if re.search(rf"\b{item[1]}\(", text))


def _choose(text: Text, loop: Sequence[str]) -> str | None:
    if text is None or isinstance(text, str):
        return text
    if not loop:
        return None
    if (both := ",".join(loop)) in text:
        return text[both]
    dtype = np.dtype(loop[0])
    if dtype.name in text:
        return text[dtype.name]
    if dtype.name in ("float16", "longdouble", "float128", "clongdouble", "complex256"):
        return None
    return next((value for key, value in text.items() if set(key) <= _KINDS and dtype.kind in key), None)


def define(name: str, kind: str, doc: str, **fields: Any) -> OpDef:
    """The record of an op, by the fields of `OpDef`.

    Raises:
        ValueError: something is missing or odd; the message names the op and the field.
    """
    if kind in _READING:
        fields.setdefault("reads", ALL)
    op = OpDef(name, kind, doc, **fields)
    if fault := _fault(op):
        raise ValueError(f"op {name!r}: {fault}")
    return op


def ufunc(function: np.ufunc, doc: str, **fields: Any) -> OpDef:
    """The record of an op that is a function of NumPy's of each element, under its name."""
    return define(function.__name__, ELEMENTWISE, doc, lowers=(function,), evaluate=function, **fields)


def _fault(op: OpDef) -> str | None:
    if not op.name:
        return "name is missing"
    if op.kind not in KINDS:
        return f"kind {op.kind!r} is not one of {', '.join(KINDS)}"
    if not op.doc.endswith("."):
        return "doc is missing, or is no sentence"
    if not op.effect or any(effect not in EFFECTS for effect in op.effect):
        return f"effect {op.effect!r} is not made of {', '.join(EFFECTS)}"
    if op.kind in (ELEMENTWISE, PYTHON, MATH, REDUCTION, PRODUCT, ROUTINE) and op.evaluate is None:
        return "evaluate is missing"
    if op.kind == REDUCTION and op.fold is None:
        return "fold is missing"
    if op.kind in (ELEMENTWISE, PYTHON, MATH, REDUCTION) and op.scalar is not None and not op.samples:
        return "samples is missing"
    texts = [t for field in (op.scalar, op.safe) for t in _texts(field)]
    for _, imported in op.imports:
        if not any(f"{imported}(" in text for text in texts):
            return f"imports names {imported!r}, which no text uses"
    return None


def _texts(field: Text) -> list[str]:
    return [] if field is None else [field] if isinstance(field, str) else list(field.values())
