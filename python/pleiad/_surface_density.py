"""Mass per area of bodies as seen along an axis, with a resolution that follows their density."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .errors import UsageError
from .snapshot import Snapshot

if TYPE_CHECKING:
    from .simulation import Simulation

Floats = NDArray[np.float64]
Extent = tuple[float, float, float, float]


def snapshot_of(bodies: Snapshot | Simulation) -> Snapshot:
    """Of a simulation as it is now, on the host."""
    return bodies if isinstance(bodies, Snapshot) else bodies.snapshot()


def surface_density(
    bodies: Snapshot | Simulation,
    axes: str = "xy",
    extent: Extent | None = None,
    pixels: int = 512,
    smooth: float = 8.0,
) -> tuple[Floats, Extent]:
    """Mass per area as seen along an axis, from a two-dimensional histogram.

    Parameters
    ----------
    bodies
        A snapshot or a simulation.
    axes
        The horizontal and the vertical axis: ``xy``, ``xz``, ``yz``, ...
    extent
        ``(left, right, bottom, top)``; by default a square around the bodies without those
        farthest away.
    pixels
        Along the longer side.
    smooth
        Number of bodies in the area over which each pixel is averaged, approximately; 0: the bare histogram.

    Returns
    -------
    density : numpy.ndarray
        ``(rows, columns)``, mass / length^2, the first row at the bottom.
    extent : tuple
        ``(left, right, bottom, top)``.

    Raises
    ------
    UsageError
        For invalid axes or an invalid extent.
    """
    if len(axes) != 2 or axes[0] == axes[1] or not set(axes) <= set("xyz"):
        raise UsageError(f"axes must be two of x, y and z, such as 'xy', not '{axes}'")
    snapshot = snapshot_of(bodies)
    x, y = (snapshot.positions[:, "xyz".index(axis)] for axis in axes)
    mass = snapshot.masses
    left, right, bottom, top = extent = _extent(x, y) if extent is None else extent
    if not (right > left and top > bottom and pixels >= 1):
        raise UsageError(f"the extent {extent} must have a width and a height, and the picture pixels")
    side = max(right - left, top - bottom) / pixels
    columns, rows = (max(1, round(length / side)) for length in (right - left, top - bottom))
    column = np.floor((x - left) * (columns / (right - left)))
    row = np.floor((y - bottom) * (rows / (top - bottom)))
    inside = (column >= 0) & (column < columns) & (row >= 0) & (row < rows)
    place = (row[inside] * columns + column[inside]).astype(np.int64)

    def histogram(weights: Floats | None) -> Floats:
        return np.bincount(place, weights, rows * columns).reshape(rows, columns).astype(np.float64)

    area = (right - left) * (top - bottom) / (rows * columns)
    density = histogram(mass[inside]) / area
    return (_smoothed(density, histogram(None), smooth) if smooth > 0 else density), extent


def _extent(x: Floats, y: Floats) -> Extent:
    """A square about the middle of the bodies with nineteen in twenty of them, and some room."""
    if len(x) == 0:
        return (-1.0, 1.0, -1.0, 1.0)
    some = slice(None, None, 1 + len(x) // 100_000)
    x, y = x[some], y[some]
    middle = float(np.median(x)), float(np.median(y))
    distance = np.maximum(np.abs(x - middle[0]), np.abs(y - middle[1]))
    half = 1.1 * float(np.quantile(distance, 1.0 if len(x) < 100 else 0.95)) or 1.0
    return (middle[0] - half, middle[0] + half, middle[1] - half, middle[1] + half)


def _smoothed(density: Floats, count: Floats, smooth: float) -> Floats:
    """Coarse where bodies are few, fine where they are many: what lies where bodies are enough stays in its
    pixels, and the rest is spread in the same way over pixels twice as large. No mass is lost."""
    rows, columns = density.shape
    if min(rows, columns) <= 2:
        return density
    enough = np.clip(8 * _blurred(count) / smooth - 1, 0, 1)  # of half as many in four pixels on
    fine = _blurred(density * enough)
    coarse = _smoothed(_halved(density * (1 - enough)) / 4, _halved(count), smooth)
    return fine + _doubled(coarse)[:rows, :columns]


def _halved(a: Floats) -> Floats:
    """Half as many pixels along both axes, with the sums of the old ones."""
    rows, columns = (length + length % 2 for length in a.shape)
    even = np.pad(a, ((0, rows - a.shape[0]), (0, columns - a.shape[1])))
    halved: Floats = even.reshape(rows // 2, 2, columns // 2, 2).sum(axis=(1, 3))
    return halved


def _blurred(a: Floats) -> Floats:
    """With weights 1 2 1 along both axes; what would leave over an edge stays."""
    for axis in (0, 1):
        b = np.pad(a, [(1, 1) if k == axis else (0, 0) for k in (0, 1)], mode="edge")
        a = (b.take(range(a.shape[axis]), axis) + 2 * a + b.take(range(2, a.shape[axis] + 2), axis)) / 4
    return a


def _doubled(a: Floats) -> Floats:
    """Twice as many pixels along both axes, linear between the middles of the old ones."""
    for axis in (0, 1):
        b = np.pad(a, [(1, 1) if k == axis else (0, 0) for k in (0, 1)], mode="edge")
        before = b.take(range(a.shape[axis]), axis)
        after = b.take(range(2, a.shape[axis] + 2), axis)
        a = np.stack([(3 * a + before) / 4, (3 * a + after) / 4], axis=axis + 1)
        shape = list(a.shape)
        shape[axis : axis + 2] = [shape[axis] * 2]
        a = a.reshape(shape)
    return a
