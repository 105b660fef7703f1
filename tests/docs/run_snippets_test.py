"""run_snippets.py must run what it can, and refuse what is neither run nor marked."""
import os
import subprocess
import sys
import tempfile

RUN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "run_snippets.py")

# A page, the exit code, and words of the output.
CASES = [
    ("```sh\ntrue\n```\n", 0, "1 snippets, 0 failures"),
    ("```sh\nfalse\n```\n", 1, "FAILED"),
    ("```sh\ntest -f \\\n  a.toml\n```\n", 1, "FAILED"),
    ("```toml\n# a.toml\nx = 1\n```\n\n```sh\ntest -f \\\n  a.toml\n```\n", 0, "1 snippets, 0 failures"),
    ("```toml\nx = 1\n```\n", 1, "needs its file's name"),
    ("```\nx\n```\n", 1, "without a language"),
    ("```text\nx\n```\n", 0, "0 snippets"),
    ("```fortran\nend\n```\n", 1, "neither run nor marked"),
    ("<!-- not run: no compiler of it -->\n```fortran\nend\n```\n", 0, "page.md:2: no compiler of it"),
    ("<!-- not run: of the first -->\n```sh\nfalse\n```\n\n```sh\nfalse\n```\n", 1, "page.md:6"),
    ("- a list\n\n  ```sh\n  false\n  ```\n", 1, "page.md:3"),
    ("```sh\nmake everything\n```\n", 1, "is not run by .ci/run"),
    ("```sh\nmake test\n```\n", 0, "1 snippets, 0 failures"),
    ("```python\na = 1\n```\n\n```python\nassert a == 1\n```\n", 0, "2 snippets, 0 failures"),
    ("```python\nassert 1 == 2\n```\n", 1, "AssertionError"),
    ("```python\nimport sys; sys.exit(0)\n```\n", 1, "FAILED"),
    ("````{directive}\nx\n````\n", 0, "0 snippets"),
]

failures = 0
for page, code, words in CASES:
    with tempfile.TemporaryDirectory() as source:
        os.mkdir(os.path.join(source, ".ci"))
        os.mkdir(os.path.join(source, "pleiad"))
        for name, content in ((".ci/run", "make test\n"), ("page.md", page), ("pleiad/__init__.py", "")):
            with open(os.path.join(source, name), "w", encoding="utf-8") as out:
                out.write(content)
        done = subprocess.run([sys.executable, RUN, source, "--pleiad", source, "page.md"], capture_output=True, text=True,
                              env=dict(os.environ, PYTHONPATH=source))
    if done.returncode != code or words not in done.stdout:
        failures += 1
        print(f"{page}\nexit code {done.returncode}, expected {code} and '{words}' in:\n{done.stdout}{done.stderr}\n")

# Without the module its blocks are skipped, visibly.
with tempfile.TemporaryDirectory() as source:
    with open(os.path.join(source, "page.md"), "w", encoding="utf-8") as out:
        out.write("```python\nimport pleiad\n```\n")
    done = subprocess.run([sys.executable, "-S", RUN, source, "--pleiad", source, "--python", "/bin/false", "page.md"], capture_output=True, text=True)
    if done.returncode != 77 or "the Python module is not built" not in done.stdout:
        failures += 1
        print(f"without the module: {done.returncode}\n{done.stdout}{done.stderr}")
sys.exit(1 if failures else 0)
