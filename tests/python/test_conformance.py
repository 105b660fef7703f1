"""Every kernel of the CPU and every tree on scenes that are hard in different ways, against sums by NumPy."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import pytest
from numpy.typing import NDArray

import pleiad

Floats = NDArray[Any]
Scene = Callable[[np.random.Generator, int], tuple[Floats, Floats]]


def uniform(random: np.random.Generator, n: int) -> tuple[Floats, Floats]:
    return random.uniform(-1, 1, (n, 3)), random.uniform(0.5, 1.5, n)


def clumps(random: np.random.Generator, n: int) -> tuple[Floats, Floats]:
    """Four clumps, a thousand times smaller than their distances."""
    return random.normal(size=(4, 3))[np.arange(n) % 4] + 1e-3 * random.normal(size=(n, 3)), np.ones(n)


def scales(random: np.random.Generator, n: int) -> tuple[Floats, Floats]:
    """Distances and masses over six decades."""
    x = random.normal(size=(n, 3))
    radii = 10 ** random.uniform(-3, 3, (n, 1))
    return x / np.linalg.norm(x, axis=1, keepdims=True) * radii, 10 ** random.uniform(-6, 0, n)


def plane(random: np.random.Generator, n: int) -> tuple[Floats, Floats]:
    x, m = uniform(random, n)
    return x * [1, 1, 0], m


def line(random: np.random.Generator, n: int) -> tuple[Floats, Floats]:
    return np.arange(n)[:, None] * np.array([[1.0, 0, 0]]), np.ones(n)


def massless(random: np.random.Generator, n: int) -> tuple[Floats, Floats]:
    x, m = uniform(random, n)
    return x, np.where(np.arange(n) % 3 == 1, 0, m)


def coincident(random: np.random.Generator, n: int) -> tuple[Floats, Floats]:
    """Two bodies at each place."""
    x, m = uniform(random, n)
    return x[np.arange(n) // 2 * 2 % max(n, 1)], m


def cluster(random: np.random.Generator, n: int) -> tuple[Floats, Floats]:
    s = pleiad.models.plummer(n)
    return s.positions, s.masses


SCENES: list[Scene] = [uniform, clumps, scales, plane, line, massless, coincident, cluster]
KERNELS = ["scalar", "blocked", "simd", "threads", "symmetric"]
Precision = Literal["f32", "mixed", "f64"]


def sums(x: Floats, m: Floats, eps: float, kind: Any = np.longdouble) -> tuple[Floats, Floats, Floats]:
    """Accelerations, the sums of the pulls' sizes, and potentials, in numbers of that kind."""
    wide = x.astype(kind)
    d = wide[None] - wide[:, None]
    r2 = (d**2).sum(-1) + kind(eps) ** 2
    np.fill_diagonal(r2, np.inf)
    pulls = m.astype(kind)[None, :, None] * d / (r2 * np.sqrt(r2))[..., None]
    return pulls.sum(1), np.linalg.norm(pulls.astype(float), axis=-1).sum(1), -(m / np.sqrt(r2)).sum(1)


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("precision", ["f32", "mixed", "f64"])
def test_every_kernel_has_the_sums(scene: Scene, kernel: str, precision: Precision) -> None:
    # A pair takes about ten operations, each rounded, with a power of 3/2: 16 roundings of the pull's size.
    # To sum n of them adds n roundings more at most, in the precision of sums. Mixed precision keeps
    # positions as pairs of floats, with 2^-48 of the coordinates: nothing beside 2^-24 of distances a million
    # times smaller.
    pair = {"f32": 2.0**-24, "mixed": 2.0**-24, "f64": 2.0**-53}[precision]
    summed = {"f32": 2.0**-24, "mixed": 2.0**-53, "f64": 2.0**-53}[precision]
    solver = pleiad.Solver(eps=0.01, kernel=f"cpu/{kernel}", precision=precision, potential=True)
    for n in (1, 2, 3, 31, 64, 257):
        x, m = scene(np.random.default_rng(n), n)
        if precision == "f32":
            x, m = x.astype(np.float32), m.astype(np.float32)
        a, phi = solver.accelerations(x, m)
        expected, size, potential = sums(x, m, 0.01)
        bound = (16 * pair + n * summed) * size + 1e-30
        assert (np.linalg.norm((a - expected).astype(float), axis=1) <= 1.5 * bound).all(), n
        assert (
            np.abs((phi - potential).astype(float)) <= (16 * pair + n * summed) * -potential + 1e-30
        ).all(), n


@pytest.mark.parametrize("kernel", KERNELS)
def test_every_kernel_gives_the_same_bits_again(kernel: str) -> None:
    x, m = cluster(np.random.default_rng(0), 500)
    first, second = (
        pleiad.Solver(eps=0.01, kernel=f"cpu/{kernel}", threads=t).accelerations(x, m) for t in (1, 3)
    )
    assert np.array_equal(first, second)


def p99(found: Floats, exact: Floats, m: Floats, x: Floats) -> float:
    """As the library tells errors: against the body's acceleration, or a thousandth of the typical one."""
    size = np.linalg.norm(exact, axis=1)
    typical = max(float(np.median(size)), float(m.sum() / np.ptp(x, axis=0).max() ** 2))
    return float(np.quantile(np.linalg.norm(found - exact, axis=1) / np.maximum(size, 1e-3 * typical), 0.99))


TREES = [
    *(f"fmm order={order} criterion=error tolerance=0.03" for order in (3, 4, 5, 6, 8)),
    "barnes-hut order=1 theta=0.25",
    *(f"barnes-hut order={order} theta=0.5" for order in (2, 3, 4, 5)),
    *(f"fmm order=5 theta=0.5 structure={structure}" for structure in ("octree", "kd", "bvh")),
]


@pytest.mark.parametrize(
    "scene", [uniform, clumps, scales, plane, massless, cluster], ids=lambda s: s.__name__
)
def test_every_tree_is_near_the_sums(scene: Scene) -> None:
    # Such settings give errors of 1e-4 to 1e-2 on a Plummer sphere; a lost or doubled cell gives one of the
    # order of one. In between are scenes on which pulls cancel.
    x, m = scene(np.random.default_rng(5), 1500)
    exact = sums(x, m, 0.01, np.float64)[0]
    for kernel in TREES:
        found = pleiad.Solver(eps=0.01, kernel=f"cpu/{kernel}").accelerations(x, m)
        assert p99(found, exact, m, x) < 0.05, kernel


@pytest.mark.parametrize("scene", [uniform, clumps, scales, plane], ids=lambda s: s.__name__)
def test_an_accuracy_is_met_on_any_scene(scene: Scene) -> None:
    accuracy = 1e-3
    x, m = scene(np.random.default_rng(5), 2000)
    solver = pleiad.Solver(eps=0.01, accuracy=accuracy)
    found = solver.accelerations(x, m)
    exact = sums(x, m, 0.01, np.float64)[0]
    # By the upper end of the interval that a sample gives; a fifth, since that is one of 95 %.
    assert p99(found, exact, m, x) <= 1.2 * accuracy, solver.kernel
