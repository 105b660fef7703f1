#!/usr/bin/env python3
"""Writes docs/ladder.md and the README's table from the rungs' own headers and the committed measurements.

tools/make_docs.py          writes them
tools/make_docs.py --check  exits 1 when they are not what it would write
"""
import glob
import json
import os
import re
import sys

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BEGIN, END = "<!-- bench -->\n", "<!-- /bench -->\n"


def rungs(folder, endings):
    """(number, file, paragraphs of the header) of every rung, in learning order."""
    found = []
    for path in sorted(glob.glob(os.path.join(SOURCE, "src", folder, "direct", "[0-9][0-9]_*"))):
        if not path.endswith(endings):
            continue
        lines = []
        with open(path, encoding="utf-8") as text:
            for line in text:
                if not line.startswith("///"):
                    break
                lines.append(line[3:].strip())
        paragraphs = re.split(r"\s(?=Cost (?:per|as)|Cost:|Where it loses)", "\n".join(lines))
        found.append((os.path.basename(path), [" ".join(p.split()) for p in paragraphs if p.strip()]))
    return found


def measurements():
    """All rows of bench/results/*.json that are about direct kernels, by device."""
    rows = {}
    for path in sorted(glob.glob(os.path.join(SOURCE, "bench", "results", "*.json"))):
        with open(path, encoding="utf-8") as text:
            content = json.load(text)
        for row in content if isinstance(content, list) else []:
            if "interactions_per_second" in row and "error_rms" in row:
                rows.setdefault(row["device"], []).append(row)
    return rows


def best(rows):
    """The fastest row of each (kernel, precision, n)."""
    fastest = {}
    for row in rows:
        key = (row["kernel"], row["precision"], row["n"])
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
    for precision in ("f32", "mixed", "f64"):
        rows = [mine.get((kernel, precision, n)) for n in sizes]
        there = [row for row in rows if row]
        if there:
            top = max(there, key=lambda row: row["interactions_per_second"])
            lines.append(f"| {precision} | " + " | ".join(rate(row) if row else "" for row in rows) +
                         f" | {100 * top['fraction_of_limit']:.0f} % | {there[-1]['error_rms']:.1e} |")
    return lines


def ladder(devices):
    parts = ["""# The ladder

Every direct kernel, in the order in which a reader should learn them. Each is one file with one idea; neighbours differ only by it. The text is that of
the files' own headers, the figures (1e9 ordered interactions per second, N^2 per evaluation, best launch shape) are those of
[bench/results](../bench/results): this page is written by `tools/make_docs.py`, and a test fails when it is stale.

The limit of a kernel counts the instructions that its formulation cannot do without, against the rate at which the machine issues them (method:
[benchmarks.md](benchmarks.md)). The error is |da|/|a| against a sum in higher precision, at the largest N of the row.
"""]
    for title, folder, endings, prefix in (("On the CPU", "cpu", ".cpp", "cpu/"), ("On the GPU", "cuda", ".cu", "cuda/")):
        parts.append(f"## {title}\n")
        for file, paragraphs in rungs(folder, endings):
            name = prefix + re.sub(r"^\d+_|\.\w+$", "", file).replace("_", "-")
            parts.append(f"### {name}\n\n[`src/{folder}/direct/{file}`](../src/{folder}/direct/{file})\n")
            parts.extend(p + "\n" for p in paragraphs)
            for device in sorted(devices):
                table = figures(name, best(devices[device]))
                if table:
                    threads = sorted({row.get("threads", 0) for row in devices[device] if row["kernel"] == name})
                    note = f", best of {', '.join(map(str, threads))} threads" if prefix == "cpu/" and len(threads) > 1 else ""
                    parts.append(f"{device}{note}:\n\n" + "\n".join(table) + "\n")
    return "\n".join(parts)


def readme_table(devices):
    """The best kernel of each device and precision at its largest measured size."""
    lines = ["| device | kernel | precision | N | G/s | of its limit | rms error |", "|---|---|---|---|---|---|---|"]
    for device in sorted(devices, key=lambda d: max(r["interactions_per_second"] for r in devices[d])):
        for precision in ("f32", "mixed", "f64"):
            rows = [row for row in devices[device] if row["precision"] == precision]
            if not rows:
                continue
            row = max(rows, key=lambda r: r["interactions_per_second"])
            threads = f", {row['threads']} threads" if row.get("threads", 0) > 1 else ""
            lines.append(f"| {device}{threads} | {row['kernel']} | {precision} | {row['n']} | {rate(row)} | "
                         f"{100 * row['fraction_of_limit']:.0f} % | {row['error_rms']:.1e} |")
    return "\n".join(lines) + "\n"


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        sys.exit(__doc__)
    devices = measurements()
    with open(os.path.join(SOURCE, "README.md"), encoding="utf-8") as text:
        readme = text.read()
    start, stop = readme.index(BEGIN) + len(BEGIN), readme.index(END)
    wanted = {"README.md": readme[:start] + "\n" + readme_table(devices) + "\n" + readme[stop:], "docs/ladder.md": ladder(devices)}
    stale = []
    for name, content in wanted.items():
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
    sys.exit(1 if check and stale else 0)


if __name__ == "__main__":
    main()
