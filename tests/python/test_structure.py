"""Groups against a search of all pairs, power spectra against sums over bodies, and the catalogue of the command."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import pleiad


def clumps(n: int = 600, side: float = 10.0) -> pleiad.Snapshot:
    box = pleiad.models.uniform_box(n, seed=4, box=side)
    random = np.random.default_rng(7)
    centres = random.uniform(0, side, (4, 3))
    x = box.positions
    x[: n // 2] = np.mod(centres[np.arange(n // 2) % 4] + 0.2 * random.standard_normal((n // 2, 3)), side)
    return box


def by_all_pairs(x: np.ndarray, length: float, side: float | None) -> list[frozenset[int]]:
    d = x[:, None] - x[None]
    if side is not None:
        d -= side * np.round(d / side)
    linked = (d**2).sum(axis=2) < length**2
    left, found = set(range(len(x))), []
    while left:
        group, edge = set(), {left.pop()}
        while edge:
            group |= edge
            edge = {int(j) for i in edge for j in np.flatnonzero(linked[i])} - group
        left -= group
        found.append(frozenset(group))
    return found


@pytest.mark.parametrize("periodic", [True, False])
@pytest.mark.parametrize("distance", [0.1, 0.35, 0.8])
def test_groups_are_those_of_all_pairs(periodic: bool, distance: float) -> None:
    box = clumps()
    if not periodic:
        box = pleiad.Snapshot(box.positions, box.velocities, box.masses)
    found = pleiad.groups(box, linking_distance=distance, min_members=3)
    expected = [g for g in by_all_pairs(box.positions, distance, 10.0 if periodic else None) if len(g) >= 3]
    of_each = [frozenset(np.flatnonzero(found.group_of == g).tolist()) for g in range(len(found.table))]
    assert set(of_each) == set(expected) and len(of_each) == len(expected)
    assert found.table["members"].tolist() == sorted((len(g) for g in expected), reverse=True)
    assert found.table["mass"].tolist() == [box.masses[sorted(g)].sum() for g in of_each]


def test_the_linking_length_is_in_mean_distances() -> None:
    box = clumps()
    one = pleiad.groups(box, 0.3)
    other = pleiad.groups(box, linking_distance=0.3 * 10 / 600 ** (1 / 3))
    assert (one.group_of == other.group_of).all() and len(one.table) >= 4
    assert float(one.table.about["linking_length"]) == pytest.approx(0.3 * 10 / 600 ** (1 / 3), rel=1e-14)


def test_spheres_have_their_density() -> None:
    table = pleiad.groups(clumps(), 0.3, density=30).table
    for mass, radius, density in [("sphere_mass", "sphere_radius", 200 * 0.6), ("density_mass", "density_radius", 30)]:
        assert (table[radius] > 0).all()
        assert table[mass] / (4 / 3 * np.pi * table[radius] ** 3) == pytest.approx(density, rel=1e-12)


def test_power_is_that_of_sums_over_the_bodies() -> None:
    box, side = clumps(2000), 10.0
    spectrum = pleiad.power_spectrum(box, 64)
    numbers = np.stack(np.meshgrid(*3 * [np.arange(-6, 7)], indexing="ij"), -1).reshape(-1, 3)
    k = 2 * np.pi / side * numbers
    delta = np.exp(-1j * box.positions @ k.T).mean(axis=0)
    shell = np.rint(np.sqrt((numbers**2).sum(axis=1)))
    for s in range(1, 6):
        own = shell == s
        assert spectrum["modes"][s - 1] == own.sum() / 2
        assert spectrum["power"][s - 1] == pytest.approx(side**3 * (abs(delta[own]) ** 2).mean(), rel=2e-4)
        assert spectrum["k"][s - 1] == pytest.approx(np.sqrt((k[own] ** 2).sum(axis=1)).mean(), rel=1e-12)
    assert spectrum["shot_noise"][0] == pytest.approx(side**3 / 2000, rel=1e-14)


def test_what_cannot_be_is_refused() -> None:
    sphere = pleiad.models.plummer(50)
    with pytest.raises(pleiad.UsageError, match="needs a periodic box"):
        pleiad.power_spectrum(sphere)
    with pytest.raises(pleiad.UsageError, match="need a linking distance"):
        pleiad.groups(sphere)
    with pytest.raises(pleiad.UsageError, match="give one of them"):
        pleiad.groups(sphere, 0.2, linking_distance=1)
    with pytest.raises(pleiad.UsageError, match="linking length is -1"):
        pleiad.groups(sphere, linking_distance=-1)
    with pytest.raises(pleiad.UsageError, match="density of a sphere is 0"):
        pleiad.groups(sphere, linking_distance=1, density=0)
    with pytest.raises(pleiad.InputError, match="no bodies of type gas"):
        pleiad.groups(sphere, linking_distance=1, types="gas")
    with pytest.raises(pleiad.UsageError, match="grid"):
        pleiad.power_spectrum(clumps(), 3)
    with pytest.raises(pleiad.UsageError, match="min_members"):
        pleiad.groups(clumps(), min_members=0)


def test_the_catalogue_of_the_command_is_that_of_the_function(tmp_path: Path, program: Callable[..., str]) -> None:
    h5py = pytest.importorskip("h5py")
    box = clumps()
    pleiad.write(box, tmp_path / "box.hdf5")
    program("analyse", "groups", tmp_path / "box.hdf5", "--linking-length", "0.3", "-o", tmp_path / "groups.hdf5")
    found = pleiad.groups(box, 0.3)
    table, group_of = found.table, found.group_of
    with h5py.File(tmp_path / "groups.hdf5") as file:
        group = file["Group"]
        assert file["Header"].attrs["Ngroups_Total"] == len(table)
        assert group["GroupLen"][:].tolist() == table["members"].tolist()
        assert group["GroupPos"][:].tolist() == np.stack([table[c] for c in "xyz"], 1).tolist()
        assert group["Group_M_Mean200"][:].tolist() == table["sphere_mass"].tolist()
        assert group["GroupLenType"][:].sum(axis=1).tolist() == table["members"].tolist()
        ids = np.split(file["IDs/ID"][:], np.cumsum(group["GroupLen"][:])[:-1])
        for g, members in enumerate(ids):
            assert sorted(members.tolist()) == sorted(box.ids[group_of == g].tolist())
            assert group["GroupID"][g] == members.min()


def test_binaries_are_those_that_were_made() -> None:
    stars = pleiad.models.cluster(300, seed=5, binaries=1.0, separation="log-uniform", separation_max=50.0)
    found = pleiad.binaries(stars)
    pairs = found["stars"] == 2
    assert {(min(a, b), max(a, b)) for a, b in zip(found["id_1"][pairs].tolist(), found["id_2"][pairs].tolist(), strict=True)} == {
        (i, i + 1) for i in range(0, 300, 2)
    }
    # Vis viva, with G of the units.
    x, v, m = stars.positions, stars.velocities, stars.masses
    for row in np.flatnonzero(pairs)[:20]:
        i, j = found["id_1"][row], found["id_2"][row]
        mu = stars.G * (m[i] + m[j])
        energy = ((v[j] - v[i]) ** 2).sum() / 2 - mu / np.sqrt(((x[j] - x[i]) ** 2).sum())
        assert found["semi_major_axis"][row] == pytest.approx(-mu / (2 * energy), rel=1e-9)
    assert found.about["binaries"] == "150"
    shells = pleiad.cluster_shells(stars)
    assert shells["stars"].sum() == 300
    assert shells["mass"].sum() == pytest.approx(m.sum(), rel=1e-12)
    with pytest.raises(pleiad.UsageError, match="open space"):
        pleiad.binaries(pleiad.models.uniform_box(50, seed=1))
