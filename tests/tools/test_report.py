"""The report: a page that needs nothing else, holds what was found, and into which nobody's texts inject."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from jitscope.command import main
from jitscope.tools import script
from jitscope.tools.findings import Findings, findings
from jitscope.tools.page import page
from jitscope.tools.recorder import CallRecorder

VOID = {"meta", "img", "br", "hr", "link", "input"}


class Tree(HTMLParser):
    """Checks that tags nest, and keeps them, with the texts inside."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append((self.open[-1] if self.open else "", data))

    def text(self) -> str:
        return "".join(data for tag, data in self.texts if tag != "style")


def found_of(text: str, times: bool = True) -> Findings:
    path = Path("program.py")
    path.write_text(text)
    recorder = CallRecorder(keep=times)
    module = script.run(path, (), recorder)
    recorder.withdraw(vars(module))
    return findings("program.py", recorder.called(), 1.5, times)


KINDS = """\
import numpy as np


def helper(x):
    return np.exp(-x)


def kernel(x, n):
    for _ in range(n):
        x = helper(x) + 1.0
    return x


def words(text):
    found = {}
    for word in text.split():
        found[word] = found.get(word, 0) + 1
    return found


def driver(n):
    x = kernel(np.ones(3000), n)
    print(words("<b>a & b</b> </script><script>alert(1)</script>"))
    return eval("x.sum()")


def unused(x):
    return x


driver(20)
"""


def test_a_page_needs_nothing_from_elsewhere_and_runs_nothing() -> None:
    tree = Tree(page(found_of(KINDS)))
    policy = next(a["content"] for tag, a in tree.tags if a.get("http-equiv") == "Content-Security-Policy")
    assert policy == "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    assert not [tag for tag, _ in tree.tags if tag in ("script", "link", "iframe", "object", "form", "b")]
    for _, attributes in tree.tags:
        assert not [name for name in attributes if name.startswith("on")]
        for name in ("src", "href"):
            assert (attributes.get(name) or "#").startswith(("#", "data:image/svg+xml;base64,"))


def test_each_line_says_how_it_runs_and_why() -> None:
    found = found_of(KINDS)
    ((_, lines),) = found.files.items()
    states = {line.number: line.state for line in lines}
    assert [states[n] for n in (5, 9, 10)] == ["compiled"] * 3
    assert states[16] == states[17] == "Python"
    assert states[2] == states[26] == ""
    assert any("<b>a & b</b>" in line.text for line in lines)
    shares = [line.share for line in lines if line.share is not None]
    assert sum(shares) == pytest.approx(1.0, abs=0.02)
    text = Tree(page(found)).text()
    assert 'print(words("<b>a & b</b> </script><script>alert(1)</script>"))' in text
    assert "in kernel.cluster_0:" in text


def test_functions_that_call_others_are_not_called_again() -> None:
    found = found_of(KINDS + "print('once')\n")
    by_name = {one.name: one for one in found.functions}
    assert set(by_name) == {"driver", "kernel", "words"}
    assert by_name["driver"].share is None
    ((_, lines),) = found.files.items()
    assert lines[23].share is None  # a line of the driver's
    assert "1 of 3 functions have no times of their own" in Tree(page(found)).text()
    assert "through the functions" in by_name["driver"].note
    assert by_name["kernel"].plain is not None
    assert by_name["kernel"].share is not None
    assert by_name["kernel"].share > 0.99
    assert by_name["kernel"].kernels[0].calls >= 1
    assert by_name["kernel"].kernels[0].seconds > 0


def test_without_times() -> None:
    found = found_of(KINDS, times=False)
    assert found.share is None
    assert all(line.share is None for lines in found.files.values() for line in lines)
    Tree(page(found))


