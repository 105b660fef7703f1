"""Models and few bodies: independent draws, cores at the origin, rounding that does not decide, errors that are told."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
from harness import DONE, STOPPED, row


def bodies_of(box, file):
    """Columns mass, x, y, z of a table that "pleiad" wrote, and its comment lines."""
    lines = (box / file).read_text().splitlines()
    table = [line.split(",") for line in lines if line and not line.startswith("#")]
    names = table[0]
    return [[float(body[names.index(c)]) for c in ("mass", "x", "y", "z")] for body in table[1:]], [line for line in lines if line.startswith("#")]


def radius(body):
    return sum(c * c for c in body[1:]) ** 0.5


def rank_correlation(a, b):
    def ranks(values):
        rank = [0] * len(values)
        for place, index in enumerate(sorted(range(len(values)), key=values.__getitem__)):
            rank[index] = place
        return rank

    n = len(a)
    return 1 - 6 * sum((p - q) ** 2 for p, q in zip(ranks(a), ranks(b))) / (n * (n * n - 1))


@row("P5", "the same seed gives different quantiles in different models")
def draws(box):
    models = ("plummer", "king", "hernquist", "nfw", "cold-sphere", "shell", "galaxy")
    found = []
    for model in models:
        box.pleiad("ic", model, "-n", "3000", "-o", f"{model}.csv").must(DONE)
        found.append([radius(b) for b in bodies_of(box, f"{model}.csv")[0]])
    # Of independent draws it has the standard deviation 1 / sqrt(n): five of them, for 21 pairs.
    for a in range(len(models)):
        for b in range(a):
            r = rank_correlation(found[a], found[b])
            assert abs(r) < 5 / 3000**0.5, f"{models[a]} and {models[b]}: {r}"


@row("P6", "the core of a sphere is at the origin, whatever is far out")
def core(box):
    for model, half, settings in (("plummer", 0.769, []), ("plummer", 0.769, ["mass_fraction=1"]), ("hernquist", 2.3, []), ("nfw", 4.0, []), ("king", 0.83, [])):
        for seed in range(1, 8):
            box.pleiad("ic", model, *settings, "-n", "8000", "--seed", seed, "-o", "s.csv").must(DONE)
            inner = [b for b in bodies_of(box, "s.csv")[0] if radius(b) < half]
            # The mean of an axis has the variance <r^2> / 3 / n: five standard errors for 105 of them.
            error = (sum(radius(b) ** 2 for b in inner) / 3) ** 0.5
            for axis in (1, 2, 3):
                offset = abs(sum(b[axis] for b in inner)) / error
                assert offset < 5, f"{model} {settings}, seed {seed}: {offset} standard errors"


@row("P6-header", "a model says where it is cut and what is at the origin: in its file and in the list")
def header(box):
    for model, cut in (("plummer", "mass_fraction=0.999"), ("hernquist", "cut=50"), ("nfw", "cut=10"), ("king", "W0=6"), ("galaxy", "halo_cut=35")):
        box.pleiad("ic", model, "-n", "500", "-o", "s.csv").must(DONE, "at the origin    the centre of the profile; total momentum 0")
        made = [c for c in bodies_of(box, "s.csv")[1] if c.startswith("# made by: ")]
        assert len(made) == 1 and cut in made[0] and made[0].endswith("# at the origin: the centre of the profile; total momentum 0"), made
        box.pleiad("info", "s.csv").must(DONE)
    box.pleiad("ic", "--list").must(DONE, "at the origin: the centre of the profile; total momentum 0")


def pythagorean(box):
    """A configuration; settings follow on the command line."""
    box.write("p.toml", """[initial_conditions]
