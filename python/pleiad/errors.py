"""What can go wrong: each exception has one sentence that says what is wrong, where, and what would be right."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from errno import ENOENT

__all__ = ["Error", "InputError", "MissingFile", "NumericalError", "ResourceError", "UnknownAttribute", "UsageError"]


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


class MissingFile(UsageError, InputError, FileNotFoundError):
    """A file, or a checkpoint in a folder, that is not there."""

    errno = ENOENT


class ResourceError(Error, RuntimeError):
    """Memory, disk, permission or device."""


class NumericalError(Error, ArithmeticError):
    """The simulation itself failed."""
