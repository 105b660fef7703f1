"""Plots with matplotlib, imported when the first one is drawn: pictures, diagnostics, profiles, orbits, accuracy."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ._absent import need
from ._axes import axes_or_current, labelled, time_axis, units_in
from ._profile_plots import density_profile, orbit, phase_space, rotation_curve, velocity_dispersion
from ._surface_density import Extent, snapshot_of, surface_density
from .errors import UsageError
from .snapshot import Snapshot
from .table import Table, read_table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .convergence import Convergence
    from .simulation import Simulation

__all__ = [
    "accuracy",
    "convergence",
    "density",
    "density_profile",
    "energies",
    "orbit",
    "phase_space",
    "radii",
    "rotation_curve",
    "surface_density",
    "velocity_dispersion",
]


def __dir__() -> list[str]:
    return __all__


#: What energies and radii are read from: a table, a file or output folder of the program, or diagnostics that
#: were collected during a run.
Rows = "Table | str | os.PathLike[str] | Sequence[Any]"


# Density


def density(
    bodies: Snapshot | Simulation,
    axes: str = "xy",
    extent: Extent | None = None,
    *,
    pixels: int = 512,
    smooth: float = 8.0,
    decades: float = 4.0,
    cmap: str = "inferno",
    colorbar: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draws the logarithm of the surface density, with units on the axes.

    Parameters
    ----------
    bodies
        A snapshot or a simulation.
    axes, extent, pixels, smooth
        See :func:`surface_density`.
    decades
        Range of the colours, in decades below the densest pixel.
    cmap
        Name of a colour map of matplotlib.
    colorbar
        Whether a colour bar is drawn.
    ax
        Axes for the plot. Default: matplotlib's current axes.

    Returns
    -------
    matplotlib.axes.Axes
        The axes with the plot.

    Raises
    ------
    ImportError
        Without matplotlib.
    """
    colors = need("matplotlib.colors", "matplotlib")
    ax, snapshot = axes_or_current(ax), snapshot_of(bodies)
    image, (left, right, bottom, top) = surface_density(snapshot, axes, extent, pixels, smooth)
    peak = float(image.max()) or 1.0
    scale = colors.LogNorm(peak * 10**-decades, peak, clip=True)
    picture = ax.imshow(
        np.maximum(image, peak * 10**-decades),
        origin="lower",
        extent=(left, right, bottom, top),
        norm=scale,
        cmap=cmap,
        interpolation="bilinear",
    )
    symbols = snapshot.units.symbols
    ax.set_xlabel(labelled(axes[0], symbols["length"]))
    ax.set_ylabel(labelled(axes[1], symbols["length"]))
    if colorbar:
        label = (
            f"{symbols['mass']} / {symbols['length']}$^2$" if snapshot.units.physical else symbols["length"]
        )
        ax.figure.colorbar(picture, ax=ax, label=f"surface density [{label}]", fraction=0.046, pad=0.03)
    return ax


# Diagnostics

_FRACTIONS = {"r10": 0.1, "r25": 0.25, "r50": 0.5, "r75": 0.75, "r90": 0.9}


def _table(rows: Any) -> Table:
    """The argument as a table with the column names of the program."""
    if isinstance(rows, str | os.PathLike):
        return read_table(rows)
    if isinstance(rows, Table):
        return rows
    collected = [row if isinstance(row, dict) else vars(row) for row in rows]
    if not collected:
        raise UsageError("there are no diagnostics to plot")
    columns: dict[str, Any] = {
        name: [row[name] for row in collected] for name in ("time", "kinetic", "potential")
    }
    columns["total"] = np.add(columns["kinetic"], columns["potential"])
    columns["energy_error"] = [row["energy_error"] for row in collected]
    radii = np.array([row["lagrangian_radii"] for row in collected])
    columns.update(zip(_FRACTIONS, radii.T, strict=True))
    units = collected[0].get("units")
    return Table(columns, {} if units is None else {"units": units.name})


def energies(rows: Any, ax: Axes | None = None, *, error: bool = False) -> Axes:
    """Draws kinetic, potential and total energy against time, or the error of the total.

    Parameters
    ----------
    rows
        A :class:`~pleiad.Table`, a file or an output folder of the program, or a list of diagnostics
        collected during a run (``sim.diagnostics``).
    ax
        Axes for the plot. Default: matplotlib's current axes.
    error
        Whether to draw the relative error of the total energy, on a logarithmic axis, instead of the energies.

    Returns
    -------
    matplotlib.axes.Axes
        The axes with the plot.

    Raises
    ------
    ImportError
        Without matplotlib.
    """
    table, ax = _table(rows), axes_or_current(ax)
    time = time_axis(ax, table)
    if error:
        change = np.abs(table["energy_error"])
        ax.semilogy(time, np.where(change > 0, change, np.nan), lw=1.2)
        ax.set_ylabel("|ΔE / E|")
    else:
        for name, label in (("kinetic", "kinetic"), ("potential", "potential"), ("total", "total")):
            ax.plot(time, table[name], label=label, lw=1.6)
        ax.legend(frameon=False)
        unit = units_in(table, "mass")
        physical = "N-body" not in unit and "of the run" not in unit
        ax.set_ylabel(labelled("energy", f"{unit} ({units_in(table, 'velocity')})$^2$" if physical else unit))
    return ax


