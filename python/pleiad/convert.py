"""Snapshots to and from objects of other packages, which are imported when they are used."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from typing import TYPE_CHECKING

from ._datasets import to_pynbody, to_yt
from ._tables import columns_of_astropy, columns_of_pandas, columns_of_xarray, to_astropy, to_pandas, to_xarray
from .snapshot import Snapshot

if TYPE_CHECKING:
    import astropy.table
    import pandas
    import xarray

    from .units import Units

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


def __dir__() -> list[str]:
    return __all__


def from_astropy(table: astropy.table.QTable, units: Units | str | None = None) -> Snapshot:
    """Makes a snapshot from an astropy table: one that :func:`to_astropy` made, or any other with ``positions`` and ``masses``.

    Parameters
    ----------
    table
        Columns as :func:`to_astropy` makes them, in any units; only ``positions`` and ``masses`` must be
        there.
    units
        The units of the snapshot. Default: those that ``meta`` states, otherwise N-body units.

    Returns
    -------
    Snapshot
        With the same numbers where the units are the same.

    Raises
    ------
    UsageError
        For a table without these columns, or with units that cannot be converted.
    """
    return Snapshot(**columns_of_astropy(table, units))


def from_pandas(frame: pandas.DataFrame) -> Snapshot:
    """Makes a snapshot from a pandas ``DataFrame`` with columns as :func:`to_pandas` names them.

    Parameters
    ----------
    frame
        ``mass``, ``x``, ``y`` and ``z`` must be there; whatever else is not has its default.

    Returns
    -------
    Snapshot
        With the time, units, G and box of ``attrs``.

    Raises
    ------
    UsageError
        For a frame without these columns.
    """
    return Snapshot(**columns_of_pandas(frame))


def from_xarray(dataset: xarray.Dataset) -> Snapshot:
    """Makes a snapshot from an xarray ``Dataset`` with variables as :func:`to_xarray` names them.

    Parameters
    ----------
    dataset
        ``positions`` and ``masses`` must be there; whatever else is not has its default.

    Returns
    -------
    Snapshot
        With the time, units, G and box of ``attrs``.

    Raises
    ------
    UsageError
        For a dataset without these variables.
    """
    return Snapshot(**columns_of_xarray(dataset))
