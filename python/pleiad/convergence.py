"""Convergence: a simulation with a step, half of it and so on, and until when its orbits mean something."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._checked import checked
from .errors import UsageError
from .simulation import Simulation
from .snapshot import Snapshot
from .table import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Convergence", "converge"]

#: Distances in units of the size: where bodies have parted, and where a single orbit is wrong.
_PARTED, _RIGHT = 0.1, 0.01
_SHIFT = 1e-8
#: Of more bodies it is not said which one is wrong first.
_FEW = 100


def __dir__() -> list[str]:
    return __all__


class Convergence(Table):
    """The table that :func:`converge` makes, a row for each time at which the runs are compared.

    Parameters
    ----------
    columns
        An array or a list for each name, all of one length.
    about
        Values that hold for the whole table.
    runs
        The table of the runs.
    findings
        Sentences about the growth of errors.
    """

    __slots__ = ("findings", "runs")

    def __init__(
        self,
        columns: Mapping[str, Any],
        about: Mapping[str, str] | None = None,
        runs: Table | None = None,
        findings: Sequence[str] = (),
    ) -> None:
        super().__init__(columns, about)
        #: A row for each run: ``dt``, ``steps``, ``worst_energy_error``, ``energy_order``, ``distance`` (to the run with half
        #: the step), ``distance_order``. What was not compared is NaN.
        self.runs: Table = Table({}) if runs is None else runs
        #: How a shift grows, which of at most 100 bodies is wrong first with the longest step, until when single orbits are
        #: right, and where they cannot be.
        self.findings: list[str] = list(findings)

    def plot(self, axes: Sequence[Axes] | None = None) -> Sequence[Axes]:
        """Draws energy errors and distances of states over time; see :func:`pleiad.plot.convergence`.

        Parameters
        ----------
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
        from . import plot

        return plot.convergence(self, axes)


@checked(leave=("dt",))
def converge(
    bodies: Snapshot | str | os.PathLike[str] | tuple[Any, ...] | Mapping[str, Any],
    until: float,
    *,
    dt: float,
    levels: int = 3,
    rows: int = 64,
    progress: Callable[[str], object] | None = None,
    **keys: Any,
) -> Convergence:
    """Runs the same bodies with the step `dt`, half of it, a quarter and so on, and compares them.

    A twin of the second run, whose positions are shifted by 1e-8 of the size of the system, shows how errors grow.
    The command ``pleiad converge`` does the same with a configuration.

    Parameters
    ----------
    bodies
        Bodies in any form that :class:`Simulation` takes.
    until
        The end of the runs.
    dt
        The longest step. Steps are fixed.
    levels
        The number of runs, at least 2.
    rows
        The number of times at which they are compared, at most.
    progress
        Callback that receives the time reached. An exception in it ends the runs.
    **keys
        Keywords of :class:`Simulation`: ``eps``, ``integrator``, ``precision`` ...

    Returns
    -------
    Convergence
        The columns ``time``, ``size`` (root mean square distance from the mean position), ``energy_error_1`` ...,
        ``distance_1`` ... (to the run with half the step: the root of the mean square over the bodies, in units of the
        size), ``largest_distance_1`` ... (of any one body), ``shift``.

    Raises
    ------
    UsageError
        For less than two levels, an end that is not after the start, and adaptive or block steps.

    Examples
    --------
    >>> found = pleiad.converge("figure-eight", 6, dt=0.01, precision="f64")
    >>> found.runs["distance_order"][:1].round(1).tolist()
    [2.0]
    """
    if levels < 2:
        raise UsageError(f"levels must be at least 2, not {levels}")
    if keys.get("adaptive"):
        raise UsageError("converge compares fixed steps: leave out adaptive")
    if keys.get("position_error"):
        raise UsageError("converge compares steps that are given: leave out position_error")
    if keys.get("integrator") in ("block-kdk", "hermite4-block"):
        raise UsageError("converge compares steps that all bodies share: the command `pleiad converge` divides eta of block steps, too")
    sims = [Simulation(bodies, dt=dt / 2**k, **keys) for k in range(levels)]
    start = sims[0].snapshot()
    if not until > start.time:
        raise UsageError(f"until = {until:g} must be after the start, {start.time:g}")
    size = _size(start.positions)
    directions = np.random.default_rng(1).normal(size=start.positions.shape)
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    twin = sims[1].copy()
    twin.positions[:] += _SHIFT * size * directions
    columns: dict[str, list[float]] = {}
    farthest: list[tuple[float, int]] = []
    steps = (until - start.time) / dt
    every = max(1, math.ceil(steps / rows))
    times = [start.time + k * dt for k in range(every, math.ceil(steps * (1 - 1e-9)), every)]
    for time in [None, *times, until]:
        if time is not None:
            for sim in sims:
                sim.run(time)
            twin.run(time)
            if progress is not None:
                progress(f"t = {time:g}")
        for name, value in _row(sims, twin).items():
            columns.setdefault(name, []).append(value)
        farthest.append(_farthest(sims[0].snapshot(), sims[-1].snapshot()))
    arrays = {name: np.array(values) for name, values in columns.items()}
    (order,) = (one["order"] for one in _core.integrators() if one["name"] == sims[0].integrator)
    runs, compared = _runs(arrays, [float(sim.dt) for sim in sims], [sim.step_count for sim in sims])
    findings = _growth(arrays["time"], arrays["shift"])
    if len(start.masses) <= _FEW:
        # Of order p the finest run has 2^-p of the error for each halving of the step.
        findings.append(_first_wrong(arrays["time"], farthest, 1 - 2.0 ** (-order * (levels - 1)), dt))
    findings.append(_end_of_orbits(arrays, levels, order))
    about = {"units": start.units.name, "integrator": sims[0].integrator, "compared_at": repr(compared)}
    return Convergence(arrays, about, runs, findings)


