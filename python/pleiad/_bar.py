"""Progress of a call as a bar."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .errors import UsageError


class Bar:
    """A bar of tqdm's where it is wanted and installed; else nothing."""

    def __init__(self, wanted: bool, start: float, end: float, what: str) -> None:
        self._bar: Any = None
        self._start = start
        if not wanted:
            return
        try:
            from tqdm.auto import tqdm
        except ImportError:
            raise UsageError("progress=True needs tqdm: pip install tqdm") from None
        self._bar = tqdm(total=end - start, desc=what, bar_format="{l_bar}{bar}| {n:.4g}/{total:.4g} [{elapsed}<{remaining}]")

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()

    @property
    def at_time(self) -> Callable[[float, int], None] | None:
        return None if self._bar is None else lambda time, step: self._to(time)

    @property
    def at_step(self) -> Callable[[float, int], None] | None:
        return None if self._bar is None else lambda time, step: self._to(step)

    def _to(self, now: float) -> None:
        self._bar.update(now - self._start - self._bar.n)
