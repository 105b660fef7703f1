"""The picture of a lesson's measured rates, from bench/results: bars with the limit of each rung, or curves where the size matters."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import math

from course.lessons import measured_at, rows_of, rungs_of
from course.multi_gpu import step_of
from svg import FAINT, INK, LINE, SOURCE, SUM, TARGET, WASTE, Canvas
from results import best, load, measurements

# Rungs of earlier lessons that a lesson compares with.
COMPARED = {"02-threads-and-pairs": (3,), "04-tiles": (1,), "05-shuffles": (3, 4), "06-unrolling": (2,), "07-memory": (1, 2), "08-registers": (2,),
            "09-few-bodies": (2, 12), "10-formula": (2,), "11-published-kernels": (1, 2, 3, 4, 5), "12-pairs": (15,), "13-precision": (2, 31)}
COLORS = [TARGET, SOURCE, SUM, WASTE, "#7a52a8"]


def bars(title, rows, unit):
    """rows: (label, value, limit or None, whether it is of this lesson). The bar is the value, the outline the limit."""
    canvas = Canvas(720, 58 + 26 * len(rows), title)
    canvas.text(16, 24, title, 14, bold=True)
    left, width, top = 262, 306, max(limit or value for _, value, limit, _ in rows)
    for k, (label, value, limit, own) in enumerate(rows):
        y = 38 + 26 * k
        canvas.text(left - 8, y + 14, label, 12, INK if own else FAINT, "end")
        if limit:
            canvas.rect(left, y + 1, width * limit / top, 17, "none", LINE)
        canvas.rect(left, y + 1, width * value / top, 17, TARGET if own else LINE)
        part = f" ({100 * value / limit:.0f} %)" if limit else ""
        canvas.text(left + width * (limit or value) / top + 8, y + 14, (f"{value:.3g}" if value < 1000 else f"{value:.0f}") + f" {unit}{part}", 12, INK if own else FAINT)
    canvas.text(16, canvas.height - 10, "bar: measured; outline and per cent: the limit of the rung's own formulation" if rows[0][2] else "bar: measured", 11, FAINT)
    return canvas


def curves(title, lines, unit):
    """Curves against N, both axes logarithmic. lines: (label, [(n, value)])."""
    canvas = Canvas(720, 330, title)
    canvas.text(16, 24, title, 14, bold=True)
    points = [p for _, own in lines for p in own]
    x0, x1 = math.log2(min(n for n, _ in points)), math.log2(max(n for n, _ in points))
    y0, y1 = (f(math.log10(v) for _, v in points) for f in (min, max))
    y0, y1 = math.floor(y0), math.ceil(y1)
    at = lambda n, v: (70 + 440 * (math.log2(n) - x0) / (x1 - x0), 282 - 236 * (math.log10(v) - y0) / (y1 - y0))  # noqa: E731
    for decade in range(y0, y1 + 1):
        y = at(2 ** x0, 10 ** decade)[1]
        canvas.line(70, y, 510, y, "#dfe4ea", 1)
        canvas.text(62, y + 4, f"1e{decade}", 11, FAINT, "end")
    for n in sorted({n for n, _ in points}):
        canvas.text(at(n, 1)[0], 300, str(n), 11, FAINT, "middle")
    canvas.text(290, 320, f"number of bodies; vertical: {unit}", 11, FAINT, "middle")
    ends = []
    for k, (label, own) in enumerate(lines):
        color = COLORS[k % len(COLORS)]
        own = [at(n, v) for n, v in sorted(own)]
        canvas.path(own, color)
        for x, y in own:
            canvas.circle(x, y, 3, color)
        ends.append((own[-1], label, color))
    below = 0
    for (x, y), label, color in sorted(ends, key=lambda e: e[0][1]):
        below = max(y, below + 16)
        canvas.line(x + 4, y, 522, below, color, 0.8, "2 3")
        canvas.text(526, below + 4, label, 12, color)
    return canvas


def direct(lesson):
    """Bars of the direct kernels of a lesson, and of those that it compares with."""
    where, n = measured_at(lesson)
    fastest, rows = best(measurements()[where]), []
    for number in (*COMPARED.get(lesson.page, ()), *lesson.rungs):
        name, _, _, text = rungs_of(lesson.device)[number]
        for words, _, (row,) in rows_of(name, text, (n,), fastest):
            if "plane" not in words or words == "f32, periodic plane":
                rate = row["interactions_per_second"] / 1e9
                rows.append((f"{number} {name}, {words}".replace(", f32", ""), rate, rate / row["fraction_of_limit"], number in lesson.rungs))
    return bars(f"Billion interactions a second, {where}, N = {n}", rows, "G/s")


def several(_):
    four = load("nvidia-h200-x4/path.json")
    rows = [(name, step_of(of, variant, 131072), None, own) for name, variant, of, own in (
        ("cuda/ptx, one GPU", "PTX", four, False), ("targets divided, two GPUs", "two GPUs, peer access", four, False), ("targets divided, four GPUs", "four GPUs", four, False),
        ("pairs divided, one GPU", "Pleiad, one GPU", four, True), ("pairs divided, two GPUs", "Pleiad, two GPUs", four, True),
        ("pairs divided, four GPUs", "Pleiad, four GPUs", four, True))]
    return bars("Milliseconds a step of 131072 bodies, NVIDIA H200 (shorter is better)", rows, "ms")


def fused(_):
    rows = [r for r in load("nvidia-h200/steps-f32.json") if r["n"] <= 16384]
    lines = [(name, [(r["n"], r["steps_per_second"]) for r in rows if r["kernel"] == name])
             for name in ("cuda/block-steps", "cuda/cluster-steps", "cuda/grid-steps", "cuda/symmetric-steps", "cuda/tile")]
    return curves("Steps a second, NVIDIA H200, f32", [(name + (" (launches)" if name == "cuda/tile" else ""), own) for name, own in lines], "steps a second")


def ensembles(_):
    rows = [(f"{r['kernel']}, {r['precision']}", r["interactions_per_second"] / 1e9, r["interactions_per_second"] / 1e9 / r["fraction_of_limit"], True)
            for r in load("nvidia-h200/ensemble.json")]
    return bars("10000 systems of 64 bodies, NVIDIA H200", rows, "G/s")


def picture(lesson):
    return {"14-several-gpus": several, "15-fused-steps": fused, "16-ensembles": ensembles}.get(lesson.page, direct)(lesson)
