"""How much is traced and compiled of one function; what goes past it stays plain, with a reason.

Counts are counts of work, not of time: the same program is always treated the same. Only `TRACE_SECONDS` is a
clock, as the last resort for what no count sees.
"""

from __future__ import annotations

STEPS = 40_000
"""Nodes made and functions entered in one trace. Tracing took 0.2 to 0.5 ms of the
processor for each on a busy machine, so this is ten to twenty seconds. Chosen, not derived from programs."""

UNROLLED_STEPS = 2_500
"""The same in loops that are unrolled, taken together: few lines that become long text, which takes seconds
to compile. Derivatives, which know nothing but what is traced, have `STEPS`."""

ALL_STEPS = 2 * STEPS
"""The same in all attempts of one trace. Each attempt knows more than the last, but all have to be paid."""

UNROLLED_ITERATIONS = 64
"""Loops over Python's containers with more iterations than this aren't unrolled."""

FOLLOWED = 64
"""Lists and dicts of up to so many items are followed item by item."""

LEAVES = 1_000
"""Containers that hold more things than this, in all, are one object: each thing would be an argument."""

RECURSIONS = 500
"""A function that calls itself is unrolled at most so often."""

NESTED_RECURSIONS = 3
"""A function that calls itself with numbers of other types is traced anew at most so often."""

RECURSION_PASSES = 6
"""What such a function returns has to be known after so many passes."""

NESTED_CALLS = 50
"""Functions are traced in place at most so deep. Each was measured to take six frames of Python's stack."""

NESTED_BLOCKS = 80
"""Branches and loops stand in each other at most so deep: Python reads 100 levels of indentation."""

ATTEMPTS = 24
"""So often a trace may start again because it has learnt something."""

TRACE_SECONDS = 20.0
"""A trace that takes longer is given up: what is slow in it isn't what is counted."""

KERNEL_WEIGHT = 4_000
"""The work of one kernel, by the estimate of `passes/weight.py`. The time of Numba and LLVM grows faster than
the size: 60 branches on arrays took 9 s in one kernel, 100 took 21 s (of the processor, on a busy machine).
The heaviest kernel of the examples, a training step of an LSTM, has 902."""

KERNEL_OPERATIONS = 600
"""The operations of one kernel that are cut anywhere: what decides about names, memory and loops compares
pairs of them. A training step of an LSTM has 160 nodes."""

FUNCTION_WEIGHT = 16_000
"""The work of all kernels of a function: four full ones. A function of 1,000 branches on arrays, which uses
all of it, took 18 s for its first call; more than 20 are not to be waited for."""

FRAMES = 2_500
"""So many frames of Python's stack are free while a function is prepared. Expressions and blocks are walked
by recursion; each block in another was measured to take six frames. Many more could overrun a small stack."""