def radii(rows: Any, ax: Axes | None = None) -> Axes:
    """Draws the Lagrangian radii, which hold 10, 25, 50, 75 and 90 % of the mass, against time.

    Parameters
    ----------
    rows
        See :func:`energies`.
    ax
        Axes for the plot. Default: matplotlib's current axes.

    Returns
    -------
    matplotlib.axes.Axes
        The axes with the plot.

    Raises
    ------
    ImportError
        Without matplotlib.
    """
    table, ax = _table(rows), axes_or_current(ax)
    time = time_axis(ax, table)
    colours = need("matplotlib", "matplotlib").colormaps["viridis"]
    for k, (name, fraction) in enumerate(_FRACTIONS.items()):
        (line,) = ax.semilogy(time, table[name], color=colours(0.85 - 0.18 * k), lw=1.6)
        _label(ax, line, f"{fraction:.0%}")
    ax.set_ylabel(labelled("Lagrangian radius", units_in(table, "length")))
    return ax


def _label(ax: Axes, line: Any, text: str) -> None:
    """A word behind the end of a line, in its colour."""
    x, y = line.get_data()
    ax.annotate(
        text,
        (x[-1], y[-1]),
        (4, 0),
        textcoords="offset points",
        va="center",
        fontsize="small",
        color=line.get_color(),
    )


def accuracy(table: Table, ax: Axes | None = None) -> Axes:
    """Draws the time of an evaluation against its error, a line for each solver and order.

    A line connects the settings of an order for which no other setting is both faster and more accurate; the others are dots.

    Parameters
    ----------
    table
        A result of :func:`pleiad.accuracy_curve`, or :func:`pleiad.read_table` of a file of ``pleiad accuracy
        --csv``.
    ax
        Axes for the plot. Default: matplotlib's current axes.

    Returns
    -------
    matplotlib.axes.Axes
        The axes with the plot.

    Raises
    ------
    ImportError
        Without matplotlib.
    """
    ax = axes_or_current(ax)
    colormaps = need("matplotlib", "matplotlib").colormaps
    colours = {"fmm": colormaps["autumn"], "barnes-hut": colormaps["winter"]}
    family = np.array([solver.split()[0] for solver in table["solver"].tolist()], dtype=np.str_)
    trees = table.where((family != "direct") & (table["error_p99"] > 0))
    ax.loglog(trees["error_p99"], trees["ms"], ".", ms=3, color="0.75", zorder=1)
    names = np.array([" ".join(solver.split()[:2]) for solver in trees["solver"].tolist()], dtype=np.str_)
    named = np.unique(names).tolist()
    for name in named:
        kind, order = name.split()
        rows = _not_beaten(trees.where(names == name))
        orders = [other for other in named if other.startswith(kind)]
        colour = colours[kind](0.9 * orders.index(name) / max(1, len(orders) - 1))
        (line,) = ax.loglog(rows["error_p99"], rows["ms"], "-o", ms=3.5, lw=1.4, color=colour, label=name)
        _label(ax, line, order)
    place = {"direct f32": "top", "direct mixed": "bottom"}
    for row in np.flatnonzero(family == "direct").tolist():
        error, time, name = (table[column][row] for column in ("error_p99", "ms", "solver"))
        told: dict[str, Any] = {"textcoords": "offset points", "fontsize": "small"}
        if error > 0:
            ax.loglog(error, time, "*", ms=11, color="0.15", zorder=4)
            ax.annotate(name, (error, time), (-9, 0), ha="right", va=place.get(name, "center"), **told)
        else:
            ax.axhline(time, color="0.15", lw=0.8, ls="--", zorder=0)
            ax.annotate(f"{name}: exact", (0.01, time), (0, 3), xycoords=("axes fraction", "data"), **told)
    ax.invert_xaxis()
    ax.set_xlabel("relative force error, 99th percentile")
    ax.set_ylabel("time for all accelerations [ms]")
    if len(trees) > 0:
        ax.legend(frameon=False, fontsize="small", ncols=2, title="solver and order")
    return ax


def _not_beaten(rows: Table) -> Table:
    """Those that no other beats in both error and time, in the order of time."""
    rows = rows.where(np.lexsort((rows["error_p99"], rows["ms"])))
    least = np.minimum.accumulate(rows["error_p99"])
    return rows.where(np.append(True, least[1:] < least[:-1]))


# Convergence


def convergence(found: Convergence, axes: Sequence[Axes] | None = None) -> Sequence[Axes]:
    """Draws the energy errors of runs with several steps, and the distances of their states, over time.

    Parameters
    ----------
    found
        What :func:`pleiad.converge` has found.
    axes
        Two axes. Default: two new ones, one above the other.

    Returns
    -------
    sequence of matplotlib.axes.Axes
        The two axes.

    Raises
    ------
    ImportError
        Without matplotlib.
    """
    if axes is None:
        figure = need("matplotlib.pyplot", "matplotlib").figure(figsize=(7, 7))
        axes = list(figure.subplots(2, 1, sharex=True))
    energies, states = axes
    steps = found.runs["dt"].tolist()
    time = time_axis(states, found)
    for k, dt in enumerate(steps):
        change = np.abs(found[f"energy_error_{k + 1}"])
        (line,) = energies.semilogy(time, np.where(change > 0, change, np.nan), lw=1.3, label=f"dt = {dt:g}")
        if k + 1 < len(steps):
            apart = found[f"distance_{k + 1}"]
            label = f"dt = {dt:g} to its half"
            states.semilogy(time, np.where(apart > 0, apart, np.nan), lw=1.3, color=line.get_color(), label=label)
    states.semilogy(time, found["shift"], lw=1.3, color="0.3", ls="--", label="shift of 1e-08")
    energies.set_ylabel("|ΔE / E|")
    states.set_ylabel("distance / size")
    for ax in axes:
        ax.legend(frameon=False, fontsize="small")
    return axes
