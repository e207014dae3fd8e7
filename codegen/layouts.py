"""What kernels know of how arrays lie in memory, where Numba doesn't."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.core import types
from numba.core.imputils import impl_ret_borrowed
from numba.core.typing import signature
from numba.extending import lower_builtin, type_callable


def in_one_piece(array: np.ndarray) -> np.ndarray:
    """The array itself, which is known to be in C order without gaps.

    Numba forgets that of ``m[1:]``, and then neither reshapes it nor unites it with arrays in C order.
    """
    return array


@type_callable(in_one_piece)
def _type_in_one_piece(context: Any) -> Any:
    return lambda array: signature(array.copy(layout="C"), array)


@lower_builtin(in_one_piece, types.Array)
def _lower_in_one_piece(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return impl_ret_borrowed(context, builder, sig.return_type, args[0])