def test_what_functions_print_when_they_are_called_again_is_dropped(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found_of("def f(x):\n    print('said', x)\n    return x + 1\n\n\nf(3)\n")
    assert capsys.readouterr().out == "said 3\n"


AWKWARD = (
    '"><img src=x onerror=alert(1)>',
    "</style></title><script>alert(1)</script>",
    "\u202eright to left",
    "\x1b[31mred",
    "]]>",
    "&lt;not&gt;",
)


@pytest.mark.parametrize("text", AWKWARD)
def test_texts_of_the_users_cannot_inject(text: str) -> None:
    program = (
        f"NAME = {text!r}\n\n\ndef f(x):\n    if x > 1:\n        raise ValueError({text!r} + NAME)\n"
        "    return x\n\n\nf(1)\ntry:\n    f(2)\nexcept ValueError:\n    pass\n"
    )
    found = found_of(program)
    made = page(Findings(text, 1.0, found.functions, found.files, f"ValueError: {text}"))
    tree = Tree(made)
    assert [tag for tag, _ in tree.tags].count("title") == 1
    assert not [tag for tag, _ in tree.tags if tag == "script"]
    assert all(
        str(a.get("src")).startswith("data:image/svg+xml;base64,") for tag, a in tree.tags if tag == "img"
    )
    assert "\x1b" not in made
    assert "\u202e" not in made


def test_the_command_writes_it_beside_where_it_is_called(capsys: pytest.CaptureFixture[str]) -> None:
    Path("program.py").write_text(KINDS)
    assert main(["report", "program.py"]) == 0
    assert re.search(r"program.jitscope.html: \d+% of the time of plain calls", capsys.readouterr().out)
    Tree(Path("program.jitscope.html").read_text())
    for place in ("no/such/folder/x.html", "."):
        assert main(["report", "-o", place, "--no-times", "program.py"]) == 2
    told = capsys.readouterr()
    assert told.out == ""  # the script has not been run
    assert "can't be written: its folder is not there" in told.err


def test_a_script_that_raises_has_a_report_and_status_1(capsys: pytest.CaptureFixture[str]) -> None:
    Path("program.py").write_text("def f(x):\n    return x / 0\n\n\nf(1)\n")
    assert main(["report", "program.py"]) == 1
    assert (
        "The script ended by ZeroDivisionError: division by zero."
        in Tree(Path("program.jitscope.html").read_text()).text()
    )


def test_a_script_that_calls_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    Path("program.py").write_text("x = 1\n")
    assert main(["report", "program.py"]) == 0
    assert "called none of its functions" in Tree(Path("program.jitscope.html").read_text()).text()
    assert main(["profile", "program.py"]) == 0
    assert capsys.readouterr().out.endswith("put its loops into a function\n")


@pytest.mark.parametrize(
    "call", ["f(open(__file__))", "f(x for x in [1])", "g(1)", "h(1)", "f(np.ones((6000, 6000)))"]
)
def test_calls_that_cannot_be_made_again(call: str) -> None:
    text = (
        "import numpy as np\n\n\ndef f(x):\n    return None\n\n\ndef g(x):\n    raise OSError\n\n\n"
        f"def h(x):\n    return f(x)\n\n\ntry:\n    {call}\nexcept OSError:\n    pass\n"
    )
    found = found_of(text)
    Tree(page(found))
    assert found.functions
    if not call.startswith("h"):
        assert found.functions[0].note


def test_a_report_stands_beside_the_script_wherever_that_goes(capsys: pytest.CaptureFixture[str]) -> None:
    below = Path.cwd() / "below"
    below.mkdir()
    text = "import os\nos.chdir('..')\n\n\ndef f(x):\n    return x\n\n\nf(1)\n"
    (below / "program.py").write_text(text)
    assert main(["report", "below/program.py"]) == 0
    assert (below / "program.jitscope.html").is_file()
    assert "below/program.jitscope.html: " in capsys.readouterr().out


SIZES = """\
import numpy as np


def wave(u, v):
    return np.sqrt(u * u + v * v) - u


def steps(x, n):
    for _ in range(n):
        x[1:-1] = 0.5 * (x[:-2] + x[2:])
    return x


def first(a, b, k):
    return (a[2:] + b[:k]).sum()


for _ in range(3):
    wave(np.ones(10_000), np.ones(10_000))
steps(np.ones(5_000), 10)
first(np.ones(1_002), np.ones(2_000), 1_000)
"""


def test_kernels_say_how_much_memory_they_go_through() -> None:
    found = {one.name: one.kernels for one in found_of(SIZES).functions}
    (wave,) = found["wave"]
    assert wave.memory == 3 * 8 * 10_000
    assert wave.speed == pytest.approx(wave.memory * wave.calls / wave.seconds)
    (steps,) = found["steps"]  # nobody knows how often a loop goes through its array
    assert (steps.memory, steps.speed) == (None, None)
    (first,) = found["first"]
    assert first.memory == 8 * (1_002 + 2_000)


def test_the_page_says_for_which_calls_a_specialisation_is() -> None:
    text = Tree(page(found_of(SIZES))).text()
    assert "for calls with u.shape[0] == v.shape[0] alone" in text
    assert "k <= b.shape[0]" in text
    assert "240 kB" in text
    assert re.search(r"[\d.]+ [GM]B/s", text)
