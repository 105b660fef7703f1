"""The program and the shell: what it prints and to whom, signals, exit codes, names, messages."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import json
import os
import resource
import shutil
import signal
import time

from harness import DONE, STOPPED, USAGE, Skip, row

LONG = ("--dt", "1e-6", "--t-end", "1e6", "--set", "limits.max_energy_error=0")


def under_way(box, *arguments, folder="output", **more):
    """A run that goes on for hours, once its first checkpoint is there."""
    box.two()
    process = box.start("run", "t.csv", *LONG, "--output", folder, *arguments, **more)
    end = time.monotonic() + 120
    while not (box / folder / "checkpoint.pleiad").exists():
        assert process.poll() is None and time.monotonic() < end, box.finish(process, 1)
        time.sleep(0.02)
    time.sleep(0.1)  # the watch for signals stands before the first checkpoint
    return process


def must_be_whole(box, folder="output"):
    """All outputs of a run that has come to its end."""
    assert box.summary(folder)["time"] == 1
    assert len(box.rows_of(f"{folder}/diagnostics.txt")) == 11
    for name in ("checkpoint.pleiad", "config.toml", "snapshots/snapshot_000.hdf5"):
        assert (box / folder / name).exists(), name


@row("12", "a run whose notes cannot be written goes on to its end")
def full_stderr(box):
    box.two()
    for name, more in (("one", ()), ("many", ("--vary", "gravity.softening=0,0.1"))):
        with open("/dev/full", "w") as full:
            box.run("--output", name, *more, stderr=full).must(DONE)
    must_be_whole(box, "one")
    assert box.summary("many")["time"] == 1
    with open("/dev/full", "w") as full:
        box.pleiad("convert", "t.csv", "t.hdf5", stderr=full).must(DONE)


@row("12-refusal", "an error that cannot be printed keeps its exit code")
def full_stderr_refusal(box):
    box.two()
    with open("/dev/full", "w") as full:
        box.pleiad("run", "t.csv", "--dt", "-1", stderr=full).must(2)
        box.pleiad("info", box.write("bad.csv", "1 2\n"), stderr=full).must(3)


@row("12-reader", "a stop gives 75 and a checkpoint when the reader of stderr has gone")
def no_reader(box):
    reading, writing = os.pipe()
    process = under_way(box, stderr=writing)
    os.close(reading), os.close(writing)
    process.send_signal(signal.SIGTERM)
    assert box.finish(process).code == STOPPED
    step = box.summary()["step"]
    assert step > 0
    box.pleiad("run", "--resume", "output", "--t-end", f"{(step + 10) * 1e-6:.6f}").must(DONE)


@row("12-stdout", "a summary that cannot be printed is told once, with exit 4, and nothing else is lost")
def full_stdout(box):
    with open("/dev/full", "w") as full:
        ended = box.run("--quiet", stdout=full)
    told = [line for line in ended.err.splitlines() if "note:" not in line]
    assert ended.code == 4 and len(told) == 1 and "standard output" in told[0], str(ended)
    must_be_whole(box)


@row("13", "SIGHUP, SIGXCPU and SIGUSR2 end a run with a checkpoint, as SIGTERM does")
def stops(box):
    for number in (signal.SIGHUP, signal.SIGXCPU, signal.SIGUSR2, signal.SIGTERM):
        process = under_way(box, folder=number.name)
        process.send_signal(number)
        box.finish(process).must(STOPPED, number.name)
        summary = box.summary(number.name)
        assert summary["stopped_by"] == number.name
        a_thousand_on = f"{(summary['step'] + 1000) * 1e-6:.6f}"
        box.pleiad("run", "--resume", number.name, "--t-end", a_thousand_on, "--dry-run").must(DONE, "steps      1000,")


@row("13-again", "a terminal that closes sends SIGHUP twice: there is a checkpoint all the same")
def stops_twice(box):
    process = under_way(box)
    process.send_signal(signal.SIGSTOP)
    for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGHUP):
        process.send_signal(number)
    process.send_signal(signal.SIGCONT)
    box.finish(process).must(STOPPED)


@row("13-ensemble", "an ensemble stops by these signals too, and goes on")
def ensemble_stops(box):
    process = under_way(box, "--vary", "gravity.softening=0,0.1")
    process.send_signal(signal.SIGHUP)
    box.finish(process).must(STOPPED, "SIGHUP")


@row("13-nohup", "a run that was started with nohup outlives its terminal")
def nohup(box):
    process = under_way(box, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    process.send_signal(signal.SIGHUP)
    time.sleep(0.5)
    assert process.poll() is None, str(box.finish(process))
    process.send_signal(signal.SIGTERM)
    box.finish(process).must(STOPPED, "SIGTERM")


@row("32-stop", "an empty folder named stop ends no run and stays; a file does")
def stop_folder(box):
    process = under_way(box)
    (box / "output/stop").mkdir()
    time.sleep(0.8)
    assert process.poll() is None, str(box.finish(process))
    (box / "output/stop").rmdir()
    (box / "output/stop").touch()
    box.finish(process).must(STOPPED, "stop file")
    assert not (box / "output/stop").exists()


@row("20", "a varied seed is the seed, its column says so, and none is rounded")
def varied_seed(box):
    seeds = ["5", "7", "9007199254740993", "9223372036854775807"]
    common = ("--eps", "0.1", "--dt", "0.25", "--t-end", "0.5", "--precision", "f64", "--kernel", "cpu/scalar", "--quiet")
    box.write("m.toml", '[initial_conditions]\nmodel = "plummer"\nparameters = ["n=8"]\n')
    box.pleiad("run", "m.toml", *common, "--vary", "initial_conditions.seed=" + ",".join(seeds), "--output", "many",
               "--set", "ensemble.json=true").must(DONE)
    head, *rows = [line.split(",") for line in (box / "many/ensemble.csv").read_text().splitlines()]
    assert len(set(head)) == len(head) and head.count("seed") == 1 and "initial_conditions.seed" not in head, head
    assert [r[head.index("seed")] for r in rows] == seeds, rows
    table = json.loads((box / "many/ensemble.json").read_text())
    assert [str(r["seed"]) for r in table] == seeds, table
    for seed, r in zip(seeds, rows):
        box.pleiad("run", "m.toml", *common, "--seed", seed, "--output", seed).must(DONE)
        assert box.summary(seed)["state_hash"] == r[head.index("state_hash")], seed


@row("11", "a folder whose name is not UTF-8 is refused before the first step, and holds nothing afterwards")
def not_text(box):
    box.write("m.toml", "[initial_conditions]\nfile = \"t.csv\"\n[time]\ndt = 0.1\nt_end = 1\n")
    folder = os.fsencode(box.path) + b"/na\xefve"
    os.mkdir(folder)
    for name in ("t.csv", "m.toml"):
        shutil.copy(box.two() if name == "t.csv" else box / name, folder + b"/" + name.encode())
    here = os.listdir(folder)
    words = ("na\\xefve", "UTF-8")
    run = ("run", "t.csv", "--dt", "0.1", "--t-end", "1")
    for command in (run, (*run, "--dry-run"), (*run, "--vary", "gravity.softening=0,0.1"), ("config", "check", "m.toml"),
                    ("run", "m.toml"), ("run", folder + b"/t.csv", *run[2:], "--output", "/tmp")):
        box.pleiad(*command, cwd=folder).must_refuse(USAGE, *words)
    assert sorted(os.listdir(folder)) == sorted(here), os.listdir(folder)
    # Elsewhere it may stand for an input, where no checkpoint has to hold its name.
    box.pleiad("info", folder + b"/t.csv", "--json").must(DONE)
    box.pleiad("convert", folder + b"/t.csv", "t.hdf5").must(DONE)
    box.pleiad("info", "t.hdf5").must(DONE, "2 bodies")


@row("11-output", "an output folder, an input and a checkpoint with such a name are refused too")
def not_text_names(box):
    box.run("--output", os.fsencode(box.path) + b"/\xff").must_refuse(USAGE, "output.directory", "UTF-8")
    bad = os.fsencode(box.path) + b"/\xff.csv"
    with open(bad, "wb") as file:
        file.write(box.two().read_bytes())
    box.pleiad("run", bad, "--dt", "0.1", "--t-end", "1").must_refuse(USAGE, "\\xff.csv", "UTF-8")
    box.run("--set", "checkpoint.interval_seconds=0").must(DONE)
    before = box.files("output")
    os.rename(box / "output", os.fsencode(box.path) + b"/\xfe")
    box.pleiad("run", "--resume", os.fsencode(box.path) + b"/\xfe", "--t-end", "2").must_refuse(USAGE, "\\xfe", "UTF-8")
    os.rename(os.fsencode(box.path) + b"/\xfe", box / "output")
    assert {k: v for k, v in box.files("output").items() if k != ".lock"} == {k: v for k, v in before.items() if k != ".lock"}
    box.pleiad("run", "--resume", "output", "--t-end", "2").must(DONE)


@row("17", "link loops, names of 300 characters, files where folders must be: one line and 4, or 2 for an input")
def names(box):
    os.symlink("loop2", box / "loop1"), os.symlink("loop1", box / "loop2")
    long = "a" * 300
    for name in ("loop1", long, "loop1/x", "t.csv/x"):
        box.run("--output", name).must_refuse(4, name.split("/")[0])
        box.pleiad("run", "--resume", name).must_refuse(4, name)
        box.pleiad("render", "t.csv", "t.csv", "-o", name).must_refuse(4, name)
    for name in ("loop1/x", long, "t.csv/x"):
        assert box.pleiad("render", "t.csv", "-o", f"{name}/x.png").code == 4
        box.pleiad("ic", "plummer", "-n", "10", "-o", f"{name}.csv").must_refuse(4)
    for name in ("loop1", long):
        for command in (("run", name, "--dt", "1", "--t-end", "1"), ("info", name), ("convert", name, "x.csv"), ("render", name),
                        ("config", "check", name), ("doctor", name), ("accuracy", name)):
            box.pleiad(*command).must_refuse(USAGE, name)
    for made, more in (("snapshots", ()), ("pictures", ("--set", "output.pictures=true")),
                       ("snapshots", ("--vary", "gravity.softening=0,1", "--set", "ensemble.save=[0]"))):
        folder = box / f"o{len(more)}"
        folder.mkdir()
        (folder / made).touch()
        ended = box.run("--quiet", "--output", folder.name, *more)
        ended.must_refuse(4, made)


def as_nobody(processes=None):
    """For preexec_fn: no rights of an administrator, and at most so many processes and threads."""

    def drop():
        if os.getuid() == 0:
            os.setgroups([]), os.setgid(65534), os.setuid(65534)
        if processes is not None:
            resource.setrlimit(resource.RLIMIT_NPROC, (processes, processes))

    return drop


def program_for_nobody(box):
    """The program where everybody may start it."""
    os.chmod(box.path, 0o777)
    shutil.copy(box.program, box / "pleiad")
    os.chmod(box / "pleiad", 0o755)
    box.program = str(box / "pleiad")


@row("17-permission", "a folder that may not be searched: one line and 4, or 2 for an input")
def no_search(box):
    box.two()
    program_for_nobody(box)
    (box / "shut/in").mkdir(parents=True)
    shutil.copy(box / "t.csv", box / "shut/in/t.csv")
    os.chmod(box / "shut", 0)
    nobody = {"preexec_fn": as_nobody()}
    box.run("--output", "shut/in", **nobody).must_refuse(4, "shut/in", "ermission")
    box.run("--output", "shut/in/x", **nobody).must_refuse(4, "shut/in", "ermission")
    box.pleiad("run", "--resume", "shut/in", **nobody).must_refuse(4, "shut/in", "ermission")
    box.pleiad("render", "t.csv", "-o", "shut/in", **nobody).must_refuse(4, "shut/in", "ermission")
    box.pleiad("info", "shut/in/t.csv", **nobody).must_refuse(USAGE, "shut/in/t.csv")
    box.pleiad("config", "check", "shut/in/t.csv", **nobody).must_refuse(USAGE, "shut/in/t.csv")


@row("17-threads", "where no thread is to be had the run is made without, with the same bits")
def no_threads(box):
    box.run("--output", "all", "--precision", "f64", "--quiet").must(DONE)
    program_for_nobody(box)
    if os.getuid() != 0 and resource.getrlimit(resource.RLIMIT_NPROC)[1] == 0:
        raise Skip("no process may be started")
    for number in (1, 2):
        limits = {"preexec_fn": as_nobody(number)}
        box.run("--output", f"few{number}", "--precision", "f64", "--quiet", **limits).must(DONE)
        assert box.summary(f"few{number}")["state_hash"] == box.summary("all")["state_hash"]
        box.pleiad("ic", "plummer", "-n", "20000", "-o", f"x{number}.hdf5", **limits).must(DONE)


@row("31", "messages name what is wrong and what would be right")
def messages(box):
    box.two()
    box.pleiad("run", "t.csv", "--dt", ".1", "--t-end", "1.", "--output", "points").must(DONE)
    for arguments, words in (
        (("--eps", ""), ("gravity.softening must be a number",)),
        (("--kernel", ""), ("kernel's name is empty",)),
        (("--set", "ensemble.save=[-1]"), ("ensemble.save must be 0 to 2^63 - 1, not -1",)),
        (("--set", "softenning=1"), ("'softening' in [gravity]",)),
        (("--set", "time.softenning=1"), ("'softening' in [gravity]",)),
    ):
        box.run(*arguments).must_refuse(USAGE, *words)
    box.write("m.toml", "softenning = 1\n")
    box.pleiad("run", "m.toml").must_refuse(USAGE, "m.toml:1", "'softening' in [gravity]")
    box.write("m.toml", "[time]\ndt = .1\n")
    box.pleiad("config", "check", "m.toml").must_refuse(USAGE, "m.toml:2", "0.5")
    for command in (("bench", "--steps", "0"), ("bench", "steps", "--systems", "0"), ("bench", "gpus", "--gpus", "0"), ("bench", "cpu", "--threads", "-1"),
                    ("bench", "cpu", "-n", "0"), ("tune", "--gpus", "9"), ("accuracy", "t.csv", "--threads", "-1")):
        ended = box.pleiad(*command).must_refuse(USAGE, command[-2].lstrip("-") if command[-2] != "-n" else "bodies", "whole number from")
        assert len(ended.err) < 120, ended


@row("31-memory", "out of memory names what asks for it")
def memory(box):
    def little():
        resource.setrlimit(resource.RLIMIT_AS, (600 << 20, 600 << 20))

    for command in (("run", "t.csv", "--dt", "1e-8", "--t-end", "1", "--set", "output.diagnostics_interval=1e-8"),
                    ("run", "t.csv", "--dt", "0.1", "--t-end", "1", "--vary", "gravity.softening=0:1:10000000"),
                    ("ic", "plummer", "-n", "50000000", "-o", "x.hdf5"), ("bench", "cpu", "-n", "1e9"), ("render", "t.csv", "--size", "16384")):
        box.two()
        ended = box.pleiad(*command, preexec_fn=little).must(4)
        assert any(word in ended.err for word in ("_interval", "ensemble.vary", "bodies", "--size")), ended


@row("31-kept", "a checkpoint that never was is not called kept")
def nothing_kept(box):
    def short_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (3072, 3072))  # more than the configuration, less than a checkpoint

    ended = box.run("--set", "output.snapshot_format=csv", "--set", "output.pictures=false", "--set", "output.plots=false",
                    preexec_fn=short_files).must(DONE, "there is no checkpoint")
    assert "is kept" not in ended.err, ended


@row("device", "runs of few and of some thousand bodies need no kernel by name, also on a GPU that is small: without clusters, with 64 KiB of shared memory")
def any_device(box):
    backend = ("--backend", box.backend) if box.backend else ()
    small = box.environment(PLEIAD_EMULATED_GPU="small")
    for n in (20, 100, 300, 1000, 2000):
        box.pleiad("ic", "plummer", "-n", n, "-o", "bodies.hdf5").must(DONE)
        for precision in ("f32", "mixed", "f64"):
            box.pleiad("run", "bodies.hdf5", "--precision", precision, "--eps", "0.01", "--dt", "0.001", "--t-end", "0.002", "--overwrite", "--set", "output.pictures=false", *backend, env=small).must(DONE)


@row("32-quote", "names may begin with a quote")
def quotes(box):
    for name in ('"x"', '"x', "'y", '"a"b"'):
        box.run("--output", name).must(DONE)
        assert box.summary(name)["step"] == 10
    box.run("--set", 'output.directory="z"').must(DONE)
    box.summary("z")
    box.run("--set", 'output.directory="w').must(DONE)
    box.summary('"w')


@row("32-accuracy", "resuming a finished run adds no second row of the force error at its end")
def accuracy_row(box):
    box.pleiad("ic", "plummer", "-n", "3000", "-o", "p.hdf5").must(DONE)
    box.pleiad("run", "p.hdf5", "--eps", "0.02", "--dt", "0.01", "--t-end", "0.03", "--accuracy", "1e-3", "--kernel",
               "cpu/fmm", "--output", "o", "--set", "output.pictures=false", timeout=120).must(DONE)
    before = box.rows_of("o/accuracy.txt")
    assert len({r[1] for r in before}) == len(before) > 1, before
    for _ in range(2):
        box.pleiad("run", "--resume", "o").must(DONE)
        assert box.rows_of("o/accuracy.txt") == before, box.rows_of("o/accuracy.txt")
