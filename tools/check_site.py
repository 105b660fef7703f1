"""Every link of the built site leads somewhere: pages, anchors, pictures, scripts, without a network. check_site.py FOLDER

What a page loads (pictures, scripts, styles) must lie in the folder, so that the site works without a server. Links to other sites are
not followed. No text may hold a link as Markdown writes it: there its words were not read as Markdown.

SPDX-FileCopyrightText: Pleiad contributors
SPDX-License-Identifier: Apache-2.0
"""
import os
import re
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

CODE = ("pre", "code", "script", "style")


class Reader(HTMLParser):
    """The anchors of a page, where it leads, what it loads, and links in its text outside of code."""

    def __init__(self):
        super().__init__()
        self.anchors, self.links, self.loads, self.unread, self.code = set(), [], [], [], 0

    def handle_starttag(self, tag, attributes):
        told = dict(attributes)
        self.code += tag in CODE
        self.anchors |= {told[key] for key in ("id", "name") if told.get(key)}
        if tag == "a" and told.get("href"):
            self.links.append(told["href"])
        elif tag == "link" and told.get("href") and told.get("rel") not in ("canonical",):
            self.loads.append(told["href"])
        elif tag in ("img", "script", "source", "iframe") and told.get("src"):
            self.loads.append(told["src"])

    def handle_endtag(self, tag):
        self.code -= tag in CODE

    def handle_data(self, data):
        if not self.code:
            self.unread += re.findall(r"\[[^]]+\]\([^)\s]+\)", data)


def read(path):
    reader = Reader()
    with open(path, encoding="utf-8") as text:
        reader.feed(text.read())
    return reader


def complaint(page, link, pages, loaded):
    """What is wrong with a link of a page, or nothing."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return "is not in the site" if loaded and parts.scheme != "data" else ""
    target = os.path.normpath(os.path.join(os.path.dirname(page), unquote(parts.path))) if parts.path else page
    if target in pages:
        anchor = unquote(parts.fragment)
        return "" if not anchor or anchor in pages[target].anchors else "has no such anchor"
    return "" if os.path.isfile(target) else "is not there"


def check(folder):
    """(number of links, what is wrong) of all pages below a folder."""
    folder = os.path.abspath(folder)
    pages = {}
    for where, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".html"):
                pages[os.path.join(where, name)] = read(os.path.join(where, name))
    count, told = 0, []
    for page, reader in sorted(pages.items()):
        told += [f"{os.path.relpath(page, folder)}: {link} is shown, not read" for link in reader.unread]
        for link, loaded in [(link, False) for link in reader.links] + [(link, True) for link in reader.loads]:
            count += 1
            if wrong := complaint(page, link, pages, loaded):
                told.append(f"{os.path.relpath(page, folder)}: {link} {wrong}")
    return count, told


def main():
    count, told = check(sys.argv[1])
    print("\n".join(told + [f"{count} links, {len(told)} failures"]))
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())
