#!/usr/bin/env python3
"""Fills the tables and figures of README.md and docs/*.md from the committed measurements, the rungs' headers and their code. Everything outside
the markers (tools/markers.py) is written by hand.

tools/make_docs.py          fills them
tools/make_docs.py --check  exits 1 if that would change a page
"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import glob
import os
import re
import sys

import markers
import multi_gpu
import published_figures
import results
import rungs

SOURCE = results.SOURCE


def parts_of_pages():
    """What each page gets, by the names of its markers. Other pages have no markers."""
    return {
        "README.md": {"table: bench": results.best_kernels()},
        "docs/ladder.md": {"rungs: cpu": rungs.sections("cpu", ".cpp"), "table: all rungs": rungs.overview("NVIDIA H200"), "rungs: cuda": rungs.sections("cuda", ".cu"),
                           "rungs: steps": rungs.steps_sections(), **multi_gpu.parts()},
        "docs/ncu-h200.md": results.stalls(),
        "docs/block-stride.md": published_figures.block_stride_tables(),
        "docs/published-benchmarks.md": published_figures.parts(),
    }


def headings(name):
    with open(os.path.join(SOURCE, name), encoding="utf-8") as page:
        return {markers.anchor(words) for words in re.findall(r"^#+ (.+)$", page.read(), re.M)}


def faults(name, content):
    """Placeholders, which no reader can type, and links to files and headings that are not there."""
    found = [f"{name}: the placeholder '{at.group()}' in a command" for block in re.findall(r"^```\n(.*?)^```", content, re.S | re.M)
             if (at := re.search(r"<[a-z][^>\n]*>", block))]
    words = re.sub(r"^ *```.*?^ *```", "", content, flags=re.S | re.M)
    for path, heading in re.findall(r"\]\((?!https?:)([^)#\s]*)#?([^)\s]*)\)", words):
        target = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
        if not os.path.exists(os.path.join(SOURCE, target)):
            found.append(f"{name}: a link to {path}, which is not there")
        elif heading and target.endswith(".md") and heading not in headings(target):
            found.append(f"{name}: a link to {path}#{heading}, where there is no such heading")
    return found


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        sys.exit(__doc__)
    parts, stale, errors = parts_of_pages(), {}, []
    for name in ["README.md", *sorted(glob.glob("docs/*.md", root_dir=SOURCE))]:
        with open(os.path.join(SOURCE, name), encoding="utf-8") as page:
            present = page.read()
        content, wrong = markers.fill(name, present, parts.get(name, {}))
        errors += wrong + faults(name, content)
        if content != present:
            stale[name] = content
    # A page with an error stays as it is.
    for name, content in ({} if check or errors else stale).items():
        with open(os.path.join(SOURCE, name), "w", encoding="utf-8") as page:
            page.write(content)
    for line in errors or [f"{name} is stale: run tools/make_docs.py" if check else f"wrote {name}" for name in stale]:
        print(line)
    sys.exit(1 if errors or (check and stale) else 0)


if __name__ == "__main__":
    main()
