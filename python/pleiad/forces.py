"""Gravity for your own code: the accelerations of bodies in your own arrays, on the device that holds them."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

from ._arrays import FLOATS, aligned_empty
from ._checked import checked
from ._renamed import deprecated
from .errors import UsageError
from .solver import Precision, Solver

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Real = TypeVar("Real", np.float32, np.float64)

__all__ = ["Precision", "Solver", "accelerations", "packed"]


def __dir__() -> list[str]:
    return __all__


@checked(n=(0, 2**62))
def packed(n: int, dtype: str = "float64") -> NDArray[np.floating[Any]]:
    """An uninitialised array for records x y z m, aligned so that a Solver reads it without a copy.

    Parameters
    ----------
    n
        Number of bodies.
    dtype
        ``float32`` or ``float64``.

    Returns
    -------
    numpy.ndarray
        ``(n, 4)``: a row has the position and the mass of a body.

    Raises
    ------
    UsageError
        For another type, or a negative number.
    """
    if dtype not in FLOATS:
        raise UsageError(f"records are of type float32 or float64, not {dtype}")
    made: NDArray[np.floating[Any]] = aligned_empty((n, 4), dtype)
    return made


@deprecated("pleiad.records is now called pleiad.packed")
def records(n: int, dtype: str = "float64") -> NDArray[np.floating[Any]]:
    """The old name of :func:`packed`, which warns."""
    return packed(n, dtype)


# Arrays of NumPy and lists have results of NumPy, as type checkers see it; those of other libraries are theirs.
@overload
def accelerations(
    x: NDArray[Real],
    m: ArrayLike | None = ...,
    *,
    eps: float = ...,
    softening_kernel: str = ...,
    softenings: ArrayLike | None = ...,
    softening_rule: str = ...,
    G: float = ...,
    accuracy: float | None = ...,
    potential: Literal[False] = ...,
    box: float | Sequence[float] | None = ...,
    targets: ArrayLike | None = ...,
    kernel: str = ...,
    precision: Precision | None = ...,
    threads: int = ...,
    out: Any = ...,
) -> NDArray[Real]: ...
@overload
def accelerations(
    x: NDArray[Real],
    m: ArrayLike | None = ...,
    *,
    eps: float = ...,
    softening_kernel: str = ...,
    softenings: ArrayLike | None = ...,
    softening_rule: str = ...,
    G: float = ...,
    accuracy: float | None = ...,
    potential: Literal[True],
    box: float | Sequence[float] | None = ...,
    targets: ArrayLike | None = ...,
    kernel: str = ...,
    precision: Precision | None = ...,
    threads: int = ...,
    out: Any = ...,
) -> tuple[NDArray[Real], NDArray[Real]]: ...
@overload
def accelerations(
    x: Sequence[Sequence[float]],
    m: ArrayLike | None = ...,
    *,
    eps: float = ...,
    softening_kernel: str = ...,
    softenings: ArrayLike | None = ...,
    softening_rule: str = ...,
    G: float = ...,
    accuracy: float | None = ...,
    potential: Literal[False] = ...,
    box: float | Sequence[float] | None = ...,
    targets: ArrayLike | None = ...,
    kernel: str = ...,
    precision: Precision | None = ...,
    threads: int = ...,
    out: Any = ...,
) -> NDArray[np.float64]: ...
@overload
def accelerations(
    x: Sequence[Sequence[float]],
    m: ArrayLike | None = ...,
    *,
    eps: float = ...,
    softening_kernel: str = ...,
    softenings: ArrayLike | None = ...,
    softening_rule: str = ...,
    G: float = ...,
    accuracy: float | None = ...,
    potential: Literal[True],
    box: float | Sequence[float] | None = ...,
    targets: ArrayLike | None = ...,
    kernel: str = ...,
    precision: Precision | None = ...,
    threads: int = ...,
    out: Any = ...,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
@overload
def accelerations(
    x: Any,
    m: Any = ...,
    *,
    eps: float = ...,
    softening_kernel: str = ...,
    softenings: ArrayLike | None = ...,
    softening_rule: str = ...,
    G: float = ...,
    accuracy: float | None = ...,
    potential: bool = ...,
    box: float | Sequence[float] | None = ...,
    targets: Any = ...,
    kernel: str = ...,
    precision: Precision | None = ...,
    threads: int = ...,
    out: Any = ...,
) -> Any: ...
@checked
def accelerations(
    x: Any,
    m: Any = None,
    *,
    eps: float = 0.0,
    softening_kernel: str = "plummer",
    softenings: ArrayLike | None = None,
    softening_rule: str = "max",
    G: float = 1.0,
    accuracy: float | None = None,
    potential: bool = False,
    box: float | Sequence[float] | None = None,
    targets: Any = None,
    kernel: str = "auto",
    precision: Precision | None = None,
    threads: int = 0,
    out: Any = None,
) -> Any:
    """The accelerations of bodies of masses m at x. For repeated calls use a :class:`Solver`, which keeps its method.

    Parameters
    ----------
    x
        Positions, ``(n, 3)``, of NumPy, CuPy, PyTorch or JAX; or records x y z m, ``(n, 4)``, without m.
    m
        Masses, ``(n,)``; or one number for all.
    eps
        Plummer's softening length. 0: none; bodies at the same position then exert no force on each other.
    softening_kernel
        The form of the pull, ``plummer`` or ``spline``: see docs/softening.md.
    softenings
        ``(n,)``: a softening length for each body that pulls, in place of `eps`, which is then that of `targets`. ``None``: none.
    softening_rule
        The softening of a pair from those of its two bodies: ``max``, or ``quadratic``, the root of the sum of squares.
    G
        The gravitational constant, in the units of positions, masses and accelerations.
    accuracy
        The relative error that 99 % of the accelerations stay below, such as 1e-3; at most 0.1. The first call measures which
        method is the fastest that meets it on these bodies, for a second or as long as sixty evaluations. ``None``: direct
        sums.
    potential
        Whether the potentials, -G sum_j m_j / (r^2 + eps^2)^(1/2), are computed too.
    box
        ``None``: open space. Otherwise the side, or the three sides, of a periodic box, with the forces of all images.
    targets
        Massless target positions, ``(k, 3)``, on the device of x. The accelerations are computed there.
    kernel
        ``auto``, or a method by name, as `pleiad run --kernel` takes it: ``cpu/simd``, ``cpu/fmm order=5 theta=0.6``.
    precision
        ``f32``, ``mixed`` or ``f64``. ``None``: single for float32; for float64 double where at most 256 bodies have mass, or
        one holds more than half of the mass of at most 10,000, else mixed (sums in double, pairs in single, 1e-7).
    threads
        Number of threads (0: all). Results are identical for any number.
    out
        Array for the result; with ``potential=True`` a pair of arrays.

    Returns
    -------
    array, or pair of arrays
        Accelerations, ``(n, 3)`` or ``(k, 3)``, of the same library, type and device as x; with ``potential=True`` also the
        potentials, ``(n,)`` or ``(k,)``.

    Raises
    ------
    UsageError
        For invalid options, and for shapes, types and devices that do not fit together.
    InputError
        Naming the first body that is not finite, beyond 1e18 or of negative mass (on the host).
    ResourceError
        If memory or a GPU is missing.

    Examples
    --------
    >>> pleiad.accelerations([[0, 0, 0], [2, 0, 0]], 1).tolist()
    [[0.25, 0.0, 0.0], [-0.25, 0.0, 0.0]]
    """
    solver = Solver(
        eps=eps, softening_kernel=softening_kernel, softenings=softenings, softening_rule=softening_rule, G=G, accuracy=accuracy,
        potential=potential, box=box, kernel=kernel, precision=precision, threads=threads,
    )
    return solver.accelerations(x, m, targets=targets, out=out)
