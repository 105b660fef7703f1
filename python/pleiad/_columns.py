"""Columns of a snapshot: what is given as one, as an array of its type and shape."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._checked import plain
from .errors import UsageError

COLUMNS = ("positions", "velocities", "masses", "ids", "types", "accelerations", "potentials", "softenings")


def numbers(name: str, values: Any, kind: Any, copy: bool = True) -> NDArray[Any]:
    """Numbers of that kind, a copy in C order unless `copy` is false; fractions and negative numbers do not become whole ones."""
    try:
        given = np.asarray(plain(name, values))
        if given.dtype.kind in "cMm":
            raise TypeError(f"not {given.dtype}")
        with np.errstate(invalid="ignore", over="ignore"):
            made = np.array(given, dtype=kind, order="C") if copy else np.asarray(given, dtype=kind)
    except (TypeError, ValueError, OverflowError) as failure:
        raise UsageError(f"{name} must be numbers: {failure}") from None
    if kind is not None and np.issubdtype(kind, np.integer) and given.dtype != made.dtype and not np.array_equal(given, made):
        raise UsageError(f"{name} must be whole numbers from 0 to {np.iinfo(kind).max}")
    return made


def column(name: str, values: Any, n: int, width: int = 0, kind: Any = np.float64) -> NDArray[Any]:
    made = numbers(name, values, kind)
    shape = (n, width) if width else (n,)
    if made.ndim == 0:
        return np.full(shape, made)
    if made.shape != shape:
        raise UsageError(f"{name} must have the shape {shape}, not {made.shape}")
    return made


def box_of(box: float | Sequence[float]) -> tuple[float, float, float]:
    sides = numbers("box", box, np.float64)
    if sides.shape not in ((), (3,)):
        raise UsageError(f"box must be one side or three, not of the shape {sides.shape}")
    x, y, z = np.broadcast_to(sides, 3).tolist()
    return x, y, z
