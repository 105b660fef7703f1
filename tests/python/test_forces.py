"""Accelerations of arrays: against sums in long double, in every layout, type and place, and what is refused."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import gc
import multiprocessing
import os
import subprocess
import sys
import threading
import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pleiad

AWKWARD = (1, 2, 3, 7, 255, 256, 257)


def scene(n: int, dtype: str = "float64", seed: int = 1) -> tuple[Any, Any]:
    random = np.random.default_rng(seed)
    return random.normal(size=(n, 3)).astype(dtype), random.uniform(0.5, 1.5, n).astype(dtype)


def exact(x: Any, m: Any, eps: float, G: float = 1, targets: Any = None) -> tuple[Any, Any]:
    """Accelerations and potentials by sums in long double."""
    x, m = x.astype(np.longdouble), m.astype(np.longdouble)
    at = x if targets is None else targets.astype(np.longdouble)
    d = x[None] - at[:, None]
    r2 = (d**2).sum(2) + np.longdouble(eps) ** 2
    with np.errstate(divide="ignore"):
        inverse = np.where(r2 > 0, 1 / np.sqrt(r2), 0)
    if targets is None:
        np.fill_diagonal(inverse, 0)
    return G * (m[None, :, None] * d * inverse[..., None] ** 3).sum(1), -G * (m * inverse).sum(1)


def close(found: Any, right: Any, tolerance: float) -> None:
    right = right.astype(float)
    size = np.abs(right).max(initial=1e-300)
    assert np.abs(np.asarray(found, float) - right).max(initial=0) <= tolerance * size


@pytest.mark.parametrize("n", AWKWARD)
@pytest.mark.parametrize(("dtype", "precision", "tolerance"), [
    ("float64", None, 3e-6), ("float64", "f64", 1e-13), ("float32", None, 3e-5), ("float32", "mixed", 3e-6)])
def test_they_are_the_sums(n: int, dtype: str, precision: Any, tolerance: float) -> None:
    x, m = scene(n, dtype)
    a, phi = pleiad.accelerations(x, m, eps=0.05, G=2, potential=True, precision=precision)
    right, potentials = exact(x, m, 0.05, 2)
    assert a.dtype == phi.dtype == dtype and a.shape == (n, 3) and phi.shape == (n,)
    close(a, right, tolerance)
    close(phi, potentials, tolerance)


def test_of_no_bodies_there_are_none() -> None:
    a, phi = pleiad.accelerations(np.empty((0, 3)), np.empty(0), potential=True)
    assert a.shape == (0, 3) and phi.shape == (0,)
    assert pleiad.accelerations(pleiad.packed(0)).shape == (0, 3)


@pytest.mark.parametrize("k", [0, 1, 5, 300])
def test_targets_pull_nothing(k: int) -> None:
    x, m = scene(100)
    at, _ = scene(k, seed=2)
    a, phi = pleiad.accelerations(x, m, eps=0.1, targets=at, potential=True)
    right, potentials = exact(x, m, 0.1, targets=at)
    close(a, right, 3e-6)
    close(phi, potentials, 3e-6)
    assert a.shape == (k, 3)


def test_a_target_at_a_bodys_place_does_not_feel_it() -> None:
    x, m = scene(50)
    close(pleiad.accelerations(x, m, targets=x, precision="f64"), exact(x, m, 0)[0], 1e-12)


def test_an_accuracy_is_met_by_a_tree_that_says_so() -> None:
    x, m = scene(4000)
    solver = pleiad.Solver(eps=0.01, accuracy=1e-3, cache=None, precision="f64")
    a = solver.accelerations(x, m)
    right = pleiad.accelerations(x, m, eps=0.01, precision="f64")
    error = np.linalg.norm(a - right, axis=1) / np.linalg.norm(right, axis=1)
    assert np.quantile(error, 0.99) < 2e-3
    assert solver.kernel.startswith("cpu/") and solver.reason
    assert np.array_equal(solver.accelerations(x, m), a)
    solver.replan()
    assert np.quantile(np.linalg.norm(solver.accelerations(x, m) - right, axis=1), 0.5) < 1


def test_a_kernel_can_be_named() -> None:
    x, m = scene(500)
    for kernel in ("cpu/scalar", "cpu/threads", "cpu/fmm order=5 theta=0.5"):
        solver = pleiad.Solver(eps=0.1, kernel=kernel)
        close(solver.accelerations(x, m), exact(x, m, 0.1)[0], 5e-3)
        assert solver.kernel.startswith(kernel.split()[0])


def test_in_a_periodic_box_all_images_pull() -> None:
    x, m = scene(32)
    x -= np.floor(x)
    a = pleiad.accelerations(x, m, eps=0.05, box=1.0, precision="f64")
    shifted = pleiad.accelerations(x + [1.0, -2.0, 3.0], m, eps=0.05, box=(1, 1, 1), precision="f64")
    close(shifted, a, 1e-9)
    assert np.abs((m[:, None] * a).sum(0)).max() < 1e-9 * np.abs(a).max()


LAYOUTS = {
    "contiguous": (lambda x: x, 0),
    "fortran": (np.asfortranarray, 0),
    "every other row": (lambda x: np.repeat(x, 2, axis=0)[::2], 0),
    "columns of a wider array": (lambda x: np.hstack([np.zeros_like(x), x, x])[:, 3:6], 0),
    "every other column": (lambda x: np.repeat(x, 2, axis=1)[:, ::2], 0),
    "transposed": (lambda x: np.ascontiguousarray(x.T).T, 0),
    "read-only": (lambda x: _read_only(x), 0),
    "backwards": (lambda x: x[::-1].copy()[::-1], 1),
    "of a structured array": (lambda x: _structured(x), 1),
    "list": (lambda x: x.tolist(), 1),
}


def _read_only(x: Any) -> Any:
    x = x.copy()
    x.flags.writeable = False
    return x


def _structured(x: Any) -> Any:
    table = np.zeros(len(x), [("tag", "u1"), ("x", "f8", 3)])
    table["x"] = x
    return table["x"]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts_are_read_as_they_lie_or_the_copy_is_told(layout: str) -> None:
    x, m = scene(257)
    solver = pleiad.Solver(eps=0.05)
    right = solver.accelerations(x, m)
    assert solver.copied_bytes == 0
    make, copies = LAYOUTS[layout]
    assert np.array_equal(solver.accelerations(make(x), m), right)
    assert solver.copied_bytes == copies * x.nbytes


def test_masses_may_be_one_number_or_strided() -> None:
    x, m = scene(100)
    solver = pleiad.Solver(eps=0.05)
    assert np.array_equal(solver.accelerations(x, 0.25), solver.accelerations(x, np.full(100, 0.25)))
    right = solver.accelerations(x, m)
    assert np.array_equal(solver.accelerations(x, np.repeat(m, 2)[::2]), right)
    assert solver.copied_bytes == m.nbytes
    assert np.array_equal(solver.accelerations(x, m.astype("f4").astype("f8")), solver.accelerations(x, m.astype("f4")))


def test_whole_numbers_are_taken_as_doubles() -> None:
    x = np.array([[0, 0, 0], [2, 0, 0]])
    found = pleiad.accelerations(x, [1, 4])
    # Mixed precision: with AVX2 a root is a rounding of single precision off. In double precision it is exact to that of double.
    assert found.dtype == np.float64 and np.allclose(found, [[1, 0, 0], [-0.25, 0, 0]], rtol=2e-7, atol=0)
    exact = pleiad.accelerations(x, [1, 4], precision="f64")
    assert np.allclose(exact, [[1, 0, 0], [-0.25, 0, 0]], rtol=4e-16, atol=0)
    assert np.array_equal(found, pleiad.accelerations(x.astype("f8"), np.array([1.0, 4.0])))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_records_are_neither_copied_nor_others(dtype: str) -> None:
    x, m = scene(257, dtype)
    records = pleiad.packed(257, dtype)
    records[:, :3], records[:, 3] = x, m
    assert records.ctypes.data % 64 == 0
    solver = pleiad.Solver(eps=0.05, potential=True)
    a, phi = solver.accelerations(records)
    assert solver.copied_bytes == 0 and a.base is phi.base
    right, potentials = solver.accelerations(x, m)
    close(a, right, 1e-6)
    close(phi, potentials, 1e-6)
    out = pleiad.packed(257, dtype)
    assert np.shares_memory(solver.accelerations(records, out=out)[0], out)
    odd = np.empty(4 * 257 + 1, dtype)[1:].reshape(257, 4)
    odd[:] = records
    assert np.array_equal(solver.accelerations(odd)[0], a)
    assert solver.copied_bytes == (records.nbytes if odd.ctypes.data % (4 * odd.itemsize) else 0)


def test_results_go_where_they_are_wanted() -> None:
    x, m = scene(100)
    right = pleiad.accelerations(x, m, eps=0.1)
    out = np.full((100, 6), 7.0)
    assert pleiad.accelerations(x, m, eps=0.1, out=out[:, ::2]) is not None
    assert np.array_equal(out[:, ::2], right) and (out[:, 1::2] == 7).all()
    pair = np.empty((100, 3)), np.empty(100)
    a, phi = pleiad.accelerations(x, m, eps=0.1, potential=True, out=pair)
    assert a is pair[0] and phi is pair[1]


REFUSED = {
    "positions must have the shape (n, 3), not (4,)": lambda x, m: pleiad.accelerations(x[:, 0], m),
    "positions must have the shape (n, 3), not (4, 2)": lambda x, m: pleiad.accelerations(x[:, :2], m),
    "masses must have the shape (4,), not (3,)": lambda x, m: pleiad.accelerations(x, m[:3]),
    "masses must have the shape (4,), not (4, 1)": lambda x, m: pleiad.accelerations(x, m[:, None]),
    "positions must be of type float32 or float64, not complex128": lambda x, m: pleiad.accelerations(x + 0j, m),
    "the result must be of type float64, not float32":
        lambda x, m: pleiad.accelerations(x, m, out=np.empty((4, 3), "f4")),
    "the result has 3 rows for 4 places": lambda x, m: pleiad.accelerations(x, m, out=np.empty((3, 3))),
    "the result must be a writable array": lambda x, m: pleiad.accelerations(x, m, out=_read_only(x)),
    "targets must have the shape (n, 3), not (3,)": lambda x, m: pleiad.accelerations(x, m, targets=x[0]),
    "masses are missing": lambda x, m: pleiad.accelerations(x),
    "softening = -1 must be finite and >= 0": lambda x, m: pleiad.accelerations(x, m, eps=-1),
    "accuracy = 2 must be from 0 to 0.1": lambda x, m: pleiad.accelerations(x, m, accuracy=2),
    "no kernel 'cpu/simt'; did you mean 'cpu/simd'?": lambda x, m: pleiad.accelerations(x, m, kernel="cpu/simt"),
    "a side of the periodic box": lambda x, m: pleiad.accelerations(x, m, box=-1.0),
    "box must be None or the three sides": lambda x, m: pleiad.accelerations(x, m, box=(1, 2)),
    "threads = -1 must be >= 0": lambda x, m: pleiad.accelerations(x, m, threads=-1),
}


@pytest.mark.parametrize("sentence", REFUSED)
def test_what_cannot_be_is_refused_with_a_sentence(sentence: str) -> None:
    with pytest.raises(pleiad.UsageError) as refusal:
        REFUSED[sentence](*scene(4))
    assert sentence in str(refusal.value) and "\n" not in str(refusal.value)
    assert isinstance(refusal.value, ValueError)


@pytest.mark.parametrize(("place", "value", "sentence"), [
    (0, np.nan, "body 2 is at (nan"), (0, 1e19, "body 2 is at (1e+19"), (1, -1.0, "body 2 has mass -1"), (1, np.inf, "body 2 has mass inf")])
def test_bodies_that_cannot_be_are_named(place: int, value: float, sentence: str) -> None:
    arrays = scene(5)
    arrays[place][2] = value
    with pytest.raises(pleiad.InputError, match=sentence.replace("(", r"\(").replace("+", r"\+")):
        pleiad.accelerations(*arrays)


@given(st.integers(0, 40), st.integers(1, 4), st.integers(1, 4), st.sampled_from(["float32", "float64"]), st.integers(0, 9))
def test_strides_never_matter(n: int, rows: int, columns: int, dtype: str, seed: int) -> None:
    x, m = scene(n, dtype, seed)
    wide = np.zeros((n * rows, 3 * columns), dtype)
    wide[::rows, ::columns] = x
    solver = pleiad.Solver(eps=0.1)
    assert np.array_equal(solver.accelerations(wide[::rows, ::columns], m), solver.accelerations(x, m))


@given(st.lists(st.integers(0, 5), max_size=3), st.lists(st.integers(0, 5), max_size=2))
def test_any_shapes_give_an_answer_or_a_sentence(of_x: list[int], of_m: list[int]) -> None:
    try:
        a = pleiad.accelerations(np.ones(of_x), np.ones(of_m))
    except pleiad.Error as e:
        assert str(e) and "\n" not in str(e)
    else:
        assert a.shape == (of_x[0], 3)


def test_the_bits_are_those_of_any_number_of_threads() -> None:
    x, m = scene(3000)
    one = pleiad.accelerations(x, m, eps=0.1, threads=1)
    assert np.array_equal(pleiad.accelerations(x, m, eps=0.1, threads=2), one)


def test_solvers_work_side_by_side_and_one_is_one_threads() -> None:
    x, m = scene(3000)
    right = pleiad.accelerations(x, m, eps=0.1)
    shared = pleiad.Solver(eps=0.1, threads=1)
    refused: list[str] = []
    wrong: list[int] = []

    def work() -> None:
        own = pleiad.Solver(eps=0.1)
        for _ in range(5):
            if not np.array_equal(own.accelerations(x, m), right):
                wrong.append(1)
            try:
                shared.accelerations(x, m)
            except pleiad.UsageError as e:
                refused.append(str(e))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert all("another thread" in sentence for sentence in refused)


def test_other_threads_run_meanwhile() -> None:
    x, m = scene(20000)
    done = threading.Event()
    counted = 0
    thread = threading.Thread(target=lambda: (pleiad.accelerations(x, m, eps=0.1), done.set()))
    thread.start()
    while not done.is_set():
        counted += 1
    thread.join()
    assert counted > 0


def _in_a_child(x: Any, m: Any, queue: Any) -> None:
    queue.put(pleiad.accelerations(x, m, eps=0.1))


def test_a_forked_child_computes_too() -> None:
    x, m = scene(3000)
    right = pleiad.accelerations(x, m, eps=0.1)
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_in_a_child, args=(x, m, queue))
    child.start()
    assert np.array_equal(queue.get(timeout=60), right)
    child.join()


def test_arrays_may_be_dropped_during_a_call_and_not_resized() -> None:
    x, m = scene(20000)
    right = pleiad.accelerations(x, m, eps=0.1)
    arrays = [x.copy(), m.copy()]
    free = sys.getrefcount(arrays[0])
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(pleiad.accelerations(arrays[0], arrays[1], eps=0.1)))
    thread.start()
    while thread.is_alive() and sys.getrefcount(arrays[0]) == free:
        time.sleep(0.001)
    try:
        arrays[0].resize((5, 3))
    except ValueError as refusal:
        assert "resize" in str(refusal)
    else:  # nothing of the call needs it any more
        thread.join(60)
        assert found
    arrays.clear()
    gc.collect()
    thread.join()
    assert np.array_equal(found[0], right)


def test_arrays_are_not_kept() -> None:
    x, m = scene(100)
    solver = pleiad.Solver(eps=0.1)
    before = sys.getrefcount(x), sys.getrefcount(m)
    out = np.empty((100, 3))
    for _ in range(10):
        solver.accelerations(x, m, out=out)
    gc.collect()
    assert (sys.getrefcount(x), sys.getrefcount(m)) == before
    x.resize((50, 3), refcheck=True)


@pytest.mark.skipif("PLEIAD_SANITIZED" in os.environ, reason="the sanitizer keeps what was freed")
def test_memory_does_not_grow() -> None:
    x, m = scene(1000)

    def calls(n: int) -> None:
        for _ in range(n):
            pleiad.accelerations(x, m, eps=0.1, potential=True)

    calls(50)
    before = _resident()
    calls(500)
    assert _resident() - before < 1_000_000


def _resident() -> int:
    gc.collect()
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def test_importing_is_light() -> None:
    script = "import sys, pleiad; print([m for m in ('torch', 'jax', 'cupy', 'matplotlib', 'pandas', 'pleiad_cuda13') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.strip() == "[]"


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_torch_tensors_give_torch_tensors(dtype: str) -> None:
    torch = pytest.importorskip("torch")
    x, m = scene(257, dtype)
    solver = pleiad.Solver(eps=0.05, potential=True)
    a, phi = solver.accelerations(torch.from_numpy(x), torch.from_numpy(m))
    assert isinstance(a, torch.Tensor) and solver.copied_bytes == 0
    assert np.array_equal(a.numpy(), solver.accelerations(x, m)[0])
    out = torch.empty(257, 3, dtype=a.dtype)
    b, _ = solver.accelerations(torch.from_numpy(x), torch.from_numpy(m), out=(out, phi))
    assert b.data_ptr() == out.data_ptr() and torch.equal(a, b)
    grad = torch.from_numpy(x.copy()).requires_grad_()
    assert torch.equal(solver.accelerations(grad, torch.from_numpy(m))[0], a)
    with pytest.raises(pleiad.UsageError, match="positions must have the shape"):
        solver.accelerations(torch.zeros(3, 2), torch.zeros(3))


def test_jax_arrays_give_jax_arrays() -> None:
    jax = pytest.importorskip("jax")
    x, m = scene(257, "float32")
    solver = pleiad.Solver(eps=0.05, potential=True)
    a, phi = solver.accelerations(jax.numpy.asarray(x), jax.numpy.asarray(m))
    assert isinstance(a, jax.Array) and solver.copied_bytes == 0
    assert np.array_equal(np.asarray(a), solver.accelerations(x, m)[0])
    one = solver.accelerations(jax.numpy.asarray(x), 0.5)
    assert np.array_equal(np.asarray(one[1]), solver.accelerations(x, 0.5)[1])
    with pytest.raises(pleiad.UsageError, match="cannot be written to"):
        solver.accelerations(jax.numpy.asarray(x), jax.numpy.asarray(m), out=(a, phi))


def test_two_libraries_in_one_call_are_refused() -> None:
    torch, jax = pytest.importorskip("torch"), pytest.importorskip("jax")
    with pytest.raises(pleiad.UsageError, match="JAX and PyTorch in one call"):
        pleiad.accelerations(torch.zeros(3, 3), jax.numpy.zeros(3))


def test_softenings_of_bodies_and_a_spline() -> None:
    random = np.random.default_rng(1)
    x, m, eps = random.uniform(-1, 1, (40, 3)), random.uniform(0, 1, 40), random.uniform(0, 0.5, 40)
    d = x[None] - x[:, None]
    eps2 = np.maximum(eps[:, None], eps[None]) ** 2
    r2 = (d**2).sum(axis=2) + eps2
    np.fill_diagonal(r2, np.inf)
    expected = (m[None, :, None] * d / r2[..., None] ** 1.5).sum(axis=1)
    a, phi = pleiad.accelerations(x, m, softenings=eps, potential=True)
    assert np.allclose(a, expected, rtol=1e-12, atol=1e-12)
    assert np.allclose(phi, -(m[None] / np.sqrt(r2)).sum(axis=1), rtol=1e-12)
    rule = pleiad.accelerations(x, m, softenings=eps, softening_rule="quadratic")
    assert not np.allclose(rule, expected, rtol=1e-3)
    pair = pleiad.accelerations([[0, 0, 0], [1.5, 0, 0]], 1, eps=0.5, softening_kernel="spline")
    assert abs(pair[0, 0] - 1 / 1.5**2) < 1e-15  # Newton's beyond 2.8 eps
    with pytest.raises(pleiad.UsageError, match="softening_kernel must be one of plummer, spline"):
        pleiad.accelerations(x, m, softening_kernel="cubic")
    with pytest.raises(pleiad.UsageError, match="softenings"):
        pleiad.accelerations(x, m, softenings=eps[:3])
