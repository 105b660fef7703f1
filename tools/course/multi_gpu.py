"""Tables and figures of the lesson on several GPUs, from the committed runs of `pleiad bench --experiment path`."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
from results import load

MULTIPROCESSORS = 132  # of an H200
THREADS = 256          # of a block of the publication's kernel
FEW, MANY = 4096, 131072
EXCHANGES = (("two GPUs", 2, "2, through the host"), ("two GPUs, peer copies", 2, "2, peer copies"), ("two GPUs, peer access", 2, "2, peer access"),
             ("four GPUs", 4, "4, peer access"))
COMPARED = ("PTX", "two GPUs", "two GPUs, peer copies", "two GPUs, peer access", "two GPUs, increments", "Pleiad, one GPU", "Pleiad, two GPUs")


def row(rows, variant, n):
    return next(r for r in rows if r["variant"] == variant and r["n"] == n and r.get("interactions_per_second"))


def step_of(rows, variant, n):
    """Milliseconds of a full step. Before rows had both measures, those for several GPUs were full steps."""
    found = row(rows, variant, n)
    return found.get("step_ms") or found["ms"]


def forces(kernel, n):
    """G/s of one GPU, alone."""
    return next(r["interactions_per_second"] for r in load("nvidia-h200/gpu-f32.json") if r["kernel"] == kernel and r["n"] == n) / 1e9


def exchange_on_two():
    """What each exchange costs: full steps and forces of one run."""
    lines = ["| variant | N | forces, ms | step, ms | more, us | step, G/s | K80, G/s |", "|---|---|---|---|---|---|---|"]
    for r in load("nvidia-h200-x2/path.json"):
        if r.get("step_ms") and (r.get("gpus") or 0) >= 1 and r["variant"] in COMPARED:
            published = f"{r['published_g_per_second']:g}" if r.get("published_g_per_second") else ""
            more = "" if r["kernel"].endswith("-steps") else f"{1e3 * (r['step_ms'] - r['ms']):.0f}"
            lines.append(f"| {r['variant']} | {r['n']} | {r['ms']:.4g} | {r['step_ms']:.4g} | {more} | {r['step_interactions_per_second'] / 1e9:.0f} | {published} |")
    return "\n".join(lines)


def four_gpus():
    """The arithmetic of the committed run on four GPUs: what one GPU takes with as many blocks, and what is added."""
    rows = load("nvidia-h200-x4/path.json")
    kernel, one, alone = row(rows, "PTX", MANY)["kernel"], row(rows, "PTX", MANY)["ms"], row(rows, "PTX", FEW)["ms"]
    block = forces(kernel, 16384) / 64  # 64 blocks, each on a multiprocessor of its own
    rate = {2: forces(kernel, 65536), 4: 128 * block}  # of a GPU with its part of the targets
    four, quarter = step_of(rows, "four GPUs", MANY), MANY**2 / 4 / rate[4] / 1e6
    many = ["| GPUs, exchange | blocks of targets on a GPU | forces, computed | step, measured | exchange, barrier, update, the rest |", "|---|---|---|---|---|"]
    few = ["| GPUs, exchange | blocks of targets on a GPU | forces on one GPU | step | more |", "|---|---|---|---|---|"]
    for variant, gpus, words in EXCHANGES:
        computed, step = MANY**2 / gpus / rate[gpus] / 1e6, step_of(rows, variant, MANY)
        many.append(f"| {words} | {MANY // gpus // THREADS} | {computed:.3f} ms | {step:.3f} ms | {1e3 * (step - computed):.0f} us |")
        step = step_of(rows, variant, FEW)
        few.append(f"| {words} | {FEW // gpus // THREADS} | {1e3 * alone:.0f} | {1e3 * step:.0f} | {1e3 * (step - alone):.0f} |")
    own = {g: step_of(rows, f"Pleiad, {g} GPU" + ("" if g == "one" else "s"), MANY) for g in ("one", "two", "four")}
    return {
        "table: four GPUs, many bodies": "\n".join(many), "table: four GPUs, few bodies": "\n".join(few),
        "figure: step on four": f"{four:.2f}", "figure: forces on one": f"{one:.2f}", "figure: four over one": f"{one / four:.2f}",
        "figure: rate of 64 blocks": f"{64 * block:.0f}", "figure: rate of one block": f"{block:.2f}",
        "figure: rate of four blocks": f"{MANY**2 / one / 1e6 / MULTIPROCESSORS:.1f}",
        "figure: quarter": f"{quarter:.2f}", "figure: ideal quarter": f"{one / 4:.2f}", "figure: speed-up of quarters": f"{one / quarter:.2f}",
        "figure: added by exchange": f"{1e3 * (four - quarter):.0f}", "figure: percent added by exchange": f"{100 * (four - quarter) / four:.0f}",
        **{f"figure: Pleiad on {g}": f"{ms:.2f}" for g, ms in own.items()},
        **{f"figure: Pleiad, {g} over one": f"{own['one'] / own[g]:.2f}" for g in ("two", "four")},
        "figure: Pleiad on one, few bodies": f"{1e3 * step_of(rows, 'Pleiad, one GPU', FEW):.1f}",
    }


def atomics():
    """Rates of rungs that split the sources, with atomic sums and with sums in a fixed order."""
    found = {"split with atomics": ("cuda/split-atomics", 262144), "tile": ("cuda/tile", 262144), "split, fixed order": ("cuda/split-reduced", 262144),
             "split with atomics, few bodies": ("cuda/split-atomics", FEW), "tile, few bodies": ("cuda/tile", FEW)}
    rates = {name: forces(*of) for name, of in found.items()}
    return {"figure: fixed order over atomics": f"{rates['split, fixed order'] / rates['split with atomics']:.2f}",
            **{f"figure: {name}": f"{rate:.0f}" for name, rate in rates.items()}}


def parts():
    return {"table: exchange on 2 GPUs": exchange_on_two(), **four_gpus(), **atomics()}
