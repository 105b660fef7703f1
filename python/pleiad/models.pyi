# Made by `python -m pleiad.models`; a test holds it equal to the catalogue.
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

import inspect
from dataclasses import dataclass

from .snapshot import Snapshot

__all__ = [
    "Model",
    "Parameter",
    "catalogue",
    "cold_sphere",
    "encounter",
    "expand",
    "figure_eight",
    "free_fall",
    "galaxy",
    "hernquist",
    "king",
    "lattice",
    "nfw",
    "plummer",
    "pythagorean",
    "random",
    "shell",
    "solar_system",
    "two_body",
    "uniform_box",
]

@dataclass(frozen=True)
class Parameter:
    name: str
    default: float
    low: float
    high: float
    meaning: str

@dataclass(frozen=True)
class Model:
    name: str
    summary: str
    origin: str
    suggested_softening: float
    parameters: tuple[Parameter, ...]
    @property
    def random(self) -> bool: ...
    @property
    def function_name(self) -> str: ...
    @property
    def signature(self) -> inspect.Signature: ...
    @property
    def docstring(self) -> str: ...

def catalogue() -> tuple[Model, ...]: ...
def stub() -> str: ...
def uniform_box(
    n: float = 4096,
    seed: int = 1,
    *,
    dimension: float = 3,
    box: float = 1,
    total_mass: float = 0,
    sigma: float = 0,
) -> Snapshot:
    """Bodies uniformly at random in a periodic box, in two or three dimensions, at rest or thermal.

    At the origin: a corner of the box; total momentum 0.

    Parameters
    ----------
    n
        Number of bodies; from 1 to 1e+10.
    seed
        The same seed gives the same bodies on every machine, and the same random numbers for all
        parameters of a model: independent bodies need another one.
    dimension
        2: all in the plane z = 0; 3: in the cube; from 2 to 3.
    box
        Side of the periodic box [0, box); from 1e-06 to 1e+09.
    total_mass
        Mass of all bodies together; 0: every body has mass 1; from 0 to 1e+12.
    sigma
        Velocity dispersion per axis; 0: at rest; from 0 to 1e+09.

    Returns
    -------
    Snapshot
        The bodies at time 0.
    """
def lattice(
    *,
    side: float = 33,
) -> Snapshot:
    """A square lattice at rest in the periodic unit box (plane z = 0).

    A symmetry test of forces.
    At the origin: a corner of the box; all at rest.

    Parameters
    ----------
    side
        Bodies along one side: there are side * side of them; from 1 to 4096.

    Returns
    -------
    Snapshot
        The bodies at time 0.
    """
def random(
    n: float = 16384,
    seed: int = 1,
    *,
    cluster_scale: float = 1.54,
    velocity_scale: float = 8,
) -> Snapshot:
    """Preset of the classic GPU demo.

    Unit masses at random in a ball, with random velocities.
    At the origin: the centre of mass, at rest.
    A softening that suits it: 0.1.

    Parameters
    ----------
    n
        Number of bodies; from 1 to 1e+10.
    seed
        The same seed gives the same bodies on every machine, and the same random numbers for all
        parameters of a model: independent bodies need another one.
    cluster_scale
        Radius of the ball per 1024 bodies (never less than for 1024); from 1e-06 to 1e+06.
    velocity_scale
        Largest speed in units of the radius; from 0 to 1e+06.

    Returns
    -------
    Snapshot
        The bodies at time 0.
    """
def shell(
    n: float = 16384,
    seed: int = 1,
    *,
    cluster_scale: float = 1.54,
    velocity_scale: float = 8,
) -> Snapshot:
    """Preset of the classic GPU demo.

    Unit masses in a thick spherical shell that rotates.
    At the origin: the centre of mass, at rest.
    A softening that suits it: 0.1.

    Parameters
    ----------
    n
        Number of bodies; from 1 to 1e+10.
    seed
        The same seed gives the same bodies on every machine, and the same random numbers for all
        parameters of a model: independent bodies need another one.
    cluster_scale
        Unit of length: the shell reaches from 2.5 to 4 of it; from 1e-06 to 1e+06.
    velocity_scale
        Angular velocity in units of cluster_scale; from 0 to 1e+06.

    Returns
    -------
    Snapshot
        The bodies at time 0.
    """
