"""What the five published benchmarks describe, a row for each variant, optimisation, scan, chart, published set and claim: the data that
tools/make_published_benchmarks.py makes docs/published-benchmarks.md of.

A row says what the publication has (`what`), in which file of Pleiad it is, the one command that measures it (`run`), what was published (`told`),
what was measured here (`ours`), the unit of both, and why (`why`).

told  a list of published(...), rows of bench/published.csv; or a text, where the publication has no figure
ours  a list of measured(...), rows of bench/results; None leaves a place empty that `told` fills, or the other way round
verdict  only for rows without a figure to compare with: else it is the ratio of the two

To add a row, write it into the list of its publication. A row without a figure fails the test, unless its id is in STILL_TO_MEASURE; take it out of
there as soon as the figure is committed.
"""

H200 = "nvidia-h200/"
# Rows whose figures come with a later measurement. Each other row must have its figure.
STILL_TO_MEASURE = set()


def published(publication, **key):
    return {"source": publication, **key}


def measured(files, field, scale=1.0, best="first", at_most=None, **where):
    """`field` (the first of several that a row has) times `scale` of the row where these fields have these values, in the first of `files` that
    has it; the best of several rows is the first, "max", "min", or how many there are ("count"). A value that is a tuple means any of them; `at_most` are fields with their limits."""
    return {"files": [files] if isinstance(files, str) else list(files), "fields": [field] if isinstance(field, str) else list(field), "scale": scale, "best": best, "where": where,
            "at_most": at_most or {}}


def ratio(above, below):
    return {"above": above, "below": below}


# Full steps, which rows with several GPUs had for their only rate before both were measured.
STEPS = ("step_interactions_per_second", "interactions_per_second")


def path(n, field="interactions_per_second", **where):
    return measured(H200 + "path.json", field, 1e-9, n=n, **where)


def several(variant, n):
    return measured([f"nvidia-h200-x{k}/path.json" for k in (2, 4)], STEPS, 1e-9, variant=variant, n=n)


def k80(kernel):
    return [published("S1", kernel=kernel, n=4096), published("S1", kernel=kernel, n=131072)]


def on_the_path(kernel):
    return [path(n, kernel=kernel) for n in (4096, 131072)]


def on_multi_gpu(variant):
    return [several(variant, n) for n in (4096, 131072)]


def rung(kernel, n, field="interactions_per_second", scale=1e-9, file="gpu-f32.json", **where):
    return measured(H200 + file, field, scale, "max", kernel=kernel, n=n, **where)


def five(best="min", field="ms", **where):
    return measured(H200 + "five-kernels.json", field, 1, best, **where)


def fps(part, variant, n, field="steps_per_second", best="first", **where):
    return measured(H200 + "damping-fps.json", field, 1, best, part=part, variant=variant, n=n, **where)


def stride(shape, kernel="cuda/split-atomics", field="interactions_per_second", scale=1e-9):
    return measured(H200 + "block-stride.json", field, scale, kernel=kernel, shape=shape, n=4096)


def square(variant, field="seconds_per_1000"):
    return measured(H200 + "periodic-2d.json", field, section="runs", variant=variant)


def tree(field, best="first", scale=1.0, **where):
    return measured("cpu-amd-epyc-trees.json", field, scale, best, **where)


def refreshed(key, every):
    return measured("cpu-amd-epyc-trees-refresh.json", key, 1, "min", compared="refresh", solver="fmm", structure="octree", rebuild_every=every)


PATH = "pleiad bench --experiment path"
FIVE = "pleiad bench --experiment five-kernels"
DAMPED = "pleiad bench --experiment damping-fps"
STRIDE = "pleiad bench --experiment block-stride"
SQUARE = "pleiad bench --experiment periodic-2d"
TREES = "pleiad bench --experiment trees"

