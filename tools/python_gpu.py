#!/usr/bin/env python3
"""How long accelerations of arrays on a GPU take through CuPy, PyTorch and JAX, beside the library called on the same memory, in turns.

PYTHONPATH=build/cuda/python python3 tools/python_gpu.py [N ...]      (1048576 16777216; those of the libraries that are installed)

A row: library, bodies, type, method, seconds through the library of arrays, seconds of the library alone, their ratio, bytes copied.
"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

import sys
import time
from importlib.util import find_spec

import numpy as np

import pleiad
from pleiad._module import with_kernels_for_gpus

TIMES = 5
LARGEST_DIRECT = 1 << 21


def libraries():
    """Name, how to bring an array to the GPU, how to wait for it."""
    if find_spec("cupy"):
        import cupy

        yield "cupy", cupy.asarray, lambda a: cupy.cuda.get_current_stream().synchronize()
    if find_spec("torch"):
        import torch

        yield "torch", lambda a: torch.from_numpy(a).cuda(), lambda a: torch.cuda.synchronize()
    if find_spec("jax"):
        import jax

        yield "jax", jax.numpy.asarray, lambda a: a.block_until_ready()


def best(work):
    seconds = []
    for _ in range(TIMES):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def measure(name, to_gpu, wait, n, accuracy, core):
    random = np.random.default_rng(1)
    x, m = to_gpu(random.normal(size=(n, 3)).astype("f4")), to_gpu(np.full(n, 1 / n, "f4"))
    solver = pleiad.Solver(eps=0.01, accuracy=accuracy)
    wait(solver.accelerations(x, m))  # finds the method
    alone = core.Solver(softening=0.01, kernel=solver.kernel)
    result = core.device_array([n, 3], "float32", 0)
    places = x.detach() if name == "torch" else x
    direct = lambda: (alone.accelerations(places, m, result), core.wait_for(0, 0))  # noqa: E731
    direct()
    through = best(lambda: wait(solver.accelerations(x, m)))
    without = best(direct)
    print(f"{name:6} {n:10} float32 {solver.kernel:50} {through:.5f} s {without:.5f} s {through / without:.3f} {solver.copied_bytes} B", flush=True)


def main():
    core = with_kernels_for_gpus()
    if core is None:
        sys.exit("no kernels for GPUs: install pleiad-cuda13, or use the package of the preset cuda")
    for n in map(int, sys.argv[1:] or ("1048576", "16777216")):
        for library in libraries():
            for accuracy in (None, 1e-3) if n <= LARGEST_DIRECT else (1e-3,):
                measure(*library, n, accuracy, core)


if __name__ == "__main__":
    main()
