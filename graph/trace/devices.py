"""`device`: where the operations made inside are placed, and the names of devices.

A device is named by what is known of it: ``/job:localhost/replica:0/task:0/device:GPU:1`` in full,
``/device:GPU:1``, ``/gpu:1``, ``gpu``, ``cuda:1`` in short. Contexts nest: the inner name wins part by part
and inherits what it leaves open.

    with device("/job:localhost"):          with device("/gpu:1"):   ->  /job:localhost/device:GPU:1
                                            with device(None):       ->  no wish at all
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from ..ir.nodes import NOWHERE, Loc, Node
from .build import builder_here, tracing
from .locks import new_lock
from .watchers import Watchers

DEVICE = "_Device"
"""The attribute of a node that says where it is to run: a canonical name."""

DISPLACED = "_Displaced"
"""The attribute of a node that runs elsewhere than it was asked to, with the reason."""

HERE = "/job:localhost/replica:0/task:0/device:"

CPU, GPU, JIT_CPU, JIT_GPU = "CPU", "GPU", "JIT_CPU", "JIT_GPU"
TYPES = (CPU, GPU, JIT_CPU, JIT_GPU)
_ALIASES = {"CUDA": GPU, "XLA_CPU": JIT_CPU, "XLA_GPU": JIT_GPU}
_PARTS = ("job", "replica", "task", "device_type", "device_index")
_EXAMPLES = '"/gpu:0", "cpu", "/job:localhost/replica:0/task:0/device:GPU:0"'


class PlacementError(Exception):
    """A node can't run where it was asked to; `reason` is in the user's words."""

    def __init__(self, reason: str, loc: Loc = NOWHERE, so: str = "", attempt: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.loc = loc
        self.so = so
        self.attempt = attempt


@dataclass(frozen=True, slots=True)
class DeviceSpec:
    """What is known of a device; a part that is None is left open.

    Args:
        job: name of the job, ``"localhost"``.
        replica: number of the replica.
        task: number of the task.
        device_type: ``"CPU"``, ``"GPU"``, ``"JIT_CPU"`` or ``"JIT_GPU"``; other types are never there.
        device_index: number of the device among those of its type.

    Example::

        assert js.DeviceSpec(device_type="gpu", device_index=1).to_string() == "/device:GPU:1"
    """

    job: str | None = None
    replica: int | None = None
    task: int | None = None
    device_type: str | None = None
    device_index: int | None = None

    def __post_init__(self) -> None:
        if self.device_type is not None:
            kind = self.device_type.upper()
            object.__setattr__(self, "device_type", _ALIASES.get(kind, kind))

    @classmethod
    def from_string(cls, name: str) -> DeviceSpec:
        """The spec that `name` stands for.

        Args:
            name: ``"/job:localhost/replica:0/task:0/device:GPU:1"`` in full, ``"/gpu:1"``, ``"gpu"`` or
                ``"cuda:1"`` in short.

        Returns:
            A `DeviceSpec`; what `name` doesn't say is None.

        Raises:
            ValueError: `name` is no name of a device; the message says which part of it.

        Example::

            spec = js.DeviceSpec.from_string("cuda:1")
            assert (spec.device_type, spec.device_index, spec.job) == ("GPU", 1, None)
        """
        found: dict[str, Any] = {}
        for part in name.split("/"):
            for key, value in _parsed(part, name) if part else ():
                if key in found:
                    raise ValueError(f"device {name!r} says twice what its {key} is")
                found[key] = value
        return cls(**{key: value for key, value in found.items() if value != "*"})

    def to_string(self) -> str:
        """The canonical name; empty where nothing is known.

        Returns:
            A string such as ``"/device:GPU:1"``, which `from_string` reads.

        Example::

            assert js.DeviceSpec.from_string("gpu").to_string() == "/device:GPU:*"
        """
        parts = [f"/{key}:{value}" for key in _PARTS[:3] if (value := getattr(self, key)) is not None]
        if self.device_type is not None or self.device_index is not None:
            index = "*" if self.device_index is None else self.device_index
            parts.append(f"/device:{self.device_type or '*'}:{index}")
        return "".join(parts)

    def make_merged_spec(self, inner: DeviceSpec) -> DeviceSpec:
        """`inner` with its open parts taken from this one.

        Args:
            inner: a `DeviceSpec`, as of a context inside.

        Returns:
            A new `DeviceSpec`; the number of a device goes along only with its type.

        Example::

            job, gpu = js.DeviceSpec(job="localhost"), js.DeviceSpec.from_string("gpu:1")
            assert str(job.make_merged_spec(gpu)) == "/job:localhost/device:GPU:1"
        """
        given = {key: value for key in _PARTS if (value := getattr(inner, key)) is not None}
        if "device_type" in given and given["device_type"] != self.device_type:
            given.setdefault("device_index", None)  # ``/gpu:1`` around ``/cpu`` says nothing of a CPU 1
        return replace(self, **given)

    def admits(self, full: DeviceSpec) -> bool:
        """Whether the device `full` is one that this spec speaks of.

        Args:
            full: a `DeviceSpec` without open parts.

        Returns:
            True or False.

        Example::

            first = js.DeviceSpec.from_string(js.list_devices()[0])
            assert js.DeviceSpec.from_string("cpu").admits(first)
            assert not js.DeviceSpec.from_string("gpu").admits(first)
        """
        return all(getattr(self, key) in (None, getattr(full, key)) for key in _PARTS)

    def __str__(self) -> str:
        return self.to_string()


def _parsed(part: str, name: str) -> Iterator[tuple[str, Any]]:
    """The fields that one part between slashes sets."""
    key, *values = part.split(":")
    kind = _ALIASES.get(key.upper(), key.upper())
    if key == "job" and len(values) == 1 and re.fullmatch(r"[A-Za-z]\w*", values[0]):
        yield "job", values[0]
    elif key in ("replica", "task") and len(values) == 1:
        yield key, _number(values[0], name)
    elif key == "device" and 1 <= len(values) <= 2 and re.fullmatch(r"\*|[A-Za-z]\w*", values[0]):
        yield "device_type", values[0]
        yield from (("device_index", _number(value, name)) for value in values[1:])
    elif kind in TYPES and len(values) < 2:
        yield "device_type", kind
        yield from (("device_index", _number(value, name)) for value in values)
    else:
        raise ValueError(f"unknown part {part!r} in the device name {name!r}; names are like {_EXAMPLES}")


def _number(text: str, name: str) -> int | str:
    if text == "*":
        return text
    if not re.fullmatch(r"[0-9]+", text):
        raise ValueError(f"{text!r} in the device name {name!r} is no number; names are like {_EXAMPLES}")
    return int(text)


def spec_of(wish: str | DeviceSpec) -> DeviceSpec:
    """A spec from a name or a spec.

    Raises:
        TypeError: `wish` is neither.
        ValueError: the name is none of a device.
    """
    if isinstance(wish, DeviceSpec):
        return wish
    if not isinstance(wish, str):
        raise TypeError(f"a device is a name, a DeviceSpec or None, not {type(wish).__name__}")
    return _spec(wish)


@lru_cache(maxsize=256)
def _spec(name: str) -> DeviceSpec:
    return DeviceSpec.from_string(name)


_WISH: ContextVar[tuple[Any, DeviceSpec, bool] | None] = ContextVar("jitscope_device", default=None)
"""Whose nodes the wish is about: those of the builder that was at work when it was opened, if any; the wish;
and whether plain code has opened it, which also calls decorated functions."""


def wished() -> DeviceSpec:
    """What the open contexts say about the nodes that are made here.

    A context in plain code speaks of every graph inside; one in a graph speaks of that graph alone.
    """
    found = _WISH.get()
    if found is None or (found[0] is not None and found[0] is not builder_here()):
        return DeviceSpec()
    return found[1]


def wished_in_plain_code() -> DeviceSpec:
    """What the innermost context says, if it was opened in plain code: not while a function was traced."""
    found = _WISH.get()
    return found[1] if found is not None and found[2] else DeviceSpec()


class PlainContexts:
    """The contexts that are open in plain code, in any thread: calls of functions have to look at them."""

    def __init__(self) -> None:
        self._lock = new_lock()
        self._open = 0
        self._watchers = Watchers()

    def watch(self, forget: Callable[[], None]) -> None:
        """Call the bound method `forget` whenever a context opens (held weakly)."""
        with self._lock:
            self._watchers.add(forget)

    @contextmanager
    def one_more(self) -> Iterator[None]:
        """While this is open, nobody learns where calls go."""
        with self._lock:
            self._open += 1
            self._watchers.tell()
        try:
            yield
        finally:
            with self._lock:
                self._open -= 1

    def unless_open(self, learn: Callable[[], None]) -> None:
        """Call `learn` if no context is open."""
        with self._lock:
            if not self._open:
                learn()


plain_contexts = PlainContexts()


@contextmanager
def device(spec: str | DeviceSpec | None) -> Iterator[DeviceSpec]:
    """Place the operations made inside, and the decorated functions called inside, on a device.

    What NumPy does in plain code runs where it runs.

    Args:
        spec: a name or a `DeviceSpec`, which is merged into that of the context around it, or None: inside
            there is no wish. ``JIT_CPU`` and ``JIT_GPU`` demand that everything inside is compiled.

    Yields:
        The merged spec.

    Raises:
        ValueError: `spec` is no name of a device.
        TypeError: `spec` is something else.

    Example::

        with js.device("/job:localhost"), js.device("cpu:0") as spec:
            y = js.constant(1.0) * 2.0
        assert y.device == str(spec) == "/job:localhost/device:CPU:0"
    """
    merged = DeviceSpec() if spec is None else wished().make_merged_spec(spec_of(spec))
    plain = not tracing()
    token = _WISH.set((builder_here(), merged, plain))
    try:
        with plain_contexts.one_more() if plain else nullcontext():
            yield merged
    finally:
        _WISH.reset(token)


@contextmanager
def no_device() -> Iterator[None]:
    """A trace starts without a wish."""
    token = _WISH.set(None)
    try:
        yield
    finally:
        _WISH.reset(token)


def device_attributes() -> Mapping[str, Any]:
    """The attribute that the open contexts give to a node."""
    name = wished().to_string()
    return {DEVICE: name} if name else {}


def kind_of(node: Node) -> str:
    """The type of device on which a placed node runs; ``"CPU"`` where nothing is said."""
    return spec_of(device_of(node)).device_type or CPU


def is_forced(node: Node) -> bool:
    """Whether a placed node has to be compiled."""
    return kind_of(node) in (JIT_CPU, JIT_GPU)


def is_on_gpu(node: Node) -> bool:
    """Whether a placed node runs on a GPU."""
    return kind_of(node) in (GPU, JIT_GPU)


def host_devices() -> tuple[str, ...]:
    """The devices that every machine has."""
    return (f"{HERE}CPU:0", f"{HERE}JIT_CPU:0")


def short_name(name: str) -> str:
    """The type and the number in the name of a device."""
    spec = spec_of(name)
    return DeviceSpec(device_type=spec.device_type, device_index=spec.device_index).to_string()


def device_of(node: Node) -> str:
    """The canonical name of where `node` is to run; empty without a wish."""
    return str(node.attrs.get(DEVICE, ""))
