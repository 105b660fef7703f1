"""One door for outputs: every option that writes, against every file that is read, under every name that leads to it."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import contextlib
import json
import os
import re
import signal
import subprocess
import time

from harness import BAD_INPUT, DONE, RESOURCE, STOPPED, USAGE, Skip, row
from rows_runs import wait_for

EPS = ("--eps", "0.1")
SHORT = (*EPS, "--dt", "0.0625", "--t-end", "0.25", "--quiet")
QUICK = ("--set", "output.pictures=false", "--set", "output.plots=false")


def everything(box):
    """Names below the box, with what they are: bytes, a link's target, a folder."""
    found = {}
    for path in sorted(box.path.rglob("*")):
        if path.name == ".lock":
            continue  # has the number of the process that looked last
        name = str(path.relative_to(box.path))
        found[name] = (("link", os.readlink(path)) if path.is_symlink() else ("folder",) if path.is_dir()
                       else ("file", path.read_bytes()) if path.is_file() else ("other",))
    return found


def names_of(box, file, ending, streams=("stdout", "stderr")):
    """(how it is called, argument, keywords of Popen, descriptors to close) for each way to name an existing file."""
    folder = box / "ways" / file.replace("/", "-")
    folder.mkdir(exist_ok=True, parents=True)

    def link(name, make):
        path = folder / f"{name}{ending}"
        if not os.path.lexists(path):
            make(path)
        return path
    if file.endswith(ending):
        yield "same", file, {}, []
        yield "dot", f"./t/../{file}", {}, []
        yield "absolute", box / file, {}, []
    yield "soft", link("soft", lambda p: p.symlink_to(f"../../{file}")), {}, []
    yield "soft-soft", link("soft2", lambda p: p.symlink_to(f"soft{ending}")), {}, []
    yield "hard", link("hard", lambda p: os.link(box / file, p)), {}, []
    yield "folder", link("here", lambda p: p.symlink_to(box.path, target_is_directory=True)) / file if not ending else file, {}, []
    if ending:
        return
    for flags, how in ((os.O_RDWR, "rw"), (os.O_WRONLY | os.O_APPEND, "append")):
        fd = os.open(box / file, flags)
        yield f"dev-fd {how}", f"/dev/fd/{fd}", {"pass_fds": [fd]}, [fd]
        fd = os.open(box / file, flags)
        yield f"proc-fd {how}", f"/proc/self/fd/{fd}", {"pass_fds": [fd]}, [fd]
    fd = os.open(box / file, os.O_RDWR)
    yield "stdin", "/dev/stdin", {"stdin": fd}, [fd]
    fd = os.open(box / file, os.O_RDWR)
    yield "fd 0", "/proc/self/fd/0", {"stdin": fd}, [fd]
    for stream in streams:
        fd = os.open(box / file, os.O_WRONLY | os.O_APPEND)
        yield stream, f"/dev/{stream}", {stream: fd}, [fd]


def finish(box, process):
    with contextlib.ExitStack() as closing:
        for stream in (process.stdout, process.stderr):
            if stream:
                closing.callback(stream.close)
        process.wait(timeout=60)
        said = [stream.read().decode(errors="replace") for stream in (process.stderr, process.stdout) if stream]
        return process.returncode, said[0] if process.stderr else said[-1] if said else ""


def refused_all(box, command, file, ending="", streams=("stdout", "stderr")):
    """command(NAME) is refused for every name of the file, and nothing has changed. Returns how many were tried."""
    ways = list(names_of(box, file, ending, streams))
    before, running = everything(box), []
    for how, name, streams, close in ways:
        running.append((how, box.start(*command(name), **streams)))
        for fd in close:
            os.close(fd)
        if len(running) % 4 == 0:
            finish_some(box, running)
    finish_some(box, running)
    assert everything(box) == before, f"{command('NAME')}: a file has changed: {changes(before, everything(box))}"
    return len(ways)


def finish_some(box, running):
    for how, process in running:
        ended, text = finish(box, process)
        command = " ".join(os.fsdecode(a) for a in process.args)
        assert ended == USAGE, f"{how}: exit {ended}, not {USAGE}\n$ {command}\n{text}"
        assert len(text.splitlines()) <= 1, f"{how}: one line was expected\n$ {command}\n{text}"
    running.clear()


def changes(before, after):
    return sorted(name for name in {*before, *after} if before.get(name) != after.get(name))


