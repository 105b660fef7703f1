"""Old names: they work, and warn with the new one where they are used."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

from .errors import UsageError

Function = TypeVar("Function", bound=Callable[..., Any])


def warn(message: str) -> None:
    """A DeprecationWarning at the first line outside the package: Python shows those of the user's own program."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).partition(".")[0] == "pleiad":
        level, frame = level + 1, frame.f_back
    warnings.warn(message, DeprecationWarning, stacklevel=level)


if TYPE_CHECKING:  # checkers of types and editors know this one
    from typing_extensions import deprecated as deprecated
else:

    def deprecated(message: str) -> Callable[[Function], Function]:
        """A function that gives this warning at each call."""

        def with_warning(function: Function) -> Function:
            @wraps(function)
            def old(*values: Any, **named: Any) -> Any:
                warn(message)
                return function(*values, **named)

            old.__deprecated__ = message
            return old

        return with_warning


def renamed(**names: str) -> Callable[[Function], Function]:
    """A function some of whose keywords have older names: `@renamed(old="new")`."""

    def with_old_names(function: Function) -> Function:
        title = function.__qualname__.removesuffix(".__init__")

        @wraps(function)
        def taking_both(*values: Any, **named: Any) -> Any:
            for old, new in names.items():
                if old in named:
                    warn(f"{title}({old}=...) is now called {title}({new}=...)")
                    if new in named:
                        raise UsageError(f"{old} and {new} are two names of one thing: give {new} alone")
                    named[new] = named.pop(old)
            return function(*values, **named)

        return taking_both  # type: ignore[return-value]

    return with_old_names


def is_deprecated(value: Any) -> bool:
    """Whether it is an old name: a function, or a property."""
    return hasattr(value.fget if isinstance(value, property) else value, "__deprecated__")
