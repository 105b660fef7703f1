"""The error curves of docs/solvers.md: the 99th percentile of the force error against the opening angle, for each order of the trees."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import math

from results import load
from svg import FAINT, SOURCE, SUM, TARGET, WASTE, Canvas

COLORS = (TARGET, SOURCE, SUM, WASTE, "#7a52a8")
ANGLES = (0.2, 0.3, 0.4, 0.5, 0.65, 0.8, 1.0)
DECADES = (-6, -1)


def curves_of(method):
    """[(order, [(opening angle, error)])] of a method with the criterion of spheres."""
    rows = [r for r in load("solver-errors.json") if r["kernel"].startswith(f"cpu/{method} ") and "theta=" in r["kernel"]]
    orders = sorted({r["solver"].split()[-2] for r in rows})
    return [(order, sorted((r["dial"], r["error_p99"]) for r in rows if r["solver"].split()[-2] == order)) for order in orders]


def panel(c, left, title, method):
    """One method: error down from 0.1, opening angle to the right, both logarithmic."""
    width, top, height = 250, 40, 240
    low, high = math.log(ANGLES[0]), math.log(ANGLES[-1])

    def at(angle, error):
        return left + width * (math.log(angle) - low) / (high - low), top + height * (DECADES[1] - math.log10(error)) / (DECADES[1] - DECADES[0])

    c.text(left, 26, title, 13, bold=True)
    for decade in range(DECADES[0], DECADES[1] + 1):
        y = at(1, 10.0 ** decade)[1]
        c.line(left, y, left + width, y, WASTE if decade == -3 else "#dfe4ea", 1, "5 3" if decade == -3 else "")
        c.text(left - 6, y + 4, f"1e{decade}", 11, FAINT, "end")
    for angle in ANGLES:
        c.text(at(angle, 1)[0], top + height + 18, f"{angle:g}", 11, FAINT, "middle")
    for (order, points), color in zip(curves_of(method), COLORS):
        points = [at(*p) for p in points if p[1] >= 10.0 ** DECADES[0]]
        c.path(points, color)
        for x, y in points:
            c.circle(x, y, 2.6, color)
        c.text(points[0][0] + 8, points[0][1] + 14, order, 12, color, bold=True)
    c.text(left + width / 2, top + height + 36, "opening angle theta; numbers: order", 11, FAINT, "middle")


def pictures():
    rows = load("solver-errors.json")
    c = Canvas(720, 350, "Force error against the opening angle for each order of Barnes-Hut and of the fast multipole method")
    panel(c, 66, "Barnes-Hut", "barnes-hut")
    panel(c, 430, "fast multipole method", "fmm")
    c.text(16, 340, f"99 % of {rows[0]['n']} bodies of a Plummer sphere have a smaller error; red: the accuracy 1e-3", 11, FAINT)
    return {"docs/solvers-errors.svg": c.svg()}
