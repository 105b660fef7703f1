"""Keywords as settings of the configuration, with values as TOML writes them."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import json
import numbers
from collections.abc import Mapping
from typing import Any

from . import _core
from ._checked import plain, words
from ._keywords import OF_PYTHON, elsewhere, former_keywords, keywords
from ._renamed import warn
from .errors import UsageError


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


def settings_of(given: Mapping[str, Any], bodies: Any = None) -> list[str]:
    """ "section.key=value" for each keyword of a simulation of these bodies that is not None.

    UsageError for one that is no key, with the way to give it or the nearest name, and for two that are names of one key.
    """
    settings = []
    given = _with_present_names(given)
    _need_one_name(given)
    for name, value in given.items():
        if value is None:
            continue
        if name not in keywords():
            names = [*OF_PYTHON, *(each for each in keywords() if each.count("_") < 3)]
            hint = _of_model(name, value, bodies) or _core.did_you_mean(name, names)
            raise UsageError(f"Simulation has no keyword '{name}'{hint}")
        key, type_ = keywords()[name][:2]
        if instead := elsewhere(key):
            if hint := _of_model(name, value, bodies):
                raise UsageError(f"Simulation has no keyword '{name}'{hint}")
            raise UsageError(f"{name} ({key}) is for runs of the command; here {instead}")
        if key == "time.t_end" and not any(given.get(each) for each in ("position_error", "time_position_error")):
            raise UsageError(f"{name} ({key}) is the time for which position_error is asked; else sim.run(until) says how far")
        for each in value.values() if isinstance(value, Mapping) else (value,):
            plain(name, each)
        text = _toml(value)
        if type_ == "text":
            if not isinstance(value, str):
                raise UsageError(f"{key} must be text, not {value!r}")
            text = json.dumps(value, ensure_ascii=False)
        settings.append(f"{key}={text}")
    return settings


def _with_present_names(given: Mapping[str, Any]) -> dict[str, Any]:
    present: dict[str, Any] = {}
    for name, value in given.items():
        now = former_keywords().get(name, name)
        if now != name:
            warn(f"the keyword {name} is now called {now}")
        if now in present:
            raise UsageError(f"{name} and {now} are two names of one keyword: give {now} alone")
        present[now] = value
    return present


def _of_model(name: str, value: Any, bodies: Any) -> str:
    """How a parameter of the model is given."""
    if getattr(value, "shape", None) == ():
        value = value.item()
    for model in _core.model_catalogue() if isinstance(bodies, str) else ():
        for parameter in model["parameters"] if model["name"] == bodies else ():
            if parameter["name"].lower() == name.lower():
                return f"; it is a parameter of the model '{bodies}': parameters={{'{parameter['name']}': {words(value)}}}"
    return ""


def _need_one_name(given: Mapping[str, Any]) -> None:
    named: dict[str, str] = {}
    for name, value in given.items():
        if value is None or name not in keywords():
            continue
        key = keywords()[name].key
        if key in named:
            raise UsageError(f"{named[key]} and {name} are two names of one thing ({key}): give one of them")
        named[key] = name
