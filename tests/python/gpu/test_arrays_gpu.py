"""Arrays in a GPU's memory: results are there too, of the same kind, in the caller's stream, and nothing is copied."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pleiad
from pleiad._module import with_kernels_for_gpus

if with_kernels_for_gpus() is None:
    pytest.skip("there are no kernels for GPUs: pleiad-cuda13 is not installed", allow_module_level=True)


class Library:
    """Arrays of one library on the GPU: from NumPy, to NumPy, and where they lie."""

    def __init__(self, name: str) -> None:
        self.name = name
        if name == "cupy":
            cupy = pytest.importorskip("cupy")
            if cupy.cuda.runtime.getDeviceCount() == 0:
                pytest.skip("CuPy sees no GPU")
            self.array: Callable[[Any], Any] = cupy.asarray
            self.numpy: Callable[[Any], Any] = cupy.asnumpy
            self.address: Callable[[Any], int] = lambda a: int(a.data.ptr)
            self.type: Any = cupy.ndarray
        elif name == "torch":
            torch = pytest.importorskip("torch")
            if not torch.cuda.is_available():
                pytest.skip("PyTorch sees no GPU")
            self.array = lambda a: torch.from_numpy(np.ascontiguousarray(a)).cuda()
            self.numpy = lambda a: a.cpu().numpy()
            self.address = lambda a: int(a.data_ptr())
            self.type = torch.Tensor
        else:
            jax = pytest.importorskip("jax")
            if jax.default_backend() != "gpu":
                pytest.skip("JAX sees no GPU")
            jax.config.update("jax_enable_x64", True)
            self.array = jax.numpy.asarray
            self.numpy = np.asarray
            self.address = lambda a: int(a.unsafe_buffer_pointer())
            self.type = jax.Array


@pytest.fixture(params=["cupy", "torch", "jax"])
def library(request: pytest.FixtureRequest) -> Library:
    return Library(request.param)


def scene(n: int, dtype: str) -> tuple[Any, Any]:
    random = np.random.default_rng(1)
    return random.normal(size=(n, 3)).astype(dtype), random.uniform(0.5, 1.5, n).astype(dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("n", [1, 255, 4096])
def test_they_are_those_of_the_host(library: Library, dtype: str, n: int) -> None:
    x, m = scene(n, dtype)
    solver = pleiad.Solver(eps=0.05, G=2, potential=True)
    a, phi = solver.accelerations(library.array(x), library.array(m))
    assert isinstance(a, library.type) and isinstance(phi, library.type) and solver.copied_bytes == 0
    assert solver.kernel.startswith("cuda/")
    right, potentials = pleiad.accelerations(x.astype("f8"), m.astype("f8"), eps=0.05, G=2, potential=True, precision="f64")
    tolerance = 3e-5 if dtype == "float32" else 3e-6
    assert abs(library.numpy(a) - right).max() <= tolerance * abs(right).max(initial=1)
    assert abs(library.numpy(phi) - potentials).max() <= tolerance * abs(potentials).max(initial=1)


def test_a_tree_is_planned_on_the_gpu(library: Library) -> None:
    x, m = scene(50000, "float32")
    solver = pleiad.Solver(eps=0.05, accuracy=1e-3, cache=None)
    a = library.numpy(solver.accelerations(library.array(x), library.array(m)))
    right = library.numpy(pleiad.accelerations(library.array(x), library.array(m), eps=0.05))
    error = np.linalg.norm(a - right, axis=1) / np.linalg.norm(right, axis=1)
    assert np.quantile(error, 0.99) < 2e-3


def test_results_go_where_they_are_wanted(library: Library) -> None:
    if library.name == "jax":
        pytest.skip("arrays of JAX cannot be written to")
    x, m = map(library.array, scene(1000, "float32"))
    out = library.array(np.empty((1000, 3), "f4"))
    found = pleiad.accelerations(x, m, eps=0.05, out=out)
    assert library.address(found) == library.address(out)
    assert np.array_equal(library.numpy(out), library.numpy(pleiad.accelerations(x, m, eps=0.05)))


def test_strided_positions_and_records_are_read_as_they_lie(library: Library) -> None:
    x, m = scene(1000, "float32")
    solver = pleiad.Solver(eps=0.05)
    right = library.numpy(solver.accelerations(library.array(x), library.array(m)))
    records = library.array(np.hstack([x, m[:, None]]))
    assert np.allclose(library.numpy(solver.accelerations(records)), right, rtol=1e-5, atol=1e-5)
    assert solver.copied_bytes == 0
    if library.name != "jax":
        assert np.array_equal(library.numpy(solver.accelerations(records[:, :3], library.array(m))), right)
        assert solver.copied_bytes == 0


def test_work_is_in_the_callers_stream() -> None:
    cupy = Library("cupy") and __import__("cupy")
    x, m = scene(4096, "float32")
    right = cupy.asnumpy(pleiad.accelerations(cupy.asarray(x), cupy.asarray(m), eps=0.05))
    stream = cupy.cuda.Stream(non_blocking=True)
    solver = pleiad.Solver(eps=0.05)
    with stream:
        slowly = cupy.asarray(x)
        for _ in range(200):  # the positions are right when the stream has come so far, not before
            slowly = slowly + 1 - 1
        a = solver.accelerations(cupy.asarray(x) + (slowly - slowly), cupy.asarray(m))
    assert np.array_equal(cupy.asnumpy(a, stream=stream), right)
    torch = pytest.importorskip("torch")
    if torch.cuda.is_available():
        with torch.cuda.stream(torch.cuda.Stream()):
            a = solver.accelerations(torch.from_numpy(x).cuda(), torch.from_numpy(m).cuda())
            assert np.array_equal(a.cpu().numpy(), right)


def test_masses_may_be_one_number(library: Library) -> None:
    x, m = scene(100, "float32")
    found = pleiad.accelerations(library.array(x), 0.25, eps=0.05)
    right = pleiad.accelerations(library.array(x), library.array(np.full_like(m, 0.25)), eps=0.05)
    assert np.array_equal(library.numpy(found), library.numpy(right))


def test_a_stream_may_end_before_its_solver() -> None:
    cupy = Library("cupy") and __import__("cupy")
    x, m = map(cupy.asarray, scene(1000, "float32"))
    solver = pleiad.Solver(eps=0.05)
    right = cupy.asnumpy(solver.accelerations(x, m))
    for _ in range(3):
        with cupy.cuda.Stream(non_blocking=True) as stream:
            found = solver.accelerations(x, m)
            stream.synchronize()
        del stream
        assert np.array_equal(cupy.asnumpy(found), right)
    del solver


@pytest.mark.parametrize("kernel", ["auto", "cuda/mixed-symmetric", "cuda/fmm order=5 theta=0.5", "cuda/barnes-hut order=3 theta=0.4"])
def test_targets_apart_from_the_bodies(library: Library, kernel: str) -> None:
    x, m = scene(3000, "float64")
    targets = np.vstack([x[:500], np.random.default_rng(2).uniform(-20, 20, (777, 3))])
    solver = pleiad.Solver(eps=0.05, potential=True, kernel=kernel)
    a, phi = solver.accelerations(library.array(x), library.array(m), targets=library.array(targets))
    assert isinstance(a, library.type) and solver.copied_bytes == 0 and solver.kernel.startswith("cuda/")
    assert a.shape == targets.shape
    right, potentials = pleiad.accelerations(x, m, eps=0.05, potential=True, targets=targets, precision="f64")
    tolerance = 1e-2 if "order" in kernel else 1e-5
    assert abs(library.numpy(a) - right).max() <= tolerance * abs(right).max()
    assert abs(library.numpy(phi) - potentials).max() <= tolerance * abs(potentials).max()
    none = solver.accelerations(library.array(x), library.array(m), targets=library.array(np.empty((0, 3))))
    assert none[0].shape == (0, 3)


def test_arrays_of_two_places_are_refused(library: Library) -> None:
    x, m = scene(10, "float32")
    if library.name == "torch":
        torch = pytest.importorskip("torch")
        with pytest.raises(pleiad.UsageError, match="on the host, the positions are on GPU"):
            pleiad.accelerations(library.array(x), torch.from_numpy(m))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_records_of_jax_give_results_in_arrays_of_their_own(dtype: str) -> None:
    jax = pytest.importorskip("jax")
    if jax.default_backend() != "gpu":
        pytest.skip("JAX has no GPU")
    jax.config.update("jax_enable_x64", True)
    x, m = (jax.numpy.asarray(a) for a in scene(1000, dtype))
    solver = pleiad.Solver(eps=0.05, potential=True)
    a, phi = solver.accelerations(x, m)
    b, psi = solver.accelerations(jax.numpy.hstack([x, m[:, None]]))
    assert b.shape == (1000, 3) and psi.shape == (1000,) and b.dtype == dtype
    assert np.array_equal(np.asarray(a), np.asarray(b)) and np.array_equal(np.asarray(phi), np.asarray(psi))
    assert solver.copied_bytes == 0
    none, nothing = solver.accelerations(jax.numpy.zeros((0, 4), dtype))
    assert none.shape == (0, 3) and nothing.shape == (0,)
