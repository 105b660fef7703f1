#!/usr/bin/env python3
"""tools/packages with package managers that do nothing: it takes the one that is there, its names and its command. packages_test.py SOURCE"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = sys.argv.pop()
TOOL = os.path.join(SOURCE, "tools", "packages")


def row(column):
    """The package names of one system in the table of docs/platforms.md, by group."""
    with open(os.path.join(SOURCE, "docs", "platforms.md"), encoding="utf-8") as file:
        cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in file if line.startswith("|")]
    head = next(cell for cell in cells if column in cell)
    rows = cells[cells.index(head) + 2:]
    return {cell[0].strip("`"): re.findall(r"`([^`]+)`", cell[head.index(column)]) for cell in rows[:4]}


class Packages(unittest.TestCase):
    def setUp(self):
        self.bin = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.bin)
        for tool in ("sh", "grep", "mktemp", "tail", "rm", "cat"):
            os.symlink(shutil.which(tool), os.path.join(self.bin, tool))
        self.stub("sudo", "exit 1")

    def stub(self, name, body):
        path = os.path.join(self.bin, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + body + "\n")
        os.chmod(path, 0o755)

    def manager(self, name, user, there=()):
        """One manager on the PATH, a user, and the packages that are installed."""
        self.stub("id", f"echo {user}")
        self.stub(name, f'echo "$0 $*" | sed "s,.*/,," >> {self.bin}/log; [ ! -e {self.bin}/broken ] || {{ echo "no such package"; exit 1; }}')
        os.symlink(shutil.which("sed"), os.path.join(self.bin, "sed"))
        query = " || ".join(f'[ "$last" = {package} ]' for package in there) or "false"
        found = {"apt-get": "echo 'install ok installed'", "dnf": "true"}[name]
        self.stub({"apt-get": "dpkg-query", "dnf": "rpm"}[name], f'for last in "$@"; do :; done; if {query}; then {found}; else exit 1; fi')

    def run_tool(self, *groups):
        return subprocess.run([os.path.join(self.bin, "sh"), TOOL, *groups], env={"PATH": self.bin}, capture_output=True, text=True, timeout=60)

    def log(self):
        with open(os.path.join(self.bin, "log"), encoding="utf-8") as file:
            return file.read().splitlines()

    def test_prints_the_line_of_dnf_to_who_is_not_root(self):
        self.manager("dnf", 1000, there=["gcc-c++", "cmake"])
        result = self.run_tool("build", "demo")
        self.assertEqual(result.returncode, 1)
        self.assertIn("These Fedora packages are missing", result.stderr)
        line = result.stderr.splitlines()[-1].split()
        self.assertEqual(line[:5], ["sudo", "dnf", "install", "-y", "--setopt=install_weak_deps=False"])
        fedora = row("Fedora (not tried)")
        self.assertEqual(line[5:], [package for package in fedora["build"] + fedora["demo"] if package not in ("gcc-c++", "cmake")])

    def test_lets_dnf_install_as_root(self):
        self.manager("dnf", 0)
        result = self.run_tool("ranks")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(self.log(), ["dnf install -y --setopt=install_weak_deps=False openmpi openmpi-devel"])

    def test_prints_the_line_of_apt_to_who_is_not_root(self):
        self.manager("apt-get", 1000)
        result = self.run_tool("build")
        self.assertEqual(result.returncode, 1)
        line = result.stderr.splitlines()[-1].split()
        self.assertEqual(line[:5], ["sudo", "apt-get", "install", "-y", "--no-install-recommends"])
        self.assertEqual(line[5:], row("Debian, Ubuntu")["build"])

    def test_lets_apt_install_as_root(self):
        self.manager("apt-get", 0, there=["openmpi-bin"])
        self.assertEqual(self.run_tool("ranks").returncode, 0)
        self.assertEqual(self.log(), ["apt-get update -q", "apt-get install -y --no-install-recommends libopenmpi-dev"])

    def test_does_nothing_where_all_is_there(self):
        self.manager("dnf", 0, there=["openmpi", "openmpi-devel"])
        result = self.run_tool("ranks")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        self.assertFalse(os.path.exists(os.path.join(self.bin, "log")))

    def test_shows_what_a_failed_manager_said(self):
        self.manager("dnf", 0)
        open(os.path.join(self.bin, "broken"), "w").close()
        result = self.run_tool("ranks")
        self.assertEqual(result.returncode, 1)
        self.assertIn("no such package", result.stderr)

    def test_names_the_page_where_there_is_no_manager(self):
        self.stub("id", "echo 0")
        result = self.run_tool("build")
        self.assertEqual(result.returncode, 1)
        self.assertIn("docs/platforms.md", result.stderr)

    def test_refuses_an_unknown_group(self):
        self.manager("dnf", 0)
        unknown = self.run_tool("bild")
        self.assertEqual(unknown.returncode, 2)
        self.assertIn("no group 'bild'; there are: build demo", unknown.stderr)


if __name__ == "__main__":
    unittest.main()
