"""Mass segregation in a star cluster, with an analysis of your own.

    python star_cluster.py cluster.png

One star in ten is ten times as heavy as the others. Encounters of stars even out their energies, so the heavy
ones become slow and sink. The analysis is a few lines of NumPy on the positions of the running simulation.
"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

import argparse

import matplotlib.pyplot as plt
import numpy as np

import pleiad

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("picture", nargs="?", default="star_cluster.png")
parser.add_argument("--quick", action="store_true", help="fewer stars and less time")
arguments = parser.parse_args()
n, end = (300, 6) if arguments.quick else (1000, 40)

# N-body units: G = M = 1, and a crossing takes about 2.8. Stars are drawn in no order of their places, so
# that the first hundred are as far out as all others.
cluster = pleiad.models.plummer(n, seed=3)
heavy = np.arange(n) < n // 10
cluster.masses = np.where(heavy, 10.0, 1.0)
cluster.masses /= cluster.masses.sum()

times, rows, radii = [], [], {"heavy": [], "light": []}


def analyse(simulation):
    """Radii that hold half of the heavy and half of the light stars, about the densest part."""
    now = simulation.snapshot()
    distance = np.linalg.norm(now.positions - now.density_centre(), axis=1)
    times.append(simulation.time)
    rows.append(simulation.diagnostics)
    radii["heavy"].append(np.median(distance[heavy]))
    radii["light"].append(np.median(distance[~heavy]))


simulation = pleiad.Simulation(cluster, eps=0.01, dt=1 / 256)
simulation.add_callback(0.25, analyse)
simulation.run(end)

plt.style.use("dark_background")
figure = plt.figure(figsize=(12, 7.2), layout="constrained")
grid = figure.add_gridspec(2, 2, width_ratios=[1.1, 1])
gold, blue = "#ffb347", "#7fb8ff"

for row, (snapshot, title) in enumerate(
    [(cluster, "at the start"), (simulation.snapshot(), f"at time {end}")]
):
    panel = figure.add_subplot(grid[row, 0])
    x, y, _ = (snapshot.positions - snapshot.density_centre()).T
    panel.scatter(x[~heavy], y[~heavy], s=3, color=blue, alpha=0.7, lw=0)
    for size, alpha in ((220, 0.06), (90, 0.12), (22, 0.9)):  # a glow about each
        panel.scatter(x[heavy], y[heavy], s=size, color=gold, alpha=alpha, lw=0)
    panel.set(xlim=(-3.4, 3.4), ylim=(-2, 2), aspect="equal", xticks=[], yticks=[])
    panel.set_title(title, loc="left", fontsize=12)

panel = figure.add_subplot(grid[0, 1])
panel.plot(times, radii["light"], color=blue, lw=2)
panel.plot(times, radii["heavy"], color=gold, lw=2)
for kind, colour in (("light", blue), ("heavy", gold)):
    panel.text(end, max(radii[kind][-20:]) + 0.03, f"{kind} stars", color=colour, ha="right", va="bottom")
panel.set(
    ylim=(0, 1.15 * max(radii["light"])),
    xlim=(0, end),
    xlabel="time [N-body units]",
    ylabel="radius with half of them",
)
panel.spines[["top", "right"]].set_visible(False)

panel = figure.add_subplot(grid[1, 1])
pleiad.plot.energies(rows, panel, error=True)
panel.set(xlim=(0, end), xlabel="time [N-body units]")
panel.spines[["top", "right"]].set_visible(False)
figure.savefig(arguments.picture, dpi=100)

print(f"half of the heavy stars were within {radii['heavy'][0]:.2f} and are within {radii['heavy'][-1]:.2f}")
