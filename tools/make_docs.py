#!/usr/bin/env python3
"""Writes docs/ladder.md, docs/published-benchmarks.md, the README's table and those of docs/ncu-h200.md and docs/block-stride.md from the rungs' own headers, their code and the committed measurements.

tools/make_docs.py          writes them
tools/make_docs.py --check  exits 1 when they are not what it would write
"""
import difflib
import glob
import json
import os
import re
import sys

import make_published_benchmarks
import multi_gpu

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BEGIN, END = "<!-- bench -->\n", "<!-- /bench -->\n"
STALLS_BEGIN, STALLS_END = "<!-- stalls -->\n", "<!-- /stalls -->\n"

# Paragraphs of a header, and their titles for readers.
LABELS = {"Before:": "What was wasted before.", "Limit now:": "What limits it now.", "Question:": "Question.",
          "Where it loses:": "Where it loses."}
LABEL = re.compile(r"\s(?=Before: |Cost (?:per|as)\b|Cost: |Measured on an H200|Where it loses: |Limit now: |Question: )")

# The heart of a rung that is not its own kernel: a block in a file of its folder that begins at the last line with this text.
HEARTS = {
    "cpu/scalar": ("01_scalar.cpp", "for (std::size_t i = 0;"),
    "cpu/blocked": ("02_blocked.cpp", "void pull_all("),
    "cpu/simd": ("03_simd.cpp", "for (std::ptrdiff_t j = 0; j < sources.count"),
    "cpu/threads": ("04_threads.cpp", "void run("),
    "cpu/symmetric": ("05_symmetric.cpp", "HWY_INLINE void meet("),
    "cpu/ewald": ("06_ewald.cpp", "for (std::ptrdiff_t j = 0; j < sources.count"),
    "cuda/symmetric-atomics": ("symmetric.hpp", "for (int c = 0; c < 32; ++c)"),
    "cuda/symmetric-fixed-point": ("pair_sums.hpp", "__device__ void add(std::size_t body, float x"),
    "cuda/scaled-source": ("scaled_source.hpp", "struct ScaledSource"),
    "cuda/equal-mass": ("scaled_source.hpp", "struct EqualMass"),
    "cuda/fp64-cube": ("inverse_cube.hpp", "double inverse_cube("),
    "cuda/fp64-symmetric": ("symmetric_f64.hpp", "struct Forces64"),
    "cuda/mixed-symmetric": ("near_tiles.hpp", "Mass<float> relative("),
}

# Rungs whose lesson is what they change in a certain earlier one, however near another one is.
AFTER = {"cuda/unroll-by-hand-whole": "cuda/unroll-by-hand"}

# What tests/docs/run_snippets.py is told.
COMPILED = "<!-- not run: taken from the file, which is compiled -->"

