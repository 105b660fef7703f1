"""The catalogue of models as the library has it: what each can be told, and the signature and words of its function."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import inspect
from dataclasses import dataclass
from functools import cache
from textwrap import wrap

from . import _core
from ._strict import Strict, frozen

__all__ = ["Model", "Parameter", "models"]


@dataclass(frozen=True)
class Parameter(Strict):
    """A parameter of a model: a number, or a choice between words.

    Parameters
    ----------
    name
        The name, a keyword of the model's function.
    default
        The default value.
    low, high
        The smallest and the largest valid value; of a choice the places of its first and last word.
    meaning
        The meaning, with the unit.
    words
        The words of a choice; empty for a number.
    """

    name: str
    default: float | str
    low: float
    high: float
    meaning: str
    words: tuple[str, ...] = ()


frozen(Parameter)


@dataclass(frozen=True)
class Model(Strict):
    """A model of the catalogue.

    Parameters
    ----------
    name
        The name in the program: ``figure-eight``, whose function is ``figure_eight``.
    summary
        One sentence.
    origin
        Position and motion of the origin.
    suggested_softening
        A softening length in the model's units; 0: none needed.
    parameters
        The parameters of the model.
    """

    name: str
    summary: str
    origin: str
    suggested_softening: float
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
                p.name,
                place if p.name == "n" else name,
                default=p.default if isinstance(p.default, str) else _whole(p.default),
                annotation="str" if p.words else "float",
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
        told = [(p.name, f"{p.meaning}; {_valid(p)}") for p in self.parameters]
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


def _valid(p: Parameter) -> str:
    """The values that a parameter may have."""
    return f"one of {', '.join(p.words)}" if p.words else f"from {p.low:g} to {p.high:g}"


def _whole(value: float) -> float:
    """4096 rather than 4096.0 in signatures."""
    return int(value) if value == int(value) else value


@cache
def models() -> dict[str, Model]:
    """Every model, by the name of its function."""
    found = (
        Model(
            name=model["name"],
            summary=model["summary"],
            origin=model["origin"],
            suggested_softening=model["suggested_softening"],
            parameters=tuple(Parameter(**{**p, "words": tuple(p["words"])}) for p in model["parameters"]),
        )
        for model in _core.model_catalogue()
    )
    return {model.function_name: model for model in found}
