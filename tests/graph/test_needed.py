"""What is needed of a graph: its docstring's example, writes to memory that is read, and opaque code."""

from __future__ import annotations

import inspect
import re

import pytest

from jitscope.graph.explicit.needed import needed_only
from jitscope.graph.ir.parser import parse_graph
from jitscope.graph.ir.printer import print_graph

DOC = inspect.getdoc(needed_only) or ""
BEFORE, AFTER = re.split(r"^After::$", DOC.split("Before::")[1], flags=re.M)

WRITTEN = """graph f(%x: f64[n], %k: int) sizes n=x[0] {
  %a: f64[n] = copy(%x)
  %b: f64[n] = copy(%x)
  assign(%a, 1.0)
  assign(%b, 2.0)
  %unused: np.float64 = load(%x, %k) {check=(True,)}
  %y: f64[n] = exp(%a) {loop=('float64',)}
  return %y {text='{0}'}
}
"""

OPAQUE = """graph f(%x: f64[n]) sizes n=x[0] {
  %y: f64[n] = exp(%x) {loop=('float64',)}
  python(%y) {text='print({0})'}
  return %x {text='{0}'}
}
"""


@pytest.mark.parametrize(
    ("before", "after"),
    [(BEFORE, AFTER), (WRITTEN, re.sub(r".*%b.*\n|.*unused.*\n", "", WRITTEN)), (OPAQUE, OPAQUE)],
)
def test_only_what_is_needed_stays(before, after):
    found = needed_only(parse_graph(inspect.cleandoc(before)))
    assert print_graph(found) == print_graph(parse_graph(inspect.cleandoc(after)))
