"""Writes gala.json: orbits in external potentials, by the potentials of gala 1.11 and the integrator DOP853 of SciPy with tolerances of 3e-14.

Not run by the tests. Run it again after a change of the list, with gala, NumPy and SciPy installed: python3 make.py
"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import gala
import gala.potential as gp
import numpy as np
import scipy
from gala.units import DimensionlessUnitSystem, galactic
from scipy.integrate import solve_ivp

NONE = DimensionlessUnitSystem()


def orbit(potential: Any, x: list[float], v: list[float], orbits: int, moving: dict[str, Any]) -> dict[str, Any]:
    """`orbits` radial periods or more of a body, as it moves in a field that may rotate, move and grow."""
    omega, velocity, e_fold = moving.get("omega", 0.0), np.array(moving.get("velocity", [0.0, 0.0, 0.0])), moving.get("e_fold")
    rise = moving.get("rise")

    def strength(t: float) -> float:
        factor = 1.0 if e_fold is None else np.exp(t / e_fold)
        if rise is not None:
            s = np.clip(2 * (t - rise[0]) / (rise[1] - rise[0]) - 1, -1, 1)
            factor *= 3 / 16 * s**5 - 5 / 8 * s**3 + 15 / 16 * s + 0.5
        return float(factor)

    def rate(t: float, w: Any) -> Any:
        d = w[:3] - velocity * t
        c, s = np.cos(omega * t), np.sin(omega * t)
        inward = potential.gradient(np.array([c * d[0] + s * d[1], c * d[1] - s * d[0], d[2]])).value[:, 0]
        a = -strength(t) * np.array([c * inward[0] - s * inward[1], s * inward[0] + c * inward[1], inward[2]])
        return np.concatenate([w[3:], a])

    start = np.array([*x, *v])
    speed = np.linalg.norm(potential.gradient(np.array(x)).value[:, 0])
    period = 2 * np.pi * np.sqrt(np.linalg.norm(x) / speed)
    # A whole number of 64ths, so that the steps of the test end there.
    end = float(np.ceil(orbits * period * 64 / 64))
    found = solve_ivp(rate, (0, end), start, method="DOP853", rtol=3e-14, atol=1e-16)
    assert found.success
    return {"position": x, "velocity": v, "time": end, "period": float(period), "end": [float(each) for each in found.y[:, -1]]}


SYSTEMS: list[tuple[str, Any, float, list[float], list[float], dict[str, Any]]] = [
    ("point mass=1", gp.KeplerPotential(m=1, units=NONE), 1, [1, 0, 0], [0, 0.8, 0.3], {}),
    ("plummer mass=2 scale=0.7", gp.PlummerPotential(m=2, b=0.7, units=NONE), 1, [1, 0.2, 0], [0, 0.7, 0.3], {}),
    ("hernquist mass=2 scale=0.7", gp.HernquistPotential(m=2, c=0.7, units=NONE), 1, [1, 0.2, 0], [0, 0.5, 0.3], {}),
    ("isochrone mass=2 scale=0.7", gp.IsochronePotential(m=2, b=0.7, units=NONE), 1, [1, 0.2, 0], [0, 0.5, 0.3], {}),
    ("nfw mass=8 scale=3", gp.NFWPotential(m=8, r_s=3, units=NONE), 1, [1, 0.2, 0.1], [0, 0.6, 0.3], {}),
    ("miyamoto-nagai mass=2 scale=0.7 height=0.2", gp.MiyamotoNagaiPotential(m=2, a=0.7, b=0.2, units=NONE), 1, [1, 0.2, 0.1], [0, 0.7, 0.2], {}),
    (
        "logarithmic speed=0.8 core=0.3 p=0.9 q=0.7",
        gp.LogarithmicPotential(v_c=0.8, r_h=0.3, q1=1, q2=0.9, q3=0.7, units=NONE),
        1,
        [1, 0.2, 0.1],
        [0, 0.6, 0.2],
        {},
    ),
    ("bar mass=1 length=1 width=0.3 height=0.2", gp.LongMuraliBarPotential(m=1, a=1, b=0.3, c=0.2, units=NONE), 1, [1.5, 0.2, 0.1], [0, 0.6, 0.2], {}),
    (
        "exponential-disc mass=2 scale=0.8 thickness=0.2",
        gp.MN3ExponentialDiskPotential(m=2, h_R=0.8, h_z=0.16, units=NONE),
        1,
        [1.5, 0.2, 0.1],
        [0, 0.6, 0.2],
        {},
    ),
    # Lengths in kpc, times in Myr, masses in Msun.
    ("milky-way kpc=1 msun=1", gp.MilkyWayPotential(version="v1", units=galactic), 4.498502151469553e-12, [8, 0, 0.5], [0.02, 0.2, 0.05], {}),
    (
        "bar mass=1 length=1 width=0.3 height=0.2 omega=0.5",
        gp.LongMuraliBarPotential(m=1, a=1, b=0.3, c=0.2, units=NONE),
        1,
        [1.5, 0.2, 0.1],
        [0, 0.6, 0.2],
        {"omega": 0.5},
    ),
    (
        "logarithmic speed=0.8 core=0.3 p=0.9 q=0.7 omega=-0.3",
        gp.LogarithmicPotential(v_c=0.8, r_h=0.3, q1=1, q2=0.9, q3=0.7, units=NONE),
        1,
        [1, 0.2, 0.1],
        [0, 0.6, 0.2],
        {"omega": -0.3},
    ),
    (
        "plummer mass=2 scale=0.7 vx=0.1 vy=-0.05 vz=0.02",
        gp.PlummerPotential(m=2, b=0.7, units=NONE),
        1,
        [1, 0.2, 0],
        [0, 0.7, 0.3],
        {"velocity": [0.1, -0.05, 0.02]},
    ),
    ("plummer mass=2 scale=0.7 rise_from=-3 rise_to=20", gp.PlummerPotential(m=2, b=0.7, units=NONE), 1, [1, 0.2, 0], [0, 0.3, 0.2], {"rise": [-3, 20]}),
    ("isochrone mass=2 scale=0.7 e_fold=40", gp.IsochronePotential(m=2, b=0.7, units=NONE), 1, [1, 0.2, 0], [0, 0.5, 0.3], {"e_fold": 40}),
]  # fmt: skip


def main() -> None:
    orbits = []
    for text, potential, g, x, v, moving in SYSTEMS:
        if "milky" in text:
            g = float(potential.G)
        orbits.append({"potential": text, "G": g, **orbit(potential, [float(e) for e in x], [float(e) for e in v], 10, moving)})
    made = {"by": f"gala {gala.__version__}, SciPy {scipy.__version__}, DOP853, rtol 3e-14", "orbits": orbits}
    (Path(__file__).parent / "gala.json").write_text(json.dumps(made, indent=1) + "\n")


if __name__ == "__main__":
    main()
