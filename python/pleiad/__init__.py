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

from . import errors
from ._core import version as __version__
from .errors import Error, InputError, NumericalError, ResourceError, UsageError

if TYPE_CHECKING:
    from . import convert, keys, models, plot, units
    from .citations import cite
    from .convergence import Convergence, converge
    from .cosmology import Cosmology
    from .curve import AccuracyCurve, accuracy_curve
    from .diagnostics import Diagnostics
    from .ensemble import Ensemble
    from .files import read, write
    from .forces import accelerations, packed
    from .forces import records as records
    from .initial_conditions import cosmology_ic
    from .profiles import orbits, phase_space, profile, rotation_curve
    from .simulation import Simulation
    from .snapshot import Snapshot, Type, concatenate
    from .snapshot import join as join
    from .solver import Solver
    from .structure import Groups, binaries, cluster_shells, groups, mass_function, power_spectrum
    from .table import Table, read_table
    from .units import Units
    from .view import View

__all__ = [
    "AccuracyCurve",
    "Convergence",
    "Cosmology",
    "Diagnostics",
    "Ensemble",
    "Error",
    "Groups",
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
    "binaries",
    "cite",
    "cluster_shells",
    "concatenate",
    "converge",
    "convert",
    "cosmology_ic",
    "errors",
    "groups",
    "keys",
    "mass_function",
    "models",
    "orbits",
    "packed",
    "phase_space",
    "plot",
    "power_spectrum",
    "profile",
    "read",
    "read_table",
    "rotation_curve",
    "units",
    "write",
]

_MODULES = ("convert", "keys", "models", "plot", "units")
_HOME = {
    "AccuracyCurve": "curve",
    "Convergence": "convergence",
    "Cosmology": "cosmology",
    "Diagnostics": "diagnostics",
    "Ensemble": "ensemble",
    "Groups": "structure",
    "Simulation": "simulation",
    "Snapshot": "snapshot",
    "Solver": "solver",
    "Table": "table",
    "Type": "snapshot",
    "Units": "units",
    "View": "view",
    "accelerations": "forces",
    "accuracy_curve": "curve",
    "binaries": "structure",
    "cite": "citations",
    "cluster_shells": "structure",
    "concatenate": "snapshot",
    "converge": "convergence",
    "cosmology_ic": "initial_conditions",
    "groups": "structure",
    "mass_function": "structure",
    "orbits": "profiles",
    "packed": "forces",
    "phase_space": "profiles",
    "power_spectrum": "structure",
    "profile": "profiles",
    "read": "files",
    "read_table": "table",
    "rotation_curve": "profiles",
    "write": "files",
}
# Old names, which warn when they are called.
_OLD = {"join": "snapshot", "records": "forces"}


def __getattr__(name: str) -> Any:
    """Imports what a name stands for when it is first used."""
    if name in _MODULES:
        return import_module(f"pleiad.{name}")
    home = _HOME.get(name) or _OLD.get(name)
    if home is None:
        raise AttributeError(f"module 'pleiad' has no attribute '{name}'")
    value = getattr(import_module(f"pleiad.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
