"""The chapter of docs/ladder.md on several GPUs: its words, and figures computed from the committed runs of `pleiad bench --experiment path`."""
import json
import os

# A GPU of that device: multiprocessors, and threads of a block of the publication's kernel.
MULTIPROCESSORS, THREADS = 132, 256

WORDS = """## Several GPUs

A third of the publication on the optimisation path treats three questions: how to divide n^2 pairs, how to share the data that every GPU needs, and how to
synchronise the GPUs. `pleiad bench --experiment path` measures its answers and ours; the files are in
[`src/cuda/multi_gpu`](../src/cuda/multi_gpu) and [`src/engine/multi_gpu_engine.cpp`](../src/engine/multi_gpu_engine.cpp).

### How the pairs are divided

The pairs are a square of targets and sources; each of G GPUs owns n / G bodies.

- **By targets.** A GPU sums the pulls of all n sources on its own n / G targets. Its sums are complete and have the order of one GPU, so no bit changes. It needs
  all positions: after each drift 16 n / G bytes are sent to each of the other GPUs. One-sided rungs work like this on several GPUs.
- **By sources.** A GPU sums the pulls of its own n / G sources on all n targets. These sums are incomplete: for each target G partial sums of 12 bytes are added where
  its velocity is stored. This is the last variant of the publication (`two GPUs, increments`): each GPU reads the positions of the targets remotely and adds velocity
  increments directly to the other GPU's memory, by atomics over the link. The additions are made in the order of arrival, so the last bits differ from run to run;
  the publication calls it "unstable". Pleiad measures this variant, but runs refuse it.
- **By pairs of blocks.** Rungs 30 to 36 compute each pair once, for both bodies, so the square cannot be divided by targets or sources. GPU g takes every G-th pair of
  blocks, adds to integers for all bodies, and sends each owner the integers of its bodies. The order of integer additions does not matter: the bits are the same for
  any number of GPUs.

### How positions are shared, and when a step is over

| method | transfers after a drift | device barriers in a step |
|---|---|---|
| through the host | each GPU copies its positions to pinned host memory, and reads those of the others from it | 1 |
| peer copies | a copy engine writes the positions to the memory of each other GPU, over NVLink | 1 |
| peer access | the drift kernel writes each new position to the memories of all GPUs, 16 bytes per thread, with coalesced writes | 1 |
| increments | none; targets are read and velocities updated remotely | 2: all additions end before the first drift, and all drifts before the first read |

Positions are double-buffered, so that no GPU overwrites positions that another one still reads; increments have one buffer and a second device barrier instead. At a
device barrier a GPU writes a number to the memory of every other GPU, after all its other writes there. A kernel of one block then polls its own memory until all
numbers have arrived ([`devices.hpp`](../src/cuda/multi_gpu/devices.hpp)). The host queues steps and does not wait for them. A repeated step is recorded once
and replayed with one call for each GPU.
"""

ATOMICS = """### Is it the atomics?

The publication finds that several threads per body gain much for few bodies and little for many, "perhaps because of atomics". The atomics are not the reason. Rung 14
adds 4 numbers for each target and split: with 32 splits at N = 262144 this is one addition in 2048 interactions. It reaches {atomics} G/s there, while the tile rung, the
same loop without atomics, reaches {tile}. Rung 15 splits in the same way, adds in a fixed order by a second kernel, and reaches {reduced}; its loop has 13.33 instructions
and that of rung 14 has 15.25, a factor of 1.14 in instructions against {ratio:.2f} in time. Splitting gains little for many bodies because 1024 blocks of targets fill the
GPU by themselves. At N = 4096, where 16 blocks leave most of it idle, rung 14 has {few} G/s against {few_tile}.
"""


def rows_of(source, folder):
    path = os.path.join(source, "bench", "results", folder, "path.json")
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as text:
        return json.load(text)


def row(rows, variant, n):
    return next((r for r in rows if r["variant"] == variant and r["n"] == n and r.get("interactions_per_second")), None)


