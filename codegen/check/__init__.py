"""A verifier of kernels: faults of the compiler, found before anything runs.

- `nests`: fused nests leave in memory what the nests did that they were made of;
- `names`: every variable that is read has been bound on each path that leads there, and is an array or a
  number throughout;
- `variables`: a variable of the driver still holds the value that is read from it;
- `kept`: what a reverse pass reads from its tape was kept in the same iteration;
- `replay`: a kernel with loops computes, over a few iterations, what the nodes of its cluster say;
- `places`: an index that counts from the end counts from the end of the array that it was written for.

It is on in the tests, and with ``JITSCOPE_CHECK=1``. What it finds is raised as a `KernelFault`.
"""

from __future__ import annotations
