"""The lessons of the course: which rungs each has, and the tables and figures of its page and of docs/ladder.md."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import functools
import os
import re
from collections import namedtuple

from course import multi_gpu
from course.rungs import heading, number_of, rungs, sections, steps_sections
from markers import anchor
from results import best, load, measurements, rate

# rungs: numbers of files in src/cpu/direct (cpu), src/cuda/direct and bench/published/direct (cuda), src/cuda/steps (steps).
Lesson = namedtuple("Lesson", "page title device rungs minutes")
LESSONS = [
    Lesson("01-vectors", "From a loop to vectors", "cpu", (1, 2, 3), 45),
    Lesson("02-threads-and-pairs", "Threads, and each pair once", "cpu", (4, 5, 6), 60),
    Lesson("03-one-thread-per-body", "One thread per body", "cuda", (1,), 45),
    Lesson("04-tiles", "Tiles in shared memory", "cuda", (2, 3, 4), 60),
    Lesson("05-shuffles", "Shuffles within a warp", "cuda", (5,), 30),
    Lesson("06-unrolling", "Unrolling", "cuda", (6, 7, 8, 21, 22), 60),
    Lesson("07-memory", "Layout and loads", "cuda", (9, 10, 11, 18), 45),
    Lesson("08-registers", "Targets in registers", "cuda", (12,), 30),
    Lesson("09-few-bodies", "Few bodies: divide the sources", "cuda", (13, 14, 15), 60),
    Lesson("10-formula", "The cost of the formula", "cuda", (16, 17, 19, 20), 45),
    Lesson("11-published-kernels", "Five kernels as published", "cuda", (23, 24, 25, 26, 27), 45),
    Lesson("12-pairs", "Newton's third law", "cuda", (28, 29, 30, 31), 90),
    Lesson("13-precision", "Double and mixed precision", "cuda", (32, 33, 34), 60),
    Lesson("14-several-gpus", "Several GPUs", None, (), 45),
    Lesson("15-fused-steps", "Fused steps", "steps", (1, 2, 3, 4, 7), 60),
    Lesson("16-ensembles", "Many small systems", "steps", (5, 6), 30),
]
FOLDER = "docs/ladder"
MANY, FEW = 262144, 4096

# Instruction slots that are not the descriptor's: of cuda/periodic-2d in a periodic box, which its header counts.
SLOTS_OF = {"f32, periodic plane": 22}


@functools.cache
def rungs_of(device):
    """{number: (name, path, paragraphs, text)} of the rungs of a device."""
    found = rungs("cpu", ".cpp") if device == "cpu" else rungs("cuda", ".cu", "steps" if device == "steps" else "direct")
    return {number_of(path): (name, path, words, text) for name, path, words, text in found}


@functools.cache
def sections_of(device):
    return {"cpu": lambda: sections("cpu", ".cpp"), "cuda": lambda: sections("cuda", ".cu"), "steps": steps_sections}[device]()


def labels_of(text):
    """The precision and space that a rung's figures are shown in: the first of single, mixed and double that it has."""
    costs = re.search(r"\.fma_port_operations = \{([^}]*)\}", text)
    costs = dict(re.findall(r"\.(\w+) = ([\d.]+)", costs.group(1))) if costs else {}
    return costs, [[p, f"{p}, plane", f"{p}, periodic plane"] for p in ("f32", "mixed", "f64")]


def rows_of(name, text, sizes, fastest):
    """(words, slots, the rows at these sizes) of a rung, one for each space that it is for."""
    costs, labels = labels_of(text)
    for spaces in labels:
        there = [(words, [fastest.get((name, words, n)) for n in sizes]) for words in spaces]
        there = [(words, rows) for words, rows in there if all(rows)]
        if there:
            # What is for the plane is shown there.
            return [(words, SLOTS_OF.get(words, float(costs.get(spaces[0], 0))), rows) for words, rows in there[1:] or there]
    return []


def link(device, number, base=""):
    """Link to the section of a rung, from a page in the folder of the course, or with `base` from elsewhere."""
    name, path, *_ = rungs_of(device)[number]
    page = next(lesson.page for lesson in LESSONS if lesson.device == device and number in lesson.rungs)
    return f"[{name}]({base}{page}.md#{anchor(heading(name, path))})"


def overview():
    """One line per rung on a GPU: the rate in its fastest precision of the first listed that it has."""
    fastest = best(measurements()["NVIDIA H200"])
    lines = ["| GPU rung | precision | slots needed | slots passed | of its limit | " + " | ".join(f"G/s, N = {n}" for n in (FEW, MANY)) + " |",
             "|---|---|---|---|---|---|---|"]
    for number, (name, _, _, text) in rungs_of("cuda").items():
        for words, need, rows in rows_of(name, text, (FEW, MANY), fastest):
            part = rows[-1]["fraction_of_limit"]
            lines.append(f"| {number} {link('cuda', number, 'ladder/')} | {words} | {need:g} | {need / part:.1f} | {100 * part:.0f} % | " + " | ".join(map(rate, rows)) + " |")
    return "\n".join(lines)


