#!/usr/bin/env python3
"""Builds the documentation site from this repository alone: static pages that need no server and no network.

tools/make_site.py [--pleiad PROGRAM] [--package FOLDER] [--output FOLDER] [--no-install | --install]

Sphinx lives in .venv, made here where it is missing (--no-install: exit code 77 instead; --install: nothing but
that). With PROGRAM the problems are run for the pictures of the gallery, with it and the Python package in FOLDER the
examples too. Warnings are errors, and so are links that lead nowhere.

SPDX-FileCopyrightText: Pleiad contributors
SPDX-License-Identifier: Apache-2.0
"""
import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

import check_site

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(SOURCE, ".venv")
PYTHON = os.path.join(VENV, "bin", "python")
REQUIREMENTS = os.path.join(SOURCE, "docs", "site", "requirements.txt")
GALLERY = os.path.join("build", "gallery")
CANNOT = 77


ASKED = """
import sys
from importlib.metadata import version
for line in open(sys.argv[1]):
    name, _, wanted = line.strip().partition("==")
    assert not wanted or version(name) == wanted
"""


def tools_are_there():
    """Whether .venv has what the requirements name, in these versions."""
    return os.path.exists(PYTHON) and subprocess.run([PYTHON, "-c", ASKED, REQUIREMENTS], capture_output=True).returncode == 0


def install():
    print("installing in .venv: what docs/site/requirements.txt names", flush=True)
    for command in ([sys.executable, "-m", "venv", VENV], [PYTHON, "-m", "pip", "install", "-q", "--disable-pip-version-check", "-r", REQUIREMENTS]):
        if subprocess.run(command).returncode:
            sys.exit("tools/make_site.py: the site's tools cannot be installed: " + " ".join(command))


# The gallery ----------------------------------------------------------------------------------------------------------------------------

def newer(file, others):
    return os.path.exists(file) and all(os.path.getmtime(file) > os.path.getmtime(other) for other in others)


def problem_picture(program, folder):
    """Runs the commands of a problem's README; the picture that it names becomes NAME.png. One of the repository is taken as it is."""
    name = os.path.basename(folder)
    readme = os.path.join(folder, "README.md")
    with open(readme, encoding="utf-8") as text:
        said = text.read()
    pattern = re.search(r"<!-- picture: (\S+) -->", said)
    goal = os.path.join(SOURCE, GALLERY, name + ".png")
    if not pattern or newer(goal, [*glob.glob(folder + "/*"), program]):
        return
    if os.path.exists(os.path.join(SOURCE, pattern.group(1))):
        keep([os.path.join(SOURCE, pattern.group(1))], goal, name)
        return
    with tempfile.TemporaryDirectory() as scratch:
        os.symlink(os.path.join(SOURCE, "problems"), os.path.join(scratch, "problems"))
        commands = "\n".join(re.findall(r"```sh\n(.*?)```", said, re.DOTALL))
        run(["bash", "-e", "-c", commands], scratch, name, os.path.dirname(program))
        keep(sorted(glob.glob(os.path.join(scratch, pattern.group(1)))), goal, name)


def example_picture(script):
    """Runs a Python example; the last picture that it leaves becomes NAME.png."""
    name = os.path.splitext(os.path.basename(script))[0]
    goal = os.path.join(SOURCE, GALLERY, name + ".png")
    if newer(goal, [script]):
        return
    with tempfile.TemporaryDirectory() as scratch:
        run([PYTHON, script], scratch, name, scratch)
        keep(sorted(glob.glob(scratch + "/**/*.png", recursive=True), key=os.path.getmtime), goal, name)


def run(command, scratch, name, path):
    print("gallery:", name, flush=True)
    environment = dict(os.environ, PATH=path + os.pathsep + os.environ["PATH"], XDG_CACHE_HOME=os.path.join(scratch, "cache"), MPLBACKEND="agg")
    done = subprocess.run(command, cwd=scratch, env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"tools/make_site.py: {name} ended with exit code {done.returncode}\n{done.stdout}{done.stderr}")


def keep(pictures, goal, name):
    if not pictures:
        sys.exit(f"tools/make_site.py: {name} made no picture")
    os.makedirs(os.path.dirname(goal), exist_ok=True)
    shutil.copy(pictures[-1], goal)


# The site -------------------------------------------------------------------------------------------------------------------------------

def build(output):
    """Sphinx, with every warning an error; index.html leads to the start page."""
    trees = output.rstrip("/") + ".trees"
    sphinx = [PYTHON, "-m", "sphinx", "-b", "html", "-E", "-a", "-q", "-W", "--keep-going",
              "-c", os.path.join(SOURCE, "docs", "site"), "-d", trees, SOURCE, output]
    shutil.rmtree(output, ignore_errors=True)
    done = subprocess.run(sphinx, cwd=SOURCE)
    shutil.rmtree(trees, ignore_errors=True)
    if done.returncode:
        sys.exit("tools/make_site.py: the site has warnings, which are errors")
    with open(os.path.join(output, "index.html"), "w", encoding="utf-8") as page:
        page.write('<!doctype html><meta charset="utf-8"><title>Pleiad</title><meta http-equiv="refresh" content="0; url=docs/site/index.html">'
                   '<a href="docs/site/index.html">Pleiad</a>\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pleiad", metavar="PROGRAM")
    parser.add_argument("--package", metavar="FOLDER")
    parser.add_argument("--output", metavar="FOLDER", default=os.path.join(SOURCE, "build", "site"))
    parser.add_argument("--no-install", action="store_true")
    parser.add_argument("--install", action="store_true")
    options = parser.parse_args()
    if not tools_are_there():
        if options.no_install:
            print("the site's tools are not in .venv: make docs installs them")
            return CANNOT
        install()
    if options.install:
        return 0
    if options.package:
        os.environ["PYTHONPATH"] = os.path.abspath(options.package)
    has_module = subprocess.run([PYTHON, "-c", "import pleiad"], capture_output=True).returncode == 0
    if options.pleiad:
        for readme in sorted(glob.glob(os.path.join(SOURCE, "problems", "*", "README.md"))):
            problem_picture(os.path.abspath(options.pleiad), os.path.dirname(readme))
        for script in sorted(glob.glob(os.path.join(SOURCE, "python", "examples", "*.py"))) if has_module else []:
            example_picture(script)
    build(os.path.abspath(options.output))
    links, told = check_site.check(options.output)
    if told:
        sys.exit("\n".join(told) + f"\ntools/make_site.py: {len(told)} of {links} links lead nowhere")
    print("the site: " + os.path.join(options.output, "index.html"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
