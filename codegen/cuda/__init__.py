"""The second target: clusters as numba-cuda kernels, and what generated modules need to run them."""
