"""Types of bodies as arguments: their names or numbers."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from collections.abc import Sequence

from . import _core
from .errors import UsageError
from .snapshot import Snapshot, Type

#: Types of bodies: their names or numbers, one or several.
Types = str | int | Sequence[str | int]


def types_of(types: Types | None) -> list[Type]:
    """The types that names or numbers stand for; none for all."""
    if types is None:
        return []
    given = [types] if isinstance(types, str | int) else list(types)
    found = []
    for each in given:
        try:
            found.append(Type[each] if isinstance(each, str) else Type(each))
        except (KeyError, ValueError):
            names = [kind.name for kind in Type]
            hint = _core.did_you_mean(each, names) if isinstance(each, str) else ""
            raise UsageError(f"types must be of {', '.join(names)}, not {each!r}{hint}") from None
    return found


def about_bodies(snapshot: Snapshot, types: list[Type]) -> dict[str, str]:
    """What a table of measures says of the bodies: their time and units, and the types that were measured."""
    names = "+".join(kind.name for kind in types) or "all"
    universe = {} if snapshot.universe is None else {"redshift": repr(snapshot.redshift), "scale_factor": repr(snapshot.time)}
    return {"time": repr(snapshot.time), **universe, "units": snapshot.units.name, "bodies": names}
