"""What a public header declares: each declaration with the comment above it, in the order of the header.

A type or function is an item of its own; overloads share the comment above the first. Bodies of functions are left
out. The headers are in one form (clang-format), which is all that is understood here.

SPDX-FileCopyrightText: Pleiad contributors
SPDX-License-Identifier: Apache-2.0
"""
import os
import re
import textwrap
from dataclasses import dataclass, field


@dataclass
class Item:
    """A declaration, or several that belong together, with the comment above them."""

    comment: list = field(default_factory=list)
    code: list = field(default_factory=list)

    def text(self):
        return textwrap.dedent("\n".join(self.code)).strip("\n")

    def names(self):
        """Of what it declares, each once, in order."""
        return list(dict.fromkeys(name_of(uncommented("\n".join(part))) for part in chunks(self.code)))

    def is_class(self):
        return bool(re.match(r"(template <[^\n]*>\n)?class \w+[^;]*\{", self.text()))


def uncommented(code):
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", code, flags=re.DOTALL)


def without_angles(code):
    """Without the arguments of templates."""
    while (less := re.sub(r"<[^<>]*>", "", code)) != code:
        code = less
    return code


def name_of(declaration):
    """The name that a declaration, without comments, declares."""
    declaration = re.sub(r"^(template\s+)+", "", without_angles(declaration.strip()))
    declaration = re.sub(r"^requires\(.*\) (?=\w+\()", "", declaration)
    for form in (r"(?:typedef )?(?:class|struct|concept|enum class|enum|using)\s+(?:alignas\(.*?\)\)\s+)?(\w+)",  # a type
                 r"typedef .*?\(\*(\w+)\)",  # a pointer to a function
                 r"[^(=]*?(operator[^\w(]+|~?\w+)\s*\(",  # a function
                 r".*?(\w+)\s*(?:=|\{|;|$)"):  # a constant
        if found := re.match(form, declaration, re.DOTALL):
            return found.group(1).strip()
    return ""


def chunks(lines):
    """The lines of each declaration: it ends with a `;` or a `}` outside of any bracket."""
    found, part, depth = [], [], 0
    for line in lines:
        plain = uncommented(line)
        part.append(line)
        depth += sum(plain.count(b) for b in "{(") - sum(plain.count(b) for b in "})")
        if depth == 0 and plain.rstrip().endswith((";", "}")):
            found, part = found + [part], []
    return found + ([part] if part else [])


def after_bracket(code, at):
    """The place after the bracket that the first one from `at` on opens."""
    depth = 0
    while True:
        depth += {"{": 1, "(": 1, "}": -1, ")": -1}.get(code[at], 0)
        at += 1
        if depth == 0 and code[at - 1] in "})":
            return at


def without_bodies(code):
    """Functions end with their `;`, and constructors before what they initialise."""
    out, at = "", 0
    while at < len(code):
        initialises = re.match(r"\s*:\s+(?=[\w:<>]+[({])", code[at:]) if out.endswith(")") else None
        if initialises:
            at += initialises.end()
            while code[at:].lstrip()[0] != "{":
                at = after_bracket(code, at)
        elif code[at] != "{" or not re.search(r"(\)|\bconst|\bnoexcept)\s*$", out):
            out += code[at]
            at += 1
            continue
        at = after_bracket(code, at)
        out = out.rstrip() + ";"
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
    return [part for item in found + [current] if item.code for part in told_apart(item)]


def told_apart(item):
    """A comment is of the first declaration below it and its overloads; other names that follow are an item of their own."""
    parts = chunks(item.code)
    names = [name_of(uncommented("\n".join(part))) for part in parts]
    own = next((k for k, name in enumerate(names) if item.comment and name != names[0]), len(parts))
    first, rest = sum(parts[:own], []), sum(parts[own:], [])
    return [Item(item.comment, first)] + ([Item([], rest)] if rest else [])


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
    scopes = re.finditer(r"^namespace pleiad \{\n(.*?)^\}  // namespace pleiad$", text, re.DOTALL | re.MULTILINE)
    body = "\n".join(scope.group(1) for scope in scopes)
    return Header(os.path.basename(path), idea, [item for item in items(without_bodies(body)) if not is_forward(item)])


def is_forward(item):
    """A name that another header defines."""
    return re.fullmatch(r"((class|struct) \w+;\s*)+|namespace .*", uncommented(item.text()), re.DOTALL) is not None


def read_c(name, text):
    """C has comments /* above */ what they tell of."""
    opening = re.match(r"/\*\*(.*?)\*/", text, re.DOTALL).group(1)
    idea = [re.sub(r"^ \* ?", "", line).strip() for line in opening.strip().splitlines()]
    body = text[text.index('extern "C" {'):].split("\n", 2)[2].rsplit("#ifdef __cplusplus", 1)[0]

    def as_in_cpp(comment):
        return "\n".join("/// " + line.strip(" *") for line in comment.group(1).splitlines())

    body = re.sub(r"^/\* ?(.*?) ?\*/$", as_in_cpp, body, flags=re.DOTALL | re.MULTILINE)
    return Header(name, idea, items(body))
