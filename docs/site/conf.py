"""The documentation site: the repository's own documents where they lie, so that a page's address is the path of its source.

tools/make_site runs Sphinx with the repository as its source folder and this folder as its configuration.

SPDX-FileCopyrightText: Pleiad contributors
SPDX-License-Identifier: Apache-2.0
"""
import importlib.util
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)

with open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8") as text:
    release = re.search(r"VERSION (\d+\.\d+\.\d+)", text.read()).group(1)
project = "Pleiad"
copyright = "Pleiad contributors"
version = release

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton",
              "repository", "headers", "gallery", "python_reference"]
root_doc = "docs/site/index"
include_patterns = ["docs/**.md", "docs/tutorials/*.ipynb", "problems/**.md", "bench/results/README.md",
                    "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"]
# Folders that hold no page are not even looked into.
exclude_patterns = [".*", "build", "demo", "bench-results", "src", "tests", "tools", "apps", "include", "cmake", "python", "bench/experiments"]

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4

# Notebooks are stored without outputs: they are executed where the Python package is there.
nb_execution_mode = "force" if importlib.util.find_spec("pleiad") else "off"
nb_execution_timeout = 120
nb_execution_raise_on_error = True
nb_merge_streams = True

# Python's own signatures, without the module's name before each.
add_module_names = False
default_role = "code"
smartquotes = False  # --option stays what it is
autodoc_typehints = "signature"
autodoc_member_order = "bysource"

html_theme = "furo"
html_title = f"Pleiad {release}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False
html_show_sphinx = False
# The excerpts below a search result are fetched, which a browser refuses to pages that were opened as files.
html_show_search_summary = False
pygments_style = "github-light"
pygments_dark_style = "github-dark"
html_theme_options = {
    "footer_icons": [],
    "top_of_page_buttons": [],
    "light_css_variables": {"color-code-background": "#f6f8fa"},
}
