"""Old names: each works, and warns with the new one at the line of the user."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pleiad

Call = Callable[[], Any]


def simulation(**more: Any) -> pleiad.Simulation:
    return pleiad.Simulation("plummer", parameters={"n": 64}, eps=0.1, dt=1 / 64, backend="cpu", cache=None, **more)


def push(time: float, x: Any, a: Any) -> None:
    a[:, 2] = 1


def pushed(sim: pleiad.Simulation) -> list[float]:
    velocities: list[float] = sim.step(2).velocities[:, 2].tolist()
    return velocities


def with_attribute(name: str) -> list[float]:
    sim = simulation()
    setattr(sim, name, push)
    return pushed(sim)


def read_back(name: str) -> bool:
    return getattr(simulation(external_acceleration=push), name) is push


def loaded(folder: Path, **more: Any) -> list[float]:
    simulation().save(folder)
    return pushed(pleiad.Simulation.load(folder, **more))


def told(name: str) -> list[float]:
    sim, times = simulation(), list[float]()
    getattr(sim, name)(1 / 64, lambda s: times.append(s.time))
    sim.run(3 / 64)
    return times


def solved(name: str) -> Any:
    solver = pleiad.Solver(eps=0.1, cache=None)
    solver.accelerations(np.eye(3), 1.0)
    value = getattr(solver, name)
    return value() if callable(value) else value


def by_tree(**settings: Any) -> str:
    sim = simulation(method="fmm", order=4, theta=0.6, **settings)
    return str(sim.describe["kernel"])


def retired(**reason: str) -> list[str]:
    ensemble = pleiad.Ensemble([pleiad.models.plummer(8)] * 2, eps=0.1, dt=1 / 64, backend="cpu")
    ensemble.retire(1, **reason)
    statuses: list[str] = ensemble.status.tolist()
    return statuses


def both() -> list[pleiad.Snapshot]:
    return [pleiad.models.plummer(5), pleiad.models.plummer(7, seed=2)]


# What the warning says, the old way, and the new one, whose result is the same.
OLD: list[tuple[str, Callable[[Path], Any], Callable[[Path], Any]]] = [
    ("Simulation.force is now called Simulation.external_acceleration",
     lambda _: with_attribute("force"), lambda _: with_attribute("external_acceleration")),
    ("Simulation.force is now called Simulation.external_acceleration",
     lambda _: read_back("force"), lambda _: read_back("external_acceleration")),
    ("Simulation(force=...) is now called Simulation(external_acceleration=...)",
     lambda _: pushed(simulation(force=push)), lambda _: pushed(simulation(external_acceleration=push))),
    ("Simulation.load(force=...) is now called Simulation.load(external_acceleration=...)",
     lambda folder: loaded(folder, force=push), lambda folder: loaded(folder, external_acceleration=push)),
    ("Simulation.every is now called Simulation.add_callback", lambda _: told("every"), lambda _: told("add_callback")),
    ("Solver.why is now called Solver.reason", lambda _: solved("why"), lambda _: solved("reason")),
    ("Solver.plan_again is now called Solver.replan", lambda _: solved("plan_again"), lambda _: solved("replan")),
    ("pleiad.join is now called pleiad.concatenate",
     lambda _: pleiad.join(both()).state_hash, lambda _: pleiad.concatenate(both()).state_hash),
    ("pleiad.records is now called pleiad.packed",
     lambda _: pleiad.records(3, "float32").shape, lambda _: pleiad.packed(3, "float32").shape),
    ("Ensemble.retire(why=...) is now called Ensemble.retire(reason=...)",
     lambda _: retired(why="energy limit"), lambda _: retired(reason="energy limit")),
    ("the keyword leaf is now called leaf_size", lambda _: by_tree(leaf=40), lambda _: by_tree(leaf_size=40)),
    ("the keyword solver_leaf is now called solver_leaf_size", lambda _: by_tree(solver_leaf=40), lambda _: by_tree(leaf_size=40)),
    ("the keyword criterion is now called mac", lambda _: by_tree(criterion="spheres"), lambda _: by_tree(mac="spheres")),
]  # fmt: skip


@pytest.mark.parametrize(("words", "old", "new"), OLD)
def test_an_old_name_works_and_says_the_new_one(
    words: str, old: Callable[[Path], Any], new: Callable[[Path], Any], tmp_path: Path
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        expected = new(tmp_path)
    with pytest.warns(DeprecationWarning) as given:
        assert old(tmp_path) == expected
    assert [str(warning.message) for warning in given] == [words]
    assert given[0].filename == __file__  # Python shows what is used in the user's own program


def test_an_old_name_and_the_new_one_together_are_refused() -> None:
    for call in (lambda: simulation(force=push, external_acceleration=push), lambda: retired(why="escaped", reason="escaped"), lambda: by_tree(leaf=40, leaf_size=40)):
        with pytest.warns(DeprecationWarning), pytest.raises(pleiad.UsageError, match="two names of one"):
            call()


def test_old_names_are_not_offered() -> None:
    assert not {"join", "records"} & {*pleiad.__all__, *dir(pleiad)}
    with pytest.raises(pleiad.UsageError, match="Simulation has no attribute 'everyy'") as refusal:
        simulation().everyy  # type: ignore[attr-defined] # noqa: B018
    assert "'every'" not in str(refusal.value)