def _size(positions: NDArray[np.float64]) -> float:
    return float(np.sqrt(((positions - positions.mean(axis=0)) ** 2).sum(axis=1).mean()))


def _row(sims: Sequence[Simulation], twin: Simulation) -> dict[str, float]:
    states = [sim.snapshot().positions for sim in sims]
    size = _size(states[-1])
    row = {"time": sims[0].time, "size": size}
    for k, sim in enumerate(sims):
        row[f"energy_error_{k + 1}"] = float(sim.diagnostics.energy_error)
    for k, (coarse, fine) in enumerate(zip(states[:-1], states[1:], strict=True)):
        apart = np.linalg.norm(coarse - fine, axis=1) / size
        row[f"distance_{k + 1}"] = float(np.sqrt((apart**2).mean()))
        row[f"largest_distance_{k + 1}"] = float(apart.max())
    row["shift"] = float(np.sqrt((((twin.snapshot().positions - states[1]) / size) ** 2).sum(axis=1).mean()))
    return row


def _farthest(bodies: Snapshot, exact: Snapshot) -> tuple[float, int]:
    """The largest error of a position, relative to the distance from the heaviest body, and the id of the body.

    That of the heaviest body is relative to the distance of the nearest one; where none has mass, all are to that from the origin.
    """
    x, masses = exact.positions, exact.masses
    heaviest = int(np.argmax(masses))
    if masses[heaviest] > 0 and len(masses) > 1:
        scale = np.linalg.norm(x - x[heaviest], axis=1)
        scale[heaviest] = np.delete(scale, heaviest).min()
    else:
        scale = np.linalg.norm(x, axis=1)
    off = np.linalg.norm(bodies.positions - x, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        relative = np.where(off == 0, 0, off / scale)
    relative[np.isnan(relative)] = math.inf
    first = int(np.argmax(relative))
    return float(relative[first]), int(exact.ids[first])


def _first_wrong(time: NDArray[np.float64], farthest: Sequence[tuple[float, int]], share: float, dt: float) -> str:
    """Which of few bodies is wrong first in the coarsest run: its energy, which heavy ones have, does not tell."""
    of = "of their distances from the heaviest body"
    for when, (error, body) in zip(time, farthest, strict=True):
        if not error / share <= _RIGHT:
            return f"with dt = {dt:g}, positions are right to {_RIGHT:g} {of} until t = {when:.3g}: body {body} is wrong first"
    error, body = farthest[-1]
    return f"with dt = {dt:g}, positions are right to {error / share:.1e} {of} at the end: body {body} is the farthest off"


def _order(coarse: float, fine: float) -> float:
    return math.log2(coarse / fine) if coarse > 0 and fine > 0 else math.nan


def _runs(rows: Mapping[str, NDArray[np.float64]], dts: list[float], steps: list[int]) -> tuple[Table, float]:
    """The table of runs, and the time of its distances: the last one before bodies part."""
    levels = len(dts)
    whole = np.logical_and.reduce([rows[f"distance_{k}"] <= _PARTED for k in range(1, levels)])
    last = len(whole) - 1 if whole.all() else max(0, int(np.argmin(whole)) - 1)
    worst = [float(np.abs(rows[f"energy_error_{k + 1}"]).max()) for k in range(levels)]
    distance = [float(rows[f"distance_{k}"][last]) for k in range(1, levels)] + [math.nan]
    columns = {
        "dt": dts,
        "steps": steps,
        "worst_energy_error": worst,
        "energy_order": [_order(a, b) for a, b in zip(worst, worst[1:], strict=False)] + [math.nan],
        "distance": distance,
        "distance_order": [_order(a, b) for a, b in zip(distance, distance[1:], strict=False)] + [math.nan],
    }
    return Table(columns), float(rows["time"][last])


def _growth(time: NDArray[np.float64], shift: NDArray[np.float64]) -> list[str]:
    apart = shift <= _PARTED
    last = len(apart) - 1 if apart.all() else int(np.argmin(apart)) - 1
    if last < 4:
        return [f"a shift of {_SHIFT:g} parts all orbits within {time[last + 1]:g}: nothing is said of single orbits"]
    half = last // 2
    grown = math.log(shift[last] / shift[half])
    power = grown / math.log((time[last] - time[0]) / (time[half] - time[0]))
    times = shift[last] / _SHIFT
    if power < 2.5:
        return [f"regular: a shift of the positions grows {times:.3g} times until t = {time[last]:g}, like t^{max(power, 0):.1f}"]
    fold = (time[last] - time[half]) / grown
    lost = time[last] + fold * math.log(_RIGHT / (2.0**-53 * times))
    return [
        f"chaotic: a shift of the positions grows by e every {fold:.3g}, {times:.3g} times until t = {time[last]:g}",
        f"whatever the step, rounding makes single orbits wrong by {_RIGHT:g} of the size about t = {lost:.3g}; after it only"
        " statistics mean something",
    ]


def _end_of_orbits(rows: Mapping[str, NDArray[np.float64]], levels: int, order: int) -> str:
    """Of order p, the error of the finest run is its distance to the one with twice the step over 2^p - 1."""
    error = rows[f"distance_{levels - 1}"] / (2.0**order - 1)
    wrong = np.flatnonzero(~(error <= _RIGHT))
    if len(wrong):
        return f"single orbits of the finest run are right to {_RIGHT:g} of the size until t = {rows['time'][wrong[0]]:g}"
    return f"single orbits of the finest run are right to {error.max():.1e} of the size until the end, t = {rows['time'][-1]:g}"