INTRODUCTION = """# The ladder

This page is a course in making one formula fast, `a_i = sum_j m_j (x_j - x_i) / (|x_j - x_i|^2 + eps^2)^(3/2)`. It presents every direct kernel of Pleiad, in the
order in which to learn them. Each kernel, or rung, is one file with one idea. A rung that is slower than another one stays, and its text says by how much.
`tools/make_docs.py` takes text, code and figures from the headers of the files, the files, and [bench/results](../bench/results); a test fails if this page is stale.

## Glossary

| word | meaning |
|---|---|
| body, target, source | a point mass; a body that is accelerated; a body that attracts it. In most kernels every body is both target and source |
| pull | the pair formula without G: `m_j d / (d^2 + eps^2)^(3/2)`, with d from target to source. The acceleration is G times the sum of pulls |
| interaction | one pull: an ordered pair of target and source. N bodies have N^2 |
| symmetric pairs | each unordered pair is computed once and added to both bodies, by Newton's third law |
| softening | the length eps, after Plummer, that keeps the force of close pairs finite |
| rung | one kernel of this course: one file, with one idea more than an earlier rung |
| page, tile | a block of sources that is staged in fast memory and used by all targets of a block of threads |
| kick, drift | the update of velocities by accelerations, and of positions by velocities |
| fused steps | force, kick and drift in one launch, for many steps |
| mixed precision | positions and sums in double precision, the arithmetic of a pair in single |
| reproducible | the same bits in every run: the order of summation is fixed |
| peer access | a GPU reads and writes the memory of another one directly |
| device barrier | a point at which several GPUs wait for each other without the host |
| SM, warp, block, grid, barrier | a GPU's multiprocessor, 32 threads that execute together, threads on one SM, all blocks of a launch, where threads wait for each other: see below |

## Your own numbers

On a machine with an NVIDIA GPU and the CUDA toolkit, run this in a copy of the source (without a GPU it measures the CPU):

<!-- not run: measures for an hour -->
```sh
make bench
```

It writes a table, JSON and a plot to `bench-results/`. Then change a file and measure one rung and its neighbour again:

<!-- not run: needs an NVIDIA GPU -->
```sh
build/release-cuda/apps/pleiad/pleiad bench gpu --kernel cuda/naive cuda/tile -n 16384 --precision f32 --shape all
build/release-cuda/apps/pleiad/pleiad verify --kernel cuda/tile
```

## What a GPU is, for this purpose

- A GPU has many **multiprocessors** (SMs; an H200 has 132). Each has four **schedulers**, and each of these issues one instruction per clock for one
  **warp**: 32 threads that execute it together. Threads come in **blocks**, which stay on one SM, can share memory there and wait for each other at
  **barriers**; a launch is a **grid** of blocks.
- A warp that waits (for a load, for a barrier, for the result of an earlier instruction) costs nothing as long as another warp can issue. The **occupancy** is the
  number of resident warps, relative to the maximum. Registers and shared memory limit it: an SM has 65536 registers, 64 warps
  and 32 blocks, so blocks of less than 2048 / 32 = 64 threads leave some warps unused ([block-stride.md](block-stride.md)).
- **Issue slots** are the unit of cost in this course: 132 SMs x 4 schedulers x 32 lanes x 1.98 GHz = 33.4e12 slots a second. The minimum number of slots per
  interaction, and so the maximum rate (G/s: 1e9 interactions a second), depends on the formulation. In single precision and three dimensions:

  | formulation | slots for an interaction | at most |
  |---|---|---|
  | each interaction separately, any masses (most of rungs 1 to 29): 3 differences, 3 multiply-adds for r^2, the reciprocal root, 3 products, 3 multiply-adds into the sum | 13 | **2573 G/s** |
  | each separately, equal masses (step kernel 3): no product by the mass | 12 | 2788 G/s |
  | each pair once, for both its bodies, any masses (rungs 30, 31): 17 slots for two interactions | 8.5 | 3936 G/s |
  | the same with the source's mass drawn into its scale (rung 32): 16 for two | 8 | 4182 G/s |
  | the same with equal masses (rung 33): 15 for two | 7.5 | 4461 G/s |

  **Of its limit**, in the tables, is the measured rate divided by the limit of the rung's own formulation, at the clock measured in the same run. On a CPU the limit
  follows in the same way from the operations that the header of the rung lists for the multiply-add ports, at the rate of multiply-adds measured in the same run
  with the same number of threads, as vectors or scalars.
- Some units process less than four warps per clock and work concurrently with the others: special functions (reciprocal root) have an eighth of the rate, double
  precision a half, shared memory and shuffles one warp per clock.
- Slots are lost in four ways: instructions that are not the formula (loops, addresses, loads), waits that nothing hides, multiprocessors
  without work (the **tail**: 960 blocks on 132 SMs are 7.3 each, so some have 8 and the others wait), and units that are full. Every rung removes one of
  these losses, or shows its cost.

A **launch shape** is the set of free parameters of a kernel: threads per block, targets per thread, blocks that share a target's sources, blocks in the grid. Tables
show the best of the shapes that a rung lists. CPU kernels choose their own shape; only the number of threads is varied.

There are two large numbers of bodies. Sentences after *Measured on an H200* are from the run in which a rung was written, at N = 245760: 960 blocks of 256. This is not
a power of two, so a tail shows, as in general. The tables are from one later run of all rungs at powers of four, up to N = 262144: 1024 such blocks. The rates of a
rung in the two runs differ by a few per cent, mostly because of the tail.

A force evaluation of N bodies counts as N^2 interactions, however the kernel computes them. Errors are |da|/|a| relative to a sum in higher precision.
[benchmarks.md](benchmarks.md) describes how this is measured and which measurements are rejected. "Instructions" are those of the compiled loop for sm_90
(`cuobjdump -sass`).
"""


