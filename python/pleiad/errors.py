"""What can go wrong: each exception has one sentence that says what is wrong, where, and what would be right."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

__all__ = ["Error", "InputError", "NumericalError", "ResourceError", "UnknownAttribute", "UsageError"]


def __dir__() -> list[str]:
    return __all__


class Error(Exception):
    """Any error of Pleiad's."""


class UsageError(Error, ValueError):
    """An argument, a key or a name that cannot be."""


class UnknownAttribute(UsageError, AttributeError):
    """An attribute that is not there, or cannot be set."""


class InputError(Error, ValueError):
    """Bodies or files that are not usable."""


class ResourceError(Error, RuntimeError):
    """Memory, disk, permission or device."""


class NumericalError(Error, ArithmeticError):
    """The simulation itself failed."""
