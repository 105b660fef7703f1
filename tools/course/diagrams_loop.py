"""Diagrams of what happens in a kernel's loop: where a source comes from and what an interaction costs."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
from svg import FAINT, IDLE, LINE, PALE, SOURCE, SUM, TARGET, WASTE, Canvas


def vectors():
    c = Canvas(720, 250, "A scalar loop computes one interaction at a time; a vector computes one source with eight targets")
    c.text(16, 26, "scalar: one interaction an instruction", bold=True)
    c.cell(40, 44, 60, 30, SOURCE, "x_j")
    c.arrow(104, 59, 146, 59)
    c.cell(150, 44, 60, 30, TARGET, "x_i")
    c.arrow(214, 59, 256, 59)
    c.cell(260, 44, 60, 30, SUM, "a_i")
    c.text(340, 64, "12 operations for each of N x N interactions", 12, FAINT)
    c.text(16, 112, "vector: one source, eight targets an instruction (AVX2, single precision)", bold=True)
    c.cell(40, 158, 60, 30, SOURCE, "x_j")
    c.text(70, 150, "broadcast", 11, FAINT, "middle")
    for k in range(8):
        x = 170 + 62 * k
        c.line(100, 173, x, 173, LINE, 1, "2 3")
        c.cell(x, 134, 56, 26, SOURCE, "x_j")
        c.cell(x, 164, 56, 26, TARGET, f"x_i+{k}" if k else "x_i")
        c.cell(x, 194, 56, 26, SUM, f"a_i+{k}" if k else "a_i")
    c.text(160, 238, "lanes: each adds to its own target, so no lane waits for another", 12, FAINT)
    return c


def one_thread_per_body():
    c = Canvas(720, 300, "A grid of blocks, blocks of warps, warps of 32 threads; each thread reads all sources")
    c.text(16, 26, "grid: N / 256 blocks", bold=True)
    for k in range(4):
        c.cell(16 + 54 * k, 38, 48, 34, TARGET, f"block {k}", 11)
    c.text(238, 60, "...")
    c.line(70, 72, 16, 104)
    c.line(118, 72, 330, 104)
    c.text(16, 122, "a block of 256 threads on one multiprocessor: 8 warps", 12, FAINT)
    for k in range(8):
        c.cell(16 + 40 * k, 132, 36, 30, TARGET, f"w{k}", 11)
    c.line(96, 162, 16, 194)
    c.line(132, 162, 330, 194)
    c.text(16, 212, "a warp: 32 threads, one instruction at a time", 12, FAINT)
    c.row(16, 222, 16, 18, 26, TARGET, gap=2)
    c.text(342, 240, "thread i: target x_i and its sum", 12, FAINT)
    c.rect(430, 38, 270, 60, PALE[SOURCE], SOURCE, "global memory: sources 0 ... N - 1", 13)
    c.rect(430, 128, 270, 40, IDLE, LINE, "first-level cache (L1) of the multiprocessor", 12)
    c.arrow(565, 98, 565, 126, SOURCE)
    c.arrow(430, 150, 340, 228, SOURCE)
    c.text(430, 200, "16 bytes for every interaction,", 12, WASTE)
    c.text(430, 216, "one read for a warp; the warp waits", 12, WASTE)
    c.text(16, 284, "16 blocks (N = 4096) give work to 16 of 132 multiprocessors", 12, FAINT)
    return c


def tiles():
    c = Canvas(720, 310, "A block copies a tile of sources to shared memory, then every thread reads it from there")
    c.text(16, 26, "1. each thread of the block copies one source of the tile", bold=True)
    c.text(16, 58, "global memory", 12, FAINT)
    c.row(130, 42, 22, 24, 24, SOURCE, gap=1)
    c.rect(128, 38, 202, 32, "none", WASTE)
    c.text(230, 88, "tile: 256 sources", 11, WASTE, "middle")
    for k in range(8):
        c.arrow(142 + 25 * k, 92, 142 + 25 * k, 116, SOURCE, 1)
    c.text(16, 136, "shared memory", 12, FAINT)
    c.row(130, 120, 8, 24, 24, SOURCE, gap=1)
    c.text(350, 136, "barrier: all copies have arrived", 12, WASTE)
    c.text(16, 180, "2. all threads read source j = 0, 1, 2, ... of the tile together (a broadcast)", bold=True)
    c.cell(231, 196, 24, 24, SOURCE, "j")
    for k in range(12):
        c.arrow(243, 220, 142 + 25 * k, 246, SOURCE, 1)
    c.text(16, 264, "threads", 12, FAINT)
    c.row(130, 248, 12, 24, 24, TARGET, gap=1)
    c.text(450, 264, "x_i and the sum stay in registers", 12, FAINT)
    c.text(16, 296, "3. barrier, next tile: global memory is read once a block, not once a thread", bold=True)
    return c


def shuffles():
    c = Canvas(720, 250, "Each lane of a warp holds one source in registers; in step j all lanes get the source of lane j")
    c.text(16, 26, "a warp: each lane keeps one target, and loads one of the next 32 sources", bold=True)
    for k in range(16):
        x = 110 + 36 * k
        c.text(x + 16, 52, f"{k}" if k < 15 else "31", 11, FAINT, "middle")
        c.cell(x, 60, 32, 26, SOURCE, f"s{k}" if k < 15 else "s31", 11)
        c.cell(x, 150, 32, 26, TARGET, f"t{k}" if k < 15 else "t31", 11)
        c.arrow(110 + 36 * 3 + 16, 88, x + 16, 146, SOURCE, 1)
    c.text(16, 78, "registers:", 12, FAINT)
    c.text(16, 168, "registers:", 12, FAINT)
    c.text(16, 118, "step j = 3:", 12, WASTE)
    c.text(16, 206, "4 shuffles a step (x, y, z, m), and no barrier of the block.", 13)
    c.text(16, 228, "An SM shuffles for one warp a clock but adds for four: 4 shuffles cost 16 slots, the pull 13.", 12, WASTE)
    return c


def unrolling():
    c = Canvas(720, 250, "Instructions of one interaction: the formula, the read of the source, and the loop")
    c.text(16, 26, "instructions an interaction (compiled code, sm_90)", bold=True)
    rows = (("2 cuda/tile", 13, 15.25), ("6 cuda/unroll", 13, 14.16), ("7 cuda/unroll-by-hand", 13, 16.06), ("8 cuda/ptx", 13, 16.06), ("21, 22 (whole pairs)", 13, 14.08))
    for k, (name, need, has) in enumerate(rows):
        y = 44 + 32 * k
        c.text(190, y + 17, name, 12, anchor="end")
        c.rect(200, y, 26 * need, 24, PALE[TARGET], TARGET, "13: the formula", 12)
        c.rect(200 + 26 * need, y, 26, 24, PALE[SOURCE], SOURCE, "1", 11)
        c.rect(200 + 26 * (need + 1), y, 26 * (has - need - 1), 24, PALE[WASTE], WASTE)
        c.text(208 + 26 * has, y + 17, f"{has:g}", 12)
    c.text(200, 228, "blue: arithmetic; orange: the shared-memory read; red: loop and addresses", 12, FAINT)
    return c


def memory():
    c = Canvas(720, 250, "A body as one record of 16 bytes, or its parts in four arrays")
    c.text(16, 26, "records (rungs 1 to 8): one 16-byte read brings a body", bold=True)
    for k in range(5):
        c.row(16 + 128 * k, 40, 4, 29, 28, SOURCE, [f"x{k}", f"y{k}", f"z{k}", f"m{k}"], 1)
    c.rect(142, 37, 123, 34, "none", TARGET)
    c.text(204, 88, "1 read", 12, TARGET, "middle")
    c.text(16, 122, "arrays (rung 9): four 4-byte reads bring a body", bold=True)
    for k, name in enumerate("xyzm"):
        y = 134 + 27 * k
        c.row(16, y, 8, 40, 22, SOURCE, [f"{name}{j}" for j in range(8)], 2)
        c.rect(57, y - 1, 42, 24, "none", WASTE)
    c.text(370, 168, "4 reads of a body: each of them costs", 12, WASTE)
    c.text(370, 184, "a slot of shared memory, like the 16-byte one", 12, WASTE)
    c.text(370, 212, "a CPU's vector needs 8 x in a row: arrays", 12, FAINT)
    return c


def registers():
    c = Canvas(720, 240, "One read of a source from shared memory serves four targets in registers")
    c.text(16, 26, "one target a thread: one read each", bold=True)
    c.cell(40, 70, 56, 28, SOURCE, "s_j")
    c.arrow(98, 84, 148, 84, SOURCE)
    c.cell(150, 70, 56, 28, TARGET, "t_0")
    c.text(40, 130, "13 + 1 read + 1.25 loop", 12, FAINT)
    c.text(40, 146, "= 15.25 instructions", 12, FAINT)
    c.line(306, 20, 306, 220)
    c.text(330, 26, "K = 4 targets a thread: one read for four", bold=True)
    c.cell(370, 96, 56, 28, SOURCE, "s_j")
    for k in range(4):
        c.arrow(428, 110, 498, 58 + 36 * k, SOURCE)
        c.cell(500, 44 + 36 * k, 56, 28, TARGET, f"t_{k}")
        c.cell(562, 44 + 36 * k, 56, 28, SUM, f"a_{k}")
    c.text(330, 208, "13 + 1/4 read + 0.08 loop = 13.33; four sums;", 12, FAINT)
    c.text(330, 224, "56 registers instead of 32, a quarter of the threads", 12, WASTE)
    return c


def formula():
    c = Canvas(720, 300, "Issue slots of an interaction in four forms of the formula")
    c.text(16, 26, "issue slots an interaction", bold=True)
    kinds = {"difference": TARGET, "square": SOURCE, "root": WASTE, "product": "#7a52a8", "sum": SUM}
    rows = (("2 cuda/tile", (3, 3, 1, 3, 3)), ("16 cuda/exact-root", (3, 3, 16, 1, 3)), ("17 cuda/fast-math", (3, 3, 6, 1, 3)), ("19 cuda/force", (3, 3, 1, 4, 3)),
            ("20 cuda/periodic-2d, plane", (2, 2, 1, 3, 2)), ("20 the same, periodic", (14, 2, 1, 3, 2)))
    for r, (name, counts) in enumerate(rows):
        y, x = 40 + 34 * r, 200
        c.text(190, y + 17, name, 12, anchor="end")
        for count, color in zip(counts, kinds.values()):
            for _ in range(count):
                c.rect(x, y, 14, 24, color, round=1)
                x += 16
        c.text(x + 6, y + 17, str(sum(counts)), 12)
    x = 200
    for name, color in kinds.items():
        c.rect(x, 256, 12, 12, color)
        c.text(x + 18, 267, name, 12, FAINT)
        x += 92
    c.text(16, 290, "16: root and division, at least 8 slots each; 17: two special functions at an eighth of the rate", 11, FAINT)
    return c


def precision():
    c = Canvas(720, 270, "A position in two floats, relative to the middle of a block of targets")
    c.text(16, 26, "a double in two floats: 47 bits", bold=True)
    c.rect(16, 40, 300, 28, PALE[TARGET], TARGET, "first float: 24 bits", 12)
    c.rect(318, 40, 300, 28, PALE[SOURCE], SOURCE, "rest: the next 23 bits", 12)
    c.text(16, 106, "once a tile, not once a pair: subtract the middle of the block's targets", bold=True)
    c.circle(60, 190, 4, WASTE)
    c.text(36, 212, "origin", 11, FAINT)
    for dx, dy in ((0, 0), (24, -14), (-20, 10), (14, 22), (-12, -22), (34, 10)):
        c.circle(400 + dx, 180 + dy, 5, TARGET)
    for dx, dy in ((120, -20), (134, 6), (110, 18), (150, -8)):
        c.circle(400 + dx, 180 + dy, 5, SOURCE)
    c.circle(405, 180, 3, WASTE)
    c.arrow(66, 190, 374, 182, LINE)
    c.text(150, 176, "large numbers: 24 bits are too few", 12, WASTE)
    c.arrow(408, 180, 506, 164, SUM, 2)
    c.text(352, 226, "small numbers: 24 bits are enough", 12, SUM)
    c.text(16, 254, "(x - middle) + rest is a float again: the loop over pairs is that of single precision, 7.5 slots", 12, FAINT)
    return c


DIAGRAMS = {"01-vectors": vectors, "03-one-thread-per-body": one_thread_per_body, "04-tiles": tiles, "05-shuffles": shuffles, "06-unrolling": unrolling,
            "07-memory": memory, "08-registers": registers, "10-formula": formula, "13-precision": precision}
