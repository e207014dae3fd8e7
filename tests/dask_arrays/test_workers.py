"""Dask's workers and loky's: they compile nothing that is on disk, each key once where nothing is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import blocked_programs as programs
import clustered
import dask.array as da
import joblib
import numpy as np
import pytest
from distributed import Client, LocalCluster

import jitscope as js

pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as found,
    ):
        yield found


def warm() -> None:
    for function in clustered.FUNCTIONS:
        function(np.ones(8))


def on_each(client: Any, f: Any, *args: Any) -> list[Any]:
    return list(client.run(f, *args).values())


def test_workers_compile_nothing_that_is_on_disk(client: Any) -> None:
    warm()
    on_each(client, clustered.forget, str(js.config.cache_dir))  # whatever other tests have told them
    found = client.gather(client.map(clustered.called, range(8), pure=False))
    assert [result for _, result, _ in found] == [k * k * 1000.0 + k * 1000.0 for k in range(8)]
    assert sum(count for _, _, count in found) == 0


def test_blocks_are_as_on_one_machine(client: Any) -> None:
    wanted = {}
    for f, args in (*programs.LOCAL, *programs.LOCAL_BY_ROWS):
        result = js.function(f)(*(arg.copy() if isinstance(arg, np.ndarray) else arg for arg in args))
        wanted[f] = result if isinstance(result, tuple) else (result,)
    for chunk in (11, 20, 33):
        for f, args in (*programs.LOCAL, *programs.LOCAL_BY_ROWS):
            chunks = (chunk, *(-1,) * (args[0].ndim - 1))
            shape = args[0].shape
            given = [
                da.from_array(arg, chunks=chunks) if getattr(arg, "shape", None) == shape else arg
                for arg in args
            ]
            found = js.dask.map_blocks(f, *given)
            results = client.gather(client.compute(list(found) if isinstance(found, tuple) else [found]))
            for result, whole in zip(results, wanted[f], strict=True):
                assert result.dtype == whole.dtype
                assert np.array_equal(result, whole), (f.__name__, chunk)


def test_cold_workers_compile_each_key_once(client: Any, tmp_path: Path) -> None:
    folder = str(tmp_path / "cold")
    on_each(client, clustered.forget, folder)
    before = on_each(client, clustered.compilations)
    client.gather(client.map(clustered.never_before, range(8), pure=False))
    made = sum(on_each(client, clustered.compilations)) - sum(before)
    assert made == 1


def test_a_plugin_brings_workers_what_was_compiled_here(client: Any, tmp_path: Path) -> None:
    warm()
    on_each(client, clustered.forget, str(tmp_path / "shipped"))
    plugin = js.dask.WorkerPlugin(*clustered.FUNCTIONS, threads=1)
    assert {name.split("-")[0] for name in plugin.entries} == {"energy", "smoothed"}
    client.register_plugin(plugin)
    found = client.gather(client.map(clustered.called, range(20, 28), pure=False))
    assert sum(count for _, _, count in found) == 0
    assert all(set(said.values()) == {"1"} for said in on_each(client, clustered.environment))
    with pytest.raises(TypeError, match="never_before isn't decorated"):
        js.dask.WorkerPlugin(clustered.never_before)


def test_a_killed_worker_loses_nothing(tmp_path: Path) -> None:
    x = da.from_array(programs.X, chunks=(7, -1))
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as own,
    ):
        part = x.map_blocks(clustered.killed_once, str(tmp_path / "died"), meta=np.empty((0, 0)))
        found = js.dask.map_blocks(programs.copied_borders, part)
        result = own.compute(found).result()
    assert (tmp_path / "died").exists()
    assert np.array_equal(result, js.function(programs.copied_borders)(programs.X * 2))


@pytest.mark.parametrize("backend", ["loky", "multiprocessing", "threading"])
def test_joblib_compiles_nothing_that_is_on_disk(backend: str) -> None:
    warm()
    found = joblib.Parallel(n_jobs=2, backend=backend)(joblib.delayed(clustered.called)(k) for k in range(6))
    assert [result for _, result, _ in found] == [k * k * 1000.0 + k * 1000.0 for k in range(6)]
    assert sum(count for _, _, count in found) == 0


def test_joblib_takes_decorated_functions_that_stand_in_functions() -> None:
    @js.function
    def local(x):
        total = 0.0
        for v in x:
            total += v * 2.0
        return total

    assert local(np.ones(4)) == 8.0
    found = joblib.Parallel(n_jobs=2)(joblib.delayed(local)(np.full(10, float(k))) for k in range(4))
    assert found == [k * 20.0 for k in range(4)]
