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


STEPS = """
def cluster_0(pos, speed, n):
    t8 = 2.0 * sigma  # kernel = np.exp(t / sigma)
    kernel = np.empty(n)
    for i in range(n):
        kernel[i] = exp(t[i] / t8)
    for i in range(n):  # for i in range(len(pos)):
        # gap = (pos[(i + 1) % len(pos)] - pos[i] - 1) % length
        v = np_mod(pos[i], length)
        v_1 = speed[i] + 1  # v = min(speed[i] + 1, 5, gap)
        if v_1:
            v_1 = 5
        else:
            v_1 = 6
        chosen = v > 0  # if v > 0 and pos[i] % 7 == 3:
        if chosen:
            v = 2  # v -= 1
    a = 1  # long = of(many)
    a = 2
    a = 3
    a = 4
    a = 5
    a = 6
    a = 7
    a = 8
    a = 9
    a = 10
    a = 11
    a = 12
    a = 13
    a = 14
"""


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("kernel = np.exp(t / sigma)", "t8 = 2.0 * sigma\nkernel = np.empty(n)\n"),
        ("for i in range(len(pos)):", "for i in range(n):"),
        ("gap = (pos[(i + 1) % len(pos)] - pos[i] - 1) % length", "v = np_mod(pos[i], length)"),
        ("v = min(speed[i] + 1, 5, gap)", "v_1 = speed[i] + 1\nif v_1:\n    v_1 = 5\nelse:\n    v_1 = 6"),
        ("if v > 0 and pos[i] % 7 == 3:", "chosen = v > 0\nif chosen:\n    v = 2"),
        ("long = of(many)", "\n".join(["a = 1", *(f"a = {k}" for k in range(2, 14)), "..."])),
    ],
)
def test_lines_that_follow(line: str, expected: str) -> None:
    found = kernel_lines(STEPS, "cluster_0", line)
    assert found.startswith(expected) if expected.endswith("\n") else found == expected


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
