"""The gallery: every problem and every Python example with the picture that it made.

tools/make_site runs them; their pictures lie in `gallery_folder`. Titles and words are the first ones of a problem's
README and of an example's docstring.

SPDX-FileCopyrightText: Pleiad contributors
SPDX-License-Identifier: Apache-2.0
"""
import ast
import glob
import os
import re

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

import repository
from headers import prose


LINK = "\x01"  # between the text and the document of a link, while words are made into nodes
ABSENT = "Its picture is not here: where this page was made, the program that makes it was not built."


def problems(root):
    """(name, title, first paragraph, document) in the order of problems/README.md."""
    with open(os.path.join(root, "problems", "README.md"), encoding="utf-8") as text:
        names = re.findall(r"^\| \[[^]]*\]\(([\w-]+)/README\.md\)", text.read(), re.MULTILINE)
    for name in names:
        path = f"problems/{name}/README"
        with open(os.path.join(root, path + ".md"), encoding="utf-8") as text:
            title, words = re.match(r"# ([^\n]+)\n+((?:[^\n]+\n)+)", re.sub(r"<!--.*?-->\n", "", text.read())).groups()
        yield name, title, words, path


def examples(root):
    """The same of python/examples: a docstring's first sentence, and the paragraph after its command."""
    for path in sorted(glob.glob(os.path.join(root, "python", "examples", "*.py"))):
        with open(path, encoding="utf-8") as text:
            told = ast.get_docstring(ast.parse(text.read())) or os.path.basename(path)
        title, *paragraphs = told.split("\n\n")
        words = next((paragraph for paragraph in paragraphs if not paragraph.startswith(" ")), "")
        yield os.path.splitext(os.path.basename(path))[0], " ".join(title.split()).rstrip("."), words, os.path.relpath(path, root)


class Gallery(SphinxDirective):
    """`{gallery} problems` or `{gallery} examples`."""

    required_arguments = 1

    def run(self):
        kind = {"problems": problems, "examples": examples}[self.arguments[0]]
        entries = [self.entry(*one) for one in kind(self.env.srcdir)]
        return entries or [nodes.paragraph("", "There is none in this copy of the source.")]

    def entry(self, name, title, words, path):
        section = nodes.section(ids=["gallery-" + name], names=["gallery-" + name])
        section += nodes.title("", title)
        if words:
            section += self.paragraphs(re.sub(r":$", ".", words.strip().replace("``", "`")), path)
        where = nodes.literal("", path if path.endswith(".py") else f"problems/{name}")
        if path.endswith(".py"):
            reference = repository.reference_to(self.env.app, self.env, self.env.docname, path, [where])
        else:
            reference = nodes.reference("", "", where, internal=True, refuri=self.env.app.builder.get_relative_uri(self.env.docname, path))
        section += nodes.paragraph("", "How it is made: ", reference)
        picture = os.path.join(self.config.gallery_folder, name + ".png")
        if os.path.exists(os.path.join(self.env.srcdir, picture)):
            section += nodes.image(uri="/" + picture, alt=title, classes=["gallery"])
        elif os.path.exists(os.path.join(self.env.srcdir, "docs", "gallery", name + ".png")):
            section += nodes.image(uri=f"/docs/gallery/{name}.png", alt=title, classes=["gallery"])
        else:
            section += nodes.paragraph("", "", nodes.emphasis("", ABSENT))
        return section

    def paragraphs(self, words, path):
        """`words`, in which [text](document.md) leads to that document, by its place beside `path`."""
        made = prose([re.sub(r"\[([^]]*)\]\(([^)#]*)\.md\)", rf"`\1{LINK}\2`", words)])
        for literal in [one for paragraph in made for one in paragraph.findall(nodes.literal) if LINK in one.astext()]:
            text, target = literal.astext().split(LINK)
            document = os.path.normpath(os.path.join(os.path.dirname(path), target))
            uri = self.env.app.builder.get_relative_uri(self.env.docname, document)
            literal.parent.replace(literal, nodes.reference("", text, internal=True, refuri=uri))
        return made


def setup(app):
    app.add_config_value("gallery_folder", "build/gallery", "html")
    app.add_directive("gallery", Gallery)
    return {"parallel_read_safe": True}
