"""Models: initial conditions by name, a function for each model of the catalogue.

>>> import pleiad
>>> cluster = pleiad.models.plummer(1000, seed=7)
>>> encounter = pleiad.models.encounter(60000, pericentre=8, i1=30, i2=60)
>>> len(cluster), encounter.units.name
(1000, 'galactic')

The functions are made from the catalogue of the library when one is first used. ``catalogue()`` lists
the models, and ``help(pleiad.models.plummer)`` shows the parameters of one, with their defaults and ranges.
"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import _core
from ._catalogue import Model, Parameter, models
from ._checked import number, whole, words
from .errors import UsageError
from .snapshot import Snapshot

__all__ = ["Model", "Parameter", "catalogue"]


def catalogue() -> tuple[Model, ...]:
    """All models, with their parameters.

    Returns
    -------
    tuple of Model
        In the order of the program's list.
    """
    return tuple(models().values())


def _value(model: Model, name: str, value: Any) -> float | str:
    """A parameter as the library takes it."""
    choices: tuple[str, ...] = next((p.words for p in model.parameters if p.name == name), ())
    if not choices:
        return number(name, value)
    if not isinstance(value, str):
        raise UsageError(f"{name} must be one of {', '.join(choices)}, not {words(value)}")
    return value


def _function(model: Model) -> Callable[..., Snapshot]:
    places = [p.name for p in model.signature.parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]

    def make(*values: Any, **settings: Any) -> Snapshot:
        if len(values) > len(places) or any(name in settings for name in places[: len(values)]):
            model.signature.bind(*values, **settings)  # raises the usual TypeError
        settings.update(zip(places, values, strict=False))
        seed = whole("seed", settings.pop("seed", 1), 0, 2**64 - 1) if model.random else 1
        told = {name: _value(model, name, value) for name, value in settings.items()}
        return Snapshot.from_core(_core.model(model.name, told, seed))

    make.__name__ = make.__qualname__ = model.function_name
    make.__module__ = __name__
    make.__doc__ = model.docstring
    make.__signature__ = model.signature  # type: ignore[attr-defined]
    return make


def __getattr__(name: str) -> Callable[..., Snapshot]:
    if name.startswith("_") or name not in models():
        guess = "" if name.startswith("_") else _core.did_you_mean(name, list(models()))
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'{guess}", name=name)
    made = globals()[name] = _function(models()[name])
    return made


def __dir__() -> list[str]:
    return sorted({*__all__, *models()})
