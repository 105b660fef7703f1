"""The pictures of docs/solvers.md: the cells of a tree of clustered bodies, and the cells and bodies that act on one body."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import math
import random
from collections import namedtuple

from svg import FAINT, INK, LINE, PALE, SOURCE, TARGET, WASTE, Canvas

LEAF, THETA = 8, 0.7
# The centre of mass is that of the bodies below; r is the radius of the sphere about it that contains them.
Cell = namedtuple("Cell", "x y side bodies parts centre r")


def bodies():
    """Two clumps and a thin background in the plane: surface densities of Plummer spheres, whose radius is a sqrt(u / (1 - u))."""
    draw = random.Random(5)
    found = []
    for n, x, y, a in ((300, 0.36, 0.42, 0.05), (120, 0.76, 0.7, 0.02)):
        while n:
            u, angle = draw.random(), 2 * math.pi * draw.random()
            r = a * math.sqrt(u / (1 - u))
            at = (x + r * math.cos(angle), y + r * math.sin(angle))
            if r < 6 * a and 0 < at[0] < 1 and 0 < at[1] < 1:
                found.append(at)
                n -= 1
    return found + [(draw.random(), draw.random()) for _ in range(40)]


def cell(x, y, side, inside):
    """The cell of a square and, where it has more than LEAF bodies, of its four parts; without bodies nothing."""
    if not inside:
        return None
    centre = tuple(sum(b[k] for b in inside) / len(inside) for k in (0, 1))
    half, parts = side / 2, []
    if len(inside) > LEAF:
        for px in (x, x + half):
            for py in (y, y + half):
                own = [b for b in inside if (b[0] >= x + half) == (px > x) and (b[1] >= y + half) == (py > y)]
                parts += [part for part in [cell(px, py, half, own)] if part]
    return Cell(x, y, side, inside, parts, centre, max(math.dist(b, centre) for b in inside))


def walk(at, body, cells, direct):
    """The Barnes-Hut walk of one body with the criterion `spheres`: a cell acts as a whole where R > r / theta."""
    if math.dist(at.centre, body) > at.r / THETA:
        cells.append(at)
    elif at.parts:
        for part in at.parts:
            walk(part, body, cells, direct)
    else:
        direct += [b for b in at.bodies if b != body]


def leaves(at):
    return [leaf for part in at.parts for leaf in leaves(part)] if at.parts else [at]


def picture():
    all_bodies = bodies()
    root = cell(0, 0, 1, all_bodies)
    body = min(all_bodies, key=lambda b: math.dist(b, (0.44, 0.47)))
    cells, direct = [], []
    walk(root, body, cells, direct)
    assert sum(len(c.bodies) for c in cells) + len(direct) + 1 == len(all_bodies), "each body acts once"
    c = Canvas(720, 420, "The cells of a tree of clustered bodies, and the cells and bodies that act on one of them")
    for left, title in ((16, "the cells: at most 8 bodies in a leaf"), (370, "what acts on one body, theta = 0.7")):
        c.text(left, 26, title, 13, bold=True)
        c.rect(left, 38, 334, 334, "none", FAINT)
    at = lambda left, p: (left + 334 * p[0], 38 + 334 * p[1])  # noqa: E731
    for leaf in leaves(root):
        c.rect(*at(16, (leaf.x, leaf.y)), 334 * leaf.side, 334 * leaf.side, "none", LINE, round=0)
    for b in all_bodies:
        c.circle(*at(16, b), 1.4, INK)
    for each in cells:
        c.rect(*at(370, (each.x, each.y)), 334 * each.side, 334 * each.side, PALE[TARGET], TARGET, round=0)
    for each in cells:
        c.circle(*at(370, each.centre), min(1.2 + 0.35 * len(each.bodies) ** 0.5, 5), TARGET)
    for b in direct:
        c.circle(*at(370, b), 1.8, SOURCE)
    c.circle(*at(370, body), 4, WASTE)
    c.text(16, 394, f"{len(all_bodies)} bodies in {len(leaves(root))} leaves", 12, FAINT)
    c.text(370, 394, f"{len(cells)} cells (blue, at their centres of mass)", 12, TARGET)
    c.text(370, 410, f"and {len(direct)} near bodies (orange) instead of {len(all_bodies) - 1}", 12, SOURCE)
    return c


def pictures():
    return {"docs/solvers-tree.svg": picture().svg()}