def inputs(box):
    """One of each kind of input: a snapshot, a set, a TIPSY snapshot with its units, tables, a configuration."""
    box.pleiad("ic", "plummer", "-n", "30", "-o", "in.csv").must(DONE)
    box.pleiad("convert", "in.csv", "set.0", "--format", "gadget1").must(DONE)
    part = bytearray((box / "set.0").read_bytes())
    part[4 + 124:4 + 128] = (2).to_bytes(4, "little")
    for k in range(6):
        at = 4 + 96 + 4 * k
        part[at:at + 4] = (2 * int.from_bytes(part[at:at + 4], "little")).to_bytes(4, "little")
    for k in (0, 1):
        box.write(f"set.{k}", bytes(part))
    (box / "t").mkdir()
    box.pleiad("ic", "galaxy", "-n", "100", "-o", "t/g.tipsy").must(DONE)
    row_of = {"kernel": "cpu/simd", "device": "cpu", "bodies": 64, "seconds": 1.0, "precision": "f32", "interactions_per_second": 1e9}
    box.write("table.json", json.dumps([row_of]))
    box.write("c.toml", '[initial_conditions]\nfile = "in.csv"\n[time]\ndt = 0.0625\nt_end = 0.25\n[gravity]\nsoftening = 0.1\n')


@row("D3-output-is-input", "no output of convert, render, ic, accuracy or bench is a file that is also read, under any name")
def outputs_and_inputs(box):
    inputs(box)
    cells = 0
    for command in (lambda n: ("convert", "in.csv", n, "--format", "csv"),
                    lambda n: ("convert", "in.csv", n, "--format", "hdf5"),
                    lambda n: ("render", "in.csv", "--size", "16", "-o", n),
                    lambda n: ("render", "in.csv", "--size", "16", "-o", "frames", "--movie", n),
                    lambda n: ("accuracy", "in.csv", *EPS, "--longest", "0.1", "--json", n),
                    lambda n: ("accuracy", "in.csv", *EPS, "--longest", "0.1", "--csv", n),
                    lambda n: ("run", "in.csv", *SHORT, "--output", "o", "--live", "--live-record", n)):
        cells += refused_all(box, command, "in.csv")
    for what in (("accuracy",), ("bench", "cpu"), ("bench", "steps"), ("bench", "gpus"), ("bench", "--experiment", "trees")):
        for option in ("--json", "--csv"):
            cells += refused_all(box, lambda n: (*what, "--from", "table.json", option, n), "table.json")
    cells += refused_all(box, lambda n: ("accuracy", "in.csv", *EPS, "--longest", "0.1", "--plot", n), "in.csv", ".png")
    cells += refused_all(box, lambda n: ("bench", "cpu", "--from", "table.json", "--plot", n), "table.json", ".png")
    assert cells > 200, cells


@row("D3-other-files-that-are-read", "a part of a set, the units beside a TIPSY snapshot and a configuration are inputs too")
def all_that_is_read(box):
    inputs(box)
    cells = 0
    for command in (lambda n: ("convert", "set", n, "--format", "csv"),
                    lambda n: ("render", "set", "--size", "16", "-o", n),
                    lambda n: ("accuracy", "set", *EPS, "--longest", "0.1", "--json", n)):
        cells += refused_all(box, command, "set.1")
    for command in (lambda n: ("convert", "t/g.tipsy", n, "--format", "csv"),
                    lambda n: ("render", "t/g.tipsy", "--size", "16", "-o", n),
                    lambda n: ("accuracy", "t/g.tipsy", *EPS, "--longest", "0.1", "--csv", n),
                    lambda n: ("run", "t/g.tipsy", *SHORT, "--output", "o", "--live", "--live-record", n)):
        cells += refused_all(box, command, "t/pleiad.param")
    cells += refused_all(box, lambda n: ("run", "c.toml", "--output", "o", "--live", "--live-record", n), "c.toml")
    cells += refused_all(box, lambda n: ("run", "c.toml", "--output", "o", "--live", "--live-record", n), "in.csv")
    assert cells > 100, cells


@row("D3b-appended", "what a command prints does not go into a file that it reads")
def redirected(box):
    inputs(box)
    (box / "other.csv").write_bytes((box / "in.csv").read_bytes())
    box.write("e.toml", (box / "c.toml").read_text() + '[ensemble]\nvary = ["initial_conditions.file=in.csv,other.csv"]\n')
    before = everything(box)
    for command, file in ((("info", "in.csv"), "in.csv"), (("info", "set"), "set.1"), (("info", "t/g.tipsy"), "t/pleiad.param"),
                          (("accuracy", "in.csv", *EPS, "--longest", "0.1"), "in.csv"), (("config", "check", "c.toml"), "c.toml"),
                          (("bench", "cpu", "--from", "table.json"), "table.json"), (("bench", "cpu", "--from", "table.json", "--csv", "-"), "table.json"),
                          (("run", "c.toml", "--output", "o"), "c.toml"), (("run", "c.toml", "--output", "o"), "in.csv"),
                          (("run", "c.toml", "--output", "o", "--dry-run"), "c.toml"),
                          (("run", "e.toml", "--output", "o"), "other.csv"), (("render", "in.csv", "--size", "16"), "in.csv"),
                          (("view", "in.csv", "--port", "0"), "in.csv"), (("doctor", "c.toml"), "c.toml")):
        for stream in ("stdout", "stderr"):
            with open(box / file, "ab") as out:
                process = box.start(*command, **{stream: out})
            ended, text = finish(box, process)
            assert ended == USAGE and "goes into it" in text, f"{command} {stream}: exit {ended}\n{text}"
            assert everything(box) == before, f"{command}: {changes(before, everything(box))}"


