"""What libpleiad.so shows is what symbols.txt lists: symbols.py LIBRARY LIST [--write].

A name that goes, or changes its arguments, breaks programs that are linked already: then the version in the library's name changes. Weak symbols
are left out: whether an inline function has one is the compiler's choice."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import pathlib
import subprocess
import sys

library, listed = sys.argv[1], pathlib.Path(sys.argv[2])
lines = subprocess.run(["nm", "-DC", "--defined-only", library], check=True, capture_output=True, text=True).stdout.splitlines()
symbols = sorted({name for _, kind, name in (line.split(" ", 2) for line in lines) if kind in "TDRB"})
if "--write" in sys.argv:
    listed.write_text("\n".join(symbols) + "\n")
    sys.exit(0)
expected = listed.read_text().splitlines()
for name in sorted(set(expected) - set(symbols)):
    print("gone:", name)
for name in sorted(set(symbols) - set(expected)):
    print("new:", name)
if expected != symbols:
    print(f"If that is meant: python3 {' '.join(sys.argv)} --write")
    sys.exit(1)
