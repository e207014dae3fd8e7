"""What `convert` gives and refuses: reasons, positions, where the source comes from."""

import ast
import linecache
import sys
import sysconfig
import traceback
from pathlib import Path

import gast
import plain_operators
import pytest

from jitscope.autograph import convert as convert_module
from jitscope.autograph.convert import CONVERTERS, Unsupported, convert
from jitscope.autograph.unparse import to_ast, unparse

HERE = Path(__file__).name


def run(fn, *args, **names):
    """Staged `fn`, called."""
    space = {"__builtins__": __builtins__, **fn.__globals__, **names}
    return convert(fn).instantiate(space, plain_operators)(*args)


def from_text(text, name="f", filename="<convert test>"):
    """A function whose source is `text`."""
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    names = {}
    exec(compile(text, filename, "exec"), names)
    return names[name]


# ---- reasons

NONLOCAL = "it assigns to the variables of an enclosing function with `nonlocal`"
REFUSED = {
    "try: x = 1\n    except: pass": "it has a `try` statement",
    "class A: pass": "it defines a class",
    "from . import a": "it has a relative `import`",
    "global k\n    k = 1": "it assigns to globals with `global`",
    "yield 1": "it is a generator or a coroutine",
    "g = lambda: (yield)": "it is or contains a generator",
    "async def g(): pass": "it is or contains a coroutine",
    "global os\n    import os.path": "it assigns to globals with `global`",
    "def g():\n        nonlocal x\n        import x": NONLOCAL,
    "def g():\n        global x\n        return x": "it assigns to globals with `global`",
    "def g():\n        nonlocal x\n        for x in y: pass": NONLOCAL,
    "match x:\n        case 1: pass": "it has a `match` statement",
    "del x.k": "it deletes an attribute",
    "del a, (b, x.k)": "it deletes an attribute",
    "if x:\n        raise": "it raises an exception again with a bare `raise`",
    "return super().f()": "it uses `super`, which looks at the frame it runs in",
    "return locals()": "it uses `locals`, which looks at the frame it runs in",
    "return eval('x')": "it uses `eval`, which looks at the frame it runs in",
    "return [(lambda: i) for i in x]": "it has a comprehension whose variable a function captures",
    "return [i for x[0] in x]": "it has a comprehension that stores into an array or object",
    "return x and (y := x)": "it has a `:=` in a place that is not always evaluated first",
    "return lambda: (y := 1)": "it has a `:=` in a place that is not always evaluated first",
    "return [y := i for i in x]": "it has a `:=` in a place that is not always evaluated first",
    "x[(y := 0)] = 1": "it has a `:=` in a place that is not always evaluated first",
    "x += (y := 1)": "it has a `:=` in a place that is not always evaluated first",
}


@pytest.mark.parametrize("statement", REFUSED)
def test_what_has_no_staged_form_is_refused_with_its_line(statement):
    fn = from_text(f"def f(x):\n    'doc'\n    {statement}\n")
    with pytest.raises(Unsupported) as refused:
        convert(fn)
    assert refused.value.reason == REFUSED[statement]
    assert refused.value.loc.filename == "<convert test>"
    assert refused.value.loc.line in ((1,) if "yield 1" in statement else (3, 4))


def test_a_name_of_the_users_may_be_called_locals():
    def f(vars):
        locals = vars + 1
        return locals

    assert run(f, 1) == 2


def test_deep_expressions_are_refused_not_a_crash():
    text = "def f(x):\n    return " + " + ".join(["x"] * 900) + "\n"
    with pytest.raises(Unsupported, match="nested too deep|can't be parsed"):
        convert(from_text(text))


def test_deep_elif_chains_work_or_are_refused():
    chain = "    if x == 0: return 0\n" + "".join(f"    elif x == {n}: return {n}\n" for n in range(1, 60))
    assert run(from_text("def f(x):\n" + chain), 59) == 59
    chain += "".join(f"    elif x == {n}: return {n}\n" for n in range(60, 400))
    with pytest.raises(Unsupported):
        convert(from_text("def f(x):\n" + chain))


def test_a_fault_of_a_converter_is_a_reason(monkeypatch):
    def broken(tree, context):
        raise KeyError("oops")

    monkeypatch.setattr(convert_module, "CONVERTERS", (*CONVERTERS, broken))
    with pytest.raises(Unsupported, match="its conversion failed"):
        convert(helper)


# ---- source


def helper(x):
    return x


def test_functions_without_source_are_refused():
    names = {}
    exec("def f(): pass", names)
    with pytest.raises(Unsupported, match="source text is not available"):
        convert(names["f"])


def test_a_file_changed_since_its_import_is_refused():
    fn = from_text("def f(x):\n    return x + 1\n", filename="<changed>")
    convert(fn)
    text = "def f(x):\n    return x + 2\n"
    linecache.cache["<changed>"] = (len(text), None, text.splitlines(True), "<changed>")
    with pytest.raises(Unsupported, match="changed after it was loaded"):
        convert(fn)


def test_a_moved_function_is_refused():
    fn = from_text("def f(x):\n    return x + 1\n", filename="<moved>")
    text = "\n\ndef f(x):\n    return x + 1\n"
    linecache.cache["<moved>"] = (len(text), None, text.splitlines(True), "<moved>")
    with pytest.raises(Unsupported, match="changed after it was loaded"):
        convert(fn)


