"""The live view of a simulation on a GPU: frames while it steps, the bodies of the GPU in them, and the same bits.

PYTHONPATH=<package with kernels for GPUs> python3 -m pytest tests/python/gpu
PLEIAD_EMULATED: on the emulated GPU, with the stand-in for CuPy in ../emulated.
"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import os
import re
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import pleiad

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "live"))
from client import Browser  # noqa: E402

EMULATED = "PLEIAD_EMULATED" in os.environ
N, STEPS = (200, 8) if EMULATED else (100_000, 200)
KERNELS = ["cuda/tile"] if EMULATED else ["cuda/tile", "cuda/fmm order=4 theta=0.6"]


def simulation(kernel: str) -> pleiad.Simulation:
    return pleiad.Simulation("plummer", parameters={"n": N}, eps=0.05, dt=1 / 1024, backend="cuda", gpus=1, kernel=kernel)


@pytest.fixture(autouse=True, scope="module")
def _gpu() -> None:
    try:
        simulation(KERNELS[0])
    except pleiad.ResourceError as absent:
        pytest.skip(str(absent))


class Reader(threading.Thread):
    """Counts frames until the view ends."""

    def __init__(self, view: pleiad.View) -> None:
        super().__init__(daemon=True)
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\?token=([0-9a-f]{32})", view.url)
        assert found
        self.browser = Browser(SimpleNamespace(host="127.0.0.1", port=int(found[1]), token=found[2]))
        self.browser.say(type="budget", bytes_per_second=4e8, frames_per_second=60)
        self.frames = 0
        self.points: set[int] = set()

    def run(self) -> None:
        try:
            while True:
                frame = self.browser.frame()
                self.frames += 1
                self.points.add(frame.points)
        except (OSError, ValueError):
            pass


def numbers(frame: Any) -> Any:
    """The positions of a key frame: 16 bits each, 0 and 65535 beyond the box."""
    return np.frombuffer(frame.rest, "<u2", 3 * frame.points).reshape(-1, 3).astype(int)


def numbers_of(body: Any, frame: Any) -> Any:
    """The same of bodies."""
    part = (np.asarray(body) - [frame.cx, frame.cy, frame.cz]) / [frame.sx, frame.sy, frame.sz]
    return np.clip(np.rint(part * 65535), 0, 65535).astype(int)


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_browser_sees_the_steps_and_the_bits_are_the_same(kernel: str) -> None:
    alone = simulation(kernel)
    alone.run(STEPS / 1024)
    sim = simulation(kernel)
    with sim.view(0) as view:
        reader = Reader(view)
        reader.start()
        sim.run(STEPS / 1024)
        there = sim.snapshot()
        last = Reader(view)
        last.browser.say(type="key")
        while (frame := last.browser.frame()).kind != 0 or frame.step != STEPS:
            last.browser.say(type="key")
    reader.join(30)
    assert reader.frames > 0 and reader.points == {N}
    assert there.state_hash == alone.snapshot().state_hash
    # The points are the bodies, in an order of the frame's own.
    drawn, right = np.sort(numbers(frame), axis=0), np.sort(numbers_of(there.positions, frame), axis=0)
    assert np.abs(drawn - right).max() <= 1
