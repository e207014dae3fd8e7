"""Every test of the runtime starts with an empty cache of its own."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from handmade import Handmade  # noqa: E402

import jitscope as js  # noqa: E402


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[Path]:
    """An empty cache folder."""
    before = js.config.cache_dir
    js.config.cache_dir = tmp_path / "cache"
    yield tmp_path / "cache"
    js.config.cache_dir = before


@pytest.fixture
def handmade(monkeypatch: pytest.MonkeyPatch, cache: Path) -> Handmade:
    """The handmade compiler, with an empty cache."""
    return Handmade(monkeypatch)
