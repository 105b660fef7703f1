"""The bodies of a simulation as arrays: views of the state between two steps, which can be written."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._checked import checked
from ._on_gpu import library_on_gpu
from .snapshot import Snapshot

if TYPE_CHECKING:
    from numpy.typing import NDArray


class StateViews:
    """The arrays of a Simulation."""

    __slots__ = ("_core", "_state")
    _written = {
        name: f": write into it, {name}[...] = values" for name in ("positions", "velocities", "masses")
    }

    _core: Any
    _state: dict[str, NDArray[np.float64]] | None

    @property
    def positions(self) -> NDArray[np.float64]:
        """``(n, 3)``, length: a view of the state between the last and the next step.

        You can write to it: the bodies continue from there, see `masses`. It is read-only while a callback is called.

        Type checkers see an array of NumPy. Simulations on one GPU, with CuPy or PyTorch imported when this is first used, have an array of that library over the
        GPU's own memory, through DLPack and without a copy, in the type of the state: float32 with precision="f32". You can
        keep it: it shows the state after every call, until the precision changes and the array is reallocated. Do not write to
        it while the simulation steps, for example in a callback; not every library has read-only arrays. Each call first waits
        for the work queued on that GPU. While such an array exists, each call computes the forces again, to the same bits.
        Numbers are not checked.

        All others have a view of a NumPy array of float64, into which the state is copied after each call that steps.
        """
        return self._view("positions")

    @property
    def velocities(self) -> NDArray[np.float64]:
        """``(n, 3)``, velocity: a view, as `positions`."""
        return self._view("velocities")

    @property
    def masses(self) -> NDArray[np.float64]:
        """``(n,)``, mass: a view, as `positions`.

        Energy errors are relative to the first energy, also after a change of positions, velocities or masses.
        """
        return self._view("masses")

    @property
    def ids(self) -> NDArray[np.uint64]:
        """``(n,)``, as the bodies were given; read-only."""
        ids: NDArray[np.uint64] = self._core.snapshot()["ids"]
        ids.flags.writeable = False
        return ids

    def __len__(self) -> int:
        """The number of bodies."""
        return int(self._core.size)

    @checked
    def snapshot(self, fields: bool = False) -> Snapshot:
        """A copy of the bodies now.

        Parameters
        ----------
        fields
            Whether their accelerations and potentials are there too.

        Returns
        -------
        Snapshot
            On the host.
        """
        self._load_back()
        return Snapshot.from_core(self._core.snapshot(fields))

    @property
    def t(self) -> float:
        """The time of now, as `time`."""
        return float(self._core.time)

    @property
    def N(self) -> int:
        """The number of bodies, as ``len(sim)``."""
        return len(self)

    def _view(self, which: str) -> NDArray[np.float64]:
        if self._state is None:
            library = library_on_gpu()
            if library is not None and (view := self._core.device_view(which)) is not None:
                on_gpu: NDArray[np.float64] = library.from_dlpack(view)
                return on_gpu
            n = len(self)
            self._state = {"positions": np.empty((n, 3)), "velocities": np.empty((n, 3)), "masses": np.empty(n)}
            self._refresh()
        on_host: NDArray[np.float64] = self._state[which].view()
        on_host.flags.writeable = not self._core.is_stepping
        return on_host

    def _refresh(self) -> None:
        """Views on the host show the state of now; after another number of bodies they are other arrays."""
        if self._state is not None and len(self._state["masses"]) != len(self):
            self._state = None
        if self._state is not None:
            self._core.copy_state(**self._state)

    def _load_back(self) -> None:
        """The state of now is what was written to views."""
        if self._core.is_stepping:
            return
        self._core.take_changes()
        if self._state is not None:
            self._core.put_state(**self._state)
