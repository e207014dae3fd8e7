"""What programs that differentiate are put together from: loops, what functions capture, what they do besides."""

from __future__ import annotations

IMPORTS = """import functools

import jitscope as js
from fuzz.forms import Box, Duo, Pair, Plain
"""
HEADER = """\
def total(values):
    acc = 0.0
    for v in values:
        acc = acc + np.sum(v * v)
    return acc


def squares(v):
    return np.sum(v * v * v)


DSQUARES = js.grad(squares)


def GRAD_OF_SQUARES(v):
    return np.sum(js.grad(squares)(v) ** 2)


def descend(loss, p, rate, steps):
    for _ in range(steps):
        g = js.grad(loss)(p)
        for i in range(len(p)):
            p[i] = p[i] - rate * g[i]
    return p


def slopes(loss, *args):
    return js.value_and_grad(loss)(*args)


def moved(p, g):
    if isinstance(p, list):
        return [moved(a, b) for a, b in zip(p, g)]
    if isinstance(p, tuple):
        return tuple(moved(a, b) for a, b in zip(p, g))
    if isinstance(p, dict):
        return {k: moved(p[k], g[k]) for k in p}
    return p - 0.1 * g


def note(log, *items):
    log.append(items)
    return items[0]


@js.custom_gradient
def clipped(v):
    def rule(up):
        return up * 0.5

    return v * 2.0, rule


"""
LOOPS = (
    ["for i in range(100):", "    s = s * 0.9 + x[i % len(x)] * 0.01"],
    ["t = np.zeros(64)", "for i in range(1, 64):", "    t[i] = t[i - 1] * 0.5 + x[i % 3]", "s = s + t[-1]"],
    ["for i in range(80):", "    if s > 2.0:", "        s = s - 1.0", "    s += 0.05 * u"],
    ["t = x.copy()", "for i in range(60):", "    t = np.sin(t) * 0.9 + x * 0.1", "s = s + t.sum()"],
)
# by name: what is made before the functions, and read or written by them
CAPTURED = {
    "calls": "[]",
    "factors": "[0.5, u, 0.25]",
    "scales": "np.array([0.5, 1.5])",
    "log": "[]",
    "state": '{"count": 0, "scale": 0.5, "seen": [0.0, 1.0], "on": True}',
    "weights": "[0.5, -0.25, u]",
    "box": "Box(x * 0.5, 0.25, [1.0])",
    "buf": "np.zeros(4)",
    "arrays": "[x * 0.5, x + 1.0]",
    "obj": "Plain(0.5, u)",
    "table": "{0: 0.5, 1: u, 2: -0.5}",
}
TAILS = {
    "calls": "calls.append(0.0)",
    "factors": "factors[0] = 0.75",
    "scales": "scales[1] = 0.25",
    "log": "log.append(s)",
    "state": 'state["scale"] = 0.25',
    "weights": "weights[0] = 0.75",
    "box": "box.b = box.b + 1.0",
    "buf": "buf[0] += 1.0",
    "arrays": "arrays[0] = arrays[1]",
    "obj": "obj.b = obj.b * 0.5",
    "table": "table[1] = s",
}
NEEDED = {
    "weighed": ("factors", "scales"),
    "counted": ("calls",),
    "noted": ("log", "state"),
    "rowed": ("arrays",),
}
CUSTOMS = {
    "noted": """@js.custom_gradient
def noted(v):
    log.append(0.5)

    def rule(up):
        state["count"] += 1
        return up * state["scale"]

    return v * 3.0, rule""",
    "rowed": """@js.custom_gradient
def rowed(v):
    def rule(up):
        return up * arrays[0].sum() + up * len(arrays)

    return v * 0.5, rule""",
    "doubled": """@js.custom_gradient
def doubled(v):
    def rule(*ups):
        return [up * 2.0 for up in ups]

    return [w * 1.0 for w in v], rule""",
    "keyed": """@js.custom_gradient
def keyed(d):
    def rule(up):
        return {k: up * d[k] for k in d}

    return sum(np.sum(d[k]) for k in d), rule""",
    "same_list": """@js.custom_gradient
def same_list(v):
    def rule(*ups):
        return [up * 0.5 for up in ups]

    return v, rule""",
    "weighed": """@js.custom_gradient
def weighed(v):
    def rule(up):
        return up * factors[0] + up * scales[1]

    return v * factors[1], rule""",
    "counted": """@js.custom_gradient
def counted(v):
    def rule(up):
        calls.append(1.0)
        return up * 0.5

    return v * 2.0, rule""",
    "named": """@js.custom_gradient
def named(v):
    def rule(a, b):
        return a * 2.0 + b

    return {"a": v * 2.0, "b": v}, rule""",
    "listed": """@js.custom_gradient
def listed(v):
    def rule(one, other):
        return one * 2.0 + other * 3.0

    return [v * 2.0, v * v], rule""",
    "silent": """@js.custom_gradient
def silent(v):
    def rule(up):
        return None

    return v * v, rule""",
    "square": """@js.custom_gradient
def square(v):
    def rule(up):
        return up * 3.0 * v

    return v * v, rule""",
    "both": """@js.custom_gradient
def both(a, b):
    def rule(up):
        return up * b, None

    return a * b, rule""",
    "halved": """@js.custom_gradient
def halved(v):
    def rule(up):
        return up * 0.25

    return v * 0.5, rule""",
    "pair": """@js.custom_gradient
def pair(v):
    def rule(up, other):
        return up * 2.0 + other * v

    return (v * 2.0, v * v), rule""",
    "parts": """@js.custom_gradient
def parts(v):
    def rule(up):
        return [up * 2.0 for _ in v]

    return sum(v), rule""",
}
# (what must be captured, the kind of {p}, whether something that is captured is written, the lines)
EXTRAS: list[tuple[str, str, bool, str]] = [
    ("", "", False, "acc = acc * js.stop_gradient(acc) + acc"),
    ("", "", False, "acc = acc + js.stop_gradient(np.sin(acc))"),
    ("", "A", False, "acc = acc + np.sum(js.stop_gradient({p}) * {p})"),
    ("", "list", False, "{N} = js.stop_gradient({p})\nacc = acc * 0.5 + 0.1 * len({N})"),
    ("", "dict", False, "{N} = js.stop_gradient({p})\nacc = acc * 0.5 + 0.1 * len({N})"),
    ("", "", False, "acc = clipped(acc) * 0.5"),
    ("square", "", False, "acc = square(acc) * 0.1 + acc"),
    ("square", "A", False, "acc = acc + np.sum(square({p}))"),
    ("both", "", False, "acc = both(acc, js.stop_gradient(acc)) * 0.1 + both(acc, u)"),
    ("both", "A", False, "acc = acc + np.sum(both({p}, x[0]))"),
    ("halved", "", False, "acc = halved(acc)"),
    ("weighed", "", False, "acc = weighed(acc) + acc"),
    ("weighed", "A", False, "acc = acc + np.sum(weighed({p}))"),
    ("weighed", "", True, "factors[0] = 0.125"),
    ("counted", "", True, "acc = counted(acc)"),
    ("named", "", False, '{N} = named(acc)\nacc = {N}["a"] * 0.5 + {N}["b"]'),
    ("listed", "", False, "{N} = listed(acc)\nacc = {N}[0] * 0.5 + {N}[1]"),
    ("listed", "", False, "for v in listed(acc):\n    acc = acc + 0.1 * v"),
    ("noted", "", True, "acc = noted(acc)"),
    ("rowed", "", False, "acc = rowed(acc)"),
    ("rowed", "", False, "acc = rowed(np.sin(acc))"),
    ("doubled", "LF", False, "{N} = doubled({p})\nacc = acc + {N}[0] * {N}[-1]"),
    ("doubled", "LA", False, "{N} = doubled({p})\nacc = acc + np.sum({N}[0] * {N}[0])"),
    ("keyed", "dict", False, "acc = acc + keyed({p})"),
    ("same_list", "LF", False, "{N} = same_list({p})\nacc = acc + sum({N})"),
    ("same_list", "LA", False, "for {N} in same_list({p}):\n    acc = acc + {N}.sum()"),
    ("parts", "LF", False, "acc = acc + parts({p})"),
    ("", "LF", False, "acc = acc + js.grad(lambda z: sum(v * v * v for v in z))({p})[0]"),
    (
        "",
        "LF",
        False,
        "{N} = [v * 0.5 for v in {p}]\n{N}.append(acc)\n{N}[0] = {N}[-1]\nacc = acc + sum({N})",
    ),
    ("", "LF", False, "{N} = np.array({p})\nacc = acc + np.sum({N} * {N})"),
    ("", "LA", False, "acc = acc + np.sum(np.array([v[0] for v in {p}]))"),
    ("", "LA", False, "{N} = {p}[0] * 1.0\nfor v in {p}:\n    {N} += v[0]\nacc = acc + {N}.sum()"),
    ("", "LA", False, "{N} = np.stack([v[:2] for v in {p}])\nacc = acc + np.sum({N} ** 2)"),
    ("", "LF", False, "{N} = js.stop_gradient({p})\nacc = acc * {N}[0] + sum({N})"),
    ("", "LA", False, "{N} = js.stop_gradient({p})\nacc = acc + np.sum({N}[0] * {p}[0])"),
    ("", "A", True, "{p}[0] = 0.5\nacc = acc + {p}.sum()"),
    ("", "A", True, "{p}[:] = {p} * 0.5\nacc = acc + {p}[0] * {p}[-1]"),
    ("", "LA", True, "{p}[0][0] = 0.5\nacc = acc + {p}[0].sum()"),
    ("", "A", False, "{N} = {p}[1:]\nacc = acc + np.sum({N} * {N})"),
    ("log", "", True, "log.append(x)"),
    ("log", "", True, "log.append([0.5])\nlog[0] = 1.0"),
    ("log", "", True, "log.append(acc)"),
    ("state", "", True, 'state["last"] = acc'),
    ("state", "", True, 'state["new"] = [1.0]'),
    ("state", "", True, 'state["seen"] = state["seen"] + [1.0]'),
    ("weights", "", True, "weights.pop()"),
    ("weights", "", True, "weights[0], weights[1] = weights[1], weights[0]"),
    ("arrays", "", True, "arrays[0] = arrays[1]"),
    ("arrays", "", True, "arrays[1] *= 0.5"),
    ("table", "", True, "table[0] += 1.0"),
    ("table", "", True, "for k in table:\n    table[k] = table[k] * 0.5"),
    ("buf", "", True, "for j in range(4):\n    buf[j] = buf[j - 1] * 0.5 + 1.0"),
    ("silent", "", False, "acc = acc + silent(acc) * 0.1"),
    ("", "list", False, "for {N} in js.stop_gradient({p}):\n    acc = acc + 0.1"),
    ("", "dict", False, "for {N} in js.stop_gradient({p}.values()):\n    acc = acc + 0.1"),
    ("", "A", False, "{N} = js.checkpoint(lambda v, w: np.sum(np.sin(v) * w))\nacc = acc + {N}({p}, x[0])"),
    (
        "",
        "list",
        False,
        "acc = acc + js.checkpoint(lambda v: np.sum(v[0]) if not isinstance(v[0], (list, tuple, dict)) else 0.5)({p})",
    ),
    ("pair", "", False, "{N} = pair(acc)\nacc = {N}[0] + {N}[1] * 0.1"),
    ("weights", "", False, "acc = acc * weights[0] + weights[-1]"),
    ("weights", "", False, "for w in weights:\n    acc = acc + w * np.tanh(acc)"),
    ("weights", "", False, "acc = acc + js.stop_gradient(weights)[0] * acc"),
    ("weights", "", True, "weights[0] = 0.125"),
    ("weights", "", True, "weights.append(1.0)"),
    ("arrays", "", False, "acc = acc * arrays[0].sum() + np.sum(arrays[-1])"),
    ("arrays", "", False, "for r in arrays:\n    acc = acc + np.sum(r * acc)"),
    ("arrays", "", True, "arrays[0][0] = 0.5"),
    ("arrays", "", True, "arrays.append(x)"),
    ("state", "", False, 'acc = acc * state["scale"]'),
    ("state", "", False, 'if state["on"]:\n    acc = acc * 0.5'),
    ("state", "", True, 'state["count"] += 1'),
    ("state", "", True, 'state["scale"] = 0.75'),
    ("state", "", True, 'state["seen"].append(2.0)'),
    ("state", "", True, 'state["seen"][0] = 3.0'),
    ("log", "", True, "log.append(1.0)"),
    ("log", "", True, "log.append(len(log))"),
    ("log", "", False, "acc = acc + 0.1 * len(log)"),
    ("table", "", False, "acc = acc * table[0] + table[2]"),
    ("table", "", False, "for k in table:\n    acc = acc + table[k] * 0.1"),
    ("table", "", True, "table[3] = 1.0"),
    ("box", "", False, "acc = acc * box.b + box.w[0]"),
    ("box", "", True, "box.b = 0.75"),
    ("box", "", True, "box.parts.append(2.0)"),
    ("buf", "", True, "buf[1] = 2.0"),
    ("buf", "", True, "buf[0] += 1.0"),
    ("buf", "", False, "acc = acc + np.sum(buf)"),
    ("buf", "", True, "buf[2] = acc"),
    ("obj", "", False, "acc = acc * obj.b"),
    ("obj", "", False, "acc = obj.scaled(acc) + obj.w"),
    ("obj", "", True, "obj.b = 0.5"),
    ("obj", "", True, "obj.log.append(1.0)"),
    ("", "", False, "acc = js.checkpoint(lambda v: np.sin(v) * v)(acc)"),
    ("", "", False, "for j in range(50):\n    acc = acc * 0.99 + 0.01 * np.sin(acc)"),
    (
        "",
        "A",
        False,
        "{N} = np.zeros(len({p}))\nfor j in range(len({p})):\n    {N}[j] = {p}[j] * acc\nacc = acc + {N}.sum() * 0.1",
    ),
    ("", "A", False, "acc = acc + np.sum(js.grad(lambda z: np.sum(z**3))({p}))"),
    ("", "F", False, "acc = acc + js.grad(lambda z: z**3)({p})"),
    ("", "", False, "if n > 3:\n    acc = acc * 0.5\nelse:\n    acc = acc + 0.25"),
    ("", "", False, "if acc > 0.3:\n    acc = acc * 0.5"),
    ("", "list", False, "{N} = list({p})\n{N}.append({N}[0])\nacc = acc + 0.1 * len({N})"),
    (
        "",
        "list",
        False,
        "{N} = {p}[::-1]\nacc = acc + np.sum({N}[0] if not isinstance({N}[0], (list, tuple, dict)) else 0.0)",
    ),
    ("", "dict", False, "{N} = dict({p})\nacc = acc + 0.1 * len({N})"),
    ("", "dict", False, "{N} = list({p}.keys())\nacc = acc + 0.1 * len({N})"),
]
