"""The examples of `jit_scope`: what they print is what their first lines say."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import pytest

import jitscope as js

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"
OFF, ON = js.OptimizerOptions.OFF, js.OptimizerOptions.ON_1


@pytest.fixture(scope="module")
def scopes() -> ModuleType:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(EXAMPLES))
        return importlib.import_module("scopes")


@pytest.mark.parametrize("level", [OFF, ON])
def test_on_off_and_by_name(scopes: ModuleType, level: int) -> None:
    placed = scopes.where(scopes.on_off_and_by_name, level)
    assert [name for name, cluster in placed.items() if cluster == "NumPy"] == ["matmul_1", "add"]


def test_neighbours_join(scopes: ModuleType) -> None:
    placed = scopes.where(scopes.neighbours_join, ON)
    assert placed == {"matmul": "cluster_0", "matmul_1": "NumPy", "add": "cluster_0"}
    assert scopes.where(scopes.neighbours_join, OFF)["matmul"] == "cluster_0"


@pytest.mark.parametrize("level", [OFF, ON])
def test_only_the_inner_scope(scopes: ModuleType, level: int) -> None:
    placed = scopes.where(scopes.only_the_inner_scope, level)
    assert placed == {"matmul": "cluster_0", "matmul_1": "NumPy", "add": "NumPy"}


@pytest.mark.parametrize("level", [OFF, ON])
def test_separate_gradients(scopes: ModuleType, level: int) -> None:
    placed = scopes.where(scopes.separate_gradients, level)
    homes = [
        {c for n, c in placed.items() if n.startswith(p) and "full" not in n}
        for p in ("matmul", "mygrads1", "mygrads2")
    ]
    assert [len(home) for home in homes] == [1, 1, 1]
    assert len(set.union(*homes)) == 3
    assert "NumPy" not in set.union(*homes)


@pytest.mark.parametrize("level", [OFF, ON])
def test_no_way_around(scopes: ModuleType, level: int) -> None:
    placed = scopes.where(scopes.no_way_around, level)
    assert placed["exp"] == "NumPy"
    assert placed["sin"] != placed["sqrt"] == placed["add"] != "NumPy"


def test_a_device_that_compiles(scopes: ModuleType) -> None:
    assert scopes.where(scopes.a_device_that_compiles, OFF) == {"add": "cluster_0", "multiply": "NumPy"}


def test_the_report_shows_source_and_places(scopes: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    scopes.main()
    printed = capsys.readouterr().out
    for example in scopes.EXAMPLES:
        assert f"\n{example.__name__.replace('_', ' ')}\n" in printed
    assert "  |     y = js.matmul(c, d)" in printed
    assert "    matmul_1  NumPy                 NumPy" in printed
