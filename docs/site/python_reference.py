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
          "make docs builds it first.")


# The parts of the package in the order in which a reader meets them; others follow.
ORDER = ["forces", "solver", "simulation", "diagnostics", "snapshot", "files", "units", "ensemble", "curve", "table", "errors"]


class PythonReference(SphinxDirective):
    """Everything that `pleiad.__all__` names, by the file that it is from; then its modules with what else they name."""

    def run(self):
        if not importlib.util.find_spec("pleiad"):
            return [nodes.paragraph("", ABSENT)]
        package = importlib.import_module("pleiad")
        homes, modules = {}, []
        for name in package.__all__:
            value = getattr(package, name)
            if inspect.ismodule(value):
                modules.append(value)
            elif not name.startswith("_"):
                homes.setdefault(value.__module__.split(".")[1], []).append(name)
        text = ""
        for home in sorted(homes, key=lambda home: (ORDER + [home]).index(home)):
            title = (importlib.import_module("pleiad." + home).__doc__ or "").split("\n\n")[0]
            text += section(home.capitalize(), title, package, homes[home])
        for module in modules:
            names = [name for name in dir(module) if is_own(package, module, name)]
            text += section(module.__name__, module.__doc__ or "", package=module, names=names) if names else ""
        return self.parse_text_to_nodes(text, allow_section_headings=True)


def is_own(package, module, name):
    """Whether a module offers a name beside those that the package offers: itself, or from a file of its own."""
    value = getattr(module, name)
    home = getattr(value, "__module__", None) or ""
    own = home == module.__name__ or (name in getattr(module, "__all__", ()) and home.startswith("pleiad._"))
    return own and not name.startswith("_") and getattr(package, name, None) is not value


def section(title, words, package, names):
    """Markdown with the directives of autodoc, which are written in reStructuredText."""
    lines = [words, ""] + [line for name in names for line in entry(package, name)]
    return f"\n## {title}\n\n`````{{eval-rst}}\n" + "\n".join(lines) + "\n`````\n"


def entry(where, name):
    """The directive of one name, by what it is."""
    value = getattr(where, name)
    if isinstance(value, type):
        kind = "autoexception" if issubclass(value, BaseException) else "autoclass"
    else:
        kind = "autofunction" if callable(value) else "autodata"
    members = ["   :members:", "   :undoc-members:"] if kind == "autoclass" else []
    # Of a class in several files.
    if kind == "autoclass" and any(base.__module__.startswith("pleiad._") for base in value.__mro__):
        members.append("   :inherited-members:")
    return [f".. {kind}:: {where.__name__}.{name}", *members, ""]


own_lines = {}  # of each docstring, before types are looked for in it


def plain_words(app, what, name, value, options, lines):
    """A bar in a docstring is a bar, of |E|, and no substitution."""
    parts = [re.split(r"(`+[^`]*`+)", line) for line in lines]
    lines[:] = ["".join(part if part.startswith("`") else part.replace("|", r"\|") for part in line) for line in parts]
    own_lines[name] = list(lines)


def without_types(app, what, name, value, options, lines):
    """Words before a colon are no type: the docstring of a property is shown as it is."""
    if what in ("attribute", "data", "property"):
        lines[:] = own_lines[name]


def setup(app):
    app.connect("autodoc-process-docstring", without_types, priority=600)
    app.connect("autodoc-process-docstring", plain_words, priority=400)
    app.add_directive("python-reference", PythonReference)
    return {"parallel_read_safe": True}
