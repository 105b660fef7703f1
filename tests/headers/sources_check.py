"""Checks that every tracked source is compiled: a CMakeLists.txt of its folder, or of one above it, names it. sources_check.py SOURCE

A test that no list names is not compiled, and is missed by nobody.

SPDX-FileCopyrightText: Pleiad contributors
SPDX-License-Identifier: Apache-2.0
"""
import re
import subprocess
import sys
from pathlib import Path, PurePosixPath

SOURCES = ("*.cpp", "*.cu", "*.c")
EXAMPLES = "tests/docs/"  # the tests of the documentation compile these


def named(lists, name):
    """Whether a list names the file: by its last part, with its ending or, where the list adds that, without; or by a pattern."""
    path = PurePosixPath(name)
    word = re.compile(rf"(?<![\w.]){re.escape(path.stem)}(?:{re.escape(path.suffix)})?(?![\w-])")
    pattern = re.compile(rf"\*{re.escape(path.suffix)}(?![\w])")
    return any(word.search(lists[str(folder)]) or pattern.search(lists[str(folder)])
               for folder in path.parents if str(folder) in lists)


def main():
    source = Path(sys.argv[1])
    listed = subprocess.run(["git", "-C", source, "ls-files", "-z", "*CMakeLists.txt", "*.cmake", *SOURCES],
                            capture_output=True, text=True, check=True).stdout
    names = [name for name in listed.split("\0") if name and (source / name).is_file()]
    lists = {str(PurePosixPath(name).parent): (source / name).read_text() for name in names if name.endswith("CMakeLists.txt")}
    lists["."] += "".join((source / name).read_text() for name in names if name.endswith(".cmake"))
    sources = [name for name in names if not name.endswith((".txt", ".cmake")) and not name.startswith(EXAMPLES)]
    missing = [name for name in sources if not named(lists, name)]
    for name in missing:
        print(f"{name}: no CMakeLists.txt of its folder or of one above it names it, so it is not compiled")
    print(f"{len(sources)} sources, {len(missing)} not compiled")
    return 1 if missing or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
