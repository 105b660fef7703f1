#!/usr/bin/env python3
"""cmake/suites.cmake over a program that only lists tests: the entries of ctest, their filters, labels and processors.

suites_test.py REPOSITORY CTEST
"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LIST = """Suite.
  Short
  Long
  IsTheSameForAnyNumberOfThreads
Sizes/Given.
  Value/0  # GetParam() = "a; [b]" # c
  Value/FewThreads
Typed/0.  # TypeParam = double
  Short
Whole.
  One
  Other
"""


class Program:
    """A program in a folder with the file that a build writes for ctest."""

    def __init__(self, source, ctest, folder):
        self.folder, self.ctest, self.path = Path(folder), ctest, Path(folder) / "test_unit"
        text = "".join(f"set({name} {value})\n" for name, value in {
            "name": "unit", "program": f"[[{self.path}]]", "entries": f"[[{folder}/entries.cmake]]", "results": f"[[{folder}/gtest]]", "timeout": 60,
            "labels": "fast", "all": '"*.Long;Whole.*"', "apart": '""', "one_thread": "PLEIAD_TEST_THREADS=1"}.items())
        (self.folder / "suites.cmake").write_text(text + f"include([[{source}/cmake/suites.cmake]])\n")
        (self.folder / "CTestTestfile.cmake").write_text("include(suites.cmake)\n")

    def lists(self, text, code=0):
        self.path.write_text(f"#!/bin/sh\ncat <<'END'\n{text}END\nexit {code}\n")
        self.path.chmod(0o755)
        # As new as a build that ends now, and newer than what was read before.
        later = time.time() + 1
        os.utime(self.path, (later, later))

    def entries(self):
        """Their names, with the filter and the properties of each."""
        done = subprocess.run([self.ctest, "--test-dir", self.folder, "--show-only=json-v1"], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return None
        return {e["name"]: (e.get("command", [""])[-1], {p["name"]: p["value"] for p in e["properties"]}) for e in json.loads(done.stdout)["tests"]}


def need(holds, what):
    if not holds:
        sys.exit(f"{what}")


def main():
    source, ctest = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        program = Program(source, ctest, folder)
        need(list(program.entries()) == ["unit_NOT_BUILT"], "a program that is not there must be an entry that cannot run")
        program.lists(LIST)
        entries = program.entries()
        filters = {name: command.removeprefix("--gtest_filter=") for name, (command, _) in entries.items()}
        need(filters == {
            "unit.Suite": "Suite.*-Suite.Long:Suite.IsTheSameForAnyNumberOfThreads",
            "unit.Suite.Long": "Suite.Long",
            "unit.Suite.IsTheSameForAnyNumberOfThreads": "Suite.IsTheSameForAnyNumberOfThreads",
            "unit.Sizes/Given": "Sizes/Given.*",
            "unit.Typed/0": "Typed/0.*",
            "unit.Whole": "Whole.*",
        }, filters)
        properties = {name: its for name, (_, its) in entries.items()}
        need([name for name, its in properties.items() if "all" in its["LABELS"]] == ["unit.Suite.Long", "unit.Whole"], properties)
        need([name for name, its in properties.items() if its.get("PROCESSORS") == 2] == ["unit.Suite.IsTheSameForAnyNumberOfThreads"], properties)
        for name, its in properties.items():
            need(("PLEIAD_TEST_THREADS=1" in its["ENVIRONMENT"]) == ("Threads" not in name), f"{name}: {its}")
        outputs = {v for its in properties.values() for v in its["ENVIRONMENT"] if v.startswith("GTEST_OUTPUT=")}
        need(len(outputs) == len(entries), f"entries share what they leave: {outputs}")

        # Asked again when it has been built anew, and not before.
        program.lists("Suite.\n  Added\n")
        need(list(program.entries()) == ["unit.Suite"] and program.entries()["unit.Suite"][0].endswith("=Suite.*"), "a new list was not read")
        program.lists(LIST, code=1)
        need(program.entries() is None, "a program that cannot list its tests must end ctest")


if __name__ == "__main__":
    main()
