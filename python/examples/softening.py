"""Pull and potential of one body, with Plummer's softening and with the spline.

    python softening.py softening.png

A body of mass 1 pulls test particles at many distances. Both forms have the potential -1 / eps at its centre; the
spline is Newton's law from 2.8 eps on.
"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

import argparse

import matplotlib.pyplot as plt
import numpy as np

import pleiad

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("picture", nargs="?", default="softening.png")
parser.add_argument("--quick", action="store_true", help="fewer distances")
arguments = parser.parse_args()

eps = 1.0
distances = np.linspace(0.01, 6, 100 if arguments.quick else 600)
places = np.zeros((len(distances) + 1, 3))
places[1:, 0] = distances
masses = np.zeros(len(places))
masses[0] = 1
around = pleiad.Snapshot(places, None, masses)

figure, (pulls, potentials) = plt.subplots(1, 2, figsize=(10, 4.5), layout="constrained")
for kernel, colour in (("plummer", "tab:blue"), ("spline", "tab:orange")):
    sim = pleiad.Simulation(around, eps=eps, softening_kernel=kernel, dt=0.01, precision="f64", backend="cpu", cache=None)
    fields = sim.snapshot(fields=True)
    pull, potential = -fields.accelerations[1:, 0], fields.potentials[1:]
    pulls.plot(distances / eps, pull, color=colour, label=kernel)
    potentials.plot(distances / eps, potential, color=colour, label=kernel)
    beyond = distances > 2.8 * eps
    print(f"{kernel}: beyond 2.8 eps the pull is {np.min(pull[beyond] * distances[beyond] ** 2):.3f} of Newton's at least")
near = distances > 0.75 * eps
pulls.plot(distances[near] / eps, 1 / distances[near] ** 2, "k:", label="Newton")
potentials.plot(distances[near] / eps, -1 / distances[near], "k:", label="Newton")
for axes, what in ((pulls, "pull [G m / eps$^2$]"), (potentials, "potential [G m / eps]")):
    axes.axvline(2.8, color="0.8", zorder=0)
    axes.set(xlabel="distance [eps]", ylabel=what)
    axes.legend(frameon=False)
pulls.set_ylim(0, 0.8)
figure.savefig(arguments.picture, dpi=100)
