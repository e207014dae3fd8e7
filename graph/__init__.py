"""Types, operations, the SSA graph, symbols, scopes, passes and clusters. Imports nothing of ours."""
