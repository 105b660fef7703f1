"""Packages that Pleiad can do without: imported when needed, with one sentence where they are absent."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import importlib
from typing import Any

__all__ = ["need"]


def need(module: str, package: str = "") -> Any:
    """Imports a module, or says in an ``ImportError`` which package has it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as failure:
        package = package or module.partition(".")[0]
        if failure.name is None or failure.name.partition(".")[0] != module.partition(".")[0]:
            raise
        raise ImportError(f"this needs {package}: pip install {package}", name=failure.name) from None
