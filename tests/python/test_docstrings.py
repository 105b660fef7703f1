"""Docstrings: every public name has one, in the sections of numpydoc, which fit its signature; their examples print what they say."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import ast
import doctest
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import pleiad

assert pleiad.__file__ is not None
MODULES = [file.stem for file in sorted(Path(pleiad.__file__).parent.glob("[!_]*.py"))]
# In the order of numpydoc.
SECTIONS = ["Parameters", "Returns", "Yields", "Raises", "Warns", "See Also", "Notes", "References", "Examples"]


def members(thing: type) -> Iterator[tuple[str, Any]]:
    """The public methods and properties of a class of ours."""
    for base in thing.__mro__:
        if base.__module__.startswith("pleiad"):
            yield from ((name, value) for name, value in vars(base).items() if not name.startswith("_"))


def public() -> dict[str, Any]:
    """Every public function, class, method and property; properties as they are."""
    found: dict[str, Any] = {}
    for module in map(import_module, (f"pleiad.{name}" for name in MODULES)):
        names = {*module.__all__, *(name for name in dir(module) if module.__name__ == "pleiad.models" and not name.startswith("_"))}
        for name in sorted(names):
            thing = getattr(module, name)
            if not callable(thing) or getattr(thing, "__module__", "").partition(".")[0] != "pleiad":
                continue  # a name for a type
            found[f"{module.__name__.removeprefix('pleiad.')}.{name}"] = thing
            for member, value in members(thing) if inspect.isclass(thing) else ():
                value = value.__func__ if isinstance(value, classmethod) else value
                if inspect.isfunction(value) or isinstance(value, property):
                    found[f"{module.__name__.removeprefix('pleiad.')}.{name}.{member}"] = value
    return found


PUBLIC = public()


def sections(text: str) -> dict[str, list[str]]:
    """The lines of each section; those before the first under ""."""
    found: dict[str, list[str]] = {"": []}
    lines = text.split("\n")
    title = ""
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        if re.fullmatch("---+", after) and line:
            title = line
            for wrong, told in (
                (title in found, f"two sections {title}"),
                (title not in SECTIONS, f"no section of numpydoc: {title}"),
                (len(after) != len(line), f"the line under {title} is not of its length"),
            ):
                if wrong:
                    raise ValueError(told)
            found[title] = []
        elif not (title and line.startswith("---")):
            found[title].append(line)
    return found


def entries(lines: list[str]) -> list[str]:
    """The names of a section: `x, y` are two, and a type may follow `name :`. Each must have a description."""
    heads = [k for k, line in enumerate(lines) if line and not line.startswith(" ")]
    for k in heads:
        if not "".join(lines[k + 1 : k + 2]).startswith("    "):
            raise ValueError(f"nothing is said of {lines[k]}")
    return [name.strip() for k in heads for name in lines[k].partition(" : ")[0].split(",")]


def parameters(thing: Any) -> list[str]:
    """As a docstring names them."""
    marks: dict[Any, str] = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    taken = inspect.signature(thing).parameters.values()
    return [marks.get(p.kind, "") + p.name for p in taken if p.name not in ("self", "cls")]


def is_made_with_arguments(thing: type) -> bool:
    """Whether its parameters are its own: an error, a type of bodies or a dict of types is made as Python makes them."""
    own = any("__init__" in vars(base) for base in thing.__mro__ if base.__module__.startswith("pleiad"))
    return own and not issubclass(thing, BaseException | Enum | dict)


def raised(function: Callable[..., Any]) -> set[str]:
    """The errors that are raised in the text of a function itself."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(function))))
    calls = [node.exc for node in ast.walk(tree) if isinstance(node, ast.Raise)]
    return {call.func.id for call in calls if isinstance(call, ast.Call) and isinstance(call.func, ast.Name)}


def problems(thing: Any) -> list[str]:
    """What is wrong with the docstring of a function, a class or a property."""
    text = inspect.getdoc(thing.fget if isinstance(thing, property) else thing)
    if not text:
        return ["there is none"]
    try:
        parts = sections(text)
        named = {title: entries(lines) for title, lines in parts.items() if title in ("Parameters", "Returns", "Yields", "Raises")}
    except ValueError as failure:
        return [str(failure)]
    found = []
    if list(parts)[1:] != [title for title in SECTIONS if title in parts]:
        found.append(f"sections are not in the order of numpydoc: {list(parts)[1:]}")
    if not re.search(r"\w.*[.?:]$", parts[""][0]):
        found.append("the first line is no sentence")
    if isinstance(thing, property):
        return found + [f"a property has no section {title}" for title in ("Parameters", "Returns") if title in parts]
    function = not inspect.isclass(thing)
    wanted = parameters(thing) if function or is_made_with_arguments(thing) else []
    if named.get("Parameters", []) != wanted:
        found.append(f"Parameters: {named.get('Parameters')}, but the signature has {wanted}")
    if function:
        gives = inspect.signature(thing).return_annotation not in (None, "None", inspect.Signature.empty)
        if gives != ("Returns" in named):
            found.append("Returns must be there" if gives else "Returns, but nothing is returned")
        if missing := raised(thing) - set(named.get("Raises", ())):
            found.append(f"Raises: {sorted(missing)} must be named")
    elif "__init__" in vars(thing) and not hasattr(thing, "__dataclass_fields__"):
        if missing := raised(thing.__init__) - set(named.get("Raises", ())):
            found.append(f"Raises: {sorted(missing)} must be named")
    return found


@pytest.mark.parametrize("name", MODULES)
def test_examples_print_what_they_say(name: str) -> None:
    module = import_module(f"pleiad.{name}")
    assert doctest.testmod(module, extraglobs={"pleiad": pleiad}).failed == 0


@pytest.mark.parametrize("name", PUBLIC)
def test_a_docstring_has_the_sections_of_numpydoc_and_fits_its_signature(name: str) -> None:
    assert problems(PUBLIC[name]) == []


def test_all_that_the_package_offers_is_looked_at() -> None:
    seen = {id(thing) for thing in PUBLIC.values()}
    left_out = [name for name in pleiad.__all__ if callable(getattr(pleiad, name)) and id(getattr(pleiad, name)) not in seen]
    assert left_out == [] and {"simulation.Simulation.run", "models.plummer", "snapshot.Snapshot.from_pandas"} <= set(PUBLIC)


def of_words(words: str) -> Callable[..., float]:
    def function(x: float, *, eps: float = 0.0) -> float:
        if x < 0:
            raise ValueError("x")
        return x + eps

    function.__doc__ = words
    return function


WHOLE = "Adds.\n\nParameters\n----------\nx, eps\n    Lengths.\n\nReturns\n-------\nfloat\n    Their sum.\n\nRaises\n------\nValueError\n    For x < 0."


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("Adds", "Adds", ""),
        (WHOLE, "", "there is none"),
        ("Adds.", "Adds", "no sentence"),
        ("x, eps", "x", "the signature has"),
        ("x, eps", "x, eps, G", "the signature has"),
        ("x, eps", "eps, x", "the signature has"),
        ("    Lengths.\n", "", "nothing is said of x, eps"),
        ("----------\nx", "---------\nx", "the line under Parameters"),
        ("Parameters", "Arguments_", "no section of numpydoc"),
        ("\n\nReturns\n-------\nfloat\n    Their sum.", "", "Returns must be there"),
        ("ValueError", "KeyError", "must be named"),
    ],
)
def test_what_is_wrong_would_be_found(old: str, new: str, told: str) -> None:
    found = problems(of_words(WHOLE.replace(old, new)))
    assert bool(found) == bool(told) and all(told in each for each in found)
