"""Simulations through Python: the bits of the command, views, callbacks, checkpoints, interruptions, threads, memory."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import _thread
import gc
import os
import threading
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pleiad
from pleiad._options import settings_of

SANITIZED = "PLEIAD_SANITIZED" in os.environ


def plummer(n: int = 64, **keys: Any) -> pleiad.Simulation:
    return pleiad.Simulation("plummer", **{"parameters": {"n": n}, "eps": 0.05, "dt": 1 / 64, **keys})


def bodies(n: int = 10, seed: int = 1) -> tuple[Any, Any, Any]:
    random = np.random.default_rng(seed)
    return random.normal(size=(n, 3)), random.normal(size=(n, 3)), random.uniform(0.5, 1.5, n)


def state(sim: pleiad.Simulation) -> str:
    return sim.snapshot().state_hash


def test_it_has_the_bits_of_the_command(program: Callable[..., str], tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text("""
        initial_conditions = {model = "plummer", parameters = ["n=200"], seed = 5}
        gravity.softening = 0.05
        time = {dt = 0.015625, t_end = 0.5}
        output = {pictures = false, plots = false}
    """)
    program("run", tmp_path / "run.toml", "--output", tmp_path / "run")
    sim = plummer(200, seed=5).run(0.5)
    last = sorted((tmp_path / "run" / "snapshots").glob("*.hdf5"))[-1]
    written = pleiad.read(last)
    assert written.time == sim.time == 0.5
    order = np.argsort(written.ids)
    assert np.array_equal(written.positions[order], sim.positions)
    assert np.array_equal(written.velocities[order], sim.velocities)


@pytest.mark.parametrize("integrator", ["kdk", "dkd", "euler", "forest-ruth", "blanes-moan4", "yoshida6", "kahan-li8", "hermite4", "gauss-radau", "block-kdk", "hermite4-block"])
def test_steps_in_any_batches_have_the_same_bits(integrator: str) -> None:
    one, other = plummer(integrator=integrator), plummer(integrator=integrator)
    one.step(20)
    for n in (1, 0, 7, 12):
        other.step(n)
    assert one.step_count == other.step_count == 20 and one.time == other.time == 20 / 64
    assert state(one) == state(other) == state(plummer(integrator=integrator).run(20 / 64))


def test_bodies_take_steps_of_their_own() -> None:
    blocks, single = (plummer(integrator="block-kdk", eta=1e-3, single_step=single).run(0.5) for single in (False, True))
    assert state(blocks) != state(single)
    assert abs(blocks.diagnostics.energy_error) < 1e-3 and abs(single.diagnostics.energy_error) < 1e-3
    assert "Pelupessy2012" in blocks.cite()
    with pytest.raises(pleiad.UsageError, match="for integrator block-kdk, not for kdk"):
        plummer(single_step=True)


def test_symmetric_steps_lead_back() -> None:
    for symmetric in (False, True):
        sim = pleiad.Simulation("two-body", parameters={"e": 0.9, "mean_anomaly": 180}, eps=0.01, eta=0.5, dt=1, adaptive=True, symmetric_steps=symmetric, cache=None)
        start = sim.positions.copy()
        sim.step(1000).reverse().step(1000)
        assert (abs(sim.positions - start).max() < 1e-10) == symmetric
    with pytest.raises(pleiad.UsageError, match="do not read the same backwards"):
        pleiad.Simulation("two-body", dt=0.1, adaptive=True, integrator="hermite4", symmetric_steps=True, cache=None)


def test_energy_is_kept_and_diagnosed() -> None:
    sim = plummer(256, dt=1 / 256).run(1)
    d = sim.diagnostics
    assert (d.kinetic, d.potential) == pytest.approx(sim.energy()) and d.energy == d.kinetic + d.potential
    assert abs(d.energy_error) < 1e-4 and abs(d.momentum).max() < 1e-6
    assert d.time == 1 and d.step == 256 and d.mass == pytest.approx(1) and d.lagrangian_radii.shape == (5,)
    x, m = sim.positions, sim.masses
    gravity = 0.5 * (m * pleiad.accelerations(x, m, eps=0.05, potential=True, precision="f64")[1]).sum()
    assert d.potential == pytest.approx(gravity, rel=1e-6)


def test_forces_are_as_accurate_as_asked() -> None:
    sim = plummer(3000, accuracy=1e-3, cache=None)
    errors = sim.force_error()
    assert errors["p99_high"] <= 1e-3 and errors["sample"] > 0
    assert plummer(100).force_error()["p99"] < 1e-5


STARTS: dict[str, Callable[[], Any]] = {
    "tuple": lambda: bodies(),
    "lists": lambda: tuple(each.tolist() for each in bodies()),
    "dict": lambda: dict(zip(("positions", "velocities", "masses"), bodies())),
    "snapshot": lambda: pleiad.Snapshot(*bodies()),
}


@pytest.mark.parametrize("start", STARTS)
def test_bodies_may_come_as(start: str) -> None:
    sim = pleiad.Simulation(STARTS[start](), eps=0.1, dt=0.125)
    x, v, m = bodies()
    assert np.array_equal(sim.positions, x) and np.array_equal(sim.velocities, v) and np.array_equal(sim.masses, m)
    assert sim.ids.tolist() == list(range(10)) and len(sim) == 10
    sim.step(3)
    assert state(sim) == state(pleiad.Simulation(bodies(), eps=0.1, dt=0.125).run(0.375))


def test_bodies_may_come_from_a_file(tmp_path: Path) -> None:
    start = plummer(50).step(5).snapshot()
    pleiad.write(start, tmp_path / "start.hdf5")
    sim = pleiad.Simulation(tmp_path / "start.hdf5", eps=0.05, dt=1 / 64)
    assert sim.time == start.time and np.array_equal(sim.positions, start.positions)
    with pytest.raises(pleiad.UsageError, match="missing.hdf5.: there is no such file"):
        pleiad.Simulation(tmp_path / "missing.hdf5", dt=0.1)


def test_units_name_what_arrays_are_in() -> None:
    sim = pleiad.Simulation(bodies(), units="solar", eps=0.1, dt=0.01)
    assert sim.snapshot().units.name == "solar"
    assert sim.describe["G"] == pytest.approx(pleiad.units.Units.of("solar").G)
    assert pleiad.Simulation(bodies(), G=3, eps=0.1, dt=0.01).describe["G"] == 3


def test_views_follow_and_what_is_written_is_taken_over() -> None:
    sim, other = plummer(), plummer()
    x, v, m = sim.positions, sim.velocities, sim.masses
    before = x.copy()
    sim.step(4)
    other.step(4)
    assert not np.array_equal(x, before) and np.array_equal(x, other.snapshot().positions)
    assert np.shares_memory(x, sim.positions) and x.flags.writeable
    x += 0.5
    v[:, 2] = 0
    m *= 2
    assert np.array_equal(sim.snapshot().positions, x)
    sim.step(3)
    again = pleiad.Simulation(
        (other.positions + 0.5, other.velocities * [1, 1, 0], other.masses * 2), eps=0.05, dt=1 / 64)
    again.step(3)
    assert np.array_equal(x, again.positions) and sim.step_count == 7
    x[3, 0] = np.nan
    with pytest.raises(pleiad.InputError, match="body 3"):
        sim.step()
    x[3, 0] = 1
    sim.step()


def test_what_was_not_written_changes_no_bit() -> None:
    one, other = plummer(integrator="hermite4"), plummer(integrator="hermite4")
    for _ in range(5):
        one.step(3)
        assert one.positions.shape == (64, 3)
        one.velocities[...] = one.velocities
    other.step(15)
    assert state(one) == state(other)


def test_callbacks_are_called_when_they_are_due_and_change_no_bit() -> None:
    sim = plummer()
    told: list[tuple[str, float]] = []

    def quarter(s: pleiad.Simulation) -> None:
        assert s is sim and not s.positions.flags.writeable
        told.append(("quarter", s.time))
        assert s.diagnostics.time == s.time and s.snapshot().time == s.time and s.energy()[0] > 0

    sim.add_callback(0.25, quarter)
    sim.add_callback(0.5, lambda s: told.append(("half", s.time)))
    sim.run(0.75).run(1)
    assert [t for name, t in told if name == "quarter"] == [0, 0.25, 0.5, 0.75, 1]
    assert [t for name, t in told if name == "half"] == [0, 0.5, 1]
    assert state(sim) == state(plummer().run(1))


def test_times_between_two_steps_are_met_and_callbacks_there_change_no_bit() -> None:
    sim = plummer()
    seen: list[tuple[float, int, float]] = []
    sim.add_callback(0.3, lambda s: seen.append((s.time, s.step_count, float(s.positions[0, 0]))))
    sim.run(1)
    assert [t for t, _, _ in seen] == [0, 0.3, 0.6, 0.9]
    assert state(sim) == state(plummer().run(1))
    ended = plummer().run(0.3)
    assert (ended.time, ended.step_count, float(ended.positions[0, 0])) == seen[1]
    assert state(ended.run(1)) != state(sim)  # the next full step began at 0.3
    exact = plummer(exact_steps=True)
    for refused in (lambda: exact.run(0.3), lambda: exact.add_callback(0.01, print)):
        with pytest.raises(pleiad.UsageError, match="must be a whole number"):
            refused()


def test_a_callback_that_raises_ends_the_run_between_two_steps() -> None:
    sim = plummer()
    sim.add_callback(0.25, lambda s: 1 / (s.time - 0.5))
    with pytest.raises(ZeroDivisionError):
        sim.run(1)
    assert sim.time == 0.5 and state(sim) == state(plummer().run(0.5))


def test_a_callback_must_not_step() -> None:
    sim = plummer()
    sim.add_callback(0.25, lambda s: s.step())
    with pytest.raises(pleiad.UsageError, match="must not step"):
        sim.run(1)


def test_ctrl_c_leaves_a_state_from_which_it_goes_on() -> None:
    sim = plummer(2000, dt=1 / 4096)
    # From within the run, however long the machine takes to get there.
    sim.add_callback(3 / 4096, lambda s: _thread.interrupt_main() if s.step_count == 6 else None)
    with pytest.raises(KeyboardInterrupt):
        sim.run(1)
    assert 0 < sim.time < 1
    assert state(sim) == state(plummer(2000, dt=1 / 4096).step(sim.step_count))
    first = sim.step_count
    stepped = threading.Event()
    thread = threading.Thread(target=lambda: (stepped.wait(), _thread.interrupt_main()))

    later = sim.time + 3 / 4096

    def told(time: float, x: Any, a: Any) -> None:
        if time >= later:
            stepped.set()

    sim.external_acceleration = told
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        sim.step(10**9)
    thread.join()
    assert sim.step_count > first


def pull(time: float, x: Any, a: Any) -> None:
    """A spring to the origin that grows with time."""
    a[...] = -(1 + time) * x


def test_a_force_of_ones_own_is_added_at_each_evaluation(tmp_path: Path) -> None:
    x, v, m = bodies(1)
    calls: list[float] = []

    def spring(time: float, positions: Any, accelerations: Any) -> None:
        assert positions.shape == accelerations.shape == (1, 3) and not accelerations.any()
        assert not positions.flags.writeable and accelerations.flags.writeable
        calls.append(time)
        accelerations[...] = -positions

    sim = pleiad.Simulation((x, v, m), eps=0.1, dt=np.pi / 512, external_acceleration=spring, precision="f64")
    sim.step(1024)
    assert abs(sim.positions - x).max() < 1e-4 and abs(sim.velocities - v).max() < 1e-4
    assert len(calls) == 1025 and calls[1] == pytest.approx(np.pi / 512) and sim.external_acceleration is spring
    sim.external_acceleration = None
    sim.step(10)
    assert len(calls) == 1025


def test_a_force_depends_on_no_batch_and_is_given_again_to_a_checkpoint(tmp_path: Path) -> None:
    for integrator in ("kdk", "forest-ruth"):
        one, other = plummer(integrator=integrator, external_acceleration=pull), plummer(integrator=integrator, external_acceleration=pull)
        one.step(20)
        other.step(3).run(8 / 64)
        other.save(tmp_path)
        assert state(pleiad.Simulation.load(tmp_path, external_acceleration=pull).step(12)) == state(one)
        assert state(one) != state(plummer(integrator=integrator).step(20))


def test_a_force_that_raises_or_keeps_its_arrays_ends_the_steps() -> None:
    kept: list[Any] = []
    with pytest.raises(ZeroDivisionError):
        plummer(external_acceleration=lambda time, x, a: 1 / 0).step(3)
    with pytest.raises(pleiad.UsageError, match="kept an array"):
        plummer(external_acceleration=lambda time, x, a: kept.append(x[:, 0])).step(3)
    with pytest.raises(pleiad.UsageError, match="hermite4"):
        plummer(external_acceleration=pull, integrator="hermite4")


def test_a_force_that_knows_its_simulation_keeps_nothing_alive() -> None:
    sim = plummer()
    sim.external_acceleration = lambda time, x, a: a.fill(0.0 * len(sim))
    sim.step(2)
    gone = weakref.ref(sim)
    del sim
    gc.collect()
    assert gone() is None


def test_a_checkpoint_goes_on_bit_for_bit(tmp_path: Path) -> None:
    for keys in ({}, {"integrator": "hermite4", "adaptive": True}, {"precision": "f32", "kernel": "cpu/simd"}):
        folder = tmp_path / str(len(keys))
        sim = plummer(**keys).step(9)
        sim.save(folder)
        again = pleiad.Simulation.load(folder)
        assert (again.time, again.step_count, state(again)) == (sim.time, sim.step_count, state(sim))
        assert state(again.step(9)) == state(sim.step(9))
        assert again.diagnostics.energy_error == sim.diagnostics.energy_error
    with pytest.raises(pleiad.InputError):
        pleiad.Simulation.load(tmp_path / "nothing")


def test_a_checkpoint_goes_on_watching_its_accuracy(tmp_path: Path) -> None:
    # A sphere that falls in: the tree that does at the start does not later.
    falling: dict[str, Any] = {"parameters": {"n": 2000}, "seed": 2, "eps": 0.05, "dt": 1 / 32, "backend": "cpu"}
    tree = "cpu/fmm order=4 theta=0.8"
    error = pleiad.Simulation("cold-sphere", kernel=tree, **falling).force_error()["p99"]
    watched = {**falling, "kernel": tree, "accuracy": 1.1 * error, "solver_check_every": 4}
    whole = pleiad.Simulation("cold-sphere", **watched)
    whole.step(3)
    whole.save(tmp_path)
    again = pleiad.Simulation.load(tmp_path)
    assert state(again.step(21)) == state(whole.step(21))
    assert again.describe["kernel"] == whole.describe["kernel"] != tree
    assert any("from now on" in note for note in again.notes)


def test_steps_are_chosen_for_a_position_error() -> None:
    sim = pleiad.Simulation("figure-eight", position_error=1e-4, t_end=20)
    told = next(note for note in sim.notes if note.startswith("position error 0.0001 asked: "))
    assert f"asked: {sim.integrator}, " in told
    finer = pleiad.Simulation("figure-eight", integrator="kahan-li8", dt=0.005, precision="f64").run(20)
    # Distances of the bodies are at most 2.
    assert np.abs(sim.run(20).snapshot().positions - finer.snapshot().positions).max() < 2e-4
    assert pleiad.Simulation("figure-eight", position_error=0.01, t_end=20, integrator="kdk").integrator == "kdk"
    with pytest.raises(pleiad.UsageError, match="no integrator keeps it"):
        pleiad.Simulation("figure-eight", position_error=1e-15, t_end=20)


REFUSED: dict[str, dict[str, Any]] = {
    "time.dt must be > 0, not 0: set the time step": {"dt": None},
    "time.dt must be a number, not 'long'": {"dt": "long"},
    "gravity.softening must be >= 0, not -1": {"eps": -1},
    "no integrator 'kdl'": {"integrator": "kdl"},
    "engine.threads must be a whole number, not the number 1.5": {"threads": 1.5},
    "engine.backend must be one of auto, cpu, cuda, not 'gpu'": {"backend": "gpu"},
    "Simulation has no keyword 'sofening'; did you mean 'softening'?": {"sofening": 1},
    "t_end (time.t_end) is the time for which position_error is asked; else sim.run(until) says how far": {"t_end": 3},
    "energy_error (time.energy_error) is for runs of the command": {"energy_error": 1e-6},
    "time.position_error is the error at time.t_end, which must be after the start, 0": {"position_error": 1e-3},
    "time.corrector = 3 is for integrators wisdom-holman": {"corrector": 3},
    "for runs of the command; here files are yours to write": {"snapshot_interval": 3},
    "for runs of the command; here sim.save(folder)": {"every_steps": 3},
    "for runs of the command; here pleiad.Ensemble": {"vary": ["n=1,2"]},
    "time.adaptive with integrator kdk needs gravity.softening > 0": {"adaptive": True, "eps": 0},
    "no parameter 'm'": {"parameters": {"m": 3}},  # of the model
    "solver.theta must be 0 to 2, not 7": {"method": "fmm", "theta": 7},
}


@pytest.mark.parametrize("sentence", REFUSED)
def test_what_cannot_be_is_refused_with_the_commands_sentence(sentence: str) -> None:
    with pytest.raises(pleiad.UsageError) as refusal:
        plummer(**REFUSED[sentence])
    assert sentence in str(refusal.value) and "\n" not in str(refusal.value) and "--set" not in str(refusal.value)


def test_every_key_of_a_simulation_is_a_keyword() -> None:
    assert settings_of({"eps": 0.1, "softening": None, "G": 2, "adaptive": True, "box": (1, 2.5), "parameters": {"n": 10},
                        "integrator": "kdk", "solver_check_every": np.int64(5), "eta": np.float64(0.5)}) == [
        "gravity.softening=0.1", "gravity.G=2", "time.adaptive=true", "gravity.box=[1, 2.5]",
        'initial_conditions.parameters=["n=10"]', 'time.integrator="kdk"', "solver.check_every=5", "time.eta=0.5"]
    sim = plummer(reverse=True, dimension=3, precision="f64", threads=1, kernel="cpu/simd", check_every=7)
    assert sim.describe["precision"] == "f64" and sim.describe["threads"] == 1
    assert np.array_equal(sim.velocities, -plummer().velocities)


def test_bodies_that_cannot_be_are_named() -> None:
    x, v, m = bodies()
    for array, value, sentence in ((x, np.nan, "body 4"), (m, -1.0, "body 4")):
        kept = array[4].copy()
        array[4] = value
        with pytest.raises(pleiad.InputError, match=sentence):
            pleiad.Simulation((x, v, m), eps=0.1, dt=0.1)
        array[4] = kept
    with pytest.raises(pleiad.UsageError, match=r"velocities must have the shape \(10, 3\), not \(9, 3\)"):
        pleiad.Simulation((x, v[:9], m), eps=0.1, dt=0.1)
    with pytest.raises(pleiad.UsageError, match="bodies must be a Snapshot"):
        pleiad.Simulation(3, dt=0.1)  # type: ignore[arg-type]


def test_what_is_no_longer_finite_is_told() -> None:
    x = np.array([[1.0, 0, 0], [-1.0, 0, 0]])
    sim = pleiad.Simulation((x, x * 1e30, np.ones(2)), eps=0.1, dt=1e6, precision="f32", kernel="cpu/simd")
    with pytest.raises(pleiad.NumericalError, match=r"body \d+ \(id \d+\) is no longer finite at step"):
        sim.run(1e6 * 1000)


def test_going_back_is_refused() -> None:
    sim = plummer().run(0.5)
    for until in (0, 0.1, 0.25):
        with pytest.raises(pleiad.UsageError, match=f"time {until} lies before the simulation's 0.5"):
            sim.run(until)
    with pytest.raises(pleiad.UsageError, match="does not go back"):
        sim.step(-1)


def test_simulations_run_side_by_side() -> None:
    right = state(plummer(500).step(20))
    found: list[str] = []
    threads = [threading.Thread(target=lambda: found.append(state(plummer(500).step(20)))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [right] * 4


def test_one_is_stepped_by_one_thread_at_a_time() -> None:
    sim = plummer()
    stepping, refused = threading.Event(), threading.Event()

    def wait(s: pleiad.Simulation) -> None:
        if s.step_count > 0:
            stepping.set()
            assert refused.wait(60)

    sim.add_callback(1 / 16, wait)
    thread = threading.Thread(target=lambda: sim.run(1 / 16))
    thread.start()
    assert stepping.wait(60)
    for use in (sim.step, sim.energy, sim.snapshot, lambda: sim.run(1)):
        with pytest.raises(pleiad.UsageError, match="another thread"):
            use()
    refused.set()
    thread.join()
    assert sim.time == 1 / 16


def test_it_shows_itself() -> None:
    sim = plummer()
    assert "64 bodies" in repr(sim) and "kdk" in repr(sim)
    html = sim._repr_html_()
    assert "data:image/png;base64," in html and "energy error" in html
    assert sim.picture(100).startswith(b"\x89PNG")


def test_pictures_of_a_simulation_have_one_frame() -> None:
    sim = plummer(500)
    first = sim.picture(64)
    sim.positions[...] *= 3
    sim.velocities[...] *= 0
    later = sim.picture(64)
    new = pleiad.Simulation(sim.snapshot(), eps=0.05, dt=1 / 64).picture(64)
    assert later not in (first, new)  # as wide as the first: bodies have left it
    assert sim.picture(64) == later and sim.picture(64, extent=1) != later
    assert sim.picture(64, refit=True) == new == sim.picture(64)
    assert sim.picture(64, "xz") == sim.picture(64, "xz", refit=True) != new  # each projection has its own


def test_diagnostics_are_a_short_table() -> None:
    text = repr(plummer().run(0.25).diagnostics).splitlines()
    assert text[0] == "<pleiad.Diagnostics at time 0.25, step 16, nbody units" and len(text) == 12
    assert text[6].split() == ["mass", "1"] and text[11].endswith("(10% 25% 50% 75% 90%)>")
    assert len({line.index(line.split()[1]) + len(line.split()[1]) for line in text[1:7]}) == 1  # aligned
    assert all(len(number.strip("-.").replace(".", "")) <= 7 for line in text[1:4] for number in line.split()[1:])
    galaxy = pleiad.Simulation("galaxy", parameters={"n": 100}, eps=0.3, dt=0.001).diagnostics
    lines = {line.split()[0]: line for line in repr(galaxy).splitlines()}
    assert galaxy.units.name == "galactic" and "at time 0 (0 Gyr), step" in repr(galaxy).splitlines()[0]
    assert lines["energy"].endswith("1e10 Msun (km/s)^2") and "kpc (10%" in lines["lagrangian_radii"]
    assert max(map(len, lines.values())) < 130 and f"{galaxy.kinetic:.6g}" in lines["kinetic"]


def test_progress_is_shown_where_tqdm_is(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("tqdm")
    plummer(1000).run(1, progress=True)
    assert "time" in capsys.readouterr().err


def test_a_gpu_that_is_not_there_is_told() -> None:
    import importlib.util

    if importlib.util.find_spec("pleiad_cuda13") is not None:
        pytest.skip("kernels for GPUs are installed")
    with pytest.raises(pleiad.ResourceError, match="pleiad-cuda13") as told:
        plummer(backend="cuda")
    assert "pip install" not in str(told.value)  # no index has it yet


@pytest.mark.skipif(SANITIZED, reason="the sanitizer keeps freed memory for a while")
def test_a_thousand_simulations_leave_no_memory_behind() -> None:
    start = bodies(100)

    def print_nothing(sim: pleiad.Simulation) -> None:
        assert sim.time >= 0

    def use(n: int) -> None:
        for _ in range(n):
            sim = pleiad.Simulation(start, eps=0.1, dt=0.01)
            sim.add_callback(0.01, print_nothing)
            sim.run(0.02)
            assert sim.positions.shape == (100, 3)

    use(300)
    before = _resident()
    use(1000)
    assert _resident() - before < 1_000_000


def test_a_callback_that_knows_its_simulation_keeps_nothing_alive() -> None:
    sim = plummer()
    sim.add_callback(0.25, lambda s, own=sim: None)  # a cycle through Python
    sim.run(0.25)
    gone = weakref.ref(sim)
    del sim
    gc.collect()
    assert gone() is None


def _resident() -> int:
    gc.collect()
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGESIZE")


# Softenings of bodies and types


def own_softenings(n: int = 60) -> pleiad.Snapshot:
    snapshot = pleiad.models.plummer(n)
    snapshot.softenings = np.linspace(0.01, 0.2, n)
    return snapshot


def test_softenings_are_columns_of_a_snapshot(tmp_path: Path) -> None:
    snapshot = own_softenings()
    assert pleiad.models.plummer(3).softenings is None
    some = snapshot[10:20]
    assert some.softenings is not None and some.softenings.tolist() == snapshot.softenings[10:20].tolist()  # type: ignore[index]
    assert snapshot.copy() == snapshot != pleiad.models.plummer(60)
    for ending in ("csv", "hdf5"):
        path = tmp_path / f"own.{ending}"
        pleiad.write(snapshot, path)
        assert np.array_equal(pleiad.read(path).softenings, snapshot.softenings)  # type: ignore[arg-type]
    with pytest.raises(pleiad.UsageError, match="softenings must have the shape"):
        snapshot.softenings = [1, 2]


def test_softenings_of_bodies_and_of_types_are_one_law() -> None:
    snapshot = own_softenings()
    snapshot.softenings = np.where(snapshot.ids % 2 == 0, 0.1, 0.02)
    of_bodies = pleiad.Simulation(snapshot, dt=1 / 64, softening_kernel="spline", backend="cpu", cache=None)
    snapshot.softenings = None
    snapshot.types = np.where(snapshot.ids % 2 == 0, pleiad.Type.halo, pleiad.Type.star)
    of_types = pleiad.Simulation(
        snapshot, dt=1 / 64, softening_by_type={"halo": 0.1, "star": 0.02}, softening_kernel="spline", backend="cpu", cache=None
    )
    of_bodies.run(0.5)
    of_types.run(0.5)
    assert np.array_equal(of_bodies.positions, of_types.positions)
    assert of_types.snapshot().softenings is not None
    assert of_types.eps == 0.02
    one = pleiad.Simulation(snapshot, dt=1 / 64, eps=0.02, backend="cpu", cache=None).run(0.5)
    assert not np.array_equal(one.positions, of_types.positions)
    with pytest.raises(pleiad.UsageError, match="did you mean 'halo'"):
        pleiad.Simulation(snapshot, dt=1 / 64, softening_by_type={"hallo": 0.1})


def test_softenings_stay_in_copies_and_saved_simulations(tmp_path: Path) -> None:
    sim = pleiad.Simulation(own_softenings(), dt=1 / 64, softening_rule="quadratic", backend="cpu", cache=None)
    sim.run(0.25).save(tmp_path / "kept")
    again, twin = pleiad.Simulation.load(tmp_path / "kept"), sim.copy()
    for each in (sim, again, twin):
        each.run(0.5)
        assert np.array_equal(each.positions, sim.positions)
        assert np.array_equal(each.snapshot().softenings, own_softenings().softenings)  # type: ignore[arg-type]
    with pytest.raises(pleiad.UsageError, match="have softenings"):
        sim.add(x=[1, 0, 0], m=0.1)
    more = pleiad.Snapshot([[1, 0, 0]], masses=0.1, softenings=0.3)
    assert sim.add(more).tolist() == [60]
    assert sim.snapshot().softenings[-1] == 0.3  # type: ignore[index]
    sim.eps = 0.05
    assert sim.snapshot().softenings is None


def test_steps_on_a_lattice_lead_back() -> None:
    for kernel in ("cpu/symmetric", "cpu/fmm order=3 theta=0.6"):
        sim = pleiad.Simulation(pleiad.models.plummer(n=300), eps=0.05, dt=1 / 64, lattice=True, kernel=kernel, precision="mixed", cache=None)
        start = sim.snapshot()
        sim.step(200).reverse()
        assert not np.array_equal(sim.positions, start.positions)
        sim.step(200).reverse()
        assert np.array_equal(sim.positions, start.positions) and np.array_equal(sim.velocities, start.velocities)
        assert sim.time == 400 / 64
