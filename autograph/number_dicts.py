"""Python's dicts whose keys are ints of the run, or tuples of them: a hash table of the graph.

`graph/ops/tables.py` says what that is. Keys and values are lists that grow, in the order in which the keys
came, which is that of the dict.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from ..graph.ir import dims
from ..graph.ir.nodes import Node, Operand, Value
from ..graph.ir.types import INT, Array, Scalar
from ..graph.ops.tables import MOST_NUMBERS
from ..graph.symbolic.arith import operand
from ..graph.symbolic.arrays import SymbolicArray
from ..graph.symbolic.elements import load_at, store_at
from ..graph.symbolic.numpy_functions import call as numpy_call
from ..graph.symbolic.operators import binary
from ..graph.symbolic.scalar_methods import convert
from ..graph.symbolic.symbols import SymbolicScalar, unwrap_union
from ..graph.trace.attempt import Restart
from ..graph.trace.build import current
from .array_lists import ArrayForm
from .growing_lists import GrowingList
from .growing_rows import GrowingRows, RowForm
from .number_lists import kind_of_number, refuse
from .tracer import tracer

FIRST_PLACES = 32


@dataclass(frozen=True, slots=True)
class DictForm:
    """What all keys and values of a dict are; the form of values is `guessed` where none was seen.

    A set has no values.
    """

    key: RowForm
    value: RowForm | ArrayForm | None
    guessed: bool = False


@dataclass(frozen=True, slots=True)
class HowMade:
    """How a dict or set is made: its class, what names it, and what its factory gives for a missing key."""

    python_type: type = dict
    name: object = None
    default: object = None


class HashTable:
    """The keys, the values and the places: variables of the trace, as the buffers of lists are."""

    __slots__ = ("keys", "values", "places", "block")

    def __init__(self, keys: GrowingList, values: GrowingList | None, block: list[Node]) -> None:
        self.keys, self.values, self.block = keys, values, block
        self.places: SymbolicArray = numpy_call(np.zeros, (FIRST_PLACES,), {"dtype": np.dtype(np.int64)})

    @property
    def state(self) -> tuple[Any, ...]:
        """What changes."""
        values = () if self.values is None else self.values.state[:-1]
        return *self.columns, *values, self.places, self.keys.filled

    @state.setter
    def state(self, found: tuple[Any, ...]) -> None:
        *columns, self.places, filled = found
        width = len(self.columns)
        self.keys.state = *columns[:width], filled
        if self.values is not None:
            self.values.state = *columns[width:], filled

    @property
    def columns(self) -> tuple[SymbolicArray, ...]:
        """The buffers of the keys, one for each number of a key."""
        return self.keys.state[:-1]

    def names(self, number: int) -> list[str]:
        """What they are called."""
        values = [] if self.values is None else self.values.buffer_names("values", number)
        return [*self.keys.buffer_names("keys", number), *values, f"places_{number}", f"count_{number}"]

    def content(self) -> tuple[object, ...]:
        """All that it holds, for `put_back`."""
        return self.state

    def put_back(self, content: tuple[object, ...]) -> None:
        """Hold this again."""
        self.state = content

    def item(self, number: object) -> object:
        """The value of the key of this number, which there is."""
        if self.values is None:
            refuse("an item of a set")
        if not self._is_plain():
            return self.values.item(number)
        found = load_at(self.values.state[0], number)
        kind = self.values.form.kinds[0] if isinstance(self.values, GrowingRows) else self.values.kind
        return convert(found, kind) if kind.is_python else found

    def put(self, number: object, value: object) -> None:
        """The key of this number, which there is, gets another value."""
        if self.values is None:
            return
        if not self._is_plain():
            self.values.put(number, value)
            return
        store_at(self.values.state[0], number, unwrap_union(value))

    def _is_plain(self) -> bool:
        """Whether values are numbers of one type."""
        if not isinstance(self.values, GrowingRows):
            return type(self.values) is GrowingList
        return self.values.form.container is None and not self.values.form.either

    def add(self, key: object, value: object = None) -> None:
        """A key that isn't there yet."""
        number = self.keys.filled
        self.keys.append(key)
        if self.values is not None:
            self.values.append(value)
            self.values.filled = self.keys.filled
        self._rehash(number)
        current().emit("enter", (*self.operands(), operand(number)), ())

    def operands(self) -> tuple[Operand, ...]:
        """The places and the keys."""
        return self.places.operand(), *(column.operand() for column in self.columns)

    def _rehash(self, count: object) -> None:
        """Places for one key more; those of before mean something else from here on."""
        builder = current()
        length = builder.fresh("places_length")
        places = Value(builder.fresh("places"), Array(np.dtype(np.int64), (dims.symbol(length),), "C"))
        builder.sizes[length] = (places, 0)
        given = (*self.operands(), operand(count))
        builder.append(Node("rehash", given, (places,), {}, (), builder.locate()))
        self.places = SymbolicArray(places, "C")

    def remove(self, number: object) -> None:
        """The key of this number goes, and the last one gets its number: the order of the keys is lost."""
        last = binary("sub", self.keys.filled, 1)
        current().emit("leave", (*self.operands(), operand(number), operand(last)), ())
        *columns, places, _ = self.state
        for column in columns:
            store_at(column, number, load_at(column, last))
        self.state = *columns, places, last
        self._rehash(last)


