"""What the records say of a node: the questions that analyses, passes, gradients and code generation ask.

A node whose operation has no record is none of these.
"""

from __future__ import annotations

from ..ir.axes import Span
from ..ir.nodes import Block, Graph, Node, walk
from ..ir.types import Array
from . import OPS
from .define import DRAWING, ELEMENTWISE, MATH, NOTHING, NUMBERS, PYTHON, REDUCTION, ROUTINE, Control, OpDef

_NO_CONTROL = Control()
_BY_ELEMENT = (ELEMENTWISE, MATH, PYTHON, REDUCTION)
_OF_MEMORY = ("view", "load", "store", "assign", "copy", "size")


def op_of(node: Node) -> OpDef | None:
    """The record of the node's operation."""
    return OPS.get(node.op)


def control_of(node: Node) -> Control:
    """How state and control pass through the node."""
    op = OPS.get(node.op)
    return _NO_CONTROL if op is None or op.control is None else op.control


def _named(asked: str) -> frozenset[str]:
    return frozenset(n for n, op in OPS.items() if op.control is not None and getattr(op.control, asked))


LOOPS, UNITS, ENDINGS = _named("repeats"), _named("is_unit"), _named("ends")
_STATE = frozenset(name for name in ENDINGS if OPS[name].control.carries_state)  # type: ignore[union-attr]


def takes_no_time(node: Node) -> bool:
    """The driver does it in no time: views, sizes, checks of names."""
    op = OPS.get(node.op)
    return op is not None and op.work == NOTHING


def computes_nothing(node: Node) -> bool:
    """The driver does it as well as compiled code: what takes no time, and giving out memory."""
    op = OPS.get(node.op)
    return op is not None and op.work != NUMBERS


# Control flow


def is_loop(node: Node) -> bool:
    """A region runs again and again: `for`, `while`, `for_each`."""
    return node.op in LOOPS


def is_counted(node: Node) -> bool:
    """A loop over a range of numbers."""
    return node.op == "for"


def is_tested(node: Node) -> bool:
    """A loop that goes on as long as its first region says."""
    return node.op == "while"


def is_iterated(node: Node) -> bool:
    """A loop over the items of any Python object, which only the driver runs."""
    return node.op == "for_each"


def is_compiled_loop(node: Node) -> bool:
    """A loop that kernels have: over a range, or with a test."""
    return node.op in LOOPS and node.op != "for_each"


def is_branch(node: Node) -> bool:
    """One of two regions runs."""
    return node.op == "if"


def merges_state(node: Node) -> bool:
    """Its results are variables that its regions assign: branches and loops."""
    return node.op in LOOPS or node.op == "if"


def is_unit(node: Node) -> bool:
    """Its region is a body of its own, with names of its own: clusters and calls of helpers."""
    return node.op in UNITS


def is_cluster(node: Node) -> bool:
    """A region that is compiled as one unit."""
    return node.op == "cluster"


def clusters_of(graph: Graph) -> list[Node]:
    """The clusters, in the order in which the module numbers them."""
    return [node for node in walk(graph.body) if is_cluster(node)]


def is_call(node: Node) -> bool:
    """A helper's body."""
    return node.op == "call"


def is_recursive(node: Node) -> bool:
    """A helper that calls itself: its body runs again for each `recur` in it."""
    return is_call(node) and bool(node.attrs.get("recursive"))


def is_recursion(node: Node) -> bool:
    """A helper's call of itself; what it gets begins with the arrays that it reads and writes."""
    return node.op == "recur"


def is_closure(node: Node) -> bool:
    """Its result is a function, which is called later: what its body returns is no result of the node."""
    return is_call(node) and bool(node.attrs.get("closure"))


def is_gradient_rule(node: Node) -> bool:
    """Its region is a gradient rule of the user's, which the forward computation doesn't run."""
    return node.op == "custom_gradient"


def is_ending(node: Node) -> bool:
    """The last node of a region."""
    return node.op in ENDINGS


def is_yield(node: Node) -> bool:
    """The region is done, what is around it goes on."""
    return node.op == "yield"


def hands_on(node: Node) -> bool:
    """An ending that hands state on: `yield`, `break`, `continue`."""
    return node.op in _STATE


def is_jump(node: Node) -> bool:
    """An ending that leaves or restarts a loop: `break`, `continue`."""
    return node.op in _STATE and node.op != "yield"


def is_break(node: Node) -> bool:
    """It leaves the loop around it."""
    return node.op == "break"


def is_return(node: Node) -> bool:
    """It ends the function, or the helper around it."""
    return node.op == "return"


def is_raise(node: Node) -> bool:
    """It ends everything, with an exception."""
    return node.op == "raise"


def leaves_function(node: Node) -> bool:
    """`return` and `raise`."""
    return node.op in ENDINGS and node.op not in _STATE


def falls_through(region: Block) -> bool:
    """What is around the region goes on after it."""
    return region.ending.op == "yield"


def test_of(node: Node) -> Block | None:
    """The region that says whether a loop goes on."""
    return node.regions[0] if node.op == "while" else None


def is_test(region: Block, node: Node) -> bool:
    """Whether `region` of `node` only says whether the loop goes on."""
    return test_of(node) is region


def ends_test(ending: Node, node: Node) -> bool:
    """Whether `ending` is the condition of the loop `node`."""
    return node.op == "while" and node.regions[0].ending is ending


def head_of(node: Node) -> int:
    """How many operands a node with regions takes before its state."""
    return control_of(node).head


# Memory


def is_view(node: Node) -> bool:
    """Another look at the operand's memory: `view`, or `reshape` and `grow`, which may have to copy."""
    return node.op in _VIEWS