def paragraphs_of(lines):
    header = []
    for line in lines:
        if not line.startswith("///"):
            break
        header.append(line[3:].strip())
    return [" ".join(p.split()) for p in LABEL.split(" ".join(header)) if p.strip()]


def rungs(folder, ending, noun="direct"):
    """(name, path, paragraphs of the header, text) of every rung, in learning order."""
    found = []
    for path in sorted(glob.glob(os.path.join(SOURCE, "src", folder, noun, "[0-9][0-9]_*" + ending))):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        stem = re.sub(r"^\d+_|\.\w+$", "", os.path.basename(path))
        found.append((folder + "/" + stem.replace("_", "-"), path, paragraphs_of(text.splitlines()), text))
    return found


def heading(name, path):
    """(heading, its anchor) of a rung: the numbers of its folder's files begin anew."""
    number = int(os.path.basename(path)[:2])
    kind = {"cpu": "CPU rung", "steps": "Step kernel"}.get(os.path.basename(os.path.dirname(path)) if "steps" in path else name.split("/")[0], "Rung")
    words = f"{kind} {number}: {name}"
    return words, anchor(words)


def with_title(paragraph):
    for label, title in LABELS.items():
        if paragraph.startswith(label):
            rest = paragraph[len(label):].strip()
            # A symbol of a formula is not a word: m_i stays m_i.
            first = rest[0] if re.match(r"\w*[_0-9]", rest) else rest[0].upper()
            return f"**{title}** {first}{rest[1:]}"
    return re.sub(r"^(Cost[^:.]*|Measured on an H200)([:.]?)", r"**\1**\2", paragraph, count=1)


# Code ----------------------------------------------------------------------------------------------------------------------------------

def block_at(text, start):
    """From the line at `start` to the brace that closes its first one."""
    begin = text.rindex("\n", 0, start) + 1
    depth, at = 0, text.index("{", start)
    while True:
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        at += 1
        if depth == 0:
            return text[begin:at] + text[at:text.index("\n", at)]


def without_indent(text):
    lines = text.rstrip().splitlines()
    indent = min(len(line) - len(line.lstrip()) for line in lines if line.strip() and not line.startswith("#"))
    return "\n".join(line if line.startswith("#") else line[indent:] for line in lines)


def own_code(name, text):
    """(for the device, for the host): what is in the rung's unnamed namespace before its launch shapes, with its names made the same for
    all rungs."""
    stem = name.split("/")[1].replace("-", "_")
    start = text.index("namespace {\n") + len("namespace {\n")
    body = text[start:text.index("constexpr std::array shapes", start)]
    body = re.sub(rf"(?<![:\w/]){stem}(?=[<(])", "kernel", body.replace(f'"{name}"', '"..."'))
    if "__global__" not in body:
        return "", body
    device = body[:body.rindex(last := block_at(body, body.rindex("__global__"))) + len(last)]
    return device, body[len(device):]


def statements(code):
    """(normal form, lines) of every statement: what a different name does to line breaks is no difference."""
    found, lines = [], []
    for line in code.splitlines():
        if not line.strip():
            continue
        lines.append(line)
        if re.search(r"[;{}]$|^\s*(#|//|template)", line):
            found.append((" ".join(" ".join(lines).split()), lines))
            lines = []
    return found + ([(" ".join(" ".join(lines).split()), lines)] if lines else [])


def difference(old, new):
    """The statements of `new` that `old` has not (+) and the other way round (-)."""
    a, b = statements(old), statements(new)
    lines = []
    for tag, a0, a1, b0, b1 in difflib.SequenceMatcher(None, [s for s, _ in a], [s for s, _ in b], autojunk=False).get_opcodes():
        if tag != "equal":
            lines += ["- " + line for _, own in a[a0:a1] for line in own] + ["+ " + line for _, own in b[b0:b1] for line in own]
            lines.append("")
    return lines[:-1]


