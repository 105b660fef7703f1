"""From a young universe to the mass function of its haloes.

    python mass_function.py mass_function.png

Bodies of a box with the density waves of redshift 49 are simulated to today, and their haloes are found by friends of
friends. Below are a projection of the box and the number of haloes per volume and decade of mass, with masses of spheres
that have 200 times the critical density.
"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

import argparse

import matplotlib.pyplot as plt
import numpy as np

import pleiad

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("picture", nargs="?", default="mass_function.png")
parser.add_argument("--quick", action="store_true", help="16^3 bodies and longer steps")
arguments = parser.parse_args()
n, box, step = (16, 50, 0.06) if arguments.quick else (32, 100, 0.0313)

universe = pleiad.Cosmology(omega_m=0.3111, h=0.6766)
young = pleiad.cosmology_ic(box, n, universe, seed=1)
# In a young universe the pulls of all sides nearly cancel, which asks for an exact tree, or direct sums for few bodies.
solver = {} if arguments.quick else {"kernel": "cpu/fmm order=8 theta=0.5"}
today = pleiad.Simulation(young, eps=1000 * box / n / 30, dt=step, **solver).run(1).snapshot()
found = pleiad.groups(today, min_members=10)
counts = pleiad.mass_function(found, "mass_200c", per_decade=4)
print(f"{len(found.table)} haloes, the largest of {1e10 * found.table['mass'][0]:.2g} Msun/h, at z = {round(today.redshift, 9):g}")

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 5), layout="constrained")
image, _, _ = np.histogram2d(*today.positions[:, :2].T / 1000, bins=4 * n)
left.imshow(np.log1p(image.T), origin="lower", extent=(0, box, 0, box), cmap="inferno")
left.set(xlabel="x [Mpc/h]", ylabel="y [Mpc/h]")
some = counts["groups"] > 0
right.errorbar(counts["mass"][some], counts["dn_dlogm"][some], counts["error"][some], fmt="o")
right.set(xscale="log", yscale="log", xlabel="mass within 200 critical densities [Msun/h]", ylabel="dn / dlog M [(h/Mpc)^3]")
figure.savefig(arguments.picture, dpi=100)