def expand(
    n: float = 16384,
    seed: int = 1,
    *,
    cluster_scale: float = 1.54,
    velocity_scale: float = 8,
) -> Snapshot:
    """Preset of the classic GPU demo.

    Unit masses in a ball that expands like a small universe.
    At the origin: the centre of mass, at rest.
    A softening that suits it: 0.1.

    Parameters
    ----------
    n
        Number of bodies; from 1 to 1e+10.
    seed
        The same seed gives the same bodies on every machine, and the same random numbers for all
        parameters of a model: independent bodies need another one.
    cluster_scale
        Radius of the ball per 1024 bodies (never less than for 1024); from 1e-06 to 1e+06.
    velocity_scale
        Speed at the edge in units of the radius; from 0 to 1e+06.

    Returns
    -------
    Snapshot
        The bodies at time 0.
    """
def cold_sphere(
    n: float = 4096,
    seed: int = 1,
) -> Snapshot:
    """A uniform ball at rest, M = R = G = 1, that collapses at t = 1.1107.

    At the origin: the centre of mass, at rest.
    A softening that suits it: 0.05.

    Parameters
    ----------
    n
        Number of bodies; from 1 to 1e+10.
    seed
        The same seed gives the same bodies on every machine, and the same random numbers for all
        parameters of a model: independent bodies need another one.

    Returns
    -------
    Snapshot
        The bodies at time 0.
    """
def plummer(
    n: float = 4096,
    seed: int = 1,
    *,
    mass_fraction: float = 0.999,
) -> Snapshot:
    """Plummer sphere in equilibrium, in Henon units (G = M = 1, E = -1/4).

    At the origin: the centre of the profile; total momentum 0.
    A softening that suits it: 0.02.

    Parameters
    ----------
    n
        Number of bodies; from 1 to 1e+10.
    seed
        The same seed gives the same bodies on every machine, and the same random numbers for all
        parameters of a model: independent bodies need another one.
    mass_fraction
        Mass fraction at which the sphere is truncated (0.999: radius 22.8); 1: not truncated; from 0.01
        to 1.

    Returns
    -------
    Snapshot
        The bodies at time 0.
    """
def king(
    n: float = 4096,
    seed: int = 1,
    *,
    W0: float = 6,
) -> Snapshot:
    """King model of a star cluster, with a tidal radius, in equilibrium, in Henon units (G = M = 1, E = -1/4).

    At the origin: the centre of the profile; total momentum 0.
    A softening that suits it: 0.02.

    Parameters
    ----------
    n
        Number of bodies; from 1 to 1e+10.
    seed
        The same seed gives the same bodies on every machine, and the same random numbers for all
        parameters of a model: independent bodies need another one.
    W0
        Depth of the central potential in units of sigma^2: the larger, the more concentrated; from 0.1 to
        12.

    Returns
    -------
    Snapshot
        The bodies at time 0.
    """
def hernquist(
    n: float = 10000,
    seed: int = 1,
    *,
    mass: float = 1,
    scale: float = 1,
    cut: float = 50,
) -> Snapshot:
    """Hernquist sphere (galaxies, bulges) in equilibrium.

    Velocities from its distribution function.
    At the origin: the centre of the profile; total momentum 0.
    A softening that suits it: 0.02.

    Parameters
    ----------
    n
        Number of bodies; from 1 to 1e+10.
    seed
        The same seed gives the same bodies on every machine, and the same random numbers for all
        parameters of a model: independent bodies need another one.
    mass
        Total mass; from 1e-09 to 1e+15.
    scale
        Scale radius a of rho ~ 1 / (r (r + a)^3); from 1e-09 to 1e+09.
    cut
        The density is multiplied by sech(r / (cut * scale)); 0: not truncated; from 0 to 1e+06.

    Returns
    -------
    Snapshot
        The bodies at time 0.
    """
def nfw(
    n: float = 10000,
    seed: int = 1,
    *,
    mass: float = 1,
    scale: float = 1,
    cut: float = 10,
) -> Snapshot:
    """NFW dark halo (Navarro, Frenk & White), smoothly truncated, in equilibrium (Eddington's formula).

    At the origin: the centre of the profile; total momentum 0.
    A softening that suits it: 0.02.

    Parameters
    ----------
    n
        Number of bodies; from 1 to 1e+10.
    seed
        The same seed gives the same bodies on every machine, and the same random numbers for all
        parameters of a model: independent bodies need another one.
    mass
        Total mass; from 1e-09 to 1e+15.
    scale
        Scale radius r_s of rho ~ 1 / (r (r + r_s)^2); from 1e-09 to 1e+09.
    cut
        The density is multiplied by sech(r / (cut * scale)): the mass is finite; about the concentration;
        from 1 to 1e+06.

    Returns
    -------
    Snapshot
        The bodies at time 0.
    """