def code_of(name, path, text, earlier):
    """What a reader should look at first: the rung's heart where it is named, else what it changes in the nearest earlier rung."""
    if name in HEARTS:
        file, marker = HEARTS[name]
        with open(os.path.join(os.path.dirname(path), file), encoding="utf-8") as source:
            where = source.read()
        if marker not in where:
            sys.exit(f"tools/make_docs.py: {file} has no '{marker}', which HEARTS names as the heart of {name}")
        block = without_indent(block_at(where, where.rindex(marker)))
        return f"From `{file}`:\n\n{COMPILED}\n```cpp\n{block}\n```\n"
    device, host = own_code(name, text)
    near = min(((len(difference(old[0], device)), k) for k, (other, old) in enumerate(earlier) if AFTER.get(name, other) == other), default=(1000, 0))
    if near[0] >= len(device.splitlines()):
        return f"{COMPILED}\n```cpp\n{block_at(text, text.index('__global__'))}\n```\n"
    other, old = earlier[near[1]]
    changed = difference(old[0], device) or difference(old[1], host)
    return f"What it changes in {other}:\n\n```diff\n" + "\n".join(changed) + "\n```\n"


# Figures -------------------------------------------------------------------------------------------------------------------------------

def measurements(of_steps=False):
    """All rows about forces in bench/results, or of full steps, which have a hash of the state, by device."""
    rows = {}
    for path in sorted(sum((glob.glob(os.path.join(SOURCE, "bench", "results", *names))
                            for names in (["*.json"], ["*", "gpu-*.json"], ["*", "steps-*.json"])), [])):
        with open(path, encoding="utf-8") as text:
            content = json.load(text)
        for row in content if isinstance(content, list) else []:
            if "interactions_per_second" in row and "error_rms" in row and ("state_hash" in row) == of_steps and (row.get("systems") or 1) == 1:
                rows.setdefault(row["device"], []).append(row)
    return rows


# Instruction slots that are not the descriptor's: of rung 20 in a periodic box, which its header counts.
SLOTS_OF = {"f32, periodic plane": 22}
LABELLED = [p + m for p in ("f32", "mixed", "f64") for m in ("", ", any masses", ", plane", ", periodic plane")]


def label(row):
    """"mixed", or "mixed, any masses" for bodies of different masses; rows without a word on them have equal ones. "f32, periodic plane" for
    a kernel that is for bodies there."""
    return row["precision"] + (", any masses" if row.get("masses") == "any" else "") + (f", {row['space']}" if row.get("space") else "")


def best(rows):
    """The fastest row of each (kernel, precision and masses, n)."""
    fastest = {}
    for row in rows:
        key = (row["kernel"], label(row), row["n"])
        if key not in fastest or row["interactions_per_second"] > fastest[key]["interactions_per_second"]:
            fastest[key] = row
    return fastest


def rate(row):
    figure = row["interactions_per_second"] / 1e9
    return f"{figure:.3g}" if figure < 1000 else f"{figure:.0f}"


def figures(kernel, fastest):
    """The table of one kernel on one device: rate, fraction of its limit and error by N and precision."""
    mine = {key: row for key, row in fastest.items() if key[0] == kernel}
    sizes = sorted({key[2] for key in mine})
    if not sizes:
        return []
    lines = ["| precision | " + " | ".join(f"N = {n}" for n in sizes) + " | of its limit | rms error |",
             "|---|" + "---|" * (len(sizes) + 2)]
    for precision in LABELLED:
        rows = [mine.get((kernel, precision, n)) for n in sizes]
        there = [row for row in rows if row]
        if there:
            top = max(there, key=lambda row: row["interactions_per_second"])
            lines.append(f"| {precision} | " + " | ".join(rate(row) if row else "" for row in rows) +
                         f" | {100 * top['fraction_of_limit']:.0f} % | {there[-1]['error_rms']:.1e} |")
    return lines


