"""Accuracy and cost of all solvers on your bodies, measured on this machine.

    python accuracy_and_cost.py curve.png my_snapshot.hdf5

Without a file the bodies are a Plummer sphere. Rings are round the fastest with errors below 1e-2, 1e-3
and 1e-4.
"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

import argparse

import matplotlib.pyplot as plt

import pleiad

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("picture", nargs="?", default="accuracy_and_cost.png")
parser.add_argument("file", nargs="?", help="a snapshot in any format")
parser.add_argument("--eps", type=float, default=0.01, help="softening length, in the units of the file")
parser.add_argument("--quick", action="store_true", help="few bodies and a short time for measuring")
arguments = parser.parse_intermixed_args()

if arguments.file:
    bodies = pleiad.read(arguments.file)
else:
    bodies = pleiad.models.plummer(2000 if arguments.quick else 30000)
curve = pleiad.accuracy_curve(bodies, eps=arguments.eps, longest=2 if arguments.quick else 40)
curve.write(arguments.picture.rsplit(".", 1)[0] + ".csv")

figure, panel = plt.subplots(figsize=(10, 6.8), layout="constrained")
curve.plot(panel)
panel.set_title(f"{len(bodies)} bodies, {curve['threads'][0]} threads of {curve['device'][0]}", loc="left")
for accuracy in (1e-2, 1e-3, 1e-4):
    try:
        row = curve.cheapest(accuracy)
    except ValueError:
        continue
    panel.loglog(row["error_p99"], row["ms"], "o", ms=13, mfc="none", mec="#2ca02c", mew=1.8, zorder=5)
    print(f"errors of {accuracy:g}: {row['kernel']}, {row['ms']:.1f} ms")
panel.grid(color="0.92", zorder=0)
panel.spines[["top", "right"]].set_visible(False)
figure.savefig(arguments.picture, dpi=100)
