"""A map of the outcomes of ten thousand encounters of a star and a binary.

    python scatterings.py outcomes.png

The third star comes from afar, in the plane of the circle and a little slower than the two are on it.
How far from the centre it aims, and where the two are when it comes, decides who leaves: the newcomer
(a flyby), or one of the two (an exchange). Where that takes long, neighbouring points differ: so looks chaos.
"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

import argparse

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import to_rgba_array

import pleiad

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("picture", nargs="?", default="scatterings.png")
parser.add_argument("--quick", action="store_true", help="a coarse map")
arguments = parser.parse_args()

# Masses are 1/2; the binary has a semi-major axis and a mass of 1, in units with G = 1. The two stars of the
# binary are alike: after half an orbit they have changed places, and so half an orbit shows everything.
widest, far, speed = 2.2, 12.0, 0.7
columns, rows = (16, 12) if arguments.quick else (150, 80)
phases = (np.arange(columns) + 0.5) * 180 / columns
impacts = (np.arange(rows) + 0.5) * widest / rows


def meeting(phase, impact):
    """The binary at this phase of its circle, and a star that would pass it at this distance."""
    pair = pleiad.models.two_body(m1=0.5, m2=0.5, e=0.0, mean_anomaly=phase)
    star = pleiad.Snapshot([[-far, impact, 0]], [[np.sqrt(speed**2 + 3 / far), 0, 0]], 0.5, ids=[2])
    three = pleiad.concatenate([pair, star])
    three.positions -= three.centre_of_mass
    three.velocities -= np.average(three.velocities, axis=0, weights=three.masses)
    return three


members = [meeting(phase, impact) for impact in impacts for phase in phases]
ensemble = pleiad.Ensemble(
    members,
    dt=0.5,
    integrator="hermite4",
    adaptive=True,
    eta=0.01 if arguments.quick else 0.004,
    precision="f64",
)
ensemble.limit_steps(200_000)  # a few stay together for very long

times = np.geomspace(20, 100 if arguments.quick else 2000, 12 if arguments.quick else 60)
decided_at = np.full(len(members), times[-1])
for time in times:
    ensemble.run(time)
    now = ensemble.diagnostics()
    gone = (now["status"] == "ok") & (now["escapers"] > 0)
    decided_at[gone] = time
    ensemble.retire(gone)  # what is decided need not be followed further

final = ensemble.diagnostics()
leaver = np.where(final["status"] == "escaped", final["escaper"], 3).astype(int).reshape(rows, columns)
names = ["the first star leaves", "the second star leaves", "flyby", "undecided"]
colours = to_rgba_array(["#ffb347", "#ff5d5d", "#4f86d9", "#000000"])[:, :3]
shade = 1 - 0.6 * np.log(decided_at / times[0]) / np.log(times[-1] / times[0])  # the later, the darker
picture = colours[leaver] * shade.reshape(rows, columns)[..., None]

plt.style.use("dark_background")
figure, (left, right) = plt.subplots(
    1, 2, figsize=(13, 6.2), width_ratios=[2.4, 1], sharey=True, layout="constrained"
)
left.imshow(picture, origin="lower", extent=(0, 180, 0, widest), aspect="auto", interpolation="nearest")
left.set(xlabel="phase of the binary at the start [degrees]", ylabel="impact parameter [semi-major axes]")
left.set_xticks(range(0, 181, 30))
left.set_title(
    f"{len(members)} meetings of three equal stars: the darker, the later it is decided", loc="left"
)

parts = np.stack([(leaver == k).mean(axis=1) for k in range(4)])
edges = np.linspace(0, widest, rows + 1)
base = np.zeros(rows)
for part, name, colour in zip(parts, names, colours, strict=True):
    right.stairs(
        base + part, edges, baseline=base, orientation="horizontal", fill=True, color=colour, label=name
    )
    base = base + part
right.set(xlim=(0, 1), xlabel="part of all phases")
right.legend(loc="upper right", facecolor="black", edgecolor="none", framealpha=0.75)
right.set_facecolor("0.15")
figure.savefig(arguments.picture, dpi=110)

print(", ".join(f"{name}: {(leaver == k).sum()}" for k, name in enumerate(names)))
print(f"an exchange in {100 * (leaver < 2).mean():.0f} % of them")
median, most = np.quantile(np.abs(final["energy_error"]), [0.5, 0.95])
print(f"energy kept to {median:.0e} in the median, and to {most:.0e} in 95 % of them")
