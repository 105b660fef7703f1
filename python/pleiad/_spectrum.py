"""The linear power spectrum of a universe, as the library takes it."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import os
from typing import Any

from ._checked import number
from .errors import UsageError


def spectrum_of(
    sigma8: float | None,
    a_s: float | None,
    n_s: float,
    transfer: str,
    power: str | os.PathLike[str] | None = None,
    power_redshift: float = 0.0,
) -> dict[str, Any]:
    """What the library takes for a spectrum."""
    if transfer not in ("eisenstein-hu", "no-wiggle"):
        raise UsageError(f"transfer must be 'eisenstein-hu' or 'no-wiggle', not {transfer!r}")
    if power is None and sigma8 is None and a_s is None:
        sigma8 = 0.8102
    return {
        "sigma8": None if sigma8 is None else number("sigma8", sigma8),
        "a_s": None if a_s is None else number("a_s", a_s),
        "n_s": n_s,
        "transfer": transfer,
        "power": "" if power is None else os.fspath(power),
        "power_redshift": power_redshift,
    }
