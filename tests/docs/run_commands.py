"""Runs every command in the documents' ```sh blocks, in a scratch folder each, as a reader would."""
import os
import re
import subprocess
import sys
import tempfile
import time


def commands(document):
    """Lines of the sh blocks; a line that ends with a backslash goes on."""
    with open(document, encoding="utf-8") as text:
        blocks = re.findall(r"```sh\n(.*?)```", text.read(), re.DOTALL)
    for block in blocks:
        for line in block.replace("\\\n", " ").splitlines():
            if line.strip() and not line.lstrip().startswith("#"):
                yield line.strip()


def files(document):
    """The toml blocks whose first line is a comment with a file's name."""
    with open(document, encoding="utf-8") as text:
        return re.findall(r"```toml\n# (\S+\.toml)\n(.*?)```", text.read(), re.DOTALL)


def main():
    source, pleiad_folder, documents = sys.argv[1], sys.argv[2], sys.argv[3:]
    environment = dict(os.environ, PATH=pleiad_folder + os.pathsep + os.environ["PATH"])
    with open(os.path.join(source, ".ci", "run"), encoding="utf-8") as text:
        ci = text.read()
    failures = count = 0
    for document in documents:
        with tempfile.TemporaryDirectory() as scratch:
            environment["XDG_CACHE_HOME"] = os.path.join(scratch, "cache")
            for name in ("problems", "tools"):
                os.symlink(os.path.join(source, name), os.path.join(scratch, name))
            for name, content in files(os.path.join(source, document)):
                with open(os.path.join(scratch, name), "w", encoding="utf-8") as out:
                    out.write(content)
            for command in commands(os.path.join(source, document)):
                count += 1
                if command.startswith("make "):
                    # Whole builds: .ci/run makes them on a clean checkout.
                    if command not in ci:
                        failures += 1
                        print(f"FAILED {document}: '{command}' is not run by .ci/run")
                    continue
                before = time.monotonic()
                done = subprocess.run(["bash", "-c", command], cwd=scratch, env=environment, capture_output=True, text=True, timeout=300)
                print(f"{'ok    ' if done.returncode == 0 else 'FAILED'} {time.monotonic() - before:6.1f} s  {document}: {command}")
                if done.returncode != 0:
                    failures += 1
                    print(done.stdout, done.stderr, sep="\n")
    print(f"{count} commands, {failures} failures")
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main())
