"""Symbols, and what operators and NumPy's functions make of them."""
