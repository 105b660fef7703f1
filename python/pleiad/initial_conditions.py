"""The bodies that cosmological simulations start with."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import os

from . import _core
from ._checked import checked
from ._spectrum import spectrum_of
from .cosmology import Cosmology
from .snapshot import Snapshot

__all__ = ["cosmology_ic"]


def __dir__() -> list[str]:
    return __all__


@checked(n=(3, 4096), seed=(0, 2**63 - 1), order=(1, 2))
def cosmology_ic(
    box: float,
    n: int,
    universe: Cosmology | None = None,
    *,
    redshift: float = 49.0,
    seed: int = 1,
    order: int = 2,
    sigma8: float | None = None,
    a_s: float | None = None,
    n_s: float = 0.9665,
    transfer: str = "eisenstein-hu",
    power: str | os.PathLike[str] | None = None,
    power_redshift: float = 0.0,
    fixed: bool = False,
    paired: bool = False,
) -> Snapshot:
    """The bodies that a cosmological simulation starts with, as ``pleiad ic cosmology`` makes them.

    A lattice of n^3 bodies in a periodic box, displaced by Lagrangian perturbation theory so that its density has a
    linear power spectrum. The same seed gives the same waves for every n; the bits do not depend on the number of
    threads.

    Parameters
    ----------
    box
        The side of the box, in Mpc/h.
    n
        Bodies along a side, 3 to 4096.
    universe
        Its densities and h; by default those of `Cosmology`.
    redshift
        The redshift of the bodies.
    seed
        The seed of the random waves.
    order
        1: Zel'dovich; 2: second order (2LPT).
    sigma8
        The amplitude of today in spheres of 8 Mpc/h; 0.8102 where no other amplitude is given.
    a_s
        Instead: the primordial amplitude at 0.05 per Mpc.
    n_s
        The index of the primordial spectrum; not of a table.
    transfer
        ``eisenstein-hu``, or ``no-wiggle``: without acoustic oscillations.
    power
        Instead: a table of the linear P(k), of k in h/Mpc and P in (Mpc/h)^3.
    power_redshift
        The redshift of that table.
    fixed
        Whether each wave has its mean amplitude.
    paired
        Whether all phases are turned by pi.

    Returns
    -------
    Snapshot
        Comoving bodies with their `universe`, in kpc/h, 1e10 Msun/h and km/s. Its time is the scale factor.

    Raises
    ------
    UsageError
        For a request that makes no sense, such as a table that does not have the scales of the box.
    ResourceError
        If this machine has too little memory.

    Examples
    --------
    >>> young = pleiad.cosmology_ic(100, 8, redshift=9)
    >>> young
    <pleiad.Snapshot: 512 bodies at z = 9, galactic units, box 100000 x 100000 x 100000>
    """
    asked = spectrum_of(sigma8, a_s, n_s, transfer, power, power_redshift)
    asked |= {"box": box, "n": n, "redshift": redshift, "order": order, "seed": seed, "fixed": fixed, "paired": paired}
    return Snapshot.from_core(_core.cosmology_ic((universe or Cosmology()).to_core(), asked))
