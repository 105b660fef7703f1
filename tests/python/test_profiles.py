"""Profiles: the numbers of the command, closed forms, and what cannot be measured."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pleiad

plt = pytest.importorskip("matplotlib.pyplot")


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def galaxy() -> pleiad.Snapshot:
    return pleiad.models.galaxy(4000)


def test_shells_of_a_plummer_sphere() -> None:
    n, a = 20000, 3 * np.pi / 16
    shells = pleiad.profile(pleiad.models.plummer(n), 12, (0.1, 5), centre=[0, 0, 0])

    def mass(r: Any) -> Any:
        return (1 + a**2 / r**2) ** -1.5

    expected = mass(shells["radius_high"]) - mass(shells["radius_low"])
    # Five standard errors of a binomial number, whose variance is at most its mean.
    assert (np.abs(shells["mass"] - expected) <= 5 * np.sqrt(expected / n)).all()
    assert shells.about == {
        "time": "0.0",
        "units": "nbody",
        "bodies": "all",
        "centre": "0,0,0",
        "centre_velocity": shells.about["centre_velocity"],
        "axis": shells.about["axis"],
    }


@pytest.mark.parametrize(
    ("kind", "options", "measure"),
    [
        ("density", ["--types", "halo"], lambda s: pleiad.profile(s, types="halo")),
        ("dispersion", ["--types", "halo", "--bins", "9"], lambda s: pleiad.profile(s, 9, types=["halo"])),
        (
            "rotation",
            ["--range", "1,12", "--bins", "7", "--eps", "0.3"],
            lambda s: pleiad.rotation_curve(s, 7, (1, 12), eps=0.3),
        ),
        ("phase-space", ["--bins", "8", "--centre", "1,2,0"], lambda s: pleiad.phase_space(s, 8, centre=(1, 2, 0))),
    ],
)
def test_numbers_are_those_of_the_command(
    kind: str,
    options: list[str],
    measure: Callable[[pleiad.Snapshot], pleiad.Table],
    galaxy: pleiad.Snapshot,
    tmp_path: Path,
    program: Callable[..., str],
) -> None:
    pleiad.write(galaxy, tmp_path / "galaxy.hdf5")
    program("plot", kind, tmp_path / "galaxy.hdf5", *options, "-o", tmp_path / "table.csv")
    theirs, ours = pleiad.read_table(tmp_path / "table.csv"), measure(galaxy)
    assert [name for name in theirs.columns if name != "type"] == list(ours.columns)
    for name in ours:
        np.testing.assert_array_equal(theirs[name], ours[name], err_msg=name)
    assert {key: theirs.about[key] for key in ("units", "bodies", "centre", "centre_velocity", "axis", "columns")} == {
        key: ours.about[key] for key in ("units", "bodies", "centre", "centre_velocity", "axis", "columns")
    }


def test_orbits_of_a_run_and_of_its_snapshots(tmp_path: Path, program: Callable[..., str]) -> None:
    start, out = tmp_path / "three.csv", tmp_path / "out"
    settings = ["output.trajectory_ids=[0,2]", "output.snapshot_interval=0.05", "output.pictures=false", "output.plots=false"]
    program("ic", "pythagorean", "-o", start)
    more = [word for text in settings for word in ("--set", text)]
    program("run", start, "--precision", "f64", "--dt", "0.001", "--t-end", "0.1", "--output", out, *more)
    program("plot", "orbit", out, "-o", tmp_path / "orbit.csv")
    theirs, ours = pleiad.read_table(tmp_path / "orbit.csv"), pleiad.orbits(out)
    assert list(theirs.columns) == list(ours.columns) and set(ours["id"].tolist()) == {0, 2}
    for name in ours:
        np.testing.assert_array_equal(theirs[name], ours[name], err_msg=name)
    # Body 1 is in the snapshots alone.
    some = pleiad.orbits(out, ids=[1])
    assert len(some) < len(ours) / 2 and set(some["id"].tolist()) == {1}
    taken = [pleiad.read(file) for file in sorted((out / "snapshots").iterdir())]
    np.testing.assert_array_equal(some["x"], [s.positions[1, 0] for s in taken])
    ax = pleiad.plot.orbit(out, axes="yx", ax=plt.figure().gca())
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("y [N-body units]", "x [N-body units]")
    assert [len(line.get_xdata()) for line in ax.lines] == [len(ours) / 2, 1, len(ours) / 2, 1]


@pytest.mark.parametrize(("places", "style"), [(9.0, ("-", "body 0")), (4.0, ("None", "body 0 (positions, too few for a line)"))])
def test_orbits_of_few_positions_are_points(places: float, style: tuple[str, str]) -> None:
    angles = 2 * np.pi * np.arange(40) / places
    x = np.column_stack([np.cos(angles), np.sin(angles), 0 * angles])
    taken = [pleiad.Snapshot(x[k : k + 1], None, [1], time=float(k)) for k in range(len(x))]
    line = pleiad.plot.orbit(taken, ax=plt.figure().gca()).lines[0]
    assert (line.get_linestyle(), line.get_label()) == style


def test_plots_have_the_units_of_the_field(galaxy: pleiad.Snapshot) -> None:
    ax = pleiad.plot.density_profile(galaxy, plt.figure().gca())
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("radius [kpc]", "density [Msun / kpc$^3$]")
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["all", "halo", "disc", "bulge"]
    whole = pleiad.profile(galaxy)
    drawn = ax.containers[0].lines[0].get_ydata()
    np.testing.assert_allclose(drawn, 1e10 * whole["density"][whole["bodies"] > 0], rtol=1e-15)
    ax = pleiad.plot.rotation_curve(galaxy, plt.figure().gca(), limits=(0, 12))
    assert ax.get_ylabel() == "velocity [km/s]" and "of disc" in ax.get_legend().get_texts()[2].get_text()
    ax = pleiad.plot.velocity_dispersion(galaxy, plt.figure().gca(), types="halo")
    assert ax.get_ylabel() == "velocity dispersion [km/s]" and ax.get_ylim()[0] == 0
    ax = pleiad.plot.phase_space(galaxy, plt.figure().gca(), bins=20)
    assert ax.get_ylabel() == "radial velocity [km/s]" and "[Msun]" in ax.figure.axes[1].get_ylabel()
    ax = pleiad.plot.density_profile(galaxy.convert("cluster"), plt.figure().gca())
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("radius [pc]", "density [Msun / pc$^3$]")
    ax = pleiad.plot.density_profile(pleiad.models.plummer(500), plt.figure().gca())
    assert ax.get_ylabel() == "density [N-body units]"


def test_a_simulation_is_measured_as_it_is_now() -> None:
    sim = pleiad.Simulation(pleiad.models.plummer(500), eps=0.1, dt=1 / 64).run(0.25)
    ours = pleiad.rotation_curve(sim, 5)
    theirs = pleiad.rotation_curve(sim.snapshot(), 5, eps=0.1)
    for name in ours:
        np.testing.assert_array_equal(ours[name], theirs[name])
    assert ours.about["time"] == "0.25"
    for drawn in ("density_profile", "rotation_curve", "velocity_dispersion", "phase_space"):
        ax = getattr(pleiad.plot, drawn)(sim, plt.figure().gca())
        assert ax.get_xlabel() == "radius [N-body units]", drawn


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda s: pleiad.profile(s, 0), "bins must be a whole number from 1"),
        (lambda s: pleiad.profile(s, limits=(2, 1)), "the first must be below the second"),
        (lambda s: pleiad.profile(s, limits=(0, 1)), "above 0 for log spacing"),
        (lambda s: pleiad.profile(s, limits=(0, 1, 2)), r"limits must have the shape \(2,\)"),
        (lambda s: pleiad.profile(s, spacing="logarithmic"), "spacing must be 'log' or 'linear'"),
        (lambda s: pleiad.profile(s, types="disk"), "types must be of gas, halo, disc.*did you mean 'disc'"),
        (lambda s: pleiad.profile(s, centre=(0, 0)), r"centre must have the shape \(3,\)"),
        (lambda s: pleiad.profile(s, axis=(0, 0, 0)), "must have a length above 0"),
        (lambda s: pleiad.rotation_curve(s, eps=-1.0), "eps must be >= 0"),
        (lambda s: pleiad.orbits([s]), "name those to follow"),
        (lambda s: pleiad.orbits([s], ids=[10**6]), "there is no body with id 1000000"),
        (lambda s: pleiad.orbits([]), "at least one snapshot"),
    ],
)
def test_what_cannot_be_measured_is_refused(call: Callable[[pleiad.Snapshot], Any], sentence: str) -> None:
    with pytest.raises(pleiad.UsageError, match=sentence):
        call(pleiad.models.plummer(50))


def test_without_such_bodies_there_is_no_profile() -> None:
    with pytest.raises(pleiad.InputError, match="no bodies of type halo"):
        pleiad.profile(pleiad.models.plummer(50), types="halo")
    with pytest.raises(pleiad.errors.MissingFile, match="neither trajectories nor snapshots"):
        pleiad.orbits("/nowhere")
