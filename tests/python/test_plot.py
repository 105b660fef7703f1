"""Plots: the mass in a picture is that of the bodies, and what is drawn says its units."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pleiad
from pleiad.plot import surface_density

plt = pytest.importorskip("matplotlib.pyplot")


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    plt.close("all")


@given(
    st.integers(1, 300),
    st.sampled_from(["xy", "yx", "xz", "zy"]),
    st.sampled_from([0.0, 1.0, 8.0]),
    st.integers(1, 6).map(lambda k: 2**k),
    st.integers(0, 2**32 - 1),
)
def test_the_picture_has_the_mass_of_the_bodies(
    n: int, axes: str, smooth: float, pixels: int, seed: int
) -> None:
    random = np.random.default_rng(seed)
    snapshot = pleiad.Snapshot(random.uniform(-1, 1, (n, 3)), masses=random.uniform(0, 1, n))
    image, extent = surface_density(snapshot, axes, (-1, 1, -1, 1), pixels, smooth)
    assert image.shape == (pixels, pixels) and extent == (-1, 1, -1, 1)
    assert (image >= 0).all()
    # Sums of n + pixels^2 numbers, each rounded a few times.
    assert image.sum() * (2 / pixels) ** 2 == pytest.approx(snapshot.masses.sum(), rel=1e-12)


def test_bodies_are_where_they_should_be() -> None:
    one = pleiad.Snapshot([[0.9, -0.9, 0.1]], masses=4)
    image, _ = surface_density(one, "xy", (-1, 1, -1, 1), 4, 0)
    assert np.argwhere(image).tolist() == [[0, 3]], "the first row is at the bottom"
    assert image[0, 3] == 4 / 0.25
    image, _ = surface_density(one, "zy", (-1, 1, -1, 1), 4, 0)
    assert np.argwhere(image).tolist() == [[0, 2]]


def test_a_wide_picture_has_square_pixels() -> None:
    image, _ = surface_density(pleiad.models.plummer(100), "xy", (-2, 2, -1, 1), 64)
    assert image.shape == (32, 64)


def test_an_extent_is_found_for_any_bodies() -> None:
    for snapshot in (pleiad.models.plummer(1), pleiad.models.plummer(1000), pleiad.models.plummer(3)[:0]):
        image, (left, right, bottom, top) = surface_density(snapshot, pixels=16)
        assert right > left and top > bottom and np.isfinite(image).all()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"axes": "xx"}, "two of x, y and z"),
        ({"axes": "xyz"}, "two of x, y and z"),
        ({"axes": "ab"}, "two of x, y and z"),
        ({"extent": (1, 0, 0, 1)}, "must have a width"),
        ({"pixels": 0}, "pixels"),
    ],
)
def test_what_cannot_be_drawn_is_refused(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(pleiad.UsageError, match=sentence):
        surface_density(pleiad.models.plummer(10), **arguments)


def test_density_has_units_on_its_axes(tmp_path: Path) -> None:
    ax = pleiad.plot.density(pleiad.models.galaxy(500), "xz", ax=plt.figure().gca())
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("x [kpc]", "z [kpc]")
    assert "1e10 Msun / kpc" in ax.figure.axes[1].get_ylabel()
    plt.savefig(tmp_path / "a.png")
    assert (tmp_path / "a.png").stat().st_size > 5000


def test_a_simulation_is_drawn_as_it_is_now() -> None:
    sim = pleiad.Simulation(pleiad.models.plummer(50), eps=0.1, dt=0.125)
    assert pleiad.plot.density(sim).get_xlabel() == "x [N-body units]"


def test_energies_and_radii_of_collected_diagnostics() -> None:
    sim = pleiad.Simulation(pleiad.models.plummer(100), eps=0.1, dt=0.125)
    rows = []
    for k in range(5):
        sim.run(0.25 * k)
        rows.append(sim.diagnostics)
    ax = pleiad.plot.energies(rows, plt.figure().gca())
    total = next(line for line in ax.lines if line.get_label() == "total")
    assert np.allclose(total.get_ydata(), rows[0].energy, rtol=1e-2)
    assert np.asarray(total.get_xdata()).tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert len(pleiad.plot.radii(rows, plt.figure().gca()).lines) == 5
    pleiad.plot.energies(rows, plt.figure().gca(), error=True)
    with pytest.raises(pleiad.UsageError, match="no diagnostics"):
        pleiad.plot.energies([])


def test_energies_and_radii_of_a_table(tmp_path: Path) -> None:
    (tmp_path / "diagnostics.txt").write_text(
        "# units: galactic\n# time kinetic potential total energy_error r10 r25 r50 r75 r90\n"
        "0 1 -2 -1 0 1 2 3 4 5\n1 1.1 -2.1 -1 0.001 1 2 3 4 5\n"
    )
    for drawn in (
        pleiad.plot.energies(tmp_path),
        pleiad.plot.radii(pleiad.read_table(tmp_path), plt.figure().gca()),
    ):
        # One kpc / (km/s) is 0.978 Gyr, in which the command shows times, too.
        assert drawn.get_xlabel() == "time [Gyr]"
        assert drawn.lines[0].get_xdata()[-1] == pytest.approx(0.97779, rel=1e-5)
    assert pleiad.plot.energies(tmp_path, plt.figure().gca()).get_ylabel() == "energy [1e10 Msun (km/s)$^2$]"
    assert drawn.get_ylabel() == "Lagrangian radius [kpc]"
