"""All tables of calls, and what isn't tried and why."""

from __future__ import annotations

from . import (
    calls_a_to_g,
    calls_a_to_g_2,
    calls_arrays,
    calls_h_to_o,
    calls_h_to_o_2,
    calls_linear,
    calls_p_to_z,
    calls_p_to_z_2,
    calls_types,
    calls_ufuncs,
)

_TABLES = (
    calls_a_to_g,
    calls_a_to_g_2,
    calls_h_to_o,
    calls_h_to_o_2,
    calls_p_to_z,
    calls_p_to_z_2,
    calls_ufuncs,
    calls_arrays,
    calls_linear,
    calls_types,
)

CALLS: dict[str, tuple[str, ...]] = {name: calls for table in _TABLES for name, calls in table.CALLS.items()}
NOT_TRIED: dict[str, str] = {
    name: reason for table in _TABLES for name, reason in getattr(table, "NOT_TRIED", {}).items()
}
