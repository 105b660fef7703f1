"""The accuracy curve: errors and times of all solvers on one's own bodies."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import pleiad


@pytest.fixture(scope="module")
def curve() -> pleiad.AccuracyCurve:
    return pleiad.accuracy_curve(pleiad.models.plummer(1500), eps=0.02, longest=1000)


def test_it_has_direct_sums_and_trees(curve: pleiad.AccuracyCurve) -> None:
    solvers = set(curve["solver"].tolist())
    assert {"direct f32", "direct mixed", "direct f64"} < solvers
    assert any(solver.startswith("fmm") for solver in solvers)
    assert (curve["ms"] > 0).all() and (curve["error_p99"] >= 0).all()
    assert curve["best"].dtype == np.bool_
    # Direct sums in double precision are what errors are measured against.
    assert curve.where(curve["solver"] == "direct f64")["error_p99"][0] < 1e-13


def test_nothing_beats_the_best(curve: pleiad.AccuracyCurve) -> None:
    for error, ms in zip(curve.best["error_p99"], curve.best["ms"], strict=True):
        assert not ((curve["error_p99"] < error) & (curve["ms"] < ms)).any()


def test_the_cheapest_kernel_has_the_accuracy(curve: pleiad.AccuracyCurve) -> None:
    bodies = pleiad.models.plummer(1500)
    row = curve.cheapest(1e-3)
    assert row["error_p99"] <= 1e-3
    found = pleiad.Solver(eps=0.02, kernel=row["kernel"]).accelerations(bodies.positions, bodies.masses)
    exact = pleiad.accelerations(bodies.positions, bodies.masses, eps=0.02, precision="f64")
    error = np.linalg.norm(found - exact, axis=1) / np.linalg.norm(exact, axis=1)
    # The typical acceleration bounds the denominator from below there, and here not: a little larger.
    assert np.quantile(error, 0.99) < 2e-3
    with pytest.raises(ValueError, match="no solver"):
        curve.cheapest(0.5 * float(np.min(curve["error_p99"])) - 1e-30)


def test_it_is_drawn_and_written(curve: pleiad.AccuracyCurve, tmp_path: Path) -> None:
    curve.write(tmp_path / "a.csv")
    assert np.array_equal(pleiad.read_table(tmp_path / "a.csv")["ms"], curve["ms"])
    plt = pytest.importorskip("matplotlib.pyplot")
    ax = curve.plot(plt.figure().gca())
    assert ax.get_xlabel() == "relative force error, 99th percentile"
    pleiad.plot.accuracy(pleiad.read_table(tmp_path / "a.csv"), plt.figure().gca())
    plt.close("all")


def test_a_file_does_as_well(tmp_path: Path) -> None:
    pleiad.write(pleiad.models.plummer(100), tmp_path / "a.hdf5")
    told: list[str] = []
    curve = pleiad.accuracy_curve(tmp_path / "a.hdf5", eps=0.1, longest=0.2, progress=told.append)
    assert len(curve) >= 3 and told and "direct" in told[0]


def test_what_progress_raises_ends_it() -> None:
    def stop(what: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pleiad.accuracy_curve(pleiad.models.plummer(100), progress=stop)


def test_one_body_and_boxes_are_refused() -> None:
    with pytest.raises(pleiad.UsageError, match="a single body has no force"):
        pleiad.accuracy_curve(pleiad.models.plummer(1))
    with pytest.raises(pleiad.UsageError, match="periodic"):
        pleiad.accuracy_curve(pleiad.models.uniform_box(100))
