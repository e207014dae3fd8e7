"""What small functions become in every stage, and what the compiler says, against the files of `golden/`.

`make golden` (`pytest --update-golden`) writes them anew; read the difference before you commit it.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tokenize
from pathlib import Path

import golden_files
import pytest
from same import IDENTITY

import jitscope as js

pytestmark = pytest.mark.skipif(IDENTITY, reason="asks the compiler about itself")

STAGES = golden_files.files("stages")
MESSAGES = golden_files.files("messages")
REPORTS = golden_files.files("reports")
ROOT = Path(__file__).parent.parent
# What differs between machines and versions is left out.
HEADER = re.compile(r"^(versions|key): .*\n", re.MULTILINE)
MODULE = re.compile(r"^  module: .*\n", re.MULTILINE)


def name_of(path: Path) -> str:
    return path.stem


def stages_of(case: golden_files.Case) -> dict[str, str]:
    """The sections of a file in `stages`, as they are now."""
    args, kwargs = case.arguments()
    return {
        **case.inputs,
        "staged": js.to_code(case.function),
        "graph": js.to_code(case.function, *args, stage="graph", **kwargs),
        "module": HEADER.sub("", js.to_code(case.function, *args, stage="module", **kwargs)),
    }


def messages_of(case: golden_files.Case) -> dict[str, str]:
    """The sections of a file in `messages`: what `explain` says, and why strict mode refuses the call."""
    strict = js.function(case.function, strict=True)
    args, kwargs = case.arguments()
    with pytest.raises(js.JitscopeError) as refused:
        strict(*args, **kwargs)
    return {**reports_of(case), "strict": f"JitscopeError: {refused.value}"}


def reports_of(case: golden_files.Case) -> dict[str, str]:
    """The sections of a file in `reports`: what `explain` says."""
    args, kwargs = case.arguments()
    try:
        said = MODULE.sub("", js.function(case.function).explain(*args, **kwargs))
    except js.JitscopeError as refused:
        said = f"JitscopeError: {refused}"
    return {**case.inputs, "explain": said}


def test_there_are_golden_files() -> None:
    assert len(STAGES) >= 45
    assert len(MESSAGES) >= 20
    assert len(REPORTS) >= 6


@pytest.mark.parametrize("path", STAGES, ids=name_of)
def test_stages(path: Path, update_golden: bool) -> None:
    golden_files.compare(path, stages_of(golden_files.Case(path)), update_golden)


@pytest.mark.parametrize("path", MESSAGES, ids=name_of)
def test_messages(path: Path, update_golden: bool) -> None:
    golden_files.compare(path, messages_of(golden_files.Case(path)), update_golden)


@pytest.mark.parametrize("path", REPORTS, ids=name_of)
def test_reports(path: Path, update_golden: bool) -> None:
    golden_files.compare(path, reports_of(golden_files.Case(path)), update_golden)


@pytest.mark.parametrize(
    "text", ["[call]\nf()\n", "[call]\nf()\n\n[staged]\nold\n", "[call]\nf()\n\n[staged]\nnew\n\n[graph]\n"]
)
def test_a_section_that_differs_is_missing_or_one_too_many_fails(text: str, tmp_path: Path) -> None:
    path = tmp_path / "f.txt"
    path.write_text(text, encoding="utf-8")
    actual = {"call": "f()", "staged": "new"}
    with pytest.raises(AssertionError):
        golden_files.compare(path, actual, update=False)
    golden_files.compare(path, actual, update=True)
    golden_files.compare(path, actual, update=False)
    assert path.read_text(encoding="utf-8") == "[call]\nf()\n\n[staged]\nnew\n"


@pytest.mark.parametrize("path", STAGES[::8], ids=name_of)
def test_the_same_input_gives_the_same_bytes(path: Path) -> None:
    assert stages_of(golden_files.Case(path)) == stages_of(golden_files.Case(path))


@pytest.mark.parametrize("path", STAGES, ids=name_of)
def test_modules_are_python_with_the_lines_of_the_user(path: Path) -> None:
    sections = golden_files.read(path)
    module = sections["module"]
    compile(module, path.stem, "exec")
    source = " ".join(sections["function"].split())
    tokens = tokenize.generate_tokens(io.StringIO(module).readline)
    comments = [token.string for token in tokens if token.type == tokenize.COMMENT]
    foreign = [said for said in comments if not said.startswith("# noqa") and not _is_from(said, source)]
    assert not foreign
    assert comments or "@njit" not in module


def _is_from(comment: str, source: str) -> bool:
    """Whether a comment quotes a line of the source, or the start of one that is too long."""
    return " ".join(comment[1:].split()).removesuffix("...") in source


def test_modules_are_formatted_and_clean(tmp_path: Path) -> None:
    for path in STAGES:
        (tmp_path / f"{path.stem}.py").write_text(golden_files.read(path)["module"], encoding="utf-8")
    ruff(tmp_path, "format", "--check", "--diff")
    # The spelling of names (N) is the user's, a result may have a name before it is returned (RET504), and
    # the variable of a loop may be read behind it only (B007).
    ruff(tmp_path, "check", "--ignore", "N,RET504,B007", "--output-format", "concise")


def ruff(folder: Path, *command: str) -> None:
    """Fail with what ruff says unless it is content with all files of a folder."""
    config = str(ROOT / "pyproject.toml")
    whole = [sys.executable, "-m", "ruff", *command, "--no-cache", "--config", config, "."]
    done = subprocess.run(whole, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
