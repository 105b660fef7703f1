#!/usr/bin/env python3
"""CITATION.cff names the version, date, licence and home page that the other files do, README.md cites what it does, and no page shows an older version. citation_test.py SOURCE"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import glob
import os
import re
import sys
import unittest

SOURCE = sys.argv.pop()


def found(file, pattern):
    """What the group of the pattern is in a file of the source; "" where it is not there."""
    with open(os.path.join(SOURCE, file), encoding="utf-8") as text:
        match = re.search(pattern, text.read(), re.M)
    return match.group(1) if match else ""


def cited(key):
    return found("CITATION.cff", rf'^{key}: "?([^"\n]+)"?$')


class Citation(unittest.TestCase):
    def test_is_of_this_version(self):
        version = found("CMakeLists.txt", r"^project\(pleiad VERSION ([0-9.]+)")
        self.assertRegex(version, r"^\d+\.\d+\.\d+$")
        self.assertEqual(cited("version"), version)
        self.assertEqual(cited("date-released"), found("CHANGELOG.md", rf"^## \[{re.escape(version)}\] - (\d{{4}}-\d\d-\d\d)$"))

    def test_is_that_of_the_readme(self):
        entry = found("README.md", r"(?s)```text\n@software\{pleiad,\n(.*?)\n\}\n```")
        fields = dict(re.findall(r"^  (\w+) = \{(.*)\},?$", entry, re.M))
        plain = {name: value.replace("{", "").replace("}", "") for name, value in fields.items()}
        author = found("CITATION.cff", r"(?m)^authors:\n  - name: (.*)$")
        self.assertEqual(plain, {"author": author, "title": cited("title"), "version": cited("version"), "year": cited("date-released")[:4]})

    def test_no_page_shows_what_another_version_prints(self):
        printed = re.compile(r"^(?:pleiad|  ok +version +)\s*(\d+\.\d+\.\d+)", re.M)
        pages = [page for pattern in ("README.md", "docs/**/*.md", "problems/**/*.md") for page in glob.glob(os.path.join(SOURCE, pattern), recursive=True)]
        self.assertGreater(len(pages), 30)
        for page in pages:
            with open(page, encoding="utf-8") as text:
                self.assertLessEqual(set(printed.findall(text.read())), {cited("version")}, page)

    def test_has_the_licence_of_the_package(self):
        self.assertEqual(cited("license"), found("pyproject.toml", r'^license = "(.*)"$'))

    def test_has_the_home_page_of_the_packages(self):
        url = found("CMakeLists.txt", r'^set\(PLEIAD_URL "(.*)" CACHE')
        self.assertEqual(cited("url"), url)
        self.assertEqual(found("pyproject.toml", r'^Homepage = "(.*)"$'), url)

    def test_has_what_the_format_requires(self):
        for key, value in {"cff-version": "1.2.0", "type": "software"}.items():
            self.assertEqual(cited(key), value)
        for key in ("message", "title", "authors"):
            self.assertTrue(found("CITATION.cff", rf"^({key}:)"), key)


if __name__ == "__main__":
    unittest.main()