def step_of(rows, variant, n):
    """Milliseconds of a full step."""
    return row(rows, variant, n).get("step_ms") or row(rows, variant, n)["ms"]


def forces(source, kernel, n):
    """G/s of one GPU, alone."""
    with open(os.path.join(source, "bench", "results", "nvidia-h200", "gpu-f32.json"), encoding="utf-8") as text:
        return next(r["interactions_per_second"] for r in json.load(text) if r["kernel"] == kernel and r["n"] == n) / 1e9


def why_not_four(source):
    """The arithmetic of the committed run on four GPUs. Before rows had both measures, those for several GPUs were full steps."""
    rows = rows_of(source, "nvidia-h200-x4")
    small, large = 4096, 131072
    if not row(rows, "four GPUs", large):
        return ""
    one, kernel = row(rows, "PTX", large)["ms"], row(rows, "PTX", large)["kernel"]
    block = forces(source, kernel, 16384) / 64  # 64 blocks, each on a multiprocessor of its own
    full = large**2 / one / 1e6 / MULTIPROCESSORS
    four = step_of(rows, "four GPUs", large)
    lines = [
        "### Why four GPUs are 2.8 times one",
        "",
        f"In the committed run on four H200s ([path.json](../bench/results/nvidia-h200-x4/path.json)) four GPUs take {four:.2f} ms for a step of {large} bodies and one takes",
        f"{one:.2f} ms for the forces: {one / four:.2f} times. The publication had 3.5 (339 against 96.4). The link is not the reason:",
        "",
        "| GPUs, exchange | blocks of targets on a GPU | forces, computed | step, measured | exchange, barrier, update, the rest |",
        "|---|---|---|---|---|",
    ]
    alike = {2: forces(source, kernel, 65536), 4: 128 * block}
    for variant, gpus, words in (("two GPUs", 2, "2, through the host"), ("two GPUs, peer copies", 2, "2, peer copies"), ("two GPUs, peer access", 2, "2, peer access"),
                                 ("four GPUs", 4, "4, peer access")):
        computed = large**2 / gpus / alike[gpus] / 1e6
        step = step_of(rows, variant, large)
        lines.append(f"| {words} | {large // gpus // THREADS} | {computed:.3f} ms | {step:.3f} ms | {1e3 * (step - computed):.0f} us |")
    quarter = large**2 / 4 / alike[4] / 1e6
    lines += [
        "",
        f"The computed times are those of one GPU with the same number of blocks. With 64 blocks (N = 16384) {kernel} reaches {64 * block:.0f} G/s, {block:.2f} for each busy multiprocessor. Its only",
        f"block has 8 warps, two for each scheduler: too few to hide each other's waits. With 512 blocks, four on a multiprocessor, it reaches {full:.1f} for each. A quarter of",
        f"{large} targets is 128 blocks for {MULTIPROCESSORS} multiprocessors, at most one on each, so it takes {quarter:.2f} ms instead of {one / 4:.2f}: alone a speed-up of {one / quarter:.2f}. Exchange, barrier,",
        f"kicks and drifts add {1e3 * (four - quarter):.0f} us, {100 * (four - quarter) / four:.0f} %. A GPU of the publication's K80 has 13 multiprocessors, so 128 blocks are 9.8 for each: it is still full.",
        "",
        f"At N = {small} the publication's four GPUs are slower than one (34 against 34.4 and 57 with two). Here a step takes, in microseconds:",
        "",
        "| GPUs, exchange | blocks of targets on a GPU | forces on one GPU | step | more |",
        "|---|---|---|---|---|",
    ]
    alone = row(rows, "PTX", small)["ms"]
    for variant, gpus, words in (("two GPUs", 2, "2, through the host"), ("two GPUs, peer copies", 2, "2, peer copies"), ("two GPUs, peer access", 2, "2, peer access"),
                                 ("four GPUs", 4, "4, peer access")):
        step = step_of(rows, variant, small)
        lines.append(f"| {words} | {small // gpus // THREADS} | {1e3 * alone:.0f} | {1e3 * step:.0f} | {1e3 * (step - alone):.0f} |")
    best = {g: step_of(rows, f"Pleiad, {g} GPU" + ("" if g == "one" else "s"), large) for g in ("one", "two", "four")}
    lines += [
        "",
        "One block takes as long as sixteen, because each of its threads still processes all 4096 sources one after the other. Dividing targets cannot help if there are fewer",
        f"blocks than multiprocessors, below {MULTIPROCESSORS * THREADS} bodies for each GPU. Only the cost of a step on several GPUs remains, the last column.",
        "",
        f"It helps to divide the sources too. Rungs 13 to 15 do so on one GPU, and the increments do so among GPUs (each thread then processes n / G sources). There are enough pairs",
        f"of blocks at any N of interest: Pleiad's own steps of {large} bodies take {best['one']:.2f}, {best['two']:.2f} and {best['four']:.2f} ms on one, two and four GPUs, {best['one'] / best['two']:.2f} and {best['one'] / best['four']:.2f} times,",
        f"and for {small} bodies it uses one GPU in any case: {1e3 * step_of(rows, 'Pleiad, one GPU', small):.1f} us a step.",
        "",
    ]
    return "\n".join(lines)


