"""What classes have under the names of attributes that entries read: whether a look runs the user's code.

``q.k`` is a look into the object until its class gets a property ``k``, which may count its calls or print.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

_IMMUTABLE = 1 << 8
"""`Py_TPFLAGS_IMMUTABLETYPE`: nothing can be set in such a class."""


class Nothing:
    """Stands for what a class has under a name that neither it nor its bases know."""


def kind_in_class(kind: type[object], name: str) -> type:
    """The type of what a class has under a name; `Nothing` if it has none."""
    return next((type(base.__dict__[name]) for base in ordered_bases(kind) if name in base.__dict__), Nothing)


def still_looked_up(reads: Iterable[tuple[object, str]]) -> Callable[[], bool]:
    """A function that tells whether the classes of objects still have the same under names, by its type.

    It asks the dicts of the classes, and runs no code of the user's.
    """
    wanted: dict[type[object], dict[str, type]] = {}
    for owner, name in reads:
        wanted.setdefault(type(owner), {})[name] = kind_in_class(type(owner), name)
    checks: list[str] = []
    names_of_checks: dict[str, object] = {"order": _ORDER, "type": type}

    def named(value: object) -> str:
        name = f"v{len(names_of_checks)}"
        names_of_checks[name] = value
        return name

    for kind, names in wanted.items():
        checks.append(f"{_order_text(kind, named(kind))} is {named(ordered_bases(kind))}")
        missing = set(names)
        for base in ordered_bases(kind):
            here = missing.intersection(base.__dict__)
            missing -= here
            if not base.__flags__ & _IMMUTABLE:
                get, none = named(base.__dict__.get), named(Nothing)
                checks += [f"type({get}({name!r}, {none})) is {named(names[name])}" for name in sorted(here)]
                checks.append(f"{named(base.__dict__.keys().isdisjoint)}({named(tuple(sorted(missing)))})")
    text = f"lambda {', '.join(f'{name}={name}' for name in names_of_checks)}: {' and '.join(checks)}"
    still: Callable[[], bool] = eval(text, names_of_checks)
    return still


def _order_text(kind: type[object], name: str) -> str:
    """The order of bases; by the attribute, in half the time, where no metaclass looks attributes up."""
    looks_up: object = type(kind).__getattribute__
    return f"{name}.__mro__" if looks_up is type.__getattribute__ else f"order({name})"


def ordered_bases(kind: type[object]) -> tuple[type, ...]:
    """The classes that are asked in turn, by nobody's leave."""
    order: tuple[type, ...] = _ORDER(kind)
    return order


_ORDER = type.__dict__["__mro__"].__get__
