"""Attributes of the caller's objects that hold arrays and are assigned: variables, which statements hand on.

``self.x = self.x + dt * self.v`` in a loop is as ``x = x + dt * v``; the object gets its last array when all
is done (`runtime/handed.py`). As with lists, only staged code may look at the object in between. Objects and
names are found out by the trace, which starts again when it comes upon one.
"""

from __future__ import annotations

import inspect
from typing import Any, NoReturn

import numpy as np

from ...graph.symbolic.arrays import SymbolicArray
from ...graph.symbolic.symbols import SymbolicScalar
from ...graph.trace.attempt import Restart
from ..cell_data import standing
from ..held_items import MOST, HeldItems
from ..known_values import is_numeric
from ..tracer import Reference, TracedDict, tracer
from .cells import is_cell, read_cell, stands_plainly


def read_assigned(owner: Reference, name: str) -> tuple[object, ...]:
    """``owner.name``, if that is assigned somewhere, and a cell or a variable therefore."""
    if not _is_held(owner, name):
        return read_cell(owner, name)
    container: Any = _held(owner, name).container
    return (container[name],)


def assign_held(owner: Reference, name: str, value: object) -> bool:
    """``owner.name = value``, if the attribute is a variable or can become one."""
    if not _is_held(owner, name):
        if not isinstance(value, SymbolicArray) or not _may_be_held(owner, name):
            return False
        tracer().knowledge.held_attributes.add((type(owner.value), name))
    held = _held(owner, name)
    if held.outside or not isinstance(value, (SymbolicArray, SymbolicScalar, int, float, complex)):
        _give_up(owner, name)
    container: Any = held.container
    container[name] = value
    return True


def begin_with_objects() -> None:
    """Before anything else: the attributes that are known to be assigned are read."""
    here = tracer()
    for path, (owner, names) in here.knowledge.callers_objects.items():
        read = {name: here.wrap((*path, ("attr", name)), standing(owner, name)) for name in names}
        container = TracedDict(read)
        container.block = here.builder.blocks[0]
        reference = Reference(here, path, owner)
        here.static(path, owner, "type")
        here.looked_up(path, owner, "__getattribute__", "__getattr__", "__setattr__", *names)
        here.numbers = True
        here.wrapped[path] = reference
        here.handed[path] = held = HeldItems(container, container.block)
        here.growing.append(held)


def _is_held(owner: Reference, name: str) -> bool:
    """Whether this attribute of objects of this class is assigned an array somewhere."""
    return (type(owner.value), name) in tracer().knowledge.held_attributes and tracer().may_take_over()


def _may_be_held(owner: Reference, name: str) -> bool:
    here = tracer()
    if not here.may_take_over() or not stands_plainly(owner.value, name) or is_cell(owner, name):
        return False
    if inspect.getattr_static(type(owner.value), "__getattr__", None) is not None:
        return False
    found = standing(owner.value, name)
    is_array = type(found) is np.ndarray and is_numeric(found.dtype)
    return is_array and (type(owner.value), name) not in here.knowledge.no_cells and len(here.growing) < MOST


def _held(owner: Reference, name: str) -> HeldItems:
    """The variables of an object; where the trace has begun without them, it starts again."""
    here, path = tracer(), owner.path
    objects = here.knowledge.callers_objects
    if path in objects and name in objects[path][1]:
        found: HeldItems = here.handed[path]
        return found
    if not _may_be_held(owner, name):
        _give_up(owner, name)
    names = objects[path][1] if path in objects else ()
    objects[path] = owner.value, (*names, name)
    raise Restart


def _give_up(owner: Reference, name: str) -> NoReturn:
    """Start again without such variables for this attribute."""
    known, key = tracer().knowledge, (type(owner.value), name)
    known.held_attributes.discard(key)
    known.no_cells.add(key)
    for path, (value, names) in list(known.callers_objects.items()):
        if type(value) is key[0]:
            left = tuple(one for one in names if one != name)
            known.callers_objects[path] = value, left
            if not left:
                del known.callers_objects[path]
    raise Restart
