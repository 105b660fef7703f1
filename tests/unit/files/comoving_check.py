"""yt and pynbody read the snapshots of a run in an expanding universe with the right redshift, kpc, km/s and masses.

usage: comoving_check.py PROGRAM

`PROGRAM run` makes two steps from a table of comoving positions and peculiar velocities at z = 3, and writes a
snapshot there; what both readers make physical is compared with the numbers of the table. Exit code 0: all right;
1: a difference; 77: a reader is missing.
"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import math
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import pynbody
    import yt
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(77)

# What 1e10 solar masses and a kpc are differs between codes in the fifth digit.
CODES_DISAGREE = 1e-3
OMEGA_M, H, REDSHIFT, BOX = 0.31, 0.68, 3.0, 4000.0  # kpc/h
SCALE = 1 / (1 + REDSHIFT)
failed = False


def near(what, actual, expected, bound=CODES_DISAGREE):
    global failed
    error = abs(actual - expected) / abs(expected)
    good = error <= bound  # false for NaN
    failed |= not good
    print(f"  {'ok  ' if good else 'FAIL'} {what}: {actual:.10g}, expected {expected:.10g}, relative error {error:.1e} <= {bound:.0e}")


def write_table(path):
    """216 halo bodies in kpc/h, 1e10 Msun/h and km/s, which are all of the matter; returns positions, velocities, mass of one."""
    random, side = np.random.default_rng(3), 6
    places = (np.stack(np.unravel_index(np.arange(side**3), (side,) * 3), axis=1) + random.uniform(0.3, 0.7, (side**3, 3))) * BOX / side
    speeds = random.normal(scale=50, size=places.shape)
    mass = OMEGA_M * 3 * 0.1**2 / (8 * math.pi * 43007.1) * BOX**3 / side**3
    with open(path, "w") as out:
        print(f"# units: galactic\n# periodic: {BOX} {BOX} {BOX}\n# images: all\nid,type,mass,x,y,z,vx,vy,vz", file=out)
        for i, (x, v) in enumerate(zip(places, speeds)):
            print(f"{i},halo,{mass!r}," + ",".join(repr(float(n)) for n in (*x, *v)), file=out)
    return places, speeds, mass


def main(program, folder):
    places, speeds, mass = write_table(folder / "start.csv")
    settings = {"gravity.softening": 20, "cosmology.omega_m": OMEGA_M,
                "cosmology.h": H, "time.begin_redshift": REDSHIFT, "time.end_redshift": 2.9, "output.directory": folder / "run",
                "output.pictures": "false", "output.plots": "false"}
    subprocess.run([program, "run", str(folder / "start.csv"), "--quiet", *(word for name, value in settings.items() for word in ("--set", f"{name}={value}"))],
                   check=True, stdout=subprocess.DEVNULL)
    path = folder / "run" / "snapshots" / "snapshot_000.hdf5"
    kpc, speed, all_mass = np.abs(places).sum() * SCALE / H, np.abs(speeds).sum(), mass * len(places) / H

    print(f"yt {yt.__version__}")
    ds = yt.load(str(path))
    near("redshift", ds.current_redshift, REDSHIFT, 1e-12)
    near("omega_matter", ds.omega_matter, OMEGA_M, 1e-12)
    near("h", ds.hubble_constant, H, 1e-12)
    near("box / (kpccm/h)", float(ds.domain_width[0].to("kpccm/h")), BOX)
    everything = ds.all_data()
    near("mass / 1e10 Msun", float(everything["all", "particle_mass"].to("Msun").sum()) / 1e10, all_mass)
    near("sum |x| / kpc", float(np.abs(everything["all", "particle_position"].to("kpc").value).sum()), kpc)
    near("sum |v| / (km/s)", float(np.abs(everything["all", "particle_velocity"].to("km/s").value).sum()), speed)

    print(f"pynbody {pynbody.__version__}")
    f = pynbody.load(str(path))
    near("a", f.properties["a"], SCALE, 1e-12)
    near("omegaM0", f.properties["omegaM0"], OMEGA_M, 1e-12)
    near("mass / 1e10 Msun", float(f["mass"].in_units("1e10 Msol").sum()), all_mass)
    near("sum |x| / kpc", float(np.abs(f["pos"].in_units("kpc")).sum()), kpc)
    near("sum |v| / (km/s)", float(np.abs(f["vel"].in_units("km s^-1")).sum()), speed)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        main(sys.argv[1], pathlib.Path(name))
    sys.exit(1 if failed else 0)
