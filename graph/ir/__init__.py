"""The language of the graph: nodes, types, sizes, and their text."""
