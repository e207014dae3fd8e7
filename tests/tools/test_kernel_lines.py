"""The part of a generated module that a line of the user's became."""

from __future__ import annotations

import pytest

from jitscope.tools.kernel_lines import kernel_lines

MODULE = '''
"""f."""

@njit
def cluster_0(u, n):
    for i in range(n):
        u[i] = 0.0  # u[:] = 0
    if n > 2:  # if n > 2:
        # total = (u * u).sum() + (u + 1.0).sum() - np.maximum(u, 0.0).max() * 17
        total = 0.0
        for i in range(n):
            total += u[i]  # a
        # other line
        x = 1
    return total

@njit
def cluster_1(u):
    return 2  # u[:] = 0
'''


@pytest.mark.parametrize(
    ("kernel", "line", "expected"),
    [
        ("cluster_0", "    u[:] = 0", "u[i] = 0.0"),
        ("cluster_1", "u[:] = 0", "return 2"),
        ("cluster_0", "if n > 2:", "if n > 2:"),
        (
            "cluster_0",
            "total = (u * u).sum() + (u + 1.0).sum() - np.maximum(u, 0.0).max() * 17",
            "total = 0.0\nfor i in range(n):\n    total += u[i]",
        ),
        ("cluster_0", "nothing = like(this)", ""),
        ("cluster_0", "   ", ""),
        ("cluster_9", "u[:] = 0", ""),
    ],
)
def test_lines(kernel: str, line: str, expected: str) -> None:
    assert kernel_lines(MODULE, kernel, line) == expected


def test_comments_that_were_cut() -> None:
    module = "def k():\n    y = 1  # total = (u * u).sum() + (u +...\n"
    assert kernel_lines(module, "k", "total = (u * u).sum() + (u + 1.0).sum()") == "y = 1"
    assert kernel_lines(module, "k", "total = 3") == ""


def test_what_is_no_module() -> None:
    assert kernel_lines("def (", "k", "x") == ""
