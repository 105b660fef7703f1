"""Orbital elements in Python, and bodies on orbits."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import math

import numpy as np
import pleiad
import pytest


def system(**keywords: object) -> pleiad.Simulation:
    sun = pleiad.Snapshot([[0, 0, 0]], None, [1])
    return pleiad.Simulation(sun, **{"eps": 0, "dt": 1, "integrator": "gauss-radau", "adaptive": True, **keywords})


def test_a_body_is_on_the_orbit_that_it_was_put_on() -> None:
    sim = system()
    ids = sim.add(m=1e-3, a=2, e=0.3, inclination=0.1, node=1, pericentre=2, mean_anomaly=0.5)
    assert ids.tolist() == [1] and ids.dtype == np.uint64
    orbits = sim.orbits()
    assert len(orbits) == 1 and orbits["id"].tolist() == [1] and orbits.about == {"about": "heaviest"}
    expected = {"a": 2, "e": 0.3, "inclination": 0.1, "node": 1, "pericentre": 2, "mean_anomaly": 0.5, "q": 1.4, "mu": 1.001}
    for name, value in expected.items():
        assert orbits[name][0] == pytest.approx(value, rel=1e-14), name
    assert orbits["period"][0] == pytest.approx(2 * math.pi * math.sqrt(8 / 1.001), rel=1e-14)
    assert sim.snapshot().orbits(0)["a"][0] == orbits["a"][0]


def test_an_orbit_of_two_bodies_does_not_change() -> None:
    sim = system()
    sim.add(m=0.1, a=1, e=0.5, true_anomaly=1)
    before = sim.orbits()
    sim.run(30)
    after = sim.orbits()
    assert sim.time == 30
    for name in ("a", "e", "q", "period"):
        assert after[name][0] == pytest.approx(before[name][0], rel=1e-13), name


def test_orbits_are_about_what_is_named() -> None:
    sim = system()
    for a in (1, 2):
        sim.add(m=1e-2, a=a, about="jacobi")
    assert sim.orbits("jacobi")["a"].tolist() == pytest.approx([1, 2], rel=1e-14)
    assert len(sim.orbits("barycentre")) == 3 and len(sim.orbits("0,1")) == 1 and len(sim.orbits(1)) == 2


def test_what_is_no_orbit_is_refused() -> None:
    sim = system()
    with pytest.raises(pleiad.UsageError, match="orbits need two bodies"):
        sim.orbits()
    with pytest.raises(pleiad.UsageError, match="has m=, a= or q="):
        sim.add(x=[1, 0, 0], m=1, a=1)
    with pytest.raises(pleiad.UsageError, match="has m=, a= or q="):
        sim.add(a=1)
    with pytest.raises(pleiad.UsageError, match="must be > 0 with eccentricity 0"):
        sim.add(m=0, a=-1)
    with pytest.raises(pleiad.UsageError, match="there is no body with this id"):
        sim.add(m=0, a=1, about=7)
    assert sim.N == 1


@pytest.mark.parametrize("integrator", ["wisdom-holman", "wisdom-holman-jacobi"])
def test_planets_keep_their_energy(integrator: str) -> None:
    sim = system(integrator=integrator, adaptive=False, dt=0.1)
    sim.add(m=1e-4, a=1, e=0.02), sim.add(m=1e-4, a=2, mean_anomaly=2)
    sim.run(100)
    assert abs(sim.diagnostics.energy_error) < 1e-6
