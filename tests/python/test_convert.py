"""Snapshots to and from the objects of other packages: the same numbers, in the right units."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from conftest import bodies
from hypothesis import given

import pleiad
from pleiad import convert


def galaxy() -> pleiad.Snapshot:
    snapshot = pleiad.models.galaxy(400)
    snapshot.time = 0.25
    return snapshot


# astropy


@given(bodies())
def test_astropy_gives_the_same_snapshot_back(snapshot: pleiad.Snapshot) -> None:
    pytest.importorskip("astropy")
    assert pleiad.Snapshot.from_astropy(snapshot.to_astropy()) == snapshot


def test_astropy_quantities_have_the_right_sizes() -> None:
    u = pytest.importorskip("astropy.units")
    table = galaxy().to_astropy()
    # GADGET's kpc is 3.085678e21 cm, 1.4e-7 more than astropy's.
    assert table["positions"][0, 0].to_value(u.kpc) == pytest.approx(galaxy().positions[0, 0], rel=2e-7)
    assert table["velocities"].unit == u.km / u.s
    assert table["masses"].sum().to_value(u.M_sun) == pytest.approx(17.4e10, rel=1e-3)
    constants = pytest.importorskip("astropy.constants")
    assert (table.meta["G"] / constants.G).to_value("") == pytest.approx(1, rel=3e-3), "43007.1 is GADGET's"
    assert table.meta["time"].to_value(u.Myr) == pytest.approx(0.25 * 977.8, rel=1e-4)
    assert pleiad.Snapshot([[1, 0, 0]], units="cluster").to_astropy()["positions"].unit == u.pc
    assert pleiad.models.plummer(3).to_astropy()["positions"].unit == u.dimensionless_unscaled


def test_a_table_of_ones_own_is_taken_in_any_units() -> None:
    u, table = pytest.importorskip("astropy.units"), pytest.importorskip("astropy.table")
    own = table.QTable({"positions": [[1, 0, 0]] * u.Mpc, "masses": [2e12] * u.M_sun})
    snapshot = pleiad.Snapshot.from_astropy(own, units="galactic")
    assert snapshot.positions[0, 0] == pytest.approx(1000, rel=2e-7)
    assert snapshot.masses[0] == pytest.approx(200, rel=1e-3)
    assert snapshot.G == pleiad.Units.of("galactic").G
    with pytest.raises(pleiad.UsageError, match="not in nbody units"):
        pleiad.Snapshot.from_astropy(own)
    with pytest.raises(pleiad.UsageError, match="needs positions, masses; there is no masses"):
        pleiad.Snapshot.from_astropy(own["positions",], units="galactic")


def test_astropy_converts_with_everything_that_has_units() -> None:
    pytest.importorskip("astropy")
    box = pleiad.Snapshot([[1, 2, 3]], units="galactic", box=[4, 4, 8], time=3)
    read = pleiad.Snapshot.from_astropy(box.to_astropy(), units="cluster")
    expected = box.convert("cluster")
    assert read.box == pytest.approx(expected.box, rel=1e-14)
    for name in ("time", "G"):
        assert getattr(read, name) == pytest.approx(getattr(expected, name), rel=1e-14)
    assert np.allclose(read.positions, expected.positions, rtol=1e-14)
    assert read.G != pleiad.Units.of("cluster").G, "that of GADGET stays, whatever the units"
    assert pleiad.Snapshot.from_astropy(read.to_astropy(), units="galactic").G == box.G
    box.G *= 2
    assert pleiad.Snapshot.from_astropy(box.to_astropy(), units="cluster").G == pytest.approx(
        box.convert("cluster").G, rel=1e-14
    )


# pandas


@given(bodies())
def test_pandas_gives_the_same_snapshot_back(snapshot: pleiad.Snapshot) -> None:
    pytest.importorskip("pandas")
    assert pleiad.Snapshot.from_pandas(snapshot.to_pandas()) == snapshot


def test_a_frame_of_ones_own_is_taken() -> None:
    pandas = pytest.importorskip("pandas")
    frame = galaxy().to_pandas()
    assert list(frame.columns[:6]) == ["id", "type", "mass", "x", "y", "z"] and len(frame) == 400
    inner = frame[np.hypot(frame.x, frame.y) < 5]
    assert len(pleiad.Snapshot.from_pandas(inner)) == len(inner)
    own = pleiad.Snapshot.from_pandas(pandas.DataFrame({"x": [1, 2], "y": 0, "z": 0, "mass": 0.5}))
    assert own.positions.tolist() == [[1, 0, 0], [2, 0, 0]] and own.velocities.sum() == 0
    with pytest.raises(pleiad.UsageError, match="there is no mass"):
        pleiad.Snapshot.from_pandas(pandas.DataFrame({"x": [1], "y": [1], "z": [1]}))


# xarray


@given(bodies())
def test_xarray_gives_the_same_snapshot_back(snapshot: pleiad.Snapshot) -> None:
    pytest.importorskip("xarray")
    assert pleiad.Snapshot.from_xarray(snapshot.to_xarray()) == snapshot


def test_xarray_has_dimensions_and_units() -> None:
    pytest.importorskip("xarray")
    dataset = galaxy().to_xarray()
    assert dataset["positions"].sel(axis="z").shape == (400,)
    assert dataset["velocities"].attrs["units"] == "km/s" and dataset.attrs["time"] == 0.25
    disc = dataset.where(dataset.types == pleiad.Type.disc, drop=True)
    assert 0 < disc.sizes["body"] < 400
    with pytest.raises(pleiad.UsageError, match="there is no masses"):
        pleiad.Snapshot.from_xarray(dataset.drop_vars("masses"))


# yt


def test_yt_sees_the_same_masses_and_places() -> None:
    pytest.importorskip("yt").set_log_level("error")
    snapshot = galaxy()
    data = snapshot.to_yt()
    everything = data.all_data()
    total = everything["all", "particle_mass"].sum().to_value("g")
    assert total == pytest.approx(snapshot.masses.sum() * 1.989e43, rel=1e-12)
    disc = snapshot[snapshot.types == pleiad.Type.disc]
    x = everything["disc", "particle_position_x"].to_value("cm") / 3.085678e21
    assert np.allclose(np.sort(x), np.sort(disc.positions[:, 0]), rtol=1e-12)
    v = everything["disc", "particle_velocity_z"].to_value("km/s")
    assert np.allclose(np.sort(v), np.sort(disc.velocities[:, 2]), rtol=1e-12)
    assert float(data.current_time.to_value("Myr")) == pytest.approx(0.25 * 977.8, rel=1e-4)
    assert len(x) == len(disc), "all bodies are in the domain"


def test_yt_shows_n_body_units_with_the_right_G() -> None:
    yt = pytest.importorskip("yt")
    yt.set_log_level("error")
    data = pleiad.models.plummer(100).to_yt()
    scale = data.length_unit.to("cm") * data.velocity_unit.to("cm/s") ** 2 / data.mass_unit.to("g")
    # The G that velocities were scaled by is GADGET's 43007.1, to six digits.
    assert float(scale.value) == pytest.approx(6.6743e-8, rel=1e-3)
    box = pleiad.models.uniform_box(50, box=2)
    assert box.to_yt().domain_width.to_value("code_length").tolist() == [2, 2, 2]


# pynbody


def test_pynbody_sees_the_same_bodies() -> None:
    pytest.importorskip("pynbody")
    snapshot = galaxy()
    made = snapshot.to_pynbody()
    assert len(made) == len(snapshot)
    disc = snapshot[snapshot.types == pleiad.Type.disc]
    assert np.allclose(
        np.asarray(made.star["pos"][made.star["type"] == pleiad.Type.disc].in_units("cm")),
        disc.positions * 3.085678e21,
        rtol=1e-12,
    )
    assert np.allclose(
        np.asarray(made.star["vel"][made.star["type"] == pleiad.Type.disc].in_units("km s^-1")),
        disc.velocities,
        rtol=1e-12,
    )
    assert float(made["mass"].in_units("g").sum()) == pytest.approx(
        snapshot.masses.sum() * 1.989e43, rel=1e-12
    )
    assert made.dm["iord"].tolist() == snapshot[snapshot.types == pleiad.Type.halo].ids.tolist()
    assert float(made.properties["time"].in_units("Myr")) == pytest.approx(0.25 * 977.8, rel=1e-4)


def test_pynbody_measures_its_own_things() -> None:
    pynbody = pytest.importorskip("pynbody")
    made = pleiad.models.plummer(2000).to_pynbody()
    profile = pynbody.analysis.profile.Profile(made.star, rmin=0.1, rmax=2, nbins=5, ndim=3)
    assert np.all(np.diff(np.asarray(profile["density"])) < 0)


# without them


@pytest.mark.parametrize(
    ("call", "package"),
    [
        ("s.to_astropy()", "astropy"),
        ("s.to_pandas()", "pandas"),
        ("s.to_xarray()", "xarray"),
        ("s.to_yt()", "yt"),
        ("s.to_pynbody()", "pynbody"),
        ("pleiad.plot.density(s)", "matplotlib"),
    ],
)
def test_without_the_package_one_sentence_says_what_to_install(call: str, package: str) -> None:
    code = (
        f"import sys; sys.modules['{package}'] = None\n"
        "import pleiad; s = pleiad.models.plummer(10)\n"
        f"try: {call}\n"
        "except ImportError as e: print(e)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == f"this needs {package}: pip install {package}"


def test_nothing_is_imported_before_it_is_asked_for() -> None:
    code = (
        "import sys, pleiad; s = pleiad.models.plummer(10); pleiad.Snapshot, pleiad.plot, pleiad.convert\n"
        "others = 'astropy pandas xarray yt pynbody matplotlib torch cupy jax'\n"
        "print(set(others.split()) & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "set()"


def test_everything_public_is_there() -> None:
    for name in convert.__all__:
        assert callable(getattr(convert, name))
        assert getattr(convert, name).__doc__
