"""Markers in Markdown pages: a tool fills what stands between a marker and its end, everything else is written by hand.

<!-- table: NAME -->                 a table, on lines of its own, up to
<!-- end -->
<!-- rungs: NAME -->                 sections about kernels, in the same way
<!-- figure: NAME -->1873<!-- end -->   a figure within a line
"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import re

MARKER = re.compile(r"<!-- (?:((table|rungs|figure): .+?)|end) -->")


def pairs(page, text, errors):
    """Every marker with the end that follows it. A marker without its end and an end without its marker are errors."""
    found, begin = [], None
    for marker in MARKER.finditer(text):
        if begin and marker[1]:
            errors.append(f"{where(page, text, begin)} has no <!-- end -->")
        if begin and not marker[1]:
            found.append((begin, marker))
        if not begin and not marker[1]:
            errors.append(f"{where(page, text, marker)} ends no marker")
        begin = marker if marker[1] else None
    if begin:
        errors.append(f"{where(page, text, begin)} has no <!-- end -->")
    return found


def where(page, text, marker):
    return f"{page}:{text.count(chr(10), 0, marker.start()) + 1}: {marker[0]}"


def fill(page, text, parts):
    """(the text with every marked part replaced by parts["table: NAME"] and so on, errors). A part of None has not been measured: it is
    an error and leaves the page as it is."""
    errors, pieces, at = [], [], 0
    found = pairs(page, text, errors)
    for begin, end in found:
        name, kind = begin.groups()
        line = text[text.rfind("\n", 0, begin.start()) + 1:begin.start()]
        if name not in parts:
            errors.append(f"{where(page, text, begin)} is not known")
        elif parts[name] is None:
            errors.append(f"{where(page, text, begin)} has not been measured")
        elif kind == "figure" and not line.strip():
            errors.append(f"{where(page, text, begin)} begins a line, which Markdown takes for a block of HTML")
        elif kind != "figure" and (line or text[begin.end():begin.end() + 1] != "\n"):
            errors.append(f"{where(page, text, begin)} does not stand on a line of its own")
        else:
            content = parts[name] if kind == "figure" else "\n\n" + parts[name].strip("\n") + "\n\n"
            pieces += [text[at:begin.end()], content]
            at = end.start()
    named = {begin[1] for begin, _ in found}
    errors += [f"{page}: no <!-- {name} -->" for name in parts if name not in named]
    return "".join(pieces) + text[at:], errors


def part(page, text, name):
    """What stands between a marker and its end; nothing where the page has no such marker."""
    return next((text[begin.end():end.start()] for begin, end in pairs(page, text, []) if begin[1] == name), "")


def anchor(heading):
    """The anchor that a site gives a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
