"""Which figures docs/published-benchmarks.md compares: for each row of its tables, by the name in the row's markers, queries of the committed
measurements (bench/results) and, where the publication has figures, of bench/published.csv. The words of a row stand in the page.

<!-- figure: S1 naive -->                our figures, in the order of the queries
<!-- figure: published S1 naive -->      those of the publication, with its hardware
<!-- figure: ratio S1 naive -->          how many times as fast we are, from the least to the most

To add a row, write it into the page with these markers, and its queries here. tools/make_docs.py fills it, and fails if a figure is not there.
"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

H200 = "nvidia-h200/"
BOTH = (4096, 131072)  # bodies of the optimisation path
NAIVE, TILES, CHOICE, SERIAL = "one thread per body", "shared tiles", "Pleiad's choice", "serial loop"  # of the damped system
BLOCKS = (8, 16, 32, 64, 128, 256, 512, 1024)
SIZES = (256, 512, 1024, 2048, 4096, 8192, 16384, 32768)


def published(publication, **key):
    return {"source": publication, **key}


def measured(files, field, scale=1.0, best="first", at_most=None, **where):
    """`field` (the first of several that a row has) times `scale` of the row where these fields have these values, in the first of `files` that
    has it; the best of several rows is the first, "max", "min", or how many there are ("count"). A value that is a tuple means any of them; `at_most` are fields with their limits."""
    return {"files": [files] if isinstance(files, str) else list(files), "fields": [field] if isinstance(field, str) else list(field), "scale": scale, "best": best, "where": where,
            "at_most": at_most or {}}


def ratio(above, below):
    return {"above": above, "below": below}


# S1, the optimisation path. Full steps were the only rate of rows with several GPUs before both were measured.
STEPS = ("step_interactions_per_second", "interactions_per_second")


def path(n, field="interactions_per_second", **where):
    return measured(H200 + "path.json", field, 1e-9, n=n, **where)


def several(variant, n):
    return measured([f"nvidia-h200-x{k}/path.json" for k in (2, 4)], STEPS, 1e-9, variant=variant, n=n)


def stage(kernel, told, **where):
    """(ours, published) of a stage of the path on one GPU."""
    return [path(n, kernel=kernel, **where) for n in BOTH], [published("S1", kernel=told, n=n) for n in BOTH]


def stage_on_gpus(variant, told):
    return [several(variant, n) for n in BOTH], [published("S1", kernel=told, n=n) for n in BOTH]


def rung(kernel, n, field="interactions_per_second", scale=1e-9, **where):
    return measured(H200 + "gpu-f32.json", field, scale, "max", kernel=kernel, n=n, **where)


def tree(field, **where):
    return measured("cpu-amd-epyc-trees.json", field, **where)


def tree_on_gpu(file, solver):
    return measured(H200 + file, "ms", 1, "min", {"error_p99": 1e-3}, model="plummer", n=1048576, precision="f32", solver=solver, potential=False)


def refreshed(field, every):
    return measured("cpu-amd-epyc-trees-refresh.json", field, 1, "min", compared="refresh", solver="fmm", structure="octree", rebuild_every=every)


# S2, five kernels.
def five(best="min", field="ms", **where):
    return measured(H200 + "five-kernels.json", field, 1, best, **where)


def fastest(kernels, told):
    """(ours, published) of the best shape of each kernel."""
    return [five(kernel=k) for k in kernels], [published("S2", kernel=k) for k in told]


# S3, a damped system.
def damped(field, best="max", **where):
    return measured(H200 + "damping-fps.json", field, 1, best, **where)


def fps(part, variant, n, field="steps_per_second", best="first", **where):
    return damped(field, best, part=part, variant=variant, n=n, **where)


def scan(variant, told, sizes):
    """(ours, published) of a scan over the number of bodies."""
    return [fps("bodies", variant, n) for n in sizes], [published("S3", experiment=told, n=n) for n in sizes]


def block_scan(variant, told):
    return [fps("block", variant, 16384, shape=f"block={b}") for b in BLOCKS], [published("S3", experiment=told, block=b) for b in BLOCKS]


def fast_math(kernel):
    return [damped("gain", part="variant", variant=kernel + ", 1 / sqrt, fast math")], [published("S3", experiment="fast math", kernel=kernel)]


# S4, block strides.
def strided(field, scale=1.0, best="first", **where):
    return measured(H200 + "block-stride.json", field, scale, best, **where)


def stride(shape, kernel="cuda/split-atomics", field="interactions_per_second", scale=1e-9):
    return strided(field, scale, kernel=kernel, shape=shape, n=4096)


def basic(*blocks):
    """(ours, published) of the basic kernel."""
    return [stride(f"block={b}", "cuda/naive") for b in blocks], [published("S4", experiment="block scan, basic", block=b) for b in blocks]


def strides(shapes):
    return [stride(f"block={b},stride={s}") for b, s in shapes], [published("S4", block=b, other=f"stride {s}") for b, s in shapes]


S4_SERIAL = strided("interactions_per_second", 1e-9, kernel="cpu/scalar")
REFUSED = strided("refused", kernel="cuda/naive", shape="block=1025")


# S5, a periodic square.
def square(variant, field="seconds_per_1000"):
    return measured(H200 + "periodic-2d.json", field, section="runs", variant=variant)


def rung_20(space):
    return measured([H200 + "gpu-f32.json", H200 + "gpu-plane-f32.json"], "fraction_of_limit", 100, "max", kernel="cuda/periodic-2d", space=space)


# Our figures, or (ours, published).
ROWS = {
    "S1 serial": [path(4096, kernel="cpu/scalar")],
    "S1 naive": stage("cuda/naive", "naive parallel"),
    "S1 tiles": stage("cuda/tile", "tiles of one block"),
    "S1 unroll": stage("cuda/unroll", "unrolled (pragma 32)"),
    "S1 by hand": stage("cuda/unroll-by-hand", "unrolled by hand by 2"),
    "S1 PTX": stage("cuda/ptx", "PTX fma"),
    "S1 branch-free by hand": stage("cuda/unroll-by-hand-whole", "unrolled by hand by 2", gpus=1),
    "S1 branch-free PTX": stage("cuda/ptx-whole", "PTX fma", gpus=1),
    "S1 gain by hand": [ratio(path(n, kernel="cuda/unroll-by-hand-whole"), path(n, kernel="cuda/unroll")) for n in BOTH],
    "S1 gain of PTX": [ratio(path(n, kernel="cuda/ptx"), path(n, kernel="cuda/unroll-by-hand")) for n in BOTH],
    "S1 threads per body": [path(n, kernel="cuda/threads-per-body") for n in BOTH],
    "S1 atomics": [rung(k, 262144, shape="default") for k in ("cuda/tile", "cuda/split-atomics", "cuda/split-reduced")],
    "S1 two GPUs": stage_on_gpus("two GPUs", "two GPUs, copies through the host"),
    "S1 peer copies": stage_on_gpus("two GPUs, peer copies", "two GPUs, peer copies"),
    "S1 peer access": stage_on_gpus("two GPUs, peer access", "two GPUs, direct peer access"),
    "S1 increments": stage_on_gpus("two GPUs, increments", "two GPUs, direct peer access"),
    "S1 four GPUs": stage_on_gpus("four GPUs", "four GPUs"),
    "S1 whole-step": [path(n, "step_interactions_per_second", kernel="cuda/ptx-whole", gpus=1) for n in BOTH],
    "S1 never slower": ([several("Pleiad, four GPUs", 4096)], [published("S1", kernel="four GPUs", n=4096)]),
    "S1 scaling": [measured("nvidia-h200-x4/gpus.json", "speed_up", 1, "max", gpus=4, n=262144)],
    "S1 four over one": [ratio(several("four GPUs", 131072), measured("nvidia-h200-x4/path.json", STEPS, 1e-9, kernel=("cuda/ptx-whole", "cuda/ptx"), gpus=1, n=131072))],
    "S1 chart of stages": [measured(H200 + "path.json", "interactions_per_second", 1, "count", gpus=1)],
    "S1 chart of methods": [measured("nvidia-h200-x4/path.json", "interactions_per_second", 1, "count", n=131072)],
    "S1 Barnes-Hut": [tree("speedup", model="plummer", n=1048576, solver="barnes-hut", accuracy=1e-3, compared="solvers")],
    "S1 FMM": [measured(H200 + "crossover-f32.json", "ms", n=n, solver="fmm") for n in (1000000, 10000000)],
    "S1 Barnes-Hut on the GPU": [tree_on_gpu("tree-walks.txt", "barnes-hut"), tree_on_gpu("tree-phases.txt", "fmm")],
    "S1 structures": [tree("ms", compared="structures", model="uniform", n=100000, solver="fmm", structure=s, accuracy=1e-3) for s in ("octree", "kd", "bvh")],
    "S1 build": [tree("build_ms", model="plummer", n=1048576, solver="fmm", accuracy=1e-3, compared="solvers")],
    "S1 refit": [refreshed("refresh_ms", 8), refreshed("build_ms", 1)],
    "S1 criterion": [tree("error_p99", compared="structures", model="plummer", n=100000, solver="barnes-hut", structure=s,
                          kernel=f"cpu/barnes-hut {k}order=2 theta=0.6 leaf=32 group=128") for s, k in (("octree", ""), ("bvh", "structure=bvh "))],

    "S2 naive": fastest(["cuda/naive"], ["naive"]),
    "S2 shared": fastest(["cuda/tile"], ["shared"]),
    "S2 tiling": fastest(["cuda/grid-stride"], ["tiling (grid-stride)"]),
    "S2 tiling + shared": fastest(["cuda/grid-stride-tile"], ["tiling + shared"]),
    "S2 shuffle": fastest(["cuda/shuffle"], ["tiling + shuffle"]),
    "S2 as written": fastest(["cuda/naive-forces", "cuda/tile-forces", "cuda/grid-stride-forces", "cuda/grid-stride-tile-forces", "cuda/shuffle-forces"],
                             ["naive", "shared", "tiling (grid-stride)", "tiling + shared", "tiling + shuffle"]),
    "S2 blocks": [five(best, kernel="cuda/tile") for best in ("min", "max")],
    "S2 grids": [five(best, kernel="cuda/shuffle") for best in ("min", "max")],
    "S2 arrays": [rung(k, 16384, shape="default") for k in ("cuda/arrays", "cuda/tile")],
    "S2 forces": [rung(k, 16384, shape="default") for k in ("cuda/force", "cuda/tile")],
    "S2 units": [five("max", "error_max", kernel=("cuda/naive-forces", "cuda/tile-forces"))],
    "S2 reference": [five("max", "error_max")],
    "S2 timing": [five("max", "spread")],

    "S3 serial": scan(SERIAL, "CPU scan over N", SIZES[:6]),
    "S3 naive": scan(NAIVE, "N scan, naive", SIZES),
    "S3 tiles": scan(TILES, "N scan, tiles", SIZES[1:]),
    "S3 N = 12800, 25600": tuple(a + b for a, b in zip(scan(NAIVE, "N scan, naive", (12800, 25600)), scan(TILES, "N scan, tiles", (12800, 25600)))),
    "S3 naive blocks": block_scan(NAIVE, "block scan, naive"),
    "S3 tile blocks": block_scan(TILES, "tile scan"),
    "S3 best blocks": [fps("block", v, 16384, best="max") for v in (NAIVE, TILES)],
    "S3 speed-up": ([fps("bodies", NAIVE, 8192, field="speed_up")], [published("S3", experiment="speed-up over serial")]),
    "S3 slope": [ratio(fps("bodies", v, n), fps("bodies", v, 2 * n)) for v, n in ((CHOICE, 16384), (SERIAL, 4096))],
    "S3 fast math, naive": fast_math(NAIVE),
    "S3 fast math, tiles": fast_math(TILES),
    "S3 exact root": [ratio(rung("cuda/fast-math", 16384), rung("cuda/exact-root", 16384))],
    "S3 stack": [ratio(fps("bodies", "state on the stack", n), fps("bodies", SERIAL, n)) for n in (1024, 4096)],
    "S3 read-only": [ratio(rung(k, 16384), rung("cuda/plain-loads", 16384)) for k in ("cuda/read-only", "cuda/naive")],
    "S3 builds": [damped("gain", "count", part="variant")],
    "S3 fused velocity": [damped("gain", part="bodies", variant=NAIVE, n=16384)],
    "S3 published in every row": [damped("published_fps", "count")],
    "S3 steps": [damped("steps_compared", part="bodies")],
    "S3 compared": [damped("difference")],
    "S3 choice": ([fps("bodies", CHOICE, 8192)], [published("S3", experiment="N scan, tiles", n=8192)]),

    "S4 serial": ([S4_SERIAL], [published("S4", experiment="serial")]),
    "S4 basic": basic(1, 2, 3, 4, 8, 16, 30, 31, 32, 64, 128, 256, 512, 1023, 1024),
    "S4 1025": ([REFUSED], [published("S4", experiment="block scan, basic", block=1025)]),
    "S4 stride 4": strides([(b, 4) for b in BLOCKS[:7]]),
    "S4 strides": strides([(128, s) for s in (4, 8, 16, 32, 64, 128)]),
    "S4 managed": [stride("block=128", "cuda/managed"), stride("block=128", "cuda/naive")],
    "S4 phenomenon 1": basic(1, 2),
    "S4 phenomenon 2": basic(2, 4),
    "S4 phenomenon 3": basic(8, 256),
    "S4 phenomenon 4": basic(512, 1024),
    "S4 phenomenon 5": [REFUSED],
    "S4 phenomenon 6": basic(31, 32),
    "S4 over basic": [ratio(stride("block=128,stride=4"), stride("block=128", "cuda/naive"))],
    "S4 over serial": [ratio(stride("block=128,stride=4"), S4_SERIAL)],
    "S4 rule": [stride(f"block={b},stride=4", field="occupancy", scale=100) for b in (32, 64, 128)],
    "S4 registers": [rung(k, 16384, f, s, shape="default") for k in ("cuda/tile", "cuda/unroll") for f, s in (("registers", 1), ("occupancy", 100))],
    "S4 facts": [strided("occupancy", best="count")],

    "S5 CPU": ([square(SERIAL)], [published("S5", kernel="CPU")]),
    "S5 all cores": ([square("all cores")], [published("S5", kernel="CPU")]),
    "S5 GPU": ([square("the account's kernel")], [published("S5", block="16x16")]),
    "S5 rung 20": [rung_20("periodic plane")],
    "S5 plane": [rung_20("plane")],
    "S5 trajectory": [measured(H200 + "periodic-2d.json", "x", 1, "count")],
    "S5 energy": [square(CHOICE, "energy_error")],
    "S5 softened": [square("softened, resolved", "energy_error")],
    "S5 settings": [measured(H200 + "verify.json", "worst", kernel="cuda/tile", precision="f32")],
}
