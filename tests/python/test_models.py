"""Models: a function each, with the parameters of the catalogue and the bits of the program."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import inspect
import json
import pydoc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pleiad

# Small ones, with something other than the defaults where there is a parameter.
SMALL: dict[str, dict[str, float | str]] = {
    "uniform_box": {"n": 40, "sigma": 2},
    "lattice": {"side": 5},
    "random": {"n": 40},
    "shell": {"n": 40},
    "expand": {"n": 40},
    "cold_sphere": {"n": 40},
    "plummer": {"n": 40, "mass_fraction": 0.9},
    "king": {"n": 40, "W0": 3},
    "cluster": {"n": 40, "imf": "salpeter", "binaries": 0.5},
    "hernquist": {"n": 40, "scale": 2.5},
    "nfw": {"n": 40, "cut": 5},
    "galaxy": {"n": 200, "disc_mass": 3},
    "encounter": {"n": 400, "pericentre": 4.5},
    "rings": {"per_ring": 3, "rings": 2},
    "two_body": {"e": 0.3},
    "figure_eight": {"digits": 8},
    "pythagorean": {},
    "free_fall": {"x": 0.125},
    "solar_system": {"epoch": 100.5},
}


def test_every_model_has_a_function() -> None:
    assert {model.function_name for model in pleiad.models.catalogue()} == set(SMALL)
    assert set(SMALL) < set(dir(pleiad.models))


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("seed", [1, 7])
def test_it_has_the_bits_of_the_program(
    tmp_path: Path, program: Callable[..., str], name: str, seed: int
) -> None:
    model = next(m for m in pleiad.models.catalogue() if m.function_name == name)
    told = {"seed": seed} if model.random else {}
    made = getattr(pleiad.models, name)(**SMALL[name], **told)
    settings = [f"{key}={value}" for key, value in SMALL[name].items()]
    program("ic", model.name, *settings, "--seed", seed, "-o", tmp_path / "a.csv")
    theirs = pleiad.read(tmp_path / "a.csv")
    assert made == theirs
    assert made.state_hash == json.loads(program("info", "--json", tmp_path / "a.csv"))["state_hash"]


@pytest.mark.parametrize("name", SMALL)
def test_the_catalogue_is_that_of_the_program(program: Callable[..., str], name: str) -> None:
    model = next(m for m in pleiad.models.catalogue() if m.function_name == name)
    theirs = next(m for m in json.loads(program("ic", "--list", "--json")) if m["name"] == model.name)
    assert (theirs["idea"], theirs["origin"]) == (model.summary, model.origin)
    assert [{**vars(p), "words": list(p.words)} for p in model.parameters] == theirs["parameters"]
    assert model.suggested_softening == theirs["suggested_softening"]


@pytest.mark.parametrize("name", SMALL)
def test_signature_and_docstring_name_every_parameter(name: str) -> None:
    model = next(m for m in pleiad.models.catalogue() if m.function_name == name)
    function = getattr(pleiad.models, name)
    signature = inspect.signature(function)
    for parameter in model.parameters:
        assert signature.parameters[parameter.name].default == parameter.default
        assert f"\n{parameter.name}\n" in function.__doc__
    assert ("seed" in signature.parameters) == model.random
    assert function.__name__ == name and name in pydoc.render_doc(function)


def test_number_and_seed_may_be_given_by_place() -> None:
    assert pleiad.models.plummer(30, 4) == pleiad.models.plummer(n=30, seed=4)
    assert pleiad.models.plummer(1e1) == pleiad.models.plummer(10, 1)
    assert pleiad.models.plummer(30, 4) != pleiad.models.plummer(30, 5)
    with pytest.raises(TypeError, match="too many positional"):
        pleiad.models.plummer(30, 4, 0.9)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="multiple values"):
        pleiad.models.plummer(30, n=4)  # type: ignore[misc]


@given(st.integers(1, 200), st.integers(0, 2**63 - 1))
def test_a_seed_gives_the_same_bodies_again(n: int, seed: int) -> None:
    one = pleiad.models.plummer(n, seed)
    assert len(one) == n and one == pleiad.models.plummer(n, seed)
    assert np.isfinite(one.positions).all() and one.masses.sum() == pytest.approx(1, rel=1e-15 * n + 1e-15)


def test_a_simulation_takes_the_words_of_a_choice() -> None:
    sim = pleiad.Simulation("cluster", parameters={"n": 30, "imf": "salpeter"}, integrator="hermite4", dt=1e-4)
    stars = pleiad.models.cluster(30, imf="salpeter")
    assert (sim.masses == stars.masses).all() and (sim.masses != pleiad.models.cluster(30).masses).any()
    assert sim.snapshot().units.name == stars.units.name == "cluster"


def test_what_cannot_be_is_refused_with_the_sentence_of_the_program() -> None:
    with pytest.raises(
        pleiad.UsageError, match="has no parameter 'mass_fracton'; did you mean 'mass_fraction'"
    ):
        pleiad.models.plummer(10, mass_fracton=1)  # type: ignore[call-arg]
    with pytest.raises(
        pleiad.UsageError, match=r"mass_fraction = 2 is out of range; it must be from 0.01 to 1"
    ):
        pleiad.models.plummer(10, mass_fraction=2)
    with pytest.raises(pleiad.UsageError, match="imf = 'krupa' is unknown; did you mean 'kroupa'"):
        pleiad.models.cluster(10, imf="krupa")
    with pytest.raises(pleiad.UsageError, match="profile must be one of plummer, king, not 1"):
        pleiad.models.cluster(10, profile=1)  # type: ignore[arg-type]
    with pytest.raises(pleiad.UsageError, match="binaries must be a number, not 'all'"):
        pleiad.models.cluster(10, binaries="all")  # type: ignore[arg-type]
    with pytest.raises(pleiad.UsageError, match="n = 10.5 must be a whole number"):
        pleiad.models.plummer(10.5)
    with pytest.raises(pleiad.UsageError, match="seed"):
        pleiad.models.lattice(seed=2)  # type: ignore[call-arg]
    with pytest.raises(AttributeError, match="did you mean 'plummer'"):
        pleiad.models.plumer  # type: ignore[attr-defined] # noqa: B018


def test_a_sphere_in_equilibrium_is_one() -> None:
    # T = |W| / 2 for the profile; of n bodies drawn from it T/|W| has a standard error of about 1 / sqrt(n):
    # four of them.
    n = 4096
    assert abs(pleiad.models.plummer(n).diagnostics()["virial_ratio"] - 0.5) < 4 / np.sqrt(n)


def test_half_of_plummers_mass_is_within_its_known_radius() -> None:
    # r_h = 3 pi / 16 / sqrt(2^(2/3) - 1) of the sphere that is not truncated; dM/dr there gives a standard
    # error of 0.5 / sqrt(n) / (dM/dr), with dM/dr = 0.5 / r_h to 20 %: r_h / sqrt(n); five of them.
    n = 20000
    expected = 3 * np.pi / 16 / np.sqrt(2 ** (2 / 3) - 1)
    (radius,) = pleiad.models.plummer(n, mass_fraction=1).lagrangian_radii([0.5], centre=[0, 0, 0])
    assert abs(radius / expected - 1) < 5 / np.sqrt(n)
