"""What a run writes and prints is the same whether it was made at once or in parts."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
from harness import DONE, NUMERICAL, RESOURCE, row
from rows_runs import long_run

# Their closest approach is at t = 0.9.
CLOSE = "1 -0.5 0 0 0 -0.3 0\n1 0.5 0 0 0 0.3 0\n"


@row("energy-resume", "the energy at the start and the largest energy error are those of the whole run after a resume")
def energy_in_parts(box):
    box.write("t.csv", CLOSE)
    rows = ("--dt", "0.01", "--set", "output.diagnostics_interval=0.1")
    box.run(*rows, "--t-end", "1.7", "--output", "whole").must(DONE)
    box.run(*rows, "--t-end", "1.2").must(DONE)
    first = box.summary()["largest_energy_error"]
    box.pleiad("run", "--resume", "output", "--t-end", "1.7").must(DONE)
    whole, parts = box.summary("whole"), box.summary()
    assert whole["largest_energy_error"] == first > 10 * abs(whole["energy_error"]), whole
    for key in ("energy", "energy_error", "largest_energy_error", "state_hash"):
        assert parts[key] == whole[key], (key, parts[key], whole[key])
    assert box.rows_of("output/diagnostics.txt") == box.rows_of("whole/diagnostics.txt")


@row("picture-resume", "pictures have the frame and the brightness of the first one after a resume")
def pictures_in_parts(box):
    box.pleiad("ic", "cold-sphere", "-n", "100", "--seed", "3", "-o", "t.csv").must(DONE)
    many = ("--eps", "0.1", "--dt", "0.0625", "--set", "output.picture_interval=0.25", "--set", "output.plots=false")
    box.run(*many, "--output", "whole").must(DONE)
    box.run(*many, "--t-end", "0.5").must(DONE)
    box.pleiad("run", "--resume", "output", "--t-end", "1").must(DONE)
    whole, parts = box.files("whole/pictures"), box.files("output/pictures")
    assert len(whole) == 5 and whole == parts, [sorted(whole), sorted(parts), [n for n in whole if whole[n] != parts.get(n)]]


@row("trajectory-printed", "the table of a body is printed as the published benchmarks print it: time, x, y, and z in space alone")
def printed(box):
    follow = ("--set", "output.trajectory_ids=[1]", "--set", "output.print_trajectory=true", "--set", "output.trajectory_every=5")
    space = box.run(*follow).must(DONE).out.splitlines()
    assert space[0].split() == ["time", "x", "y", "z"], space[0]
    kept = [line.split(",") for line in (box / "output/trajectory.csv").read_text().splitlines()[1:]]
    assert [int(cells[0]) for cells in kept] == [0, 5, 10]
    for line, cells in zip(space[1:4], kept):
        assert all(abs(float(a) - float(b)) < 1e-11 for a, b in zip(line.split(), [cells[1], *cells[3:6]])), (line, cells)
    plane = box.run(*follow, "--set", "gravity.dimension=2", "--overwrite").must(DONE).out.splitlines()
    assert plane[0].split() == ["time", "x", "y"] and len(plane[1].split()) == 3, plane[:2]


@row("15-end", "an error in a directory that was replaced does not name it as a way to go on")
def no_way_on(box):
    process = long_run(box, "--set", "checkpoint.require=true")
    (box / "output").rename(box / "gone")
    ended = box.finish(process).must(RESOURCE, "moved, removed or replaced")
    assert "--resume" not in ended.err, ended


@row("not-finite", "positions that overflow end the run at the next check, not when a file is written")
def overflow(box):
    box.write("t.csv", "# units: nbody\nmass,x,y,z,vx,vy,vz\n1,1,0,0,1e30,0,0\n1,-1,0,0,-1e30,0,0\n")
    ended = box.run("--dt", "1e277", "--t-end", "1e280", "--precision", "f64", "--set", "limits.max_energy_error=0", "--set",
                    "limits.check_every=16", "--set", "output.diagnostics_interval=1e280", "--set", "output.pictures=false", "--quiet")
    ended.must_refuse(NUMERICAL, "no longer finite at step 16")
