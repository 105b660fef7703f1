"""What a run on several ranks writes: all formats, pictures and trajectories, byte for byte those of one process."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import os
import pathlib
import subprocess
import tempfile

from program import PATIENCE, chosen, command, errors_of, files_of, need, need_same, run, summary

FAULTIO = os.environ["PLEIAD_FAULTIO"]
RANKS = chosen([1, 2, 3, 4], [1, 2, 3])

# Types that meet within a block and within a rank.
GALAXY = """
[initial_conditions]
model = "galaxy"
parameters = ["n=13000"]
[gravity]
softening = 0.2
[time]
dt = 0.001
t_end = 0.004
"""
OFTEN = """
[output]
snapshot_interval = 0.002
picture_interval = 0.002
picture_size = 64
plots = false
trajectory_ids = [12999, 0, 4095, 4096, 8192]
trajectory_every = 2
"""


def arguments(scene, directory, *settings):
    line = ["run", str(scene), "--output", str(directory), "--quiet", "--set", "engine.threads=1"]
    for setting in settings:
        line += ["--set", setting]
    return line


def need_work(done, ranks):
    """What the ranks sent, and how evenly they were busy: parts of the whole, and no NaN."""
    if ranks < 2:
        return need("ranks" not in done, "one process has no ranks")
    work = done["ranks"]
    need(work["count"] == ranks and work["bytes_sent"] > 0 and work["messages"] > 0, f"what was sent: {work}")
    need(0 < work["longest_in_messages"] <= 1 and 0 < work["steps_in_messages"] < 1 and 1 <= work["imbalance"] <= ranks, f"how busy: {work}")
    return None


def compare(base, name, scene, *settings):
    """On all numbers of ranks."""
    alone = base / f"{name}.alone"
    run(0, arguments(scene, alone, *settings))
    for ranks in RANKS:
        several = base / f"{name}.{ranks}"
        run(ranks, arguments(scene, several, *settings))
        need_same(several, alone, f"{name} on {ranks} ranks")
        need_work(summary(several), ranks)
    print(f"{name}: {', '.join(sorted(files_of(alone)))}", flush=True)
    return alone


def formats(base, scene):
    for name in chosen(["gadget1", "gadget2", "tipsy", "tipsy-little", "csv"], ["tipsy"]):
        compare(base, name, scene, f'output.snapshot_format="{name}"', "output.pictures=false", "output.plots=false", "time.t_end=0.001")


def start_of_a_file(base, scene):
    """A periodic box of a file, with all that HDF5 keeps of it."""
    text = '[initial_conditions]\nmodel = "uniform-box"\nparameters = ["n=5000"]\n[gravity]\nsoftening = 0.02\n[time]\ndt = 0.001\nt_end = 0.001\n'
    scene.write_text(text)
    run(0, arguments(scene, base / "made", "output.pictures=false", "output.plots=false"))
    scene.write_text(text.replace("0.001\n", "0.002\n", 2).replace('model = "uniform-box"\nparameters = ["n=5000"]', f'file = "{base}/made/snapshots/snapshot_001.hdf5"')
                     .replace("dt = 0.002", "dt = 0.001"))
    compare(base, "file", scene, "output.picture_size=64", "output.plots=false", 'engine.precision="f64"')


def few_bodies(base, scene):
    """Discs and their trails, and a movie where there is ffmpeg."""
    scene.write_text('[initial_conditions]\nmodel = "solar-system"\n[gravity]\nsoftening = 1e-4\n[time]\ndt = 0.001\nt_end = 0.01\n')
    run(3, arguments(scene, base / "few", "output.movie=true", "output.picture_interval=0.002", "output.picture_size=64"))
    done = summary(base / "few")
    need(len(list((base / "few" / "pictures").iterdir())) == 6, "few bodies: not 6 pictures")
    need((base / "few" / "movie.mp4").exists() or any("no movie" in note for note in done["notes"]), f"no movie: {done['notes']}")


def resumed(base, scene):
    """Begun on 3 ranks, continued on 2, on one process and on 4. Rows at every step: each end has one."""
    directory, alone, rows = base / "resumed", base / "not-resumed", "output.diagnostics_interval=0.001"
    run(0, arguments(scene, alone, rows))
    run(3, arguments(scene, directory, rows, "limits.walltime_seconds=0.000001"), expect=75)
    resume = ["run", "--resume", str(directory), "--quiet", "--set", "limits.walltime_seconds=0", "--set"]
    for ranks, end in [(2, 0.002), (0, 0.002), (4, 0.004)]:
        run(ranks, [*resume, f"time.t_end={end}"])
    need_same(directory, alone, "resumed")


def full_disk(base, scene):
    """One line, nothing half-written; the run goes on where it was, and comes to the same end."""
    for k, fault in enumerate(chosen([{"FAULT_AT": 1}, {"FAULT_AT": 3}, {"FAULT_AT": 1, "FAULT_ONLY": "link"}], [{"FAULT_AT": 3}])):
        directory = base / f"full{k}"
        environment = dict(os.environ, LD_PRELOAD=FAULTIO, FAULT_DIR=str(base), FAULT_FILE="snapshot_001", FAULT_ERRNO="28", FAULT_STICKY="1")
        environment.update({name: str(value) for name, value in fault.items()})
        done = subprocess.run(command(3, arguments(scene, directory, "output.pictures=false", "checkpoint.every_steps=1")), env=environment,
                              capture_output=True, text=True, timeout=120 * PATIENCE, check=False)
        need(done.returncode == 4, f"full disk: exit code {done.returncode}\n{done.stderr}")
        lines = errors_of(done)
        need(len(lines) == 1 and "snapshot_001" in lines[0], f"full disk: {lines}")
        left = [f.name for f in (directory / "snapshots").iterdir() if "snapshot_001" in f.name]
        need(not left, f"full disk: {left} are left")
    run(2, ["run", "--resume", str(directory), "--quiet"])


def main():
    with tempfile.TemporaryDirectory() as folder:
        base = pathlib.Path(folder)
        scene = base / "scene.toml"
        scene.write_text(GALAXY)
        compare(base, "as it is", scene, "time.t_end=0.001")
        formats(base, scene)
        scene.write_text(GALAXY + OFTEN)
        compare(base, "all together", scene)
        resumed(base, scene)
        full_disk(base, scene)
        few_bodies(base, scene)
        start_of_a_file(base, scene)


main()