@row("D4c-two-outputs", "no two outputs of a command are one file, under any names")
def two_outputs(box):
    inputs(box)
    box.write("there.csv", "mine")
    (box / "soft").symlink_to("there.csv")
    os.link(box / "there.csv", box / "hard")
    (box / "nowhere").symlink_to("new")
    (box / "sub").mkdir()
    before = everything(box)
    pairs = [("new", "new"), ("new", "./sub/../new"), ("new", box / "new"), ("new", "nowhere"), ("there.csv", "soft"), ("soft", "hard"),
             ("-", "-"), ("-", "/dev/stdout"), ("/dev/fd/1", "-")]
    commands = (("verify", "--kernel", "cpu/simd", "--precision", "f32", "-n", "3"), ("accuracy", "in.csv", *EPS, "--longest", "0.1"),
                ("accuracy", "--from", "table.json"), ("bench", "cpu", "--from", "table.json"), ("bench", "--list"))
    for command in commands:
        for json_file, csv_file in pairs:
            box.pleiad(*command, "--json", json_file, "--csv", csv_file).must_refuse(USAGE, "both write to")
            assert everything(box) == before, (command, json_file, csv_file)
    box.pleiad("bench", "cpu", "--from", "table.json", "--plot", "a.png", "--csv", "a.gp").must_refuse(USAGE, "both write to")
    box.pleiad("bench", "cpu", "--from", "table.json", "--plot", "a.png", "--csv", "./a.png").must_refuse(USAGE, "both write to")
    box.write("b/in.csv", (box / "in.csv").read_bytes())
    box.pleiad("render", "in.csv", "b/in.csv", "-o", "f", "--movie", "f/frame_00001.png").must_refuse(USAGE)
    box.pleiad("verify", "--kernel", "cpu/simd", "--precision", "f32", "-n", "3", "--json", "/dev/null", "--csv", "/dev/null").must(DONE)


@row("D4-script", "the script beside a plot replaces no file but an earlier script")
def scripts(box):
    inputs(box)
    box.write("p.gp", "my notes")
    before = everything(box)
    for command in (("accuracy", "in.csv", *EPS, "--longest", "0.1"), ("bench", "cpu", "--from", "table.json")):
        box.pleiad(*command, "--plot", "p.png").must_refuse(USAGE, "p.gp", "in the way")
        assert everything(box) == before


def old_run(box, name="old"):
    box.pleiad("run", "in.csv", *SHORT, "--output", name, "--set", "output.snapshot_interval=0.125", *QUICK).must(DONE)


@row("D1-record-over-what-is-there", "a recording replaces an earlier recording and nothing else, and only when the run begins")
def recordings(box):
    inputs(box)
    old_run(box)
    box.write("mine.txt", "notes")
    box.write("empty.rec", "")
    live = ("--live=0", "--live-record")
    refused = ("run", "in.csv", *SHORT, "--output", "old")
    box.pleiad("run", "in.csv", *SHORT, "--output", "first", *QUICK, *live, "a.rec").must(DONE)
    assert (box / "a.rec").read_bytes().startswith(b"PLEIADREC1\n")
    before = everything(box)
    for command in (refused, (*refused, "--overwrite", "--integrator", "hermite4", "--set", "time.damping=-1"), ("run", "--resume", "mine.txt"),
                    ("run", "in.csv", "--output", "o", "--dt", "-1", "--t-end", "1"), ("run", "nothing.csv", *SHORT, "--output", "o")):
        ended = box.pleiad(*command, *live, "a.rec")
        assert ended.code in (USAGE, BAD_INPUT, RESOURCE), ended
        assert everything(box) == before, f"{ended}\n{changes(before, everything(box))}"
        assert box.pleiad(*command, *live, "new.rec").code == ended.code
        assert everything(box) == before, f"{ended}\n{changes(before, everything(box))}"
    for name in ("mine.txt", "old/summary.json"):
        for mode in ((), ("--dry-run",)):
            box.pleiad("run", "in.csv", *SHORT, "--output", "o", *mode, *live, name).must_refuse(USAGE)
            assert everything(box) == before
    for name in ("a.rec", "empty.rec"):
        box.pleiad("run", "in.csv", *SHORT, "--output", f"o-{name}", *QUICK, *live, name).must(DONE)
        assert (box / name).read_bytes().startswith(b"PLEIADREC1\n") and len((box / name).read_bytes()) > 1000


