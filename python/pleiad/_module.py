"""Which extension module computes: the one of this package, or the one with kernels for GPUs where a GPU is used."""

# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from . import _core
from .errors import ResourceError

if TYPE_CHECKING:
    from types import ModuleType

_GPU_PACKAGE = "pleiad_cuda13"
GPU_PACKAGE_NEEDED = "a GPU needs the package pleiad-cuda13, which `tools/python wheels` makes in a copy of the source, where there is nvcc"


@cache
def with_kernels_for_gpus() -> ModuleType | None:
    """The module with kernels for GPUs; None where it is not installed."""
    if _core.has_cuda:
        return _core
    if find_spec(_GPU_PACKAGE) is None:
        return None
    return import_module(f"{_GPU_PACKAGE}._core")


def for_backend(backend: str, kernel: str = "auto") -> Any:
    """The module for `backend`: with kernels for GPUs if they may be used and are installed."""
    if backend == "cpu" or (backend == "auto" and kernel.startswith("cpu/")):
        return _core
    module = with_kernels_for_gpus()
    if module is None and (backend == "cuda" or kernel.startswith("cuda/")):
        raise ResourceError(GPU_PACKAGE_NEEDED)
    return module or _core


def cache_file() -> str:
    """Where the command keeps what it measures: shared with it, so that nothing is measured twice."""
    return _core.cache_file(os.environ.get("XDG_CACHE_HOME"), os.environ.get("HOME"))


def cache_text(cache: str | os.PathLike[str] | None) -> str:
    """What the user said of the cache, as the modules take it: "auto" is the command's, None is none."""
    if cache is None:
        return ""
    return cache_file() if cache == "auto" else os.fspath(cache)