@dataclass(frozen=True, slots=True)
class KeyPlace:
    """Where a key stands, if it is `present`; both were computed in `block`, the last of them by `node`."""

    number: Any
    present: Any
    block: list[Node]
    place: int
    node: Node

    def is_known(self) -> bool:
        """Whether that was done on the way to where the trace is."""
        inside = any(block is self.block for block in current().blocks)
        return inside and self.place < len(self.block) and self.block[self.place] is self.node


def stub(name: str) -> Callable[..., NoReturn]:
    """A method, which one of the `operators` has where it can be followed."""

    def method(self: HeldTable, *_: object, **__: object) -> NoReturn:
        self.give_up()

    method.__name__ = name
    return method


class HeldTable:
    """A dict, set or deque of the trace. What isn't staged of it gives it up.

    Attributes:
        site: which display or call has made it.
    """

    __slots__ = ()
    site: Any
    python_type: type

    def length(self) -> object:
        """How many items it has."""
        raise NotImplementedError

    def give_up(self, *_: object) -> NoReturn:
        """It has to be an object of the run: the trace starts again with that known."""
        known = tracer().knowledge
        if self.site is None or self.site in known.materialised:
            refuse(f"this use of a {self.python_type.__name__}")
        known.materialised.add(self.site)
        raise Restart

    __bool__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __or__ = __ror__ = give_up
    __iter__ = __len__ = __contains__ = __delitem__ = __add__ = __iadd__ = __mul__ = give_up
    __str__ = __repr__ = give_up
    __hash__ = object.__hash__

    def __getitem__(self, index: object) -> object:
        return tracer().operators.key_item(self, index)

    def __setitem__(self, index: object, value: object) -> None:
        self.give_up()

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        self.give_up()


class NumberDict(HeldTable):
    """A dict in a table.

    Attributes:
        table: what it has, in order, and where it stands.
        site: which display or call has made it.
        made: how.
        known: the numbers of keys that were read from it.
    """

    __slots__ = ("table", "form", "site", "made", "known", "found")

    def __init__(self, form: DictForm, site: object, table: HashTable, made: HowMade) -> None:
        self.form, self.site, self.table, self.made = form, site, table, made
        self.known: dict[tuple[Operand, ...], object] = {}
        self.found: dict[tuple[Operand, ...], KeyPlace] = {}

    @property
    def python_type(self) -> type:  # type: ignore[override]
        """Its class."""
        return self.made.python_type

    def in_order(self) -> GrowingList:
        """Its keys in the order of a loop.

        A set's is that of its hashes, which only Python knows; that of a dict is lost when keys go.
        """
        if self.table.values is None or self.site in tracer().knowledge.shrinking:
            self.give_up()
        return self.table.keys

    def length(self) -> object:
        """How many keys it has."""
        return self.table.keys.length()

    def may_have(self, key: object) -> bool:
        """Whether a key is of the shape of those in it: an int is not the tuple of that int."""
        form, mine = key_form(key), self.form.key
        return form is not None and (form.container, len(form.kinds)) == (mine.container, len(mine.kinds))

    def known_number(self, key: object) -> object | None:
        """The number of a key that was read from it."""
        return self.known.get(operands_of(key)) if self.may_have(key) else None

    def asked(self, key: object) -> tuple[Operand, ...]:
        """What a lookup of the key hangs on."""
        return *operands_of(key), self.table.places.operand()

    def find(self, key: object) -> KeyPlace:
        """The number of a key, and whether there is one."""
        if not self.may_have(key):
            self.give_up()
        asked = self.asked(key)
        if (seen := self.found.get(asked)) is not None and seen.is_known():
            return seen
        given = [part if kind_of_number(part) == INT else convert(part, INT) for part in parts_of(key)]  # type: ignore[arg-type]
        operands = (*self.table.operands(), *map(operand, given))
        self.found[asked] = self.noted(SymbolicScalar(current().one("find", operands, INT), INT))
        return self.found[asked]

    def noted(self, number: object) -> KeyPlace:
        """A key's number, which was found here."""
        present, block = binary("ge", number, 0), current().blocks[-1]
        return KeyPlace(number, present, block, len(block) - 1, block[-1])

    get, items, keys, values, setdefault, pop, popitem, update, clear, copy, add, remove, discard = map(
        stub, "get items keys values setdefault pop popitem update clear copy add remove discard".split()
    )

    def __setitem__(self, key: object, value: object) -> None:
        tracer().operators.put_key(self, key, value)


def parts_of(key: object) -> list[object]:
    """The numbers of a key."""
    key = unwrap_union(key)
    return [unwrap_union(part) for part in (key if type(key) is tuple else (key,))]


def operands_of(key: object) -> tuple[Operand, ...]:
    """The numbers of a key, in the graph."""
    return tuple(map(operand, parts_of(key)))


def key_form(key: object) -> RowForm | None:
    """The form of a key that is an int or a tuple of some; None for anything else."""
    kinds, is_tuple = list(map(_int_kind, parts_of(key))), type(unwrap_union(key)) is tuple
    known = [kind for kind in kinds if kind is not None and (not is_tuple or kind.dtype == np.int64)]
    if not 0 < len(known) == len(kinds) <= MOST_NUMBERS:
        return None
    return RowForm(tuple if is_tuple else None, tuple(known))


def _int_kind(key: object) -> Scalar | None:
    """The type of a key that is an int, Python's or NumPy's; None for anything else."""
    kind = kind_of_number(key)
    if kind is None and isinstance(key, SymbolicScalar):
        kind = key.type
    if kind is None or kind.dtype.kind not in "iu" or kind.dtype == np.uint64:
        return None
    return kind
