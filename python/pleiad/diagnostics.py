"""Numbers that tell whether a simulation is healthy."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ._strict import Strict, frozen

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Diagnostics"]


def __dir__() -> list[str]:
    return __all__


@dataclass(frozen=True)
class Diagnostics(Strict):
    """Numbers that tell whether a simulation is healthy, in the units of its bodies.

    Parameters
    ----------
    time, step
        When: the time, and the steps since the start.
    kinetic, potential, energy
        Energies T and W, G included, and their sum.
    energy_error
        (E - E0) / abs(E0) since the start, or E - E0 when E0 is 0.
    momentum, angular_momentum
        ``(3,)``, of all bodies, about the origin.
    centre, centre_velocity
        ``(3,)``, of mass.
    mass
        Of all bodies.
    virial_ratio
        T / abs(W).
    lagrangian_radii
        ``(k,)``: radii, about the centre of the innermost half, that hold the parts ``lagrangian_fractions``
        of the mass.
    lagrangian_fractions
        ``(k,)``: parts of the mass, from 0 to 1.
    """

    time: float
    step: int
    kinetic: float
    potential: float
    energy: float
    energy_error: float
    momentum: NDArray[np.float64]
    angular_momentum: NDArray[np.float64]
    centre: NDArray[np.float64]
    centre_velocity: NDArray[np.float64]
    mass: float
    virial_ratio: float
    lagrangian_radii: NDArray[np.float64]
    lagrangian_fractions: NDArray[np.float64]


frozen(Diagnostics)
