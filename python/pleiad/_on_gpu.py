"""Memory of a GPU that is the library's, as arrays of CuPy or PyTorch."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import sys
from typing import Any


def library_on_gpu() -> Any:
    """CuPy or PyTorch, whichever is imported; None: neither."""
    return sys.modules.get("cupy") or sys.modules.get("torch")


def in_stream(library: Any, stream: int) -> Any:
    """Work of the library is queued there while it lives."""
    queue = library.cuda.ExternalStream(stream)
    return queue if library.__name__ == "cupy" else library.cuda.stream(queue)