S1 = [
    dict(id="S1 serial", what="serial loop on the CPU, the start of the chart", file="src/cpu/direct/01_scalar.cpp", run=PATH + " --kernel cpu/scalar",
         told="a bar without a figure", ours=[path(4096, kernel="cpu/scalar")], unit="G/s, N = 4096", verdict="measured",
         why="two plain loops, one thread, no vectors: the baseline of all speed-ups"),
    dict(id="S1 naive", what="naive parallel", file="src/cuda/direct/01_naive.cu", run=PATH + " --kernel cuda/naive", told=k80("naive parallel"),
         ours=on_the_path("cuda/naive"), unit="G/s", why="4096 threads leave most of 132 multiprocessors idle: at N = 4096 only the latency of a load counts"),
    dict(id="S1 tiles", what="shared-memory tiles of one block", file="src/cuda/direct/02_tile.cu", run=PATH + " --kernel cuda/tile",
         told=k80("tiles of one block"), ours=on_the_path("cuda/tile"), unit="G/s", why="a source is read once per block"),
    dict(id="S1 unroll", what="loop unrolled by `#pragma unroll 32`", file="src/cuda/direct/06_unroll.cu", run=PATH + " --kernel cuda/unroll",
         told=k80("unrolled (pragma 32)"), ours=on_the_path("cuda/unroll"), unit="G/s", why="counter and branch once per 32 sources"),
    dict(id="S1 by hand", what="unrolled by hand by two, shared reads reordered", file="src/cuda/direct/07_unroll_by_hand.cu",
         run=PATH + " --kernel cuda/unroll-by-hand", told=k80("unrolled by hand by 2"), ours=on_the_path("cuda/unroll-by-hand"), unit="G/s",
         why="each iteration keeps a branch for an odd last source, and the order of reads is fixed by hand; the form without the branch is two rows below"),
    dict(id="S1 PTX", what="dot product in PTX, softening as first addend", file="src/cuda/direct/08_ptx.cu", run=PATH + " --kernel cuda/ptx",
         told=k80("PTX fma"), ours=on_the_path("cuda/ptx"), unit="G/s", why="the compiler chooses the same `fma.rn.f32`: \"extremely limited\" then and now"),
    dict(id="S1 branch-free by hand", what="the same without the branch: whole pairs in the loop, the remainder after it", file="src/cuda/direct/21_unroll_by_hand_whole.cu",
         run=PATH + " --kernel cuda/unroll-by-hand-whole", told=k80("unrolled by hand by 2"),
         ours=[path(n, kernel="cuda/unroll-by-hand-whole", gpus=1) for n in (4096, 131072)],
         unit="G/s", why="the publication's loop, whose count is even, does this"),
    dict(id="S1 branch-free PTX", what="PTX without the branch", file="src/cuda/direct/22_ptx_whole.cu", run=PATH + " --kernel cuda/ptx-whole",
         told=k80("PTX fma"),
         ours=[path(n, kernel="cuda/ptx-whole", gpus=1) for n in (4096, 131072)], unit="G/s",
         why="as above"),
    dict(id="S1 gain by hand", what="claim: one level more by hand is a \"slight\" gain", file="src/cuda/direct/07_unroll_by_hand.cu", run=PATH,
         told="34.1 / 31 = 1.10 and 96.5 / 85 = 1.14 of the pragma's rate",
         ours=[ratio(path(n, kernel="cuda/unroll-by-hand-whole"), path(n, kernel="cuda/unroll")) for n in (4096, 131072)], unit="of the pragma's rate", verdict="answered",
         why="a loss on an H200, also without the branch: the compiler reads more sources ahead if the order is left to it"),
    dict(id="S1 gain of PTX", what="claim: PTX is \"extremely limited\"", file="src/cuda/direct/08_ptx.cu", run=PATH,
         told="34.4 / 34.1 = 1.01 and 96.4 / 96.5 = 1.00 of the rate by hand", ours=[ratio(path(n, kernel="cuda/ptx"), path(n, kernel="cuda/unroll-by-hand")) for n in (4096, 131072)],
         unit="of the rate by hand", verdict="confirmed", why="the same instructions"),
    dict(id="S1 threads per body", what="several threads per body: \"faster for small N, limited gain for large N\"",
         file="src/cuda/direct/13_threads_per_body.cu", run=PATH + " --kernel cuda/threads-per-body", told="described, without a figure",
         ours=on_the_path("cuda/threads-per-body"), unit="G/s, N = 4096 / 131072", verdict="confirmed",
         why="it fills the GPU at 4096; at 131072 the GPU is full in any case, and the reads differ within a warp"),
    dict(id="S1 atomics", what="claim: at large N \"perhaps because of atomics\"", file="src/cuda/direct/14_split_atomics.cu",
         run="pleiad bench gpu --kernel cuda/split-atomics cuda/split-reduced -n 262144 --precision f32", told="a conjecture",
         ours=[rung(k, 262144, shape="default") for k in ("cuda/tile", "cuda/split-atomics", "cuda/split-reduced")],
         unit="G/s at N = 262144, tiles / split with atomics / split with ordered sums", verdict="answered",
         why="atomics are not the reason: the split kernel with atomics is faster than the tile without; sums in a fixed order, with several targets per thread, gain another tenth"),
    dict(id="S1 two GPUs", what="two GPUs, copies through the host", file="src/cuda/multi_gpu/exchange.hpp", run=PATH,
         told=k80("two GPUs, copies through the host"), ours=on_multi_gpu("two GPUs"), unit="G/s, full steps",
         why="each GPU sums the pulls on its half of the bodies; positions cross the bus twice per step"),
    dict(id="S1 peer copies", what="two GPUs, peer-to-peer copies", file="src/cuda/multi_gpu/exchange.hpp", run=PATH, told=k80("two GPUs, peer copies"),
         ours=on_multi_gpu("two GPUs, peer copies"), unit="G/s, full steps", why="one transfer, over the link"),
    dict(id="S1 peer access", what="two GPUs, direct peer access", file="src/cuda/multi_gpu/exchange.hpp", run=PATH,
         told=k80("two GPUs, direct peer access"), ours=on_multi_gpu("two GPUs, peer access"), unit="G/s, full steps",
         why="each GPU writes its new positions to the other's memory; this is reproducible, because each position has one writer"),
    dict(id="S1 increments", what="each GPU adds its velocity increments directly to the other's memory (\"unstable\")",
         file="src/cuda/multi_gpu/increments.cu", run=PATH, told=k80("two GPUs, direct peer access"),
         ours=on_multi_gpu("two GPUs, increments"), unit="G/s, full steps", why="atomic additions over the link, in an order that differs from run to run"),
    dict(id="S1 four GPUs", what="four GPUs (two of two)", file="src/cuda/multi_gpu/exchange.hpp", run=PATH, told=k80("four GPUs"),
         ours=on_multi_gpu("four GPUs"), unit="G/s, full steps", why="at N = 4096 a quarter of the bodies cannot fill a GPU, and the exchange costs the same"),
    dict(id="S1 whole-step", what="full steps of the publication's kernel on one GPU, for comparison with several GPUs", file="bench/experiments/path.cpp", run=PATH,
         told="no figure", ours=[path(n, "step_interactions_per_second", kernel="cuda/ptx-whole", gpus=1) for n in (4096, 131072)], unit="G/s, full steps", verdict="measured", why="the rates of forces and of full steps are not comparable"),
    dict(id="S1 never slower", what="claim: four GPUs slower than one at N = 4096 (34 against 57)", file="src/engine/engine.cpp", run=PATH,
         told=[published("S1", kernel="four GPUs", n=4096)], ours=[several("Pleiad, four GPUs", 4096)], unit="G/s",
         why="Pleiad uses only as many GPUs as make it faster: one here, so four are never slower than one (one GPU has the same rate)"),
    dict(id="S1 scaling", what="question: how to divide n^2 pairs, share, transfer, synchronise", file="src/engine/multi_gpu_engine.cpp",
         run="pleiad bench gpus -n 262144 --gpus 1,4", told="3.5 times on four (339 / 96.4)",
         ours=[measured("nvidia-h200-x4/gpus.json", "speed_up", 1, "max", gpus=4, n=262144)], unit="times one GPU, on four, N = 262144", verdict="answered",
         why="docs/benchmarks.md shows the parts of a step on four GPUs"),
    dict(id="S1 four over one", what="claim: four GPUs 3.5 times one at N = 131072", file="src/cuda/multi_gpu/exchange.hpp", run=PATH, told="339 / 96.4 = 3.52",
         ours=[ratio(several("four GPUs", 131072), measured("nvidia-h200-x4/path.json", STEPS, 1e-9, kernel=("cuda/ptx-whole", "cuda/ptx"), gpus=1, n=131072))],
         unit="times", verdict="answered",
         why="a quarter of the bodies is 128 blocks of 256 for 132 multiprocessors, one each: too few warps to hide latency; Pleiad's own kernels scale as in the row above"),
    dict(id="S1 chart of stages", what="chart: progress through the stages, N = 4096 and 131072", file="bench/experiments/path.cpp",
         run=PATH + " --plot path.png", told="18 bars", ours=[measured(H200 + "path.json", "interactions_per_second", 1, "count", gpus=1)],
         unit="points on one GPU", verdict="drawn", why="below"),
    dict(id="S1 chart of methods", what="chart: serial, parallel, tiles, optimised, two GPUs, four GPUs", file="bench/experiments/path.cpp",
         run=PATH + " --plot path.png", told="six bars", ours=[measured("nvidia-h200-x4/path.json", "interactions_per_second", 1, "count", n=131072)],
         unit="methods on four GPUs", verdict="drawn", why="the same plot on a machine with four GPUs"),
    dict(id="S1 Barnes-Hut", what="outlook: Barnes-Hut, O(N log N)", file="src/tree/cpu", run=TREES, told="described, without a figure",
         ours=[tree("speedup", model="plummer", n=1048576, solver="barnes-hut", accuracy=1e-3, compared="solvers")],
         unit="times direct sums on the same CPU, N = 1048576, error 1e-3", verdict="done", why="docs/solvers.md"),
    dict(id="S1 FMM", what="outlook: fast multipole method, O(N)", file="src/cuda/tree", run="pleiad bench --experiment crossover --backend cuda",
         told="described, without a figure", ours=[measured(H200 + "crossover-f32.json", "ms", n=n, solver="fmm") for n in (1000000, 10000000)],
         unit="ms, 1e6 / 1e7 bodies, error 1e-3", verdict="done", why="ten times the bodies in less than ten times the time"),
    dict(id="S1 Barnes-Hut on the GPU", what="Barnes-Hut on a GPU, as in the publication", file="src/cuda/tree", run="pleiad bench --experiment trees --backend cuda",
         told="described, without a figure", ours=[measured(H200 + f"tree-{file}.txt", "ms", 1, "min", {"error_p99": 1e-3}, model="plummer", n=1048576, precision="f32", solver=s, potential=False)
                                for file, s in (("walks", "barnes-hut"), ("phases", "fmm"))],
         unit="ms, Barnes-Hut / fast multipole method, N = 1048576, error 1e-3", verdict="done", why="groups of targets share a walk; docs/solvers.md"),
    dict(id="S1 structures", what="octree, kd-tree or bounding volume hierarchy", file="src/tree/cpu", run=TREES, told="described, without a figure",
         ours=[tree("ms", compared="structures", model="uniform", n=100000, solver="fmm", structure=s, accuracy=1e-3) for s in ("octree", "kd", "bvh")],
         unit="ms, octree / kd-tree / volumes, 100000 bodies", verdict="done", why="the octree builds fastest and its cells are cubes"),
    dict(id="S1 build", what="the tree rebuilt in parallel in every step", file="src/tree/cpu", run=TREES, told="described, without a figure",
         ours=[tree("build_ms", model="plummer", n=1048576, solver="fmm", accuracy=1e-3, compared="solvers")], unit="ms, N = 1048576", verdict="done",
         why="an eighth of the step on a CPU"),
    dict(id="S1 refit", what="\"or the structure adjusted dynamically\"", file="src/tree", run=TREES, told="described, without a figure",
         ours=[refreshed("refresh_ms", 8), refreshed("build_ms", 1)],
         unit="ms, moments updated in kept cells / cells rebuilt", verdict="done", why="a setting of trees; the experiment shows its error over the steps"),
    dict(id="S1 criterion", what="a node is one point mass when the solid angle of its box is below a threshold", file="include/pleiad/kernel/tree.hpp", run=TREES,
         told="described, without a figure", ours=[tree("error_p99", compared="structures", model="plummer", n=100000, solver="barnes-hut", structure=s, kernel=k)
                                for s, k in (("octree", "cpu/barnes-hut order=2 theta=0.6 leaf=32 group=128"),
                                             ("bvh", "cpu/barnes-hut structure=bvh order=2 theta=0.6 leaf=32 group=128"))],
         unit="error of 99 %, boxes in an octree / in a hierarchy, theta = 0.6", verdict="done",
         why="`theta` bounds the angle, `tolerance` the error itself, which is cheaper for the same error"),
]

