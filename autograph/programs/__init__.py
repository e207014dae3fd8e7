"""NumPy functions as small Python programs of loops, which a trace runs in place of the NumPy call.

They land in the user's graph as if the user had written them there: one kernel with what stands around.
"""
