"""docs/published-benchmarks.md must not lose a figure unseen: takes results away and expects an error. published_figures_test.py SOURCE"""
import os
import re
import sys

SOURCE = sys.argv[1]
sys.path.insert(0, os.path.join(SOURCE, "tools"))
import make_docs  # noqa: E402
import markers  # noqa: E402
import published_figures  # noqa: E402

PAGE = "docs/published-benchmarks.md"
with open(os.path.join(SOURCE, PAGE), encoding="utf-8") as text:
    page = text.read()
failures = []


def expect(condition, words):
    if not condition:
        failures.append(words)


def errors_without(results):
    published_figures.results = lambda: results
    return markers.fill(PAGE, page, published_figures.parts())[1]


whole = published_figures.results()
expect(errors_without(whole) == [], f"as committed: {errors_without(whole)}")

# Every row of the page is whole, and compares like with like.
rows = [line for line in page.splitlines() if "<!-- figure: " in line and line.startswith("| ")]
expect(len(rows) == len(published_figures.ROWS) >= 70, f"{len(rows)} rows, {len(published_figures.ROWS)} in tools/published_benchmarks.py")
for row in rows:
    cells = row.strip("| ").split(" | ")
    expect(len(cells) == 7 and all(cells), f"not seven cells: {row}")
    expect(cells[2].startswith("`pleiad "), f"no command: {row}")
    expect("partly" not in cells[5], f"partly: {row}")
for name, row in published_figures.ROWS.items():
    expect(not isinstance(row, tuple) or len(row[0]) == len(row[1]), f"{name}: as many figures of ours as published ones")

trees = whole["nvidia-h200/tree-phases.txt"]
expect(len(trees) > 20 and all(row["ms"] > 0 and 0 < row["error_p99"] < 1 and row["n"] >= 65536 for row in trees), "the output of pleiad_tree_phases is read")

# Without the rows of one experiment each of its figures is missed, by name.
for file, lost in (("path.json", "S1 naive"), ("block-stride.json", "S4 basic"), ("damping-fps.json", "S3 serial"), ("five-kernels.json", "S2 naive")):
    found = errors_without({name: rows for name, rows in whole.items() if name != "nvidia-h200/" + file})
    for part in (lost, "ratio " + lost):
        expect(any(f"<!-- figure: {part} --> has not been measured" in error for error in found), f"{file} taken away, and no error for {part}")

# A single row, too: block 30 of the basic scan, of which a table has a line as well.
name = "nvidia-h200/block-stride.json"
short = whole | {name: [r for r in whole[name] if r["shape"] != "block=30"]}
expect([re.search(r"<!-- figure: (.+?) -->", error)[1] for error in errors_without(short)] == ["S4 basic", "ratio S4 basic"], "the figure of block 30 taken away")
expect(published_figures.block_stride_tables()["table: one thread per body"] is None, "a table without the line of block 30")

# Links to files that have gone, and to headings that have changed.
links = make_docs.faults(PAGE, "[a](../src/lost.cu) [b](#lost) [c](ladder.md#lost) [d](ladder.md#glossary) [e](ladder.md) [f](https://example.org/lost)")
expect(len(links) == 3, f"three of these links are broken: {links}")

for failure in failures:
    print(failure)
sys.exit(1 if failures else 0)
