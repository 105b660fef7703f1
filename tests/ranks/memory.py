"""No rank has room for all bodies: seven ranks with a limit of memory each run, write and resume what one process cannot even begin under the same limit, and the memory
of a rank hardly depends on the number of ranks when each has equally many bodies.
"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import pathlib
import sys
import tempfile

from program import DT, arguments, need, run, short_scene, summary

EACH, MOST = 100_000, 7
LIMIT = 150_000  # kB of data
# One process has bodies and nothing of others; a rank has some cells and bodies of its neighbours, and the buffers of MPI. Measured: 1.07 to 1.10, on another machine 1.15.
# `Division.HoldsFewBytesPerBodyOnAnyNumberOfRanks` counts the bytes of an evaluation without MPI, which no machine changes.
GROWTH = 1.25
FMM = 'engine.kernel="cpu/fmm order=3 theta=0.8"'
# Starts the program and writes the largest resident memory that it had, in kB, into a file of its own.
MEASURED = """import os, resource, subprocess, sys
code = subprocess.run(sys.argv[2:]).returncode
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
open(sys.argv[1] + str(os.getpid()), "w").write(str(peak))
sys.exit(code)"""
LIMITED = ["bash", "-c", 'ulimit -d "$0"; exec "$@"', str(LIMIT)]


def scene_of(folder, ranks):
    scene = folder / f"{ranks}.toml"
    scene.write_text(short_scene(EACH * ranks))
    return scene


def scene_of_a_file(folder, ranks):
    """The same bodies, which each rank reads."""
    file = folder / f"{ranks}.hdf5"
    run(0, ["ic", "plummer", "--seed", "7", "-n", str(EACH * ranks), "-o", str(file)])
    model, scene = scene_of(folder, ranks), folder / f"{ranks}-file.toml"
    scene.write_text(f'[initial_conditions]\nfile = "{file}"\n[gravity]' + model.read_text().split("[gravity]")[1])
    return scene


def largest(folder, scene, ranks):
    """The most memory that a rank had, in MB."""
    directory = folder / f"peaks-{scene.stem}"
    directory.mkdir()
    args = arguments(scene, folder / f"out-{scene.stem}", [FMM, "output.snapshot_interval=0"])
    run(ranks, args, seconds=600, under=[sys.executable, "-c", MEASURED, f"{directory}/"])
    peaks = sorted(int(file.read_text()) / 1024 for file in directory.iterdir())
    need(len(peaks) == ranks, f"{peaks}")
    print(f"{EACH} bodies on each of {ranks} ranks, {scene.name}: " + " ".join(f"{peak:.0f}" for peak in peaks) + " MB", flush=True)
    return peaks[-1]


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        alone = largest(folder, scene_of(folder, 1), 1)
        for scene in [scene_of(folder, MOST), scene_of_a_file(folder, MOST)]:
            several = largest(folder, scene, MOST)
            need(several <= GROWTH * alone, f"{scene.name}: a rank of {MOST} needs {several} MB, one alone {alone} MB")
        scene, out = scene_of(folder, MOST), folder / "limited"
        refused = run(0, arguments(scene, folder / "refused", [FMM]), expect=4, seconds=600, under=LIMITED)
        need("out of memory" in refused.stderr, refused.stderr)
        run(MOST, arguments(scene, out, [FMM, 'output.snapshot_format="hdf5"', f"time.t_end={2 * DT}"]), seconds=600, under=LIMITED)
        run(MOST, ["run", "--resume", str(out), "--quiet", "--set", f"time.t_end={4 * DT}"], seconds=600, under=LIMITED)
        need(summary(out)["step"] == 4, "the resumed run made other steps")
        print(f"{MOST * EACH} bodies on {MOST} ranks with {LIMIT / 1000:.0f} MB each: snapshots, a checkpoint and a resume; one process: exit code 4")


main()
