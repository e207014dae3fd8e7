"""NumPy's whole surface: what becomes of each public name, and whether it is right."""
