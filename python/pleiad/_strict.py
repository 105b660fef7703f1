"""Objects whose attributes are known: what is misspelt, or cannot be set, is refused with the nearest right name."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import inspect
from functools import cache
from typing import TYPE_CHECKING, Any

from . import _core
from ._renamed import is_deprecated
from .errors import UnknownAttribute

_ABSENT = object()


def _is_ours(cls: type) -> bool:
    return cls.__module__.partition(".")[0] == "pleiad"


@cache
def _settable(cls: type) -> frozenset[str]:
    """Slots, and properties that can be set."""
    names = {name for base in cls.__mro__ for name in vars(base)}
    found = {name: inspect.getattr_static(cls, name) for name in names}
    return frozenset(
        name
        for name, value in found.items()
        if (value.fset is not None if isinstance(value, property) else inspect.ismemberdescriptor(value))
    )


def _public(cls: type) -> list[str]:
    fields = getattr(cls, "__dataclass_fields__", ())
    names = {name for name in (*dir(cls), *fields) if not name.startswith("_")}
    return sorted(name for name in names if not is_deprecated(inspect.getattr_static(cls, name, None)))


def _keywords(cls: type) -> list[str]:
    """What it is made with."""
    more = getattr(cls, "_more_keywords", None)
    made = [p.name for p in inspect.signature(cls).parameters.values() if p.kind is not p.VAR_KEYWORD]
    return [*made, *(more() if more else ())]


def _why_not_set(cls: type, name: str) -> str:
    value = inspect.getattr_static(cls, name, _ABSENT)
    if isinstance(value, property) or name in getattr(cls, "__dataclass_fields__", ()):
        hint = getattr(cls, "_written", {}).get(name, "")
        return f"{cls.__name__}.{name} can be read, not set{hint}"
    if value is not _ABSENT:
        return f"{cls.__name__}.{name} is a method: it cannot be set"
    keywords = _keywords(cls)
    if name in keywords:
        made = getattr(cls, "_made_anew", "...")
        return f"{name} is fixed when a {cls.__name__} is made, and cannot be set later: make another one: {cls.__name__}({made}, {name}=...)"
    return f"{cls.__name__} has no attribute '{name}'{_core.did_you_mean(name, [*_public(cls), *keywords])}"


class Strict:
    """With `__slots__` in each class that has attributes. A user's own subclass may have more."""

    __slots__ = ()

    if not TYPE_CHECKING:  # checkers of types know the attributes as they are

        def __setattr__(self, name: str, value: Any) -> None:
            cls = type(self)
            if name not in _settable(cls):
                known = inspect.getattr_static(cls, name, _ABSENT) is not _ABSENT
                own = next((base for base in cls.__mro__ if name in vars(base)), None) if known else cls
                if _is_ours(cls) or (own is not None and _is_ours(own)):
                    raise UnknownAttribute(_why_not_set(cls, name))
            object.__setattr__(self, name, value)

        def __getattr__(self, name: str) -> Any:
            cls = type(self)
            guess = ""
            if not name.startswith("_"):
                made_with = _is_ours(cls) and hasattr(cls, "describe") and name in _keywords(cls)
                guess = f": `describe` tells with what a {cls.__name__} was made" if made_with else _core.did_you_mean(name, _public(cls))
            raise UnknownAttribute(f"{cls.__name__} has no attribute '{name}'{guess}")


def frozen(cls: type) -> None:
    """Gives a frozen dataclass the same sentences."""
    if not TYPE_CHECKING:
        cls.__setattr__ = Strict.__setattr__
