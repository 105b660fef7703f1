"""Files of snapshots: read in any format, and written."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import os

from . import _core
from ._checked import checked
from .snapshot import Snapshot
from .units import Units

__all__ = ["read", "write"]


def __dir__() -> list[str]:
    return __all__


@checked
def read(path: str | os.PathLike[str], units: Units | str | None = None) -> Snapshot:
    """Reads a snapshot in any format: GADGET HDF5, GADGET-1/2, TIPSY or CSV, sets of several files included.

    Parameters
    ----------
    path
        The file; one part, or the common name, of a set.
    units
        What its numbers are in, whatever the file states; without it that is believed.

    Returns
    -------
    Snapshot
        ``notes`` has what should be known about the file.

    Raises
    ------
    MissingFile
        When there is no such file: an `InputError` and a `FileNotFoundError`.
    InputError
        Names the file, the place in it, and what is wrong there.
    """
    return Snapshot.from_core(
        _core.read(os.fspath(path), None if units is None else Units.of(units).to_core())
    )


@checked
def write(
    snapshot: Snapshot,
    path: str | os.PathLike[str],
    format: str | None = None,
    units: Units | str | None = None,
    *,
    single: bool = False,
    box_size: float = -1.0,
    provenance: str = "",
) -> list[str]:
    """Writes a snapshot; the file is whole or not there.

    Parameters
    ----------
    snapshot
        What is written.
    path
        The file.
    format
        ``hdf5``, ``gadget1``, ``gadget2``, ``tipsy``, ``tipsy-little`` or ``csv``; without it the ending of
        the path says so.
    units
        Those of the file; the snapshot's own where none are given.
    single
        Single precision in HDF5. (The binary formats always are, CSV never is.)
    box_size
        ``BoxSize`` of an HDF5 file in open space; -1: a round length that holds all bodies.
    provenance
        A text that is kept in HDF5, and of one line in CSV.

    Returns
    -------
    list of str
        What the format cannot keep of this snapshot, a phrase each; empty where nothing is lost.

    Raises
    ------
    UsageError
        For an unknown format or ending, or units that cannot be converted to.
    ResourceError
        When it cannot be written.
    """
    return list(
        _core.write(
            snapshot.to_core(),
            os.fspath(path),
            format,
            None if units is None else Units.of(units).to_core(),
            box_size=box_size,
            double_precision=not single,
            provenance=provenance,
        )
    )
