"""The modules of the package: no import goes round in a circle, imports are relative, and each says what it offers."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import pleiad
from pleiad._renamed import is_deprecated

assert pleiad.__file__ is not None
FOLDER = Path(pleiad.__file__).parent
FILES = {file.stem: file for file in sorted(FOLDER.glob("*.py"))}
PUBLIC = [name for name in FILES if not name.startswith("_")]


class Imports(ast.NodeVisitor):
    """The imports of a file at run time: those of functions too, those for type checkers not."""

    def __init__(self, text: str) -> None:
        self.found: list[ast.Import | ast.ImportFrom] = []
        self.visit(ast.parse(text))

    def visit_If(self, node: ast.If) -> None:
        for_checkers = isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for child in node.orelse if for_checkers else [*node.body, *node.orelse]:
            self.visit(child)

    def visit_Import(self, node: ast.Import) -> None:
        self.found.append(node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        self.found.append(node)


def imported(text: str, modules: set[str]) -> set[str]:
    """The modules of the package that a file imports; `__init__` stands for the package itself."""
    found: set[str] = set()
    for node in Imports(text).found:
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names if alias.name.partition(".")[0] == "pleiad"]
            found |= {name.partition(".")[2] or "__init__" for name in names}
        elif node.level == 0 and (node.module or "").partition(".")[0] != "pleiad":
            continue
        elif home := (node.module or "").removeprefix("pleiad").removeprefix("."):
            found.add(home)
        else:  # from . import name
            found |= {alias.name if alias.name in modules else "__init__" for alias in node.names}
    return found


def cycle_in(graph: dict[str, set[str]]) -> list[str]:
    """A way from a module back to itself; empty where there is none."""
    done: set[str] = set()

    def search(name: str, way: list[str]) -> list[str]:
        if name in way:
            return [*way[way.index(name) :], name]
        if name in done:
            return []
        for other in sorted(graph.get(name, ())):
            if found := search(other, [*way, name]):
                return found
        done.add(name)
        return []

    return next((found for name in sorted(graph) if (found := search(name, []))), [])


def graph_of(texts: dict[str, str]) -> dict[str, set[str]]:
    modules = {*texts, "_core"}
    graph = {name: imported(text, modules) for name, text in texts.items()}
    if "__init__" in graph:  # it imports each public module when a name of it is first used
        graph["__init__"] |= {name for name in texts if not name.startswith("_")}
    return graph


def test_no_import_goes_round_in_a_circle() -> None:
    graph = graph_of({name: file.read_text(encoding="utf-8") for name, file in FILES.items()})
    assert "snapshot" in graph["simulation"] and "_core" in graph["snapshot"]
    cycle = cycle_in(graph)
    assert not cycle, " -> ".join(cycle)


@pytest.mark.parametrize(
    ("texts", "cycle"),
    [
        ({"a": "from .b import x", "b": "def f():\n    from . import a"}, ["a", "b", "a"]),
        ({"a": "import pleiad.b", "b": "from .c import y", "c": "from pleiad.a import z"}, ["a", "b", "c", "a"]),
        ({"__init__": "from .a import x", "a": "from . import join"}, ["__init__", "a", "__init__"]),
        ({"a": "from .b import x", "b": "if TYPE_CHECKING:\n    from .a import y\nelse:\n    import numpy"}, []),
    ],
)
def test_a_circle_would_be_found(texts: dict[str, str], cycle: list[str]) -> None:
    assert cycle_in(graph_of(texts)) == cycle


def absolute(file: Path) -> Iterator[str]:
    """The lines of a file that import from the package by its name, those for type checkers included."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names = [node.module or ""]
        if any(name.partition(".")[0] == "pleiad" for name in names):
            yield ast.unparse(node)


@pytest.mark.parametrize("name", FILES)
def test_imports_within_the_package_are_relative(name: str) -> None:
    assert list(absolute(FILES[name])) == []


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_module_says_what_it_offers(name: str) -> None:
    module = import_module(f"pleiad.{name}")
    assert module.__all__ == sorted(module.__all__)
    assert all(hasattr(module, each) for each in module.__all__)
    defined = ast.parse(FILES[name].read_text(encoding="utf-8")).body
    own = {each.name for each in defined if isinstance(each, ast.FunctionDef | ast.ClassDef)}
    left_out = {each for each in own if not each.startswith("_") and not is_deprecated(getattr(module, each))}
    assert left_out <= set(module.__all__)
    # dir() does not show what the module imports for itself.
    assert dir(module) == module.__all__ or (name == "models" and {"plummer", *module.__all__} <= set(dir(module)))
