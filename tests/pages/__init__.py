"""The documentation: its code runs, its links lead somewhere, its reference is whole."""
