"""Makes docs/published-benchmarks.md of tools/published_benchmarks.py, bench/published.csv and bench/results; tools/make_docs.py calls it."""
import csv
import json
import math
import os
import re
import sys

from published_benchmarks import PUBLICATIONS, SLIPS, STILL_TO_MEASURE

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RESULTS = os.path.join(SOURCE, "bench", "results")
NOT_YET = "not measured yet"

INTRODUCTION = """# Five published benchmarks

Pleiad covers five published benchmarks of CUDA N-body programs. Each of their variants, scans, charts and claims has a row here: the file that implements it, the
command that measures it, the published figure and hardware, our figure, and the reason for the difference.

- **Published** figures are those of [`bench/published.csv`](../bench/published.csv), {count} of them, with hardware and settings. **Ours** are rows of
  [bench/results](../bench/results), each with its device and commit. Several figures in a cell are in the order that the row states.
- The **verdict** of a row with both figures is the ratio of ours to the published one, from the smallest to the largest in the row. It compares machines that are a decade
  apart, not programs. The last column explains the differences between the programs.
- `pleiad bench --list` lists the experiments and kernels. Every command accepts `--quick` for a quick measurement, `--json FILE` and `--plot FILE.png`. Without a GPU it
  measures the rows on the CPU. [benchmarks.md](benchmarks.md) describes the method of measurement; [ladder.md](ladder.md) is a course about the kernels.

`tools/make_docs.py` makes this page from `tools/published_benchmarks.py`; a test fails if the page is stale or a row has lost its figure.
"""


def tree_rows(path):
    """What pleiad_tree_phases printed: a row for each evaluation."""
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
    found = {}
    for folder, _, files in os.walk(RESULTS):
        for name in files:
            if name.endswith(".json"):
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as text:
                    found[os.path.relpath(path, RESULTS)] = json.load(text)
            elif re.match(r"tree-(phases|walks)\.txt", name):
                path = os.path.join(folder, name)
                found[os.path.relpath(path, RESULTS)] = tree_rows(path)
    return found


def published_rows():
    with open(os.path.join(SOURCE, "bench", "published.csv"), encoding="utf-8", newline="") as text:
        return list(csv.DictReader(text))


def told(key, rows):
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
    if value is None:
        return NOT_YET
    if isinstance(value, str):
        return value
    if value and abs(value) < 1e-2:
        return f"{value:.1e}"
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def factors(row, ours, values):
    """How many times the published figure ours is; times are compared the other way round."""
    smaller = row.get("smaller") or row["unit"].startswith("ms")
    return [t / o if smaller else o / t for t, o in zip(values, ours) if o is not None and t]


def verdict(row, ours, values):
    if any(o is None for o in ours):
        return NOT_YET
    if "verdict" in row:
        return row["verdict"]
    times = factors(row, ours, values)
    least, most = min(times), max(times)
    return f"{shown(least)} times" if math.isclose(least, most, rel_tol=0.05) else f"{shown(least)} to {shown(most)} times"


def line(row, files, csv_rows, used):
    """The row's line, and whether it has all its figures."""
    published = [told(k, csv_rows) for k in row["told"]] if isinstance(row["told"], list) else []
    values = [float(p["value"]) for p in published]
    ours = [figure(q, files, used) for q in row["ours"]]
    hardware = ", ".join("hardware not named" if h == "not named" else h for h in dict.fromkeys(p["hardware"].split(" (")[0].removesuffix(", one thread") for p in published))
    words = " / ".join(f"{v:g}" for v in values) + f" ({hardware})" if published else row["told"]
    complete = all(o is not None for o in ours) and (not published or len(ours) == len(published))
    some = any(o is not None for o in ours)
    measured = " / ".join(shown(o) for o in ours) + (f" {row['unit']}" if row["unit"] else "") if some else NOT_YET
    if not os.path.exists(os.path.join(SOURCE, row["file"])):
        # A file that comes with a row still to be measured has no link.
        where = f"`{row['file']}`"
        complete = False
    else:
        where = f"[`{os.path.basename(row['file'])}`](../{row['file']})"
    return (f"| {row['what']} | {where} | `{row['run']}` | {words} | {measured} | {verdict(row, ours, values)} | {row['why']} |", complete)


def of_publication(publication, files, csv_rows, used, missing):
    key, title, hardware, words, rows, pictures = publication
    parts = [f"## {key}: {title.lower() if title.startswith('A ') else title}\n", f"{words} Published on: {hardware}.\n",
             "| the publication has | file | command | published | ours | verdict | why |\n|---|---|---|---|---|---|---|"]
    for row in rows:
        text, complete = line(row, files, csv_rows, used)
        parts[-1] += "\n" + text
        if not complete:
            missing.append(row["id"])
    parts[-1] += "\n"
    for picture, caption in pictures:
        path = os.path.normpath(os.path.join("bench", "results", "nvidia-h200", picture + ".png"))
        if os.path.exists(os.path.join(SOURCE, path)):
            parts.append(f"![{caption}](../{path})\n\n*{caption}.*\n")
    return parts


