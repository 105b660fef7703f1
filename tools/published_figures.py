"""Figures of docs/published-benchmarks.md and tables of docs/block-stride.md: published ones from bench/published.csv, ours from bench/results."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import csv
import glob
import math
import os
import re
import sys

from published_benchmarks import ROWS
from results import FOLDER, SOURCE, load


def tree_rows(path):
    """The output of pleiad_tree_phases: a row for each evaluation."""
    rows, scene, commit = [], {}, None
    with open(path, encoding="utf-8") as text:
        for line in text:
            if found := re.match(r"# program of commit (\w+)", line):
                commit = found.group(1)
            elif found := re.match(r"(\S+) N=(\d+) eps=\S+ (\w+)$", line):
                scene = {"model": found.group(1), "n": int(found.group(2)), "precision": found.group(3)}
            elif found := re.match(r"(cuda/(\S+) [^|+]*[^|+ ])( \+potential)? \| ([\d.]+) ms \|.*p99 (\S+)", line):
                rows.append({**scene, "kernel": found.group(1), "solver": found.group(2), "potential": bool(found.group(3)), "ms": float(found.group(4)),
                             "error_p99": float(found.group(5)), "device": "NVIDIA H200", "commit": commit})
    return rows


def results():
    """The rows of each file of results, by its name under bench/results."""
    found = {name: load(name) for name in glob.glob("**/*.json", root_dir=FOLDER, recursive=True)}
    return found | {name: tree_rows(os.path.join(FOLDER, name)) for pattern in ("*/tree-phases.txt", "*/tree-walks.txt") for name in glob.glob(pattern, root_dir=FOLDER)}


def published_rows():
    with open(os.path.join(SOURCE, "bench", "published.csv"), encoding="utf-8", newline="") as text:
        return list(csv.DictReader(text))


def published_row(key, rows):
    """The one published row that fits."""
    fits = [r for r in rows if all(r[k] == str(v) for k, v in key.items())]
    if len(fits) != 1:
        sys.exit(f"tools/published_benchmarks.py: {len(fits)} published values fit {key}, not one")
    return fits[0]


def field_of(query, row):
    return next((row[f] for f in query["fields"] if row.get(f) is not None), None)


def rows_of(query, files):
    """The measured rows of a query in the first of its files that has some, and that file."""
    for name in query["files"]:
        fits = [r for r in files.get(name, []) if field_of(query, r) is not None
                and all(r.get(k) in v if isinstance(v, tuple) else r.get(k) == v for k, v in query["where"].items())
                and all(r[k] <= v for k, v in query["at_most"].items())]
        if fits:
            return name, fits
    return None, []


def figure(query, files, used):
    """Its value, a number or a text; None when nothing was measured."""
    if "above" in query:
        above, below = (figure(query[k], files, used) for k in ("above", "below"))
        return above / below if above is not None and below else None
    name, rows = rows_of(query, files)
    if not rows:
        return None
    used.setdefault(name, set()).update((r.get("device"), r.get("commit")) for r in rows if r.get("device"))
    if query["best"] == "count":
        return len(rows)
    values = [field_of(query, r) for r in rows]
    if isinstance(values[0], str):
        return values[0]
    return query["scale"] * {"first": values[0], "max": max(values), "min": min(values)}[query["best"]]


def shown(value):
    if isinstance(value, str):
        return value
    if value and abs(value) < 1e-2:
        return f"{value:.1e}"
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def is_time(query):
    return "fields" in query and query["fields"][0] in ("ms", "seconds_per_1000")


def ratio_of(queries, ours, theirs):
    """How many times as fast we are, from the least to the most of the row."""
    times = [t / o if is_time(q) else o / t for q, o, t in zip(queries, ours, theirs)]
    least, most = min(times), max(times)
    return f"{shown(least)} times" if math.isclose(least, most, rel_tol=0.05) else f"{shown(least)} to {shown(most)} times"


def row_parts(name, row, files, csv_rows, used):
    """The figures of a row, by their markers; None for one that has not been measured."""
    queries, keys = row if isinstance(row, tuple) else (row, [])
    ours = [figure(q, files, used) for q in queries]
    complete = None not in ours
    parts = {f"figure: {name}": " / ".join(shown(o) for o in ours) if complete else None}
    if keys:
        published = [published_row(key, csv_rows) for key in keys]
        values = [float(p["value"]) for p in published]
        hardware = dict.fromkeys(p["hardware"].split(" (")[0].removesuffix(", one thread") for p in published)
        hardware = ", ".join("hardware not named" if h == "not named" else h for h in hardware)
        parts[f"figure: published {name}"] = " / ".join(f"{v:g}" for v in values) + f" ({hardware})"
        # A refusal has no ratio.
        if not isinstance(ours[0], str):
            parts[f"figure: ratio {name}"] = ratio_of(queries, ours, values) if complete else None
    return parts


def sources(used):
    lines = ["| file | device | commit |", "|---|---|---|"]
    for name in sorted(used):
        devices = sorted({d for d, _ in used[name]})
        commits = sorted({c for _, c in used[name] if c})
        lines.append(f"| [`{name}`](../bench/results/{name}) | {', '.join(devices)} | {', '.join(commits)} |")
    return "\n".join(lines)


def parts():
    """The figures of docs/published-benchmarks.md."""
    files, csv_rows, used, found = results(), published_rows(), {}, {}
    for name, row in ROWS.items():
        found |= row_parts(name, row, files, csv_rows, used)
    return {**found, "figure: published figures": str(len(csv_rows)), "table: results": sources(used)}


# Block strides --------------------------------------------------------------------------------------------------------------------------

A100 = {"multiprocessors": 108, "warps": 64, "blocks": 32}


def on_a_gpu(gpu, block, stride=1, n=4096):
    """By arithmetic, for a kernel of at most 32 registers: blocks, how many fit a multiprocessor, waves, occupancy."""
    warps = math.ceil(block / 32)
    blocks, resident = math.ceil(n / block) * stride, min(gpu["blocks"], gpu["warps"] // warps)
    return blocks, resident, blocks / (resident * gpu["multiprocessors"]), resident * warps / gpu["warps"]


def scan_table(files, csv_rows, kernel, shapes):
    """A line for each (block, stride): the publication's figure and the A100 by arithmetic, our figure and the H200 as it was launched. None
    when a shape has not been measured."""
    measured_rows = {r["shape"]: r for r in files.get("nvidia-h200/block-stride.json", []) if r["kernel"] == kernel}
    lines = ["| block | stride | blocks | A100 fit, waves, occupancy | A100 G/s (published) | H200 fit, waves, occupancy | H200 G/s | regs |",
             "|---|---|---|---|---|---|---|---|"]
    for block, stride in shapes:
        other = f"stride {stride}" if stride else ""
        publication = [r["value"] for r in csv_rows if r["source"] == "S4" and r["block"] == str(block) and r["other"] == other]
        shape = f"block={block}" + (f",stride={stride}" if stride else "")
        if shape not in measured_rows:
            return None
        row = measured_rows[shape]
        blocks, resident, waves, occupancy = on_a_gpu(A100, block, stride or 1)
        fits = f"{resident}, {waves:.2f}, {100 * occupancy:.0f} %" if block <= 1024 else "none"
        ours = ("none", "refused", "-")
        if row.get("interactions_per_second"):
            ours = (f"{row['resident_blocks']}, {row['waves']:.2f}, {100 * row['occupancy']:.0f} %", f"{row['interactions_per_second'] / 1e9:.4g}", str(row["registers"]))
        lines.append(f"| {block} | {stride or '-'} | {blocks} | {fits} | {publication[0] if publication else '-'} | {ours[0]} | {ours[1]} | {ours[2]} |")
    return "\n".join(lines)


def block_stride_tables():
    """The tables of docs/block-stride.md."""
    files, csv_rows = results(), published_rows()
    basic = [(int(r["block"]), 0) for r in csv_rows if r["experiment"] == "block scan, basic"]
    pairs = [(int(r["block"]), int(r["other"].split()[1])) for r in csv_rows if r["experiment"] == "block x stride"]
    return {"table: one thread per body": scan_table(files, csv_rows, "cuda/naive", basic),
            "table: block stride": scan_table(files, csv_rows, "cuda/split-atomics", sorted(pairs + [(64, 64)]))}
