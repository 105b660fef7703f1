"""Energies that are wrong must be told or end the run; what would be refused must be refused before anything is written."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import itertools
import json
import math
import random
import shutil
from fractions import Fraction

from harness import BAD_INPUT, DONE, NUMERICAL, USAGE, row

QUIET = ("--set", "output.pictures=false", "--set", "output.plots=false")
EXACT = ("--set", "time.exact_steps=true")
ORBIT = "1 0 0 0 0 0 0\n"  # a star at rest


def cloud(box, name, n=30, size=1.0, speed=0.3, seed=1):
    r = random.Random(seed)
    lines = [f"{1 / n!r} " + " ".join(repr(r.uniform(-size, size)) for _ in range(3)) + " "
             + " ".join(repr(r.uniform(-speed, speed)) for _ in range(3)) for _ in range(n)]
    return box.write(name, "\n".join(lines) + "\n")


def energy(rows, eps):
    """Of a snapshot in CSV, exactly but for the roots: with G = 1, in exact fractions of doubles."""
    bodies = [[float(word) for word in row] for row in rows]
    terms = [Fraction(m) * (Fraction(u) ** 2 + Fraction(v) ** 2 + Fraction(w) ** 2) / 2 for m, _, _, _, u, v, w in bodies]
    total = sum(terms, Fraction(0))
    for (m, x, y, z, *_), (n, u, v, w, *_) in itertools.combinations(bodies, 2):
        r2 = (Fraction(x) - Fraction(u)) ** 2 + (Fraction(y) - Fraction(v)) ** 2 + (Fraction(z) - Fraction(w)) ** 2 + Fraction(eps) ** 2
        scale = 1 << 240
        root = math.isqrt(int(r2 * scale))  # of r^2 2^240: 2^120 r
        total -= Fraction(m) * Fraction(n) * (1 << 120) / root
    return total


def state(box, folder, which):
    files = sorted((box / folder / "snapshots").glob("*.csv"))
    lines = [line for line in files[which].read_text().splitlines() if line and not line.startswith("#")]
    head = lines[0].split(",")
    columns = [head.index(name) for name in ("mass", "x", "y", "z", "vx", "vy", "vz")]
    return [[line.split(",")[c] for c in columns] for line in lines[1:]]


# ---- F3: periodic boxes -----------------------------------------------------------------------------------------------

PERIODIC = ("--set", "gravity.boundary=periodic", "--set", "gravity.box=4")


def pair_in_box(box):
    box.write("pair.csv", "1 1 1 1 0 0.02 0\n1 1.2 1 1 0 -0.02 0\n")
    return "pair.csv"


@row("F3-periodic-energy", "a run in a periodic box whose energy is wrong ends with 5, alone, in an ensemble and when resumed")
def periodic_energy(box):
    pair_in_box(box)
    rough = ("--eps", "1e-4", "--dt", "0.0625", "--t-end", "2", *PERIODIC, *QUIET)
    for images in ("nearest", "all"):
        for precision in ("f64", "mixed"):
            box.pleiad("run", "pair.csv", *rough, "--set", f"gravity.images={images}", "--precision", precision, "--output",
                       f"{images}{precision}").must(NUMERICAL, "limits.max_energy_error", "largest of T and |W|")
        ended = box.pleiad("run", "pair.csv", *rough, "--set", f"gravity.images={images}", "--ensemble", 2, "--set",
                           "ensemble.jitter=1e-3", "--output", f"{images}e")
        ended.must(NUMERICAL, "energy limit")
        # Damped energy need not stay.
        box.pleiad("run", "pair.csv", *rough, "--set", f"gravity.images={images}", "--integrator", "euler", "--set",
                   "time.damping=0.9", "--output", f"{images}d").must(DONE)
    # As far as it is right it goes on; the error is what it says.
    box.pleiad("run", "pair.csv", "--eps", "0.05", "--dt", 2**-10, "--t-end", 0.5, *PERIODIC, *QUIET, "--output", "fine").must(
        DONE, "|dE| / the largest of T and |W|")
    rows = [[float(word) for word in line] for line in box.rows_of("fine/diagnostics.txt")]
    largest = 0
    for line in rows:
        largest = max(largest, line[2], abs(line[3]))
        error = (line[4] - rows[0][4]) / largest
        assert abs(line[5] - error) <= 1e-6 * abs(error) + 3e-9, (line, error)
    assert box.summary("fine")["energy_error_is"].startswith("|dE|")


@row("F3-resumed", "the largest energy so far is kept in the checkpoint of a run in a periodic box")
def periodic_resumed(box):
    pair_in_box(box)
    arguments = ("--eps", "0.05", "--dt", 2**-8, "--t-end", 1, *PERIODIC, *QUIET, "--set", "output.diagnostics_interval=0.125")
    box.pleiad("run", "pair.csv", *arguments, "--output", "whole").must(DONE)
    box.pleiad("run", "pair.csv", *arguments[:5], 0.5, *arguments[6:], "--output", "half").must(DONE)
    box.pleiad("run", "--resume", "half", "--t-end", 1).must(DONE)
    assert (box / "half/diagnostics.txt").read_text() == (box / "whole/diagnostics.txt").read_text()
    for key in ("energy_error", "largest_energy_error", "state_hash"):
        assert box.summary("half")[key] == box.summary("whole")[key], key


# ---- F6: the precision of energies ------------------------------------------------------------------------------------

@row("F6-hermite-mixed", "energies of Hermite in mixed precision are those of its double-precision forces")
def hermite_energy(box):
    cloud(box, "c.csv", 12)
    summaries = {}
    for precision in ("mixed", "f64"):
        box.pleiad("run", "c.csv", "--eps", "0.1", "--dt", 2**-6, "--t-end", 1, "--integrator", "hermite4", "--precision", precision, *QUIET,
                   "--set", "output.snapshot_format=csv", "--output", precision).must(DONE)
        summaries[precision] = s = box.summary(precision)
        first, last = (energy(state(box, precision, k), 0.1) for k in (0, -1))
        true = float((last - first) / abs(first))
        assert abs(s["energy_error"] - true) <= 1e-14 + 1e-6 * abs(true), (precision, s["energy_error"], true)
        assert s["force_error"]["largest"] <= 1e-13, s["force_error"]
    for key in ("energy", "energy_error", "largest_energy_error", "state_hash"):
        assert summaries["mixed"][key] == summaries["f64"][key], key


@row("F6-told-energies", "the dE/E that is told is the state's own, to the rounding of the pairs, whatever integrator and precision")
def told_energies(box):
    cloud(box, "c.csv", 12)
    for integrator, precision in itertools.product(("kdk", "dkd", "forest-ruth", "yoshida6", "hermite4"), ("mixed", "f64")):
        folder = f"{integrator}-{precision}"
        box.pleiad("run", "c.csv", "--eps", "0.1", "--dt", 2**-5, "--t-end", 0.5, "--integrator", integrator, "--precision", precision, *QUIET,
                   "--set", "output.snapshot_format=csv", "--output", folder).must(DONE)
        first, last = (energy(state(box, folder, k), 0.1) for k in (0, -1))
        true, told = float((last - first) / abs(first)), box.summary(folder)["energy_error"]
        # Pairs in single precision are wrong by 2^-24 at most, and T - |W| cancels by less than 4.
        rounding = 1e-14 if precision == "f64" or integrator == "hermite4" else 5e-7
        assert abs(told - true) <= rounding + 1e-6 * abs(true), (folder, told, true)


# ---- W7, W8: massless bodies ------------------------------------------------------------------------------------------

@row("W7-massless-at-one-place", "massless bodies may share a place without softening, one with mass may not")
def massless_at_one_place(box):
    pair = "0 1 0 0 0 1 0\n0 1 0 0 0 1 0\n"
    box.write("m.csv", ORBIT + pair)
    for integrator, method in itertools.product(("kdk", "hermite4"), ("auto", "barnes-hut")):
        if (integrator, method) == ("hermite4", "barnes-hut"):
            continue
        arguments = ("m.csv", "--eps", 0, "--dt", 2**-10, "--t-end", 3, "--integrator", integrator, *QUIET, "--set",
                     f"solver.method={method}", "--set", "output.snapshot_format=csv")
        box.pleiad("run", *arguments, "--output", integrator + method).must(DONE)
        for body in state(box, integrator + method, -1)[1:]:
            assert math.dist([float(v) for v in body[1:3]], (math.cos(3), math.sin(3))) < 1e-5, body
    box.pleiad("run", "m.csv", "--eps", 0, "--dt", 2**-6, "--t-end", 1, "--vary", "time.dt=0.015625,0.0078125", *QUIET,
               "--output", "e").must(DONE)
    for other in ("1 1 0 0 0 1 0\n", "0 0 0 0 0 1 0\n"):
        box.write("bad.csv", ORBIT + pair + other)
        box.pleiad("run", "bad.csv", "--eps", 0, "--dt", 2**-6, "--t-end", 1, *QUIET, "--output", "bad").must_refuse(BAD_INPUT, "same position")


@row("W8-massless-energies", "the energies of massless bodies are measured, and a run that throws them away is refused")
def massless_energies(box):
    # e = 0.99 from the far end.
    box.write("tp.csv", ORBIT + f"0 1.99 0 0 0 {math.sqrt((1 - 0.99) / (1 + 0.99))!r} 0\n")
    arguments = ("tp.csv", "--eps", 0, "--t-end", 20, *QUIET)
    box.pleiad("run", *arguments, "--dt", 0.05, "--output", "rough").must(NUMERICAL, "massless bodies", "dt")
    ended = box.pleiad("run", *arguments, "--dt", 0.05, "--set", "limits.max_energy_error=0", "--output", "let").must(DONE, "massless")
    assert "dE/E 0" not in ended.out, ended
    s = box.summary("let")
    assert s["energy_error"] is None and s["massless_bodies"]["largest_energy_change"] > 0.5, s
    assert any("massless" in text for text in s["notes"]), s
    ended = box.pleiad("run", *arguments, "--dt", 2**-10, "--integrator", "hermite4", "--adaptive", "--output", "fine").must(DONE)
    assert "dE/E 0" not in ended.out, ended
    s = box.summary("fine")["massless_bodies"]
    assert s["field_is_fixed"] and s["largest_energy_change"] < 1e-4, s
    box.pleiad("run", *arguments, "--dt", 0.05, "--vary", "time.dt=0.05,0.025", "--output", "e").must(NUMERICAL, "energy limit")
    # A moving star is one body too; two stars make a field that changes.
    box.write("moving.csv", f"1 0 0 0 3 0 0\n0 1 0 0 3 1 0\n")
    box.pleiad("run", "moving.csv", "--eps", 0, "--dt", 2**-8, "--t-end", 2, *QUIET, "--output", "moving").must(DONE)
    s = box.summary("moving")["massless_bodies"]
    assert s["field_is_fixed"] and s["largest_energy_change"] < 1e-4, s
    box.write("two.csv", "0.5 -0.1 0 0 0 -1 0\n0.5 0.1 0 0 0 1 0\n0 0.7 0 0 0 1 0\n")
    box.pleiad("run", "two.csv", "--eps", 0.01, "--dt", 2**-10, "--t-end", 2, *QUIET, "--output", "two").must(DONE, "several bodies make the field")
    assert not box.summary("two")["massless_bodies"]["field_is_fixed"]


@row("W8-resumed", "the first energies of massless bodies are kept in checkpoints")
def massless_resumed(box):
    box.write("tp.csv", ORBIT + "0 1 0 0 0 1 0\n0 2 0 0 0 0.7 0\n")
    for kind in ((), ("--vary", "time.dt=0.0078125,0.015625")):
        arguments = ("run", "tp.csv", "--eps", 0, "--dt", 2**-7, *kind, *QUIET, "--set", "output.diagnostics_interval=0.25")
        box.pleiad(*arguments, "--t-end", 2, "--output", "whole", "--overwrite").must(DONE)
        box.pleiad(*arguments, "--t-end", 1, "--output", "half", "--overwrite").must(DONE)
        box.pleiad("run", "--resume", "half", "--t-end", 2).must(DONE)
        half, whole = box.summary("half"), box.summary("whole")
        for key in ("massless_bodies", "massless_energy_change"):
            assert half.get(key) == whole.get(key), (key, half, whole)


# ---- F10: the precision that nobody states -----------------------------------------------------------------------------

@row("F10-precision", "few bodies, or a dominant one, take double precision, and say why; a stated precision is kept")
def precision_of_few(box):
    cloud(box, "256.csv", 256), cloud(box, "257.csv", 257)
    dominant = "10 0 0 0 0 0 0\n" + (box / "257.csv").read_text()
    box.write("dominant.csv", dominant)
    run = ("--eps", 0.1, "--dt", 0.125, "--t-end", 0.25, *QUIET, "--set", "limits.max_energy_error=0")
    for file, precision in (("256.csv", "f64"), ("257.csv", "mixed"), ("dominant.csv", "f64")):
        ended = box.pleiad("run", file, *run, "--output", file[:-4]).must(DONE, f"precision {precision}")
        assert ("precision f64 (" in ended.err) == (precision == "f64"), ended
        assert box.summary(file[:-4])["precision"] == precision
        assert f'precision = "{precision}"' in (box / file[:-4] / "config.toml").read_text()
        dry = box.pleiad("run", file, *run, "--dry-run", "--json").must(DONE)
        assert json.loads(dry.out)["precision"] == precision, dry
        box.pleiad("run", "--resume", file[:-4], "--t-end", 0.5).must(DONE)
        assert box.summary(file[:-4])["precision"] == precision
        ensemble = box.pleiad("run", file, *run, "--ensemble", 2, "--set", "ensemble.jitter=0.01", "--output", "e" + file[:-4]).must(DONE)
        assert box.summary("e" + file[:-4])["precision"] == precision, ensemble
    for stated in ("mixed", "f32"):
        box.pleiad("run", "256.csv", *run, "--precision", stated, "--output", stated).must(DONE, f"precision {stated}")
    # The same bits as the precision that is stated.
    box.pleiad("run", "256.csv", *run, "--precision", "f64", "--output", "s").must(DONE)
    box.pleiad("run", "256.csv", *run, "--output", "a").must(DONE)
    assert box.summary("s")["state_hash"] == box.summary("a")["state_hash"]


# ---- softening that nobody states --------------------------------------------------------------------------------------

@row("softening-unstated", "a leapfrog without a stated softening is refused for more than 64 bodies with mass")
def softening_unstated(box):
    cloud(box, "64.csv", 64), cloud(box, "65.csv", 65)
    box.write("light.csv", (box / "64.csv").read_text() + "".join(f"0 {k + 2} 0 0 0 0 0\n" for k in range(50)))
    run = ("--dt", 0.0625, "--t-end", 0.125, *QUIET, "--set", "limits.max_energy_error=0")
    for integrator in ("kdk", "dkd", "euler", "forest-ruth", "blanes-moan4", "yoshida6", "kahan-li8", "hermite4"):
        refused = integrator in ("kdk", "dkd", "euler")
        for file in ("64.csv", "65.csv", "light.csv"):
            for more in ((), ("--dry-run",), ("--ensemble", 2, "--set", "ensemble.jitter=0.01")):
                ended = box.pleiad("run", file, *run, "--integrator", integrator, *more, "--output", "o", "--overwrite")
                if refused and file == "65.csv":
                    ended.must_refuse(USAGE, "--eps 0", "gravity.softening is not set")
                else:
                    ended.must(DONE)
    for stated in (("--eps", 0), ("--eps", 0.1), ("--set", "gravity.softening=0")):
        box.pleiad("run", "65.csv", *run, *stated, "--output", "stated", "--overwrite").must(DONE)
    box.write("r.toml", 'initial_conditions.model = "plummer"\ninitial_conditions.parameters = ["n=100"]\ntime.dt = 0.0625\n'
              'time.t_end = 0.125\noutput.directory = "m"\n')
    box.pleiad("config", "check", "r.toml").must_refuse(USAGE, "--eps 0.02")
    box.pleiad("run", "r.toml").must_refuse(USAGE, "--eps 0.02")
    assert not (box / "m").exists()
    # A model that needs none states it.
    box.pleiad("run", "r.toml", "--set", "initial_conditions.model=uniform-box", *QUIET, "--set",
               "limits.max_energy_error=0").must(DONE)


# ---- U7, W10, E3, S10, M2, M3: messages of times and scans -------------------------------------------------------------

@row("U7-one-step-for-all", "where times do not fit exact steps, the step that is proposed fits all of them")
def one_step(box):
    cloud(box, "c.csv", 8)
    r = random.Random(2)
    cases = [(0.1, 1, 0.07), (0.03, 1, 0.25), (0.3, 2, 0.4), (1 / 3, 1, 0.125)]
    cases += [(r.choice((0.013, 0.11, 0.07)), r.choice((1, 2.5, 0.9)), r.choice((0.15, 0.06, 0.05))) for _ in range(6)]
    for dt, end, interval in cases:
        key = r.choice(("output.snapshot_interval", "output.diagnostics_interval", "output.snapshot_times"))
        value = f"[{interval}]" if key.endswith("times") else interval
        arguments = ("run", "c.csv", "--eps", 0.1, "--t-end", end, *QUIET, "--set", f"{key}={value}", *EXACT, "--dry-run")
        ended = box.pleiad(*arguments, "--dt", dt)
        if ended.code == DONE:
            continue
        ended.must_refuse(USAGE, "would fit")
        proposed = ended.err.split("time.dt = ")[2].split()[0]
        assert float(proposed) <= dt, ended
        box.pleiad(*arguments, "--dt", proposed).must(DONE)
    box.pleiad("run", "c.csv", "--eps", 0.1, "--dt", 0.1, "--t-end", 1, *QUIET, "--set", "output.snapshot_interval=0.07",
               *EXACT, "--dry-run").must_refuse(USAGE, "time.dt = 0.01 would fit")
    box.pleiad("run", "c.csv", "--eps", 0.1, "--dt", 0.1, "--t-end", 1, *QUIET, *EXACT, "--output", "o").must(DONE)
    box.pleiad("run", "--resume", "o", "--t-end", 1.05).must_refuse(USAGE, "time.t_end", "1.1 would be right")


@row("U7-any-time", "a run ends and writes at any time, and goes on from there with the bits of one that never stopped")
def any_time(box):
    cloud(box, "c.csv", 8)
    arguments = ("run", "c.csv", "--eps", 0.1, "--dt", 0.1, *QUIET)
    box.pleiad(*arguments, "--t-end", 1.05, "--output", "whole").must(DONE)
    box.pleiad(*arguments, "--t-end", 0.333, "--output", "parts", "--set", "output.snapshot_interval=0.07").must(DONE)
    assert box.summary("parts")["time"] == 0.333
    for end in (0.34, 0.75, 1.05):
        box.pleiad("run", "--resume", "parts", "--t-end", end).must(DONE)
        assert box.summary("parts")["time"] == end
    assert box.summary("parts")["state_hash"] == box.summary("whole")["state_hash"]
    times = [float(row[0]) for row in box.rows_of("parts/diagnostics.txt")]
    assert times == sorted(set(times)) and times[-1] == 1.05, times
    box.pleiad("run", "--resume", "parts", "--t-end", 1.01).must_refuse(USAGE, "lies before the simulation's 1.05")


@row("W10-snapshot-times", "what is wrong with output.snapshot_times names that key")
def snapshot_times(box):
    for time, adaptive in itertools.product((-0.5, 0.53), ((), ("--adaptive", "--eps", 0.1))):
        if adaptive and time > 0:
            continue
        box.run(*adaptive, *EXACT, "--set", f"output.snapshot_times=[{time}]").must_refuse(USAGE, "output.snapshot_times")


@row("E3-steps-of-a-scan", "the automatic interval of diagnostics suits the steps of all systems, in any order")
def steps_of_a_scan(box):
    for steps in itertools.permutations((0.0078125, 0.015625, 0.0625)):
        box.run("--t-end", 0.5, "--dt", 0.5, "--vary", "time.dt=" + ",".join(map(str, steps)), "--output", "o", "--overwrite",
                "--set", "limits.max_energy_error=0").must(DONE)
    box.run("--t-end", 0.9, "--dt", 0.1, "--vary", "time.dt=0.05,0.03,0.09", "--output", "o", "--overwrite").must(DONE)
    box.run("--t-end", 1, "--dt", 0.1, "--vary", "time.dt=0.05,0.03", "--output", "o", "--overwrite").must_refuse(USAGE, "time.t_end")


@row("S10-one-system-twice", "no system of an ensemble counts twice")
def one_system_twice(box):
    box.write("s.toml", 'initial_conditions.model = "plummer"\ninitial_conditions.parameters = ["n=8"]\ngravity.softening = 0.1\n'
              'time.dt = 0.125\ntime.t_end = 0.25\noutput.directory = "s"\n')
    seed = "initial_conditions.seed="
    for refused in (("--vary", seed + "5,6", "--ensemble", 2), ("--vary", seed + "5,5"), ("--vary", seed + "7,5,6", "--ensemble", 2),
                    ("--vary", "gravity.G=1,2,1", "--set", "ensemble.seeds=shared")):
        box.pleiad("run", "s.toml", *refused).must_refuse(USAGE, "would be the same")
        assert not (box / "s").exists()
    for fine in (("--vary", seed + "5,7", "--ensemble", 2), ("--vary", "gravity.G=1,2,1"), ("--vary", seed + "5,6", "--vary", "gravity.G=1,2")):
        box.pleiad("run", "s.toml", *fine, "--overwrite").must(DONE)
    box.run("--vary", "gravity.G=1,2,1").must_refuse(USAGE, "would be the same")


@row("M2-late-start", "steps that are lost in the rounding of times are refused before the start")
def late_start(box):
    for dt in (0.0625, 1000):
        box.write("late.csv", "# time: 1e16\nmass,x,y,z,vx,vy,vz\n1,-0.5,0,0,0,-0.7,0\n1,0.5,0,0,0,0.7,0\n")
        for more in ((), ("--dry-run",)):
            box.pleiad("run", "late.csv", "--adaptive", "--eps", 0.5, "--dt", dt, "--t-end", 1e16 + 4000, *QUIET, *more).must_refuse(
                USAGE, "lost in the rounding of times near 1")
        assert not (box / "output").exists()


@row("M3-softening-range", "a softening whose square is no number is named")
def softening_range(box):
    for eps in ("1e200", "1e19", "1e154"):
        for more in ((), ("--integrator", "hermite4"), ("--set", "solver.method=fmm"), ("--dry-run",),
                     ("--ensemble", 2, "--set", "ensemble.jitter=0.1")):
            box.run("--eps", eps, *more).must_refuse(USAGE, "softening^2")
        assert not (box / "output").exists()


@row("M5-notes-when-quiet", "a quiet run tells what a user should know of the input")
def notes_when_quiet(box):
    box.write("g.csv", "# G: 3\nmass,x,y,z,vx,vy,vz\n1,-0.5,0,0,0,-0.7,0\n1,0.5,0,0,0,0.7,0\n")
    box.pleiad("run", "g.csv", "--dt", 0.1, "--t-end", 1, "--G", 1, "--quiet", *QUIET, "--set", "limits.max_energy_error=0").must(
        DONE, "note: gravity.G = 1 is used")


# ---- E1, D2: one verdict -----------------------------------------------------------------------------------------------

@row("E1-units-of-formats", "units that a format cannot hold are refused by all commands before anything is written")
def units_of_formats(box):
    box.pleiad("ic", "galaxy", "-n", 200, "-o", "g.hdf5").must(DONE)
    for form in ("gadget1", "gadget2", "tipsy", "tipsy-little"):
        box.write("g.toml", f'initial_conditions.file = "g.hdf5"\ngravity.softening = 0.1\ntime.dt = 0.001\ntime.t_end = 0.002\n'
                  f'output.directory = "o"\noutput.snapshot_format = "{form}"\noutput.snapshot_units = "si"\n')
        for unit, code in (("si", None), ("galactic", DONE)):
            shutil.rmtree(box / "o", ignore_errors=True)
            words = ("--set", f"output.snapshot_units={unit}", *QUIET)
            codes = {box.pleiad(*command).code for command in
                     (("run", "g.toml", *words, "--dry-run"), ("run", "g.toml", *words, "--overwrite"))}
            assert len(codes) == 1, (form, unit, codes)
            if code is None:
                assert codes == {BAD_INPUT} and not (box / "o").exists(), (form, codes)
        assert box.pleiad("config", "check", "g.toml").code == BAD_INPUT


@row("D2-hermite-in-single", "Hermite in single precision is refused before an earlier run is touched")
def hermite_in_single(box):
    box.run("--output", "o").must(DONE)
    before = box.files("o")
    for more in ((), ("--ensemble", 2, "--set", "ensemble.jitter=0.1")):
        for last in ("--overwrite", "--dry-run"):
            box.run("--output", "o", "--integrator", "hermite4", "--precision", "f32", *more, "--overwrite", last).must_refuse(
                USAGE, "hermite4 needs precision f64 or mixed")
    assert box.files("o") == before


@row("S5-trails", "the pictures of few bodies are the same after a resume")
def trails(box):
    box.two()
    arguments = ("run", "t.csv", "--dt", 2**-8, "--set", "output.picture_interval=0.25", "--set",
                 "output.diagnostics_interval=0.25", "--set", "output.plots=false")
    box.pleiad(*arguments, "--t-end", 2, "--output", "whole").must(DONE)
    box.pleiad(*arguments, "--t-end", 1, "--output", "half").must(DONE)
    box.pleiad("run", "--resume", "half", "--t-end", 2).must(DONE)
    whole, half = box.files("whole/pictures"), box.files("half/pictures")
    assert whole == half, [name for name in whole if whole[name] != half.get(name)]
