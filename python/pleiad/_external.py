"""Accelerations of the user's own in a simulation, on the host or in the memory of a GPU."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ._checked import called
from ._on_gpu import in_stream, library_on_gpu
from ._renamed import deprecated
from ._state_views import StateViews
from .errors import UsageError

#: Called with the time, positions ``(n, 3)`` and accelerations ``(n, 3)``, into which it writes.
ExternalAcceleration = Callable[[float, Any, Any], object]


class External(StateViews):
    """What a Simulation adds to gravity."""

    __slots__ = ("_external",)

    _external: ExternalAcceleration | None

    @property
    def external_acceleration(self) -> ExternalAcceleration | None:
        """Accelerations of your own, added to gravity from now on; ``None``: gravity alone.

        Called as ``external_acceleration(time, positions, accelerations)`` once for each evaluation. The arrays are ``(n, 3)``,
        of the type of the state, in the order and the units in which the bodies were given. ``accelerations`` is zero at first;
        write into it what you add. Do not keep references after the call. On a GPU they are arrays of CuPy or PyTorch,
        whichever is imported, in the stream of the simulation. An exception ends the steps. Energies and force errors are those
        of gravity alone, and checkpoints do not contain the function. Results are reproducible if it depends on its arguments
        alone. Its old name is ``force``, which warns.

        Raises
        ------
        UsageError
            If it is set with ``hermite4`` or several GPUs, or is not callable.
        """
        return self._external

    @external_acceleration.setter
    def external_acceleration(self, added: ExternalAcceleration | None) -> None:
        if added is not None:
            called("external_acceleration", added)
        if (added is None) != (self._external is None):
            self._core.with_force(added is not None)
        self._external = added

    @property
    @deprecated("Simulation.force is now called Simulation.external_acceleration")
    def force(self) -> ExternalAcceleration | None:
        """The old name of `external_acceleration`, which warns."""
        return self.external_acceleration

    @force.setter
    @deprecated("Simulation.force is now called Simulation.external_acceleration")
    def force(self, added: ExternalAcceleration | None) -> None:
        self.external_acceleration = added

    @property
    def _pushed(self) -> Callable[[float, Any, Any, int], None] | None:
        added = self._external
        return None if added is None else lambda time, x, a, stream: _push(added, time, x, a, stream)


def _push(added: ExternalAcceleration, time: float, x: Any, a: Any, stream: int) -> None:
    """Calls it with arrays as users have them: of NumPy as they are, of a GPU as those of a library that is imported."""
    if isinstance(x, np.ndarray):
        added(time, x, a)
        return
    library = library_on_gpu()
    if library is None:
        raise UsageError("an external acceleration on a GPU needs CuPy or PyTorch imported")
    with in_stream(library, stream):
        added(time, library.from_dlpack(x), library.from_dlpack(a))
