"""Operators with Python's own meaning: with them a staged function must do what the original does."""

import operator


class Break(BaseException):
    pass


class Continue(BaseException):
    pass


class Return(BaseException):
    def __init__(self, value):
        self.value = value


class Undefined:
    def __init__(self, name):
        self.name = name


def returns(fn):
    def wrapper(*args, **kwargs):
        try:
            return fn(*args, **kwargs)
        except Return as result:
            return result.value

    wrapper.__name__ = fn.__name__
    return wrapper


def ld_free(value):
    if isinstance(value, Undefined):
        raise NameError(
            f"cannot access free variable '{value.name}' where it is not associated with a value"
            " in enclosing scope"
        )
    return value


def ld(value):
    if isinstance(value, Undefined):
        message = f"cannot access local variable '{value.name}' where it is not associated with a value"
        raise UnboundLocalError(message)
    return value


def _check_state(get_state, set_state, names):
    values = get_state()
    assert isinstance(values, tuple) and len(values) == len(names)
    set_state(values)


def nothing():
    pass


STATELESS = (lambda: (), lambda values: None, ())


def if_stmt(test, body, orelse, get_state, set_state, names):
    _check_state(get_state, set_state, names)
    assert (body if test else orelse)() is None
    _check_state(get_state, set_state, names)


def while_stmt(test, body, get_state, set_state, names, orelse=None):
    while True:
        _check_state(get_state, set_state, names)
        if not test():
            break
        try:
            body()
        except Continue:
            continue
        except Break:
            return
    if orelse is not None:
        orelse()


def for_stmt(iterable, body, get_state, set_state, names, orelse=None):
    for item in iterable:
        _check_state(get_state, set_state, names)
        try:
            body(item)
        except Continue:
            continue
        except Break:
            return
    _check_state(get_state, set_state, names)
    if orelse is not None:
        orelse()


def all_true(*operands):
    return all(each() for each in operands)


def any_true(*operands):
    return any(each() for each in operands)


def and_(*operands):
    for each in operands:
        value = each()
        if not value:
            return value
    return value


def or_(*operands):
    for each in operands:
        value = each()
        if value:
            return value
    return value


def not_(value):
    return not value


def if_exp(test, body, orelse):
    return body() if test else orelse()


def is_(a, b):
    return a is b


def is_not(a, b):
    return a is not b


def in_(a, b):
    return a in b


def not_in(a, b):
    return a not in b


COMPARE = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "==": operator.eq, "!=": operator.ne,
    "is": is_, "is not": is_not, "in": in_, "not in": not_in,
}  # fmt: skip


def compare_chain(left, *links):
    for sign, operand in zip(links[::2], links[1::2]):
        right = operand()
        result = COMPARE[sign](left, right)
        if not result:
            return result
        left = right
    return result


def call(fn, /, *args, **kwargs):
    return fn(*args, **kwargs)


def spread(items):
    return items


def getitem(a, i):
    return a[i]


def setitem(a, i, v):
    a[i] = v


def delitem(a, i):
    del a[i]


AUGMENT = {
    "+=": operator.iadd, "-=": operator.isub, "*=": operator.imul, "@=": operator.imatmul,
    "/=": operator.itruediv, "//=": operator.ifloordiv, "%=": operator.imod, "**=": operator.ipow,
    "<<=": operator.ilshift, ">>=": operator.irshift,
    "&=": operator.iand, "|=": operator.ior, "^=": operator.ixor,
}  # fmt: skip


def augment(sign, old, value):
    return AUGMENT[sign](old, value)


def update_item(a, i, sign, value):
    old = a[i]
    a[i] = AUGMENT[sign](old, value())


def attribute(owner, name):
    return getattr(owner, name)


def setattr_(owner, name, value):
    setattr(owner, name, value)


def update_attr(owner, name, sign, value):
    old = getattr(owner, name)
    setattr(owner, name, AUGMENT[sign](old, value()))


def unpack(value, count):
    try:
        iterator = iter(value)
    except TypeError:
        raise TypeError(f"cannot unpack non-iterable {type(value).__name__} object") from None
    values = []
    for each in iterator:
        if len(values) == count:
            raise ValueError(f"too many values to unpack (expected {count})")
        values.append(each)
    if len(values) < count:
        raise ValueError(f"not enough values to unpack (expected {count}, got {len(values)})")
    return tuple(values)


def unpack_star(value, before, after):
    values = list(value)
    if len(values) < before + after:
        raise ValueError(
            f"not enough values to unpack (expected at least {before + after}, got {len(values)})"
        )
    end = len(values) - after
    return (*values[:before], values[before:end], *values[end:])


def assert_(test, message=None):
    if not test:
        raise AssertionError(message()) if message is not None else AssertionError


def raise_(exception, cause=None):
    error = exception()
    if cause is not None:
        raise error from cause()
    raise error


def percent(template, values):
    return template % values


def fstring(template, *values):
    return template.format(*values)


def list_comp(iterable, element, condition=None):
    return [element(x) for x in iterable if condition is None or condition(x)]


def set_comp(iterable, element, condition=None):
    return {element(x) for x in iterable if condition is None or condition(x)}


def dict_comp(iterable, key, value, condition=None):
    return {key(x): value(x) for x in iterable if condition is None or condition(x)}


def gen_comp(iterable, element, condition=None):
    return (element(x) for x in iterable if condition is None or condition(x))


def gen_of_all(iterable, element, condition=None):
    return (item for x in iterable if condition is None or condition(x) for item in element(x))


def list_of_all(iterable, element, condition=None):
    return list(gen_of_all(iterable, element, condition))


def set_of_all(iterable, element, condition=None):
    return set(gen_of_all(iterable, element, condition))


def dict_of_all(iterable, element, condition=None):
    return dict(gen_of_all(iterable, element, condition))


def new_list(value, at):
    assert isinstance(at, int)
    return value


new_dict = new_list


def new_set(items, at):
    assert isinstance(at, int)
    return set(items)


class with_scope:
    def __init__(self, manager):
        self.manager = manager

    def __enter__(self):
        return self.manager.__enter__()

    def __exit__(self, kind, error, trace):
        if isinstance(error, (Break, Continue, Return)):
            self.manager.__exit__(None, None, None)
            return False
        return self.manager.__exit__(kind, error, trace)
