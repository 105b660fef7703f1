"""Files: what is read, what is written, and what a name to write to stands for."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import os
import stat
import subprocess
import threading

from harness import BAD_INPUT, DONE, RESOURCE, USAGE, Skip, row

FORMATS = ("hdf5", "gadget1", "gadget2", "tipsy", "csv")


def drained(path):
    """Reads a FIFO to its end in the background; the bytes are in the list that is returned, after `join`."""
    got = []
    thread = threading.Thread(target=lambda: got.append(path.read_bytes()), daemon=True)
    thread.start()
    return thread, got


@row("7", "a FIFO, a device and /dev/stdout get the bytes and stay what they are, in every format")
def written_through(box):
    box.two()
    os.mkfifo(box / "fifo")
    (box / "out").symlink_to("/proc/self/fd/1")
    for name in FORMATS:
        box.pleiad("convert", "t.csv", f"file.{name}", "--format", name).must(DONE)
        expected = (box / f"file.{name}").read_bytes()
        thread, got = drained(box / "fifo")
        box.pleiad("convert", "t.csv", "fifo", "--format", name, timeout=20).must(DONE)
        thread.join(10)
        assert stat.S_ISFIFO(os.stat(box / "fifo").st_mode), "the FIFO was replaced"
        assert got and len(got[0]) == len(expected), (name, len(expected), got and len(got[0]))
        for target in ("out", "/dev/stdout", "/dev/fd/1"):  # first the link that may be replaced without harm
            out = subprocess.run([box.program, "convert", "t.csv", target, "--format", name], cwd=box.path,
                                 env=box.environment(), capture_output=True, timeout=60)
            assert out.returncode == 0 and len(out.stdout) == len(expected), (name, out.returncode, len(out.stdout), out.stderr)
            assert (box / "out").is_symlink()
        (box / "piped").write_bytes(out.stdout)
        box.pleiad("info", "piped").must(DONE, "2 bodies")
        out = subprocess.run([box.program, "ic", "plummer", "-n", "100", "-o", "out", "--format", name], cwd=box.path,
                             env=box.environment(), capture_output=True, timeout=60)
        (box / "piped").write_bytes(out.stdout)
        box.pleiad("info", "piped").must(DONE, "100 bodies")


@row("7-append", "/dev/stdout that is a file is added to, and its name keeps its file")
def appended(box):
    box.two()
    (box / "out").symlink_to("/proc/self/fd/1")
    with open(box / "log", "ab") as log:
        log.write(b"before\n")
        log.flush()
        box.pleiad("convert", "t.csv", "out", "--format", "csv", stdout=log).must(DONE)
        assert os.fstat(log.fileno()).st_ino == os.stat(box / "log").st_ino, "the file was replaced"
    assert (box / "log").read_bytes().startswith(b"before\n# "), (box / "log").read_bytes()


@row("7-device", "a device stays a device: convert, ic, render and bench --json")
def device(box):
    box.two()
    name = box / "null"
    try:
        os.mknod(name, stat.S_IFCHR | 0o666, os.makedev(1, 3))
        open(name, "wb").close()
    except OSError as why:
        raise Skip(f"no device can be made here: {why}") from None
    for command in (("convert", "t.csv", "null", "--format", "csv"), ("convert", "t.csv", "null", "--format", "hdf5"),
                    ("ic", "plummer", "-n", "10", "-o", "null", "--format", "hdf5"), ("render", "t.csv", "-o", "null", "--size", "16"),
                    ("bench", "cpu", "-n", "256", "--kernel", "cpu/simd", "--precision", "f64", "--quick", "--json", "null")):
        box.pleiad(*command).must(DONE)
        assert stat.S_ISCHR(os.stat(name).st_mode), f"the device was replaced by {command}"


@row("7-link", "a symbolic link stays, and the file that it names is replaced; one that names nothing makes its file")
def links(box):
    box.two()
    (box / "elsewhere").mkdir()
    box.write("elsewhere/old.csv", "old")
    (box / "link.csv").symlink_to("elsewhere/old.csv")
    (box / "new.csv").symlink_to("elsewhere/new.csv")
    for link, file in (("link.csv", "elsewhere/old.csv"), ("new.csv", "elsewhere/new.csv")):
        box.pleiad("convert", "t.csv", link).must(DONE)
        assert (box / link).is_symlink(), f"the link {link} was replaced"
        box.pleiad("info", file).must(DONE, "2 bodies")
    (box / "circle.csv").symlink_to("circle.csv")
    box.pleiad("convert", "t.csv", "circle.csv").must_refuse(RESOURCE, "circle.csv")
    (box / "folder.csv").mkdir()
    box.pleiad("convert", "t.csv", "folder.csv").must_refuse(RESOURCE, "folder.csv", "a folder")
    assert sorted(os.listdir(box / "elsewhere")) == ["new.csv", "old.csv"], "a temporary file was left"


@row("7-alone", "a FIFO that nobody reads is waited for with an end")
def alone(box):
    box.two()
    os.mkfifo(box / "fifo")
    box.pleiad("convert", "t.csv", "fifo", "--format", "csv", timeout=30).must_refuse(RESOURCE, "fifo", "reading")


@row("6", "no picture and no movie replaces a snapshot that is read, whatever its name")
def pictures(box):
    box.two("one.csv")
    box.two("two.csv")
    (box / "frames").mkdir()
    os.link(box / "one.csv", box / "hard.png")
    (box / "soft.png").symlink_to("one.csv")
    os.link(box / "two.csv", box / "frames/frame_00000.png")
    before = box.files()
    for arguments in (("one.csv", "-o", "one.csv"), ("one.csv", "-o", "./frames/../one.csv"), ("one.csv", "-o", box / "one.csv"),
                      ("one.csv", "-o", "hard.png"), ("one.csv", "-o", "soft.png"), ("soft.png",), ("hard.png",),
                      ("one.csv", "two.csv", "-o", "frames"), ("one.csv", "-o", "elsewhere", "--movie", "one.csv"),
                      ("one.csv", "two.csv", "-o", "elsewhere", "--movie", "./two.csv")):
        box.pleiad("render", "--size", "16", *arguments).must_refuse(USAGE, ".csv" if "one.csv" in arguments else "png")
        assert box.files() == before, f"{arguments} changed a file"
    box.pleiad("convert", "one.csv", "one.csv").must_refuse(USAGE, "one.csv")
    assert box.files() == before


@row("6-set", "a part of a set that is read is not replaced by the whole set or by a picture of it")
def sets(box):
    box.two()
    box.pleiad("convert", "t.csv", "s.0", "--format", "gadget1").must(DONE)
    one = bytearray((box / "s.0").read_bytes())
    one[4 + 124:4 + 128] = (2).to_bytes(4, "little")  # a set of two files
    one[4 + 96 + 4:4 + 96 + 8] = (4).to_bytes(4, "little")  # with four bodies in all
    box.write("s.0", bytes(one))
    box.write("s.1", bytes(one))
    before = box.files()
    for part in ("s.0", "s.1"):
        box.pleiad("convert", "s", part, "--format", "gadget1").must_refuse(USAGE, part)
        box.pleiad("render", "s", "-o", part, "--size", "16").must(USAGE, part)
        assert box.files() == before, f"{part} was changed"


@row("10", "a run takes the G that its file states: CSV, HDF5, other units; the command line wins, and says so")
def gravitational_constant(box):
    box.write("g.csv", "# G: 4\nmass,x,y,z,vx,vy,vz\n1,-0.5,0,0,0,-0.7,0\n1,0.5,0,0,0,0.7,0\n")
    run = ("--dt", "0.01", "--t-end", "1")
    box.pleiad("run", "g.csv", *run, "--output", "csv").must(DONE, "G = 4")
    box.pleiad("run", "csv/snapshots/snapshot_000.hdf5", *run, "--output", "hdf5").must(DONE, "G = 4")
    box.pleiad("run", "g.csv", *run, "--G", "4", "--output", "asked").must(DONE)
    end = [box.pleiad("info", f"{name}/snapshots/snapshot_001.hdf5").must(DONE).out.splitlines() for name in ("csv", "hdf5", "asked")]
    for lines in end:
        assert [line.split()[1] for line in lines if line.startswith("G ")] == ["4"], lines
        assert [line for line in lines if line.startswith("state hash")] == [line for line in end[0] if line.startswith("state hash")], lines
    box.pleiad("run", "g.csv", *run, "--G", "1", "--output", "other").must(DONE, "gravity.G = 1 is used", "4")
    # In other units the same bodies move alike: G is converted with them.
    box.pleiad("convert", "g.csv", "kpc.csv", "--from-units", "galactic").must(DONE)
    box.pleiad("convert", "kpc.csv", "pc.csv", "--to-units", "cluster").must(DONE)
    ends = {}
    for name, scale in (("kpc", 1), ("pc", 1000)):
        box.pleiad("run", f"{name}.csv", "--dt", repr(0.01 * scale), "--t-end", repr(1.0 * scale), "--output", name, "--set",
                   "output.snapshot_format=csv", "--set", "output.snapshot_units=galactic").must(DONE)
        last = sorted((box / name / "snapshots").iterdir())[-1]
        ends[name] = [float(v) for line in last.read_text().splitlines()[-2:] for v in line.split(",")[3:9]]
    assert max(abs(a - b) for a, b in zip(ends["kpc"], ends["pc"])) < 1e-3, ends


@row("10-si", "the Sun and the Earth in metres and kilograms, without softening, in every precision")
def metres_and_kilograms(box):
    box.write("si.csv", "# units: si\nmass,x,y,z,vx,vy,vz\n1.989e30,0,0,0,0,0,0\n5.972e24,1.496e11,0,0,0,29780,0\n")
    backend = ("--backend", box.backend) if box.backend else ()
    for precision in ("f32", "mixed", "f64"):
        box.pleiad("run", "si.csv", "--dt", "86400", "--t-end", "864000", "--precision", precision, "--output", precision, *backend).must(DONE)
        error = box.summary(precision)["force_error"]["largest"]
        assert 0 <= error < 1e-6, (precision, error)
    # And an ensemble of them.
    box.pleiad("run", "si.csv", "--vary", "gravity.softening=0,1", "--backend", "cpu", "--dt", "86400", "--t-end", "864000", "--output", "ensemble").must(DONE)


@row("21", "a table says how many bodies it has, and is refused when its end is missing")
def cut(box):
    box.two()
    box.pleiad("convert", "t.csv", "whole.csv").must(DONE)
    whole = (box / "whole.csv").read_bytes()
    assert b"# bodies: 2\n" in whole, whole
    header = whole.index(b"id,type")
    for length in range(whole.index(b"\n", header) + 2, len(whole)):
        box.write("cut.csv", whole[:length])
        if length % 7 == 0 or length > len(whole) - 30:
            box.pleiad("info", "cut.csv").must_refuse(BAD_INPUT, "cut.csv")
    box.write("more.csv", whole + whole.splitlines()[-1].replace(b"1,", b"2,", 1) + b"\n")
    box.pleiad("info", "more.csv").must_refuse(BAD_INPUT, "# bodies: 2", "3 rows")
    box.write("open.csv", whole.replace(b"# bodies: 2\n", b"").rstrip(b"\n"))  # no count, no promise
    box.pleiad("info", "open.csv").must(DONE, "2 bodies")
    box.write("words.csv", b"# bodies: Sun and Earth\n" + (box / "t.csv").read_bytes())
    box.pleiad("info", "words.csv").must_refuse(BAD_INPUT, "# bodies: Sun and Earth")  # a key that is read
    box.write("prose.csv", b"# Sun and Earth\n# planets: Earth\n" + (box / "t.csv").read_bytes())
    box.pleiad("info", "prose.csv").must(DONE, "2 bodies")


@row("23", "masses that single precision would spoil are refused, and what is rounded is told with numbers")
def small_masses(box):
    box.write("g.csv", "# units: cgs\nmass,x,y,z,vx,vy,vz\n0.04,1,0,0,0,1,0\n0.03,-1,0,0,0,-1,0\n")
    for name in ("gadget1", "gadget2"):
        box.pleiad("convert", "g.csv", f"out.{name}", "--to-units", "galactic").must_refuse(BAD_INPUT, "mass of body 0", "hdf5")
        assert not (box / f"out.{name}").exists()
    box.pleiad("convert", "g.csv", "single.hdf5", "--single", "--to-units", "galactic").must_refuse(BAD_INPUT, "mass of body 0")
    box.pleiad("convert", "g.csv", "double.hdf5").must(DONE)
    box.pleiad("convert", "double.hdf5", "back.csv", "--to-units", "cgs").must(DONE)
    masses = [float(line.split(",")[2]) for line in (box / "back.csv").read_text().splitlines()[-2:]]
    assert all(abs(m / e - 1) < 1e-12 for m, e in zip(masses, (0.04, 0.03))), masses
    said = box.pleiad("convert", "g.csv", "own.gadget2", "--to-units", "cgs").must(DONE, "mass by up to").err
    assert "e-08" in said, said


@row("31-files", "a NUL in a table is told by line and byte; a folder without permission is no missing file")
def messages(box):
    box.write("nul.csv", b"1 -0.5 0 0 0 -0.7 0\n1 0.5 0 0\x00 0 0.7 0\n")
    box.pleiad("info", "nul.csv").must_refuse(BAD_INPUT, "line 2", "NUL")
    box.write("late.csv", b"1 -0.5 0 0 0 -0.7 0\n" * 5000 + b"1 0.5 0 0\x00 0 0.7 0\n")
    box.pleiad("info", "late.csv").must_refuse(BAD_INPUT, "line 5001", "NUL")
    box.pleiad("info", "n" * 300).must_refuse(USAGE, "name too long")
    if os.getuid() == 0:
        raise_for = dict(user=65534, group=65534)
        try:
            box.pleiad("--version", cwd="/", **raise_for).must(DONE)
        except (PermissionError, AssertionError):
            raise Skip("the program cannot be run by another user here") from None
    else:
        raise_for = {}
    os.chmod(box.path, 0o755)
    box.two("locked/t.csv")
    os.chmod(box / "locked", 0o600)
    box.pleiad("info", box / "locked/t.csv", cwd="/", **raise_for).must_refuse(USAGE, "permission denied")


@row("32-files", "NaN is not passed on by convert, +-5 is no number")
def not_numbers(box):
    for number in ("nan", "inf", "-inf"):
        box.write("n.csv", f"1 -0.5 0 0 0 -0.7 0\n1 0.5 0 0 0 {number} 0\n")
        for name in FORMATS:
            box.pleiad("convert", "n.csv", f"out.{name}").must_refuse(BAD_INPUT, "body 1", "vy")
            assert not (box / f"out.{name}").exists()
    for number in ("+-5", "1.5D+-3", "++5"):
        box.write("n.csv", f"1 -0.5 0 0 0 -0.7 0\n1 0.5 0 0 0 {number} 0\n")
        box.pleiad("info", "n.csv").must_refuse(BAD_INPUT, number, "line 2")


def fact(box, file, *keys):
    import json
    value = json.loads(box.pleiad("info", "--json", file).must(DONE).out)
    for key in keys:
        value = value[key]
    return value


@row("P7", "TIPSY of a galaxy has G = 1 with its units beside it and comes back; --to-units nbody works with a physical scale")
def tipsy(box):
    box.pleiad("ic", "galaxy", "-n", "2000", "-o", "g.hdf5").must(DONE)
    true = fact(box, "g.hdf5", "virial_ratio", "value")
    for name in ("tipsy", "tipsy-little"):
        box.pleiad("convert", "g.hdf5", "g.tipsy", "--format", name).must(DONE, "pleiad.param")
        assert abs(fact(box, "g.tipsy", "virial_ratio", "value") / true - 1) < 1e-5
        assert fact(box, "g.tipsy", "units", "system") == "galactic"
        box.pleiad("convert", "g.tipsy", "back.csv").must(DONE)
        box.pleiad("convert", "g.hdf5", "g.csv").must(DONE)
        speeds = [[abs(float(v)) for v in line.split(",")[6:9]] for line in (box / "back.csv").read_text().splitlines() if line[0] in "0123456789"]
        before = [[abs(float(v)) for v in line.split(",")[6:9]] for line in (box / "g.csv").read_text().splitlines() if line[0] in "0123456789"]
        assert abs(sum(map(sum, speeds)) / sum(map(sum, before)) - 1) < 1e-6
    box.write("elsewhere/g.tipsy", (box / "g.tipsy").read_bytes())  # without its .param: still G = 1
    assert abs(fact(box, "elsewhere/g.tipsy", "virial_ratio", "value") / true - 1) < 1e-3
    box.pleiad("convert", "g.hdf5", "pc.tipsy", "--to-units", "cluster").must_refuse(USAGE, "pleiad.param", "another folder")
    box.two()
    box.pleiad("convert", "t.csv", "t.tipsy").must_refuse(USAGE, "pleiad.param")
    said = box.pleiad("convert", "g.hdf5", "n.csv", "--to-units", "nbody").must(DONE, "half-mass radius", "--from-units").err
    assert fact(box, "n.csv", "units", "G") == 1 and fact(box, "n.csv", "units", "system") == "nbody"
    for key, value in (("mass", 1), ("half_mass_radius", 1)):
        assert abs(fact(box, "n.csv", key) - value) < 1e-9, key
    assert abs(fact(box, "n.csv", "virial_ratio", "value") / true - 1) < 1e-9
    scale = said.split("--from-units ")[1].split()[0]
    box.pleiad("convert", "n.csv", "kpc.csv", "--from-units", scale, "--to-units", "galactic").must(DONE)
    assert abs(fact(box, "kpc.csv", "mass") / fact(box, "g.hdf5", "mass") - 1) < 1e-9


@row("P13", "info tells of accelerations and potentials; whole and unique numbers in TIPSY's potential slots are ids")
def columns(box):
    import struct
    box.run("--output", "o").must(DONE)
    box.pleiad("info", "o/snapshots/snapshot_001.hdf5").must(DONE, "accelerations and potentials")
    def made(slots):
        records = b"".join(struct.pack(">8f", 1, i, 0, 0, 0, 0, 0, 0.1) + slot for i, slot in enumerate(slots))
        return box.write("b.tipsy", struct.pack(">d6i", 0, len(slots), 3, 0, len(slots), 0, 0) + records)
    made([struct.pack(">i", i) for i in (7, 900000, 12)])
    box.pleiad("convert", "b.tipsy", "b.csv").must(DONE, "taken as ids")
    assert [line.split(",")[0] for line in (box / "b.csv").read_text().splitlines()[-3:]] == ["7", "900000", "12"]
    made([struct.pack(">f", i) for i in (7, 900000, 12)])
    box.pleiad("convert", "b.tipsy", "b.csv").must(DONE, "taken as ids")
    assert [line.split(",")[0] for line in (box / "b.csv").read_text().splitlines()[-3:]] == ["7", "900000", "12"]
    made([struct.pack(">f", i) for i in (7, 7, 12)])
    box.pleiad("info", "b.tipsy").must(DONE, "not all different")
    made([struct.pack(">f", i) for i in (-1.5, -2, -1)])
    box.pleiad("info", "b.tipsy").must(DONE, "potentials")
