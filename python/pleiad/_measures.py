"""Measurements of a snapshot: centres, radii, energies, and the hash of its state."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._checked import checked
from ._columns import numbers

from .errors import UsageError
from .table import Table

Floats = NDArray[np.float64]


class Measures:
    """The measures of a Snapshot."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def positions(self) -> Floats: ...
        @property
        def masses(self) -> Floats: ...
        def to_core(self) -> dict[str, Any]: ...

    @property
    def state_hash(self) -> str:
        """32 hexadecimal digits of ids, positions, velocities and masses: equal states, equal hashes."""
        return str(_core.state_hash(self.to_core()))

    @property
    def centre_of_mass(self) -> Floats:
        """``(3,)``, length."""
        return np.average(self.positions, axis=0, weights=self.masses)

    def density_centre(self) -> Floats:
        """The centre of the densest region, from a series of spheres, each with half the bodies of the one before.

        Returns
        -------
        numpy.ndarray
            ``(3,)``, length.
        """
        return np.array(_core.density_centre(self.to_core()))

    @checked
    def lagrangian_radii(
        self, fractions: Sequence[float] = (0.1, 0.25, 0.5, 0.75, 0.9), centre: ArrayLike | None = None
    ) -> Floats:
        """Lagrangian radii, which contain fractions of the mass, about the density centre or another one.

        Parameters
        ----------
        fractions
            ``(k,)``: fractions of the mass, from 0 to 1.
        centre
            ``(3,)``, length; the density centre where none is given.

        Returns
        -------
        numpy.ndarray
            ``(k,)``, length.

        Raises
        ------
        UsageError
            For invalid shapes or fractions.
        """
        middle = self.density_centre() if centre is None else numbers("centre", centre, np.float64)
        if middle.shape != (3,):
            raise UsageError(f"centre must have the shape (3,), not {middle.shape}")
        parts = numbers("fractions", fractions, np.float64)
        if parts.ndim != 1:
            raise UsageError(f"fractions must have the shape (k,), not {parts.shape}")
        x, y, z = middle.tolist()
        radii: Floats = _core.lagrangian_radii(self.to_core(), (x, y, z), parts.tolist())
        return radii

    @checked
    def orbits(self, about: str | int = "heaviest") -> Table:
        """Orbital elements of the bodies about one of them, about a pair, about the barycentre, or each about those before it.

        An orbit is that of two bodies; what the others do to it is what changes its elements with time. The plane z = 0 and the x axis
        are what angles refer to.

        Parameters
        ----------
        about
            ``heaviest``, ``barycentre``, ``jacobi`` (the centre of mass of the bodies before each one), the id of a body, or two ids as
            ``"0,1"``.

        Returns
        -------
        Table
            A row for each body but those of the centre: ``id``; ``a``, negative on a hyperbola and infinite on a parabola; ``e``;
            ``inclination``, ``node``, ``pericentre`` (its argument), ``true_anomaly`` and ``mean_anomaly``, radians; ``q``, the pericentre
            distance; ``mean_motion``; ``period``; ``mu``, G times both masses. NaN for a body without an orbit.

        Raises
        ------
        UsageError
            For ids that no body has, and with fewer than two bodies.

        Examples
        --------
        >>> planets = pleiad.models.solar_system().orbits()
        >>> [round(float(a), 2) for a in planets["a"][:4]]
        [0.39, 0.72, 1.0, 1.52]
        """
        return Table(_core.orbits(self.to_core(), str(about)), {"about": str(about)})

    @checked
    def diagnostics(self, eps: float = 0.0) -> dict[str, Any]:
        """Energies, momenta, virial ratio and radii by direct sums over all pairs, O(n^2).

        Parameters
        ----------
        eps
            The softening length, in the units of the bodies. 0: their own, where they have some.

        Returns
        -------
        dict
            ``time``, ``step``, ``kinetic``, ``potential``, ``energy``, ``momentum``, ``angular_momentum``,
            ``centre``, ``centre_velocity``, ``mass``, ``virial_ratio``, ``lagrangian_radii``, ...
        """
        return dict(_core.diagnose(self.to_core(), eps))
