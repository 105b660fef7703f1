"""Which source a measured program was made of, for the tools that write figures."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import pathlib
import subprocess


def commit_of(program):
    """From the file `commit` beside the program, as tools/gpu_check writes it, or of this checkout."""
    beside = pathlib.Path(program).resolve().parent / "commit"
    if beside.is_file():
        return beside.read_text(encoding="utf-8").strip()
    git = ["git", "-C", str(pathlib.Path(__file__).resolve().parent), "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    done = subprocess.run(git, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"
