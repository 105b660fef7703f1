"""Arguments as the library takes them: what cannot be is refused in one sentence, alike in every function."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import inspect
import numbers as abstract
import os
from collections.abc import Callable, Sequence
from functools import partial, wraps
from typing import Any, TypeVar, overload

import numpy as np

from . import _core
from .errors import UsageError

Function = TypeVar("Function", bound=Callable[..., Any])

# Of an `int` of the library; what has other limits says so.
_WHOLE = (-(2**31), 2**31 - 1)
# How units say that there are none.
_NO_UNITS = ("", "1", "1.0", "dimensionless", "NoUnit()", "None")


def words(value: Any) -> str:
    """A value in a sentence about it."""
    if shape := getattr(value, "shape", None):
        return f"an array of the shape {tuple(shape)}"
    text = repr(value)
    return text if len(text) <= 60 and "\n" not in text else f"a {type(value).__name__}"


def plain(name: str, values: Any) -> Any:
    """The same values, which have neither units nor masked elements: both would be dropped."""
    kind = type(values)
    if kind in (np.ndarray, float, int, str, bool) or values is None:
        return values
    if kind in (list, tuple):
        for each in values:
            if type(each) not in (float, int):
                plain(name, each)
        return values
    if isinstance(values, np.ndarray) and np.any(getattr(values, "mask", False)):
        count = int(np.count_nonzero(np.ma.getmaskarray(values) if isinstance(values, np.ma.MaskedArray) else values.mask))  # type: ignore[attr-defined]
        raise UsageError(f"{name} has masked values ({count}), which would count like all others: leave them out or fill them")
    if not kind.__module__.startswith(("pandas", "pleiad")):
        for attribute in ("unit", "units"):
            unit = getattr(values, attribute, None)
            if unit is not None and not callable(getattr(unit, "__func__", None)) and str(unit) not in _NO_UNITS:
                raise UsageError(
                    f"{name} has units ({unit}), which would be dropped: give plain numbers in the units of the bodies"
                )
    return values


def number(name: str, value: Any) -> float:
    """One real number."""
    plain(name, value)
    if isinstance(value, abstract.Real) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, (bool, str, bytes, complex, Sequence)):
        try:
            a = np.asarray(value)
            if a.ndim == 0 and a.dtype.kind in "iufO":
                return float(a[()])
        except (TypeError, ValueError, OverflowError):
            pass
    raise UsageError(f"{name} must be a number, not {words(value)}")


def whole(name: str, value: Any, low: int = _WHOLE[0], high: int = _WHOLE[1]) -> int:
    """One whole number of these."""
    plain(name, value)
    made = value
    if not isinstance(value, (bool, abstract.Integral)):
        try:
            real = number(name, value)
            made = int(real) if real.is_integer() else None
        except UsageError:
            made = None
    if made is None or isinstance(value, (bool, np.bool_)) or not low <= made <= high:
        limits = f" from {low} to {high}" if low >= 0 else ""
        raise UsageError(f"{name} must be a whole number{limits}, not {words(value)}")
    return int(made)


def text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise UsageError(f"{name} must be text, not {words(value)}")
    return value


def truth(name: str, value: Any) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise UsageError(f"{name} must be True or False, not {words(value)}")
    return bool(value)


def path(name: str, value: Any) -> Any:
    if not isinstance(value, (str, os.PathLike)):
        raise UsageError(f"{name} must be a path, not {words(value)}")
    return value


def called(name: str, value: Any) -> Any:
    if not callable(value):
        raise UsageError(f"{name} must be a function, not {words(value)}")
    return value


# By the annotation of a parameter: other kinds are what their function takes them for.
_BY_ANNOTATION: dict[str, Callable[[str, Any], Any]] = {
    "float": number,
    "int": whole,
    "str": text,
    "Precision": text,
    "bool": truth,
    "str | os.PathLike[str]": path,
    "ExternalAcceleration": called,
}


def add_kind(annotation: str, check: Callable[[str, Any], Any]) -> None:
    """Has parameters of that annotation checked, in functions that are defined later: for classes of modules that import this one."""
    _BY_ANNOTATION[annotation] = check


def _check_of(annotation: Any) -> tuple[Callable[[str, Any], Any], bool] | None:
    """What checks it, and whether it may be None."""
    kind = annotation if isinstance(annotation, str) else ""
    may_be_none = kind.endswith(" | None")
    kind = kind.removesuffix(" | None")
    check = called if kind.startswith("Callable[") else _BY_ANNOTATION.get(kind)
    return None if check is None else (check, may_be_none)


@overload
def checked(function: Function, /) -> Function: ...
@overload
def checked(*, leave: Sequence[str] = (), **limits: tuple[int, int]) -> Callable[[Function], Function]: ...
def checked(function: Any = None, /, *, leave: Sequence[str] = (), **limits: tuple[int, int]) -> Any:
    """Checks the arguments of a function by their annotations, so that the library gets what it takes.

    leave: parameters that it checks itself. limits: the smallest and the largest of whole numbers.
    """
    if function is None:
        return partial(_checking, leave=leave, limits=limits)
    return _checking(function, leave, limits)


def _checking(function: Any, leave: Sequence[str], limits: dict[str, tuple[int, int]]) -> Any:
    parameters = list(inspect.signature(function).parameters.values())
    checks = {}
    for p in parameters:
        found = None if p.name in leave else _check_of(p.annotation)
        if found is not None:
            check, may_be_none = found
            if p.name in limits:
                check = partial(whole, low=limits[p.name][0], high=limits[p.name][1])
            checks[p.name] = (check, may_be_none)
    places = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    names = {p.name for p in parameters}
    takes_all = any(p.kind is p.VAR_KEYWORD for p in parameters)

    def title(values: Sequence[Any]) -> str:
        """As the user knows it: methods of parts of a class are those of the class."""
        if "." not in function.__qualname__ or function.__name__ == "__init__":
            return str(function.__qualname__.removesuffix(".__init__"))
        owner = values[0] if isinstance(values[0], type) else type(values[0])
        return f"{owner.__name__}.{function.__name__}"

    def taken(name: str, value: Any) -> Any:
        check = checks.get(name)
        if check is None or (value is None and check[1]):
            return value
        return check[0](name, value)

    @wraps(function)
    def with_checks(*values: Any, **named: Any) -> Any:
        for name in named:
            if name not in names and not takes_all:
                known = sorted(names - {"self", "cls"})
                raise UsageError(f"{title(values)} has no keyword '{name}'{_core.did_you_mean(name, known)}")
        given = [taken(name, value) for name, value in zip(places, values)]
        given += values[len(places) :]  # too many: Python says so
        return function(*given, **{name: taken(name, value) for name, value in named.items()})

    return with_checks
