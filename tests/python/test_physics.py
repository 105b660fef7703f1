"""Physics through Python: motions that are known, and bounds that follow from them."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pleiad

EPSILON = 2.0**-52
PERIOD = 2 * np.pi


def circle(dt: float) -> pleiad.Snapshot:
    """The circle that leapfrog follows exactly: sin(phi / 2) = Omega dt / 2, v = sin(phi) / dt."""
    phi = 2 * np.arcsin(np.sqrt(2) * dt / 2)
    v = np.sin(phi) / dt
    return pleiad.Snapshot([[-0.5, 0, 0], [0.5, 0, 0]], [[0, -v / 2, 0], [0, v / 2, 0]])


def test_leapfrog_on_a_circle_is_exact_in_the_discrete_sense() -> None:
    # Rounding of a few 1e-16 a step in the radius is bounded by the discrete invariant; the angle adds up as
    # a random walk: the bounds of the C++ tests, for 2000 steps.
    dt = PERIOD / np.sqrt(2) / 1000
    phi = 2 * np.arcsin(np.sqrt(2) * dt / 2)
    sim = pleiad.Simulation(circle(dt), dt=dt, precision="f64")
    for n in range(100, 2001, 100):
        sim.step(100)
        x, y, _ = sim.positions[1] - sim.positions[0]
        assert abs(np.hypot(x, y) - 1) < 1e-12
        assert abs(np.remainder(np.arctan2(y, x) - n * phi + np.pi, 2 * np.pi) - np.pi) < 1e-11


def worst_energy_error(integrator: str, e: float, steps: int) -> float:
    sim = pleiad.Simulation(
        pleiad.models.two_body(e=e, m1=0.5, m2=0.5), dt=PERIOD / steps, integrator=integrator, precision="f64"
    )
    worst = 0.0
    for _ in range(4 * steps):
        sim.step(1)
        worst = max(worst, abs(sim.diagnostics.energy_error))
    return worst


@pytest.mark.parametrize(
    ("integrator", "order", "steps"), [("kdk", 2, 128), ("forest-ruth", 4, 256), ("blanes-moan4", 4, 128), ("yoshida6", 6, 128), ("kahan-li8", 8, 80)]
)
def test_energy_errors_fall_with_the_order(integrator: str, order: int, steps: int) -> None:
    errors = [worst_energy_error(integrator, 0.5, n) for n in (steps, 2 * steps)]
    assert abs(np.log2(errors[0] / errors[1]) - order) < 0.3


def test_leapfrog_has_the_error_of_an_independent_program() -> None:
    assert worst_energy_error("kdk", 0.5, 256) == pytest.approx(1.64e-3, rel=0.02)


def test_the_figure_eight_closes() -> None:
    # After a period the three bodies have each other's places again, to the error of the sixth order: 2e-8
    # for 500 steps is what the C++ tests find; bound: ten times that.
    start = pleiad.models.figure_eight()
    period = 6.32591398
    sim = pleiad.Simulation(start, dt=period / 500, integrator="yoshida6", precision="f64")
    sim.step(500)
    assert np.abs(sim.positions - start.positions).max() < 1e-6
    assert abs(sim.diagnostics.energy_error) < 1e-9


def test_an_infall_follows_the_cycloid() -> None:
    # From rest at distance 1, GM = 1: r = (1 + cos u) / 2, t = (u + sin u) / (2 sqrt 2).
    u = 2.0
    end = (u + np.sin(u)) / (2 * np.sqrt(2))
    start = pleiad.Snapshot([[-0.5, 0, 0], [0.5, 0, 0]], masses=0.5)
    sim = pleiad.Simulation(start, dt=end / 1024, integrator="yoshida6", precision="f64")
    sim.step(1024)
    # Sixth order: (1/1024)^6 is below rounding of 1024 steps, 1024 times 2e-16.
    assert abs(np.linalg.norm(sim.positions[1] - sim.positions[0]) - (1 + np.cos(u)) / 2) < 1e-12


def test_two_bodies_in_physical_units_have_keplers_period() -> None:
    # The Earth about the Sun in SI: a year of 365.256 days from G and the masses alone, to a part in 1e5.
    m_sun, au = 1.98841e30, 1.495978707e11
    v = np.sqrt(6.6743e-11 * m_sun / au)
    year = 2 * np.pi * au / v
    start = pleiad.Snapshot([[0.0, 0, 0], [au, 0, 0]], [[0.0, 0, 0], [0, v, 0]], [m_sun, 0], units="si")
    sim = pleiad.Simulation(start, dt=year / 1000, integrator="forest-ruth", precision="f64")
    sim.step(1000)
    assert year == pytest.approx(365.256 * 86400, rel=1e-4)
    assert np.allclose(sim.positions[1], [au, 0, 0], rtol=0, atol=1e-8 * au)


def test_a_cluster_in_equilibrium_stays_in_it() -> None:
    # The virial ratio of n bodies in equilibrium fluctuates by about 1 / sqrt(n); four of them.
    n = 1024
    sim = pleiad.Simulation(pleiad.models.plummer(n), eps=0.05, dt=1 / 64)
    for k in range(5):
        sim.run(k / 2)
        assert abs(sim.diagnostics.virial_ratio - 0.5) < 4 / np.sqrt(n)
    # Leapfrog: errors of dt^2 times the fourth power of the highest frequency... measured 4e-5; ten times
    # that.
    assert abs(sim.diagnostics.energy_error) < 4e-4


def test_a_cold_sphere_collapses_at_its_time() -> None:
    # t = pi / 2 / sqrt(2 G M / R^3) = 1.1107; n bodies reach their least radius there to about n^(-1/3).
    n = 1000
    sim = pleiad.Simulation(pleiad.models.cold_sphere(n), eps=0.05, dt=1 / 256)
    times = np.arange(0.75, 1.5, 1 / 16)
    radii = []
    for time in times:
        sim.run(time)
        radii.append(sim.diagnostics.lagrangian_radii[2])
    assert abs(times[np.argmin(radii)] - 1.1107) < n ** (-1 / 3) + 1 / 16


@given(st.integers(2, 40), st.integers(0, 1000))
def test_forces_add_up_to_nothing_and_are_those_of_the_formula(n: int, seed: int) -> None:
    s = pleiad.models.plummer(n, seed)
    a = pleiad.accelerations(s.positions, s.masses, eps=0.01, precision="f64")
    d = s.positions[None, :, :] - s.positions[:, None, :]
    expected = (s.masses[None, :, None] * d / ((d**2).sum(-1) + 1e-4)[..., None] ** 1.5).sum(1)
    size = np.abs(expected).max()
    # A pair is rounded a few times and n of them are summed: 8 n epsilon of the largest.
    assert np.abs(a - expected).max() <= 8 * n * EPSILON * size
    assert np.abs((s.masses[:, None] * a).sum(0)).max() <= 8 * n * EPSILON * size


@given(st.integers(1, 30), st.integers(0, 1000), st.floats(0.001, 1))
def test_a_force_is_minus_the_slope_of_the_potential(n: int, seed: int, eps: float) -> None:
    s = pleiad.models.plummer(n, seed)
    h = 1e-4 * (1 + eps)
    at = np.array([[0.3, -0.2, 0.1]])
    steps = np.concatenate([at + h * np.eye(3), at - h * np.eye(3)])
    solver = pleiad.Solver(eps=eps + 0.1, precision="f64", potential=True)
    a, _ = solver.accelerations(s.positions, s.masses, targets=at)
    _, phi = solver.accelerations(s.positions, s.masses, targets=steps)
    # Central differences: h^2 / 6 times the third derivative, at most 15 / eps^4 of the whole mass.
    bound = h**2 / 6 * 15 / (eps + 0.1) ** 4 + 1e-15 / (h * eps)
    assert np.abs(a[0] + (phi[:3] - phi[3:]) / (2 * h)).max() <= bound


def test_leapfrog_runs_backwards() -> None:
    # Time-reversible: what is left is rounding, which an N-body system amplifies; in 32 short steps not much.
    start = pleiad.models.plummer(64)
    sim = pleiad.Simulation(start, eps=0.1, dt=1 / 64, precision="f64")
    sim.step(32)
    there = sim.snapshot()
    there.velocities *= -1
    back = pleiad.Simulation(there, eps=0.1, dt=1 / 64, precision="f64")
    back.step(32)
    assert np.abs(back.positions - start.positions).max() < 1e-12


def test_momentum_and_angular_momentum_are_kept() -> None:
    sim = pleiad.Simulation(pleiad.models.king(300), eps=0.05, dt=1 / 64, precision="f64")
    before = sim.diagnostics
    sim.run(1.0)
    after = sim.diagnostics
    # 64 steps, each of n roundings of numbers of order 1/n that add up as a random walk; a wide margin.
    assert np.abs(np.subtract(after.momentum, before.momentum)).max() < 1e-14
    assert np.abs(np.subtract(after.angular_momentum, before.angular_momentum)).max() < 1e-14
