"""Numbers of Python's own `random` in kernels: its Mersenne twister, in the memory of a `random.Random`.

Matsumoto and Nishimura, "Mersenne Twister", ACM Transactions on Modeling and Computer Simulation 8 (1998),
pages 3 to 30; what is made of its words is as in CPython's `_randommodule.c` and `random.py`.
"""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from ..graph.ir.twister import WORDS
from .checked import FormulaEmitter
from .vecmath.formula import DOUBLE, INT32, INT64, Float, Int

_MIDDLE = 397
_WORD = INT32.as_pointer()


def python_random(emit: FormulaEmitter, stream: Int) -> Float:
    """A float in [0, 1) of 53 bits."""
    builder = stream.builder
    high = builder.lshr(_next(builder, stream.value), INT32(5))
    low = builder.lshr(_next(builder, stream.value), INT32(6))
    return (_float(builder, high) * 67108864.0 + _float(builder, low)) * (1.0 / 9007199254740992.0)


def randbelow(emit: FormulaEmitter, stream: Int, n: Int) -> Int:
    """An int from 0 to before `n`, by as many bits as `n` has, until they are less."""
    emit.deoptimise_if(n < 1, "an empty range to draw from")
    builder = stream.builder
    function = _function(builder.module, "jitscope_randbelow", INT64, [INT64, INT64], _write_below)
    return Int(builder, builder.call(function, [stream.value, n.value]))


def _float(builder: ir.IRBuilder, word: ir.Value) -> Float:
    return Float(builder, builder.uitofp(word, DOUBLE))


def _function(
    module: ir.Module, name: str, result: ir.Type, given: list[ir.Type], write: Callable[[ir.Function], None]
) -> ir.Function:
    """The function of this name, which a module has once."""
    if name not in module.globals:
        function = ir.Function(module, ir.FunctionType(result, given), name)
        function.linkage = "linkonce_odr"
        write(function)
    return module.globals[name]


def _next(builder: ir.IRBuilder, state: ir.Value) -> ir.Value:
    """The next word."""
    function = _function(builder.module, "jitscope_twister", INT32, [INT64], _write_next)
    return builder.call(function, [state])


def _write_next(function: ir.Function) -> None:
    builder = ir.IRBuilder(function.append_basic_block())
    place = builder.inttoptr(function.args[0], _WORD)
    index = builder.load(place)
    with builder.if_then(builder.icmp_unsigned(">=", index, INT32(WORDS)), likely=False):
        twist = _function(builder.module, "jitscope_twist", ir.VoidType(), [INT64], _write_twist)
        builder.call(twist, [function.args[0]])
    known = builder.load(place)
    word = builder.load(_word(builder, place, builder.zext(known, INT64)))
    builder.store(builder.add(known, INT32(1)), place)
    for shift, mask, left in ((11, 0xFFFFFFFF, False), (7, 0x9D2C5680, True), (15, 0xEFC60000, True)):
        moved = (builder.shl if left else builder.lshr)(word, INT32(shift))
        word = builder.xor(word, builder.and_(moved, INT32(mask)))
    builder.ret(builder.xor(word, builder.lshr(word, INT32(18))))


def _word(builder: ir.IRBuilder, place: ir.Value, number: ir.Value) -> ir.Value:
    """Where a word of the state is: behind the index."""
    return builder.gep(place, [builder.add(number, INT64(1))])


def _write_twist(function: ir.Function) -> None:
    """All words anew; the next one is the first."""
    builder = ir.IRBuilder(function.append_basic_block())
    place = builder.inttoptr(function.args[0], _WORD)

    def ahead(number: ir.Value, by: int) -> ir.Value:
        far = builder.add(number, INT64(by))
        over = builder.icmp_unsigned(">=", far, INT64(WORDS))
        return builder.select(over, builder.sub(far, INT64(WORDS)), far)

    def mix(number: ir.Value) -> None:
        here = _word(builder, place, number)
        upper = builder.and_(builder.load(here), INT32(0x80000000))
        lower = builder.and_(builder.load(_word(builder, place, ahead(number, 1))), INT32(0x7FFFFFFF))
        both = builder.or_(upper, lower)
        odd = builder.sub(INT32(0), builder.and_(both, INT32(1)))
        found = builder.load(_word(builder, place, ahead(number, _MIDDLE)))
        found = builder.xor(found, builder.lshr(both, INT32(1)))
        builder.store(builder.xor(found, builder.and_(odd, INT32(0x9908B0DF))), here)

    _repeat(builder, WORDS, mix)
    builder.store(INT32(0), place)
    builder.ret_void()


def _repeat(builder: ir.IRBuilder, times: int, body: Callable[[ir.Value], None]) -> None:
    before = builder.block
    loop, after = builder.append_basic_block(), builder.append_basic_block()
    builder.branch(loop)
    builder.position_at_end(loop)
    number = builder.phi(INT64)
    number.add_incoming(INT64(0), before)
    body(number)
    following = builder.add(number, INT64(1))
    number.add_incoming(following, builder.block)
    builder.cbranch(builder.icmp_unsigned("<", following, INT64(times)), loop, after)
    builder.position_at_end(after)


def _write_below(function: ir.Function) -> None:
    builder = ir.IRBuilder(function.append_basic_block())
    state, n = function.args
    bits = builder.sub(INT64(64), builder.ctlz(n, ir.IntType(1)(0)))
    result = builder.alloca(INT64)
    again, found = builder.append_basic_block("again"), builder.append_basic_block("found")
    builder.branch(again)
    builder.position_at_end(again)
    drawn = _bits(builder, state, bits, result)
    builder.cbranch(builder.icmp_unsigned("<", drawn, n), found, again)
    builder.position_at_end(found)
    builder.ret(drawn)


def _bits(builder: ir.IRBuilder, state: ir.Value, bits: ir.Value, result: ir.Value) -> ir.Value:
    """So many bits, 1 to 63: the upper ones of a word; of two words all of the first, the lower one."""
    first = builder.zext(_next(builder, state), INT64)
    is_one = builder.icmp_unsigned("<=", bits, INT64(32))
    with builder.if_else(is_one) as (one, two):
        with one:
            builder.store(builder.lshr(first, builder.sub(INT64(32), bits)), result)
        with two:
            second = builder.zext(_next(builder, state), INT64)
            upper = builder.lshr(second, builder.sub(INT64(64), bits))
            builder.store(builder.or_(first, builder.shl(upper, INT64(32))), result)
    return builder.load(result)
