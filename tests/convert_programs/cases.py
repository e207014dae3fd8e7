"""What the programs are made with: the list of them, the log, and objects that log what is done to them."""

from contextlib import contextmanager

PROGRAMS = []
LOG = []
FACTOR = 3


def case(*argument_lists):
    """Add a function to PROGRAMS."""

    def add(fn):
        PROGRAMS.append((fn, argument_lists))
        return fn

    return add


def t(value):
    """Log that `value` was evaluated now."""
    LOG.append(value)
    return value


class Box:
    def __init__(self, **fields):
        self.__dict__.update(fields)

    def __repr__(self):
        return f"Box({self.__dict__})"


class Probe(list):
    """A list that logs what is done to it."""

    def __getitem__(self, i):
        LOG.append(("get", i))
        return super().__getitem__(i)

    def __setitem__(self, i, v):
        LOG.append(("set", i, v))
        super().__setitem__(i, v)

    def __delitem__(self, i):
        LOG.append(("del", i))
        super().__delitem__(i)


class Truth:
    """Something whose truth is asked for."""

    def __init__(self, name, value):
        self.name, self.value = name, value

    def __bool__(self):
        LOG.append(("bool", self.name))
        return self.value

    def __repr__(self):
        return self.name


@contextmanager
def entered(name):
    LOG.append(("enter", name))
    try:
        yield name
    finally:
        LOG.append(("exit", name))