@row("D1b-record-in-a-run", "nothing in the directory of a run is a recording: not its files, not a new one, by no name")
def recordings_in_runs(box):
    inputs(box)
    old_run(box)
    os.symlink("old", box / "soft")
    box.write("own/readme", "")
    for file in ("old/checkpoint.pleiad", "old/diagnostics.txt", "old/snapshots/snapshot_000.hdf5", "old/manifest.txt"):
        for command in (("run", "in.csv", *SHORT, "--output", "new"), ("run", "in.csv", *SHORT, "--output", "old"),
                        ("run", "in.csv", *SHORT, "--output", "old", "--overwrite"), ("run", "--resume", "old", "--t-end", "0.5"),
                        ("run", "in.csv", *SHORT, "--output", "new", "--dry-run")):
            name = file if command[-1] == "old" else f"./old/../{file}"
            before = everything(box)
            box.pleiad(*command, "--live=0", "--live-record", name).must_refuse(USAGE)
            assert everything(box) == before, changes(before, everything(box))
    before = everything(box)
    refused_all(box, lambda n: ("run", "in.csv", *SHORT, "--output", "new", "--live=0", "--live-record", n), "old/checkpoint.pleiad", streams=["stdout"])
    for name in ("old/a.rec", "old/snapshots/a.rec", "soft/a.rec", "soft/snapshots/../a.rec", "own/a.rec", "own/deep/a.rec", "fresh/a.rec"):
        output = name.split("/")[0] if not name.startswith(("old", "soft")) else "new"
        ended = box.pleiad("run", "in.csv", *SHORT, "--output", output, "--live=0", "--live-record", name)
        assert ended.code == USAGE, ended
    box.pleiad("run", "--resume", "old", "--t-end", "0.5", "--live=0", "--live-record", "soft/a.rec").must_refuse(USAGE)
    assert set(everything(box)) - set(before) <= {name for name in everything(box) if name.startswith("ways")}


@row("door-files-of-a-run", "no command writes to a file that a run has made")
def files_of_runs(box):
    inputs(box)
    old_run(box)
    before = everything(box)
    for file in ("old/snapshots/snapshot_000.hdf5", "old/manifest.txt", "old/config.toml", "./old/snapshots/../checkpoint.pleiad"):
        for command in (("convert", "in.csv", file, "--format", "csv"), ("ic", "plummer", "-n", "5", "--format", "csv", "-o", file),
                        ("render", "in.csv", "--size", "16", "-o", file), ("accuracy", "in.csv", *EPS, "--longest", "0.1", "--json", file),
                        ("verify", "--kernel", "cpu/simd", "--precision", "f32", "-n", "3", "--csv", file), ("bench", "--list", "--json", file)):
            box.pleiad(*command).must_refuse(USAGE, "is a file of the run")
            assert everything(box) == before
    box.pleiad("convert", "old/snapshots/snapshot_000.hdf5", "old/start.csv").must(DONE)
    box.pleiad("run", "old/config.toml", "--output", "old", "--overwrite", "--quiet").must_refuse(USAGE, "would be replaced")


@row("D5-manifest-of-others", "a manifest.txt that is not a run's is in the way, and nothing that it names is touched")
def foreign_manifests(box):
    box.two()
    for text in ("data.bin\n", "mine", "data.bin", "# notes\ndata.bin\n", "\n# Files of this run: all\ndata.bin\n", "#Files of this run:\ndata.bin\n",
                 " # Files of this run:\n", "\0", "# Files of that run: all\ndata.bin\n"):
        for flags in ((), ("--overwrite",)):
            for mode in ((), ("--dry-run",)):
                box.write("own/manifest.txt", text)
                box.write("own/data.bin", "data")
                before = everything(box)
                box.run("--output", "own", "--quiet", *flags, *mode).must_refuse(USAGE, "manifest.txt", "in the way")
                assert everything(box) == before, (text, flags, mode)
    for make in (lambda p: p.mkdir(), os.mkfifo, lambda p: p.symlink_to("../t.csv")):
        (box / "own/manifest.txt").unlink()
        make(box / "own/manifest.txt")
        before = everything(box)
        box.run("--output", "own", "--quiet", "--overwrite").must_refuse(USAGE, "manifest.txt", "in the way")
        assert everything(box) == before
        (box / "own/manifest.txt").rmdir() if make is not os.mkfifo and not (box / "own/manifest.txt").is_symlink() else None
        box.write("own/manifest.txt", "") if not os.path.lexists(box / "own/manifest.txt") else None
    box.write("begun/manifest.txt", "# Files of")  # of a run that was killed at its first write
    box.run("--output", "begun", "--quiet").must(DONE)


