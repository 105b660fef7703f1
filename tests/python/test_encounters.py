"""Encounters of a simulation: events as they happen, bodies that merge and vanish, stops, and its copies."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pleiad

MERGING = {"distance": 0.1, "density": 48.0, "escape_radius": 20.0, "on_collision": "merge"}


def falling(**keys: Any) -> pleiad.Simulation:
    made = {"parameters": {"n": 100}, "eps": 0.01, "dt": 1 / 64, "backend": "cpu", "precision": "f64", "cache": None, **MERGING}
    return pleiad.Simulation("cold-sphere", **{**made, **keys})


def same(a: pleiad.Table, b: pleiad.Table) -> bool:
    return list(a) == list(b) and all(np.array_equal(a[name], b[name], equal_nan=a[name].dtype.kind == "f") for name in a)


def test_events_are_those_of_the_command(tmp_path: Path, program: Callable[..., str]) -> None:
    sim = falling().run(1.5)
    settings = [f"--set=encounters.{name}={value}" for name, value in MERGING.items()]
    options = "--eps 0.01 --dt 0.015625 --t-end 1.5 --backend cpu --precision f64 --set output.pictures=false --output".split()
    (tmp_path / "run.toml").write_text('[initial_conditions]\nmodel = "cold-sphere"\nparameters = ["n=100"]\n')
    program("run", tmp_path / "run.toml", *options, tmp_path / "run", *settings)
    rows = pleiad.read_table(tmp_path / "run" / "events.csv")
    events = sim.encounters
    assert list(events) == list(rows) and len(events["time"]) == len(rows["time"]) > 20
    for name in ("time", "step", "id1", "distance", "mass1", "x", "vz"):
        assert np.array_equal(events[name], rows[name]), name
    assert (events["event"] == rows["event"]).all()
    assert len(sim) == 100 - (events["event"] == "merger").sum() < 90
    assert sim.stopped_by is None


def test_arrays_and_callbacks_see_the_bodies_that_are_left() -> None:
    sim = falling()
    held, seen = sim.positions, []
    sim.add_callback(1 / 8, lambda s: seen.append((len(s), len(s.positions), len(s.ids), len(s.encounters["time"]))))
    sim.run(1.5)
    assert held.shape == (100, 3) and sim.positions.shape == (len(sim), 3)
    assert all(n == rows == ids for n, rows, ids, _ in seen)
    assert seen[-1][0] < seen[0][0] == 100 and seen[-1][3] == len(sim.encounters["time"]) > seen[0][3] == 0
    assert np.array_equal(sim.positions, sim.snapshot().positions)
    gone = sim.encounters["id2"][sim.encounters["event"] == "merger"]
    assert not np.isin(gone, sim.ids).any()


def test_it_stops_and_goes_on() -> None:
    whole, parted = falling().run(1.5), falling(on_approach="stop")
    stops = 0
    while parted.run(1.5).time < 1.5:
        stops += 1
        assert parted.stopped_by is not None and "approach" in parted.stopped_by
    assert stops > 0 and parted.snapshot().state_hash == whole.snapshot().state_hash
    assert same(parted.encounters, whole.encounters)
    stepped = falling(on_approach="stop").step(96)
    assert stepped.step_count < 96 and stepped.stopped_by


def test_copies_checkpoints_and_changes_keep_it(tmp_path: Path) -> None:
    whole, sim = falling().run(1.5), falling().run(0.75)
    sim.save(tmp_path)
    for other in (sim.copy(), pleiad.Simulation.load(tmp_path)):
        assert other.run(1.5).snapshot().state_hash == whole.snapshot().state_hash
        assert len(other.encounters["time"]) + len(sim.encounters["time"]) == len(whole.encounters["time"])
    before = len(sim.encounters["time"])
    sim.remove(sim.ids[:1])
    sim.run(1.5)
    assert len(sim.encounters["time"]) > before


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        ({"density": 0.0}, 'encounters.on_collision = "merge" needs encounters.radius, density or radii'),
        ({"distance": -1.0}, "encounters.distance"),
        ({"softening_kernel": "spline"}, "one Plummer softening"),
        ({"boundary": "periodic", "box": 40.0}, "open space"),
    ],
)
def test_what_cannot_be_is_refused(keys: dict[str, Any], sentence: str) -> None:
    with pytest.raises(pleiad.UsageError, match=sentence):
        falling(**keys)


def test_a_live_view_of_bodies_that_vanish_is_refused() -> None:
    with pytest.raises(pleiad.UsageError, match="no live view"):
        falling().view(0)
