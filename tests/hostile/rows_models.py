"""Models and few bodies: independent draws, cores at the origin, rounding that does not decide, errors that are told."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
from harness import DONE, row


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
