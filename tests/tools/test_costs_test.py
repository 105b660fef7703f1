#!/usr/bin/env python3
"""tools/test_costs after a run of ctest over entries that pass, fail, are skipped, crash and do not exist: each test is counted once.

test_costs_test.py REPOSITORY CTEST
"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import subprocess
import sys
import tempfile
from pathlib import Path

PASSES = '<testcase name="Passes" status="run" result="completed" time="{seconds}" classname="Suite"/>'
FAILS = '<testcase name="Fails" status="run" result="completed" time="0" classname="Suite"><failure message="a.cpp:3&#x0A;1 is not 2"/></testcase>'
SKIPS = '<testcase name="Skips" status="run" result="skipped" time="0" classname="Suite"><skipped message="a.cpp:4&#x0A;no GPU"/></testcase>'
DISABLED = '<testcase name="DISABLED_Never" status="notrun" result="suppressed" time="0" classname="Suite"/>'


class Build:
    """A folder with entries of ctest that are lines of sh."""

    def __init__(self, folder):
        self.folder, self.text = Path(folder), ""

    def entry(self, name, line, properties=""):
        self.text += f'add_test({name} [[/bin/sh]] [[-c]] [[{line}]])\nset_tests_properties({name} PROPERTIES LABELS fast {properties})\n'

    def suite(self, name, *cases, code=0, labels=""):
        """A process that leaves these cases, as GoogleTest does, and ends with the code; without cases it leaves nothing."""
        left, ready = self.folder / f"{name}.xml", self.folder / f"{name}.ready"
        ready.write_text(f"<testsuites><testsuite>{''.join(cases)}</testsuite></testsuites>")
        self.entry(name, f"cp {ready} {left}; exit {code}" if cases else f"exit {code}", f'{labels} ENVIRONMENT "GTEST_OUTPUT=xml:{left}"')

    def count(self, source, ctest):
        """The exit code of tools/test_costs, its lines, and the table."""
        (self.folder / "CTestTestfile.cmake").write_text(self.text)
        run = [ctest, "--test-dir", self.folder]
        (self.folder / "entries.json").write_text(subprocess.run([*run, "--show-only=json-v1"], check=True, capture_output=True, text=True).stdout)
        subprocess.run([*run, "--output-junit", "junit.xml"], check=False, capture_output=True)
        table = self.folder / "costs.txt"
        done = subprocess.run([sys.executable, f"{source}/tools/test_costs", "--write", table, self.folder], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout.splitlines() + done.stderr.splitlines(), table.read_text() if table.exists() else ""


def need(holds, what):
    if not holds:
        sys.exit(f"{what}")


def main():
    source, ctest = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        good = Build(folder)
        good.suite("unit.Suite", PASSES.format(seconds="2.5"), PASSES.format(seconds="0.5"), SKIPS, DISABLED)
        good.suite("unit.Long", PASSES.format(seconds="7"), labels='LABELS "fast;all"')
        good.entry("script.passes", "true")
        good.entry("script.skips", "echo there is no node; exit 77", "SKIP_RETURN_CODE 77")
        code, lines, table = good.count(source, ctest)
        need(code == 0 and lines[-1] == "4 passed, 0 failed, 2 skipped", lines)
        need("skipped: unit.Suite.Skips: no GPU" in lines and "skipped: script.skips: there is no node" in lines, lines)
        need([line.split() for line in lines if line.endswith("unit.Long.Suite.Passes") or line.endswith("unit.Suite.Passes")][0][0] == "7.0", lines)
        rows = [line.split() for line in table.splitlines()]
        need(["unit", "3", "3.0", "1", "7.0"] in rows and ["all"] == [row[0] for row in rows if row and row[0] == "all"], table)
        need("unit.Suite.Passes (all)" in table, table)

    # What must count as failures: a test, a crash, a crash of which nothing is left but that it "passed", a code without a failed test,
    # a program that is not there.
    with tempfile.TemporaryDirectory() as folder:
        bad = Build(folder)
        bad.suite("unit.Fails", PASSES.format(seconds="0"), FAILS, code=1)
        bad.suite("unit.Crashes", code=139)
        bad.suite("unit.EndsEarly", code=0)
        bad.suite("unit.EndsBadly", PASSES.format(seconds="0"), code=1)
        bad.text += "add_test(unit_NOT_BUILT unit_NOT_BUILT)\n"
        code, lines, _ = bad.count(source, ctest)
        need(code == 1 and lines[-1] == "2 passed, 5 failed, 0 skipped", lines)
        need("failed: unit.Suite.Fails: 1 is not 2" in lines, lines)
        for name in ("unit.Crashes", "unit.EndsEarly", "unit.EndsBadly", "unit_NOT_BUILT"):
            need(any(line.startswith(f"failed: {name}") for line in lines), f"{name} is not told: {lines}")

    with tempfile.TemporaryDirectory() as folder:
        twice = Build(folder)
        for part in ("one", "other"):
            (twice.folder / part).mkdir()
            (twice.folder / part / "CTestTestfile.cmake").write_text("add_test(unit.Suite true)\n")
            twice.text += f"subdirs({part})\n"
        code, lines, _ = twice.count(source, ctest)
        need(code == 1 and "unit.Suite" in lines[-1] and "passed" not in lines[-1], lines)

    # A run of which nothing has passed is no good one.
    with tempfile.TemporaryDirectory() as folder:
        empty = Build(folder)
        empty.entry("script.skips", "exit 77", "SKIP_RETURN_CODE 77")
        code, lines, _ = empty.count(source, ctest)
        need(code == 1 and lines[-1] == "0 passed, 0 failed, 1 skipped", lines)


if __name__ == "__main__":
    main()
