"""Citations: every method has its works, and what a simulation uses is what it cites."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import pleiad
from pleiad import _core
from pleiad._works import OF, WORKS


def keys(text: str) -> list[str]:
    """Of its entries, each of which must be whole."""
    found = []
    for entry in re.split(r"\n\n", text):
        lines = [line for line in entry.splitlines() if not line.startswith("%")]
        head = re.fullmatch(r"@(software|article|book)\{(\w+),", lines[0])
        assert head and lines[-1] == "}" and all(re.fullmatch(r"  [a-z]+ = \{.+\},?", line) for line in lines[1:-1]), entry
        assert entry.count("{") == entry.count("}")
        found.append(head[2])
    return found


def test_every_method_of_the_library_is_in_the_table() -> None:
    assert set(OF["integrator"]) == {each["name"] for each in _core.integrators()}
    sourced = {kind["name"] for kind in _core.potential_kinds() if re.search(r"\b(19|20)\d\d\b", kind["idea"])}
    assert set(OF["potential"]) == sourced
    assert set(OF["force"]) == {kind["name"] for kind in _core.added_force_kinds()}
    # The year that the library names is that of the work.
    for kind in _core.potential_kinds():
        for work in OF["potential"].get(kind["name"], ()):
            assert WORKS[work][5] in kind["idea"]
    for kind in _core.added_force_kinds():
        assert all(WORKS[work][5] in kind["idea"] for work in OF["force"][kind["name"]])
    used = {work for works in OF.values() for each in works.values() for work in each}
    assert used == set(WORKS) and all(key.endswith(work[5]) for key, work in WORKS.items())


def test_the_program_is_cited() -> None:
    assert keys(pleiad.cite()) == ["pleiad"] and f"version = {{{pleiad.__version__}}}" in pleiad.cite()
    assert repr(pleiad.cite()) == str(pleiad.cite())
    # CITATION.cff is compared with this entry by tests/tools/citation_test.py.
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    assert f"```text\n{pleiad.cite()}\n```" in readme


@pytest.mark.parametrize(
    ("keywords", "works"),
    [
        ({}, ["Verlet1967", "Plummer1911"]),
        ({"eps": 0, "integrator": "hermite4"}, ["Makino1992"]),
        ({"eps": 0, "integrator": "gauss-radau"}, ["Everhart1985", "Rein2015", "Pham2024"]),
        ({"eps": 0, "integrator": "wisdom-holman"}, ["Wisdom1991", "Duncan1998"]),
        ({"integrator": "forest-ruth", "kernel": "cpu/barnes-hut"}, ["Forest1990", "Yoshida1990", "Barnes1986", "Plummer1911"]),
        ({"kernel": "cpu/fmm order=4 theta=0.6"}, ["Verlet1967", "Greengard1987", "Dehnen2014", "Plummer1911"]),
        ({"softening_kernel": "spline"}, ["Verlet1967", "Monaghan1985", "Springel2005"]),
        ({"boundary": "periodic", "box": 9, "images": "all"}, ["Verlet1967", "Plummer1911", "Ewald1921", "Hernquist1991"]),
        ({"potentials": ["nfw mass=80 scale=16", "point mass=1"]}, ["Verlet1967", "Plummer1911", "Navarro1997"]),
        ({"potentials": ["plummer mass=2 scale=1"]}, ["Verlet1967", "Plummer1911"]),
        ({"forces": ["gr-potential c=100", "radiation beta=0.1"]}, ["Verlet1967", "Plummer1911", "Nobili1986", "Burns1979"]),
        ({"potentials": ["milky-way kpc=100 msun=5e-5", "bar mass=1 length=1 width=0 height=1 omega=2"]}, ["Verlet1967", "Plummer1911", "PriceWhelan2017", "Bovy2015", "Long1992"]),
    ],
)
def test_a_simulation_cites_what_it_uses(keywords: dict[str, Any], works: list[str]) -> None:
    sim = pleiad.Simulation("plummer", **{"parameters": {"n": 200}, "eps": 0.1, "dt": 1 / 64, "cache": None, **keywords})
    assert keys(sim.cite()) == ["pleiad", *works]
    if "potentials" in keywords and "plummer" in keywords["potentials"][0]:
        assert "% softening plummer, potential plummer\n" in sim.cite()