def how_it_fills(rows, kernel):
    """Registers, shared memory, occupancy and waves of the kernel's own shape at the largest N."""
    mine = [r for r in rows if r["kernel"] == kernel and r["shape"] == "default" and r.get("registers") and r.get("masses") != "any"]
    if not mine:
        return ""
    row = max(mine, key=lambda r: (r["n"], -["f32", "mixed", "f64"].index(r["precision"])))
    shared = f", {row['shared_bytes']} bytes of shared memory a block" if row["shared_bytes"] else ""
    spill = f", {row['local_bytes']} bytes of spilled registers" if row.get("local_bytes") else ""
    return (f"Launch in {row['precision']} at N = {row['n']}: {row['blocks']} blocks of {row['threads_per_block']} threads; {row['registers']} registers a thread"
            f"{shared}{spill}; {row['resident_blocks']} blocks fit a multiprocessor, occupancy {100 * row['occupancy']:.0f} %; {row['waves']:.2f} waves.\n")


def overview(found, devices):
    """One line per rung on the GPU: the rate in its fastest precision of the first listed that it has."""
    gpus = [d for d in devices if any(r["kernel"].startswith("cuda/") for r in devices[d])]
    if not gpus:
        return ""
    fastest = best(devices[gpus[0]])
    sizes = sorted({key[2] for key in fastest if key[0].startswith("cuda/")})
    sizes = [sizes[0], sizes[-1]]
    lines = [f"### All rungs at a glance ({gpus[0]})\n",
             "| rung | precision | slots needed | slots passed | of its limit | " + " | ".join(f"G/s, N = {n}" for n in sizes) + " |",
             "|---|---|---|---|---|---|---|"]
    for name, path, _, text in found:
        costs = re.search(r"\.fma_port_operations = \{([^}]*)\}", text)
        costs = dict(re.findall(r"\.(\w+) = ([\d.]+)", costs.group(1))) if costs else {}
        for precision in ("f32", "mixed", "f64"):
            labels = [precision] + [f"{precision}, {space}" for space in ("plane", "periodic plane")]
            there = [(words, [fastest.get((name, words, n)) for n in sizes]) for words in labels]
            there = [(words, rows) for words, rows in there if all(rows)]
            # What is for the plane is shown there.
            for words, rows in there[1:] or there if precision in costs else []:
                need = SLOTS_OF.get(words, float(costs[precision]))
                lines.append(f"| {os.path.basename(path)[:2].lstrip('0')} [{name}](#{heading(name, path)[1]}) | {words} | {need:g} | {need / rows[-1]['fraction_of_limit']:.1f} | "
                             f"{100 * rows[-1]['fraction_of_limit']:.0f} % | " + " | ".join(rate(r) for r in rows) + " |")
            if there:
                break
    return "\n".join(lines) + "\n"


def plots():
    parts = []
    for picture, words in (("gpu-f32", "All rungs in single precision, rate against N"),
                           ("five-kernels", "Block sizes and grids (`pleiad bench --experiment five-kernels`)"),
                           ("block-stride", "Blocks that share targets (`pleiad bench --experiment block-stride`)"),
                           ("damping-fps", "Full steps against N (`pleiad bench --experiment damping-fps`)")):
        for path in sorted(glob.glob(os.path.join(SOURCE, "bench", "results", "*", picture + ".png"))):
            parts.append(f"![{words}](../{os.path.relpath(path, SOURCE)})\n\n*{words}.*\n")
    return ["## Pictures\n"] + parts if parts else []


# Documents -----------------------------------------------------------------------------------------------------------------------------

STEPS = """## Fused steps on the GPU

These kernels make force, kick and drift in one launch, for several steps. They are for systems so small that a launch takes as long as a force evaluation, and for many
small systems at once. `pleiad bench steps` compares them with separate steps of the rungs above; `pleiad bench steps --systems 10000` measures many systems.
"""


