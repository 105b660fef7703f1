"""Docstrings: their examples run and print what they say, and every public name has one."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import doctest
import inspect
from importlib import import_module
from typing import Any

import pytest

import pleiad

MODULES = ["convert", "curve", "ensemble", "files", "models", "plot", "snapshot", "table", "units"]


@pytest.mark.parametrize("name", MODULES)
def test_examples_print_what_they_say(name: str) -> None:
    module = import_module(f"pleiad.{name}")
    assert doctest.testmod(module, extraglobs={"pleiad": pleiad}).failed == 0


def members(thing: Any) -> list[tuple[str, Any]]:
    ours = [base for base in thing.__mro__ if base.__module__.startswith("pleiad")]
    return [(name, value) for base in ours for name, value in vars(base).items() if not name.startswith("_")]


@pytest.mark.parametrize("name", MODULES)
def test_every_public_name_has_a_docstring(name: str) -> None:
    module = import_module(f"pleiad.{name}")
    for public in module.__all__:
        thing = getattr(module, public)
        assert inspect.getdoc(thing), public
        for member, value in members(thing) if inspect.isclass(thing) else []:
            if inspect.isroutine(value) or isinstance(value, property | classmethod):
                assert inspect.getdoc(value), f"{public}.{member}"


@pytest.mark.parametrize("name", MODULES)
def test_every_parameter_of_a_function_is_explained(name: str) -> None:
    module = import_module(f"pleiad.{name}")
    for public in module.__all__:
        thing = getattr(module, public)
        if inspect.isfunction(thing) and "Parameters\n" in (thing.__doc__ or ""):
            text = inspect.getdoc(thing) or ""
            for parameter in inspect.signature(thing).parameters:
                assert f"\n{parameter}\n" in text or f"{parameter}," in text or f", {parameter}" in text, (
                    parameter
                )
