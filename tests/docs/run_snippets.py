"""Runs all code of a page as a reader would: from top to bottom, in one scratch folder.

run_snippets.py SOURCE --pleiad FOLDER [--library FOLDER] [--package FOLDER] [--python PROGRAM] PAGE ...

sh      each line is a command; a line that ends with a backslash goes on. `make ...` must be what .ci/run does.
toml    a file of the name in its first line, `# name.toml`.
python  all blocks of a page are one program: names that a block defines are known to those below it.
cpp, c  a whole program, compiled against the library and run. `<!-- within: FILE -->` before a fragment: FILE of the repository,
        with the fragment in the place of its line `// the snippet`.
text, diff  are no code. A block without a language is refused.

`<!-- not run: REASON -->` before a block says why it cannot be run here; the reason is listed. Any other code must run. Where the
Python module is not built (--package: where it is; the interpreter is that of .venv), its blocks are skipped, and the exit code is 77.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import namedtuple

NO_CODE = {"text", "diff"}
SKIPPED = 77
PATIENCE = float(os.environ.get("PLEIAD_TEST_PATIENCE", "1"))  # of a slow build
Block = namedtuple("Block", "line language code note")

# Runs what it reads, a block at a time, in one namespace; a block is its length and its text.
PYTHON = """
import sys, traceback
names = {"__name__": "__main__"}
while length := sys.stdin.readline():
    try:
        exec(compile(sys.stdin.read(int(length)), "snippet", "exec"), names)
        result = "done"
    except BaseException:
        traceback.print_exc(file=sys.stdout)
        result = "failed"
    sys.stdout.flush()
    print("\\n===", result, flush=True)
