"""A solver of forces, which keeps its memory, its threads and its method between evaluations."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from . import _core
from ._arrays import Kind, kind_of
from ._checked import checked, number, plain
from ._columns import numbers
from ._module import GPU_PACKAGE_NEEDED, cache_text, with_kernels_for_gpus
from ._renamed import deprecated
from ._strict import Strict
from .errors import ResourceError, UsageError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["Precision", "Solver"]


def __dir__() -> list[str]:
    return __all__


#: Of sums and state: single, pairs in single and sums in double, double.
Precision = Literal["f32", "mixed", "f64"]


class Solver(Strict):
    """Computes accelerations. It keeps its memory, its threads, and the method that it chose for an accuracy, between calls.

    a_i = G sum_j m_j (x_j - x_i) / (abs(x_j - x_i)^2 + eps^2)^(3/2), the body itself left out.

    Use a solver from one thread at a time. Different solvers can be used concurrently, and other threads of Python run during
    a call. The same bodies give the same results, bit for bit.

    Parameters
    ----------
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
    kernel
        ``auto``, or a method by name, as `pleiad run --kernel` takes it: ``cpu/simd``, ``cpu/fmm order=5 theta=0.6``.
    precision
        ``f32``, ``mixed`` or ``f64``. ``None``: single for float32; for float64 double where at most 256 bodies have mass, or
        one holds more than half of the mass of at most 10,000, else mixed (sums in double, pairs in single, 1e-7).
    threads
        Number of threads (0: all). Results are identical for any number.
    cache
        A file in which measurements are kept; ``auto``: that of the command `pleiad`; ``None``: nowhere.

    Raises
    ------
    UsageError
        For invalid options.
    ResourceError
        For a kernel of a GPU, if there is no GPU.

    Examples
    --------
    >>> solver = pleiad.Solver(G=2)
    >>> solver.accelerations([[0, 0, 0], [1, 0, 0]], [1, 1]).tolist()
    [[2.0, 0.0, 0.0], [-2.0, 0.0, 0.0]]
    """

    __slots__ = ("__weakref__", "_copied", "_gpu", "_host", "_last", "_options", "_potential", "_queue")

    @checked
    def __init__(
        self,
        *,
        eps: float = 0.0,
        softening_kernel: str = "plummer",
        softenings: ArrayLike | None = None,
        softening_rule: str = "max",
        G: float = 1.0,
        accuracy: float | None = None,
        potential: bool = False,
        box: float | Sequence[float] | None = None,
        kernel: str = "auto",
        precision: Precision | None = None,
        threads: int = 0,
        cache: str | os.PathLike[str] | None = "auto",
    ) -> None:
        self._options: dict[str, Any] = {
            "softening": eps,
            "softening_kernel": softening_kernel,
            "softening_rule": softening_rule,
            "softenings": [] if softenings is None else numbers("softenings", softenings, np.float64).ravel().tolist(),
            "G": G,
            "accuracy": accuracy or 0.0,
            "potential": potential,
            "box": _box(box),
            "kernel": kernel,
            "precision": precision,
            "threads": threads,
            "cache": cache_text(cache),
        }
        self._potential = potential
        on_gpu = kernel.startswith("cuda/")
        self._host = None if on_gpu else _core.Solver(**self._options)
        self._gpu = _gpu_solver(self._options) if on_gpu else None
        self._last: Any = self._gpu if on_gpu else self._host
        self._copied = 0
        self._queue: Any = None  # the last, so that it is there as long as what works in it

    @checked
    def accelerations(self, x: Any, m: Any = None, *, targets: Any = None, out: Any = None) -> Any:
        """The accelerations of bodies of masses m at x.

        Positions are not copied, also of slices, transposed and Fortran-ordered arrays, if their strides are whole and not
        negative. Masses must be contiguous. Records must be contiguous and aligned at four numbers, as :func:`pleiad.packed`
        makes them. Other arrays and lists are copied; `copied_bytes` says how much.

        Parameters
        ----------
        x
            Positions, ``(n, 3)``, of float32 or float64, of NumPy, CuPy, PyTorch or JAX; or records x y z m, ``(n, 4)``, without
            m.
        m
            Masses, ``(n,)``; or one number for all.
        targets
            Massless target positions, ``(k, 3)``, on the device of x. The accelerations are computed there.
        out
            Array for the result; with ``potential=True`` a pair of arrays. Not with JAX, whose arrays cannot be written to.

        Returns
        -------
        array, or pair of arrays
            Accelerations, ``(n, 3)`` or ``(k, 3)``, of the same library, type and device as x; with ``potential=True`` also the
            potentials, ``(n,)`` or ``(k,)``.

        Raises
        ------
        UsageError
            For shapes, types and devices that do not fit together.
        InputError
            Naming the first body that is not finite, beyond 1e18 or of negative mass (on the host).
        ResourceError
            If memory or a GPU is missing.
        """
        kind = kind_of(x, m, targets, *(out if isinstance(out, tuple) else (out,)))
        self._copied = 0
        plain("out", out)
        positions = kind.own(x, "positions")
        dtype = kind.dtype(positions)
        self._count(x, positions, kind)
        if m is None:
            return self._of_records(kind, positions, dtype, targets, out)
        _need_rows(positions, "positions", 3)
        positions = self._strided(kind, positions)
        masses = self._masses(kind, m, dtype, positions)
        places = None
        if targets is not None:
            places = kind.own(targets, "targets", dtype)
            self._count(targets, places, kind)
            _need_rows(places, "targets", 3)
            places = self._strided(kind, places)
        n = len(positions if places is None else places)
        with kind.on_device_of(positions):
            result, potentials = self._results(kind, positions, dtype, n, out)
            solver = self._solver(kind.gpu(positions))
            stream, queue = kind.stream(positions)
            solver.accelerations(
                kind.view(positions),
                kind.view(masses),
                kind.view(result),
                None if potentials is None else kind.view(potentials),
                None if places is None else kind.view(places),
                stream,
            )
            self._queue = queue
            return self._finished(kind, positions, stream, result, potentials)

    @property
    def kernel(self) -> str:
        """The kernel and settings of the last accelerations, which decide their bits; "" before the first."""
        return str(self._last.kernel) if self._last else ""

    @property
    def reason(self) -> str:
        """Why this kernel was chosen; "" before the first accelerations."""
        return str(self._last.why) if self._last else ""

    @property
    @deprecated("Solver.why is now called Solver.reason")
    def why(self) -> str:
        """The old name of `reason`, which warns."""
        return self.reason

    @property
    def copied_bytes(self) -> int:
        """How many bytes of your arrays the last call copied."""
        return self._copied

    def replan(self) -> None:
        """The next call chooses the method again. Call this if the distribution of the bodies has changed much."""
        for solver in (self._host, self._gpu):
            if solver is not None:
                solver.plan_again()

    @deprecated("Solver.plan_again is now called Solver.replan")
    def plan_again(self) -> None:
        """The old name of `replan`, which warns."""
        self.replan()

    def __repr__(self) -> str:
        said = {"eps": "softening", "G": "G", "accuracy": "accuracy", "box": "box", "kernel": "kernel", "precision": "precision"}
        return f"pleiad.Solver({', '.join(f'{name}={self._options[key]!r}' for name, key in said.items())})"

    def _solver(self, gpu: int | None) -> Any:
        if gpu is None:
            if self._host is None:
                raise UsageError(f"kernel '{self._options['kernel']}' is for arrays in the memory of a GPU; these are on the host")
            self._last = self._host
        else:
            if self._gpu is None:
                self._gpu = _gpu_solver(self._options)
            self._last = self._gpu
        return self._last

    def _count(self, given: Any, own: Any, kind: Kind) -> None:
        if own is not given:
            self._copied += own.nbytes

    def _strided(self, kind: Kind, x: Any) -> Any:
        if kind.is_strided_well(x):
            return x
        copy = kind.contiguous(x)
        self._copied += copy.nbytes
        return copy

    def _masses(self, kind: Kind, m: Any, dtype: str, positions: Any) -> Any:
        masses = kind.own(m, "masses", dtype)
        if masses.ndim == 0:
            with kind.on_device_of(positions):
                return kind.full(len(positions), number("masses", m), dtype, positions)
        self._count(m, masses, kind)
        if kind.is_contiguous(masses):
            return masses
        copy = kind.contiguous(masses)
        self._copied += copy.nbytes
        return copy

    def _results(self, kind: Kind, like: Any, dtype: str, n: int, out: Any) -> tuple[Any, Any]:
        if out is not None and kind.name == "JAX":
            raise UsageError("arrays of JAX cannot be written to: leave out `out`")
        if out is None:
            return kind.empty((n, 3), dtype, like), kind.empty((n,), dtype, like) if self._potential else None
        if self._potential != isinstance(out, tuple) or (isinstance(out, tuple) and len(out) != 2):
            raise UsageError(
                "out must be a pair of arrays, for accelerations and potentials"
                if self._potential
                else "out must be one array: potentials were not asked for (potential=True)"
            )
        result, potentials = out if self._potential else (out, None)
        return result, potentials

    def _of_records(self, kind: Kind, records: Any, dtype: str, targets: Any, out: Any) -> Any:
        if records.ndim != 2 or records.shape[1] != 4:
            raise UsageError(
                f"masses are missing: m must be given, or records x y z m of shape (n, 4), not {_shape(records)}"
            )
        if targets is not None:
            raise UsageError("targets need positions and masses apart, not records")
        alignment = 32 if dtype == "float64" else 16
        with kind.on_device_of(records):
            if not kind.is_contiguous(records) or kind.address(records) % alignment:
                copy = kind.empty(records.shape, dtype, records)
                kind.copy_into(records, copy)
                self._copied += copy.nbytes
                records = copy
            if out is not None and (isinstance(out, tuple) or kind.name == "JAX"):
                raise UsageError("with records out must be one array of shape (n, 4), and not of JAX")
            if not kind.slices and kind.gpu(records) is not None:
                return self._of_records_apart(kind, records, dtype)
            result = kind.empty(records.shape, dtype, records) if out is None else out
            stream, queue = kind.stream(records)
            self._solver(kind.gpu(records)).records(kind.view(records), kind.view(result), stream)
            self._queue = queue
            result, _ = self._waited(kind, records, stream, result, None)
        return (result[:, :3], result[:, 3]) if self._potential else result[:, :3]

    def _of_records_apart(self, kind: Kind, records: Any, dtype: str) -> Any:
        """For a library that copies what it slices."""
        result, potentials = self._results(kind, records, dtype, len(records), None)
        stream, queue = kind.stream(records)
        self._solver(kind.gpu(records)).records_apart(kind.view(records), result, potentials, stream)
        self._queue = queue
        return self._finished(kind, records, stream, result, potentials)

    def _waited(self, kind: Kind, like: Any, stream: int, result: Any, potentials: Any) -> tuple[Any, Any]:
        gpu = kind.gpu(like)
        # First what the host does: the GPU works meanwhile.
        given = kind.finished(result), None if potentials is None else kind.finished(potentials)
        if gpu is not None and kind.waits():
            (with_kernels_for_gpus() or _core).wait_for(stream, gpu)
        return given

    def _finished(self, kind: Kind, like: Any, stream: int, result: Any, potentials: Any) -> Any:
        result, potentials = self._waited(kind, like, stream, result, potentials)
        return result if potentials is None else (result, potentials)


def _gpu_solver(options: dict[str, Any]) -> Any:
    module = with_kernels_for_gpus()
    if module is None:
        raise ResourceError(GPU_PACKAGE_NEEDED)
    return module.Solver(**options)


def _box(box: Any) -> Any:
    """As it is, or its sides as numbers."""
    sides = plain("box", box)
    return tuple(sides.tolist()) if isinstance(sides, np.ndarray) and sides.ndim == 1 else sides


def _shape(x: Any) -> tuple[int, ...]:
    return tuple(x.shape)


def _need_rows(x: Any, name: str, columns: int) -> None:
    if x.ndim != 2 or x.shape[1] != columns:
        raise UsageError(f"{name} must have the shape (n, {columns}), not {_shape(x)}")
