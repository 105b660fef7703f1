"""Formats and units: what a file states reaches the run, and a change of units or format changes no physics."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import gzip
import json
import struct

from harness import BAD_INPUT, DONE, USAGE, row

UNITS = ("galactic", "cluster", "solar", "si", "cgs", "1.5e18,2e33,3e4")
TRIPLE = "mass,x,y,z,vx,vy,vz\n1,-0.5,0,0,0,-0.7,0\n1,0.5,0,0,0,0.7,0\n0.5,0,2,0.5,0.6,0,0\n"


def facts(box, name):
    return json.loads(box.pleiad("info", "--json", name).must(DONE).out)


def ratio(box, name):
    return facts(box, name)["virial_ratio"]["value"]


@row("S1-convert", "T/|W| is the same in all units and formats, there and back, also of a file that states its G")
def constant_of_gravity(box):
    box.pleiad("ic", "galaxy", "-n", "100", "-o", "galactic.hdf5").must(DONE)
    box.pleiad("ic", "solar-system", "-o", "solar.csv").must(DONE)
    box.write("stated.csv", "# units: galactic\n# G: 5e-7\n" + TRIPLE)
    for source in ("galactic.hdf5", "solar.csv", "stated.csv"):
        before = ratio(box, source)
        for number, units in enumerate(UNITS):
            far = source != "solar.csv" and units in ("si", "cgs")  # further than 1e18, which a run refuses
            for ending in ("hdf5", "csv"):
                name = f"{number}.{ending}"
                box.pleiad("convert", source, name, "--to-units", units).must(DONE)
                assert far or abs(ratio(box, name) / before - 1) < 1e-9, (source, units, ending, ratio(box, name), before)
                box.pleiad("convert", name, "back.csv", "--to-units", facts(box, source)["units"]["system"]).must(DONE)
                assert abs(ratio(box, "back.csv") / before - 1) < 1e-9, (source, units, ending)
        for ending in ("gadget1", "gadget2", "tipsy"):
            (box / ending).mkdir(exist_ok=True)
            name = f"{ending}/{source.split('.')[0]}.{ending}"
            # TIPSY files of one folder have one .param.
            (box / ending / "pleiad.param").unlink(missing_ok=True)
            for old in (box / ending).glob("*.tipsy"):
                old.unlink()
            box.pleiad("convert", source, name, "--to-units", "cluster").must(DONE)
            assert abs(ratio(box, name) / before - 1) < 1e-5, (source, ending, ratio(box, name), before)
    done = box.pleiad("convert", "galactic.hdf5", "n.csv", "--to-units", "nbody").must(DONE, "convert back with --from-units")
    scale = done.err.split("--from-units ")[1].split()[0]
    box.pleiad("convert", "n.csv", "b.csv", "--from-units", scale, "--to-units", "galactic").must(DONE)
    assert abs(ratio(box, "b.csv") / ratio(box, "galactic.hdf5") - 1) < 1e-9


@row("S1-run", "a run moves the same bodies alike in whatever units; models and files, and ic --units")
def constant_in_a_run(box):
    box.pleiad("ic", "galaxy", "-n", "100", "--seed", "3", "-o", "g.csv").must(DONE)
    box.pleiad("ic", "galaxy", "-n", "100", "--seed", "3", "-o", "c.csv", "--units", "cluster").must(DONE)
    assert abs(ratio(box, "c.csv") / ratio(box, "g.csv") - 1) < 1e-9
    # pc/(km/s) is a thousandth of kpc/(km/s), but for the sixth digit of GADGET's kpc.
    kpc, pc = 3.085678e21, 3.0856775814913673e18
    box.write("model.toml", '[initial_conditions]\nmodel = "galaxy"\nparameters = ["n=100"]\nseed = 3\n')
    ends = {}
    for name, start, units, scale in (("a", ("g.csv",), "galactic", 1), ("b", ("g.csv",), "cluster", kpc / pc), ("c", ("c.csv",), "auto", kpc / pc),
                                      ("d", ("model.toml",), "cluster", kpc / pc)):
        more = ["--eps", repr(0.5 * scale), "--dt", repr(scale / 1024), "--t-end", repr(scale / 64), "--output", name]
        for setting in (f"units.system={units}", "output.snapshot_format=csv", "output.snapshot_units=galactic"):
            more += ["--set", setting]
        done = box.pleiad("run", *start, *more, "--precision", "f64", "--backend", "cpu", "--kernel", "cpu/simd").must(DONE)
        assert units != "cluster" or "G = 0.00429943" in done.err + done.out, done
        last = sorted((box / name / "snapshots").iterdir())[-1]
        ends[name] = [[float(v) for v in line.split(",")[3:9]] for line in last.read_text().splitlines()[-100:]]
    for name in "bcd":
        worst = max(abs(u - v) / (1 + abs(u)) for p, q in zip(ends["a"], ends[name]) for u, v in zip(p, q))
        assert worst < 1e-9, (name, worst)


def gadget1(ids, masses):
    """Blocks HEAD POS VEL MASS ID, as some programs order them."""
    n = len(masses)
    head = struct.pack("<6I", 0, n, 0, 0, 0, 0).ljust(256, b"\0")
    places = b"".join(struct.pack("<3f", i, i * i % 7, -i) for i in range(n))
    out = b""
    for content in (head, places, b"\0" * 12 * n, struct.pack(f"<{n}f", *masses), struct.pack(f"<{n}{ids}", *range(n))):
        out += struct.pack("<I", len(content)) + content + struct.pack("<I", len(content))
    return out


@row("W2-run", "GADGET-1 with masses before ids has its masses in info and in a run, whatever the width of ids")
def masses_first(box):
    for ids in "IQ":
        box.write("g.g1", gadget1(ids, [0.25] * 8))
        assert facts(box, "g.g1")["mass"] == 2
        box.pleiad("run", "g.g1", "--eps", "0.1", "--dt", "1e-6", "--t-end", "1e-5", "--output", ids).must(DONE, "masses are taken to stand before ids")
        assert "id,type" not in box.summary(ids)


@row("S9-convert", "convert says what a run would refuse: ids that repeat, masses below 0, numbers too large; the file is written")
def said_in_convert(box):
    for name, text, word in (("ids", "id," + TRIPLE.replace("\n1", "\n7,1").replace("\n0.5", "\n8,0.5"), "repeats the id 7"),
                             ("mass", TRIPLE.replace("\n0.5", "\n-1"), "mass = -1"), ("zero", TRIPLE.replace("\n1", "\n0").replace("\n0.5", "\n0"), "masses are 0")):
        box.write(f"{name}.csv", text)
        for ending in ("hdf5", "csv", "gadget2"):
            box.pleiad("convert", f"{name}.csv", f"{name}2.{ending}").must(DONE, "a run will refuse this file", word)
            box.pleiad("run", f"{name}2.{ending}", "--dt", "0.1", "--t-end", "1", "--output", "o").must_refuse(BAD_INPUT)
    box.write("good.csv", TRIPLE)
    assert "refuse" not in box.pleiad("convert", "good.csv", "good.hdf5").must(DONE).err


@row("M8-far", "convert warns where the units make numbers that info and run refuse")
def too_far(box):
    box.pleiad("ic", "galaxy", "-n", "100", "-o", "g.hdf5").must(DONE)
    for units in ("si", "cgs"):
        box.pleiad("convert", "g.hdf5", "far.csv", "--to-units", units).must(DONE, "a run will refuse this file", "at most 1e+18")
        box.pleiad("info", "far.csv").must(BAD_INPUT, "at most 1e+18")


@row("M-checkpoint", "info and convert read a checkpoint, run goes on from it, and a branch of a run from its directory; packed files are refused with the remedy")
def foreign(box):
    box.run("--output", "o").must(DONE)
    (box / "t.csv.gz").write_bytes(gzip.compress((box / "t.csv").read_bytes()))
    for command in (("info", "t.csv.gz"), ("convert", "t.csv.gz", "x.hdf5"), ("run", "t.csv.gz", "--dt", "0.1", "--t-end", "1", "--output", "p")):
        box.pleiad(*command).must_refuse(BAD_INPUT, "t.csv.gz", "gzip", "gunzip")
    assert not (box / "x.hdf5").exists() and not (box / "p").exists()
    box.pleiad("info", "o/checkpoint.pleiad").must(DONE, "checkpoint", "state hash")
    box.pleiad("convert", "o/checkpoint.pleiad", "x.csv").must(DONE)
    before = {file: file.read_bytes() for file in (box / "o").rglob("*") if file.is_file()}
    box.pleiad("run", "--resume", "o", "--dt", "0.001").must_refuse(USAGE, "cannot change time.dt", "--output NEW")
    box.pleiad("run", "--resume", "o", "--potential", "uniform x=1").must_refuse(USAGE, "cannot change gravity.potentials")
    box.pleiad("run", "--resume", "o", "--output", "o").must(DONE)
    box.pleiad("run", "--resume", "o", "--output", "b", "--t-end", "9", "--dt", "0.001", "--dry-run").must(DONE)
    assert not (box / "b").exists()
    after = {file: file.read_bytes() for file in (box / "o").rglob("*") if file.is_file()}
    assert before.keys() == after.keys() and before[box / "o/checkpoint.pleiad"] == after[box / "o/checkpoint.pleiad"]


@row("U3-renumber", "ids that repeat are refused with the key that numbers the bodies anew, and the key does")
def renumbered(box):
    box.write("t.csv", "id," + TRIPLE.replace("\n1", "\n7,1").replace("\n0.5", "\n8,0.5"))
    box.run("--output", "o").must_refuse(BAD_INPUT, "repeats the id 7", "initial_conditions.renumber = true")
    key = ("--set", "initial_conditions.renumber=true", "--set", "output.snapshot_format=csv", "--set", "output.trajectory_ids=[2]")
    for more in ((), ("--ensemble", "2", "--set", "ensemble.jitter=0.01", "--set", "ensemble.save=[0]", "--set", "output.trajectory_ids=[]")):
        box.run("--output", f"o{len(more)}", *key, *more).must(DONE)
        first = sorted((box / f"o{len(more)}" / "snapshots").iterdir())[0]
        assert [line.split(",")[0] for line in first.read_text().splitlines()[-3:]] == ["0", "1", "2"], first.read_text()


@row("F9-units", "snapshots of the solar system keep its units, those of a galaxy are as its readers assume, also after a resume")
def snapshot_units(box):
    box.pleiad("ic", "solar-system", "-o", "s.csv").must(DONE)
    box.pleiad("ic", "galaxy", "-n", "100", "-o", "g.csv", "--units", "cluster").must(DONE)
    for source, own, dt in (("s.csv", "solar", 1 / 64), ("g.csv", "cluster", 0.25)):
        for form in ("hdf5", "gadget2" if own == "solar" else "csv"):
            name = f"{own}-{form}"
            run = ("--eps", "1" if own == "cluster" else "0", "--dt", repr(dt), "--output", name, "--backend", "cpu")
            box.pleiad("run", source, *run, "--t-end", repr(4 * dt), "--set", f"output.snapshot_format={form}").must(DONE)
            box.pleiad("run", "--resume", name, "--t-end", repr(8 * dt)).must(DONE)
            expected = "galactic" if own == "cluster" and form != "csv" else own
            snapshots = sorted((box / name / "snapshots").iterdir())
            assert len(snapshots) > 2
            for snapshot in snapshots:
                found = facts(box, f"{name}/snapshots/{snapshot.name}")
                assert found["units"]["system"] == expected, (name, snapshot, found["units"])
                assert ("unit_base" in found.get("yt", "unit_base")) == (expected != "galactic"), found["yt"]
    for units in ("run", "galactic"):
        box.pleiad("run", "s.csv", "--dt", "0.01", "--t-end", "0.02", "--output", units, "--backend", "cpu", "--set", f"output.snapshot_units={units}").must(DONE)
        assert facts(box, f"{units}/snapshots/snapshot_000.hdf5")["units"]["system"] == ("solar" if units == "run" else units)
    box.pleiad("convert", "s.csv", "s.hdf5").must(DONE)
    assert facts(box, "s.hdf5")["units"]["system"] == "solar"


@row("S7-run", "run, info, convert, render and accuracy refuse a table with a key that cannot be read, with one line")
def keys(box):
    for line in ("# time: 1,5", "# bodies: 3x", "# step: -3"):
        box.write("t.csv", line + "\n" + TRIPLE)
        for command in (("info", "t.csv"), ("convert", "t.csv", "x.hdf5"), ("render", "t.csv", "-o", "x.png"), ("accuracy", "t.csv", "--eps", "0.1"),
                        ("run", "t.csv", "--dt", "0.1", "--t-end", "1")):
            box.pleiad(*command).must_refuse(BAD_INPUT, "t.csv", line)
