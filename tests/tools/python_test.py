#!/usr/bin/env python3
"""tools/python install with a pip that installs nothing: it shows what is compiled, asks for what a user needs, and tells a failure. python_test.py SOURCE"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = sys.argv.pop()

PIP = """echo "$*" >asked
echo "Processing the folder"
echo "  Collecting numpy>=1.24"
echo "  [1/9] Building CXX object a.cpp.o"
echo "  /usr/bin/c++ a long line"
[ ! -e broken ] || { echo "a.cpp: no such header"; exit 1; }"""


class Install(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        os.makedirs(f"{self.folder}/tools")
        os.makedirs(f"{self.folder}/.venv/bin")
        shutil.copy(f"{SOURCE}/tools/python", f"{self.folder}/tools")
        for name, body in (("pip", PIP), ("python", "echo pleiad 0 is there")):
            with open(f"{self.folder}/.venv/bin/{name}", "w", encoding="utf-8") as file:
                file.write(f"#!/bin/sh\n{body}\n")
            os.chmod(f"{self.folder}/.venv/bin/{name}", 0o755)

    def install(self):
        return subprocess.run([f"{self.folder}/tools/python", "install"], capture_output=True, text=True, timeout=60)

    def test_shows_what_it_compiles(self):
        result = self.install()
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(result.stdout.splitlines()[1:], ["Collecting numpy>=1.24", "[1/9] Building CXX object a.cpp.o", "pleiad 0 is there"])

    def test_installs_what_a_user_needs(self):
        self.install()
        with open(f"{self.folder}/asked", encoding="utf-8") as file:
            self.assertEqual(file.read().split()[-1], ".[plot]")

    def test_tells_why_it_failed(self):
        open(f"{self.folder}/broken", "w").close()
        result = self.install()
        self.assertEqual(result.returncode, 1)
        self.assertIn("a.cpp: no such header", result.stderr)
        self.assertNotIn("is there", result.stdout)


if __name__ == "__main__":
    unittest.main()
