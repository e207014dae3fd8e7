"""Clustered graphs to the text of Python and Numba modules."""