CRAFTED = ("snapshots", "pictures", "snapshots/", "a\0b", "\0", "../t.csv", "/etc/hostname", "./config.toml", "snapshots/../config.toml", "manifest.txt",
           ".lock", ".replaced", ".replaced/x", "stop", "config.toml", "snapshots/snapshot_000.csv\t5", "snapshots/snapshot_000.csv/x", "a\x07b", "x/../../t.csv", ".", "..")


@row("D9-crafted-manifest", "the whole of a manifest is checked before anything is moved, and without the line the directory is good again")
def crafted(box):
    csv = ("--set", "output.snapshot_format=csv", *QUICK)
    box.run(*csv, "--quiet").must(DONE)
    (box / "output/folder").mkdir()
    (box / "output/folder/mine").write_text("mine")
    good = (box / "output/manifest.txt").read_bytes()
    for line in (*CRAFTED, "folder"):
        (box / "output/manifest.txt").write_bytes(good + line.encode() + b"\n")
        before = everything(box)
        for command in (("run", "t.csv", "--dt", "0.1", "--t-end", "1", "--quiet", *csv, "--overwrite"), ("run", "--resume", "output", "--quiet"),
                        ("run", "t.csv", "--dt", "0.1", "--t-end", "1", "--quiet", *csv, "--overwrite", "--dry-run")):
            if line == "folder" and "--resume" in command:
                continue  # only what is to be moved must be a file
            ended = box.pleiad(*command)
            assert ended.code == BAD_INPUT and "remove the line" in ended.err, (line, ended)
            assert len(ended.err.strip().splitlines()) == 1, ended
            now = everything(box)
            assert now == before, (line, command, changes(before, now))
    (box / "output/manifest.txt").write_bytes(good)
    box.run(*csv, "--quiet", "--overwrite").must(DONE)
    assert (box / "output/folder/mine").read_text() == "mine"


@row("D9-stuck", "a directory in which an earlier version got stuck is made usable by --resume and by --overwrite")
def stuck(box):
    csv = ("--set", "output.snapshot_format=csv", *QUICK)
    for again in (("run", "--resume", "output"), ("run", "t.csv", "--dt", "0.1", "--t-end", "1", *csv, "--overwrite")):
        for bad in ("snapshots", "a\0b", "../t.csv", "folder/mine"):
            # Moved in part, and the new run has not begun: what is aside comes back.
            box.run(*csv, "--quiet").must(DONE)
            output, aside = box / "output", box / "output/.replaced"
            before = box.files("output")
            aside.mkdir()
            (output / "config.toml").rename(aside / "config.toml")
            (aside / "manifest.txt").write_bytes((output / "manifest.txt").read_bytes() + bad.encode() + b"\n")
            (output / "manifest.txt").unlink()
            ended = box.pleiad(*again, "--quiet")
            if ended.code != DONE:  # it says which line, and that is all that is wrong
                ended.must(BAD_INPUT, "remove the line")
                (output / "manifest.txt").write_bytes((output / "manifest.txt").read_bytes().replace(bad.encode() + b"\n", b""))
                assert box.files("output") == before
                box.pleiad(*again, "--quiet").must(DONE)
            assert not aside.exists() and (box / "t.csv").exists()
            # The new run stands, and the old one could not be deleted.
            aside.mkdir()
            (aside / "snapshots").mkdir()
            (aside / "snapshots/mine").write_text("mine")
            (aside / "manifest.txt").write_text(f"# Files of this run: --overwrite deletes these and no others.\n{bad}\nconfig.toml\n")
            (aside / "config.toml").write_text("old")
            box.pleiad("run", "--resume", "output", "--quiet").must(DONE)
            assert (aside / "snapshots/mine").read_text() == "mine" and not (aside / "config.toml").exists()
            box.pleiad("run", "--resume", "output", "--quiet").must(DONE)
            (aside / "snapshots/mine").unlink()
            (aside / "snapshots").rmdir()
            aside.rmdir()
            subprocess.run(["rm", "-rf", output], check=True)


