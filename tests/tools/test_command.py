"""The command line: what each command says, in words and as JSON, and how it ends."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from jitscope.command import main
from jitscope.runtime.config import config

PROGRAM = '''\
"""A rod that cools down."""
import numpy as np


def step(u, alpha):
    new = u.copy()
    new[1:-1] = u[1:-1] + alpha * (u[2:] - 2 * u[1:-1] + u[:-2])
    return new


def simulate(u, alpha, steps):
    for _ in range(steps):
        u = step(u, alpha)
        if np.abs(u).max() < 1e-9:
            break
    return u


def shout(text):
    return "-".join(sorted(text.split()))


def nobody(x):
    return x + 1.0


if __name__ == "__main__":
    u = np.zeros(2000)
    u[:] = 1.0
    print(simulate(u, 0.2, 50).sum(), shout("b a"))
'''


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, as_it_was: None) -> None:
    """The program, and a cache of its own."""
    monkeypatch.setattr(config, "cache_dir", str(tmp_path / "cache"))
    Path("rod.py").write_text(PROGRAM)


def told(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    assert main(arguments) == status
    return capsys.readouterr().out


def data(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> Any:
    """The answer in JSON, with nothing before or behind it."""
    command, *rest = arguments
    return json.loads(told(capsys, command, "--json", *rest, status=status))


def test_help_names_every_command_and_comes_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    text = capsys.readouterr().out
    names = "run report profile to-code graph explain coverage bench warmup cache doctor"
    assert re.findall(r"^    ([\w-]+) {2,}", text, re.M) == names.split()
    code = "import sys, jitscope_command as c; c.main([]); print({'numpy', 'jitscope'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("set()\n")


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    import jitscope

    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"jitscope {jitscope.__version__}\n"


@pytest.mark.parametrize("arguments", [["fly"], ["run"], ["cache"], ["coverage", "rod.py", "--strict", "x"]])
def test_what_is_no_command(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "usage: jitscope" in capsys.readouterr().err


def test_run_as_json_keeps_output_for_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    found = data(capsys, "run", "rod.py")
    assert found["status"] == 0
    assert found["error"] == ""
    assert main(["run", "--json", "rod.py"]) == 0
    assert capsys.readouterr().err == "2000.0 a-b\n"


def test_profile(capsys: pytest.CaptureFixture[str]) -> None:
    text = told(capsys, "profile", "rod.py")
    assert re.search(r"^\d+% of the time of plain calls is compiled$", text, re.M)
    assert re.search(r"^simulate  1 .* 100%$", text, re.M)
    assert re.search(r"^simulate.cluster_0  6 to 14 +1 ", text, re.M)
    assert re.search(r"compiled  rod.py:7  new\[1:-1\] = ", text)
    found = data(capsys, "profile", "rod.py")
    by_name = {one["name"]: one for one in found["functions"]}
    assert set(by_name) == {"simulate", "shout"}
    assert by_name["simulate"]["share"] > 0.999
    assert by_name["simulate"]["kernels"][0]["calls"] == 1
    (lines,) = found["files"].values()
    states = {line["number"]: line["state"] for line in lines}
    assert states[7] == states[14] == "compiled"
    assert states[15] == "not reached"
    assert states[20] == "Python"


def test_profile_without_times(capsys: pytest.CaptureFixture[str]) -> None:
    found = data(capsys, "profile", "--no-times", "rod.py")
    assert found["share"] is None
    assert {one["note"] for one in found["functions"]} == {"times were not asked for"}
    (lines,) = found["files"].values()
    assert {line["state"] for line in lines} == {"compiled", "Python"}


def test_to_code(capsys: pytest.CaptureFixture[str]) -> None:
    text = told(capsys, "to-code", "rod.py:simulate")
    assert "def cluster_0(" in text
    assert "def cluster_0(" in data(capsys, "to-code", "rod.py:simulate")["functions"][0]["text"]
    assert "graph nobody(%x: f64[n0])" in told(
        capsys, "to-code", "--stage", "graph", "rod.py:nobody", "np.ones(4)"
    )
    assert "ag." in told(capsys, "to-code", "--stage", "staged", "rod.py:step", "1", "2")


def test_graph(capsys: pytest.CaptureFixture[str]) -> None:
    assert "graph step(" in told(capsys, "graph", "rod.py:step", "np.ones(9)", "alpha=0.1")
    assert told(capsys, "graph", "-o", "a.dot", "rod.py:nobody", "np.ones(4)") == "a.dot\n"
    assert Path("a.dot").read_text().startswith("digraph")
    assert main(["graph", "-o", "a.xyz", "rod.py:nobody", "np.ones(4)"]) == 2
    assert "a picture is a .dot, .svg or .png file" in capsys.readouterr().err


def test_explain(capsys: pytest.CaptureFixture[str]) -> None:
    text = told(capsys, "explain", "rod.py")
    assert "simulate(u: f64[:], alpha: float, steps: int)  rod.py:11" in text
    assert "shout(text: text: 'b a')" in text or "shout(" in text
    found = data(capsys, "explain", "rod.py:simulate")
    assert found["functions"][0]["kernels"] == [{"name": "cluster_0", "device": "", "lines": [6, 7, 12, 14]}]


def test_coverage(capsys: pytest.CaptureFixture[str]) -> None:
    text = told(capsys, "coverage", "rod.py:simulate", "np.ones(2000)", "0.2", "steps=20")
    assert text.startswith("simulate: 100% of the ")
    assert main(["coverage", "--strict", "0.9", "rod.py:shout"]) == 1
    capsys.readouterr()
    found = data(capsys, "coverage", "rod.py:shout")
    assert found["functions"][0]["share"] == 0.0


def test_bench(capsys: pytest.CaptureFixture[str]) -> None:
    text = told(capsys, "bench", "rod.py:simulate", "np.ones(1000)", "0.2", "9")
    assert re.search(r"^simulate .* × faster +equal, bit for bit$", text, re.M)
    found = data(capsys, "bench", "rod.py:nobody", "np.ones(1000)")["functions"][0]
    assert found["difference"] == 0.0
    assert 0 < found["steady"]
    assert found["signature"] == "x: f64[:]"


def test_warmup_and_the_cache(capsys: pytest.CaptureFixture[str]) -> None:
    made = data(capsys, "warmup", "rod.py:simulate", "np.ones(10)", "0.2", "3")
    assert made["compiled"] == 1
    listed = told(capsys, "cache", "ls")
    assert re.search(
        r"^simulate  rod.py  u: f64\[:\], alpha: float, steps: int .* current  simulate-", listed, re.M
    )
    found = json.loads(told(capsys, "cache", "ls", "--json"))
    assert [entry["function"] for entry in found["entries"]] == ["simulate"]
    assert told(capsys, "cache", "path") == f"{config.cache_dir}\n"
    why = ("cache", "why", "rod.py:simulate")
    assert "taken" in told(capsys, *why, "np.ones(10)", "0.2", "3")
    assert "for another signature: u: f64[:]" in told(capsys, *why, "np.ones(9)", "2", "3", status=1)
    assert "nothing is kept for it" in told(capsys, "cache", "why", "rod.py:nobody", "1.0", status=1)
    assert told(capsys, "cache", "verify") == "1 entries, 0 damaged\n"
    answer = json.loads(told(capsys, "cache", "why", "--json", why[2], "np.ones(1)", "1.", "1"))
    assert [entry["taken"] for entry in answer["functions"][0]["entries"]] == [True]


def test_changed_code_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    main(["warmup", "rod.py:nobody", "np.ones(2000)"])
    Path("rod.py").write_text(PROGRAM.replace("x + 1.0", "x + 2.0"))
    capsys.readouterr()
    text = told(capsys, "cache", "why", "rod.py:nobody", "np.ones(2000)", status=1)
    assert "the function's code has changed" in text


def test_damaged_entries(capsys: pytest.CaptureFixture[str]) -> None:
    main(["warmup", "rod.py:nobody", "np.ones(2000)"])
    (module,) = Path(config.cache_dir).glob("nobody-*/*/nobody.py")
    module.write_text("print('mine')\n")
    capsys.readouterr()
    assert "nobody.py has been changed" in told(capsys, "cache", "verify", status=1)
    assert told(capsys, "cache", "verify", "--remove").endswith("1 entries, 1 damaged\n")
    assert told(capsys, "cache", "ls").startswith("0 entries")


def test_entries_that_are_not_ours_are_damaged(capsys: pytest.CaptureFixture[str]) -> None:
    main(["warmup", "rod.py:nobody", "np.ones(2000)"])
    (manifest,) = Path(config.cache_dir).glob("nobody-*/*/manifest.json")
    manifest.write_text("{}")
    capsys.readouterr()
    assert re.search(r"^nobody-\w+ .* damaged", told(capsys, "cache", "ls"), re.M)
    assert "1 damaged" in told(capsys, "cache", "verify", status=1)


def test_prune_and_clear(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("nobody", "step"):
        main(["warmup", f"rod.py:{name}", "np.ones(2000)", *(["0.1"] if name == "step" else [])])
    capsys.readouterr()
    assert json.loads(told(capsys, "cache", "clear", "--json", "--function", "step"))["removed"] == 1
    found = json.loads(told(capsys, "cache", "prune", "--json", "--limit", "1kB"))
    assert found["before"] > 1000
    assert found["after"] == 0
    assert told(capsys, "cache", "clear") == "0 entries removed, 0 bytes\n"
    assert main(["cache", "prune", "--limit", "much"]) == 2
    assert "a size in bytes" in capsys.readouterr().err


def test_doctor(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    text = told(capsys, "doctor")
    assert re.search(r"^numba +\d", text, re.M)
    assert re.search(r"^compiles +yes, in ", text, re.M)
    assert re.search(r"^finds it on disk +yes, after ", text, re.M)
    checks = {check["about"]: check for check in json.loads(told(capsys, "doctor", "--json"))["checks"]}
    assert checks["compiles"]["state"] == "good"
    monkeypatch.setattr(config, "cache_dir", os.devnull + "/below")
    assert "can't be written" in told(capsys, "doctor", status=1)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["explain", "rod.py:nobody"], "nobody: the script doesn't call it; give its arguments"),
        (["explain", "rod.py:nobod"], "rod.py has no function nobod; did you mean nobody?"),
        (["explain", "rod.py:nobody", "np.ons(3)"], "'np.ons(3)' has no value: AttributeError"),
        (["explain", "rod.py:nobody", "1", "2"], "nobody: too many positional arguments"),
        (["explain", "rod.py", "1"], "name the function that is meant, as rod.py:FUNCTION"),
        (["explain", "nowhere.py:f"], "nowhere.py can't be read"),
        (["explain", "no_such_package:f", "1"], "no_such_package can't be imported"),
        (["explain", "json:dumps.x", "1"], "json has no function dumps.x"),
        (["explain", "math:sin", "1"], "sin is a builtin_function_or_method, no function that is written"),
    ],
)
def test_what_was_not_understood(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert said in capsys.readouterr().err


def test_functions_of_installed_modules(capsys: pytest.CaptureFixture[str]) -> None:
    text = told(capsys, "explain", "statistics:fmean", "[1.0, 2.0]")
    assert text.startswith("fmean(")


def test_a_reader_that_goes_away() -> None:
    command = f"{sys.executable} -m jitscope to-code rod.py:simulate | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert done.stderr == ""


ODD = """\
import random
import sys
from functools import wraps
import numpy as np


