"""Diagnostics of a simulation: energies, momenta, centre and radii."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ._strict import Strict, frozen
from .units import Units

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Diagnostics"]


def __dir__() -> list[str]:
    return __all__


@dataclass(frozen=True, repr=False)
class Diagnostics(Strict):
    """Energies, momenta, centre and radii of a simulation, in the units of its bodies.

    Parameters
    ----------
    time, step
        The time, and the number of steps since the start.
    kinetic, potential, energy
        Energies T and W, G included, and their sum. W includes the energy in external potentials.
    energy_error
        (E - E0) / abs(E0) since the start. Where abs(E0) is below 1e-6 of T0 + abs(W0), as on a parabola, it is relative to that.
    momentum, angular_momentum
        ``(3,)``: momentum of all bodies, and angular momentum about the origin.
    centre, centre_velocity
        ``(3,)``: position and velocity of the centre of mass.
    mass
        Total mass.
    virial_ratio
        T / abs(W) of the bodies themselves: T relative to their centre of mass, W of their pairs, without
        external potentials.
    lagrangian_radii
        ``(k,)``: Lagrangian radii about the centre of the innermost half, which contain the fractions
        ``lagrangian_fractions`` of the mass.
    lagrangian_fractions
        ``(k,)``: fractions of the mass, from 0 to 1.
    units
        Units of the numbers.
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
    units: Units = Units()

    def __repr__(self) -> str:
        of = self.units.symbols if self.units.physical else dict.fromkeys(("length", "mass", "velocity", "time"), "")
        length, mass, velocity = of["length"], of["mass"], of["velocity"]
        energy = f"{mass} ({velocity})^2" if mass else ""
        percents = " ".join(f"{100 * part:.6g}%" for part in self.lagrangian_fractions)
        rows: list[tuple[str, Any, str]] = [
            ("kinetic", self.kinetic, energy),
            ("potential", self.potential, energy),
            ("energy", self.energy, energy),
            ("energy_error", self.energy_error, ""),
            ("virial_ratio", self.virial_ratio, ""),
            ("mass", self.mass, mass),
            ("momentum", self.momentum, f"{mass} {velocity}"),
            ("angular_momentum", self.angular_momentum, f"{length} {mass} {velocity}"),
            ("centre", self.centre, length),
            ("centre_velocity", self.centre_velocity, velocity),
            ("lagrangian_radii", self.lagrangian_radii, f"{length} ({percents})"),
        ]
        name, factor = self.units.time_unit(self.time)
        shown = f" ({self.time * factor:.6g} {name})" if name else ""
        lines = [f"<pleiad.Diagnostics at time {self.time:.6g}{shown}, step {self.step}, {self.units.name} units"]
        for name, value, unit in rows:
            numbers = "".join(f"{number:>13.6g}" for number in ([value] if isinstance(value, float) else value))
            lines.append(f"  {name:<16}{numbers}  {unit.strip()}".rstrip())
        return "\n".join(lines) + ">"


frozen(Diagnostics)