@row("D8-below-links", "nothing is moved or deleted through a link in a run's directory")
def below_links(box):
    csv = ("--set", "output.snapshot_format=csv", *QUICK)
    again = ("run", "t.csv", "--dt", "0.1", "--t-end", "1", "--quiet", *csv, "--overwrite")
    box.run(*csv, "--quiet").must(DONE)
    box.write("mine/victim.txt", "mine")
    box.write("mine/manifest.txt", "# Files of this run: all\nvictim.txt\nconfig.toml\n")
    box.write("mine/snapshot_000.csv", "mine")
    box.write("mine/snapshot_009.csv.tmp.999999999", "mine")
    mine = box.files("mine")
    good = (box / "output/manifest.txt").read_bytes()
    (box / "output/link").symlink_to("../mine")
    (box / "output/manifest.txt").write_bytes(good + b"link/victim.txt\n")
    before = everything(box)
    assert box.pleiad(*again).code in (USAGE, BAD_INPUT, RESOURCE)
    assert everything(box) == before
    (box / "output/manifest.txt").write_bytes(good)
    (box / "output/snapshots").rename(box / "moved")
    (box / "output/snapshots").symlink_to("../mine")
    before = everything(box)
    for command in (again, ("run", "--resume", "output", "--t-end", "2", "--quiet")):
        assert box.pleiad(*command).code in (USAGE, BAD_INPUT, RESOURCE)
        assert box.files("mine") == mine
    (box / "output/snapshots").unlink()
    (box / "moved").rename(box / "output/snapshots")
    (box / "output/.replaced").symlink_to("../mine")
    box.pleiad("run", "--resume", "output", "--t-end", "2", "--quiet").must(DONE)
    box.pleiad(*again).must_refuse(USAGE, ".replaced", "in the way")
    assert box.files("mine") == mine


def stepping(box, *more):
    """A run of some seconds with a snapshot and a picture at nearly every step."""
    box.two()
    process = box.start("run", "t.csv", "--dt", "0.001", "--t-end", "20", "--quiet", "--set", "output.snapshot_format=csv", "--set",
                        "output.snapshot_interval=0.01", "--set", "output.plots=false", "--set", "output.picture_size=16", "--set", "checkpoint.every_steps=100", *more)
    wait_for(lambda: len(list((box / "output/snapshots").glob("*.csv"))) > 3 and (box / "output/checkpoint.prev.pleiad").exists(), process)
    return process


@row("D7-folder-replaced", "a run whose folder of snapshots or pictures becomes another one ends, and writes nothing there")
def replaced_folder(box):
    for name, ending, more in (("snapshots", ".csv", ("--set", "output.pictures=false")), ("pictures", ".png", ("--set", "output.picture_interval=0.01"))):
        for link in (True, False):
            prefix = "snapshot_{:03}" if name == "snapshots" else "frame_{:05}"
            own = box / "own" if link else box / "ready"
            for k in range(2100):
                box.write(f"{own.name}/{prefix.format(k)}{ending}", "mine")
            process = stepping(box, *more)
            (box / f"output/{name}").rename(box / "gone")
            (box / f"output/{name}").symlink_to(own) if link else own.rename(box / f"output/{name}")
            ended = box.finish(process).must(RESOURCE, name)
            assert "moved, removed or replaced" in ended.err.strip().splitlines()[-1], ended  # a checkpoint may have failed before
            there = {path.name: path.read_bytes() for path in (box / f"output/{name}").iterdir()}
            assert len(there) == 2100 and set(there.values()) == {b"mine"}
            subprocess.run(["rm", "-rf", box / "output", box / "gone", box / "own"], check=True)


@row("D7b-file-in-the-way", "a file of others that appears under the name of an output ends the run, and a resumed run leaves it alone too")
def file_in_the_way(box):
    for name, target in (("snapshots/snapshot_{:03}.csv", None), ("snapshots/snapshot_{:03}.csv", "t.csv"), ("pictures/frame_{:05}.png", None)):
        process = stepping(box, "--set", "output.picture_interval=0.01" if "frame" in name else "output.pictures=false")
        process.send_signal(signal.SIGSTOP)
        folder = (box / "output" / name).parent
        next_free = max(int(re.search(r"_(\d+)\.", p.name).group(1)) for p in folder.iterdir()) + 40
        mine = box / "output" / name.format(next_free)
        mine.symlink_to(box / target) if target else mine.write_text("mine")
        process.send_signal(signal.SIGCONT)
        box.finish(process).must(RESOURCE, mine.name, "in the way")
        after = float(box.rows_of("output/diagnostics.txt")[-1][0]) + 1
        for end in (after, after + 0.5):
            box.pleiad("run", "--resume", "output", "--t-end", f"{end:.3f}", "--quiet").must(DONE)
        box.run("--overwrite", "--quiet").must_refuse(USAGE, mine.name, "in the way")
        assert mine.read_bytes() == (box.two().read_bytes() if target else b"mine") and mine.is_symlink() == bool(target)
        subprocess.run(["rm", "-rf", box / "output"], check=True)


