"""Ensembles: many small systems at once, each with its own bodies, force law and time."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._checked import checked, plain
from ._columns import numbers
from ._module import for_backend
from ._renamed import renamed
from ._strict import Strict
from .errors import UsageError
from .snapshot import Snapshot
from .table import Table

__all__ = ["Ensemble"]


def __dir__() -> list[str]:
    return __all__


class Ensemble(Strict):
    """Many small systems that are advanced together.

    On the CPU members may differ in all settings, and each has the bits of a separate simulation. On a GPU
    members with the same number of bodies, G and method share one launch. A member that fails, or that is
    retired, stops; the others continue.

    ``eps``, ``dt``, ``integrator``, ``adaptive``, ``eta``, ``damping``, ``corrector``, ``groups``, ``group_radius`` and
    ``slow_down`` are one for all members, or one for each.

    Parameters
    ----------
    members
        The systems at their start.
    eps
        Softening length.
    dt
        Time step; of adaptive steps the longest.
    integrator
        ``kdk``, ``dkd``, ``euler``, ``forest-ruth``, ``blanes-moan4``, ``yoshida6``, ``kahan-li8``, ``hermite4``,
        ``hermite6``, ``gauss-radau``, ``ar-chain``, ``wisdom-holman``, ``wisdom-holman-jacobi``,
        ``wisdom-holman-hybrid``, ``block-kdk`` or ``hermite4-block``.
    adaptive
        Whether the length of each step follows from ``eta``.
    eta
        Accuracy parameter of adaptive and block steps; smaller values are more accurate. ``None``: 0.005 with ``hermite4-block``,
        else 0.02.
    damping
        The factor of the velocities in each step of ``euler``.
    corrector
        The order of a symplectic corrector of ``wisdom-holman`` and ``wisdom-holman-jacobi``: 3, 5, 7, 11, or 0
        for none.
    groups
        Of ``hermite4-block``: ``regularised`` moves bodies that come close to each other as one group; ``off``.
    group_radius
        The distance at which two bodies of the mean mass become a group; 0: chosen from the bodies.
    slow_down
        Whether weakly pulled binaries in groups of three and more make fewer orbits.
    dimension
        2: all bodies stay in the plane z = 0.
    precision
        ``mixed``, ``f64`` or ``f32``; ``auto``: ``f64`` where at most 256 bodies of a system have mass, or one holds more than
        half of the mass of at most 10,000, else ``mixed``.
    backend
        ``auto``, ``cpu`` or ``cuda``.
    kernel
        ``auto``, or the name of a force method.
    threads
        Number of threads (0: all). Results are identical for any number.

    Raises
    ------
    UsageError
        For invalid options, with the member.
    InputError
        For invalid bodies.

    Examples
    --------
    >>> start = [pleiad.models.plummer(64, seed=k) for k in range(1, 11)]
    >>> clusters = pleiad.Ensemble(start, eps=0.02, dt=1 / 128)
    >>> clusters.run(1.0)
    <pleiad.Ensemble: 10 systems, 10 ok>
    >>> radii = clusters.diagnostics()["half_mass_radius"]
    """

    __slots__ = ("__weakref__", "_core")

    @checked
    def __init__(
        self,
        members: Sequence[Snapshot],
        eps: ArrayLike = 0.0,
        dt: ArrayLike | None = None,
        *,
        integrator: str | Sequence[str] = "kdk",
        adaptive: ArrayLike = False,
        eta: ArrayLike | None = None,
        damping: ArrayLike = 1.0,
        corrector: ArrayLike = 0,
        groups: str | Sequence[str] = "off",
        group_radius: ArrayLike = 0.0,
        slow_down: ArrayLike = True,
        dimension: int = 3,
        precision: str = "auto",
        backend: str = "auto",
        kernel: str = "auto",
        threads: int = 0,
    ) -> None:
        if dt is None:
            raise UsageError("an ensemble needs dt, the time step")
        settings = {
            "softening": eps,
            "dt": dt,
            "integrator": integrator,
            "adaptive": adaptive,
            "eta": eta,
            "damping": damping,
            "corrector": corrector,
            "groups": groups,
            "group_radius": group_radius,
            "slow_down": slow_down,
        }
        each = {name: _for_each(name, value, len(members)) for name, value in settings.items()}
        methods = [
            {"dimension": dimension, **{name: values[k] for name, values in each.items()}}
            for k in range(len(members))
        ]
        first = [member.to_core() for member in members]
        module = for_backend(backend, kernel)
        self._core: Any = module.Ensemble(first, methods, precision, backend, kernel, threads)
        self._core.diagnostics()  # the first ones are the reference of energy errors

    def __len__(self) -> int:
        """The number of members."""
        return int(self._core.size)

    def __getitem__(self, member: int) -> Snapshot:
        """The bodies of one member now."""
        k = range(len(self))[member]
        return Snapshot.from_core(self._core.snapshot(k))

    def __iter__(self) -> Iterator[Snapshot]:
        return (self[k] for k in range(len(self)))

    def __repr__(self) -> str:
        kinds, counts = np.unique(self.status, return_counts=True)
        told = ", ".join(f"{count} {kind}" for kind, count in zip(kinds, counts, strict=True))
        return f"<pleiad.Ensemble: {len(self)} systems, {told}>"

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self)[1:-1])}</p>{self.diagnostics()._repr_html_()}"

    @property
    def status(self) -> NDArray[np.str_]:
        """``(members,)``: the status of each member.

        ``ok``, ``escaped``, ``not finite``, ``energy limit``, ``step limit`` or ``step too small``; only
        members that are ``ok`` continue.
        """
        return np.array(self._core.statuses, dtype=np.str_)

    @property
    def times(self) -> NDArray[np.float64]:
        """``(members,)``: the time of each member."""
        return np.array(self._core.times)

    @property
    def steps(self) -> NDArray[np.uint64]:
        """``(members,)``: the number of steps of each member."""
        return np.array(self._core.steps)

    @property
    def positions(self) -> NDArray[np.float64]:
        """``(members, n, 3)``, where all members have n bodies; a copy.

        Raises
        ------
        UsageError
            When members have different numbers of bodies.
        """
        return self._stacked("positions")

    @property
    def velocities(self) -> NDArray[np.float64]:
        """``(members, n, 3)``, likewise."""
        return self._stacked("velocities")

    def _stacked(self, name: str) -> NDArray[np.float64]:
        columns = [self._core.snapshot(k)[name] for k in range(len(self))]
        if len({column.shape for column in columns}) > 1:
            raise UsageError(
                f"members have different numbers of bodies: take the {name} of one, ensemble[k].{name}"
            )
        return np.stack(columns) if columns else np.empty((0, 0, 3))

    @checked
    def run(self, until: float) -> Ensemble:
        """Advances all members to exactly this time. Ctrl-C ends the call between two steps; call it again to continue.

        Parameters
        ----------
        until
            The time.

        Returns
        -------
        Ensemble
            Itself.

        Raises
        ------
        UsageError
            If the time is past, or not a whole number of fixed steps away.
        """
        self._core.run_until(float(until))
        return self

    @checked(most=(0, 2**63 - 1))
    def limit_steps(self, most: int) -> None:
        """Freezes members after `most` steps, with the status ``step limit``.

        Parameters
        ----------
        most
            Steps since the start of a member; 0: no limit.
        """
        self._core.limit_steps(int(most))

    @renamed(why="reason")
    @checked
    def retire(self, members: ArrayLike, reason: str = "escaped") -> None:
        """Stops members.

        Parameters
        ----------
        members
            An index, indices, or a mask ``(members,)``.
        reason
            Their new status: one of those of `status`. Its old name is ``why``, which warns.

        Raises
        ------
        UsageError
            For members that do not exist, and for another status.
        """
        which = numbers("members", members, None, copy=False)
        if which.size > 0 and which.dtype.kind not in "iub":
            raise UsageError("members must be an index, indices or a mask")
        for k in np.ravel(np.arange(len(self))[which if which.size > 0 else []]):
            self._core.retire(int(k), reason)

    def diagnostics(self) -> Table:
        """Returns a row for each member, computed from its present bodies in double precision; the same on every device.

        Returns
        -------
        Table
            ``status``, ``time``, ``step``, ``kinetic``, ``potential``, ``energy``, ``energy_error`` since the
            start ((E - E0) / abs(E0), or / (T0 + abs(W0)) where E0 is below 1e-6 of that), ``virial_ratio`` (of the bodies
            themselves: T relative to the centre of mass, W without external potentials),
            ``half_mass_radius``, ``closest`` (the smallest separation of two bodies now), ``bound`` (the part
            of the bodies that are bound to the rest), ``escapers`` (bodies that are unbound, recede and are
            far away), ``escaper`` (the id of the farthest of them), ``lx``, ``ly`` and ``lz``.
        """
        columns: dict[str, Any] = {"status": self.status, **self._core.diagnostics()}
        columns.update(zip(("lx", "ly", "lz"), columns.pop("angular_momentum").T, strict=True))
        return Table(columns)

    def describe(self) -> dict[str, Any]:
        """Returns how the forces are computed.

        Returns
        -------
        dict
            ``device``, ``kernel``, ``precision``, ``why``, ``threads`` and ``gpus``.
        """
        return dict(self._core.describe())


def _for_each(name: str, value: Any, members: int) -> list[Any]:
    """One value for all, or one for each."""
    try:
        values = np.asarray(plain(name, value))
    except (TypeError, ValueError) as failure:
        raise UsageError(f"{name} must be one value, or one for each member: {failure}") from None
    if values.ndim == 0:
        return [values.item()] * members
    if values.shape != (members,):
        raise UsageError(
            f"{name} must be one value, or one for each of the {members} members, not {values.shape}"
        )
    made: list[Any] = values.tolist()
    return made
