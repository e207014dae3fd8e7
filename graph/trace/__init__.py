"""Making nodes: the builder, names, and the scopes that mark what is made."""
