"""Runs `pleiad run` under mpirun, and reads what it has left behind."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import json
import os
import pathlib
import subprocess
import sys
import time

PROGRAM = pathlib.Path(sys.argv[1])
MPIRUN = sys.argv[2:]  # and the option that takes the number of ranks
# Every limit of time is this much longer: builds with sanitizers are slow.
PATIENCE = float(os.environ.get("PLEIAD_TEST_PATIENCE", "1"))

# Every scene on every number of ranks: in `make test-all`.
ALL = os.environ.get("PLEIAD_TEST_ALL") == "1"

SETTINGS = ["output.pictures=false", 'output.snapshot_format="csv"', "output.plots=false", "engine.threads=1"]


def chosen(every, some, few=None):
    """Every one of these in `make test-all`, some in `make test`; a few with a sanitizer, which does not look for other bits, since each run takes minutes there."""
    if PATIENCE != 1 and few is not None:
        return few
    return every if ALL else some


def arguments(scene, directory, settings=()):
    """The command line of a new run of a scene: a list of settings."""
    args = ["run", str(scene), "--output", str(directory), "--quiet"]
    for setting in [*SETTINGS, *settings]:
        args += ["--set", setting]
    return args


def command(ranks, args, under=()):
    """By mpirun; ranks = 0: as one process. `under`: a command that starts each rank."""
    start = [*MPIRUN, str(ranks)] if ranks else []
    return [*start, *under, str(PROGRAM), *args]


def run(ranks, args, expect=0, seconds=120, under=()):
    """What is done, and its output; ends the test when the exit code is another."""
    done = subprocess.run(command(ranks, args, under), capture_output=True, text=True, timeout=PATIENCE * seconds, check=False)
    if done.returncode != expect:
        sys.exit(f"{' '.join(args)} on {ranks} ranks: exit code {done.returncode}, not {expect}\n{done.stdout}{done.stderr}")
    return done


def summary(directory):
    return json.loads((directory / "summary.json").read_text())


def outputs(directory):
    """Names and bytes of the table and the snapshots."""
    files = [directory / "diagnostics.txt", *sorted((directory / "snapshots").iterdir())]
    return {file.name: file.read_bytes() for file in files}


def files_of(directory):
    """What does not say how it was made: tables, snapshots and pictures."""
    own = {".lock", "manifest.txt", "summary.json", "config.toml", "accuracy.txt"}
    names = [f for f in directory.rglob("*") if f.is_file() and f.name not in own and not f.name.startswith("checkpoint.")]
    return {str(f.relative_to(directory)): f.read_bytes() for f in names}


def need_same(directory, alone, what):
    one, several = files_of(alone), files_of(directory)
    unlike = sorted(name for name in {*one, *several} if one.get(name) != several.get(name))
    need(not unlike, f"{what}: {', '.join(unlike)} differ from those of one process")


def errors_of(done):
    """The lines that the program has written, without those of mpirun."""
    return [line for line in done.stderr.splitlines() if line.startswith("pleiad")]


def need(holds, what):
    if not holds:
        sys.exit(what)


DT = 0.0078125


def short_scene(n, model="plummer", dt=DT):
    """Four steps, and a row and a snapshot after every second one."""
    return f"""
[initial_conditions]
model = "{model}"
parameters = ["n={n}"]
seed = 7
[gravity]
softening = 0.02
[time]
dt = {dt}
t_end = {4 * dt}
[output]
diagnostics_interval = {2 * dt}
snapshot_interval = {2 * dt}
"""


LONG_SCENE = """
[initial_conditions]
model = "plummer"
parameters = ["n=9000"]
seed = 3
[gravity]
softening = 0.02
[time]
dt = 0.0078125
t_end = 4.0
[checkpoint]
every_steps = 2
"""


def started(base, name, scene, settings=(), second="checkpoint.ranks.prev.pleiad"):
    """A run on three ranks that has written its second checkpoint: its directory, its launcher and the processes of the ranks."""
    directory = base / name
    launcher = subprocess.Popen(command(3, arguments(scene, directory, settings)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    for _ in range(round(600 * PATIENCE)):
        if (directory / second).exists():
            children = subprocess.run(["pgrep", "-P", str(launcher.pid)], capture_output=True, text=True, check=False).stdout
            return directory, launcher, [int(pid) for pid in children.split()]
        need(launcher.poll() is None, f"{name}: ended before its second checkpoint")
        time.sleep(0.1)
    sys.exit(f"{name}: no second checkpoint in {PATIENCE:g} min")


def need_good_checkpoint(ranks, base, scene, directory, *settings):
    """Resumed on so many ranks it comes to where one process comes without a stop."""
    run(ranks, ["run", "--resume", str(directory), "--quiet", "--set", "limits.walltime_seconds=0.000001"], expect=75)
    end = f"time.t_end={(summary(directory)['step'] + 2) * DT}"
    run(ranks, ["run", "--resume", str(directory), "--quiet", "--set", "limits.walltime_seconds=0", "--set", end])
    alone = base / "alone"
    run(0, [*arguments(scene, alone, [end, *settings]), "--overwrite"])
    need(summary(directory)["state_hash"] == summary(alone)["state_hash"], f"{directory.name}: resumed to another hash")
