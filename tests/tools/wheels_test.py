#!/usr/bin/env python3
"""tools/wheels with programs that do nothing: what it refuses, and the wheel of the kernels for GPUs where there is nvcc. wheels_test.py SOURCE"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = sys.argv.pop()

# An interpreter whose pip writes a wheel of $SIZE bytes, and logs from where.
PYTHON = """case "$1" in
-V) echo Python 3.11.2 ;;
-c) case "$2" in *cp3*) echo cp311 ;; *) echo 3.11 ;; esac ;;
-m) for last in "$@"; do [ "$before" != -w ] || to=$last; before=$last; done
    echo "$last" >>log
    truncate -s "${SIZE:-1000}" "$to/pleiad_cuda13-0.3.0-cp311-cp311-linux_x86_64.whl" ;;
esac"""
AUDITWHEEL = """shift
while [ $# -gt 1 ]; do case "$1" in -w) to=$2 ;; --plat) plat=$2 ;; esac; shift 2; done
name=$(basename "$1")
[ "$plat" = auto ] && cp "$1" "$to/${name%-linux_*}-manylinux_2_36_x86_64.whl" """


class Wheels(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        os.makedirs(f"{self.folder}/tools")
        shutil.copy(f"{SOURCE}/tools/wheels", f"{self.folder}/tools")
        self.stub("bin/uname", "echo x86_64")
        self.stub("bin/python3", PYTHON)
        self.stub("build/wheels-work/tools/bin/auditwheel", AUDITWHEEL)
        self.stub("build/wheels-work/tools/lib/python3.11/site-packages/ziglang/zig", "echo 0.0.0")

    def stub(self, name, body):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + body + "\n")
        os.chmod(path, 0o755)

    def run_tool(self, **variables):
        environment = {"PATH": f"{self.folder}/bin:/usr/bin:/bin", **variables}
        return subprocess.run([f"{self.folder}/tools/wheels"], env=environment, capture_output=True, text=True, timeout=60)

    def refused(self, words, **variables):
        result = self.run_tool(**variables)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn(words, result.stderr)

    def test_refuses_what_it_cannot_do(self):
        self.refused("CUDA is 'yes'; it may be auto, only or no", CUDA="yes")
        self.refused("no interpreter 'python3.99'", PYTHONS="python3.99")
        self.stub("bin/uname", "echo aarch64")
        self.refused("this is aarch64")

    @unittest.skipIf(os.path.exists("/usr/bin/nvcc"), "there is an nvcc that cannot be hidden")
    def test_refuses_kernels_for_gpus_without_nvcc(self):
        self.refused("CUDA=only needs nvcc", CUDA="only")

    def test_makes_one_wheel_of_kernels_for_gpus(self):
        self.stub("bin/nvcc", "")
        result = self.run_tool(CUDA="only", PYTHONS="python3 python3")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("build/wheels/pleiad_cuda13-0.3.0-cp311-cp311-manylinux_2_36_x86_64.whl: 0 MB", result.stdout)
        with open(f"{self.folder}/log", encoding="utf-8") as file:
            self.assertEqual(file.read().split(), ["python/cuda"])

    def test_refuses_a_wheel_that_is_too_large(self):
        self.stub("bin/nvcc", "")
        self.refused("is larger than 40 MB", CUDA="only", PYTHONS="python3", SIZE="40000000")


if __name__ == "__main__":
    unittest.main()
