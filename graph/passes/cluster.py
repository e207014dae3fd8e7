"""Clusters: runs of nodes that are compiled as one unit."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ..devices import DEVICE, device_of, is_forced, is_on_gpu
from ..effects import Aliases, conflict, effects_of, is_array
from ..ir import ENDINGS, Block, Graph, Node, Value, walk
from ..ops import OPS
from ..ops.define import CONTROL, CREATION, ELEMENTWISE, REDUCTION
from ..rewrite import Names, Substitution, used_by, with_attrs, with_body
from ..types import Array, Scalar
from .compilable import is_alone, scope_of, why_not
from .identity import UNCLEAR, Identities, made_in
from .options import Options

# A call of a cluster costs about as much as one NumPy call on a small array (10) or twenty scalar operations.
_WORTH = 20
_ARRAY_WORK, _ELEMENT, _SCALAR = 10, 2, 1
# What the driver does as well, if nothing in the cluster needs it.
_DRIVER_OPS = ("view", "reshape", "size", "copy", "empty", "zeros", "ones", "full")
# The same where a device was asked for: memory stays there.
_FREE_OPS = ("view", "reshape", "size")
_TOO_LITTLE = "too little work for a call of compiled code"


def cluster(graph: Graph, options: Options) -> Graph:
    """Wrap runs of compilable nodes in `cluster` nodes, one compiled function each.

    Before::

        graph f(%x: f64[n]) sizes n=x[0] {
          %t0: f64[n] = exp(%x) {loop=('float64',)}
          %t1: f64[n] = add(%t0, 1.0) {loop=('float64', 'float64')}
          return %t1 {text='{0}'}
        }

    After::

        graph f(%x: f64[n]) sizes n=x[0] {
          %t1.1: f64[n] = cluster(%x) {name='cluster_0', scope=None} {
            %t0: f64[n] = exp(%x) {loop=('float64',)}
            %t1: f64[n] = add(%t0, 1.0) {loop=('float64', 'float64')}
            yield %t1
          }
          return %t1.1 {text='{0}'}
        }
    """
    names = Names.of(graph)
    aliases = Aliases(graph)
    work = _Clusters(options, aliases, names, Identities(graph, aliases))
    body = work.block(graph.body)
    return with_body(replace(graph, sizes=names.sizes), body)


def reasons(graph: Graph, options: Options | None = None) -> list[tuple[Node, str]]:
    """Every node that stands outside of the clusters of `graph`, with the reason."""
    options = options or Options()
    found: list[tuple[Node, str]] = []
    todo = [graph.body]
    while todo:
        for node in todo.pop(0).nodes:
            if node.op in ENDINGS or node.op == "cluster":
                continue
            found.append((node, why_not(node, options) or _TOO_LITTLE))
            todo += node.regions
    return found


@dataclass(slots=True)
class _Run:
    """A cluster that grows: `before` and `after` are nodes left out that moved to its sides."""

    scope: str | None = None
    device: str = ""
    alone: bool = False
    before: list[Node] = field(default_factory=list)
    inside: list[Node] = field(default_factory=list)
    after: list[Node] = field(default_factory=list)


@dataclass(slots=True)
class _Clusters:
    options: Options
    aliases: Aliases
    names: Names
    identities: Identities
    replaced: Substitution = field(default_factory=Substitution)
    count: int = 0

    def block(self, block: Block) -> Block:
        """`block` with clusters in it and in the regions of what isn't compiled as a whole."""
        params = tuple(self.replaced.define(param) for param in block.params)
        out: list[Node] = []
        run = _Run()
        place = {node: k for k, node in enumerate(block.nodes)}
        for node in block.nodes:
            if node.op in ENDINGS or self._why_not(node) or _beside(node, run):
                self._leave_out(node, run)
                continue
            scope = scope_of(node, self.options)
            device, alone = device_of(node), is_alone(node, self.options)
            same = (scope, device) == (run.scope, run.device) and not (alone or run.alone)
            if run.inside and not (same and self._joins(node, run)):
                out += self._close(run, block, place)
                run = _Run()
            if not run.inside:
                # What was left out so far comes first anyway.
                out += [self._outside(n) for n in run.before]
                run = _Run(scope, device, alone)
            run.inside.append(node)
        out += self._close(run, block, place)
        return Block(params, tuple(out))

    def _leave_out(self, node: Node, run: _Run) -> None:
        """Move `node` to before or after the run; after it is always right."""
        if not run.inside:
            run.before.append(node)
            return
        others = (*run.inside, *run.after)
        free = node.op not in ENDINGS and not self._uses(node, others)
        if free and not any(conflict(other, node, self.aliases) for other in others):
            run.before.append(node)
        else:
            run.after.append(node)

    def _joins(self, node: Node, run: _Run) -> bool:
        """True if `node` may move up across the nodes after the run."""
        if self._uses(node, run.after) or self.identities.apart(node, run.inside):
            return False
        return not any(conflict(other, node, self.aliases) for other in run.after)

    def _uses(self, node: Node, others: tuple[Node, ...] | list[Node]) -> bool:
        made = {result for other in others for result in other.results}
        return bool(made) and not made.isdisjoint(used_by(node, self.names))

    def _outside(self, node: Node) -> Node:
        """`node` as it stands in the driver: clusters in its regions, replaced values renamed."""
        if node.op == "cluster":
            return self.replaced.node(node)
        new = self.replaced.node(node, tuple(self.block(region) for region in node.regions))
        return with_attrs(new, _unclear=UNCLEAR) if self._why_not(node) == UNCLEAR else new

    def _why_not(self, node: Node) -> str | None:
        reason = why_not(node, self.options)
        return UNCLEAR if not reason and node.regions and self.identities.unclear(node) else reason

    def _close(self, run: _Run, block: Block, place: dict[Node, int]) -> list[Node]:
        last = max((place[n] for n in (*run.before, *run.inside, *run.after)), default=-1)
        inside, trailing = self._trimmed(run, block.nodes[last + 1 :])
        if not _worth(inside):
            plain = sorted((*run.before, *run.inside, *run.after), key=place.__getitem__)
            return [self._plain(n) for n in plain]
        after = sorted((*trailing, *run.after), key=place.__getitem__)
        rest = (*after, *block.nodes[last + 1 :])
        out = [self._outside(n) for n in run.before]
        out += self._wrap(inside, rest, run)
        return out + [self._outside(n) for n in after]

    def _plain(self, node: Node) -> Node:
        """A node that nobody compiles: the regions of a compilable one aren't worth more than the whole."""
        return self.replaced.node(node) if not self._why_not(node) else self._outside(node)

    def _trimmed(self, run: _Run, rest: tuple[Node, ...]) -> tuple[list[Node], list[Node]]:
        """The nodes inside, and those from the end that the driver does as well: views, sizes, scalars."""
        inside: list[Node] = []
        trailing: list[Node] = []
        needed: set[Value] = set()
        for node in reversed(run.inside):
            unused = not any(result in needed for result in node.results)
            free = _FREE_OPS if device_of(node) else _DRIVER_OPS
            cheap = node.op in free or (_is_scalar(node) and not self._uses(node, run.inside))
            if unused and cheap and not any(conflict(node, later, self.aliases) for later in inside):
                trailing.append(node)
                continue
            inside.append(node)
            needed |= used_by(node, self.names)
        return inside[::-1], trailing[::-1]

    def _wrap(self, inside: list[Node], rest: tuple[Node, ...], run: _Run) -> list[Node]:
        """The cluster node, and views that the driver needs too, made again from what it has."""
        merged = self._merged_views(inside)
        inside = [self.replaced.node(node) for node in inside]
        made = [result for node in inside for result in node.results]
        wanted = {self.replaced.operand(v) for node in rest for v in used_by(node, self.names)}
        views = self._views_again(inside, wanted)
        outputs = [value for value in made if value in wanted]
        results = self._results(outputs)
        inputs = self._inputs(inside)
        loc = next((n.loc for n in inside if n.op not in ("size", "view")), inside[0].loc)
        name = f"cluster_{self.count}"
        self.count += 1
        body = Block((), (*inside, Node("yield", tuple(outputs), loc=loc)))
        scopes = {n.attrs.get("_JitScope") for n in inside}
        attrs = {"name": name, "scope": scopes.pop() if len(scopes) == 1 else run.scope}
        attrs |= {DEVICE: run.device} if run.device else {}
        whole = Node("cluster", inputs, results, attrs, (body,), loc)
        anew = [self._anew(v) for k, v in enumerate(made) if k in merged and v in outputs]
        return [whole, *anew, *(self._copy(view) for view in views)]

    def _merged_views(self, inside: list[Node]) -> set[int]:
        """Which of the results of `inside` are views that a branch or loop in it has made."""
        results = [result for node in inside for result in node.results]
        made = {*results, *(value for node in inside for value in made_in(node))}
        return {k for k, value in enumerate(results) if self.identities.is_merged_view(value, made)}

    def _anew(self, value: Value) -> Node:
        """A look at an array that came out of compiled code, as an object of its own."""
        given = self.replaced.operand(value)
        assert isinstance(given, Value)
        assert isinstance(given.type, Array)
        fresh = Value(self.names.fresh(given.name), given.type)
        self.names.values[fresh.name] = fresh
        self.replaced.values[given] = fresh
        axes = tuple(("range", axis, 0, 1) for axis in range(given.type.ndim))
        return Node("view", (given,), (fresh,), {"axes": axes, "check": (), "text": "{0}[...]"})

    def _views_again(self, inside: list[Node], wanted: set) -> list[Node]:
        """Views that are wanted outside: taken out of `wanted`, what they look at put in."""
        again: list[Node] = []
        for node in reversed(inside):
            views = node.op == "view" or (node.op == "reshape" and not node.attrs.get("copies", True))
            if views and node.results[0] in wanted and not effects_of(node).raises:
                wanted.discard(node.results[0])
                wanted |= used_by(node, self.names)
                again.append(node)
        return again[::-1]

    def _results(self, outputs: list[Value]) -> tuple[Value, ...]:
        """A new value for each output, which stands in its place from here on; new sizes too."""
        results = []
        for value in outputs:
            fresh = Value(self.names.fresh(value.name), self.replaced.type(value.type))
            self.names.values[fresh.name] = fresh
            self.replaced.values[value] = fresh
            if isinstance(value.type, Scalar) and value.type.dtype.kind == "i":
                self.replaced.symbols[value.name] = fresh.name
            if isinstance(value.type, Array):
                fresh = self._own_sizes(value, fresh)
            results.append(fresh)
        return tuple(results)

    def _own_sizes(self, value: Value, fresh: Value) -> Value:
        """Sizes that are known only from the array itself get new symbols outside."""
        own = [s for s, (array, _) in self.names.sizes.items() if array.name == value.name]
        if not own:
            return fresh
        for name in own:
            new = self.names.fresh(name)
            self.replaced.symbols[name] = new
            self.names.sizes[new] = (fresh, self.names.sizes[name][1])
        typed = Value(fresh.name, self.replaced.type(value.type))
        for name, (array, axis) in list(self.names.sizes.items()):
            if array.name == fresh.name:
                self.names.sizes[name] = (typed, axis)
        self.names.values[typed.name] = typed
        self.replaced.values[value] = typed
        return typed

    def _inputs(self, inside: list[Node]) -> tuple[Value, ...]:
        made = {result for node in inside for result in node.results}
        used = {v for node in inside for v in used_by(node, self.names)} - made
        order = {name: k for k, name in enumerate(self.names.values)}
        return tuple(sorted(used, key=lambda v: order[v.name]))

    def _copy(self, view: Node) -> Node:
        """A view made a second time, in the driver."""
        (result,) = view.results
        fresh = Value(self.names.fresh(result.name), self.replaced.type(result.type))
        self.names.values[fresh.name] = fresh
        again = self.replaced.node(view)
        self.replaced.values[result] = fresh
        return Node(view.op, again.operands, (fresh,), again.attrs, (), view.loc)


