"""Runs the commands of docs/ranks.md that need no cluster, as they stand there: guide.py PROGRAM GUIDE"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

program, guide = map(pathlib.Path, sys.argv[1:])
blocks = re.findall(r"<!-- not run: tests/ranks/guide.py .*?-->\n```sh\n(.*?)```", guide.read_text(), re.S)
if not blocks:
    sys.exit(f"{guide} has no commands for this test")
environment = dict(os.environ, PATH=f"{program.parent}:{os.environ['PATH']}")
with tempfile.TemporaryDirectory() as folder:
    for block in blocks:
        script = pathlib.Path(folder) / "block.sh"
        script.write_text(block)
        done = subprocess.run(["sh", "-e", str(script)], cwd=folder, env=environment, check=False)
        if done.returncode != 0:
            sys.exit(f"exit code {done.returncode}:\n{block}")
    for run, what, expected in [("several", "step", 8), ("many", "systems", 100)]:
        found = json.loads((pathlib.Path(folder) / run / "summary.json").read_text())[what]
        if found != expected:
            sys.exit(f"{run}: {what} is {found}, not {expected}")
