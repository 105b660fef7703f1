"""Checks that every tracked source is formatted as .clang-format says."""
import shutil
import subprocess
import sys

SKIPPED = 77


def tracked(source, *patterns):
    listed = subprocess.run(["git", "-C", source, "ls-files", "-z", *patterns], capture_output=True, text=True, check=True).stdout
    return [name for name in listed.split("\0") if name]


def main():
    source = sys.argv[1]
    formatter = shutil.which("clang-format-14") or shutil.which("clang-format")
    if formatter is None or "version 14" not in subprocess.run([formatter, "--version"], capture_output=True, text=True).stdout:
        print("skipped: clang-format 14 is not there")
        return SKIPPED
    files = tracked(source, "*.cpp", "*.hpp", "*.h", "*.ipp", "*.cu", "*.c")
    done = subprocess.run([formatter, "--dry-run", "-Werror", *files], cwd=source, capture_output=True, text=True)
    wrong = sorted({line.split(":")[0] for line in done.stderr.splitlines() if "error:" in line})
    for name in wrong:
        print(f"{name}: not formatted; run make format")
    print(f"{len(files)} files, {len(wrong)} not formatted")
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main())