def logged(fn):
    @wraps(fn)
    def wrapper(*args, **kwargs):
        return fn(*args, **kwargs)

    return wrapper


@logged
def mean_square(x, *, scale=1.0):
    return (x**2).mean() * scale


def noisy(n):
    return np.random.normal(size=n).sum() + random.random()


def ends(x):
    sys.exit(3)


def main():
    n = int(sys.argv[1])
    print(n, mean_square(np.ones(n), scale=2.0), noisy(5) > -100)
    try:
        ends(1)
    except SystemExit:
        pass


main()
"""


@pytest.fixture
def odd() -> None:
    Path("odd.py").write_text(ODD)


@pytest.mark.usefixtures("odd")
def test_arguments_of_the_script_behind_dashes(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "explain", "odd.py:mean_square", "--", "7").startswith("7 2.0 True\n")
    found = data(capsys, "coverage", "odd.py", "--", "7")
    assert {one["name"] for one in found["functions"]} >= {"noisy"}
    assert main(["report", "odd.py", "7"]) == 0
    assert "ends" in Path("odd.jitscope.html").read_text()


@pytest.mark.usefixtures("odd")
def test_functions_in_wrappers_and_keywords(capsys: pytest.CaptureFixture[str]) -> None:
    sys.argv = ["odd.py", "3"]
    for command in ("explain", "coverage", "bench", "to-code"):
        text = told(capsys, command, "odd.py:mean_square", "np.ones(3000)", "scale=3.0")
        assert "TypeError" not in text


@pytest.mark.usefixtures("odd")
def test_shared_random_numbers_are_drawn_again(capsys: pytest.CaptureFixture[str]) -> None:
    sys.argv = ["odd.py", "3"]
    assert "equal" in told(capsys, "bench", "odd.py:noisy", "1000")


@pytest.mark.usefixtures("odd")
def test_functions_that_end_the_program(capsys: pytest.CaptureFixture[str]) -> None:
    sys.argv = ["odd.py", "3"]
    assert "ends: it ends the program, with 3" in told(capsys, "coverage", "odd.py:ends", "1")
    assert main(["bench", "odd.py:ends", "1"]) == 2
    assert "ends ends the program, with 3" in capsys.readouterr().err


def test_a_script_that_raises_is_explained_as_far_as_it_came(capsys: pytest.CaptureFixture[str]) -> None:
    Path("raises.py").write_text(PROGRAM + "    raise ValueError('late')\n")
    assert main(["explain", "raises.py"]) == 1
    seen = capsys.readouterr()
    assert "simulate(u: f64[:], alpha: float, steps: int)" in seen.out
    assert seen.err.endswith("ValueError: late\n")
    assert "tools" not in seen.err


def test_errors_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    found = data(capsys, "explain", "nowhere.py:f", status=2)
    assert found == {"error": "nowhere.py can't be read: No such file or directory"}
