#!/usr/bin/env python3
"""Fills the tables and figures of README.md, docs/*.md and docs/ladder/*.md from the committed measurements, the rungs' headers
and their code, and draws the pictures of the course and of docs/solvers.md. Everything outside
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

import error_curve
import markers
import published_figures
import results
import tree_picture
from course import lessons, pictures

SOURCE = results.SOURCE


def parts_of_pages():
    """What each page gets, by the names of its markers. Other pages have no markers."""
    return {
        "README.md": {"table: bench": results.best_kernels()},
        **lessons.parts(),
        "docs/ncu-h200.md": results.stalls(),
        "docs/block-stride.md": published_figures.block_stride_tables(),
        "docs/published-benchmarks.md": published_figures.parts(),
    }


def text_of(name):
    with open(os.path.join(SOURCE, name), encoding="utf-8") as page:
        return page.read()


def faults(name, content, filled=None):
    """Placeholders, which no reader can type, and links to files and headings that are not there. `filled` has the text of pages and
    pictures that are about to be written."""
    filled = filled or {}
    found = [f"{name}: the placeholder '{at.group()}' in a command" for block in re.findall(r"^```\n(.*?)^```", content, re.S | re.M)
             if (at := re.search(r"<[a-z][^>\n]*>", block))]
    words = re.sub(r"^ *```.*?^ *```", "", content, flags=re.S | re.M)
    for path, heading in re.findall(r"\]\((?!https?:)([^)#\s]*)#?([^)\s]*)\)", words):
        target = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
        if target not in filled and not os.path.exists(os.path.join(SOURCE, target)):
            found.append(f"{name}: a link to {path}, which is not there")
        elif heading and target.endswith(".md") and heading not in map(markers.anchor, re.findall(r"^#+ (.+)$", filled.get(target) or text_of(target), re.M)):
            found.append(f"{name}: a link to {path}#{heading}, where there is no such heading")
    return found


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        sys.exit(__doc__)
    parts, filled, errors = parts_of_pages(), pictures.all_of_course() | tree_picture.pictures() | error_curve.pictures(), []
    names = ["README.md", *sorted(glob.glob("docs/*.md", root_dir=SOURCE)), *sorted(glob.glob("docs/ladder/*.md", root_dir=SOURCE))]
    for name in names:
        filled[name], wrong = markers.fill(name, text_of(name), parts.get(name, {}))
        errors += wrong
    for name in names:
        errors += faults(name, filled[name], filled)
    stale = {name: content for name, content in filled.items() if not os.path.exists(os.path.join(SOURCE, name)) or content != text_of(name)}
    # A page with an error stays as it is.
    for name, content in ({} if check or errors else stale).items():
        with open(os.path.join(SOURCE, name), "w", encoding="utf-8") as page:
            page.write(content)
    for line in errors or [f"{name} is stale: run tools/make_docs.py" if check else f"wrote {name}" for name in stale]:
        print(line)
    sys.exit(1 if errors or (check and stale) else 0)


if __name__ == "__main__":
    main()