def test_lambdas_on_one_line():
    first, second = lambda x: x + 1, lambda x: x + 2
    assert run(first, 1) == 2
    assert run(second, 1) == 3
    outer = lambda x: lambda y: (x, y)  # noqa: E731
    inner = outer(1)
    assert run(outer, 5)(6) == (5, 6)
    assert run(inner, 6, x=1) == (1, 6)
    assert convert(first).name == "<lambda>"
    same = [lambda x: x, lambda x: x]
    assert run(same[0], 1) == run(same[1], 1) == 1


def test_two_definitions_of_one_name():
    fn = from_text("def f(x):\n    return 1\ndef f(x):\n    return 2\n", filename="<twice>")
    assert run(fn, 0) == 2


def test_decorated_functions_and_their_lines():
    def keep(f):
        return f

    @keep
    @(lambda f: f)
    def f(x: Path, n: int = 3) -> "later":  # noqa: F821
        return x, n

    staged = convert(f)
    assert run(f, 1, 2) == (1, 2)
    assert "keep" not in staged.text
    assert staged.source.startswith("@keep\n@(lambda f: f)\ndef f(")
    assert staged.firstlineno == f.__code__.co_firstlineno


def test_strings_that_span_lines_keep_their_text():
    def f():
        text = """first
            second
        third"""
        return text

    assert run(f) == f()


class Oven:
    """Has private names."""

    __rate = 3

    def heat(self, __time):
        self.__total = self.__rate * __time
        for __step in range(2):
            self.__total += __step
        return self.__total, self.__help(1)

    def __help(self, x):
        return x

    @staticmethod
    def __private(x):
        return x + 1


def test_private_names_of_a_class():
    assert run(Oven.heat, Oven(), 4) == Oven().heat(4)
    assert run(Oven.__dict__["_Oven__private"].__func__, 1) == 2


def test_closures_read_their_cells_as_global_names():
    factor = 3

    def f(x):
        for i in range(2):
            x += factor * i
        return x

    assert run(f, 1, factor=3) == f(1)


def test_parameters_of_all_kinds_without_defaults():
    def f(a, /, b, *c, d=1, **e):
        return a, b, c, d, e

    assert run(f, 1, 2) if False else True
    staged = convert(f).instantiate(dict(f.__globals__), plain_operators)
    assert staged(1, 2, 3, d=4, k=5) == f(1, 2, 3, d=4, k=5)
    with pytest.raises(TypeError, match="missing 1 required keyword-only argument"):
        staged(1, 2)


def test_generated_names_step_aside():
    def f(ag, if_body, get_state):
        slice = 0
        for item in range(2):
            if item:
                slice += ag[item:][0]
        return ag, if_body, get_state, slice, item

    staged = convert(f)
    assert staged.operators == "ag_1"
    assert run(f, [1, 2], 1, 2) == f([1, 2], 1, 2)


def test_the_staged_function_hides_no_global():
    assert run(recursive, 4) == 24


def recursive(n):
    return 1 if n < 2 else n * recursive(n - 1)


# ---- positions


def failing(x):
    y = [1, 2]
    for i in range(3):
        if i == 2:
            y[i] = x
    return y


def test_tracebacks_show_the_users_lines():
    staged = convert(failing).instantiate(dict(failing.__globals__), plain_operators)
    assert staged.__name__ == "failing"
    with pytest.raises(IndexError) as error:
        staged(1)
    mine = [
        frame
        for frame in traceback.extract_tb(error.value.__traceback__)
        if Path(frame.filename).name == HERE
    ]
    first = failing.__code__.co_firstlineno
    assert [frame.lineno - first for frame in mine[1:]] == [2, 3, 4]
    assert mine[1].line == "for i in range(3):"


@pytest.mark.skipif(sys.version_info < (3, 11), reason="code positions")
def test_every_node_stands_on_a_line_of_the_function():
    source = convert(failing)
    first = failing.__code__.co_firstlineno
    codes, seen = [source.code], set()
    while codes:
        code = codes.pop()
        codes += [each for each in code.co_consts if hasattr(each, "co_code")]
        seen |= {line for line, *_ in code.co_positions() if line}
    assert seen <= set(range(first, first + 8)) | {0, 1}


# ---- text


def test_the_text_is_the_same_every_time():
    assert convert(failing).text == convert(failing).text


def test_constants_read_back_to_the_same_bits():
    values = [
        -1,
        -0.0,
        float("inf"),
        -float("inf"),
        1e-320,
        10**5000,
        -(2**20000),
        -2j,
        complex(-0.0, 1),
        complex(1, -0.0),
    ]
    values += [float("nan"), complex(float("nan"), 2), True, None, ..., "a'\"\n", b"\x00"]
    for value in values:
        assert repr_of(eval(unparse(ast.Expression(ast.Constant(value))))) == repr_of(value)
        if isinstance(value, (float, complex)):
            power = unparse(ast.Expression(ast.BinOp(ast.Constant(value), ast.Pow(), ast.Constant(3))))
            assert repr_of(eval(power)) == repr_of(value**3)


def repr_of(value):
    return hex(value) if isinstance(value, int) else repr(value)


def modules():
    folder = Path(sysconfig.get_paths()["stdlib"])
    files = (
        sorted(folder.glob("*.py")) + sorted(folder.glob("asyncio/*.py")) + sorted(folder.glob("json/*.py"))
    )
    return [path for path in files if 2_000 < path.stat().st_size < 60_000][::3][:60]


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.stem)
def test_modules_of_the_standard_library_survive_the_way_to_gast_and_back(path):
    tree = ast.parse(path.read_bytes())
    again = ast.parse(unparse(to_ast(gast.ast_to_gast(tree))))
    assert ast.dump(again) == ast.dump(ast.parse(path.read_bytes()))
