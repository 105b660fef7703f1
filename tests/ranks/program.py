"""Runs `pleiad run` under mpirun, and reads what it has left behind."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import json
import pathlib
import subprocess
import sys

PROGRAM = pathlib.Path(sys.argv[1])
MPIRUN = sys.argv[2:]  # and the option that takes the number of ranks

SETTINGS = ["output.pictures=false", 'output.snapshot_format="csv"', "output.plots=false", "engine.threads=1"]


def arguments(scene, directory, settings=()):
    """The command line of a new run of a scene: a list of settings."""
    args = ["run", str(scene), "--output", str(directory), "--quiet"]
    for setting in [*SETTINGS, *settings]:
        args += ["--set", setting]
    return args


def command(ranks, args):
    """By mpirun; ranks = 0: as one process."""
    start = [*MPIRUN, str(ranks)] if ranks else []
    return [*start, str(PROGRAM), *args]


def run(ranks, args, expect=0, seconds=120):
    """What is done, and its output; ends the test when the exit code is another."""
    done = subprocess.run(command(ranks, args), capture_output=True, text=True, timeout=seconds, check=False)
    if done.returncode != expect:
        sys.exit(f"{' '.join(args)} on {ranks} ranks: exit code {done.returncode}, not {expect}\n{done.stdout}{done.stderr}")
    return done


def summary(directory):
    return json.loads((directory / "summary.json").read_text())


def outputs(directory):
    """Names and bytes of the table and the snapshots."""
    files = [directory / "diagnostics.txt", *sorted((directory / "snapshots").iterdir())]
    return {file.name: file.read_bytes() for file in files}


def errors_of(done):
    """The lines that the program has written, without those of mpirun."""
    return [line for line in done.stderr.splitlines() if line.startswith("pleiad")]


def need(holds, what):
    if not holds:
        sys.exit(what)
