"""What a snapshot makes of itself for other packages, and of their objects: see `pleiad.convert`."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import astropy.table
    import pandas
    import xarray

    from .snapshot import Snapshot
    from .units import Units


class Conversions:
    """The conversions of a Snapshot, which import other packages when they are called."""

    __slots__ = ()

    def to_astropy(self: Any) -> astropy.table.QTable:
        """As an astropy table of quantities; see :func:`pleiad.convert.to_astropy`."""
        from . import convert

        return convert.to_astropy(self)

    @classmethod
    def from_astropy(cls, table: astropy.table.QTable, units: Units | str | None = None) -> Snapshot:
        """Of an astropy table; see :func:`pleiad.convert.from_astropy`."""
        from . import convert

        return convert.from_astropy(table, units)

    def to_pandas(self: Any) -> pandas.DataFrame:
        """As a pandas ``DataFrame``; see :func:`pleiad.convert.to_pandas`."""
        from . import convert

        return convert.to_pandas(self)

    @classmethod
    def from_pandas(cls, frame: pandas.DataFrame) -> Snapshot:
        """Of a pandas ``DataFrame``; see :func:`pleiad.convert.from_pandas`."""
        from . import convert

        return convert.from_pandas(frame)

    def to_xarray(self: Any) -> xarray.Dataset:
        """As an xarray ``Dataset``; see :func:`pleiad.convert.to_xarray`."""
        from . import convert

        return convert.to_xarray(self)

    @classmethod
    def from_xarray(cls, dataset: xarray.Dataset) -> Snapshot:
        """Of an xarray ``Dataset``; see :func:`pleiad.convert.from_xarray`."""
        from . import convert

        return convert.from_xarray(dataset)

    def to_yt(self: Any) -> Any:
        """As a yt dataset in memory; see :func:`pleiad.convert.to_yt`."""
        from . import convert

        return convert.to_yt(self)

    def to_pynbody(self: Any) -> Any:
        """As a pynbody ``SimSnap`` in memory; see :func:`pleiad.convert.to_pynbody`."""
        from . import convert

        return convert.to_pynbody(self)
