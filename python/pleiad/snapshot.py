"""Snapshots: the bodies at one time as NumPy columns."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._body_columns import BodyColumns
from ._checked import add_kind, checked, number, whole, words
from ._columns import COLUMNS, box_of, column, numbers
from ._conversions import Conversions
from ._measures import Measures
from ._renamed import deprecated
from ._strict import Strict
from .cosmology import Cosmology
from .errors import UsageError
from .units import Units

__all__ = ["Snapshot", "Type", "concatenate"]


def __dir__() -> list[str]:
    return __all__


class Type(IntEnum):
    """Types of bodies, in GADGET's numbering: ``snapshot[snapshot.types == pleiad.Type.disc]``."""

    gas = 0
    halo = 1
    disc = 2
    bulge = 3
    star = 4
    boundary = 5


class Snapshot(Strict, BodyColumns, Measures, Conversions):
    """The bodies at one time.

    All columns have the same length, are owned by the snapshot and may be written. A value that is assigned to a column is
    converted to its type and must have its shape; a single number stands for all bodies:
    ``snapshot.masses = 1 / len(snapshot)``.

    Parameters
    ----------
    positions
        ``(n, 3)``, length.
    velocities
        ``(n, 3)``; without them the bodies are at rest.
    masses
        ``(n,)``, or one number for all.
    ids
        ``(n,)``, whole numbers from 0 on, all different; 0 ... n - 1 where none are given.
    types
        ``(n,)``, see :class:`Type`; all ``halo`` where none are given.
    accelerations, potentials
        ``(n, 3)`` and ``(n,)``, G included; only where they are known.
    softenings
        ``(n,)``, softening lengths of the bodies; without them all have that of the simulation.
    time, step
        The time and the step of the bodies.
    units
        A name, such as ``"galactic"``, or :class:`Units`.
    G
        The gravitational constant; that of the units where none is given.
    box
        The sides of a periodic box, one number or three; ``None`` in open space.
    images
        Images that exert forces in a periodic box: ``"nearest"`` or ``"all"``.
    universe
        The :class:`Cosmology` that comoving bodies are in, or ``None``. Then ``time`` is the scale factor, lengths are comoving
        and per h, masses per h, and velocities are peculiar ones.

    Raises
    ------
    UsageError
        For a column whose shape does not fit.

    Examples
    --------
    >>> import pleiad
    >>> pair = pleiad.Snapshot([[-0.5, 0, 0], [0.5, 0, 0]], [[0, -0.5, 0], [0, 0.5, 0]], masses=0.5)
    >>> pair
    <pleiad.Snapshot: 2 bodies at time 0, nbody units>
    >>> pair.masses.tolist()
    [0.5, 0.5]
    >>> right = pair[pair.positions[:, 0] > 0]
    >>> right.positions.tolist()
    [[0.5, 0.0, 0.0]]
    """

    __slots__ = (
        "G",
        "box",
        "images",
        "notes",
        "step",
        "time",
        "units",
        "universe",
    )

    G: float
    box: tuple[float, float, float] | None
    images: str
    notes: list[str]
    step: int
    time: float
    units: Units
    universe: Cosmology | None

    @checked(step=(0, 2**63 - 1))
    def __init__(
        self,
        positions: ArrayLike,
        velocities: ArrayLike | None = None,
        masses: ArrayLike = 1.0,
        *,
        ids: ArrayLike | None = None,
        types: ArrayLike | None = None,
        accelerations: ArrayLike | None = None,
        potentials: ArrayLike | None = None,
        softenings: ArrayLike | None = None,
        time: float = 0.0,
        step: int = 0,
        units: Units | str | Mapping[str, Any] = "nbody",
        G: float | None = None,
        box: float | Sequence[float] | None = None,
        images: str = "nearest",
        universe: Cosmology | Mapping[str, Any] | None = None,
    ) -> None:
        places = numbers("positions", positions, np.float64)
        if places.ndim != 2 or places.shape[1] != 3:
            raise UsageError(f"positions must have the shape (n, 3), not {places.shape}")
        self._positions = places
        n = len(places)
        self._velocities = column("velocities", 0.0 if velocities is None else velocities, n, 3)
        self._masses = column("masses", masses, n)
        self._ids = column(
            "ids", np.arange(n) if ids is None else ids, n, kind=np.uint64
        )
        self._types = column(
            "types", Type.halo if types is None else types, n, kind=np.uint8
        )
        self._accelerations = None
        self._potentials = None
        self._softenings = None
        self.accelerations = accelerations
        self.potentials = potentials
        self.softenings = softenings
        self.time, self.step = time, step
        self.units = Units.of(units)
        self.G = self.units.G if G is None else G
        self.box = None if box is None else box_of(box)
        self.images = images
        self.universe = None if universe is None else Cosmology.of(universe)
        #: What reading a file had to say: units that were assumed, blocks that were left out.
        self.notes = []

    if not TYPE_CHECKING:

        def __setattr__(self, name: str, value: Any) -> None:
            super().__setattr__(name, _VALUES[name](name, value) if name in _VALUES else value)

    @classmethod
    def from_core(cls, data: Mapping[str, Any]) -> Snapshot:
        """Makes a snapshot from data of the extension module; the columns are not copied.

        Parameters
        ----------
        data
            A result of :meth:`to_core`.

        Returns
        -------
        Snapshot
            With these columns.
        """
        made = cls.__new__(cls)
        made._positions, made._velocities, made._masses = (
            data["positions"],
            data["velocities"],
            data["masses"],
        )
        made._ids, made._types = data["ids"], data["types"]
        made._accelerations, made._potentials = data.get("accelerations"), data.get("potentials")
        made._softenings = data.get("softenings")
        made.time, made.step, made.G = float(data["time"]), int(data["step"]), float(data["G"])
        made.units = Units.of(data["units"])
        made.box, made.images = data["box"], data["images"]
        universe = data.get("universe")
        made.universe = None if universe is None else Cosmology.of(universe)
        made.notes = list(data.get("notes", ()))
        return made

    def to_core(self) -> dict[str, Any]:
        """Converts for the extension module; the columns are not copied.

        Returns
        -------
        dict
            The columns, and ``time``, ``step``, ``G``, ``units``, ``box``, ``images`` and ``universe``.
        """
        return {
            "positions": self._positions,
            "velocities": self._velocities,
            "masses": self._masses,
            "ids": self._ids,
            "types": self._types,
            "accelerations": self._accelerations,
            "potentials": self._potentials,
            "softenings": self._softenings,
            "time": self.time,
            "step": self.step,
            "G": self.G,
            "units": self.units.to_core(),
            "box": self.box,
            "images": self.images,
            "universe": None if self.universe is None else self.universe.to_core(),
        }

    def __getitem__(self, bodies: Any) -> Snapshot:
        """Some of the bodies, copied: a slice, a mask, indices, or one index."""
        if isinstance(bodies, int | np.integer):
            bodies = [bodies]
        try:
            chosen = np.arange(len(self))[bodies]
        except IndexError as failure:
            raise IndexError(f"of {len(self)} bodies: {failure}") from None
        data = self.to_core()
        for name in COLUMNS:
            if data[name] is not None:
                data[name] = data[name][chosen]
        return Snapshot.from_core(data)

    def copy(self) -> Snapshot:
        """Returns a copy with its own columns.

        Returns
        -------
        Snapshot
            Equal to this one.
        """
        return self[:]

    def __eq__(self, other: object) -> bool:
        """Whether everything is the same, to the last bit."""
        if not isinstance(other, Snapshot):
            return NotImplemented
        mine, theirs = self.to_core(), other.to_core()
        return all(
            np.array_equal(mine[key], theirs[key]) if key in COLUMNS else mine[key] == theirs[key]
            for key in mine
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def redshift(self) -> float | None:
        """1 / a - 1 of comoving bodies, whose time is the scale factor a; ``None`` without a universe."""
        return None if self.universe is None else 1 / self.time - 1

    def __repr__(self) -> str:
        when = f"time {self.time:g}" if self.redshift is None else f"z = {round(self.redshift, 12):g}"
        box = "" if self.box is None else f", box {' x '.join(f'{side:g}' for side in self.box)}"
        return f"<pleiad.Snapshot: {len(self)} bodies at {when}, {self.units.name} units{box}>"

    def _repr_html_(self) -> str:
        from base64 import b64encode
        from html import escape

        picture = ""
        if len(self) > 0:
            image = b64encode(_core.render(self.to_core(), 256)).decode()
            picture = f'<img alt="the bodies" width="256" src="data:image/png;base64,{image}">'
        return f"<div>{picture}<p>{escape(repr(self)[1:-1])}</p></div>"

    @checked
    def convert(self, units: Units | str) -> Snapshot:
        """Converts to other units, G included.

        Parameters
        ----------
        units
            A name, such as ``"galactic"``, or :class:`Units`.

        Returns
        -------
        Snapshot
            With columns of its own.

        Raises
        ------
        UsageError
            When one of the systems has a physical scale and the other has not.
        """
        return Snapshot.from_core(_core.convert(self.to_core(), Units.of(units).to_core()))


def _images(name: str, value: Any) -> str:
    if value not in ("nearest", "all"):
        raise UsageError(f"{name} must be 'nearest' or 'all', not {value!r}")
    return str(value)


_VALUES: dict[str, Callable[[str, Any], Any]] = {
    "time": number,
    "step": partial(whole, low=0, high=2**63 - 1),
    "G": number,
    "units": lambda _, value: Units.of(value),
    "box": lambda _, value: None if value is None else box_of(value),
    "images": _images,
    "universe": lambda _, value: None if value is None else Cosmology.of(value),
}


def _snapshot(name: str, value: Any) -> Snapshot:
    if not isinstance(value, Snapshot):
        raise UsageError(f"{name} must be a Snapshot, not {words(value)}")
    return value


def _snapshots(name: str, values: Any) -> list[Snapshot]:
    try:
        if hasattr(values, "to_core"):
            raise TypeError
        values = list(values)
    except TypeError:
        raise UsageError(f"{name} must be snapshots, not {words(values)}") from None
    return [_snapshot(f"{name}[{k}]", value) for k, value in enumerate(values)]


add_kind("Snapshot", _snapshot)
add_kind("Sequence[Snapshot]", _snapshots)


@checked
def concatenate(snapshots: Sequence[Snapshot]) -> Snapshot:
    """All bodies of several snapshots, one snapshot after the other.

    Units, G, time and box are those of the first; others are converted to its units. Ids are kept where they
    are all different; otherwise bodies are numbered from 0.

    Parameters
    ----------
    snapshots
        One or more.

    Returns
    -------
    Snapshot
        All bodies.

    Raises
    ------
    UsageError
        When there is none, or units cannot be converted.

    Examples
    --------
    >>> one, two = pleiad.models.plummer(100), pleiad.models.plummer(50, seed=2)
    >>> two.positions += [4, 0, 0]
    >>> len(pleiad.concatenate([one, two]))
    150
    """
    if not snapshots:
        raise UsageError("concatenate needs at least one snapshot")
    parts = [s if s.units == snapshots[0].units else s.convert(snapshots[0].units) for s in snapshots]
    data = parts[0].to_core()
    for name in COLUMNS:
        columns = [part.to_core()[name] for part in parts]
        data[name] = None if any(column is None for column in columns) else np.concatenate(columns)
    if len(np.unique(data["ids"])) < len(data["ids"]):
        data["ids"] = np.arange(len(data["ids"]), dtype=np.uint64)
    return Snapshot.from_core(data)


@deprecated("pleiad.join is now called pleiad.concatenate")
def join(snapshots: Sequence[Snapshot]) -> Snapshot:
    """The old name of :func:`concatenate`, which warns."""
    return concatenate(snapshots)
