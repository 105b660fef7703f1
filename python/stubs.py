"""Writes what type checkers and editors see of what the package makes from the tables of its module: models and keys.

python stubs.py FOLDER writes models.pyi and keys.pyi into the folder of the package, whose module must be there. It needs no NumPy.
"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from textwrap import wrap
from typing import Any

HEAD = """\
# Made by the build from the tables of the library.
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
"""
MODELS = """\
import inspect
from dataclasses import dataclass

from .snapshot import Snapshot

__all__ = [
{names}
]

@dataclass(frozen=True)
class Parameter:
    name: str
    default: float | str
    low: float
    high: float
    meaning: str
    words: tuple[str, ...] = ()

@dataclass(frozen=True)
class Model:
    name: str
    summary: str
    origin: str
    suggested_softening: float
    parameters: tuple[Parameter, ...]
    @property
    def random(self) -> bool: ...
    @property
    def function_name(self) -> str: ...
    @property
    def signature(self) -> inspect.Signature: ...
    @property
    def docstring(self) -> str: ...

def catalogue() -> tuple[Model, ...]: ...
"""
KEYS = """\
from collections.abc import Mapping, Sequence
from typing import TypedDict

__all__ = ["SimulationKeys"]

class SimulationKeys(TypedDict, total=False):
    \"\"\"The keywords of a simulation beside its named parameters; what `pleiad config` says of each key holds.\"\"\"

"""


def function(model: Any) -> list[str]:
    """The declaration of the function of a model."""
    parameters = list(model.signature.parameters.values())
    told = [f"    {p.name}: {p.annotation} = {p.default!r}," for p in parameters]
    by_name = [p.kind is p.KEYWORD_ONLY for p in parameters]
    if any(by_name):
        told.insert(by_name.index(True), "    *,")
    head = [f"def {model.function_name}(", *told, ") -> Snapshot:"]
    first, *rest = model.docstring.rstrip().split("\n")
    doc = [f'    """{first}', *(f"    {line}".rstrip() for line in rest), '    """']
    return [*(head if told else [f"def {model.function_name}() -> Snapshot:"]), *doc]


def models() -> str:
    """The text of models.pyi."""
    found = import_module("pleiad._catalogue").models()
    names = "\n".join(f'    "{name}",' for name in sorted({"Model", "Parameter", "catalogue", *found}))
    lines = [line for model in found.values() for line in function(model)]
    return HEAD + "\n" + MODELS.format(names=names) + "\n".join(lines) + "\n"


def keys() -> str:
    """The text of keys.pyi."""
    lines = []
    for name, keyword in import_module("pleiad._keywords").more_keywords().items():
        told = wrap(keyword.docstring.replace("\\", "\\\\"), 130)
        lines += [f"    {name}: {keyword.annotation}", '    """' + "\n    ".join(told) + '"""']
    return HEAD + "\n" + KEYS + "\n".join(lines) + "\n"


def main(folder: Path) -> None:
    sys.path.insert(0, str(folder.parent))
    for name, text in (("models", models()), ("keys", keys())):
        (folder / f"{name}.pyi").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute())
