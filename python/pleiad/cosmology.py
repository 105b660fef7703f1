"""Expanding universes: their expansion, linear growth, ages and distances."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._checked import add_kind, checked, number, words
from ._columns import numbers
from ._spectrum import spectrum_of
from ._strict import Strict, frozen
from .errors import UsageError

__all__ = ["Cosmology"]

_DENSITIES = ("omega_m", "omega_lambda", "omega_r", "omega_b", "w0", "wa", "h")


def __dir__() -> list[str]:
    return __all__


@dataclass(frozen=True)
class Cosmology(Strict):
    """A homogeneous universe: densities at a = 1 over the critical density, dark energy of w(a) = w0 + wa (1 - a).

    What the densities lack of 1 is curvature. The defaults are those of the Planck Collaboration (2020), table 2, last
    column. Each method takes a scale factor a = 1 / (1 + z), or an array of them, and returns a number or an array.

    Parameters
    ----------
    omega_m
        Matter, baryons included.
    omega_lambda
        Dark energy; ``None``: that of a flat universe.
    omega_r
        Radiation.
    omega_b
        Baryons, which the transfer function of `cosmology_ic` needs.
    w0, wa
        The equation of state of dark energy.
    h
        The Hubble constant in 100 km/s/Mpc.

    Raises
    ------
    UsageError
        For densities that are not possible.

    Examples
    --------
    >>> universe = pleiad.Cosmology(omega_m=0.3, h=0.7)
    >>> round(universe.age(1), 3), round(universe.growth_rate(0.5), 4)
    (13.467, 0.8693)
    >>> universe.hubble([0.5, 1]).round(3).tolist()
    [123.248, 70.0]
    """

    omega_m: float = 0.3111
    omega_lambda: float | None = None
    omega_r: float = 0.0
    omega_b: float = 0.049
    w0: float = -1.0
    wa: float = 0.0
    h: float = 0.6766

    def __post_init__(self) -> None:
        for name in _DENSITIES:
            value = getattr(self, name)
            if value is not None or name != "omega_lambda":
                object.__setattr__(self, name, number(name, value))
        object.__setattr__(self, "omega_lambda", _core.dark_energy(self.to_core()))

    @classmethod
    def of(cls, universe: Cosmology | Mapping[str, Any]) -> Cosmology:
        """Returns a universe of its densities by name; a universe is returned unchanged.

        Parameters
        ----------
        universe
            A `Cosmology`, or its parameters.

        Returns
        -------
        Cosmology
            That universe.

        Raises
        ------
        UsageError
            For another object.
        """
        if isinstance(universe, Cosmology):
            return universe
        if not isinstance(universe, Mapping) or not set(universe) <= set(_DENSITIES):
            raise UsageError(f"universe must be a Cosmology, or a dict of {', '.join(_DENSITIES)}, not {words(universe)}")
        return cls(**universe)

    def to_core(self) -> dict[str, Any]:
        """Converts for the extension module.

        Returns
        -------
        dict
            The densities, ``w0``, ``wa`` and ``h``.
        """
        return {name: getattr(self, name) for name in _DENSITIES}

    def _at(self, quantity: str, a: ArrayLike) -> Any:
        places = numbers("a", a, np.float64)
        found = np.array(_core.cosmology(self.to_core(), quantity, places.ravel().tolist()))
        return float(found[0]) if places.ndim == 0 else found.reshape(places.shape)

    def expansion_rate(self, a: ArrayLike) -> Any:
        """E(a) = H(a) / H0.

        Parameters
        ----------
        a
            Scale factors, from 1e-8 on.

        Returns
        -------
        float or array
            The rate.
        """
        return self._at("expansion_rate", a)

    def hubble(self, a: ArrayLike) -> Any:
        """The Hubble rate H(a).

        Parameters
        ----------
        a
            Scale factors, from 1e-8 on.

        Returns
        -------
        float or array
            In km/s/Mpc.
        """
        return self._at("hubble", a)

    def matter_fraction(self, a: ArrayLike) -> Any:
        """Omega_m(a), the density of matter over the critical density at a.

        Parameters
        ----------
        a
            Scale factors, from 1e-8 on.

        Returns
        -------
        float or array
            The fraction.
        """
        return self._at("matter_fraction", a)

    def growth_factor(self, a: ArrayLike) -> Any:
        """D(a) / D(1): linear perturbations of matter over those of today, by their differential equation.

        Parameters
        ----------
        a
            Scale factors, from 1e-8 on.

        Returns
        -------
        float or array
            1 at a = 1.
        """
        return self._at("growth_factor", a)

    def growth_rate(self, a: ArrayLike) -> Any:
        """f(a) = d ln D / d ln a.

        Parameters
        ----------
        a
            Scale factors, from 1e-8 on.

        Returns
        -------
        float or array
            The rate of linear growth.
        """
        return self._at("growth_rate", a)

    def age(self, a: ArrayLike) -> Any:
        """The cosmic time since a = 0.

        Parameters
        ----------
        a
            Scale factors, from 1e-8 on.

        Returns
        -------
        float or array
            In 1e9 Julian years.
        """
        return self._at("age", a)

    def comoving_distance(self, a: ArrayLike) -> Any:
        """The comoving distance, along the line of sight, to what is seen at a.

        Parameters
        ----------
        a
            Scale factors, from 1e-8 on.

        Returns
        -------
        float or array
            In Mpc, not per h.
        """
        return self._at("comoving_distance", a)

    def virial_overdensity(self, a: ArrayLike) -> Any:
        """The mean density of virialised spheres over the critical one at a, by Bryan and Norman (1998).

        Parameters
        ----------
        a
            Scale factors, from 1e-8 on.

        Returns
        -------
        float or array
            18 pi^2 in a universe of matter alone.
        """
        return self._at("virial_overdensity", a)

    @checked
    def linear_power(
        self,
        k: ArrayLike,
        *,
        sigma8: float | None = None,
        a_s: float | None = None,
        n_s: float = 0.9665,
        transfer: str = "eisenstein-hu",
    ) -> Any:
        """The linear power spectrum of today, that of `cosmology_ic`.

        Parameters
        ----------
        k
            Wave numbers, in h/Mpc.
        sigma8
            The amplitude in spheres of 8 Mpc/h; 0.8102 where `a_s` is not given either.
        a_s
            The primordial amplitude at 0.05 per Mpc.
        n_s
            The index of the primordial spectrum.
        transfer
            ``eisenstein-hu``, or ``no-wiggle``: without acoustic oscillations.

        Returns
        -------
        float or array
            P(k) in (Mpc/h)^3. At another time it is ``growth_factor(a)**2`` times that.

        Raises
        ------
        UsageError
            For amplitudes that exclude each other.
        """
        places = numbers("k", k, np.float64)
        asked = spectrum_of(sigma8=sigma8, a_s=a_s, n_s=n_s, transfer=transfer)
        found = np.array(_core.linear_power(self.to_core(), asked, places.ravel().tolist()))
        return float(found[0]) if places.ndim == 0 else found.reshape(places.shape)


frozen(Cosmology)


def _cosmology(name: str, value: Any) -> Cosmology:
    if not isinstance(value, Cosmology):
        raise UsageError(f"{name} must be a Cosmology, not {words(value)}")
    return value


add_kind("Cosmology", _cosmology)
