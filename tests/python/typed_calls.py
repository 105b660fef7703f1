"""Calls as type checkers see them: each line that is marked `# refused: WORDS` must be reported with these words, and no other line.

It is read by `types_check.py`, not run.
"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import pleiad

if TYPE_CHECKING:
    from typing_extensions import Unpack


def cluster(n: int, **keys: Unpack[pleiad.keys.SimulationKeys]) -> pleiad.Simulation:
    return pleiad.Simulation(pleiad.models.plummer(n), dt=1 / 128, **keys)


# Keys of the configuration as keywords.
sim = pleiad.Simulation("plummer", parameters={"n": 100}, seed=3, eps=0.05, dt=1 / 64, accuracy=1e-3, G=1, units="nbody")
pleiad.Simulation("random", softening=0.1, dt=1 / 64, box=10.0, adaptive=True, eta=0.01, precision="f64", threads=2)
pleiad.Simulation("random", dt=1 / 64, box=(10.0, 10.0, 5.0), gravity_softening=0.1, solver_check_every=10, order=None)
cluster(100, softening=0.05, kernel="cpu/simd")
pleiad.Simulation("random", dt=1 / 64, softenning=0.1)  # refused: softenning
pleiad.Simulation("random", dt=1 / 64, softening="thin")  # refused: softening
pleiad.Simulation("random", dt="short")  # refused: dt
pleiad.Simulation("random", dt=1 / 64, accuracy=[1e-3])  # refused: accuracy
pleiad.Simulation("random", dt=1 / 64, G="si")  # refused: G
pleiad.Simulation("random", dt=1 / 64, box="large")  # refused: box
pleiad.Simulation("random", dt=1 / 64, threads=1.5)  # refused: threads
pleiad.Simulation("random", dt=1 / 64, precision=32)  # refused: precision
pleiad.Simulation("random", dt=1 / 64, adaptive="yes")  # refused: adaptive
pleiad.Simulation("random", position_error=1e-3, t_end=1.0)
pleiad.Simulation("random", dt=1 / 64, energy_error=1e-6)  # refused: energy_error
pleiad.Simulation("random", dt=1 / 64, precison="f32")  # refused: precison
cluster(100, softenning=0.05)  # refused: softenning

# Arrays are those of NumPy, of the type of the positions.
x32, x64 = np.zeros((5, 3), np.float32), np.zeros((5, 3))
single: np.ndarray[Any, np.dtype[np.float32]] = pleiad.accelerations(x32, 1.0, eps=0.1)
double: np.ndarray[Any, np.dtype[np.float64]] = pleiad.accelerations([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]], [1.0, 2.0])
a, phi = pleiad.accelerations(x64, 1.0, potential=True)
print(a.shape, phi.sum(), sim.positions[:, 0].max(), sim.masses.dtype)
pleiad.accelerations(x64, 1.0).sharpe  # refused: sharpe
sim.positions.sharpe  # refused: sharpe
taken = pleiad.accelerations(x64, 1.0)
single = taken  # refused: float64

# What can be changed, and what cannot.
sim.dt, sim.eps, sim.integrator = 1 / 128, 0.1, "dkd"
new: list[int] = sim.add(x=[1.0, 0.0, 0.0], m=0.5).tolist()
print(sim.remove(new).masses.sum(), sim.t + sim.dt, sim.N + 1, sim.copy().run(1).cite().upper())
sim.view(frames=True).widget(height=300)
sim.dt = "short"  # refused: float
sim.N = 3  # refused: N
sim.tt = 3  # refused: tt
sim.add(y=[1.0, 0.0, 0.0], m=0.5)  # refused: y

# Models.
pleiad.models.plummer(100, seed=2, mass_fraction=0.99)
pleiad.models.plummer(100, mass_fracton=0.99)  # refused: mass_fracton
pleiad.models.plummer("many")  # refused: plummer
pleiad.models.cluster(100, imf="salpeter")
pleiad.models.cluster(100, imf=1)  # refused: cluster
pleiad.models.plumer(100)  # refused: plumer

# Ensembles.
many = pleiad.Ensemble([pleiad.models.plummer(64)], eps=0.1, dt=1 / 64, eta=np.array([0.02]))
pleiad.Ensemble([pleiad.models.plummer(64)], softening=0.1, dt=1 / 64)  # refused: softening
many.retire(0, reason="escaped")

# Old names.
sim.add_callback(0.25, lambda sim: None)
sim.every(0.25, lambda sim: None)  # refused: Simulation.add_callback
sim.external_acceleration = None
sim.force = None  # refused: Simulation.external_acceleration
print(pleiad.Solver().reason)
print(pleiad.Solver().why)  # refused: Solver.reason
pleiad.Solver().plan_again()  # refused: Solver.replan
pleiad.join([pleiad.models.plummer(64)])  # refused: pleiad.concatenate
pleiad.records(3)  # refused: pleiad.packed