S2 = [
    dict(id="S2 naive", what="naive", file="src/cuda/direct/01_naive.cu", run=FIVE + " --kernel cuda/naive", told=[published("S2", kernel="naive")],
         ours=[five(kernel="cuda/naive")], unit="ms, best of the scan", why="latency of one thread per body: it does not depend on the block"),
    dict(id="S2 shared", what="shared memory", file="src/cuda/direct/02_tile.cu", run=FIVE + " --kernel cuda/tile", told=[published("S2", kernel="shared")],
         ours=[five(kernel="cuda/tile")], unit="ms, best of the scan", why="a source is read once per block"),
    dict(id="S2 tiling", what="grid-stride tiling of targets", file="src/cuda/direct/03_grid_stride.cu", run=FIVE + " --kernel cuda/grid-stride",
         told=[published("S2", kernel="tiling (grid-stride)")], ours=[five(kernel="cuda/grid-stride")], unit="ms, best of the scan",
         why="as naive; small grids leave the GPU mostly idle"),
    dict(id="S2 tiling + shared", what="grid-stride and shared memory", file="src/cuda/direct/04_grid_stride_tile.cu", run=FIVE + " --kernel cuda/grid-stride-tile",
         told=[published("S2", kernel="tiling + shared")], ours=[five(kernel="cuda/grid-stride-tile")], unit="ms, best of the scan",
         why="the tile, with a fixed grid"),
    dict(id="S2 shuffle", what="grid-stride and warp shuffles", file="src/cuda/direct/05_shuffle.cu", run=FIVE + " --kernel cuda/shuffle",
         told=[published("S2", kernel="tiling + shuffle")], ours=[five(kernel="cuda/shuffle")], unit="ms, best of the scan",
         why="the fastest on a K20c; on an H200 four shuffles per source cost more than one broadcast from shared memory"),
    dict(id="S2 as written", what="the kernels as the publication writes them: forces, separate arrays, SI units", file="src/cuda/direct",
         run=FIVE, told=[published("S2", kernel=k) for k in ("naive", "shared", "tiling (grid-stride)", "tiling + shared", "tiling + shuffle")],
         ours=[five(kernel=k) for k in
               ("cuda/naive-forces", "cuda/tile-forces", "cuda/grid-stride-forces", "cuda/grid-stride-tile-forces", "cuda/shuffle-forces")],
         unit="ms, naive / shared / tiling / tiling + shared / shuffle", why="the rows above have four floats per body and accelerations instead"),
    dict(id="S2 blocks", what="scan: plain kernels in blocks of 512 (printed as \"1024\"), 512, 256, 128, 64, 32", file="bench/experiments/five_kernels.cpp",
         run=FIVE, told="six lines for each of two kernels, the best above",
         ours=[five(best=b, kernel="cuda/tile") for b in ("min", "max")], unit="ms, best / worst block of the tile",
         verdict="measured", why="every block from 32 to 1024, each under its own name"),
    dict(id="S2 grids", what="scan: grids x blocks, (16, 512) ... (512, 32); \"256, 32\" and \"128, 32\" both run (512, 32)", file="bench/experiments/five_kernels.cpp",
         run=FIVE, told="18 lines for each of three kernels, the best above",
         ours=[five(best=b, kernel="cuda/shuffle") for b in ("min", "max")], unit="ms, best / worst shape of the shuffles",
         verdict="measured", why="a grid of 4 blocks uses 4 of 132 multiprocessors"),
    dict(id="S2 arrays", what="separate arrays m, x, y, z", file="src/cuda/direct/09_arrays.cu",
         run="pleiad bench gpu --kernel cuda/arrays cuda/tile -n 16384 --precision f32", told="the form of all its kernels",
         ours=[rung("cuda/arrays", 16384, shape="default"), rung("cuda/tile", 16384, shape="default")], unit="G/s, arrays / four floats, N = 16384",
         verdict="measured", why="four loads instead of one of 16 bytes"),
    dict(id="S2 forces", what="forces G m_i m_j instead of accelerations", file="src/cuda/direct/19_force.cu",
         run="pleiad bench gpu --kernel cuda/force cuda/tile -n 16384 --precision f32", told="the form of all its kernels",
         ours=[rung("cuda/force", 16384, shape="default"), rung("cuda/tile", 16384, shape="default")], unit="G/s, forces / accelerations, N = 16384",
         verdict="measured", why="one more product per pair"),
    dict(id="S2 units", what="SI units, G = 6.67e-11", file="src/core/units.cpp", run=FIVE, told="the law of all its kernels",
         ours=[five("max", "error_max", kernel=("cuda/naive-forces", "cuda/tile-forces"))],
         unit="largest error of the forces in SI units", verdict="done", why="G is applied at the end; the errors are those of G = 1"),
    dict(id="S2 reference", what="comparison with the CPU at 0.001", file="bench/force_problem.cpp", run=FIVE, told="tolerance 0.001",
         ours=[five("max", "error_max")], unit="largest relative error of all rows", verdict="kept",
         why="against long double; a row with errors above the rounding bound is rejected"),
    dict(id="S2 timing", what="warm-up first, device events", file="bench/timing.cpp", run=FIVE, told="one time each",
         ours=[five("max", "spread")], unit="half the quartiles over the median, worst row",
         verdict="done", why="medians of many evaluations, timed by the GPU's events"),
]

