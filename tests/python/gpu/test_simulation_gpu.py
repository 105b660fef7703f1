"""Simulations on a GPU: views of its own memory, read and written between steps, and a force of one's own.

PYTHONPATH=<package with kernels for GPUs> python3 -m pytest tests/python/gpu
PLEIAD_EMULATED: on the emulated GPU, with the stand-in for CuPy in ../emulated.
"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import os
import pickle
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pleiad

EMULATED = "PLEIAD_EMULATED" in os.environ
N = 200 if EMULATED else 1000


@pytest.fixture(autouse=True, scope="module")
def _gpu() -> None:
    try:
        simulation()
    except pleiad.ResourceError as absent:
        pytest.skip(str(absent))


@pytest.fixture(params=["cupy", "torch"])
def library(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """One library alone is imported, as far as the package sees."""
    there = pytest.importorskip(request.param)
    monkeypatch.setitem(sys.modules, {"cupy": "torch", "torch": "cupy"}[request.param], None)
    return there


def simulation(**keys: Any) -> Any:
    arguments: dict[str, Any] = {"parameters": {"n": N}, "eps": 0.05, "dt": 1 / 64, "backend": "cuda", "gpus": 1, **keys}
    return pleiad.Simulation("plummer", **arguments)


def state(sim: Any) -> str:
    return str(sim.snapshot().state_hash)


def numpy_of(a: Any) -> Any:
    return a.get() if hasattr(a, "get") else a.cpu().numpy()


def address(a: Any) -> int:
    return int(a.data.ptr if hasattr(a, "get") else a.data_ptr())


@pytest.mark.parametrize("precision", ["f32", "mixed", "f64"])
def test_changes_and_copies_stay_on_the_gpu(library: Any, precision: str) -> None:
    sim = simulation(precision=precision).step(3)
    old = sim.positions
    old[0] += 0.25
    copies = [sim.copy(), pickle.loads(pickle.dumps(sim))]
    sim.step(5)
    for each in copies:
        assert each.describe["gpus"] == 1 and state(each.step(5)) == state(sim)
    sim.dt, sim.eps = 1 / 128, 0.1
    assert sim.add(x=[3, 0, 0], m=0.1).tolist() == [N]
    assert sim.describe["gpus"] == 1 and sim.describe["precision"] == precision and sim.step_count == 8
    assert sim.positions.shape == (N + 1, 3) and address(sim.positions) != address(old)
    sim.positions[N] += 1
    assert numpy_of(sim.step().positions)[N, 0] > 3.9 and numpy_of(old).shape == (N, 3)
    sim.remove([N])
    assert sim.positions.shape == (N, 3) and np.isfinite(numpy_of(sim.step().positions)).all()


@pytest.mark.parametrize("precision", ["f32", "mixed", "f64"])
def test_views_are_the_memory_of_the_gpu(library: Any, precision: str) -> None:
    sim = simulation(precision=precision)
    x, v, m = sim.positions, sim.velocities, sim.masses
    assert type(x).__module__.startswith(library.__name__)
    assert x.shape == v.shape == (N, 3) and m.shape == (N,)
    assert str(x.dtype).removeprefix("torch.") == ("float32" if precision == "f32" else "float64")
    assert address(sim.positions) == address(x) and address(m) == address(x) + 3 * x.itemsize
    sim.step(3)
    snapshot = sim.snapshot()
    for view, column in ((x, snapshot.positions), (v, snapshot.velocities), (m, snapshot.masses)):
        assert np.array_equal(numpy_of(view), column.astype(numpy_of(view).dtype))


@pytest.mark.parametrize("keys", [{}, {"kernel": "cuda/fmm order=5 theta=0.5"}, {"adaptive": True}])
def test_what_is_not_written_changes_no_bit(library: Any, keys: dict[str, Any]) -> None:
    seen, alone = simulation(**keys), simulation(**keys)
    kept = seen.positions
    for until in (0.125, 0.25, 0.5):
        seen.run(until)
        alone.run(until)
        _ = float(seen.velocities.sum()) + float(kept.sum())
    assert state(seen) == state(alone)


def test_what_is_written_is_where_it_goes_on(library: Any) -> None:
    sim = simulation(precision="f64").step(5)
    start = sim.snapshot()
    x, v, m = sim.positions, sim.velocities, sim.masses
    x += 0.25
    v *= 0.5
    m *= 2
    start.positions += 0.25
    start.velocities *= 0.5
    start.masses *= 2
    assert np.array_equal(sim.snapshot().masses, start.masses)
    moved = pleiad.Simulation(start, eps=0.05, dt=1 / 64, precision="f64", backend="cuda", kernel=sim.describe["kernel"])
    assert sim.energy() == moved.energy()
    assert state(sim.step(8)) == state(moved.step(8))


def test_writes_in_any_stream_are_waited_for(library: Any) -> None:
    sim = simulation(precision="f64")
    right = sim.snapshot().positions + 200
    queue = library.cuda.Stream(non_blocking=True) if library.__name__ == "cupy" else library.cuda.Stream()
    with queue if library.__name__ == "cupy" else library.cuda.stream(queue):
        x = sim.positions
        for _ in range(200):
            x += 1
    assert np.allclose(sim.snapshot().positions, right, rtol=0, atol=1e-10)


def test_callbacks_see_the_state_of_their_time(library: Any) -> None:
    sim = simulation()
    sums: list[Any] = []
    sim.add_callback(1 / 16, lambda sim: sums.append(sim.positions.sum()))
    sim.run(0.25)
    told = [float(s) for s in sums]
    other = simulation()
    right = [float(other.snapshot().positions.sum())]
    right += [float(other.run(k / 16).snapshot().positions.sum()) for k in (1, 2, 3, 4)]
    assert np.allclose(told, right, rtol=0, atol=1e-9)


def test_views_outlive_their_simulation(library: Any) -> None:
    sim = simulation(precision="f64")
    right = sim.snapshot().positions
    x = sim.positions
    del sim
    assert np.array_equal(numpy_of(x), right)


def test_without_such_a_library_views_are_copies_on_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("cupy", "torch"):
        monkeypatch.setitem(sys.modules, name, None)
    sim, other = simulation(precision="f64"), simulation(precision="f64")
    x = sim.positions
    assert isinstance(x, np.ndarray)
    x += 0.5
    assert state(sim.step(4)) != state(other.step(4))
    assert np.array_equal(x, sim.snapshot().positions)


def test_a_force_of_ones_own_comes_and_goes(library: Any, tmp_path: Path) -> None:
    sim = simulation()
    fused = sim.describe["kernel"]
    seen: list[str] = []

    def spring(time: float, positions: Any, accelerations: Any) -> None:
        seen.append(type(positions).__module__)
        accelerations[...] = -positions

    sim.external_acceleration = spring
    start = sim.step(4).snapshot()
    host = pleiad.Simulation(start, eps=0.05, dt=1 / 64, backend="cpu", external_acceleration=lambda t, p, a: np.negative(p, out=a))
    sim.step(8)
    host.step(8)
    assert seen and np.abs(host.snapshot().positions - sim.snapshot().positions).max() < 1e-5
    sim.external_acceleration = None
    assert sim.describe["kernel"] == fused
    sim.save(tmp_path)
    without = pleiad.Simulation.load(tmp_path)
    assert without.describe["kernel"] == fused and state(without.step(9)) == state(sim.step(9))


@pytest.mark.skipif(EMULATED, reason="it takes minutes there")
def test_a_checkpoint_goes_on_watching_its_accuracy(tmp_path: Path) -> None:
    falling: dict[str, Any] = {"parameters": {"n": 20000}, "seed": 2, "eps": 0.05, "dt": 1 / 32, "backend": "cuda"}
    tree = "cuda/fmm order=4 theta=0.8"
    error = pleiad.Simulation("cold-sphere", kernel=tree, **falling).force_error()["p99"]
    whole = pleiad.Simulation("cold-sphere", kernel=tree, accuracy=1.3 * error, solver_check_every=4, **falling).step(3)
    whole.save(tmp_path)
    again = pleiad.Simulation.load(tmp_path)
    assert state(again.step(21)) == state(whole.step(21))
    assert again.describe["kernel"] == whole.describe["kernel"]
