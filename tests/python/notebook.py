"""Runs the cells of a notebook as Jupyter does: notebook.py FILE prints, as JSON, the seconds and what each code cell shows.

It runs where it is started, and needs no Jupyter. What a cell prints, and the value of its last expression, are shown; a cell that raises ends it.
"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import ast
import contextlib
import io
import json
import sys
import time
from pathlib import Path
from typing import Any


def code_cells(file: Path) -> list[str]:
    """Their texts."""
    cells = json.loads(file.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def run_cell(text: str, names: dict[str, Any]) -> str:
    """What it shows."""
    tree = ast.parse(text)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(tree, "<cell>", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
            if value is not None:
                show = getattr(value, "_repr_html_", None)
                print(show() if show else repr(value))
    return out.getvalue()


def main(file: Path) -> None:
    started, names = time.monotonic(), {"__name__": "__main__"}
    shown = [run_cell(text, names) for text in code_cells(file)]
    print(json.dumps({"seconds": time.monotonic() - started, "shown": shown}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