NAIVE, TILES = "one thread per body", "shared tiles"
CPU_SIZES = (256, 512, 1024, 2048, 4096, 8192)
GPU_SIZES = (256, 512, 1024, 2048, 4096, 8192, 16384, 32768)
BLOCKS = (8, 16, 32, 64, 128, 256, 512, 1024)

S3 = [
    dict(id="S3 serial", what="serial CPU, N = " + ", ".join(map(str, CPU_SIZES)), file="src/cpu/direct/01_scalar.cpp", run=DAMPED + " --kernel cpu/scalar",
         told=[published("S3", experiment="CPU scan over N", n=n) for n in CPU_SIZES], ours=[fps("bodies", "serial loop", n) for n in CPU_SIZES], unit="FPS",
         why="one thread and no vectors in both; different core and compiler"),
    dict(id="S3 naive", what="one thread per body, N = " + ", ".join(map(str, GPU_SIZES)), file="src/cuda/direct/01_naive.cu", run=DAMPED,
         told=[published("S3", experiment="N scan, naive", n=n) for n in GPU_SIZES], ours=[fps("bodies", NAIVE, n) for n in GPU_SIZES], unit="FPS",
         why="linear in N, not quadratic: one thread per body never fills an H200 here"),
    dict(id="S3 tiles", what="shared tiles, N = " + ", ".join(map(str, GPU_SIZES[1:])), file="src/cuda/direct/02_tile.cu", run=DAMPED,
         told=[published("S3", experiment="N scan, tiles", n=n) for n in GPU_SIZES[1:]], ours=[fps("bodies", TILES, n) for n in GPU_SIZES[1:]], unit="FPS",
         why="the tile hides latency"),
    dict(id="S3 N = 12800, 25600", what="the two published N that are not powers of two, naive and tiles", file="bench/experiments/damping_fps.cpp", run=DAMPED,
         told=[published("S3", experiment=e, n=n) for e in ("N scan, naive", "N scan, tiles") for n in (12800, 25600)],
         ours=[fps("bodies", v, n) for v in (NAIVE, TILES) for n in (12800, 25600)], unit="FPS", why="both fill all their blocks"),
    dict(id="S3 naive blocks", what="naive, N = 16384, blocks of " + ", ".join(map(str, BLOCKS)), file="src/cuda/direct/01_naive.cu", run=DAMPED,
         told=[published("S3", experiment="block scan, naive", block=b) for b in BLOCKS], ours=[fps("block", NAIVE, 16384, shape=f"block={b}") for b in BLOCKS],
         unit="FPS", why="with 132 multiprocessors even blocks of 8 are spread over all, so the rate is flat; 3 multiprocessors needed full warps"),
    dict(id="S3 tile blocks", what="tiles, N = 16384, blocks of " + ", ".join(map(str, BLOCKS)), file="src/cuda/direct/02_tile.cu", run=DAMPED,
         told=[published("S3", experiment="tile scan", block=b) for b in BLOCKS], ours=[fps("block", TILES, 16384, shape=f"block={b}") for b in BLOCKS],
         unit="FPS", why="small tiles have many barriers, large blocks leave multiprocessors idle: best are 128 blocks of 128, one for each"),
    dict(id="S3 best blocks", what="claim: best block 64 for naive, 256 for tiles", file="bench/experiments/damping_fps.cpp", run=DAMPED,
         told="25.8 at 64, 26.38 at 256", ours=[fps("block", NAIVE, 16384, best="max"), fps("block", TILES, 16384, best="max")],
         unit="FPS at the best block, naive / tiles", verdict="answered", why="on an H200 the naive rate is flat, and tiles are fastest with blocks of 128"),
    dict(id="S3 speed-up", what="speed-up over the serial CPU at N = 8192", file="bench/experiments/damping_fps.cpp", run=DAMPED,
         told=[published("S3", experiment="speed-up over serial")], ours=[fps("bodies", NAIVE, 8192, field="speed_up")], unit="times",
         why="the publication's 67.8 is 94.9 / 1.4 by its own tables"),
    dict(id="S3 slope", what="log-log plot: from 4096 on the rate falls with slope -2", file="bench/experiments/damping_fps.cpp", run=DAMPED + " --plot fps.png",
         told="375.3 / 94.9, 94.9 / 25.8 and 25.8 / 6.6: 3.95, 3.68 and 3.91 for twice the bodies", ours=[ratio(fps("bodies", "Pleiad's choice", 16384), fps("bodies", "Pleiad's choice", 32768)),
                                                     ratio(fps("bodies", "serial loop", 4096), fps("bodies", "serial loop", 8192))],
         unit="FPS at N over FPS at 2 N, Pleiad's choice from 16384 / serial from 4096", verdict="confirmed", why="4 is the slope -2; drawn in the plot"),
    dict(id="S3 fast math, naive", what="`--use_fast_math`, naive", file="src/cuda/builds/fast_math.cu", run=DAMPED,
         told=[published("S3", experiment="fast math", kernel="one thread per body")],
         ours=[measured(H200 + "damping-fps.json", "gain", 1, "max", part="variant", variant="one thread per body, 1 / sqrt, fast math")], unit="times",
         why="the published expression is 1 / sqrt, which the flag turns into one instruction; ours already is a reciprocal root"),
    dict(id="S3 fast math, tiles", what="`--use_fast_math`, tiles", file="src/cuda/builds/fast_math.cu", run=DAMPED,
         told=[published("S3", experiment="fast math", kernel="shared tiles")],
         ours=[measured(H200 + "damping-fps.json", "gain", 1, "max", part="variant", variant="shared tiles, 1 / sqrt, fast math")], unit="times", why="as above"),
    dict(id="S3 exact root", what="the textbook's root and division, and the flag's", file="src/cuda/direct/16_exact_root.cu",
         run="pleiad bench gpu --kernel cuda/exact-root cuda/fast-math -n 16384 --precision f32", told="x1.6 for tiles",
         ours=[ratio(rung("cuda/fast-math", 16384), rung("cuda/exact-root", 16384))], unit="times, tiles at N = 16384", verdict="measured",
         why="IEEE root and division are dozens of instructions"),
    dict(id="S3 stack", what="\"frequently used data on the stack\"", file="bench/experiments/damping_fps.cpp", run=DAMPED, told="described, without a figure",
         ours=[ratio(fps("bodies", "state on the stack", n), fps("bodies", "serial loop", n)) for n in (1024, 4096)], unit="of the serial loop's rate, N = 1024 / 4096",
         verdict="answered", why="no gain above the noise: the data are in the same cache"),
    dict(id="S3 read-only", what="`const float* __restrict__` and the read-only cache", file="src/cuda/direct/11_read_only.cu", run=DAMPED, told="described, without a figure",
         ours=[ratio(rung("cuda/read-only", 16384), rung("cuda/plain-loads", 16384)), ratio(rung("cuda/naive", 16384), rung("cuda/plain-loads", 16384))],
         unit="of plain loads, `__ldg` / `__restrict__`", verdict="answered", why="since Volta one cache serves both, and the loads are not the limit"),
    dict(id="S3 builds", what="-O3 and the compute capability", file="src/cuda/builds", run=DAMPED, told="described, without a figure",
         ours=[measured(H200 + "damping-fps.json", "gain", 1, "count", part="variant")], unit="changes of build or load, each with its gain", verdict="measured",
         why="two builds of the same kernels"),
    dict(id="S3 fused velocity", what="velocity update inside the force kernel (\"saves an array and its traffic\")", file="src/cuda/steps/07_fused_velocity.cu", run=DAMPED,
         told="described, without a figure", ours=[measured(H200 + "damping-fps.json", "gain", 1, "max", part="bodies", variant=NAIVE, n=16384)], unit="times, N = 16384",
         verdict="measured", why="against a separate array of accelerations"),
    dict(id="S3 published in every row", what="all 41 published rates, beside ours", file="bench/published.csv", run=DAMPED, told="41 rates",
         ours=[measured(H200 + "damping-fps.json", "published_fps", 1, "count")], unit="rows with a published rate", verdict="done", why="in table, JSON and plot"),
    dict(id="S3 steps", what="512 steps of kick, velocity x 0.95, drift", file="include/pleiad/integrator.hpp", run=DAMPED, told="512 steps a measurement",
         ours=[measured(H200 + "damping-fps.json", "steps_compared", 1, "max", part="bodies")], unit="steps from the same start, all programs",
         verdict="kept", why="integrator `euler` with `time.damping = 0.95`"),
    dict(id="S3 compared", what="the GPU's result compared with the CPU's", file="bench/experiments/damping_fps.cpp", run=DAMPED, told="described, without a figure",
         ours=[measured(H200 + "damping-fps.json", "difference", 1, "max")], unit="largest distance of final states, in cubes", verdict="kept",
         why="a program with another final state has no figure"),
    dict(id="S3 choice", what="(Pleiad's own choice, N = 8192)", file="src/direct/choice.cpp", run=DAMPED, told=[published("S3", experiment="N scan, tiles", n=8192)],
         ours=[fps("bodies", "Pleiad's choice", 8192)], unit="FPS", why="fused steps, many per launch, each pair computed once"),
]

