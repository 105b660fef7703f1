"""What can be changed in a simulation between two steps: the step, the softening, the integrator, the bodies; and its copies."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._checked import checked
from ._columns import COLUMNS, numbers
from ._external import External, ExternalAcceleration
from ._module import for_backend
from ._options import settings_of
from .errors import UsageError
from .snapshot import Snapshot, Type

Self = TypeVar("Self", bound="Changes")


class Changes(External):
    """What can be changed in a Simulation, which goes on at the same time and step, and how it is copied."""

    __slots__ = ()

    if TYPE_CHECKING:

        def _begin(self, core: Any) -> None: ...

    @property
    def dt(self) -> float:
        """The time step, in the units of the bodies; of adaptive steps the longest one.

        A new value holds from the next step on. Callbacks are kept: the new steps must reach their times, too.

        Raises
        ------
        UsageError
            If the value is invalid, or if its steps do not reach the time of the next callback.
        """
        return float(self._core.describe()["dt"])

    @dt.setter
    def dt(self, value: float) -> None:
        self._set("dt", value)

    @property
    def eps(self) -> float:
        """Plummer's softening length, in the units of the bodies.

        With a new value the solver is chosen again, as for a new simulation. The energy that the change adds is also added to the
        reference energy, so that `energy_error` remains the error of the steps.

        Raises
        ------
        UsageError
            If the value is invalid.
        """
        return float(self._core.describe()["softening"])

    @eps.setter
    def eps(self, value: float) -> None:
        self._set("eps", value)

    @property
    def integrator(self) -> str:
        """The name of the integrator; a new one makes the next step.

        Raises
        ------
        UsageError
            If there is no integrator of this name, or if it does not fit the other settings.
        """
        return str(self._core.describe()["integrator"])

    @integrator.setter
    def integrator(self, value: str) -> None:
        self._set("integrator", value)

    def _set(self, name: str, value: Any) -> None:
        if value is None:
            raise UsageError(f"{name} must be given: None is no value of it")
        self._load_back()
        self._core.change(settings_of({name: value}), None)
        self._refresh()

    @checked
    def add(
        self,
        bodies: Snapshot | None = None,
        *,
        x: ArrayLike | None = None,
        v: ArrayLike | None = None,
        m: ArrayLike | None = None,
        ids: ArrayLike | None = None,
        types: ArrayLike | None = None,
        a: float | None = None,
        q: float | None = None,
        e: float = 0.0,
        inclination: float = 0.0,
        node: float = 0.0,
        pericentre: float = 0.0,
        true_anomaly: float | None = None,
        mean_anomaly: float | None = None,
        about: str | int = "heaviest",
    ) -> NDArray[np.uint64]:
        """Adds bodies, a snapshot of them or their columns; time, steps, callbacks and your accelerations go on.

        New bodies come after the others. The solver is chosen again, as for a new simulation. Their energy is also
        added to the reference energy, so that `energy_error` remains the error of the steps. `positions`, `velocities` and `masses` are other arrays afterwards,
        and a live view ends.

        Parameters
        ----------
        bodies
            A snapshot, which is converted to the units of the simulation.
        x
            Positions, ``(k, 3)``, or ``(3,)`` of one body.
        v
            Velocities, as `x`; without them the bodies are at rest.
        m
            Masses, ``(k,)``, or one number for all.
        ids
            ``(k,)``, whole numbers that no body has yet. Without them, and where a snapshot has ids that are taken, the bodies
            are numbered on from the largest id.
        types
            ``(k,)``, see :class:`Type`; all ``halo`` where none are given.
        a, q
            One body on an orbit, instead of `x` and `v`: its semi-major axis (negative on a hyperbola), or its pericentre distance.
        e
            Eccentricity; 1 is a parabola, which needs `q`.
        inclination, node, pericentre
            Angles, radians: to the plane z = 0, from the x axis to the ascending node, and on to pericentre.
        true_anomaly, mean_anomaly
            Where it is, radians from pericentre; at pericentre without either.
        about
            What the orbit is about: see :meth:`Snapshot.orbits`.

        Returns
        -------
        numpy.ndarray
            Their ids, ``(k,)``.

        Raises
        ------
        UsageError
            For shapes that do not fit, ids that are taken, and units that cannot be converted.
        InputError
            For invalid bodies: values that are not finite, or negative masses.

        Examples
        --------
        >>> sim = pleiad.Simulation("plummer", parameters={"n": 100}, eps=0.05, dt=1 / 64)
        >>> sim.add(x=[4, 0, 0], v=[0, 0.4, 0], m=0.01).tolist()
        [100]
        >>> sim.run(0.25).N
        101
        >>> sun = pleiad.Snapshot([[0, 0, 0]], None, [1])
        >>> sim = pleiad.Simulation(sun, eps=0, integrator="gauss-radau", adaptive=True, dt=1)
        >>> sim.add(m=1e-3, a=1, e=0.1).tolist(), sim.add(m=1e-3, a=2, true_anomaly=1.5).tolist()
        ([1], [2])
        """
        now = self.snapshot()
        if a is not None or q is not None:
            if any(given is not None for given in (bodies, x, v, types, ids)) or m is None:
                raise UsageError("a body on an orbit has m=, a= or q=, and other elements; not bodies, x=, v=, ids= or types=")
            data = _core.with_body_on_orbit(
                now.to_core(), float(numbers("m", m, np.float64)), _or_unset(a), _or_unset(q), float(e), float(inclination), float(node),
                float(pericentre), _or_unset(true_anomaly), _or_unset(mean_anomaly), str(about),
            )  # fmt: skip
            self._has_bodies(data)
            return np.array(data["ids"][-1:], np.uint64)
        if bodies is None:
            if x is None or m is None:
                raise UsageError("bodies to add must be a Snapshot, or x= and m=, with v= unless they are at rest")
            places = np.atleast_2d(numbers("x", x, np.float64))
            speeds = None if v is None else np.atleast_2d(numbers("v", v, np.float64))
            numbered = None if ids is None else np.atleast_1d(numbers("ids", ids, np.uint64))
            kinds = Type.halo if types is None else types
            new = Snapshot(places, speeds, m, ids=numbered, types=kinds, units=now.units)
        elif any(column is not None for column in (x, v, m, ids, types)):
            raise UsageError("bodies to add are a Snapshot or columns, not both")
        else:
            new = bodies if bodies.units == now.units else bodies.convert(now.units)
        new_ids = _new_ids(now.ids, new.ids, stated=ids is not None)
        if len(new) > 0:
            data, more = now.to_core(), {**new.to_core(), "ids": new_ids}
            if data["softenings"] is not None and more["softenings"] is None:
                raise UsageError("the bodies of this simulation have softenings: those to add must be a Snapshot with softenings=")
            for name in (*COLUMNS[:5], *(["softenings"] if data["softenings"] is not None else [])):
                data[name] = np.concatenate([data[name], more[name]])
            self._has_bodies(data)
        return new_ids

    @checked
    def remove(self, bodies: ArrayLike) -> Snapshot:
        """Removes bodies; time, steps, callbacks and your accelerations go on, as when bodies are added.

        Parameters
        ----------
        bodies
            The ids of bodies, or a mask ``(n,)``.

        Returns
        -------
        Snapshot
            The bodies that were removed.

        Raises
        ------
        UsageError
            For ids that no body has, for a mask of another shape, and when no body would be left.

        Examples
        --------
        >>> sim = pleiad.Simulation("plummer", parameters={"n": 100}, eps=0.05, dt=1 / 64)
        >>> far = abs(sim.positions).max(axis=1) > 2
        >>> len(sim.remove(far)) + sim.N
        100
        """
        now = self.snapshot()
        which = numbers("bodies", bodies, None)
        if which.dtype.kind == "b":
            if which.shape != (len(now),):
                raise UsageError(f"a mask of bodies must have the shape {(len(now),)}, not {which.shape}")
            gone = which
        else:
            ids = np.ravel(numbers("ids", which, np.uint64))
            absent = ids[~np.isin(ids, now.ids)]
            if absent.size > 0:
                raise UsageError(f"no body has the id {absent[0]}")
            gone = np.isin(now.ids, ids)
        if gone.all():
            raise UsageError("no body would be left: a simulation has at least one")
        if gone.any():
            self._has_bodies(now[~gone].to_core())
        return now[gone]

    def _has_bodies(self, data: dict[str, Any]) -> None:
        self._core.change([], data)
        self._state = None

    def copy(self: Self) -> Self:
        """Another simulation in the same state, which goes on with the same bits.

        It has your accelerations, but not the callbacks: they are those of this simulation.

        Returns
        -------
        Simulation
            With bodies of its own.
        """
        self._load_back()
        made = _restored(type(self), type(self._core), self._core.state(), self._core.cache, self._core.notes, self._external)
        if own := getattr(self, "__dict__", None):  # a user's subclass
            made.__dict__.update(own)
        return made

    def __copy__(self: Self) -> Self:
        return self.copy()

    def __deepcopy__(self: Self, memo: dict[int, Any]) -> Self:
        made = memo[id(self)] = self.copy()
        made.external_acceleration = deepcopy(self._external, memo)
        if own := getattr(self, "__dict__", None):
            made.__dict__.update(deepcopy(own, memo))
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """The state as `save` writes it; your accelerations as pickle takes functions, by their names; no callbacks."""
        self._load_back()
        on_gpu = self._core.describe()["gpus"] > 0
        kept = (self._core.state(), self._core.cache, self._core.notes, self._external)
        return _unpickled, (type(self), "cuda" if on_gpu else "cpu", *kept), getattr(self, "__dict__", None)


def _restored(
    cls: type[Self], core: Any, state: bytes, cache: str, notes: list[str], external: ExternalAcceleration | None
) -> Self:
    made = cls.__new__(cls)
    made._begin(core.restore(state, cache, notes))
    made.external_acceleration = external
    return made


def _unpickled(cls: type[Self], backend: str, *kept: Any) -> Self:
    return _restored(cls, for_backend(backend).Simulation, *kept)


def _or_unset(element: float | None) -> float:
    return float("nan") if element is None else float(element)


def _new_ids(there: NDArray[np.uint64], wanted: NDArray[np.uint64], stated: bool) -> NDArray[np.uint64]:
    """The ids of bodies that are added; whether the user has stated them."""
    every = np.concatenate([there, wanted])
    if len(np.unique(every)) == len(every):
        return wanted
    if stated:
        values, counts = np.unique(every, return_counts=True)
        raise UsageError(f"ids must be new and all different: {values[counts > 1][0]} is there twice")
    largest = int(there.max())
    if largest + len(wanted) >= 2**64:
        raise UsageError(f"the bodies have ids up to {largest}: state ids that are free")
    return np.arange(largest + 1, largest + 1 + len(wanted), dtype=np.uint64)
