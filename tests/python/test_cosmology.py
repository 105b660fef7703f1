"""Universes: their numbers, the snapshots that carry them, what is measured and simulated in them."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import pleiad

matter_alone = pleiad.Cosmology(omega_m=1, h=0.7, omega_b=0)


def test_a_universe_of_matter_grows_as_its_scale_factor() -> None:
    a = np.array([0.01, 0.1, 1])
    assert matter_alone.omega_lambda == 0
    assert matter_alone.growth_factor(a) == pytest.approx(a, rel=1e-9)
    assert matter_alone.growth_rate(a) == pytest.approx(np.ones(3), rel=1e-9)
    assert matter_alone.hubble(a) == pytest.approx(70 * a**-1.5, rel=1e-12)
    # 2 / (3 H0), and 2 c / H0 (1 - sqrt(a)); a year of 365.25 days.
    assert matter_alone.age(1) == pytest.approx(2 / 3 * 977.7922 / 70, rel=1e-6)
    assert matter_alone.comoving_distance(0.25) == pytest.approx(299792.458 / 70, rel=1e-12)
    assert matter_alone.virial_overdensity(0.3) == pytest.approx(18 * np.pi**2, rel=1e-12)


def test_numbers_of_a_flat_universe() -> None:
    universe = pleiad.Cosmology(omega_m=0.32, h=0.67, omega_b=0)
    # Values of two independent integrations.
    assert universe.growth_rate(1) == pytest.approx(0.5318013688, abs=1e-9)
    assert universe.growth_factor(0.1) * 0.7906690233 == pytest.approx(0.0999614022, abs=1e-9)
    assert universe.matter_fraction([0.5]).shape == (1,)
    assert isinstance(universe.expansion_rate(0.5), float)


@pytest.mark.parametrize(
    ("densities", "words"),
    [
        ({"omega_m": 0}, "omega_m must be > 0, not 0"),
        ({"omega_m": "much"}, "omega_m must be a number"),
        ({"omega_m": 0.1, "omega_lambda": 2.5}, "no expansion"),
        ({"omega_m": 0.3, "omega_b": 0.4}, "omega_b must be from 0 to omega_m"),
    ],
)
def test_impossible_universes_are_refused(densities: dict[str, float], words: str) -> None:
    with pytest.raises(pleiad.UsageError, match=words):
        pleiad.Cosmology(**densities)


def test_scale_factors_are_above_0() -> None:
    with pytest.raises(pleiad.UsageError, match="a scale factor is from 1e-8"):
        matter_alone.age(0)
    with pytest.raises(pleiad.UsageError):
        matter_alone.omega_m = 0.3  # type: ignore[misc]


def test_initial_conditions_are_those_of_the_command_and_keep_their_universe(tmp_path: Path) -> None:
    universe = pleiad.Cosmology(omega_m=0.3, h=0.7, w0=-0.9)
    young = pleiad.cosmology_ic(50, 8, universe, redshift=9, sigma8=0.8, seed=3)
    assert young.universe == universe and young.redshift == pytest.approx(9, rel=1e-14)
    assert young.box == (50000.0,) * 3 and young.images == "all"
    pleiad.write(young, tmp_path / "a.hdf5")
    again = pleiad.read(tmp_path / "a.hdf5")
    assert again.universe == universe and again.time == young.time
    assert np.array_equal(again.positions, young.positions)
    assert np.allclose(again.velocities, young.velocities, rtol=1e-15, atol=0)  # stored over the root of a
    physical = pleiad.read(tmp_path / "a.hdf5", physical=True)
    assert physical.universe is None and physical.redshift is None
    assert physical.box == pytest.approx((50000 * 0.1 / 0.7,) * 3, rel=1e-14)
    with pytest.raises(pleiad.UsageError, match="does not say that bodies are comoving"):
        pleiad.write(young, tmp_path / "a.csv")


def test_a_snapshot_keeps_its_universe() -> None:
    young = pleiad.cosmology_ic(50, 4, matter_alone, redshift=9, sigma8=0.5)
    assert young[:3].universe == matter_alone and young.copy() == young
    in_mpc = young.convert(pleiad.Units.custom(3.085678e24, 1.989e43, 1e5))
    assert in_mpc.time == young.time and in_mpc.box == pytest.approx((50,) * 3) and in_mpc.universe == matter_alone
    young.universe = {"omega_m": 0.5}
    assert young.universe == pleiad.Cosmology(omega_m=0.5) and young.universe.omega_lambda == 0.5
    with pytest.raises(pleiad.UsageError, match="universe must be a Cosmology"):
        young.universe = 3  # type: ignore[assignment]


def test_power_has_the_linear_spectrum() -> None:
    universe = pleiad.Cosmology(omega_m=0.3, h=0.7)
    young = pleiad.cosmology_ic(200, 32, universe, redshift=49, sigma8=0.8, fixed=True)
    spectrum = pleiad.power_spectrum(young)
    linear = universe.growth_factor(young.time) ** 2 * universe.linear_power(spectrum["k"], sigma8=0.8)
    # The shells have modes of several lengths: their mean power is that of their mean length to 1 % from the third on.
    assert spectrum["power"][2:10] == pytest.approx(linear[2:10], rel=0.03)
    assert spectrum.about["columns"].startswith("k in h/Mpc") and float(spectrum.about["redshift"]) == pytest.approx(49)


def test_masses_are_those_of_their_densities() -> None:
    young = pleiad.cosmology_ic(50, 12, matter_alone, redshift=3, sigma8=1.5)
    found = pleiad.groups(young, 0.8, min_members=5)
    table = found.table
    assert len(table) > 3 and found.universe == matter_alone
    # In a universe of matter alone the critical density is the mean one.
    assert table["mass_200c"] == pytest.approx(table["mass_200m"], rel=1e-12)
    inside = table["radius_200c"] > 0
    density = table["mass_200c"] / (4 / 3 * np.pi * table["radius_200c"] ** 3 + ~inside)
    mean = young.masses.sum() / 50000**3
    assert density[inside] == pytest.approx(200 * mean, rel=1e-9)
    counts = pleiad.mass_function(found, per_decade=4)
    assert counts["groups"].sum() == len(table)
    # Msun/h and (Mpc/h)^3.
    assert counts["above"][0] == pytest.approx(len(table) / 50**3, rel=1e-12)
    assert (counts["mass"] * counts["groups"]).sum() == pytest.approx(1e10 * table["mass"].sum(), rel=1e-12)
    with pytest.raises(pleiad.UsageError, match="no mass 'mass_500c': it is one of mass, mass_200m"):
        pleiad.mass_function(found, "mass_500c")


def test_a_catalogue_says_its_redshift(tmp_path: Path, program: Callable[..., str]) -> None:
    h5py = pytest.importorskip("h5py")
    pleiad.write(pleiad.cosmology_ic(50, 8, redshift=3), tmp_path / "a.hdf5")
    program("analyse", "groups", tmp_path / "a.hdf5", "--linking-length", "0.9", "--min-members", "3", "-o", tmp_path / "g.hdf5")
    with h5py.File(tmp_path / "g.hdf5") as file:
        header = file["Header"].attrs
        assert header["Redshift"] == pytest.approx(3, rel=1e-14) and header["Time"] == 0.25
        assert header["Omega0"] == 0.3111 and header["HubbleParam"] == 0.6766
        assert {"Group_M_Crit200", "Group_M_Mean200", "Group_M_TopHat200"} <= set(file["Group"])


def test_a_simulation_grows_a_wave_as_linear_theory_does() -> None:
    """A plane wave of matter alone, from a = 1/16 to 1/4: it grows by 4, to the error of the steps and of second order."""
    side, a = 8, 1 / 16
    q = (np.indices((side, side, side)).reshape(3, -1).T + 0.5) / side
    wave = 0.002 * np.sin(2 * np.pi * q[:, 0])
    hubble = np.sqrt(8 * np.pi / 3) * a**-1.5
    x, v = q.copy(), np.zeros_like(q)
    x[:, 0] += wave
    v[:, 0] = a * hubble * wave
    start = pleiad.Snapshot(x, v, side**-3.0, time=a, box=1, images="all", universe=matter_alone)
    sim = pleiad.Simulation(start, eps=0.01, dt=0.02, precision="f64")
    assert sim.time == pytest.approx(a, rel=1e-15) and sim.redshift == pytest.approx(15) and sim.universe == matter_alone
    assert np.allclose(sim.velocities, v, rtol=1e-14, atol=0)
    kinetic = 0.5 * (sim.masses * (v**2).sum(axis=1)).sum()
    assert sim.diagnostics.kinetic == pytest.approx(kinetic, rel=1e-12) and np.isnan(sim.diagnostics.energy_error)
    sim.run(0.25)
    end = sim.snapshot()
    assert end.time == pytest.approx(0.25, rel=1e-15) and end.universe == matter_alone
    grown = (end.positions - q)[:, 0]
    # A wave of eight places on a lattice grows a little less than a continuous one.
    assert grown @ wave / (wave @ wave) == pytest.approx(4, rel=0.03)
    # v = a H psi.
    rate = 0.25 * np.sqrt(8 * np.pi / 3) * 8
    assert end.velocities[:, 0] == pytest.approx(rate * grown, rel=0.05, abs=1e-6)
    # It goes on from its snapshot.
    again = pleiad.Simulation(end, eps=0.01, dt=0.02, precision="f64").run(0.5)
    sim.run(0.5)
    assert np.allclose(again.positions, sim.positions, rtol=0, atol=1e-12)


@pytest.mark.parametrize("adaptive", [False, True])
def test_a_universe_goes_on_from_its_checkpoint_with_the_same_bits(tmp_path: Path, adaptive: bool) -> None:
    universe = pleiad.Cosmology(omega_m=0.3, omega_r=9e-5, w0=-0.9, wa=0.1, h=0.7)
    sim = pleiad.Simulation(pleiad.cosmology_ic(50, 6, universe, redshift=9, sigma8=1.5), eps=300, dt=0.05, adaptive=adaptive)
    sim.step(14)
    a = sim.time
    sim.save(tmp_path / "run")
    others = {
        "loaded": pleiad.Simulation.load(tmp_path / "run"),
        "copied": sim.copy(),
        "unpickled": pickle.loads(pickle.dumps(sim)),
    }
    sim.run(0.5)
    for how, other in others.items():
        assert other.universe == universe and other.time == a, how
        other.run(0.5)
        assert np.array_equal(other.positions, sim.positions) and np.array_equal(other.velocities, sim.velocities), how
        assert other.snapshot() == sim.snapshot() and other.step_count == sim.step_count, how


def test_arrays_of_a_universe_run_to_spectra_haloes_and_masses() -> None:
    """From plain arrays with h in kpc/h, to the power, the haloes and the mass function of another time."""
    young = pleiad.cosmology_ic(20, 12, matter_alone, redshift=9, sigma8=1.5, seed=2)
    bodies = {
        "positions": young.positions.copy(),
        "velocities": young.velocities.copy(),
        "masses": young.masses.copy(),
        "time": 0.1,
        "units": "galactic",
        "box": 20000.0,
        "images": "all",
        "universe": {"omega_m": 1, "h": 0.7, "omega_b": 0},
    }
    sim = pleiad.Simulation(bodies, eps=50, dt=0.1).run(1)
    box = sim.snapshot()
    before, after = pleiad.power_spectrum(young), pleiad.power_spectrum(box)
    # The longest waves have grown by about ten, those of haloes by more.
    assert 30 < after["power"][0] / before["power"][0] < 300
    haloes = pleiad.groups(box, min_members=10)
    counts = pleiad.mass_function(haloes, "mass_200c", per_decade=3)
    assert len(haloes.table) > 3 and haloes.universe == matter_alone
    assert counts["groups"].sum() == (haloes.table["mass_200c"] > 0).sum()
    with pytest.raises(pleiad.UsageError, match="the expansion does not turn round"):
        sim.reverse()


def test_what_needs_static_space_is_refused() -> None:
    sim = pleiad.Simulation(pleiad.cosmology_ic(50, 4, redshift=9), eps=500, dt=0.1)
    for attempt in (
        sim.reverse,
        lambda: sim.snapshot(fields=True),
        lambda: setattr(sim, "external_acceleration", lambda x, v, t: x),
        lambda: sim.run(-1),
    ):
        with pytest.raises(pleiad.UsageError):
            attempt()
    with pytest.raises(pleiad.UsageError, match="bodies with a universe"):
        pleiad.Simulation(pleiad.cosmology_ic(50, 4), eps=500, omega_m=0.3)
    # The masses of another universe.
    wrong = pleiad.cosmology_ic(50, 4)
    wrong.masses *= 1.1
    with pytest.raises(pleiad.UsageError, match=r"1.1 times that of cosmology.omega_m"):
        pleiad.Simulation(wrong, eps=500)


def test_positions_and_velocities_are_written_back() -> None:
    sim = pleiad.Simulation(pleiad.cosmology_ic(50, 4, redshift=9), eps=500, dt=0.1)
    sim.velocities[...] = 0
    assert not sim.snapshot().velocities.any()
    before = sim.positions.copy()
    sim.step(1)
    assert (sim.positions != before).any() and sim.velocities.any()
