"""Exceptions. Each has one sentence: what is wrong, where, and what would be right."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from errno import ENOENT

__all__ = ["Error", "InputError", "MissingFile", "NumericalError", "ResourceError", "UnknownAttribute", "UsageError"]


def __dir__() -> list[str]:
    return __all__


class Error(Exception):
    """Base class of all errors of Pleiad.

    Its attribute `code` is the cause, as far as a program can react to it: ``"missing_file"``, ``"out_of_memory"``, ``"no_device"``,
    ``"unsupported"`` and the others of ``pleiad::Error::Code``. It is empty for errors of the Python package itself.
    """

    code: str = ""


class UsageError(Error, ValueError):
    """An invalid argument, key or name."""


class UnknownAttribute(UsageError, AttributeError):
    """An attribute that does not exist or cannot be set."""


class InputError(Error, ValueError):
    """Bodies or files that are not usable."""


class MissingFile(UsageError, InputError, FileNotFoundError):
    """A missing file, or a folder without a checkpoint."""

    errno = ENOENT


class ResourceError(Error, RuntimeError):
    """Not enough memory or disk, a missing permission, or a missing device."""


class NumericalError(Error, ArithmeticError):
    """A failed computation: numbers that are not finite, or an accuracy that cannot be met."""
