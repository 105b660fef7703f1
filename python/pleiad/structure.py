"""What bodies have formed: power spectra of periodic boxes, and groups by friends of friends."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._checked import checked
from ._surface_density import snapshot_of
from ._types import Types, about_bodies, types_of
from .snapshot import Snapshot
from .table import Table

if TYPE_CHECKING:
    from .simulation import Simulation

__all__ = ["Groups", "groups", "power_spectrum"]


def __dir__() -> list[str]:
    return __all__


@dataclass(frozen=True)
class Groups:
    """Groups of bodies, in descending order of their members.

    Parameters
    ----------
    table
        A row for each group.
    group_of
        ``(N,)``: the number of the group of each body, a row of the table; -1 for bodies in none.
    """

    table: Table
    group_of: NDArray[np.int64]


@checked(grid=(4, 2048), folds=(0, 8))
def power_spectrum(
    bodies: Snapshot | Simulation,
    grid: int | None = None,
    *,
    folds: int = 0,
    types: Types | None = None,
) -> Table:
    """The power spectrum of bodies in a periodic cube.

    The power at a wave vector k is ``V |delta_k|^2``, with the Fourier coefficient of the density divided by its mean.
    Masses are deposited by the piecewise cubic window on two grids, of which one is shifted by half a cell, and the
    transform is divided by that of the window. The bits depend neither on the number of threads nor on the order of
    the bodies.

    Parameters
    ----------
    bodies
        A snapshot or a simulation, in a periodic cube.
    grid
        The number of cells along each side, even. By default the smallest power of two that is at least twice the cube
        root of the number of bodies, 16 to 512.
    folds
        How many times the box is folded by four in each direction: each reaches wave numbers that are four times
        larger, from fewer modes.
    types
        Only bodies of these types, such as ``"halo"``.

    Returns
    -------
    Table
        ``k`` (mean of ``|k|`` in a shell, in 1 / length), ``power`` (its mean, in length^3, nothing subtracted),
        ``modes`` (wave vectors, of each two opposite ones one), ``shot_noise`` (``V sum m^2 / (sum m)^2``) and
        ``fold``. The standard deviation of the mean is ``power / sqrt(modes)``.

    Raises
    ------
    UsageError
        For bodies in open space, or a box whose sides differ.
    InputError
        If no body has the types, or none of them has mass.

    Examples
    --------
    >>> box = pleiad.models.uniform_box(4096, seed=1)
    >>> spectrum = pleiad.power_spectrum(box)
    >>> bool(abs(np.average(spectrum["power"], weights=spectrum["modes"]) * 4096 - 1) < 0.1)
    True
    """
    snapshot, chosen = snapshot_of(bodies), types_of(types)
    found = _core.power_spectrum(snapshot.to_core(), [int(kind) for kind in chosen], grid or 0, folds)
    return Table(found["columns"], {**about_bodies(snapshot, chosen), **found["about"]})


@checked(min_members=(1, 2**31 - 1))
def groups(
    bodies: Snapshot | Simulation,
    linking_length: float | None = None,
    *,
    linking_distance: float | None = None,
    min_members: int = 20,
    types: Types | None = None,
    overdensity: float | None = None,
    density: float | None = None,
) -> Groups:
    """Groups of bodies by friends of friends (Davis et al. 1985).

    Two bodies closer than the linking length are friends; a group is a body with its friends, their friends, and so
    on. A distance that is equal to the length does not link. The result does not depend on the number of threads.

    Parameters
    ----------
    bodies
        A snapshot or a simulation.
    linking_length
        In mean distances ``(V / N)^(1/3)`` of the chosen bodies in their periodic box, 0.2 by default.
    linking_distance
        The same in the unit of length. Bodies in open space need it.
    min_members
        The smallest number of bodies of a group.
    types
        Only bodies of these types are linked.
    overdensity
        The mean density of a sphere about each centre, in mean densities of the periodic box, 200 by default.
    density
        The mean density of another sphere, in mass / length^3.

    Returns
    -------
    Groups
        Its table has ``id`` (the smallest of the members), ``members``, ``mass``, ``x``, ``y``, ``z`` (the density
        centre), ``vx``, ``vy``, ``vz``, ``velocity_dispersion`` (of one component), ``extent`` (the largest distance
        from the centre), ``circular_velocity`` and ``circular_radius`` (the largest ``sqrt(G M(<r) / r)``);
        ``sphere_mass`` and ``sphere_radius`` of the overdensity, ``density_mass`` and ``density_radius`` of the
        density, of all bodies, members or not.

    Raises
    ------
    UsageError
        For a length that is not positive or exceeds half the box, or both lengths.

    Examples
    --------
    >>> a, b = pleiad.models.plummer(300, seed=1), pleiad.models.plummer(100, seed=2)
    >>> b.positions[:] += 50
    >>> found = pleiad.groups(pleiad.concatenate([a, b]), linking_distance=2, min_members=50)
    >>> len(found.table), bool(found.table["members"][0] > 250)
    (2, True)
    """
    snapshot, chosen = snapshot_of(bodies), types_of(types)
    found = _core.groups(
        snapshot.to_core(), [int(kind) for kind in chosen], linking_length, linking_distance, min_members, overdensity, density
    )
    return Groups(Table(found["columns"], {**about_bodies(snapshot, chosen), **found["about"]}), found["group_of"])
