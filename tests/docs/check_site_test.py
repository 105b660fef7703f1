"""tools/check_site.py must tell each kind of broken link, and nothing of good ones. check_site_test.py SOURCE"""
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(sys.argv[1], "tools"))
import check_site  # noqa: E402

PAGES = {
    "index.html": '<h1 id="top">x</h1><a href="deep/page.html#part">good</a><a href="#top">good</a><a href="https://example.org">good</a>'
                  '<img src="picture.png"><a href="picture.png">good</a><p>[shown](page.md) [good] (or not)</p><code>[good](page.md)</code>',
    "deep/page.html": '<h2 id="part">x</h2><a href="../index.html">good</a><a href="../lost.html">lost page</a><a href="../index.html#lost">lost anchor</a>'
                      '<img src="lost.png"><script src="https://example.org/x.js"></script>',
    "picture.png": "",
}
TOLD = {"../lost.html is not there", "../index.html#lost has no such anchor", "lost.png is not there", "https://example.org/x.js is not in the site",
        "[shown](page.md) is shown, not read"}

with tempfile.TemporaryDirectory() as folder:
    for name, content in PAGES.items():
        os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
        with open(os.path.join(folder, name), "w", encoding="utf-8") as page:
            page.write(content)
    count, told = check_site.check(folder)
found = {line.partition(": ")[2] for line in told}
if found != TOLD or count != 10:
    print(f"{count} links, told: {sorted(found)}\nexpected 10 and: {sorted(TOLD)}")
    sys.exit(1)