def sources(used):
    lines = ["## Where our figures are from\n", "| file | device | commit |", "|---|---|---|"]
    for name in sorted(used):
        devices = sorted({d for d, _ in used[name]})
        commits = sorted({c for _, c in used[name] if c})
        lines.append(f"| [`{name}`](../bench/results/{name}) | {', '.join(devices)} | {', '.join(commits)} |")
    return "\n".join(lines) + "\n"


# The document of block strides ----------------------------------------------------------------------------------------------------------

A100 = {"multiprocessors": 108, "warps": 64, "blocks": 32}


def on_a_gpu(gpu, block, stride=1, n=4096):
    """By arithmetic, for a kernel of at most 32 registers: blocks, how many fit a multiprocessor, waves, occupancy."""
    warps = math.ceil(block / 32)
    blocks, resident = math.ceil(n / block) * stride, min(gpu["blocks"], gpu["warps"] // warps)
    return blocks, resident, blocks / (resident * gpu["multiprocessors"]), resident * warps / gpu["warps"]


def scan_table(files, csv_rows, kernel, shapes):
    """A line for each (block, stride): the publication's figure and the A100 by arithmetic, our figure and the H200 as it was launched."""
    measured_rows = {r["shape"]: r for r in files.get("nvidia-h200/block-stride.json", []) if r["kernel"] == kernel}
    lines = ["| block | stride | blocks | A100 fit, waves, occupancy | A100 G/s (published) | H200 fit, waves, occupancy | H200 G/s | regs |",
             "|---|---|---|---|---|---|---|---|"]
    for block, stride in shapes:
        other = f"stride {stride}" if stride else ""
        publication = [r["value"] for r in csv_rows if r["source"] == "S4" and r["block"] == str(block) and r["other"] == other]
        shape = f"block={block}" + (f",stride={stride}" if stride else "")
        row = measured_rows.get(shape, {})
        blocks, resident, waves, occupancy = on_a_gpu(A100, block, stride or 1)
        fits = f"{resident}, {waves:.2f}, {100 * occupancy:.0f} %" if block <= 1024 else "none"
        if row.get("interactions_per_second"):
            ours = (f"{row['resident_blocks']}, {row['waves']:.2f}, {100 * row['occupancy']:.0f} %", f"{row['interactions_per_second'] / 1e9:.4g}", str(row["registers"]))
        else:
            ours = ("none", "refused", "-") if row.get("refused") else (NOT_YET,) * 2 + ("-",)
        lines.append(f"| {block} | {stride or '-'} | {blocks} | {fits} | {publication[0] if publication else '-'} | {ours[0]} | {ours[1]} | {ours[2]} |")
    return "\n" + "\n".join(lines) + "\n\n"


def block_stride_tables():
    """The tables of docs/block-stride.md, by the words of their markers."""
    files, csv_rows = results(), published_rows()
    basic = [(int(r["block"]), 0) for r in csv_rows if r["experiment"] == "block scan, basic"]
    pairs = [(int(r["block"]), int(r["other"].split()[1])) for r in csv_rows if r["experiment"] == "block x stride"]
    return {"basic": scan_table(files, csv_rows, "cuda/naive", basic), "stride": scan_table(files, csv_rows, "cuda/split-atomics", sorted(pairs + [(64, 64)]))}


def page():
    """The page, and the ids of the rows without all their figures."""
    files, csv_rows, used, missing = results(), published_rows(), {}, []
    parts = [INTRODUCTION.format(count=len(csv_rows))]
    for publication in PUBLICATIONS:
        parts += of_publication(publication, files, csv_rows, used, missing)
    parts += ["## Slips of the published benchmarks\n", SLIPS, sources(used)]
    return "\n".join(parts), missing


def complaints(missing):
    """What a test must fail for: rows that have lost their figures, and a list of exceptions that names none."""
    ids = [row["id"] for publication in PUBLICATIONS for row in publication[4]]
    found = [f"docs/published-benchmarks.md: the row '{i}' has no figure, or its file is gone: see its entry in tools/published_benchmarks.py" for i in missing if i not in STILL_TO_MEASURE]
    found += [f"tools/published_benchmarks.py: '{i}' has its figures now: take it out of STILL_TO_MEASURE, so that a test misses them when they are lost"
              for i in sorted(STILL_TO_MEASURE & set(ids) - set(missing))]
    found += [f"tools/published_benchmarks.py: STILL_TO_MEASURE names '{i}', which is no row" for i in sorted(STILL_TO_MEASURE - set(ids))]
    found += [f"tools/published_benchmarks.py: two rows are '{i}'" for i in sorted({i for i in ids if ids.count(i) > 1})]
    return found
