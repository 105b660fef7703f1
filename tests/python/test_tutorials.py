"""Tutorials: each notebook runs from top to bottom in less than a minute, and shows what it says."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import SOURCE
from notebook import code_cells, run_cell

import pleiad  # noqa: F401

pytest.importorskip("matplotlib")
FOLDER = SOURCE / "docs" / "tutorials"
FILES = sorted(FOLDER.glob("*.ipynb"))


def run(file: Path, folder: Path) -> dict[str, Any]:
    done = subprocess.run([sys.executable, Path(__file__).with_name("notebook.py"), file], capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def numbers(pattern: str, text: str) -> list[float]:
    found = re.search(pattern, text)
    assert found, text
    return [float(each) for each in found.groups()]


def first_cluster(shown: str) -> None:
    assert numbers(r"error of 99 %: (\S+)", shown)[0] < 1e-3
    assert abs(numbers(r"energy_error +(\S+)", shown)[0]) < 1e-3
    whole, inner = numbers(r"'all stars': ([\d.]+), 'without \d+': ([\d.]+)", shown)
    assert 0.5 < inner < whole < 1.2
    assert "@software{pleiad" in shown


def galaxy_encounter(shown: str) -> None:
    first, last = numbers(r"within (\d+) kpc at first, (\d+) kpc at the end", shown)
    assert first < 12 and last > 2 * first
    assert abs(numbers(r"energy_error +(\S+)", shown)[0]) < 1e-2


def planets(shown: str) -> None:
    orders = [numbers(rf"'{name}': 'order ([\d.]+)'", shown)[0] for name in ("kdk", "forest-ruth", "hermite4")]
    assert orders == pytest.approx([2, 4, 4], abs=0.5)
    years, apart = numbers(r"after (\d+) years Saturn is ([\d.]+) au", shown)
    assert years == 12 and 0.001 < apart < 1
    assert float(shown.split("> ")[-1].split("\n")[0]) < 1e-8


SAYS = {"first_cluster": first_cluster, "galaxy_encounter": galaxy_encounter, "planets": planets}


def test_all_of_them_are_tested() -> None:
    assert {file.stem for file in FILES} == set(SAYS)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_tutorial_runs_and_shows_what_it_says(file: Path, tmp_path: Path) -> None:
    answer = run(file, tmp_path)
    SAYS[file.stem]("\n".join(answer["shown"]))
    assert answer["seconds"] < 60


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_tutorial_is_a_notebook_without_outputs(file: Path) -> None:
    notebook = json.loads(file.read_text(encoding="utf-8"))
    assert (notebook["nbformat"], notebook["metadata"]["kernelspec"]["name"]) == (4, "python3")
    cells = notebook["cells"]
    assert len({cell["id"] for cell in cells}) == len(cells) and cells[0]["cell_type"] == "markdown"
    for cell in cells:
        assert set(cell) == {"cell_type", "id", "metadata", "source"} | ({"execution_count", "outputs"} if cell["cell_type"] == "code" else set())
        assert not cell.get("outputs") and cell.get("execution_count") is None
    assert file.stat().st_size < 300_000 and len(code_cells(file)) > 4


def test_a_cell_that_fails_would_be_found(tmp_path: Path) -> None:
    names: dict[str, Any] = {}
    assert run_cell("x = 3\nprint('a')\nx + 1", names) == "a\n4\n" and names["x"] == 3
    broken = json.loads(FILES[0].read_text())
    broken["cells"].append({"cell_type": "code", "source": ["raise OSError('of the last cell')"]})
    (tmp_path / "broken.ipynb").write_text(json.dumps(broken).replace("1000", "100").replace("20_000", "200"))
    with pytest.raises(AssertionError, match="of the last cell"):
        run(tmp_path / "broken.ipynb", tmp_path)
