"""Explicit graphs: operations recorded one by one, run later by a session."""