BASIC_BLOCKS = (1, 2, 3, 4, 8, 16, 30, 31, 32, 64, 128, 256, 512, 1023, 1024)
STRIDES = (4, 8, 16, 32, 64, 128)


def basic(block):
    return stride(f"block={block}", "cuda/naive")


S4 = [
    dict(id="S4 serial", what="serial CPU", file="src/cpu/direct/01_scalar.cpp", run=STRIDE + " --kernel cpu/scalar", told=[published("S4", experiment="serial")],
         ours=[measured(H200 + "block-stride.json", "interactions_per_second", 1e-9, kernel="cpu/scalar")], unit="G/s", why="one thread, no vectors"),
    dict(id="S4 basic", what="basic kernel, blocks of " + ", ".join(map(str, BASIC_BLOCKS)), file="src/cuda/direct/01_naive.cu", run=STRIDE + " --kernel cuda/naive",
         told=[published("S4", experiment="block scan, basic", block=b) for b in BASIC_BLOCKS], ours=[basic(b) for b in BASIC_BLOCKS], unit="G/s",
         why="one thread per body at N = 4096 is limited by latency, for any block size: docs/block-stride.md"),
    dict(id="S4 1025", what="block of 1025", file="src/cuda/device/refusal.cpp", run="pleiad bench gpu --kernel cuda/naive -n 4096 --shape block=1025",
         told=[published("S4", experiment="block scan, basic", block=1025)],
         ours=[measured(H200 + "block-stride.json", "refused", kernel="cuda/naive", shape="block=1025")], unit="", verdict="refused with a message",
         why="no kernel ran: the published rate is that of a failed launch"),
    dict(id="S4 stride 4", what="shared memory, stride 4, blocks of 8, 16, 32, 64, 128, 256, 512", file="src/cuda/direct/14_split_atomics.cu", run=STRIDE + " --kernel cuda/split-atomics",
         told=[published("S4", block=b, other="stride 4") for b in (8, 16, 32, 64, 128, 256, 512)],
         ours=[stride(f"block={b},stride=4") for b in (8, 16, 32, 64, 128, 256, 512)],
         unit="G/s", why="rises and then falls with the block size: barriers for small tiles, idle multiprocessors for large blocks"),
    dict(id="S4 strides", what="block 128, strides of " + ", ".join(map(str, STRIDES)), file="src/cuda/direct/14_split_atomics.cu", run=STRIDE + " --kernel cuda/split-atomics",
         told=[published("S4", block=128, other=f"stride {s}") for s in STRIDES], ours=[stride(f"block=128,stride={s}") for s in STRIDES], unit="G/s",
         why="rises until a wave is full, falls when there are more blocks than pages (4096 / 128 = 32)"),
    dict(id="S4 managed", what="unified memory", file="src/cuda/direct/18_managed.cu", run=STRIDE + " --kernel cuda/managed", told="the memory of all its rows",
         ours=[stride("block=128", "cuda/managed"), basic(128)], unit="G/s, managed with its copies / buffers, block 128", verdict="measured",
         why="pages stay on the GPU while the host does not touch them"),
    dict(id="S4 phenomenon 1", what="(1) block 1 to 2 doubles the rate", file="docs/block-stride.md", run=STRIDE,
         told=[published("S4", experiment="block scan, basic", block=b) for b in (1, 2)], ours=[basic(b) for b in (1, 2)], unit="G/s",
         why="an A100 holds 108 x 32 = 3456 blocks: 4096 are two waves; an H200 132 x 32 = 4224: one"),
    dict(id="S4 phenomenon 2", what="(2) 2 to 4 rises", file="docs/block-stride.md", run=STRIDE,
         told=[published("S4", experiment="block scan, basic", block=b) for b in (2, 4)], ours=[basic(b) for b in (2, 4)], unit="G/s",
         why="half as many warps share the one load unit of a multiprocessor (the publication names coalescing); an H200, with one load per source, does not show this"),
    dict(id="S4 phenomenon 3", what="(3) 8 to 256 flat", file="docs/block-stride.md", run=STRIDE,
         told=[published("S4", experiment="block scan, basic", block=b) for b in (8, 256)], ours=[basic(b) for b in (8, 256)], unit="G/s",
         why="one wave at any occupancy"),
    dict(id="S4 phenomenon 4", what="(4) 512 to 1024 falls", file="docs/block-stride.md", run=STRIDE,
         told=[published("S4", experiment="block scan, basic", block=b) for b in (512, 1024)], ours=[basic(b) for b in (512, 1024)], unit="G/s",
         why="8 and 4 blocks for 108 multiprocessors; an H200 loses less"),
    dict(id="S4 phenomenon 5", what="(5) 1025 \"faster\"", file="src/cuda/device/refusal.cpp", run=STRIDE,
         told="783.982 G/s", ours=[measured(H200 + "block-stride.json", "refused", kernel="cuda/naive", shape="block=1025")], unit="", verdict="explained",
         why="invalid configuration argument: nothing ran"),
    dict(id="S4 phenomenon 6", what="(6) blocks that are no multiple of 32 cost little", file="docs/block-stride.md", run=STRIDE,
         told=[published("S4", experiment="block scan, basic", block=b) for b in (31, 32)], ours=[basic(b) for b in (31, 32)], unit="G/s",
         why="the unused lanes would have waited too"),
    dict(id="S4 over basic", what="claim: shared and stride about 6 times basic", file="bench/experiments/block_stride.cpp", run=STRIDE, told="197.147 / 32.981 = 5.98",
         ours=[ratio(stride("block=128,stride=4"), basic(128))], unit="times, block 128, stride 4", verdict="confirmed", why="four times the threads, and tiles"),
    dict(id="S4 over serial", what="claim: \"1434 times\" the serial program", file="tests/unit/bench/published_test.cpp", run=STRIDE, told="197.147 / 0.081 = 2434, not 1434",
         ours=[ratio(stride("block=128,stride=4"), measured(H200 + "block-stride.json", "interactions_per_second", 1e-9, kernel="cpu/scalar"))], unit="times",
         verdict="slip in the publication", why="the published figures give a thousand more"),
    dict(id="S4 rule", what="rule: best block = threads / blocks per multiprocessor = 64", file="docs/block-stride.md", run=STRIDE, told="2048 / 32 = 64",
         ours=[stride(f"block={b},stride=4", field="occupancy", scale=100) for b in (32, 64, 128)], unit="% occupancy, block 32 / 64 / 128", verdict="confirmed",
         why="below 64 the limit of 32 blocks leaves half of the warps unused; the H200 has the same limits"),
    dict(id="S4 registers", what="unrolling trades registers against resident threads", file="src/cuda/direct/06_unroll.cu",
         run="pleiad bench gpu --kernel cuda/tile cuda/unroll -n 16384 --precision f32", told="described, without a figure",
         ours=[measured(H200 + "gpu-f32.json", f, s, kernel=k, n=16384, shape="default") for k in ("cuda/tile", "cuda/unroll") for f, s in (("registers", 1), ("occupancy", 100))],
         unit="registers and % occupancy, tile / unrolled", verdict="measured", why="with 32 registers all 2048 threads are resident; the unrolled loop gains more than the missing quarter of the threads costs"),
    dict(id="S4 facts", what="occupancy, waves, tails, registers, shared memory as explanations", file="src/cuda/device/inventory.hpp", run=STRIDE, told="described, without a figure",
         ours=[measured(H200 + "block-stride.json", "occupancy", 1, "count")], unit="rows with all of these beside the rate", verdict="printed", why="columns of every scan"),
]