"""


def blocks(path):
    """The fenced blocks of a page, with the word before them."""
    found, note, fence = [], "", None
    with open(path, encoding="utf-8") as text:
        for number, line in enumerate(text, 1):
            opened = re.match(r"( *)(`{3,})(.*)$", line)
            if fence and opened and opened.group(2) == fence[1] and not opened.group(3).strip():
                found.append(Block(fence[2], fence[3], "".join(fence[4]), note))
                note, fence = "", None
            elif fence:
                fence[4].append(line[len(fence[0]):] if line.startswith(fence[0]) else line.lstrip(" "))
            elif opened:
                fence = (opened.group(1), opened.group(2), number, opened.group(3).strip(), [])
            elif said := re.fullmatch(r"\s*<!-- ((?:not run|within): .*?) -->\s*", line):
                note = said.group(1)
            elif line.strip():
                note = ""
    # Directives of the site, ```{toctree} say, are no code.
    return [block for block in found if not block.language.startswith("{")]


def commands(code):
    for line in code.replace("\\\n", " ").splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            yield line.strip()


class Page:
    """The code of one page, while it is run."""

    def __init__(self, options, page, scratch):
        self.options, self.page, self.scratch = options, page, scratch
        self.environment = dict(os.environ, PATH=options.pleiad + os.pathsep + os.environ["PATH"], XDG_CACHE_HOME=os.path.join(scratch, "cache"),
                                MPLBACKEND="agg")
        self.count, self.failures, self.skipped, self.interpreter = 0, 0, 0, None
        for name in ("problems", "tools"):
            os.symlink(os.path.join(options.source, name), os.path.join(scratch, name))

    def run(self):
        for block in blocks(os.path.join(self.options.source, self.page)):
            where = f"{self.page}:{block.line}"
            if block.note.startswith("not run: "):
                print(f"not run        {where}: {block.note[9:]}")
            elif block.language in NO_CODE:
                continue
            elif run := getattr(self, "run_" + block.language, None):
                run(where, block)
            elif block.language in ("cpp", "c"):
                self.run_program(where, block)
            else:
                self.told(where, False, 0, f"a block of '{block.language}' is neither run nor marked: put <!-- not run: REASON --> before it"
                          if block.language else "a block without a language: say text where it is no code")
        if self.interpreter:
            self.interpreter.stdin.close()
            self.interpreter.wait()

    def told(self, where, good, before, words=""):
        self.count += 1
        self.failures += not good
        print(f"{'ok    ' if good else 'FAILED'} {time.monotonic() - before if before else 0:6.1f} s {where}" + ("" if good else ": " + words), flush=True)

    def execute(self, where, command, **more):
        before = time.monotonic()
        done = subprocess.run(command, cwd=self.scratch, env=self.environment, capture_output=True, text=True, timeout=300 * PATIENCE, **more)
        words = command[-1] if command[0] == "bash" else " ".join(command)
        self.told(f"{where}: {words}", done.returncode == 0, before, "\n" + done.stdout + done.stderr)
        return done.returncode == 0

    def run_sh(self, where, block):
        for command in commands(block.code):
            if command.startswith("make "):
                # Whole builds: .ci/run makes them on a clean checkout.
                with open(os.path.join(self.options.source, ".ci", "run"), encoding="utf-8") as text:
                    self.told(f"{where}: {command}", command in text.read(), 0, "is not run by .ci/run")
            else:
                self.execute(where, ["bash", "-c", command])

    def run_toml(self, where, block):
        name = re.match(r"# (\S+\.toml)\n", block.code)
        if not name:
            self.told(where, False, 0, "a configuration needs its file's name in the first line, # name.toml")
            return
        with open(os.path.join(self.scratch, name.group(1)), "w", encoding="utf-8") as out:
            out.write(block.code)

    def run_python(self, where, block):
        if not self.options.has_module:
            self.skipped += 1
            print(f"skipped        {where}: the Python module is not built")
            return
        if not self.interpreter:
            self.interpreter = subprocess.Popen([self.options.python, "-c", PYTHON], cwd=self.scratch, env=self.environment, stdin=subprocess.PIPE,
                                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        before = time.monotonic()
        self.interpreter.stdin.write(f"{len(block.code)}\n{block.code}")
        self.interpreter.stdin.flush()
        output = []
        for line in self.interpreter.stdout:
            if line.startswith("=== "):
                break
            output.append(line)
        else:
            line = "=== ended"
        self.told(f"{where}: python", line.strip() == "=== done", before, "\n" + "".join(output))

    def run_program(self, where, block):
        code = block.code
        if block.note.startswith("within: "):
            with open(os.path.join(self.options.source, block.note[8:]), encoding="utf-8") as text:
                frame = text.read()
            code = re.sub(r"^ *// the snippet\n", lambda _: code, frame, count=1, flags=re.MULTILINE)
        if not self.options.library:
            self.told(where, False, 0, "no --library to compile it against")
            return
        program = os.path.join(self.scratch, "program")
        compiler = [os.environ.get("CXX", "c++"), "-x", "c++", "-std=c++20"] if block.language == "cpp" else [os.environ.get("CC", "cc"), "-x", "c", "-std=c11"]
        built = self.execute(where, compiler + ["-Wall", "-Wextra", "-Werror", "-I", os.path.join(self.options.source, "include"), "-", "-o", program,
                                                "-L", self.options.library, "-lpleiad", "-Wl,-rpath," + self.options.library], input=code)
        if built:
            self.execute(where, [program])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("source")
    parser.add_argument("--pleiad", required=True, metavar="FOLDER")
    parser.add_argument("--library", metavar="FOLDER")
    parser.add_argument("--python", metavar="PROGRAM")
    parser.add_argument("--package", metavar="FOLDER")
    parser.add_argument("pages", nargs="+")
    options = parser.parse_args()
    for name in ("source", "pleiad", "library", "package"):
        setattr(options, name, os.path.abspath(path) if (path := getattr(options, name)) else None)
    if options.package:
        os.environ["PYTHONPATH"] = options.package
    with_tools = os.path.join(options.source, ".venv", "bin", "python")
    options.python = options.python or (with_tools if os.path.exists(with_tools) else sys.executable)
    options.has_module = subprocess.run([options.python, "-c", "import pleiad"], capture_output=True).returncode == 0
    count = failures = skipped = 0
    for page in options.pages:
        with tempfile.TemporaryDirectory() as scratch:
            run = Page(options, page, scratch)
            run.run()
            count, failures, skipped = count + run.count, failures + run.failures, skipped + run.skipped
    print(f"{count} snippets, {failures} failures, {skipped} skipped")
    return 1 if failures else SKIPPED if skipped else 0


if __name__ == "__main__":
    sys.exit(main())
