"""Operators that run every block once more than Python would, then put the state back.

A trace does this: it runs both branches of an `if` and a body whose loop may take no iteration. With programs
that change nothing but their own names the answer must still be the original's: what a block leaves behind is
in its state.
"""

from plain_operators import *  # noqa: F403
from plain_operators import Break, Continue, Return, Undefined

DEPTH = [0]


def _speculate(run, get_state, set_state):
    """Run it, forget it."""
    if DEPTH[0] > 1:
        return
    before = get_state()
    DEPTH[0] += 1
    try:
        run()
    except (Exception, Break, Continue, Return):
        pass
    finally:
        DEPTH[0] -= 1
        set_state(before)


def nothing():
    pass


STATELESS = (lambda: (), lambda values: None, ())


def if_stmt(test, body, orelse, get_state, set_state, names):
    _speculate(orelse if test else body, get_state, set_state)
    (body if test else orelse)()


def while_stmt(test, body, get_state, set_state, names, orelse=None):
    while test():
        _speculate(body, get_state, set_state)
        try:
            body()
        except Continue:
            continue
        except Break:
            return
    _speculate(body, get_state, set_state)
    if orelse is not None:
        orelse()


def for_stmt(iterable, body, get_state, set_state, names, orelse=None):
    for item in [*iterable]:
        _speculate(lambda: body("other item"), get_state, set_state)
        _speculate(lambda: body(item), get_state, set_state)
        try:
            body(item)
        except Continue:
            continue
        except Break:
            return
    _speculate(lambda: body("no item"), get_state, set_state)
    if orelse is not None:
        orelse()


def returns(fn):
    def wrapper(*args, **kwargs):
        try:
            result = fn(*args, **kwargs)
        except Return as jump:
            result = jump.value
        assert not isinstance(result, Undefined)
        return result

    return wrapper