S5 = [
    dict(id="S5 CPU", what="1000 steps on the CPU", file="src/cpu/direct/01_scalar.cpp", run=SQUARE, told=[published("S5", kernel="CPU")], ours=[square("serial loop")],
         unit="s", smaller=True, why="serial loop, one thread, 50 steps measured: it wraps three coordinates, with exact root and division; the publication names no machine"),
    dict(id="S5 all cores", what="(the same on all cores, Pleiad's choice)", file="src/cpu/direct/05_symmetric.cpp", run=SQUARE, told=[published("S5", kernel="CPU")],
         ours=[square("all cores")], unit="s", smaller=True, why="vectors, threads, each pair once"),
    dict(id="S5 GPU", what="1000 steps on the GPU: 16 x 16 threads stage 1024 sources", file="src/cuda/direct/20_periodic_2d.cu", run=SQUARE,
         told=[published("S5", block="16x16")], ours=[square("the account's kernel")], unit="s", smaller=True, why="with a record of the position after every step, as in the publication"),
    dict(id="S5 rung 20", what="the kernel alone, in the periodic plane", file="src/cuda/direct/20_periodic_2d.cu",
         run="pleiad bench gpu --kernel cuda/periodic-2d -n 262144 --precision f32", told="no rate",
         ours=[measured([H200 + "gpu-f32.json", H200 + "gpu-plane-f32.json"], "fraction_of_limit", 100, "max", kernel="cuda/periodic-2d", space="periodic plane")],
         unit="% of its limit of 22 slots per pair", verdict="measured", why="half of the slots are the nearest image"),
    dict(id="S5 plane", what="the kernel alone, in the open plane", file="src/cuda/direct/20_periodic_2d.cu",
         run="pleiad bench gpu --kernel cuda/periodic-2d -n 262144 --precision f32", told="not in the publication",
         ours=[measured([H200 + "gpu-f32.json", H200 + "gpu-plane-f32.json"], "fraction_of_limit", 100, "max", kernel="cuda/periodic-2d", space="plane")],
         unit="% of its limit of 10 slots per pair", verdict="measured", why="two separations and two sums"),
    dict(id="S5 trajectory", what="x and y of body 0 after every step, then the elapsed time", file="bench/experiments/periodic_2d.cpp", run=SQUARE + " --plot track.png",
         told="1000 lines", ours=[measured(H200 + "periodic-2d.json", "x", 1, "count")], unit="positions recorded", verdict="done", why="`pleiad run` also records trajectories of chosen bodies"),
    dict(id="S5 energy", what="(is the orbit right?)", file="bench/experiments/periodic_2d.cpp", run=SQUARE, told="no figure", ours=[square("Pleiad's choice", "energy_error")],
         unit="relative error of the total energy", verdict="reported", why="chaotic and not resolved: there are close encounters without softening, and the precisions diverge after some 14 steps"),
    dict(id="S5 softened", what="(the same problem softened by 0.05 of the square)", file="bench/experiments/periodic_2d.cpp", run=SQUARE, told="not in the publication",
         ours=[square("softened, resolved", "energy_error")], unit="relative error of the total energy", verdict="resolved", why="the same steps resolve it; the precisions agree for hundreds of steps instead of some 14"),
    dict(id="S5 settings", what="two dimensions and periodic boundaries as settings, not as a separate program", file="include/pleiad/gravity.hpp",
         run="pleiad ic uniform-box n=4096 dimension=2 -o box.hdf5", told="a separate program",
         ours=[measured(H200 + "verify.json", "worst", kernel="cuda/tile", precision="f32")], unit="worst error over the rounding bound, boxes included", verdict="done",
         why="`gravity.dimension = 2`; the file of a periodic box states this"),
]