def galaxy(
    n: float = 30000,
    seed: int = 1,
    *,
    disc_mass: float = 2,
    disc_scale: float = 2.5,
    disc_height: float = 0.5,
    toomre_q: float = 1.5,
    bulge_mass: float = 0.4,
    bulge_scale: float = 0.6,
    halo_mass: float = 15,
    halo_scale: float = 7,
    halo_outer: float = 4,
    halo_cut: float = 35,
    disc_share: float = 0.3,
) -> Snapshot:
    """A stable disc galaxy with live halo and bulge, in kpc, 1e10 Msun, km/s.

    At the origin: the centre of the profile; total momentum 0.
    A softening that suits it: 0.2.

    Parameters
    ----------
    n
        Number of bodies, all components together; from 100 to 1e+10.
    seed
        The same seed gives the same bodies on every machine, and the same random numbers for all
        parameters of a model: independent bodies need another one.
    disc_mass
        Mass of the stellar disc, 1e10 Msun; from 1e-09 to 1e+06.
    disc_scale
        Scale length of the exponential disc, kpc; from 0.001 to 1000.
    disc_height
        Scale height z0 of its sech^2(z/z0) layer, kpc; from 0.0001 to 100.
    toomre_q
        Minimum of Toomre's Q: below 1 the disc fragments, above 1.5 it stays smooth; from 0.5 to 5.
    bulge_mass
        Mass of the bulge (Hernquist), 1e10 Msun; 0: none; from 0 to 1e+06.
    bulge_scale
        Scale radius of the bulge, kpc; from 0.001 to 1000.
    halo_mass
        Mass of the dark halo, 1e10 Msun; from 1e-06 to 1e+08.
    halo_scale
        Scale radius of the halo, kpc; from 0.01 to 10000.
    halo_outer
        Outer slope of the halo's density: 4 Hernquist, 3 NFW; from 3 to 5.
    halo_cut
        Radius where the halo's density is cut by sech(r / cut), kpc; from 0.1 to 100000.
    disc_share
        Fraction of the bodies in the disc; bulge bodies have the mass of disc bodies, the rest is halo;
        from 0.05 to 0.9.

    Returns
    -------
    Snapshot
        The bodies at time 0.
    """
def encounter(
    n: float = 40000,
    seed: int = 1,
    *,
    pericentre: float = 8,
    eccentricity: float = 1,
    separation: float = 60,
    mass_ratio: float = 1,
    i1: float = 30,
    w1: float = -30,
    i2: float = 60,
    w2: float = -30,
    disc_mass: float = 2,
    disc_scale: float = 2.5,
    disc_height: float = 0.5,
    toomre_q: float = 1.5,
    bulge_mass: float = 0.4,
    bulge_scale: float = 0.6,
    halo_mass: float = 15,
    halo_scale: float = 7,
    halo_outer: float = 4,
    halo_cut: float = 35,
    disc_share: float = 0.3,
) -> Snapshot:
    """Two disc galaxies on a given encounter orbit, in kpc, 1e10 Msun, km/s.

    At the origin: the barycentre of the two galaxies' centres; total momentum 0.
    A softening that suits it: 0.2.

    Parameters
    ----------
    n
        Number of bodies, both galaxies together; from 200 to 1e+10.
    seed
        The same seed gives the same bodies on every machine, and the same random numbers for all
        parameters of a model: independent bodies need another one.
    pericentre
        Closest approach of the two centres as point masses, kpc; from 0.001 to 100000.
    eccentricity
        Of the orbit: 1 a parabola, less an ellipse, more a hyperbola; from 0 to 20.
    separation
        Distance of the centres at the start, kpc; from 0.001 to 1e+06.
    mass_ratio
        Second galaxy / first; lengths shrink with its square root; from 0.01 to 1.
    i1
        Inclination of the first disc, degrees: 0 turns with the orbit, 180 against it; from 0 to 180.
    w1
        Argument of the pericentre for the first disc, degrees; from -360 to 360.
    i2
        Inclination of the second disc, degrees; from 0 to 180.
    w2
        Argument of the pericentre for the second disc, degrees; from -360 to 360.
    disc_mass
        Mass of the stellar disc, 1e10 Msun; from 1e-09 to 1e+06.
    disc_scale
        Scale length of the exponential disc, kpc; from 0.001 to 1000.
    disc_height
        Scale height z0 of its sech^2(z/z0) layer, kpc; from 0.0001 to 100.
    toomre_q
        Minimum of Toomre's Q: below 1 the disc fragments, above 1.5 it stays smooth; from 0.5 to 5.
    bulge_mass
        Mass of the bulge (Hernquist), 1e10 Msun; 0: none; from 0 to 1e+06.
    bulge_scale
        Scale radius of the bulge, kpc; from 0.001 to 1000.
    halo_mass
        Mass of the dark halo, 1e10 Msun; from 1e-06 to 1e+08.
    halo_scale
        Scale radius of the halo, kpc; from 0.01 to 10000.
    halo_outer
        Outer slope of the halo's density: 4 Hernquist, 3 NFW; from 3 to 5.
    halo_cut
        Radius where the halo's density is cut by sech(r / cut), kpc; from 0.1 to 100000.
    disc_share
        Fraction of the bodies in the disc; bulge bodies have the mass of disc bodies, the rest is halo;
        from 0.05 to 0.9.

    Returns
    -------
    Snapshot
        The bodies at time 0.
    """
