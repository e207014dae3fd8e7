"""`to_code`, `explain`, concrete functions and the configuration, with the whole compiler behind them."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jitscope as js
from jitscope.runtime.config import Config


def scaled(x, k):
    return np.sqrt(x * x + k) * 2.0


def refused(n):
    try:
        return n
    finally:
        pass


def test_staged_text_and_tree() -> None:
    text = js.to_code(scaled)
    ast.parse(text)
    assert "def scaled(x, k):" in text
    assert js.to_code(js.function(scaled)) == text
    assert js.to_code(scaled, stage="ast").startswith("Module(")


def test_graph_and_module_for_specs_and_values() -> None:
    graph = js.to_code(scaled, js.ArraySpec((None, None), np.float32), 1.0, stage="graph")
    assert "graph scaled(%x: f32[n0,n1], %k: float)" in graph
    module = js.to_code(scaled, np.ones(3), 1.0)
    assert "@njit(" in module
    assert "def scaled(x, k):" in module
    assert module == js.to_code(scaled, js.ArraySpec((None,)), 2.0, stage="module")


def test_to_code_says_what_it_needs() -> None:
    with pytest.raises(ValueError, match="stage is one of staged, ast, graph, module"):
        js.to_code(scaled, stage="machine")
    with pytest.raises(ValueError, match="depends on types"):
        js.to_code(scaled, stage="graph")
    with pytest.raises(js.JitscopeError, match="refused can't be compiled"):
        js.to_code(refused, 1)


def test_input_signature_stands_for_arguments() -> None:
    f = js.function(scaled, input_signature=[js.ArraySpec((None,)), 1.0])
    assert "f64[n0]" in js.to_code(f, stage="graph")
    assert f.get_concrete_function().signature == "x: f64[:], k: float"


def test_explain_shows_what_is_compiled(cache: Path) -> None:
    f = js.function(scaled)
    text = f.explain(np.ones(3), 1.0)
    assert "scaled(x: f64[:], k: float)  test_reports.py:" in text
    assert "cluster_0: compiled" in text
    assert "return np.sqrt(x * x + k) * 2.0" in text
    assert str(cache) in text
    assert "scaled: not called yet" in js.function(scaled).explain()


def test_explain_shows_why_not() -> None:
    text = js.function(refused).explain(1)
    assert "runs as plain Python" in text
    assert "test_reports.py" in text


def test_concrete_functions_are_called_with_their_signature() -> None:
    f: Any = js.function(scaled)
    concrete = f.get_concrete_function(js.ArraySpec((None,)), 1.0)
    np.testing.assert_array_equal(concrete(np.ones(3), k=3.0), scaled(np.ones(3), 3.0))
    with pytest.raises(TypeError, match="another signature"):
        concrete(np.ones((3, 3)), 3.0)
    with pytest.raises(TypeError, match="missing"):
        concrete(np.ones(3))
    assert js.function(refused).get_concrete_function(1)(5) == 5


def test_config_reads_the_environment() -> None:
    found = Config(
        {"JITSCOPE_CACHE_DIR": "here", "JITSCOPE_DISABLE": "1", "JITSCOPE_LOG": "trace, load,nonsense"}
    )
    assert (found.cache_dir, found.disable, found.log) == ("here", True, frozenset({"trace", "load"}))
    default = Config({"HOME": "/home/me", "JITSCOPE_DISABLE": "0"})
    assert not default.disable
    assert not default.log
    assert default.cache_dir.endswith("jitscope")
    with pytest.raises(ValueError, match="unknown log topic"):
        default.log = "nonsense"
    with pytest.raises(ValueError, match="jit_level"):
        default.jit_level = "some"


def test_log_goes_to_stderr(tmp_path: Path) -> None:
    code = "import jitscope as js\nprint(js.function(eval('lambda x: x'))(1))"
    environment = {**os.environ, "JITSCOPE_LOG": "all", "JITSCOPE_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
    )
    assert done.stdout == "1\n"
    assert "jitscope: fallback: <lambda>" in done.stderr
    assert "jitscope: counters: conversions=" in done.stderr


def test_modules_without_clusters_need_no_numba(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(
        "import sys\nimport jitscope as js\n"
        "@js.function\ndef f(x):\n    return [x, x]\n"
        "f(1)\nprint('numba' in sys.modules, f.specializations[0].plain_reason == '')\n"
    )
    environment = {**os.environ, "JITSCOPE_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, str(tmp_path / "program.py")]
    for _ in range(2):
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
        assert done.stdout == "False True\n"


def test_a_name_can_not_forge_lines_of_the_log(capfd: pytest.CaptureFixture[str]) -> None:
    def plain(x):
        raise NotImplementedError("one\njitscope: load: evil() from /trusted")

    def idle(x):
        return None

    plain.__qualname__ = idle.__qualname__ = "f\njitscope: load: evil() from /trusted"
    before, js.config.log = js.config.log, "all"
    try:
        with pytest.raises(NotImplementedError):
            js.function(plain)(np.ones(3))
        with pytest.raises(js.JitscopeError) as met:
            js.function(idle, strict=True)(np.ones(3))
    finally:
        js.config.log = before
    told = capfd.readouterr().err + str(met.value)
    assert "evil" in told
    assert "\njitscope: load: evil" not in told
