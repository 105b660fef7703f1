"""Comoving snapshots in the forms of other programs, written here by h5py: every command has the same bodies."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import json
import math
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pleiad

h5py = pytest.importorskip("h5py")
Program = Callable[..., str]

UNIVERSE = pleiad.Cosmology(omega_m=0.3, h=0.7)
SIDE, MPC, MASS, KM_S = 20.0, 3.085678e24, 1.989e43, 1e5  # of the box in Mpc/h; units in cgs


def young() -> pleiad.Snapshot:
    """Bodies in Mpc/h, 1e10 Msun/h, km/s."""
    return pleiad.cosmology_ic(SIDE, 8, UNIVERSE, redshift=9, sigma8=0.8, seed=4).convert(pleiad.Units.custom(MPC, MASS, KM_S))


def write_hdf5(path: Path, columns: dict[str, Any], groups: dict[str, dict[str, Any]], powers: dict[str, float]) -> None:
    """Halo bodies; `powers`: of the scale factor, by dataset, as SWIFT states them."""
    n = len(columns["Masses"])
    with h5py.File(path, "w") as file:
        for name, values in columns.items():
            data = file.create_dataset(f"PartType1/{name}", data=values)
            if name in powers:
                data.attrs["a-scale exponent"] = powers[name]
        count = np.array([0, n, 0, 0, 0, 0], dtype=np.uint32)
        counts = {"NumPart_ThisFile": count, "NumPart_Total": count, "NumFilesPerSnapshot": 1}
        for group, attributes in {**groups, "Header": {**counts, **groups["Header"]}}.items():
            for name, value in attributes.items():
                file.require_group(group).attrs[name] = value


def swift(folder: Path, s: pleiad.Snapshot) -> Path:
    h, cgs = UNIVERSE.h, {"Unit length in cgs (U_L)": [MPC], "Unit mass in cgs (U_M)": [MASS], "Unit time in cgs (U_t)": [MPC / KM_S]}
    write_hdf5(
        folder / "swift.hdf5",
        {"Coordinates": s.positions / h, "Velocities": s.velocities, "Masses": s.masses / h, "ParticleIDs": s.ids},
        {
            "Header": {"Time": [0.01], "Redshift": [9.0], "Scale-factor": [s.time], "BoxSize": [SIDE / h] * 3, "Code": "SWIFT"},
            "Cosmology": {"Cosmological run": [1], "h": [h], "Omega_m": [0.3], "Omega_lambda": [0.7], "Omega_r": [0.0], "w_0": [-1.0]},
            "Units": cgs,
            "InternalCodeUnits": cgs,
        },
        {"Coordinates": 1.0, "Velocities": 0.0, "Masses": 0.0},
    )
    return folder / "swift.hdf5"


def gizmo(folder: Path, s: pleiad.Snapshot) -> Path:
    h = UNIVERSE.h
    units = {"UnitLength_In_CGS": MPC / h, "UnitMass_In_CGS": MASS / h, "UnitVelocity_In_CGS": KM_S}
    universe = {"HubbleParam": h, "Omega_Matter": 0.3, "Omega_Lambda": 0.7, "ComovingIntegrationOn": 1}
    write_hdf5(
        folder / "gizmo.hdf5",
        {"Coordinates": s.positions, "Velocities": s.velocities / math.sqrt(s.time), "Masses": s.masses, "ParticleIDs": s.ids},
        {"Header": {"Time": s.time, "Redshift": 9.0, "BoxSize": SIDE, **universe, **units}},
        {},
    )
    return folder / "gizmo.hdf5"


def changa(folder: Path, s: pleiad.Snapshot) -> Path:
    """The box is 1 and G is 1; velocities are dx/dt; H0 is sqrt(8 pi / 3)."""
    hubble = math.sqrt(8 * math.pi / 3)
    velocity = 100 * SIDE / hubble  # of the unit, in km/s
    mass = (100 * SIDE) ** 2 / hubble**2 * SIDE / 4.30091727e-9  # of the unit, in Msun/h, by PKDGRAV3's constant
    rows = np.zeros((len(s.masses), 9))
    rows[:, 0] = s.masses * 1e10 / mass
    rows[:, 1:4], rows[:, 4:7] = s.positions / SIDE, s.velocities / velocity / s.time
    header = struct.pack(">d6i", s.time, len(rows), 3, 0, len(rows), 0, 0)
    folder = folder / "changa"
    folder.mkdir()
    (folder / "box.00010").write_bytes(header + rows.astype(">f8").tobytes())
    (folder / "box.param").write_text(
        f"bComove = 1\nbPeriodic = 1\ndOmega0 = 0.3\ndLambda = 0.7\ndHubble0 = {hubble}\n"
        f"dKpcUnit = {1000 * SIDE / UNIVERSE.h}\ndMsolUnit = {mass / UNIVERSE.h}\n"
    )
    return folder / "box.00010"


FORMS = [swift, gizmo, changa]


@pytest.mark.parametrize("form", FORMS)
def test_every_command_has_the_same_bodies(form: Callable[[Path, pleiad.Snapshot], Path], tmp_path: Path, program: Program) -> None:
    truth = young()
    path = form(tmp_path, truth)
    read = pleiad.read(path)
    assert read.universe is not None and read.universe.omega_m == 0.3
    assert read.universe.h == pytest.approx(0.7, rel=1e-4) and read.time == pytest.approx(truth.time, rel=1e-14)
    here = read.convert(truth.units)
    # Megaparsecs and solar masses of programs differ in the seventh and fifth digit, those of GADGET from CODATA in the fourth.
    assert here.box == pytest.approx((SIDE,) * 3, rel=1e-6)
    assert here.positions == pytest.approx(truth.positions, rel=2e-6, abs=1e-5)
    assert here.velocities == pytest.approx(truth.velocities, rel=1e-4, abs=1e-3)
    assert here.masses == pytest.approx(truth.masses, rel=1e-3)

    told = json.loads(program("info", path, "--json"))
    assert told["universe"]["omega_m"] == 0.3
    pleiad.write(truth, tmp_path / "own.hdf5")
    powers = [
        np.genfromtxt([row for row in program("analyse", "power", file, "-o", "-").splitlines() if row[0] != "#"], delimiter=",", names=True)
        for file in (path, tmp_path / "own.hdf5")
    ]
    assert powers[0]["power"] == pytest.approx(powers[1]["power"], rel=1e-4) and powers[0]["k"] == pytest.approx(powers[1]["k"], rel=1e-5)
    program("convert", path, tmp_path / "converted.hdf5")
    again = pleiad.read(tmp_path / "converted.hdf5")
    assert again.universe == read.universe and again.convert(truth.units).velocities == pytest.approx(here.velocities, rel=1e-12)
    program("render", path, "-o", tmp_path / "picture.png")
    assert (tmp_path / "picture.png").stat().st_size > 1000


@pytest.mark.parametrize("form", FORMS)
def test_a_run_goes_on_with_them(form: Callable[[Path, pleiad.Snapshot], Path], tmp_path: Path, program: Program) -> None:
    truth = young()
    path = form(tmp_path, truth)
    eps = 0.02 * pleiad.read(path).box[0]
    settings = {"cosmology.omega_m": 0.3, "time.dt": 0.05, "time.end_redshift": 4, "output.pictures": "false", "output.plots": "false"}
    words = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
    program("run", path, "--eps", eps, "--accuracy", 0, *words, "--output", tmp_path / "run", "--quiet")
    end = pleiad.read(tmp_path / "run" / "snapshots" / "snapshot_001.hdf5").convert(truth.units)
    ours = pleiad.Simulation(truth, eps=0.02 * SIDE, dt=math.log(2) / math.ceil(math.log(2) / 0.05)).run(0.2).snapshot()
    away = end.positions - ours.positions
    away -= SIDE * np.round(away / SIDE)
    moved = ours.positions - truth.positions
    moved -= SIDE * np.round(moved / SIDE)
    # Constants of G differ by 3.4e-4; a velocity that is wrong by the root of a moves bodies by half as much.
    assert np.abs(away).max() < 0.01 * np.abs(moved).max()
