#!/usr/bin/env python3
"""tools/gpu_check with programs that do nothing: what it packs is what it runs, and what it profiles becomes a table.

gpu_check_test.py REPOSITORY
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

# Prints what Nsight Compute would: a report's source page, or nothing of interest; --export leaves a report.
NCU = r"""#!/bin/sh
for argument in "$@"; do
  [ "$before" != --export ] || echo report >"$argument.ncu-rep"
  [ "$argument" != --csv ] || { cat "$(dirname "$0")/page.csv"; exit; }
  before=$argument
done
echo "profiled $*"
"""
PAGE = '''"Kernel Name","sweep"
"#","Address","Source","Warp Stall Sampling (All Samples)","Instructions Executed","stall_math","stall_not_selected","stall_wait","stall_math_not_issued"
"0","0x10","      FFMA R1, R2, R3, R4 ","1,250","9","1,000","250","0","77"
"1","0x20","MUFU.RSQ R5, R1","250","9","0","0","250","0"
'''


def fail(why, result=None):
    sys.exit(f"{why}\n{result.stdout if result else ''}{result.stderr if result else ''}")


def main():
    source = sys.argv[1]
    with tempfile.TemporaryDirectory() as there:
        os.makedirs(f"{there}/tools")
        for tool in ("gpu_check", "stalls.py"):
            shutil.copy(f"{source}/tools/{tool}", f"{there}/tools/{tool}")
        for program in ("apps/pleiad/pleiad", *(f"tests/gpu/{name}" for name in ("test_gpu", "test_gpu_tree", "test_gpu_tree_physics", "test_gpu_multi_gpu_tree", "test_gpu_planner", "test_gpu_forces", "pleiad_tree_phases", "pleiad_tree_gpus", "pleiad_device_forces", "pleiad_particle_steps", "pleiad_orbit_particles", "pleiad_orbit_systems", "pleiad_softened_sums", "pleiad_individual_steps", "pleiad_host_driven_steps", "pleiad_lattice", "pleiad_block_steps"))):
            os.makedirs(f"{there}/build/cuda/{os.path.dirname(program)}", exist_ok=True)
            shutil.copy(shutil.which("true"), f"{there}/build/cuda/{program}")
        os.makedirs(f"{there}/bin")
        with open(f"{there}/bin/ncu", "w", encoding="utf-8") as file:
            file.write(NCU)
        os.chmod(f"{there}/bin/ncu", 0o755)
        with open(f"{there}/bin/page.csv", "w", encoding="utf-8") as file:
            file.write(PAGE)
        environment = dict(os.environ, PATH=f"{there}/bin:{os.environ['PATH']}")

        def check(*arguments):
            return subprocess.run([f"{there}/tools/gpu_check", *arguments], cwd=there, env=environment, capture_output=True, text=True, timeout=120)

        if check("--pack", "a/folder").returncode != 2:
            fail("--pack takes a name that is no .tar.xz")
        if (missing := check("--programs", "nowhere.tar.xz", "--only", "verify")).returncode != 4 or "no program 'pleiad'" not in missing.stderr:
            fail("a missing pack is not told", missing)
        pack = check("--pack", "packed/p.tar.xz")
        if pack.returncode != 0 or "packed/p.tar.xz: " not in pack.stdout or not os.path.isfile(f"{there}/packed/p.tar.xz"):
            fail("no pack", pack)
        shutil.rmtree(f"{there}/build")
        # `true` is conformant and verifies, but does not refuse a block of 1025 threads.
        passed = check("--programs", "packed/p.tar.xz", "--only", "tests,verify,counters,stalls", "results")
        if passed.returncode != 0 or "0 failed" not in passed.stdout:
            fail("the packed programs do not run", passed)
        refused = check("--programs", "packed/p.tar.xz", "--only", "refusals", "other")
        if refused.returncode != 1 or "1 failed" not in refused.stdout:
            fail("a step that ends with another status is no failure", refused)
        [device] = os.listdir(f"{there}/results")
        with open(f"{there}/results/{device}/stalls.json", encoding="utf-8") as file:
            rows = json.load(file)
        if len(rows) != 9 or rows[8]["kernel"] != "cuda/fp64-symmetric" or rows[8]["masses"] != "any" or rows[8]["n"] != 65536:
            fail(f"not the nine kernels: {rows}")
        if rows[0]["samples"] != 1500 or rows[0]["reasons"] != {"math": 0.6667, "not_selected": 0.1667, "wait": 0.1667}:
            fail(f"not the samples of the page: {rows[0]}")
        if rows[0]["instructions"][1] != {"line": 1, "instruction": "MUFU.RSQ R5, R1", "share": 0.1667, "reasons": {"wait": 0.1667}}:
            fail(f"not the instructions of the page: {rows[0]}")
        # A profile without samples must not pass for one.
        with open(f"{there}/bin/page.csv", "w", encoding="utf-8") as file:
            file.write("==ERROR== no samples\n")
        if (empty := check("--programs", "packed/p.tar.xz", "--only", "stalls", "empty")).returncode != 1:
            fail("a page without samples passes", empty)


if __name__ == "__main__":
    main()
