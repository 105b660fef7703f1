"""The C++ and C reference, from the doc comments of the public headers: ```{header} forces.hpp``` in a page.

A header is written to be read: its structs with a word at each field, its functions with the sentences above them.
The reference shows just that. A type or function is a section of its own name; overloads that share a comment and
declarations that follow each other without a blank line stay together. Bodies and private members are left out.

SPDX-FileCopyrightText: Pleiad contributors
SPDX-License-Identifier: Apache-2.0
"""
import os
import re
import textwrap
from dataclasses import dataclass, field

from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

logger = logging.getLogger(__name__)

@dataclass
class Item:
    """A declaration, or several that belong together, with the comment above them."""

    comment: list = field(default_factory=list)
    code: list = field(default_factory=list)

    def text(self):
        return textwrap.dedent("\n".join(self.code)).strip("\n")

    def names(self):
        """Of what it declares, each once, in order."""
        found = [name_of(declaration) for declaration in declarations(uncommented(self.text()))]
        return list(dict.fromkeys(name for name in found if name))

    def is_class(self):
        return bool(re.match(r"(template <[^\n]*>\n)?class \w+[^;]*\{", self.text()))


def uncommented(code):
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", code, flags=re.DOTALL)


def without_template(declaration):
    """What follows `template <...>`."""
    while declaration.startswith("template"):
        depth, at = 0, declaration.index("<")
        while True:
            depth += {"<": 1, ">": -1}.get(declaration[at], 0)
            at += 1
            if depth == 0:
                break
        declaration = declaration[at:].lstrip()
    return declaration


def name_of(declaration):
    declaration = without_template(declaration.strip())
    if found := re.match(r"(?:class|struct|concept|enum class|enum|using|typedef struct|typedef enum)\s+(?:alignas\(.*?\)\)\s+)?(\w+)", declaration):
        return found.group(1)
    if found := re.match(r"typedef [^;]*\(\*(\w+)\)", declaration):
        return found.group(1)
    head = re.sub(r"requires\s*\(.*?\)\s*(?=\w+\()", "", declaration, flags=re.DOTALL)
    if found := re.search(r"(operator\s*(?:\(\)|\[\]|[^\s\w(]+)|~?\w+)\s*\(", head.split("=")[0] if "operator" not in head else head):
        return found.group(1)
    found = re.search(r"(\w+)\s*(?:=|\{|;|$)", declaration)
    return found.group(1) if found else ""


def declarations(code):
    """Each piece of code that ends with a `;` or a `}` outside of any bracket."""
    depth, start, found = 0, 0, []
    for at, letter in enumerate(code):
        depth += {"{": 1, "(": 1, "[": 1, "}": -1, ")": -1, "]": -1}.get(letter, 0)
        ends = letter == ";" or (letter == "}" and not re.match(r"\s*[;,\w(=]", code[at + 1:at + 40].split("\n")[0] or " "))
        if depth == 0 and ends:
            found.append(code[start:at + 1].strip())
            start = at + 1
    return [declaration for declaration in found if declaration.strip(";")]


def without_bodies(code):
    """Functions end with their `;`, and constructors before what they initialise."""
    out, at = "", 0
    while at < len(code):
        letter = code[at]
        before = out.rstrip()
        if letter == "{" and re.search(r"(\)|\bconst|\bnoexcept)$", before) and not re.search(r"(struct|class|enum)\b[^;{}]*$", before):
            depth = 0
            while True:
                depth += {"{": 1, "}": -1}.get(code[at], 0)
                at += 1
                if depth == 0:
                    break
            out = re.sub(r"\)\s*:\s(?:[^;{}]|\{[^{}]*\})*$", ")", before) + ";"
            continue
        out += letter
        at += 1
    return out


def items(code):
    """The items of a scope, in order."""
    found, current, depth = [], Item(), 0
    for line in code.splitlines():
        bare = line.strip()
        plain = uncommented(line)
        told = bare.startswith("///")
        if depth == 0 and (not bare or bare.startswith("// ") or (told and current.code)):
            found, current = (found + [current] if current.code else found), Item()
        if depth == 0 and told:
            current.comment.append(bare[3:].strip())
        elif depth > 0 or (bare and not bare.startswith("// ")):
            current.code.append(line)
        depth += sum(plain.count(b) for b in "{(") - sum(plain.count(b) for b in "})")
    return found + ([current] if current.code else [])


def public_members(item):
    """What is in a class's braces after `public:` and before `private:`."""
    text = item.text()
    inside = text[text.index("{") + 1:text.rindex("}")]
    inside = inside.split("\n private:")[0]
    return items(textwrap.dedent(inside.split(" public:\n", 1)[1]))


@dataclass
class Header:
    name: str
    idea: list
    items: list


def read(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if path.endswith(".h"):
        return read_c(os.path.basename(path), text)
    idea = [line[3:].strip() for line in re.match(r"(///[^\n]*\n)+", text).group(0).splitlines()]
    body = "\n".join(part.group(1) for part in re.finditer(r"^namespace pleiad \{\n(.*?)^\}  // namespace pleiad$", text, re.DOTALL | re.MULTILINE))
    return Header(os.path.basename(path), idea, [item for item in items(without_bodies(body)) if not is_forward(item)])


def is_forward(item):
    """A name that another header defines."""
    return re.fullmatch(r"((class|struct) \w+;\s*)+|namespace .*", uncommented(item.text()), re.DOTALL) is not None


def read_c(name, text):
    """C has comments /* above */ what they tell of."""
    opening = re.match(r"/\*\*(.*?)\*/", text, re.DOTALL).group(1)
    idea = [re.sub(r"^ \* ?", "", line).strip() for line in opening.strip().splitlines()]
    body = text[text.index('extern "C" {'):].split("\n", 2)[2].rsplit("#ifdef __cplusplus", 1)[0]
    body = re.sub(r"^/\* ?(.*?) ?\*/$", lambda m: "\n".join("/// " + line.strip(" *") for line in m.group(1).splitlines()), body, flags=re.DOTALL | re.MULTILINE)
    return Header(name, idea, items(body))


# Pages ----------------------------------------------------------------------------------------------------------------------------------

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
        section = self.section(title, nodes.literal("", f"#include <pleiad/{name}>"))
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
