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
            text += module(getattr(package, name))
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


def module(found):
    """A section with a module's own words and all that it names."""
    own = [name for name, value in vars(found).items() if not name.startswith("_") and getattr(value, "__module__", None) == found.__name__]
    names = getattr(found, "__all__", own)
    lines = [f".. automodule:: {found.__name__}", "   :no-members:", ""] + [line for name in names for line in entry(found, name)]
    return f"\n## {found.__name__}\n\n" + fenced(lines)


def fields_of_parameters(app, what, name, value, options, lines):
    """Lines `name: meaning` of a docstring become a list where the name is a parameter's; what goes on is indented."""
    try:
        known = set(inspect.signature(value).parameters)
    except (TypeError, ValueError):
        return
    told = [re.match(r"(\w+(?:, \w+)*): (.*)", line) for line in lines]
    for k, found in enumerate(told):
        if found and known >= set(found.group(1).split(", ")):
            lines[k] = f":param {found.group(1)}: {found.group(2)}"


def setup(app):
    app.connect("autodoc-process-docstring", fields_of_parameters)
    app.add_directive("python-reference", PythonReference)
    return {"parallel_read_safe": True}
