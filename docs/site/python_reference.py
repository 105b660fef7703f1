"""The Python reference, from the docstrings of the package `pleiad` where it can be imported: ```{python-reference}```.

SPDX-FileCopyrightText: Pleiad contributors
SPDX-License-Identifier: Apache-2.0
"""
import importlib
import importlib.util
import inspect
import re

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

ABSENT = ("The Python module was not built where this page was made, so its reference is left out. "
          "To have it: pip install . in the environment that builds the site, then make docs again.")


class PythonReference(SphinxDirective):
    """Everything that `pleiad.__all__` names: functions and classes, then modules with what they name."""

    def run(self):
        if not importlib.util.find_spec("pleiad"):
            return [nodes.paragraph("", ABSENT)]
        package = importlib.import_module("pleiad")
        modules = [name for name in package.__all__ if inspect.ismodule(getattr(package, name))]
        text = fenced(line for name in package.__all__ if name not in modules for line in entry(package, name))
        for name in modules:
            text += module(package, getattr(package, name))
        return self.parse_text_to_nodes(text, allow_section_headings=True)


def fenced(lines):
    """The directives of autodoc are written in reStructuredText."""
    return "`````{eval-rst}\n" + "\n".join(lines) + "\n`````\n"


def entry(where, name):
    """The directive of one name, by what it is."""
    value = getattr(where, name)
    if isinstance(value, type):
        kind = "autoexception" if issubclass(value, BaseException) else "autoclass"
    else:
        kind = "autofunction" if callable(value) else "autodata"
    return [f".. {kind}:: {where.__name__}.{name}", *(["   :members:"] if kind == "autoclass" else []), ""]


def module(package, found):
    """A section with a module's own words and what it names beside what the package names already."""
    own = [name for name, value in vars(found).items() if not name.startswith("_") and getattr(value, "__module__", None) == found.__name__]
    names = [name for name in getattr(found, "__all__", own) if getattr(package, name, None) is not getattr(found, name)]
    lines = [f".. automodule:: {found.__name__}", "   :no-members:", ""] + [line for name in names for line in entry(found, name)]
    return f"\n## {found.__name__}\n\n" + fenced(lines) if names else ""


def plain_words(app, what, name, value, options, lines):
    """Docstrings in plain words: lines `name: meaning` become a list where the name is a parameter's, what goes on being indented; a
    bar is a bar, of |E|, and no substitution."""
    try:
        known = set(inspect.signature(value).parameters)
    except (TypeError, ValueError):
        known = set()
    found = []
    for line in lines:
        line = "".join(part if part.startswith("`") else part.replace("|", r"\|") for part in re.split(r"(`+[^`]*`+)", line))
        field = re.match(r"(\w+(?:, \w+)*): (.*)", line)
        if field and known >= set(field.group(1).split(", ")):
            line = f":param {field.group(1)}: {field.group(2)}"
        inside = bool(found) and found[-1].startswith((":param ", "    "))
        if (line.startswith(":param ") and not inside) or (inside and line and not line.startswith((":param ", " "))):
            found.append("")
        found.append(line)
    lines[:] = found


def setup(app):
    app.connect("autodoc-process-docstring", plain_words)
    app.add_directive("python-reference", PythonReference)
    return {"parallel_read_safe": True}
