"""What bodies have formed: power spectra of periodic boxes, groups by friends of friends, binaries and shells of star clusters."""
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
from .cosmology import Cosmology
from .errors import UsageError
from .snapshot import Snapshot
from .table import Table
from .units import Units

if TYPE_CHECKING:
    from .simulation import Simulation

__all__ = ["Groups", "binaries", "cluster_shells", "groups", "mass_function", "power_spectrum"]


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
    volume
        That of the periodic box, in the units of the bodies; ``None`` in open space.
    units
        Those of the bodies.
    universe
        That of comoving bodies, or ``None``.
    """

    table: Table
    group_of: NDArray[np.int64]
    volume: float | None = None
    units: Units = Units()
    universe: Cosmology | None = None


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
        ``k`` (mean of ``|k|`` in a shell, in 1 / length), ``power`` (its mean, in length^3, nothing subtracted; of comoving
        bodies with a physical scale k is in h/Mpc and the power in (Mpc/h)^3),
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
        density, of all bodies, members or not. Of comoving bodies there are ``mass_200m``, ``mass_200c`` and ``mass_vir``
        with their radii: within 200 times the mean density, 200 times the critical one, and that of Bryan and Norman
        (1998); lengths and masses are those of the bodies, and velocities inside a group have the expansion in them.

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
    return Groups(
        Table(found["columns"], {**about_bodies(snapshot, chosen), **found["about"]}),
        found["group_of"],
        None if snapshot.box is None else float(np.prod(snapshot.box)),
        snapshot.units,
        snapshot.universe,
    )


@checked(per_decade=(1, 100))
def mass_function(groups: Groups, mass: str = "mass", *, per_decade: int = 5) -> Table:
    """The number of groups per volume and decade of mass.

    Parameters
    ----------
    groups
        The groups of a periodic box, from `groups`.
    mass
        The column of the mass: ``mass`` (of the members), ``mass_200c``, ``mass_vir``, ``sphere_mass``, ...
    per_decade
        Bins in each decade of mass. Their edges are powers of ten and of its roots, so those of two boxes are the same.

    Returns
    -------
    Table
        ``mass_low``, ``mass_high``, ``mass`` (the mean of the groups), ``groups``, ``dn_dlogm`` (groups per volume and
        decade), ``error`` (of groups at random: over the root of their number) and ``above`` (groups per volume of at least
        ``mass_low``). Of comoving bodies with a physical scale masses are in Msun/h and volumes in (Mpc/h)^3.

    Raises
    ------
    UsageError
        For groups in open space, or a column that is not there.

    Examples
    --------
    >>> box = pleiad.models.uniform_box(4096, seed=1)
    >>> counts = pleiad.mass_function(pleiad.groups(box, 0.6, min_members=2))
    >>> int(counts["groups"].sum()) == len(pleiad.groups(box, 0.6, min_members=2).table)
    True
    """
    if groups.volume is None:
        raise UsageError("a mass function is per volume, of a periodic box: these groups are in open space")
    columns = [name for name in groups.table.columns if "mass" in name]
    if mass not in columns:
        raise UsageError(f"these groups have no mass '{mass}': it is one of {', '.join(columns)}")
    masses = groups.table[mass]
    found = _core.mass_function(
        masses[masses > 0].tolist(), groups.volume, groups.units.to_core(), groups.universe is not None, per_decade
    )
    return Table(found["columns"], {**groups.table.about, **found["about"]})


def binaries(bodies: Snapshot | Simulation, *, types: Types | None = None) -> Table:
    """The binaries and hierarchies of a star cluster.

    Two stars are a binary if each is the nearest of the other, their energy is negative, and the tide of the six next
    stars at apocentre is weaker than their attraction. A binary is one body from then on, and forms hierarchies by the
    same rule, if the orbits do not cross. Orbits are those of point masses, without softening.

    Parameters
    ----------
    bodies
        A snapshot or a simulation, in open space.
    types
        Only bodies of these types, such as ``"star"``.

    Returns
    -------
    Table
        A row for each orbit: ``id_1`` and ``id_2`` (first star of each component), ``stars``, ``mass_1``, ``mass_2``,
        ``semi_major_axis``, ``eccentricity``, ``inclination`` (degrees), ``period``, ``binding_energy``, ``hardness``
        (binding energy over kT), ``perturbation``, ``stability`` (Mardling and Aarseth 2001; NaN for binaries),
        ``outermost``, ``x``, ``y``, ``z``, ``vx``, ``vy``, ``vz`` and ``distance`` from the centre of the cluster.
        ``about`` tells the core, as in `cluster_shells`.

    Raises
    ------
    UsageError
        For bodies in a periodic box.
    InputError
        If no body has the types, or none of them has mass.

    Examples
    --------
    >>> stars = pleiad.models.cluster(200, seed=4, binaries=1.0, separation="log-uniform", separation_max=50.0)
    >>> int((pleiad.binaries(stars)["stars"] == 2).sum())
    100
    """
    return _cluster(bodies, types, True)


def cluster_shells(bodies: Snapshot | Simulation, *, types: Types | None = None) -> Table:
    """The shells of a star cluster between Lagrangian radii, and its core.

    A binary or a hierarchy counts as one body, see `binaries`. The density about each body is that of its six nearest
    (Casertano and Hut 1985). The core radius is ``sqrt(sum rho^2 d^2 / sum rho^2)`` about the centre, the mean place
    weighted by density (McMillan, Hut and Makino 1990).

    Parameters
    ----------
    bodies
        A snapshot or a simulation, in open space.
    types
        Only bodies of these types, such as ``"star"``.

    Returns
    -------
    Table
        A row for each of 1, 2, 5, 10, 20, 30, 50, 70, 90 and 100 % of the mass: ``mass_fraction``, ``radius``, then of
        the shell below it ``objects``, ``stars``, ``systems``, ``mass``, ``mean_mass`` (of stars),
        ``radial_velocity``, ``radial_dispersion`` and ``tangential_dispersion`` (one component). ``about`` tells, as
        text, ``stars``, ``binaries``, ``hierarchies``, ``mass``, ``centre``, ``velocity``, ``core_radius``,
        ``core_density``, ``core_mass``, ``core_stars``, ``half_mass_radius``, ``half_mass_relaxation_time`` and
        ``kT``, in the units of the bodies.

    Raises
    ------
    UsageError
        For bodies in a periodic box.
    InputError
        If no body has the types, or none of them has mass.

    Examples
    --------
    >>> shells = pleiad.cluster_shells(pleiad.models.plummer(5000, seed=1))
    >>> bool(abs(float(shells.about["core_radius"]) / (0.548 * 3 * np.pi / 16) - 1) < 0.2)
    True
    """
    return _cluster(bodies, types, False)


def _cluster(bodies: Snapshot | Simulation, types: Types | None, pairs: bool) -> Table:
    snapshot, chosen = snapshot_of(bodies), types_of(types)
    found = _core.cluster(snapshot.to_core(), [int(kind) for kind in chosen], pairs)
    return Table(found["columns"], {**about_bodies(snapshot, chosen), **found["about"]})
