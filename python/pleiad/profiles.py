"""Measures of bodies as functions of radius, and their paths: tables of profiles, rotation, phase space, orbits."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._checked import checked
from ._columns import numbers
from ._surface_density import snapshot_of
from ._types import Types, about_bodies, types_of
from .errors import MissingFile, UsageError
from .files import read
from .snapshot import Snapshot, Type
from .table import Table, read_table

if TYPE_CHECKING:
    from .simulation import Simulation

__all__ = ["orbits", "phase_space", "profile", "rotation_curve"]


def __dir__() -> list[str]:
    return __all__


def _triple(name: str, values: ArrayLike | None) -> tuple[float, float, float] | None:
    if values is None:
        return None
    given = numbers(name, values, np.float64)
    if given.shape != (3,):
        raise UsageError(f"{name} must have the shape (3,), not {given.shape}")
    x, y, z = given.tolist()
    return x, y, z


def _measured(
    measure: Callable[..., Any],
    bodies: Snapshot | Simulation,
    bins: int,
    limits: Sequence[float] | None,
    spacing: str,
    types: Types | None,
    centre: ArrayLike | None,
    axis: ArrayLike | None,
    *more: float,
) -> Table:
    if spacing not in ("log", "linear"):
        raise UsageError(f"spacing must be 'log' or 'linear', not {spacing!r}")
    low, high = 0.0, 0.0
    if limits is not None:
        given = numbers("limits", limits, np.float64)
        if given.shape != (2,):
            raise UsageError(f"limits must have the shape (2,), not {given.shape}")
        low, high = given.tolist()
        if not (0 <= low < high and (low > 0 or spacing == "linear")):
            raise UsageError(
                f"limits {low:g}, {high:g}: the first must be below the second, and above 0 for log spacing"
            )
    snapshot = snapshot_of(bodies)
    chosen = types_of(types)
    where = (_triple("centre", centre), _triple("axis", axis))
    found = measure(snapshot.to_core(), [int(kind) for kind in chosen], *where, bins, spacing == "log", low, high, *more)
    return Table(found["columns"], {**about_bodies(snapshot, chosen), **found["about"]})


@checked(bins=(1, 10000))
def profile(
    bodies: Snapshot | Simulation,
    bins: int = 32,
    limits: Sequence[float] | None = None,
    *,
    spacing: str = "log",
    types: Types | None = None,
    centre: ArrayLike | None = None,
    axis: ArrayLike | None = None,
) -> Table:
    """Density, mean velocities and velocity dispersions in spherical shells.

    All numbers are in the units of the bodies; means and dispersions are weighted by mass. The density is mass /
    volume, and ``density_error`` its Poisson error ``sqrt(sum m^2) / volume``. The anisotropy is
    ``beta = 1 - sigma_t^2 / sigma_r^2`` with ``sigma_t^2 = (sigma_theta^2 + sigma_phi^2) / 2``. For n
    bodies in a shell the standard error of a dispersion is about ``sigma / sqrt(2 n)``.

    Parameters
    ----------
    bodies
        A snapshot or a simulation.
    bins
        The number of shells.
    limits
        The smallest and the largest radius. By default, for logarithmic spacing: the radii that contain a 500th of
        the bodies (at least 10) and 99.5 % of them; for linear spacing: 0 and the radius that contains 95 %.
    spacing
        ``"log"`` or ``"linear"``.
    types
        Only bodies of these types, such as ``"disc"`` or ``["disc", "bulge"]``.
    centre
        ``(3,)``; by default the density centre: the centre of mass of shrinking spheres, each with half the bodies of
        the one before, down to a tenth of all. Velocities are relative to the mean of the tenth of the bodies nearest
        to it, but of at least 100 bodies.
    axis
        ``(3,)``, of rotation; by default the angular momentum of the inner half of the bodies, of the disc if there is
        one.

    Returns
    -------
    Table
        ``radius_low``, ``radius_high``, ``radius`` (their geometric or arithmetic mean), ``bodies``, ``mass``,
        ``density``, ``density_error``, ``enclosed_mass`` (within ``radius``), ``radial_velocity``,
        ``azimuthal_velocity``, ``radial_dispersion``, ``tangential_dispersion``, ``anisotropy``. What too few bodies
        define is NaN. ``about`` has ``time``, ``units``, ``bodies``, ``centre``, ``centre_velocity`` and ``axis``.

    Raises
    ------
    UsageError
        For invalid limits, shapes or types.
    InputError
        When there are no such bodies.

    Examples
    --------
    >>> shells = pleiad.profile(pleiad.models.plummer(2000), 8)
    >>> len(shells), bool(shells["bodies"].sum() > 1900)
    (8, True)
    """
    return _measured(_core.radial_profile, bodies, bins, limits, spacing, types, centre, axis)


@checked(bins=(1, 10000))
def rotation_curve(
    bodies: Snapshot | Simulation,
    bins: int = 32,
    limits: Sequence[float] | None = None,
    *,
    spacing: str = "linear",
    types: Types | None = None,
    centre: ArrayLike | None = None,
    axis: ArrayLike | None = None,
    eps: float | None = None,
) -> Table:
    """Circular velocity, mean azimuthal velocity and velocity dispersions in rings about an axis.

    ``circular_velocity`` is ``sqrt(R g)``, where g is the inward acceleration by all bodies in the plane of the
    ring, averaged over 32 points on it by direct sums. ``spherical_circular_velocity`` is ``sqrt(G M(<R) / R)``,
    which holds for spheres: it is too small for discs, by 15 % at their peak.

    Parameters
    ----------
    bodies
        A snapshot or a simulation.
    bins, limits, spacing
        See :func:`profile`; radii are distances from the axis.
    types
        The bodies whose velocities are averaged; by default those of the disc, if there are any. Forces are those of
        all bodies.
    centre, axis
        See :func:`profile`.
    eps
        The softening of the forces; by default that of the simulation, or 0 for a snapshot.

    Returns
    -------
    Table
        ``radius_low``, ``radius_high``, ``radius``, ``bodies``, ``mass``, ``surface_density``, ``circular_velocity``,
        ``spherical_circular_velocity``, ``azimuthal_velocity``, ``azimuthal_velocity_error`` (the standard error of the
        mean), ``radial_dispersion``, ``azimuthal_dispersion``, ``vertical_dispersion``.

    Raises
    ------
    UsageError
        For invalid limits, shapes or types.
    InputError
        When there are no such bodies.

    Examples
    --------
    >>> curve = pleiad.rotation_curve(pleiad.models.galaxy(3000), 10, (0, 15), eps=0.2)
    >>> curve.about["bodies"], bool(150 < curve["circular_velocity"][5] < 300)
    ('disc', True)
    """
    snapshot = snapshot_of(bodies)
    if eps is None:
        eps = 0.0 if isinstance(bodies, Snapshot) else bodies.eps
    if types is None and (snapshot.types == Type.disc).any():
        types = "disc"
    return _measured(_core.rotation_curve, snapshot, bins, limits, spacing, types, centre, axis, eps)


@checked(bins=(0, 10000))
def phase_space(
    bodies: Snapshot | Simulation,
    bins: int = 0,
    limits: Sequence[float] | None = None,
    *,
    spacing: str = "linear",
    types: Types | None = None,
    centre: ArrayLike | None = None,
    highest: float = 0.0,
) -> Table:
    """Mass in cells of radius and radial velocity.

    Parameters
    ----------
    bodies
        A snapshot or a simulation.
    bins
        The number of bins of radius, and of velocity; 0: 16 to 100, so that a cell has five bodies on average.
    limits, spacing, types, centre
        See :func:`profile`.
    highest
        The velocities go from ``-highest`` to ``highest``; 0: chosen so that 99.8 % of the bodies are inside.

    Returns
    -------
    Table
        A row for each cell, velocity by velocity for each radius: ``radius_low``, ``radius_high``, ``radius``,
        ``velocity_low``, ``velocity_high``, ``radial_velocity``, ``bodies``, ``mass``.
        ``table["mass"].reshape(n, -1)`` is the histogram of n bins, a row for each radius.

    Raises
    ------
    UsageError
        For invalid limits, shapes or types.
    InputError
        When there are no such bodies.
    """
    return _measured(_core.phase_space, bodies, bins, limits, spacing, types, centre, None, bins, highest)


_PATH = ("x", "y", "z", "vx", "vy", "vz")


def orbits(
    run: str | os.PathLike[str] | Sequence[Snapshot], ids: Sequence[int] | None = None
) -> Table:
    """Paths of bodies, from the trajectories or the snapshots of a run.

    Parameters
    ----------
    run
        The output folder of a run, of which ``trajectory.csv`` is read if it has these bodies, else the snapshots; or
        snapshots.
    ids
        Ids of the bodies; by default all, which must not be more than 16 where snapshots are read.

    Returns
    -------
    Table
        ``id``, ``time``, ``x``, ``y``, ``z``, ``vx``, ``vy``, ``vz``: body by body, each in the order of time.

    Raises
    ------
    UsageError
        When a body is not there, or there are too many.
    MissingFile
        When the folder has neither trajectories nor snapshots.

    Examples
    --------
    >>> sim = pleiad.Simulation("figure-eight", dt=1/256)
    >>> taken = [sim.snapshot()]
    >>> taken.append(sim.run(1).snapshot())
    >>> pleiad.orbits(taken)["id"].tolist()
    [0, 0, 1, 1, 2, 2]
    """
    if isinstance(run, str | os.PathLike):
        folder = Path(run)
        if (folder / "trajectory.csv").is_file():
            table = read_table(folder / "trajectory.csv")
            if ids is None or set(ids) <= set(table["id"].tolist()):
                about = read_table(folder).about if (folder / "diagnostics.txt").is_file() else {}
                columns = {name: table[name] for name in ("id", "time", *_PATH)}
                return _chosen(Table(columns, {"units": about.get("units", "nbody")}), ids)
        files = sorted((folder / "snapshots").glob("snapshot_*"))
        if not files:
            raise MissingFile(f"{folder}: there are neither trajectories nor snapshots")
        snapshots = [read(file) for file in files]
    else:
        snapshots = list(run)
    if not snapshots:
        raise UsageError("orbits needs at least one snapshot")
    if ids is None and len(snapshots[0]) > 16:
        raise UsageError(f"there are {len(snapshots[0])} bodies: name those to follow, as in ids=[0, 1]")
    parts = []
    for snapshot in snapshots:
        inside = slice(None) if ids is None else np.isin(snapshot.ids, np.array(ids, dtype=np.uint64))
        place, speed = snapshot.positions[inside], snapshot.velocities[inside]
        when = np.full(len(place), snapshot.time)
        parts.append((snapshot.ids[inside].astype(np.int64), when, *place.T, *speed.T))
    joined = (np.concatenate(column) for column in zip(*parts, strict=True))
    named = dict(zip(("id", "time", *_PATH), joined, strict=True))
    return _chosen(Table(named, {"units": snapshots[0].units.name}), ids)


def _chosen(table: Table, ids: Sequence[int] | None) -> Table:
    known = set(table["id"].tolist())
    for each in ids or ():
        if each not in known:
            raise UsageError(f"ids: there is no body with id {each}")
    order = np.lexsort((table["time"], table["id"]))
    sorted_rows = table.where(order)
    return sorted_rows if ids is None else sorted_rows.where(np.isin(sorted_rows["id"], list(ids)))
