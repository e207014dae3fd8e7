"""Outlining: the loops of a function that has to stay plain become functions of their own."""