def percent(part):
    return f"{100 * part:.0f} %" if part > 0.01 else f"{100 * part:.1f} %"


# Figures of a lesson -----------------------------------------------------------------------------------------------------------------------

def measured_at(lesson):
    """(device, N) of the figures of a lesson on direct kernels."""
    return ("AMD EPYC", 16384) if lesson.device == "cpu" else ("NVIDIA H200", FEW if lesson.page == "09-few-bodies" else MANY)


def figures_of(lesson, number):
    """[(words on what is measured, figure, fraction of the limit)] of a rung: for the tables of lessons."""
    name, _, _, text = rungs_of(lesson.device)[number]
    if lesson.device == "steps":
        return steps_figure(name)
    where, n = measured_at(lesson)
    found = rows_of(name, text, (n,), best(measurements()[where]))
    return [(f"{words}, N = {n}", rate(rows[0]) + " G/s", rows[0]["fraction_of_limit"]) for words, _, rows in found]


def steps_figure(name):
    """Steps per second where a kernel of fused steps is used: of 10000 systems, or of the size at which no other one is faster."""
    many = [r for r in load("nvidia-h200/ensemble.json") if r["kernel"] == name and r["precision"] == "f32"]
    if many:
        row = many[0]
        return [(f"f32, {row['systems']} systems of N = {row['n']}", f"{row['steps_per_second'] / row['systems']:,.0f} steps/s each", row["fraction_of_limit"])]
    rows = {r["n"]: r for r in load("nvidia-h200/steps-f32.json") if r["kernel"] == name}
    n = {"cuda/block-steps": 64, "cuda/cluster-steps": 256, "cuda/grid-steps": 4096, "cuda/symmetric-steps": 16384}.get(name)
    return [(f"f32, N = {n}", f"{rows[n]['steps_per_second']:,.0f} steps/s", rows[n]["fraction_of_limit"])] if n in rows else []


def table_of_rungs(lesson):
    lines = ["| rung | measured | figure | of its limit |", "|---|---|---|---|"]
    for number in lesson.rungs:
        name, path, *_ = rungs_of(lesson.device)[number]
        where = f"{number} [{name}](#{anchor(heading(name, path))})"
        for words, figure, part in figures_of(lesson, number) or [("see below", "", None)]:
            lines.append(f"| {where} | {words} | {figure} | {'' if part is None else percent(part)} |")
    return "\n".join(lines)


def way(lesson):
    """Links to the lessons before and after, and the time that this one takes."""
    at = LESSONS.index(lesson)
    before = f"[Lesson {at}: {LESSONS[at - 1].title}]({LESSONS[at - 1].page}.md) | " if at else ""
    after = f" | [Lesson {at + 2}: {LESSONS[at + 1].title}]({LESSONS[at + 1].page}.md)" if at + 1 < len(LESSONS) else ""
    return f"{before}[The ladder](../ladder.md){after} | {lesson.minutes} minutes"


def table_of_lessons():
    """The lessons with the figures of their rungs."""
    lines = ["| lesson | minutes | its rungs: measured rate, fraction of the rung's limit |", "|---|---|---|"]
    for at, lesson in enumerate(LESSONS, 1):
        cells = []
        for number in lesson.rungs:
            short = rungs_of(lesson.device)[number][0].split("/")[1]
            own = figures_of(lesson, number)
            cells.append(f"{number} {short}" + (f" {own[-1][1]}, {percent(own[-1][2])}" if own else ""))
        lines.append(f"| {at}. [{lesson.title}](ladder/{lesson.page}.md) | {lesson.minutes} | {'; '.join(cells) or 'decomposition, exchange, scaling'} |")
    return "\n".join(lines)


def time_of_course():
    return f"{round(sum(lesson.minutes for lesson in LESSONS) / 60)}"


def parts():
    """What each page of the course gets, by the names of its markers."""
    pages = {"docs/ladder.md": {"table: lessons": table_of_lessons(), "table: all rungs": overview(), "figure: hours": time_of_course()}}
    for device in ("cpu", "cuda", "steps"):
        taught = sorted(number for lesson in LESSONS if lesson.device == device for number in lesson.rungs)
        assert taught == sorted(rungs_of(device)), f"each {device} rung stands in one lesson"
        for number, (name, _, _, text) in rungs_of(device).items():
            listed = int(re.search(r"\.rung = (\d+)", text)[1]) % 100
            assert listed == number, f"{name} is number {number} by its file, and {listed} in pleiad bench --list"
    for lesson in LESSONS:
        page = pages.setdefault(os.path.join(FOLDER, lesson.page + ".md"), {"table: way": way(lesson)})
        if lesson.rungs:
            page["table: rungs"] = table_of_rungs(lesson)
        for number in lesson.rungs:
            page[f"rungs: {lesson.device} {number}"] = sections_of(lesson.device)[number]
    pages["docs/ladder/14-several-gpus.md"].update(multi_gpu.parts())
    return pages
