"""Reads and writes files of snapshots."""
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
def read(path: str | os.PathLike[str], units: Units | str | None = None, *, physical: bool = False) -> Snapshot:
    """Reads a snapshot in any format: GADGET HDF5, GADGET-1/2, TIPSY or CSV, sets of several files included.

    Parameters
    ----------
    path
        The file; one part, or the common name, of a set.
    units
        The units of the numbers. They replace those that the file states.
    physical
        Whether the bodies of a cosmological file are made physical. Otherwise they are comoving, with the `universe` of the file.

    Returns
    -------
    Snapshot
        The bodies. ``notes`` has remarks on the file, such as assumed units.

    Raises
    ------
    MissingFile
        When there is no such file: an `InputError` and a `FileNotFoundError`.
    InputError
        If the file is damaged; the message names the position and the fault.
    """
    return Snapshot.from_core(
        _core.read(os.fspath(path), None if units is None else Units.of(units).to_core(), physical)
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
    """Writes a snapshot. The file is complete or does not exist.

    Parameters
    ----------
    snapshot
        The bodies to write.
    path
        The file.
    format
        ``hdf5``, ``gadget1``, ``gadget2``, ``tipsy``, ``tipsy-little`` or ``csv``; by default it follows from the
        ending of the path.
    units
        The units in the file. Default: those of the snapshot.
    single
        Single precision in HDF5. The binary formats always have single precision, CSV never has.
    box_size
        ``BoxSize`` of an HDF5 file in open space; -1: a round length that holds all bodies.
    provenance
        A text that is stored in HDF5, and as one line in CSV.

    Returns
    -------
    list of str
        A phrase for each thing that the format cannot store; empty if nothing is lost.

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
