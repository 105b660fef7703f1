"""Diagrams of how the square of pairs is divided among threads, blocks, processors and steps."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
from svg import FAINT, IDLE, LINE, PALE, SOURCE, SUM, TARGET, WASTE, Canvas

ROUNDS = (TARGET, SOURCE, SUM, WASTE, "#7a52a8", "#1f8a8a", "#8a6d1f")


def square(c, x, y, n, size, of):
    """A square of n x n fields; of(row, column) is the colour of one, or nothing."""
    for row in range(n):
        for column in range(n):
            color = of(row, column)
            c.rect(x + size * column, y + size * row, size - 1, size - 1, color or IDLE, round=1)


def round_of(a, b, teams=8):
    """In which round of the tournament two of eight teams play: one stays, the others rotate."""
    a, b = min(a, b), max(a, b)
    return (2 * a) % (teams - 1) if b == teams - 1 else (a + b) % (teams - 1)


def threads_and_pairs():
    c = Canvas(720, 260, "Rows of targets for threads; a tournament of blocks for symmetric pairs")
    c.text(16, 26, "one-sided: a thread has rows of targets", bold=True)
    square(c, 60, 50, 8, 22, lambda row, column: (PALE[TARGET], PALE[SOURCE])[row // 4])
    c.text(148, 44, "sources", 11, FAINT, "middle")
    c.text(20, 142, "targets", 11, FAINT)
    c.text(60, 246, "two threads: every sum has one owner", 12, FAINT)
    c.text(320, 26, "each pair once: a tournament of blocks", bold=True)
    square(c, 340, 50, 8, 22, lambda row, column: ROUNDS[round_of(row, column)] if row < column else (LINE if row == column else None))
    for k, line in enumerate(("7 rounds (colours),", "4 matches each.", "A block occurs once", "in a round: no two", "threads add to the", "same body.", "The lower half is the", "same pairs again.")):
        c.text(530, 66 + 18 * k, line, 12)
    c.text(340, 246, "grey diagonal: pairs within a block", 12, FAINT)
    return c


def few_bodies():
    c = Canvas(720, 290, "The square of targets and sources, divided by targets, within a warp, or by pages of sources")
    four = (PALE[TARGET], PALE[SOURCE], PALE[SUM], PALE[WASTE])
    for x, title, of, words in (
            (30, "rungs 1 to 12", lambda r, s: four[r // 2 % 4], ("a block has rows:", "16 blocks at N = 4096")),
            (265, "13 threads-per-body", lambda r, s: four[s % 4], ("T = 4 threads share a target:", "every 4th source each,", "partial sums by shuffles")),
            (500, "14, 15 split", lambda r, s: four[2 * (r // 4) + s // 2 % 2],
             ("a block has some rows and", "every S-th page of sources;", "then atomics, or a 2nd kernel"))):
        c.text(x, 26, title, 13, bold=True)
        square(c, x, 44, 8, 22, of)
        for k, line in enumerate(words):
            c.text(x, 240 + 16 * k, line, 12, FAINT)
    return c


def published_kernels():
    c = Canvas(720, 240, "Five kernels: how a source reaches a thread, and what sets the size of the grid")
    for x, text in ((210, "global memory"), (380, "tile in shared memory"), (550, "shuffles in a warp")):
        c.text(x + 75, 40, text, 13, anchor="middle", bold=True)
    for y, text in ((56, "grid follows from N"), (136, "grid of fixed size")):
        c.text(190, y + 38, text, 13, anchor="end", bold=True)
    for x, y, kind, name, plain in ((210, 56, TARGET, "23 naive-forces", "rung 1"), (380, 56, SOURCE, "24 tile-forces", "rung 2"), (210, 136, TARGET, "25 grid-stride-forces", "rung 3"),
                                    (380, 136, SOURCE, "26 grid-stride-tile-forces", "rung 4"), (550, 136, SUM, "27 shuffle-forces", "rung 5")):
        c.cell(x, y, 160, 66, kind)
        c.text(x + 80, y + 30, name, 12, anchor="middle")
        c.text(x + 80, y + 50, "as " + plain, 12, FAINT, "middle")
    c.rect(550, 56, 160, 66, "none", LINE)
    c.text(16, 228, "All five: forces G m_i m_j d / r^3 instead of accelerations; four arrays instead of 16-byte records", 12, FAINT)
    return c


def pairs():
    c = Canvas(720, 330, "A warp with 32 K targets in registers; 32 sources and their sums rotate through the lanes")
    c.text(16, 26, "each pair of blocks once", bold=True)
    square(c, 30, 44, 8, 22, lambda r, s: PALE[TARGET] if s > r else (PALE[SUM] if s == r else None))
    c.text(30, 240, "17 slots a pair instead of", 12, FAINT)
    c.text(30, 256, "2 x 13: 8.5 an interaction", 12, FAINT)
    c.text(260, 26, "step c: lane l computes with source (l + c) mod 32", bold=True)
    for k in range(8):
        x = 270 + 54 * k
        name = str(k) if k < 7 else "31"
        c.text(x + 23, 54, f"lane {name}", 11, FAINT, "middle")
        c.cell(x, 62, 46, 26, TARGET, f"t{name} x K", 11)
        c.cell(x, 92, 46, 26, SUM, f"a{name} x K", 11)
        c.arrow(x + 23, 158, x + 23, 122, SOURCE)
        c.cell(x, 160, 46, 26, SOURCE, f"s{name}+c", 11)
        c.cell(x, 190, 46, 26, SUM, f"b{name}+c", 11)
        if k:
            c.arrow(x + 14, 232, x - 22, 232, SUM)
    c.text(270, 254, "the sum of a source moves on by 3 shuffles, for x, y and z", 12, SUM)
    c.text(270, 278, "after 32 steps each source has met 32 K targets; both sums go to", 12, FAINT)
    c.text(270, 294, "memory: as floats in any order (28), or as 64-bit integers (29)", 12, FAINT)
    c.text(270, 318, "t: targets in registers, a: their sums; s: sources, b: their sums", 11, FAINT)
    return c


def several_gpus():
    c = Canvas(720, 280, "Pairs divided among four GPUs by targets, by sources, or by pairs of blocks")
    four = (TARGET, SOURCE, SUM, WASTE)
    for x, title, of, words in (
            (30, "by targets", lambda r, s: PALE[four[r // 2]], ("each GPU needs all positions;", "sums are complete:", "the bits of one GPU")),
            (265, "by sources", lambda r, s: PALE[four[s // 2]], ("each GPU needs its own sources;", "partial sums of all targets are", "added remotely, in any order")),
            (500, "by pairs of blocks", lambda r, s: PALE[four[(r * 8 - r * (r - 1) // 2 + s - r) % 4]] if s >= r else None,
             ("every 4th pair of blocks;", "integer sums to the owners:", "the bits of one GPU"))):
        c.text(x, 26, title, 13, bold=True)
        square(c, x, 44, 8, 22, of)
        for k, line in enumerate(words):
            c.text(x, 238 + 16 * k, line, 12, FAINT)
    return c


def fused_steps():
    c = Canvas(720, 300, "Time of steps with a launch for each kernel, and of fused steps in one launch")
    c.text(16, 26, "separate launches: forces, then kick and drift", bold=True)
    x = 16
    for _ in range(3):
        for width, kind, text in ((30, WASTE, ""), (110, TARGET, "forces"), (30, WASTE, ""), (50, SUM, "update")):
            c.cell(x, 38, width - 2, 30, kind, text, 11)
            x += width
    c.text(16, 88, "red: start and end of a launch, some microseconds: longer than the forces of few bodies", 12, WASTE)
    c.text(16, 124, "fused: one launch, many steps; only a wait for the other threads between them", bold=True)
    x = 16
    c.cell(x, 136, 28, 30, WASTE)
    x += 30
    for _ in range(4):
        for width, kind, text in ((100, TARGET, "forces"), (10, IDLE, ""), (48, SUM, "update"), (10, IDLE, "")):
            c.cell(x, 136, width - 2, 30, kind, text, 11)
            x += width
    c.text(16, 202, "who takes part, and how threads wait", bold=True)
    for x, name, words in ((16, "1 block-steps", ("one multiprocessor,", "barrier of a block")), (192, "2 cluster-steps", ("16 multiprocessors,", "positions are sent")),
                           (368, "3 grid-steps", ("all multiprocessors,", "readers poll positions")), (544, "4 symmetric-steps", ("all, each pair once,", "barrier of the grid"))):
        c.cell(x, 212, 160, 72, TARGET)
        c.text(x + 80, 234, name, 13, anchor="middle", bold=True)
        for k, line in enumerate(words):
            c.text(x + 80, 254 + 16 * k, line, 12, FAINT, "middle")
    return c


def ensembles():
    c = Canvas(720, 270, "A warp for each small system, or a block for each larger one")
    c.text(16, 26, "warp-ensemble: one system a warp, up to 128 bodies, without barriers", bold=True)
    for k in range(8):
        x = 16 + 88 * k
        c.rect(x, 38, 80, 62, PALE[TARGET], TARGET)
        c.text(x + 40, 54, f"warp {k}", 11, FAINT, "middle")
        for b in range(9):
            c.circle(x + 16 + 24 * (b % 3) + 5 * (b % 2), 66 + 12 * (b // 3), 3, ROUNDS[k % 7])
    c.text(16, 132, "each lane keeps one body of each 32 in registers; a pair is computed once", 12, FAINT)
    c.text(16, 172, "block-ensemble: one system a block, for more than 128 bodies", bold=True)
    for k in range(2):
        x = 16 + 352 * k
        c.rect(x, 184, 340, 54, PALE[SUM], SUM)
        for b in range(26):
            c.circle(x + 16 + 12.5 * b, 211 + (7 * b % 5 - 2) * 6, 3, ROUNDS[k])
    c.text(16, 260, "every system has its own order of sums: its bits do not depend on its neighbours", 12, FAINT)
    return c


DIAGRAMS = {"02-threads-and-pairs": threads_and_pairs, "09-few-bodies": few_bodies, "11-published-kernels": published_kernels, "12-pairs": pairs,
            "14-several-gpus": several_gpus, "15-fused-steps": fused_steps, "16-ensembles": ensembles}
