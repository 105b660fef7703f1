"""Models: initial conditions by name, a function for each model of the catalogue.

>>> import pleiad
>>> cluster = pleiad.models.plummer(1000, seed=7)
>>> encounter = pleiad.models.encounter(60000, pericentre=8, i1=30, i2=60)
>>> len(cluster), encounter.units.name
(1000, 'galactic')

The functions are made from the catalogue of the library when one is first asked for. ``catalogue()`` lists
the models, and ``help(pleiad.models.plummer)`` shows the parameters of one, with their defaults and ranges.
"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from textwrap import wrap
from typing import Any

from . import _core
from ._checked import number, whole
from ._strict import Strict, frozen
from .snapshot import Snapshot

__all__ = ["Model", "Parameter", "catalogue"]


@dataclass(frozen=True)
class Parameter(Strict):
    """A number that a model can be told: its default, allowed range (inclusive) and meaning with its unit."""

    name: str
    default: float
    low: float
    high: float
    meaning: str


frozen(Parameter)


@dataclass(frozen=True)
class Model(Strict):
    """A model of the catalogue."""

    name: str  #: as the program calls it: ``figure-eight``, whose function is ``figure_eight``
    summary: str  #: one sentence
    origin: str  #: what is at the origin, and how it moves
    suggested_softening: float  #: in the model's units; 0: none needed
    parameters: tuple[Parameter, ...]

    @property
    def random(self) -> bool:
        """Whether its bodies are drawn at random, so that it has a seed."""
        return any(p.name == "n" for p in self.parameters)

    @property
    def function_name(self) -> str:
        """The name of its function."""
        return self.name.replace("-", "_")

    @property
    def signature(self) -> inspect.Signature:
        """Of its function: ``n`` and ``seed`` may be given by place, all else by name."""
        place, name = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
        made = [
            inspect.Parameter(
                p.name, place if p.name == "n" else name, default=_whole(p.default), annotation="float"
            )
            for p in self.parameters
        ]
        if self.random:
            made.append(inspect.Parameter("seed", place, default=1, annotation="int"))
        made.sort(key=lambda p: p.kind)
        return inspect.Signature(made, return_annotation="Snapshot")

    @property
    def docstring(self) -> str:
        """Of its function, in the sections of numpydoc."""
        summary, _, more = f"{self.summary[:1].upper()}{self.summary[1:]}".partition(": ")
        lines = [f"{summary}.", "", *([f"{more[:1].upper()}{more[1:]}."] if more else [])]
        lines += [f"At the origin: {self.origin}."]
        if self.suggested_softening > 0:
            lines += [f"A softening that suits it: {self.suggested_softening:g}."]
        told = [(p.name, f"{p.meaning}; from {p.low:g} to {p.high:g}") for p in self.parameters]
        if self.random:
            told.insert(
                1,
                (
                    "seed",
                    "the same seed gives the same bodies on every machine, and the same random numbers for all parameters of "
                    "a model: independent bodies need another one",
                ),
            )
        if told:
            lines += ["", "Parameters", "----------"]
            for name, meaning in told:
                meaning = f"{meaning[:1].upper()}{meaning[1:]}."
                lines += [name, *(f"    {line}" for line in wrap(meaning, 98))]
        return "\n".join([*lines, "", "Returns", "-------", "Snapshot", "    The bodies at time 0.", ""])


frozen(Model)


def _whole(value: float) -> float:
    """4096 rather than 4096.0 in signatures."""
    return int(value) if value == int(value) else value


@cache
def _catalogue() -> dict[str, Model]:
    found = (
        Model(
            name=model["name"],
            summary=model["summary"],
            origin=model["origin"],
            suggested_softening=model["suggested_softening"],
            parameters=tuple(Parameter(**parameter) for parameter in model["parameters"]),
        )
        for model in _core.model_catalogue()
    )
    return {model.function_name: model for model in found}


def catalogue() -> tuple[Model, ...]:
    """All models, with their parameters."""
    return tuple(_catalogue().values())


def _function(model: Model) -> Callable[..., Snapshot]:
    places = [p.name for p in model.signature.parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]

    def make(*values: Any, **settings: Any) -> Snapshot:
        if len(values) > len(places) or any(name in settings for name in places[: len(values)]):
            model.signature.bind(*values, **settings)  # raises the usual TypeError
        settings.update(zip(places, values, strict=False))
        seed = whole("seed", settings.pop("seed", 1), 0, 2**64 - 1) if model.random else 1
        return Snapshot.from_core(_core.model(model.name, {k: number(k, v) for k, v in settings.items()}, seed))

    make.__name__ = make.__qualname__ = model.function_name
    make.__module__ = __name__
    make.__doc__ = model.docstring
    make.__signature__ = model.signature  # type: ignore[attr-defined]
    return make


def __getattr__(name: str) -> Callable[..., Snapshot]:
    if name.startswith("_") or name not in _catalogue():
        guess = "" if name.startswith("_") else _core.did_you_mean(name, list(_catalogue()))
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'{guess}", name=name)
    made = globals()[name] = _function(_catalogue()[name])
    return made


def __dir__() -> list[str]:
    return sorted({*__all__, *_catalogue()})


def _stub_of(model: Model) -> list[str]:
    parameters = list(model.signature.parameters.values())
    told = [f"    {p.name}: {p.annotation} = {p.default}," for p in parameters]
    by_name = [p.kind is p.KEYWORD_ONLY for p in parameters]
    if any(by_name):
        told.insert(by_name.index(True), "    *,")
    head = [f"def {model.function_name}(", *told, ") -> Snapshot:"]
    first, *rest = model.docstring.rstrip().split("\n")
    doc = [f'    """{first}', *(f"    {line}".rstrip() for line in rest), '    """']
    return [*(head if told else [f"def {model.function_name}() -> Snapshot:"]), *doc]


def stub() -> str:
    """The text of ``models.pyi``: what type checkers and editors see of this module."""
    lines = [
        "# Made by `python -m pleiad.models`; a test holds it equal to the catalogue.",
        "# SPDX-FileCopyrightText: Pleiad contributors",
        "# SPDX-License-Identifier: Apache-2.0",
        "",
        "import inspect",
        "from dataclasses import dataclass",
        "",
        "from .snapshot import Snapshot",
        "",
        "__all__ = [",
        *(f'    "{name}",' for name in sorted({"Model", "Parameter", "catalogue", *_catalogue()})),
        "]",
        "",
        "@dataclass(frozen=True)",
        "class Parameter:",
        "    name: str",
        "    default: float",
        "    low: float",
        "    high: float",
        "    meaning: str",
        "",
        "@dataclass(frozen=True)",
        "class Model:",
        "    name: str",
        "    summary: str",
        "    origin: str",
        "    suggested_softening: float",
        "    parameters: tuple[Parameter, ...]",
        "    @property",
        "    def random(self) -> bool: ...",
        "    @property",
        "    def function_name(self) -> str: ...",
        "    @property",
        "    def signature(self) -> inspect.Signature: ...",
        "    @property",
        "    def docstring(self) -> str: ...",
        "",
        "def catalogue() -> tuple[Model, ...]: ...",
        "def stub() -> str: ...",
    ]
    for model in catalogue():
        lines += _stub_of(model)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(stub(), end="")
