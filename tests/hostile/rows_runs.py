"""Runs: their end, their directory, their checkpoints."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import os
import shutil
import signal
import subprocess
import time

from harness import BAD_INPUT, DONE, NUMERICAL, RESOURCE, STOPPED, USAGE, Ended, Skip, row


@row("1", "a run of decimal steps ends at its end")
def ends(box):
    for dt, t_end in (("0.3", "0.9"), ("0.03", "0.9"), ("0.7", "2.1"), ("0.06", "0.66"), ("1e-6", "1e-5")):
        ended = box.run("--dt", dt, "--t-end", t_end, "--output", f"{dt}-{t_end}", "--set", "limits.max_energy_error=0",
                        timeout=20).must(DONE)
        summary = box.summary(f"{dt}-{t_end}")
        assert f"state hash {summary['state_hash']}\n" in ended.out, ended
        assert summary["time"] == float(t_end), summary["time"]
        assert summary["step"] == round(float(t_end) / float(dt)), summary["step"]


@row("1-resume", "a run that is stopped, resumed and extended ends at its end, however its steps are written")
def ends_when_resumed(box):
    box.run("--dt", "0.3", "--t-end", "0.9").must(DONE)
    box.pleiad("run", "--resume", "output", timeout=20).must(DONE)
    box.pleiad("run", "--resume", "output", "--t-end", "2.7", timeout=20).must(DONE)
    assert box.summary()["step"] == 9 and box.summary()["time"] == 2.7, box.summary()
    box.run("--dt", "0.3", "--t-end", "2.7", "--output", "whole").must(DONE)
    assert box.summary()["state_hash"] == box.summary("whole")["state_hash"]
    box.pleiad("run", "--resume", "output", "--t-end", "2.4").must_refuse(USAGE, "t_end", "lies before")


@row("1-ensemble", "an ensemble of decimal steps ends at its end")
def ensembles_end(box):
    for dt, t_end in (("0.3", "0.9"), ("0.7", "2.1"), ("0.06", "0.66")):
        box.run("--dt", dt, "--t-end", t_end, "--ensemble", "3", "--set", "ensemble.jitter=0.001", "--output", dt,
                "--set", "limits.max_energy_error=0", timeout=20).must(DONE)
        assert box.summary(dt)["time"] == float(t_end)
        box.pleiad("run", "--resume", dt, timeout=20).must(DONE)


@row("1-walltime", "a limit of the wall time does not keep a run of decimal steps from its end")
def ends_within_walltime(box):
    box.run("--dt", "0.3", "--t-end", "0.9", "--walltime", "30", "--set", "limits.max_energy_error=0",
            timeout=20).must(DONE)


def finished(box, *more):
    box.run(*more).must(DONE)
    return box.files("output")


@row("3", "a run that is refused leaves the run that it would have replaced as it was")
def refused_first(box):
    before = finished(box)
    box.run("--quiet").must_refuse(USAGE, "already holds a run")
    assert box.files("output") == before
    for settings in (["output.snapshot_units=si"], ["output.trajectory_ids=[77]"], ["output.snapshot_times=[2.5]"],
                     ["solver.method=fmm", "solver.order=7"]):
        ended = box.run("--overwrite", "--quiet", *(word for s in settings for word in ("--set", s)))
        ended.must_refuse(USAGE)
        assert box.files("output") == before, f"{settings} changed the earlier run\n{ended}"


@row("3-late", "a new run that fails before its first checkpoint puts the old one back")
def refused_late(box):
    before = finished(box)
    # The values fit the state, but no file in single precision; known only when the first snapshot is written.
    far = box.write("far.csv", "1 -1e17 0 0 0 0 0\n1e40 1e17 0 0 0 0 0\n")
    ended = box.pleiad("run", far, "--dt", "0.1", "--t-end", "1", "--overwrite", "--set", "output.snapshot_format=gadget2",
                       "--quiet")
    assert ended.code in (USAGE, BAD_INPUT, RESOURCE, NUMERICAL), ended
    assert box.files("output") == before, ended
    fresh = box.pleiad("run", far, "--dt", "0.1", "--t-end", "1", "--output", "deep/fresh", "--set",
                       "output.snapshot_format=gadget2", "--quiet")
    assert fresh.code == ended.code and not (box / "deep").exists(), fresh


@row("3-killed", "a process killed while it replaces a run leaves the old one or the new one, whole")
def killed_while_replacing(box):
    before = finished(box)
    folder, aside = box / "output", box / "output/.replaced"
    aside.mkdir()
    (folder / "manifest.txt").rename(aside / "manifest.txt")
    (folder / "config.toml").rename(aside / "config.toml")
    box.pleiad("run", "--resume", "output").must(DONE)
    assert not aside.exists() and (folder / "config.toml").read_bytes() == before["config.toml"]
    assert box.files("output")["snapshots/snapshot_000.hdf5"] == before["snapshots/snapshot_000.hdf5"]


@row("4", "--overwrite deletes nothing in a folder that holds no run")
def strangers(box):
    box.write("theirs/pictures/holiday.png", "x")
    box.write("theirs/snapshots/mine.hdf5", "y")
    box.run("--overwrite", "--output", "theirs").must(DONE)
    assert (box / "theirs/pictures/holiday.png").read_text() == "x"
    assert (box / "theirs/snapshots/mine.hdf5").read_text() == "y"
    box.run("--overwrite", "--output", "theirs").must(DONE)
    assert (box / "theirs/pictures/holiday.png").read_text() == "x"
    box.write("other/snapshots/snapshot_000.hdf5", "theirs")
    box.write("other/notes.md", "theirs")
    for flag in ([], ["--overwrite"]):
        box.run("--output", "other", "--quiet", *flag).must_refuse(USAGE, "snapshot_000.hdf5", "another --output")
    assert box.files("other") == {"snapshots/snapshot_000.hdf5": b"theirs", "notes.md": b"theirs"}


@row("5", "an input is never an output, and a foreign table is never truncated")
def inputs_stay(box):
    box.run("--set", "output.snapshot_format=csv").must(DONE)
    start = box / "output/snapshots/snapshot_000.csv"
    content = start.read_bytes()
    for flags in ([], ["--overwrite"]):
        box.pleiad("run", "snapshots/snapshot_000.csv", "--dt", "0.1", "--t-end", "1", "--output", ".", "--quiet", "--set",
                   "output.snapshot_format=csv", *flags, cwd=box / "output").must_refuse(USAGE)
    assert start.read_bytes() == content
    box.write("table/diagnostics.txt", "mine")
    box.run("--output", "table", "--overwrite", "--quiet").must_refuse(USAGE, "diagnostics.txt")
    assert box.files("table") == {"diagnostics.txt": b"mine"}
    box.write("alone/config.toml", "[time]\ndt = 0.1\nt_end = 1\n[initial_conditions]\nfile = \"../t.csv\"\n")
    box.pleiad("run", "config.toml", "--output", ".", "--quiet", cwd=box / "alone").must_refuse(USAGE, "config.toml")


MANY = ("--ensemble", "3", "--set", "ensemble.jitter=0.001", "--set", "ensemble.save=[1]", "--output", "many")


@row("3-ensemble", "an ensemble that is refused leaves the run that it would have replaced as it was")
def ensembles_refused_first(box):
    box.run(*MANY).must(DONE)
    before = box.files("many")
    for settings in ("output.snapshot_units=si", "ensemble.save=[7]", "output.snapshot_interval=0.25", "solver.method=fmm"):
        ended = box.run(*MANY, "--overwrite", "--quiet", "--set", settings).must_refuse(USAGE)
        assert box.files("many") == before, f"{settings} changed the earlier run\n{ended}"


@row("4-ensemble", "an ensemble deletes and replaces nothing that is not its own, and no input")
def ensembles_and_strangers(box):
    box.write("many/snapshots/member_000001_000.hdf5", "theirs")
    for flag in ([], ["--overwrite"]):
        box.run(*MANY, "--quiet", *flag).must_refuse(USAGE, "member_000001_000.hdf5", "another --output")
    assert box.files("many") == {"snapshots/member_000001_000.hdf5": b"theirs"}
    (box / "many/snapshots/member_000001_000.hdf5").unlink()
    box.write("many/snapshots/mine.hdf5", "theirs")
    box.run(*MANY, "--overwrite").must(DONE)
    start = box / "many/snapshots/member_000001_000.hdf5"
    content = start.read_bytes()
    for flag in ([], ["--overwrite"]):
        box.pleiad("run", start, "--dt", "0.1", "--t-end", "1", "--quiet", *MANY, *flag).must_refuse(USAGE)
    assert start.read_bytes() == content and (box / "many/snapshots/mine.hdf5").read_text() == "theirs"


@row("14-ensemble", "a finished ensemble whose end is no exact multiple in binary can be resumed and extended")
def ensembles_resumed_at_their_end(box):
    box.run(*MANY, "--t-end", "0.3").must(DONE)
    box.pleiad("run", "--resume", "many").must(DONE)
    box.pleiad("run", "--resume", "many", "--t-end", "0.7").must(DONE)
    whole = [*MANY[:-1], "whole"]
    box.run(*whole, "--t-end", "0.7").must(DONE)
    assert box.summary("many")["state_hash"] == box.summary("whole")["state_hash"]


@row("8", "--resume with --dry-run writes nothing and says what is left to do")
def dry_resume(box):
    before = finished(box)
    lock = (box.path / "output" / ".lock").read_bytes()
    box.pleiad("run", "--resume", "output", "--t-end", "5", "--dry-run").must(DONE, "steps      40")
    assert box.files("output") == before and (box.path / "output" / ".lock").read_bytes() == lock
    box.run("--ensemble", "3", "--set", "ensemble.jitter=0.001", "--output", "many").must(DONE)
    before = box.files("many")
    box.pleiad("run", "--resume", "many", "--t-end", "5", "--dry-run").must(DONE, "steps      40")
    assert box.files("many") == before


@row("9", "the number of a snapshot is never used twice")
def numbers(box):
    before = finished(box)
    box.pleiad("run", "--resume", "output", "--t-end", "2").must(DONE)
    after = box.files("output")
    for name in ("snapshots/snapshot_000.hdf5", "snapshots/snapshot_001.hdf5", "pictures/frame_00001.png"):
        assert before[name] == after[name], f"{name} was changed by the extension"
    assert "snapshots/snapshot_002.hdf5" in after and "pictures/frame_00002.png" in after
    box.run("--ensemble", "3", "--set", "ensemble.jitter=0.001", "--set", "ensemble.save=[1]", "--output", "many").must(DONE)
    first = box.files("many")["snapshots/member_000001_001.hdf5"]
    box.pleiad("run", "--resume", "many", "--t-end", "2").must(DONE)
    after = box.files("many")
    assert after["snapshots/member_000001_001.hdf5"] == first and "snapshots/member_000001_002.hdf5" in after


@row("14", "a finished run whose end is no exact multiple in binary can be resumed")
def resumed_at_its_end(box):
    box.run("--t-end", "0.3").must(DONE)
    box.pleiad("run", "--resume", "output").must(DONE, "no steps will be made")


def wait_for(condition, process, seconds=120):
    limit = time.monotonic() + seconds
    while not condition():
        assert process.poll() is None, "the run ended too early"
        assert time.monotonic() < limit, "waited in vain"
        time.sleep(0.005)


def long_run(box, *more, output="output"):
    """A run that goes on for minutes unless it is stopped, with a checkpoint every few steps."""
    if not (box / "t.csv").exists():
        box.two()
    process = box.start("run", "t.csv", "--dt", "1e-5", "--t-end", "1000", "--quiet", "--output", output, "--set",
                        "checkpoint.every_steps=1000", "--set", "output.diagnostics_interval=0.01", "--set",
                        "limits.max_energy_error=0", *more)
    wait_for((box / output / "checkpoint.prev.pleiad").exists, process)
    return process


@row("15", "a directory that was removed and remade is not written by the run that had it before")
def remade(box):
    process = long_run(box, "--set", "checkpoint.require=true")
    process.send_signal(signal.SIGSTOP)
    (box / "output").rename(box / "gone")
    box.run().must(DONE)
    mine = box.files("output")
    process.send_signal(signal.SIGCONT)
    box.finish(process).must(RESOURCE, "moved, removed or replaced")
    after = box.files("output")
    assert after == mine, [n for n in {*after, *mine} if after.get(n) != mine.get(n)]
    box.pleiad("run", "--resume", "output").must(DONE)


@row("16", "a directory in which old files cannot be replaced keeps all of them")
def read_only_below(box):
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        raise Skip("runs as root, and there is no setpriv to become another user")
    before = finished(box)
    (box / "output/snapshots").chmod(0o555)
    prefix = ["setpriv", "--reuid=65534", "--clear-groups"] if os.geteuid() == 0 else []
    if prefix:
        for folder, _, files in os.walk(box.path):
            for name in [folder, *(os.path.join(folder, f) for f in files)]:
                os.chown(name, 65534, -1)
    command = [*prefix, box.program, "run", "t.csv", "--dt", "0.1", "--t-end", "1", "--overwrite", "--quiet"]
    done = subprocess.run(command, cwd=box.path, env=box.environment(), capture_output=True, text=True)
    if done.returncode == 126:
        raise Skip("the program is out of that user's reach")
    Ended(" ".join(command), done.returncode, done.stdout, done.stderr).must_refuse(RESOURCE, "snapshot")
    assert box.files("output") == before


@row("29", "--overwrite leaves nothing of the old run behind")
def nothing_stale(box):
    box.run("--set", "output.trajectory_ids=[1]", "--set", "solver.method=fmm").must(DONE)
    assert (box / "output/accuracy.txt").exists() and (box / "output/trajectory.csv").exists()
    box.run("--overwrite", "--set", "output.plots=false", "--set", "output.pictures=false").must(DONE)
    listed = set(box.files("output"))
    for stale in ("trajectory.csv", "energy.png", "energy.gp", "radii.png", "pictures/frame_00000.png"):
        assert stale not in listed, stale
    box.run("--overwrite", "--ensemble", "3", "--set", "ensemble.jitter=0.001").must(DONE)
    assert "diagnostics.txt" not in box.files("output") and "snapshots/snapshot_000.hdf5" not in box.files("output")


@row("30", "a table that is deleted during a run is written again, and the run can be resumed")
def deleted_table(box):
    process = long_run(box)
    table = box / "output/diagnostics.txt"
    wait_for(lambda: table.stat().st_size > 1000, process)
    table.unlink()
    wait_for(table.exists, process)
    process.send_signal(signal.SIGTERM)
    box.finish(process).must(STOPPED)
    rows = box.rows_of("output/diagnostics.txt")
    steps = [int(r[1]) for r in rows]
    assert steps == list(range(0, 1000 * len(steps), 1000)), steps[:5]
    table.unlink()
    box.pleiad("run", "--resume", "output", "--walltime", "2").must(STOPPED, "is missing")


# Settings of a configuration of two bodies; the first word of the value tells whether a run begins with them.
CHECKED = (
    ("good", []),
    ("good", ["engine.kernel=cpu/fmm order=4 theta=0.5 leaf=32"]),
    ("good", ["engine.kernel=cpu/simd"]),
    ("good", ["solver.accuracy=1e-3"]),
    ("good", ["output.snapshot_format=csv", "output.trajectory_ids=[1]"]),
    ("good", ["ensemble.count=2", "ensemble.jitter=0.01", "ensemble.save=[1]"]),
    ("bad", ["initial_conditions.file=nowhere.csv"]),
    ("bad", ["initial_conditions.file=broken.csv"]),
    ("bad", ["initial_conditions.file=", "initial_conditions.model=plummer", "initial_conditions.parameters=n=0"]),
    ("bad", ["initial_conditions.file=", "initial_conditions.model=plummer", "initial_conditions.parameters=nn=10"]),
    ("bad", ["initial_conditions.file=", "initial_conditions.model=plumer"]),
    ("bad", ["units.system=si", "output.snapshot_units=galactic", "initial_conditions.file=", "initial_conditions.model=plummer"]),
    ("bad", ["output.snapshot_units=si"]),
    ("bad", ["output.trajectory_ids=[99]"]),
    ("good", ["output.snapshot_interval=0.25", "output.diagnostics_interval=0.03", "output.picture_interval=0.33",
              "output.snapshot_times=[0.55]", "time.t_end=0.55"]),
    ("bad", ["output.snapshot_interval=0.25", "time.exact_steps=true"]),
    ("bad", ["output.diagnostics_interval=0.03", "time.exact_steps=true"]),
    ("bad", ["output.picture_interval=0.33", "time.exact_steps=true"]),
    ("bad", ["output.snapshot_times=[0.55]", "time.exact_steps=true"]),
    ("bad", ["output.snapshot_interval=1e-10"]),
    ("bad", ["time.t_end=0.55", "time.exact_steps=true"]),
    ("bad", ["time.t_end=0.55", "ensemble.count=2", "ensemble.jitter=0.01"]),
    ("bad", ["time.t_end=-1"]),
    ("bad", ["time.dt=2"]),
    ("bad", ["time.integrator=kdkk"]),
    ("bad", ["time.dt=1e-300"]),
    ("bad", ["engine.kernel=cpu/smid"]),
    ("bad", ["engine.kernel=cpu/fmm ordre=4"]),
    ("bad", ["engine.kernel=cpu/fmm order=7"]),
    ("good", ["engine.kernel=cpu/symmetric", "time.integrator=hermite4"]),
    ("bad", ["solver.method=fmm", "time.integrator=hermite4"]),
    ("bad", ["engine.kernel=cpu/simd", "engine.backend=cuda"]),
    ("bad", ["solver.method=fmm", "solver.order=7"]),
    ("bad", ["gravity.boundary=periodic"]),
    ("bad", ["gravity.boundary=periodic", "gravity.box=4", "gravity.images=all", "engine.kernel=cpu/simd"]),
    ("bad", ["gravity.dimension=2", "initial_conditions.file=deep.csv"]),
    ("bad", ["ensemble.count=2", "ensemble.jitter=0.01", "ensemble.save=[2]"]),
    ("bad", ["ensemble.count=2"]),
    ("bad", ["ensemble.vary=time.dt=0.1,0.3"]),
    ("bad", ["ensemble.vary=gravity.softning=0.1,0.3"]),
    ("bad", ["ensemble.count=2", "ensemble.jitter=0.01", "output.snapshot_units=si"]),
    ("bad", ["output.directory=taken"]),
    ("bad", ["output.directory=t.csv/below"]),
    ("bad", ["output.directory=full"]),
)


@row("28", "config check, --dry-run and run refuse the same things, in the same words")
def one_validator(box):
    box.two()
    box.write("broken.csv", "1 0 0 0 0 0 nan\n")
    box.write("deep.csv", "1 0 0 0 0 0 0\n1 1 0 1 0 0 0\n")
    box.write("c.toml", '[initial_conditions]\nfile = "t.csv"\n[time]\ndt = 0.1\nt_end = 1\n')
    box.write("taken", "a file")
    box.run("--output", "full").must(DONE)
    before = box.files()
    for number, (expected, settings) in enumerate(CHECKED):
        words = [w for s in settings for w in ("--set", s)]
        check = box.pleiad("config", "check", "c.toml", *words)
        dry = box.pleiad("run", "c.toml", "--dry-run", *words)
        assert box.files() == before, f"something was written\n{check}\n{dry}"
        if not any(s.startswith("output.directory") for s in settings):
            words += ["--output", f"o{number}"]
        run = box.pleiad("run", "c.toml", "--quiet", *words)
        if settings == ["output.directory=full"]:  # is no obstacle to a forecast, which tells of it
            dry.must(DONE, "'full' holds a run: `pleiad run` needs --overwrite or --resume there")
            dry = check
        assert (check.code == DONE) == (dry.code == DONE) == (run.code == DONE) == (expected == "good"), f"{check}\n{dry}\n{run}"
        if expected == "good":
            shutil.rmtree(box / f"o{number}")
            continue
        assert check.code == dry.code == run.code, f"{check}\n{dry}\n{run}"
        said = run.err.strip().removeprefix("pleiad: error: ")
        assert said and said in dry.err and said in check.err, f"{check}\n{dry}\n{run}"
        assert box.files() == before, f"a refused run wrote something\n{run}"
