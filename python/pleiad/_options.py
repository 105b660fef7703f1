"""Keywords as settings of the configuration: every key of `pleiad config` that concerns a simulation is one."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import json
import numbers
from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Any

from pleiad import _core
from pleiad._checked import plain
from pleiad.errors import UsageError

ALIASES = {"eps": "softening", "leaf_size": "leaf"}
# Keywords that are no keys.
_OF_PYTHON = ("bodies", "cache", "force", "planning")
# What a run has and a simulation in Python has not, and what there is instead.
_ELSEWHERE = {
    "output": "files are yours to write: sim.every(interval, callback), sim.snapshot().write(path), sim.picture()",
    "checkpoint": "sim.save(folder) writes a checkpoint, Simulation.load(folder) continues it",
    "limits": "a callback of sim.every(interval, callback) that raises ends a run",
    "ensemble": "pleiad.Ensemble advances many systems at once",
    "time.t_end": "sim.run(until) says how far",
    "initial_conditions.file": "the first argument is the file",
    "initial_conditions.model": "the first argument is the model",
}


@cache
def _keys() -> dict[str, tuple[str, str]]:
    """Keyword -> (section.key, type): the key alone where it is of one section of a simulation's, and section_key always."""
    keys = sorted(_core.option_keys(), key=lambda key: key["section"] in _ELSEWHERE)
    many = Counter(key["key"] for key in keys if key["section"] not in _ELSEWHERE)
    found: dict[str, tuple[str, str]] = {}
    for key in keys:
        section, name = key["section"], key["key"]
        found[f"{section}_{name}"] = (f"{section}.{name}", key["type"])
        if many[name] <= 1:
            found.setdefault(name, (f"{section}.{name}", key["type"]))
    for alias, name in ALIASES.items():
        found[alias] = found[name]
    return found


def _elsewhere(key: str) -> str | None:
    """What there is instead of a key that a run has and a simulation in Python has not."""
    return _ELSEWHERE.get(key) or _ELSEWHERE.get(key.partition(".")[0])


def keyword_names() -> list[str]:
    """The keywords of a Simulation."""
    return [name for name, (key, _) in _keys().items() if not _elsewhere(key)]


def _toml(value: Any) -> str:
    """A value as the configuration writes it; a text as it is."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or type(value).__name__ in ("bool_", "bool"):
        return "true" if value else "false"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    if getattr(value, "shape", None) == () and hasattr(value, "item"):
        return _toml(value.item())
    if isinstance(value, Mapping):
        return "[" + ", ".join(json.dumps(f"{name}={_toml(each)}") for name, each in value.items()) + "]"
    try:
        elements = list(value)
    except TypeError:
        return repr(value)
    return "[" + ", ".join(json.dumps(each) if isinstance(each, str) else _toml(each) for each in elements) + "]"


def settings_of(keywords: Mapping[str, Any], caller: str = "Simulation") -> list[str]:
    """ "section.key=value" for each keyword that is not None.

    UsageError for one that is no key, with the nearest name, and for two that are names of one key.
    """
    settings = []
    _need_one_name(keywords)
    for name, value in keywords.items():
        if value is None:
            continue
        if name not in _keys():
            names = [*_OF_PYTHON, *(each for each in _keys() if each.count("_") < 3)]
            raise UsageError(f"{caller} has no keyword '{name}'{_core.did_you_mean(name, names)}")
        key, type_ = _keys()[name]
        if instead := _elsewhere(key):
            raise UsageError(f"{name} ({key}) is for runs of the command; here {instead}")
        for each in value.values() if isinstance(value, Mapping) else (value,):
            plain(name, each)
        text = _toml(value)
        if type_ == "text":
            if not isinstance(value, str):
                raise UsageError(f"{key} must be text, not {value!r}")
            text = json.dumps(value, ensure_ascii=False)
        settings.append(f"{key}={text}")
    return settings


def _need_one_name(keywords: Mapping[str, Any]) -> None:
    named: dict[str, str] = {}
    for name, value in keywords.items():
        if value is None or name not in _keys():
            continue
        key = _keys()[name][0]
        if key in named:
            raise UsageError(f"{named[key]} and {name} are two names of one thing ({key}): give one of them")
        named[key] = name