@row("D6-param-of-others", "a pleiad.param that is not Pleiad's and does not state both units is never replaced, nor what a link of that name leads to")
def foreign_params(box):
    one = "dMsolUnit = 1e10\n"
    for command in (("ic", "galaxy", "-n", "100", "-o", "own/g.tipsy"), ("convert", "galaxy.hdf5", "own/g.tipsy"), ("convert", "galaxy.hdf5", "own/g", "--format", "tipsy-little")):
        box.pleiad("ic", "galaxy", "-n", "100", "-o", "galaxy.hdf5").must(DONE)
        for text in ("my notes\n", one, "", "# pleiad-units: galactic 1 1 1 1\n", "dKpcUnit = 1\nnotes\n"):
            for link in (False, True):
                box.write("own/text", text)
                (box / "own/pleiad.param").symlink_to("text") if link else (box / "own/pleiad.param").write_text(text)
                before = everything(box)
                box.pleiad(*command).must_refuse(USAGE, "pleiad.param", "in the way")
                assert everything(box) == before
                (box / "own/pleiad.param").unlink()
        for make, undo in ((os.mkdir, os.rmdir), (os.mkfifo, os.unlink)):
            box.write("own/g.tipsy", "an older one")
            make(box / "own/pleiad.param")
            before = everything(box)
            box.pleiad(*command).must_refuse(RESOURCE, "pleiad.param")
            assert everything(box) == before
            undo(box / "own/pleiad.param")
            (box / "own/g.tipsy").unlink()
    box.pleiad("ic", "galaxy", "-n", "100", "--format", "tipsy", "-o", "own/pleiad.param").must_refuse(USAGE, "name another file")
    # A snapshot of any name has its units there.
    box.pleiad("ic", "galaxy", "-n", "100", "--format", "tipsy", "-o", "own/first").must(DONE)
    before = everything(box)
    box.pleiad("convert", "own/first", "own/second.tipsy", "--to-units", "solar").must_refuse(USAGE, "pleiad.param")
    assert everything(box) == before


@row("S4-units-before-snapshot", "a TIPSY snapshot never has its name without its units beside it")
def units_first(box):
    if os.geteuid() != 0:
        raise Skip("a folder in which another user's file cannot be replaced needs root")
    (box / "own").mkdir(mode=0o1777)
    os.chmod(box / "own", 0o1777)
    os.chmod(box.path, 0o755)
    old = box.pleiad("ic", "galaxy", "-n", "100", "--units", "cluster", "-o", "own/g.tipsy")
    old.must(DONE)
    os.chown(box / "own", 12345, 12345)
    os.chown(box / "own/pleiad.param", 12345, 12345)
    os.chown(box / "own/g.tipsy", 23456, 23456)
    before = everything(box)

    def another():
        os.setgid(23456)
        os.setuid(23456)

    ended = box.finish(box.start("ic", "galaxy", "-n", "100", "-o", "own/g.tipsy", preexec_fn=another))
    if ended.code == 127 or "Permission denied" in ended.err and "pleiad.param" not in ended.err:
        raise Skip("another user cannot reach the program or the folder")
    ended.must(RESOURCE, "pleiad.param")
    assert everything(box) == before, changes(before, everything(box))


def fake_program(box, name, script):
    file = box.write(f"bin/{name}", f"#!/bin/sh\n{script}")
    file.chmod(0o755)
    return box.environment(PATH=f"{box / 'bin'}:{os.environ['PATH']}")


HANGS = 'if [ -e HERE/hang ]; then echo $$ > HERE/pid; exec sleep 300; fi\nfor out; do :; done\n'


@row("H3-encoder-hangs", "a signal ends an encoder or a gnuplot that hangs, and the run can be resumed to make what is missing")
def hanging_encoder(box):
    box.two()
    ffmpeg = HANGS.replace("HERE", str(box.path)) + 'echo film > "$out"\n'
    env = fake_program(box, "ffmpeg", ffmpeg)
    fake_program(box, "gnuplot", HANGS.replace("HERE", str(box.path)).replace("hang ]", "stall ]"))
    for what, signals in (("hang", 1), ("stall", 1), ("hang", 2)):
        box.write(what, "")
        process = box.start("run", "t.csv", "--dt", "0.1", "--t-end", "1", "--overwrite", "--quiet", "--set", "output.movie=true", env=env)
        wait_for(lambda: (box / "pid").exists() and (box / "pid").read_text().strip(), process)
        child = int((box / "pid").read_text())
        began = time.monotonic()
        for _ in range(signals):
            process.send_signal(signal.SIGTERM)
        ended = box.finish(process, 20)
        assert time.monotonic() - began < 8, f"it took {time.monotonic() - began} s"
        assert ended.code == STOPPED or (signals == 2 and ended.code in (STOPPED, 128 + signal.SIGTERM)), ended
        wait_for(lambda: not os.path.exists(f"/proc/{child}") or "(sleep) Z" in open(f"/proc/{child}/stat").read(), process)
        assert not list(box.path.glob("output/*.tmp.*")) or signals == 2
        (box / what).unlink()
        (box / "pid").unlink()
        again = box.pleiad("run", "--resume", "output", "--quiet", env=env).must(DONE)
        assert (box / "output/movie.mp4").read_text() == "film\n" and box.summary()["stopped_by"] == "", again


