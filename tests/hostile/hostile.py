#!/usr/bin/env python3
"""Hostile attempts, each a row: a run that never ended, a file that was lost, a result that was wrong without a word.

    hostile.py --pleiad BINARY [--backend cuda] [--solver fmm] [-v] [ROW ...]     all rows when none is named; exit 1 when one fails, 77 when all were skipped
    hostile.py --list

A row is a function in a file rows_*.py beside this one. It gets an empty folder and the program, and fails by an assertion.
"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import argparse
import importlib
import pathlib
import sys
import time
import traceback

here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here))
from harness import ROWS, Box, Skip  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pleiad", help="the program under test")
    parser.add_argument("--backend", help="what Box.run() runs on, as of `pleiad run --backend`")
    parser.add_argument("--solver", help="the solver of Box.run(), but for ensembles and where a row has its own")
    parser.add_argument("--list", action="store_true", help="the names of all rows, a line each")
    parser.add_argument("-v", "--verbose", action="store_true", help="also the time of each row")
    parser.add_argument("rows", nargs="*", metavar="ROW")
    arguments = parser.parse_args()
    for file in sorted(here.glob("rows_*.py")):
        importlib.import_module(file.stem)
    if arguments.list:
        print("\n".join(ROWS))
        return 0
    if not arguments.pleiad:
        parser.error("--pleiad is needed")
    unknown = [name for name in arguments.rows if name not in ROWS]
    if unknown:
        parser.error(f"no row {unknown[0]}; --list shows them")
    program = str(pathlib.Path(arguments.pleiad).resolve())
    failed = skipped = 0
    for name in arguments.rows or ROWS:
        what, function = ROWS[name]
        box, began = Box(program, arguments.backend, arguments.solver), time.monotonic()
        try:
            function(box)
            print(f"ok    {name}: {what}" + (f" ({time.monotonic() - began:.1f} s)" if arguments.verbose else ""))
        except Skip as reason:
            skipped += 1
            print(f"skip  {name}: {what}: {reason}")
        except Exception:  # any other end of a row is its failure, told whole
            failed += 1
            print(f"FAIL  {name}: {what}\n{traceback.format_exc()}")
        finally:
            box.close()
    total = len(arguments.rows or ROWS)
    print(f"{total - failed - skipped} rows hold, {failed} failed, {skipped} skipped")
    return 1 if failed else 77 if skipped == total else 0


if __name__ == "__main__":
    sys.exit(main())
