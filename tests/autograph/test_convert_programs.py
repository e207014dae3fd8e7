"""Staged code with Python's own operators does what the original does: results, exceptions, order."""

import copy
from types import FunctionType

import plain_operators
import pytest
from convert_programs import LOG, PROGRAMS

from jitscope.autograph.convert import convert


class Namespace(dict):
    """Names as the tracer resolves them: cells, globals, builtins."""

    def __init__(self, fn):
        cells = dict(zip(fn.__code__.co_freevars, (cell.cell_contents for cell in fn.__closure__ or ())))
        builtins = fn.__builtins__ if isinstance(fn.__builtins__, dict) else vars(fn.__builtins__)
        super().__init__({"__builtins__": builtins})
        self.sources = (cells, fn.__globals__, builtins)

    def __missing__(self, name):
        for source in self.sources:
            if name in source:
                return source[name]
        raise KeyError(name)


def staged(fn):
    """`fn` after conversion, and a check that its text is the same program."""
    result = convert(fn)
    made = {}
    names = Namespace(fn)
    function = result.instantiate(names, plain_operators)
    exec(compile(result.text, "<text>", "exec"), names, made)
    (from_text,) = (each for each in made.values() if isinstance(each, FunctionType))
    assert function.__name__ == fn.__name__
    return function, from_text


def outcome(fn, args):
    LOG.clear()
    args = copy.deepcopy(args) if fn.__name__ != "assign_star_only" else ([1, 2, 3],)
    try:
        result = repr_of(fn(*args))
    except NameError as error:
        # Of a variable of an enclosing function Python says NameError, of a local one UnboundLocalError.
        result = NameError, str(error).split("'")[1]
    except Exception as error:
        result = type(error), str(error), repr(error.__cause__)
    return result, repr_of(args), [repr_of(each) for each in LOG]


def repr_of(value):
    if isinstance(value, FunctionType):
        return "function"
    if isinstance(value, (tuple, list)):
        return type(value).__name__ + str([repr_of(each) for each in value])
    return repr(value)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program[0].__name__)
def test_staged_code_does_what_the_original_does(program):
    fn, argument_lists = program
    function, from_text = staged(fn)
    for args in argument_lists:
        expected = outcome(fn, args)
        assert outcome(function, args) == expected
        assert outcome(from_text, args) == expected


def test_there_are_enough_programs():
    assert len(PROGRAMS) >= 150
