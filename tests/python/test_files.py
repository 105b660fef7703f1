"""Files: what is written is read again, in every format, as far as the format keeps it."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from conftest import bodies
from hypothesis import given

import pleiad
from pleiad import _core

FORMATS = {f["name"]: f for f in _core.formats()}


def by_id(snapshot: pleiad.Snapshot) -> pleiad.Snapshot:
    return snapshot[np.argsort(snapshot.ids)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("files")


@given(bodies())
def test_csv_keeps_everything(folder: Path, snapshot: pleiad.Snapshot) -> None:
    assert pleiad.write(snapshot, folder / "a.csv") == []
    assert pleiad.read(folder / "a.csv") == snapshot


@given(bodies())
def test_hdf5_keeps_everything_but_the_order(folder: Path, snapshot: pleiad.Snapshot) -> None:
    pleiad.write(snapshot, folder / "a.hdf5")
    read = pleiad.read(folder / "a.hdf5")
    assert np.all(np.diff(read.types.astype(int)) >= 0), "grouped by type"
    assert by_id(read) == by_id(snapshot)


# A double is rounded to the nearest float, half a unit of 24 bits away at most. TIPSY's velocities are scaled
# besides, there and back, in double precision.
SINGLE = 2.0**-24 * 1.01


@pytest.mark.parametrize("name", ["gadget1", "gadget2", "tipsy", "tipsy-little"])
@given(snapshot=bodies())
def test_binary_formats_keep_floats(
    tmp_path_factory: pytest.TempPathFactory, name: str, snapshot: pleiad.Snapshot
) -> None:
    path = tmp_path_factory.mktemp(name) / "bodies"
    if snapshot.units.name in ("si", "cgs"):
        snapshot.units = pleiad.Units.of("galactic")
        snapshot.G = snapshot.units.G
    lost = pleiad.write(snapshot, path, format=name)
    assert (snapshot.box is None) or any("box" in phrase or "boundary" in phrase for phrase in lost)
    # What GADGET's files do not state is galactic by convention, and physical numbers are written so.
    units = snapshot.units if snapshot.units.physical or name.startswith("tipsy") else None
    read = pleiad.read(path)
    expected = snapshot if units is None or read.units == snapshot.units else snapshot.convert(read.units)
    assert len(read) == len(snapshot)
    order = "ids" if name.startswith("gadget") else "masses"
    read, expected = (s[np.argsort(getattr(s, order))] for s in (read, expected))
    for column in ("positions", "velocities", "masses"):
        assert np.allclose(getattr(read, column), getattr(expected, column), rtol=2 * SINGLE, atol=0), column
    if name.startswith("gadget"):
        assert np.array_equal(read.ids, expected.ids) and np.array_equal(read.types, expected.types)


@pytest.mark.parametrize("name", FORMATS)
def test_one_body_can_be_written_and_read(tmp_path: Path, name: str) -> None:
    one = pleiad.Snapshot([[1, 2, 4]], [[0.5, 0, -0.25]], 2.0)
    pleiad.write(one, tmp_path / "one", format=name)
    read = pleiad.read(tmp_path / "one", units="nbody")
    assert read.positions.tolist() == [[1, 2, 4]] and read.velocities.tolist() == [[0.5, 0, -0.25]]
    assert read.masses.tolist() == [2]


def test_the_ending_says_the_format(tmp_path: Path, program: Callable[..., str]) -> None:
    snapshot = pleiad.models.plummer(50)
    for name, described in FORMATS.items():
        path = tmp_path / f"{name}{described['ending']}"
        pleiad.write(snapshot, path, format=name)
        assert f'"format": "{name}"' in program("info", "--json", path)


def test_the_program_sees_the_same_bodies(tmp_path: Path, program: Callable[..., str]) -> None:
    snapshot = pleiad.models.king(300, seed=3, W0=5)
    pleiad.write(snapshot, tmp_path / "a.hdf5")
    assert pleiad.read(tmp_path / "a.hdf5").state_hash in program("info", "--json", tmp_path / "a.hdf5")


def test_units_of_the_file_are_asked_for(tmp_path: Path) -> None:
    galaxy = pleiad.Snapshot([[1, 0, 0]], masses=1, units="galactic", time=2.0)
    pleiad.write(galaxy, tmp_path / "a.csv", units="cgs")
    read = pleiad.read(tmp_path / "a.csv")
    assert read.units.name == "cgs" and read.positions[0, 0] == 3.085678e21
    assert read.time == pytest.approx(2 * 3.085678e21 / 1e5, rel=1e-15)
    expected = 43007.1 * 3.085678e21 * 1e10 / 1.989e43
    assert read.G == pytest.approx(expected, rel=1e-14), "the constant of the source, GADGET's, not that of cgs"
    assert read.convert("galactic").G == 43007.1
    galaxy.G *= 2
    pleiad.write(galaxy, tmp_path / "a.csv", units="cgs")
    assert pleiad.read(tmp_path / "a.csv").G == pytest.approx(2 * expected, rel=1e-14)
    cluster = pleiad.Snapshot([[1, 0, 0]], masses=1, units="cluster")
    assert cluster.convert("si").G == pleiad.Units.of("si").G, "what differs by rounding is a unit system's own"


def test_what_the_file_states_can_be_overruled(tmp_path: Path) -> None:
    pleiad.write(pleiad.Snapshot([[1, 0, 0]], units="si"), tmp_path / "a.csv")
    assert pleiad.read(tmp_path / "a.csv", units="solar").units.name == "solar"
    own = pleiad.Units.custom(1e18, 1e33, 1e5)
    assert pleiad.read(tmp_path / "a.csv", units=own).units == own


def test_assumed_units_are_noted(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("m,x,y,z,vx,vy,vz\n1,0,0,0,0,0,0\n")
    assert any("units" in note for note in pleiad.read(tmp_path / "a.csv").notes)


def test_single_precision_is_smaller(tmp_path: Path) -> None:
    snapshot = pleiad.models.plummer(5000)
    pleiad.write(snapshot, tmp_path / "double.hdf5")
    pleiad.write(snapshot, tmp_path / "single.hdf5", single=True)
    sizes = [os.stat(tmp_path / f"{name}.hdf5").st_size for name in ("double", "single")]
    assert sizes[1] < 0.7 * sizes[0]
    assert np.array_equal(
        pleiad.read(tmp_path / "single.hdf5").positions, snapshot.positions.astype(np.float32)
    )


def test_losses_are_told(tmp_path: Path) -> None:
    snapshot = pleiad.Snapshot([[0.1, 0, 0]], box=1, accelerations=[[1, 2, 3]])
    lost = pleiad.write(snapshot, tmp_path / "a", format="gadget2")
    assert len(lost) >= 2 and all(isinstance(phrase, str) for phrase in lost)


def test_provenance_is_kept(tmp_path: Path) -> None:
    pleiad.write(pleiad.models.figure_eight(), tmp_path / "a.csv", provenance="from a test")
    assert "from a test" in (tmp_path / "a.csv").read_text()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "empty|no snapshot|not a"),
        ("m,x,y,z,vx,vy,vz\n1,0,0,0,0,0\n", "line 2|row"),
        ("m,x,y,z,vx,vy,vz\n1,here,0,0,0,0,0\n", "here"),
        ("# bodies: 2\nm,x,y,z,vx,vy,vz\n1,0,0,0,0,0,0\n", "2"),
    ],
)
def test_a_damaged_file_is_refused_by_name(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "bad.csv").write_text(text)
    with pytest.raises(pleiad.InputError, match=rf"bad\.csv.*({sentence})"):
        pleiad.read(tmp_path / "bad.csv")


def test_refused_are_files_that_cannot_be(tmp_path: Path) -> None:
    one = pleiad.Snapshot([[0, 0, 0]])
    with pytest.raises(pleiad.Error, match="absent"):
        pleiad.read(tmp_path / "absent.hdf5")
    with pytest.raises(pleiad.UsageError, match="ending|extension|format"):
        pleiad.write(one, tmp_path / "a.unknown")
    with pytest.raises(pleiad.UsageError, match="did you mean 'gadget"):
        pleiad.write(one, tmp_path / "a", format="gadget3")
    with pytest.raises(pleiad.ResourceError):
        pleiad.write(one, tmp_path / "no" / "folder" / "a.csv")
    with pytest.raises(pleiad.UsageError, match="no physical scale"):
        pleiad.write(one, tmp_path / "a.csv", units="galactic")
    assert list(tmp_path.iterdir()) == []
