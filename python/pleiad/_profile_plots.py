"""Plots of profiles, rotation, velocity dispersions, phase space and orbits, in kpc, pc or au, km/s and solar masses."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ._absent import need
from ._axes import axes_or_current, known_units, labelled
from ._surface_density import snapshot_of
from ._types import Types, types_of
from .profiles import orbits, profile
from .profiles import phase_space as cells_of
from .profiles import rotation_curve as curve_of
from .snapshot import Snapshot, Type
from .table import Table
from .units import Units

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .simulation import Simulation

_COLOURS = {"gas": "#7a7a7a", "halo": "#8a4fbf", "disc": "#3b5fc0", "bulge": "#c2571a", "star": "#b8860b"}


def density_profile(
    bodies: Snapshot | Simulation, ax: Axes | None = None, *, types: Types | None = None, **how: Any
) -> Axes:
    """Draws the density against radius with its Poisson errors: of all bodies, and of each of their types.

    Parameters
    ----------
    bodies
        A snapshot or a simulation.
    ax
        Where; matplotlib's current axes if none are given.
    types
        Only bodies of these types.
    **how
        Bins, limits, spacing, centre and axis, as for :func:`pleiad.profile`.

    Returns
    -------
    matplotlib.axes.Axes
        Those that were drawn into.

    Raises
    ------
    ImportError
        Without matplotlib.
    """
    ax, snapshot = axes_or_current(ax), snapshot_of(bodies)
    whole = profile(snapshot, types=types, **how)
    shown = types_of(types) or [kind for kind in Type if (snapshot.types == kind).any()]
    _density(ax, whole, snapshot.units, whole.about["bodies"], "#222222", 1.8)
    if len(shown) > 1:
        frame = {name: _numbers(whole.about[name]) for name in ("centre", "axis")}
        limits = (whole["radius_low"][0], whole["radius_high"][-1])
        for kind in shown:
            part = profile(snapshot, types=kind, **{**how, **frame, "limits": limits})
            _density(ax, part, snapshot.units, kind.name, _COLOURS.get(kind.name), 1.2)
        ax.legend(frameon=False)
    ax.set_yscale("log")
    ax.set_xscale(how.get("spacing", "log"))
    field = snapshot.units.field
    ax.set_xlabel(labelled("radius", field.length_name))
    ax.set_ylabel(labelled("density", f"{field.mass_name} / {field.length_name}$^3$" if field.mass_name else ""))
    return ax


def _density(ax: Axes, shells: Table, units: Units, name: str, colour: str | None, width: float) -> None:
    field = units.field
    factor = field.mass / field.length**3
    rows = shells.where(shells["bodies"] > 0)
    ax.errorbar(
        rows["radius"] * field.length,
        rows["density"] * factor,
        rows["density_error"] * factor,
        label=name,
        color=colour,
        lw=width,
        marker=".",
        elinewidth=0.8,
    )


def _numbers(text: str) -> list[float]:
    return [float(word) for word in text.split(",")]


def rotation_curve(bodies: Snapshot | Simulation, ax: Axes | None = None, **how: Any) -> Axes:
    """Draws circular velocities and the mean azimuthal velocity, with its standard error, against radius.

    Parameters
    ----------
    bodies
        A snapshot or a simulation.
    ax
        Where; matplotlib's current axes if none are given.
    **how
        Bins, limits, spacing, types, centre, axis and eps, as for :func:`pleiad.rotation_curve`.

    Returns
    -------
    matplotlib.axes.Axes
        Those that were drawn into.

    Raises
    ------
    ImportError
        Without matplotlib.
    """
    ax, field = axes_or_current(ax), snapshot_of(bodies).units.field
    rings = curve_of(bodies, **how)
    radius = rings["radius"] * field.length
    ax.plot(radius, rings["circular_velocity"] * field.velocity, color="#222222", label="circular, of all bodies in the plane")
    ax.plot(
        radius,
        rings["spherical_circular_velocity"] * field.velocity,
        "--",
        color="0.6",
        label="circular, of a sphere of the same mass",
    )
    speed, error = (rings[name] * field.velocity for name in ("azimuthal_velocity", "azimuthal_velocity_error"))
    ax.errorbar(radius, speed, error, color="#c2571a", marker=".", label=f"mean azimuthal, of {rings.about['bodies']}")
    ax.set_xlabel(labelled("radius", field.length_name))
    ax.set_ylabel(labelled("velocity", field.velocity_name))
    ax.legend(frameon=False)
    return ax


def velocity_dispersion(bodies: Snapshot | Simulation, ax: Axes | None = None, **how: Any) -> Axes:
    """Draws the radial and the tangential velocity dispersion against radius, and the anisotropy on an axis to the right.

    Parameters
    ----------
    bodies
        A snapshot or a simulation.
    ax
        Where; matplotlib's current axes if none are given.
    **how
        Bins, limits, spacing, types, centre and axis, as for :func:`pleiad.profile`.

    Returns
    -------
    matplotlib.axes.Axes
        Those that were drawn into; the anisotropy is in axes of its own on top of them.

    Raises
    ------
    ImportError
        Without matplotlib.
    """
    ax, field = axes_or_current(ax), snapshot_of(bodies).units.field
    shells = profile(bodies, **how)
    radius = shells["radius"] * field.length
    for name, colour in (("radial", "#c2571a"), ("tangential", "#3b5fc0")):
        ax.plot(radius, shells[f"{name}_dispersion"] * field.velocity, marker=".", color=colour, label=name)
    ax.set_ylim(bottom=0)
    ax.set_xscale(how.get("spacing", "log"))
    ax.set_xlabel(labelled("radius", field.length_name))
    ax.set_ylabel(labelled("velocity dispersion", field.velocity_name))
    ax.legend(frameon=False, loc="upper left")
    right = ax.twinx()
    right.plot(radius, shells["anisotropy"], ":", color="#222222", lw=1.2)
    right.axhline(0, color="0.7", lw=0.8)
    right.set_ylim(-1, 1)
    right.set_ylabel("anisotropy β (dotted)")
    return ax


def phase_space(bodies: Snapshot | Simulation, ax: Axes | None = None, *, cmap: str = "magma_r", **how: Any) -> Axes:
    """Draws the mass in cells of radius and radial velocity, on a logarithmic scale of colours.

    Parameters
    ----------
    bodies
        A snapshot or a simulation.
    ax
        Where; matplotlib's current axes if none are given.
    cmap
        matplotlib's name of the colours.
    **how
        Bins, limits, spacing, types, centre and highest, as for :func:`pleiad.phase_space`.

    Returns
    -------
    matplotlib.axes.Axes
        Those that were drawn into.

    Raises
    ------
    ImportError
        Without matplotlib.
    """
    colors = need("matplotlib.colors", "matplotlib")
    ax, field = axes_or_current(ax), snapshot_of(bodies).units.field
    cells = cells_of(bodies, **how)
    radii = np.unique(np.append(cells["radius_low"], cells["radius_high"])) * field.length
    speeds = np.unique(np.append(cells["velocity_low"], cells["velocity_high"])) * field.velocity
    mass = cells["mass"].reshape(len(radii) - 1, len(speeds) - 1).T * field.mass
    picture = ax.pcolormesh(radii, speeds, np.where(mass > 0, mass, np.nan), norm=colors.LogNorm(), cmap=cmap)
    ax.set_xscale(how.get("spacing", "linear"))
    ax.set_xlabel(labelled("radius", field.length_name))
    ax.set_ylabel(labelled("radial velocity", field.velocity_name))
    ax.figure.colorbar(picture, ax=ax, label=labelled("mass in a cell", field.mass_name))
    return ax


def _sparse(path: Table) -> bool:
    """Whether the places are too far apart for a line: more than a tenth of its corners turn by more than 45 degrees."""
    chords = np.diff(np.column_stack([path[axis] for axis in "xyz"]), axis=0)
    lengths = np.linalg.norm(chords[1:], axis=1) * np.linalg.norm(chords[:-1], axis=1)
    cosines = np.sum(chords[1:] * chords[:-1], axis=1)[lengths > 0] / lengths[lengths > 0]
    return bool(10 * np.sum(~(cosines >= np.sqrt(0.5))) > len(cosines))


def orbit(
    run: str | os.PathLike[str] | Sequence[Snapshot] | Table,
    ids: Sequence[int] | None = None,
    ax: Axes | None = None,
    *,
    axes: str = "xy",
    units: Units | str | None = None,
) -> Axes:
    """Draws the paths of bodies, with a dot at the end of each.

    A path with too few positions for a line, less than eight an orbit, is drawn as points.

    Parameters
    ----------
    run
        The output folder of a run, snapshots, or a table of :func:`pleiad.orbits`.
    ids
        Ids of the bodies, see :func:`pleiad.orbits`.
    ax
        Where; matplotlib's current axes if none are given.
    axes
        What is to the right and up: ``xy``, ``xz``, ``yz``, ...
    units
        Units of the numbers; by default what the run or the snapshots state.

    Returns
    -------
    matplotlib.axes.Axes
        Those that were drawn into.

    Raises
    ------
    ImportError
        Without matplotlib.
    """
    ax = axes_or_current(ax)
    table = run if isinstance(run, Table) else orbits(run, ids)
    known = known_units(table) if units is None else Units.of(units)
    field = (known or Units()).field
    name = field.length_name if known else "units of the run"
    for body in np.unique(table["id"]).tolist():
        path = table.where(table["id"] == body)
        across, up = (path[axis] * field.length for axis in axes)
        style = {"ls": "none", "marker": ".", "ms": 2} if _sparse(path) else {"lw": 1}
        label = f"body {body}" + (" (positions, too few for a line)" if _sparse(path) else "")
        (line,) = ax.plot(across, up, label=label, **style)
        ax.plot(across[-1:], up[-1:], "o", ms=4, color=line.get_color())
    ax.set_aspect("equal", adjustable="datalim")
    ax.set_xlabel(labelled(axes[0], name))
    ax.set_ylabel(labelled(axes[1], name))
    if len(np.unique(table["id"])) <= 8:
        ax.legend(frameon=False, fontsize="small")
    return ax
