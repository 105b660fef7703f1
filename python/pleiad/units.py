"""Units: a length, a mass and a velocity in cgs; everything else follows."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from . import _core
from ._checked import checked, words
from ._strict import Strict, frozen
from .errors import UsageError

__all__ = ["FieldUnits", "Units"]


def __dir__() -> list[str]:
    return __all__


_SYMBOLS = {
    "galactic": ("kpc", "1e10 Msun", "km/s", "kpc/(km/s)"),
    "cluster": ("pc", "Msun", "km/s", "pc/(km/s)"),
    "solar": ("au", "Msun", "au/(yr/2pi)", "yr/2pi"),
    "si": ("m", "kg", "m/s", "s"),
    "cgs": ("cm", "g", "cm/s", "s"),
}


@dataclass(frozen=True)
class FieldUnits:
    """Units in which plots show a system: kpc, pc or au, km/s and solar masses.

    Parameters
    ----------
    length, velocity, mass
        Factors from the units of the system.
    length_name, velocity_name, mass_name
        Names for labels; empty without a physical scale.
    """

    length: float
    velocity: float
    mass: float
    length_name: str
    velocity_name: str
    mass_name: str


@dataclass(frozen=True)
class Units(Strict):
    """A system of units.

    ``nbody`` (Henon's: G = M = 1, E = -1/4) has no physical scale: ``physical`` is false and its three
    numbers are 1.

    Parameters
    ----------
    name
        The name of the system.
    physical
        Whether it has a scale.
    length_cm, mass_g, velocity_cm_s
        One unit, in cgs.
    """

    name: str = "nbody"
    physical: bool = False
    length_cm: float = 1.0
    mass_g: float = 1.0
    velocity_cm_s: float = 1.0

    @classmethod
    def of(cls, units: Units | str | Mapping[str, Any]) -> Units:
        """Returns a system by its name; a system is returned unchanged.

        Parameters
        ----------
        units
            ``nbody``, ``galactic``, ``cluster``, ``solar``, ``si`` or ``cgs``, or a system.

        Returns
        -------
        Units
            That system.

        Raises
        ------
        UsageError
            For another name.
        """
        if isinstance(units, Units):
            return units
        found = _core.units_named(units) if isinstance(units, str) else units
        if not isinstance(found, Mapping) or not {"name", "physical", "length_cm", "mass_g", "velocity_cm_s"} <= set(found):
            raise UsageError(f"units must be the name of a system, or Units, not {words(units)}")
        scales = (float(found[key]) for key in ("length_cm", "mass_g", "velocity_cm_s"))
        return cls(str(found["name"]), bool(found["physical"]), *scales)

    @classmethod
    @checked
    def custom(cls, length_cm: float, mass_g: float, velocity_cm_s: float) -> Units:
        """Makes a system of your own.

        Parameters
        ----------
        length_cm, mass_g, velocity_cm_s
            One unit of length, mass and velocity, in cgs.

        Returns
        -------
        Units
            Named ``custom``.

        Raises
        ------
        UsageError
            For scales that are not positive.
        """
        return cls.of(_core.custom_units(length_cm, mass_g, velocity_cm_s))

    @property
    def time_s(self) -> float:
        """The unit of time, in seconds."""
        return self.length_cm / self.velocity_cm_s

    @property
    def G(self) -> float:
        """The gravitational constant in these units."""
        known = {system["name"] for system in _core.unit_systems()}
        if self.name in known and Units.of(self.name) == self:
            return float(_core.units_named(self.name)["G"])
        return float(_core.custom_units(self.length_cm, self.mass_g, self.velocity_cm_s)["G"])

    @property
    def symbols(self) -> dict[str, str]:
        """Labels of axes: ``length``, ``mass``, ``velocity`` and ``time``."""
        if not self.physical:
            symbols = ("N-body units",) * 4
        else:
            cgs = (self.length_cm, self.mass_g, self.velocity_cm_s, self.time_s)
            made = [f"{scale:.4g} {unit}" for scale, unit in zip(cgs, ("cm", "g", "cm/s", "s"), strict=True)]
            symbols = _SYMBOLS.get(self.name, (made[0], made[1], made[2], made[3]))
        return dict(zip(("length", "mass", "velocity", "time"), symbols, strict=True))

    @property
    def field(self) -> FieldUnits:
        """The units in which plots show this system."""
        return FieldUnits(**_core.field_units(self.to_core()))

    @checked
    def time_unit(self, longest: float = 0.0) -> tuple[str, float]:
        """The unit in which plots show times, as the command does: Gyr, Myr, kyr, yr, d, h or s.

        Parameters
        ----------
        longest
            A time that should have at most four digits, in these units.

        Returns
        -------
        tuple
            Its name, and how many of it are one unit of time of this system; ``("", 1.0)`` without a physical scale.

        Examples
        --------
        >>> name, factor = pleiad.Units.of("galactic").time_unit()
        >>> name, round(factor, 4)
        ('Gyr', 0.9778)
        """
        if not self.physical:
            return "", 1.0
        name, seconds = _core.time_unit(self.to_core(), longest)
        return name, self.time_s / seconds

    def to_core(self) -> dict[str, Any]:
        """Converts for the extension module.

        Returns
        -------
        dict
            Name, scale or none, and the three units in cgs.
        """
        return {
            "name": self.name,
            "physical": self.physical,
            "length_cm": self.length_cm,
            "mass_g": self.mass_g,
            "velocity_cm_s": self.velocity_cm_s,
        }


frozen(Units)