def _beside(node: Node, run: _Run) -> bool:
    """Numbers that the host computes between kernels of a GPU don't end the run of these."""
    other = bool(run.device) and device_of(node) != run.device
    return other and not node.regions and not any(is_array(v) for v in (*node.results, *node.operands))


def _is_scalar(node: Node) -> bool:
    marked = node.attrs.get("_JitCompile") is True or is_forced(node)
    return not marked and not node.regions and not any(is_array(v) for v in (*node.results, *node.operands))


def _weight(node: Node) -> int:
    """How much work `node` saves when it is compiled, in units of one operation on Python numbers."""
    op = OPS[node.op]
    if op.kind == REDUCTION or node.op in ("assign", "arange", "linspace"):
        return _ARRAY_WORK
    if op.kind == ELEMENTWISE:
        return _ARRAY_WORK if any(is_array(v) for v in (*node.operands, *node.results)) else _ELEMENT
    if node.op in ("load", "store"):
        return _ELEMENT
    if op.kind == CREATION:
        return _ARRAY_WORK // 2
    if node.op in ("view", "size") or op.kind == CONTROL:
        return 0
    return _SCALAR


def _worth(nodes: list[Node]) -> bool:
    inner = [n for node in nodes for n in (node, *(m for region in node.regions for m in walk(region)))]
    weights = [_weight(n) for n in inner]
    if any(n.op in ("for", "while") or is_forced(n) or is_on_gpu(n) for n in inner):
        return any(weights)
    if any(n.attrs.get("_JitCompile") is True for n in nodes):
        return any(weight >= _ELEMENT for weight in weights)
    return sum(weights) >= _WORTH