def steps_of(kernel, rows):
    """Steps per second by N and precision of a kernel of fused steps on one device."""
    mine = best([r for r in rows if r["kernel"] == kernel])
    sizes = sorted({key[2] for key in mine})
    if not sizes:
        return []
    lines = ["| steps/s | " + " | ".join(f"N = {n}" for n in sizes) + " | rms error |", "|---|" + "---|" * (len(sizes) + 1)]
    for precision in ("f32", "mixed", "f64"):
        own = [mine.get((kernel, precision, n)) for n in sizes]
        there = [r for r in own if r]
        if there:
            lines.append(f"| {precision} | " + " | ".join(f"{r['steps_per_second']:.4g}" if r else "" for r in own) + f" | {there[-1]['error_rms']:.1e} |")
    return lines


def fused_steps():
    found, devices = rungs("cuda", ".cu", "steps"), measurements(of_steps=True)
    parts = [STEPS] if found else []
    for name, path, paragraphs, _ in found:
        where = os.path.relpath(path, SOURCE)
        parts.append(f"### {heading(name, path)[0]}\n\n[`{where}`](../{where})\n")
        parts.extend(with_title(p) + "\n" for p in paragraphs)
        for device in sorted(devices):
            if table := steps_of(name, devices[device]):
                parts.append(f"{device}:\n\n" + "\n".join(table) + "\n")
    return parts


def ladder(devices):
    parts = [INTRODUCTION]
    for title, folder, ending in (("On the CPU", "cpu", ".cpp"), ("On the GPU", "cuda", ".cu")):
        found, earlier = rungs(folder, ending), []
        parts.append(f"## {title}\n")
        if folder == "cuda":
            parts.append(overview(found, devices))
        for name, path, paragraphs, text in found:
            where = os.path.relpath(path, SOURCE)
            parts.append(f"### {heading(name, path)[0]}\n\n[`{where}`](../{where})\n")
            parts.append(paragraphs[0] + "\n")
            parts.extend(with_title(p) + "\n" for p in paragraphs[1:] if p.startswith("Before:"))
            if name in HEARTS or folder == "cuda":
                parts.append(code_of(name, path, text, earlier))
            if name not in HEARTS:
                earlier.append((name, own_code(name, text) if folder == "cuda" else text))
            parts.extend(with_title(p) + "\n" for p in paragraphs[1:] if not p.startswith(("Before:", "Question:")))
            for device in sorted(devices):
                table = figures(name, best(devices[device]))
                if table:
                    threads = sorted({row.get("threads") or 0 for row in devices[device] if row["kernel"] == name})
                    note = f", best of {', '.join(map(str, threads))} threads" if folder == "cpu" and len(threads) > 1 else ""
                    shape = " in the best launch shape" if folder == "cuda" else ""
                    parts.append(f"{device}{note}, G/s{shape}:\n\n" + "\n".join(table) + "\n")
                    parts.append(how_it_fills(devices[device], name))
            parts.extend(with_title(p) + "\n" for p in paragraphs[1:] if p.startswith("Question:"))
    return "\n".join(p for p in parts + multi_gpu.chapter(SOURCE) + fused_steps() + plots() if p)


def readme_table(devices):
    """The best kernel of each device and precision at its largest measured size."""
    lines = ["| device | kernel | precision | N | G/s | of its limit | rms error |", "|---|---|---|---|---|---|---|"]
    for device in sorted(devices, key=lambda d: max(r["interactions_per_second"] for r in devices[d])):
        for precision in ("f32", "mixed", "f64"):
            rows = [row for row in devices[device] if label(row) == precision]
            if not rows:
                continue
            row = max(rows, key=lambda r: r["interactions_per_second"])
            threads = f", {row['threads']} threads" if (row.get("threads") or 0) > 1 else ""
            lines.append(f"| {device}{threads} | {row['kernel']} | {precision} | {row['n']} | {rate(row)} | "
                         f"{100 * row['fraction_of_limit']:.0f} % | {row['error_rms']:.1e} |")
    return "\n".join(lines) + "\n"


STALLS = """## Why warps wait

Every few thousand clocks one warp of each scheduler is sampled: its instruction, and what it waits for (`tools/gpu_check --only stalls`). The table has the shares of all
samples, without reasons that are below 0.5 % everywhere. *selected*: an instruction issues. *not selected*: the warp could issue, but another one does. *math*: it waits
for a pipe. *dispatch*: a conflict inside the multiprocessor, such as one over registers, delays it. *wait*: the fixed delay of the previous instruction. *short sb*: it
waits for special functions or shared memory; *long sb*: for global memory; *no inst*: for the instruction itself.
"""


