"""Your own integrator with accelerations from Pleiad.

    python own_integrator.py orbits.png

The integrator is the fourth-order one of Omelyan, Mryglod and Folk (Computer Physics Communications 146, 188,
2002), which Pleiad does not have: four forces a step, and errors a hundred times smaller than those of Forest
and Ruth. Arrays are CuPy's or PyTorch's on a GPU where there is one, and NumPy's elsewhere; the code is the
same.
"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

import argparse

import matplotlib.pyplot as plt
import numpy as np

import pleiad

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("picture", nargs="?", default="own_integrator.png")
parser.add_argument("--quick", action="store_true", help="fewer stars and less time")
arguments = parser.parse_args()


def array_module():
    """Where arrays live: a function that makes them from NumPy's, and one that brings them back."""
    try:
        import cupy

        cupy.cuda.Device(0).compute_capability  # noqa: B018 - fails without a GPU
        return cupy.asarray, cupy.asnumpy, f"CuPy {cupy.__version__}"
    except Exception:
        pass
    try:
        import torch

        if torch.cuda.is_available():
            return (
                lambda a: torch.tensor(a, device="cuda"),
                lambda a: a.cpu().numpy(),
                f"PyTorch {torch.__version__}",
            )
    except ImportError:
        pass
    return np.array, np.array, f"NumPy {np.__version__}"


def leapfrog(x, v, a, dt):
    v = v + 0.5 * dt * a(x)
    x = x + dt * v
    return x, v + 0.5 * dt * a(x)


XI, LAMBDA, CHI = 0.1786178958448091, -0.2123418310626054, -0.06626458266981849


def omelyan(x, v, a, dt):
    x = x + XI * dt * v
    v = v + (0.5 - LAMBDA) * dt * a(x)
    x = x + CHI * dt * v
    v = v + LAMBDA * dt * a(x)
    x = x + (1 - 2 * (CHI + XI)) * dt * v
    v = v + LAMBDA * dt * a(x)
    x = x + CHI * dt * v
    v = v + (0.5 - LAMBDA) * dt * a(x)
    return x + XI * dt * v, v


# A sphere of stars, and twelve more without mass, which trace its potential.
eps, end = 0.1, 4.0 if arguments.quick else 16.0
stars = pleiad.models.plummer(300 if arguments.quick else 1000)
asarray, asnumpy, told = array_module()
m = asarray(stars.masses)
solver = pleiad.Solver(eps=eps, precision="f64")


def energy(x, v):
    _, potentials = pleiad.accelerations(x, m, eps=eps, precision="f64", potential=True)
    return float(((0.5 * (v**2).sum(1) + 0.5 * potentials) * m).sum())


def run(step, dt, keep=None):
    """The worst error of the energy at 32 times, and the paths of some stars."""
    x, v = asarray(stars.positions), asarray(stars.velocities)
    first, worst, paths = energy(x, v), 0.0, []
    steps = round(end / dt)
    for k in range(steps):
        x, v = step(x, v, lambda x: solver.accelerations(x, m), dt)
        if keep is not None:
            paths.append(asnumpy(x[keep]))
        if (k + 1) % max(1, steps // 32) == 0:
            worst = max(worst, abs(energy(x, v) / first - 1))
    return worst, np.array(paths)


distance = np.linalg.norm(stars.positions, axis=1)
outwards = (stars.positions * stars.velocities).sum(1) / distance
chosen = asarray(
    np.argsort(np.abs(distance - 0.9) + np.abs(outwards))[:6]
)  # far out, on orbits that turn there
_, paths = run(omelyan, 1 / 32, chosen)

plt.style.use("dark_background")
figure, (left, right) = plt.subplots(1, 2, figsize=(13, 6.4), layout="constrained")
colours = plt.colormaps["hsv"](np.linspace(0, 1, len(chosen), endpoint=False))
x, y, _ = stars.positions.T
left.scatter(x, y, s=2, color="0.35", lw=0)
for k, colour in enumerate(colours):
    path = paths[:, k]
    for first in range(0, len(path) - 1, 8):  # brighter as time goes on
        part = path[first : first + 9]
        left.plot(part[:, 0], part[:, 1], color=colour, lw=1.1, alpha=0.15 + 0.85 * first / len(path))
    left.scatter(*path[-1, :2], s=26, color=colour, zorder=3)
left.set(xlim=(-1.5, 1.5), ylim=(-1.5, 1.5), aspect="equal", xticks=[], yticks=[])
left.set_title("six of the stars", loc="left")

for name, step, forces, colour in (
    ("leapfrog", leapfrog, 2, "#7fb8ff"),
    ("Omelyan et al.", omelyan, 4, "#ffb347"),
):
    dts = np.array([1 / 4, 1 / 8, 1 / 16, 1 / 32, 1 / 64]) * forces / 4
    errors = [run(step, dt)[0] for dt in dts]
    right.loglog(forces / dts, errors, "o-", color=colour, lw=2, label=name)
    right.text(forces / dts[-1] * 1.1, errors[-1], name, color=colour, va="center")
    print(
        f"{name}: " + ", ".join(f"{error:.1e} for dt = {dt:g}" for dt, error in zip(dts, errors, strict=True))
    )
right.set(xlabel="forces for a unit of time", ylabel="worst error of the energy", xlim=(13, 600))
right.set_xticks([16, 32, 64, 128, 256], ["16", "32", "64", "128", "256"])
right.minorticks_off()
right.spines[["top", "right"]].set_visible(False)
right.set_title(f"arrays of {told}", loc="left")
figure.savefig(arguments.picture, dpi=100)