PUBLICATIONS = [
    ("S1", "The optimisation path", "Tesla K80, a GPU being one of its halves",
     "From a serial loop to four GPUs, one idea after another. The rates have no unit; billions of interactions per second fit the hardware.", S1,
     [("path", "The stages on one H200"), ("../nvidia-h200-x4/path", "The same with two and four H200s")]),
    ("S2", "Five kernels", "Tesla K20c", "Forces G m_i m_j of 16384 bodies in separate arrays, over blocks and grids.", S2, [("five-kernels", "Time against block and grid")]),
    ("S3", "A damped system, in frames per second", "GeForce 840M and Core i5-4210M",
     "Kick, velocity times 0.95, drift; steps per second of a serial loop, of one thread per body and of shared tiles.", S3,
     [("damping-fps", "Full steps against N and block")]),
    ("S4", "Blocks that share a block of bodies", "A100", "One thread per body over block sizes, then several blocks on the same bodies (block stride), N = 4096. "
     "[block-stride.md](block-stride.md) explains its observations.", S4, [("block-stride", "Rate against block and stride")]),
    ("S5", "A periodic square", "not named", "4096 bodies of unit mass in the unit square, 1000 steps, with the position of one body after every step.", S5,
     [("periodic-2d", "The track of body 0, as published and softened")]),
]

SLIPS = """- S2 prints a run of 512 threads as "1024", and grids of 512 blocks as "256, 32" and "128, 32".
- S3 prints N = 32768 as 32876 once.
- S4 states "1434 times" the serial program: its own figures give 197.147 / 0.081 = 2434. Its 783.982 G/s at block 1025 are those of a failed launch. Its 32.320
  belongs to block 32; block 128 has 32.981.
- S1 has no unit. S5 names no hardware.
- In one publication the separation has the wrong sign, another one multiplies by the mass of the wrong body, one has a barrier inside a divergent branch, one checks
  the wrong arrays, and several fail if N is not a multiple of the block size. The conformance tests of every rung cover these cases.
"""