def stalls():
    """The section about samples of waiting warps; nothing until there are some."""
    path = os.path.join(SOURCE, "bench", "results", "nvidia-h200", "stalls.json")
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as text:
        rows = json.load(text)
    reasons = sorted({r for row in rows for r, share in row["reasons"].items() if share >= 0.005},
                     key=lambda r: -sum(row["reasons"].get(r, 0) for row in rows))
    lines = ["| kernel | masses | " + " | ".join(r.replace("_", " ") for r in reasons) + " |", "|---|---|" + "---|" * len(reasons)]
    for row in rows:
        lines.append(f"| {row['kernel']}, {row['precision']} | {row['masses']} | " +
                     " | ".join(f"{100 * row['reasons'].get(r, 0):.1f} %" for r in reasons) + " |")
    lines += ["", "The three instructions with the most samples in each kernel:", "", "| kernel | masses | instruction | of all samples | mostly |", "|---|---|---|---|---|"]
    for row in rows:
        for at in row["instructions"][:3]:
            mostly = ", ".join(r.replace("_", " ") for r in list(at["reasons"])[:2])
            lines.append(f"| {row['kernel']}, {row['precision']} | {row['masses']} | `{at['instruction']}` | {100 * at['share']:.1f} % | {mostly} |")
    return STALLS + "\n" + "\n".join(lines) + "\n\n"


def between(name, begin, end, content, whole=None):
    """The file, or the text that it is to have, with `content` between these two lines."""
    if whole is None:
        with open(os.path.join(SOURCE, name), encoding="utf-8") as text:
            whole = text.read()
    return whole[:whole.index(begin) + len(begin)] + content + whole[whole.index(end):]


def anchor(words):
    """Of a heading."""
    return re.sub(r"[^\w -]", "", words.lower()).replace(" ", "-")


def need_usable(name, content):
    """No reader can type a placeholder, or follow a link to a heading that is not there."""
    for block in re.findall(r"^```\n(.*?)^```", content, re.S | re.M):
        if found := re.search(r"<[a-z][^>\n]*>", block):
            sys.exit(f"tools/make_docs.py: {name} has the placeholder '{found.group()}' in a command")
    there = {anchor(words) for words in re.findall(r"^#+ (.+)$", content, re.M)}
    for link in re.findall(r"\]\(#([^)]+)\)", content):
        if link not in there:
            sys.exit(f"tools/make_docs.py: {name} links to #{link}, which no heading of it is")


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        sys.exit(__doc__)
    devices = measurements()
    wanted = {"README.md": between("README.md", BEGIN, END, "\n" + readme_table(devices) + "\n"), "docs/ladder.md": ladder(devices),
              "docs/ncu-h200.md": between("docs/ncu-h200.md", STALLS_BEGIN, STALLS_END, stalls())}
    for word, table in make_published_benchmarks.block_stride_tables().items():
        wanted["docs/block-stride.md"] = between("docs/block-stride.md", f"<!-- {word} -->\n", f"<!-- /{word} -->\n", table, wanted.get("docs/block-stride.md"))
    wanted["docs/published-benchmarks.md"], missing = make_published_benchmarks.page()
    lost = make_published_benchmarks.complaints(missing)
    stale = []
    for name, content in wanted.items():
        need_usable(name, content)
        path = os.path.join(SOURCE, name)
        present = ""
        if os.path.exists(path):
            with open(path, encoding="utf-8") as text:
                present = text.read()
        if present != content:
            stale.append(name)
            if not check:
                with open(path, "w", encoding="utf-8") as out:
                    out.write(content)
    for name in stale:
        print(f"{name} is stale; run tools/make_docs.py" if check else f"wrote {name}")
    for complaint in lost:
        print(complaint)
    sys.exit(1 if lost or (check and stale) else 0)


if __name__ == "__main__":
    main()