def is_plain_view(node: Node) -> bool:
    """A look at the operand's memory by strides alone."""
    return node.op == "view"


def is_solution(node: Node) -> bool:
    """A routine on whole arrays that may raise: what it solves may have no solution."""
    op = OPS.get(node.op)
    return op is not None and op.kind == ROUTINE and "raises" in op.effect


def is_diagonal(node: Node) -> bool:
    """A view of which several axes of the operand are one."""
    if not is_plain_view(node):
        return False
    targets = [axis.target for axis in node.attrs["axes"] if isinstance(axis, Span)]
    return len(set(targets)) < len(targets)


def is_look(node: Node) -> bool:
    """Another look at the operand's memory, certainly: a view, or a `reshape` that doesn't copy."""
    return node.op == "view" or (node.op == "reshape" and not node.attrs.get("copies", True))


def is_element_view(node: Node) -> bool:
    """An element of an array as an array of no dimensions: a look at its memory."""
    type_ = node.results[0].type if is_plain_view(node) else None
    return isinstance(type_, Array) and not type_.shape


def looks_at_elements(node: Node) -> bool:
    """Nothing but elements of its operands matter, wherever these lie."""
    op = OPS.get(node.op)
    return op is not None and (op.kind in _BY_ELEMENT or node.op in _OF_MEMORY)


def grows(node: Node) -> bool:
    """The operand, or a longer array with what it holds: its elements are nobody's business."""
    return node.op in _GROWING


def is_rehash(node: Node) -> bool:
    """The places of a table, or more of them."""
    return node.op == "rehash"


def is_find(node: Node) -> bool:
    """A key is looked up in a table."""
    return node.op == "find"


def is_enter(node: Node) -> bool:
    """A key is noted in a table, or forgotten."""
    return node.op in ("enter", "leave")


def is_load(node: Node) -> bool:
    """One element is read."""
    return node.op == "load"


def is_store(node: Node) -> bool:
    """One element is written."""
    return node.op == "store"


def is_element(node: Node) -> bool:
    """One element is read or written."""
    return node.op in _ELEMENTS


def is_assign(node: Node) -> bool:
    """A whole array or view is written."""
    return node.op == "assign"


def is_write(node: Node) -> bool:
    """Compiled code writes into its first operand: `store`, `assign`."""
    return node.op in _WRITES


def is_copy(node: Node) -> bool:
    """A new array with the operand's elements."""
    return node.op == "copy"


def first_index(node: Node) -> int:
    """Where the indices of a view, load or store begin among its operands."""
    return 2 if node.op == "store" else 1


_VIEWS, _ELEMENTS, _WRITES = (
    frozenset(("view", "reshape", "grow", "rehash")),
    frozenset(("load", "store")),
    frozenset(("store", "assign", "enter", "leave")),
)
_GROWING = frozenset(("grow", "rehash"))


# What runs as it is


def is_python(node: Node) -> bool:
    """Arbitrary Python, in the driver."""
    return node.op == "python"


def is_numpy_call(node: Node) -> bool:
    """A call of NumPy, or a write by it, in the driver."""
    return node.op in _NUMPY


def is_uncompiled(node: Node) -> bool:
    """What only the driver runs, by its text."""
    return node.op in _NUMPY or node.op == "python"


def prints_numbers(node: Node) -> bool:
    """Text of numbers is printed."""
    return node.op == "print"


def draws_below(node: Node) -> bool:
    """A number of Python's `random` is drawn, for which there may be none: plain Python says so."""
    return node.op == "draw.randbelow"


def draws(node: Node) -> bool:
    """A random number is drawn from the generator that is the first operand, by kernels too."""
    op = OPS.get(node.op)
    return op is not None and op.kind == DRAWING


def is_drawn(node: Node) -> bool:
    """It gives random numbers, which are others when it runs again."""
    return node.op == "drawn" or draws(node)


_NUMPY = frozenset(("numpy", "numpy_write"))


# Numbers


def is_size(node: Node) -> bool:
    """The value of a size expression."""
    return node.op == "size"


def is_truth(node: Node) -> bool:
    """``bool(x)``."""
    return node.op == "truth"


def is_cast(node: Node) -> bool:
    """The operand in another dtype."""
    return node.op == "cast"


def compares(node: Node) -> bool:
    """Its results are bools made of two numbers, or of one: comparisons, `not`, `truth`."""
    op = OPS.get(node.op)
    return op is not None and (op.compares or op.name in ("py.not", "truth"))


# What leaves a trace outside of the graph


def is_check(node: Node) -> bool:
    """It has no results, and may raise: `check_bound`."""
    return node.op == "check_bound"


def hands_out(node: Node) -> bool:
    """Python gets its operands as objects: `return`, `raise`, opaque Python and numbers that are picked."""
    return node.op in _HANDING_OUT


OWN_ROWS = "own_rows"
"""What makes the list of arrays that is returned of the memory of one."""
KEEPS = "keeps"
"""Marks what copies an array into the memory of a list that has the array itself in Python."""
MADE_OF_NUMBERS = "made_of_numbers"
"""Marks exceptions whose message is an expression of numbers, which kernels hand over."""
STREAM = "stream"
"""Marks numbers that NumPy draws from the generator that is the first operand."""
PRINTS = "prints"
"""Marks what prints to the standard output, and does nothing else."""
UNSTEADY = "unsteady"
"""Marks what tells the time, or draws from the system: it gives another value when it is done again."""
REPEATABLE = "repeatable"
"""Marks opaque Python of operators whose operands run no code of the user's."""


_HANDING_OUT = frozenset(("return", "raise", "python", "for_each", "pick"))
