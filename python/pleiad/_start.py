"""Where a simulation starts: from bodies in any form, or from what the settings name."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import json
import os
from collections.abc import Mapping
from glob import escape, glob
from typing import Any

import numpy as np

from . import _core
from ._checked import number, text, whole
from ._columns import COLUMNS, box_of, numbers
from .cosmology import Cosmology
from .errors import MissingFile, UsageError
from .units import Units

_KINDS = {"ids": np.uint64, "types": np.uint8}
# What a dict of bodies may have; those from "format" on say where a file's came from.
_OF_A_STATE = (*COLUMNS, "time", "step", "G", "units", "box", "images", "universe", "format", "units_stated", "notes", "files")


def start_of(bodies: Any, keys: dict[str, Any]) -> tuple[dict[str, Any] | None, list[str]]:
    """The state to start from, or the settings that say where it is."""
    given = [name for name in ("units", "system", "units_system") if keys.get(name) is not None]
    if len(given) > 1:
        raise UsageError(f"{given[0]} and {given[1]} are two names of one thing (units.system): give one of them")
    if given:
        keys["units_system"] = text(given[0], keys.pop(given[0]))
    if isinstance(bodies, (str, os.PathLike)):
        named = os.fspath(bodies)
        models = [model["name"] for model in _core.model_catalogue()]
        if named in models:
            return None, [f"initial_conditions.model={named}"]
        if named == os.path.basename(named) and "." not in named and not glob(f"{escape(named)}*"):
            guess = _core.did_you_mean(named, models).replace("mean '", "mean the model '")
            raise MissingFile(f"there is no model and no file '{named}'{guess or '; the models are ' + ', '.join(models)}")
        return None, settings_file(named)
    state = _state_of(bodies)
    asked = keys.pop("units_system", None)
    if asked is not None and asked != "auto":
        stated = state.get("units")
        physical = stated["physical"] if isinstance(stated, Mapping) else stated not in (None, "nbody")
        # Numbers without units are in those that are named.
        state = _core.convert(state, asked) if physical else {**state, "units": asked, "G": None}
    return state, []


def settings_file(path: str) -> list[str]:
    """The setting that names a file."""
    return [f"initial_conditions.file={json.dumps(path, ensure_ascii=False)}"]


def _state_of(bodies: Any) -> dict[str, Any]:
    if hasattr(bodies, "to_core"):
        data: dict[str, Any] = dict(bodies.to_core())
        return data
    if isinstance(bodies, Mapping):
        data = dict(bodies)
    elif isinstance(bodies, tuple) and len(bodies) == 3:
        data = dict(zip(("positions", "velocities", "masses"), bodies))
    else:
        raise UsageError(
            "bodies must be a Snapshot, a file, the name of a model, a tuple (positions, velocities, masses) or a dict of them"
        )
    for name in data:
        if name not in _OF_A_STATE:
            raise UsageError(f"bodies have no '{name}'{_core.did_you_mean(str(name), list(_OF_A_STATE))}")
    for name in COLUMNS:
        if data.get(name) is not None:
            data[name] = numbers(name, data[name], _KINDS.get(name, np.float64), copy=False)
    if data.get("time") is not None:
        data["time"] = number("time", data["time"])
    if data.get("G") is not None:
        data["G"] = number("G", data["G"])
    if data.get("step") is not None:
        data["step"] = whole("step", data["step"], 0, 2**63 - 1)
    if data.get("box") is not None:
        data["box"] = box_of(data["box"])
    if data.get("universe") is not None:
        data["universe"] = Cosmology.of(data["universe"]).to_core()
    if isinstance(data.get("units"), Units):
        data["units"] = data["units"].to_core()
    return data
