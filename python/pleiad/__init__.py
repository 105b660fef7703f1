"""Pleiad: gravity of many bodies. Forces for your own arrays, whole simulations, models, snapshots.

    import pleiad

    sim = pleiad.Simulation("plummer", parameters={"n": 1000}, eps=0.01, dt=1/128)
    sim.run(10)
    print(sim.diagnostics.energy_error)

Importing this package imports NumPy and nothing else; what else it can work with is imported where it is used.
"""

# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pleiad import errors
from pleiad._core import version as __version__
from pleiad.errors import Error, InputError, NumericalError, ResourceError, UsageError

if TYPE_CHECKING:
    from pleiad import convert, models, plot, units
    from pleiad.curve import AccuracyCurve, accuracy_curve
    from pleiad.ensemble import Ensemble
    from pleiad.files import read, write
    from pleiad.forces import Solver, accelerations, records
    from pleiad.simulation import Diagnostics, Simulation
    from pleiad.snapshot import Snapshot, Type, join
    from pleiad.table import Table, read_table
    from pleiad.units import Units
    from pleiad.view import View

__all__ = [
    "AccuracyCurve",
    "Diagnostics",
    "Ensemble",
    "Error",
    "InputError",
    "NumericalError",
    "ResourceError",
    "Simulation",
    "Snapshot",
    "Solver",
    "Table",
    "Type",
    "Units",
    "UsageError",
    "View",
    "__version__",
    "accelerations",
    "accuracy_curve",
    "convert",
    "errors",
    "join",
    "models",
    "plot",
    "read",
    "read_table",
    "records",
    "units",
    "write",
]

_MODULES = ("convert", "models", "plot", "units")
_HOME = {
    "AccuracyCurve": "curve",
    "Diagnostics": "simulation",
    "Ensemble": "ensemble",
    "Simulation": "simulation",
    "Snapshot": "snapshot",
    "Solver": "forces",
    "Table": "table",
    "Type": "snapshot",
    "Units": "units",
    "View": "view",
    "accelerations": "forces",
    "accuracy_curve": "curve",
    "join": "snapshot",
    "read": "files",
    "read_table": "table",
    "records": "forces",
    "write": "files",
}


def __getattr__(name: str) -> Any:
    """Imports what a name stands for when it is first used."""
    if name in _MODULES:
        return import_module(f"pleiad.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'pleiad' has no attribute '{name}'")
    value = getattr(import_module(f"pleiad.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
