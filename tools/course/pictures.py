"""All pictures of the course: a diagram and the measured rates of each lesson."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
from course import diagrams_division, diagrams_loop, rates
from course.lessons import FOLDER, LESSONS

DIAGRAMS = {**diagrams_loop.DIAGRAMS, **diagrams_division.DIAGRAMS}


def all_of_course():
    """{path: text} of every picture."""
    pages = [lesson.page for lesson in LESSONS]
    assert sorted(DIAGRAMS) == pages, "each lesson has one diagram"
    found = {f"{FOLDER}/{page}.svg": DIAGRAMS[page]().svg() for page in pages}
    return found | {f"{FOLDER}/{lesson.page}-rates.svg": rates.picture(lesson).svg() for lesson in LESSONS}
