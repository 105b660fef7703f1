"""Snapshots to and from objects of other packages, which are imported here alone and when asked for."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from ._datasets import to_pynbody, to_yt
from ._tables import from_astropy, from_pandas, from_xarray, to_astropy, to_pandas, to_xarray

__all__ = [
    "from_astropy",
    "from_pandas",
    "from_xarray",
    "to_astropy",
    "to_pandas",
    "to_pynbody",
    "to_xarray",
    "to_yt",
]