@row("H1-record-fifo", "a FIFO that nobody reads ends a run with a recording after ten seconds, and leaves nothing; one that is read gets the recording")
def record_to_fifo(box):
    inputs(box)
    os.mkfifo(box / "ff")
    before = everything(box)
    command = ("run", "in.csv", *SHORT, *QUICK, "--output", "o", "--live=0", "--live-record", "ff")
    began = time.monotonic()
    process = box.start(*command)
    reader = box.start("view", "ff")  # H2: at once
    finished, text = finish(box, reader)
    assert finished == BAD_INPUT and "regular file" in text and time.monotonic() - began < 5, (finished, text)
    box.finish(process, 30).must(RESOURCE, "within 10 s")
    assert everything(box) == before
    process = box.start(*command)
    with open(box / "ff", "rb") as pipe:
        read = pipe.read()
    box.finish(process).must(DONE)
    assert read.startswith(b"PLEIADREC1\n") and len(read) > 1000


@row("S11-recording-cut", "a recording that cannot be written to its end says so, and ends with a whole entry")
def recording_cut(box):
    inputs(box)
    os.mkfifo(box / "ff")
    process = box.start("run", "in.csv", *SHORT, *QUICK, "--output", "o", "--live=0", "--live-record", "ff")
    with open(box / "ff", "rb", buffering=0) as pipe:
        assert pipe.read(11) == b"PLEIADREC1\n"
    box.finish(process).must(DONE, "the recording ends here", "Broken pipe")
    script = 'mkdir full && mount -t tmpfs -o size=8k tmpfs full || exit 77\n"$@"; code=$?; cp full/x.rec kept.rec; exit $code'
    done = None
    for unshare in (["unshare", "-Urm"], ["unshare", "-m"]):
        done = subprocess.run([*unshare, "sh", "-c", script, "sh", box.program, "run", "in.csv", *EPS, "--dt", "0.001", "--t-end", "4", *QUICK, "--output",
                               "p", "--live=0", "--live-record", "full/x.rec", "--quiet"], cwd=box.path, env=box.environment(), capture_output=True, text=True, check=False)
        if done.returncode == DONE:
            break
        (box / "full").rmdir() if (box / "full").exists() else None
    if done.returncode == 77 or "unshare" in done.stderr:
        raise Skip("a disk of 8 KiB needs namespaces of mounts")
    assert done.returncode == DONE and "the recording ends here" in done.stderr and "No space" in done.stderr, done.stderr
    kept, at = (box / "kept.rec").read_bytes(), 11
    while at < len(kept):
        assert kept[at:at + 1] in (b"t", b"f")
        at += 5 + int.from_bytes(kept[at + 1:at + 5], "little")
    assert at == len(kept) > 11, (at, len(kept))


@row("M-live-messages", "options of the live view that cannot be: the option that was given, and the system's reason")
def messages(box):
    inputs(box)
    (box / "folder").mkdir()
    before = everything(box)
    for port in ("70000", "x", "-1", "1.5"):
        box.pleiad("view", "in.csv", f"--port={port}").must_refuse(USAGE, f"--port {port}")
        box.pleiad("run", "in.csv", *SHORT, f"--live={port}").must_refuse(USAGE, f"--live={port}")
    for name, code, reason in (("nodir/x", RESOURCE, "No such file or directory"), ("/dev/full", RESOURCE, "No space left"),
                               ("folder", RESOURCE, "it is a folder"), ("in.csv/x", RESOURCE, "Not a directory")):
        box.pleiad("run", "in.csv", *SHORT, "--live=0", "--live-record", name, "--output", "o").must_refuse(code, name, reason)
        assert everything(box) == before, name


@row("M6-ic-device", "bodies that went into a device are not proposed for a run")
def no_file_no_run(box):
    for ending in ("csv", "hdf5", "tipsy", "gadget1"):
        ended = box.pleiad("ic", "galaxy", "-n", "100", "--format", ending, "-o", "/dev/null").must(DONE)
        assert "pleiad run" not in ended.out + ended.err, ended
        assert json.loads(box.pleiad("ic", "galaxy", "-n", "100", "--format", ending, "-o", "/dev/null", "--json").must(DONE).out)["run"] is None
    box.pleiad("ic", "galaxy", "-n", "100", "-o", "g.csv").must(DONE, "pleiad run g.csv")
