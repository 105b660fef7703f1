"""A small canvas for pictures of the documentation: shapes and words as SVG text, on a light ground that a dark page can show, too."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
from xml.sax.saxutils import escape

INK, FAINT, LINE, GROUND = "#1f2933", "#52606d", "#9aa5b1", "#fbfcfd"
TARGET, SOURCE, SUM, WASTE, IDLE = "#2f6fb0", "#d9822b", "#2f8f5b", "#c8453b", "#d8dee5"
PALE = {TARGET: "#d5e4f3", SOURCE: "#fae3ca", SUM: "#d3ecde", WASTE: "#f6d6d3", IDLE: "#eef1f4"}


class Canvas:
    """Shapes in pixels, y down. `words` is the description for those who do not see the picture."""

    def __init__(self, width, height, words):
        self.width, self.height, self.words, self.parts = width, height, words, []

    def rect(self, x, y, w, h, fill=IDLE, stroke=None, text="", size=12, color=INK, round=2):
        edge = f' stroke="{stroke}"' if stroke else ""
        self.parts.append(f'<rect x="{x:.5g}" y="{y:.5g}" width="{w:.5g}" height="{h:.5g}" rx="{round}" fill="{fill}"{edge}/>')
        if text:
            self.text(x + w / 2, y + h / 2 + 0.36 * size, text, size, color, "middle")

    def cell(self, x, y, w, h, kind, text="", size=12):
        """A box of one kind: target, source, sum, waste or idle."""
        self.rect(x, y, w, h, PALE[kind], kind if kind != IDLE else LINE, text, size)

    def row(self, x, y, n, w, h, kind, texts=None, gap=2, size=11):
        for k in range(n):
            self.cell(x + k * (w + gap), y, w, h, kind, texts[k] if texts else "", size)

    def text(self, x, y, text, size=13, color=INK, anchor="start", bold=False):
        weight = ' font-weight="600"' if bold else ""
        # Of the widest common font; a picture that fails this is cut at its edge somewhere.
        width = (0.66 if bold else 0.585) * size * len(text)
        begin = x - {"start": 0, "middle": width / 2, "end": width}[anchor]
        if begin < 0 or begin + width > self.width:
            raise ValueError(f"{self.words}: '{text}' does not fit: {begin:.0f} to {begin + width:.0f} of {self.width}")
        self.parts.append(f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{color}" text-anchor="{anchor}"{weight}>{escape(text)}</text>')

    def line(self, x1, y1, x2, y2, color=LINE, width=1.2, dash=""):
        style = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{color}" stroke-width="{width}"{style}/>')

    def arrow(self, x1, y1, x2, y2, color=FAINT, width=1.4):
        """A line with a head at its end."""
        length = max(((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5, 1e-9)
        ux, uy = (x2 - x1) / length, (y2 - y1) / length
        self.line(x1, y1, x2 - 5 * ux, y2 - 5 * uy, color, width)
        corners = [(x2, y2), (x2 - 8 * ux + 3.5 * uy, y2 - 8 * uy - 3.5 * ux), (x2 - 8 * ux - 3.5 * uy, y2 - 8 * uy + 3.5 * ux)]
        self.parts.append('<polygon points="' + " ".join(f"{x:.1f},{y:.1f}" for x, y in corners) + f'" fill="{color}"/>')

    def path(self, points, color, width=2):
        self.parts.append('<polyline points="' + " ".join(f"{x:.1f},{y:.1f}" for x, y in points) +
                          f'" fill="none" stroke="{color}" stroke-width="{width}" stroke-linejoin="round"/>')

    def circle(self, x, y, r, fill, stroke=None):
        edge = f' stroke="{stroke}"' if stroke else ""
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:g}" fill="{fill}"{edge}/>')

    def svg(self):
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" width="{self.width}" height="{self.height}" '
                f'font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif" role="img">\n<title>{escape(self.words)}</title>\n'
                f'<rect width="{self.width}" height="{self.height}" rx="6" fill="{GROUND}"/>\n' + "\n".join(self.parts) + "\n</svg>\n")
