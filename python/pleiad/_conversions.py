"""What a snapshot makes of itself for other packages, and of their objects: see `pleiad.convert`."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _datasets, _tables

if TYPE_CHECKING:
    import astropy.table
    import pandas
    import xarray
    from typing_extensions import Self

    from .units import Units


class Conversions:
    """The conversions of a Snapshot, which import other packages when they are called."""

    __slots__ = ()

    if TYPE_CHECKING:

        def __init__(self, positions: Any, **columns: Any) -> None: ...

    def to_astropy(self: Any) -> astropy.table.QTable:
        """Converts to an astropy table of quantities; see :func:`pleiad.convert.to_astropy`.

        Returns
        -------
        astropy.table.QTable
            A row for each body.

        Raises
        ------
        ImportError
            Without astropy.
        """
        return _tables.to_astropy(self)

    @classmethod
    def from_astropy(cls, table: astropy.table.QTable, units: Units | str | None = None) -> Self:
        """Makes a snapshot from an astropy table; see :func:`pleiad.convert.from_astropy`.

        Parameters
        ----------
        table
            At least ``positions``, ``(n, 3)``, and ``masses``, ``(n,)``.
        units
            The units of the snapshot. Default: those that the table states, otherwise N-body units.

        Returns
        -------
        Snapshot
            The bodies.

        Raises
        ------
        UsageError
            For a table without these columns, or with units that cannot be converted.
        """
        return cls(**_tables.columns_of_astropy(table, units))

    def to_pandas(self: Any) -> pandas.DataFrame:
        """Converts to a pandas ``DataFrame``; see :func:`pleiad.convert.to_pandas`.

        Returns
        -------
        pandas.DataFrame
            A row for each body.

        Raises
        ------
        ImportError
            Without pandas.
        """
        return _tables.to_pandas(self)

    @classmethod
    def from_pandas(cls, frame: pandas.DataFrame) -> Self:
        """Makes a snapshot from a pandas ``DataFrame``; see :func:`pleiad.convert.from_pandas`.

        Parameters
        ----------
        frame
            At least the columns ``x``, ``y``, ``z`` and ``mass``.

        Returns
        -------
        Snapshot
            The bodies.

        Raises
        ------
        UsageError
            For a frame without these columns.
        """
        return cls(**_tables.columns_of_pandas(frame))

    def to_xarray(self: Any) -> xarray.Dataset:
        """Converts to an xarray ``Dataset``; see :func:`pleiad.convert.to_xarray`.

        Returns
        -------
        xarray.Dataset
            The columns over the dimensions ``body`` and ``axis``.

        Raises
        ------
        ImportError
            Without xarray.
        """
        return _tables.to_xarray(self)

    @classmethod
    def from_xarray(cls, dataset: xarray.Dataset) -> Self:
        """Makes a snapshot from an xarray ``Dataset``; see :func:`pleiad.convert.from_xarray`.

        Parameters
        ----------
        dataset
            At least ``positions``, ``(n, 3)``, and ``masses``, ``(n,)``.

        Returns
        -------
        Snapshot
            The bodies.

        Raises
        ------
        UsageError
            For a dataset without these variables.
        """
        return cls(**_tables.columns_of_xarray(dataset))

    def to_yt(self: Any) -> Any:
        """Converts to a yt dataset in memory; see :func:`pleiad.convert.to_yt`.

        Returns
        -------
        yt.data_objects.static_output.Dataset
            A dataset of particles, with units and time.

        Raises
        ------
        ImportError
            Without yt.
        """
        return _datasets.to_yt(self)

    def to_pynbody(self: Any) -> Any:
        """Converts to a pynbody ``SimSnap`` in memory; see :func:`pleiad.convert.to_pynbody`.

        Returns
        -------
        pynbody.snapshot.simsnap.SimSnap
            The bodies by family, with units and time.

        Raises
        ------
        ImportError
            Without pynbody.
        """
        return _datasets.to_pynbody(self)
