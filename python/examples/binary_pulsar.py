"""The orbit of the binary pulsar PSR B1913+16, which gravitational radiation makes smaller.

    python binary_pulsar.py pulsar.png

Two runs, with and without the terms of order 2.5: by how much earlier the two stars pass their periastron is what Hulse
and Taylor's pulsar was observed for. It grows with the square of the time, as by the formula of Peters (1964).
"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

import argparse

import matplotlib.pyplot as plt
import numpy as np

import pleiad

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("picture", nargs="?", default="pulsar.png")
parser.add_argument("--quick", action="store_true", help="one year")
arguments = parser.parse_args()

# Solar masses, astronomical units and years over 2 pi, in which G = 1.
m1, m2, a, e, light, year = 1.441, 1.387, 0.013029, 0.6171, 10065.32, 2 * np.pi
seconds = 365.256898 * 86400 / year
pulsar = pleiad.models.two_body(m1=m1, m2=m2, a=a, e=e, mean_anomaly=180)
times = np.linspace(0, 1 if arguments.quick else 10, 41)


def orbits(terms):
    """Mean anomaly and argument of the periastron at the times."""
    sim = pleiad.Simulation(
        pulsar, eps=0, integrator="ar-chain", dt=0.1, precision="f64",
        forces=[f"post-newtonian-pairs c={light} {terms}"],
    )  # fmt: skip
    found = []
    for time in times:
        sim.run(time * year)
        table = sim.orbits()
        found.append((table["mean_anomaly"][0], table["pericentre"][0]))
    return np.unwrap(np.array(found), axis=0).T


(with_radiation, turned), (without, _) = orbits(""), orbits("pn25=0")
mean_motion = np.sqrt((m1 + m2) / a**3)
earlier = np.unwrap(with_radiation - without) / mean_motion * seconds
decay = (
    192 * np.pi / 5 * m1 * m2 * (m1 + m2) ** (-1 / 3) * mean_motion ** (5 / 3) / light**5
    * (1 + 73 / 24 * e**2 + 37 / 96 * e**4) / (1 - e**2) ** 3.5
)  # fmt: skip
expected = decay * mean_motion / (4 * np.pi) * (times * year) ** 2 * seconds
print(f"the periastron turns by {np.degrees(turned[-1] - turned[0]) / times[-1]:.2f} degrees a year")
print(f"after {times[-1]:g} years it comes {earlier[-1]:.3f} s earlier: {earlier[-1] / expected[-1]:.3f} of Peters' formula")

figure, axes = plt.subplots(figsize=(8, 5), layout="constrained")
axes.plot(times, -earlier, "o", markersize=4, label="orders 1, 2 and 2.5 beside 1 and 2")
axes.plot(times, -expected, "k", linewidth=1, label="Peters (1964)")
axes.set(xlabel="time [years]", ylabel="shift of the time of periastron [s]", title="PSR B1913+16")
axes.legend(frameon=False)
figure.savefig(arguments.picture, dpi=100)
