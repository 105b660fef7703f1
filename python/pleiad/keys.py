"""The keys of the configuration that a simulation takes as keywords, with their types.

A function that passes keywords on to a :class:`pleiad.Simulation` says so to type checkers and editors::

    def cluster(n: int, **keys: Unpack[pleiad.keys.SimulationKeys]) -> pleiad.Simulation:
        return pleiad.Simulation(pleiad.models.plummer(n), dt=1 / 128, **keys)
"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from collections.abc import Mapping, Sequence  # noqa: F401  (the annotations name them)
from typing import Any, TypedDict

from ._keywords import more_keywords

__all__ = ["SimulationKeys"]


def __dir__() -> list[str]:
    return __all__


#: The keywords of a simulation beside its named parameters, all optional; ``None`` is as if it were not given.
SimulationKeys: Any = TypedDict(  # type: ignore[misc]
    "SimulationKeys", {name: keyword.annotation for name, keyword in more_keywords().items()}, total=False
)
SimulationKeys.__doc__ = "The keywords of a simulation beside its named parameters; what `pleiad config` says of each key holds."
