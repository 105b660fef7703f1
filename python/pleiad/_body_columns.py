"""The columns of a snapshot as attributes: what is assigned to one has its shape and becomes of its type."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._columns import column

Floats = NDArray[np.float64]


class BodyColumns:
    """The columns of a Snapshot, which owns them."""

    __slots__ = (
        "_accelerations",
        "_ids",
        "_masses",
        "_positions",
        "_potentials",
        "_softenings",
        "_types",
        "_velocities",
    )

    _accelerations: Floats | None
    _ids: NDArray[np.uint64]
    _masses: Floats
    _positions: Floats
    _potentials: Floats | None
    _softenings: Floats | None
    _types: NDArray[np.uint8]
    _velocities: Floats

    def __len__(self) -> int:
        """The number of bodies."""
        return len(self._masses)

    @property
    def positions(self) -> Floats:
        """``(n, 3)``, length."""
        return self._positions

    @positions.setter
    def positions(self, values: ArrayLike) -> None:
        self._positions = column("positions", values, len(self), 3)

    @property
    def velocities(self) -> Floats:
        """``(n, 3)``, velocity."""
        return self._velocities

    @velocities.setter
    def velocities(self, values: ArrayLike) -> None:
        self._velocities = column("velocities", values, len(self), 3)

    @property
    def masses(self) -> Floats:
        """``(n,)``, mass."""
        return self._masses

    @masses.setter
    def masses(self, values: ArrayLike) -> None:
        self._masses = column("masses", values, len(self))

    @property
    def ids(self) -> NDArray[np.uint64]:
        """``(n,)``, all different."""
        return self._ids

    @ids.setter
    def ids(self, values: ArrayLike) -> None:
        self._ids = column("ids", values, len(self), kind=np.uint64)

    @property
    def types(self) -> NDArray[np.uint8]:
        """``(n,)``, see :class:`Type`."""
        return self._types

    @types.setter
    def types(self, values: ArrayLike) -> None:
        self._types = column("types", values, len(self), kind=np.uint8)

    @property
    def accelerations(self) -> Floats | None:
        """``(n, 3)``, velocity^2 / length, G included; ``None`` where they are not known."""
        return self._accelerations

    @accelerations.setter
    def accelerations(self, values: ArrayLike | None) -> None:
        self._accelerations = None if values is None else column("accelerations", values, len(self), 3)

    @property
    def potentials(self) -> Floats | None:
        """``(n,)``, velocity^2, G included; ``None`` where they are not known."""
        return self._potentials

    @potentials.setter
    def potentials(self, values: ArrayLike | None) -> None:
        self._potentials = None if values is None else column("potentials", values, len(self))

    @property
    def softenings(self) -> Floats | None:
        """``(n,)``, length, at least 0; ``None`` where the bodies have none of their own."""
        return self._softenings

    @softenings.setter
    def softenings(self, values: ArrayLike | None) -> None:
        self._softenings = None if values is None else column("softenings", values, len(self))
