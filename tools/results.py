"""The committed measurements, bench/results, and the tables of them."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import functools
import glob
import json
import os

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDER = os.path.join(SOURCE, "bench", "results")


@functools.cache
def load(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as text:
        return json.load(text)


def measurements(of_steps=False):
    """All rows about forces in bench/results, or of full steps, which have a hash of the state, by device."""
    rows = {}
    names = sum((glob.glob(pattern, root_dir=FOLDER) for pattern in ("*.json", "*/gpu-*.json", "*/steps-*.json")), [])
    for name in sorted(names):
        content = load(name)
        for row in content if isinstance(content, list) else []:
            if "interactions_per_second" in row and "error_rms" in row and ("state_hash" in row) == of_steps and (row.get("systems") or 1) == 1:
                rows.setdefault(row["device"], []).append(row)
    return rows


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


def best_kernels():
    """The best kernel of each device and precision at its largest measured size."""
    devices = measurements()
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
    return "\n".join(lines)


def stalls():
    """Samples of waiting warps: their share by reason, and the instructions with the most of them."""
    rows = load("nvidia-h200/stalls.json")
    reasons = sorted({r for row in rows for r, share in row["reasons"].items() if share >= 0.005},
                     key=lambda r: -sum(row["reasons"].get(r, 0) for row in rows))
    waits = ["| kernel | masses | " + " | ".join(r.replace("_", " ") for r in reasons) + " |", "|---|---|" + "---|" * len(reasons)]
    instructions = ["| kernel | masses | instruction | of all samples | mostly |", "|---|---|---|---|---|"]
    for row in rows:
        kernel = f"| {row['kernel']}, {row['precision']} | {row['masses']} | "
        waits.append(kernel + " | ".join(f"{100 * row['reasons'].get(r, 0):.1f} %" for r in reasons) + " |")
        for at in row["instructions"][:3]:
            mostly = ", ".join(r.replace("_", " ") for r in list(at["reasons"])[:2])
            instructions.append(f"{kernel}`{at['instruction']}` | {100 * at['share']:.1f} % | {mostly} |")
    return {"table: stalls": "\n".join(waits), "table: instructions": "\n".join(instructions)}
