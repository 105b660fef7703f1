"""What can be changed in a simulation, and its copies: it goes on at the same time and step, with its callbacks and forces."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pleiad


def plummer(n: int = 64, **keys: Any) -> pleiad.Simulation:
    return pleiad.Simulation("plummer", **{"parameters": {"n": n}, "eps": 0.05, "dt": 1 / 64, "cache": None, **keys})


def state(sim: pleiad.Simulation) -> tuple[str, float, int, float]:
    return sim.snapshot().state_hash, sim.time, sim.step_count, sim.diagnostics.energy_error


def drift(sim: pleiad.Simulation) -> float:
    """The energy minus the first one, with what changes have added to it."""
    d = sim.diagnostics
    assert d.energy < 0  # so that the first one is energy / (1 - energy_error)
    return float(-d.energy * d.energy_error / (1 - d.energy_error))


def pull(time: float, x: Any, a: Any) -> None:
    a[...] = -(1 + time) * x


# Copies


def saved(sim: pleiad.Simulation, folder: Path) -> pleiad.Simulation:
    sim.save(folder)
    return pleiad.Simulation.load(folder, external_acceleration=sim.external_acceleration)


COPIES: dict[str, Callable[[pleiad.Simulation, Path], pleiad.Simulation]] = {
    "copy": lambda sim, _: sim.copy(),
    "copy.copy": lambda sim, _: copy.copy(sim),
    "deepcopy": lambda sim, _: copy.deepcopy(sim),
    "pickle": lambda sim, _: pickle.loads(pickle.dumps(sim)),
    "save": saved,
}
KINDS: dict[str, dict[str, Any]] = {
    "fixed": {},
    "adaptive": {"adaptive": True},
    "hermite4": {"integrator": "hermite4", "adaptive": True},
    "gauss-radau": {"integrator": "gauss-radau", "adaptive": True},
    "f32": {"precision": "f32", "kernel": "cpu/simd"},
    "tree": {"parameters": {"n": 400}, "kernel": "cpu/fmm order=4 theta=0.6 leaf=32", "precision": "mixed"},
    "accuracy": {"parameters": {"n": 1000}, "accuracy": 1e-3, "kernel": "cpu/barnes-hut", "check_every": 4},
    "potentials": {"potentials": ["plummer mass=2 scale=1"]},
    "forced": {"external_acceleration": pull},
    "forced, adaptive": {"external_acceleration": pull, "adaptive": True},
    "periodic": {"box": 8.0, "boundary": "periodic"},
}


@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_copy_goes_on_with_the_same_bits(kind: str, how: str, tmp_path: Path) -> None:
    sim = plummer(**KINDS[kind]).step(7)
    again = COPIES[how](sim, tmp_path)
    assert state(again) == state(sim) and again.describe["kernel"] == sim.describe["kernel"]
    assert again.external_acceleration is sim.external_acceleration
    again.step(9)
    assert sim.step_count == 7
    assert state(again) == state(sim.step(9))


@pytest.mark.parametrize("how", COPIES)
def test_a_copy_of_a_changed_one_goes_on_as_it_does(how: str, tmp_path: Path) -> None:
    sim = plummer(precision="mixed").step(10)
    sim.dt, sim.eps = 0.3 / 64, 0.1
    sim.add(x=[3, 0, 0], m=0.1)
    sim.positions[0] += 0.25  # what was written, and is in no step yet
    again = COPIES[how](sim.step(3), tmp_path)
    assert again.describe["precision"] == "mixed" and (again.N, again.dt, again.eps) == (65, 0.3 / 64, 0.1)
    assert state(again.step(5)) == state(sim.step(5)) and sim.step_count == 18
    again.dt = sim.dt = 1 / 128
    assert state(again.step(5)) == state(sim.step(5))


def test_the_threads_are_those_of_the_last_load(tmp_path: Path) -> None:
    sim = plummer(threads=1)
    assert sim.copy().describe["threads"] == 1
    for threads in (2, 1, 2):
        sim.save(tmp_path)
        sim = pleiad.Simulation.load(tmp_path, threads=threads)
        assert sim.describe["threads"] == sim.copy().describe["threads"] == threads
    sim.eps = 0.1
    assert sim.describe["threads"] == 2
    assert sim._core.state().count(b"engine.threads") == 1


def test_callbacks_are_not_copied() -> None:
    sim = plummer()
    told: list[pleiad.Simulation] = []
    sim.add_callback(1 / 64, told.append)
    for how in ("copy", "deepcopy", "pickle"):
        COPIES[how](sim, Path()).run(0.25)
    assert told == []
    sim.run(1 / 64)
    assert told == [sim, sim]


def test_a_simulation_may_be_copied_by_its_callback() -> None:
    sim = plummer()
    kept: list[pleiad.Simulation] = []
    sim.add_callback(0.125, lambda s: kept.append(s.copy()))
    sim.run(0.25)
    assert [each.time for each in kept] == [0, 0.125, 0.25]
    assert state(kept[0].run(0.25)) == state(kept[1].run(0.25)) == state(sim)


def test_what_cannot_be_pickled_is_refused() -> None:
    sim = plummer(external_acceleration=lambda time, x, a: None)
    with pytest.raises((pickle.PicklingError, AttributeError), match="lambda"):
        pickle.dumps(sim)
    assert sim.copy().external_acceleration is sim.external_acceleration
    with pytest.raises(pleiad.InputError, match="the state of a Simulation"):
        type(sim._core).restore(b"what no simulation has said")


class Mine(pleiad.Simulation):
    """With an attribute of its own."""

    names: list[str]


def test_a_subclass_is_copied_with_its_attributes() -> None:
    mine = Mine("two-body", dt=1 / 64)
    mine.names = ["a", "b"]
    for again in (mine.copy(), copy.deepcopy(mine), pickle.loads(pickle.dumps(mine))):
        assert type(again) is Mine and again.names == ["a", "b"]
    assert mine.copy().names is mine.names and copy.deepcopy(mine).names is not mine.names


def test_a_simulation_goes_to_another_process(tmp_path: Path) -> None:
    sim = plummer(external_acceleration=None).step(3)
    (tmp_path / "sim").write_bytes(pickle.dumps(sim))
    script = "import pickle, sys; print(pickle.load(open(sys.argv[1], 'rb')).step(5).snapshot().state_hash)"
    done = subprocess.run([sys.executable, "-c", script, tmp_path / "sim"], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == sim.step(5).snapshot().state_hash


# Changes of step, softening and integrator


def test_names_of_the_state_are_readable() -> None:
    sim = plummer().step(16)
    assert (sim.t, sim.dt, sim.eps, sim.N, sim.integrator) == (0.25, 1 / 64, 0.05, 64, "kdk")
    for name, way in (("t", r"run\(until\)"), ("time", r"run\(until\)"), ("N", r"add\(...\) and remove\(...\)")):
        with pytest.raises(AttributeError, match=f"Simulation.{name} can be read, not set: {way}"):
            setattr(sim, name, 1)
    with pytest.raises(AttributeError, match=r"make another one: Simulation\(sim.snapshot\(\), eps=sim.eps, dt=sim.dt, G=...\)"):
        sim.G = 2  # type: ignore[attr-defined]


@pytest.mark.parametrize("integrator", ["kdk", "dkd", "yoshida6", "hermite4"])
def test_a_new_step_holds_from_the_next_one_on(integrator: str) -> None:
    sim = plummer(integrator=integrator, precision="f64").step(16)
    new = pleiad.Simulation(sim.snapshot(), eps=0.05, dt=0.01, integrator=integrator, precision="f64").step(25)
    sim.dt = 0.01
    assert (sim.dt, sim.time, sim.step_count) == (0.01, 0.25, 16)
    sim.run(0.5)
    assert (sim.time, sim.step_count) == (0.5, 41)
    # hermite4 goes on with the low parts of positions, which a snapshot has not.
    assert np.allclose(sim.positions, new.positions, rtol=0, atol=1e-12 if integrator == "hermite4" else 0)
    assert sim.snapshot().step == 41 and sim.diagnostics.step == 41


def test_times_stay_exact_after_many_changes_of_the_step() -> None:
    sim = plummer(8)
    for k in range(1, 21):
        sim.dt = 1 / (64 + k)
        sim.step(64 + k)
    assert sim.time == 20 and sim.step_count == sum(range(65, 85))


def test_adaptive_steps_have_a_new_longest_one() -> None:
    sim = plummer(adaptive=True, eta=0.5).run(0.25)
    sim.dt = 1 / 4096
    before = sim.step_count
    sim.run(0.5)
    assert sim.time == 0.5 and sim.step_count - before >= 1024


def test_a_new_softening_is_that_of_the_forces() -> None:
    sim = plummer(precision="f64").step(4)
    before, first = drift(sim), sim.energy()[1]
    sim.eps = 0.2
    x, m = sim.positions, sim.masses
    potential = 0.5 * (m * pleiad.accelerations(x, m, eps=0.2, potential=True, precision="f64")[1]).sum()
    assert sim.energy()[1] == pytest.approx(potential, rel=1e-12) and sim.energy()[1] != first
    assert drift(sim) == pytest.approx(before, rel=1e-9) and sim.eps == 0.2
    assert abs(sim.run(1).diagnostics.energy_error) < 1e-4


def test_a_new_integrator_makes_the_next_step() -> None:
    sim = plummer(precision="f64").step(4)
    sim.integrator = "yoshida6"
    assert sim.integrator == sim.describe["integrator"] == "yoshida6"
    new = pleiad.Simulation(plummer(precision="f64").step(4).snapshot(), eps=0.05, dt=1 / 64, integrator="yoshida6", precision="f64")
    assert sim.step(4).snapshot().state_hash == new.step(4).snapshot().state_hash and sim.step_count == 8


def test_callbacks_and_accelerations_are_kept() -> None:
    sim = plummer(external_acceleration=pull)
    told: list[tuple[float, int]] = []
    sim.add_callback(0.25, lambda s: told.append((s.time, s.N)))
    sim.run(0.375)
    sim.dt = 1 / 128
    sim.add(x=[[3, 0, 0]], m=[0.1])
    sim.run(0.75)
    sim.dt, sim.integrator = 1 / 16, "dkd"
    sim.run(1)
    assert told == [(0, 64), (0.25, 64), (0.5, 65), (0.75, 65), (1, 65)]
    assert sim.external_acceleration is pull and sim.step_count == 24 + 48 + 4
    speeds = sim.velocities.copy()
    sim.external_acceleration = lambda time, x, a: a.fill(1.0)
    assert (sim.step().velocities - speeds).mean() > 0.9 / 16


@pytest.mark.parametrize("adaptive", [False, True])
def test_calls_that_steps_have_passed_over_are_left_out(adaptive: bool) -> None:
    sim = plummer(adaptive=adaptive)
    told: list[float] = []
    sim.add_callback(0.25, lambda s: told.append(s.time))
    sim.run(0.25)
    while sim.time < 0.875:
        sim.step()
    sim.eps = 0.1
    sim.run(1.25)
    assert told == [0, 0.25, 1, 1.25]


def test_a_step_that_a_callback_cannot_keep_changes_nothing() -> None:
    sim = plummer(exact_steps=True).step(3)
    sim.add_callback(0.25, lambda s: None)
    before = state(sim)
    with pytest.raises(pleiad.UsageError, match="what is called every 0.25 could not be any more"):
        sim.dt = 0.1
    assert sim.dt == 1 / 64 and state(sim) == before
    assert state(sim.step(5)) == state(plummer().step(8))


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("dt", 0, "time.dt must be > 0, not 0"),
        ("dt", "short", "time.dt must be a number, not 'short'"),
        ("dt", None, "dt must be given"),
        ("eps", -1, "gravity.softening must be >= 0, not -1"),
        ("eps", float("nan"), "gravity.softening"),
        ("integrator", "kdl", "no integrator 'kdl'"),
        ("integrator", 3, "time.integrator must be text"),
    ],
)
def test_what_cannot_be_is_refused(name: str, value: Any, sentence: str) -> None:
    sim = plummer()
    with pytest.raises(pleiad.UsageError, match=sentence):
        setattr(sim, name, value)
    assert state(sim.step(3)) == state(plummer().step(3))


def test_a_callback_must_not_change_its_simulation() -> None:
    for change in (lambda s: setattr(s, "dt", 1 / 128), lambda s: s.add(x=[1, 2, 3], m=1), lambda s: s.remove([0])):
        sim = plummer()
        sim.add_callback(0.25, change)
        with pytest.raises(pleiad.UsageError, match="must not step or change"):
            sim.run(0.5)


# Bodies


def test_bodies_are_added() -> None:
    sim = plummer(8).step(4)
    before = drift(sim)
    old = sim.positions
    assert sim.add(x=[5, 0, 0], v=[0, 0.3, 0], m=0.125).tolist() == [8]
    assert sim.add(x=[[6, 0, 0], [7, 0, 0]], m=0.25, ids=[100, 50], types=[4, 2]).tolist() == [100, 50]
    assert sim.add(pleiad.models.two_body()).tolist() == [101, 102]  # whose ids 0 and 1 are taken
    free = pleiad.Snapshot([[9, 0, 0]], ids=[60])
    assert sim.add(free).tolist() == [60]
    assert sim.ids.tolist() == [*range(8), 8, 100, 50, 101, 102, 60] and sim.N == len(sim) == 14
    assert sim.masses[8:11].tolist() == [0.125, 0.25, 0.25] and sim.velocities[8].tolist() == [0, 0.3, 0]
    assert sim.snapshot().types[8:11].tolist() == [1, 4, 2] and len(old) == 8
    assert (sim.time, sim.step_count) == (0.0625, 4)
    assert drift(sim) == pytest.approx(before, rel=1e-9)
    sim.dt = 1 / 512
    assert abs(sim.run(1).diagnostics.energy_error) < 1e-2 and sim.positions.shape == (14, 3)


def test_bodies_are_removed() -> None:
    sim = plummer(16, precision="f64").step(4)
    before = sim.snapshot()
    gone = sim.remove([3, 11])
    assert gone.ids.tolist() == [3, 11] and np.array_equal(gone.positions, before.positions[[3, 11]])
    kept = np.isin(before.ids, [3, 11], invert=True)
    assert sim.ids.tolist() == before.ids[kept].tolist() and np.array_equal(sim.positions, before.positions[kept])
    new = pleiad.Simulation(before[kept], eps=0.05, dt=1 / 64, precision="f64")
    assert sim.step(4).snapshot().state_hash == new.step(4).snapshot().state_hash and sim.step_count == 8
    far = abs(sim.positions).max(axis=1) > 1
    assert 0 < far.sum() < 14 and len(sim.remove(far)) == far.sum() and sim.N == 14 - far.sum()
    assert len(sim.remove([])) == 0 and len(sim.remove(np.zeros(sim.N, bool))) == 0


def test_what_is_taken_out_may_be_put_back() -> None:
    sim = plummer(16, precision="f64").step(4)
    first = sim.snapshot()
    sim.add(sim.remove([4, 9]))
    order = np.argsort(sim.ids)
    assert sim.snapshot()[order] == first


def test_added_bodies_have_the_units_of_the_simulation() -> None:
    sim = pleiad.Simulation(pleiad.models.galaxy(100), eps=0.3, dt=0.002)
    sun = pleiad.Snapshot([[1.0, 0, 0]], masses=1.0, units="solar")
    sim.add(sun)
    assert np.array_equal(sim.positions[-1], sun.convert("galactic").positions[0])
    with pytest.raises(pleiad.UsageError, match="unit"):
        sim.add(pleiad.models.plummer(4))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda sim: sim.add(), "bodies to add must be a Snapshot, or x= and m="),
        (lambda sim: sim.add(x=[1, 2, 3]), "bodies to add must be a Snapshot, or x= and m="),
        (lambda sim: sim.add(pleiad.models.two_body(), m=1), "not both"),
        (lambda sim: sim.add(x=[1, 2], m=1), r"positions must have the shape \(n, 3\)"),
        (lambda sim: sim.add(x=[1, 2, 3], v=[1], m=1), r"velocities must have the shape \(1, 3\)"),
        (lambda sim: sim.add(x=[1, 2, 3], m=1, ids=5), "ids must be new and all different: 5 is there twice"),
        (lambda sim: sim.add(x=np.eye(3), m=1, ids=[20, 21, 20]), "20 is there twice"),
        (lambda sim: sim.add(x=[1, 2, np.nan], m=1), "body 16"),
        (lambda sim: sim.remove([99]), "no body has the id 99"),
        (lambda sim: sim.remove([True, False]), r"a mask of bodies must have the shape \(16,\), not \(2,\)"),
        (lambda sim: sim.remove([0.5]), "ids must be whole numbers"),
        (lambda sim: sim.remove(sim.ids), "no body would be left"),
    ],
)
def test_bodies_that_cannot_be_changed_are_refused(change: Callable[[pleiad.Simulation], Any], sentence: str) -> None:
    sim = plummer(16).step(2)
    before = state(sim)
    with pytest.raises(pleiad.Error, match=sentence):
        change(sim)
    assert state(sim) == before and sim.N == 16


def test_the_solver_is_chosen_for_the_bodies_that_are_there() -> None:
    sim = plummer(200)
    assert sim.describe["precision"] == "f64"
    sim.add(pleiad.models.plummer(3000, seed=2))
    assert sim.describe["precision"] == "mixed"  # as in a new simulation of 3200 bodies
    fixed = plummer(200, precision="f32", kernel="cpu/simd")
    fixed.add(pleiad.models.plummer(3000, seed=2))
    assert (fixed.describe["precision"], fixed.describe["kernel"]) == ("f32", plummer(200, precision="f32", kernel="cpu/simd").describe["kernel"])


def test_a_live_view_sees_a_new_step_and_ends_with_other_bodies() -> None:
    sim = plummer()
    with sim.view(0) as view:
        sim.dt = 1 / 128
        sim.step(4)
        assert view.url
        sim.add(x=[1, 2, 3], m=1)
        assert view.url == ""
        with sim.view(0) as again:
            sim.step()
            assert again.url
