"""Ensembles on several ranks: tables, snapshots, final states and hash are those of one process, also after a stop and a resume on other numbers of ranks; and faults."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import json
import os
import pathlib
import signal
import subprocess
import tempfile

from program import PATIENCE, arguments, chosen, errors_of, files_of, need, need_same, run, started, summary

# A CUDA program uses its GPUs when it is told to; see tools/gpu_check.
BACKEND = [f'engine.backend="{os.environ["PLEIAD_RANKS_BACKEND"]}"'] if "PLEIAD_RANKS_BACKEND" in os.environ else []
STAR_CLUSTERS = """
[initial_conditions]
model = "plummer"
parameters = ["n=60"]
seed = 5
[gravity]
softening = 0.05
[time]
dt = 0.0078125
t_end = 0.25
[output]
diagnostics_interval = 0.0625
snapshot_interval = 0.125
[ensemble]
count = 11
save = [0, 5, 10]
final_states = true
json = true
"""
# Close encounters and ejections, which some members reach long before others; five systems.
TRIPLES = """
[initial_conditions]
model = "pythagorean"
[time]
integrator = "hermite4"
adaptive = true
eta = 0.01
dt = 0.01
t_end = 80
[output]
diagnostics_interval = 2
[ensemble]
count = 5
jitter = 0.01
stop_at_escape = true
final_states = true
"""
SCAN = STAR_CLUSTERS.replace("count = 11", 'count = 2\nvary = ["gravity.softening=0.02:0.2:5", "time.dt=0.0078125,0.00390625"]')
SCENES = {"star clusters": (STAR_CLUSTERS, []), "star clusters, f32": (STAR_CLUSTERS, ['engine.precision="f32"']), "scan": (SCAN, [])}
ON_CPUS = {"triples": (TRIPLES, [])}
NO_LIMIT = ["--set", "limits.walltime_seconds=0"]


def need_same_ensemble(directory, alone, what):
    need_same(directory, alone, what)
    for key in ["state_hash", "standings", "worst_energy_error", "kernel", "precision", "systems", "bodies"]:
        need(summary(directory)[key] == summary(alone)[key], f"{what}: {key} is {summary(directory)[key]}, not {summary(alone)[key]}")


def stop_and_resume(scene, directory, settings):
    """Nothing but the first outputs on 3 ranks, half of the steps on one process, none on 2 ranks, the rest on 4."""
    end = float(scene.read_text().split("t_end = ")[1].split()[0])
    run(3, arguments(scene, directory, [*settings, f"time.t_end={end / 2}", "limits.walltime_seconds=0.000001"]), expect=75)
    for ranks, part in [(0, 1 / 2), (2, 1 / 2), (4, 1)]:
        run(ranks, ["run", "--resume", str(directory), "--quiet", *NO_LIMIT, "--set", f"time.t_end={part * end}"])


def bits(base):
    scenes = SCENES | ({} if BACKEND else ON_CPUS)
    for k, name in enumerate(chosen(scenes, [name for name in scenes if "f32" not in name], scenes)):
        text, settings = scenes[name]
        scene, alone = base / "scene.toml", base / f"alone{k}"
        scene.write_text(text)
        settings = settings + BACKEND
        run(0, arguments(scene, alone, settings))
        need({"ensemble.csv", "ensemble_times.csv"} <= files_of(alone).keys(), f"{name}: {files_of(alone).keys()}")
        for ranks in chosen([1, 2, 3, 7], [1, 2, 3], [3]):
            several = base / f"ranks{k}"
            run(ranks, arguments(scene, several, settings) + ["--overwrite"])
            need_same_ensemble(several, alone, f"{name} on {ranks} ranks")
        stop_and_resume(scene, base / f"resumed{k}", settings)
        need_same_ensemble(base / f"resumed{k}", alone, f"{name}, resumed")
        print(f"{name:20} {summary(alone)['state_hash'][:12]} {summary(alone)['kernel']} {summary(alone)['standings']}", flush=True)


def forecast(base, scene):
    done = run(3, [*arguments(scene, base / "forecast", BACKEND), "--dry-run", "--json"])
    need(json.loads(done.stdout)["systems"] == 11 and not (base / "forecast").exists(), done.stdout)


def refused(base, scene):
    """One line and one exit code, whichever rank fails; nothing is left behind."""
    for settings, code, words in [(["time.dt=0.003"], 2, "time.t_end"), (["ensemble.save=[11]"], 2, "there is no system 11"),
                                  (["engine.gpus=2"], 2, "each uses one GPU"), (["ensemble.vary=[\"gravity.softenning=1,2\"]"], 2, "softenning")]:
        done = run(3, arguments(scene, base / "refused", settings), expect=code)
        need(len(errors_of(done)) == 1 and words in done.stderr, f"{settings}: {done.stderr}")
        need(not (base / "refused").exists(), f"{settings}: something was left behind")
    full = run(2, arguments(scene, pathlib.Path("/proc/pleiad"), BACKEND), expect=4)
    need(len(errors_of(full)) == 1, full.stderr)


def faults(base, scene):
    """A signal to one rank, a stop file, a killed rank: the checkpoint is good."""
    for name, code in [("signalled", 75), ("stopped", 75), ("killed", None)]:
        endless = [*BACKEND, "time.t_end=1e4", "output.diagnostics_interval=1", "checkpoint.interval_seconds=0.2"]
        directory, launcher, ranks = started(base, name, scene, endless, "checkpoint.prev.pleiad")
        if name == "stopped":
            (directory / "stop").touch()
        else:
            os.kill(ranks[2], signal.SIGUSR1 if name == "signalled" else signal.SIGKILL)
        launcher.communicate(timeout=120 * PATIENCE)
        need(launcher.returncode == code if code else launcher.returncode != 0, f"{name}: exit code {launcher.returncode}")
        # On another number of ranks, and as one process, it comes to the same.
        ends = []
        done = run(0, ["run", "--resume", str(directory), "--dry-run", "--json"])
        need(json.loads(done.stdout)["systems"] == 11, done.stdout)
        last = float((directory / "ensemble_times.csv").read_text().splitlines()[-1].split(",")[0])
        for ranks in [0, 2]:
            copy = base / f"{name}{ranks}"
            subprocess.run(["cp", "-r", str(directory), str(copy)], check=True)
            run(ranks, ["run", "--resume", str(copy), "--quiet", *NO_LIMIT, "--set", f"time.t_end={last + 2}"])
            ends.append(files_of(copy))
        need(ends[0] == ends[1], f"{name}: one process and two ranks go on differently")
        print(f"{name}: exit code {launcher.returncode}, resumed behind t = {last}", flush=True)


def main():
    with tempfile.TemporaryDirectory() as folder:
        base = pathlib.Path(folder)
        bits(base)
        scene = base / "clusters.toml"
        scene.write_text(STAR_CLUSTERS)
        forecast(base, scene)
        refused(base, scene)
        faults(base, scene)


main()
