"""mypy --strict finds nothing in the package FOLDER, stubs included, and in calls of it what is wrong alone.

types_check.py CONFIGURATION FOLDER; exit 77, skipped, where mypy is missing.
"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

import os
import re
import subprocess
import sys
from pathlib import Path

CALLS = Path(__file__).with_name("typed_calls.py")
MARK = "  # refused: "


def mypy(configuration: str, *arguments: object, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "MYPYPATH": "" if path is None else str(path)}
    command = [sys.executable, "-m", "mypy", "--config-file", configuration, *map(str, arguments)]
    return subprocess.run(command, check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment)


def wrong_calls(configuration: str, package: Path) -> list[str]:
    """What mypy says of the calls but should not, and what it should say but does not."""
    run = mypy(configuration, "--enable-error-code", "deprecated", "--hide-error-context", CALLS, path=package.parent)
    said: dict[int, str] = {}
    for number, words in re.findall(r"typed_calls\.py:(\d+): error: (.*)", run.stdout):
        said[int(number)] = said.get(int(number), "") + words
    lines = CALLS.read_text(encoding="utf-8").splitlines()
    marked = {number: line.partition(MARK)[2] for number, line in enumerate(lines, 1) if MARK in line}
    wrong = [f"line {number}: {words}" for number, words in said.items() if number not in marked]
    for number, words in marked.items():
        if words not in said.get(number, ""):
            wrong.append(f"line {number} must be reported with '{words}': {said.get(number, 'nothing is')}")
    return wrong if said else [*wrong, run.stdout]


def main(configuration: str, package: Path) -> int:
    if subprocess.run([sys.executable, "-c", "import mypy"], stderr=subprocess.DEVNULL, check=False).returncode != 0:
        print("no mypy: pip install mypy")
        return 77
    # A stub hides the file beside it, which is therefore checked by itself.
    beside = [file for file in sorted(package.glob("*.py")) if file.with_suffix(".pyi").exists()]
    assert [file.stem for file in beside] == ["keys", "models"]
    runs = [mypy(configuration, package), mypy(configuration, *beside)]
    print("".join(run.stdout for run in runs), end="")
    wrong = wrong_calls(configuration, package)
    print("\n".join(wrong) or "The calls: what is wrong is reported, and nothing else.")
    return max(run.returncode for run in runs) or bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2])))
