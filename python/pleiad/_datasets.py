"""Snapshots as datasets in memory of packages that analyse simulations: yt and pynbody, imported when asked for."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._absent import need
from .units import Units

if TYPE_CHECKING:
    from .snapshot import Snapshot

# yt


def to_yt(snapshot: Snapshot) -> Any:
    """Converts to a yt dataset in memory (``yt.load_particles``), with units, time and a domain around all bodies.

    Types are yt's particle types (``("disc", "particle_mass")``); ``"all"`` has all bodies. For N-body units,
    which have no scale, a length is shown as a kpc and a mass as 1e10 Msun, and times so that G is right.

    Parameters
    ----------
    snapshot
        The bodies.

    Returns
    -------
    yt.data_objects.static_output.Dataset
        A dataset of particles.

    Raises
    ------
    ImportError
        Without yt.
    """
    yt = need("yt")
    units = _with_scale(snapshot)
    fields: dict[tuple[str, str], Any] = {}
    for kind in np.unique(snapshot.types):
        some, name = snapshot[snapshot.types == kind], _core.type_names[kind]
        for axis, (x, v) in enumerate(zip(some.positions.T, some.velocities.T, strict=True)):
            fields[name, f"particle_position_{'xyz'[axis]}"] = x.copy()
            fields[name, f"particle_velocity_{'xyz'[axis]}"] = v.copy()
        fields[name, "particle_mass"] = some.masses
        fields[name, "particle_index"] = some.ids.astype(np.int64)
    return yt.load_particles(
        fields,
        length_unit=(units.length_cm, "cm"),
        mass_unit=(units.mass_g, "g"),
        velocity_unit=(units.velocity_cm_s, "cm/s"),
        time_unit=(units.time_s, "s"),
        bbox=_domain(snapshot),
        sim_time=snapshot.time,
        periodicity=(snapshot.box is not None,) * 3,
    )


def _domain(snapshot: Snapshot) -> Any:
    """The periodic box, or a cube about the bodies with a little room."""
    if snapshot.box is not None:
        return np.array([[0.0, side] for side in snapshot.box])
    low, high = snapshot.positions.min(axis=0), snapshot.positions.max(axis=0)
    half = 0.55 * float((high - low).max()) or 1.0
    middle = (low + high) / 2
    return np.stack([middle - half, middle + half], axis=1)


# pynbody

_FAMILIES = {
    "gas": ["gas"],
    "dm": ["halo"],
    "star": ["disc", "bulge", "star"],
    "bh": ["boundary"],
}


def to_pynbody(snapshot: Snapshot) -> Any:
    """Converts to a pynbody ``SimSnap`` in memory, with units and time.

    Bodies are grouped by family, in the order of the snapshot within each: gas, dm (halo), star (disc, bulge
    and star) and bh (GADGET's type 5); ``iord`` has their ids, and ``type`` their types. N-body units, which
    have no scale, are shown as kpc, 1e10 Msun, and velocities so that G is right.

    Parameters
    ----------
    snapshot
        The bodies.

    Returns
    -------
    pynbody.snapshot.simsnap.SimSnap
        The bodies by family.

    Raises
    ------
    ImportError
        Without pynbody.
    """
    pynbody = need("pynbody")
    units = _with_scale(snapshot)
    numbers = {family: [_core.type_names.index(name) for name in names] for family, names in _FAMILIES.items()}
    parts = {family: snapshot[np.isin(snapshot.types, types)] for family, types in numbers.items()}
    made = pynbody.new(**{name: len(part) for name, part in parts.items() if len(part) > 0})
    columns = {
        "pos": ("positions", f"{units.length_cm!r} cm"),
        "vel": ("velocities", f"{units.velocity_cm_s!r} cm s^-1"),
        "mass": ("masses", f"{units.mass_g!r} g"),
        "iord": ("ids", ""),
        "type": ("types", ""),
    }
    for name, (column, unit) in columns.items():
        values = np.concatenate([getattr(part, column) for part in parts.values()])
        made[name] = values.astype(np.int64) if values.dtype.kind == "u" else values
        if unit:
            made[name].units = unit
    made.properties["time"] = pynbody.units.Unit(f"{snapshot.time * units.time_s!r} s")
    if snapshot.box is not None:
        made.properties["boxsize"] = pynbody.units.Unit(f"{snapshot.box[0] * units.length_cm!r} cm")
    return made


def _with_scale(snapshot: Snapshot) -> Units:
    """The snapshot's units; for N-body units a kpc, 1e10 Msun, and the velocity that makes G right."""
    if snapshot.units.physical:
        return snapshot.units
    galactic = Units.of("galactic")
    velocity = galactic.velocity_cm_s * math.sqrt(galactic.G / snapshot.G)
    return Units.custom(galactic.length_cm, galactic.mass_g, velocity)
