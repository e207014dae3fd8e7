"""What nodes do: effects, memory, ranges of ints, and whether a graph is well formed."""