def two_body(
    *,
    m1: float = 0.75,
    m2: float = 0.25,
    a: float = 1,
    e: float = 0.5,
    inclination: float = 0,
    node: float = 0,
    argument: float = 0,
    mean_anomaly: float = 0,
) -> Snapshot:
    """Two masses on an ellipse or hyperbola given by orbital elements, G = 1.

    At the origin: the centre of mass, at rest.

    Parameters
    ----------
    m1
        First mass; from 0 to 1e+12.
    m2
        Second mass; 0: a test particle; from 0 to 1e+12.
    a
        Semi-major axis of the relative orbit (its size for a hyperbola); from 1e-09 to 1e+12.
    e
        Eccentricity; not 1; from 0 to 100.
    inclination
        Inclination to the xy plane, degrees; from 0 to 180.
    node
        Longitude of the ascending node, degrees; from -360 to 360.
    argument
        Argument of the pericentre, degrees; from -360 to 360.
    mean_anomaly
        Mean anomaly at the start, degrees; 0: at the pericentre; from -36000 to 36000.

    Returns
    -------
    Snapshot
        The bodies at time 0.
    """
def figure_eight(
    *,
    digits: float = 16,
) -> Snapshot:
    """Three equal masses on one figure-eight orbit, period 6.32591398.

    At the origin: the centre of mass, at rest.

    Parameters
    ----------
    digits
        8: the published 8-digit values, which close only to 3e-8; otherwise refined ones; from 8 to 16.

    Returns
    -------
    Snapshot
        The bodies at time 0.
    """
def pythagorean() -> Snapshot:
    """Masses 3, 4, 5 at rest on a 3-4-5 triangle.

    Close encounters that end in an escape near t = 60.
    At the origin: the centre of mass, at rest.

    Returns
    -------
    Snapshot
        The bodies at time 0.
    """
def free_fall(
    *,
    x: float = 0.2,
    y: float = 0.5,
    m1: float = 1,
    m2: float = 1,
    m3: float = 1,
) -> Snapshot:
    """Three bodies at rest fall towards each other; where the third one starts decides who escapes.

    At the origin: the centre of mass, at rest.

    Parameters
    ----------
    x
        Of the third body; from -1e+06 to 1e+06.
    y
        Of the third body; from -1e+06 to 1e+06.
    m1
        Mass of the body at (-1/2, 0); from 0 to 1e+12.
    m2
        Mass of the body at (1/2, 0); from 0 to 1e+12.
    m3
        Mass of the third body; from 0 to 1e+12.

    Returns
    -------
    Snapshot
        The bodies at time 0.
    """
def solar_system(
    *,
    epoch: float = 0,
) -> Snapshot:
    """The Sun and the eight planets at a date, in au, solar masses and years / 2 pi (ecliptic of J2000).

    At the origin: the barycentre, at rest.

    Parameters
    ----------
    epoch
        Days from J2000 (2000 January 1.5 TDB); the elements hold from 1800 to 2050; from -73048 to 18628.

    Returns
    -------
    Snapshot
        The bodies at time 0.
    """
