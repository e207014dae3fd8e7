"""What classes have under the names of attributes that entries read: whether a look runs the user's code.

``q.k`` is a look into the object until its class gets a property ``k``, which may count its calls or print.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..autograph.told import FIELD, is_immutable, ordered_bases, place_of_field


class Nothing:
    """Stands for what a class has under a name that neither it nor its bases know."""


NOTHING = Nothing()

DESCRIPTORS = "__get__", "__set__", "__delete__"
"""What makes of an object in a class more than a value of its attribute."""


def in_class(kind: type[object], name: str) -> object:
    """What a class has under a name; `NOTHING` if it has none."""
    return next((base.__dict__[name] for base in ordered_bases(kind) if name in base.__dict__), NOTHING)


def text_of(found: object) -> str:
    """What of `found`, which stands in a class, a look at the attribute hangs on."""
    kind = type(found)
    given = [name for name in DESCRIPTORS if in_class(kind, name) is not NOTHING]
    place = f" {place_of_field(found)}" if kind is FIELD else ""
    return f"{kind.__module__}.{kind.__qualname__} {' '.join(given)}{place}"


def still_looked_up(reads: Iterable[tuple[type[object], str]]) -> Callable[[], bool]:
    """A function that tells whether classes still have the same under names, by its type.

    It asks the dicts of the classes, and runs no code of the user's.
    """
    wanted: dict[type[object], dict[str, object]] = {}
    for owner, name in reads:
        found = wanted.setdefault(owner, {})[name] = in_class(owner, name)
        if found is not NOTHING and not is_immutable(type(found)):
            known = wanted.setdefault(type(found), {})
            known.update({each: in_class(type(found), each) for each in DESCRIPTORS})
    checks: list[str] = []
    names_of_checks: dict[str, object] = {"order": ordered_bases, "type": type}

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
            if not is_immutable(base):
                get, none = named(base.__dict__.get), named(NOTHING)
                for name in sorted(here):
                    found, text = names[name], f"{get}({name!r}, {none})"
                    is_field = type(found) is FIELD
                    checks.append(
                        f"{text} is {named(found)}" if is_field else f"type({text}) is {named(type(found))}"
                    )
                checks.append(f"{named(base.__dict__.keys().isdisjoint)}({named(tuple(sorted(missing)))})")
    text = f"lambda {', '.join(f'{name}={name}' for name in names_of_checks)}: {' and '.join(checks)}"
    still: Callable[[], bool] = eval(text, names_of_checks)
    return still


def _order_text(kind: type[object], name: str) -> str:
    """The order of bases; by the attribute, in half the time, where no metaclass looks attributes up."""
    looks_up: object = type(kind).__getattribute__
    return f"{name}.__mro__" if looks_up is type.__getattribute__ else f"order({name})"