def exchanges(source):
    """What each exchange costs: full steps and forces of one run, as far as there is one that has both."""
    parts = []
    for gpus, folder in ((2, "nvidia-h200-x2"), (4, "nvidia-h200-x4")):
        rows = [r for r in rows_of(source, folder) if r.get("step_ms") and (r.get("gpus") or 0) >= 1 and r["variant"] in SHOWN]
        if not rows:
            continue
        parts += [f"### What each exchange costs, on {gpus} GPUs", "",
                  f"{rows[0]['device']}, [path.json](../bench/results/{folder}/path.json). *Forces* is the time of one evaluation on all GPUs, with all positions in place; *more* is the additional",
                  "time of a full leapfrog step. A kernel for fused steps has no separate forces: the time of a launch without steps is given, and *more* is empty.", "",
                  "| variant | N | forces, ms | step, ms | more, us | step, G/s | K80, G/s |", "|---|---|---|---|---|---|---|"]
        for r in rows:
            published = f"{r['published_g_per_second']:g}" if r.get("published_g_per_second") else ""
            more = "" if r["kernel"].endswith("-steps") else f"{1e3 * (r['step_ms'] - r['ms']):.0f}"
            parts.append(f"| {r['variant']} | {r['n']} | {r['ms']:.4g} | {r['step_ms']:.4g} | {more} | "
                         f"{r['step_interactions_per_second'] / 1e9:.0f} | {published} |")
        parts.append("")
    return "\n".join(parts)


SHOWN = ("PTX", "two GPUs", "two GPUs, peer copies", "two GPUs, peer access", "two GPUs, increments", "four GPUs", "four GPUs, increments", "Pleiad, one GPU", "Pleiad, two GPUs",
         "Pleiad, four GPUs")


def chapter(source):
    figures = {"atomics": forces(source, "cuda/split-atomics", 262144), "tile": forces(source, "cuda/tile", 262144), "reduced": forces(source, "cuda/split-reduced", 262144),
               "few": forces(source, "cuda/split-atomics", 4096), "few_tile": forces(source, "cuda/tile", 4096)}
    ratio = figures["reduced"] / figures["atomics"]
    parts = [WORDS, exchanges(source), why_not_four(source), ATOMICS.format(ratio=ratio, **{k: f"{v:.0f}" for k, v in figures.items()})]
    picture = next((f for f in ("nvidia-h200-x4", "nvidia-h200-x2") if os.path.exists(os.path.join(source, "bench", "results", f, "path.png"))), None)
    if picture:
        parts.append(f"### The whole path\n\n![The stages of the path, measured and published](../bench/results/{picture}/path.png)\n\n"
                     "*The stages in the publication's order, then ours: lines as measured, dashed lines as published for halves of a Tesla K80 "
                     "(`pleiad bench --experiment path --plot path.png`).*\n")
    return [p for p in parts if p]
