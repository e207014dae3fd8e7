"""Random NumPy programs, written as users write them: made, compared with the plain function, made smaller."""
