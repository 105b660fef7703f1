"""docs/published-benchmarks.md must not lose a figure unseen: takes results away and expects to be told. published_benchmarks_test.py SOURCE"""
import os
import sys

sys.path.insert(0, os.path.join(sys.argv[1], "tools"))
import make_published_benchmarks  # noqa: E402

failures = []


def expect(condition, words):
    if not condition:
        failures.append(words)


page, missing = make_published_benchmarks.page()
complaints = make_published_benchmarks.complaints(missing)
expect(complaints == [], f"as committed: {complaints}")
rows = [row for publication in make_published_benchmarks.PUBLICATIONS for row in publication[4]]
expect(len(rows) >= 70, f"{len(rows)} rows, not some seventy")
for row in rows:
    expect("partly" not in str(row.get("verdict", "")), f"{row['id']}: {row.get('verdict')}")
    expect(row["run"].startswith("pleiad "), f"{row['id']}: {row['run']}")
    expect(isinstance(row["told"], list) or "verdict" in row, f"{row['id']}: neither a published figure nor a verdict")
    expect(not isinstance(row["told"], list) or len(row["told"]) == len(row["ours"]), f"{row['id']}: as many figures of ours as published ones")
expect(page.count("\n| ") >= len(rows), "a line for each row")

trees = make_published_benchmarks.results()["nvidia-h200/tree-phases.txt"]
expect(len(trees) > 20 and all(row["ms"] > 0 and 0 < row["error_p99"] < 1 and row["n"] >= 65536 for row in trees), "what pleiad_tree_phases printed is read")

# Without the rows of one experiment each of its figures is missed, by name.
whole = make_published_benchmarks.results()
for name, lost in (("nvidia-h200/path.json", "S1 naive"), ("nvidia-h200/block-stride.json", "S4 basic"), ("nvidia-h200/damping-fps.json", "S3 serial"),
                   ("nvidia-h200/five-kernels.json", "S2 naive")):
    make_published_benchmarks.results = lambda name=name: {k: v for k, v in whole.items() if k != name}
    found = make_published_benchmarks.complaints(make_published_benchmarks.page()[1])
    expect(any(f"'{lost}'" in complaint for complaint in found), f"{name} taken away, and nothing said of {lost}")
make_published_benchmarks.results = lambda: whole

# A row that waits for its figure leaves the list when it has it, or nothing would miss it later.
found = make_published_benchmarks.complaints([i for i in missing if i != "S5 GPU"])
expect(any("'S5 GPU' has its figures now" in complaint for complaint in found) or "S5 GPU" not in make_published_benchmarks.STILL_TO_MEASURE, "S5 GPU measured, and nothing said")

# A single row, too: block 30 of the basic scan.
short = dict(whole)
short["nvidia-h200/block-stride.json"] = [r for r in whole["nvidia-h200/block-stride.json"] if r["shape"] != "block=30"]
make_published_benchmarks.results = lambda: short
text, missing = make_published_benchmarks.page()
expect("S4 basic" in missing, "the figure of block 30 taken away, and nothing said")
expect(make_published_benchmarks.NOT_YET in text, "a figure that is missing is written as such")

for failure in failures:
    print(failure)
sys.exit(1 if failures else 0)
