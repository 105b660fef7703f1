"""Links from a document to a file or folder of the repository: on the site each of these becomes a page.

In the documents they are ordinary relative links, which a code host follows. Here a linked source file is shown
with colours, a linked folder as the list of its files, each under its path in the repository.

SPDX-FileCopyrightText: Pleiad contributors
SPDX-License-Identifier: Apache-2.0
"""
import os
import posixpath
import re
from html import escape

from docutils import nodes
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import TextLexer, get_lexer_for_filename
from pygments.util import ClassNotFound
from sphinx import addnodes
from sphinx.transforms import SphinxTransform

LEXERS = {".cu": "x.cpp", ".ipp": "x.cpp", ".h": "x.c"}
PLAIN = {".csv", ".txt", ".json", ".gp", ".log"}


class LinksToSources(SphinxTransform):
    """What MyST takes for downloads (files) or does not know (folders) leads to pages; pictures are downloads."""

    default_priority = 500

    def apply(self, **kwargs):
        for node in [*self.document.findall(addnodes.download_reference), *self.document.findall(addnodes.pending_xref)]:
            path = posixpath.normpath(posixpath.join(posixpath.dirname(self.env.docname), node["reftarget"]))
            file = os.path.join(self.env.srcdir, path)
            is_link = is_text(file) if isinstance(node, addnodes.download_reference) else node.get("reftype") == "myst" and os.path.isdir(file)
            # docs/ladder is a document, beside which lies the folder of its lessons.
            if is_link and not path.startswith("..") and path not in self.env.found_docs:
                node.replace_self(reference_to(self.app, self.env, self.env.docname, path, node.children))


def reference_to(app, env, docname, path, children):
    """A reference from a document to the page of a path of the repository, which will be made."""
    if path + "/README" in env.found_docs:
        path += "/README"
    else:
        env.repository_pages.setdefault(docname, set()).add(path)
    reference = nodes.reference("", "", *children, internal=True)
    reference["refuri"] = app.builder.get_relative_uri(docname, path)
    return reference


def titles_for_paths(app, doctree, docname):
    """A link that shows a document's path, as a code host's readers expect, shows its title."""
    for node in doctree.findall(nodes.reference):
        if node.get("internal") and re.fullmatch(r"[\w./-]+\.md", node.astext()):
            page = posixpath.normpath(posixpath.join(posixpath.dirname(docname), node.get("refuri", "").partition("#")[0]))
            target = page.removesuffix(".html")
            if target in app.env.titles:
                node.children = [nodes.Text(app.env.titles[target].astext())]


def begin(app, env, names):
    if not hasattr(env, "repository_pages"):
        env.repository_pages = {}


def forget(app, env, docname):
    getattr(env, "repository_pages", {}).pop(docname, None)


def code(file, path):
    with open(file, encoding="utf-8") as text:
        content = text.read()
    ending = os.path.splitext(path)[1]
    try:
        lexer = TextLexer() if ending in PLAIN else get_lexer_for_filename(LEXERS.get(ending, os.path.basename(path)))
    except ClassNotFound:
        lexer = TextLexer()
    return '<div class="highlight">' + highlight(content, lexer, HtmlFormatter(nowrap=False, linenos="inline", cssclass="source")) + "</div>"


def listing(app, env, folder, path, wanted):
    """The files of a folder, each a page too, and the names of its folders."""
    items = []
    for name in sorted(os.listdir(folder)):
        file, inner = os.path.join(folder, name), f"{path}/{name}"
        if os.path.isdir(file):
            items.append(f"<li>{name}/</li>")
        elif is_text(file):
            document = os.path.splitext(inner)[0]
            wanted.add(inner) if document not in env.found_docs else None
            target = app.builder.get_relative_uri(path, document if document in env.found_docs else inner)
            items.append(f'<li><a href="{target}">{name}</a> {idea(file)}</li>')
    return "<ul>" + "".join(items) + "</ul>"


def idea(file):
    """What a source file says of itself in its first lines."""
    with open(file, encoding="utf-8") as text:
        told = re.match(r"(?:/// ?.*\n)*", text.read()).group(0)
    return escape(re.sub(r"\s*/// ?", " ", told).strip().split(". ")[0])


def is_text(file):
    """A file that is no picture or archive; False for none."""
    if not os.path.isfile(file):
        return False
    with open(file, "rb") as content:
        return b"\0" not in content.read(4096)


def pages_of_sources(app):
    """A page for each file and folder that is linked, and for the files of these folders."""
    env = app.env
    wanted = set().union(*env.repository_pages.values())
    bodies = {}
    for path in sorted(wanted):
        file = os.path.join(env.srcdir, path)
        if os.path.isdir(file):
            bodies[path] = listing(app, env, file, path, wanted)
    for path in sorted(wanted - set(bodies)):
        file = os.path.join(env.srcdir, path)
        if is_text(file):
            bodies[path] = code(file, path)
    for path, body in bodies.items():
        yield path, {"title": path, "body": f"<h1><code>{path}</code></h1>{body}", "parents": []}, "page.html"


def setup(app):
    app.connect("env-before-read-docs", begin)
    app.connect("env-purge-doc", forget)
    app.connect("doctree-resolved", titles_for_paths)
    app.connect("html-collect-pages", pages_of_sources)
    app.add_transform(LinksToSources)
    return {"parallel_read_safe": False}
