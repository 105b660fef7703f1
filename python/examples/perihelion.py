"""The advance of Mercury's perihelion by relativity.

    python perihelion.py perihelion.png

The Sun and eight planets move with relativity and without, by a Wisdom-Holman map. What the longitudes of Mercury's
perihelion differ by grows by 42.98 arcseconds a century: 6 pi G M / (c^2 a (1 - e^2)) in each orbit.
"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

import argparse

import matplotlib.pyplot as plt
import numpy as np

import pleiad

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("picture", nargs="?", default="perihelion.png")
parser.add_argument("--quick", action="store_true", help="one century")
arguments = parser.parse_args()

planets = pleiad.models.solar_system()
century = 200 * np.pi * 365.25 / 365.2568983  # Julian, in years over 2 pi of Gauss
times = np.linspace(0, century if arguments.quick else 10 * century, 201)


def perihelion(forces):
    """Longitude of Mercury's perihelion at the times, in arcseconds."""
    sim = pleiad.Simulation(planets, eps=0, integrator="wisdom-holman", dt=0.04, precision="f64", forces=forces)
    angles = []
    for time in times:
        sim.run(time)
        orbits = sim.orbits()
        angles.append(orbits["node"][0] + orbits["pericentre"][0])
    return np.degrees(np.unwrap(angles)) * 3600


newton = perihelion([])
figure, axes = plt.subplots(figsize=(8, 5), layout="constrained")
for force, colour in (("post-newtonian", "tab:blue"), ("gr-potential", "tab:orange")):
    advance = perihelion([force]) - newton
    rate = np.polyfit(times / century, advance, 1)[0]
    axes.plot(times / century, advance, color=colour, label=f'{force}: {rate:.2f}" a century')
    print(f"{force}: {rate:.2f} arcseconds a century")
axes.plot(times / century, 42.98 * times / century, "k:", label='42.98" a century')
axes.set(xlabel="time [centuries]", ylabel="advance of the perihelion by relativity [arcseconds]")
axes.legend(frameon=False)
figure.savefig(arguments.picture, dpi=100)
