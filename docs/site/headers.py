"""The C++ and C reference, from the doc comments of the public headers: ```{header} forces.hpp``` in a page.

A header is written to be read: its structs with a word at each field, its functions with the sentences above them.
The reference shows just that, each type and function in a section of its name.

SPDX-FileCopyrightText: Pleiad contributors
SPDX-License-Identifier: Apache-2.0
"""
import os
import re

from declarations import public_members, read
from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

logger = logging.getLogger(__name__)


def words(text):
    """Text with `code` in it."""
    return [nodes.literal(part, part) if k % 2 else nodes.Text(part) for k, part in enumerate(text.split("`"))]


def prose(lines):
    """Paragraphs of a comment."""
    paragraphs = [" ".join(p.split()) for p in re.split(r"\n\s*\n", "\n".join(lines)) if p.strip()]
    return [nodes.paragraph("", "", *words(p)) for p in paragraphs]


class HeaderDirective(SphinxDirective):
    """`{header} name`: everything that include/pleiad/name declares."""

    required_arguments = 1

    def run(self):
        name = self.arguments[0]
        path = os.path.join(self.env.srcdir, "include", "pleiad", name)
        self.env.note_dependency(path)
        self.env.shown_headers = getattr(self.env, "shown_headers", []) + [name]
        header = read(path)
        language = "c" if name.endswith(".h") else "cpp"
        title = re.sub(r"\W", "-", name)
        section = self.section(title, nodes.literal("", name))
        section += prose(header.idea)
        for item in header.items:
            section += self.item(item, title, language)
        return [section]

    def section(self, identity, *title):
        section = nodes.section(ids=[identity], names=[identity])
        section += nodes.title("", "", *title)
        return section

    def block(self, code, language):
        return nodes.literal_block(code, code, language=language)

    def item(self, item, prefix, language):
        names = item.names()
        section = self.section(prefix + "-" + "-".join(re.sub(r"\W+", "-", n) for n in names[:3]), *heading(names))
        if item.is_class():
            section += self.block(re.split(r"\s*\{", item.text())[0] + ";", language)
            section += prose(item.comment)
            for member in public_members(item):
                entry = nodes.container(classes=["member"])
                entry += self.block(member.text(), language)
                entry += prose(member.comment)
                section += entry
        else:
            section += self.block(item.text(), language)
            section += prose(item.comment)
        return section


def heading(names):
    parts = []
    for name in names[:3]:
        parts += [nodes.Text(", ")] if parts else []
        parts.append(nodes.literal("", name))
    return parts + ([nodes.Text(" ...")] if len(names) > 3 else [])


def every_header_once(app, env):
    """A public header that no page shows, or two do, is a warning."""
    there = sorted(name for name in os.listdir(os.path.join(env.srcdir, "include", "pleiad")) if re.search(r"\.hp*$", name) and name != "pleiad.hpp")
    if sorted(env.shown_headers) != there:
        logger.warning("the reference shows %s, and include/pleiad has %s", sorted(env.shown_headers), there)


def setup(app):
    app.add_directive("header", HeaderDirective)
    app.connect("env-check-consistency", every_header_once)
    return {"parallel_read_safe": True}
