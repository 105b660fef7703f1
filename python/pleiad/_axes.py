"""Axes of matplotlib: the current ones, and their labels."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._absent import need
from .errors import UsageError
from .table import Table
from .units import Units

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def axes_or_current(ax: Axes | None) -> Axes:
    """These axes, or matplotlib's current ones."""
    if ax is not None:
        return ax
    made: Axes = need("matplotlib.pyplot", "matplotlib").gca()
    return made


def labelled(what: str, unit: str) -> str:
    """A label with its unit."""
    return f"{what} [{unit or 'N-body units'}]"


def known_units(table: Table) -> Units | None:
    """The units that a table names; none for those of its own, of which it has no scale."""
    try:
        return Units.of(table.about.get("units", "nbody"))
    except UsageError:
        return None


def units_in(table: Table, quantity: str) -> str:
    """What a label of length, mass or velocity says."""
    units = known_units(table)
    return "units of the run" if units is None else units.symbols[quantity]


def time_axis(ax: Axes, table: Table) -> Any:
    """The times of a table in the unit in which the command shows them, which the axis states."""
    units, time = known_units(table), table["time"]
    if units is None or not units.physical:
        ax.set_xlabel(labelled("time", "" if units else "units of the run"))
        return time
    name, factor = units.time_unit(float(abs(time).max()) if len(time) else 0.0)
    ax.set_xlabel(labelled("time", name))
    return time * factor
