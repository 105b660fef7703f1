"""A first run: the example problems end without a warning, and what a seed gives is said where it is asked for."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import pathlib

from harness import DONE, row

PROBLEMS = sorted((pathlib.Path(__file__).resolve().parents[2] / "problems").glob("*/problem.toml"))
# What shortens the longest of them; the first steps of the encounter have its largest error but one.
SHORTER = {
    "encounter": ("--t-end", "0.02", "--set", "output.picture_interval=0.02", "--set", "output.snapshot_interval=0.02"),
    "cosmic-web": ("--set", "time.end_redshift=30", "--set", "output.snapshot_redshifts=[]"),
    "free-fall": ("--vary", "x=0.05:0.45:5", "--vary", "y=0.05:0.85:9"),
    "periodic-box": ("--set", 'initial_conditions.parameters=["n=1024","dimension=2"]'),
}
# Where the bodies of a problem come from, if it is not its own.
BEFORE = {"cosmic-web": ("ic", "cosmology", "--box", "100", "-n", "32", "-o", "cosmic-web.hdf5")}


@row("demo", "no example problem ends with a warning of its energies")
def problems_end_without_a_warning(box):
    assert PROBLEMS
    for problem in PROBLEMS:
        name = problem.parent.name
        if name in BEFORE:
            box.pleiad(*BEFORE[name]).must(DONE)
        ended = box.pleiad("run", problem, "--output", name, "--set", "output.movie=false", "--set", "output.plots=false", "--quiet",
                           *SHORTER.get(name, ()), timeout=250).must(DONE)
        assert "dE/E is" not in ended.err + ended.out, ended
        assert not any("dE/E" in note for note in box.summary(name)["notes"]), ended


@row("F12-seed", "the help says that a seed gives one model the same random numbers for all its parameters")
def seed_is_explained(box):
    said = " ".join(box.pleiad("ic", "--help").must(DONE).out.split())
    assert "the same random numbers for all its parameters" in said, said
    # It is so: bodies of more are those of less, to the mass of each.
    for n in (10, 20):
        box.pleiad("ic", "king", "-n", n, "W0=3", "-o", f"{n}.csv").must(DONE)
    few, more = ([line.split(",")[3:6] for line in (box / f"{n}.csv").read_text().splitlines() if line[:1].isdigit()] for n in (10, 20))
    assert len(few) == 10 and few == more[:10], (few, more)
