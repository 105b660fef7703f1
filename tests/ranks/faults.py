"""What goes wrong with several ranks: each case ends in one line, with its exit code, and leaves a good checkpoint."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import os
import pathlib
import signal
import subprocess
import tempfile

from program import LONG_SCENE, MPIRUN, PATIENCE, PROGRAM, arguments, chosen, command, errors_of, need, need_good_checkpoint, run, started, summary

FAULTIO = os.environ["PLEIAD_FAULTIO"]


def refusals(base, scene):
    """One line of one rank, nothing written."""
    out = base / "refused"
    for settings, word in [
        (['engine.kernel="cpu/threads"', 'gravity.boundary="periodic"', "gravity.box=[100]", 'gravity.images="all"'], "cpu/ewald"),
        (['engine.kernel="cpu/fmm order=4 theta=0.6 structure=kd-tree"'], "octree"),
        (['time.integrator="hermite4"', 'engine.kernel="cpu/fmm order=4 theta=0.6"'], "jerks"),
        (['engine.kernel="cpu/simd"'], "cpu/symmetric"),
        (["ensemble.count=3"], "checkpoint.every_steps is not for ensembles"),
        (["time.dt=-1"], "time.dt"),
    ]:
        lines = errors_of(run(3, arguments(scene, out, settings), expect=2))
        need(len(lines) == 1 and word in lines[0], f"{settings}: {lines}")
        need(not out.exists(), f"{settings}: something was written")
    lines = errors_of(run(2, ["doctor"], expect=2))
    need(len(lines) == 1 and "without mpirun" in lines[0], f"doctor: {lines}")


def coincident(base):
    """Two bodies of different ranks that meet at one place: the line of one process."""
    rows = ["0,halo,1,0,0,1e9,0,0,0", "1,halo,1e-20,0.015625,0,0,-0.5,0,0"]
    rows += [f"{k},halo,0,{k},{k},{k},0,0,0" for k in range(2, 5000)] + ["5000,halo,1e-20,-0.015625,0,0,0.5,0,0"]
    bodies = base / "touching.csv"
    bodies.write_text("id,type,mass,x,y,z,vx,vy,vz\n" + "\n".join(rows) + "\n")
    scene = base / "touching.toml"
    scene.write_text(f'[initial_conditions]\nfile = "{bodies}"\n[units]\nsystem = "nbody"\n[gravity]\nsoftening = 0\n[time]\ndt = 0.0078125\nt_end = 0.25\n'
                     "[limits]\ncheck_every = 4\nmax_energy_error = 0\n")
    lines = set()
    for ranks in chosen([0, 1, 2, 3, 4], [0, 1, 2, 3]):
        line = errors_of(run(ranks, [*arguments(scene, base / "touching"), "--overwrite"], expect=5))
        need(len(line) == 1 and "ids 1 and 5000 have come to the same position at step 4" in line[0], f"touching bodies on {ranks} ranks: {line}")
        lines.add(line[0])
    need(len(lines) == 1, f"touching bodies: {lines}")


def other_options(base, scene):
    """Ranks that were started with other options are told apart."""
    one, other = (arguments(scene, base / "unlike", [f"time.t_end={t}"]) for t in (1, 2))
    launcher, number = MPIRUN[:-1], MPIRUN[-1]
    line = [*launcher, number, "1", str(PROGRAM), *one, ":", number, "1", str(PROGRAM), *other]
    done = subprocess.run(line, capture_output=True, text=True, timeout=60 * PATIENCE, check=False)
    need(done.returncode == 2, f"exit code {done.returncode}\n{done.stderr}")
    need([line for line in errors_of(done) if "rank 1" in line and "options" in line], done.stderr)


def killed(base, scene):
    directory, launcher, ranks = started(base, "killed", scene)
    os.kill(ranks[1], signal.SIGKILL)
    launcher.communicate(timeout=60 * PATIENCE)
    need(launcher.returncode != 0, "a run with a killed rank has ended well")
    return directory


def hung(base, scene):
    directory, launcher, ranks = started(base, "hung", scene, [f"limits.hang_seconds={3 * PATIENCE}"])
    os.kill(ranks[1], signal.SIGSTOP)
    _, text = launcher.communicate(timeout=120 * PATIENCE)
    need(launcher.returncode != 0 and "hangs" in text, f"exit code {launcher.returncode}\n{text}")
    return directory


def with_fault(base, name, scene, settings=(), **fault):
    """A run on three ranks whose third checkpoint meets a fault on rank 1 alone: its directory and how it ended."""
    directory = base / name
    environment = dict(os.environ, LD_PRELOAD=FAULTIO, FAULT_DIR=str(base), FAULT_FILE="checkpoint.c.1.", **fault)
    done = subprocess.run(command(3, arguments(scene, directory, settings)), capture_output=True, text=True, timeout=120 * PATIENCE, check=False, env=environment)
    need((directory / "checkpoint.ranks.prev.pleiad").exists(), f"{name}: no two checkpoints before the fault\n{done.stderr}")
    return directory, done


def killed_while_saving(base, scene):
    """Before the piece of one rank is made, while it is written, and before it has its name."""
    directories = []
    for k in chosen([1, 2, 5], [2]):
        directory, done = with_fault(base, f"saving{k}", scene, FAULT_KILL_AT=str(k))
        need(done.returncode != 0, f"call {k}: a run with a killed rank has ended well")
        directories.append(directory)
    return directories


def full_disk(base, scene):
    """Of one rank, from its third checkpoint on: the run ends where it must have checkpoints, and else goes on to the bits of one process."""
    full = {"FAULT_AT": "2", "FAULT_ERRNO": "28", "FAULT_STICKY": "1"}
    directory, done = with_fault(base, "full", scene, ["checkpoint.require=true"], **full)
    lines = [line for line in errors_of(done) if "No space left" in line]
    need(done.returncode == 4 and len(lines) == 1, f"exit code {done.returncode}\n{done.stderr}")
    need("the checkpoint of step 2 is good: pleiad run --resume" in lines[0], f"nothing says where the run can be continued: {lines}")
    need(not list(directory.glob("*.tmp.*")), "a temporary file of a full disk stays")

    end = ["time.t_end=0.0625"]
    goes_on, done = with_fault(base, "full-goes-on", scene, end, **full)
    lines = [line for line in errors_of(done) if "No space left" in line]
    need(done.returncode == 0, f"exit code {done.returncode}\n{done.stderr}")
    need(len(lines) == 1 and "the run continues, the last good checkpoint is kept" in lines[0], f"one note is missing: {lines}")
    run(0, arguments(scene, base / "full-alone", end))
    need(summary(goes_on)["state_hash"] == summary(base / "full-alone")["state_hash"], "a full disk changes the bits")
    return directory


def stopped(base, scene):
    """A stop file, and a signal to one rank."""
    directory, launcher, ranks = started(base, "stopped", scene)
    (directory / "stop").touch()
    launcher.communicate(timeout=60 * PATIENCE)
    need(launcher.returncode == 75, f"stop file: exit code {launcher.returncode}")
    other, launcher, ranks = started(base, "signalled", scene)
    os.kill(ranks[2], signal.SIGUSR1)
    launcher.communicate(timeout=60 * PATIENCE)
    need(launcher.returncode == 75, f"signal: exit code {launcher.returncode}")
    return [directory, other]


def damaged(directory):
    """A piece of another generation is never loaded: the older checkpoint is, or none."""
    pieces = sorted(directory.glob("checkpoint.?.0.pleiad"), key=lambda file: file.stat().st_mtime)
    pieces[-1].write_bytes(pieces[0].read_bytes())
    done = run(2, ["run", "--resume", str(directory), "--set", "limits.walltime_seconds=0.000001"], expect=75)
    need("not the piece" in done.stdout + done.stderr, "the older checkpoint was used without a word")
    for file in directory.glob("checkpoint.?.0.pleiad"):
        file.write_bytes(file.read_bytes()[:-1])
    lines = errors_of(run(2, ["run", "--resume", str(directory), "--quiet"], expect=3))
    need(len(lines) == 1 and "is whole" in lines[0], f"damage: {lines}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        base = pathlib.Path(folder)
        scene = base / "scene.toml"
        scene.write_text(LONG_SCENE)
        refusals(base, scene)
        other_options(base, scene)
        coincident(base)
        for directory in [killed(base, scene), hung(base, scene), *killed_while_saving(base, scene), full_disk(base, scene), *stopped(base, scene)]:
            need_good_checkpoint(2, base, scene, directory)
        damaged(base / "signalled")
    print("every fault ended as it must")


main()
