"""What the tests share: the program beside the package, and small systems."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st

import pleiad

os.environ.setdefault("MPLBACKEND", "Agg")
# What is measured or cached here stays here.
_cache = tempfile.TemporaryDirectory(prefix="pleiad-tests-")
os.environ["XDG_CACHE_HOME"] = _cache.name
# The time of an example says nothing on a machine that does other things too.
settings.register_profile("pleiad", deadline=None, max_examples=40)
settings.load_profile("pleiad")

SOURCE = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def program() -> Callable[..., str]:
    """Runs the program, `pleiad` on the path or $PLEIAD_PROGRAM, and returns what it printed."""
    found = os.environ.get("PLEIAD_PROGRAM") or shutil.which("pleiad")
    if found is None:
        pytest.skip("there is no program pleiad: set PLEIAD_PROGRAM to it")

    def run(*arguments: str | Path) -> str:
        done = subprocess.run([found, *map(str, arguments)], check=True, capture_output=True, text=True)
        return done.stdout

    return run


def bodies(most: int = 20) -> st.SearchStrategy[pleiad.Snapshot]:
    """Snapshots of a few bodies, with whatever a snapshot can have."""

    def make(n: int, seed: int, units: str, fields: bool, periodic: bool, time: float) -> pleiad.Snapshot:
        random = np.random.default_rng(seed)
        return pleiad.Snapshot(
            random.uniform(0, 1, (n, 3)),
            random.normal(size=(n, 3)),
            random.uniform(0.1, 1, n),
            ids=random.permutation(4 * n)[:n],
            types=random.integers(0, 6, n),
            accelerations=random.normal(size=(n, 3)) if fields else None,
            potentials=-random.uniform(size=n) if fields else None,
            time=time,
            step=seed % 1000,
            units=units,
            box=(1.0, 1.5, 2.0) if periodic else None,
            images="all" if periodic and seed % 2 else "nearest",
        )

    return st.builds(
        make,
        st.integers(1, most),
        st.integers(0, 2**32 - 1),
        st.sampled_from(["nbody", "galactic", "cluster", "solar", "si", "cgs"]),
        st.booleans(),
        st.booleans(),
        st.floats(-1e3, 1e3),
    )
