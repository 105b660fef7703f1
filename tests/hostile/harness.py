"""What a row of the hostile list needs: a scratch folder, the program under test, and checks that say what they saw."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

DONE, USAGE, BAD_INPUT, RESOURCE, NUMERICAL, STOPPED = 0, 2, 3, 4, 5, 75

# How many times as long a program may take: sanitizers slow it down.
PATIENCE = float(os.environ.get("PLEIAD_TEST_PATIENCE", "1"))

# Two bodies on an orbit, as most rows use them.
TWO_BODIES = "1 -0.5 0 0 0 -0.7 0\n1 0.5 0 0 0 0.7 0\n"

ROWS = {}


def row(name, what):
    """Registers a function of a Box as the row `name` of the list; `what` says in a sentence what must hold."""

    def register(function):
        assert name not in ROWS, f"two rows are named {name}"
        ROWS[name] = (what, function)
        return function

    return register


class Skip(Exception):
    """The row cannot be tried on this machine; the message says why."""


class Ended:
    def __init__(self, command, code, out, err):
        self.command, self.code, self.out, self.err = command, code, out, err

    def __str__(self):
        return f"$ {self.command}\nexit {self.code}\n--- stdout\n{self.out}--- stderr\n{self.err}"

    def must(self, code, *words):
        """The exit code, and words that stderr or stdout must hold. Returns itself."""
        assert self.code == code, f"exit {code} was expected\n{self}"
        for word in words:
            assert word in self.err or word in self.out, f"'{word}' was expected\n{self}"
        return self

    def must_refuse(self, code, *words):
        """As `must`, and stderr is one line without a raw exception in it."""
        self.must(code, *words)
        lines = [line for line in self.err.splitlines() if line.strip()]
        assert len(lines) == 1, f"one line was expected\n{self}"
        for raw in ("filesystem error", "basic_string", "std::", "json.exception", "Resource temporarily"):
            assert raw not in self.err, f"a raw exception\n{self}"
        return self


class Box:
    """An empty folder, removed at the end; "pleiad" runs in it with no cache of the tuner."""

    def __init__(self, program, backend=None, solver=None):
        self.program, self.backend, self.solver = program, backend, solver
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="pleiad-hostile-"))

    def close(self):
        for folder, _, _ in os.walk(self.path):
            os.chmod(folder, 0o700)
        shutil.rmtree(self.path, ignore_errors=True)

    def __truediv__(self, name):
        return self.path / name

    def write(self, name, content):
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    def two(self, name="t.csv"):
        return self.write(name, TWO_BODIES)

    def environment(self, **more):
        return dict(os.environ, XDG_CACHE_HOME="/dev/null", **more)

    def start(self, *arguments, cwd=None, env=None, **more):
        """A process that goes on; arguments as for subprocess.Popen."""
        more.setdefault("stdin", subprocess.DEVNULL)
        more.setdefault("stdout", subprocess.PIPE)
        more.setdefault("stderr", subprocess.PIPE)
        # Whoever started the tests with nohup has it ignored, and the program then outlives its terminal.
        more.setdefault("preexec_fn", lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL))
        return subprocess.Popen([self.program, *map(os.fspath, map(_text, arguments))], cwd=cwd or self.path,
                                env=env or self.environment(), start_new_session=True, **more)

    def finish(self, process, timeout=60):
        timeout *= PATIENCE
        """Waits; a process that does not end is killed with all its children and fails the row."""
        command = " ".join(os.fsdecode(a) for a in process.args)
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            raise AssertionError(f"no end after {timeout} s: {Ended(command, None, _str(out)[-2000:], _str(err)[-2000:])}") from None
        return Ended(command, process.returncode, _str(out), _str(err))

    def pleiad(self, *arguments, timeout=60, **more):
        return self.finish(self.start(*arguments, **more), timeout)

    def run(self, *arguments, **more):
        """`pleiad run` of two bodies for ten steps of 0.1, unless `arguments` say otherwise."""
        if not (self.path / "t.csv").exists():
            self.two()
        usual = [("--dt", "0.1"), ("--t-end", "1")]
        if self.backend and "--kernel" not in arguments:
            # The kernels of ensembles are not in the program with the emulated GPU.
            usual.append(("--backend", "cpu" if "--ensemble" in arguments else self.backend))
        if self.solver and "--ensemble" not in arguments and not any("solver.method=" in str(a) for a in arguments):
            arguments = [*arguments, "--set", f"solver.method={self.solver}"]
        return self.pleiad("run", "t.csv", *(w for pair in usual if pair[0] not in arguments for w in pair), *arguments, **more)

    def summary(self, folder="output"):
        return json.loads((self.path / folder / "summary.json").read_text())

    def files(self, folder="."):
        """Name -> bytes of every regular file below but locks, to be compared later."""
        top = self.path / folder
        return {str(p.relative_to(top)): p.read_bytes() for p in sorted(top.rglob("*"))
                if p.is_file() and not p.is_symlink() and p.name != ".lock"}

    def rows_of(self, table):
        """The rows of a table of numbers without its comments."""
        lines = (self.path / table).read_text().splitlines()
        return [line.split() for line in lines if line and not line.startswith("#")]


def _text(argument):
    return argument if isinstance(argument, (str, bytes, os.PathLike)) else str(argument)


def _str(bytes_or_none):
    return (bytes_or_none or b"").decode(errors="backslashreplace")
