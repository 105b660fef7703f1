"""Examples: each makes its picture, and says what it found."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import SOURCE

import pleiad

pytest.importorskip("matplotlib")
FOLDER = SOURCE / "python" / "examples"
TOLD = {
    "galaxy_encounter.py": "energy kept to",
    "star_cluster.py": "half of the heavy stars",
    "own_integrator.py": "Omelyan",
    "perihelion.py": "post-newtonian: 4",
    "mass_function.py": "haloes, the largest of",
    "softening.py": "spline: beyond 2.8 eps the pull is 1.000 of Newton's at least",
    "scatterings.py": "an exchange in",
    "binary_pulsar.py": "s earlier: 1.00",
    "accuracy_and_cost.py": "errors of 0.01: cpu/",
}


def run(name: str, picture: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, FOLDER / name, picture, "--quick", *arguments], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def test_all_of_them_are_tested() -> None:
    assert {path.name for path in FOLDER.glob("*.py")} == set(TOLD)


@pytest.mark.parametrize("name", TOLD)
def test_it_makes_its_picture(name: str, tmp_path: Path) -> None:
    picture = tmp_path / "picture.png"
    assert TOLD[name] in run(name, picture)
    # A picture of one colour would be a few kB.
    assert picture.read_bytes().startswith(b"\x89PNG") and picture.stat().st_size > 20_000


def test_accuracy_and_cost_takes_a_file(tmp_path: Path) -> None:
    pleiad.write(pleiad.models.king(500), tmp_path / "mine.tipsy", format="tipsy")
    run("accuracy_and_cost.py", tmp_path / "a.png", str(tmp_path / "mine.tipsy"), "--eps", "0.05")
    assert (tmp_path / "a.csv").exists()
