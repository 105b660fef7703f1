"""Two disc galaxies on a parabolic orbit, with tidal tails.

    python galaxy_encounter.py encounter.png

Bodies are those of the model `encounter`; forces come from the fastest solver whose errors are below one
percent. Half a minute on two cores; --quick takes a few seconds with fewer bodies.
"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

import argparse

import matplotlib.pyplot as plt
import numpy as np

import pleiad

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("picture", nargs="?", default="galaxy_encounter.png")
parser.add_argument("--quick", action="store_true", help="few bodies and long steps")
arguments = parser.parse_args()

# kpc, 1e10 solar masses, km/s: a unit of time is 0.978 Gyr.
galaxies = pleiad.models.encounter(3000 if arguments.quick else 40000, disc_share=0.5)
stars = galaxies.types != pleiad.Type.halo  # the dark halo is there, but it does not shine
gigayears = galaxies.units.time_s / 3.15576e16

simulation = pleiad.Simulation(galaxies, eps=0.4, dt=0.002 if arguments.quick else 0.001, accuracy=0.01)

figure, panels = plt.subplots(2, 3, figsize=(12, 8.4), facecolor="black")
for panel, time in zip(panels.flat, np.array([0, 0.096, 0.168, 0.24, 0.32, 0.4]), strict=True):
    simulation.run(time)
    pleiad.plot.density(
        simulation.snapshot()[stars],
        extent=(-48, 48, -48, 48),
        smooth=6,
        decades=4.5,
        cmap="magma",
        colorbar=False,
        ax=panel,
    )
    panel.set_axis_off()
    panel.text(
        0.04, 0.93, f"{1000 * gigayears * time:.0f} Myr", color="w", fontsize=13, transform=panel.transAxes
    )

panel = panels[1, 0]
panel.plot([-44, -24], [-43, -43], color="w", lw=2)
panel.text(-34, -41.5, "20 kpc", color="w", ha="center", fontsize=11)
figure.subplots_adjust(0, 0, 1, 1, wspace=0.01, hspace=0.01)
figure.savefig(arguments.picture, dpi=100)

error = simulation.diagnostics.energy_error
print(f"{stars.sum()} stars and {(~stars).sum()} bodies of the halos, energy kept to {abs(error):.1e}")