model = "pythagorean"
[time]
integrator = "hermite4"
adaptive = true
dt = 0.01
[output]
snapshot_format = "csv"
[limits]
max_energy_error = 0
""")
    return "run", "p.toml"


# At t = 70, in quadruple precision with time.eta = 1e-6 (1,296,167 steps); eta = 1e-5 in quadruple precision is 1.3e-3 away.
AT_70 = ((6.93346205035369, 20.2618009179775), (-2.00300019864629, -6.87246349988374), (-2.55767707129518, -6.65910975087953))


@row("P9", "steps add up no roundings: the Pythagorean problem at t = 70 is that of quadruple precision")
def rounding(box):
    for precision in ("f64", "mixed"):
        box.pleiad(*pythagorean(box), "--t-end", "70", "--set", "time.eta=1e-5", "--precision", precision, "--output", precision, timeout=200).must(DONE)
        last = sorted((box / precision / "snapshots").glob("*.csv"))[-1].relative_to(box.path)
        for body, (x, y) in zip(bodies_of(box, last)[0], AT_70):
            off = ((body[1] - x) ** 2 + (body[2] - y) ** 2) ** 0.5
            assert off < 3e-3, f"{precision}: {off}"


@row("P9-resume", "a Hermite run that was stopped goes on bit for bit")
def rounding_resumed(box):
    common = (*pythagorean(box), "--t-end", "30", "--set", "time.eta=1e-6")  # some 0.2 s of steps on a fast machine
    box.pleiad(*common, "--output", "whole").must(DONE)
    box.pleiad(*common, "--output", "parts", "--walltime", "0.02").must(STOPPED)
    box.pleiad("run", "--resume", "parts", "--walltime", "1000").must(DONE)
    whole, parts = box.summary("whole"), box.summary("parts")
    assert whole["step"] == parts["step"] and whole["state_hash"] == parts["state_hash"], (whole, parts)


@row("P9-warning", "a run whose energy was lost says so, on stderr and in its summary; one that keeps it says nothing")
def energy_note(box):
    coarse = (*pythagorean(box), "--t-end", "3", "--integrator", "kdk", "--set", "time.adaptive=false")
    ended = box.pleiad(*coarse, "--output", "coarse").must(DONE, "for accurate single orbits use a smaller dt, or gauss-radau with time.adaptive = true")
    assert "note: dE/E is" in ended.err and "note: dE/E is" in ended.out, ended
    summary = box.summary("coarse")
    assert summary["largest_energy_error"] > 1e-4 and any("dE/E" in note for note in summary["notes"]), summary
    # What it proposes can be done, and helps.
    box.pleiad(*coarse[:-4], "--integrator", "gauss-radau", "--set", "time.adaptive=true", "--output", "helped").must(DONE)
    assert box.summary("helped")["largest_energy_error"] < 1e-9, box.summary("helped")
    for few in (("hermite4", "time.adaptive=false"), ("gauss-radau", "time.adaptive=false")):
        ended = box.pleiad(*coarse[:-4], "--integrator", few[0], "--set", few[1], "--output", f"{few[0]}-fixed").must(DONE)
        assert "or a smaller" not in ended.err and "softening" not in ended.err, ended
    blocks = (*coarse[:-4], "--integrator", "hermite4-block", "--set", "time.adaptive=false", "--output")
    ended = box.pleiad(*blocks, "blocks", "--set", "time.eta=0.5").must(DONE, "for accurate single orbits use a smaller time.eta")
    assert "hermite4 with" not in ended.err and "gauss-radau" not in ended.err, ended
    box.pleiad(*blocks, "finer", "--set", "time.eta=0.005").must(DONE)
    assert box.summary("finer")["largest_energy_error"] < 1e-3 * box.summary("blocks")["largest_energy_error"], box.summary("finer")
    box.two()
    ended = box.pleiad("run", "t.csv", "--dt", "0.001", "--t-end", "1", "--output", "fine").must(DONE)
    assert box.summary("fine")["largest_energy_error"] < 1e-4 and "dE/E is" not in ended.err, ended
    # Who states what error is good is told of larger ones only; the summary tells the error.
    ended = box.pleiad(*coarse, "--set", "limits.max_energy_error=1e9", "--output", "stated").must(DONE, "at worst")
    assert "note: dE/E" not in ended.err + ended.out and box.summary("stated")["largest_energy_error"] > 1e-4, ended
    ended = box.pleiad(*coarse, "--set", "limits.max_energy_error=0", "--output", "endless").must(DONE, "note: dE/E is")
    # Damping takes energy on purpose.
    ended = box.run("--integrator", "euler", "--set", "time.damping=0.9", "--set", "limits.max_energy_error=0", "--output", "damped").must(DONE)
    assert "note: dE/E" not in ended.err + ended.out, ended
    # In an ensemble: how many of how many.
    ended = box.pleiad(*coarse, "--vary", "time.dt=0.01,0.005", "--set", "limits.max_energy_error=1e9", "--output", "accepted").must(DONE)
    assert "note: dE/E" not in ended.err + ended.out, ended
    ended = box.pleiad(*coarse, "--vary", "time.dt=0.01,0.005", "--output", "many").must(DONE, "note: dE/E is beyond 0.0001 in 2 of 2 systems")
    assert any("2 of 2 systems" in note for note in box.summary("many")["notes"]), ended
