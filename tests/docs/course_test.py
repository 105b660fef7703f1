"""Every lesson of the course has a diagram, its rates, an exercise with a command or program that checks it, and an answer. course_test.py SOURCE"""
import glob
import os
import re
import sys

SOURCE = sys.argv[1]
sys.path.insert(0, os.path.join(SOURCE, "tools"))
from course import lessons, rungs  # noqa: E402

failures = []
pages = sorted(os.path.splitext(os.path.basename(path))[0] for path in glob.glob(os.path.join(SOURCE, "docs", "ladder", "*.md")))
if pages != [lesson.page for lesson in lessons.LESSONS]:
    failures.append(f"docs/ladder has {pages}, and tools/course/lessons.py others")
for at, name in enumerate(pages, 1):
    with open(os.path.join(SOURCE, "docs", "ladder", name + ".md"), encoding="utf-8") as text:
        page = text.read()
    exercise = page.partition("\n## Exercise\n")[2]
    for there, what in ((page.startswith(f"# Lesson {at}: {lessons.LESSONS[at - 1].title}\n"), "its number and title"),
                        (f"]({name}.svg)" in page, "its diagram"), (f"]({name}-rates.svg)" in page, "its rates"),
                        (re.search(r"^```(sh|python)\n", exercise, re.M), "a check of its exercise"),
                        (re.search(r"<details><summary>Answer</summary>\n\n.+\n\n</details>", exercise, re.S), "an answer")):
        if not there:
            failures.append(f"docs/ladder/{name}.md lacks {what}")

# Paragraphs are divided between sentences, and nothing is lost.
long = "One sentence is here. " * 60 + "A last one (with words in brackets.) And its end."
pieces = rungs.in_pieces(long).split("\n\n")
if len(pieces) < 2 or " ".join(pieces) != long or any(len(piece) > 540 for piece in pieces):
    failures.append(f"a paragraph of {len(long)} characters became {[len(piece) for piece in pieces]}")

print("\n".join(failures) or f"{len(pages)} lessons")
sys.exit(1 if failures else 0)
