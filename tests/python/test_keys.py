"""What type checkers see of the keys of the configuration and of the models: made from the tables, and true at run time."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
import typing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pleiad
from pleiad import _core
from pleiad._keywords import NAMED, OF_PYTHON, elsewhere, keyword_names, more_keywords

GENERATOR = Path(__file__).parents[2] / "python" / "stubs.py"
assert pleiad.__file__ is not None
PACKAGE = Path(pleiad.__file__).parent


@pytest.mark.parametrize("name", ["keys", "models"])
def test_the_stub_of_the_build_is_that_of_the_tables(name: str, tmp_path: Path) -> None:
    stub = (PACKAGE / name).with_suffix(".pyi")
    if not stub.exists():
        pytest.skip("this build has no stubs")
    copy = tmp_path / "pleiad"
    copy.mkdir()
    for file in [*PACKAGE.glob("*.py"), *PACKAGE.glob("_core.*")]:
        (copy / file.name).symlink_to(file)
    (tmp_path / "pleiad.libs").symlink_to(PACKAGE.with_name("pleiad.libs"))  # where a wheel has the libraries of the module
    subprocess.run([sys.executable, GENERATOR, copy], check=True, env={"PYTHONPATH": ""})
    assert (copy / stub.name).read_text() == stub.read_text(), "build the target pleiad_python_stub"


def declared(name: str) -> dict[str, ast.AnnAssign]:
    """The fields of the class in the stub of the keys."""
    stub = PACKAGE / "keys.pyi"
    if not stub.exists():
        pytest.skip("this build has no stubs")
    (found,) = (node for node in ast.parse(stub.read_text()).body if isinstance(node, ast.ClassDef) and node.name == name)
    return {node.target.id: node for node in found.body if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)}


def test_every_key_of_a_simulation_is_declared_once() -> None:
    keys = {f"{key['section']}.{key['key']}" for key in _core.option_keys()}
    there = {key for key in keys if not elsewhere(key)}
    assert {keyword.key for keyword in more_keywords().values()} == there
    assert set(declared("SimulationKeys")) == set(more_keywords()) == set(keyword_names()) - set(NAMED)
    assert {"softening", "G", "box", "adaptive", "units", "solver_check_every"} <= set(more_keywords())


def test_keywords_and_named_parameters_are_all_that_a_simulation_takes() -> None:
    signature = inspect.signature(pleiad.Simulation)
    named = {p.name for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD}
    assert named == {*NAMED, *OF_PYTHON}


def test_the_types_at_run_time_are_those_of_the_stub() -> None:
    hints = typing.get_type_hints(pleiad.keys.SimulationKeys)
    names = vars(pleiad.keys)
    stub = {name: eval(ast.unparse(node.annotation), dict(names)) for name, node in declared("SimulationKeys").items()}
    assert hints == stub and pleiad.keys.SimulationKeys.__total__ is False


# A value of each type that is declared, for a key that takes it.
VALUES: dict[str, dict[str, Any]] = {
    "float | None": {"G": 2.0},
    "int | None": {"threads": 1},
    "bool | None": {"reverse": True},
    "str | None": {"precision": "f64"},
    "float | Sequence[float] | None": {"box": 9.0, "gravity_box": [9.0, 9.0, 8.0]},
    "Mapping[str, float] | Sequence[str] | None": {"parameters": {"e": 0.25}, "initial_conditions_parameters": ["e=0.25"]},
}


@pytest.mark.parametrize(
    ("name", "value"), [each for values in VALUES.values() for name, value in values.items() for each in ((name, value), (name, None))]
)
def test_a_value_of_the_declared_type_is_taken(name: str, value: Any) -> None:
    sim = pleiad.Simulation("two-body", dt=1 / 64, backend="cpu", cache=None, **{name: value})
    assert len(sim) == 2
    if name.endswith("parameters"):  # at the pericentre of an orbit with the semi-major axis 1, and e = 0.5 by default
        assert np.linalg.norm(np.diff(sim.positions, axis=0)) == pytest.approx(0.75 if value else 0.5, rel=1e-12)


def test_every_declared_type_has_been_tried() -> None:
    tried = {name: annotation for annotation, values in VALUES.items() for name in values}
    assert {more_keywords()[name].annotation: name for name in tried}.keys() == VALUES.keys()
    assert {keyword.annotation for keyword in more_keywords().values()} == VALUES.keys()
