#!/usr/bin/env python3
"""Warp stalls, from the samples of Nsight Compute: tools/stalls.py STALLS.json <KERNELS

KERNELS has a line per kernel: name, precision, masses, bodies, and more that is not read. STALLS-1.csv, STALLS-2.csv, ... beside STALLS.json are
the source pages of its profiles (`ncu --import FILE --page source --print-source sass --csv`), in the same order. Writes an array with, for each
kernel, the samples, their shares by reason, and the instructions with most of them; prints the shares. Exits 1 when a page has no samples.
"""
import csv
import json
import re
import sys

MOST_INSTRUCTIONS = 12
REASON = re.compile(r"stall_([a-z_]+)$")


def number(text):
    return float(text.replace(",", "") or 0)


def page(path):
    """(instruction, {reason: samples}) of every line of machine code. Reasons come a second time for samples in which nothing was issued: only
    the first are read."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    start = next((k for k, row in enumerate(rows) if "Source" in row and any(REASON.match(name) for name in row)), None)
    if start is None:
        return []
    header = rows[start]
    columns = {}
    for k, name in enumerate(header):
        if (found := REASON.match(name)) and not found[1].endswith("not_issued"):
            columns.setdefault(found[1], k)
    source = header.index("Source")
    return [(" ".join(row[source].split()), {reason: number(row[k]) for reason, k in columns.items()}) for row in rows[start + 1:] if len(row) == len(header)]


def summary(kernel, precision, masses, n, lines):
    totals = {}
    for _, samples in lines:
        for reason, count in samples.items():
            totals[reason] = totals.get(reason, 0) + count
    everything = sum(totals.values())
    if not everything > 0:
        return None
    share = lambda counts: {reason: round(count / everything, 4) for reason, count in sorted(counts.items(), key=lambda c: -c[1]) if count / everything >= 0.0005}
    top = sorted(range(len(lines)), key=lambda k: -sum(lines[k][1].values()))[:MOST_INSTRUCTIONS]
    return {"kernel": kernel, "precision": precision, "masses": masses, "n": int(n), "samples": int(everything), "reasons": share(totals),
            "instructions": [{"line": k, "instruction": lines[k][0], "share": round(sum(lines[k][1].values()) / everything, 4), "reasons": share(lines[k][1])}
                             for k in top]}


def main():
    if len(sys.argv) != 2 or not sys.argv[1].endswith(".json"):
        sys.exit(__doc__)
    found = []
    for number_of, line in enumerate(filter(str.strip, sys.stdin), 1):
        path = f"{sys.argv[1][:-len('.json')]}-{number_of}.csv"
        one = summary(*line.split()[:4], page(path))
        if one is None:
            sys.exit(f"tools/stalls.py: {path} has no samples; was it profiled with --section SourceCounters?")
        found.append(one)
        print(f"{one['kernel']:<28} {one['precision']:<6} {one['masses']:<6} " + ", ".join(f"{reason} {100 * share:.1f} %" for reason, share in one["reasons"].items()))
    with open(sys.argv[1], "w", encoding="utf-8") as out:
        out.write("[\n" + ",\n".join(json.dumps(one) for one in found) + "\n]\n")


if __name__ == "__main__":
    main()
