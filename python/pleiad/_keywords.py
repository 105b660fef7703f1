"""The keys of the configuration as keywords of a simulation: their names and types, from the library's table."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from collections import Counter
from functools import cache
from typing import NamedTuple

from . import _core

# Other names of keys.
ALIASES = {"eps": "softening", "units": "system"}
# Keywords of a simulation that are no keys.
OF_PYTHON = ("bodies", "cache", "external_acceleration", "planning")
# Parameters of a simulation that are keys.
NAMED = ("eps", "dt", "integrator", "accuracy", "backend")
# What a run has and a simulation in Python has not, and what there is instead.
_ELSEWHERE = {
    "output": "files are yours to write: sim.add_callback(interval, callback), pleiad.write(sim.snapshot(), path), sim.picture()",
    "checkpoint": "sim.save(folder) writes a checkpoint, Simulation.load(folder) continues it",
    "limits": "a callback of sim.add_callback(interval, callback) that raises ends a run",
    "ensemble": "pleiad.Ensemble advances many systems at once",
    "stars": "`pleiad run` makes runs of stars that lose mass; a callback may set sim.masses",
    "cosmology": "bodies with a universe are simulated in it: pleiad.cosmology_ic makes them, pleiad.read reads them",
    "time.begin_redshift": "bodies with a universe are simulated in it: pleiad.cosmology_ic makes them, pleiad.read reads them",
    "time.end_redshift": "bodies with a universe are simulated in it: pleiad.cosmology_ic makes them, pleiad.read reads them",
    "time.energy_error": "`pleiad run --energy-error` chooses the steps and keeps the error; pleiad.converge measures it",
    "time.energy_error_rate": "`pleiad run` chooses the steps and keeps the error; pleiad.converge measures it",
    "initial_conditions.file": "the first argument is the file",
    "initial_conditions.model": "the first argument is the model",
}
# What a key of each type takes in Python, as an annotation.
_ANNOTATIONS = {
    "number": "float",
    "whole number": "int",
    "true or false": "bool",
    "text": "str",
    "list of numbers": "float | Sequence[float]",
    "list of whole numbers": "int | Sequence[int]",
    "list of texts": "Mapping[str, float] | Sequence[str]",
}


class Keyword(NamedTuple):
    """What a keyword stands for: `section.key`, its type in the words of the configuration, and what is said of it."""

    key: str
    type: str
    default: str
    range: str
    meaning: str

    @property
    def annotation(self) -> str:
        """Its type in Python."""
        return f"{_ANNOTATIONS[self.type]} | None"

    @property
    def docstring(self) -> str:
        """One sentence of meaning, its range and its default."""
        return f"{self.meaning} ({self.key}{self.range and f': {self.range}'}; default {self.default})"


@cache
def keywords() -> dict[str, Keyword]:
    """Each key by its name alone, where it is of one section of a simulation's, and by section_key always."""
    keys = sorted(_core.option_keys(), key=lambda key: key["section"] in _ELSEWHERE)
    many = Counter(key["key"] for key in keys if key["section"] not in _ELSEWHERE)
    found: dict[str, Keyword] = {}
    for key in keys:
        section, name = key["section"], key["key"]
        keyword = Keyword(f"{section}.{name}", *(key[word] for word in ("type", "default", "range", "meaning")))
        found[f"{section}_{name}"] = keyword
        if many[name] <= 1:
            found.setdefault(name, keyword)
    for alias, name in ALIASES.items():
        found[alias] = found[name]
    return found


@cache
def former_keywords() -> dict[str, str]:
    """The present name of each keyword by its former name."""
    present: dict[str, str] = {}
    for key in _core.option_keys():
        section, name, former = key["section"], key["key"], key["former_name"]
        if former:
            present[former], present[f"{section}_{former}"] = name, f"{section}_{name}"
    return {former: name for former, name in present.items() if former not in keywords()}


def elsewhere(key: str) -> str | None:
    """What there is instead of a key that a run has and a simulation in Python has not."""
    return _ELSEWHERE.get(key) or _ELSEWHERE.get(key.partition(".")[0])


def keyword_names() -> list[str]:
    """The keywords of a Simulation."""
    return [name for name, keyword in keywords().items() if not elsewhere(keyword.key)]


def more_keywords() -> dict[str, Keyword]:
    """Those that are not among its named parameters, the short name of a key first."""
    names = sorted(keyword_names(), key=lambda name: name == keywords()[name].key.replace(".", "_"))
    return {name: keywords()[name] for name in names if name not in NAMED}
