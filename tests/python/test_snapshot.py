"""Snapshots: columns of one length, copied where they are given, checked where they are assigned."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import copy
import multiprocessing
import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import bodies
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hn

import pleiad

COLUMNS = {
    "positions": (3, np.float64),
    "velocities": (3, np.float64),
    "masses": (0, np.float64),
    "ids": (0, np.uint64),
    "types": (0, np.uint8),
}


def pair() -> pleiad.Snapshot:
    return pleiad.Snapshot([[-0.5, 0, 0], [0.5, 0, 0]], [[0, -0.5, 0], [0, 0.5, 0]], 0.5)


def test_types_are_those_of_the_library() -> None:
    assert tuple(kind.name for kind in pleiad.Type) == pleiad._core.type_names
    assert [int(kind) for kind in pleiad.Type] == list(range(len(pleiad.Type)))


def test_defaults_are_those_of_the_library() -> None:
    one = pleiad.Snapshot([[1, 2, 3]])
    assert one.velocities.tolist() == [[0, 0, 0]]
    assert one.masses.tolist() == [1] and one.ids.tolist() == [0]
    assert one.types.tolist() == [pleiad.Type.halo]
    assert (one.time, one.step, one.G, one.box, one.images) == (0, 0, 1, None, "nearest")
    assert one.units == pleiad.Units.of("nbody")
    assert one.accelerations is None and one.potentials is None


@given(bodies())
def test_columns_have_one_length_and_their_types(snapshot: pleiad.Snapshot) -> None:
    for name, (width, kind) in COLUMNS.items():
        column = getattr(snapshot, name)
        assert column.shape == ((len(snapshot), width) if width else (len(snapshot),))
        assert column.dtype == kind and column.flags.c_contiguous and column.flags.writeable


@given(
    hn.arrays(
        st.sampled_from(["f8", "f4", "f2", "i8", "i1", ">f8"]).map(lambda kind: np.dtype(kind)),
        st.tuples(st.integers(0, 12), st.just(3)),
        elements=st.integers(-100, 100),
    ),
    st.sampled_from(["C", "F", "reversed", "every second", "transposed"]),
)
def test_any_layout_and_type_of_numbers_is_taken(values: np.ndarray[Any, Any], layout: str) -> None:
    given_values = {
        "C": values,
        "F": np.asfortranarray(values),
        "reversed": values[::-1],
        "every second": values[::2],
        "transposed": np.ascontiguousarray(values.T).T,
    }[layout]
    snapshot = pleiad.Snapshot(given_values)
    assert np.array_equal(snapshot.positions, given_values)
    assert not np.shares_memory(snapshot.positions, values)


def test_lists_masked_and_read_only_arrays_are_taken() -> None:
    fixed = np.ones((2, 3))
    fixed.flags.writeable = False
    snapshot = pleiad.Snapshot(fixed, [[0, 0, 0], [0, 0, 1]], [1, 2])
    snapshot.positions[0, 0] = 5
    assert fixed[0, 0] == 1 and snapshot.positions[0, 0] == 5


@pytest.mark.parametrize("shape", [(), (3,), (2,), (2, 2), (2, 4), (3, 2), (1, 2, 3)])
def test_positions_must_be_triples(shape: tuple[int, ...]) -> None:
    with pytest.raises(pleiad.UsageError, match=r"positions must have the shape \(n, 3\)"):
        pleiad.Snapshot(np.zeros(shape))


@pytest.mark.parametrize("name", [*COLUMNS, "accelerations", "potentials"])
@pytest.mark.parametrize("n", [0, 1, 3])
def test_a_column_of_another_length_is_refused(name: str, n: int) -> None:
    snapshot = pair()
    before = snapshot.copy()
    width = 3 if name in ("positions", "velocities", "accelerations") else 0
    with pytest.raises(pleiad.UsageError, match=f"{name} must have the shape"):
        setattr(snapshot, name, np.zeros((n, width) if width else n))
    assert snapshot == before


def test_a_column_that_is_assigned_is_copied_and_one_number_is_for_all() -> None:
    snapshot = pair()
    mine = np.array([[1.0, 2, 3], [4, 5, 6]])
    snapshot.positions = mine
    mine[:] = 0
    assert snapshot.positions.tolist() == [[1, 2, 3], [4, 5, 6]]
    snapshot.masses = 2
    assert snapshot.masses.tolist() == [2, 2]
    snapshot.positions += [1, 0, 0]
    assert snapshot.positions[:, 0].tolist() == [2, 5]


@pytest.mark.parametrize("ids", [[-1, 0], [0.5, 1], [2**64, 0], ["a", "b"], [float("nan"), 1], [None, 1]])
def test_ids_must_be_whole_numbers(ids: list[Any]) -> None:
    with pytest.raises(pleiad.UsageError, match="ids must be"):
        pleiad.Snapshot(np.zeros((2, 3)), ids=ids)


def test_large_ids_keep_all_digits() -> None:
    ids = np.array([2**63 + 1, 2**64 - 1], dtype=np.uint64)
    assert pleiad.Snapshot(np.zeros((2, 3)), ids=ids).ids.tolist() == [2**63 + 1, 2**64 - 1]


def test_a_misspelt_name_is_refused() -> None:
    with pytest.raises(AttributeError):
        pair().position = 0  # type: ignore[attr-defined]
    with pytest.raises(pleiad.UsageError, match=r"no unit system 'galactik'.*did you mean 'galactic'"):
        pleiad.Snapshot(np.zeros((1, 3)), units="galactik")


@given(bodies(), st.data())
def test_some_of_the_bodies_are_a_copy_with_all_columns(
    snapshot: pleiad.Snapshot, data: st.DataObject
) -> None:
    n = len(snapshot)
    chosen: Any = data.draw(
        st.one_of(
            st.slices(n),
            hn.arrays(np.bool_, n),
            st.lists(st.integers(-n, n - 1), max_size=8).map(lambda k: np.array(k, dtype=np.int64)),
        )
    )
    some = snapshot[chosen]
    for name in COLUMNS:
        assert np.array_equal(getattr(some, name), getattr(snapshot, name)[chosen])
        assert not np.shares_memory(getattr(some, name), getattr(snapshot, name))
    assert (some.accelerations is None) == (snapshot.accelerations is None)
    assert (some.time, some.units, some.G, some.box) == (
        snapshot.time,
        snapshot.units,
        snapshot.G,
        snapshot.box,
    )


def test_one_body_by_its_index() -> None:
    assert pair()[-1].positions.tolist() == [[0.5, 0, 0]]
    with pytest.raises(IndexError, match="of 2 bodies"):
        pair()[2]
    with pytest.raises(IndexError):
        pair()[np.zeros(3, dtype=bool)]


@given(bodies())
def test_equal_means_the_same_bits(snapshot: pleiad.Snapshot) -> None:
    other = snapshot.copy()
    assert other == snapshot and other.state_hash == snapshot.state_hash
    other.positions[0, 0] = np.nextafter(other.positions[0, 0], np.inf)
    assert other != snapshot and other.state_hash != snapshot.state_hash
    assert snapshot != 1


@given(bodies())
def test_joined_bodies_follow_one_another(snapshot: pleiad.Snapshot) -> None:
    both = pleiad.concatenate([snapshot, snapshot])
    n = len(snapshot)
    assert np.array_equal(both.positions, np.concatenate([snapshot.positions] * 2))
    assert np.array_equal(both.ids, np.arange(2 * n)), "ids that are not all different are given anew"
    assert both.units == snapshot.units and both.time == snapshot.time
    assert pleiad.concatenate([snapshot]) == snapshot


def test_joined_bodies_have_the_units_of_the_first() -> None:
    galaxy = pleiad.Snapshot([[1, 0, 0]], units="galactic", ids=[5])
    star = pleiad.Snapshot([[1, 0, 0]], units="cluster", ids=[7])
    both = pleiad.concatenate([galaxy, star])
    # A parsec of the cluster in GADGET's kiloparsecs.
    assert both.positions[1, 0] == pytest.approx(3.0856775814913673e18 / 3.085678e21, rel=1e-15)
    assert both.ids.tolist() == [5, 7]
    with pytest.raises(pleiad.UsageError, match="no physical scale"):
        pleiad.concatenate([galaxy, pair()])
    with pytest.raises(pleiad.UsageError, match="at least one"):
        pleiad.concatenate([])


@given(bodies(), st.sampled_from(["galactic", "cluster", "solar", "si", "cgs"]))
def test_converting_there_and_back_is_right_to_rounding(snapshot: pleiad.Snapshot, units: str) -> None:
    if not snapshot.units.physical:
        with pytest.raises(pleiad.UsageError, match="no physical scale"):
            snapshot.convert(units)
        return
    there = snapshot.convert(units)
    back = there.convert(snapshot.units)
    assert there.units.name == units
    # Each way multiplies by a factor that is a quotient of two scales: at most four roundings, 2.3e-16 each.
    for name in ("positions", "velocities", "masses"):
        assert np.allclose(getattr(back, name), getattr(snapshot, name), rtol=1e-15, atol=0)
    assert back.G == pytest.approx(snapshot.G, rel=1e-15)
    assert back.time == pytest.approx(snapshot.time, rel=1e-15)


def test_units_know_their_constants() -> None:
    assert pleiad.Units.of("galactic").G == 43007.1
    assert pleiad.Units.of("nbody").G == 1 and pleiad.Units().symbols["length"] == "N-body units"
    own = pleiad.Units.custom(3.0856775814913673e18, 1.988409870698051e33, 1e5)
    assert own.G == pytest.approx(pleiad.Units.of("cluster").G, rel=1e-12)
    assert own.symbols["length"] == "3.086e+18 cm"
    assert own.time_s == pytest.approx(3.0856775814913673e13, rel=1e-15)
    with pytest.raises(pleiad.UsageError, match="must be > 0|need"):
        pleiad.Units.custom(0, 1, 1)


def test_two_bodies_have_the_energies_of_the_formula() -> None:
    told = pair().diagnostics()
    assert told["kinetic"] == 0.125 and told["potential"] == -0.25 and told["virial_ratio"] == 0.5
    assert pair().diagnostics(eps=1.0)["potential"] == pytest.approx(-0.25 / np.sqrt(2), rel=1e-15)
    assert np.array_equal(pair().centre_of_mass, [0, 0, 0])


def test_radii_hold_their_part_of_the_mass() -> None:
    shells = pleiad.Snapshot([[k, 0, 0] for k in range(1, 11)], masses=0.1)
    radii = shells.lagrangian_radii([0.25, 0.55, 0.95], centre=[0, 0, 0])
    assert radii.tolist() == [3, 6, 10]
    assert len(pleiad.models.plummer(100).lagrangian_radii()) == 5


def test_it_shows_itself() -> None:
    assert repr(pair()) == "<pleiad.Snapshot: 2 bodies at time 0, nbody units>"
    assert "data:image/png;base64," in pair()._repr_html_()
    assert "box 1 x 1 x 1" in repr(pleiad.Snapshot([[0, 0, 0]], box=1))
    assert "0 bodies" in pair()[:0]._repr_html_()


@given(bodies())
def test_it_can_be_pickled_and_copied(snapshot: pleiad.Snapshot) -> None:
    assert pickle.loads(pickle.dumps(snapshot)) == snapshot
    deep = copy.deepcopy(snapshot)
    assert deep == snapshot and not np.shares_memory(deep.positions, snapshot.positions)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_models_and_files_work_after_a_fork(tmp_path: Path) -> None:
    expected = pleiad.models.plummer(2000)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        made = pool.map(pleiad.models.plummer, [2000, 2000])
    assert made == [expected, expected]


@pytest.mark.skipif("PLEIAD_SANITIZED" in os.environ, reason="the sanitizer keeps what was freed")
def test_nothing_is_kept_of_what_is_dropped(tmp_path: Path) -> None:
    def once() -> None:
        snapshot = pleiad.models.plummer(3000)
        pleiad.write(snapshot, tmp_path / "a.hdf5")
        pleiad.read(tmp_path / "a.hdf5").convert("nbody").copy().diagnostics(0.1)

    def pages() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1])

    for _ in range(10):
        once()
    before = pages()
    for _ in range(100):
        once()
    # Three thousand bodies are 240 kB: if only a tenth of one snapshot were kept each time, this would be 2.4 MB.
    assert (pages() - before) * os.sysconf("SC_PAGE_SIZE") < 1_000_000


@pytest.mark.parametrize("box", [[1, 2], "wide", [[1, 2, 3]]])
def test_a_box_has_one_side_or_three(box: Any) -> None:
    with pytest.raises(pleiad.UsageError, match="box must be"):
        pleiad.Snapshot([[0, 0, 0]], box=box)
