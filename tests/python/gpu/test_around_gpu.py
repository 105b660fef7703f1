"""On a GPU: ensembles there agree with those of the CPU, solvers are measured, and bodies are drawn.

PYTHONPATH=<package with kernels for GPUs> python3 -m pytest tests/python/gpu
"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import pleiad

EXAMPLES = Path(__file__).resolve().parents[3] / "python" / "examples"


@pytest.fixture(autouse=True, scope="module")
def _gpu() -> None:
    try:
        pleiad.Ensemble([pleiad.models.plummer(4)], eps=0.1, dt=0.1, backend="cuda")
    except pleiad.ResourceError as absent:
        pytest.skip(str(absent))


@pytest.mark.parametrize("n", [3, 64, 200])
def test_an_ensemble_has_the_motions_of_the_cpu(n: int) -> None:
    members = [pleiad.models.plummer(n, seed=k) for k in range(1, 40)]
    here, there = (
        pleiad.Ensemble(members, eps=0.1, dt=1 / 128, precision="f64", backend=backend).run(0.5)
        for backend in ("cpu", "cuda")
    )
    assert there.describe()["gpus"] == 1 and there.status.tolist() == ["ok"] * len(members)
    # 64 steps of rounding, 1e-16 each, which close encounters amplify: softened, by less than 1e4.
    assert np.abs(here.positions - there.positions).max() < 1e-10
    ours, theirs = here.diagnostics(), there.diagnostics()
    for column in ("energy", "virial_ratio", "half_mass_radius", "closest"):
        assert np.allclose(ours[column], theirs[column], rtol=1e-8), column


def test_a_member_has_its_bits_whoever_the_others_are() -> None:
    members = [pleiad.models.plummer(50, seed=k) for k in range(1, 20)]
    together = pleiad.Ensemble(members, eps=0.1, dt=1 / 128, backend="cuda").run(0.25)
    alone = pleiad.Ensemble(members[7:8], eps=0.1, dt=1 / 128, backend="cuda").run(0.25)
    assert alone[0].state_hash == together[7].state_hash


def test_solvers_are_measured_there() -> None:
    curve = pleiad.accuracy_curve(pleiad.models.plummer(20000), eps=0.02, backend="cuda", longest=20)
    assert all(kernel.startswith("cuda/") for kernel in curve["kernel"].tolist())
    assert curve.cheapest(1e-3)["error_p99"] <= 1e-3


def test_a_simulation_there_is_drawn() -> None:
    pytest.importorskip("matplotlib").use("Agg")
    sim = pleiad.Simulation(pleiad.models.galaxy(20000), eps=0.4, dt=0.001, accuracy=1e-2, backend="cuda")
    sim.run(0.004)
    image, _ = pleiad.plot.surface_density(sim)
    assert image.sum() > 0
    assert pleiad.plot.density(sim).get_xlabel() == "x [kpc]"


@pytest.mark.parametrize("package", ["cupy", "torch"])
def test_an_integrator_of_ones_own_works_on_device_arrays(package: str, tmp_path: Path) -> None:
    pytest.importorskip(package)
    pytest.importorskip("matplotlib")
    hidden = "import sys; sys.modules['cupy'] = None\n" if package == "torch" else ""
    script, picture = EXAMPLES / "own_integrator.py", tmp_path / "a.png"
    arguments = f"sys.argv = ['', {str(picture)!r}, '--quick']"
    code = f"{hidden}import runpy, sys; {arguments}; runpy.run_path({str(script)!r})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Omelyan" in done.stdout and picture.stat().st_size > 20_000
