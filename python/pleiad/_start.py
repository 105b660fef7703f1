"""Where a simulation starts: from bodies in any form, or from what the settings name."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from pleiad import _core
from pleiad.errors import UsageError


def start_of(bodies: Any, keys: dict[str, Any]) -> tuple[dict[str, Any] | None, list[str]]:
    """The state to start from, or the settings that say where it is."""
    units = keys.get("units")
    if isinstance(units, str) and "units_system" not in keys:
        keys["units_system"] = keys.pop("units")
    if isinstance(bodies, (str, os.PathLike)):
        text = os.fspath(bodies)
        if any(model["name"] == text for model in _core.model_catalogue()):
            return None, [f"initial_conditions.model={text}"]
        return None, settings_file(text)
    state = _state_of(bodies)
    asked = keys.pop("units_system", None)
    if asked is not None and asked != "auto":
        given = state.get("units")
        physical = given["physical"] if isinstance(given, Mapping) else given not in (None, "nbody")
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
    for name, dtype in (("positions", float), ("velocities", float), ("masses", float), ("ids", np.uint64), ("types", np.uint8)):
        if data.get(name) is not None:
            try:
                data[name] = np.asarray(data[name], dtype)
            except (TypeError, ValueError) as e:
                raise UsageError(f"{name} must be an array of numbers: {e}") from None
    return data
