"""Functions made from text: written to a file, so that their source can be read like any other."""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

HEADER = "import math\n\nimport numpy as np\n\n\n"


def module_from_text(text: str, folder: Path, name: str = "") -> ModuleType:
    """The module with this text, in a file of `folder` that is named by its content."""
    name = name or "generated_" + hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
    path = folder / f"{name}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def function_from_text(text: str, folder: Path, name: str = "f") -> Callable[..., Any]:
    """The function `name` of a module made of NumPy's import and this text."""
    return getattr(module_from_text(HEADER + text, folder), name)
