"""The program and the shell: what it prints and to whom, signals, exit codes, names, messages."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import os
import signal
import time

from harness import DONE, STOPPED, row

LONG = ("--dt", "1e-6", "--t-end", "1e6", "--set", "limits.max_energy_error=0")


def under_way(box, *arguments, folder="output", **more):
    """A run that goes on for hours, once its first checkpoint is there."""
    box.two()
    process = box.start("run", "t.csv", *LONG, "--output", folder, *arguments, **more)
    end = time.monotonic() + 30
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
    assert ended.code == 4 and ended.err.count("\n") == 1 and "standard output" in ended.err, str(ended)
    must_be_whole(box)


@row("13", "SIGHUP, SIGXCPU and SIGUSR2 end a run with a checkpoint, as SIGTERM does")
def stops(box):
    for number in (signal.SIGHUP, signal.SIGXCPU, signal.SIGUSR2, signal.SIGTERM):
        process = under_way(box, folder=number.name)
        process.send_signal(number)
        box.finish(process).must(STOPPED, number.name)
        assert box.summary(number.name)["stopped_by"] == number.name


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
