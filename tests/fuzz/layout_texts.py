"""What programs on arrays of every layout are put together from: tables of texts, between bars.

In each text {a} is an array's name, {v} a view, {e} an expression, {s} a number, {i} an index, {k} a length,
{m} a mask, {t} what is written to, {w} an array to write to, {x} and {y} an axis, {o} an order, {d} a dtype.
"""

from __future__ import annotations

import re

SIZES = (
    ({"n": 4, "m": 3}, {"n": 3, "m": 2}, {"n": 5, "m": 4}),
    ({"n": 3, "m": 3}, {"n": 2, "m": 2}, {"n": 4, "m": 4}),
    ({"n": 3, "m": 2}, {"n": 1, "m": 3}, {"n": 2, "m": 1}),
    ({"n": 2, "m": 4}, {"n": 1, "m": 1}, {"n": 3, "m": 1}),
)
ARGUMENTS = {
    "x": ("float64 n m", "float64 n m", "float64 m n", "float64 n n"),
    "y": ("float64 n", "float64 m", "float32 n"),
    "w": ("float32 n m", "float64 n 1 m", "complex128 n m", "float64 2 n m", "float64 m 1", "int32 n m"),
    "a": ("int64 n", "int64 m", "int32 n m", "int64 n m"),
    "k": ("int 1 0 2", "int 0 1 1", "int 2 1 0"),
}
VIEWS = """
{a}.T|{v}.T|{v}[::-1]|{a}[::2]|{a}[1::3]|{v}[1:]|{v}[:-1]|{v}[{k}:]|{v}[:{k}]|{a}[..., ::-1]|{a}[:, ::-1]
{a}[:, 1:]|{a}[:, None]|{a}[None]|{v}[..., None]|{a}[:, np.newaxis]|{a}.swapaxes(0, 1)
np.swapaxes({v}, 0, -1)|{a}.transpose(1, 0)|np.moveaxis({a}, 0, -1)|np.transpose({a}, (2, 0, 1))
{a}.reshape(-1)|{v}.reshape(-1)|{v}.ravel()|{a}.ravel("{o}")|{a}.reshape(-1, order="{o}")
{a}.reshape({a}.shape[::-1])|{a}.reshape({a}.shape[::-1], order="F")|{a}.reshape(2, -1)
np.broadcast_to({a}, (2, *{a}.shape))|np.broadcast_to({v}, (3, {a}.shape[0]))|{a}.diagonal()
np.diagonal({v}, 1)|{a}.squeeze()|np.expand_dims({a}, 1)|{a}.real|{a}.imag|{v}[2:2]|{v}[-2:]|{a}[{i}]
{a}[:, {i}]|{v}[{i}]|{a}[{i}:]|{a}[0, ...]|{a}[..., 0]|np.flip({a}, 0)|np.flip({a})|{a}[::-1, ::-1]
{a}[::-2]|{a}[0:1]|{a}[:, 0:1]|{a}[:, :, 0]|{a}[:, 0, :]
"""
COPIES = """
{a}.copy()|{v}.copy()|{v}.copy(order="{o}")|np.asfortranarray({v})|np.ascontiguousarray({v})
np.array({v}, order="{o}")|np.array({a})|{v}.flatten("{o}")|np.asarray({a}, order="F")
np.zeros({a}.shape, order="F")|np.zeros_like({v})|{v} * 0.5|np.ones({v}.shape, {d})
np.full({a}.shape[::-1], {s}, order="F")|{v}.astype({d})|{a}.astype({d}, order="{o}")|{v} + 1
np.full_like({v}, 2)|np.array([{s}, {s}])|np.zeros(())|np.array({s})|np.arange({k} + 1)
np.arange({a}.size).reshape({a}.shape)|np.linspace(0, 1, 3)|np.arange(6.0).reshape(2, 3, order="F")
{a}.flat[1:]|grown({a}, k)|ends({v})[0]|np.array({v}.tolist())
"""
EMPTY = """
np.zeros(0)|{a}[2:2]|{v}[5:]|np.empty((0, {a}.shape[-1]))|np.zeros((0, 3))|{v}[:0]|{a}[:, :0]
np.array([], dtype=int)|np.zeros(({a}.shape[0], 0))|np.concatenate([np.zeros(0), {v}])
np.concatenate(({v}[:{k}], {v}[{k}:]))|np.vstack((np.empty((0, {a}.shape[-1])), {v}))
np.concatenate((np.empty((0, {a}.shape[1])), {a}, {a}[::-1]))|{a}[np.array([], dtype=int)]
{v}[{v} > 50].reshape(-1)|np.concatenate([{v}[:{k}], {e}[:0]])|{a}[{a} > 90]|np.append({a}[:0], {s})
np.hstack(({v}[1:], {v}[:1]))|np.zeros((2, 0)).sum({x})|{a}[2:2].sum(0)|np.cumsum({v}[:{k}])
np.where({v}[1:] > 0, 1, 0)|np.zeros((0, 2)) @ np.ones((2, 3))|{v}[{k}:].prod(0)|np.flatnonzero({a} > 50)
np.ones((3, 0)) @ np.ones((0, 2))|np.sort({v}[{k}:])|{v}[:0].any(0)
np.concatenate(({a}[1:], {a}[:1]), axis=0)
"""
ARRAYS = """
{v} + {v}|{v} - {v}|{v} * {v}|{e} + {v}|{a} + {a}.T|{v} * 0.5|{v} * {s}|{s} - {v}|np.tanh({e})
np.maximum({v}, {s})|np.minimum({v}, {v})|np.abs({v})|-{v}|{v} // 2|{v} % 3|-{v} // 3|{v} % -4
{v} // (np.abs({v}) + 1)|{v} / 4|{v} / (np.abs({v}) + 1)|np.where({m}, {v}, {v})|np.where({m}, {v}, 0)
np.where({v} > 0.3, {s}, -1.5)|{m}|{m} & ({v} < 1)|~{m}|{v}.astype({d})|np.cumsum({v}, axis={x})
{v}.cumsum()|{v}.sum({x})|{v}.sum(axis={x}, keepdims=True)|{v}.mean({x})|{v}.max({x})
{v}.min(axis={x}, keepdims=True)|{a}.argmax({x})|{a}.argmin(axis={x})|np.argsort({a}, kind="stable")
np.sort({v}, axis={x})|np.sort({v})|{v}.sum(axis=(0, 1))|{v}.sum((0, -1), keepdims=True)|{m}.sum({x})
{m}.any({x})|{m}.all(axis={x}, keepdims=True)|{v} @ {v}|np.dot({v}, {v})|np.outer({v}, {v})
{a}[:, None] - {a}[None]|{a}[:, None] * {v}|{a} - {a}.mean(axis={x}, keepdims=True)
np.concatenate(({v}, {v}))|np.stack(({v}, {v}), axis={y})|np.vstack(({v}, {v}))|np.roll({a}, 1, axis={x})
{a}[[1, 0]]|{a}[:, [0, -1]]|{a}[np.array([0, 0])]|np.repeat({v}, 2, axis={y})|np.tile({v}, 2)|np.diff({v})
{a}[{a}[:, 0] > 0]|np.clip({v}, -1, 1)|np.real({v})|{a}.conj()|{a} * 1j|np.take({v}, [0, -1], axis={y})
np.prod({v}, axis={y})|np.square({v}) * 0.5|np.add.reduce({v}, axis={y})|np.logical_or({m}, {v} > 1)
np.sign({v})|np.floor({v})|{s} * {v} + {v}
"""
NUMBERS = """
{a}[{i}]|{a}[{i}, {i}]|{a}.flat[{i}]|{v}.sum()|{a}.mean()|{a}.max()|{v}.min()|{v}[0].item()|float({v}.sum())
{v}.shape[0]|len({v})|{v}.size|{v}.ndim|int({v}.flags.f_contiguous)|int({v}.flags.c_contiguous)
{v}.ravel("K")[{i}]|{v}.reshape(-1, order="A")[{i}]|{e}.ravel("K")[-1]|int({e}.flags.f_contiguous)
({e}).strides[0] // 4|{v}.strides[-1]|{v}[{k}:].sum()|np.prod({v}[:{k}])|{v}.ravel("F")[{i}]
int(np.isnan(np.mean({v}[:{k}])))|np.nan_to_num({v}[{k}:].mean())|int({m}.any())|int(({v}[2:2] > 0).all())
bool({m}.all())|{a}.argmax()|int({v}.argmin())|np.count_nonzero({m})|np.float32(0.5) * 2.0
np.float32({s}) + {s}|np.int8({k}) + 1|{v}.sum() * 2|{v}.sum() / 2|{v}[{i}] + 1|np.asarray(3.0) * {s}
float(np.asarray({s}))|np.array({k}) + 1|np.array(2)[()]|{v}.max(initial=0)|sum({v}[:{k}])
float(({v} * {v}).sum())|{s} + {s}|{s} * 0.5|{a}.sum() % 5|{a}.sum() // -2|{v}.sum(dtype=np.float64)
np.sum({e})|total({a})|total({v}[{i}])|np.ptp({a})|abs({a}[{i}])|np.vdot({v}, {v})|np.int32({k}) // 2
np.float32({v}.sum())|({v} > 0.3).mean()|any({v} > 50)|all({v}[:0])|max({v}.shape)|complex({s})
np.asarray({v}.max()).ndim|int(np.shares_memory({a}, {a}))|{a}[{k}:].any()|{a}.nbytes
{a}[0] // 2 if {c} else 1|len({v}.tolist())|np.bool_({c})
"""
TARGETS = """
{v}[{i}]|{v}[...]|{v}[1:]|{v}[::2]|{v}[::-1]|{v}[:-1]|{v}[:, ::-1]|{v}[:, {i}]|{v}[{i}, {i}]|{v}[:{k}]
{v}[{k}:]|{a}[{m}]|{a}[[1, 0]]|{a}.T[{i}]|{a}.T[...]|{a}.reshape(-1)[{i}]|{a}.flat[{i}]|{a}[:, None][...]
{v}[2:2]|{a}[{a} > 0.3]|{a}.real[...]|{a}.imag[0]|{a}[()]|{a}[:, [0, -1]]
"""
# `negative` is not written in place: NumPy's own loop is wrong where elements lie 16 or 64 bytes apart (2.4.6, x86)
WRITES = """
{t} = {s}|{t} = {v}|{t} = {e}|{t} += {s}|{t} += {v}|{t} -= {v} * 0.5|{t} *= 0.5|{t} = {t}|{t} *= {v}
{a} += {v}|{a} *= 0.5|{a} -= {s}|{a}[1:] = {a}[:-1]|{a}[:-1] = {a}[1:]|{a}[1:] += {a}[:-1]|{a}[...] = {a}.T
{a} += {a}.T|{a} += {a}[::-1]|{a} -= {a}[..., ::-1]|{a}[::-1] = {a}|{a}[[0, 1]] = {a}[[1, 0]]
{a}[0], {a}[1] = {a}[1], {a}[0]|{a}[:, [0, 1]] = {a}[:, [1, 0]]
{a}[{i}], {a}[-1] = {a}[-1] * 1, {a}[{i}] * 1|np.add({v}, {v}, out={w})|np.multiply({v}, 0.5, out={w})
np.tanh({v}, out={w})|np.maximum({v}, {v}, out={w})|np.copyto({w}, {v})|np.multiply({w}, -1, out={w})
np.subtract({a}, {a}.T, out={a})|{w}[:] = np.cumsum({v}, 0)|{w}.sort()|{w}.sort(axis=0)|{w}.fill({s})
{a} //= 2|{a} %= 5|{a} /= 2|{a} **= 2|half({w})|shift({w}, {v})|relax({w}, {v})|relax({w}, {w}[::-1])
{a}[:, 0], {a}[:, -1] = {a}[:, -1].copy(), {s}|np.add.at({a}, [0, 0], {s})|np.clip({w}, -1, 1, out={w})
{t} = {m}|{a}[{i}, {i}] = {a}[{i}, {i}] * 0.5 + {s}|{a}.T[{i}, {i}] -= {v}[{i}]
{v}[{i}] = {a}[{i}] + {v}[{i}]|{a}[::-1][{i}] *= 0.5|{a}[{m}] *= -1|{a}[{m}] = {a}[{m}] + 1
{a}[np.array([], dtype=int)] = 7|{a}[{a} > 90] = {s}|np.sum({v}, axis=0, out={w})|{a} @= {v}
np.put({a}, [0], {s})|np.fill_diagonal({a}, {s})|{a} ^= 1|{t} = {v}.sum(0)|{t} = {v}.mean()
{a} += {a}.sum(0) * 0.5|{a}[:] = sorted({a})
"""
LOOPS = """
for I in range({k}):|for I in range({a}.shape[0]):|for I in range(k):|for I in range({v}.shape[0]):
for I in range({a}.shape[-1] - 1, -1, -1):|for R in {v}:|for R in {a}.T:|for I, R in enumerate({v}):
for R, Q in zip({v}, {v}):|for I in range(1, {a}.shape[0]):|for R in {a}[::-1]:|for I in range(3):
for I in range(2):|for I in range({a}.shape[0] - 1):|while c < 3:
"""
OTHERS = """
np.concatenate(({a}, {v}[:1]))|{a}[1:]|{a}[:-1]|{a}.T|{a}[::-1]|{a}[{k}:]|np.asfortranarray({a})
{a}.T.copy()|{a}[:, ::-1]|{a}[:, 1:]|np.vstack(({a}, {v}))|{a}.copy("{o}")|{v}|{a} * 1|{e}|{a}[::2]
np.concatenate(({a}[1:], {a}[:1]))|np.concatenate(({a}[:{k}], {a}[{k}:]))|{a}.swapaxes(0, -1)|{v}|{e}|{e}
"""
OPENINGS = """
np.asfortranarray({a})|{a}.T|{a}[::-1]|{a}[::2]|{a}[..., ::-1]|{a}[:, ::-1]|{v}|{v}
np.broadcast_to({a}, (2, *{a}.shape))|{a}[None]|{a}[:, None]
{a}.T.copy()|{a}[:0]|{a}[{k}:]|{a}[:1]|x|x[0]|x[:, 0]|x.T
x.reshape(-1)|{a}.swapaxes(0, -1)
"""
CONDITIONS = """
{k} > 1|c % 2 == 0|c % 3 == 1|{v}.shape[0] > 2|{v}.size == 0|{a}.shape[0] == 1|{m}.any()|{m}.all()
{v}.flags.f_contiguous|{a}[{i}] > 0.3|s > 0.37|{a}.ndim > 1 and {a}.shape[0] > 1|not {v}.size
({v}[2:2] > 0).any()|{i} % 2 == 0|{i} == 0|{i} > 0|np.sum({m}) > 1
"""
RAISING = ("s += float({a}.reshape(-1)[{k} + 4])", "{a}[k + 2] = 0", "c += int({v}[{k} + 1, {i}] > 0.3)")
HELPERS = """def half(v):
    v *= 0.5
    return v


def shift(v, w):
    v[1:] = w[:-1]
    v[:1] = w[-1:]


def relax(v, w):
    for i in range(1, v.shape[0]):
        v[i] = v[i - 1] * 0.5 + w[i]


def ends(v):
    return v[::-1], v[-1:]


def grown(v, k):
    out = np.zeros((0,) + v.shape[1:])
    for i in range(k):
        out = np.concatenate((out, v[i : i + 1]))
    return out


def total(v):
    t = 0.0
    for e in v:
        t += e
    return t


"""
# What an array of an inner block is seen by, when the block ends.
ENDS = ("{}.sum()", "{}.mean()", "{}[..., :1].sum()", "{}.size", "{}[::2].sum()", "{}[-1].sum()", "{}.max()")
TABLES = {
    "v": VIEWS,
    "e": ARRAYS,
    "s": NUMBERS,
    "t": TARGETS,
    "c": CONDITIONS,
    "copy": COPIES,
    "empty": EMPTY,
    "write": WRITES,
    "loop": LOOPS,
    "other": OTHERS,
    "opening": OPENINGS,
}
CHOICES = {
    letter: [text for line in table.strip().splitlines() for text in line.split("|")]
    for letter, table in TABLES.items()
}
# What is mostly left to NumPy: programs of it alone would show little.
SELDOM = re.compile(
    r"flat|imag|order|flags|ravel\(\"|array\(\[\]|put|add\.at|int8|int32\(|float32\(|nan_to_num|isnan"
    r"|asarray\(|np\.array\({|tolist|sorted|initial|shares|nbytes|vdot|diagonal|\.sort|tile|dtype=|ptp"
    r"|argsort|array\(2|complex\(|bool_|item\(|flatten|{v}\.reshape|{v}\.ravel"
    r"|\[1, 0\]\]|\[0, -1\]\]|len|float\("
)
PLAIN = {
    "x": ("0", "-1", "None", "1"),
    "y": ("0", "-1", "1"),
    "o": ("C", "F", "A", "K"),
    "d": ("np.float64", "np.float32", "np.int64", "np.int32", "complex", "bool", "float", "int"),
}
