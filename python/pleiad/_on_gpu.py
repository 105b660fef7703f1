"""Memory of a GPU that is the library's, as arrays of CuPy or PyTorch."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import sys
from typing import Any


def library_on_gpu() -> Any:
    """CuPy or PyTorch, whichever is imported; None: neither."""
    return sys.modules.get("cupy") or sys.modules.get("torch")


class _Queue:
    """A stream of the library's, as CuPy takes one that is not its own."""

    def __init__(self, stream: int) -> None:
        self._stream = stream

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self._stream


def in_stream(library: Any, stream: int) -> Any:
    """Work of the library is queued there while it lives."""
    if library.__name__ != "cupy":
        return library.cuda.stream(library.cuda.ExternalStream(stream))
    if hasattr(library.cuda.Stream, "from_external"):
        return library.cuda.Stream.from_external(_Queue(stream))
    return library.cuda.ExternalStream(stream)
