"""What is missing, or misspelt, is said with the nearest name that makes sense; a missing file is a FileNotFoundError too."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import errno
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pleiad

MISSING: dict[str, Callable[[Path], Any]] = {
    "read": lambda path: pleiad.read(path / "x.hdf5"),
    "read a name without an ending": lambda path: pleiad.read(path / "x"),
    "read, in no folder": lambda path: pleiad.read(path / "no" / "x.csv"),
    "read_table": lambda path: pleiad.read_table(path / "x.csv"),
    "Simulation": lambda path: pleiad.Simulation(path / "x.hdf5", dt=0.1),
    "Simulation, no model": lambda path: pleiad.Simulation("plumer", dt=0.1),
    "load": lambda path: pleiad.Simulation.load(path / "x"),
}


@pytest.mark.parametrize("call", MISSING)
def test_a_missing_file_is_every_error_that_one_expects(call: str, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as missing:
        MISSING[call](tmp_path)
    error = missing.value
    assert isinstance(error, pleiad.errors.MissingFile) and error.errno == errno.ENOENT
    assert isinstance(error, pleiad.InputError) and isinstance(error, pleiad.UsageError) and isinstance(error, ValueError)
    assert "there is no " in str(error) and "\n" not in str(error)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_what_is_there_but_no_snapshot_is_no_missing_file(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("")
    for call in ("Simulation", "read_table"):
        (tmp_path / "x.hdf5").write_bytes(b"\0" * 64)
        with pytest.raises(pleiad.Error) as other:
            MISSING[call](tmp_path)
        assert not isinstance(other.value, OSError)


def refusal(bodies: Any, **keys: Any) -> str:
    with pytest.raises(pleiad.UsageError) as refused:
        pleiad.Simulation(bodies, **{"eps": 0.1, "dt": 1 / 64, **keys})
    return str(refused.value)


def test_a_misspelt_model_is_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert refusal("plumer") == "there is no model and no file 'plumer'; did you mean the model 'plummer'?"
    assert "the models are uniform-box, lattice," in refusal("zzzzzzzzz")
    assert refusal("plumer.hdf5") == "cannot read 'plumer.hdf5': there is no such file"
    pleiad.write(pleiad.models.plummer(10), tmp_path / "plumer", format="hdf5")
    assert len(pleiad.Simulation("plumer", eps=0.1, dt=1 / 64)) == 10


def test_a_parameter_of_the_model_is_shown_its_place() -> None:
    assert refusal("plummer", n=100) == (
        "Simulation has no keyword 'n'; it is a parameter of the model 'plummer': parameters={'n': 100}"
    )
    assert refusal("king", w0=np.float64(3)).endswith("parameters={'W0': 3.0}")
    assert refusal("plummer", w0=-0.9).startswith("w0 (cosmology.w0) is for runs of the command; here bodies with a universe are simulated in it")
    assert "bodies with a universe" in refusal("plummer", omega_m=0.3) and "bodies with a universe" in refusal("plummer", end_redshift=0.0)
    assert refusal("two-body", n=100) == "Simulation has no keyword 'n'"  # which has none, and no key is near
    assert refusal((np.eye(3), np.eye(3), np.ones(3)), n=1) == "Simulation has no keyword 'n'"


def test_what_has_no_letter_in_common_is_not_guessed() -> None:
    with pytest.raises(pleiad.UsageError, match="model 'plummer' has no parameter 'w0'; its parameters are n, "):
        pleiad.models.plummer(100, w0=3)
    assert refusal("plummer", parameters={"w0": 3}).startswith("model 'plummer' has no parameter 'w0'; its parameters are n, ")
    assert refusal("plummer", parameters={"nn": 3}).endswith("did you mean 'n'?")
    assert refusal("plummer", backend="gpu").endswith("did you mean 'cuda'?")
    assert refusal("plummer", integrator="verlet").endswith("did you mean 'kdk'?")
    assert pleiad.Simulation("plummer", parameters={"n": 8}, eps=0.1, dt=0.1, integrator="leapfrog").integrator == "kdk"
