"""The accuracy and the cost of every solver on the user's own bodies."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ._checked import checked
from ._module import for_backend
from .errors import UsageError
from .files import read
from .snapshot import Snapshot
from .table import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["AccuracyCurve", "accuracy_curve"]


def __dir__() -> list[str]:
    return __all__


class AccuracyCurve(Table):
    """The table that :func:`accuracy_curve` measures, a row for each setting of each solver.

    Parameters
    ----------
    columns
        An array or a list for each name, all of one length.
    about
        Values that hold for the whole table.
    """

    __slots__ = ()

    @property
    def best(self) -> Table:
        """The rows for which no other row is both faster and more accurate, from the fastest to the most accurate."""
        return self.where(self["best"])

    @checked
    def cheapest(self, accuracy: float) -> dict[str, Any]:
        """Returns the fastest row whose 99th percentile of the error is at most ``accuracy``.

        Its ``kernel`` can be passed to ``pleiad.Solver(kernel=...)`` and ``pleiad.Simulation(kernel=...)``.

        Parameters
        ----------
        accuracy
            A relative error.

        Returns
        -------
        dict
            The row: a number or a word for each column.

        Raises
        ------
        UsageError
            If no row is as accurate.
        """
        good = self.where(self["error_p99"] <= accuracy)
        if len(good) == 0:
            raise UsageError(f"no solver was measured to have errors of {accuracy:g} or less")
        k = int(good["ms"].argmin())
        return {name: good[name][k].item() for name in good}

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draws time against error, a line for each solver and order; see :func:`pleiad.plot.accuracy`.

        Parameters
        ----------
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
        from . import plot

        return plot.accuracy(self, ax)


@checked
def accuracy_curve(
    bodies: Snapshot | str | os.PathLike[str],
    eps: float = 0.0,
    *,
    precision: str = "mixed",
    backend: str = "cpu",
    longest: float = 300.0,
    threads: int = 0,
    progress: Callable[[str], object] | None = None,
) -> AccuracyCurve:
    """Measures force error and time of all solvers on these bodies: direct sums and every order of the trees.

    Parameters
    ----------
    bodies
        At least two, in open space; a snapshot or a file.
    eps
        Softening length.
    precision
        The precision of the trees: ``mixed``, ``f64`` or ``f32``.
    backend
        ``cpu`` or ``cuda``.
    longest
        Longest duration, in seconds; settings that would exceed it are left out.
    threads
        0: all.
    progress
        Callback that receives progress messages. An exception in it ends the measurement.

    Returns
    -------
    AccuracyCurve
        Among its columns ``solver``, ``kernel``, ``ms`` (milliseconds for the accelerations of all bodies),
        ``error_p50``, ``error_p99`` and ``error_max`` (relative errors of the accelerations, against direct
        sums in double precision on a sample), ``best``.

    Raises
    ------
    UsageError
        For less than two bodies, or a periodic box.
    """
    snapshot = bodies if isinstance(bodies, Snapshot) else read(bodies)
    rows = for_backend(backend).accuracy_curve(
        snapshot.to_core(), eps, precision, backend, longest, threads, "bodies", progress
    )
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    columns["best"] = [bool(mark) for mark in columns["best"]]
    return AccuracyCurve(
        {name: _numbers_or_words(values) for name, values in columns.items()},
        {"bodies": str(len(snapshot)), "eps": repr(eps)},
    )


def _numbers_or_words(values: list[Any]) -> list[Any]:
    """Converts the cells of a column; empty ones, such as the accuracy parameter of direct sums, become NaN."""
    if any(isinstance(value, str) for value in values):
        return [value or "" for value in values]
    return [float("nan") if value is None else value for value in values]
